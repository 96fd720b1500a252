//! The integer expressions of `#if`.

use crate::front::cg::codes::{LIMIT, PREPROCESSOR};
use crate::front::cg::lexer::{Kind, Token};
use crate::front::cg::number;
use gpuzoo_diag::{Diagnostic, Span};

/// How deep parentheses may be nested.
const MAX_NESTED: usize = 64;

/// Operators of two operands by how tightly they bind, the loosest first.
const LEVELS: &[&[&str]] = &[
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", "<=", ">", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// The value of an expression without macros; other names are 0. `span` is the whole line.
///
/// # Errors
/// [`PREPROCESSOR`] for what is none, or divides by 0; [`LIMIT`].
pub fn value(tokens: &[Token], span: Span) -> Result<i64> {
    let mut reader = Reader { rest: tokens, span, depth: 0 };
    let value = reader.choice()?;
    match reader.rest.first() {
        None => Ok(value),
        Some(token) => Err(reader.problem(Some(token), "an operator, or the end of the line")),
    }
}

struct Reader<'a> {
    rest: &'a [Token],
    span: Span,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn problem(&self, token: Option<&Token>, expected: &str) -> Box<Diagnostic> {
        let place = token.map_or(self.span, |token| token.span);
        let problem = Diagnostic::error(&PREPROCESSOR, "condition cannot be read");
        Box::new(problem.label(place, format!("expected {expected}")))
    }

    fn take(&mut self) -> Option<&'a Token> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    fn takes(&mut self, text: &str) -> bool {
        let is_next = self.rest.first().is_some_and(|token| token.is(text));
        if is_next {
            self.take();
        }
        is_next
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= MAX_NESTED {
            let message = format!("condition is nested more than {MAX_NESTED} deep");
            return Err(Box::new(Diagnostic::error(&LIMIT, message).at(self.span)));
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn choice(&mut self) -> Result<i64> {
        let condition = self.level(0)?;
        if !self.takes("?") {
            return Ok(condition);
        }
        let accept = self.nested(Self::choice)?;
        if !self.takes(":") {
            return Err(self.problem(self.rest.first(), "`:`"));
        }
        let reject = self.nested(Self::choice)?;
        Ok(if condition != 0 { accept } else { reject })
    }

    fn level(&mut self, level: usize) -> Result<i64> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.level(level + 1)?;
        while let Some(operator) =
            self.rest.first().filter(|token| operators.iter().any(|text| token.is(text)))
        {
            self.take();
            let right = self.level(level + 1)?;
            left = self.apply(operator, left, right)?;
        }
        Ok(left)
    }

    fn apply(&self, operator: &Token, left: i64, right: i64) -> Result<i64> {
        let truth = |is_true: bool| Ok(i64::from(is_true));
        match &*operator.text {
            "||" => truth(left != 0 || right != 0),
            "&&" => truth(left != 0 && right != 0),
            "|" => Ok(left | right),
            "^" => Ok(left ^ right),
            "&" => Ok(left & right),
            "==" => truth(left == right),
            "!=" => truth(left != right),
            "<" => truth(left < right),
            "<=" => truth(left <= right),
            ">" => truth(left > right),
            ">=" => truth(left >= right),
            "<<" => Ok(left.wrapping_shl(right as u32)),
            ">>" => Ok(left.wrapping_shr(right as u32)),
            "+" => Ok(left.wrapping_add(right)),
            "-" => Ok(left.wrapping_sub(right)),
            "*" => Ok(left.wrapping_mul(right)),
            "/" if right != 0 => Ok(left.wrapping_div(right)),
            "%" if right != 0 => Ok(left.wrapping_rem(right)),
            _ => Err(self.problem(Some(operator), "a divisor that is not 0")),
        }
    }

    fn unary(&mut self) -> Result<i64> {
        let Some(token) = self.take() else { return Err(self.problem(None, "a number")) };
        match &*token.text {
            "!" => self.nested(Self::unary).map(|value| i64::from(value == 0)),
            "~" => self.nested(Self::unary).map(|value| !value),
            "-" => self.nested(Self::unary).map(i64::wrapping_neg),
            "+" => self.nested(Self::unary),
            "(" => {
                let value = self.nested(Self::choice)?;
                if !self.takes(")") {
                    return Err(self.problem(self.rest.first(), "`)`"));
                }
                Ok(value)
            }
            _ if token.kind == Kind::Word => Ok(0),
            text => number::integer(text).ok_or_else(|| self.problem(Some(token), "an integer")),
        }
    }
}
