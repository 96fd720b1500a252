//! Paths as the command line has them.

use std::path::Path;

/// True for `-`.
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The folder of a file.
pub fn folder(file: &Path) -> &Path {
    file.parent().unwrap_or(Path::new(""))
}

/// A folder as the system takes it: the one without a name is where this runs.
pub fn or_here(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}
