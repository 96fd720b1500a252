//! Chains of declarations: readers go from each to those that it names.

use super::Lexeme;
use rustc_hash::FxHashMap as HashMap;
use std::ops::Range;

/// The declarations of a source, in order.
#[derive(Debug, Default)]
pub struct Chains<'a> {
    /// By name, the number of a declaration.
    known: HashMap<&'a str, usize>,
    /// Where each name is.
    places: Vec<Range<usize>>,
    /// The words in each, as far as they may name others; one behind the other.
    words: Vec<(usize, &'a str)>,
}

impl<'a> Chains<'a> {
    /// Begins a declaration of a name. Of several with one name the first counts.
    pub fn declare(&mut self, name: &Lexeme<'a>) {
        self.known.entry(name.text).or_insert(self.places.len());
        self.places.push(name.range.clone());
    }

    /// Adds a word of the declaration under way.
    pub fn word(&mut self, word: &'a str) {
        if let Some(last) = self.places.len().checked_sub(1) {
            self.words.push((last, word));
        }
    }

    /// How many declarations there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// The place of a declaration that begins a chain of more than so many.
    pub fn longer_than(&self, most: usize) -> Option<Range<usize>> {
        let count = self.places.len();
        let mut names: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (from, word) in &self.words {
            if let Some(to) = self.known.get(word).filter(|to| *to != from)
                && names[*from].last() != Some(to)
            {
                names[*from].push(*to);
            }
        }
        // 0 is unknown yet; a circle is not followed further.
        let mut lengths = vec![0_usize; count];
        for first in 0..count {
            let mut path = vec![(first, 0)];
            while let Some((at, next)) = path.pop() {
                if next == 0 && lengths[at] != 0 {
                    continue;
                }
                lengths[at] = lengths[at].max(1);
                match names[at].get(next) {
                    Some(to) => {
                        path.push((at, next + 1));
                        if lengths[*to] == 0 {
                            path.push((*to, 0));
                        }
                    }
                    None => {
                        let below = names[at].iter().map(|to| lengths[*to]).max().unwrap_or(0);
                        lengths[at] = below + 1;
                    }
                }
            }
            if lengths[first] > most {
                return self.places.get(first).cloned();
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn longest(declarations: &[(&'static str, &[&'static str])]) -> usize {
        let mut chains = Chains::default();
        for (name, words) in declarations {
            chains.declare(&Lexeme { text: name, range: 0..1 });
            words.iter().for_each(|word| chains.word(word));
        }
        (0..).find(|most| chains.longer_than(*most).is_none()).unwrap()
    }

    #[test]
    fn chains_have_lengths_in_any_order() {
        assert_eq!(longest(&[]), 0);
        assert_eq!(longest(&[("a", &["b"]), ("b", &["c", "c"]), ("c", &["x"])]), 3);
        assert_eq!(longest(&[("c", &[]), ("b", &["c"]), ("a", &["c", "b"])]), 3);
        assert_eq!(longest(&[("a", &["a"])]), 1);
        assert!(longest(&[("a", &["b"]), ("b", &["a"])]) >= 2);
    }
}
