//! C's preprocessor: files become one list of tokens, without preprocessor lines and macros.
//!
//! `#include "f"` looks in the folders of the including files, the innermost first, then where `<f>` looks: where the caller does.
//! Tokens that a macro makes have the place where it is used.

mod condition;
mod expand;
mod glsl;

use super::Options;
use super::codes::{INCLUDE, LIMIT, PREPROCESSOR, STOPPED, SYNTAX};
use super::lexer::{Kind, Token, tokens, tokens_at};
use expand::Macro;
use glsl::reserved;
use gpuzoo_diag::{Diagnostic, FileId, Sources, Span};
use gpuzoo_isa::Failed;
use gpuzoo_machine::text;
use rustc_hash::FxHashMap as HashMap;
use std::ops::Range;
use std::rc::Rc;

/// How deep files may include one another.
pub const MAX_DEPTH: usize = 32;
/// How many times files may be included, and how many bytes they may have, counted each time.
pub const MAX_INCLUDES: usize = 1000;
/// See [`MAX_INCLUDES`].
pub const MAX_INCLUDED: usize = 16 << 20;
/// How many errors are reported.
pub const MAX_PROBLEMS: usize = 100;

/// The language of a file that is preprocessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Cg, which includes files.
    Cg,
    /// GLSL: `#version` and `#extension` stay, `__VERSION__` and its like are defined, nothing is included.
    Glsl,
}

/// A file after the preprocessor.
#[derive(Debug, Default)]
pub struct Preprocessed {
    /// The tokens, without the end.
    pub tokens: Vec<Token>,
    /// Lines of the preprocessor among the tokens, `#version` and `#extension`.
    pub lines: Vec<Range<usize>>,
    /// The file and those that it includes.
    pub files: Vec<FileId>,
}

/// Reads a file and what it includes. With an error among the problems, tokens are missing.
pub fn preprocess(
    sources: &mut Sources,
    file: FileId,
    options: &Options,
    dialect: Dialect,
    problems: &mut Vec<Diagnostic>,
) -> Preprocessed {
    let mut preprocessor = Preprocessor {
        sources,
        options,
        dialect,
        problems,
        files: HashMap::default(),
        macros: HashMap::default(),
        folders: Vec::new(),
        included: (0, 0),
        expanded: 0,
        depth: 0,
        numbering: glsl::Numbering::default(),
        is_begun: false,
        lines: Vec::new(),
        out: Vec::new(),
    };
    let mut read = preprocessor.builtins(file).and_then(|()| preprocessor.defines(file));
    if read.is_ok() {
        read = preprocessor.file(file);
    }
    // What stopped it has been reported.
    let _ = read;
    let Preprocessor { out, files, lines, .. } = preprocessor;
    let mut others: Vec<FileId> = files.into_values().filter(|other| *other != file).collect();
    others.sort_unstable();
    Preprocessed { tokens: out, lines, files: [vec![file], others].concat() }
}

/// Files that are being preprocessed.
struct Preprocessor<'a, 'b> {
    sources: &'a mut Sources,
    options: &'a Options<'b>,
    dialect: Dialect,
    problems: &'a mut Vec<Diagnostic>,
    /// Files that were included, by the name under which they were found.
    files: HashMap<String, FileId>,
    macros: HashMap<Rc<str>, Rc<Macro>>,
    /// The folders of the files under way, each with a slash at its end.
    folders: Vec<String>,
    /// How often files were included, and their bytes.
    included: (usize, usize),
    /// Tokens that expansions looked at.
    expanded: usize,
    /// Arguments under way in each other.
    depth: usize,
    /// Lines as GLSL's `#line` numbers them.
    numbering: glsl::Numbering,
    /// True behind the first line or token that is not a comment.
    is_begun: bool,
    /// Lines of the preprocessor that stay.
    lines: Vec<Range<usize>>,
    out: Vec<Token>,
}

/// An `#if` under way.
struct Condition {
    /// Where it begins.
    span: Span,
    /// True if the file is read where it stands.
    is_reached: bool,
    /// True if one of its groups was read.
    is_done: bool,
    /// True if the group under way is read.
    is_active: bool,
    /// True behind its `#else`.
    is_last: bool,
}

impl Preprocessor<'_, '_> {
    /// Reports an error; after too many, nothing is read further.
    fn report(&mut self, problem: Diagnostic) -> Result<(), Failed> {
        self.problems.push(problem);
        if self.problems.len() < MAX_PROBLEMS { Ok(()) } else { Err(Failed) }
    }

    fn fail<T>(&mut self, problem: Diagnostic) -> Result<T, Failed> {
        self.problems.push(problem);
        Err(Failed)
    }

    /// The macros of the command line.
    fn defines(&mut self, file: FileId) -> Result<(), Failed> {
        let start = Span { file, start: 0, end: 0 };
        for define in self.options.defines {
            let (name, value) = define.split_once('=').unwrap_or((define, "1"));
            let words = tokens_at(name, start);
            let ([word], false) = (words.as_slice(), value.contains(['\n', '\r'])) else {
                let message = format!("`{}` cannot be defined", define.escape_debug());
                let problem = Diagnostic::error(&PREPROCESSOR, message).at(start);
                return self.fail(problem.help("a definition is `NAME` or `NAME=VALUE`, as `LIGHTS=2`"));
            };
            if word.kind != Kind::Word {
                let problem = Diagnostic::error(&PREPROCESSOR, format!("`{name}` is not a name")).at(start);
                return self.fail(problem);
            }
            let body = tokens_at(value, start);
            self.macros.insert(word.text.clone(), Rc::new(Macro { parameters: None, body }));
        }
        Ok(())
    }

    /// Appends a file.
    fn file(&mut self, id: FileId) -> Result<(), Failed> {
        let (tokens, problem) = tokens(self.sources.get(id));
        if let Some(problem) = problem {
            return self.fail(problem);
        }
        let mut conditions: Vec<Condition> = Vec::new();
        let mut rest = tokens.as_slice();
        while let [first, ..] = rest {
            let is_directive = |token: &Token| token.is_first && token.is("#");
            if first.kind == Kind::End {
                break;
            }
            if is_directive(first) {
                let length = rest.iter().skip(1).take_while(|token| !token.is_first).count() + 1;
                let (line, behind) = rest.split_at(length);
                rest = behind;
                self.directive(line, &mut conditions)?;
                self.is_begun |= line.len() > 1;
                continue;
            }
            self.is_begun = true;
            let length =
                rest.iter().take_while(|token| token.kind != Kind::End && !is_directive(token)).count();
            let (run, behind) = rest.split_at(length);
            rest = behind;
            if conditions.last().is_none_or(|condition| condition.is_active) {
                let run = self.expand(run.to_vec())?;
                self.out.extend(run);
            }
        }
        if let Some(open) = conditions.pop() {
            let problem = Diagnostic::error(&PREPROCESSOR, "this condition is never closed").at(open.span);
            return self.fail(problem.help("close it with `#endif`"));
        }
        Ok(())
    }

    /// Carries out a line, of which the first token is the `#`.
    fn directive(&mut self, line: &[Token], conditions: &mut Vec<Condition>) -> Result<(), Failed> {
        let [hash, name, rest @ ..] = line else { return Ok(()) };
        let span = line.iter().fold(hash.span, |span, token| span.to(token.span));
        let is_active = conditions.last().is_none_or(|condition| condition.is_active);
        match &*name.text {
            "if" | "ifdef" | "ifndef" => {
                let holds = match (is_active, &*name.text) {
                    (false, _) => false,
                    (true, "if") => self.condition(rest, span)?,
                    (true, which) => match rest {
                        [word, ..] if word.kind == Kind::Word => {
                            self.macros.contains_key(&word.text) == (which == "ifdef")
                        }
                        _ => return self.report(malformed(span, "a macro's name follows")).map(drop),
                    },
                };
                conditions.push(Condition {
                    span,
                    is_reached: is_active,
                    is_done: holds,
                    is_active: holds,
                    is_last: false,
                });
                Ok(())
            }
            "elif" | "else" | "endif" => self.next_group(&name.text, rest, span, conditions),
            _ if !is_active => Ok(()),
            "define" => self.define(rest, span),
            "undef" => match rest {
                [word] if self.is_reserved(&word.text) => self.report(reserved(word)),
                [word] if word.kind == Kind::Word => {
                    self.macros.remove(&word.text);
                    Ok(())
                }
                _ => self.report(malformed(span, "one macro's name follows")),
            },
            "version" | "extension" if self.dialect == Dialect::Glsl => self.kept(line, span),
            "line" if self.dialect == Dialect::Glsl => self.line(rest, span),
            "include" if self.dialect == Dialect::Glsl => {
                let problem = Diagnostic::error(&INCLUDE, "nothing is included in GLSL").at(span);
                self.report(problem.help(
                    "put the text here, or let `glslangValidator` make SPIR-V of the source, and compile that",
                ))
            }
            "include" => self.include_line(rest, span),
            "error" => {
                let file = self.sources.get(span.file);
                let why = rest.first().map_or("", |first| {
                    let end = span.end.max(first.span.start);
                    file.slice(Span { start: first.span.start, end, ..span })
                });
                let message = format!("the source says: {}", why.trim());
                self.fail(Diagnostic::error(&STOPPED, message).at(span))
            }
            "pragma" | "line" => Ok(()),
            _ if name.kind == Kind::Number => Ok(()),
            other => {
                let mut known = vec![
                    "if", "ifdef", "ifndef", "elif", "else", "endif", "define", "undef", "error", "pragma",
                    "line",
                ];
                known.extend(match self.dialect {
                    Dialect::Cg => &["include"][..],
                    Dialect::Glsl => &["version", "extension"],
                });
                let message = format!("there is no `#{other}`");
                let problem = Diagnostic::error(&PREPROCESSOR, message).label(name.span, "not a directive");
                let problem = match gpuzoo_diag::suggest::nearest(other, known.iter().copied()) {
                    Some(near) => problem.did_you_mean(near, name.span, near),
                    None => problem.help(format!("directives are `#{}`", known.join("`, `#"))),
                };
                self.report(problem)
            }
        }
    }

    fn next_group(
        &mut self,
        name: &str,
        rest: &[Token],
        span: Span,
        conditions: &mut Vec<Condition>,
    ) -> Result<(), Failed> {
        let Some(mut condition) = conditions.pop() else {
            let problem = Diagnostic::error(&PREPROCESSOR, format!("`#{name}` without an `#if`")).at(span);
            return self.report(problem);
        };
        if name == "endif" {
            return Ok(());
        }
        if condition.is_last {
            let problem = Diagnostic::error(&PREPROCESSOR, format!("`#{name}` behind the `#else`")).at(span);
            self.report(problem.label(condition.span, "of this condition"))?;
        }
        condition.is_last = name == "else";
        let may = condition.is_reached && !condition.is_done;
        condition.is_active = may && (condition.is_last || self.condition(rest, span)?);
        condition.is_done |= condition.is_active;
        conditions.push(condition);
        Ok(())
    }

    /// True if the condition of an `#if` or `#elif` holds.
    fn condition(&mut self, line: &[Token], span: Span) -> Result<bool, Failed> {
        let mut asked = Vec::new();
        let mut rest = line;
        while let [first, behind @ ..] = rest {
            rest = behind;
            if !first.is("defined") {
                asked.push(first.clone());
                continue;
            }
            let (name, behind) = match behind {
                [open, name, close, behind @ ..] if open.is("(") && close.is(")") => (name, behind),
                [name, behind @ ..] => (name, behind),
                [] => return self.report(malformed(span, "`defined` needs a name")).map(|()| false),
            };
            rest = behind;
            let is_defined = self.macros.contains_key(&name.text);
            let text = if is_defined { "1" } else { "0" };
            asked.push(Token { kind: Kind::Number, text: text.into(), ..first.clone() });
        }
        let asked = self.expand(asked)?;
        match condition::value(&asked, span) {
            Ok(value) => Ok(value != 0),
            Err(problem) => self.report(*problem).map(|()| false),
        }
    }

    fn define(&mut self, rest: &[Token], span: Span) -> Result<(), Failed> {
        let [name, rest @ ..] = rest else { return self.report(malformed(span, "a name follows")) };
        if name.kind != Kind::Word || &*name.text == "defined" {
            return self.report(malformed(span, "a name follows"));
        }
        if self.is_reserved(&name.text) {
            return self.report(reserved(name));
        }
        let (parameters, body) = match rest {
            [open, rest @ ..] if open.is("(") && !open.is_apart => {
                let Some(close) = rest.iter().position(|token| token.is(")")) else {
                    return self.report(malformed(span, "the parameters need their `)`"));
                };
                let (list, body) = rest.split_at(close);
                let names: Vec<Rc<str>> = list.iter().step_by(2).map(|token| token.text.clone()).collect();
                let are_names = list.iter().step_by(2).all(|token| token.kind == Kind::Word);
                let are_commas = list.iter().skip(1).step_by(2).all(|token| token.is(","));
                if !are_names || !are_commas || (list.len() % 2 == 0 && !list.is_empty()) {
                    return self.report(malformed(span, "parameters are names with commas between them"));
                }
                (Some(names), body.get(1..).unwrap_or_default())
            }
            body => (None, body),
        };
        let is_paste = |token: Option<&Token>| token.is_some_and(|token| token.is("##"));
        if is_paste(body.first()) || is_paste(body.last()) {
            return self.report(malformed(span, "`##` stands between two tokens"));
        }
        self.macros.insert(name.text.clone(), Rc::new(Macro { parameters, body: body.to_vec() }));
        Ok(())
    }

    fn include_line(&mut self, rest: &[Token], span: Span) -> Result<(), Failed> {
        let rest = match rest {
            [first, ..] if first.kind == Kind::Word => self.expand(rest.to_vec())?,
            _ => rest.to_vec(),
        };
        let (name, is_quoted) = match rest.as_slice() {
            [text] if text.kind == Kind::Text => (text.text.trim_matches('"').to_owned(), true),
            [open, .., close] if open.is("<") && close.is(">") => {
                let between = Span { start: open.span.end, end: close.span.start, ..span };
                (self.sources.get(span.file).slice(between).trim().to_owned(), false)
            }
            _ => return self.fail(malformed(span, "it is written `#include \"file\"` or `#include <file>`")),
        };
        self.include(&name, is_quoted, span)
    }

    /// Includes a file that is named at `span`.
    fn include(&mut self, name: &str, is_quoted: bool, span: Span) -> Result<(), Failed> {
        let limit = |message: String| Diagnostic::error(&LIMIT, message).at(span);
        if self.folders.len() >= MAX_DEPTH {
            let problem = limit(format!("files include one another more than {MAX_DEPTH} deep"));
            return self.fail(problem.help("does the file include itself?"));
        }
        let (id, folder) = self.find(name, is_quoted, span)?;
        self.included.0 += 1;
        self.included.1 += self.sources.get(id).text().len();
        if self.included.0 > MAX_INCLUDES || self.included.1 > MAX_INCLUDED {
            let most = format!("at most {MAX_INCLUDES} files with {} MiB", MAX_INCLUDED >> 20);
            return self.fail(limit("too much is included".to_owned()).note(most));
        }
        self.folders.push(folder);
        self.file(id)?;
        self.folders.pop();
        Ok(())
    }

    /// A file of a name, and its folder.
    fn find(&mut self, name: &str, is_quoted: bool, span: Span) -> Result<(FileId, String), Failed> {
        let name = name.replace('\\', "/");
        let own = self.folders.iter().rev().filter(|folder| is_quoted && !folder.is_empty());
        let mut wanted: Vec<String> = own.map(|folder| format!("{folder}{name}")).collect();
        wanted.push(name.clone());
        // Of several places the nearest one says why.
        let mut reason = None;
        for path in wanted {
            let folder = path.rfind('/').and_then(|slash| path.get(..=slash)).unwrap_or("").to_owned();
            if let Some(id) = self.files.get(&path) {
                return Ok((*id, folder));
            }
            let Some(include) = self.options.include else { continue };
            match include(&path) {
                Err(why) => reason = reason.or(Some(why)),
                Ok(bytes) => match text::read(self.sources, &path, &bytes) {
                    Ok(id) => {
                        self.files.insert(path, id);
                        return Ok((id, folder));
                    }
                    Err(problem) => return self.fail(problem.label(span, "included here")),
                },
            }
        }
        let problem = Diagnostic::error(&INCLUDE, format!("cannot include `{}`", name.escape_debug()));
        let reason = reason.as_deref().unwrap_or("no files are given");
        let problem = problem.label(span, reason.escape_debug().to_string());
        self.fail(problem.help("`--include FOLDER` says where else to look"))
    }
}

fn malformed(span: Span, expected: &str) -> Diagnostic {
    Diagnostic::error(&PREPROCESSOR, "preprocessor line cannot be read").label(span, expected)
}

/// The problem of a token that nothing begins with.
pub fn unexpected(token: &Token, expected: &str) -> Diagnostic {
    let found = match token.kind {
        Kind::End => "the source ends".to_owned(),
        _ => format!("`{}` is not expected here", token.text.escape_debug()),
    };
    Diagnostic::error(&SYNTAX, found).label(token.span, format!("expected {expected}"))
}
