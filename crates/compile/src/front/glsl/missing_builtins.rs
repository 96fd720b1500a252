//! Functions of GLSL that naga does not know: they stand before the first function that calls them.

use crate::front::glsl::{Edit, Tokens};

/// `modf` for every type that it has.
const MODF: &str = "\n#ifndef gpuzoo_modf\n#define gpuzoo_modf\n\
    float modf(float x, out float whole) { whole = trunc(x); return x - whole; }\n\
    vec2 modf(vec2 x, out vec2 whole) { whole = trunc(x); return x - whole; }\n\
    vec3 modf(vec3 x, out vec3 whole) { whole = trunc(x); return x - whole; }\n\
    vec4 modf(vec4 x, out vec4 whole) { whole = trunc(x); return x - whole; }\n#endif\n";

/// Adds them. The preprocessor leaves the first of them; a source that has one of its own gets none.
pub fn edits(tokens: &Tokens) -> Vec<Edit> {
    let mut edits: Vec<Edit> = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < tokens.len() {
        let (open, end) = (at, tokens.behind(at, tokens.len()));
        at = end;
        let is_call = |at: usize| tokens.word(at) == "modf" && tokens.word(at + 1) == "(";
        if is_call(open) {
            return Vec::new();
        }
        if tokens.word(open) == "{" && (open..end).any(is_call) {
            let place = tokens.range(start).start;
            edits.push(Edit { range: place..place, text: MODF.to_owned() });
        }
        if matches!(tokens.word(open), ";" | "{") {
            start = at;
        }
    }
    edits
}
