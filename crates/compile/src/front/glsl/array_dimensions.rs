//! GLSL's arrays of arrays, whose dimensions naga exchanges: it takes the first one that it reads for the innermost.

use crate::front::DIMENSIONS;
use crate::front::glsl::preprocessed::Expanded;
use crate::front::glsl::tokens::Words;
use gpuzoo_diag::{Diagnostic, File};

/// Words before a name that are no type.
const NO_TYPES: [&str; 5] = ["return", "else", "do", "case", "in"];

/// The problem of the first declaration, or constructor, of which naga would read another type.
pub fn misread(expanded: &Expanded, file: &File) -> Option<Diagnostic> {
    let words = Words::of(&expanded.text);
    // Whether the statement is a declaration, whose further names stand behind commas.
    let (mut is_list, mut depth) = (false, 0usize);
    for at in 0..words.all.len() {
        match words.word(at) {
            ";" | "{" | "}" => (is_list, depth) = (false, 0),
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        let before = at.checked_sub(1).map_or("", |before| words.word(before));
        let has_type = at > 0
            && words.is_name(at)
            && (before == "]" || words.is_name(at - 1) && !NO_TYPES.contains(&before));
        is_list |= has_type && depth == 0;
        let first = at + 1;
        if !words.is_name(at) || words.word(first) != "[" {
            continue;
        }
        let (mut sizes, mut end) = (Vec::new(), first);
        while words.word(end) == "[" {
            let behind = words.behind(end);
            sizes.push(words.range(end + 1..behind.saturating_sub(1)));
            end = behind;
        }
        let is_type = words.is_name(end) || words.word(end) == "(";
        let is_declared = is_type || has_type || before == "," && is_list && depth == 0;
        // No order of equal sizes is wrong. One that is left open has that of a value.
        let is_same = sizes.iter().all(|size| *size == sizes[0] && !size.is_empty());
        if is_declared && sizes.len() > 1 && !is_same {
            let message = "the dimensions of this array of arrays would be exchanged";
            let help = "make it one array, `vec4 grid[2 * 3]` with `grid[i * 3 + j]`; or write WGSL or Cg, or compile it to SPIR-V";
            let place = expanded.moved.range(words.place(at..end));
            return Some(Diagnostic::error(&DIMENSIONS, message).at(file.span(place)).help(help));
        }
    }
    None
}
