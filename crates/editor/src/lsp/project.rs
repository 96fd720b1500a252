//! The project that a document is a source of: what it is read with.

use crate::lsp::around::Around;
use crate::lsp::document::Document;
use crate::wire::uri::plain;
use gpuzoo::codes::UNREADABLE;
use gpuzoo::computer::{Arguments, Verb, parameter};
use gpuzoo::diag::{Diagnostic, File};
use gpuzoo::machine::options::arguments::{Kind, Value};
use gpuzoo::project_file::{ProjectFile, is_project};
use std::cell::RefCell;
use std::path::{Path, PathBuf};

/// A program of texts.
pub(crate) struct ProgramTexts {
    /// The path of the first text: names in the program are from its folder.
    pub first: PathBuf,
    /// What reading the program gets, the other texts among it.
    pub arguments: Arguments,
    /// Where included files are looked for after the first text's folder.
    pub folders: Vec<PathBuf>,
    /// The paths of all texts.
    pub paths: Vec<PathBuf>,
    /// The first text's bytes, and the names and bytes of the others.
    pub bytes: Vec<u8>,
    pub others: Vec<(String, Vec<u8>)>,
}

impl ProgramTexts {
    /// A document that is a program by itself.
    fn alone(document: &Document) -> ProgramTexts {
        ProgramTexts {
            first: document.path.clone(),
            arguments: Arguments::default(),
            folders: Vec::new(),
            paths: vec![plain(&document.path)],
            bytes: document.text.all().as_bytes().to_vec(),
            others: Vec::new(),
        }
    }

    /// Whether there is more than one text.
    pub fn are_several(&self) -> bool {
        self.paths.len() > 1
    }

    /// The program that a document is a text of: that of the nearest project that names it, or else itself. What cannot be read is a problem.
    pub fn of(
        document: &Document,
        around: &Around,
        read: &RefCell<Vec<PathBuf>>,
    ) -> (ProgramTexts, Vec<Diagnostic>) {
        let own = plain(&document.path);
        for path in around.files.projects(&document.path) {
            read.borrow_mut().push(plain(&path));
            let bytes = around.opened(&path).map_or_else(|| around.files.named(&path, &path), Ok);
            let Some(text) = bytes.ok().and_then(|bytes| String::from_utf8(bytes).ok()) else { continue };
            let file = File::new(&path.to_string_lossy(), &text);
            // What is wrong with it is shown where it is open.
            let Some(project) =
                is_project(&text).then(|| ProjectFile::parse(around.registry, &file).ok()).flatten()
            else {
                continue;
            };
            let folder = path.parent().unwrap_or(Path::new(""));
            if project.sources.iter().any(|source| plain(&folder.join(source)) == own) {
                return ProgramTexts::of_project(&project, &path, around, read);
            }
        }
        (ProgramTexts::alone(document), Vec::new())
    }

    /// The program of a project file.
    pub fn of_project(
        project: &ProjectFile,
        path: &Path,
        around: &Around,
        read: &RefCell<Vec<PathBuf>>,
    ) -> (ProgramTexts, Vec<Diagnostic>) {
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut problems = Vec::new();
        let bytes_of = |name: &str, problems: &mut Vec<Diagnostic>| {
            let wanted = plain(&folder.join(name));
            read.borrow_mut().push(wanted.clone());
            let bytes = around.opened(&wanted).map_or_else(|| around.files.named(path, &wanted), Ok);
            let bytes = bytes.unwrap_or_else(|error| {
                let message = format!("`{name}` of the project cannot be read: {error}");
                problems.push(Diagnostic::error(&UNREADABLE, message));
                Vec::new()
            });
            (wanted, bytes)
        };
        let mut all =
            project.sources.iter().map(|name| bytes_of(name, &mut problems)).collect::<Vec<_>>().into_iter();
        let (first, bytes) = all.next().unwrap_or_default();
        let base = first.parent().unwrap_or(Path::new("")).to_owned();
        let mut paths = vec![first.clone()];
        let mut others = Vec::new();
        let mut arguments = Arguments::default();
        let mut own = project.gpu.about().parameters.iter();
        let link = own.find(|own| own.kind == Kind::Source).map_or("", |own| own.name);
        for (path, bytes) in all {
            let name = path.strip_prefix(&base).unwrap_or(&path).to_string_lossy().into_owned();
            arguments = arguments.set(link, Value::File(name.clone(), bytes.clone()));
            others.push((name, bytes));
            paths.push(path);
        }
        let mut folders = vec![folder.to_owned()];
        for given in &project.options {
            let named = project.gpu.about().parameters.iter().find(|own| own.name == given.name);
            match (parameter(project.gpu, Verb::Read, given.name), named.map(|own| own.kind)) {
                (_, Some(Kind::Folder)) => {
                    for name in &given.values {
                        let named = folder.join(name);
                        match around.files.may_name(path, &named) {
                            Ok(()) => folders.push(named),
                            Err(error) => {
                                let message = format!("`{name}` of the project is not taken: {error}");
                                problems.push(Diagnostic::error(&UNREADABLE, message));
                            }
                        }
                    }
                }
                (Ok(own), _) if own.kind == Kind::File => {
                    for name in &given.values {
                        let (path, bytes) = bytes_of(name, &mut problems);
                        let name = path.to_string_lossy().into_owned();
                        arguments = arguments.set(own.name, Value::File(name, bytes));
                    }
                }
                (Ok(own), _) => {
                    for value in given.values.iter().filter_map(|text| own.read(text).ok()) {
                        arguments = arguments.set(own.name, value);
                    }
                }
                // What the program is run with.
                (Err(_), _) => {}
            }
        }
        (ProgramTexts { first, arguments, folders, paths, bytes, others }, problems)
    }
}
