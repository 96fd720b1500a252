//! The tokens of one file.

use super::codes::SYNTAX;
use gpuzoo_diag::{Diagnostic, File, Span};
use std::rc::Rc;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name or keyword.
    Word,
    /// A number, valid or not.
    Number,
    /// A text in double quotes.
    Text,
    /// An operator or bracket.
    Mark,
    /// The end of the text.
    End,
}

/// A token.
#[derive(Clone, Debug)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// As it is written.
    pub text: Rc<str>,
    /// Where it is written; of what a macro made, where the macro is used.
    pub span: Span,
    /// True for the first token of a line.
    pub is_first: bool,
    /// True if blanks or a comment stand before it.
    pub is_apart: bool,
    /// The macros that made it, which are not expanded in it again.
    pub hidden: Option<Rc<Hidden>>,
}

/// A list of macros.
#[derive(Debug)]
pub struct Hidden {
    /// The last macro.
    pub name: Rc<str>,
    /// Those before it.
    pub next: Option<Rc<Hidden>>,
    /// How many there are.
    pub length: usize,
}

impl Token {
    /// True if it is this operator, bracket or word.
    pub fn is(&self, text: &str) -> bool {
        &*self.text == text && matches!(self.kind, Kind::Mark | Kind::Word)
    }

    /// True if this macro made it.
    pub fn is_hidden_from(&self, name: &str) -> bool {
        let mut at = self.hidden.as_ref();
        while let Some(hidden) = at {
            if &*hidden.name == name {
                return true;
            }
            at = hidden.next.as_ref();
        }
        false
    }
}

/// Operators of several characters, the longer ones first.
const MARKS: &[&str] = &[
    "<<=", ">>=", "...", "##", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=",
    "/=", "%=", "&=", "|=", "^=", "::", "->",
];

/// The tokens of a file, of which the last is [`Kind::End`], and a comment that is never closed.
pub fn tokens(file: &File) -> (Vec<Token>, Option<Diagnostic>) {
    let text = file.text();
    gpuzoo_diag::work::spend(text.len());
    let (mut tokens, mut at, mut problem) = (Vec::new(), 0, None);
    let (mut is_first, mut is_apart) = (true, false);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if let Some(length) = continuation(rest) {
            at += length;
            is_apart = true;
        } else if rest.starts_with("//") {
            at += line_comment(rest);
            is_apart = true;
        } else if rest.starts_with("/*") {
            let close = rest.get(2..).and_then(|inner| inner.find("*/"));
            if close.is_none() {
                let open = Diagnostic::error(&SYNTAX, "comment is never closed");
                let open = open.label(file.span(at..at + 2), "opened here").help("close it with `*/`");
                problem = Some(open);
            }
            at += close.map_or(rest.len(), |close| close + 4);
            is_apart = true;
        } else if rest.starts_with(char::is_whitespace) {
            let blank = rest.chars().next().unwrap_or(' ');
            is_first |= matches!(blank, '\n' | '\r');
            is_apart = true;
            at += blank.len_utf8();
        } else {
            let (kind, length) = token(rest);
            let (text, span) = (rest.get(..length).unwrap_or("").into(), file.span(at..at + length));
            tokens.push(Token { kind, text, span, is_first, is_apart, hidden: None });
            (is_first, is_apart) = (false, false);
            at += length;
        }
    }
    let span = file.span(text.len()..text.len());
    tokens.push(Token {
        kind: Kind::End,
        text: "".into(),
        span,
        is_first: true,
        is_apart: true,
        hidden: None,
    });
    (tokens, problem)
}

/// The tokens of a text that is not a file's, all of which have one place.
pub fn tokens_at(text: &str, span: Span) -> Vec<Token> {
    let (mut tokens, _) = tokens(&File::new("", text));
    tokens.pop();
    tokens.iter_mut().for_each(|token| token.span = span);
    tokens
}

/// A backslash and the end of its line.
fn continuation(rest: &str) -> Option<usize> {
    ["\\\n", "\\\r\n", "\\\r"].into_iter().find(|end| rest.starts_with(end)).map(str::len)
}

/// Up to the end of the line, at LF, CR or both; a backslash before it takes in the next one.
fn line_comment(rest: &str) -> usize {
    let mut end = 0;
    while let Some(line) = rest.get(end..).and_then(|rest| rest.find(['\n', '\r'])) {
        end += line;
        if !rest.get(..end).is_some_and(|comment| comment.ends_with('\\')) {
            return end;
        }
        end += if rest.get(end..).is_some_and(|rest| rest.starts_with("\r\n")) { 2 } else { 1 };
    }
    rest.len()
}

/// The kind and length of the token that begins here.
fn token(rest: &str) -> (Kind, usize) {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let bytes = rest.as_bytes();
    match bytes {
        [b'"', ..] => {
            let line = rest.find(['\n', '\r']).unwrap_or(rest.len());
            let close = rest.get(1..line).and_then(|inner| inner.find('"'));
            (if close.is_some() { Kind::Text } else { Kind::Mark }, close.map_or(1, |close| close + 2))
        }
        [b'0'..=b'9', ..] | [b'.', b'0'..=b'9', ..] => (Kind::Number, number(bytes)),
        [first, ..] if is_word(*first) => {
            (Kind::Word, bytes.iter().take_while(|byte| is_word(**byte)).count())
        }
        _ => {
            let mark = MARKS.iter().find(|mark| rest.starts_with(**mark)).map(|mark| mark.len());
            (Kind::Mark, mark.unwrap_or_else(|| rest.chars().next().map_or(1, char::len_utf8)))
        }
    }
}

/// The length of a number: digits, letters, dots, and signs behind an exponent's letter.
fn number(bytes: &[u8]) -> usize {
    let is_hexadecimal = matches!(bytes, [b'0', b'x' | b'X', ..]);
    let mut length = 0;
    while let Some(byte) = bytes.get(length) {
        let is_exponent = !is_hexadecimal
            && matches!(byte, b'+' | b'-')
            && length > 0
            && bytes.get(length - 1).is_some_and(|last| matches!(last, b'e' | b'E'));
        if !(byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_') || is_exponent) {
            break;
        }
        length += 1;
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        let (tokens, problem) = tokens(&File::new("t", text));
        assert!(problem.is_none());
        tokens.iter().map(|token| token.text.to_string()).collect()
    }

    #[test]
    fn tokens_of_every_kind() {
        assert_eq!(
            texts("a1=.5f*1e-3+0x1F<<=b._m00;// c\n/* d\n*/\"e f\""),
            ["a1", "=", ".5f", "*", "1e-3", "+", "0x1F", "<<=", "b", ".", "_m00", ";", "\"e f\"", ""]
        );
    }

    #[test]
    fn lines_and_gaps() {
        let file = File::new("t", "#define A \\\n 1\n/* \n */ B(c)// x\\\ny\nz");
        let (tokens, _) = tokens(&file);
        let first: Vec<_> = tokens.iter().filter(|token| token.is_first).map(|token| &*token.text).collect();
        assert_eq!(first, ["#", "B", "z", ""]);
        assert!(!tokens.iter().any(|token| token.is("(") && token.is_apart));
    }

    #[test]
    fn an_open_comment_is_reported_where_it_begins() {
        let (_, problem) = tokens(&File::new("t", "a /* b"));
        assert_eq!(problem.and_then(|problem| problem.span()).map(|span| span.start), Some(2));
    }

    #[test]
    fn characters_that_cg_does_not_have_are_tokens() {
        assert_eq!(texts("a\u{e9}$'\""), ["a", "\u{e9}", "$", "'", "\"", ""]);
    }
}
