//! Preprocessor lines.

use super::Preprocessor;
use super::expand::Macro;
use super::map::{LineMark, Output};
use super::source::{Gap, SYNTAX, Source, Token};
use crate::vertex::dialects::statements::D3D;
use crate::vertex::rules::{CONDITION, ERROR_LINE, PRAGMA, PREPROCESSOR, REDEFINED};
use gpuzoo_diag::{Diagnostic, File, Severity, Span, suggest};
use gpuzoo_isa::{Cursor, Failed, TokenKind, list};
use std::rc::Rc;

/// What preprocessor lines begin with, behind the `#`.
pub fn directives() -> impl Iterator<Item = &'static str> + Clone {
    D3D.iter().filter_map(|own| own.name.strip_prefix('#'))
}

/// An `#if` and what belongs to it.
pub struct Condition {
    span: Span,
    /// One of its parts has been read.
    done: bool,
    /// Its `#else`.
    other: Option<Span>,
}

impl Condition {
    /// The problem of one that the file ends in.
    pub fn never_closed(&self) -> Diagnostic {
        let problem = Diagnostic::error(&CONDITION, "the condition is never closed");
        problem.label(self.span, "opened here").help("close it with `#endif`")
    }
}

impl Preprocessor<'_> {
    /// The line behind a `#`.
    pub(super) fn directive(
        &mut self,
        source: &mut Source,
        conditions: &mut Vec<Condition>,
        hash: Span,
    ) -> Result<(), Failed> {
        if source.at_line_end() {
            return Ok(());
        }
        let word = source.word();
        let span = hash.to(source.span());
        if source.next.kind == TokenKind::Number {
            // What `cpp` leaves of `#line`.
            self.line(source);
            return Ok(());
        }
        source.advance();
        match word {
            "include" => return self.include_line(source, span),
            "define" => self.define(source),
            "undef" => {
                if let Some(name) = self.name(source, "undef") {
                    self.macros.remove(&name.text);
                    self.line_ends(source, word);
                }
            }
            "if" | "ifdef" | "ifndef" => {
                let holds = self.holds(word, source)?;
                conditions.push(Condition { span, done: holds, other: None });
                if !holds {
                    self.skip(source, conditions)?;
                }
            }
            // What stands behind `#else` and `#endif` is a comment to those who write it.
            "elif" | "else" | "endif" => self.part(word, span, source, conditions)?,
            "line" => self.line(source),
            "pragma" => self.pragma(source, span),
            "error" => {
                let (text, place) = source.raw_line();
                let text = if text.is_empty() { "`#error`" } else { text };
                let text = text.replace("\\\r\n", " ").replace("\\\n", " ");
                let problem = Diagnostic::error(&ERROR_LINE, text.escape_debug().to_string());
                return self.fail(problem.label(span.to(place), "the text says so"));
            }
            _ => {
                let message = format!("there is no preprocessor line `#{}`", word.escape_debug());
                let problem = Diagnostic::error(&PREPROCESSOR, message).at(span);
                let (near, at) =
                    (suggest::nearest(word, directives()), source.range(source.at - word.len(), source.at));
                self.report(match near {
                    Some(near) => problem.did_you_mean(&format!("#{near}"), at, near),
                    None => problem.help(format!("there are {}", list(directives()))),
                });
                source.rest_of_line();
            }
        }
        Ok(())
    }

    /// Reports what stands behind a line that is complete.
    fn line_ends(&mut self, source: &mut Source, word: &str) {
        if !source.at_line_end() {
            let start = source.span();
            source.rest_of_line();
            let problem = Diagnostic::error(&PREPROCESSOR, format!("`#{word}` ends before this"));
            self.report(problem.at(source.range(start.start as usize, source.at)));
        }
    }

    /// The name that a line is about.
    fn name(&mut self, source: &mut Source, of: &str) -> Option<Token> {
        if !source.at_line_end() && source.next.kind == TokenKind::Word && source.word() != "defined" {
            return Some(source.take());
        }
        let problem = Diagnostic::error(&PREPROCESSOR, format!("`#{of}` needs a name"));
        let place = if source.at_line_end() { source.range(source.at, source.at) } else { source.span() };
        self.report(problem.at(place).help("letters, digits and underscores, no digit first"));
        source.rest_of_line();
        None
    }

    fn include_line(&mut self, source: &mut Source, span: Span) -> Result<(), Failed> {
        let (text, place) = source.raw_line();
        let named = |open: char, close: char| {
            let (name, rest) = text.strip_prefix(open)?.split_once(close)?;
            Some((name, rest)).filter(|(name, _)| !name.is_empty())
        };
        let Some((name, rest)) = named('"', '"').or_else(|| named('<', '>')) else {
            let problem = Diagnostic::error(&PREPROCESSOR, "expected the name of a file");
            let problem = problem.at(if text.is_empty() { span } else { place });
            return self.fail(problem.help("it is written `#include \"file\"` or `#include <file>`"));
        };
        let end = place.end - rest.len() as u32;
        let rest = rest.trim_start();
        let comment = rest.is_empty() || [";", "//", "/*"].iter().any(|mark| rest.starts_with(mark));
        if !comment {
            let problem = Diagnostic::error(&PREPROCESSOR, "`#include` ends before this");
            self.report(problem.at(Span { start: end, ..place }));
        }
        self.include(name, text.starts_with('"'), span.to(Span { end, ..place }))
    }

    fn define(&mut self, source: &mut Source) {
        let Some(name) = self.name(source, "define") else { return };
        let mut parameters = None;
        // Behind a blank, a parenthesis is the body's.
        if !source.at_line_end() && source.word() == "(" && source.next.start == source.at {
            parameters = self.parameters(source);
            if parameters.is_none() {
                return;
            }
        }
        let Some(body) = self.body(source) else { return };
        let span = name.origin.span;
        let new = Macro { name: name.text.clone(), span, parameters, body };
        if let Some(old) = self.macros.get(&name.text).filter(|old| !old.same(&new)) {
            let problem = Diagnostic::warning(&REDEFINED, format!("`{}` is defined again", name.text));
            let problem =
                problem.label(span, "this holds from here on").label(old.span, "first defined here");
            let problem = problem.help(format!("`#undef {}` before it says that this is meant", name.text));
            self.report(problem);
        }
        self.macros.insert(name.text, Rc::new(new));
    }

    /// What a macro stands for: the rest of the line, with each `##` as one token.
    pub(super) fn body(&mut self, source: &mut Source) -> Option<Vec<Token>> {
        let mut body: Vec<Token> = Vec::new();
        for token in source.rest_of_line() {
            match body.last_mut() {
                Some(last) if last.is("#") && token.is("#") && token.gap == Gap::None => {
                    last.text = "##".into();
                }
                _ => body.push(token),
            }
        }
        let ends = [body.first(), body.last()].into_iter().flatten();
        if let Some(token) = ends.into_iter().find(|token| token.is("##")) {
            let problem = Diagnostic::error(&PREPROCESSOR, "`##` joins two tokens, and one is missing");
            self.report(problem.at(token.origin.span));
            return None;
        }
        Some(body)
    }

    /// `a, b)` behind the parenthesis at the place.
    fn parameters(&mut self, source: &mut Source) -> Option<Vec<Rc<str>>> {
        source.advance();
        let mut names: Vec<Rc<str>> = Vec::new();
        if !source.at_line_end() && source.word() == ")" {
            source.advance();
            return Some(names);
        }
        loop {
            let name = self.name(source, "define")?;
            if names.contains(&name.text) {
                let message = format!("there are two parameters `{}`", name.text);
                self.report(Diagnostic::error(&PREPROCESSOR, message).at(name.origin.span));
            }
            names.push(name.text);
            let mark = if source.at_line_end() { "" } else { source.word() };
            let place = source.span();
            if [",", ")"].contains(&mark) {
                source.advance();
            }
            match mark {
                "," => {}
                ")" => return Some(names),
                _ => {
                    let problem = Diagnostic::error(&PREPROCESSOR, "expected `,` or `)` behind a parameter");
                    let place = if mark.is_empty() { source.range(source.at, source.at) } else { place };
                    self.report(problem.at(place));
                    source.rest_of_line();
                    return None;
                }
            }
        }
    }

    fn pragma(&mut self, source: &mut Source, span: Span) {
        let (text, place) = source.raw_line();
        let word = text.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or("");
        if word == "screenspace" {
            self.screenspace.get_or_insert(span.to(place));
            return;
        }
        let message = format!("`#pragma {}` is not known", word.escape_debug());
        let problem = Diagnostic::new(Severity::Note, &PRAGMA, message).at(span.to(place));
        self.report(problem.note("it has no effect; `#pragma screenspace` is known"));
    }

    /// `12 "file"`
    fn line(&mut self, source: &mut Source) {
        let number: Option<u64> = source.word().parse().ok().filter(|_| !source.at_line_end());
        let Some(number) = number else {
            let problem = Diagnostic::error(&PREPROCESSOR, "`#line` needs a number");
            let place = if source.at_line_end() { source.range(source.at, source.at) } else { source.span() };
            self.report(problem.at(place).help("it is written `#line 12 \"file\"`"));
            source.rest_of_line();
            return;
        };
        source.advance();
        let (text, _) = source.raw_line();
        let name = text.strip_prefix('"').and_then(|text| text.split('"').next()).map(str::to_owned);
        let end = source.text[source.at..].find('\n').map_or(source.text.len(), |end| source.at + end + 1);
        let text = source.text.clone();
        self.out.line(LineMark { file: source.file, start: end as u32, number, name, text });
    }

    /// Whether a condition holds.
    fn holds(&mut self, word: &str, source: &mut Source) -> Result<bool, Failed> {
        if word != "if" && word != "elif" {
            let name = self.name(source, word);
            self.line_ends(source, word);
            return Ok(name.is_some_and(|name| self.macros.contains_key(&name.text)) == (word == "ifdef"));
        }
        let start = if source.at_line_end() { source.at } else { source.next.start };
        let tokens = self.defined(source.rest_of_line());
        let tokens = self.expand(tokens, None, &[])?;
        // What is left of names is 0, as in C.
        let zero = |token: Token| match token.kind {
            TokenKind::Word => Token { kind: TokenKind::Number, text: "0".into(), ..token },
            _ => token,
        };
        let mut line = Output::default();
        tokens.into_iter().map(zero).for_each(|token| line.token(&token, false));
        let file = File::new("", &line.text().replace('\n', " "));
        let mut cursor = Cursor::new(&file, &SYNTAX);
        let value = match cursor.expression() {
            Ok(_) if !cursor.at_end() => {
                cursor.unexpected("the end of the line", "a condition is one expression")
            }
            value => value,
        };
        // What was read is not what is written: names stand for numbers.
        let place = source.range(start, source.at);
        let here = |problem: Diagnostic| {
            let message = problem.message.replace("the end of the text", "the end of the line");
            Diagnostic { message, labels: Vec::new(), ..problem }.at(place)
        };
        cursor.problems.into_iter().map(here).for_each(|problem| self.report(problem));
        Ok(value.is_ok_and(|value| value != 0))
    }

    /// With 1 or 0 in the place of `defined NAME` and `defined(NAME)`.
    fn defined(&self, tokens: Vec<Token>) -> Vec<Token> {
        let mut out = Vec::with_capacity(tokens.len());
        let mut rest = &tokens[..];
        while let Some((token, behind)) = rest.split_first() {
            rest = behind;
            let (name, length) = match behind {
                _ if !token.is("defined") => (None, 0),
                [open, name, close, ..] if open.is("(") && close.is(")") => (Some(name), 3),
                [name, ..] => (Some(name), 1),
                [] => (None, 0),
            };
            match name.filter(|name| name.kind == TokenKind::Word) {
                None => out.push(token.clone()),
                Some(name) => {
                    let text = if self.macros.contains_key(&name.text) { "1" } else { "0" };
                    out.push(Token { kind: TokenKind::Number, text: text.into(), ..token.clone() });
                    rest = &rest[length..];
                }
            }
        }
        out
    }

    /// `#elif`, `#else` or `#endif` behind a part that was read.
    fn part(
        &mut self,
        word: &str,
        span: Span,
        source: &mut Source,
        conditions: &mut Vec<Condition>,
    ) -> Result<(), Failed> {
        if self.belongs(word, span, conditions) {
            if word == "endif" {
                conditions.pop();
            } else {
                self.skip(source, conditions)?;
            }
        }
        source.rest_of_line();
        Ok(())
    }

    /// True if there is an `#if` that it belongs to.
    fn belongs(&mut self, word: &str, span: Span, conditions: &mut [Condition]) -> bool {
        let message = format!("`#{word}` without `#if`");
        let Some(condition) = conditions.last_mut() else {
            self.report(Diagnostic::error(&CONDITION, message).label(span, "nothing is open here"));
            return false;
        };
        if let Some(other) = condition.other.filter(|_| word != "endif") {
            let problem = Diagnostic::error(&CONDITION, format!("`#{word}` behind `#else`")).at(span);
            self.report(problem.label(other, "the `#else`").label(condition.span, "of this"));
            return false;
        }
        if word == "else" {
            condition.other = Some(span);
        }
        true
    }

    /// Skips parts of the last condition until one holds, or to its end.
    fn skip(&mut self, source: &mut Source, conditions: &mut Vec<Condition>) -> Result<(), Failed> {
        let mut depth = 0usize;
        source.rest_of_line();
        while source.next.kind != TokenKind::End {
            if source.next.kind == TokenKind::OpenComment {
                return self.open_comment(source.span());
            }
            let hash = source.next.first && source.word() == "#";
            let start = source.span();
            source.advance();
            if !hash || source.at_line_end() {
                continue;
            }
            let (word, span) = (source.word(), start.to(source.span()));
            match word {
                "if" | "ifdef" | "ifndef" => depth += 1,
                "endif" if depth > 0 => depth -= 1,
                "elif" | "else" | "endif" if depth == 0 => {
                    source.advance();
                    if !self.belongs(word, span, conditions) {
                        continue;
                    }
                    let Some(condition) = conditions.last() else { return Ok(()) };
                    let done = condition.done;
                    match word {
                        "endif" => {
                            conditions.pop();
                            source.rest_of_line();
                            return Ok(());
                        }
                        "elif" if done => {}
                        "elif" if !self.holds("elif", source)? => {}
                        "else" if done => {}
                        _ => {
                            conditions.last_mut().into_iter().for_each(|condition| condition.done = true);
                            source.rest_of_line();
                            return Ok(());
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}
