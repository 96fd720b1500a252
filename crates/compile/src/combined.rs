//! GLSL's `uniform sampler2D name;`, a texture with its sampler, which naga does not read: it is declared as both, and a macro stands for
//! both where the name is read.

use crate::glsl::{Edit, Tokens};
use naga::FastHashMap;
use std::ops::Range;

/// Sets of bindings that no source of its own has: those of textures without one, and those of samplers.
pub const SETS: [u32; 2] = [1_000, 1_001];

/// Declares textures and samplers apart; with the macros for the names.
pub fn edits(tokens: &Tokens) -> (Vec<Edit>, FastHashMap<String, String>) {
    let (mut edits, mut defines) = (Vec::new(), FastHashMap::default());
    let mut count = 0;
    for at in 0..tokens.len() {
        let Some((names, end)) = declared(tokens, at) else { continue };
        let layout = layout(tokens, at);
        let begin = layout.as_ref().map_or(at, |layout| layout.start);
        let mut both = Vec::new();
        for own in names {
            let given = layout.as_ref().filter(|_| both.is_empty());
            let texture = match given {
                Some(layout) => tokens.text(layout.clone()).to_owned(),
                None => format!("layout(set = {}, binding = {count})", SETS[0]),
            };
            both.push(format!("{texture} uniform texture2D {own}_texture"));
            both.push(format!("layout(set = {}, binding = {count}) uniform sampler {own}_sampler", SETS[1]));
            defines.insert(own.to_owned(), format!("sampler2D({own}_texture, {own}_sampler)"));
            count += 1;
        }
        edits.push(Edit { range: tokens.range(begin).start..tokens.range(end).start, text: both.join("; ") });
    }
    (edits, defines)
}

/// The names that are declared from a token on, and the token behind them; nothing if that is no such declaration.
fn declared<'a>(tokens: &Tokens<'a>, at: usize) -> Option<(Vec<&'a str>, usize)> {
    if tokens.word(at) != "uniform" {
        return None;
    }
    let precision = usize::from(matches!(tokens.word(at + 1), "lowp" | "mediump" | "highp"));
    let mut next = at + 1 + precision;
    if tokens.word(next) != "sampler2D" {
        return None;
    }
    let mut names = Vec::new();
    loop {
        if !tokens.is_word(next + 1) {
            return None;
        }
        names.push(tokens.word(next + 1));
        next += 2;
        match tokens.word(next) {
            "," => {}
            ";" => return Some((names, next)),
            _ => return None,
        }
    }
}

/// The tokens of `layout(…)` before a token.
fn layout(tokens: &Tokens, at: usize) -> Option<Range<usize>> {
    let close = at.checked_sub(1).filter(|close| tokens.word(*close) == ")")?;
    let open =
        (0..close).rev().take_while(|at| tokens.word(*at) != ")").find(|at| tokens.word(*at) == "(")?;
    let begin = open.checked_sub(1).filter(|begin| tokens.word(*begin) == "layout")?;
    Some(begin..close + 1)
}

#[cfg(test)]
mod tests {
    use crate::glsl::Adapted;

    #[test]
    fn declarations_become_two() {
        let source = "#version 450\n// uniform sampler2D no;\nlayout(binding = 3) uniform highp sampler2D a, b;\nvec4 c = texture(a, b);";
        let Adapted { text, defines, .. } = Adapted::of(source);
        let expected = "#version 450\n// uniform sampler2D no;\n\
             layout(binding = 3) uniform texture2D a_texture; layout(set = 1001, binding = 0) uniform sampler a_sampler; \
             layout(set = 1000, binding = 1) uniform texture2D b_texture; layout(set = 1001, binding = 1) uniform sampler b_sampler;\n\
             vec4 c = texture(a, b);";
        assert_eq!(text, expected);
        assert_eq!((defines.len(), defines["b"].as_str()), (2, "sampler2D(b_texture, b_sampler)"));
    }
}
