//! Reading expressions and names.

use crate::assembler::{Assembler, Outcome};
use crate::evaluate::Evaluator;
use crate::expr::Sym;
use crate::expr::{Binary, Expr, Unary, Value};
use crate::lexer;
use crate::names;
use crate::rules::{BAD_NUMBER, CIRCULAR, DIVISION, NOT_CONSTANT, SCOPE, STRAY, TOO_DEEP, UNEXPECTED};
use crate::symbols::Named;
use crate::symbols::{Owner, ScopeId};
use crate::token::{Junk, Kind, Mark, Name, Token};
use crate::words::Directive;
use gpuzoo_diag::{Diagnostic, Span, suggest};

/// The most open parentheses, and signs before an operand.
const MAX_DEPTH: u32 = 128;
/// The most operators of an expression: each may be one more level of its tree.
const MAX_OPERATORS: usize = 256;

impl Assembler<'_> {
    /// What is here is not what is needed.
    pub fn unexpected(&self, token: Token, wanted: &str) -> Box<Diagnostic> {
        let (code, message) = match token.kind {
            Kind::Junk(Junk::Character) => (&STRAY, "this character means nothing here".to_owned()),
            Kind::Junk(Junk::OpenText) => (&STRAY, "the string is not closed in its line".to_owned()),
            Kind::Junk(Junk::OpenComment) => (&STRAY, "the comment is never closed".to_owned()),
            Kind::Junk(Junk::OpenCharacter) => {
                (&BAD_NUMBER, "a character constant is one ASCII character between apostrophes".to_owned())
            }
            Kind::Junk(Junk::Number) => (&BAD_NUMBER, "this is not a number".to_owned()),
            Kind::Junk(Junk::TooLarge) => (&BAD_NUMBER, "the number has more than 32 bits".to_owned()),
            Kind::End => (&UNEXPECTED, format!("the line ends where {wanted} is needed")),
            _ => (&UNEXPECTED, format!("expected {wanted}")),
        };
        self.problem(code, token.span, &message)
    }

    /// The line must end here.
    pub fn end_of_line(&mut self) -> Outcome<()> {
        match self.peek() {
            token if token.kind == Kind::End => Ok(()),
            token => Err(self.unexpected(token, "the end of the line")),
        }
    }

    pub fn expect(&mut self, mark: Mark, wanted: &str) -> Outcome<Token> {
        let token = self.peek();
        if token.is(mark) { Ok(self.next()) } else { Err(self.unexpected(token, wanted)) }
    }

    /// A word that is not a register.
    pub fn name(&mut self, wanted: &str) -> Outcome<(Name, Span)> {
        let token = self.next();
        match token.kind {
            Kind::Name(name) => Ok((name, token.span)),
            Kind::Register(_) | Kind::Prefix(_) => Err(Box::new(
                self.unexpected(token, wanted)
                    .help("`a`, `x` and `y` are registers, and `a:` and `z:` choose an addressing mode"),
            )),
            _ => Err(self.unexpected(token, wanted)),
        }
    }

    /// A string's text.
    pub fn string(&mut self) -> Outcome<(String, Span)> {
        let token = self.next();
        match token.kind {
            Kind::Text(text) => Ok((self.text(text).to_owned(), token.span)),
            _ => Err(self.unexpected(token, "a string in double quotes")),
        }
    }

    /// A string's bytes as the program's character set has them.
    pub fn mapped(&self, text: Name) -> Vec<u8> {
        let bytes = lexer::bytes_of(&self.names, text);
        bytes.into_iter().map(|byte| self.charmap[usize::from(byte)]).collect()
    }

    /// An expression and the place of its text.
    pub fn expression(&mut self) -> Outcome<(Expr, Span)> {
        let start = self.peek().span;
        self.operators = 0;
        let expr = self.level(0)?;
        let end = self.line.get(self.at.wrapping_sub(1)).map_or(start, |token| token.span);
        let span = if end.file == start.file && end.end >= start.start { start.to(end) } else { start };
        Ok((expr, span))
    }

    /// A number that must be known now.
    pub fn constant(&mut self) -> Outcome<(i64, Span)> {
        let (expr, span) = self.expression()?;
        match self.value(&expr) {
            Value::Number(number) => Ok((number, span)),
            Value::DivisionByZero => Err(self.problem(&DIVISION, span, "the divisor is 0")),
            Value::Circular => Err(self.problem(&CIRCULAR, span, "the value needs itself")),
            Value::Place(..) | Value::Unknown => {
                let expr = self.with_predefined(expr);
                match self.value(&expr) {
                    Value::Number(number) => Ok((number, span)),
                    _ => Err(self.problem(&NOT_CONSTANT, span, "this value is not known yet")),
                }
            }
        }
    }

    /// The expression with the names that only the assembler defines.
    pub fn with_predefined(&self, expr: Expr) -> Expr {
        match expr {
            Expr::Symbol(symbol) if self.symbols.definition(symbol).is_none() => {
                self.predefined(symbol).map_or(expr, Expr::Number)
            }
            Expr::Unary(op, operand) => Expr::unary(op, self.with_predefined(*operand)),
            Expr::Binary(op, operands) => {
                Expr::binary(op, self.with_predefined(operands.0), self.with_predefined(operands.1))
            }
            other => other,
        }
    }

    /// What the assembler itself knows of a name.
    pub fn predefined(&self, symbol: Sym) -> Option<i64> {
        let entry = self.symbols.get(symbol);
        let is_plain = matches!(entry.owner, Owner::Scope(_));
        let found = if is_plain { names::find(self.options.names, self.text(entry.name)) } else { None };
        found.map(i64::from)
    }

    /// True if a value is known now.
    pub fn is_constant(&self, expr: &Expr) -> bool {
        matches!(self.value(expr), Value::Number(_))
    }

    pub fn size(&self, expr: &Expr) -> crate::expr::Size {
        Evaluator::early(&self.symbols, &self.sections, &self.unnamed).size(expr)
    }

    /// ca65's precedence, from `!` (0) over `||`, `&&`, comparisons and sums to products (5).
    fn level(&mut self, level: u8) -> Outcome<Expr> {
        if level == 0 {
            let token = self.peek();
            if !matches!(token.kind, Kind::Mark(Mark::Bang) | Kind::Directive(Directive::BoolNot)) {
                return self.level(1);
            }
            self.next();
            return self.deeper(token, |this| Ok(Expr::unary(Unary::Not, this.level(0)?)));
        }
        if level == 6 {
            return self.factor();
        }
        let mut left = self.level(level + 1)?;
        while let Some((op, _)) = operator(self.peek().kind).filter(|(_, own)| *own == level) {
            let token = self.next();
            self.operators += 1;
            if self.operators > MAX_OPERATORS {
                return Err(self.problem(&TOO_DEEP, token.span, "the expression has too many operators"));
            }
            let right = self.level(level + 1)?;
            if matches!(op, Binary::Divide | Binary::Modulo) && matches!(right, Expr::Number(0)) {
                return Err(self.problem(&DIVISION, token.span, "the divisor is 0"));
            }
            left = Expr::binary(op, left, right);
        }
        Ok(left)
    }

    fn deeper<T>(&mut self, token: Token, then: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.problem(&TOO_DEEP, token.span, "the expression is nested too deeply"));
        }
        self.depth += 1;
        let outcome = then(self);
        self.depth -= 1;
        outcome
    }

    fn factor(&mut self) -> Outcome<Expr> {
        let token = self.peek();
        let unary = match token.kind {
            Kind::Mark(Mark::Minus) => Some(Unary::Negate),
            Kind::Mark(Mark::Tilde) | Kind::Directive(Directive::BitNot) => Some(Unary::Complement),
            Kind::Mark(Mark::Less) => Some(Unary::LoByte),
            Kind::Mark(Mark::Greater) => Some(Unary::HiByte),
            Kind::Mark(Mark::Caret) => Some(Unary::BankByte),
            _ => None,
        };
        if let Some(op) = unary {
            self.next();
            return self.deeper(token, |this| Ok(Expr::unary(op, this.factor()?)));
        }
        match token.kind {
            Kind::Mark(Mark::Plus) => {
                self.next();
                self.deeper(token, Self::factor)
            }
            Kind::Number(number) => {
                self.next();
                Ok(Expr::Number(number))
            }
            Kind::Character(byte) => {
                self.next();
                Ok(Expr::Number(i64::from(self.charmap[usize::from(byte)])))
            }
            Kind::Text(text) => {
                self.next();
                match self.mapped(text).as_slice() {
                    [byte] => Ok(Expr::Number(i64::from(*byte))),
                    _ => Err(self.problem(
                        &UNEXPECTED,
                        token.span,
                        "only a string of one character is a value",
                    )),
                }
            }
            Kind::Mark(Mark::Star) | Kind::Directive(Directive::Pc) => {
                self.next();
                Ok(self.sections.here())
            }
            Kind::Mark(Mark::Open) => {
                self.next();
                let expr = self.deeper(token, |this| this.level(0))?;
                self.expect(Mark::Close, "`)`")?;
                Ok(expr)
            }
            Kind::Unnamed(count) => {
                self.next();
                self.unnamed(count, token.span)
            }
            Kind::Name(_) | Kind::Cheap(_) | Kind::Mark(Mark::Scope) => {
                let (symbol, _) = self.symbol()?;
                Ok(self.used(symbol))
            }
            Kind::Directive(directive) => self.deeper(token, |this| this.function(directive)),
            _ => Err(self.unexpected(token, "a value")),
        }
    }

    fn unnamed(&mut self, count: i32, span: Span) -> Outcome<Expr> {
        let here = self.unnamed.len();
        if count > 0 {
            let index = here + count as usize - 1;
            self.unnamed_uses.push((index, span, self.context));
            return Ok(Expr::Unnamed(index));
        }
        let index =
            here.checked_sub(count.unsigned_abs() as usize).filter(|index| *index >= self.first_unnamed);
        match index.and_then(|index| self.unnamed.get(index)) {
            Some(place) => Ok(place.clone()),
            None => Err(self.problem(
                &crate::rules::UNDEFINED,
                span,
                "there are not so many unnamed labels above",
            )),
        }
    }

    /// A use of a name: its value as far as it is fixed already.
    pub fn used(&mut self, symbol: Sym) -> Expr {
        self.symbols.get_mut(symbol).is_used = true;
        match self.symbols.definition(symbol) {
            Some(value @ (Expr::Number(_) | Expr::Place(..))) => value.clone(),
            _ => Expr::Symbol(symbol),
        }
    }

    /// A name, made if it is new: `name`, `@name`, `scope::name`, `::name`.
    pub fn symbol(&mut self) -> Outcome<(Sym, Span)> {
        let token = self.peek();
        if let Kind::Cheap(name) = token.kind {
            self.next();
            let owner = self.cheap_owner();
            let symbol = self.symbols.entry(owner, name, token.span, self.context);
            self.note(Named::Symbol(symbol), token.span);
            return Ok((symbol, token.span));
        }
        let (scope, name, span) = self.path()?;
        let found = match scope {
            None => self.symbols.find_from(self.symbols.scope, name),
            Some(_) => None,
        };
        let owner = Owner::Scope(scope.unwrap_or(self.symbols.scope));
        let symbol = found.unwrap_or_else(|| self.symbols.entry(owner, name, span, self.context));
        self.note(Named::Symbol(symbol), span);
        Ok((symbol, span))
    }

    /// Whose the cheap locals are here.
    pub fn cheap_owner(&self) -> Owner {
        self.symbols.last_label.map_or(Owner::Nothing(self.symbols.root), Owner::Label)
    }

    /// A name with the scopes before it; the scope is none for a plain name.
    pub fn path(&mut self) -> Outcome<(Option<ScopeId>, Name, Span)> {
        let mut scope = self.accept(Mark::Scope).then_some(self.symbols.root);
        loop {
            let (name, span) = self.name("a name")?;
            if !self.peek().is(Mark::Scope) {
                return Ok((scope, name, span));
            }
            self.next();
            let found = match scope {
                None => self.symbols.scope_from(self.symbols.scope, name),
                Some(outer) => self.symbols.child(outer, name),
            };
            scope = match found {
                Some(found) => {
                    self.note(Named::Scope(found), span);
                    Some(found)
                }
                None => {
                    let word = self.text(name);
                    let mut problem =
                        *self.problem(&SCOPE, span, &format!("there is no scope `{}` above", word));
                    let known = self.symbols.scope_names().take(1000).map(|name| self.text(name));
                    if let Some(near) = suggest::nearest(word, known) {
                        problem = problem.help(format!("did you mean `{near}`?"));
                    }
                    return Err(Box::new(problem));
                }
            };
        }
    }
}

/// Operators of two operands and how tightly they bind, from 1 to 5.
fn operator(kind: Kind) -> Option<(Binary, u8)> {
    use Binary::*;
    Some(match kind {
        Kind::Mark(mark) => match mark {
            Mark::OrOr => (Or, 1),
            Mark::AndAnd => (And, 2),
            Mark::Equal => (Equal, 3),
            Mark::Unequal => (Unequal, 3),
            Mark::Less => (Less, 3),
            Mark::Greater => (Greater, 3),
            Mark::LessEqual => (LessEqual, 3),
            Mark::GreaterEqual => (GreaterEqual, 3),
            Mark::Plus => (Add, 4),
            Mark::Minus => (Subtract, 4),
            Mark::Pipe => (BitOr, 4),
            Mark::Star => (Multiply, 5),
            Mark::Slash => (Divide, 5),
            Mark::And => (BitAnd, 5),
            Mark::Caret => (BitXor, 5),
            Mark::ShiftLeft => (ShiftLeft, 5),
            Mark::ShiftRight => (ShiftRight, 5),
            _ => return None,
        },
        Kind::Directive(directive) => match directive {
            Directive::BoolOr => (Or, 1),
            Directive::BoolAnd => (And, 2),
            Directive::BoolXor => (Xor, 2),
            Directive::BitOr => (BitOr, 4),
            Directive::Mod => (Modulo, 5),
            Directive::BitAnd => (BitAnd, 5),
            Directive::BitXor => (BitXor, 5),
            Directive::Shl => (ShiftLeft, 5),
            Directive::Shr => (ShiftRight, 5),
            _ => return None,
        },
        _ => return None,
    })
}
