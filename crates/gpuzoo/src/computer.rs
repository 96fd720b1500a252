//! Machines that a CPU's programs drive, and those programs.

use crate::codes::{BAD_ARGUMENT, NO_COMPUTER, NO_SUCH_FORM};
use crate::excerpt::{Excerpt, Found};
use crate::read::form::{EMIT_FORM, no_extension, no_form};
use crate::registry::{self, Registry};
use gpuzoo_diag::{Diagnostic, Diagnostics, FileId, Sources, Symbol, has_errors};
use gpuzoo_isa::list;
pub use gpuzoo_machine::options::arguments::{Arguments, Parameter, Verb};
use gpuzoo_machine::session::Session;
use gpuzoo_machine::text::extension;
use gpuzoo_machine::{About, FileForm, Gpu, TextOptions, computer};
use std::sync::Arc;

pub use gpuzoo_machine::computer::{
    CompareOptions, Comparison, Files, Include, Input, NamedFile, Placed, Report, Screen, ScreenOptions,
    Steps, Wanted,
};

/// A machine that a CPU drives: where programs come from.
///
/// ```
/// use gpuzoo::{Arguments, Registry};
///
/// // The machine whose programs have this extension.
/// let computer = Registry::default().computer(None, "store.s")?;
/// let program = computer.assemble("store.s", " lda #$2a\n sta $9f23\n rts\n")?;
/// let ran = program.run(&Arguments::default())?;
/// assert!(ran.text.starts_with("the program returned\n"));
/// # Ok::<(), gpuzoo::Diagnostics>(())
/// ```
#[derive(Clone, Copy)]
pub struct Computer {
    gpu: &'static dyn computer::Computer,
}

impl Computer {
    /// A machine of one's own.
    pub const fn new(gpu: &'static dyn computer::Computer) -> Computer {
        Computer { gpu }
    }

    /// The machine as a computer.
    ///
    /// # Errors
    /// `G0117` if no CPU drives it.
    pub fn of(gpu: &'static dyn Gpu) -> Result<Computer, Diagnostic> {
        gpu.computer().map(Computer::new).ok_or_else(|| {
            let message = format!("no CPU drives {}; this is for programs of one", gpu.about().id);
            Diagnostic::error(&NO_COMPUTER, message)
        })
    }

    /// What the machine can do.
    pub fn gpu(self) -> &'static dyn Gpu {
        self.gpu
    }

    /// What it is.
    pub fn about(self) -> &'static About {
        self.gpu.about()
    }

    /// From text to a program. `name` is shown in messages. Files that the text includes are not there:
    /// [`read`](Computer::read) takes a way to get them.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn assemble(self, name: &str, text: &str) -> Result<Software, Diagnostics> {
        let mut include = |_: &str| Err("no files are given".to_owned());
        let input = Input { name, bytes: text.as_bytes(), form: self.text_form(), include: &mut include };
        self.read(input, &Arguments::default())
    }

    /// The form that is an assembly text.
    pub fn text_form(self) -> Option<&'static str> {
        let text = |form: &&FileForm| form.is_read && !form.is_binary;
        self.about().forms.iter().find(text).map(|form| form.name)
    }

    /// From the bytes of a file to a program, or another of the machine's [forms](About::forms), as the name or else the
    /// bytes say. Of the arguments those count that are for [reading](Verb::Read).
    ///
    /// # Errors
    /// What is wrong with the bytes or the arguments.
    pub fn read(self, input: Input, arguments: &Arguments) -> Result<Software, Diagnostics> {
        check_arguments(self.gpu, Verb::Read, arguments)?;
        if let Some(name) = input.form {
            self.form(name, "read", |form| form.is_read)?;
        }
        let mut sources = Sources::default();
        let (software, warnings) = self.gpu.read(&mut sources, input, arguments);
        let sources = Arc::new(sources);
        match software {
            Some(software) if !has_errors(&warnings) => {
                Ok(Software { computer: self, software: software.into(), warnings, sources })
            }
            _ => Err(Diagnostics::new(warnings, sources)),
        }
    }

    /// The machine without a program: it starts what one of its parameters gives, an image of a ROM for example.
    ///
    /// # Errors
    /// `G0117` if it has no such parameter.
    pub fn alone(self) -> Result<Software, Diagnostic> {
        let software = self.gpu.alone().ok_or_else(|| {
            let message = format!("{} has nothing to start without a program", self.about().id);
            Diagnostic::error(&NO_COMPUTER, message)
        })?;
        let (warnings, sources) = (Vec::new(), Arc::default());
        Ok(Software { computer: self, software: software.into(), warnings, sources })
    }

    /// The names of a program's texts among `sources`, which get the files that they include; whether or not they can be assembled. Of the
    /// arguments those count that are for [reading](Verb::Read).
    pub fn symbols(
        self,
        sources: &mut Sources,
        files: &[FileId],
        arguments: &Arguments,
        options: &TextOptions,
    ) -> Vec<Symbol> {
        self.gpu.symbols(sources, files, arguments, &mut |wanted| match options.include {
            Some(include) => include(wanted),
            None => Err("no files are given".to_owned()),
        })
    }

    /// The form of a name.
    ///
    /// # Errors
    /// `G0118` if there is none, or none that is used so.
    fn form(
        self,
        name: &str,
        used: &str,
        is_used: impl Fn(&FileForm) -> bool,
    ) -> Result<&'static FileForm, Diagnostic> {
        let forms = self.about().forms.iter().filter(|form| is_used(form));
        let found = forms.clone().find(|form| form.name == name);
        found.ok_or_else(|| no_form(self.gpu, name, used, forms.map(|form| form.name)))
    }

    /// The form that a file's extension says, of those that can be written; of a file without one the first that can.
    ///
    /// # Errors
    /// `G0118` for a form that the machine does not write, for an extension that says none, and for a machine that writes
    /// none.
    pub fn written_form(self, name: Option<&str>, file: &str) -> Result<&'static FileForm, Diagnostic> {
        let written = |form: &FileForm| form.is_written;
        if let Some(name) = name {
            return self.form(name, "written", written);
        }
        let extension = extension(file);
        let says = |form: &&FileForm| form.extensions.iter().any(|own| own.eq_ignore_ascii_case(extension));
        let mut forms = self.about().forms.iter().filter(|form| written(form));
        let known = forms.clone().flat_map(|form| form.extensions.iter().copied());
        let Some(first) = forms.clone().next() else {
            let message = format!("programs of {} are not written", self.about().id);
            return Err(Diagnostic::error(&NO_SUCH_FORM, message));
        };
        match forms.find(says) {
            Some(form) => Ok(form),
            None if extension.is_empty() => Ok(first),
            None => Err(no_extension(extension, known).help(EMIT_FORM)),
        }
    }
}

impl std::fmt::Debug for Computer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Computer({})", self.about().id)
    }
}

impl Registry {
    /// As [`choose`](Registry::choose), for what only programs of a CPU can do. Where neither the name nor the file says
    /// which, and one machine has such programs, it is that one.
    ///
    /// # Errors
    /// `G0117` for a machine that no CPU drives, too.
    pub fn computer(&self, id: Option<&str>, name: &str) -> Result<Computer, Diagnostic> {
        let able = self.gpus().iter().filter(|gpu| gpu.computer().is_some());
        let able: Vec<_> = able.copied().collect();
        let gpu = match able[..] {
            [only] if id.is_none() && self.by_extension(name).is_empty() => only,
            _ => self.choose(id, name)?,
        };
        Computer::of(gpu).map_err(|problem| {
            let ids = able.iter().map(|gpu| gpu.about().id);
            problem.help(format!("machines with such programs are {}", list(ids)))
        })
    }
}

/// Checks what a verb of a machine is given: its profile, and the machine's own parameters.
///
/// # Errors
/// `G0103` for a profile and `G0108` for anything else that the machine does not have, or does not take.
pub fn check_arguments(gpu: &dyn Gpu, verb: Verb, arguments: &Arguments) -> Result<(), Diagnostic> {
    if !arguments.profile.is_empty() {
        registry::profile(gpu, Some(&arguments.profile))?;
    }
    for (name, value) in arguments.given() {
        parameter(gpu, verb, name)?.check(value)?;
    }
    Ok(())
}

/// A parameter of a machine for a verb.
///
/// # Errors
/// `G0108` if it has none of this name there.
pub fn parameter(gpu: &dyn Gpu, verb: Verb, name: &str) -> Result<&'static Parameter, Diagnostic> {
    let about = gpu.about();
    let of_verb = about.parameters.iter().filter(|own| own.verbs.contains(&verb));
    of_verb.clone().find(|own| own.name == name).ok_or_else(|| {
        let message = format!("`--{name}` is not for `{}` of {}", verb.name(), about.id);
        let names: Vec<String> = of_verb.map(|own| format!("--{}", own.name)).collect();
        let problem = Diagnostic::error(&BAD_ARGUMENT, message);
        if names.is_empty() {
            return problem;
        }
        problem.help(format!("it has {}", list(names.iter().map(String::as_str))))
    })
}

/// A program without errors, or what can be used like one, and the machine that it is for. Cheap to clone.
#[derive(Clone)]
pub struct Software {
    computer: Computer,
    software: Arc<dyn computer::Software>,
    warnings: Vec<Diagnostic>,
    sources: Arc<Sources>,
}

impl Software {
    /// The machine.
    pub fn computer(&self) -> Computer {
        self.computer
    }

    /// Warnings and notes of reading it.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// What the spans of its diagnostics lie in.
    pub fn sources(&self) -> &Arc<Sources> {
        &self.sources
    }

    fn check_arguments(&self, verb: Verb, arguments: &Arguments) -> Result<(), Diagnostic> {
        check_arguments(self.computer.gpu, verb, arguments)
    }

    /// The bytes of one of the machine's forms.
    ///
    /// # Errors
    /// `G0118` for a form that the machine does not write, and why this program has none of it.
    pub fn emit(&self, form: &str) -> Result<Vec<u8>, Diagnostic> {
        self.computer.form(form, "written", |form| form.is_written)?;
        self.software.emit(form, &self.sources)
    }

    /// The files that its source asks for, a linker configuration for example. If there are any, they are what is
    /// written of the program.
    pub fn files(&self) -> Vec<NamedFile<'_>> {
        self.software.files()
    }

    /// Where the bytes of a text's statements are, by address; nothing for what was no text.
    pub fn placed(&self) -> Vec<Placed> {
        self.software.placed()
    }

    /// A text that assembles to the same bytes.
    ///
    /// # Errors
    /// If it is not a program.
    pub fn disassemble(&self) -> Result<String, Diagnostic> {
        self.software.disassemble()
    }

    /// How large it is, and what is suspicious about it.
    ///
    /// # Errors
    /// What is wrong with the arguments, or if it is not a program.
    pub fn check(&self, arguments: &Arguments) -> Result<Report, Diagnostic> {
        self.check_arguments(Verb::Check, arguments)?;
        self.software.check(arguments, &self.sources)
    }

    /// Runs to the end, or to the limits among the arguments.
    ///
    /// # Errors
    /// What is wrong with the arguments, or with the machine that they describe.
    pub fn run(&self, arguments: &Arguments) -> Result<Report, Diagnostic> {
        self.check_arguments(Verb::Run, arguments)?;
        self.software.run(arguments)
    }

    /// Runs, and notes what the machine was sent.
    ///
    /// # Errors
    /// As for [`run`](Software::run).
    pub fn record(&self, arguments: &Arguments) -> Result<Report, Diagnostic> {
        self.check_arguments(Verb::Record, arguments)?;
        self.software.record(arguments)
    }

    /// Runs step by step: a piece of text for each step of the excerpt, and one for the end.
    ///
    /// # Errors
    /// As for [`run`](Software::run), and `G0303` if the run does not come to the excerpt.
    pub fn trace(&self, arguments: &Arguments, excerpt: &Excerpt) -> Result<Box<dyn Steps + '_>, Diagnostic> {
        self.check_arguments(Verb::Trace, arguments)?;
        let found = match excerpt.is_searched() {
            true => excerpt.find(&mut *self.software.session(arguments)?, &self.sources)?,
            false => Found { skip: excerpt.skip, until: None, only: Vec::new() },
        };
        let options = computer::TraceOptions {
            skip: found.skip,
            until: found.until,
            only: found.only,
            steps: excerpt.steps,
            json: excerpt.json,
            sources: &self.sources,
        };
        self.software.trace(arguments, &options)
    }

    /// Runs under two profiles, and says where the runs part. `frame` is the number of the last picture, from 0; else the arguments say
    /// how far the runs go.
    ///
    /// ```
    /// # let computer = gpuzoo::Registry::default().computer(None, "line.s")?;
    /// let program = computer.assemble("line.s", " lda $9f28\n sta $22\n stp\n")?;
    /// let comparison = program.compare(&Default::default(), ["rtl", "x16emu"], Some(0))?;
    /// assert!(!comparison.differs, "{}", comparison.text);
    /// # Ok::<(), gpuzoo::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// As for [`run`](Software::run), and `G0103` for a profile that the machine does not have.
    pub fn compare(
        &self,
        arguments: &Arguments,
        profiles: [&str; 2],
        frame: Option<u32>,
    ) -> Result<Comparison, Diagnostic> {
        self.check_arguments(Verb::Diff, arguments)?;
        for profile in profiles {
            registry::profile(self.computer.gpu, Some(profile))?;
        }
        let options = CompareOptions { profiles, frame, sources: &self.sources };
        self.software.compare(arguments, &options)
    }

    /// A run that goes forward and back, without an end but the program's own.
    ///
    /// ```
    /// use gpuzoo::session::{Condition, Stop};
    /// # let computer = gpuzoo::Registry::default().computer(None, "store.s")?;
    /// let program = computer.assemble("store.s", " lda #$2a\n sta $9f23\n rts\n")?;
    /// let mut session = program.session(&Default::default())?;
    /// let stored = Condition::Memory { space: "vram".into(), range: 0..=0x1ffff };
    /// assert_eq!(session.run_until(&[stored], 1_000), Stop::Met(0));
    /// assert_eq!(session.position(), 2);
    /// # Ok::<(), gpuzoo::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// As for [`run`](Software::run).
    pub fn session(&self, arguments: &Arguments) -> Result<Box<dyn Session>, Diagnostic> {
        self.check_arguments(Verb::Debug, arguments)?;
        self.software.session(arguments)
    }

    /// Its pictures, one after the other.
    ///
    /// # Errors
    /// As for [`run`](Software::run), and `G0108` for a view that the machine does not have.
    pub fn screen(
        &self,
        arguments: &Arguments,
        options: &ScreenOptions,
    ) -> Result<Box<dyn Screen>, Diagnostic> {
        self.check_arguments(Verb::Render, arguments)?;
        let views = self.computer.about().views;
        if let Some(name) = options.view.filter(|name| views.iter().all(|(known, _)| known != name)) {
            let message = format!("{} has no view `{name}`", self.computer.about().id);
            let problem = Diagnostic::error(&BAD_ARGUMENT, message);
            return Err(problem.help(format!("it has {}", list(views.iter().map(|(name, _)| *name)))));
        }
        self.software.screen(arguments, options)
    }
}

impl std::fmt::Debug for Software {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Software({})", self.computer.about().id)
    }
}
