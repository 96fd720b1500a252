//! Reading: files, and `-` for standard input. Writing is in [`output`](crate::output).

use crate::session::Stop;
use gpuzoo::codes::{BAD_ARGUMENT, NO_INPUT, UNREADABLE};
use gpuzoo::diag::{Diagnostic, suggest};
use std::io::{ErrorKind, IsTerminal, Read, stdin};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

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

/// Every file that was read: none of them may be an output.
static READ: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The file that was read and is the one at this path, under whatever name.
pub fn was_read(path: &Path) -> Option<PathBuf> {
    let all = READ.lock().unwrap_or_else(PoisonError::into_inner);
    all.iter().find(|read| same_file::is_same_file(read, path).unwrap_or(false)).cloned()
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
            Ok(bytes) => {
                READ.lock().unwrap_or_else(PoisonError::into_inner).push(path.clone());
                return Ok(bytes);
            }
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
    fn nothing_is_read_from_a_terminal_unless_that_is_said() {
        assert_eq!(code(expect_from(None, true)), Some("G0107"));
        assert_eq!(code(expect_from(None, false)), None);
        assert_eq!(code(expect_from(Some(Path::new("-")), true)), None);
    }
}
