//! What every machine can do: one trait, one method for each verb.

use crate::draw::{Draw, DrawReport, TextureFormat};
use crate::job::{JobDone, JobOptions};
use crate::layout::{Layout, VertexFormat};
use crate::run_state::{Mode, RunState};
use crate::session::ShaderSession;
use crate::vectors::VectorKind;
use gpuzoo_diag::{Code, Diagnostic, File, Span};
use gpuzoo_ir::Vec4;
use gpuzoo_isa::{Assembled, Isa, Lowered, Parsed, Plain, Program, parse};
use gpuzoo_raster::{Target, Touch};

/// What a machine is, as data.
///
/// ```
/// # static ISA: gpuzoo_isa::Isa = gpuzoo_isa::Isa {
/// #     halves: &[],
/// #     other_fields: &[],
/// #     files: &[],
/// #     slot_words: 1,
/// #     room: gpuzoo_isa::Room::Slots(64),
/// #     last: None,
/// #     filler: gpuzoo_isa::Bits::word(0),
/// #     syntax: &gpuzoo_isa::Syntax::PLAIN,
/// #     address: None,
/// # };
/// use gpuzoo_machine::About;
/// static ABOUT: About = About::new("toy", "Toy GPU", "a machine to play with", &ISA)
///     .extensions(&["toy"])
///     .profiles(&["exact", "fast"]);
/// assert_eq!((ABOUT.profiles[0], ABOUT.texture_units), ("exact", 0));
/// ```
#[non_exhaustive]
pub struct About {
    /// The name for `--gpu`, folders and links: `dreambox`.
    pub id: &'static str,
    /// Its full name.
    pub name: &'static str,
    /// One sentence about it.
    pub summary: &'static str,
    /// File name extensions of its assembly texts, without dot.
    pub extensions: &'static [&'static str],
    /// Names for [`TextOptions`], for machines whose programs are written in several ways.
    pub text_options: TextOptionNames,
    /// The instruction set.
    pub isa: &'static Isa,
    /// Numeric profiles; the first is the default.
    pub profiles: &'static [&'static str],
    /// Switches that change what programs may do.
    pub modes: &'static [Mode],
    /// True if outputs that a program does not write keep what an earlier run left, so that a user may say what that
    /// is.
    pub outputs_persist: bool,
    /// The codes of its own problems.
    pub codes: &'static [&'static Code],
    /// How vertex attributes can be stored.
    pub vertex_formats: &'static [VertexFormat],
    /// How textures can be stored.
    pub texture_formats: &'static [TextureFormat],
    /// How many textures a draw can read.
    pub texture_units: usize,
    /// The kinds of vector files that `conform` knows for it.
    pub vectors: &'static [VectorKind],
    /// Its picture's size, where it is fixed.
    pub screen: (u32, u32),
}

/// Makes setters of fields.
macro_rules! setters {
    ($($field:ident: $type:ty, $doc:literal;)*) => {
        $(#[doc = $doc]
        #[must_use]
        pub const fn $field(mut self, $field: $type) -> About {
            self.$field = $field;
            self
        })*
    };
}

impl About {
    /// A machine with one profile, `document`, and nothing that it need not have.
    pub const fn new(
        id: &'static str,
        name: &'static str,
        summary: &'static str,
        isa: &'static Isa,
    ) -> About {
        About {
            id,
            name,
            summary,
            extensions: &[],
            text_options: TextOptionNames::NONE,
            isa,
            profiles: &["document"],
            modes: &[],
            outputs_persist: false,
            codes: &[],
            vertex_formats: &[],
            texture_formats: &[],
            texture_units: 0,
            vectors: &[],
            screen: (640, 480),
        }
    }

    setters! {
        extensions: &'static [&'static str], "With these [`extensions`](About::extensions).";
        text_options: TextOptionNames, "With several ways to write programs.";
        profiles: &'static [&'static str], "With these [`profiles`](About::profiles), at least one.";
        modes: &'static [Mode], "With these [`modes`](About::modes).";
        codes: &'static [&'static Code], "With these [`codes`](About::codes).";
        vertex_formats: &'static [VertexFormat], "With these [`vertex_formats`](About::vertex_formats).";
        vectors: &'static [VectorKind], "With these kinds of [`vectors`](About::vectors).";
        screen: (u32, u32), "With a [`screen`](About::screen) of this size.";
    }

    /// Its outputs [persist](About::outputs_persist).
    #[must_use]
    pub const fn outputs_persist(mut self) -> About {
        self.outputs_persist = true;
        self
    }

    /// A draw reads so many textures, of these formats.
    #[must_use]
    pub const fn textures(mut self, units: usize, formats: &'static [TextureFormat]) -> About {
        (self.texture_units, self.texture_formats) = (units, formats);
        self
    }
}

/// How a program's text is written. What is not given follows from the text itself, or is the machine's default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextOptions<'a> {
    /// The assembly dialect.
    pub dialect: Option<&'a str>,
    /// How the text numbers constants.
    pub numbering: Option<&'a str>,
    /// How a disassembly looks.
    pub style: Option<&'a str>,
}

/// The names that a machine has for each of the [`TextOptions`]; none where there is only one way.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextOptionNames {
    /// Of dialects.
    pub dialects: &'static [&'static str],
    /// Of ways to number constants.
    pub numberings: &'static [&'static str],
    /// Of styles.
    pub styles: &'static [&'static str],
}

impl TextOptionNames {
    /// For machines whose programs are written in one way.
    pub const NONE: TextOptionNames = TextOptionNames { dialects: &[], numberings: &[], styles: &[] };
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

/// A machine. The library functions, the command line and every other surface call these.
pub trait Gpu: Sync {
    /// What it is.
    fn about(&self) -> &'static About;

    /// From text, which is written as `options` say, to a program, with every error and warning. Options are among the names
    /// in [`About::text_options`].
    fn assemble(&self, file: &File, _options: &TextOptions) -> Assembled {
        let isa = self.about().isa;
        let Parsed { items, mut diagnostics } = parse(isa, isa.syntax, file, &mut Plain);
        let slots = isa.slots_of(&items);
        let place = slots.get(isa.most_slots()).map_or(file.whole(), |slot| slot.span);
        diagnostics.extend(isa.check_length(slots.len(), place));
        Assembled { program: Program { slots, span: file.whole(), ..Program::default() }, diagnostics }
    }

    /// From the bytes of a binary to a program; `span` says where they come from.
    fn load(&self, bytes: &[u8], span: Span) -> Assembled {
        self.about().isa.load(bytes, span)
    }

    /// From a program to the bytes of a binary: its words, lowest byte first.
    fn save(&self, program: &Program) -> Vec<u8> {
        program.words(self.about().isa).iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// From a program to a text that assembles to the same bytes, or to one that looks as `options` say, with diagnostics
    /// for what could not be written so.
    fn disassemble(&self, program: &Program, _options: &TextOptions) -> (String, Vec<Diagnostic>) {
        let mut text = String::new();
        for slot in &program.slots {
            self.about().isa.print_slot(slot, &mut text);
            text.push('\n');
        }
        (text, Vec::new())
    }

    /// What is suspicious about a program that is legal.
    fn check(&self, program: &Program) -> Vec<Diagnostic>;

    /// What a program means for a machine in a certain state, and what that state forbids the program.
    fn lower(&self, program: &Program, run_state: &RunState) -> (Lowered, Vec<Diagnostic>);

    /// What a program costs.
    fn costs(&self, program: &Program) -> Vec<Cost>;

    /// The vertex layout that the machine starts with.
    fn default_layout(&self) -> Layout;

    /// A layout with what the machine reads for inputs that it does not name.
    fn complete_layout(&self, layout: Layout) -> Layout {
        layout
    }

    /// What a draw runs for every vertex, and the constants that it reads: as the program and the draw say, unless the
    /// machine sets some itself.
    fn vertex_stage(&self, _target: &Target, draw: &Draw) -> (Lowered, Vec<Vec4>) {
        (self.lower(draw.vertex, &draw.profile.into()).0, draw.constants.to_vec())
    }

    /// Its fragment programs, on machines whose draws have one in addition to the vertex program.
    fn fragment_programs(&self) -> Option<&dyn FragmentPrograms> {
        None
    }

    /// What runs raw commands for it, on machines that have such a form.
    fn jobs(&self) -> Option<&dyn Jobs> {
        None
    }

    /// Carries out a draw. What is wrong with its state is added to `problems`; with errors nothing is drawn.
    fn draw(&self, target: &mut Target, draw: &Draw, problems: &mut Vec<Diagnostic>) -> DrawReport;
}

/// A machine whose draws can have a fragment program.
pub trait FragmentPrograms {
    /// A draw's fragment program at a fragment that the draw noted, step by step; none for a draw without one.
    fn session(&self, target: &Target, draw: &Draw, touch: &Touch) -> Option<ShaderSession>;
}

/// A machine that runs jobs: raw commands in JSON.
pub trait Jobs {
    /// Runs a job. Without errors there is a result.
    fn run(&self, file: &File, options: &JobOptions) -> (Option<JobDone>, Vec<Diagnostic>);
}
