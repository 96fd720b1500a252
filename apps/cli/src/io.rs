//! Reading and writing: files, `-` for the standard streams, pipes that close.

use crate::session::Stop;
use gpuzoo::codes::{BAD_ARGUMENT, BINARY_TO_TERMINAL, NO_INPUT, UNREADABLE, UNWRITABLE};
use gpuzoo::diag::{Diagnostic, suggest};
use std::fs::File;
use std::io::{BufWriter, ErrorKind, IsTerminal, Read, Write, stdin, stdout};
use std::path::{Path, PathBuf};

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

/// Reads a file, or standard input for `-`; without a path, standard input if it is not a terminal.
pub fn read(path: Option<&Path>, stdin_name: Option<&str>) -> Result<Input, Stop> {
    let name = name(path, stdin_name);
    let failed = |error: std::io::Error| unreadable(&name, &error);
    let bytes = match path {
        Some(path) if !is_standard(path) => file(path).map_err(failed)?,
        None => {
            expect(path)?;
            piped().map_err(failed)?
        }
        Some(_) => piped().map_err(failed)?,
    };
    Ok(Input { name, bytes })
}

/// Of a folder with more names than these the others are not looked at.
const MOST_NAMES: usize = 1_000;

/// The bytes of a file. All that is read by name comes through here, so that the error for one that is not there names
/// one of nearly the same name, if there is one.
pub fn file(path: &Path) -> std::io::Result<Vec<u8>> {
    first_file(&[path.to_owned()])
}

/// The bytes of the first of some files that can be read.
pub fn first_file(paths: &[PathBuf]) -> std::io::Result<Vec<u8>> {
    let mut error = None;
    for path in paths {
        match std::fs::read(path) {
            Ok(bytes) => return Ok(bytes),
            Err(found) => error = error.or(Some(found)),
        }
    }
    let error = error.unwrap_or_else(|| ErrorKind::NotFound.into());
    Err(match paths.iter().find_map(|path| nearest(path)) {
        Some(near) if error.kind() == ErrorKind::NotFound => {
            let message = format!("{error}; did you mean `{}`?", near.display());
            std::io::Error::new(ErrorKind::NotFound, message)
        }
        _ => error,
    })
}

/// The path with its first part that does not exist replaced by the nearest name that does.
fn nearest(path: &Path) -> Option<PathBuf> {
    let missing = path.ancestors().take_while(|part| !part.exists()).last()?;
    let folder = missing.parent()?;
    let listed = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = std::fs::read_dir(listed).ok()?.take(MOST_NAMES).flatten();
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort_unstable();
    let near = suggest::nearest(missing.file_name()?.to_str()?, names.iter().map(String::as_str))?;
    Some(folder.join(near))
}

fn piped() -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
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
    fn a_file_that_is_not_there_brings_up_the_nearest_name() {
        let folder = std::env::temp_dir().join(format!("gpuzoo-io-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("textures")).unwrap();
        std::fs::write(folder.join("textures/tex.jpg"), "").unwrap();
        let near = |name: &str| {
            nearest(&folder.join(name)).map(|path| path.strip_prefix(&folder).unwrap().to_owned())
        };
        assert_eq!(near("textures/tekx.jpg"), Some("textures/tex.jpg".into()));
        assert_eq!(near("texture/tex.jpg"), Some("textures".into()));
        assert_eq!(near("textures/stone.png"), None);
        assert_eq!(near("textures/tex.jpg"), None);
        let error = file(&folder.join("textures/text.jpg")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound);
        assert!(error.to_string().ends_with("textures/tex.jpg`?"), "{error}");
        std::fs::remove_dir_all(folder).unwrap();
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
