//! The files that a program sees: those of the folder, and over them what it has written.

use super::name;
use gpuzoo_machine::computer::disk::{Bytes, Change, Disk, Entries, Entry, MAX_DEPTH, Now, Unreadable};
use gpuzoo_stored::stored;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A path from the root, part by part as the folder has them.
pub(super) type Path = Vec<String>;

/// The most that a program may write, in bytes of all files together.
pub const MAX_WRITTEN: usize = 64 << 20;
/// The most names that it may write, make or remove.
pub const MAX_CHANGES: usize = 1 << 12;

/// Files, of which those of the folder are read when they are asked for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tree {
    disk: Disk,
    changes: BTreeMap<Path, Now>,
    /// Bytes of the files that were written.
    written: usize,
}

stored! {
    Tree { changes } without { disk: Disk::of([]), written: changes.values().map(size).sum() }
    if |own: &Tree| {
        let are_there = |path: &Path| (1..=MAX_DEPTH + 1).contains(&path.len()) && is_path(path);
        // Nothing is in a file.
        let is_in_file = |path: &Path| {
            (1..path.len()).any(|length| matches!(own.changes.get(&path[..length]), Some(Now::File(_))))
        };
        own.changes.len() <= MAX_CHANGES
            && own.written <= MAX_WRITTEN
            && own.changes.keys().all(|path| are_there(path) && !is_in_file(path))
    }
}

/// True for parts that are names, wherever they come from.
pub(super) fn is_path(path: &[String]) -> bool {
    path.iter().all(|part| !matches!(part.as_str(), "" | "." | "..") && !part.contains(['/', '\0']))
}

/// Bytes of a file that the program has written.
fn size(now: &Now) -> usize {
    match now {
        Now::File(bytes) => bytes.len(),
        Now::Folder | Now::Gone => 0,
    }
}

/// What is at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Is {
    File,
    Folder,
    Locked,
}

/// There is no more room.
pub(super) struct Full;

impl Tree {
    pub fn new(disk: Disk) -> Tree {
        Tree { disk, changes: BTreeMap::new(), written: 0 }
    }

    /// Has the folder of another one.
    pub fn insert(&mut self, other: &Tree) {
        self.disk = other.disk.clone();
    }

    /// Bytes that the program has written.
    pub fn written(&self) -> usize {
        self.written
    }

    /// What the program has changed, folders before what is in them.
    pub fn changes(&self) -> Vec<Change> {
        let change = |(path, now): (&Path, &Now)| Change { path: path.clone(), now: now.clone() };
        self.changes.iter().map(change).collect()
    }

    /// The folder has nothing to say of what is below a path: something in it was removed, or made anew.
    fn is_own(&self, path: &[String]) -> bool {
        (1..=path.len()).any(|length| self.changes.contains_key(&path[..length]))
    }

    /// What the folder has at a path.
    fn disk_entry(&self, path: &[String]) -> Result<Option<Entry>, Unreadable> {
        let Some((name, folder)) = path.split_last() else { return Ok(None) };
        if self.is_own(folder) {
            return Ok(None);
        }
        match self.disk.entries(folder) {
            Ok(entries) => Ok(entries.iter().find(|entry| entry.name == *name).cloned()),
            Err(problem) if problem.is_missing => Ok(None),
            Err(problem) => Err(problem),
        }
    }

    /// What is in a folder, by name.
    pub fn entries(&self, path: &[String]) -> Entries {
        let mut entries = match self.is_own(path) {
            true => Vec::new(),
            false => self.disk.entries(path)?.to_vec(),
        };
        let below = self.changes.range(path.to_vec()..).take_while(|(at, _)| at.starts_with(path));
        let below: Vec<(&str, &Now)> = below
            .filter(|(at, _)| at.len() == path.len() + 1)
            .map(|(at, now)| (&*at[path.len()], now))
            .collect();
        entries.retain(|entry| below.binary_search_by_key(&&*entry.name, |(name, _)| name).is_err());
        for (name, now) in below {
            let (is_folder, bytes) = match now {
                Now::Gone => continue,
                Now::Folder => (true, 0),
                Now::File(bytes) => (false, bytes.len() as u64),
            };
            entries.push(Entry { name: name.to_owned(), is_folder, bytes, modified: None, is_locked: false });
        }
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(entries.into())
    }

    /// What is at a path that names nothing but what is there.
    pub fn kind(&self, path: &[String]) -> Result<Option<Is>, Unreadable> {
        Ok(match self.changes.get(path) {
            _ if path.is_empty() => Some(Is::Folder),
            Some(Now::File(_)) => Some(Is::File),
            Some(Now::Folder) => Some(Is::Folder),
            Some(Now::Gone) => None,
            None => self.disk_entry(path)?.map(|entry| match entry {
                Entry { is_folder: true, .. } => Is::Folder,
                Entry { is_locked: true, .. } => Is::Locked,
                _ => Is::File,
            }),
        })
    }

    /// Finds the names that the last part of a path fits, in the first folder that fits the other parts.
    pub fn find(&self, start: &[String], path: &[u8]) -> Result<Found, Unreadable> {
        let (mut folder, path) = match path {
            [b'/', path @ ..] => (Vec::new(), path),
            path => (start.to_vec(), path),
        };
        let mut parts = path.split(|byte| *byte == b'/').filter(|part| !part.is_empty()).peekable();
        while let Some(part) = parts.next() {
            let is_last = parts.peek().is_none();
            match part {
                b"." => {}
                b".." => {
                    if folder.pop().is_none() {
                        return Ok(Found::default());
                    }
                }
                _ => {
                    let entries = match self.entries(&folder) {
                        Err(problem) if problem.is_missing => return Ok(Found::default()),
                        entries => entries?,
                    };
                    let fits = |entry: &&Entry| name::matches(part, &name::bytes(&entry.name));
                    let mut fitting = entries.iter().filter(fits);
                    if is_last {
                        let names = fitting.map(|entry| entry.name.clone()).collect();
                        return Ok(Found { folder: Some(folder), names, last: part.to_vec() });
                    }
                    match fitting.find(|entry| entry.is_folder) {
                        Some(entry) => folder.push(entry.name.clone()),
                        None => return Ok(Found::default()),
                    }
                }
            }
        }
        // Folders only: the last of them is what is meant.
        let name = folder.pop();
        Ok(Found { names: name.into_iter().collect(), folder: Some(folder), last: Vec::new() })
    }

    /// The bytes of a file of the folder that the program has not written.
    pub fn original(&self, path: &[String]) -> Option<Bytes> {
        (!self.is_own(path)).then(|| self.disk.read(path))
    }

    /// The bytes of a file that the program has written.
    pub fn own(&self, path: &[String]) -> Option<&Arc<Vec<u8>>> {
        match self.changes.get(path) {
            Some(Now::File(bytes)) => Some(bytes),
            _ => None,
        }
    }

    /// The bytes of a file.
    pub fn read(&self, path: &[String]) -> Result<Vec<u8>, Unreadable> {
        match (self.own(path), self.original(path)) {
            (Some(bytes), _) => Ok(bytes.to_vec()),
            (None, Some(bytes)) => bytes.map(|bytes| bytes.to_vec()),
            (None, None) => {
                let reason = "it was removed".to_owned();
                Err(Unreadable { is_missing: true, reason, refusal: None })
            }
        }
    }

    /// Puts something at a path, unless that is one too many, or lies too deep.
    pub fn put(&mut self, path: Path, now: Now) -> Result<(), Full> {
        let before = self.changes.get(&path).map_or(0, size);
        let written = self.written - before + size(&now);
        let is_new = !self.changes.contains_key(&path);
        if written > MAX_WRITTEN || is_new && self.changes.len() >= MAX_CHANGES || path.len() > MAX_DEPTH + 1
        {
            return Err(Full);
        }
        self.written = written;
        self.changes.insert(path, now);
        Ok(())
    }

    /// Removes what is at a path. What the folder never had leaves no trace.
    pub fn remove(&mut self, path: Path) -> Result<(), Full> {
        let was_there = matches!(self.disk_entry(&path), Ok(Some(_)));
        self.put(path.clone(), Now::Gone)?;
        if !was_there {
            self.changes.remove(&path);
        }
        Ok(())
    }

    /// Writes bytes into a file that the program has written, from a place on.
    pub fn write(&mut self, path: &[String], at: usize, byte: u8) -> Result<(), Full> {
        let Some(Now::File(bytes)) = self.changes.get_mut(path) else { return Err(Full) };
        if at < bytes.len() {
            Arc::make_mut(bytes)[at] = byte;
        } else if self.written >= MAX_WRITTEN {
            return Err(Full);
        } else {
            self.written += 1;
            Arc::make_mut(bytes).push(byte);
        }
        Ok(())
    }
}

/// What a path with patterns stands for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// The folder, if there is one.
    pub folder: Option<Path>,
    /// The names in it that fit.
    pub names: Vec<String>,
    /// The last part as it was written.
    pub last: Vec<u8>,
}

impl Found {
    /// The paths of the names.
    pub fn paths(&self) -> impl Iterator<Item = Path> {
        let folder = self.folder.clone().unwrap_or_default();
        self.names.iter().map(move |name| [&folder[..], std::slice::from_ref(name)].concat())
    }

    /// The path of a file that is to be new here, if it can be.
    pub fn new_path(&self) -> Option<Path> {
        let name = name::file_name(&self.last)?;
        Some([&self.folder.clone()?[..], &[name]].concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> Path {
        text.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect()
    }

    fn tree() -> Tree {
        Tree::new(Disk::of([("A.BIN", vec![1]), ("D/B.BIN", vec![2]), ("D/E/C.BIN", vec![3])]))
    }

    fn names(tree: &Tree, at: &str) -> String {
        let entries = tree.entries(&path(at));
        entries.map_or_else(
            |problem| problem.reason,
            |all| all.iter().map(|entry| entry.name.as_str()).collect::<Vec<_>>().join(" "),
        )
    }

    #[test]
    fn what_is_written_lies_over_the_folder() {
        let mut tree = tree();
        assert!(tree.put(path("D/N"), Now::File(Arc::new(vec![9]))).is_ok());
        assert!(tree.remove(path("A.BIN")).is_ok() && tree.remove(path("D/N2")).is_ok());
        assert_eq!((names(&tree, ""), names(&tree, "D")), ("D".into(), "B.BIN E N".into()));
        assert_eq!(tree.kind(&path("A.BIN")), Ok(None));
        assert_eq!(tree.kind(&path("D/E")), Ok(Some(Is::Folder)));
        assert_eq!(tree.read(&path("D/N")), Ok(vec![9]));
        assert!(tree.write(&path("D/N"), 1, 8).is_ok() && tree.write(&path("D/N"), 0, 7).is_ok());
        assert_eq!((tree.read(&path("D/N")), tree.written()), (Ok(vec![7, 8]), 2));
        let changed: Vec<String> = tree.changes().iter().map(Change::to_string).collect();
        assert_eq!(changed, ["removed A.BIN", "wrote D/N, 2 bytes"]);
        // A folder that was removed and made again is empty.
        assert!(tree.remove(path("D")).is_ok() && tree.put(path("D"), Now::Folder).is_ok());
        assert_eq!(tree.kind(&path("D/E/C.BIN")), Ok(None));
    }

    #[test]
    fn paths_are_found() {
        let tree = tree();
        let found = |start: &str, text: &str| {
            let found = tree.find(&path(start), text.as_bytes()).unwrap();
            found.paths().map(|path| path.join("/")).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(found("", "a.bin"), "A.BIN");
        assert_eq!(found("", "D/*"), "D/B.BIN D/E");
        assert_eq!(found("D", "../A*"), "A.BIN");
        assert_eq!(
            (found("D/E", "/D/B.BIN"), found("", "?/E/C.BIN")),
            ("D/B.BIN".into(), "D/E/C.BIN".into())
        );
        assert_eq!((found("", "../A.BIN"), found("D", "../../A.BIN"), found("", "X/A")), Default::default());
        assert_eq!((found("D/E", ".."), found("D", ".")), ("D".into(), "D".into()));
    }

    /// A state that says so is not one of a machine: something in a file.
    #[test]
    fn nothing_is_in_a_file() {
        use gpuzoo_stored::{Reader, Stored};
        let read = |first: Now| {
            let (mut tree, mut bytes) = (tree(), Vec::new());
            let file = || Now::File(Arc::new(vec![1]));
            assert!(tree.put(path("F"), first).is_ok() && tree.put(path("F/X"), file()).is_ok());
            Stored::write(&tree, &mut bytes);
            <Tree as Stored>::read(&mut Reader::new(&bytes)).is_some()
        };
        assert!(read(Now::Folder) && !read(Now::File(Arc::default())));
    }

    #[test]
    fn there_is_an_end_to_what_is_written() {
        let mut tree = tree();
        assert!(tree.put(path("N"), Now::File(Arc::new(vec![0; MAX_WRITTEN]))).is_ok());
        assert!(tree.write(&path("N"), MAX_WRITTEN, 0).is_err() && tree.write(&path("N"), 0, 1).is_ok());
        assert!(tree.put(path("M"), Now::File(Arc::new(vec![0]))).is_err());
        assert!(tree.put(path("N"), Now::File(Arc::default())).is_ok() && tree.written() == 0);
        let nested = |depth: usize| vec!["D".to_owned(); depth];
        assert!(
            tree.put(nested(MAX_DEPTH + 1), Now::Folder).is_ok()
                && tree.put(nested(MAX_DEPTH + 2), Now::Folder).is_err()
        );
        let more: Vec<bool> = (2..=MAX_CHANGES)
            .map(|number| tree.put(path(&format!("M{number}")), Now::Folder).is_ok())
            .collect();
        assert!(more.iter().enumerate().all(|(at, is_there)| *is_there == (at + 3 <= MAX_CHANGES)));
    }
}
