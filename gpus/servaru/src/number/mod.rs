//! Numbers in the text of an instruction: `0.5`, `-1e-3`, `inf`, `nan` (spec sections D and F).

pub mod immediate;

use crate::number::immediate::LiteralError;
use crate::rules::{BAD_LITERAL, INEXACT, LITERAL_TOO_LARGE, UNDERFLOW};
use gpuzoo_diag::{Diagnostic, Severity, Span};
use gpuzoo_isa::{Cursor, Failed, TokenKind, ValuePlace, Values};

/// The numbers that a source may be.
pub static NUMBER: Values = Values {
    name: "a number",
    most: 1,
    count: None,
    begins: |text| {
        text.starts_with(|first: char| first.is_ascii_digit()) || matches!(text, "." | "inf" | "nan")
    },
    read,
    print: |field| immediate::text(field as u16),
    sample: 0x0700,
};

fn read(cursor: &mut Cursor, place: &ValuePlace) -> Result<u32, Failed> {
    let at = cursor.token.start;
    let dot = cursor.eat(".");
    if !dot || cursor.token.kind == TokenKind::Number && cursor.adjacent() {
        cursor.advance();
    }
    // The lexer ends a number before the sign of its exponent.
    let ends_open = cursor.file.text()[at..cursor.previous_end].ends_with(['e', 'E']);
    if ends_open && cursor.adjacent() && matches!(cursor.text(), "+" | "-") {
        cursor.advance();
        if cursor.adjacent() && cursor.token.kind == TokenKind::Number {
            cursor.advance();
        }
    }
    let text = &cursor.file.text()[at..cursor.previous_end];
    let whole = cursor.since(place.start);
    let shown = format!("{}{}", if place.negated { "-" } else { "" }, clip(text));
    if cursor.adjacent() && cursor.token.kind == TokenKind::Directive {
        let problem = Diagnostic::error(&BAD_LITERAL, "a number has no components");
        let span = cursor.span();
        let problem = problem.at(span).help("it is the same in all four");
        return cursor.fail(problem.fix("leave them out", span, ""));
    }
    let sign = if place.negated { immediate::SIGN } else { 0 };
    match (text, immediate::from_text(text)) {
        ("inf", _) => Ok(u32::from(immediate::INFINITY | sign)),
        ("nan", _) if !place.negated => Ok(u32::from(immediate::NAN)),
        (_, Ok(rounded)) => {
            let field = rounded.field | sign;
            if !rounded.exact {
                inexact(cursor, &shown, field, whole);
            }
            Ok(u32::from(field))
        }
        (_, Err(LiteralError::TooLarge)) => {
            let problem = Diagnostic::error(&LITERAL_TOO_LARGE, format!("{shown} is too large"));
            cursor.fail(problem.label(whole, "at most 65280").help("a uniform holds it; infinity is `inf`"))
        }
        (_, Err(LiteralError::Malformed)) => {
            let problem = Diagnostic::error(&BAD_LITERAL, format!("`{shown}` is not a number"));
            let help = "numbers are decimal: `2`, `0.5`, `1e-3`, `inf`, `nan`";
            cursor.fail(problem.at(whole).help(help))
        }
    }
}

fn inexact(cursor: &mut Cursor, shown: &str, field: u16, span: Span) {
    let stored = immediate::text(field).unwrap_or_default();
    let problem = match field & !immediate::SIGN {
        0 => Diagnostic::warning(&UNDERFLOW, format!("{shown} is stored as {stored}")),
        _ => Diagnostic::new(Severity::Note, &INEXACT, format!("{shown} is stored as {stored}")),
    };
    cursor.report(problem.at(span).help("a uniform holds it exactly"));
}

/// The beginning of a long number.
fn clip(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use crate::ISA;
    use crate::program::assemble;
    use gpuzoo_diag::File;

    /// The sign of an exponent, its letter and zeros that say nothing do not matter.
    #[test]
    fn a_number_may_be_written_in_many_ways() {
        let words = |number: &str| {
            let assembled = assemble(&File::new("t", &format!("ADD R0, R0, {number}")));
            assert!(assembled.ok(), "{number}: {:?}", assembled.diagnostics);
            assembled.program.words(&ISA)
        };
        for number in ["2e+1", "2E+1", "2e1", "200e-1", "20.0", ".2e2", "0.2e+02"] {
            assert_eq!(words(number), words("20"), "{number}");
        }
        assert_ne!(words("2e-1"), words("20"));
    }

    /// A sign belongs to an exponent just behind it, and to nothing else.
    #[test]
    fn what_looks_like_a_sum_is_no_number() {
        let problems = |number: &str| {
            let problems = assemble(&File::new("t", &format!("ADD R0, R0, {number}"))).diagnostics;
            let shown = problems.into_iter().map(|problem| (problem.code.id, problem.message));
            shown.collect::<Vec<_>>()
        };
        for number in ["2+1", "2-1", "2.5+1", ".5-1", "inf-1", "2e1+1", "2 +1"] {
            assert!(problems(number).iter().all(|(code, _)| *code != "S0106"), "{:?}", problems(number));
            assert!(!problems(number).is_empty(), "{number}");
        }
        for (number, shown) in
            [("2e", "2e"), ("2e +1", "2e"), ("2e+", "2e+"), ("2e+ 1", "2e+"), ("2e-R", "2e-")]
        {
            let first = problems(number).swap_remove(0);
            assert_eq!(first, ("S0106", format!("`{shown}` is not a number")), "{number}");
        }
    }
}
