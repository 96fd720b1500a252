//! What gpuzoo finds in a document.

use crate::lsp::around::{Around, Settings};
use crate::lsp::document::{Analysis, Document, What};
use crate::lsp::project::ProgramTexts;
use crate::lsp::toml;
use crate::wire::uri::plain;
use gpuzoo::computer::{Computer, Input};
use gpuzoo::diag::{Diagnostic, FileId, Lexeme, Severity, Sources, Span, Symbol, capped};
use gpuzoo::kind::Kind;
use gpuzoo::machine::{Arguments, TextOptions, text};
use gpuzoo::project_file::{ProjectFile, is_project};
use gpuzoo::read::{self, Form};
use gpuzoo::scene::Texts;
use gpuzoo::{Gpu, Registry, ShaderUnit, format, render};
use std::cell::{OnceCell, RefCell};
use std::ops::Range;
use std::path::{Path, PathBuf};

impl What {
    /// What a document is: as its language says if that is a machine's name, or else its extension.
    pub fn of(document: &Document, registry: &Registry, settings: &Settings) -> What {
        let name = document.path.to_string_lossy();
        let language = document.language.strip_prefix("gpuzoo-").unwrap_or(&document.language);
        let text = || Some(document.text.all().to_owned());
        let said = registry.by_id(language);
        if said.is_none() && Kind::of_name(registry, &name) == Some(Kind::Scene) {
            if is_project(document.text.all()) {
                return What::Project;
            }
            return match Kind::of_found(registry, &name, text) {
                Some(Kind::Scene) => What::Scene,
                _ => What::Other,
            };
        }
        let gpu = said.or_else(|| match registry.by_extension(&name)[..] {
            [gpu] => Some(gpu),
            _ => settings.gpu.as_deref().and_then(|id| registry.by_id(id)),
        });
        let unit = gpu.and_then(Gpu::shader_unit);
        if let Some(unit) = unit.filter(|unit| matches!(Form::of_name(*unit, &name), Some(Form::Source(_)))) {
            return What::Source(unit);
        }
        let Some(gpu) = gpu.filter(|gpu| format::is_text(*gpu, &name, document.text.all().as_bytes())) else {
            return What::Other;
        };
        match (gpu.shader_unit(), Computer::of(gpu)) {
            (Some(unit), _) => What::Unit(unit),
            (None, Ok(computer)) => What::Computer(computer),
            (None, Err(_)) => What::Other,
        }
    }
}

impl Analysis {
    /// Reads a document.
    pub fn of(document: &Document, around: &Around) -> Analysis {
        let text = document.text.all();
        // As for all verbs: so long a text would take gigabytes.
        let refusal = around.budget.ask_text(text.len()).err();
        let what = match refusal {
            None => What::of(document, around.registry, around.settings),
            Some(_) => What::Other,
        };
        let read = RefCell::default();
        let mut analysis = Analysis {
            what,
            lexemes: Vec::new(),
            problems: refusal.map(|refusal| refusal.problem()).into_iter().collect(),
            sources: Sources::default(),
            program: None,
            placed: Vec::new(),
            read: Vec::new(),
            first: document.path.clone(),
            is_part: false,
            shift: if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 },
            names: OnceCell::new(),
        };
        around.with_options(document, what, &read, |options| match what {
            What::Unit(unit) => {
                analysis.lexemes = format::lexemes(unit, text, options);
                analysis.unit(unit, document, Some(Form::Asm), options);
            }
            What::Source(unit) => analysis.unit(unit, document, None, options),
            What::Computer(computer) => {
                analysis.lexemes = format::lexemes(computer.gpu(), text, options);
                let (texts, problems) = ProgramTexts::of(document, around, &read);
                analysis.is_part = texts.are_several();
                analysis.computer(computer, &texts, problems, around, &read);
                // What is wrong in another text is shown there.
                let own = plain(&document.path);
                let others: Vec<&PathBuf> = texts.paths.iter().filter(|path| **path != own).collect();
                let mut problems = std::mem::take(&mut analysis.problems);
                problems.retain(|problem| {
                    let path = problem.span().and_then(|span| analysis.path(&analysis.sources, span));
                    path.is_none_or(|path| !others.contains(&&path))
                });
                analysis.problems = problems;
            }
            What::Project => {
                analysis.lexemes = toml::lexemes(text);
                analysis.project(document, around, &read);
            }
            What::Scene => {
                analysis.lexemes = toml::lexemes(text);
                analysis.scene(document, around, &read);
            }
            What::Other => {}
        });
        analysis.problems = capped(std::mem::take(&mut analysis.problems));
        analysis.read = read.into_inner();
        analysis
    }

    /// Reads a program in a form, or as its name says.
    fn unit(
        &mut self,
        unit: &'static dyn ShaderUnit,
        document: &Document,
        form: Option<Form>,
        options: &TextOptions,
    ) {
        let (name, text) = (document.path.to_string_lossy(), document.text.all());
        match read::read(unit, &mut self.sources, &name, text.as_bytes(), form, options) {
            Ok(program) => {
                self.problems = program.warnings().to_vec();
                self.problems.extend(program.check());
                self.program = Some(program);
            }
            Err(problems) => self.problems = problems,
        }
    }

    fn computer(
        &mut self,
        computer: Computer,
        texts: &ProgramTexts,
        mut problems: Vec<Diagnostic>,
        around: &Around,
        read: &RefCell<Vec<PathBuf>>,
    ) {
        self.first.clone_from(&texts.first);
        let name = texts.first.to_string_lossy();
        let from = (texts.first.as_path(), &texts.folders[..]);
        let result = around.with_options_from(from, self.what, read, |options| {
            let mut include =
                |wanted: &str| options.include.map_or(Err(String::new()), |include| include(wanted));
            let (bytes, form) = (texts.bytes.as_slice(), computer.text_form());
            computer.read(Input { name: &name, bytes, form, include: &mut include }, &texts.arguments)
        });
        match result {
            Ok(software) => {
                problems.extend_from_slice(software.warnings());
                match software.check(&Arguments::default()) {
                    Ok(report) => problems.extend(report.remarks),
                    Err(problem) => problems.push(problem),
                }
                self.placed = software.placed();
                self.sources = (**software.sources()).clone();
            }
            Err(found) => {
                problems.extend(found.list);
                self.sources = (*found.sources).clone();
            }
        }
        self.problems = problems;
    }

    /// Reads a project file, and what is wrong with its program.
    fn project(&mut self, document: &Document, around: &Around, read: &RefCell<Vec<PathBuf>>) {
        let text = document.text.all();
        let file = self.sources.add(&document.path.to_string_lossy(), &text[self.shift..]);
        let project = match ProjectFile::parse(around.registry, self.sources.get(file)) {
            Ok(project) => project,
            Err(problems) => {
                self.problems = problems;
                return;
            }
        };
        match Computer::of(project.gpu) {
            Ok(computer) => {
                let (texts, problems) = ProgramTexts::of_project(&project, &document.path, around, read);
                self.computer(computer, &texts, problems, around, read);
                self.problems.retain(|problem| problem.severity == Severity::Error);
            }
            Err(problem) => self.problems.push(problem),
        }
    }

    fn scene(&mut self, document: &Document, around: &Around, noted: &RefCell<Vec<PathBuf>>) {
        let own = plain(&document.path);
        let read = |wanted: &Path| {
            if plain(wanted) == own {
                return Ok(document.text.all().as_bytes().to_vec());
            }
            noted.borrow_mut().push(plain(wanted));
            around.opened(wanted).map_or_else(|| around.kept.named(around.files, &document.path, wanted), Ok)
        };
        let defines: Vec<&str> = around.settings.read.define.iter().map(String::as_str).collect();
        let texts = Texts { defines: &defines, ..Texts::default() };
        let budget = around.budget.clone();
        let (scene, problems) =
            render::load(around.registry, &mut self.sources, &document.path, &read, texts, budget);
        self.problems = problems;
        self.problems.extend(scene.iter().flat_map(render::check));
    }

    /// The bytes of a place in the document; none for one in another file.
    pub fn bytes(&self, span: Span, document: &Document) -> Option<Range<usize>> {
        self.bytes_in(&self.sources, span, document)
    }

    fn bytes_in(&self, sources: &Sources, span: Span, document: &Document) -> Option<Range<usize>> {
        let is_own = self.path(sources, span)? == plain(&document.path);
        is_own.then(|| span.start as usize + self.shift..span.end as usize + self.shift)
    }

    /// The path of the file that a place lies in.
    fn path(&self, sources: &Sources, span: Span) -> Option<PathBuf> {
        sources.find(span.file).map(|file| self.beside(file.name()))
    }

    /// The path of a file that the program names.
    pub fn beside(&self, name: &str) -> PathBuf {
        beside(&self.first, name)
    }

    /// The word at a byte, or that ends there.
    pub fn lexeme(&self, at: usize) -> Option<&Lexeme> {
        let behind = self.lexemes.partition_point(|lexeme| lexeme.start <= at);
        self.lexemes[..behind].last().filter(|lexeme| at <= lexeme.end)
    }

    /// The names of an assembly text, or of all texts of its program, and the files that their places lie in.
    pub fn names(&self, document: &Document, around: &Around) -> &(Sources, Vec<Symbol>) {
        self.names.get_or_init(|| {
            let (name, text) = (document.path.to_string_lossy(), document.text.all());
            let (mut sources, read) = (Sources::default(), RefCell::default());
            let symbols = match self.what {
                What::Unit(unit) => {
                    let file = sources.add(&name, &text[self.shift..]);
                    around.with_options(document, self.what, &read, |options| {
                        unit.symbols(&mut sources, file, options)
                    })
                }
                What::Computer(computer) => {
                    let (texts, _) = ProgramTexts::of(document, around, &read);
                    let first = texts.first.to_string_lossy();
                    let others = texts.others.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()));
                    let all = std::iter::once((&*first, &texts.bytes[..])).chain(others);
                    let files: Vec<FileId> =
                        all.filter_map(|(name, bytes)| text::read(&mut sources, name, bytes).ok()).collect();
                    let from = (texts.first.as_path(), &texts.folders[..]);
                    around.with_options_from(from, self.what, &read, |options| {
                        computer.symbols(&mut sources, &files, &texts.arguments, options)
                    })
                }
                What::Source(_) | What::Scene | What::Project | What::Other => Vec::new(),
            };
            (sources, symbols)
        })
    }

    /// The name at a byte, and its place there.
    pub fn symbol(&self, at: usize, document: &Document, around: &Around) -> Option<(&Symbol, Range<usize>)> {
        let (sources, symbols) = self.names(document, around);
        // A name may have a mark before it, which is not a part of it.
        let is_marked = |own: &&Lexeme| own.start == at && own.text(document.text.all()).starts_with('#');
        let at = self.lexeme(at).filter(is_marked).map_or(at, |own| own.start + 1);
        let found = symbols.iter().flat_map(|symbol| symbol.places().map(move |place| (symbol, place)));
        let mut found =
            found.filter_map(|(symbol, place)| Some((symbol, self.bytes_in(sources, place, document)?)));
        found.find(|(_, bytes)| (bytes.start..=bytes.end).contains(&at))
    }

    /// Where a place of a name is: a file and the bytes in it; none for a file that is the machine's own.
    pub fn place(&self, span: Span, document: &Document, around: &Around) -> Option<(PathBuf, Range<usize>)> {
        let (sources, _) = self.names(document, around);
        if let Some(bytes) = self.bytes_in(sources, span, document) {
            return Some((document.path.clone(), bytes));
        }
        Some((self.path(sources, span)?, span.range()))
    }
}

/// The path of a file that another one names.
pub(crate) fn beside(path: &Path, name: &str) -> PathBuf {
    plain(&path.parent().unwrap_or(Path::new("")).join(name))
}
