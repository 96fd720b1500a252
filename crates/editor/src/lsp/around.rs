//! The surroundings of documents: the editor's settings, the other documents, and files.

use crate::lsp::document::{Document, Files, What};
use crate::wire::uri::plain;
use gpuzoo::machine::TextOptions;
use gpuzoo::machine::limits::budget::Budget;
use gpuzoo::{Gpu, Registry};
use serde_json::Value as Json;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What the editor says of all documents, in `initializationOptions`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    /// The machine of files whose extension says none.
    pub gpu: Option<String>,
    /// The assembly dialect, for machines that have several; else the one of the text's header.
    pub dialect: Option<String>,
    /// How texts number constants, for machines that have several ways.
    pub numbering: Option<String>,
    /// Macros of texts that have such.
    pub defines: Vec<String>,
}

impl Settings {
    /// What a JSON object says; other members are other servers'.
    pub fn of(json: &Json) -> Settings {
        let text = |name: &str| json.get(name).and_then(Json::as_str).map(str::to_owned);
        let defines = json.get("defines").and_then(Json::as_array).into_iter().flatten();
        Settings {
            gpu: text("gpu"),
            dialect: text("dialect"),
            numbering: text("numbering"),
            defines: defines.filter_map(Json::as_str).map(str::to_owned).collect(),
        }
    }
}

/// Files that scenes name, as they were read last: a mesh is not fetched anew with each letter that is typed.
#[derive(Default)]
pub(crate) struct Kept(RefCell<BTreeMap<PathBuf, Vec<u8>>>);

/// Shorter ones are soon read again, and their changes seen.
const LEAST_KEPT: usize = 1 << 16;
/// The most bytes that are kept.
const MOST_KEPT: usize = 64 << 20;

impl Kept {
    /// Forgets all: files may have changed.
    pub fn forget(&self) {
        self.0.borrow_mut().clear();
    }

    /// A file that a scene names, from those that are kept or else from the files.
    ///
    /// # Errors
    /// The reason why it cannot be read.
    pub fn named(&self, files: &dyn Files, scene: &Path, wanted: &Path) -> std::io::Result<Vec<u8>> {
        let path = plain(wanted);
        if let Some(bytes) = self.0.borrow().get(&path) {
            return Ok(bytes.clone());
        }
        let bytes = files.named(scene, wanted)?;
        let mut all = self.0.borrow_mut();
        let held: usize = all.values().map(Vec::len).sum();
        if bytes.len() >= LEAST_KEPT && held + bytes.len() <= MOST_KEPT {
            all.insert(path, bytes.clone());
        }
        Ok(bytes)
    }
}

/// All that there is beside a document.
#[derive(Clone)]
pub(crate) struct Around<'a> {
    pub registry: &'a Registry,
    pub settings: &'a Settings,
    pub files: &'a dyn Files,
    pub open: &'a BTreeMap<String, Document>,
    pub kept: &'a Kept,
    /// What reading a document may use.
    pub budget: Budget,
}

impl<'a> Around<'a> {
    /// The text of a file that is open.
    pub fn opened(&self, path: &Path) -> Option<Vec<u8>> {
        let path = plain(path);
        let found = self.open.values().find(|document| plain(&document.path) == path)?;
        Some(found.text.all().as_bytes().to_vec())
    }

    /// Reads files that an assembly text names.
    fn include<'b>(
        &'b self,
        path: &'b Path,
        folders: &'b [PathBuf],
        read: &'b RefCell<Vec<PathBuf>>,
    ) -> impl Fn(&str) -> Result<Vec<u8>, String> + 'b {
        move |wanted| {
            let own = path.parent().unwrap_or(Path::new(""));
            for folder in std::iter::once(own).chain(folders.iter().map(PathBuf::as_path)) {
                let place = folder.join(wanted);
                read.borrow_mut().push(plain(&place));
                if let Some(text) = self.opened(&place) {
                    return Ok(text);
                }
            }
            self.files.included(path, folders, wanted)
        }
    }

    /// Calls something with how the document's text is written.
    pub fn with_options<T>(
        &self,
        document: &Document,
        what: What,
        read: &RefCell<Vec<PathBuf>>,
        call: impl FnOnce(&TextOptions) -> T,
    ) -> T {
        self.with_options_from((&document.path, &[]), what, read, call)
    }

    /// The same for a program whose first text is somewhere, with the folders of its project.
    pub fn with_options_from<T>(
        &self,
        (first, folders): (&Path, &[PathBuf]),
        what: What,
        read: &RefCell<Vec<PathBuf>>,
        call: impl FnOnce(&TextOptions) -> T,
    ) -> T {
        let Settings { dialect, numbering, defines, .. } = self.settings;
        let include = self.include(first, folders, read);
        let about = what.gpu().map(Gpu::about);
        let known = about.map(|about| &about.text_options);
        let has_defines = about.is_some_and(|about| about.parameters.iter().any(|own| own.name == "define"));
        let has_defines = has_defines || matches!(what, What::Source(_));
        let defines: Vec<&str> = defines.iter().map(String::as_str).filter(|_| has_defines).collect();
        let dialect = dialect
            .as_deref()
            .filter(|name| known.is_some_and(|known| known.dialects.iter().any(|own| own.name == *name)));
        let numbering = numbering
            .as_deref()
            .filter(|name| known.is_some_and(|known| known.numberings.iter().any(|(own, _)| own == name)));
        let include: &gpuzoo::machine::Include = &include;
        call(&TextOptions {
            dialect,
            numbering,
            defines: &defines,
            include: Some(include),
            ..TextOptions::default()
        })
    }
}
