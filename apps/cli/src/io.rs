//! Reading: files, and `-` for standard input. Writing is in [`output`](crate::output).

mod inputs;
mod read_files;

pub use crate::paths::{folder, is_standard, or_here};
use crate::session::Session;
use crate::stop::Stop;
use crate::within;
use gpuzoo::codes::{BAD_ARGUMENT, NO_INPUT, UNREADABLE};
use gpuzoo::diag::{Diagnostic, suggest};
use gpuzoo::machine::limits::budget::{self, Budget, Resource};
use inputs::{budget, inputs};
use std::fs::File;
use std::io::{ErrorKind, IsTerminal, Read, stdin};
use std::path::{Path, PathBuf};

#[cfg(feature = "dap")]
pub use inputs::allowed;
#[cfg(feature = "lsp")]
pub use inputs::renew;
pub use inputs::{Stamp, begin, note, note_by, noted, stamp};
pub use read_files::ReadFiles;

/// What standard input is called in messages.
pub const STDIN: &str = "<stdin>";

/// A file that was read.
pub struct Input {
    /// Its name for messages.
    pub name: String,
    /// Where it is, or what standard input is called. A path may have bytes that no message can show.
    pub path: PathBuf,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// The name of an input: its path, or what standard input is to be called.
pub fn name(path: Option<&Path>, stdin_name: Option<&str>) -> String {
    match path {
        Some(path) if !is_standard(path) => path.display().to_string(),
        _ => stdin_name.unwrap_or(STDIN).to_owned(),
    }
}

/// Reads a file, or standard input for `-`; without a path, standard input if it is not a terminal.
pub fn read(path: Option<&Path>, stdin_name: Option<&str>) -> Result<Input, Stop> {
    let name = name(path, stdin_name);
    let bytes = match path {
        Some(path) if !is_standard(path) => file(path).map_err(|error| unreadable(&name, &error))?,
        _ => {
            expect(path)?;
            piped(&name)?
        }
    };
    let path = path.filter(|path| !is_standard(path)).map_or_else(|| PathBuf::from(&name), Path::to_owned);
    Ok(Input { name, path, bytes })
}

/// As [`read`], of what is read again later.
pub fn peek(path: Option<&Path>, stdin_name: Option<&str>) -> Result<Input, Stop> {
    let input = read(path, stdin_name)?;
    if path.is_none_or(is_standard) {
        inputs().standard = Some(input.bytes.clone());
    }
    Ok(input)
}

/// The bytes of a file. All that is read by name comes through here, so that `--watch` knows it, that no output takes its
/// place, and that the error for one that is not there names one of nearly the same name, if there is one.
pub fn file(path: &Path) -> std::io::Result<Vec<u8>> {
    first_file(&[path.to_owned()])
}

/// The bytes of a file that a program reads from its disk.
pub fn file_of_program(path: &Path) -> std::io::Result<Vec<u8>> {
    note_by(path, true);
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    whole(file, length)
}

/// The bytes of the first of some files that can be read.
fn first_file(paths: &[PathBuf]) -> std::io::Result<Vec<u8>> {
    first(paths, |path| {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        whole(file, length)
    })
}

/// All bytes, which are as many as may be read, and as there may be in memory. `length` is how many there will be at least,
/// as far as that is known; a device has none, and a file may grow.
fn whole(read: impl Read, length: u64) -> std::io::Result<Vec<u8>> {
    let budget = budget();
    budget.ask(Resource::Read, length)?;
    let (left, room) = (budget.left(Resource::Read), budget.left(Resource::Memory));
    let most = left.min(room);
    let mut bytes = budget.room(usize::try_from(length).unwrap_or(usize::MAX))?;
    read.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let resource = if left <= room { Resource::Read } else { Resource::Memory };
        return Err(budget.refusal(resource, None).into());
    }
    budget.spend(Resource::Read, bytes.len() as u64)?;
    Ok(bytes)
}

/// Counts what is read of something on the budget.
struct Counted<R> {
    read: R,
    budget: Budget,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.read.read(buffer)?;
        if self.budget.spend(Resource::Read, count as u64).is_err() {
            return Err(self.budget.refusal(Resource::Read, None).into());
        }
        Ok(count)
    }
}

fn first<T>(paths: &[PathBuf], read: impl Fn(&Path) -> std::io::Result<T>) -> std::io::Result<T> {
    let mut error = None;
    for path in paths {
        note(path);
        match read(path) {
            Ok(found) => return Ok(found),
            Err(found) => error = error.or(Some(found)),
        }
    }
    let error = error.unwrap_or_else(|| ErrorKind::NotFound.into());
    Err(match paths.iter().find_map(|path| nearest(path)) {
        Some(near) if error.kind() == ErrorKind::NotFound => {
            let message = format!("{error}; did you mean `{near}`?");
            std::io::Error::new(ErrorKind::NotFound, message)
        }
        _ => error,
    })
}

/// The bytes of a file that a program names: in the program's folder, or in one of those given. Else the reason.
pub fn included(own: &Path, folders: &[PathBuf], wanted: &str) -> Result<Vec<u8>, String> {
    let all = std::iter::once(own).chain(folders.iter().map(PathBuf::as_path));
    let reach = reach_of(own, folders);
    let (mut paths, mut outside) = (Vec::new(), None);
    for path in all.map(|folder| folder.join(wanted)) {
        match within::check(&borrowed(&reach), &path) {
            Ok(()) => paths.push(path),
            Err(error) => outside = outside.or(Some(error)),
        }
    }
    let read = match outside {
        Some(error) if paths.is_empty() => Err(error),
        _ => first_file(&paths),
    };
    read.map_err(|error| error.to_string())
}

/// Refuses what is not a folder among those of `--allow-read`.
pub fn folders(allowed: &[PathBuf]) -> Result<(), Stop> {
    let Some(other) = allowed.iter().find(|path| !path.is_dir()) else { return Ok(()) };
    let why = if other.exists() { "is not a folder" } else { "there is no such folder" };
    let message = format!("`--allow-read {}`: {why}", other.display());
    Err(Diagnostic::error(&BAD_ARGUMENT, message).into())
}

/// A file's name as a program's text would write it: from the program's folder, or from the root.
pub fn name_beside(program: &Path, file: &Path) -> String {
    let own = program.parent().unwrap_or(Path::new(""));
    let beside = file.strip_prefix(own).map(Path::to_owned);
    let beside = beside.ok().filter(|path| path.is_relative());
    let path = beside.or_else(|| std::path::absolute(file).ok()).unwrap_or_else(|| file.to_owned());
    path.display().to_string()
}

/// The folders whose files a text may name: its own, those given for it, and those that `--allow-read` names.
pub fn reach(text: &Path, folders: &[PathBuf]) -> Vec<PathBuf> {
    reach_of(folder(text), folders)
}

/// Checks that a file or folder that a text names is one of those.
///
/// # Errors
/// [`within::Outside`], as an error of the system.
pub fn within_reach(text: &Path, path: &Path) -> std::io::Result<()> {
    within::check(&borrowed(&reach(text, &[])), path)
}

fn reach_of(own: &Path, folders: &[PathBuf]) -> Vec<PathBuf> {
    [&[own.to_owned()], folders, &inputs().allowed].concat()
}

fn borrowed(folders: &[PathBuf]) -> Vec<&Path> {
    folders.iter().map(PathBuf::as_path).collect()
}

/// The bytes of a file that a text names and that lies in one of some folders.
pub fn named_file(folders: &[PathBuf], path: &Path) -> std::io::Result<Vec<u8>> {
    within::check(&borrowed(folders), path)?;
    file(path)
}

/// The error of a file or folder that is not there.
pub fn find(path: &Path) -> Result<(), Stop> {
    let found = first(&[path.to_owned()], |path| std::fs::metadata(path).map(drop));
    Ok(found.map_err(|error| unreadable(&name(Some(path), None), &error))?)
}

/// Of a folder with more names than these the others are not looked at.
const MOST_NAMES: usize = 1_000;

/// The nearest name beside the first part of a path that does not exist.
fn nearest(path: &Path) -> Option<String> {
    let missing =
        path.ancestors().take_while(|part| !part.as_os_str().is_empty() && !part.exists()).last()?;
    let folder = missing.parent()?;
    let entries = std::fs::read_dir(or_here(folder)).ok()?.take(MOST_NAMES).flatten();
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort_unstable();
    let near = suggest::nearest(missing.file_name()?.to_str()?, names.iter().map(String::as_str))?;
    Some(near.to_owned())
}

/// A file that is read from its beginning, as far as it goes.
pub struct Opened {
    /// Its first bytes.
    pub head: Vec<u8>,
    /// What follows.
    pub rest: Box<dyn Read>,
    /// How many bytes it has, if it is a file on a disk.
    pub length: Option<u64>,
}

/// Opens a file, or standard input for `-`, to be read piece by piece.
pub fn open(path: &Path) -> Result<Opened, Stop> {
    let failed = |error: std::io::Error| unreadable(&name(Some(path), None), &error);
    let mut head = Vec::new();
    let (rest, length): (Box<dyn Read>, _) = if is_standard(path) {
        not_watched()?;
        (Box::new(stdin().lock()), None)
    } else {
        let file = first(&[path.to_owned()], |path| File::open(path)).map_err(failed)?;
        let about = file.metadata().map_err(failed)?;
        (Box::new(file), Some(about.len()).filter(|_| about.is_file()))
    };
    let budget = budget();
    budget.ask(Resource::Read, length.unwrap_or(0)).map_err(|refusal| failed(refusal.into()))?;
    let mut rest = Counted { read: rest, budget };
    rest.by_ref().take(1 << 16).read_to_end(&mut head).map_err(failed)?;
    Ok(Opened { head, rest: Box::new(rest), length })
}

fn not_watched() -> Result<(), Stop> {
    if inputs().is_watched {
        let problem = Diagnostic::error(&BAD_ARGUMENT, "standard input cannot be watched");
        return Err(problem.help("`--watch` is for files: name one").into());
    }
    Ok(())
}

fn piped(name: &str) -> Result<Vec<u8>, Stop> {
    not_watched()?;
    if let Some(bytes) = inputs().standard.take() {
        return Ok(bytes);
    }
    Ok(whole(stdin().lock(), 0).map_err(|error| unreadable(name, &error))?)
}

/// The files of a folder and of the folders in it, sorted by name. Hidden ones are left out, and links to folders are not
/// followed: they may lead back. Of a folder in it that cannot be read the problem is reported, and the others are looked through.
pub fn of_folder(folder: &Path, session: &mut Session) -> Result<Vec<PathBuf>, Stop> {
    let mut files = Vec::new();
    walk(folder, &mut files, session)?;
    Ok(files)
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>, session: &mut Session) -> Result<(), Diagnostic> {
    note(folder);
    let failed = |error: std::io::Error| unreadable(&folder.display().to_string(), &error);
    let entries = std::fs::read_dir(folder).map_err(failed)?;
    let mut paths = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(failed)?;
    paths.sort();
    for path in paths {
        if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')) {
            continue;
        }
        let link = path.is_symlink();
        if path.is_dir() {
            if !link && let Err(problem) = walk(&path, files, session) {
                session.report(vec![problem]);
            }
        } else if path.is_file() {
            files.push(path);
        }
    }
    Ok(())
}

/// Without a path the input comes through a pipe. Input is not typed unless `-` asks for it, and a folder is none.
pub fn expect(path: Option<&Path>) -> Result<(), Stop> {
    if let Some(path) = path.filter(|path| !is_standard(path) && path.is_dir()) {
        let problem = unreadable(&path.display().to_string(), &ErrorKind::IsADirectory.into());
        return Err(problem
            .help("name a file in it; `gpuzoo check`, `gpuzoo fmt` and `gpuzoo conform` take folders")
            .into());
    }
    expect_from(path, stdin().is_terminal())
}

fn expect_from(path: Option<&Path>, terminal: bool) -> Result<(), Stop> {
    if path.is_none() && terminal {
        let problem = Diagnostic::error(&NO_INPUT, "no input file is given");
        return Err(problem.help("name a file, or `-` to type or paste the input").into());
    }
    Ok(())
}

/// Standard input can be read once only.
pub fn one_standard_input<'a>(paths: impl Iterator<Item = &'a Path>) -> Result<(), Stop> {
    if paths.filter(|path| is_standard(path)).count() > 1 {
        let problem = Diagnostic::error(&BAD_ARGUMENT, "`-` is given for several inputs");
        return Err(problem.help("standard input can be read only once; put the others into files").into());
    }
    Ok(())
}

/// The problem of a file that cannot be read.
pub fn unreadable(name: &str, error: &std::io::Error) -> Diagnostic {
    budget::unreadable(&UNREADABLE, name, error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stop::code;

    #[test]
    fn a_file_that_is_not_there_brings_up_the_nearest_name() {
        let folder = std::env::temp_dir().join(format!("gpuzoo-io-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("textures")).unwrap();
        std::fs::write(folder.join("textures/tex.jpg"), "").unwrap();
        let near = |name: &str| nearest(&folder.join(name));
        assert_eq!(near("textures/tekx.jpg"), Some("tex.jpg".into()));
        assert_eq!(near("texture/tex.jpg"), Some("textures".into()));
        assert_eq!(near("textures/stone.png"), None);
        assert_eq!(near("textures/tex.jpg"), None);
        // In the folder where the test runs, the package's.
        assert_eq!(nearest(Path::new("Cargo.tml")), Some("Cargo.toml".into()));
        let error = file(&folder.join("textures/text.jpg")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound);
        assert!(error.to_string().ends_with("; did you mean `tex.jpg`?"), "{error}");
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn nothing_is_read_from_a_terminal_unless_that_is_said() {
        assert_eq!(code(expect_from(None, true)), Some("G0107"));
        assert_eq!(code(expect_from(None, false)), None);
        assert_eq!(code(expect_from(Some(Path::new("-")), true)), None);
    }
}
