//! Machines that a CPU drives: what is run is the CPU's program, and the machine is what it writes to.

pub mod disk;
mod report;
pub mod sound;
pub mod timeline;

pub use report::{Comparison, Files, Report};

use crate::Gpu;
use crate::computer::disk::Change;
use crate::computer::sound::Sound;
use crate::computer::timeline::Timeline;
use crate::options::arguments::Arguments;
use crate::session::{Condition, Session};
use gpuzoo_diag::{Diagnostic, FileId, Lexeme, Sources, Span, Symbol};
use gpuzoo_raster::Image;

/// Gives the bytes of a file that a text names, or why it cannot be read.
pub type Include<'a> = dyn FnMut(&str) -> Result<Vec<u8>, String> + 'a;

/// Bytes, and how they are to be read.
pub struct Input<'a> {
    /// The name for messages; its extension may say the form.
    pub name: &'a str,
    /// The bytes.
    pub bytes: &'a [u8],
    /// One of the machine's [forms](crate::About::forms); else as the name or the bytes imply.
    pub form: Option<&'a str>,
    /// Where files come from that a text names.
    pub include: &'a mut Include<'a>,
}

/// What reads the programs of a machine's CPU.
pub trait Computer: Gpu {
    /// Reads a program, or another of the machine's [forms](crate::About::forms). Texts are added to `sources`; with
    /// errors there is nothing.
    fn read(
        &self,
        sources: &mut Sources,
        input: Input,
        arguments: &Arguments,
    ) -> (Option<Box<dyn Software>>, Vec<Diagnostic>);

    /// The machine without a program, if it has a parameter that it [starts](crate::options::arguments::Parameter::starts).
    fn alone(&self) -> Option<Box<dyn Software>> {
        None
    }

    /// The words of a text, whether or not it can be assembled.
    fn lexemes(&self, text: &str) -> Vec<Lexeme>;

    /// The names of a program's texts among `sources`, which get the files that they include; whether or not they can be assembled. Of the
    /// arguments those count that are for reading.
    fn symbols(
        &self,
        sources: &mut Sources,
        files: &[FileId],
        arguments: &Arguments,
        include: &mut Include,
    ) -> Vec<Symbol>;
}

/// Where a statement's bytes are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The statement; of a macro's, where the macro is used.
    pub span: Span,
    /// Of the first byte.
    pub address: u16,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// A file that a source asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedFile<'a> {
    /// The name: the texts between which the name of the program's own file stands. Two empty ones are that file.
    pub name: Vec<String>,
    /// The place of the name.
    pub span: Span,
    /// The bytes.
    pub bytes: &'a [u8],
}

/// A program, or what can be used like one. What it cannot do is an error that says so.
pub trait Software: Send + Sync {
    /// The bytes of one of the machine's forms.
    ///
    /// # Errors
    /// If it has no such form.
    fn emit(&self, form: &str, sources: &Sources) -> Result<Vec<u8>, Diagnostic>;

    /// The files that its source asks for, a linker configuration for example. If there are any, they are what is
    /// written of the program.
    fn files(&self) -> Vec<NamedFile<'_>> {
        Vec::new()
    }

    /// Where the bytes of a text's statements are, by address; nothing for what was no text.
    fn placed(&self) -> Vec<Placed> {
        Vec::new()
    }

    /// A text that assembles to the same bytes.
    ///
    /// # Errors
    /// If it is not a program.
    fn disassemble(&self) -> Result<String, Diagnostic>;

    /// How large it is, and what is suspicious about it.
    ///
    /// # Errors
    /// If it is not a program.
    fn check(&self, arguments: &Arguments, sources: &Sources) -> Result<Report, Diagnostic>;

    /// Runs to the end, or to the limits among the arguments.
    ///
    /// # Errors
    /// What is wrong with the program, or with the machine that the arguments describe.
    fn run(&self, arguments: &Arguments) -> Result<Report, Diagnostic>;

    /// Runs, and notes what the machine was sent, in a form that it can [read](Computer::read).
    ///
    /// # Errors
    /// As for [`run`](Software::run).
    fn record(&self, arguments: &Arguments) -> Result<Report, Diagnostic>;

    /// Runs step by step: a piece of text for each step.
    ///
    /// # Errors
    /// As for [`run`](Software::run).
    fn trace<'a>(
        &'a self,
        arguments: &Arguments,
        options: &TraceOptions<'a>,
    ) -> Result<Box<dyn Steps + 'a>, Diagnostic>;

    /// Runs under two profiles, up to the picture that is wanted or to the limits among the arguments, and says where the runs part.
    ///
    /// # Errors
    /// As for [`run`](Software::run).
    fn compare(&self, arguments: &Arguments, options: &CompareOptions) -> Result<Comparison, Diagnostic>;

    /// A run that goes forward and back, without an end but the program's own.
    ///
    /// # Errors
    /// As for [`run`](Software::run).
    fn session(&self, arguments: &Arguments) -> Result<Box<dyn Session>, Diagnostic>;

    /// Its pictures.
    ///
    /// # Errors
    /// As for [`run`](Software::run), and for a view that the machine does not have.
    fn screen(&self, arguments: &Arguments, options: &ScreenOptions) -> Result<Box<dyn Screen>, Diagnostic>;
}

/// Which steps a trace has, and how they are written.
#[derive(Clone, Debug)]
pub struct TraceOptions<'a> {
    /// Steps before the first one that is shown.
    pub skip: u64,
    /// How many are shown at most.
    pub steps: u64,
    /// The number of steps after which the trace ends; else it goes on to the run's end.
    pub until: Option<u64>,
    /// Only steps that meet one of these are shown, if there are any.
    pub only: Vec<Condition>,
    /// A line of JSON for each, rather than text for people.
    pub json: bool,
    /// The texts that steps come from.
    pub sources: &'a Sources,
}

/// The steps of a run, a piece of text for each, and one for the end.
pub trait Steps: Iterator<Item = String> {
    /// What there is to write after the last step that was taken.
    ///
    /// # Errors
    /// Why there is not what the arguments want.
    fn files(&self) -> Result<Files, Diagnostic> {
        Ok(Files::new())
    }
}

/// What is compared.
#[derive(Clone, Copy, Debug)]
pub struct CompareOptions<'a> {
    /// The profiles, by name.
    pub profiles: [&'a str; 2],
    /// The picture with this number, from 0, is the last one; else the one after the end.
    pub frame: Option<u32>,
    /// The texts that steps come from.
    pub sources: &'a Sources,
}

/// What of a run is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wanted {
    /// Its pictures.
    #[default]
    Pictures,
    /// Its pictures and its sound.
    Both,
    /// Its sound.
    Sound,
}

/// Which pictures are wanted, and whether sound is.
#[derive(Clone, Copy, Debug, Default)]
pub struct ScreenOptions<'a> {
    /// The picture with this number, from 0; else as the arguments say, else the last one.
    pub frame: Option<u32>,
    /// One of the machine's [views](crate::About::views); else the screen.
    pub view: Option<&'a str>,
    /// Notes what the machine was sent, and when: see [`Screen::timelines`].
    pub timelines: bool,
    /// Pictures, sound, or both.
    pub wanted: Wanted,
}

/// Pictures one after the other.
pub trait Screen: Send {
    /// How many pictures are wanted, at least 1; each comes after an [advance](Screen::advance).
    fn count(&self) -> u32;

    /// Pictures a second.
    fn rate(&self) -> u32;

    /// Goes on to the end of the next picture that is wanted: for one with a number first over those before it, for the last
    /// one to the end of the run.
    fn advance(&mut self);

    /// The picture that is there.
    ///
    /// # Errors
    /// Why there is none.
    fn image(&self) -> Result<Image, String>;

    /// Lets a user do something from now on: what a file of the machine's input says, whose times count from here. What was to come
    /// before is forgotten.
    ///
    /// # Errors
    /// What is wrong with the text, line by line, or that nobody can do anything here.
    fn give(&mut self, _input: &str) -> Result<(), String> {
        Err("nobody can press a key here".to_owned())
    }

    /// What the machine was sent up to here, and when: the whole run, then parts of it that are worth a look. Nothing without
    /// [`ScreenOptions::timelines`], or where no program runs.
    fn timelines(&self) -> Vec<Timeline> {
        Vec::new()
    }

    /// What was heard up to here, if sound is [wanted](ScreenOptions::wanted); nothing from a machine without sound.
    fn sound(&self) -> Option<Sound> {
        None
    }

    /// What there is to write after the last picture, besides its sound.
    ///
    /// # Errors
    /// Why there is not what the arguments want.
    fn files(&self) -> Result<Files, Diagnostic> {
        Ok(Files::new())
    }

    /// What there is to say at the end: how the program ended, why the screen is black.
    fn remarks(&self) -> Vec<Diagnostic>;

    /// What the program has done to its [disk](crate::options::arguments::Kind::Disk) up to here, folders before what is in them.
    fn changes(&self) -> Vec<Change> {
        Vec::new()
    }
}
