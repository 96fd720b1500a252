//! GLSL's global variables with initial values that are not known to naga's reader, which would leave the values out: each becomes
//! a function that sets its variable, and `main` calls them first.

use crate::combined::tokens;
use std::ops::Range;

/// A text whose global variables get such values in `main`.
#[derive(Debug, Default)]
pub struct Initialised {
    /// The text.
    pub text: String,
    /// Where its pieces begin, in it and in the source, and whether they are the source's.
    pieces: Vec<(usize, usize, bool)>,
}

impl Initialised {
    /// Of a text without such variables, the text itself.
    pub fn of(source: &str) -> Initialised {
        let mut done = Initialised::default();
        let mut from = 0;
        for Edit { range, text } in edits(source) {
            done.copy(source, from..range.start);
            done.pieces.push((done.text.len(), range.start, false));
            done.text += &text;
            from = range.end;
        }
        done.copy(source, from..source.len());
        done
    }

    fn copy(&mut self, source: &str, range: Range<usize>) {
        self.pieces.push((self.text.len(), range.start, true));
        self.text += &source[range];
    }

    /// Where a byte is in the source; what was added is where it was put.
    pub fn before(&self, at: usize) -> usize {
        let piece = self.pieces.partition_point(|(start, ..)| *start <= at);
        match piece.checked_sub(1).map(|piece| self.pieces[piece]) {
            Some((start, old, true)) => old + (at - start),
            Some((_, old, false)) => old,
            None => at,
        }
    }
}

/// What takes the place of a part of the source.
struct Edit {
    range: Range<usize>,
    text: String,
}

/// What says that a statement declares no variable of the program's own, or one that never changes.
const QUALIFIERS: [&str; 12] = [
    "const",
    "uniform",
    "in",
    "out",
    "buffer",
    "shared",
    "layout",
    "attribute",
    "varying",
    "struct",
    "precision",
    "return",
];

fn edits(source: &str) -> Vec<Edit> {
    let tokens = tokens(source);
    let statements = Statements { source, tokens: &tokens };
    let mut edits = Vec::new();
    let (mut start, mut depth, mut count) = (0, 0usize, 0);
    for (at, token) in tokens.iter().enumerate() {
        match statements.word(at) {
            "{" if depth == 0 && statements.is_main(start..at) => {
                let behind = token.end;
                let calls = (0..count).map(|number| format!("\n#ifdef {0}_\n{0}();\n#endif\n", name(number)));
                edits.extend((count > 0).then(|| Edit { range: behind..behind, text: calls.collect() }));
                return edits;
            }
            "{" | "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            "}" => {
                depth = depth.saturating_sub(1);
                start = if depth == 0 { at + 1 } else { start };
            }
            ";" if depth == 0 => {
                count += statements.declaration(start..at, count, &mut edits);
                start = at + 1;
            }
            _ => {}
        }
    }
    // Without a `main` nothing is called.
    Vec::new()
}

/// The function that sets a variable.
fn name(number: usize) -> String {
    format!("gpuzoo_initial_{number}")
}

struct Statements<'a> {
    source: &'a str,
    tokens: &'a [Range<usize>],
}

impl<'a> Statements<'a> {
    fn word(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |range| &self.source[range.clone()])
    }

    fn is_main(&self, tokens: Range<usize>) -> bool {
        tokens.clone().any(|at| self.word(at) == "main" && self.word(at + 1) == "(")
    }

    /// The token behind the bracket that closes one.
    fn behind(&self, open: usize, end: usize) -> usize {
        let mut depth = 0;
        for at in open..end {
            match self.word(at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return at + 1;
            }
        }
        end
    }

    /// Changes a declaration, if one of its values is none that naga knows; how many functions it became.
    fn declaration(&self, tokens: Range<usize>, first: usize, edits: &mut Vec<Edit>) -> usize {
        let Range { start, end } = tokens;
        let is_word = |at: usize| self.word(at).starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        let equals = (start..end).find(|at| self.word(*at) == "=");
        if equals.is_none_or(|equals| (start..equals).any(|at| QUALIFIERS.contains(&self.word(at)))) {
            return 0;
        }
        let precision = usize::from(matches!(self.word(start), "lowp" | "mediump" | "highp"));
        let mut at = start + precision + 1;
        if self.word(at) == "[" {
            at = self.behind(at, end);
        }
        if !is_word(start) || !is_word(at) {
            return 0;
        }
        let type_name = &self.source[self.tokens[start].start..self.tokens[at - 1].end];
        let (mut own, mut needed, mut count) = (Vec::new(), false, 0);
        loop {
            let variable = self.word(at);
            at += 1;
            if self.word(at) == "[" {
                // An array without a size has that of its value.
                if self.word(at + 1) == "]" {
                    return 0;
                }
                at = self.behind(at, end);
            }
            let sets = self.word(at) == "=" && at < end;
            if sets {
                let place = self.tokens[at].start;
                let text = format!("; void {}() {{ {variable} ", name(first + count));
                own.push(Edit { range: place..place, text });
                at += 1;
                while at < end && self.word(at) != "," {
                    needed |= is_word(at) && !is_constructor(self.word(at));
                    at = if matches!(self.word(at), "(" | "[" | "{") {
                        let behind = self.behind(at, end);
                        needed |= (at..behind).any(|at| is_word(at) && !is_constructor(self.word(at)));
                        behind
                    } else {
                        at + 1
                    };
                }
            }
            let there =
                if sets { format!("; }}\n#define {}_\n", name(first + count)) } else { String::new() };
            count += usize::from(sets);
            let sign = self.tokens[at].clone();
            if at >= end {
                own.push(Edit { range: sign, text: if sets { there } else { ";".to_owned() } });
                break;
            }
            let begin = if sets { there } else { "; ".to_owned() };
            own.push(Edit { range: sign, text: format!("{begin}{type_name}") });
            at += 1;
            if !is_word(at) {
                return 0;
            }
        }
        if !needed {
            return 0;
        }
        edits.extend(own);
        count
    }
}

/// True for what makes a value of known ones, or is one.
fn is_constructor(word: &str) -> bool {
    let types = ["float", "int", "uint", "bool", "true", "false"];
    types.contains(&word)
        || ["vec", "ivec", "uvec", "bvec", "mat"].iter().any(|start| {
            word.strip_prefix(start).is_some_and(|size| size.starts_with(|c: char| c.is_ascii_digit()))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_set_in_main() {
        let source = "uniform U { vec4 k; } u; float a = 1.0, b, c = a * u.k.x;\nvoid main() { }";
        let done = Initialised::of(source);
        let text = "uniform U { vec4 k; } u; float a ; void gpuzoo_initial_0() { a = 1.0; }\n#define gpuzoo_initial_0_\nfloat b; float c \
                    ; void gpuzoo_initial_1() { c = a * u.k.x; }\n#define gpuzoo_initial_1_\n\nvoid main() {\n#ifdef gpuzoo_initial_0_\n\
                    gpuzoo_initial_0();\n#endif\n\n#ifdef gpuzoo_initial_1_\ngpuzoo_initial_1();\n#endif\n }";
        assert_eq!(done.text, text);
        for word in ["u.k.x", "1.0", "main", "{ vec4"] {
            assert_eq!(done.before(text.find(word).unwrap()), source.find(word).unwrap(), "{word}");
        }
        assert_eq!(done.before(text.len()), source.len());
    }

    #[test]
    fn others_stay() {
        for source in [
            "",
            "float a = b;",
            "float a = 1.0; void main() {}",
            "vec4 a = vec4(1.0, -2.0, 3e5, true); void main() {}",
            "const float a = f(1.0); void main() {}",
            "float a[] = float[](u.a, u.b); void main() {}",
            "float f() { float a = b; return a; } void main() {}",
            "#define A \\\n float b = u.c;\nvoid main() {}",
            "void main() { float a = b; }",
        ] {
            assert_eq!(Initialised::of(source).text, source);
        }
    }
}
