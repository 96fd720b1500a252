//! A machine, and a program of it.

use crate::read::{self, Form};
use crate::registry;
use crate::run::constants::{self, Constants};
use crate::run::{Kernel, Value, Vertices};
use gpuzoo_diag::{Diagnostic, Diagnostics, Sources, has_errors};
use gpuzoo_ir::Vec4;
use gpuzoo_isa::{Assembled, FileKind, Isa, Reg, RegFile};
use gpuzoo_machine::unit::logged::Logged;
use gpuzoo_machine::unit::run_state::{self, RunState};
use gpuzoo_machine::{About, Cost, Modes, Profile, ShaderUnit, TextOptions};
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
    /// What it can do.
    #[cfg(feature = "language-names")]
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

    /// From text to a program. `name` is shown in messages. Files that the text includes are not there: [`read`](Machine::read)
    /// takes a way to get them.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn assemble(self, name: &str, text: &str) -> Result<Program, Diagnostics> {
        self.read(name, text.as_bytes(), Some(Form::Asm), &TextOptions::default())
    }

    /// From the bytes of a file to a program: assembly text, a binary, or words in hexadecimal or JSON, as `form`, the
    /// name or else the bytes say.
    ///
    /// ```
    /// use gpuzoo::machine::TextOptions;
    /// use gpuzoo::read::Form;
    /// let text = b"vs.1.1\n#include \"names.h\"\n#if FOG\nmov oFog.x, POSITION.z\n#endif\nmov oPos, POSITION\n";
    /// let include = |name: &str| match name {
    ///     "names.h" => Ok(b"#define POSITION v0\n".to_vec()),
    ///     _ => Err("there is no such file".to_owned()),
    /// };
    /// // In clip space, where this program leaves the position, nothing is added that leads to the screen.
    /// let positions = Some("clip");
    /// let options =
    ///     TextOptions { positions, include: Some(&include), defines: &["FOG=1"], ..TextOptions::default() };
    /// let program = gpuzoo::nv2a().read("p.vsh", text, Some(Form::Asm), &options)?;
    /// assert_eq!(program.code().slots.len(), 2);
    /// # Ok::<(), gpuzoo::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// What is wrong with the bytes.
    pub fn read(
        self,
        name: &str,
        bytes: &[u8],
        form: Option<Form>,
        options: &TextOptions,
    ) -> Result<Program, Diagnostics> {
        let mut sources = Sources::default();
        let read = read::read(self.gpu, &mut sources, name, bytes, form, options);
        let sources = Arc::new(sources);
        match read {
            Ok(program) => Ok(Program { sources, ..program }),
            Err(problems) => Err(Diagnostics::new(problems, sources)),
        }
    }

    /// From the words of a binary to a program.
    ///
    /// # Errors
    /// What is wrong with the words.
    pub fn load(self, words: &[u32]) -> Result<Program, Diagnostics> {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.read("words", &bytes, Some(Form::Bin), &TextOptions::default())
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
    /// True if a compiler wrote it: then there is nobody whom advice about its instructions would help.
    compiled: bool,
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
    #[cfg(feature = "language-names")]
    pub(crate) fn in_sources(self, sources: Arc<Sources>) -> Program {
        Program { sources, ..self }
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

    /// Makes it ready to run in a state of the machine; a profile alone will do.
    ///
    /// ```
    /// let program = gpuzoo::nv2a().assemble("p.vsh", "mov oPos, v0")?;
    /// assert_eq!(program.kernel("hww").unwrap_err().list[0].code.id, "G0103");
    /// assert!(program.kernel("hw").is_ok());
    /// # Ok::<(), gpuzoo::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// `G0103` for an unknown profile, `R0701` for an unknown mode, `G0206` for an unknown output, `G0218` for a machine
    /// whose outputs do not persist; what the machine does not allow the program.
    pub fn kernel<'a>(&self, state: impl Into<State<'a>>) -> Result<Kernel, Diagnostics> {
        let resolved = self.resolved(state.into())?;
        let kernel = self.kernel_in(&resolved.state());
        match has_errors(kernel.forbidden()) {
            true => Err(Diagnostics::new(kernel.forbidden().to_vec(), self.sources.clone())),
            false => Ok(kernel),
        }
    }

    /// What a state's names mean.
    pub(crate) fn resolved(&self, state: State) -> Result<Resolved, Diagnostic> {
        let State { profile, modes, outputs } = state;
        let profile = registry::profile(self.gpu(), profile)?;
        let mut chosen = Modes::default();
        for (name, choice) in modes {
            let (mode, choice) = run_state::mode(self.machine.about().modes, name, choice)?;
            chosen.set(mode, choice);
        }
        let start = |(name, value): (&str, Vec4)| Ok((constants::output(self.gpu(), name)?, value));
        let start = outputs.into_iter().map(start).collect::<Result<Vec<_>, Diagnostic>>()?;
        Ok(Resolved { profile, modes: chosen, start })
    }

    /// As [`kernel`](Program::kernel), for a state that has been looked up; what is not allowed is among the kernel's
    /// [remarks](Kernel::remarks).
    pub fn kernel_in(&self, state: &RunState) -> Kernel {
        Kernel::new(self.clone(), state)
    }

    /// The constants to which the program gives values and names.
    pub fn constants(&self) -> Constants {
        Constants::of_program(&self.code)
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

/// A [`State`] whose names have been looked up.
pub(crate) struct Resolved {
    profile: Profile,
    modes: Modes,
    start: Vec<(Reg, Vec4)>,
}

impl Resolved {
    /// It as the machine takes it.
    pub fn state(&self) -> RunState<'_> {
        RunState { profile: self.profile, modes: self.modes, start: &self.start }
    }
}

/// In what state a machine is when it runs a program: everything by name.
#[derive(Clone, Debug, Default)]
pub struct State<'a> {
    profile: Option<&'a str>,
    modes: Vec<(&'a str, &'a str)>,
    outputs: Vec<(&'a str, Vec4)>,
}

impl<'a> From<&'a str> for State<'a> {
    fn from(profile: &'a str) -> State<'a> {
        State { profile: Some(profile), ..State::default() }
    }
}

impl<'a> State<'a> {
    /// The machine's default profile and modes.
    pub fn new() -> State<'a> {
        State::default()
    }

    /// Sets a mode.
    pub fn mode(mut self, name: &'a str, choice: &'a str) -> State<'a> {
        self.modes.push((name, choice));
        self
    }

    /// Says what an output holds before the program.
    pub fn output(mut self, name: &'a str, value: impl Value) -> State<'a> {
        self.outputs.push((name, value.bits()));
        self
    }
}
