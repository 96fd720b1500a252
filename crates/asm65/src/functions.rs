//! Functions that begin with a dot: those of expressions, and those that make words.

use crate::assembler::{Assembler, Outcome};
use crate::expr::{Binary, Expr, Size, Unary};
use crate::input::MAX_TOKENS;
use crate::rules::{MACRO, NOT_CONSTANT, RANGE, TOO_MANY_LINES, UNEXPECTED};
use crate::token::{Kind, Mark, Token};
use crate::words::Directive;

impl Assembler<'_> {
    /// A function in an expression; the word is next.
    pub fn function(&mut self, directive: Directive) -> Outcome<Expr> {
        use Directive::*;
        let word = self.next();
        if directive == Paramcount {
            return match self.argument_count() {
                Some(count) => Ok(Expr::Number(count as i64)),
                None => Err(self.problem(&MACRO, word.span, "`.paramcount` is allowed in a macro only")),
            };
        }
        let unary = match directive {
            LoByte => Some(Unary::LoByte),
            HiByte => Some(Unary::HiByte),
            BankByte => Some(Unary::BankByte),
            LoWord => Some(Unary::LoWord),
            HiWord => Some(Unary::HiWord),
            _ => None,
        };
        let is_function = unary.is_some()
            || matches!(
                directive,
                Min | Max
                    | Strlen
                    | Strat
                    | Sizeof
                    | Addrsize
                    | Defined
                    | Const
                    | Blank
                    | Match
                    | Xmatch
                    | Tcount
            );
        if !is_function {
            return Err(self.unexpected(word, "a value"));
        }
        // `.defined name` works without parentheses too, and so do the bytes' functions.
        let open = self.accept(Mark::Open);
        let value = match directive {
            Min | Max => {
                let left = self.inner()?;
                self.expect(Mark::Comma, "`,`")?;
                let right = self.inner()?;
                Expr::binary(if directive == Min { Binary::Min } else { Binary::Max }, left, right)
            }
            Strlen => {
                let (text, _) = self.string()?;
                Expr::Number(text.len() as i64)
            }
            Strat => self.character_of_string()?,
            Sizeof => Expr::Number(self.size_of_scope()?.0),
            Addrsize => {
                // What ca65 counts: 0 for a name that is not known, 1 for the zero page, 2 for other addresses.
                let inner = self.inner()?;
                Expr::Number(match self.size(&inner) {
                    Size::Unknown => 0,
                    Size::Zp => 1,
                    Size::Abs => 2,
                })
            }
            Defined => Expr::Number(i64::from(self.is_defined()?)),
            Const => {
                let inner = self.inner()?;
                Expr::Number(i64::from(self.is_constant(&inner)))
            }
            Blank => Expr::Number(i64::from(self.token_list(open)?.is_empty())),
            Tcount => Expr::Number(self.token_list(open)?.len() as i64),
            Match | Xmatch => {
                let left = self.token_list(open)?;
                self.expect(Mark::Comma, "`,`")?;
                let right = self.token_list(open)?;
                Expr::Number(i64::from(is_match(&left, &right, directive == Xmatch)))
            }
            _ => {
                let inner = self.inner()?;
                unary.map_or(inner.clone(), |op| Expr::unary(op, inner))
            }
        };
        if open {
            self.expect(Mark::Close, "`)`")?;
        }
        Ok(value)
    }

    /// An expression in an expression: the count of operators goes on.
    fn inner(&mut self) -> Outcome<Expr> {
        let before = self.operators;
        let (expr, _) = self.expression()?;
        self.operators += before;
        Ok(expr)
    }

    fn character_of_string(&mut self) -> Outcome<Expr> {
        let token = self.next();
        let Kind::Text(text) = token.kind else { return Err(self.unexpected(token, "a string")) };
        self.expect(Mark::Comma, "`,`")?;
        let inner = self.inner()?;
        let Expr::Number(index) = inner else {
            return Err(self.problem(&NOT_CONSTANT, token.span, "the index is not known yet"));
        };
        let bytes = self.mapped(text);
        match usize::try_from(index).ok().and_then(|index| bytes.get(index)) {
            Some(byte) => Ok(Expr::Number(i64::from(*byte))),
            None => Err(self.problem(&RANGE, token.span, &format!("the string has no character {index}"))),
        }
    }

    /// Tokens up to a comma or the closing parenthesis, or those between braces.
    fn token_list(&mut self, open: bool) -> Outcome<Vec<Token>> {
        let is_braced = self.peek().is(Mark::OpenBrace);
        let start = self.at;
        let mut depth = 0usize;
        loop {
            let token = self.peek();
            match token.kind {
                Kind::End if is_braced => return Err(self.unexpected(token, "`}`")),
                Kind::End => break,
                Kind::Mark(Mark::OpenBrace) if is_braced => depth += 1,
                Kind::Mark(Mark::CloseBrace) if is_braced => {
                    depth -= 1;
                    if depth == 0 {
                        let inside = self.line.get(start + 1..self.at).unwrap_or(&[]).to_vec();
                        self.next();
                        return Ok(inside);
                    }
                }
                Kind::Mark(Mark::Open) if !is_braced => depth += 1,
                Kind::Mark(Mark::Close) if !is_braced && depth == 0 && open => break,
                Kind::Mark(Mark::Close) if !is_braced => depth = depth.saturating_sub(1),
                Kind::Mark(Mark::Comma) if !is_braced && depth == 0 => break,
                _ => {}
            }
            self.next();
        }
        Ok(self.line.get(start..self.at).unwrap_or(&[]).to_vec())
    }

    /// Works out in the rest of the line the functions that make words, the inner ones first.
    pub fn token_functions(&mut self) -> Outcome<()> {
        use Directive::{Concat, Ident, Left, Mid, Right, StringOf};
        let makes_words = |token: &Token| {
            matches!(token.kind, Kind::Directive(Concat | Ident | StringOf | Left | Mid | Right))
        };
        // What they make has none of them, so only the words before have to be looked at again.
        let (first, mut before) = (self.at, self.line.len());
        while let Some(start) =
            self.line.get(first..before).and_then(|line| line.iter().rposition(makes_words))
        {
            let start = first + start;
            before = start;
            self.charge(self.line.len() - start);
            self.at = start;
            let word = self.next();
            self.expect(Mark::Open, "`(`")?;
            let words = match word.kind {
                Kind::Directive(part @ (Left | Mid | Right)) => self.part_of_list(part)?,
                _ => vec![Token { kind: self.joined(word)?, ..word }],
            };
            self.expect(Mark::Close, "`)`")?;
            let end = self.at;
            self.line.splice(start..end, words);
        }
        self.at = first;
        Ok(())
    }

    /// The arguments of `.left(count, list)`, `.right(count, list)`, `.mid(start, count, list)`.
    fn part_of_list(&mut self, part: Directive) -> Outcome<Vec<Token>> {
        let mut number = || -> Outcome<usize> {
            let (number, _) = self.constant()?;
            self.expect(Mark::Comma, "`,`")?;
            Ok(usize::try_from(number).unwrap_or(0))
        };
        let skipped = if part == Directive::Mid { number()? } else { 0 };
        let count = number()?;
        let list = self.token_list(true)?;
        let skipped = if part == Directive::Right { list.len().saturating_sub(count) } else { skipped };
        Ok(list.into_iter().skip(skipped).take(count).collect())
    }

    /// The arguments of `.concat`, `.string` and `.ident` as one word.
    fn joined(&mut self, word: Token) -> Outcome<Kind> {
        let is_string = word.kind == Kind::Directive(Directive::StringOf);
        let mut text = String::new();
        loop {
            let token = self.next();
            match token.kind {
                Kind::Text(part) => text += self.names.text(part),
                Kind::Name(part) | Kind::Cheap(part) if is_string => text += self.names.text(part),
                Kind::Number(number) if is_string => text += &number.to_string(),
                _ => return Err(self.unexpected(token, "a string")),
            }
            if text.len() > MAX_TOKENS {
                return Err(self.problem(&TOO_MANY_LINES, word.span, "the string is too long"));
            }
            if !self.accept(Mark::Comma) {
                break;
            }
        }
        if word.kind != Kind::Directive(Directive::Ident) {
            return Ok(Kind::Text(self.names.intern(&text)));
        }
        let name = self.names.intern(&text);
        match text.strip_prefix('@') {
            Some(rest) if is_word(rest) => Ok(Kind::Cheap(name)),
            None if is_word(&text) => Ok(Kind::Name(name)),
            _ => Err(self.problem(&UNEXPECTED, word.span, "this makes no name")),
        }
    }
}

fn is_word(text: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    text.bytes().all(is_letter) && text.bytes().next().is_some_and(|first| !first.is_ascii_digit())
}

/// `.match` minds the kinds of words only, `.xmatch` what they say as well.
fn is_match(left: &[Token], right: &[Token], exactly: bool) -> bool {
    let same = |left: &Kind, right: &Kind| {
        let both = |left: &Kind, right: &Kind| std::mem::discriminant(left) == std::mem::discriminant(right);
        match (left, right) {
            (Kind::Name(_) | Kind::Cheap(_) | Kind::Number(_) | Kind::Text(_) | Kind::Character(_), _)
                if !exactly =>
            {
                both(left, right)
            }
            _ => left == right,
        }
    };
    left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(&left.kind, &right.kind))
}
