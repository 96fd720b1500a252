//! Machines with shader units: programs over vertices and fragments.

pub mod cache;
pub mod draw;
pub mod job;
pub mod layout;
pub mod logged;
pub mod reach;
pub mod run_state;
pub mod starter;
mod vertices;

use crate::gpu::Gpu;
use crate::limits::budget::{Budget, Refusal};
use crate::options::settings::Table;
use crate::session::ShaderSession;
use crate::target::conventions::Conventions;
use crate::target::host::HostDraw;
use crate::target::sequence::Sequence;
use crate::target::slots::Slots;
use crate::unit::draw::{Draw, DrawReport};
use crate::unit::layout::Layout;
use crate::unit::logged::{Call, Logged};
use crate::unit::run_state::RunState;
use crate::unit::starter::Starter;
use crate::vectors::stimulus::{ProgramVectors, Stimulus};
use gpuzoo_diag::{Diagnostic, File, FileId, Lexeme, Sources, Span, Symbol};
use gpuzoo_ir::Vec4;
use gpuzoo_isa::{Assembled, Isa, Lowered, Parsed, Plain, Profile, Program, Slot, Stage, Syntax, parse};
use gpuzoo_raster::{Target, Touch};
use std::sync::Arc;

/// How a program's text is written. What is not given follows from the text itself, or is the machine's default.
///
/// ```
/// use gpuzoo_machine::TextOptions;
/// let files = |name: &str| match name {
///     "lights.h" => Ok(b"#define LIGHTS 2\n".to_vec()),
///     _ => Err("there is no such file".to_owned()),
/// };
/// let options = TextOptions { include: Some(&files), defines: &["FOG", "BONES=4"], ..TextOptions::default() };
/// assert!(options.include.is_some_and(|include| include("lights.h").is_ok()));
/// ```
#[derive(Clone, Copy, Default)]
pub struct TextOptions<'a> {
    /// The assembly dialect.
    pub dialect: Option<&'a str>,
    /// How the text numbers constants.
    pub numbering: Option<&'a str>,
    /// Space in which the vertex program leaves positions, on machines whose assembler adds the slots that lead there.
    pub position: Option<PositionSpace>,
    /// A disassembly gives back every bit: what no text assembles to is `.word`. Else it is for reading, and bits that the
    /// machine does not use are dropped.
    pub exact: bool,
    /// Where files come from that the text names; without it there are none.
    pub include: Option<&'a Include<'a>>,
    /// Macros that are defined before the text, on machines whose texts have such: `NAME` or `NAME=VALUE`.
    pub defines: &'a [&'a str],
    /// The entry point of a source in a shading language, where it has several.
    pub entry: Option<&'a str>,
    /// The stage that such a source is compiled for, where it does not say or has several.
    pub stage: Option<Stage>,
    /// What such a source computes from uniforms alone becomes constants of its own.
    pub host_constants: bool,
    /// The draw or launch of a [log](ShaderUnit::logged); without it the first draw with a program, or else the first
    /// launch.
    pub call: Option<Call>,
    /// The profile in which programs run that a log contains before that draw or launch.
    pub profile: Profile,
    /// The account of the memory that reading a log takes; without it there is no limit.
    pub budget: Option<&'a Budget>,
}

impl std::fmt::Debug for TextOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let TextOptions { dialect, numbering, position, exact, include, defines, .. } = self;
        let TextOptions { entry, stage, host_constants, call, profile, .. } = self;
        let mut options = f.debug_struct("TextOptions");
        options.field("dialect", dialect).field("numbering", numbering).field("position", position);
        options.field("exact", exact).field("include", &include.is_some());
        options.field("defines", defines);
        options.field("entry", entry).field("stage", stage).field("host_constants", host_constants);
        options.field("call", call).field("profile", profile).finish()
    }
}

/// Space in which a vertex program leaves positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PositionSpace {
    /// Pixels, divided by w, on machines that expect them; else clip space.
    #[default]
    Screen,
    /// Clip space.
    Clip,
}

gpuzoo_diag::choices! { PositionSpace, "space of positions";
    "screen" => Screen, "in pixels, divided by w, where the machine expects that";
    "clip" => Clip, "in clip space, as the source computes them";
}

/// Gives the bytes of a file that a text names, or why it cannot be read.
pub type Include<'a> = dyn Fn(&str) -> Result<Vec<u8>, String> + 'a;

/// An assembly dialect.
#[derive(Clone, Copy, Debug)]
pub struct Dialect {
    /// The name that users give.
    pub name: &'static str,
    /// Whose it is, and how a text tells it.
    pub about: &'static str,
    /// How it is written.
    pub syntax: &'static Syntax,
    /// A text that assembles.
    pub example: &'static str,
    /// What its texts can begin with to say what they are, each with what that means.
    pub headers: fn() -> Vec<(&'static str, &'static str)>,
}

/// The names that a machine has for each of the [`TextOptions`]; none where there is only one way.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextOptionNames {
    /// Of dialects.
    pub dialects: &'static [Dialect],
    /// Of ways to number constants, each with what it is.
    pub numberings: &'static [(&'static str, &'static str)],
    /// Its assembler adds the slots that lead positions to a space. The settings of a draw then have a key `positions` with the names
    /// of the spaces, and a scene's program is assembled for the space that its draw names.
    pub positions: bool,
    /// Its sources have macros, and include files.
    pub macros: bool,
    /// Draws of its command logs are programs.
    pub logs: bool,
}

impl TextOptionNames {
    /// For machines whose programs are written in one way.
    pub const NONE: TextOptionNames =
        TextOptionNames { dialects: &[], numberings: &[], positions: false, macros: false, logs: false };
}

/// What a program costs to run once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cost {
    /// What is counted: `instructions executed`.
    pub name: &'static str,
    /// How many cycles or instructions for one vertex or fragment.
    pub per_run: u64,
    /// The budget of a frame in the same unit, where the machine has one.
    pub frame_budget: Option<u64>,
    /// Where the figure comes from, or what is odd about it.
    pub note: &'static str,
}

/// What programs mean for a machine in one certain state.
pub type Lowering = Arc<dyn Fn(&Program) -> Lowered + Send + Sync>;

/// The programs of a machine with shader units, and its draws.
pub trait ShaderUnit: Gpu {
    /// The instruction set.
    fn isa(&self) -> &'static Isa;

    /// From text, which is written as `options` say, to a program, with every error and warning. Options are among the names
    /// in [`About::text_options`](crate::About::text_options).
    fn assemble(&self, file: &File, _options: &TextOptions) -> Assembled {
        let isa = self.isa();
        let Parsed { items, mut diagnostics } = parse(isa, isa.syntax, file, &mut Plain);
        let slots = isa.slots_of(&items);
        let place = slots.get(isa.most_slots()).map_or(file.whole(), |slot| slot.span);
        diagnostics.extend(isa.check_length(slots.len(), place));
        Assembled { program: Program { slots, span: file.whole(), ..Program::default() }, diagnostics }
    }

    /// As [`assemble`](ShaderUnit::assemble), for a text among `sources`, which get the files that it includes.
    fn assemble_in(&self, sources: &mut Sources, file: FileId, options: &TextOptions) -> Assembled {
        self.assemble(sources.get(file), options)
    }

    /// The language of a text: that of the dialect that is given, or else as the text says.
    fn syntax(&self, _text: &str, options: &TextOptions) -> &'static Syntax {
        let dialects = self.about().text_options.dialects;
        let given = dialects.iter().find(|own| Some(own.name) == options.dialect);
        given.map_or(self.isa().syntax, |own| own.syntax)
    }

    /// The words of a text, whether or not it can be assembled.
    fn lexemes(&self, text: &str, options: &TextOptions) -> Vec<Lexeme> {
        self.isa().lexemes(self.syntax(text, options), text)
    }

    /// The names of a text among `sources`, which get the files that it includes; whether or not it can be assembled.
    fn symbols(&self, _sources: &mut Sources, _file: FileId, _options: &TextOptions) -> Vec<Symbol> {
        Vec::new()
    }

    /// From the bytes of a binary to a program; `span` says where they come from.
    fn load(&self, bytes: &[u8], span: Span) -> Assembled {
        self.isa().load(bytes, span)
    }

    /// A draw or launch from a log of the commands that the machine was sent: the one that `options` name, or the first
    /// that runs a
    /// program. None on machines whose logs are not known.
    ///
    /// # Errors
    /// If the log does not have it or its program, or takes more memory than the budget has.
    fn logged(&self, _log: &File, _options: &TextOptions) -> Option<Result<Logged, Diagnostic>> {
        None
    }

    /// From a program to the bytes of a binary: its words, lowest byte first.
    fn save(&self, program: &Program) -> Vec<u8> {
        program.words(self.isa()).iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// From a program to a text that does the same, or with [`TextOptions::exact`] to one that assembles to the same bytes,
    /// with diagnostics for what could not be written so, and a note if the bytes differ.
    fn disassemble(&self, program: &Program, options: &TextOptions) -> (String, Vec<Diagnostic>) {
        let mut text = String::new();
        for slot in &program.slots {
            self.isa().print_line(slot, options.exact, &mut text);
        }
        let note = self.isa().other_words(&program.slots, program.span).filter(|_| !options.exact);
        (text, note.into_iter().collect())
    }

    /// What is suspicious about a program that is legal.
    fn check(&self, program: &Program) -> Vec<Diagnostic>;

    /// What a program means for a machine in a certain state, and what that state forbids the program.
    fn lower(&self, program: &Program, run_state: &RunState) -> (Lowered, Vec<Diagnostic>);

    /// How many of a program's slots its assembler added to what the text says.
    fn added(&self, _program: &Program) -> usize {
        0
    }

    /// How instructions share slots, on machines that run several in one.
    fn slots(&self) -> Option<&dyn Slots> {
        None
    }

    /// What programs are made of, on machines that run one instruction in a slot and that sources can be compiled for.
    fn sequence(&self) -> Option<&dyn Sequence> {
        None
    }

    /// Where compiled programs find what they take, on machines that sources can be compiled for.
    fn conventions(&self) -> Option<&dyn Conventions> {
        None
    }

    /// What a program costs.
    fn costs(&self, program: &Program) -> Vec<Cost>;

    /// How many cycles a slot takes to issue, as far as the machine's documents say.
    fn cycles(&self, _slot: &Slot) -> u64 {
        1
    }

    /// The vertex layout that the machine starts with.
    fn default_layout(&self) -> Layout;

    /// A layout with what the machine reads for inputs that it does not name.
    fn complete_layout(&self, layout: Layout) -> Layout {
        layout
    }

    /// What a program is drawn with that comes without a scene, on a picture of this size.
    fn starter(&self, _program: &Program, _size: (u32, u32)) -> Starter {
        let attributes = ["position", "normal", "texcoord", "color"];
        let inputs = self.default_layout().attributes.into_iter().zip(attributes);
        inputs.fold(Starter::new(0), |starter, (input, name)| {
            starter.input(input.input, name, input.format.name)
        })
    }

    /// The output, by number, with the coordinates at which the fixed function reads a texture unit. None where fragment
    /// programs read textures, and where [`check`](ShaderUnit::check) asks for the output in any case.
    fn coordinates(&self, _unit: usize) -> Option<u16> {
        None
    }

    /// Whether the fixed function reads a texture unit in draws with this state.
    fn reads_texture(&self, _unit: usize, _state: &Table) -> bool {
        true
    }

    /// Whether a draw with this state takes positions in pixels, as the program computes them: then the same draw on a larger
    /// picture fills a part of it.
    fn positions_are_pixels(&self, _state: &Table) -> bool {
        false
    }

    /// What a vertex program means in a draw, and the constants that it reads: as the program and the draw say, unless the
    /// machine sets some itself.
    fn vertex_stage(&'static self, _target: &Target, draw: &Draw) -> (Lowering, Vec<Vec4>) {
        let profile = draw.profile;
        let lowering = move |program: &Program| self.lower(program, &profile.into()).0;
        (Arc::new(lowering), draw.constants.to_vec())
    }

    /// What makes vectors of its programs.
    fn program_vectors(&self) -> Option<&dyn ProgramVectors> {
        None
    }

    /// Its fragment programs, on machines whose draws have one in addition to the vertex program.
    fn fragment_programs(&self) -> Option<&dyn FragmentPrograms> {
        None
    }

    /// A draw for a pipeline of the host's GPU: what stands around its programs. Its state is known to be right.
    ///
    /// # Errors
    /// `R0801` for what the host does not do as the machine does; a machine that does not say here what its pipeline is has
    /// nothing that it does.
    fn host_draw(&self, _target: &Target, draw: &Draw) -> Result<HostDraw, Vec<Diagnostic>> {
        Err(vec![crate::target::host::refused("pipeline for the draws of this machine", draw.state.span)])
    }

    /// Carries out a draw. What is wrong with its state is added to `problems`; with errors nothing is drawn.
    ///
    /// # Errors
    /// [`Refusal`] if it takes more than its budget has left; part of it may have been drawn.
    fn draw(
        &self,
        target: &mut Target,
        draw: &Draw,
        problems: &mut Vec<Diagnostic>,
    ) -> Result<DrawReport, Refusal>;
}

/// How a program reads a texture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextureRead {
    /// At coordinates, filtered; the level follows from the neighbours'.
    #[default]
    Filtered,
    /// The same, with component w of the coordinates added to the level.
    Biased,
    /// One texel by number: x, y, and the level in w.
    Texel,
}

/// A machine whose draws can have a fragment program.
pub trait FragmentPrograms {
    /// True for a constant that the machine itself sets for fragments, such as a triangle's planes.
    fn sets(&self, _constant: u16) -> bool {
        false
    }

    /// The output of the vertex program, by number, that an input is interpolated from, if it is from one.
    fn interpolated(&self, _input: u16) -> Option<u16> {
        None
    }

    /// The texture unit that a sample in the IR reads.
    fn unit(&self, sample: u8) -> usize {
        sample.into()
    }

    /// How it reads it.
    fn read(&self, _sample: u8) -> TextureRead {
        TextureRead::Filtered
    }

    /// What a draw's fragment program is run with at a fragment that the draw noted; none for a draw without one, and where a
    /// run depends on more than that: on textures, or on other fragments.
    fn stimulus(&self, draw: &Draw, touch: &Touch) -> Option<Stimulus>;

    /// A draw's fragment program at a fragment that the draw noted, step by step; none for a draw without one.
    ///
    /// # Errors
    /// [`Refusal`] if there is no memory for what it reads.
    fn session(&self, target: &Target, draw: &Draw, touch: &Touch) -> Result<Option<ShaderSession>, Refusal>;
}
