//! The preprocessor of the Direct3D dialect (spec section 11): what C's does, for texts in which `;` begins a comment.
//!
//! A text becomes another one without preprocessor lines and macros, which is read as any other. A [`Map`] leads from places
//! in it back to the files and, through the macros, to what was written there. A text that has nothing to preprocess is read
//! as it is.
//!
//! - `#include "f"` looks in the folders of the including files, the innermost first, then where `<f>` looks: where the
//!   caller does, with the name as it is written.
//! - `#define` with and without parameters, `##`, `#undef`; what continues on further lines stays on lines of its own, so a
//!   macro can hold several instructions.
//! - `#if`, `#ifdef`, `#ifndef`, `#elif`, `#else`, `#endif` with [integer expressions](gpuzoo_isa::Cursor::expression) and
//!   `defined`.
//! - `#line 12 "f"` and `# 12 "f"` are what messages note, `#error` stops, `#pragma screenspace` is remembered.
//! - A backslash at the end of a line joins the next one to it, but not in a comment.

mod directives;
mod expand;
mod map;
mod source;

pub use directives::directives;
pub use map::Map;
pub use source::{SYNTAX, lines};

use crate::vertex::rules::{INCLUDE, LIMIT, PREPROCESSOR};
use crate::vertex::syntax::D3D;
use directives::Condition;
use expand::Macro;
use gpuzoo_diag::{Diagnostic, File, FileId, Severity, Sources, Span};
use gpuzoo_isa::codes::OPEN_COMMENT;
use gpuzoo_isa::{Failed, TokenKind};
use gpuzoo_machine::{Include, text};
use map::Output;
use source::{NOWHERE, Source};
use std::collections::HashMap;
use std::rc::Rc;

/// How deep files may include one another.
pub const MAX_DEPTH: usize = 32;
/// How many times files may be included, and how many bytes they may have, counted each time.
pub const MAX_INCLUDES: usize = 1000;
/// See [`MAX_INCLUDES`].
pub const MAX_INCLUDED: usize = 16 << 20;
/// How many bytes macros may expand to, counted at every level; each expansion counts as one at least.
pub const MAX_EXPANDED: usize = 1 << 20;
/// How many expansions may be under way in each other.
pub const MAX_NESTED: usize = 128;
/// Preprocessing stops after this many errors; of warnings and notes, so many are shown.
pub const MAX_PROBLEMS: usize = 100;

/// What there is besides a text that is preprocessed.
#[derive(Default)]
pub struct Given<'a> {
    /// Gets the files that are included; without it none can be.
    pub sources: Option<&'a mut Sources>,
    /// Reads them.
    pub include: Option<&'a Include<'a>>,
    /// Macros: `NAME` is 1, `NAME=VALUE`, `NAME=` is nothing.
    pub defines: &'a [&'a str],
}

/// A text without preprocessor lines and macros.
pub struct Preprocessed {
    /// It, for an assembler.
    pub file: File,
    /// From its places to those of the sources.
    pub map: Map,
    /// What is wrong. With an error among it, the text is not worth reading.
    pub problems: Vec<Diagnostic>,
    /// Where a `#pragma screenspace` stands.
    pub screenspace: Option<Span>,
    /// Files that were included, and where they are named.
    pub included: Vec<(FileId, Span)>,
}

/// True for a text that the preprocessor would leave as it is.
pub fn is_plain(text: &str, defines: &[&str]) -> bool {
    let directive = |line: &str| line.trim_start_matches(char::is_whitespace).starts_with('#');
    let continued = |line: &str| line.ends_with('\\');
    // A comment may stand before a `#`, which is found where lines are read as such.
    defines.is_empty() && !text.lines().any(|line| directive(line) || continued(line) || line.contains("*/"))
}

/// Carries out the preprocessor lines of a text of the Direct3D dialect and replaces its macros.
///
/// ```
/// use gpuzoo_diag::File;
/// use gpuzoo_nv2a::{Given, preprocess};
/// let file = File::new("a.vsh", "#pragma screenspace\n#define POS v0\nxvs.1.1\nmov oPos, POS\n");
/// let done = preprocess(&file, Given::default());
/// assert_eq!(done.file.text().trim(), "xvs.1.1\nmov oPos, v0");
/// assert!(done.screenspace.is_some());
/// let at = done.file.text().find("v0").unwrap();
/// assert_eq!(file.slice(done.map.place(done.file.span(at..at + 2))), "POS");
/// ```
pub fn preprocess(file: &File, given: Given) -> Preprocessed {
    let mut preprocessor = Preprocessor {
        given,
        texts: HashMap::new(),
        macros: HashMap::new(),
        folders: Vec::new(),
        out: Output::default(),
        problems: Vec::new(),
        errors: 0,
        screenspace: None,
        named: Vec::new(),
        included: (0, 0),
        expanded: 0,
        depth: 0,
    };
    let mut read = preprocessor.command_line();
    if read.is_ok() {
        read = preprocessor.file(file.id(), &file.text().into());
    }
    // What stopped it has been reported.
    let _ = read;
    let Preprocessor { out, problems, screenspace, named, .. } = preprocessor;
    let (text, map) = out.finish(file);
    Preprocessed { file: File::new(file.name(), &text), map, problems, screenspace, included: named }
}

/// A text that is being preprocessed.
struct Preprocessor<'a> {
    given: Given<'a>,
    /// Files that were included, by the name under which they were found.
    texts: HashMap<String, (FileId, Rc<str>)>,
    macros: HashMap<Rc<str>, Rc<Macro>>,
    /// The folders of the files under way, as their names have them, each with a slash at its end.
    folders: Vec<String>,
    out: Output,
    problems: Vec<Diagnostic>,
    /// Errors among them.
    errors: usize,
    screenspace: Option<Span>,
    /// Files that were included, and where they are named.
    named: Vec<(FileId, Span)>,
    /// How often files were included, and their bytes.
    included: (usize, usize),
    /// Bytes that macros expanded to.
    expanded: usize,
    /// Arguments under way in each other.
    depth: usize,
}

impl Preprocessor<'_> {
    fn fail<T>(&mut self, problem: Diagnostic) -> Result<T, Failed> {
        self.report(problem);
        Err(Failed)
    }

    fn report(&mut self, mut problem: Diagnostic) {
        let others = self.problems.len() - self.errors;
        if problem.severity == Severity::Error {
            self.errors += 1;
            if self.errors == MAX_PROBLEMS {
                problem = problem.note(format!("after {MAX_PROBLEMS} errors the text is not read further"));
            }
        } else if others >= MAX_PROBLEMS {
            return;
        } else if others + 1 == MAX_PROBLEMS {
            problem = problem.note(format!("after {MAX_PROBLEMS} warnings and notes others are not shown"));
        }
        self.problems.push(problem);
    }

    /// The macros of the command line.
    fn command_line(&mut self) -> Result<(), Failed> {
        for define in self.given.defines {
            let (name, value) = define.split_once('=').unwrap_or((define, "1"));
            let text: Rc<str> = format!("{name} {value}").into();
            let id = self.given.sources.as_deref_mut().map(|sources| sources.add("--define", &text));
            let mut source = Source::new(id.unwrap_or(NOWHERE), &text);
            let is_name =
                source.next.kind == TokenKind::Word && source.word() == name && !text.contains('\n');
            let token = source.take();
            let body = self.body(&mut source);
            let (true, Some(body), TokenKind::End) = (is_name, body, source.next.kind) else {
                let message = format!("`{}` cannot be defined", define.escape_debug());
                let problem = Diagnostic::error(&PREPROCESSOR, message);
                return self.fail(problem.help("a definition is `NAME` or `NAME=VALUE`, as `LIGHTS=2`"));
            };
            let of = Macro { name: token.text, span: token.origin.span, parameters: None, body };
            self.macros.insert(of.name.clone(), Rc::new(of));
        }
        Ok(())
    }

    fn open_comment<T>(&mut self, span: Span) -> Result<T, Failed> {
        let problem = Diagnostic::error(&OPEN_COMMENT, "comment is never closed");
        self.fail(problem.label(span, "opened here").help("close it with `*/`"))
    }

    /// Appends a file.
    fn file(&mut self, id: FileId, text: &Rc<str>) -> Result<(), Failed> {
        let mut source = Source::new(id, text);
        let mut conditions: Vec<Condition> = Vec::new();
        while source.next.kind != TokenKind::End {
            if self.errors >= MAX_PROBLEMS {
                return Err(Failed);
            }
            let start = source.next.start;
            match source.next.kind {
                TokenKind::OpenComment => return self.open_comment(source.span()),
                _ if source.next.first && source.word() == "#" => {
                    self.out.copy(&mut source, start);
                    let hash = source.span();
                    source.advance();
                    self.directive(&mut source, &mut conditions, hash)?;
                    source.copied = source.at;
                }
                TokenKind::Word if self.macros.contains_key(source.word()) => {
                    self.out.copy(&mut source, start);
                    let name = source.take();
                    let expanded = self.expand(vec![name], Some(&mut source), &[])?;
                    for (at, token) in expanded.iter().enumerate() {
                        self.out.token(token, at == 0);
                    }
                    source.copied = source.at;
                }
                _ if source.is_continuation() => {
                    self.out.copy(&mut source, start);
                    self.out.blank();
                    source.advance();
                    source.copied = source.at;
                }
                _ => source.advance(),
            }
        }
        self.out.copy(&mut source, text.len());
        match conditions.pop() {
            Some(open) => self.fail(open.never_closed()),
            None => Ok(()),
        }
    }

    /// Includes a file that is named at `span`.
    fn include(&mut self, name: &str, quoted: bool, span: Span) -> Result<(), Failed> {
        let limit = |message: String| Diagnostic::error(&LIMIT, message).at(span);
        if self.folders.len() >= MAX_DEPTH {
            let problem = limit(format!("files include one another more than {MAX_DEPTH} deep"));
            return self.fail(problem.help("does the file include itself?"));
        }
        let (id, text) = self.find(name, quoted, span)?;
        self.included.0 += 1;
        self.included.1 += text.len();
        if self.included.0 > MAX_INCLUDES || self.included.1 > MAX_INCLUDED {
            let most = format!("at most {MAX_INCLUDES} files with {} MiB", MAX_INCLUDED >> 20);
            return self.fail(limit("too much is included".to_owned()).note(most));
        }
        self.named.push((id, span));
        self.out.enter(id, span);
        self.file(id, &text)?;
        self.folders.pop();
        self.out.line_end();
        Ok(())
    }

    /// A file of a name, and its folder under way.
    fn find(&mut self, name: &str, quoted: bool, span: Span) -> Result<(FileId, Rc<str>), Failed> {
        let name = name.replace('\\', "/");
        let own = self.folders.iter().rev().filter(|folder| quoted && !folder.is_empty());
        let mut wanted: Vec<String> = own.map(|folder| format!("{folder}{name}")).collect();
        wanted.push(name.clone());
        let mut reason = "no files are given".to_owned();
        for path in wanted {
            let folder = path.rfind('/').map_or("", |slash| &path[..=slash]).to_owned();
            if let Some((id, text)) = self.texts.get(&path) {
                self.folders.push(folder);
                return Ok((*id, text.clone()));
            }
            let (Some(include), Some(sources)) = (self.given.include, self.given.sources.as_deref_mut())
            else {
                continue;
            };
            let bytes = match include(&path) {
                Ok(bytes) => bytes,
                Err(why) => {
                    reason = why;
                    continue;
                }
            };
            let id = match text::source(sources, &path, &bytes, &D3D) {
                Ok(id) => id,
                Err(problem) => return self.fail(problem.label(span, "included here")),
            };
            let text: Rc<str> = sources.get(id).text().into();
            self.texts.insert(path, (id, text.clone()));
            self.folders.push(folder);
            return Ok((id, text));
        }
        let problem = Diagnostic::error(&INCLUDE, format!("cannot include `{}`", name.escape_debug()));
        let problem = problem.label(span, reason.escape_debug().to_string());
        self.fail(problem.help("`--include FOLDER` says where else to look"))
    }
}
