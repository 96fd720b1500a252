//! Inputs and outputs of GLSL, counted by their elements: naga makes a variable of each element.

use super::MOST_PORTS;
use rustc_hash::FxHashMap as HashMap;

/// Counts inputs and outputs, token by token.
#[derive(Default)]
pub struct Ports<'a> {
    /// The number of inputs and outputs; an array counts by its elements, also as a member of a struct.
    pub count: usize,
    declared: Option<Declared<'a>>,
    /// The elements of structs.
    structs: HashMap<&'a str, usize>,
    before: &'a str,
}

/// A declaration under way.
struct Declared<'a> {
    /// The name of a struct and its elements so far; none for inputs or outputs.
    of_struct: Option<(&'a str, usize)>,
    /// The elements of the type that a member or variable has.
    of_type: usize,
    /// The same with the dimensions behind the name so far.
    elements: usize,
}

impl<'a> Ports<'a> {
    /// Adds a token, outside of all brackets or within some.
    pub fn add(&mut self, text: &'a str, is_outside: bool) {
        let before = std::mem::replace(&mut self.before, text);
        let Some(declared) = &mut self.declared else {
            let of_struct = match text {
                _ if !is_outside => return,
                "in" | "out" => None,
                "struct" => Some(("", 1)),
                _ => return,
            };
            self.count += usize::from(of_struct.is_none());
            self.declared = Some(Declared { of_struct, of_type: 1, elements: 1 });
            return;
        };
        let more = match text {
            ";" if is_outside => {
                self.structs.extend(declared.of_struct);
                self.declared = None;
                return;
            }
            ";" => {
                (declared.of_type, declared.elements) = (1, 1);
                return;
            }
            "," => {
                declared.elements = declared.of_type;
                return;
            }
            _ if before == "struct" => {
                declared.of_struct = declared.of_struct.map(|(_, elements)| (text, elements));
                return;
            }
            "]" => return,
            // A size that is not a number is too much: no machine has such arrays.
            _ if before == "[" => {
                declared.elements = declared.elements.saturating_mul(text.parse().unwrap_or(MOST_PORTS + 1));
                declared.elements
            }
            _ => {
                let Some(elements) = self.structs.get(text) else { return };
                (declared.of_type, declared.elements) = (*elements, *elements);
                *elements
            }
        };
        match &mut declared.of_struct {
            Some((_, elements)) => *elements = elements.saturating_add(more),
            None => self.count = self.count.saturating_add(more),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of inputs and outputs in a text with spaces between its tokens.
    fn count(text: &str) -> usize {
        let mut ports = Ports::default();
        let mut depth = 0;
        for word in text.split_whitespace() {
            depth += i32::from(matches!(word, "{" | "[" | "("));
            depth -= i32::from(matches!(word, "}" | "]" | ")"));
            ports.add(word, depth == 0);
        }
        ports.count
    }

    #[test]
    fn arrays_count_by_their_elements() {
        assert_eq!(count("in vec4 p ; out vec4 q ; uniform vec4 u [ 1000 ] ;"), 2);
        assert_eq!(count("in vec4 p [ 7 ] ;"), 1 + 7);
        assert_eq!(count("in vec4 [ 3 ] p [ 7 ] , q ;"), 1 + 3 + 21);
        assert_eq!(count("out B { vec4 a [ 2 ] ; float b [ 3 ] ; } ;"), 1 + 2 + 3);
        assert!(count("in vec4 p [ N ] ;") > MOST_PORTS);
    }

    #[test]
    fn structs_count_by_their_arrays() {
        let with = |rest: &str| count(&format!("struct S {{ vec4 a ; vec4 p [ 9 ] ; }} ; {rest}"));
        assert_eq!(with("uniform S s [ 4 ] ;"), 0);
        assert_eq!(with("in S s ;"), 1 + 10);
        assert_eq!(with("in S s [ 2 ] , t [ 3 ] ;"), 1 + 10 + 20 + 30);
        assert_eq!(with("struct T { S s [ 2 ] ; } ; out T t ;"), 1 + 1 + 10 + 20);
        assert!(with("struct T { S s [ 99999999999 ] ; } ; out T t [ 9 ] ;") > MOST_PORTS);
    }
}
