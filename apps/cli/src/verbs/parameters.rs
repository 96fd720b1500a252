//! What a verb is given for a machine's own parameters: read, checked, and the files to write.

use super::refuse;
use crate::args::{FOLDERS, Given, MACROS};
use crate::confined::Root;
use crate::session::{Session, Stop};
use crate::{disk, io, output};
use gpuzoo::codes::BAD_ARGUMENT;
use gpuzoo::computer::{Files, Report, parameter};
use gpuzoo::diag::Diagnostic;
use gpuzoo::machine::computer::disk::Change;
use gpuzoo::machine::limits::budget::{Refusal, Resource};
use gpuzoo::machine::options::arguments::{Arguments, Kind, Value, Verb};
use gpuzoo::{Gpu, registry};
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// All that was given.
#[derive(Default)]
pub struct Own {
    /// What reading a program gets.
    pub reading: Arguments,
    /// What the verb gets.
    pub arguments: Arguments,
    /// More texts of the program: the parameter's name, and where.
    sources: Vec<(&'static str, PathBuf)>,
    /// Files to write: the parameter's name, and where.
    outputs: Vec<(&'static str, PathBuf)>,
    /// The folder that is the program's disk, where it writes.
    disk: Option<Root>,
}

/// Reads the options of a machine that were given to a verb whose program is `input`.
pub fn own(
    gpu: &dyn Gpu,
    verb: Verb,
    profile: Option<&str>,
    input: Option<&Path>,
    session: &Session,
) -> Result<Own, Stop> {
    // What is not given stays open: the machine knows its default, and whether a profile is of use.
    let named = |name| registry::profile(gpu, Some(name)).map(|profile| gpu.about().profile_name(profile));
    let profile = profile.map_or(Ok(""), named)?;
    let (reading, arguments) = (Arguments::default(), Arguments::new(profile));
    let mut own = Own { reading, arguments, ..Own::default() };
    let mut inputs: Vec<PathBuf> = input.into_iter().map(Path::to_owned).collect();
    // Sources of shaders get those of all machines in another way.
    let has = |given: &Given| gpu.about().parameters.iter().any(|own| own.name == given.name);
    let is_for_texts = |given: &&Given| !is_for_scenes(given) || has(given);
    for Given { name, values } in session.given.iter().filter(is_for_texts) {
        let of_verb = parameter(gpu, verb, name);
        let for_reading = parameter(gpu, Verb::Read, name).ok();
        let for_reading = for_reading.filter(|reading| of_verb.as_ref().map_or(true, |own| own == reading));
        let parameter = match for_reading {
            Some(parameter) => parameter,
            None => of_verb.map_err(|problem| elsewhere(problem, name, verb, session))?,
        };
        has_values(name, values)?;
        let mut set = |value: Value| {
            let arguments = if for_reading.is_some() { &mut own.reading } else { &mut own.arguments };
            *arguments = std::mem::take(arguments).set(parameter.name, value);
        };
        let paths = values.iter().map(PathBuf::from);
        match parameter.kind {
            Kind::Flag => set(Value::Flag),
            // The text's reader looks there.
            Kind::Folder => {}
            Kind::Disk => {
                for path in paths {
                    set(disk::open(&path, &session.budget)?.into());
                    let failed = |error| io::unreadable(&path.display().to_string(), &error);
                    let missing = || failed(ErrorKind::NotFound.into());
                    own.disk = Some(match &session.project_disk {
                        Some((checked, root)) if *checked == path => root.clone().ok_or_else(missing)?,
                        _ => Root::open(&path).map_err(failed)?,
                    });
                }
            }
            Kind::Source => own.sources.extend(paths.map(|path| (parameter.name, path))),
            Kind::Output => {
                for path in paths {
                    set(Value::Flag);
                    own.outputs.push((parameter.name, path));
                }
            }
            Kind::FileOrDisk if values.iter().all(|path| Path::new(path).is_dir()) => {
                for path in paths {
                    set(disk::open_to_read(&path, &session.budget)?.into());
                }
            }
            Kind::File | Kind::FileOrDisk => {
                for path in paths {
                    inputs.push(path.clone());
                    io::one_standard_input(inputs.iter().map(PathBuf::as_path))?;
                    // It is kept, and so is what the machine makes of it.
                    let refused = |refusal: Refusal| {
                        let option = parameter.name;
                        refusal.problem().note(format!("while reading `{}` for `--{option}`", path.display()))
                    };
                    let length = io::stamp(&path).map_or(0, |(_, length)| length);
                    session.budget.ask(Resource::Memory, length.saturating_mul(2)).map_err(refused)?;
                    let io::Input { name, bytes, .. } = io::read(Some(&path), None)?;
                    let kept = (bytes.len() as u64).saturating_mul(2);
                    session.budget.spend(Resource::Memory, kept).map_err(refused)?;
                    set(Value::File(name, bytes));
                }
            }
            _ => {
                for text in values {
                    set(parameter.read(&text.to_string_lossy())?);
                }
            }
        }
    }
    Ok(own)
}

/// The machine that starts what an option gives, where no program is given: `--rom` for example.
pub fn started(gpu: Option<&str>, program: Option<&Path>, session: &Session) -> Option<&'static dyn Gpu> {
    let gives = |gpu: &&&'static dyn Gpu| {
        let mut starting = gpu.about().parameters.iter().filter(|own| own.starts);
        starting.any(|own| session.given.iter().any(|given| given.name == own.name))
    };
    let is_meant = |known: &&&'static dyn Gpu| gpu.is_none_or(|name| known.about().is_named(name));
    let gpus = session.registry.gpus();
    gpus.iter().filter(is_meant).find(gives).copied().filter(|_| program.is_none())
}

/// How the programs of a scene are read.
#[derive(Default)]
pub struct OfScene {
    /// Where to look for files that their texts name.
    pub folders: Vec<PathBuf>,
    /// Macros.
    pub defines: Vec<String>,
}

/// True for the options of machines that scenes take, too: they say how the texts of their programs are read.
pub fn is_for_scenes(given: &Given) -> bool {
    matches!(given.name, MACROS | FOLDERS)
}

/// Reads the options of machines that were given with a scene, whose machine is not known yet.
pub fn of_scene(session: &Session) -> Result<OfScene, Stop> {
    let mut of_scene = OfScene::default();
    for Given { name, values } in &session.given {
        has_values(name, values)?;
        match *name {
            FOLDERS => of_scene.folders.extend(values.iter().map(PathBuf::from)),
            MACROS => {
                of_scene.defines.extend(values.iter().map(|value| value.to_string_lossy().into_owned()));
            }
            _ => refuse(&[(true, &format!("--{name}"))], "is for a program, and this is a scene")?,
        }
    }
    Ok(of_scene)
}

/// Refuses what was given with a scene whose machine does not have it.
pub fn check_scene(gpu: &dyn Gpu, session: &Session) -> Result<(), Stop> {
    if let Some(Given { name, .. }) = session.given.iter().find(|given| is_for_scenes(given))
        && !gpu.about().text_options.macros
    {
        return refuse(
            &[(true, &format!("--{name}"))],
            &format!("is for sources with macros; {} has none", gpu.about().id),
        );
    }
    for Given { name, .. } in session.given.iter().filter(|given| !is_for_scenes(given)) {
        let known = parameter(gpu, Verb::Render, name);
        known.map_err(|problem| elsewhere(problem, name, Verb::Render, session))?;
    }
    Ok(())
}

/// One of the files that there are.
pub fn named(files: &Files, wanted: &str) -> Result<Vec<u8>, Diagnostic> {
    let found = files.iter().find(|(name, _)| *name == wanted);
    let none = || Diagnostic::error(&BAD_ARGUMENT, format!("there is nothing for `--{wanted}` here"));
    found.map(|(_, bytes)| bytes.clone()).ok_or_else(none)
}

fn has_values(name: &str, values: &[OsString]) -> Result<(), Stop> {
    match values.iter().any(|value| value.is_empty()) {
        true => Err(Diagnostic::error(&BAD_ARGUMENT, format!("`--{name}` needs a value")).into()),
        false => Ok(()),
    }
}

/// What to say of an option that is for another machine.
fn elsewhere(problem: Diagnostic, name: &str, verb: Verb, session: &Session) -> Diagnostic {
    let has =
        |gpu: &&&'static dyn Gpu| [verb, Verb::Read].iter().any(|verb| parameter(**gpu, *verb, name).is_ok());
    match session.registry.gpus().iter().find(has) {
        Some(other) => problem.help(format!("it is for {}", other.about().id)),
        None => problem,
    }
}

impl Own {
    /// What reading a program gets, with all texts of the program.
    pub fn reading(&self, program: &Path) -> Result<Arguments, Stop> {
        let texts = self.sources.iter().map(|(_, path)| path.as_path());
        io::one_standard_input(std::iter::once(program).chain(texts))?;
        self.sources.iter().try_fold(self.reading.clone(), |reading, (name, path)| {
            let io::Input { bytes, .. } = io::read(Some(path), None)?;
            Ok(reading.set(name, Value::File(io::name_beside(program, path), bytes)))
        })
    }

    /// True if a file was asked for.
    pub fn writes(&self, name: &str) -> bool {
        self.outputs.iter().any(|(own, _)| *own == name)
    }

    /// Writes the files that were asked for; `bytes` makes those of a parameter.
    pub fn write(&self, bytes: impl Fn(&str) -> Result<Vec<u8>, Diagnostic>) -> Result<(), Stop> {
        for (name, path) in &self.outputs {
            output::write(Some(path), true, &bytes(name)?)?;
        }
        Ok(())
    }

    /// Puts into the folder of the program's disk what the program has changed there.
    pub fn put(&self, changes: &[Change]) -> Result<(), Stop> {
        self.disk.as_ref().map_or(Ok(()), |root| disk::put(root, changes))
    }

    /// As [`write`](Own::write), of what a report has, and what the program has written itself.
    pub fn write_files(&self, report: &Report) -> Result<(), Stop> {
        self.put(&report.changes)?;
        self.write(|wanted| named(&report.files, wanted))
    }

    /// As [`write`](Own::write), of what a run has at its end.
    pub fn write_ended(&self, files: impl Fn() -> Result<Files, Diagnostic>) -> Result<(), Stop> {
        self.write(|wanted| named(&files()?, wanted))
    }

    /// The first file that was asked for.
    pub fn first_written(&self) -> Option<&'static str> {
        self.outputs.first().map(|(name, _)| *name)
    }
}
