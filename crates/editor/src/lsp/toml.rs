//! The words of a scene, whether or not it is TOML yet.

use gpuzoo::diag::{Lexeme, Role};
use std::ops::Range;
use toml_parser::Source;
use toml_parser::lexer::TokenKind;

/// A word, and what it is about.
pub(crate) struct Word {
    pub role: Role,
    /// Without the quotes of a text or a name.
    pub bytes: Range<usize>,
    /// With them.
    pub whole: Range<usize>,
    pub of: Of,
}

/// What a word is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Of {
    /// The part of this number of a header; and the header's first part.
    Header(usize, Range<usize>),
    /// A value, and the key that it belongs to.
    Value(Range<usize>),
    /// A key, or anything else.
    Other,
}

/// All words of a text but its signs.
pub(crate) fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    // Brackets that are open behind a `=`: true for a table's.
    let mut open: Vec<bool> = Vec::new();
    let (mut is_key, mut header, mut first) = (true, None, 0..0);
    // The key of the line, and of each table in braces that is open.
    let mut keys: Vec<Range<usize>> = vec![Range::default()];
    // Where a number goes on behind its point.
    let mut point = None;
    for token in Source::new(text).lex() {
        let whole = token.span().start()..token.span().end();
        let last = keys.len() - 1;
        let (role, bytes) = match token.kind() {
            TokenKind::Newline if open.is_empty() => {
                (is_key, header, keys) = (true, None, vec![Range::default()]);
                continue;
            }
            TokenKind::LeftSquareBracket if is_key && open.is_empty() => {
                header = Some(0);
                continue;
            }
            TokenKind::Equals => {
                is_key = false;
                continue;
            }
            TokenKind::LeftSquareBracket | TokenKind::LeftCurlyBracket => {
                let is_table = token.kind() == TokenKind::LeftCurlyBracket;
                open.push(is_table);
                is_key = is_table;
                keys.extend(is_table.then_some(0..0));
                continue;
            }
            TokenKind::RightSquareBracket | TokenKind::RightCurlyBracket => {
                if open.pop() == Some(true) {
                    keys.pop();
                }
                is_key = open.is_empty() && header.is_some();
                continue;
            }
            TokenKind::Comma => {
                is_key = open.last() == Some(&true);
                continue;
            }
            TokenKind::Dot => {
                if let Some(word) =
                    words.last_mut().filter(|word| word.role == Role::Number && word.whole.end == whole.start)
                {
                    (word.bytes.end, word.whole.end) = (whole.end, whole.end);
                    point = Some(whole.end);
                }
                continue;
            }
            TokenKind::Comment => (Role::Comment, whole.clone()),
            TokenKind::BasicString | TokenKind::LiteralString => {
                let closed = whole.len() > 1 && matches!(text.as_bytes()[whole.end - 1], b'"' | b'\'');
                (Role::Text, whole.start + 1..whole.end - usize::from(closed))
            }
            TokenKind::MlBasicString | TokenKind::MlLiteralString => (Role::Text, whole.clone()),
            TokenKind::Atom => match text.get(whole.clone()) {
                Some("true" | "false") => (Role::Mnemonic, whole.clone()),
                _ => (Role::Number, whole.clone()),
            },
            _ => continue,
        };
        if point.take() == Some(whole.start)
            && let Some(word) = words.last_mut()
            && role == Role::Number
        {
            (word.bytes.end, word.whole.end) = (whole.end, whole.end);
            continue;
        }
        let (role, of) = match &mut header {
            _ if role == Role::Comment => (role, Of::Other),
            Some(part) => {
                if *part == 0 {
                    first = bytes.clone();
                }
                *part += 1;
                (if *part == 1 { Role::Directive } else { Role::Name }, Of::Header(*part - 1, first.clone()))
            }
            None if is_key => {
                keys[last] = bytes.clone();
                (Role::Components, Of::Other)
            }
            None => (role, Of::Value(keys[last].clone())),
        };
        words.push(Word { role, bytes, whole, of });
    }
    words
}

/// The same as an assembly text's words are known.
pub(crate) fn lexemes(text: &str) -> Vec<Lexeme> {
    let lexeme =
        |word: Word| Lexeme { role: word.role, start: word.whole.start, end: word.whole.end, begins: false };
    words(text).into_iter().map(lexeme).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_known_by_their_places() {
        let text = "# a scene\n[mesh.\"a b\"]\nfit = -1.5e3 # x\nuse = { a = true, b.c = [\"pot\", 2] }\n[[draw]]\nsource = \"\"\"\nmov [x] = 1\n\"\"\"\nopen = \"";
        let shown = words(text).into_iter().map(|word| {
            let of = match word.of {
                Of::Header(part, first) => format!(" {part} of {}", &text[first]),
                Of::Value(key) => format!(" of {}", &text[key]),
                Of::Other => String::new(),
            };
            format!("{:?} {}{of}", word.role, text[word.bytes].trim().replace('\n', "|"))
        });
        let expected = [
            "Comment # a scene",
            "Directive mesh 0 of mesh",
            "Name a b 1 of mesh",
            "Components fit",
            "Number -1.5e3 of fit",
            "Comment # x",
            "Components use",
            "Components a",
            "Mnemonic true of a",
            "Components b",
            "Components c",
            "Text pot of c",
            "Number 2 of c",
            "Directive draw 0 of draw",
            "Components source",
            "Text \"\"\"|mov [x] = 1|\"\"\" of source",
            "Components open",
            "Text  of open",
        ];
        assert_eq!(shown.collect::<Vec<_>>(), expected);
    }

    /// However a text is cut off, words lie in it, in their order, and do not overlap.
    #[test]
    fn words_of_any_text_lie_in_it() {
        let text = "\u{feff}[a.'b]\n{ x = [[1.2.3, \"\\\"\u{e4}\", }\ny = '''\n''' = .5\n]]\n";
        for (from, _) in text.char_indices() {
            for (to, _) in text.char_indices().chain([(text.len(), ' ')]).filter(|(to, _)| *to >= from) {
                let own = &text[from..to];
                let mut end = 0;
                for word in words(own) {
                    assert!(word.whole.start >= end && own.get(word.whole.clone()).is_some(), "{own}");
                    assert!(
                        own.get(word.bytes.clone()).is_some() && word.whole.end >= word.bytes.end,
                        "{own}"
                    );
                    end = word.whole.end;
                }
            }
        }
    }
}
