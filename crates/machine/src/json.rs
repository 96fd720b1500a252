//! JSON with places, so that a diagnostic can point at what is wrong in it.
//!
//! The tree is that of [`settings`](crate::options::settings), as for scene files. The text of a number is what its span covers;
//! read that where it must be exact.
//!
//! The tokens are jsonc-parser's. Its tree would take twice the memory beside ours, and says less about what is missing.

use crate::options::settings::{Setting, Table, Value};
use gpuzoo_diag::{Diagnostic, File, MAX_SOURCE_BYTES, Span};
use gpuzoo_isa::codes::SOURCE_TOO_LARGE;
use jsonc_parser::errors::{ParseError, ParseErrorKind};
use jsonc_parser::tokens::Token;
use jsonc_parser::{Scanner, ScannerOptions};
use std::collections::HashSet;

gpuzoo_diag::codes! {
    JSON_SYNTAX = "G0204", "not JSON",
        "The text is not what JSON allows at this place, or an object has a name twice. Numbers that JSON does not have (`nan`, \
         `inf`, bit patterns) are written in quotes.";
}

/// How deep lists and objects may be nested.
pub const MAX_DEPTH: usize = 64;

/// Reads a text that is one JSON value, or several one after the other (JSON Lines), which come as a list.
///
/// ```
/// use gpuzoo_diag::File;
/// use gpuzoo_machine::json::parse;
/// use gpuzoo_machine::options::settings::Value;
///
/// let file = File::new("x.json", "{\"c4\": [1, 2.5]}");
/// let Value::Table(table) = parse(&file).unwrap().value else { panic!() };
/// let Value::List(list) = &table.get("c4").unwrap().value else { panic!() };
/// assert_eq!(file.slice(list[1].span), "2.5");
/// ```
///
/// # Errors
/// `G0204` at the first place that is not JSON, `A0116` for a text of more than 64 MiB. A member that is
/// `null` is not there; anywhere else `null` is refused.
pub fn parse(file: &File) -> Result<Setting, Diagnostic> {
    if file.text().len() > MAX_SOURCE_BYTES {
        let problem =
            Diagnostic::error(&SOURCE_TOO_LARGE, format!("the text has {} bytes", file.text().len()));
        return Err(problem.label(file.span(0..0), "").help("a text may have up to 64 MiB"));
    }
    let mut parser = Parser { file, scanner: Scanner::new(file.text(), &JSON), token: None };
    parser.advance()?;
    let mut values = vec![parser.value(0)?];
    while parser.token.is_some() {
        values.push(parser.value(0)?);
    }
    match values.len() {
        1 => Ok(values.remove(0)),
        _ => Ok(Setting { span: file.whole(), value: Value::List(values) }),
    }
}

/// The scanner knows JSON5, too.
const JSON: ScannerOptions = ScannerOptions {
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

struct Parser<'a> {
    file: &'a File,
    scanner: Scanner<'a>,
    /// The next token; none at the end.
    token: Option<Token<'a>>,
}

impl Parser<'_> {
    fn advance(&mut self) -> Result<(), Diagnostic> {
        self.token = self.scanner.scan().map_err(|error| self.broken(&error))?;
        match self.token {
            Some(Token::CommentLine(_) | Token::CommentBlock(_)) => Err(self.problem("JSON has no comments")),
            _ => Ok(()),
        }
    }

    /// A token that is none of JSON's.
    fn broken(&self, error: &ParseError) -> Diagnostic {
        let span = self.file.span(error.range().start..error.range().end);
        let message = match error.kind() {
            ParseErrorKind::UnexpectedToken => {
                format!("JSON has no `{}`", self.file.slice(span).escape_debug())
            }
            // Messages of ours begin with a small letter.
            kind => {
                let message = kind.to_string();
                let (first, rest) = message.split_at(message.len().min(1));
                format!("{}{rest}", first.to_ascii_lowercase())
            }
        };
        Diagnostic::error(&JSON_SYNTAX, message).label(span, "")
    }

    /// Where the next token is.
    fn span(&self) -> Span {
        match self.token {
            Some(_) => self.file.span(self.scanner.token_start()..self.scanner.token_end()),
            None => self.file.span(self.file.text().len()..self.file.text().len()),
        }
    }

    fn problem(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(&JSON_SYNTAX, message).label(self.span(), "")
    }

    fn unexpected(&self, wanted: &str) -> Diagnostic {
        let found = match &self.token {
            Some(Token::String(_)) => "a text".to_owned(),
            Some(_) => format!("`{}`", self.file.slice(self.span()).escape_debug()),
            None => "the end".to_owned(),
        };
        self.problem(format!("expected {wanted}, found {found}"))
    }

    fn value(&mut self, depth: usize) -> Result<Setting, Diagnostic> {
        let start = self.span();
        if depth > MAX_DEPTH {
            return Err(self.unexpected(&format!("at most {MAX_DEPTH} levels of lists and objects")));
        }
        match &self.token {
            Some(Token::OpenBrace) => return self.table(depth),
            Some(Token::OpenBracket) => return self.list(depth),
            _ => {}
        }
        let value = match &self.token {
            Some(Token::String(text)) => Value::Text(self.plain(text)?),
            Some(Token::Number(text)) => {
                number(text).ok_or_else(|| self.problem("the number is too large"))?
            }
            Some(Token::Boolean(value)) => Value::Bool(*value),
            _ => return Err(self.unexpected("a JSON value")),
        };
        self.advance()?;
        Ok(Setting { span: start, value })
    }

    fn list(&mut self, depth: usize) -> Result<Setting, Diagnostic> {
        let start = self.span();
        self.advance()?;
        let mut list = Vec::new();
        while self.token != Some(Token::CloseBracket) {
            if !list.is_empty() {
                self.comma("`,` or `]`")?;
            }
            list.push(self.value(depth + 1)?);
        }
        let span = start.to(self.span());
        self.advance()?;
        Ok(Setting { span, value: Value::List(list) })
    }

    fn table(&mut self, depth: usize) -> Result<Setting, Diagnostic> {
        let start = self.span();
        self.advance()?;
        let mut entries: Vec<(String, Span, Setting)> = Vec::new();
        let mut names = HashSet::new();
        while self.token != Some(Token::CloseBrace) {
            if !names.is_empty() {
                self.comma("`,` or `}`")?;
            }
            let name = match &self.token {
                Some(Token::String(name)) => self.plain(name)?,
                _ => return Err(self.unexpected("a name in quotes")),
            };
            // Without the quotes: another name goes between them.
            let span = self.span();
            let span = Span { start: span.start + 1, end: span.end - 1, ..span };
            if !names.insert(name.clone()) {
                return Err(self.problem(format!("`{name}` appears a second time")));
            }
            self.advance()?;
            if self.token != Some(Token::Colon) {
                return Err(self.unexpected("`:`"));
            }
            self.advance()?;
            if self.token == Some(Token::Null) {
                self.advance()?;
            } else {
                entries.push((name, span, self.value(depth + 1)?));
            }
        }
        let span = start.to(self.span());
        self.advance()?;
        Ok(Setting { span, value: Value::Table(Table { span, entries }) })
    }

    fn comma(&mut self, wanted: &str) -> Result<(), Diagnostic> {
        if self.token != Some(Token::Comma) {
            return Err(self.unexpected(wanted));
        }
        self.advance()
    }

    /// The text of the next token. The scanner lets line breaks pass, JSON does not.
    fn plain(&self, text: &str) -> Result<String, Diagnostic> {
        if self.file.slice(self.span()).contains(|letter| letter < ' ') {
            return Err(self.problem("the text holds a character that JSON writes as an escape"));
        }
        Ok(text.to_owned())
    }
}

/// A number as JSON writes it; none if it is too large.
fn number(text: &str) -> Option<Value> {
    match text.parse() {
        // Zero has a sign as a float alone.
        Ok(int) if text != "-0" => Some(Value::Int(int)),
        _ => text.parse().ok().filter(|float: &f64| float.is_finite()).map(Value::Float),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str) -> (&'static str, String, u32) {
        let problem = parse(&File::new("x", text)).unwrap_err();
        (problem.code.id, problem.message.clone(), problem.span().map_or(0, |span| span.start))
    }

    #[test]
    fn mistakes_are_shown_where_they_stand() {
        for (text, message, at) in [
            ("", "expected a JSON value, found the end", 0),
            ("[1, 2", "expected `,` or `]`, found the end", 5),
            ("[1 2]", "expected `,` or `]`, found `2`", 3),
            ("{\"a\" 1}", "expected `:`, found `1`", 5),
            ("{a: 1}", "expected a name in quotes, found `a`", 1),
            ("{\"a\": 1,}", "expected a name in quotes, found `}`", 8),
            ("[1,]", "expected a JSON value, found `]`", 3),
            ("[1]]", "expected a JSON value, found `]`", 3),
            ("[1e]", "expected plus, minus, or digit in number literal", 3),
            ("[01]", "expected `,` or `]`, found `1`", 2),
            ("[1.]", "leading or trailing decimal points on numbers are not allowed", 1),
            ("[-]", "expected digit following negative sign", 2),
            ("[+1]", "unary plus on numbers is not allowed", 1),
            ("[0x1]", "hexadecimal numbers are not allowed", 1),
            ("[1e999]", "the number is too large", 1),
            ("[NaN]", "JSON has no `NaN`", 1),
            ("\"abc", "unterminated string literal", 0),
            ("\"\\", "unterminated string literal", 0),
            ("['a']", "single-quoted strings are not allowed", 1),
            ("\"a\tb\"", "the text holds a character that JSON writes as an escape", 0),
            ("\"\\q\"", "invalid escape", 1),
            ("\"\\u12\"", "expected four hex digits", 1),
            ("null", "expected a JSON value, found `null`", 0),
            ("[1] // one", "JSON has no comments", 4),
        ] {
            assert_eq!(problem(text), ("G0204", message.to_owned(), at), "{text}");
        }
        assert_eq!(problem("{\"a\": 1, \"a\": 2}"), ("G0204", "`a` appears a second time".to_owned(), 9));
        assert_eq!(problem("\"\\\u{e9}\"").0, "G0204");
    }

    #[test]
    fn names_and_values_know_their_place() {
        let file = File::new("x", "{\"first\": 12, \"b\": [true, \"t\"], \"c\": {\"\": -1.5}}");
        let whole = parse(&file).unwrap();
        assert_eq!(file.slice(whole.span), file.text());
        let Value::Table(table) = whole.value else { panic!("a table") };
        let places: Vec<(&str, &str)> = table
            .entries
            .iter()
            .map(|(_, name, value)| (file.slice(*name), file.slice(value.span)))
            .collect();
        // A name is without its quotes, so that another one can be put there; a text is with them.
        assert_eq!(places, [("first", "12"), ("b", "[true, \"t\"]"), ("c", "{\"\": -1.5}")]);
        let Value::List(list) = &table.entries[1].2.value else { panic!("a list") };
        assert_eq!([0, 1].map(|at: usize| file.slice(list[at].span)), ["true", "\"t\""]);
        let Value::Table(inner) = &table.entries[2].2.value else { panic!("a table") };
        assert_eq!((file.slice(inner.entries[0].1), file.slice(inner.entries[0].2.span)), ("", "-1.5"));
    }

    #[test]
    fn a_member_that_is_null_is_not_there() {
        let object = parse(&File::new("x", "{\"a\": null, \"b\": 1}")).unwrap();
        let Value::Table(table) = object.value else { panic!("a table") };
        assert_eq!((table.get("a"), table.entries.len()), (None, 1));
        assert_eq!(problem("{\"a\": nul}"), ("G0204", "JSON has no `nul`".to_owned(), 6));
        assert_eq!(problem("{\"a\": nulls}").0, "G0204");
    }

    #[test]
    fn numbers_keep_their_kind_and_sign() {
        let number = |text: &str| parse(&File::new("x", text)).unwrap().value;
        assert_eq!(number("-12"), Value::Int(-12));
        assert_eq!(number("1e2"), Value::Float(100.0));
        let Value::Float(zero) = number("-0") else { panic!("a float") };
        assert!(zero == 0.0 && zero.is_sign_negative());
        assert_eq!(number("18446744073709551615"), Value::Float(18_446_744_073_709_551_615.0));
    }

    #[test]
    fn depth_is_bounded() {
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(parse(&File::new("x", &nested(MAX_DEPTH + 1))).is_ok());
        assert!(problem(&nested(100_000)).1.starts_with("expected at most 64 levels"));
    }

    #[test]
    fn lines_are_a_list() {
        let lines = parse(&File::new("x", "{\"a\": \"\\u0041\"}\n{}\n")).unwrap();
        let Value::List(records) = lines.value else { panic!("a list") };
        let Value::Table(first) = &records[0].value else { panic!("a table") };
        assert_eq!(first.get("a").map(|setting| &setting.value), Some(&Value::Text("A".into())));
        assert_eq!(records.len(), 2);
    }
}
