//! The reading of a scene: its state, and the steps that all parts of a scene share.

use crate::kept::Kept;
use gpuzoo_diag::{Diagnostic, File, Sources, Span, noted};
use gpuzoo_isa::Assembled;
use gpuzoo_machine::limits::budget::{Budget, Resource, unreadable};
use gpuzoo_machine::options::settings::{Table, Value, wrong_type};
use gpuzoo_machine::{ShaderUnit, TextOptions};
use std::any::Any;
use std::cell::Cell;
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

gpuzoo_diag::codes! {
    CANNOT_READ = "R0313", "file that cannot be read",
        "The file is not there, may not be read, or is not a text where a text is expected. Names of files count from \
         the folder of the scene file.";
}

/// Reads scenes.
pub struct Loader<'a> {
    /// Reads a file: from disk, from memory, from where the caller likes.
    pub read: &'a dyn Fn(&Path) -> io::Result<Vec<u8>>,
    /// The machines that scenes may name.
    pub gpus: &'a [&'static dyn ShaderUnit],
    /// Gets the scene's text and those of the files that it names. Diagnostics point into them.
    pub sources: &'a mut Sources,
    /// Settings for the texts of programs.
    pub texts: Texts<'a>,
    /// Budget of reading and drawing, for all frames together; further scenes may share it. What draws without end needs
    /// one that is [unlimited](Budget::unlimited).
    pub budget: Budget,
    /// Results of the previous reading, for callers that re-read a scene while it is edited.
    pub kept: Option<&'a mut Kept>,
}

/// Settings for the texts of programs, beside those of the scene itself.
#[derive(Clone, Copy, Default)]
pub struct Texts<'a> {
    /// The folders of files that a text names, after the folder of its own file.
    pub folders: &'a [PathBuf],
    /// Macros, as in [`TextOptions`].
    pub defines: &'a [&'a str],
    /// The compiler of sources in shading languages; without it there are none.
    pub compiler: Option<&'a Compiler>,
}

impl std::fmt::Debug for Texts<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Texts { folders, defines, compiler } = self;
        let mut texts = f.debug_struct("Texts");
        texts
            .field("folders", folders)
            .field("defines", defines)
            .field("compiler", &compiler.is_some())
            .finish()
    }
}

/// Makes a program of a source, whose name and bytes it gets; the source is added to the list. None if the name does not say that it
/// is in a shading language.
pub type Compiler =
    dyn Fn(&'static dyn ShaderUnit, &mut Sources, &str, &[u8], &TextOptions) -> Option<Assembled>;

/// Things with names; `None` for those that could not be read.
pub(crate) type Named<T> = HashMap<String, Option<T>>;

/// A scene that is being read: the file, and its problems so far.
pub(crate) struct Reading<'a, 'l> {
    /// The loader of the caller.
    pub loader: &'a mut Loader<'l>,
    /// The scene file.
    pub file: &'a File,
    /// The folder that names of files count from.
    pub folder: &'a Path,
    /// The problems so far.
    pub problems: Vec<Diagnostic>,
}

/// The problem of a file that cannot be read.
pub(crate) fn cannot_read(path: &Path, error: &io::Error) -> Diagnostic {
    unreadable(&CANNOT_READ, &path.display().to_string(), error)
}

impl Reading<'_, '_> {
    /// The value of a result; a problem is noted.
    pub(crate) fn keep<T>(&mut self, result: Result<T, Diagnostic>) -> Option<T> {
        noted(result, &mut self.problems)
    }

    /// Uses some of the budget for what stands at a place.
    pub(crate) fn spend(&mut self, of: Resource, much: u64, span: Span) -> Option<()> {
        let spent = self.loader.budget.spend(of, much);
        self.keep(spent.map_err(|refusal| refusal.at(span)))
    }

    /// The tables of a section `[KIND.NAME]`.
    pub(crate) fn named<T>(
        &mut self,
        section: Option<&Table>,
        mut read: impl FnMut(&mut Self, &str, &Table) -> Option<T>,
    ) -> Named<T> {
        let mut named = HashMap::new();
        if let Some(section) = section
            && self.spend(Resource::Nodes, section.entries.len() as u64, section.span).is_none()
        {
            return named;
        }
        for (name, _, setting) in section.iter().flat_map(|section| &section.entries) {
            let value = match &setting.value {
                Value::Table(table) => read(self, name, table),
                _ => {
                    self.problems.push(wrong_type(name, "a table", setting));
                    None
                }
            };
            named.insert(name.clone(), value);
        }
        named
    }

    /// Reads a file that a setting names, relative to the scene file.
    pub(crate) fn read(&mut self, name: &str, span: Span) -> Option<Vec<u8>> {
        let path = self.folder.join(name);
        let bytes = (self.loader.read)(&path).map_err(|error| cannot_read(&path, &error).label(span, ""));
        self.keep(bytes)
    }

    /// Result of a table, or that of the previous reading. Results that read files or report something are made each time.
    pub(crate) fn made<T: Any + Send + Sync>(
        &mut self,
        gpu: &'static dyn ShaderUnit,
        table: &Table,
        make: impl FnOnce(&mut Self, &dyn Fn(&Path) -> io::Result<Vec<u8>>) -> Option<T>,
    ) -> Option<Arc<T>> {
        let gpu = gpu.about().id;
        if let Some(known) = self.loader.kept.as_mut().and_then(|kept| kept.take(gpu, table)) {
            return Some(known);
        }
        let (said, reads, read) = (self.problems.len(), Cell::new(false), self.loader.read);
        let watched = |path: &Path| {
            reads.set(true);
            read(path)
        };
        let made = Arc::new(make(self, &watched)?);
        if !reads.get()
            && self.problems.len() == said
            && let Some(kept) = &mut self.loader.kept
        {
            kept.keep(gpu, table, made.clone());
        }
        Some(made)
    }
}
