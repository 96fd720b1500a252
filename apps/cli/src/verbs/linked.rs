//! The files that a linker configuration makes of a program.

use crate::confined::{By, Refused, Root, Target};
use crate::io::{self, ReadFiles, is_standard};
use crate::output;
use crate::session::{Session, Stop};
use crate::within::plain;
use gpuzoo::codes::{BAD_ARGUMENT, NOT_WRITTEN};
use gpuzoo::computer::{NamedFile, Software};
use gpuzoo::diag::{Diagnostic, Severity, printable};
use gpuzoo::file_name::{shell_word, why_not_written};
use std::ffi::OsString;
use std::path::Path;

/// Writes the files of a program that has some. `form` is the one of the program's own file.
pub fn write(
    output: Option<&Path>,
    program: &Software,
    form: &str,
    session: &mut Session,
) -> Result<(), Stop> {
    let read = ReadFiles::now();
    let (files, mut places) = (program.files(), Vec::new());
    for file in &files {
        let place =
            place(file, output, session).map_err(|problem| reported(problem, file, program, session))?;
        if let Place::Confined(target) = &place {
            target.refuse_input(&read)?;
        }
        places.push(place);
    }
    let mut is_main_written = false;
    for (file, place) in files.iter().zip(places) {
        is_main_written |= !matches!(place, Place::Confined(_));
        match place {
            Place::Main => output::write(output, true, &program.emit(form)?)?,
            Place::Same(path) => output::write(Some(path), true, file.bytes)?,
            Place::Confined(target) => target.write(file.bytes)?,
        }
    }
    if let Some(path) = output.filter(|_| !is_main_written) {
        let message = format!("`{}` is not written: it is no file of the configuration", path.display());
        let problem = Diagnostic::new(Severity::Warning, &NOT_WRITTEN, message);
        session.report(vec![problem.help("the file of `-o` is `%O` in a configuration: `file = %O`")]);
    }
    Ok(())
}

/// Where a file goes.
enum Place<'a> {
    /// The program's own.
    Main,
    /// The configuration and the command line name the same file.
    Same(&'a Path),
    Confined(Target),
}

fn reported(problem: Diagnostic, file: &NamedFile, program: &Software, session: &mut Session) -> Stop {
    session.report_about(program.sources(), vec![problem.at(file.span)]);
    Stop::Reported
}

fn place<'a>(file: &NamedFile, output: Option<&'a Path>, session: &Session) -> Result<Place<'a>, Diagnostic> {
    // The program's own file, if it can have others beside it.
    let own = output.filter(|path| !is_standard(path) && (path.is_file() || !path.exists()));
    let own = own.and_then(|path| Some((path, path.file_name()?)));
    if let [before, after] = &file.name[..]
        && before.is_empty()
    {
        if after.is_empty() {
            return Ok(Place::Main);
        }
        if let Some((path, name)) = own
            && why_not_written(&format!("x{after}")).is_none()
        {
            let mut beside = name.to_owned();
            beside.push(after);
            let shown = path.with_file_name(&beside).display().to_string();
            let root = Root::open(io::folder(path)).map_err(|error| Refused::from(error).problem(&shown))?;
            match root.beside(beside, By::Configuration) {
                Ok(target) => return Ok(Place::Confined(target)),
                // The end of the link may lie below a folder that the command line allows.
                Err(Refused::Link) if !session.allow_write.is_empty() => {}
                Err(refused) => return Err(refused.problem(&shown)),
            }
        }
    }
    let name = match own {
        Some((_, name)) => file.name.join(&*name.to_string_lossy()),
        None if file.name.len() > 1 => {
            let name = file.name.join("%O");
            let message = format!("`{}` needs the name of the program's file", printable(&name));
            return Err(Diagnostic::error(&BAD_ARGUMENT, message).help("`-o FILE` says it"));
        }
        None => file.name.concat(),
    };
    let folder = own.map_or(Path::new(""), |(path, _)| io::folder(path));
    // A NUL ends a path for the system.
    if let Some(why) = why_not_written("\0").filter(|_| name.contains('\0')) {
        return Err(Refused::Name(why).problem(&name));
    }
    let failed = |error| Refused::System(error).problem(&name);
    let path = plain(&folder.join(&name)).map_err(failed)?;
    if let Some((own, _)) = own
        && plain(own).map_err(failed)? == path
    {
        return Ok(Place::Same(own));
    }
    confined(&name, &path, folder, session).map(Place::Confined)
}

/// A file below a folder of `--allow-write`.
fn confined(name: &str, path: &Path, folder: &Path, session: &Session) -> Result<Target, Diagnostic> {
    let mut refused = None;
    for root in &session.allow_write {
        let Ok(allowed) = plain(root.path()) else { continue };
        let Ok(below) = path.strip_prefix(&allowed) else { continue };
        let parts: Vec<OsString> = below.iter().map(OsString::from).collect();
        if parts.is_empty() {
            continue;
        }
        match root.target(&parts, By::Configuration) {
            Ok(target) => return Ok(target),
            Err(why) => refused = refused.or(Some(why)),
        }
    }
    match refused {
        Some(why) => Err(why.problem(name)),
        None => Err(not_allowed(name, path, folder)),
    }
}

/// The problem of a name that the command line does not allow, with what to add to it.
fn not_allowed(name: &str, path: &Path, folder: &Path) -> Diagnostic {
    let is_below = plain(folder).is_ok_and(|folder| path.starts_with(folder));
    let allowed = if is_below { io::or_here(folder) } else { io::folder(path) };
    let below = plain(allowed).ok().and_then(|from| Some(path.strip_prefix(from).ok()?.to_owned()));
    let below = below.unwrap_or_default();
    let never = below.iter().find_map(|part| why_not_written(&part.to_string_lossy()));
    let name = printable(name);
    let message =
        format!("the configuration names the file `{name}`, and the command line does not allow that");
    let problem = Diagnostic::error(&NOT_WRITTEN, message);
    match never {
        Some(why) => {
            problem.help(format!("it cannot be allowed: {why}; `%O.1` is a file beside that of `-o`"))
        }
        None => problem
            .help(format!("`--allow-write {}` allows it", shell_word(&allowed.display().to_string())))
            .help("`%O.1` needs no option: it lies beside the file of `-o`"),
    }
}
