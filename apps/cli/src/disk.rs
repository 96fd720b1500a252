//! A folder as a program's disk (`--files`): what is read there, and what is put there after a run.

use crate::confined::{By, Root};
use crate::io::{self, ReadFiles, or_here};
use crate::session::Stop;
use crate::{output, within};
use gpuzoo::codes::BAD_ARGUMENT;
use gpuzoo::diag::Diagnostic;
use gpuzoo::machine::computer::disk::{Change, Disk, Entry, Folder, Now};
use gpuzoo::machine::limits::budget::{Budget, Resource};
use std::ffi::OsString;
use std::fs::Metadata;
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// A folder of the system. Links in it count as long as they do not lead out of it.
struct Host {
    root: PathBuf,
    budget: Budget,
    /// What the program has read it may replace.
    is_of_program: bool,
}

/// The disk of a folder, where a program reads and writes.
pub fn open(folder: &Path, budget: &Budget) -> Result<Disk, Stop> {
    opened(folder, budget, true)
}

/// The disk of a folder where nothing is written.
pub fn open_to_read(folder: &Path, budget: &Budget) -> Result<Disk, Stop> {
    opened(folder, budget, false)
}

fn opened(folder: &Path, budget: &Budget, is_of_program: bool) -> Result<Disk, Stop> {
    if !folder.is_dir() {
        let why = if folder.exists() { "is not a folder" } else { "there is no such folder" };
        let message = format!("`--files {}`: {why}", folder.display());
        return Err(Diagnostic::error(&BAD_ARGUMENT, message).into());
    }
    Ok(Disk::new(Host { root: folder.to_owned(), budget: budget.clone(), is_of_program }))
}

/// Where a path of a disk is in a folder.
fn place(root: &Path, path: &[String]) -> Result<PathBuf, Error> {
    let place = path.iter().fold(root.to_owned(), |place, part| place.join(part));
    within::check(&[root], &place).map(|()| place)
}

impl Folder for Host {
    fn entries(&self, path: &[String]) -> Result<Vec<Entry>, Error> {
        let folder = place(&self.root, path)?;
        io::note_by(&folder, self.is_of_program);
        let mut entries = Vec::new();
        for entry in std::fs::read_dir(or_here(&folder))? {
            let path = entry?.path();
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
            // Pipes and devices are no files of a disk, and neither is what a link leads to elsewhere.
            let about = within::check(&[&self.root], &path).and_then(|()| std::fs::metadata(&path));
            let Some(about) = about.ok().filter(|about| about.is_file() || about.is_dir()) else { continue };
            entries.push(Entry {
                name: name.to_owned(),
                is_folder: about.is_dir(),
                bytes: if about.is_file() { about.len() } else { 0 },
                modified: modified(&about),
                is_locked: about.permissions().readonly(),
            });
        }
        Ok(entries)
    }

    fn read(&self, path: &[String]) -> Result<Vec<u8>, Error> {
        let file = place(&self.root, path)?;
        let about = std::fs::metadata(&file)?;
        if !about.is_file() {
            return Err(ErrorKind::InvalidInput.into());
        }
        // They stay as long as the program runs; while they are read there is a copy.
        let length = about.len();
        self.budget.ask(Resource::Memory, length.saturating_mul(2))?;
        self.budget.spend(Resource::Memory, length)?;
        let bytes = if self.is_of_program { io::file_of_program(&file)? } else { io::file(&file)? };
        // It may have grown meanwhile.
        self.budget.spend(Resource::Memory, (bytes.len() as u64).saturating_sub(length))?;
        Ok(bytes)
    }
}

fn modified(about: &Metadata) -> Option<u64> {
    Some(about.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_secs())
}

/// Puts into a folder what a program has changed, once the verb has succeeded.
pub fn put(root: &Root, changes: &[Change]) -> Result<(), Stop> {
    let read = ReadFiles::now();
    for change in changes {
        let parts: Vec<OsString> = change.path.iter().map(OsString::from).collect();
        let target = match &change.now {
            Now::Gone => root.removed(&parts, By::Program),
            Now::Folder | Now::File(_) => root.target(&parts, By::Program),
        };
        let target = target.map_err(|refused| {
            let name = root.path().join(change.path.join("/"));
            let problem = refused.problem(&name.display().to_string());
            problem.note("nothing of what the program wrote is kept")
        })?;
        target.refuse_input(&read)?;
        match &change.now {
            Now::Gone => output::remove(target),
            Now::Folder => output::make_folder_of_program(target),
            Now::File(bytes) => target.write(bytes)?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_is_its_folder_and_nothing_else() {
        let folder = std::env::temp_dir().join(format!("gpuzoo-disk-{}", std::process::id()));
        let root = folder.join("root");
        std::fs::create_dir_all(root.join("deep")).unwrap();
        std::fs::write(root.join("a.bin"), [1, 2, 3]).unwrap();
        std::fs::write(folder.join("secret"), [9]).unwrap();
        #[cfg(unix)]
        for (to, at) in [("../secret", "out"), ("a.bin", "in"), ("..", "above")] {
            std::os::unix::fs::symlink(to, root.join(at)).unwrap();
        }
        let budget = Budget::default().with(Resource::Memory, 7);
        let disk = open(&root, &budget).unwrap();
        let names: Vec<_> = disk.entries(&[]).unwrap().iter().map(|entry| entry.name.clone()).collect();
        assert_eq!(names, if cfg!(unix) { vec!["a.bin", "deep", "in"] } else { vec!["a.bin", "deep"] });
        let read = |path: &[&str]| disk.read(&path.iter().map(|part| (*part).to_owned()).collect::<Vec<_>>());
        assert_eq!(read(&["a.bin"]).unwrap()[..], [1, 2, 3]);
        for path in [&["out"][..], &["..", "secret"], &["above", "secret"], &["deep"], &["none"]] {
            assert!(read(path).is_err(), "{path:?}");
        }
        // There is memory for one of them.
        #[cfg(unix)]
        assert!(read(&["in"]).unwrap_err().reason.contains("memory"));
        assert!(open(&root.join("none"), &budget).is_err());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
