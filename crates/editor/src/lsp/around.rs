//! The surroundings of documents: the editor's settings, the other documents, and files.

use crate::lsp::document::{Document, Files, What};
use crate::wire::uri::plain;
use gpuzoo::Registry;
use gpuzoo::diag::Diagnostic;
use gpuzoo::diag::serde::{self, Deserialize};
use gpuzoo::machine::limits::budget::Budget;
use gpuzoo::machine::{Profile, TextOptions};
use gpuzoo::options::{BAD_OPTION, OptionMap, ReadOptions};
use serde_json::Value as Json;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The settings for all documents, from `initializationOptions`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    /// The machine of files whose extension says none.
    pub gpu: Option<String>,
    /// The options of reading a document, as far as its machine has them.
    pub read: ReadOptions,
}

/// The settings of the language server alone.
#[derive(Default, Deserialize)]
#[serde(crate = "serde", default)]
struct OfServer {
    /// The machine of files whose extension says none.
    gpu: Option<String>,
}

impl Settings {
    /// Reads a JSON object; the problems are about members that do not exist and values that are not taken, without which the rest counts.
    pub fn read(json: &Json, registry: &Registry) -> (Settings, Vec<Diagnostic>) {
        let (mut settings, mut problems) = (Settings::default(), Vec::new());
        let mut options = match OptionMap::from_json(json.clone()) {
            Ok(options) => options,
            Err(problem) => return (settings, vec![problem]),
        };
        match options.take() {
            Ok(OfServer { gpu }) => settings.gpu = gpu.filter(|id| !id.is_empty()),
            Err(problem) => problems.push(problem),
        }
        if let Some(id) = &settings.gpu
            && let Err(problem) = registry.choose(Some(id), "")
        {
            problems.push(problem);
        }
        match options.take::<ReadOptions>() {
            Ok(read) => {
                let of_one_program = [
                    ("from", read.from.is_some()),
                    ("draw", read.draw.is_some()),
                    ("launch", read.launch.is_some()),
                ];
                for (name, _) in of_one_program.into_iter().filter(|(_, is_set)| *is_set) {
                    let message =
                        format!("the option `{name}` is about one program, and these are for all documents");
                    problems.push(Diagnostic::error(&BAD_OPTION, message));
                }
                settings.read = ReadOptions { from: None, draw: None, launch: None, ..read };
            }
            Err(problem) => problems.push(problem),
        }
        problems.extend(options.finish().err());
        (settings, problems)
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
    /// Budget of reading a document.
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
        let include = self.include(first, folders, read);
        let include: &gpuzoo::machine::Include = &include;
        // Another machine's options say nothing about this document.
        let read_options = match (what, what.gpu()) {
            (What::Source(_), _) => self.settings.read.clone(),
            (_, Some(gpu)) => self.settings.read.for_machine(gpu.about()),
            (_, None) => ReadOptions::default(),
        };
        read_options.with_text(Some(include), Profile::default(), None, call)
    }
}
