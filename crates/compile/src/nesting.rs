//! How deep a text is nested. naga's readers call themselves for each level, and a level costs them some kilobytes of stack.

use crate::walk::codes::TOO_LARGE;
use gpuzoo_diag::{Diagnostic, File};
use rustc_hash::FxHashMap as HashMap;

/// The deepest brackets.
const MOST_BRACKETS: usize = 256;

/// The most operators of a statement: `a + a + a` is nested, too.
const MOST_OPERATORS: usize = 2_000;

/// The most branches and loops of a function: without braces, and behind `else`, they are nested as well.
const MOST_BRANCHES: usize = 1_000;

/// The stack that is enough for texts within these limits, in bytes.
pub const STACK: usize = 64 << 20;

/// How many operators and brackets each macro of GLSL stands for, those of the macros in it included.
fn macros(text: &str) -> HashMap<&str, usize> {
    let mut bodies: HashMap<&str, &str> = HashMap::default();
    for line in text.lines() {
        let Some(rest) = line.trim_start().strip_prefix('#').map(str::trim_start) else { continue };
        let Some(rest) = rest.strip_prefix("define").map(str::trim_start) else { continue };
        let end = rest.find(|letter: char| !is_part(letter)).unwrap_or(rest.len());
        bodies.insert(&rest[..end], &rest[end..]);
    }
    let own = |body: &str| {
        let bytes = outside_comments(body).flat_map(str::bytes);
        bytes.filter(|byte| byte.is_ascii_punctuation() && *byte != b'_').count()
    };
    let mut weights: HashMap<&str, usize> = bodies.iter().map(|(name, body)| (*name, own(body))).collect();
    // Each round goes one level deeper; more levels than macros there are not.
    for _ in 0..bodies.len().min(MOST_BRACKETS) {
        let before = weights.clone();
        for (name, body) in &bodies {
            let words = outside_comments(body).flat_map(|part| part.split(|letter| !is_part(letter)));
            let inner: usize = words.filter_map(|word| before.get(word)).sum();
            weights.insert(name, own(body).saturating_add(inner).min(MOST_OPERATORS + 1));
        }
        if weights == before {
            break;
        }
    }
    weights
}

/// The parts of a macro's body that are not comments: these may well name the macro itself.
fn outside_comments(body: &str) -> impl Iterator<Item = &str> {
    let mut rest = body;
    std::iter::from_fn(move || {
        let own = (!rest.is_empty()).then_some(rest)?;
        let begin = own.match_indices('/').map(|(at, _)| at).find(|at| own[at + 1..].starts_with(['/', '*']));
        let begin = begin.unwrap_or(own.len());
        rest = match own[begin..].starts_with("/*") {
            true => own[begin + 2..].find("*/").map_or("", |end| &own[begin + 2 + end + 2..]),
            false => "",
        };
        Some(&own[..begin])
    })
}

fn is_part(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// What is nested too deep, if anything is.
pub fn too_deep(file: &File) -> Option<Diagnostic> {
    let macros = macros(file.text());
    let text = file.text().as_bytes();
    let (mut brackets, mut braces, mut operators, mut branches) = (0_usize, 0_usize, 0, 0);
    let mut at = 0;
    while let Some(letter) = text.get(at) {
        let start = at;
        at += 1;
        match letter {
            b'/' if text.get(at) == Some(&b'/') => {
                at += text[at..].iter().take_while(|own| **own != b'\n').count()
            }
            b'/' if text.get(at) == Some(&b'*') => {
                at += text[at..].windows(2).position(|pair| pair == b"*/").map_or(text.len(), |end| end + 2);
            }
            // A definition counts where it is used.
            b'#' => at += text[at..].iter().take_while(|own| **own != b'\n').count(),
            b'(' | b'[' => brackets += 1,
            b'{' => (brackets, braces, operators) = (brackets + 1, braces + 1, 0),
            b')' | b']' => brackets = brackets.saturating_sub(1),
            b'}' => {
                (brackets, braces, operators) = (brackets.saturating_sub(1), braces.saturating_sub(1), 0);
                if braces == 0 {
                    branches = 0;
                }
            }
            b';' => operators = 0,
            b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^' | b'<' | b'>' | b'!' | b'~' | b'?'
            | b'=' => {
                operators += 1;
            }
            letter if letter.is_ascii_alphabetic() || *letter == b'_' => {
                at += text[at..].iter().take_while(|own| is_part(char::from(**own))).count();
                let word = &file.text()[start..at];
                branches +=
                    usize::from(matches!(word, "if" | "else" | "for" | "while" | "loop" | "do" | "switch"));
                operators += macros.get(word).copied().unwrap_or(0);
            }
            _ => {}
        }
        let what = [
            (brackets > MOST_BRACKETS, "brackets are nested too deeply", MOST_BRACKETS, "levels"),
            (operators > MOST_OPERATORS, "the statement is too long", MOST_OPERATORS, "operators"),
            (
                branches > MOST_BRANCHES,
                "the function has too many branches and loops",
                MOST_BRANCHES,
                "of them",
            ),
        ];
        if let Some((_, message, most, which)) = what.into_iter().find(|(is_so, ..)| *is_so) {
            let end = at.min(text.len());
            // Letters of other alphabets have several bytes.
            let start = (0..=start).rev().find(|at| file.text().is_char_boundary(*at)).unwrap_or(0);
            let end = (end..=text.len()).find(|at| file.text().is_char_boundary(*at)).unwrap_or(text.len());
            let problem = Diagnostic::error(&TOO_LARGE, message).at(file.span(start..end));
            return Some(
                problem.help(format!("there may be {most} {which}: give parts of it names of their own")),
            );
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_where_they_are_said_to_be() {
        let text = |before: &str, count: usize, after: &str| {
            format!("fn f() {{ {}x{}; }} // ((( {{", before.repeat(count), after.repeat(count))
        };
        let deep = |text: &str| too_deep(&File::new("t.wgsl", text)).map(|problem| problem.message);
        assert_eq!(deep(&text("(", MOST_BRACKETS - 1, ")")), None);
        assert_eq!(deep(&text("(", MOST_BRACKETS, ")")).as_deref(), Some("brackets are nested too deeply"));
        assert_eq!(deep(&text("é+", MOST_OPERATORS, "")), None);
        assert_eq!(deep(&text("é+", MOST_OPERATORS + 1, "")).as_deref(), Some("the statement is too long"));
        assert_eq!(deep(&text("if a {} ", MOST_BRANCHES, "")), None);
        let many = deep(&text("if a {} ", MOST_BRANCHES + 1, ""));
        assert_eq!(many.as_deref(), Some("the function has too many branches and loops"));
        // Macros count as what they stand for.
        let macros: String = (1..20).map(|at| format!("#define M{at} M{} + M{}\n", at - 1, at - 1)).collect();
        assert_eq!(deep(&format!("{macros}#define M0 a\nvoid main() {{ M9; }}")), None);
        assert_eq!(
            deep(&format!("{macros}#define M0 a\nvoid main() {{ M12; }}")).as_deref(),
            Some("the statement is too long")
        );
        // A macro that names itself in a comment does not stand for itself.
        let commented = "#define GAIN 2.0 // GAIN * 0.5 is what GAIN was\n#define BIAS /* - BIAS */ 1.0 / 2.0\nvoid main() { GAIN * BIAS; }";
        assert_eq!(deep(commented), None);
        let parts = |body| outside_comments(body).collect::<Vec<_>>();
        assert_eq!(parts(" a / b /* c */ d // e"), [" a / b ", " d "]);
        assert_eq!(parts(" a /* b"), [" a "]);
        // What is in comments, and what other functions have, does not count.
        assert_eq!(deep(&format!("/* {} */ // {}", "(".repeat(999), "(".repeat(999))), None);
        assert_eq!(deep(&"fn f() { if a { } if b { } }".repeat(MOST_BRANCHES)), None);
    }
}
