//! GLSL's global variables whose initial values are not known before a run. naga leaves such values out: each becomes a function that
//! sets its variable, and `main` calls these first; a matrix of inputs is set in the same way. What is not found here (a declaration
//! behind `main`, or with its struct) is refused once naga has read it.

use crate::front::glsl::varyings::columns;
use crate::front::glsl::{Edit, Tokens};
use naga::{AddressSpace, Module, Span};
use std::ops::Range;

/// What says that a statement declares no variable of the program's own, or one that never changes.
const QUALIFIERS: [&str; 11] = [
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
];

/// The most calls that are written into all functions called `main`, of which the preprocessor leaves one.
const MOST_CALLS: usize = 1 << 16;

/// What makes the functions, and calls them.
pub fn edits(tokens: &Tokens) -> Vec<Edit> {
    let mut edits = Vec::new();
    let (mut start, mut depth, mut count, mut calls) = (0, 0usize, 0, 0);
    // What is behind the last `main` is not called.
    let mut reached = 0;
    for at in 0..tokens.len() {
        match tokens.word(at) {
            "{" | "(" | "[" => {
                if depth == 0 && tokens.word(at) == "{" && is_main(tokens, start..at) {
                    calls += count;
                    if calls > MOST_CALLS {
                        return Vec::new();
                    }
                    let place = tokens.range(at).end;
                    let call = |number| format!("\n#ifdef {0}_\n{0}();\n#endif\n", name(number));
                    edits.push(Edit { range: place..place, text: (0..count).map(call).collect() });
                    reached = edits.len();
                }
                depth += 1;
            }
            ")" | "]" => depth = depth.saturating_sub(1),
            "}" => {
                depth = depth.saturating_sub(1);
                start = if depth == 0 { at + 1 } else { start };
            }
            ";" if depth == 0 => {
                if let Some((own, next)) = declaration(tokens, start..at, count) {
                    edits.extend(own);
                    count = next;
                } else if let Some(own) = columns(tokens, start..at, &name(count)) {
                    edits.push(own);
                    count += 1;
                }
                start = at + 1;
            }
            _ => {}
        }
    }
    edits.truncate(reached);
    edits
}

/// The function that sets a variable.
fn name(number: usize) -> String {
    format!("gpuzoo_initial_{number}")
}

fn is_main(tokens: &Tokens, mut statement: Range<usize>) -> bool {
    statement.any(|at| tokens.word(at) == "main" && tokens.word(at + 1) == "(")
}

/// What a declaration becomes, if one of its values is none that naga knows, and the number behind those of its functions, which
/// begin with `first`.
fn declaration(
    tokens: &Tokens,
    Range { start, end }: Range<usize>,
    first: usize,
) -> Option<(Vec<Edit>, usize)> {
    let equals = (start..end).find(|at| tokens.word(*at) == "=")?;
    if (start..equals).any(|at| QUALIFIERS.contains(&tokens.word(at))) {
        return None;
    }
    let precision = usize::from(matches!(tokens.word(start), "lowp" | "mediump" | "highp"));
    let mut at = start + precision + 1;
    if tokens.word(at) == "[" {
        at = tokens.behind(at, end);
    }
    let kind = tokens.text(start..at);
    let (mut edits, mut is_needed, mut number) = (Vec::new(), false, first);
    let mut is_type = tokens.is_word(start);
    loop {
        if !is_type || at >= end || !tokens.is_word(at) {
            return None;
        }
        let variable = tokens.word(at);
        at += 1;
        if tokens.word(at) == "[" {
            at = tokens.behind(at, end);
        }
        let mut behind_it = String::from(";");
        if at < end && tokens.word(at) == "=" {
            let place = tokens.range(at).start;
            edits.push(Edit {
                range: place..place,
                text: format!("; void {}() {{ {variable} ", name(number)),
            });
            behind_it = format!("; }}\n#define {}_\n", name(number));
            number += 1;
            let value = at + 1;
            while at < end && tokens.word(at) != "," {
                at = if matches!(tokens.word(at), "(" | "[" | "{") { tokens.behind(at, end) } else { at + 1 };
            }
            is_needed |= (value..at).any(|at| tokens.is_word(at) && !is_constructor(tokens.word(at)));
        }
        if at >= end {
            edits.push(Edit { range: tokens.range(end), text: behind_it });
            return is_needed.then_some((edits, number));
        }
        is_type = tokens.word(at) == ",";
        edits.push(Edit { range: tokens.range(at), text: format!("{behind_it} {kind}") });
        at += 1;
    }
}

/// True for what makes a value of known ones, or is one.
fn is_constructor(word: &str) -> bool {
    let is_sized = |start| word.strip_prefix(start).is_some_and(|size| size.starts_with(['2', '3', '4']));
    ["float", "int", "uint", "bool", "true", "false"].contains(&word)
        || ["vec", "ivec", "uvec", "bvec", "mat"].into_iter().any(is_sized)
}

/// The names and the spans of variables whose initial values naga has left out: a span of such a one has the value in it. `text` is
/// what naga read.
pub fn lost<'a>(module: &'a Module, text: &'a str) -> impl Iterator<Item = (&'a str, Span)> {
    module.global_variables.iter().filter_map(move |(handle, variable)| {
        let span = module.global_variables.get_span(handle);
        let has_value =
            span.to_range().and_then(|range| text.get(range)).is_some_and(|own| own.contains('='));
        let is_lost = variable.space == AddressSpace::Private && variable.init.is_none() && has_value;
        is_lost.then_some((variable.name.as_deref().unwrap_or("?"), span))
    })
}

#[cfg(test)]
mod tests {
    use crate::front::glsl::Adapted;

    #[test]
    fn values_are_set_in_main() {
        let source = "uniform U { vec4 k; } u; float a = 1.0, b, c = a * u.k.x;\nvoid main() { }";
        let text = "uniform U { vec4 k; } u; float a ; void gpuzoo_initial_0() { a = 1.0; }\n#define gpuzoo_initial_0_\n float b; float c \
                    ; void gpuzoo_initial_1() { c = a * u.k.x; }\n#define gpuzoo_initial_1_\n\nvoid main() {\n#ifdef gpuzoo_initial_0_\n\
                    gpuzoo_initial_0();\n#endif\n\n#ifdef gpuzoo_initial_1_\ngpuzoo_initial_1();\n#endif\n }";
        assert_eq!(Adapted::of(source).text, text);
    }
}
