//! GLSL's `uniform sampler2D name;`, a texture with its sampler, which naga does not read: it is declared as both.
//!
//! The text keeps its length, so that places stay what they are: a macro takes the declaration's place, and another one the name's.

use naga::FastHashMap;
use std::ops::Range;

/// A text in which no sampler comes with its texture, and the macros that it needs.
#[derive(Debug, PartialEq)]
pub struct Separated {
    /// The text, as long as it was.
    pub text: String,
    /// Macros and what they stand for.
    pub defines: FastHashMap<String, String>,
}

/// Sets of bindings that no source of its own has: those of textures without one, and those of samplers.
const SETS: [u32; 2] = [1_000, 1_001];

/// Declares textures and samplers apart.
pub fn separated(source: &str) -> Separated {
    let mut separated = Separated { text: source.to_owned(), defines: FastHashMap::default() };
    let tokens = tokens(source);
    let word = |at: usize| tokens.get(at).map(|range| &source[range.clone()]);
    for at in 0..tokens.len() {
        if let Some(end) = redeclared(&word, at) {
            let range = tokens[at].start..tokens[end].end;
            let blank = |byte: u8| if byte == b'\n' { '\n' } else { ' ' };
            separated
                .text
                .replace_range(range.clone(), &source[range].bytes().map(blank).collect::<String>());
        }
    }
    let mut count = 0;
    for at in 0..tokens.len() {
        let Some((names, end)) = declared(&word, at) else { continue };
        let layout = layout(&word, at);
        let begin = layout.as_ref().map_or(at, |layout| layout.start);
        let range = tokens[begin].start..tokens[end].start;
        // What is too short for a name of its own is naga's to refuse.
        let number = format!("d{count}_");
        let name = format!("{number}{}", "_".repeat(range.len().saturating_sub(number.len())));
        if name.len() != range.len() || names.is_empty() {
            continue;
        }
        let mut both = Vec::new();
        for own in names {
            let given = layout.as_ref().filter(|_| both.is_empty());
            let texture = match given {
                Some(layout) => source[tokens[layout.start].start..tokens[layout.end - 1].end].to_owned(),
                None => format!("layout(set = {}, binding = {count})", SETS[0]),
            };
            both.push(format!("{texture} uniform texture2D {own}_texture"));
            both.push(format!("layout(set = {}, binding = {count}) uniform sampler {own}_sampler", SETS[1]));
            separated.defines.insert(own.to_owned(), format!("sampler2D({own}_texture, {own}_sampler)"));
            count += 1;
        }
        separated.defines.insert(name.clone(), both.join("; "));
        separated.text.replace_range(range, &name);
    }
    separated
}

/// The last token of `out gl_PerVertex { vec4 gl_Position; };` from a token on: what it declares is there without it, and naga takes it
/// for an output of its own.
fn redeclared<'a>(word: &dyn Fn(usize) -> Option<&'a str>, at: usize) -> Option<usize> {
    if [word(at)?, word(at + 1)?, word(at + 2)?] != ["out", "gl_PerVertex", "{"] {
        return None;
    }
    let close = (at + 3..).take_while(|at| word(*at).is_some()).find(|at| word(*at) == Some("}"))?;
    Some(close + 1).filter(|end| word(*end) == Some(";"))
}

/// The names that are declared from a token on, and the token behind them; nothing if that is no such declaration.
fn declared<'a>(word: &dyn Fn(usize) -> Option<&'a str>, at: usize) -> Option<(Vec<&'a str>, usize)> {
    if word(at)? != "uniform" {
        return None;
    }
    let precision = usize::from(matches!(word(at + 1)?, "lowp" | "mediump" | "highp"));
    let mut next = at + 1 + precision;
    if word(next)? != "sampler2D" {
        return None;
    }
    let mut names = Vec::new();
    loop {
        let name = word(next + 1).filter(|name| name.starts_with(|c: char| c.is_alphabetic() || c == '_'))?;
        names.push(name);
        next += 2;
        match word(next)? {
            "," => {}
            ";" => return Some((names, next)),
            _ => return None,
        }
    }
}

/// The tokens of `layout(…)` before a token.
fn layout<'a>(word: &dyn Fn(usize) -> Option<&'a str>, at: usize) -> Option<Range<usize>> {
    let close = at.checked_sub(1).filter(|close| word(*close) == Some(")"))?;
    let open = (0..close).rev().take_while(|at| word(*at) != Some(")")).find(|at| word(*at) == Some("("))?;
    let begin = open.checked_sub(1).filter(|begin| word(*begin) == Some("layout"))?;
    Some(begin..close + 1)
}

/// Words, numbers and signs, without comments and lines of the preprocessor.
pub fn tokens(source: &str) -> Vec<Range<usize>> {
    let mut all = Vec::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        let line = || rest.find('\n').unwrap_or(rest.len());
        // A line of the preprocessor goes on behind a backslash.
        let whole = || {
            let mut end = 0;
            loop {
                end += rest[end..].find('\n').unwrap_or(rest.len() - end);
                if !rest[..end].trim_end_matches('\r').ends_with('\\') || end == rest.len() {
                    return end;
                }
                end += 1;
            }
        };
        let is_skipped =
            first.is_whitespace() || first == '#' || rest.starts_with("//") || rest.starts_with("/*");
        let length = match first {
            '#' => whole(),
            _ if rest.starts_with("//") => line(),
            _ if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            _ if is_part(first) => rest.find(|letter| !is_part(letter)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let start = source.len() - rest.len();
        if !is_skipped {
            all.push(start..start + length);
        }
        rest = &rest[length..];
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_become_two() {
        let source = "#version 450\n// uniform sampler2D no;\nlayout(binding = 3) uniform highp sampler2D a, b;\nvec4 c = texture(a, b);";
        let separated = separated(source);
        assert_eq!(separated.text.len(), source.len());
        assert!(separated.text.starts_with("#version 450\n// uniform sampler2D no;\nd0__"));
        assert!(separated.text.ends_with("__;\nvec4 c = texture(a, b);"));
        assert_eq!(separated.defines["b"], "sampler2D(b_texture, b_sampler)");
        let both = separated.defines.iter().find(|(name, _)| name.starts_with("d0_")).unwrap().1;
        assert_eq!(
            both,
            "layout(binding = 3) uniform texture2D a_texture; layout(set = 1001, binding = 0) uniform sampler a_sampler; \
             layout(set = 1000, binding = 1) uniform texture2D b_texture; layout(set = 1001, binding = 1) uniform sampler b_sampler"
        );
    }

    #[test]
    fn nothing_else_is_changed() {
        for source in [
            "",
            "uniform",
            "uniform sampler2D",
            "uniform sampler2D a[2];",
            "uniform sampler2D 3;",
            "vec4 f(sampler2D s);",
            "layout(binding = 0) uniform U { vec4 a; };",
            "/* uniform sampler2D a; ",
            "é uniform texture2D t;",
        ] {
            assert_eq!(
                separated(source),
                Separated { text: source.to_owned(), defines: FastHashMap::default() }
            );
        }
    }
}
