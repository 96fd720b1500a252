//! Expressions.

use crate::front::cg::codes::NUMBER;
use crate::front::cg::lexer::{Kind, Token};
use crate::front::cg::parser::{MAX_NESTED, Parser, joined, too_deep};
use crate::front::cg::tree::{Binary, Expr, ExprKind, Unary};
use crate::front::cg::{number, types};
use gpuzoo_diag::{Diagnostic, Span};
use gpuzoo_isa::Failed;

/// Operators of two operands by how tightly they bind, the loosest first.
const LEVELS: &[&[(&str, Binary)]] = &[
    &[("||", Binary::Or)],
    &[("&&", Binary::And)],
    &[("|", Binary::BitOr)],
    &[("^", Binary::BitXor)],
    &[("&", Binary::BitAnd)],
    &[("==", Binary::Equal), ("!=", Binary::NotEqual)],
    &[("<=", Binary::LessEqual), ("<", Binary::Less), (">=", Binary::GreaterEqual), (">", Binary::Greater)],
    &[("<<", Binary::ShiftLeft), (">>", Binary::ShiftRight)],
    &[("+", Binary::Add), ("-", Binary::Subtract)],
    &[("*", Binary::Multiply), ("/", Binary::Divide), ("%", Binary::Modulo)],
];

const ASSIGNMENTS: &[(&str, Option<Binary>)] = &[
    ("=", None),
    ("+=", Some(Binary::Add)),
    ("-=", Some(Binary::Subtract)),
    ("*=", Some(Binary::Multiply)),
    ("/=", Some(Binary::Divide)),
    ("%=", Some(Binary::Modulo)),
    ("&=", Some(Binary::BitAnd)),
    ("|=", Some(Binary::BitOr)),
    ("^=", Some(Binary::BitXor)),
    ("<<=", Some(Binary::ShiftLeft)),
    (">>=", Some(Binary::ShiftRight)),
];

impl Parser<'_> {
    /// An expression; with commas, the last one.
    pub(super) fn expression(&mut self) -> Result<Expr, Failed> {
        let mut left = self.assignment()?;
        while self.takes(",") {
            let right = self.assignment()?;
            left = self.made(ExprKind::Comma(Box::new(left), Box::new(right)))?;
        }
        Ok(left)
    }

    /// The first value of a variable: an expression without commas, or a list.
    pub(super) fn initializer(&mut self) -> Result<Expr, Failed> {
        let start = self.peek().span;
        if !self.takes("{") {
            return self.assignment();
        }
        self.nested(|parser| {
            let mut values = Vec::new();
            while !parser.takes("}") {
                values.push(parser.initializer()?);
                if !parser.takes(",") {
                    parser.wants("}")?;
                    break;
                }
            }
            let span = parser.since(start);
            parser.sized(ExprKind::List(values), span)
        })
    }

    fn assignment(&mut self) -> Result<Expr, Failed> {
        self.nested(|parser| {
            let target = parser.choice()?;
            let found = ASSIGNMENTS.iter().find(|(text, _)| parser.peek().is(text));
            let Some((_, operator)) = found else { return Ok(target) };
            parser.take();
            let value = parser.assignment()?;
            parser.made(ExprKind::Assign(*operator, Box::new(target), Box::new(value)))
        })
    }

    fn choice(&mut self) -> Result<Expr, Failed> {
        let condition = self.level(0)?;
        if !self.takes("?") {
            return Ok(condition);
        }
        let accept = self.nested(Self::expression)?;
        self.wants(":")?;
        let reject = self.nested(Self::choice)?;
        self.made(ExprKind::Select(Box::new([condition, accept, reject])))
    }

    /// Operators that bind as tightly as those of a level, or tighter.
    fn level(&mut self, least: usize) -> Result<Expr, Failed> {
        let mut left = self.unary()?;
        loop {
            let operators = LEVELS.iter().enumerate().skip(least);
            let found = operators.flat_map(|(level, list)| list.iter().map(move |entry| (level, entry)));
            let Some((level, (_, operator))) = found
                .into_iter()
                .find(|(_, (text, _))| self.peek().is(text))
                .map(|(level, entry)| (level, *entry))
            else {
                return Ok(left);
            };
            self.take();
            let right = self.level(level + 1)?;
            left = self.made(ExprKind::Binary(operator, Box::new(left), Box::new(right)))?;
        }
    }

    fn unary(&mut self) -> Result<Expr, Failed> {
        let start = self.peek().span;
        let operator = match &*self.peek().text {
            _ if self.peek().kind != Kind::Mark => return self.postfix(),
            "+" => Unary::Plus,
            "-" => Unary::Minus,
            "!" => Unary::Not,
            "~" => Unary::Complement,
            "++" | "--" => {
                let by = if self.take().is("++") { Binary::Add } else { Binary::Subtract };
                let target = Box::new(self.nested(Self::unary)?);
                let span = self.since(start);
                return self.sized(ExprKind::Step { target, by, after: false }, span);
            }
            "(" if self.is_type(self.ahead(1)) && !self.is_in_parentheses() => {
                let mut ahead = 2;
                // A cast: a type, maybe with sizes, in parentheses.
                while !self.ahead(ahead).is(")") {
                    if !self.ahead(2).is("[") || self.ahead(ahead).kind == Kind::End {
                        return self.postfix();
                    }
                    ahead += 1;
                }
                self.take();
                let name = self.name("a type")?;
                let sizes = self.sizes()?;
                self.wants(")")?;
                let value = Box::new(self.nested(Self::unary)?);
                let span = self.since(start);
                return self.sized(ExprKind::Cast(self.named_type(name, sizes), value), span);
            }
            _ => return self.postfix(),
        };
        self.take();
        let value = Box::new(self.nested(Self::unary)?);
        let span = self.since(start);
        self.sized(ExprKind::Unary(operator, value), span)
    }

    fn postfix(&mut self) -> Result<Expr, Failed> {
        let mut value = self.primary()?;
        loop {
            let start = value.span;
            let kind = if self.takes(".") {
                ExprKind::Member(Box::new(value), self.name("a member")?)
            } else if self.takes("[") {
                let index = self.nested(Self::expression)?;
                self.wants("]")?;
                ExprKind::Index(Box::new(value), Box::new(index))
            } else if self.takes("++") {
                ExprKind::Step { target: Box::new(value), by: Binary::Add, after: true }
            } else if self.takes("--") {
                ExprKind::Step { target: Box::new(value), by: Binary::Subtract, after: true }
            } else {
                return Ok(value);
            };
            let span = self.since(start);
            value = self.sized(kind, span)?;
        }
    }

    fn primary(&mut self) -> Result<Expr, Failed> {
        let Token { kind, text, span, .. } = self.peek().clone();
        match kind {
            Kind::Number => {
                self.take();
                let kind = self.number(&text, span)?;
                self.sized(kind, span)
            }
            Kind::Mark if self.takes("(") => {
                let inner = self.nested(Self::expression)?;
                self.wants(")")?;
                Ok(Expr { span: self.since(span), ..inner })
            }
            Kind::Word => self.word(),
            _ => self.expected("an expression"),
        }
    }

    /// True if the next word names a type of the source, but is used as a variable that hides it: no arguments follow.
    fn is_hidden_type(&self) -> bool {
        if types::named(&self.peek().text).is_some() {
            return false;
        }
        let mut ahead = 1;
        while self.ahead(ahead).is("[") {
            // Sizes are short; the end is never looked for in a whole source.
            let Some(close) = (ahead..ahead + 32).find(|at| self.ahead(*at).is("]")) else { return false };
            ahead = close + 1;
        }
        !self.ahead(ahead).is("(")
    }

    /// True if the next word in parentheses names a type of the source, but no value follows for a cast: a variable hides it.
    fn is_in_parentheses(&self) -> bool {
        let behind = self.ahead(3);
        let begins_value = matches!(behind.kind, Kind::Word | Kind::Number)
            || ["(", "-", "+", "!", "~", "++", "--"].iter().any(|mark| behind.is(mark));
        types::named(&self.ahead(1).text).is_none() && self.ahead(2).is(")") && !begins_value
    }

    fn word(&mut self) -> Result<Expr, Failed> {
        if matches!(
            &*self.peek().text,
            "if" | "else" | "for" | "while" | "do" | "return" | "break" | "struct"
        ) {
            return self.expected("an expression");
        }
        let is_type = self.is_type(self.peek()) && !self.is_hidden_type();
        let name = self.name("a name")?;
        let kind = match &*name.text {
            "true" => ExprKind::Bool(true),
            "false" => ExprKind::Bool(false),
            _ if is_type => {
                let sizes = self.sizes()?;
                let name = self.named_type(name.clone(), sizes);
                if !self.peek().is("(") {
                    return self.expected("`(`: a type is used like a function");
                }
                ExprKind::Construct(name, self.arguments(false)?)
            }
            _ if self.peek().is("(") => {
                let is_emitting = &*name.text == "emitVertex";
                ExprKind::Call(name.clone(), self.arguments(is_emitting)?)
            }
            _ => ExprKind::Name(name.text.clone()),
        };
        let span = self.since(name.span);
        self.sized(kind, span)
    }

    /// Arguments in parentheses; those of `emitVertex`, of geometry programs, have semantics.
    fn arguments(&mut self, is_emitting: bool) -> Result<Vec<Expr>, Failed> {
        self.wants("(")?;
        let mut arguments = Vec::new();
        if self.takes(")") {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.nested(Self::assignment)?);
            if is_emitting && self.takes(":") {
                self.name("a semantic")?;
            }
            if self.takes(")") {
                return Ok(arguments);
            }
            if !self.takes(",") {
                return self.expected("`,` or `)`");
            }
        }
    }

    fn number(&mut self, text: &str, span: Span) -> Result<ExprKind, Failed> {
        let problem = match (number::integer(text), number::float(text)) {
            (Some(value), _) => {
                // Hexadecimal ones may give all 32 bits.
                let is_bits = text.starts_with("0x") && u32::try_from(value).is_ok();
                match i32::try_from(value).ok().or(is_bits.then_some(value as i32)) {
                    Some(value) => return Ok(ExprKind::Int(value)),
                    None => Diagnostic::error(&NUMBER, format!("`{text}` takes more than 32 bits"))
                        .label(span, "at most 2147483647"),
                }
            }
            (None, Some(value)) if value.is_finite() => return Ok(ExprKind::Float(value)),
            (None, Some(_)) => Diagnostic::error(&NUMBER, format!("`{text}` is too large"))
                .label(span, "at most about 3.4e38"),
            (None, None) => Diagnostic::error(&NUMBER, format!("`{}` is not a number", text.escape_debug()))
                .label(span, "expected a number")
                .help("numbers are `12`, `0x1F`, `1.5`, `1e-3f`"),
        };
        self.fail(problem)
    }

    /// An expression of others, from the first one's text to the last one's.
    fn made(&mut self, kind: ExprKind) -> Result<Expr, Failed> {
        let span = match &kind {
            ExprKind::Comma(first, last)
            | ExprKind::Binary(_, first, last)
            | ExprKind::Assign(_, first, last) => joined(first.span, last.span),
            ExprKind::Select(parts) => {
                let [first, _, last] = &**parts;
                joined(first.span, last.span)
            }
            _ => self.last(),
        };
        self.sized(kind, span)
    }

    /// An expression, if it is not nested too deep.
    fn sized(&mut self, kind: ExprKind, span: Span) -> Result<Expr, Failed> {
        let of = |parts: &[Expr]| parts.iter().map(|part| part.depth).max().unwrap_or(0);
        let below = match &kind {
            ExprKind::Float(_) | ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Name(_) => 0,
            ExprKind::Member(part, _)
            | ExprKind::Cast(_, part)
            | ExprKind::Unary(_, part)
            | ExprKind::Step { target: part, .. } => part.depth,
            ExprKind::Index(one, other)
            | ExprKind::Binary(_, one, other)
            | ExprKind::Assign(_, one, other)
            | ExprKind::Comma(one, other) => one.depth.max(other.depth),
            ExprKind::Call(_, parts) | ExprKind::Construct(_, parts) | ExprKind::List(parts) => of(parts),
            ExprKind::Select(parts) => of(&**parts),
        };
        let depth = below + 1;
        if usize::from(depth) > MAX_NESTED {
            return self.fail(too_deep(span));
        }
        Ok(Expr { kind, span, depth })
    }
}
