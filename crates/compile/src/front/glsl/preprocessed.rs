//! GLSL behind its preprocessor, which is the one of Cg: naga's finds no macros, no conditions and no comments.

use crate::front::cg::Options;
use crate::front::cg::codes::LIMIT;
use crate::front::cg::lexer::{Kind, Token};
use crate::front::cg::preprocess::{Dialect, MAX_INCLUDED, Preprocessed, preprocess, unexpected};
use crate::front::source_map::Moved;
use gpuzoo_diag::{Diagnostic, FileId, Sources, has_errors};

/// A source without comments and macros, and with no lines of the preprocessor but `#version` and `#extension`.
#[derive(Debug, Default)]
pub struct Expanded {
    /// The text.
    pub text: String,
    /// Where its parts are in the source.
    pub moved: Moved,
}

impl Expanded {
    /// Expands a source, with macros of the command line. Its tokens come with it, without lines of the preprocessor.
    ///
    /// # Errors
    /// Everything that the preprocessor cannot read, and signs that are not GLSL's.
    pub fn new(
        sources: &mut Sources,
        file: FileId,
        defines: &[&str],
    ) -> Result<(Expanded, Vec<Token>), Vec<Diagnostic>> {
        let mut problems = Vec::new();
        let options = Options { defines, ..Options::default() };
        let Preprocessed { tokens, lines, .. } =
            preprocess(sources, file, &options, Dialect::Glsl, &mut problems);
        if has_errors(&problems) {
            return Err(problems);
        }
        let length: usize = tokens.iter().map(|token| token.text.len() + 1).sum();
        if length > MAX_INCLUDED {
            let message = format!("with its macros the source has more than {MAX_INCLUDED} bytes");
            return Err(vec![Diagnostic::error(&LIMIT, message).at(sources.get(file).whole())]);
        }
        let source = sources.get(file).text();
        let (mut expanded, mut others) = (Expanded::default(), Vec::new());
        let mut lines = lines.into_iter().peekable();
        let (mut before, mut was_line): (Option<&Token>, bool) = (None, false);
        for (at, token) in tokens.iter().enumerate() {
            while lines.next_if(|line| line.end <= at).is_some() {}
            let line = lines.peek().filter(|line| line.contains(&at));
            let begins = line.map_or(was_line, |line| line.start == at);
            if line.is_none() && !is_sign(token) {
                return Err(vec![unexpected(token, "words, numbers and signs of GLSL")]);
            }
            expanded.push(token, before, source, begins);
            (before, was_line) = (Some(token), line.is_some());
            if line.is_none() {
                others.push(token.clone());
            }
        }
        Ok((expanded, others))
    }

    fn push(&mut self, token: &Token, before: Option<&Token>, source: &str, begins_line: bool) {
        let is_written =
            |token: &Token| token.hidden.is_none() && source.get(token.span.range()) == Some(&token.text);
        let is_copy = is_written(token);
        let follows =
            before.is_some_and(|before| is_copy && is_written(before) && before.span.end == token.span.start);
        if begins_line || token.is_first && is_copy {
            self.text.push('\n');
        } else if !follows {
            self.text.push(' ');
        }
        match is_copy {
            true if follows => {}
            true => self.moved.copied(self.text.len(), token.span.range().start),
            false => self.moved.replaced(self.text.len(), token.span.range()),
        }
        self.text += &token.text;
    }
}

/// True for what GLSL's sources are made of, behind the preprocessor.
fn is_sign(token: &Token) -> bool {
    const SIGNS: &str = "()[]{}.,;:?=<>!~+-*/%&|^";
    match token.kind {
        Kind::Word | Kind::Number => true,
        Kind::Mark => token.text.chars().all(|sign| SIGNS.contains(sign)),
        Kind::Text | Kind::End => false,
    }
}
