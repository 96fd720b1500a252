//! Reading and writing: files, `-` for the standard streams, pipes that close.

use crate::session::Stop;
use gpuzoo::codes::{BAD_ARGUMENT, BINARY_TO_TERMINAL, NO_INPUT, UNREADABLE, UNWRITABLE};
use gpuzoo::diag::Diagnostic;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, ErrorKind, IsTerminal, Read, Write, stdin, stdout};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

/// What standard input is called in messages.
pub const STDIN: &str = "<stdin>";

/// A file that was read.
pub struct Input {
    /// Its name for messages.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// True for `-`.
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The name of an input: its path, or what standard input is to be called.
pub fn name(path: Option<&Path>, stdin_name: Option<&str>) -> String {
    match path {
        Some(path) if !is_standard(path) => path.display().to_string(),
        _ => stdin_name.unwrap_or(STDIN).to_owned(),
    }
}

/// What distinguishes a file from what it was before: when it was written, and how long it is. None for one that is not
/// there.
pub type Stamp = Option<(SystemTime, u64)>;

/// The stamp that a file has now.
pub fn stamp(path: &Path) -> Stamp {
    let about = std::fs::metadata(path).ok()?;
    Some((about.modified().ok()?, about.len()))
}

/// What was read by name.
struct Inputs {
    /// Files and folders, each with its stamp before it was read, so that no change after that is missed.
    read: BTreeMap<PathBuf, Stamp>,
    /// Standard input, if it is read again. It can be read once only.
    standard: Option<Vec<u8>>,
    /// What is read is looked at for changes.
    is_watched: bool,
}

static INPUTS: Mutex<Inputs> =
    Mutex::new(Inputs { read: BTreeMap::new(), standard: None, is_watched: false });

fn inputs() -> MutexGuard<'static, Inputs> {
    INPUTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Forgets what was read. `is_watched` if what is read from now on is looked at for changes.
pub fn begin(is_watched: bool) {
    *inputs() = Inputs { read: BTreeMap::new(), standard: None, is_watched };
}

/// The files and folders that were read, and those that are not there, each with its stamp before that.
pub fn noted() -> BTreeMap<PathBuf, Stamp> {
    inputs().read.clone()
}

fn note(path: &Path) {
    inputs().read.entry(path.to_owned()).or_insert_with(|| stamp(path));
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
    Ok(Input { name, bytes })
}

/// As [`read`], of what is read again later.
pub fn peek(path: Option<&Path>, stdin_name: Option<&str>) -> Result<Input, Stop> {
    let input = read(path, stdin_name)?;
    if path.is_none_or(is_standard) {
        inputs().standard = Some(input.bytes.clone());
    }
    Ok(input)
}

/// The bytes of a file. All that is read by name comes through here, so that `--watch` knows it.
pub fn file(path: &Path) -> std::io::Result<Vec<u8>> {
    note(path);
    std::fs::read(path)
}

fn piped(name: &str) -> Result<Vec<u8>, Stop> {
    let mut inputs = inputs();
    if inputs.is_watched {
        let problem = Diagnostic::error(&BAD_ARGUMENT, "standard input cannot be watched");
        return Err(problem.help("`--watch` is for files: name one").into());
    }
    if let Some(bytes) = inputs.standard.take() {
        return Ok(bytes);
    }
    let mut bytes = Vec::new();
    stdin().lock().read_to_end(&mut bytes).map_err(|error| unreadable(name, &error))?;
    Ok(bytes)
}

/// The files of a folder and of the folders in it, sorted by name. Hidden ones are left out, and links to folders are not
/// followed: they may lead back.
pub fn of_folder(folder: &Path) -> Result<Vec<PathBuf>, Stop> {
    let mut files = Vec::new();
    walk(folder, &mut files)?;
    Ok(files)
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Stop> {
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
            if !link {
                walk(&path, files)?;
            }
        } else if path.is_file() {
            files.push(path);
        }
    }
    Ok(())
}

/// Without a path the input comes through a pipe. Input is not typed unless `-` asks for it.
pub fn expect(path: Option<&Path>) -> Result<(), Stop> {
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
    Diagnostic::error(&UNREADABLE, format!("cannot read `{name}`: {error}"))
}

/// Where output goes.
pub struct Output {
    to: Box<dyn Write>,
    /// The file's name; none for standard output.
    name: Option<String>,
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
            Some(path) if !is_standard(path) => {
                let name = path.display().to_string();
                let file = File::create(path).map_err(|error| unwritable(&name, &error))?;
                Ok(Output { to: Box::new(BufWriter::new(file)), name: Some(name) })
            }
            None if garbles => {
                let problem = Diagnostic::error(&BINARY_TO_TERMINAL, "binary output is not for a terminal");
                Err(problem
                    .help("give a file with `-o FILE`; `-o -` writes to the terminal all the same")
                    .into())
            }
            _ => Ok(Output { to: Box::new(BufWriter::new(stdout().lock())), name: None }),
        }
    }

    /// Writes all of it.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        self.to.write_all(bytes).map_err(|error| self.stop(&error))
    }

    /// Hands on what is still held back, before messages about what comes next.
    pub fn flush(&mut self) -> Result<(), Stop> {
        self.to.flush().map_err(|error| self.stop(&error))
    }

    /// Hands on what is still held back.
    pub fn finish(mut self) -> Result<(), Stop> {
        self.to.flush().map_err(|error| self.stop(&error))
    }

    fn stop(&self, error: &std::io::Error) -> Stop {
        match &self.name {
            None if error.kind() == ErrorKind::BrokenPipe => Stop::ClosedPipe,
            None => unwritable("standard output", error).into(),
            Some(name) => unwritable(name, error).into(),
        }
    }
}

/// Writes a whole output at once.
pub fn write(path: Option<&Path>, binary: bool, bytes: &[u8]) -> Result<(), Stop> {
    let mut output = Output::open(path, binary)?;
    output.write(bytes)?;
    output.finish()
}

fn unwritable(name: &str, error: &std::io::Error) -> Diagnostic {
    Diagnostic::error(&UNWRITABLE, format!("cannot write `{name}`: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code<T>(result: Result<T, Stop>) -> Option<&'static str> {
        match result {
            Err(Stop::Problem(problem)) => Some(problem.code.id),
            _ => None,
        }
    }

    #[test]
    fn a_terminal_is_neither_input_nor_for_binaries_unless_that_is_said() {
        let dash = Some(Path::new("-"));
        assert_eq!(code(expect_from(None, true)), Some("G0107"));
        assert_eq!(code(expect_from(None, false)), None);
        assert_eq!(code(expect_from(dash, true)), None);
        assert_eq!(code(Output::open_to(None, true)), Some("G0106"));
        assert_eq!(code(Output::open_to(None, false)), None);
        assert_eq!(code(Output::open_to(dash, true)), None);
    }
}
