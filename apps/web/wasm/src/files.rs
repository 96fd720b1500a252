//! The files of the host, by name.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The files, all in one folder; cheap to hand on.
#[derive(Default)]
pub struct Files(Rc<RefCell<HashMap<String, Vec<u8>>>>);

impl Files {
    /// The same files.
    pub fn of(other: &Files) -> Files {
        Files(other.0.clone())
    }

    pub fn put(&self, name: &str, bytes: Vec<u8>) {
        self.0.borrow_mut().insert(name.to_owned(), bytes);
    }

    pub fn remove(&self, name: &str) {
        self.0.borrow_mut().remove(name);
    }

    /// The bytes of a file, whatever folder is in front of its name.
    ///
    /// # Errors
    /// There is no such file.
    pub fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        self.0.borrow().get(name.as_ref()).cloned().ok_or_else(|| Error::from(ErrorKind::NotFound))
    }

    /// The same for a file that a text includes.
    ///
    /// # Errors
    /// The same, in words.
    pub fn include(&self, wanted: &str) -> Result<Vec<u8>, String> {
        self.read(Path::new(wanted)).map_err(|_| format!("there is no file `{wanted}`"))
    }
}

impl gpuzoo_editor::lsp::Files for Files {
    fn included(&self, _: &Path, _: &[PathBuf], wanted: &str) -> Result<Vec<u8>, String> {
        self.include(wanted)
    }

    fn named(&self, _: &Path, path: &Path) -> std::io::Result<Vec<u8>> {
        self.read(path)
    }
}
