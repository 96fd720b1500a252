//! Open documents: where they are, the files that they name, and what was found in them.

use crate::lsp::text::Text;
use gpuzoo::computer::Computer;
use gpuzoo::diag::{Diagnostic, Lexeme, Sources, Symbol};
use gpuzoo::machine::computer::Placed;
use gpuzoo::{Gpu, Program, ShaderUnit};
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

/// Kind of a document.
#[derive(Clone, Copy)]
pub(crate) enum What {
    /// A text for shader units.
    Unit(&'static dyn ShaderUnit),
    /// A source in a shading language, which is compiled for shader units.
    Source(&'static dyn ShaderUnit),
    /// A text for the CPU of a machine.
    Computer(Computer),
    /// A scene.
    Scene,
    /// A project file.
    Project,
    /// Nothing that is known here.
    Other,
}

impl What {
    /// The machine of an assembly text.
    pub fn gpu(self) -> Option<&'static dyn Gpu> {
        match self {
            What::Unit(unit) => Some(unit),
            What::Computer(computer) => Some(computer.gpu()),
            What::Source(_) | What::Scene | What::Project | What::Other => None,
        }
    }
}

/// Result of analysing a document.
pub(crate) struct Analysis {
    /// Kind of the document.
    pub what: What,
    /// The words of an assembly text.
    pub lexemes: Vec<Lexeme>,
    /// Errors and warnings.
    pub problems: Vec<Diagnostic>,
    /// Sources of the problems' spans.
    pub sources: Sources,
    /// A program of shader units without errors.
    pub program: Option<Program>,
    /// Addresses of the bytes of a CPU's program.
    pub placed: Vec<Placed>,
    /// Files that were read, or were not there.
    pub read: Vec<PathBuf>,
    /// The text from whose folder files are named: the document, or the first one of its program.
    pub first: PathBuf,
    /// The document is one of several texts of a program.
    pub is_part: bool,
    /// Bytes of the document before what was read: a byte order mark.
    pub shift: usize,
    /// The names of an assembly text and the files that they stand in, once somebody has asked.
    pub names: OnceCell<(Sources, Vec<Symbol>)>,
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
