//! Words and signs of GLSL with the brackets that belong together, for checks that go over a source once.

use crate::front::glsl::Tokens;
use rustc_hash::FxHashMap as HashMap;
use std::ops::Range;

/// Signs of more than one letter, longest first.
const SIGNS: [&str; 21] = [
    "<<=", ">>=", "++", "--", "&&", "||", "^^", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "&=",
    "|=", "^=", "<<", ">>",
];

/// Words and signs, with their places.
#[derive(Debug, Default)]
pub struct Words<'a> {
    pub all: Vec<(&'a str, Range<usize>)>,
    /// For a bracket that opens, the one that closes it, and the other way round.
    pub partners: HashMap<usize, usize>,
}

impl<'a> Words<'a> {
    /// Those of a text.
    pub fn of(text: &'a str) -> Words<'a> {
        let tokens = Tokens::of(text);
        let mut all: Vec<(&str, Range<usize>)> = Vec::new();
        let mut end = 0;
        for at in 0..tokens.len() {
            let range = tokens.range(at);
            if range.start < end {
                continue;
            }
            let sign = SIGNS.into_iter().find(|sign| text[range.start..].starts_with(sign));
            end = sign.map_or(range.end, |sign| range.start + sign.len());
            all.push((&text[range.start..end], range.start..end));
        }
        let (mut open, mut partners) = (Vec::new(), HashMap::default());
        for (at, (word, _)) in all.iter().enumerate() {
            match *word {
                "(" | "[" | "{" => open.push(at),
                ")" | "]" | "}" => {
                    if let Some(other) = open.pop() {
                        partners.insert(other, at);
                        partners.insert(at, other);
                    }
                }
                _ => {}
            }
        }
        Words { all, partners }
    }

    pub fn word(&self, at: usize) -> &'a str {
        self.all.get(at).map_or("", |(word, _)| word)
    }

    pub fn is_name(&self, at: usize) -> bool {
        self.word(at).starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_')
    }

    /// The word behind a bracket that opens and all that is in it; behind any other word the next.
    pub fn behind(&self, at: usize) -> usize {
        match self.word(at) {
            "(" | "[" | "{" => self.partners.get(&at).map_or(self.all.len(), |close| close + 1),
            _ => at + 1,
        }
    }

    pub fn place(&self, words: Range<usize>) -> Range<usize> {
        let last = words.end.saturating_sub(1).max(words.start).min(self.all.len() - 1);
        self.all[words.start.min(last)].1.start..self.all[last].1.end
    }

    /// The words of a range.
    pub fn range(&self, words: Range<usize>) -> Vec<&'a str> {
        words.map(|at| self.word(at)).collect()
    }

    /// What stands between commas in a bracket.
    pub fn arguments(&self, open: usize) -> Vec<Range<usize>> {
        let close = self.behind(open).saturating_sub(1);
        let (mut all, mut start, mut at) = (Vec::new(), open + 1, open + 1);
        while at < close {
            if self.word(at) == "," {
                all.push(start..at);
                start = at + 1;
            }
            at = self.behind(at);
        }
        all.push(start..close.max(start));
        all
    }
}
