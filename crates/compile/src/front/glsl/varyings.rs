//! GLSL's inputs and outputs that naga does not read: blocks become their members, a matrix its columns, and integers that a vertex
//! program gives are said to be flat, which is for the fragments to say.

use crate::front::glsl::{Edit, Tokens};
use std::ops::Range;

/// What may stand before a type: the first three say how a value gets from vertices to fragments.
const QUALIFIERS: [&str; 8] =
    ["flat", "smooth", "noperspective", "centroid", "sample", "lowp", "mediump", "highp"];

/// Types of integers.
const INTEGERS: [&str; 8] = ["int", "ivec2", "ivec3", "ivec4", "uint", "uvec2", "uvec3", "uvec4"];

/// Blocks as members, and integers as flat.
pub fn edits(tokens: &Tokens) -> Vec<Edit> {
    let mut edits = Vec::new();
    for at in 0..tokens.len() {
        match tokens.word(at) {
            "in" | "out" if tokens.word(at + 2) == "{" && !tokens.word(at + 1).starts_with("gl_") => {
                edits.extend(block(tokens, at).unwrap_or_default());
            }
            "out" if is_integer(tokens, at) => {
                let place = tokens.range(at).start;
                edits.push(Edit { range: place..place, text: "flat ".to_owned() });
            }
            _ => {}
        }
    }
    edits
}

/// True for the `out` of a global integer that does not say how it is interpolated. A parameter is behind a bracket or a comma, and
/// a fragment's colour is the fragment's own.
fn is_integer(tokens: &Tokens, at: usize) -> bool {
    let first = tokens.layout_before(at).unwrap_or(at);
    let before = first.checked_sub(1).map_or(";", |before| tokens.word(before));
    let kind = at + 1 + usize::from(QUALIFIERS.contains(&tokens.word(at + 1)));
    matches!(before, ";" | "}")
        && !QUALIFIERS[..3].contains(&tokens.word(at + 1))
        && INTEGERS.contains(&tokens.word(kind))
}

/// Where a variable is: what the source says, and so many locations behind it.
type Location<'a> = Option<(&'a str, usize)>;

/// `layout(location = …)` and nothing else.
fn location<'a>(tokens: &Tokens<'a>, layout: Range<usize>) -> Location<'a> {
    let is_alone = (layout.clone()).all(|at| tokens.word(at) != ",")
        && [2, 3].map(|at| tokens.word(layout.start + at)) == ["location", "="];
    is_alone.then(|| (tokens.text(layout.start + 4..layout.end - 1), 0))
}

fn said((text, behind): (&str, usize)) -> String {
    match behind {
        0 => format!("layout(location = {text}) "),
        _ => format!("layout(location = ({text}) + {behind}) "),
    }
}

/// A block of inputs or outputs as its members: those of a block with a name get it before theirs. None for what is no block of numbers
/// and vectors, and for one whose name stands for something else, too.
fn block(tokens: &Tokens, at: usize) -> Option<Vec<Edit>> {
    let (open, close) = (at + 2, tokens.behind(at + 2, tokens.len()) - 1);
    let instance = Some(tokens.word(close + 1)).filter(|_| tokens.is_word(close + 1));
    let end = close + 1 + usize::from(instance.is_some());
    if tokens.word(end) != ";" {
        return None;
    }
    let (mut first, mut next) = (at, None);
    if let Some(begin) = tokens.layout_before(at) {
        next = Some(location(tokens, begin..at)?);
        first = begin;
    }
    let (mut text, mut names) = (String::new(), Vec::new());
    let mut own = open + 1;
    while own < close {
        if tokens.word(own) == "layout" {
            let behind = tokens.behind(own + 1, close);
            next = Some(location(tokens, own..behind)?);
            own = behind;
        }
        let qualifiers = own;
        while QUALIFIERS.contains(&tokens.word(own)) {
            own += 1;
        }
        let (qualifiers, kind) = (tokens.text(qualifiers..own), tokens.word(own));
        if !is_vector(kind) {
            return None;
        }
        let is_flat = tokens.word(at) == "out" && INTEGERS.contains(&kind) && !qualifiers.contains("flat");
        loop {
            let name = tokens.word(own + 1);
            if !tokens.is_word(own + 1) {
                return None;
            }
            let flat = if is_flat { "flat " } else { "" };
            let whole = instance.map_or(name.to_owned(), |instance| format!("{instance}_{name}"));
            text += &format!(
                "{}{qualifiers} {flat}{} {kind} {whole}; ",
                next.map(said).unwrap_or_default(),
                tokens.word(at)
            );
            names.push(name);
            next = next.map(|(text, behind)| (text, behind + 1));
            own += 2;
            if tokens.word(own) != "," {
                break;
            }
        }
        if tokens.word(own) != ";" {
            return None;
        }
        own += 1;
    }
    let mut edits = vec![Edit { range: tokens.range(first).start..tokens.range(end).end, text }];
    let uses =
        (end..tokens.len()).filter(|at| instance == Some(tokens.word(*at)) && tokens.word(at - 1) != ".");
    for (instance, at) in instance.into_iter().cycle().zip(uses) {
        let member = names.iter().find(|name| tokens.word(at + 1) == "." && tokens.word(at + 2) == **name)?;
        let range = tokens.range(at).start..tokens.range(at + 2).end;
        edits.push(Edit { range, text: format!("{instance}_{member}") });
    }
    Some(edits)
}

fn is_vector(kind: &str) -> bool {
    let size = kind.strip_prefix("vec").or(kind.strip_prefix("ivec")).or(kind.strip_prefix("uvec"));
    ["float", "int", "uint"].contains(&kind) || size.is_some_and(|size| ["2", "3", "4"].contains(&size))
}

/// An input that is a matrix, as inputs that are its columns and a function by some name that makes it of them.
pub fn columns(tokens: &Tokens, Range { start, end }: Range<usize>, function: &str) -> Option<Edit> {
    let at = (start..end).find(|at| tokens.word(*at) == "in")?;
    let kind = at + 1 + usize::from(QUALIFIERS.contains(&tokens.word(at + 1)));
    let size = tokens.word(kind).strip_prefix("mat")?;
    let (columns, rows) = size.split_once('x').unwrap_or((size, size));
    let is_size = |size: &str| ["2", "3", "4"].contains(&size);
    let is_plain = tokens.layout_before(at) == Some(start) && kind + 2 == end && tokens.is_word(kind + 1);
    if !is_size(columns) || !is_size(rows) || !is_plain {
        return None;
    }
    let (first, _) = location(tokens, start..at)?;
    let (kind, name) = (tokens.word(kind), tokens.word(kind + 1));
    let numbers = 0..columns.parse().ok()?;
    let column = |number: usize| format!("{name}_{number}");
    let inputs =
        numbers.clone().map(|number| format!("{}in vec{rows} {}; ", said((first, number)), column(number)));
    let made = numbers.map(column).collect::<Vec<_>>().join(", ");
    let text = format!(
        "{}{kind} {name}; void {function}() {{ {name} = {kind}({made}); }}\n#define {function}_\n",
        inputs.collect::<String>()
    );
    Some(Edit { range: tokens.range(start).start..tokens.range(end).end, text })
}

#[cfg(test)]
mod tests {
    use crate::front::glsl::Adapted;

    #[test]
    fn blocks_become_members() {
        let source = "layout(location = 2) in V { vec3 a; flat int b, c; layout(location = N) vec2 d; } v;\nvec3 x = v.a + w.v.a;";
        let text = "layout(location = 2)  in vec3 v_a; layout(location = (2) + 1) flat in int v_b; \
                    layout(location = (2) + 2) flat in int v_c; layout(location = N)  in vec2 v_d; \nvec3 x = v_a + w.v.a;";
        assert_eq!(Adapted::of(source).text, text);
        let source = "out V { float a; uint b; };\nvoid main() { a = 1.0; }";
        assert_eq!(Adapted::of(source).text, " out float a;  flat out uint b; \nvoid main() { a = 1.0; }");
        for source in [
            "layout(location = 0) in V { vec3 a; } v;\nvec3 f(vec3 v) { return v; }",
            "layout(location = 0) in V { mat3 a; } v;\n",
            "layout(location = 0) in V { vec3 a[2]; } v;\n",
            "layout(location = 0) in V { vec3 a; } v[];\n",
            "layout(location = 0, component = 1) in V { vec3 a; } v;\n",
            "in V { vec3",
            "in V {",
            "void f(out int a, in mat4 m) { }",
            "layout(location = 0) in mat4 m[2]; void main() { }",
        ] {
            assert_eq!(Adapted::of(source).text, source);
        }
    }

    #[test]
    fn integers_are_flat() {
        let source = "layout(location = 0) out highp ivec2 a; flat out int b; out int c;";
        let text = "layout(location = 0) flat out  ivec2 a; flat out int b; flat out int c;";
        assert_eq!(Adapted::of(source).text, text);
    }

    #[test]
    fn matrices_become_columns() {
        let source = "layout(location = 3) in mat2x3 m;\nvoid main() {}";
        let text = "layout(location = 3) in vec3 m_0; layout(location = (3) + 1) in vec3 m_1; mat2x3 m; \
                    void gpuzoo_initial_0() { m = mat2x3(m_0, m_1); }\n#define gpuzoo_initial_0_\n\nvoid main() {\
                    \n#ifdef gpuzoo_initial_0_\ngpuzoo_initial_0();\n#endif\n}";
        assert_eq!(Adapted::of(source).text, text);
    }
}
