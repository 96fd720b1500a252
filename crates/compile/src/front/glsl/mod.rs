//! GLSL as naga reads it: what naga does not know, or takes for something else, is said in another way.

pub mod array_dimensions;
pub mod combined_samplers;
pub mod diagnostics;
pub mod global_initializers;
pub mod member_offsets;
mod missing_builtins;
pub mod preprocessed;
pub mod side_effects;
pub mod tokens;
mod varyings;

use crate::front::glsl::member_offsets::Offset;
use crate::front::source_map::Moved;
use naga::FastHashMap;
use std::ops::Range;

/// A text for naga.
#[derive(Debug, Default)]
pub struct Adapted {
    /// The text.
    pub text: String,
    /// Macros and what they stand for.
    pub defines: FastHashMap<String, String>,
    /// What members of uniform blocks say of their places.
    pub offsets: Vec<Offset>,
    /// Where it was in the source.
    pub moved: Moved,
}

/// What takes the place of a part of a source.
#[derive(Debug)]
pub struct Edit {
    /// The part.
    pub range: Range<usize>,
    /// What is there instead.
    pub text: String,
}

impl Adapted {
    /// Changes a source.
    pub fn of(source: &str) -> Adapted {
        let tokens = Tokens::of(source);
        let (mut edits, defines) = combined_samplers::edits(&tokens);
        edits.extend(global_initializers::edits(&tokens));
        edits.extend(varyings::edits(&tokens));
        edits.extend(missing_builtins::edits(&tokens));
        let (own, offsets) = member_offsets::edits(&tokens);
        edits.extend(own);
        let others = [redeclared, sized, meaningless];
        let all = (0..tokens.len()).flat_map(|at| others.map(|other| other(&tokens, at)));
        edits.extend(all.flatten());
        edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        let mut adapted = Adapted { defines, offsets, ..Adapted::default() };
        let mut from = 0;
        for Edit { range, text } in edits {
            // Of two that overlap, which no valid source has, the first counts.
            if range.start >= from {
                adapted.copy(source, from..range.start);
                adapted.moved.replaced(adapted.text.len(), range.clone());
                adapted.text += &text;
                from = range.end;
            }
        }
        adapted.copy(source, from..source.len());
        adapted
    }

    fn copy(&mut self, source: &str, range: Range<usize>) {
        self.moved.copied(self.text.len(), range.start);
        self.text += &source[range];
    }
}

/// `out gl_PerVertex { vec4 gl_Position; };` is left out: what it declares is there without it, and naga takes it for an output of its
/// own.
fn redeclared(tokens: &Tokens, at: usize) -> Option<Edit> {
    if [0, 1, 2].map(|next| tokens.word(at + next)) != ["out", "gl_PerVertex", "{"] {
        return None;
    }
    // No other block is in it.
    let close = (at + 3..tokens.len()).find(|at| matches!(tokens.word(*at), "{" | "}"))?;
    let is_block = tokens.word(close) == "}" && tokens.word(close + 1) == ";";
    is_block.then(|| Edit { range: tokens.range(at).start..tokens.range(close + 1).end, text: String::new() })
}

/// Precisions mean nothing here, nor does `in` behind `const`.
fn meaningless(tokens: &Tokens, at: usize) -> Option<Edit> {
    let before = at.checked_sub(1).map_or("", |before| tokens.word(before));
    let is_one = match tokens.word(at) {
        "lowp" | "mediump" | "highp" => before != "precision",
        "in" => before == "const",
        _ => false,
    };
    is_one.then(|| Edit { range: tokens.range(at), text: String::new() })
}

/// An array without a size has that of its value: `float w[] = float[](0.5, 1.0)`.
fn sized(tokens: &Tokens, at: usize) -> Option<Edit> {
    if [at, at + 1].map(|at| tokens.word(at)) != ["[", "]"] {
        return None;
    }
    // The name may stand behind the brackets.
    let equals = at + 2 + usize::from(tokens.is_word(at + 2));
    let kind = equals + 1;
    let open = if tokens.word(kind + 1) == "[" { tokens.behind(kind + 1, tokens.len()) } else { kind };
    if tokens.word(equals) != "=" || !matches!(tokens.word(open), "(" | "{") {
        return None;
    }
    let close = tokens.behind(open, tokens.len()) - 1;
    let (mut count, mut own) = (0, open + 1);
    while own < close {
        count += 1;
        while own < close && tokens.word(own) != "," {
            own = tokens.behind(own, close);
        }
        own += 1;
    }
    let place = tokens.range(at).end;
    (count > 0).then(|| Edit { range: place..place, text: count.to_string() })
}

/// Words, numbers and signs of a source, without comments and lines of the preprocessor.
pub struct Tokens<'a> {
    source: &'a str,
    all: Vec<Range<usize>>,
}

impl<'a> Tokens<'a> {
    /// Those of a source.
    pub fn of(source: &'a str) -> Tokens<'a> {
        let mut all = Vec::new();
        let mut rest = source;
        while let Some(first) = rest.chars().next() {
            let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
            let is_skipped =
                first.is_whitespace() || first == '#' || rest.starts_with("//") || rest.starts_with("/*");
            let length = match first {
                '#' => line(rest),
                _ if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
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
        Tokens { source, all }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// A token's text; nothing behind the last one.
    pub fn word(&self, at: usize) -> &'a str {
        self.text(at..at + 1)
    }

    /// The text from a token to the one before another.
    pub fn text(&self, tokens: Range<usize>) -> &'a str {
        let own = self.all.get(tokens.start..tokens.end.min(self.all.len())).unwrap_or_default();
        own.first().zip(own.last()).map_or("", |(first, last)| &self.source[first.start..last.end])
    }

    /// Where a token is; at the end, if there is none.
    pub fn range(&self, at: usize) -> Range<usize> {
        self.all.get(at).cloned().unwrap_or(self.source.len()..self.source.len())
    }

    /// The first of the tokens of `layout(…)` that end before a token; none where no layout does.
    pub fn layout_before(&self, at: usize) -> Option<usize> {
        let close = at.checked_sub(1).filter(|close| self.word(*close) == ")")?;
        let open =
            (0..close).rev().take_while(|at| self.word(*at) != ")").find(|at| self.word(*at) == "(")?;
        open.checked_sub(1).filter(|begin| self.word(*begin) == "layout")
    }

    /// The token behind the bracket that closes one, and behind any other token the next; at most `end`.
    pub fn behind(&self, open: usize, end: usize) -> usize {
        let mut depth = 0usize;
        for at in open..end {
            match self.word(at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return at + 1;
            }
        }
        end
    }

    /// True for what begins as names do.
    pub fn is_word(&self, at: usize) -> bool {
        self.word(at).starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_')
    }
}

/// The bytes of a line of the preprocessor, which goes on behind a backslash.
fn line(text: &str) -> usize {
    let mut end = 0;
    loop {
        end += text[end..].find('\n').unwrap_or(text.len() - end);
        if end == text.len() || !text[..end].trim_end_matches('\r').ends_with('\\') {
            return end;
        }
        end += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_else_is_changed() {
        for source in [
            "",
            "uniform",
            "uniform sampler2D",
            "uniform sampler2D a[2];",
            "uniform sampler2D 3;",
            "vec4 f(sampler2D s[2]);",
            "vec4 f(sampler2D",
            "vec4 f(sampler2D 3) {",
            "layout(binding = 0) uniform U { vec4 a; };",
            "/* uniform sampler2D a; ",
            "é uniform texture2D t;",
            "out gl_PerVertex { vec4 gl_Position; } own;",
            "out gl_PerVertex { out gl_PerVertex {",
            "float a = b;",
            "float a = 1.0; void main() {}",
            "vec4 a = vec4(1.0, -2.0, 3e5, true); void main() {}",
            "const float a = f(1.0); void main() {}",
            "float a[] = b, c[] = float[](); float d[] = float[]",
            "float f() { float a = b; return a; } void main() {}",
            "#define A \\\r\n float b = u.c;\nvoid main() {}",
            "void main() { float a = b; }",
            "precision highp float; float [ = b; a = b; = b; float a, = b; void main() {",
        ] {
            let Adapted { text, defines, .. } = Adapted::of(source);
            assert_eq!((text.as_str(), defines.len()), (source, 0));
        }
    }

    #[test]
    fn places_are_those_of_the_source() {
        let source =
            "out gl_PerVertex {\n vec4 gl_Position; };\nuniform sampler2D t; float a = u.k;\nvoid main() { }";
        let adapted = Adapted::of(source);
        for word in ["u.k", "main", "}"] {
            let place = adapted.text.rfind(word).unwrap();
            assert_eq!(adapted.moved.before(place), source.rfind(word).unwrap(), "{word}");
        }
        assert_eq!(
            adapted.moved.before(adapted.text.find("t_sampler").unwrap()),
            source.find("uniform").unwrap()
        );
        assert_eq!(adapted.moved.before(adapted.text.len()), source.len());
    }
}
