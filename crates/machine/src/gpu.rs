//! What every machine is and can do: its description as data, and one trait by which the verbs ask for abilities.

use crate::computer::Computer;
use crate::options::arguments::Parameter;
use crate::options::keys::Key;
use crate::reference::Reference;
use crate::session::ShaderSession;
use crate::unit::draw::{Draw, TextureFormat};
use crate::unit::job::{JobDone, JobHead, JobOptions, PixelRuns, WrittenDraw};
use crate::unit::layout::VertexFormat;
use crate::unit::run_state::{Mode, Modes};
use crate::unit::{ShaderUnit, TextOptionNames};
use crate::vectors::{VectorFiles, VectorKind};
use gpuzoo_diag::{Code, Diagnostic, File};
use gpuzoo_isa::Profile;

/// What a machine is, as data.
///
/// ```
/// use gpuzoo_machine::About;
/// static ABOUT: About = About::new("toy", "Toy GPU", "a machine to play with")
///     .extensions(&["toy"])
///     .profiles(&[("exact", "as the machine does it"), ("fast", "nearly so")]);
/// assert_eq!((ABOUT.profiles[0].0, ABOUT.texture_units), ("exact", 0));
/// ```
#[non_exhaustive]
pub struct About {
    /// The name for `--gpu`, folders and links: `dreambox`.
    pub id: &'static str,
    /// Other names for `--gpu`.
    pub aliases: &'static [&'static str],
    /// Its full name.
    pub name: &'static str,
    /// One sentence about it.
    pub summary: &'static str,
    /// File name extensions, without dot, that name this machine where a user does not. No two machines have the same.
    pub extensions: &'static [&'static str],
    /// How its programs are written, on machines whose programs are not words of an instruction set.
    pub forms: &'static [FileForm],
    /// What its verbs can be given, beside what is the same for all machines.
    pub parameters: &'static [Parameter],
    /// What its pictures can show in place of the screen, each with what that is.
    pub views: &'static [(&'static str, &'static str)],
    /// Lines of its page, name and text, that do not follow from the rest.
    pub facts: &'static [(&'static str, &'static str)],
    /// Names for [`TextOptions`](crate::TextOptions), for machines whose programs are written in several ways.
    pub text_options: TextOptionNames,
    /// Its numeric profiles, each with what it is; the first is the default.
    pub profiles: &'static [(&'static str, &'static str)],
    /// Switches that change what programs may do.
    pub modes: &'static [Mode],
    /// What a draw's state can be given: the keys of a scene's `[draw.state]`.
    pub settings: &'static [&'static dyn Key],
    /// True if outputs that a program does not write keep what an earlier run left, so that a user may say what that
    /// is.
    pub outputs_persist: bool,
    /// The codes of its own problems, in groups.
    pub codes: &'static [&'static [&'static Code]],
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
    /// The programs of a first project, each a file's name and text: the vertex program, then that for fragments, if it has
    /// such; or the program of its CPU.
    pub sample: &'static [(&'static str, &'static str)],
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
    pub const fn new(id: &'static str, name: &'static str, summary: &'static str) -> About {
        About {
            id,
            aliases: &[],
            name,
            summary,
            extensions: &[],
            forms: &[],
            parameters: &[],
            views: &[],
            facts: &[],
            text_options: TextOptionNames::NONE,
            profiles: &[("document", "what is documented of the machine")],
            modes: &[],
            settings: &[],
            outputs_persist: false,
            codes: &[],
            vertex_formats: &[],
            texture_formats: &[],
            texture_units: 0,
            vectors: &[],
            screen: (640, 480),
            sample: &[],
        }
    }

    setters! {
        aliases: &'static [&'static str], "With these [`aliases`](About::aliases).";
        extensions: &'static [&'static str], "With these [`extensions`](About::extensions).";
        forms: &'static [FileForm], "With these [`forms`](About::forms).";
        parameters: &'static [Parameter], "With these [`parameters`](About::parameters).";
        views: &'static [(&'static str, &'static str)], "With these [`views`](About::views).";
        facts: &'static [(&'static str, &'static str)], "With these [`facts`](About::facts).";
        text_options: TextOptionNames, "With several ways to write programs.";
        profiles: &'static [(&'static str, &'static str)], "With these [`profiles`](About::profiles), at least one.";
        settings: &'static [&'static dyn Key], "With these [`settings`](About::settings).";
        codes: &'static [&'static [&'static Code]], "With these [`codes`](About::codes).";
        vertex_formats: &'static [VertexFormat], "With these [`vertex_formats`](About::vertex_formats).";
        vectors: &'static [VectorKind], "With these kinds of [`vectors`](About::vectors).";
        screen: (u32, u32), "With a [`screen`](About::screen) of this size.";
        sample: &'static [(&'static str, &'static str)], "With these programs as a [`sample`](About::sample).";
    }

    /// Whether this is the machine's id or an alias of it.
    pub fn is_named(&self, name: &str) -> bool {
        self.id == name || self.aliases.contains(&name)
    }

    /// With these [`modes`](About::modes).
    ///
    /// # Panics
    /// If there is [no room](Modes::fit) for them; a `static` does not compile then.
    #[must_use]
    pub const fn modes(mut self, modes: &'static [Mode]) -> About {
        assert!(Modes::fit(modes), "too many modes, or choices of one");
        self.modes = modes;
        self
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

    /// The profile of a name.
    ///
    /// ```
    /// # use gpuzoo_machine::{About, Profile};
    /// let about = About::new("toy", "Toy GPU", "a machine to play with").profiles(&[("exact", ""), ("fast", "")]);
    /// assert_eq!(about.profile("fast"), Some(Profile(1)));
    /// assert_eq!(about.profile_name(Profile(1)), "fast");
    /// assert_eq!(about.profile("slow"), None);
    /// ```
    pub fn profile(&self, name: &str) -> Option<Profile> {
        self.named_profiles().find(|(known, _)| *known == name).map(|(_, profile)| profile)
    }

    /// The name of a profile; empty for one that the machine does not have.
    pub fn profile_name(&self, profile: Profile) -> &'static str {
        self.profiles.get(usize::from(profile.0)).map_or("", |(name, _)| name)
    }

    /// All profiles, with their names.
    pub fn named_profiles(&self) -> impl Iterator<Item = (&'static str, Profile)> + use<> {
        self.profiles.iter().map(|(name, _)| *name).zip((0..=u8::MAX).map(Profile))
    }
}

/// How a program can be written.
///
/// ```
/// use gpuzoo_machine::FileForm;
/// static PRG: FileForm = FileForm::new("prg", &["prg"], "a load address and bytes").binary().read().written();
/// assert!(PRG.is_binary && PRG.is_read && PRG.is_written);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileForm {
    /// The name for `--emit` and `--from`.
    pub name: &'static str,
    /// File name extensions that say it, without dot.
    pub extensions: &'static [&'static str],
    /// It is not a text.
    pub is_binary: bool,
    /// Verbs read it.
    pub is_read: bool,
    /// `assemble` writes it.
    pub is_written: bool,
    /// What it is.
    pub about: &'static str,
}

impl FileForm {
    /// A text that is neither read nor written yet.
    pub const fn new(
        name: &'static str,
        extensions: &'static [&'static str],
        about: &'static str,
    ) -> FileForm {
        FileForm { name, extensions, is_binary: false, is_read: false, is_written: false, about }
    }

    /// It is not a text.
    #[must_use]
    pub const fn binary(mut self) -> FileForm {
        self.is_binary = true;
        self
    }

    /// Verbs read it.
    #[must_use]
    pub const fn read(mut self) -> FileForm {
        self.is_read = true;
        self
    }

    /// `assemble` writes it.
    #[must_use]
    pub const fn written(mut self) -> FileForm {
        self.is_written = true;
        self
    }
}

/// A machine, and what it can do: the verbs ask for an ability, never for a name.
///
/// A machine has [shader units](Gpu::shader_unit), or is driven by a [computer](Gpu::computer)'s programs; what else it
/// has is [`None`] by default.
pub trait Gpu: Sync {
    /// What it is.
    fn about(&self) -> &'static About;

    /// Programs over vertices and fragments, and draws.
    fn shader_unit(&'static self) -> Option<&'static dyn ShaderUnit> {
        None
    }

    /// Programs of a CPU that drives it.
    fn computer(&'static self) -> Option<&'static dyn Computer> {
        None
    }

    /// What runs raw commands for it, on machines that have such a form.
    fn jobs(&self) -> Option<&dyn Jobs> {
        None
    }

    /// What there is to look up beside the instruction set of its shader units.
    fn reference(&self) -> Option<&dyn Reference> {
        None
    }

    /// Files that are one vector as a whole, beside the records of [`About::vectors`].
    fn vector_files(&self) -> Option<&dyn VectorFiles> {
        None
    }

    /// A dump of its memory: none for other bytes, and what is wrong with one that is known but cannot be used.
    fn dump(&self, _name: &str, _bytes: &[u8]) -> Option<Result<Dump, Vec<Diagnostic>>> {
        None
    }
}

/// What a machine's memory held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dump {
    /// All bytes, from address 0.
    pub bytes: Vec<u8>,
    /// How many stand in a row where it is drawn.
    pub columns: usize,
}

/// A machine that runs jobs: raw commands in JSON.
pub trait Jobs {
    /// Runs a job. Without errors there is a result.
    fn run(&self, file: &File, options: &JobOptions) -> (Option<JobDone>, Vec<Diagnostic>);

    /// What is wrong with a job, and suspicious about its programs, as far as that is seen without running it.
    fn check(&self, file: &File, options: &JobOptions) -> Vec<Diagnostic>;

    /// Whether a JSON object is meant as a job: it has keys that jobs have and other files do not.
    fn is_job(&self, file: &File) -> bool;

    /// Runs a job and looks at a pixel.
    fn pick(
        &self,
        file: &File,
        options: &JobOptions,
        pixel: (u32, u32),
    ) -> (Option<PixelRuns>, Vec<Diagnostic>);

    /// The run of a vertex of a job. They are counted through its draws, in their order; for one that is not there it is how many
    /// there are.
    fn vertex(
        &self,
        file: &File,
        options: &JobOptions,
        vertex: usize,
    ) -> (Option<Result<ShaderSession, usize>>, Vec<Diagnostic>);

    /// The draw of a scene as one of a job.
    ///
    /// # Errors
    /// What a job cannot say, and what is wrong with the draw's state.
    fn of_draw(&self, draw: &Draw) -> Result<WrittenDraw, Vec<Diagnostic>>;

    /// A job of draws that agree in what is the same for all of a job.
    ///
    /// # Errors
    /// What they do not agree in.
    fn document(&self, head: &JobHead, draws: Vec<WrittenDraw>) -> Result<String, Diagnostic>;

    /// What a job can say.
    fn keys(&self) -> &'static [&'static dyn Key];
}
