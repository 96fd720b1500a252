//! Numbers that follow the time: `"360*t"`, `"0.5 + sin(tau*t)/4"`.
//!
//! ```text
//! sum     = product { ("+" | "-") product }
//! product = signed { ("*" | "/") signed }
//! signed  = { "+" | "-" } atom
//! atom    = number | "pi" | "tau" | "t" | "frame" | function "(" sum { "," sum } ")" | "(" sum ")"
//! ```
//!
//! Angles of `sin` and `cos` are in radians. Everything is f64 without the platform's mathematical functions, so that
//! an animation is the same everywhere.

use crate::angle;
use gpuzoo_diag::{Diagnostic, Span, counted, suggest};
use gpuzoo_isa::list;

gpuzoo_diag::codes! {
    SYNTAX = "R0601", "not an expression",
        "A text in the place of a number is an expression: numbers, `+ - * /`, parentheses, `pi`, `tau`, `t` (0 at the \
         first frame of an animation, just below 1 at the last), `frame` (0, 1, 2, …) and the functions `sin`, `cos` \
         (of radians), `sqrt`, `abs`, `floor`, `min` and `max`.";
    UNKNOWN_NAME = "R0602", "unknown name in an expression",
        "The names that an expression can use are `t`, `frame`, `pi`, `tau`, and the functions `sin`, `cos`, `sqrt`, \
         `abs`, `floor`, `min` and `max`.";
    ARGUMENTS = "R0603", "wrong number of arguments",
        "`min` and `max` take two arguments, the other functions take one.";
    TOO_DEEP = "R0604", "expression too deep or too long",
        "Parentheses and functions can be nested 64 deep, and an expression has at most 1,000 numbers, names and operations: it is worked out for \
         every frame.";
}

/// How deep parentheses and functions can be nested.
pub const MAX_DEPTH: usize = 64;

/// The most numbers, names and operations of an expression.
pub const MAX_STEPS: usize = 1_000;

/// The moment for which a frame is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Time {
    /// `frame`, from 0.
    pub frame: f64,
    /// `t`: `frame` divided by the number of frames.
    pub t: f64,
}

impl Time {
    /// The moment of a frame of so many.
    pub fn of(frame: u32, frames: u32) -> Time {
        Time { frame: frame.into(), t: f64::from(frame) / f64::from(frames) }
    }
}

#[derive(Clone, Copy, Debug)]
enum Op {
    Number(f64),
    T,
    Frame,
    Add,
    Sub,
    Mul,
    Div,
    Neg,
    Call1(fn(f64) -> f64),
    Call2(fn(f64, f64) -> f64),
}

const CONSTANTS: [(&str, Op); 4] = [
    ("t", Op::T),
    ("frame", Op::Frame),
    ("pi", Op::Number(std::f64::consts::PI)),
    ("tau", Op::Number(std::f64::consts::TAU)),
];

const FUNCTIONS: [(&str, Op); 7] = [
    ("sin", Op::Call1(angle::sin)),
    ("cos", Op::Call1(angle::cos)),
    ("sqrt", Op::Call1(f64::sqrt)),
    ("abs", Op::Call1(f64::abs)),
    ("floor", Op::Call1(f64::floor)),
    ("min", Op::Call2(f64::min)),
    ("max", Op::Call2(f64::max)),
];

/// A number, or a formula for it. A list of steps for a stack, so that nothing about it is recursive.
#[derive(Clone, Debug)]
pub struct Expr {
    steps: Vec<Op>,
}

impl From<f64> for Expr {
    fn from(number: f64) -> Expr {
        Expr { steps: vec![Op::Number(number)] }
    }
}

impl Expr {
    /// Reads a formula. `span` is the text's place; if `verbatim`, the text is there letter by letter, and errors
    /// point into it.
    ///
    /// # Errors
    /// What is wrong first, one of this file's codes.
    ///
    /// ```
    /// use gpuzoo_diag::Span;
    /// use gpuzoo_scene::expr::{Expr, Time};
    ///
    /// let turn = Expr::parse("90 + 360*t", Span::default(), true)?;
    /// assert_eq!(turn.at(Time { frame: 3.0, t: 0.25 }), 180.0);
    /// # Ok::<(), gpuzoo_diag::Diagnostic>(())
    /// ```
    pub fn parse(text: &str, span: Span, verbatim: bool) -> Result<Expr, Diagnostic> {
        let mut parser = Parser { text, at: 0, depth: 0, span, verbatim, steps: Vec::new() };
        parser.sum()?;
        match parser.peek() {
            None if parser.steps.len() > MAX_STEPS => {
                let message =
                    format!("this expression has more than {MAX_STEPS} numbers, names and operations");
                Err(Diagnostic::error(&TOO_DEEP, message).label(span, ""))
            }
            None => Ok(Expr { steps: parser.steps }),
            Some(_) => Err(parser.unexpected("expected `+ - * /` or the end")),
        }
    }

    /// Its value. Division by zero and the like give infinities and NaN.
    pub fn at(&self, time: Time) -> f64 {
        let mut stack: Vec<f64> = Vec::new();
        // The parser sees to it that no step lacks an operand.
        let pop = |stack: &mut Vec<f64>| stack.pop().unwrap_or(f64::NAN);
        for &step in &self.steps {
            let value = match step {
                Op::Number(number) => number,
                Op::T => time.t,
                Op::Frame => time.frame,
                Op::Neg => -pop(&mut stack),
                Op::Call1(function) => function(pop(&mut stack)),
                Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Call2(_) => {
                    let (b, a) = (pop(&mut stack), pop(&mut stack));
                    match step {
                        Op::Add => a + b,
                        Op::Sub => a - b,
                        Op::Mul => a * b,
                        Op::Call2(function) => function(a, b),
                        _ => a / b,
                    }
                }
            };
            stack.push(value);
        }
        pop(&mut stack)
    }

    /// True if it is the same at every time.
    pub fn is_constant(&self) -> bool {
        !self.steps.iter().any(|step| matches!(step, Op::T | Op::Frame))
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    span: Span,
    verbatim: bool,
    steps: Vec<Op>,
}

impl<'a> Parser<'a> {
    /// The next character, white space skipped.
    fn peek(&mut self) -> Option<char> {
        let rest = self.text[self.at..].trim_start();
        self.at = self.text.len() - rest.len();
        rest.chars().next()
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    fn span(&self, start: usize, end: usize) -> Span {
        if !self.verbatim {
            return self.span;
        }
        let place = |at: usize| self.span.start + at as u32;
        Span { start: place(start), end: place(end), ..self.span }
    }

    fn unexpected(&mut self, expected: &str) -> Diagnostic {
        let next = self.peek();
        let message = match next {
            Some(character) => format!("unexpected `{character}` in an expression"),
            None => "the expression ends too early".to_owned(),
        };
        let span = self.span(self.at, self.at + next.map_or(0, char::len_utf8));
        Diagnostic::error(&SYNTAX, message).label(span, expected)
    }

    fn sum(&mut self) -> Result<(), Diagnostic> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.too_deep());
        }
        self.chain(&[('+', Op::Add), ('-', Op::Sub)], |parser| {
            parser.chain(&[('*', Op::Mul), ('/', Op::Div)], Parser::signed)
        })?;
        self.depth -= 1;
        Ok(())
    }

    /// Operands with operators of one rank between them.
    fn chain(
        &mut self,
        operators: &[(char, Op)],
        operand: impl Fn(&mut Parser<'a>) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        operand(self)?;
        while let Some(&(_, op)) = operators.iter().find(|(sign, _)| self.take(*sign)) {
            operand(self)?;
            self.steps.push(op);
        }
        Ok(())
    }

    fn signed(&mut self) -> Result<(), Diagnostic> {
        let mut negative = false;
        loop {
            if self.take('-') {
                negative = !negative;
            } else if !self.take('+') {
                break;
            }
        }
        self.atom()?;
        if negative {
            self.steps.push(Op::Neg);
        }
        Ok(())
    }

    fn atom(&mut self) -> Result<(), Diagnostic> {
        match self.peek() {
            Some('(') => {
                self.take('(');
                self.sum()?;
                self.close()
            }
            Some(digit) if digit.is_ascii_digit() || digit == '.' => self.number(),
            Some(letter) if letter.is_alphabetic() || letter == '_' => self.name(),
            _ => Err(self.unexpected("expected a number, a name or `(`")),
        }
    }

    fn close(&mut self) -> Result<(), Diagnostic> {
        if self.take(')') { Ok(()) } else { Err(self.unexpected("expected `)`")) }
    }

    /// Digits, point, exponent.
    fn number(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let mut end = start;
        while let Some(&byte) = bytes.get(end) {
            let sign_of_exponent = matches!(byte, b'+' | b'-') && matches!(bytes[end - 1], b'e' | b'E');
            if !(byte.is_ascii_alphanumeric() || byte == b'.' || sign_of_exponent) {
                break;
            }
            end += 1;
        }
        self.at = end;
        let text = &self.text[start..end];
        let number = text.parse().map_err(|_| {
            let problem = Diagnostic::error(&SYNTAX, format!("`{text}` is not a number"));
            problem.label(self.span(start, end), "")
        })?;
        self.steps.push(Op::Number(number));
        Ok(())
    }

    fn name(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        let rest = &self.text[start..];
        let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let name = &rest[..length];
        self.at += length;
        let span = self.span(start, start + length);
        if let Some((_, op)) = CONSTANTS.iter().find(|(known, _)| *known == name) {
            self.steps.push(*op);
            return Ok(());
        }
        let Some(&(_, op)) = FUNCTIONS.iter().find(|(known, _)| *known == name) else {
            let known = CONSTANTS.iter().chain(&FUNCTIONS).map(|(known, _)| *known);
            let message = format!("there is no `{name}` in expressions");
            let problem = Diagnostic::error(&UNKNOWN_NAME, message).label(span, "not known");
            return Err(match suggest::nearest(name, known.clone()) {
                Some(near) if self.verbatim => problem.did_you_mean(near, span, near),
                _ => problem.help(format!("names are {}", list(known))),
            });
        };
        if !self.take('(') {
            return Err(self.unexpected("expected `(` after the name of a function"));
        }
        let mut count = 1;
        self.sum()?;
        while self.take(',') {
            self.sum()?;
            count += 1;
        }
        self.close()?;
        let wanted = if matches!(op, Op::Call2(_)) { 2 } else { 1 };
        if count != wanted {
            let message = format!("`{name}` takes {}, not {count}", counted(wanted, "argument"));
            return Err(Diagnostic::error(&ARGUMENTS, message).label(self.span(start, self.at), ""));
        }
        self.steps.push(op);
        Ok(())
    }

    fn too_deep(&self) -> Diagnostic {
        let problem = Diagnostic::error(&TOO_DEEP, "this expression is nested too deeply");
        problem.label(self.span(self.at, self.at), format!("more than {MAX_DEPTH} levels here"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> f64 {
        let expr = Expr::parse(text, Span::default(), true).unwrap_or_else(|e| panic!("{text}: {e:?}"));
        expr.at(Time { frame: 6.0, t: 0.25 })
    }

    #[test]
    fn values_by_hand() {
        for (text, expected) in [
            ("1", 1.0),
            (" 1 + 2*3 ", 7.0),
            ("(1+2)*3", 9.0),
            ("8/4/2", 1.0),
            ("1-2-3", -4.0),
            ("-2*-3", 6.0),
            ("--1", 1.0),
            ("+.5e1", 5.0),
            ("1e-2", 0.01),
            ("1e+3", 1000.0),
            ("1E+3+1", 1001.0),
            ("2e3-1", 1999.0),
            ("2 - -1", 3.0),
            ("360*t", 90.0),
            ("frame", 6.0),
            ("sin(tau*t)", 1.0),
            ("cos(pi)", -1.0),
            ("max(min(3, 2), abs(-1))", 2.0),
            ("sqrt(floor(9.9))", 3.0),
        ] {
            assert_eq!(value(text), expected, "{text}");
        }
        assert_eq!(value("1/0"), f64::INFINITY);
        assert!(value("0/0").is_nan());
    }

    #[test]
    fn errors_point_at_the_place() {
        for (text, code, place) in [
            ("", "R0601", 0..0),
            ("1 +", "R0601", 3..3),
            ("1 2", "R0601", 2..3),
            ("(1", "R0601", 2..2),
            ("1e", "R0601", 0..2),
            ("1.2.3", "R0601", 0..5),
            ("2 * é", "R0602", 4..6),
            ("2 $ 3", "R0601", 2..3),
            ("360 * tt", "R0602", 6..8),
            ("sin 3", "R0601", 4..5),
            ("sin(1, 2)", "R0603", 0..9),
            ("max(1)", "R0603", 0..6),
        ] {
            let span = Span { start: 100, end: 100 + text.len() as u32, ..Span::default() };
            let error = Expr::parse(text, span, true).unwrap_err();
            assert_eq!(error.code.id, code, "{text}");
            let found = error.labels[0].span;
            assert_eq!((found.start, found.end), (100 + place.start, 100 + place.end), "{text}: {error:?}");
            // Not letter by letter: the whole text.
            let error = Expr::parse(text, span, false).unwrap_err();
            assert_eq!(error.labels[0].span, span, "{text}");
        }
    }

    #[test]
    fn depth_is_limited() {
        let nested = |depth: usize| format!("{}1{}", "(".repeat(depth), ")".repeat(depth));
        // A number, and a number and an operation for each that is added.
        let sum = |steps: usize| Expr::parse(&format!("1{}", "+1".repeat(steps / 2)), Span::default(), true);
        assert!(
            sum(MAX_STEPS).is_err_and(|problem| problem.code.id == "R0604") && sum(MAX_STEPS - 1).is_ok()
        );
        assert!(Expr::parse(&nested(MAX_DEPTH - 1), Span::default(), true).is_ok());
        for depth in [MAX_DEPTH, 1_000_000] {
            assert_eq!(Expr::parse(&nested(depth), Span::default(), true).unwrap_err().code.id, "R0604");
        }
        assert!(Expr::parse(&format!("{}1", "-".repeat(1_000_000)), Span::default(), true).is_ok());
    }
}
