//! A project file where a verb takes a program: what the file says is as if the command line had said it, but that its paths do not lead out
//! of its folder: it may come from a stranger.

use crate::args::{Check, FOLDERS, Given, Reading, Verb};
use crate::confined::{Refused, Root};
use crate::io;
use crate::session::{Session, Stop};
use gpuzoo::codes::{BAD_ARGUMENT, PROJECT};
use gpuzoo::computer::parameter;
use gpuzoo::diag::Diagnostic;
use gpuzoo::file_name::parts_below;
use gpuzoo::machine::options::arguments::{self, Kind};
use gpuzoo::machine::text::extension;
use gpuzoo::project_file::{OWN_FOLDER, ProjectFile, is_project};
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// A verb's program, the option for its machine, and the verb as machines call it.
struct Program<'a> {
    path: &'a mut PathBuf,
    reading: &'a mut Reading,
    verb: arguments::Verb,
}

/// The program of a verb that takes those of a CPU.
fn program(verb: &mut Verb) -> Option<Program<'_>> {
    use arguments::Verb as Of;
    let (source, verb) = match verb {
        Verb::Assemble(args) => (&mut args.source, Of::Assemble),
        Verb::Disassemble(args) => (&mut args.source, Of::Disassemble),
        Verb::Run(args) => (&mut args.data.source, Of::Run),
        Verb::Trace(args) => (&mut args.of.data.source, Of::Trace),
        Verb::Debug(args) => (&mut args.of.data.source, Of::Debug),
        Verb::Record(args) => (&mut args.source, Of::Record),
        Verb::Check(Check { input, reading, .. }) => {
            let [path] = &mut input[..] else { return None };
            return Some(Program { path, reading, verb: Of::Check });
        }
        Verb::Render(args) => {
            return Some(Program {
                path: args.scene.as_mut()?,
                reading: &mut args.reading,
                verb: Of::Render,
            });
        }
        _ => return None,
    };
    Some(Program { path: source.input.as_mut()?, reading: &mut source.reading, verb })
}

/// Puts what a project file says into its place, if a verb's program is one.
pub fn open(verb: &mut Verb, session: &mut Session) -> Result<(), Stop> {
    let Some(Program { path, reading, verb }) = program(verb) else { return Ok(()) };
    let is_toml = extension(&path.to_string_lossy()).eq_ignore_ascii_case("toml");
    if io::is_standard(path) || path.is_dir() || !is_toml {
        return Ok(());
    }
    // What is wrong with another file the verb says.
    let Ok(input) = io::read(Some(path), None) else { return Ok(()) };
    let Some(text) = String::from_utf8(input.bytes).ok().filter(|text| is_project(text)) else {
        return Ok(());
    };
    let file = session.sources.add(&input.name, &text);
    let project = match ProjectFile::parse(&session.registry, session.sources.get(file)) {
        Ok(project) => project,
        Err(problems) => {
            session.report(problems);
            return Err(Stop::Reported);
        }
    };
    let folder = io::folder(path).to_owned();
    session.project_disk = disk(&project, &folder)?;
    let outside = project.paths.iter().filter_map(|(name, at)| {
        let error = io::within_reach(path, &folder.join(name)).err()?;
        Some(Diagnostic::error(&PROJECT, format!("`{name}` is not taken: {error}")).at(*at))
    });
    let outside: Vec<Diagnostic> = outside.collect();
    if !outside.is_empty() {
        session.report(outside);
        return Err(Stop::Reported);
    }
    let id = project.gpu.about().id;
    if let Some(other) = reading.gpu.as_deref().filter(|other| *other != id) {
        let message = format!("`--gpu {other}` is not the machine of `{}`, which is {id}", input.name);
        return Err(Diagnostic::error(&BAD_ARGUMENT, message).into());
    }
    reading.gpu = Some(id.to_owned());
    let (given, first) = options(&project, &folder, verb, &session.given);
    let folders = given.iter().filter(|given| given.name == FOLDERS).flat_map(|given| &given.values);
    reading.folders = folders.map(PathBuf::from).collect();
    session.given = given;
    *path = first;
    Ok(())
}

/// The folder that a project names as the program's disk, opened from the project's folder. One that does not exist
/// is reported later.
fn disk(project: &ProjectFile, folder: &Path) -> Result<Option<(PathBuf, Option<Root>)>, Stop> {
    let Some((name, at)) = &project.disk else { return Ok(None) };
    let unreadable = |error| io::unreadable(&folder.display().to_string(), &error);
    let own = Root::open(folder).map_err(unreadable)?;
    let parts: Vec<OsString> =
        parts_below(name).unwrap_or_default().into_iter().map(OsString::from).collect();
    match own.below(&parts) {
        Ok(root) => Ok(Some((folder.join(name), Some(root)))),
        Err(Refused::System(error)) if error.kind() == ErrorKind::NotFound => {
            Ok(Some((folder.join(name), None)))
        }
        Err(why) => {
            let message = format!("`files` cannot be `{name}`: {why}");
            Err(Diagnostic::error(&PROJECT, message).at(*at).help(OWN_FOLDER).into())
        }
    }
}

/// The options of a project and of the command line, and the path of the first source. Of options with one value the command line's counts.
fn options(
    project: &ProjectFile,
    folder: &Path,
    verb: arguments::Verb,
    command_line: &[Given],
) -> (Vec<Given>, PathBuf) {
    let mut given: Vec<Given> = command_line.to_vec();
    let mut before = |name: &'static str, values: Vec<OsString>, is_many: bool| match given
        .iter_mut()
        .find(|own| own.name == name)
    {
        Some(own) if is_many => {
            own.values.splice(0..0, values);
        }
        Some(_) => {}
        None => given.push(Given { name, values }),
    };
    let path = |value: &String| folder.join(value).into_os_string();
    let taken = |name: &str| {
        let for_reading = parameter(project.gpu, arguments::Verb::Read, name).ok();
        let own = parameter(project.gpu, verb, name).ok().or(for_reading)?;
        (!matches!(own.kind, Kind::Output)).then_some(own)
    };
    for own in project.options.iter().filter(|own| taken(own.name).is_some()) {
        let values = own.values.iter();
        let values =
            if own.is_path { values.map(path).collect() } else { values.map(OsString::from).collect() };
        before(own.name, values, own.is_many);
    }
    // The project's own folder, where its sources' files are looked for first after their own.
    let mut all = project.gpu.about().parameters.iter().filter(|own| taken(own.name).is_some());
    if let Some(own) = all.clone().find(|own| own.kind == Kind::Folder) {
        before(own.name, vec![io::or_here(folder).as_os_str().to_owned()], true);
    }
    let mut sources = project.sources.iter();
    let first = sources.next().map(|first| folder.join(first)).unwrap_or_default();
    if let Some(own) = all.find(|own| own.kind == Kind::Source) {
        let sources: Vec<OsString> = sources.map(path).collect();
        if !sources.is_empty() {
            before(own.name, sources, true);
        }
    }
    (given, first)
}
