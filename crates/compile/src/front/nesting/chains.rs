//! Chains of declarations: readers go from each to those that it names.

use crate::front::nesting::{Excess, Lexeme};
use rustc_hash::FxHashMap as HashMap;
use std::ops::Range;

/// The declarations of a source, in order.
#[derive(Debug, Default)]
pub struct Chains<'a> {
    /// By name, the number of a declaration.
    known: HashMap<&'a str, usize>,
    declarations: Vec<Declaration>,
    /// The declaration outside of functions that is under way, and the one that words belong to.
    outer: usize,
    current: usize,
    /// By name, the last type declared inside of the function under way.
    inner: HashMap<&'a str, usize>,
    /// The words in each, as far as they may name others; one behind the other.
    words: Vec<(usize, Word<'a>)>,
}

/// A word that may name a declaration.
#[derive(Clone, Copy, Debug)]
enum Word<'a> {
    /// A name that may be declared further down.
    Name(&'a str),
    /// The number of a declaration.
    Known(usize),
}

/// A declaration outside of functions, or a type inside of one.
#[derive(Clone, Debug)]
struct Declaration {
    /// The place of its name.
    place: Range<usize>,
    /// True for a function.
    is_function: bool,
    /// How many names and numbers are in it.
    words: u64,
}

/// The declarations that one names, with how often it does.
type Named = Vec<(usize, u64)>;

/// What a declaration needs with those that it names.
#[derive(Clone, Copy, Debug, Default)]
struct Extent {
    /// How many declarations each of which names the next; 0 is unknown yet.
    length: usize,
    /// How many names and numbers there are, each declaration written out wherever it is named.
    words: u64,
}

impl<'a> Chains<'a> {
    /// Begins a declaration of a name. Of several with one name the first counts.
    pub fn declare(&mut self, name: &Lexeme<'a>, is_function: bool) {
        self.known.entry(name.text).or_insert(self.declarations.len());
        self.push(name, is_function);
        self.outer = self.current;
        self.inner.clear();
    }

    /// Begins a type inside of a function. It counts as what it hides, too: where it ends to hide that is not followed.
    pub fn declare_inside(&mut self, name: &Lexeme<'a>) {
        let hidden = self.inner.insert(name.text, self.declarations.len());
        self.push(name, false);
        self.words.extend(hidden.map(|hidden| (self.current, Word::Known(hidden))));
        self.words.push((self.current, Word::Name(name.text)));
    }

    /// Ends a type inside of a function, which goes on.
    pub fn end_inside(&mut self) {
        self.current = self.outer;
    }

    fn push(&mut self, name: &Lexeme<'a>, is_function: bool) {
        self.current = self.declarations.len();
        self.declarations.push(Declaration { place: name.range.clone(), is_function, words: 1 });
    }

    /// Adds a word of the declaration under way.
    pub fn word(&mut self, word: &'a str) {
        if let Some(current) = self.declarations.get_mut(self.current) {
            current.words += 1;
            let word = self.inner.get(word).map_or(Word::Name(word), |inner| Word::Known(*inner));
            self.words.push((self.current, word));
        }
    }

    /// How many declarations there are.
    pub fn len(&self) -> usize {
        self.declarations.len()
    }

    /// The place of a declaration that begins a chain of more than so many, and what is too much; or of a type or a constant that is larger.
    pub fn excess(&self, most: usize, most_words: u64) -> Option<(Excess, Range<usize>)> {
        let count = self.declarations.len();
        let mut names: Vec<Named> = vec![Named::new(); count];
        for (from, word) in &self.words {
            let to = match word {
                Word::Name(word) => self.known.get(word).copied(),
                Word::Known(to) => Some(*to),
            };
            if let Some(to) = to.filter(|to| to != from) {
                match names[*from].last_mut().filter(|(last, _)| *last == to) {
                    Some((_, times)) => *times += 1,
                    None => names[*from].push((to, 1)),
                }
            }
        }
        let mut extents = vec![Extent::default(); count];
        for (first, declaration) in self.declarations.iter().enumerate() {
            self.measure(first, &names, &mut extents);
            let Extent { length, words } = extents[first];
            let excess = match () {
                () if length > most => Excess::Chain,
                () if words > most_words && !declaration.is_function => Excess::Copies,
                () => continue,
            };
            return Some((excess, declaration.place.clone()));
        }
        None
    }

    /// Measures a declaration behind those that it names; a circle is not followed further.
    fn measure(&self, first: usize, names: &[Named], extents: &mut [Extent]) {
        let mut path = vec![(first, 0)];
        while let Some((at, next)) = path.pop() {
            if next == 0 && extents[at].length != 0 {
                continue;
            }
            extents[at].length = extents[at].length.max(1);
            if let Some((to, _)) = names[at].get(next) {
                path.push((at, next + 1));
                if extents[*to].length == 0 {
                    path.push((*to, 0));
                }
                continue;
            }
            let below = names[at].iter().map(|(to, _)| extents[*to].length).max().unwrap_or(0);
            // A function is not copied by what names it.
            let copied = names[at].iter().filter(|(to, _)| !self.declarations[*to].is_function);
            let words = copied.map(|(to, times)| extents[*to].words.saturating_mul(*times));
            let words = words.fold(self.declarations[at].words, u64::saturating_add);
            extents[at] = Extent { length: below + 1, words };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn longest(declarations: &[(&'static str, &[&'static str])]) -> usize {
        let mut chains = Chains::default();
        for (name, words) in declarations {
            chains.declare(&Lexeme { text: name, range: 0..1 }, false);
            words.iter().for_each(|word| chains.word(word));
        }
        (0..).find(|most| chains.excess(*most, u64::MAX).is_none()).unwrap()
    }

    /// The words of the largest constant.
    fn largest(declarations: &[(&'static str, bool, &[&'static str])]) -> u64 {
        let mut chains = Chains::default();
        for (name, is_function, words) in declarations {
            chains.declare(&Lexeme { text: name, range: 0..1 }, *is_function);
            words.iter().for_each(|word| chains.word(word));
        }
        (0..1_000).find(|most| chains.excess(usize::MAX, *most).is_none()).unwrap()
    }

    #[test]
    fn chains_have_lengths_in_any_order() {
        assert_eq!(longest(&[]), 0);
        assert_eq!(longest(&[("a", &["b"]), ("b", &["c", "c"]), ("c", &["x"])]), 3);
        assert_eq!(longest(&[("c", &[]), ("b", &["c"]), ("a", &["c", "b"])]), 3);
        assert_eq!(longest(&[("a", &["a"])]), 1);
        assert!(longest(&[("a", &["b"]), ("b", &["a"])]) >= 2);
    }

    #[test]
    fn what_is_named_is_counted_where_it_is_named() {
        assert_eq!(largest(&[]), 0);
        assert_eq!(largest(&[("a", false, &["1", "2"])]), 3);
        // a: 3 words; b: 3 of its own, and a twice; c: 2 of its own, and b.
        let all: [(_, _, &[_]); 3] =
            [("a", false, &["1", "2"]), ("b", false, &["a", "a"]), ("c", false, &["b"])];
        assert_eq!(largest(&all), 11);
        assert_eq!(largest(&[all[2], all[1], all[0]]), 11);
        // Functions name without copying, and are not copied.
        assert_eq!(largest(&[all[0], ("f", true, &["a", "a"])]), 3);
        assert_eq!(largest(&[("f", true, &["1", "2"]), ("b", false, &["f"])]), 2);
        // Each name another twice: 2^n, in time that grows with n.
        let names: Vec<String> = (0..100).map(|at| format!("x{at}")).collect();
        let mut chains = Chains::default();
        for (at, name) in names.iter().enumerate() {
            chains.declare(&Lexeme { text: name, range: at..at + 1 }, false);
            if let Some(last) = at.checked_sub(1) {
                chains.word(&names[last]);
                chains.word(&names[last]);
            }
        }
        // x0 has 1 word, the next 3 + 2 of the one before: 4 * 2^n - 3 in all.
        assert_eq!(chains.excess(200, 4 * 1024 - 4), Some((Excess::Copies, 10..11)));
        assert_eq!(chains.excess(200, 4 * 1024 - 3), Some((Excess::Copies, 11..12)));
    }

    #[test]
    fn types_inside_of_functions_are_declarations() {
        let named = |text: &'static str| Lexeme { text, range: 0..1 };
        let mut chains = Chains::default();
        chains.declare(&named("S"), false);
        (0..5).for_each(|_| chains.word("float"));
        chains.declare(&named("main"), true);
        chains.word("x");
        // It hides the one outside, and is hidden by the next.
        for _ in 0..2 {
            chains.declare_inside(&named("S"));
            chains.word("float");
            chains.end_inside();
            chains.word("y");
        }
        chains.declare_inside(&named("T"));
        chains.word("S");
        chains.word("S");
        let largest = (0..1_000).find(|most| chains.excess(10, *most).is_none());
        // S: 6; the first inside: 2 + 6; the second: 2 + 8 + 6; T: 3 + 2 * 16.
        assert_eq!(largest, Some(35));
        // Another function does not know them: T has S and 3 words.
        chains.declare(&named("other"), true);
        chains.declare_inside(&named("T"));
        (0..9).for_each(|_| chains.word("S"));
        assert_eq!((0..1_000).find(|most| chains.excess(10, *most).is_none()), Some(10 + 9 * 6));
    }
}
