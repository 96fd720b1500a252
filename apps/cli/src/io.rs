//! Reading and writing: files, `-` for the standard streams, pipes that close.

use crate::session::Stop;
use gpuzoo::codes::{BAD_ARGUMENT, BINARY_TO_TERMINAL, NO_INPUT, UNREADABLE, UNWRITABLE};
use gpuzoo::diag::Diagnostic;
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
        Some(path) if !is_standard(path) => std::fs::read(path).map_err(failed)?,
        None => {
            expect(path)?;
            piped().map_err(failed)?
        }
        Some(_) => piped().map_err(failed)?,
    };
    Ok(Input { name, bytes })
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

/// Opens a file, or standard input for `-`.
pub fn open(path: &Path) -> Result<Opened, Stop> {
    let failed = |error: std::io::Error| unreadable(&name(Some(path), None), &error);
    let mut head = Vec::new();
    let (mut rest, length): (Box<dyn Read>, _) = if is_standard(path) {
        (Box::new(stdin().lock()), None)
    } else {
        let file = File::open(path).map_err(failed)?;
        let about = file.metadata().map_err(failed)?;
        (Box::new(file), Some(about.len()).filter(|_| about.is_file()))
    };
    rest.by_ref().take(1 << 16).read_to_end(&mut head).map_err(failed)?;
    Ok(Opened { head, rest, length })
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
    /// A file that takes the place of another one when it is whole.
    part: Option<Part>,
}

/// A file that is being written, and whose place it takes. It is removed if it does not come to that.
struct Part {
    path: PathBuf,
    whole: PathBuf,
}

impl Drop for Part {
    fn drop(&mut self) {
        // After the renaming there is none.
        let _ = std::fs::remove_file(&self.path);
    }
}

impl Output {
    /// Opens the file of `-o`; without one, and for `-`, standard output. Binary output to a terminal wants the `-`
    /// said.
    pub fn open(path: Option<&Path>, binary: bool) -> Result<Output, Stop> {
        Output::open_to(path, binary && stdout().is_terminal())
    }

    /// As [`open`](Output::open), for what may turn out to be wrong while it is written: a file is what it was until all is
    /// there. What went to standard output stays.
    pub fn open_whole(path: Option<&Path>) -> Result<Output, Stop> {
        let Some(path) = path.filter(|path| !is_standard(path)) else { return Output::open(path, false) };
        // A link stays a link, and a device or a pipe is no file to be replaced.
        let whole = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let before = std::fs::metadata(&whole).ok();
        let Some(file_name) =
            whole.file_name().filter(|_| before.as_ref().is_none_or(|about| about.is_file()))
        else {
            return Output::open(Some(path), false);
        };
        let name = path.display().to_string();
        let own = format!(".{}.{}.part", file_name.to_string_lossy(), std::process::id());
        let part = Part { path: whole.with_file_name(own), whole };
        let file = File::create_new(&part.path).map_err(|error| unwritable(&name, &error))?;
        if let Some(before) = before {
            file.set_permissions(before.permissions()).map_err(|error| unwritable(&name, &error))?;
        }
        Ok(Output { to: Box::new(BufWriter::new(file)), name: Some(name), part: Some(part) })
    }

    /// As [`open`](Output::open); `garbles` if standard output is a terminal that the bytes are not for.
    fn open_to(path: Option<&Path>, garbles: bool) -> Result<Output, Stop> {
        match path {
            Some(path) if !is_standard(path) => {
                let name = path.display().to_string();
                let file = File::create(path).map_err(|error| unwritable(&name, &error))?;
                Ok(Output { to: Box::new(BufWriter::new(file)), name: Some(name), part: None })
            }
            None if garbles => {
                let problem = Diagnostic::error(&BINARY_TO_TERMINAL, "binary output is not for a terminal");
                Err(problem
                    .help("give a file with `-o FILE`; `-o -` writes to the terminal all the same")
                    .into())
            }
            _ => Ok(Output { to: Box::new(BufWriter::new(stdout().lock())), name: None, part: None }),
        }
    }

    /// Writes all of it.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        self.to.write_all(bytes).map_err(|error| self.stop(&error))
    }

    /// Hands on what is still held back.
    pub fn finish(mut self) -> Result<(), Stop> {
        self.to.flush().map_err(|error| self.stop(&error))?;
        match &self.part {
            Some(part) => std::fs::rename(&part.path, &part.whole).map_err(|error| self.stop(&error)),
            None => Ok(()),
        }
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
