//! Writing: files that appear whole or not at all, the standard streams, pipes that close.
//!
//! A file's bytes go into a new file beside it. Once the verb has succeeded, [`settle`] puts all of its files in
//! place, each by one rename. So what was there before stays on any failure, half a picture is never seen, and of two
//! writers one wins as a whole. Devices, pipes and what is open already (`/dev/stdout`) are written as they are.

use crate::confined::{By, Target, Waiting};
use crate::io::ReadFiles;
use crate::paths::{folder, is_standard, or_here};
use crate::stop::Stop;
use gpuzoo::codes::{BAD_ARGUMENT, BINARY_TO_TERMINAL, NOT_WRITTEN, OUTPUT_IS_INPUT, UNWRITABLE};
use gpuzoo::diag::{Diagnostic, printable};
use std::collections::{HashMap, HashSet};
use std::fs::{File, Metadata, OpenOptions};
use std::io::{BufWriter, Error, ErrorKind, IsTerminal, Seek, SeekFrom, Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use tempfile::TempPath;

/// A file that is written and waits to be put in place.
enum Staged {
    /// One that the command line names.
    Named { file: TempPath, place: Place },
    /// One that something else names.
    Confined(Waiting),
}

impl Staged {
    /// The name that messages have.
    fn name(&self) -> &str {
        match self {
            Staged::Named { place, .. } => &place.name,
            Staged::Confined(waiting) => &waiting.target().name,
        }
    }

    /// Where it goes, links resolved.
    fn path(&self) -> PathBuf {
        match self {
            Staged::Named { place, .. } => place.path.clone(),
            Staged::Confined(waiting) => waiting.target().real(),
        }
    }
}

/// Where a file goes.
#[derive(Clone)]
struct Place {
    /// As the user says it.
    name: String,
    /// Links resolved.
    path: PathBuf,
    /// What was read there is what is to be replaced.
    over: bool,
}

/// What [`settle`] does before files are put in place.
struct Before {
    /// What a program has removed, files and folders, those in a folder behind it.
    removed: Vec<Target>,
    /// Folders that a program has made, each before those in it.
    made: Vec<Target>,
    /// Folders that the command line asks for, each before those in it.
    folders: Vec<PathBuf>,
}

static BEFORE: Mutex<Before> =
    Mutex::new(Before { removed: Vec::new(), made: Vec::new(), folders: Vec::new() });

/// The files that [`settle`] puts in place.
static STAGED: Mutex<Vec<Staged>> = Mutex::new(Vec::new());

/// Every temporary file and folder that may still be there: the end of the verb removes them, and so does a signal.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Has writes beyond the limit on the size of files fail, instead of ending the process.
pub fn fail_at_limit() {
    // What the handler does is of no interest, only that there is one: without it the signal is the end.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
}

/// Where output goes.
pub struct Output {
    to: To,
}

enum To {
    Standard(BufWriter<std::io::StdoutLock<'static>>),
    /// A device or a pipe.
    Direct(BufWriter<File>, String),
    Beside(BufWriter<File>, Staged),
}

impl Output {
    /// Opens the file of `-o`; without one, and for `-`, standard output. Binary output to a terminal wants the `-`
    /// said.
    pub fn open(path: Option<&Path>, binary: bool) -> Result<Output, Stop> {
        Output::open_to(path, binary && stdout().is_terminal())
    }

    /// As [`open`](Output::open); `garbles` if standard output is a terminal that the bytes are not for.
    fn open_to(path: Option<&Path>, garbles: bool) -> Result<Output, Stop> {
        match path {
            Some(path) if !is_standard(path) => Ok(Output { to: open_file(path)? }),
            None if garbles => {
                let problem = Diagnostic::error(&BINARY_TO_TERMINAL, "binary output is not for a terminal");
                Err(problem
                    .help("give a file with `-o FILE`; `-o -` writes to the terminal all the same")
                    .into())
            }
            _ => Ok(Output { to: To::Standard(BufWriter::new(stdout().lock())) }),
        }
    }

    /// Opens the file that was read at a path, to be replaced by what was made of it.
    pub fn over(path: &Path) -> Result<Output, Stop> {
        let mut output = Output { to: open_file(path)? };
        if let To::Beside(_, Staged::Named { place, .. }) = &mut output.to {
            place.over = true;
        }
        Ok(output)
    }

    /// Opens a new file that may lie in a folder which [`settle`] makes.
    pub fn new_in(path: &Path) -> Result<Output, Stop> {
        let folder = or_here(folder(path));
        if folder.is_dir() {
            return Ok(Output { to: open_file(path)? });
        }
        let name = path.display().to_string();
        let failed = |error: &Error| unwritable(&name, error);
        // As near as there is a folder.
        let near = folder.ancestors().find(|near| or_here(near).is_dir()).unwrap_or(Path::new(""));
        let below = path.strip_prefix(near).unwrap_or(path);
        let near = or_here(near).canonicalize().map_err(|error| failed(&error))?;
        let (to, file) = beside(&near, None).map_err(|error| failed(&error))?;
        let place = Place { path: near.join(below), name, over: false };
        Ok(Output { to: To::Beside(BufWriter::new(to), Staged::Named { file, place }) })
    }

    /// Opens a file that something other than the command line names.
    pub fn below(target: Target) -> Result<Output, Stop> {
        let made = temporary(|| target.begin(), |(_, waiting)| waiting.path());
        let (to, waiting) = made.map_err(|error| unwritable(&target.name, &error))?;
        Ok(Output { to: To::Beside(BufWriter::new(to), Staged::Confined(waiting)) })
    }

    /// What takes the bytes.
    pub fn sink(&mut self) -> &mut dyn Write {
        match &mut self.to {
            To::Standard(to) => to,
            To::Direct(to, _) => to,
            To::Beside(to, _) => to,
        }
    }

    /// Writes all of it.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        self.sink().write_all(bytes).map_err(|error| self.stop(&error))
    }

    /// True if it is a file, whose beginning may be written last.
    pub fn is_file(&self) -> bool {
        matches!(self.to, To::Beside(..))
    }

    /// Writes the beginning of a file again, and goes on behind its end.
    pub fn begin_again(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        let To::Beside(to, _) = &mut self.to else { return Ok(()) };
        let written = to.seek(SeekFrom::Start(0)).and_then(|_| to.write_all(bytes));
        let written = written.and_then(|()| to.seek(SeekFrom::End(0)));
        written.map(drop).map_err(|error| self.stop(&error))
    }

    /// Hands on what is still held back, before messages about what comes next.
    pub fn flush(&mut self) -> Result<(), Stop> {
        self.sink().flush().map_err(|error| self.stop(&error))
    }

    /// Hands on what is still held back; a file is put in place by [`settle`].
    pub fn finish(mut self) -> Result<(), Stop> {
        self.flush()?;
        if let To::Beside(to, _) = &self.to {
            to.get_ref().sync_all().map_err(|error| self.stop(&error))?;
        }
        if let To::Beside(_, staged) = self.to {
            lock(&STAGED).push(staged);
        }
        Ok(())
    }

    /// Why the verb ends where [`sink`](Output::sink) takes no more.
    pub fn stop(&self, error: &Error) -> Stop {
        match &self.to {
            To::Standard(_) => standard_failed(error),
            To::Direct(_, name) => unwritable(name, error).into(),
            To::Beside(_, staged) => unwritable(staged.name(), error).into(),
        }
    }
}

impl Target {
    /// Writes a file that [`settle`] puts in place.
    pub fn write(self, bytes: &[u8]) -> Result<(), Stop> {
        let mut output = Output::below(self)?;
        output.write(bytes)?;
        output.finish()
    }
}

/// What it means that standard output cannot be written.
pub fn standard_failed(error: &Error) -> Stop {
    match error.kind() {
        ErrorKind::BrokenPipe => Stop::ClosedPipe,
        _ => unwritable("standard output", error).into(),
    }
}

/// Writes a whole output at once.
pub fn write(path: Option<&Path>, binary: bool, bytes: &[u8]) -> Result<(), Stop> {
    let mut output = Output::open(path, binary)?;
    output.write(bytes)?;
    output.finish()
}

/// Has a file or an empty folder removed if the verb succeeds.
pub fn remove(target: Target) {
    lock(&BEFORE).removed.push(target);
}

/// Has a folder made for a program if the verb succeeds.
pub fn make_folder_of_program(target: Target) {
    lock(&BEFORE).made.push(target);
}

/// Has a folder made if the verb succeeds.
pub fn make_folder(path: PathBuf) {
    lock(&BEFORE).folders.push(path);
}

/// Ends a verb: puts its files in place if it has succeeded, and removes all that is temporary.
pub fn settle(result: Result<(), Stop>) -> Result<(), Stop> {
    let result = match result {
        Ok(()) => commit(),
        // A reader that has closed its pipe has what it wanted; the files that were asked for beside are still wanted.
        Err(Stop::ClosedPipe) => commit().and(Err(Stop::ClosedPipe)),
        Err(stop) => Err(stop),
    };
    lock(&STAGED).clear();
    let Before { removed, made, folders } = &mut *lock(&BEFORE);
    removed.clear();
    made.clear();
    folders.clear();
    remove_temporary();
    result
}

/// Puts the finished files in place, if none of them was read, and no two are one.
fn commit() -> Result<(), Stop> {
    let staged = std::mem::take(&mut *lock(&STAGED));
    let (removed, made, folders) = {
        let Before { removed, made, folders } = &mut *lock(&BEFORE);
        (std::mem::take(removed), std::mem::take(made), std::mem::take(folders))
    };
    let read = ReadFiles::now();
    removed.iter().chain(&made).try_for_each(|target| target.refuse_input(&read))?;
    for one in &staged {
        match one {
            Staged::Named { place, .. } => refuse_input(place, &read)?,
            Staged::Confined(waiting) => waiting.target().refuse_input(&read)?,
        }
    }
    refuse_twice(&staged)?;
    refuse_rest(&removed)?;
    let failed = |target: &Target, error: &Error| unwritable(&target.name, error);
    for target in removed.iter().rev() {
        target.remove().map_err(|error| failed(target, &error))?;
    }
    for target in &made {
        target.make_folder().map_err(|error| failed(target, &error))?;
    }
    for path in folders.into_iter().filter(|path| !path.is_dir()) {
        std::fs::create_dir(&path).map_err(|error| unwritable(&path.display().to_string(), &error))?;
    }
    for one in staged {
        let (temporary, name) = match &one {
            Staged::Named { file, place } => (file.to_path_buf(), place.name.clone()),
            Staged::Confined(waiting) => (waiting.path(), waiting.target().name.clone()),
        };
        let done = match one {
            Staged::Named { file, place } => file.persist(&place.path).map_err(|failed| failed.error),
            Staged::Confined(waiting) => waiting.target().clear().and_then(|()| waiting.put()),
        };
        done.map_err(|error| unwritable(&name, &error))?;
        lock(&TEMPORARY).retain(|path| *path != temporary);
    }
    Ok(())
}

/// Refuses to remove a folder that holds something else, before anything is removed: a program sees neither links that
/// lead out nor names that are not UTF-8.
fn refuse_rest(removed: &[Target]) -> Result<(), Stop> {
    let all: HashSet<PathBuf> = removed.iter().map(Target::real).collect();
    for target in removed {
        let rest = target.unknown_entry(|path| all.contains(path));
        if let Some(rest) = rest.map_err(|error| unwritable(&target.name, &error))? {
            let (folder, rest) = (printable(&target.name), printable(&rest.to_string_lossy()).into_owned());
            let message =
                format!("`{folder}` is not removed: it holds `{rest}`, which the program does not see");
            let problem = Diagnostic::error(&NOT_WRITTEN, message);
            return Err(problem
                .help("nothing of what the program wrote is kept; keep its files in a folder of their own")
                .into());
        }
    }
    Ok(())
}

/// Refuses two outputs in one file. Of files that the command line does not name, names that differ in case count as
/// one: on some systems
/// they are.
fn refuse_twice(staged: &[Staged]) -> Result<(), Stop> {
    let mut exact = HashMap::new();
    let mut folded: HashMap<String, &Staged> = HashMap::new();
    for one in staged {
        let path = one.path();
        let lower = path.to_string_lossy().to_lowercase();
        let other = exact.insert(path, one).or_else(|| {
            let other = folded.insert(lower, one)?;
            let is_program =
                |one: &Staged| matches!(one, Staged::Confined(own) if own.target().by == By::Program);
            let is_named = |one: &Staged| matches!(one, Staged::Named { .. });
            let are_alike = |is: fn(&Staged) -> bool| is(one) && is(other);
            (!are_alike(is_program) && !are_alike(is_named)).then_some(other)
        });
        if let Some(other) = other {
            let message = format!("`{}` is the name of two outputs", one.name());
            let problem = Diagnostic::error(&BAD_ARGUMENT, message);
            let problem = match other.name() == one.name() {
                true => problem,
                false => problem.note(format!("the other one is `{}`", other.name())),
            };
            return Err(problem.help("give each its own file").into());
        }
    }
    Ok(())
}

fn remove_temporary() {
    for path in std::mem::take(&mut *lock(&TEMPORARY)) {
        // It may be in place by now.
        let _ = if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
    }
}

/// Opens a file, or for a regular one a new file beside it.
fn open_file(path: &Path) -> Result<To, Stop> {
    let name = path.display().to_string();
    let failed = |error: Error| unwritable(&name, &error);
    let open = |options: &mut OpenOptions| {
        let file = options.write(true).open(path).map_err(failed)?;
        Ok::<_, Diagnostic>(To::Direct(BufWriter::new(file), name.clone()))
    };
    // What is open already goes on where it is: a shell's `>>` appends.
    if ["/dev/fd", "/dev/stdout", "/dev/stderr", "/proc"].iter().any(|open| path.starts_with(open)) {
        return Ok(open(OpenOptions::new().append(true))?);
    }
    let old = match std::fs::metadata(path) {
        Ok(old) if old.is_file() => {
            // A rename would replace a file that may not be written.
            OpenOptions::new().write(true).open(path).map_err(failed)?;
            Some(old)
        }
        Ok(_) => return Ok(open(&mut OpenOptions::new())?),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(failed(error).into()),
    };
    let place = Place { path: target(path).map_err(failed)?, name: name.clone(), over: false };
    let (to, file) = beside(or_here(folder(&place.path)), old).map_err(|error| {
        let note = "output is written beside its place first: the folder must be there, and take new files";
        failed(error).note(note)
    })?;
    Ok(To::Beside(BufWriter::new(to), Staged::Named { file, place }))
}

/// What a path leads to, which need not be there: a link stays one.
fn target(path: &Path) -> Result<PathBuf, Error> {
    /// Links behind each other; as many as Linux follows.
    const LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        let folder = or_here(folder(&path));
        if !path.is_symlink() {
            let name = path.file_name().ok_or(ErrorKind::IsADirectory)?;
            return Ok(folder.canonicalize()?.join(name));
        }
        path = folder.join(std::fs::read_link(&path)?);
    }
    Err(ErrorKind::InvalidInput.into())
}

/// Makes something temporary, which [`settle`] removes.
fn temporary<T>(
    make: impl FnOnce() -> Result<T, Error>,
    path: impl FnOnce(&T) -> PathBuf,
) -> Result<T, Error> {
    static ONCE: Once = Once::new();
    // Without the handler a signal leaves what is temporary, and an old output is whole all the same.
    ONCE.call_once(|| drop(ctrlc::set_handler(interrupted)));
    // Held from before it is made, so that no signal comes between.
    let mut all = lock(&TEMPORARY);
    let made = make()?;
    all.push(path(&made));
    Ok(made)
}

/// A new empty folder among the system's temporary ones, which nobody else can enter. It is there until the verb ends.
pub fn private_folder() -> Result<PathBuf, Error> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("gpuzoo-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o700));
    }
    temporary(|| Ok(builder.tempdir()?.keep()), PathBuf::clone)
}

/// A new file in a folder, with the permissions of an old one.
fn beside(folder: &Path, old: Option<Metadata>) -> Result<(File, TempPath), Error> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".gpuzoo-").suffix(".tmp");
    // What tempfile opens and writes itself has an error that names it, and the user has not named it.
    let new = |path: &Path| OpenOptions::new().read(true).write(true).create_new(true).open(path);
    let file = temporary(|| builder.make_in(folder, new), |file| file.path().to_owned())?;
    if let Some(old) = old {
        file.as_file().set_permissions(old.permissions())?;
    }
    Ok(file.into_parts())
}

/// An interrupt or a request to end: what was there before stays.
fn interrupted() {
    remove_temporary();
    std::process::exit(130);
}

/// An output may not be a file that was read, unless that is what it replaces.
fn refuse_input(place: &Place, read: &ReadFiles) -> Result<(), Stop> {
    let Some(input) = read.find_path(&place.path).filter(|_| !place.over) else { return Ok(()) };
    let problem = Diagnostic::error(&OUTPUT_IS_INPUT, format!("the output `{}` is an input", place.name));
    let problem = if input.as_os_str() == place.name.as_str() {
        problem
    } else {
        problem.note(format!("it is the same file as `{}`", input.display()))
    };
    Err(problem.help("give it another name").into())
}

fn unwritable(name: &str, error: &Error) -> Diagnostic {
    let problem = Diagnostic::error(&UNWRITABLE, format!("cannot write `{name}`: {error}"));
    match error.kind() {
        ErrorKind::NotFound => problem.help("its folder is not there: make it first"),
        ErrorKind::IsADirectory => problem.help("that is a folder: name a file in it"),
        _ => problem,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stop::code;

    #[test]
    fn binaries_are_for_a_terminal_only_if_that_is_said() {
        assert_eq!(code(Output::open_to(None, true)), Some("G0106"));
        assert_eq!(code(Output::open_to(None, false)), None);
        assert_eq!(code(Output::open_to(Some(Path::new("-")), true)), None);
    }
}
