//! The tokens of WGSL, as far as nesting needs them (WGSL, section 3).

use super::Lexeme;

/// Operators of several characters that are one token, the longer ones first. `>>` closes two template lists, and counts as two.
const MARKS: &[&str] = &[
    "<<=", ">>=", "->", "++", "--", "<<", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=",
    "&=", "|=", "^=",
];

/// The tokens of a source.
pub fn lexemes(text: &str) -> impl Iterator<Item = Lexeme<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
            let first = rest.chars().next()?;
            let (length, is_token) = if is_blank(first) {
                (first.len_utf8(), false)
            } else if rest.starts_with("//") {
                (rest.find(is_line_end).unwrap_or(rest.len()), false)
            } else if rest.starts_with("/*") {
                (comment(rest), false)
            } else if is_part(first) {
                (word(rest), true)
            } else {
                let mark = MARKS.iter().find(|mark| rest.starts_with(**mark));
                (mark.map_or(first.len_utf8(), |mark| mark.len()), true)
            };
            let start = at;
            at += length;
            if is_token {
                return Some(Lexeme { text: &text[start..at], range: start..at });
            }
        }
    })
}

fn is_part(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn is_line_end(letter: char) -> bool {
    matches!(letter, '\u{a}'..='\u{d}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

fn is_blank(letter: char) -> bool {
    matches!(letter, ' ' | '\t' | '\u{200e}' | '\u{200f}') || is_line_end(letter)
}

/// A word or a number; a number goes on behind its point, and behind the sign of its exponent.
fn word(rest: &str) -> usize {
    let end = |from: usize| rest[from..].find(|letter| !is_part(letter)).map_or(rest.len(), |end| from + end);
    let mut length = end(0);
    if !rest.starts_with(|first: char| first.is_ascii_digit()) {
        return length;
    }
    if rest[length..].starts_with('.') {
        length = end(length + 1);
    }
    let is_exponent = !rest.starts_with("0x") && rest[..length].ends_with(['e', 'E']);
    if is_exponent && rest[length..].starts_with(['+', '-']) {
        length = end(length + 1);
    }
    length
}

/// A comment with those that are in it.
fn comment(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let (mut depth, mut at) = (0_usize, 0);
    while at < bytes.len() {
        match bytes.get(at..at + 2) {
            Some(b"/*") => (depth, at) = (depth + 1, at + 2),
            Some(b"*/") => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens() {
        let words = |text: &'static str| lexemes(text).map(|own| own.text).collect::<Vec<_>>();
        assert_eq!(words("a1+.5-1.5e-3>>=b.x"), ["a1", "+", ".", "5", "-", "1.5e-3", ">>=", "b", ".", "x"]);
        assert_eq!(words("/* ( /* ( */ ( */ é->[// (\r]"), ["é", "->", "[", "]"]);
        assert_eq!(words("array<array<f32,2>>"), ["array", "<", "array", "<", "f32", ",", "2", ">", ">"]);
        assert_eq!(words("/* ("), [""; 0]);
    }
}
