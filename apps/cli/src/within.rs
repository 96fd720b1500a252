//! Which files a text may name that comes from somebody else: those in its folder, and in folders that the user allows.

use crate::paths::{folder, or_here};
use gpuzoo::file_name::shell_word;
use std::fmt;
use std::io;
use std::path::{Component, Path, PathBuf};

/// A file that a text names and that lies in none of the folders which may be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outside {
    /// Where the file is.
    pub folder: PathBuf,
}

impl fmt::Display for Outside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let folder = shell_word(&self.folder.display().to_string());
        write!(
            f,
            "it lies outside of the folder of the file that names it; `--allow-read {folder}` allows that"
        )
    }
}

impl std::error::Error for Outside {}

/// Checks that a file lies in one of some folders, wherever links lead, or would lie there if it existed. Links that change
/// between this and the reading are not noticed.
///
/// # Errors
/// [`Outside`], as an error of the kind [`PermissionDenied`](io::ErrorKind::PermissionDenied).
pub fn check(folders: &[&Path], path: &Path) -> io::Result<()> {
    let outside = |path: &Path| {
        // What ends with `..` is a folder itself.
        let folder = if path.file_name().is_none() { path } else { or_here(folder(path)) };
        io::Error::new(io::ErrorKind::PermissionDenied, Outside { folder: folder.to_owned() })
    };
    let named = plain(path)?;
    if !folders.iter().any(|folder| plain(folder).is_ok_and(|folder| named.starts_with(folder))) {
        return Err(outside(path));
    }
    // Of what is not there, as far as it is there: nothing is said of other folders, not even what they lack.
    let whole = std::path::absolute(path)?;
    let Some(led) = whole.ancestors().find_map(|part| part.canonicalize().ok()) else { return Ok(()) };
    let within = |folder: &&Path| or_here(folder).canonicalize().is_ok_and(|folder| led.starts_with(folder));
    if folders.iter().any(within) { Ok(()) } else { Err(outside(&led)) }
}

/// A path from the root, without `.` and `..`, as its name says; links are not looked at.
pub fn plain(path: &Path) -> io::Result<PathBuf> {
    let mut plain = PathBuf::new();
    for part in std::path::absolute(or_here(path))?.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            other => plain.push(other),
        }
    }
    Ok(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_links_stay_within() {
        let folder = std::env::temp_dir().join(format!("gpuzoo-within-{}", std::process::id()));
        let (own, other) = (folder.join("own"), folder.join("other"));
        std::fs::create_dir_all(own.join("deep")).unwrap();
        std::fs::create_dir_all(&other).unwrap();
        std::fs::write(own.join("a"), "").unwrap();
        std::fs::write(other.join("b"), "").unwrap();
        let passes = |folders: &[&Path], path: &str| check(folders, &own.join(path)).is_ok();
        for path in ["a", "deep/../a", "./a", "not there", "deep/not there"] {
            assert!(passes(&[&own], path), "{path}");
        }
        for path in ["../other/b", "../own2/a", "..", "deep/../../other/b", "/etc/passwd"] {
            assert!(!passes(&[&own], path), "{path}");
        }
        assert!(passes(&[&own, &other], "../other/b"));
        let error = check(&[&own], &own.join("../other/b")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
        assert!(error.to_string().contains("--allow-read"), "{error}");
        let folder_itself = check(&[&own], &own.join("..")).unwrap_err().to_string();
        assert!(folder_itself.contains("/own/..`"), "{folder_itself}");
        #[cfg(unix)]
        {
            let link = |to: &str, at: &str| std::os::unix::fs::symlink(to, own.join(at)).unwrap();
            link("a", "inner");
            link("../other/b", "outer");
            link("../other", "elsewhere");
            assert!(passes(&[&own], "inner"));
            assert!(!passes(&[&own], "outer"));
            // The folder that is named is the one that helps.
            let error = check(&[&own], &own.join("outer")).unwrap_err().to_string();
            assert!(error.contains("/other`"), "{error}");
            assert!(!passes(&[&own], "elsewhere/b"));
            assert!(!passes(&[&own], "elsewhere/not there"));
            // The folder itself may be behind a link.
            std::os::unix::fs::symlink(&own, folder.join("link")).unwrap();
            assert!(check(&[&folder.join("link")], &folder.join("link/a")).is_ok());
        }
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn no_folder_is_the_one_where_this_runs() {
        assert!(check(&[Path::new("")], Path::new("Cargo.toml")).is_ok());
        assert!(check(&[Path::new("")], Path::new("../Cargo.toml")).is_err());
    }
}
