//! Lines and macros of the preprocessor that GLSL has and Cg does not.

use super::expand::Macro;
use crate::front::cg::codes::PREPROCESSOR;
use crate::front::cg::lexer::{Kind, Token, tokens_at};
use crate::front::cg::number;
use crate::front::cg::preprocess::{Dialect, Preprocessor, condition, malformed};
use gpuzoo_diag::{Diagnostic, FileId, Span};
use gpuzoo_isa::Failed;
use std::rc::Rc;

/// Numbers of lines and sources, which `#line` changes (GLSL 4.60, section 3.3).
#[derive(Clone, Copy, Debug, Default)]
pub struct Numbering {
    /// Added to the number of a line, counted from 1.
    shift: i64,
    /// Value of `__FILE__`.
    source: i64,
}

/// The version that a text without `#version` has.
const DEFAULT_VERSION: &str = "110";

/// A macro of GLSL itself is defined or taken away.
pub(super) fn reserved(name: &Token) -> Diagnostic {
    let message = format!("`{}` is a macro of GLSL itself", name.text);
    Diagnostic::error(&PREPROCESSOR, message)
        .at(name.span)
        .help("choose a name that does not begin with `GL_` or `__`")
}

impl Preprocessor<'_, '_> {
    /// The macros that GLSL defines itself (section 3.3, and GL_KHR_vulkan_glsl). Values of `__LINE__` and `__FILE__` depend on where they are used.
    pub(super) fn builtins(&mut self, file: FileId) -> Result<(), Failed> {
        if self.dialect == Dialect::Glsl {
            let start = Span { file, start: 0, end: 0 };
            for (name, value) in [
                ("__LINE__", "0"),
                ("__FILE__", "0"),
                ("__VERSION__", DEFAULT_VERSION),
                ("GL_core_profile", "1"),
                // The reader reads GLSL as GL_KHR_vulkan_glsl has it.
                ("VULKAN", "100"),
            ] {
                self.builtin(name, value, start);
            }
        }
        Ok(())
    }

    /// True of a name that a text neither defines nor takes away.
    pub(super) fn is_reserved(&self, name: &str) -> bool {
        self.dialect == Dialect::Glsl
            && (name.starts_with("GL_") || matches!(name, "__LINE__" | "__FILE__" | "__VERSION__"))
    }

    fn builtin(&mut self, name: &str, value: &str, start: Span) {
        let body = tokens_at(value, start);
        self.macros.insert(name.into(), Rc::new(Macro { parameters: None, body }));
    }

    /// `#version` and `#extension`, which the reader behind the preprocessor sees.
    pub(super) fn kept(&mut self, line: &[Token], span: Span) -> Result<(), Failed> {
        let is_version = line.get(1).is_some_and(|name| name.is("version"));
        if is_version {
            if self.is_begun {
                let problem = Diagnostic::error(&PREPROCESSOR, "`#version` does not come first").at(span);
                return self.report(problem.help("only comments and empty lines may stand before it"));
            }
            if let Some(number) = line.get(2).filter(|token| token.kind == Kind::Number) {
                self.builtin("__VERSION__", &number.text, number.span);
            }
        }
        let start = self.out.len();
        self.out.extend_from_slice(line);
        self.lines.push(start..self.out.len());
        Ok(())
    }

    /// `#line`: the number of the next line, and maybe the number of the source; names in quotes change nothing.
    pub(super) fn line(&mut self, rest: &[Token], span: Span) -> Result<(), Failed> {
        let rest = self.expand(rest.to_vec())?;
        let numbers = match rest.as_slice() {
            [numbers @ .., name] if name.kind == Kind::Text => numbers,
            numbers => numbers,
        };
        let here = self.sources.get(span.file).place(span.start).line as i64;
        let read = match numbers {
            [] => return self.report(malformed(span, "the number of the next line follows")),
            [line, source] => number::integer(&line.text).zip(number::integer(&source.text)),
            _ => match condition::value(numbers, span) {
                Ok(line) => Some((line, self.numbering.source)),
                Err(problem) => return self.report(*problem),
            },
        };
        match read {
            Some((line, source)) => {
                let shift = line.saturating_sub(here + 1);
                self.numbering = Numbering { shift, source };
                Ok(())
            }
            None => self.report(malformed(span, "the numbers of the next line and of the source follow")),
        }
    }

    /// The number that `__LINE__` or `__FILE__` stands for.
    pub(super) fn number_here(&self, token: &Token) -> Option<Token> {
        let number = match &*token.text {
            _ if self.dialect != Dialect::Glsl => return None,
            "__LINE__" => {
                let line = self.sources.get(token.span.file).place(token.span.start).line as i64;
                line.saturating_add(self.numbering.shift)
            }
            "__FILE__" => self.numbering.source,
            _ => return None,
        };
        Some(Token { kind: Kind::Number, text: number.to_string().into(), ..token.clone() })
    }
}
