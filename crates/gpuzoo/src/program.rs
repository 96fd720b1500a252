//! A machine, and a program of it.

use crate::registry;
use crate::run::Vertices;
use gpuzoo_diag::{Diagnostic, Sources};
use gpuzoo_isa::{Assembled, FileKind, Isa, RegFile};
use gpuzoo_machine::unit::PositionSpace;
use gpuzoo_machine::unit::logged::Logged;
use gpuzoo_machine::{About, Cost, Modes, ShaderUnit, TextOptions};
use std::sync::Arc;

/// A shader unit: where programs come from.
///
/// ```
/// let program = gpuzoo::dreambox().assemble("copy.vu", "ld r0 0\nst pos r0\n")?;
/// assert_eq!(program.words(), [0, 1, 63]);
/// let error = gpuzoo::dreambox().assemble("typo.vu", "ld r0\n").unwrap_err();
/// assert!(error.to_string().contains("typo.vu:1:6"));
/// # Ok::<(), gpuzoo::Diagnostics>(())
/// ```
#[derive(Clone, Copy)]
pub struct Machine {
    gpu: &'static dyn ShaderUnit,
}

impl Machine {
    /// The shader unit itself.
    pub(crate) fn gpu(self) -> &'static dyn ShaderUnit {
        self.gpu
    }

    /// A machine of one's own.
    pub const fn new(gpu: &'static dyn ShaderUnit) -> Machine {
        Machine { gpu }
    }

    /// What it is.
    pub fn about(self) -> &'static About {
        self.gpu.about()
    }
}

impl std::fmt::Debug for Machine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Machine({})", self.about().id)
    }
}

/// A program without errors, and the machine that it is for. Cheap to clone.
#[derive(Clone)]
pub struct Program {
    machine: Machine,
    code: Arc<gpuzoo_isa::Program>,
    warnings: Vec<Diagnostic>,
    sources: Arc<Sources>,
    /// What the log that it comes from runs it on.
    log: Option<Arc<(Vertices<'static>, Modes)>>,
    /// Set for compiler output: lints about single instructions are suppressed.
    compiled: bool,
    /// Set if the options of reading it leave positions in clip space.
    in_clip_space: bool,
}

impl Program {
    /// What reading gave, if there is no error in it.
    ///
    /// # Errors
    /// All that was found.
    pub(crate) fn of(gpu: &'static dyn ShaderUnit, read: Assembled) -> Result<Program, Vec<Diagnostic>> {
        if !read.ok() {
            return Err(read.diagnostics);
        }
        let (machine, code) = (Machine { gpu }, Arc::new(read.program));
        Ok(Program {
            machine,
            code,
            warnings: read.diagnostics,
            sources: Arc::default(),
            log: None,
            compiled: false,
            in_clip_space: false,
        })
    }

    /// A program that was read elsewhere, without errors.
    #[cfg(all(feature = "render", feature = "report"))]
    pub(crate) fn of_code(gpu: &'static dyn ShaderUnit, code: Arc<gpuzoo_isa::Program>) -> Program {
        Program {
            machine: Machine { gpu },
            code,
            warnings: Vec::new(),
            sources: Arc::default(),
            log: None,
            compiled: false,
            in_clip_space: false,
        }
    }

    /// The same with other slots.
    #[cfg(feature = "compile")]
    pub(crate) fn with_code(&self, code: gpuzoo_isa::Program) -> Program {
        Program { code: Arc::new(code), warnings: Vec::new(), ..self.clone() }
    }

    /// As what a compiler made of a source.
    #[cfg(feature = "language-names")]
    pub(crate) fn of_compiler(self) -> Program {
        Program { compiled: true, ..self }
    }

    /// With what its spans lie in.
    pub(crate) fn in_sources(self, sources: Arc<Sources>) -> Program {
        Program { sources, ..self }
    }

    /// The same, read with a space for positions.
    pub(crate) fn leaving(self, position: Option<PositionSpace>) -> Program {
        Program { in_clip_space: position == Some(PositionSpace::Clip), ..self }
    }

    /// Whether the options of reading it leave positions in clip space, on machines whose programs usually leave them in pixels.
    pub fn is_in_clip_space(&self) -> bool {
        self.in_clip_space
    }

    /// With what a draw of a log runs it on.
    pub(crate) fn of_log(self, logged: &Logged) -> Program {
        let vertices = match logged.inputs.len() {
            0 => Vertices::nothing(),
            each => Vertices::of_rows(logged.values.len() / each, &logged.inputs, &logged.values),
        };
        Program { log: Some(Arc::new((vertices, logged.modes))), ..self }
    }

    /// The vertices of the draw that it comes from, if it was read from a log.
    pub fn vertices(&self) -> Option<&Vertices<'static>> {
        self.log.as_deref().map(|(vertices, _)| vertices)
    }

    /// The machine's modes in the draw that it comes from, if it was read from a log; else those at power-on.
    pub fn modes(&self) -> Modes {
        self.log.as_deref().map(|(_, modes)| *modes).unwrap_or_default()
    }

    /// The machine.
    pub fn machine(&self) -> Machine {
        self.machine
    }

    /// What the machine can do.
    pub fn gpu(&self) -> &'static dyn ShaderUnit {
        self.machine.gpu
    }

    /// The machine's instruction set.
    pub fn isa(&self) -> &'static Isa {
        self.gpu().isa()
    }

    /// The slots, the constants that come with them, and what the text says of inputs and outputs.
    pub fn code(&self) -> &gpuzoo_isa::Program {
        &self.code
    }

    /// The words of its binary, which [`Machine::load`] takes.
    pub fn words(&self) -> Vec<u32> {
        let bytes = self.gpu().save(&self.code);
        bytes.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect()
    }

    /// Warnings and notes of reading it.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// What the spans of its diagnostics lie in, for a program that was read by its [`Machine`]; nothing for one that was
    /// read with other files.
    pub fn sources(&self) -> &Arc<Sources> {
        &self.sources
    }

    /// What is suspicious about it; nothing for what was compiled from a source, of which the compiler has said it.
    pub fn check(&self) -> Vec<Diagnostic> {
        if self.compiled { Vec::new() } else { self.gpu().check(&self.code) }
    }

    /// What it costs to run once.
    pub fn costs(&self) -> Vec<Cost> {
        self.gpu().costs(&self.code)
    }

    /// A text that does the same, or with [`TextOptions::exact`] one that assembles to the same words, with diagnostics for
    /// what could not be written so, and a note if the words differ.
    ///
    /// # Errors
    /// `G0111` for options that the machine does not have.
    pub fn disassemble(&self, options: &TextOptions) -> Result<(String, Vec<Diagnostic>), Diagnostic> {
        registry::check_text_options(self.gpu(), options)?;
        Ok(self.gpu().disassemble(&self.code, options))
    }

    /// The first register file of a kind.
    pub(crate) fn file(&self, wanted: impl Fn(FileKind) -> bool) -> Option<&'static RegFile> {
        self.isa().files.iter().find(|file| wanted(file.kind))
    }
}

impl std::fmt::Debug for Program {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Program({}, {} slots)", self.machine.about().id, self.code.slots.len())
    }
}
