//! The files that were read, to be recognized under any name.

use super::inputs::inputs;
use std::path::{Path, PathBuf};

/// The files that were read.
pub struct ReadFiles {
    #[cfg(unix)]
    by_id: std::collections::HashMap<(u64, u64), (PathBuf, bool)>,
    #[cfg(not(unix))]
    all: Vec<(PathBuf, bool)>,
}

#[cfg(unix)]
impl ReadFiles {
    /// Those that were read until now.
    pub fn now() -> ReadFiles {
        use std::os::unix::fs::MetadataExt;
        let mut by_id = std::collections::HashMap::new();
        for (path, noted) in &inputs().read {
            let Ok(about) = std::fs::metadata(path) else { continue };
            let entry = by_id.entry((about.dev(), about.ino()));
            let (_, is_of_program) = entry.or_insert_with(|| (path.clone(), noted.is_of_program));
            *is_of_program &= noted.is_of_program;
        }
        ReadFiles { by_id }
    }

    /// The one that is a file. A `program` may have read it itself.
    pub fn find(&self, about: &cap_std::fs::Metadata, _: &Path, program: bool) -> Option<&Path> {
        use cap_std::fs::MetadataExt;
        self.by_id(about.dev(), about.ino(), program)
    }

    /// The one that is the file at a path.
    pub fn find_path(&self, path: &Path) -> Option<&Path> {
        use std::os::unix::fs::MetadataExt;
        let about = std::fs::metadata(path).ok()?;
        self.by_id(about.dev(), about.ino(), false)
    }

    fn by_id(&self, device: u64, number: u64, program: bool) -> Option<&Path> {
        let (path, is_of_program) = self.by_id.get(&(device, number))?;
        (!(program && *is_of_program)).then_some(path)
    }
}

#[cfg(not(unix))]
impl ReadFiles {
    /// Those that were read until now.
    pub fn now() -> ReadFiles {
        let read = &inputs().read;
        ReadFiles { all: read.iter().map(|(path, noted)| (path.clone(), noted.is_of_program)).collect() }
    }

    /// The one that is a file. A `program` may have read it itself.
    pub fn find(&self, _: &cap_std::fs::Metadata, path: &Path, program: bool) -> Option<&Path> {
        let is_same = |read: &PathBuf| same_file::is_same_file(read, path).unwrap_or(false);
        let mut same = self.all.iter().filter(|(read, _)| is_same(read));
        same.find(|(_, is_of_program)| !(program && *is_of_program)).map(|(read, _)| read.as_path())
    }

    /// The one that is the file at a path.
    pub fn find_path(&self, path: &Path) -> Option<&Path> {
        let is_same = |read: &PathBuf| same_file::is_same_file(read, path).unwrap_or(false);
        self.all.iter().find(|(read, _)| is_same(read)).map(|(read, _)| read.as_path())
    }
}
