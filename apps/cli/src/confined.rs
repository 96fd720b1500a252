//! Writing below a folder for something other than the command line: a linker configuration, a program at run time.
//!
//! A [`Root`] is an open folder. Names are looked up from it part by part and never by their whole path, so that no
//! link leads out of it,
//! not even one that is made while the verb runs.

use crate::io::ReadFiles;
use crate::paths::or_here;
use crate::stop::Stop;
use cap_fs_ext::DirExt;
use cap_std::ambient_authority;
use cap_std::fs::{Dir, Metadata, OpenOptions};
use gpuzoo::codes::{BAD_ARGUMENT, NOT_WRITTEN, OUTPUT_IS_INPUT, UNWRITABLE};
use gpuzoo::diag::{Diagnostic, printable};
use gpuzoo::file_name::why_not_written;
use gpuzoo::machine::computer::disk::MAX_DEPTH;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::{Error, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// A folder below which files are written.
#[derive(Clone, Debug)]
pub struct Root {
    dir: Arc<Dir>,
    /// As messages name it.
    path: PathBuf,
    /// Links resolved.
    real: PathBuf,
}

/// Something else than the command line that names a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// A linker configuration.
    Configuration,
    /// A program at run time. It may replace what it alone has read.
    Program,
}

/// A file or folder strictly below a root, which need not exist.
#[derive(Clone, Debug)]
pub struct Target {
    root: Root,
    /// Links resolved.
    parts: Vec<OsString>,
    /// As messages name it.
    pub name: String,
    pub by: By,
}

/// The reason why something is not written.
#[derive(Debug)]
pub enum Refused {
    /// The name is never written.
    Name(&'static str),
    /// A link leads elsewhere.
    Outside,
    /// A link stands in its place.
    Link,
    /// The system's reason.
    System(Error),
}

impl From<Error> for Refused {
    fn from(error: Error) -> Refused {
        Refused::System(error)
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Name(why) => f.write_str(why),
            Refused::Outside => f.write_str("a link leads to another folder"),
            Refused::Link => f.write_str("a link stands in its place"),
            Refused::System(error) => error.fmt(f),
        }
    }
}

impl Refused {
    /// The diagnostic about a file of this name.
    pub fn problem(&self, name: &str) -> Diagnostic {
        let name = printable(name);
        let refused = || Diagnostic::error(&NOT_WRITTEN, format!("`{name}` is not written: {self}"));
        match self {
            Refused::Name(_) => refused().help("choose another name"),
            Refused::Outside | Refused::Link => refused().help("remove the link, or choose another name"),
            Refused::System(_) => Diagnostic::error(&UNWRITABLE, format!("cannot write `{name}`: {self}")),
        }
    }
}

fn check(name: &OsStr) -> Result<(), Refused> {
    match why_not_written(&name.to_string_lossy()) {
        Some(why) => Err(Refused::Name(why)),
        None => Ok(()),
    }
}

impl Root {
    /// Opens a folder that the command line names; links in its path count.
    pub fn open(path: &Path) -> Result<Root, Error> {
        let path = or_here(path);
        let dir = Arc::new(Dir::open_ambient_dir(path, ambient_authority())?);
        Ok(Root { dir, path: path.to_owned(), real: path.canonicalize()? })
    }

    /// Opens the folders of `--allow-write`.
    pub fn open_allowed(paths: &[PathBuf]) -> Result<Vec<Root>, Stop> {
        let open = |path: &PathBuf| {
            Root::open(path).map_err(|error| {
                let message = format!("`--allow-write {}`: {error}", path.display());
                Stop::from(Diagnostic::error(&BAD_ARGUMENT, message).help("it takes a folder that exists"))
            })
        };
        paths.iter().map(open).collect()
    }

    /// The folder as messages name it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A folder strictly below this one.
    pub fn below(&self, parts: &[OsString]) -> Result<Root, Refused> {
        let target = self.target(parts, By::Program)?;
        let dir = self.walk(&target.parts)?;
        let (path, real) = (parts.iter().collect::<PathBuf>(), target.parts.iter().collect::<PathBuf>());
        Ok(Root { dir: Arc::new(dir), path: self.path.join(path), real: self.real.join(real) })
    }

    /// The place that names lead to, each of which may be written.
    pub fn target(&self, parts: &[OsString], by: By) -> Result<Target, Refused> {
        if parts.len() > MAX_DEPTH + 1 {
            return Err(Refused::Name("it lies more than 64 folders deep"));
        }
        parts.iter().try_for_each(|part| check(part))?;
        self.resolved(parts, by)
    }

    /// The place of a file or folder that is removed: a link in it is neither followed nor removed.
    pub fn removed(&self, parts: &[OsString], by: By) -> Result<Target, Refused> {
        if let Some((name, folder)) = parts.split_last() {
            let folder = if folder.is_empty() { Vec::new() } else { self.target(folder, by)?.parts };
            self.refuse_link(&folder, name)?;
        }
        self.target(parts, by)
    }

    /// The place of a file in the folder itself, whose name the command line says. No link is followed.
    pub fn beside(&self, name: OsString, by: By) -> Result<Target, Refused> {
        self.refuse_link(&[], &name)?;
        self.resolved(&[name], by)
    }

    fn resolved(&self, parts: &[OsString], by: By) -> Result<Target, Refused> {
        let name = self.path.join(parts.iter().collect::<PathBuf>()).display().to_string();
        let to = |parts: Vec<OsString>| match parts.is_empty() {
            true => Err(Refused::Outside),
            false => Ok(Target { root: self.clone(), parts, name: name.clone(), by }),
        };
        // The longest part that exists.
        for known in (1..=parts.len()).rev() {
            let (known, rest) = parts.split_at(known);
            let real = match self.dir.canonicalize(known.iter().collect::<PathBuf>()) {
                Ok(real) => real,
                Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                    continue;
                }
                // Of a link that leads out there is no error of the system.
                Err(error) if error.raw_os_error().is_none() => return Err(Refused::Outside),
                Err(error) => return Err(error.into()),
            };
            let real: Vec<OsString> = real
                .components()
                .filter(|part| !matches!(part, Component::CurDir))
                .map(|part| part.as_os_str().to_owned())
                .collect();
            if real != known {
                real.iter().try_for_each(|part| check(part))?;
            }
            if let Some(next) = rest.first() {
                self.refuse_link(&real, next)?;
            }
            return to([real.as_slice(), rest].concat());
        }
        if let Some(first) = parts.first() {
            self.refuse_link(&[], first)?;
        }
        to(parts.to_vec())
    }

    /// Refuses a link.
    fn refuse_link(&self, folder: &[OsString], name: &OsStr) -> Result<(), Refused> {
        // What is a file now may be a folder once the changes of a program are made.
        let Ok(folder) = self.walk(folder) else { return Ok(()) };
        match folder.symlink_metadata(name) {
            Ok(about) if about.is_symlink() => Err(Refused::Link),
            _ => Ok(()),
        }
    }

    /// Opens a folder below this one, no part of whose path is a link.
    fn walk(&self, parts: &[OsString]) -> Result<Dir, Error> {
        let mut dir = self.dir.try_clone()?;
        for part in parts {
            dir = dir.open_dir_nofollow(part)?;
        }
        Ok(dir)
    }
}

/// A new file that waits to be put in place.
#[derive(Debug)]
pub struct Waiting {
    target: Target,
    /// The folder where it waits, below the target's root.
    folder: Vec<OsString>,
    name: String,
}

impl Waiting {
    /// The path of the file that waits.
    pub fn path(&self) -> PathBuf {
        let folder: PathBuf = self.folder.iter().collect();
        self.target.root.real.join(folder).join(&self.name)
    }

    /// The place that it waits for.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// Puts it in place.
    pub fn put(&self) -> Result<(), Error> {
        let (to, name) = self.target.opened()?;
        self.target.root.walk(&self.folder)?.rename(&self.name, &to, name)
    }
}

impl Target {
    /// The place, links resolved.
    pub fn real(&self) -> PathBuf {
        self.root.real.join(self.parts.iter().collect::<PathBuf>())
    }

    /// The folder that it lies in, and its name there.
    fn opened(&self) -> Result<(Dir, &OsString), Error> {
        let (name, folder) = self.parts.split_last().ok_or(ErrorKind::InvalidInput)?;
        Ok((self.root.walk(folder)?, name))
    }

    /// What exists at the place; none for nothing.
    fn about(&self) -> Option<Metadata> {
        let (folder, name) = self.opened().ok()?;
        folder.symlink_metadata(name).ok()
    }

    /// Refuses a place where the run has read an input.
    pub fn refuse_input(&self, read: &ReadFiles) -> Result<(), Stop> {
        let Some(about) = self.about().filter(|about| !about.is_dir()) else { return Ok(()) };
        let is_program = self.by == By::Program;
        let Some(input) = read.find(&about, &self.real(), is_program) else { return Ok(()) };
        let who = match self.by {
            By::Program => "the program would change",
            By::Configuration => "the configuration would replace",
        };
        let message = format!("{who} `{}`, which is an input", printable(&self.name));
        let problem = Diagnostic::error(&OUTPUT_IS_INPUT, message);
        let problem = match input.as_os_str() == self.name.as_str() {
            true => problem,
            false => problem.note(format!("it is the same file as `{}`", input.display())),
        };
        let help = match self.by {
            By::Program => {
                "nothing of what the program wrote is kept; keep its files in a folder without the inputs"
            }
            By::Configuration => "give it another name",
        };
        Err(problem.help(help).into())
    }

    /// Makes a new file that takes the place of the old one later, in the nearest folder that exists.
    pub fn begin(&self) -> Result<(File, Waiting), Error> {
        let old = self.about();
        if let Some(old) = old.as_ref().filter(|old| !old.is_dir()) {
            if !old.is_file() {
                return Err(Error::new(ErrorKind::InvalidInput, "it is not a file"));
            }
            // A rename would replace a file that may not be written.
            let (folder, name) = self.opened()?;
            folder.open_with(name, OpenOptions::new().write(true))?;
        }
        let folders = (0..self.parts.len()).rev().map(|length| &self.parts[..length]);
        let mut failed = ErrorKind::NotFound.into();
        for folder in folders {
            let dir = match self.root.walk(folder) {
                Ok(dir) => dir,
                Err(error) => {
                    failed = error;
                    continue;
                }
            };
            let (file, name) = new_file(&dir)?;
            if let Some(old) = old.filter(Metadata::is_file) {
                file.set_permissions(old.permissions())?;
            }
            return Ok((file.into_std(), Waiting { target: self.clone(), folder: folder.to_vec(), name }));
        }
        Err(failed)
    }

    /// The first entry that is not known, of the folder that the place is; none of a file.
    pub fn unknown_entry(&self, is_known: impl Fn(&Path) -> bool) -> Result<Option<OsString>, Error> {
        if !self.about().is_some_and(|about| about.is_dir()) {
            return Ok(None);
        }
        for entry in self.root.walk(&self.parts)?.entries()? {
            let name = entry?.file_name();
            if !is_known(&self.real().join(&name)) {
                return Ok(Some(name));
            }
        }
        Ok(None)
    }

    /// Removes the file or the empty folder.
    pub fn remove(&self) -> Result<(), Error> {
        let (folder, name) = self.opened()?;
        let gone = match self.about() {
            Some(about) if about.is_dir() => folder.remove_dir(name),
            _ => folder.remove_file(name),
        };
        gone.or_else(|error| if error.kind() == ErrorKind::NotFound { Ok(()) } else { Err(error) })
    }

    /// Makes the folder, in place of a file.
    pub fn make_folder(&self) -> Result<(), Error> {
        match self.about() {
            Some(about) if about.is_dir() => return Ok(()),
            Some(_) => self.remove()?,
            None => {}
        }
        let (folder, name) = self.opened()?;
        folder.create_dir(name)
    }

    /// Removes a folder that a file takes the place of.
    pub fn clear(&self) -> Result<(), Error> {
        if self.about().is_some_and(|about| about.is_dir()) { self.remove() } else { Ok(()) }
    }
}

/// A new file whose name no one can guess.
fn new_file(folder: &Dir) -> Result<(cap_std::fs::File, String), Error> {
    const TRIES: u32 = 100;
    let random = RandomState::new();
    for number in 0..TRIES {
        let name = format!(".gpuzoo-{:016x}.tmp", random.hash_one((std::process::id(), number)));
        match folder.open_with(&name, OpenOptions::new().read(true).write(true).create_new(true)) {
            Ok(file) => return Ok((file, name)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(path: &str) -> Vec<OsString> {
        path.split('/').map(OsString::from).collect()
    }

    /// A folder `in` to write below, beside a folder `out`.
    fn folders(name: &str) -> (PathBuf, Root) {
        let folder = std::env::temp_dir().join(format!("gpuzoo-confined-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        for part in ["in/d", "in/.git", "out/d"] {
            std::fs::create_dir_all(folder.join(part)).unwrap();
        }
        let root = Root::open(&folder.join("in")).unwrap();
        (folder, root)
    }

    #[test]
    fn names_lead_below_the_folder() {
        let (folder, root) = folders("names");
        for path in ["a", "d/a", "d/e/f", "d/a.b~c"] {
            let target = root.target(&parts(path), By::Configuration).unwrap();
            assert_eq!(target.real(), folder.canonicalize().unwrap().join("in").join(path));
        }
        let long = "a/".repeat(70) + "a";
        for path in ["..", "../out/a", "d/../a", "", "d//a", ".a", "d/.a", ".git/a", "GIT~1/a", "a\0", &long]
        {
            let refused = root.target(&parts(path), By::Configuration).unwrap_err();
            assert!(matches!(refused, Refused::Name(_)), "{path}: {refused:?}");
        }
        assert!(root.target(&[], By::Configuration).is_err());
        assert!(root.below(&parts("d")).is_ok() && root.below(&parts("e")).is_err());
        std::fs::remove_dir_all(folder).unwrap();
    }

    /// A link in the place of a folder that was looked at before, at each step from the name to the end.
    #[cfg(unix)]
    #[test]
    fn a_link_that_is_made_meanwhile_leads_nowhere() {
        let (folder, root) = folders("meanwhile");
        let turn = |is_link: bool| {
            let at = folder.join("in/d");
            if is_link {
                std::fs::rename(&at, folder.join("kept")).unwrap();
                std::os::unix::fs::symlink("../out/d", &at).unwrap();
            } else {
                std::fs::remove_file(&at).unwrap();
                std::fs::rename(folder.join("kept"), &at).unwrap();
            }
        };
        std::fs::write(folder.join("in/d/old"), "old").unwrap();
        std::fs::write(folder.join("out/d/old"), "old").unwrap();
        let target = |path: &str| root.target(&parts(path), By::Program).unwrap();
        let (new, old, made) = (target("d/new"), target("d/old"), target("d/made"));
        let (_, waiting) = new.begin().unwrap();
        turn(true);
        // Where the folder was, the file goes into the nearest one that is still there, and then nowhere.
        if let Ok((_, other)) = new.begin() {
            assert!(other.path().starts_with(folder.canonicalize().unwrap().join("in")));
            assert!(other.put().is_err());
        }
        assert!(waiting.put().is_err() && old.remove().is_err() && made.make_folder().is_err());
        assert!(root.target(&parts("d/new"), By::Program).is_err());
        let names: Vec<_> = std::fs::read_dir(folder.join("out/d")).unwrap().flatten().collect();
        assert_eq!(names.len(), 1);
        turn(false);
        assert!(waiting.put().is_ok() && old.remove().is_ok() && made.make_folder().is_ok());
        assert!(folder.join("in/d/new").is_file() && folder.join("in/d/made").is_dir());
        // The folder itself is the one that was opened, wherever its path leads by now.
        std::fs::rename(folder.join("in"), folder.join("moved")).unwrap();
        std::os::unix::fs::symlink("out", folder.join("in")).unwrap();
        let (_, waiting) = target("last").begin().unwrap();
        waiting.put().unwrap();
        assert!(folder.join("moved/last").is_file() && !folder.join("out/last").exists());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
