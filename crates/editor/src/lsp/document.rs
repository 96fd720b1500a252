//! Open documents: where they are, and the files that they name.

use crate::lsp::analysis::Analysis;
use crate::lsp::text::Text;
use std::cell::OnceCell;
use std::path::{Path, PathBuf};

/// Where the files come from that documents name.
pub trait Files {
    /// The bytes of a file that an assembly text names, or why there are none. It is looked for in the text's folder, and then in those of its
    /// project.
    ///
    /// # Errors
    /// The reason, in words.
    fn included(&self, text: &Path, folders: &[PathBuf], wanted: &str) -> Result<Vec<u8>, String>;

    /// The bytes of a file that a scene or a project names; `path` has its folder in front.
    ///
    /// # Errors
    /// The reason.
    fn named(&self, scene: &Path, path: &Path) -> std::io::Result<Vec<u8>>;

    /// Whether a text may name a folder in which includes are looked for.
    ///
    /// # Errors
    /// Why it may not.
    fn may_name(&self, _text: &Path, _folder: &Path) -> std::io::Result<()> {
        Ok(())
    }

    /// TOML files that may be projects of which a text is a source: in its folder and those around it, the nearest first.
    fn projects(&self, _text: &Path) -> Vec<PathBuf> {
        Vec::new()
    }
}

/// No files.
#[derive(Clone, Copy, Debug)]
pub struct NoFiles;

impl Files for NoFiles {
    fn included(&self, _: &Path, _: &[PathBuf], _: &str) -> Result<Vec<u8>, String> {
        Err("no files are given".to_owned())
    }

    fn named(&self, _: &Path, _: &Path) -> std::io::Result<Vec<u8>> {
        Err(std::io::ErrorKind::NotFound.into())
    }
}

/// A document that is open in an editor.
#[derive(Default)]
pub(crate) struct Document {
    /// As the editor names it.
    pub uri: String,
    /// Where it is.
    pub path: PathBuf,
    /// What language the editor takes it for.
    pub language: String,
    /// The editor's number of this state.
    pub version: Option<i64>,
    /// What is in it.
    pub text: Text,
    /// What was found in it, once somebody has asked.
    pub analysis: OnceCell<Analysis>,
    /// What was found has not been shown yet.
    pub is_new: bool,
}
