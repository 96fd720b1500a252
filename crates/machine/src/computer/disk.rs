//! A folder of files that a program may use as a disk.
//!
//! What is behind it is the front end's: a folder of the system, or files in memory. Whatever was read once stays as it was: a
//! run that goes back and forth finds the same files again.
//!
//! ```
//! use gpuzoo_machine::computer::disk::Disk;
//!
//! let disk = Disk::of([("A.BIN", vec![1, 2]), ("MAPS/ONE.BIN", vec![3])]);
//! let names: Vec<String> = disk.entries(&[]).unwrap().iter().map(|entry| entry.name.clone()).collect();
//! assert_eq!(names, ["A.BIN", "MAPS"]);
//! assert_eq!(disk.read(&["MAPS".to_owned(), "ONE.BIN".to_owned()]).unwrap()[..], [3]);
//! assert!(disk.read(&["B.BIN".to_owned()]).is_err());
//! ```

use crate::limits::budget::Refusal;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{Error, ErrorKind};
use std::sync::{Arc, Mutex, PoisonError};

/// A name in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name.
    pub name: String,
    /// It is a folder.
    pub is_folder: bool,
    /// Bytes of a file.
    pub bytes: u64,
    /// When it was written: seconds since the start of 1970, UTC.
    pub modified: Option<u64>,
    /// It may not be written.
    pub is_locked: bool,
}

/// The most folders in one another that a written path may have before its name.
pub const MAX_DEPTH: usize = 64;

/// A path below the folder, part by part. No part is empty, `.` or `..`, or has a separator in it.
pub type Path = [String];

/// What gives files to a disk.
pub trait Folder: Send + Sync {
    /// What is in a folder, in any order; names that are no text are left out.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn entries(&self, path: &Path) -> Result<Vec<Entry>, Error>;

    /// The bytes of a file.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn read(&self, path: &Path) -> Result<Vec<u8>, Error>;
}

/// Why something of a disk cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// It is not there.
    pub is_missing: bool,
    /// The reason, for people.
    pub reason: String,
    /// There is not so much of something, memory for example.
    pub refusal: Option<Refusal>,
}

impl From<Error> for Unreadable {
    fn from(error: Error) -> Unreadable {
        Unreadable {
            is_missing: error.kind() == ErrorKind::NotFound,
            reason: error.to_string(),
            refusal: Refusal::of(&error),
        }
    }
}

/// What a folder holds.
pub type Entries = Result<Arc<[Entry]>, Unreadable>;
/// What a file holds.
pub type Bytes = Result<Arc<[u8]>, Unreadable>;

/// What was read.
#[derive(Default)]
struct Known {
    entries: BTreeMap<Vec<String>, Entries>,
    bytes: BTreeMap<Vec<String>, Bytes>,
}

struct Shared {
    folder: Box<dyn Folder>,
    known: Mutex<Known>,
}

/// A folder whose files are read when they are first asked for. Clones are the same disk, and equal.
#[derive(Clone)]
pub struct Disk(Arc<Shared>);

impl Disk {
    /// A disk with a folder's files.
    pub fn new(folder: impl Folder + 'static) -> Disk {
        Disk(Arc::new(Shared { folder: Box::new(folder), known: Mutex::default() }))
    }

    /// A disk with files in memory, by their paths with `/` between the parts.
    pub fn of<'a>(files: impl IntoIterator<Item = (&'a str, Vec<u8>)>) -> Disk {
        let parts = |path: &str| path.split('/').map(str::to_owned).collect();
        Disk::new(Files(files.into_iter().map(|(path, bytes)| (parts(path), bytes)).collect()))
    }

    /// What is in a folder, by name.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn entries(&self, path: &Path) -> Entries {
        let mut known = self.0.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entries) = known.entries.get(path) {
            return entries.clone();
        }
        let entries = self.0.folder.entries(path).map_err(Unreadable::from).map(|mut entries| {
            entries.sort_by(|a, b| a.name.cmp(&b.name));
            entries.into()
        });
        known.entries.insert(path.to_vec(), entries.clone());
        entries
    }

    /// The bytes of a file.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn read(&self, path: &Path) -> Bytes {
        let mut known = self.0.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = known.bytes.get(path) {
            return bytes.clone();
        }
        let bytes = self.0.folder.read(path).map_err(Unreadable::from).map(Arc::from);
        known.bytes.insert(path.to_vec(), bytes.clone());
        bytes
    }
}

impl fmt::Debug for Disk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Disk")
    }
}

impl PartialEq for Disk {
    fn eq(&self, other: &Disk) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Disk {}

/// Files in memory.
struct Files(BTreeMap<Vec<String>, Vec<u8>>);

impl Folder for Files {
    fn entries(&self, path: &Path) -> Result<Vec<Entry>, Error> {
        let mut entries: Vec<Entry> = Vec::new();
        for (at, bytes) in &self.0 {
            let [name, below @ ..] = at.strip_prefix(path).unwrap_or_default() else { continue };
            if entries.iter().all(|entry| entry.name != *name) {
                entries.push(Entry {
                    name: name.clone(),
                    is_folder: !below.is_empty(),
                    bytes: if below.is_empty() { bytes.len() as u64 } else { 0 },
                    modified: None,
                    is_locked: false,
                });
            }
        }
        if entries.is_empty() && !path.is_empty() { Err(ErrorKind::NotFound.into()) } else { Ok(entries) }
    }

    fn read(&self, path: &Path) -> Result<Vec<u8>, Error> {
        self.0.get(path).cloned().ok_or_else(|| ErrorKind::NotFound.into())
    }
}

/// What a program has done to a disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Where.
    pub path: Vec<String>,
    /// What is there now.
    pub now: Now,
}

/// What is at a path after a program ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Now {
    /// A file with these bytes.
    File(Arc<Vec<u8>>),
    /// A new folder. What is to be in it follows.
    Folder,
    /// Nothing; of a folder, all that was below it is gone as well.
    Gone,
}

gpuzoo_stored::stored! { enum Now { File(bytes: Arc<Vec<u8>>), Folder, Gone } }

impl fmt::Display for Change {
    /// `wrote MAPS/ONE.BIN, 12 bytes`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.join("/");
        match &self.now {
            Now::File(bytes) => write!(f, "wrote {path}, {}", gpuzoo_diag::counted(bytes.len(), "byte")),
            Now::Folder => write!(f, "made the folder {path}"),
            Now::Gone => write!(f, "removed {path}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder that is another one each time.
    struct Changing(Mutex<u8>);

    impl Folder for Changing {
        fn entries(&self, _: &Path) -> Result<Vec<Entry>, Error> {
            Err(ErrorKind::PermissionDenied.into())
        }

        fn read(&self, _: &Path) -> Result<Vec<u8>, Error> {
            let mut count = self.0.lock().unwrap();
            *count += 1;
            Ok(vec![*count])
        }
    }

    #[test]
    fn what_was_read_stays() {
        let disk = Disk::new(Changing(Mutex::new(0)));
        let (a, b) = (["A".to_owned()], ["B".to_owned()]);
        let read = |path| disk.read(path).unwrap()[0];
        assert_eq!((read(&a), read(&b), read(&a), disk.clone().read(&b).unwrap()[0]), (1, 2, 1, 2));
        let refused = disk.entries(&[]).unwrap_err();
        assert_eq!((refused.is_missing, &*refused.reason), (false, "permission denied"));
    }

    #[test]
    fn folders_follow_from_the_paths() {
        let disk = Disk::of([("D/E/F", vec![1]), ("D/G", vec![]), ("A", vec![2, 3])]);
        let names = |path: &[&str]| {
            let path: Vec<String> = path.iter().map(|part| (*part).to_owned()).collect();
            let entries = disk.entries(&path).ok()?;
            Some(entries.iter().map(|one| (one.name.clone(), one.is_folder, one.bytes)).collect::<Vec<_>>())
        };
        assert_eq!(names(&[]), Some(vec![("A".into(), false, 2), ("D".into(), true, 0)]));
        assert_eq!(names(&["D"]), Some(vec![("E".into(), true, 0), ("G".into(), false, 0)]));
        assert_eq!(names(&["X"]), None);
    }
}
