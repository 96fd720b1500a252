//! Integer expressions with the operators of C: between a register's brackets, and in conditions.

use crate::codes::{EXPECTED_NUMBER, OUT_OF_RANGE};
use crate::cursor::{Cursor, Failed};
use crate::number::{NumberError, integer};
use crate::token::TokenKind;
use gpuzoo_diag::{Diagnostic, Span};

/// How deep parentheses and signs may be nested.
pub const MAX_NESTING: usize = 64;

/// Binary operators with their levels; those that another one begins with come behind it.
const OPERATORS: [(&str, u8); 18] = [
    ("||", 1),
    ("&&", 2),
    ("|", 3),
    ("^", 4),
    ("&", 5),
    ("==", 6),
    ("!=", 6),
    ("<<", 8),
    (">>", 8),
    ("<=", 7),
    (">=", 7),
    ("<", 7),
    (">", 7),
    ("+", 9),
    ("-", 9),
    ("*", PRODUCT),
    ("/", PRODUCT),
    ("%", PRODUCT),
];

/// The level of multiplication, which binds strongest.
const PRODUCT: u8 = 10;

/// Where an expression is being read.
#[derive(Clone, Copy)]
struct State {
    depth: usize,
    /// False behind `0 &&` and `1 ||`, where nothing is computed.
    live: bool,
}

impl Cursor<'_> {
    /// The value of an integer expression of 64 bits with sign: decimal and `0x` numbers, parentheses, `?:`, and the
    /// operators of C. The line ends it.
    ///
    /// ```
    /// use gpuzoo_diag::File;
    /// use gpuzoo_isa::{Cursor, Syntax};
    /// let file = File::new("t", "(1 + 2) * 3 == 9 && !(7 >> 1 != 3) ? 0x10 : 1 / 0");
    /// assert_eq!(Cursor::new(&file, &Syntax::PLAIN).expression().ok(), Some(16));
    /// ```
    ///
    /// # Errors
    /// What is wrong has been reported: something other than a number, a result of more than 64 bits, a division by 0, more
    /// than [`MAX_NESTING`] parentheses and signs in each other.
    pub fn expression(&mut self) -> Result<i64, Failed> {
        self.choice(State { depth: 0, live: true })
    }

    /// As [`expression`](Cursor::expression), up to the next operator that binds less than `*`.
    ///
    /// # Errors
    /// As for [`expression`](Cursor::expression).
    pub fn product(&mut self) -> Result<i64, Failed> {
        self.binary(PRODUCT, State { depth: 0, live: true })
    }

    fn choice(&mut self, state: State) -> Result<i64, Failed> {
        let condition = self.binary(1, state)?;
        if self.token.first || !self.eat("?") {
            return Ok(condition);
        }
        let inner = self.deeper(state)?;
        let branch = |live: bool| State { live: state.live && live, ..inner };
        let yes = self.choice(branch(condition != 0))?;
        self.expect(":", "a choice is written `condition ? this : that`")?;
        let no = self.choice(branch(condition == 0))?;
        Ok(if condition != 0 { yes } else { no })
    }

    fn operator(&self) -> Option<(&'static str, u8)> {
        let rest = &self.file.text()[self.token.start..];
        let found = OPERATORS.iter().find(|(name, _)| rest.starts_with(name));
        found.copied().filter(|_| !self.token.first)
    }

    fn binary(&mut self, least: u8, state: State) -> Result<i64, Failed> {
        let start = self.token.start;
        let mut left = self.unary(state)?;
        while let Some((name, level)) = self.operator().filter(|(_, level)| *level >= least) {
            for _ in 0..name.len() {
                self.advance();
            }
            let decided = name == "&&" && left == 0 || name == "||" && left != 0;
            let live = state.live && !decided;
            let inner = State { live, ..self.deeper(state)? };
            let right = self.binary(level + 1, inner)?;
            let place = self.since(start);
            left = match compute(name, left, right) {
                Some(value) => value,
                None if live => return self.no_value(name, right, place),
                None => 0,
            };
        }
        Ok(left)
    }

    fn unary(&mut self, state: State) -> Result<i64, Failed> {
        let start = self.token.start;
        let sign = ["-", "+", "!", "~", "("].into_iter().find(|sign| self.is(sign));
        let Some(sign) = sign else { return self.literal() };
        let inner = self.deeper(state)?;
        self.advance();
        let value = match sign {
            "(" => {
                let value = self.choice(inner)?;
                self.expect(")", "the parenthesis ends here")?;
                return Ok(value);
            }
            _ => self.unary(inner)?,
        };
        Ok(match sign {
            "!" => i64::from(value == 0),
            "~" => !value,
            "+" => value,
            _ => match value.checked_neg() {
                Some(value) => value,
                None => return self.no_value("-", value, self.since(start)),
            },
        })
    }

    fn literal(&mut self) -> Result<i64, Failed> {
        if self.token.kind != TokenKind::Number || self.token.first && self.previous_end > 0 {
            return self.unexpected("a number", "an integer, or an expression in parentheses");
        }
        let digits = self.text().trim_end_matches(['u', 'U', 'l', 'L']);
        let value = integer(&digits.to_ascii_lowercase());
        let value = value.and_then(|value| i64::try_from(value).map_err(|_| NumberError::TooLarge));
        let value = match value {
            Ok(value) => value,
            Err(NumberError::TooLarge) => {
                let message = format!("{} is too large for 64 bits", self.text());
                return self.fail(Diagnostic::error(&OUT_OF_RANGE, message).at(self.span()));
            }
            Err(NumberError::Malformed) => {
                let message = format!("`{}` is not an integer", self.text());
                let problem = Diagnostic::error(&EXPECTED_NUMBER, message).at(self.span());
                return self.fail(problem.help("numbers are decimal, as `12`, or hexadecimal, as `0x1f`"));
            }
        };
        self.advance();
        Ok(value)
    }

    fn deeper(&mut self, state: State) -> Result<State, Failed> {
        if state.depth < MAX_NESTING {
            return Ok(State { depth: state.depth + 1, ..state });
        }
        let message = format!("the expression is nested more than {MAX_NESTING} deep");
        self.fail(Diagnostic::error(&OUT_OF_RANGE, message).at(self.span()))
    }

    fn no_value<T>(&mut self, operator: &str, right: i64, place: Span) -> Result<T, Failed> {
        let by_zero = ["/", "%"].contains(&operator) && right == 0;
        let shift = ["<<", ">>"].contains(&operator) && !(0..64).contains(&right);
        let message = match (by_zero, shift) {
            (true, _) => "division by 0",
            (_, true) => "a shift is by 0 to 63 bits",
            _ => "the result has more than 64 bits",
        };
        self.fail(Diagnostic::error(&OUT_OF_RANGE, message).at(place))
    }
}

/// The value of an operator; none where there is none.
fn compute(operator: &str, left: i64, right: i64) -> Option<i64> {
    let truth = |value: bool| Some(i64::from(value));
    let by = || u32::try_from(right).ok();
    match operator {
        "||" => truth(left != 0 || right != 0),
        "&&" => truth(left != 0 && right != 0),
        "|" => Some(left | right),
        "^" => Some(left ^ right),
        "&" => Some(left & right),
        "==" => truth(left == right),
        "!=" => truth(left != right),
        "<=" => truth(left <= right),
        ">=" => truth(left >= right),
        "<" => truth(left < right),
        ">" => truth(left > right),
        "<<" => {
            let by = by()?;
            left.checked_shl(by).filter(|value| value >> by == left)
        }
        ">>" => left.checked_shr(by()?),
        "+" => left.checked_add(right),
        "-" => left.checked_sub(right),
        "*" => left.checked_mul(right),
        "/" => left.checked_div(right),
        _ => left.checked_rem(right),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Syntax;
    use gpuzoo_diag::File;

    fn value(text: &str) -> Result<i64, &'static str> {
        let file = File::new("t", text);
        let mut cursor = Cursor::new(&file, &Syntax::PLAIN);
        cursor.expression().map_err(|_| cursor.problems[0].code.id)
    }

    #[test]
    fn operators_bind_as_in_c() {
        for (text, expected) in [
            ("1 + 2 * 3", 7),
            ("10 - 4 - 3", 3),
            ("7 / 2 % 2", 1),
            ("1 << 2 + 1", 8),
            ("1 | 2 ^ 3 & 1", 3),
            ("2 < 3 == 1", 1),
            ("0 && 1 / 0", 0),
            ("1 || 1 / 0", 1),
            ("1 ? 2 : 0 ? 3 : 4", 2),
            ("-~!0", 2),
            ("0x1F", 31),
            ("12UL", 12),
            ("010", 10),
        ] {
            assert_eq!(value(text), Ok(expected), "{text}");
        }
    }

    /// Each operator with a left side that is less, equal, greater.
    #[test]
    fn operators_compute_as_in_c() {
        for (operator, expected) in [
            ("<", [1, 0, 0]),
            ("<=", [1, 1, 0]),
            ("==", [0, 1, 0]),
            ("!=", [1, 0, 1]),
            (">=", [0, 1, 1]),
            (">", [0, 0, 1]),
            // 3 is 011, 5 is 101.
            ("|", [7, 5, 7]),
            ("&", [1, 5, 1]),
            ("^", [6, 0, 6]),
            ("<<", [96, 160, 40]),
            (">>", [0, 0, 0]),
            ("+", [8, 10, 8]),
            ("-", [-2, 0, 2]),
            ("*", [15, 25, 15]),
            ("/", [0, 1, 1]),
            ("%", [3, 0, 2]),
            ("&&", [1, 1, 1]),
            ("||", [1, 1, 1]),
        ] {
            let of = |left: i64, right: i64| value(&format!("{left} {operator} {right}"));
            assert_eq!([of(3, 5), of(5, 5), of(5, 3)], expected.map(Ok), "{operator}");
        }
        for (text, expected) in [
            // Quotients go towards zero, shifts to the right keep the sign.
            ("-7 / 2", -3),
            ("-7 % 2", -1),
            ("-7 >> 1", -4),
            ("64 >> 3", 8),
            ("-3 < 2", 1),
            ("0 && 1", 0),
            ("1 && 0", 0),
            ("0 || 0", 0),
            ("0 || 7", 1),
            ("7 || 0", 1),
        ] {
            assert_eq!(value(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_has_no_value_is_reported() {
        for (text, code) in [
            ("", "A0120"),
            ("1 +", "A0120"),
            ("1 / 0", "A0104"),
            ("1 << 64", "A0104"),
            ("2 << 63", "A0104"),
            ("9223372036854775807 + 1", "A0104"),
            ("1.5", "A0105"),
            ("99999999999999999999", "A0104"),
            ("(1", "A0120"),
        ] {
            assert_eq!(value(text), Err(code), "{text}");
        }
        let nested = |depth: usize| "(".repeat(depth) + "1" + &")".repeat(depth);
        assert_eq!(value(&nested(MAX_NESTING)), Ok(1));
        assert_eq!(value(&nested(MAX_NESTING + 1)), Err("A0104"));
        assert_eq!(value(&"-".repeat(1 << 20)), Err("A0104"));
    }
}
