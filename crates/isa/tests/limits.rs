//! What is too much.

use crate::{one_word, problems, two_halves};
use gpuzoo_diag::{Diagnostic, File, MAX_SOURCE_BYTES, Severity};
use gpuzoo_isa::codes::{BAD_MASK, UNEXPECTED};
use gpuzoo_isa::{Cursor, MAX_ERRORS};

#[test]
fn reading_stops_after_a_thousand_errors() {
    for (isa, line) in
        [(&one_word::ISA, "oops\n"), (&two_halves::ISA, "MOV R0;\n"), (&one_word::ISA, "mov, r0, r1\n")]
    {
        let found = problems(isa, &line.repeat(5 * MAX_ERRORS));
        // The last statement may have more than one.
        assert!((MAX_ERRORS + 1..MAX_ERRORS + 3).contains(&found.len()), "{}", found.len());
        let (last, rest) = found.split_last().unwrap();
        assert_eq!(last.code.id, "A0114");
        assert!(rest.iter().all(|problem| problem.code.id != "A0114"));
        // One fewer, and everything is read.
        let found = problems(isa, &line.repeat(MAX_ERRORS / 2 - 1));
        assert!(found.iter().all(|problem| problem.code.id != "A0114"));
    }
    // A thousand errors, and nothing behind them that would not be read.
    assert_eq!(problems(&one_word::ISA, &"oops\n".repeat(MAX_ERRORS)).len(), MAX_ERRORS);
}

#[test]
fn a_source_has_64_mib() {
    let mut text = " ".repeat(MAX_SOURCE_BYTES);
    assert!(problems(&one_word::ISA, &text).is_empty());
    text.push('?');
    let found = problems(&one_word::ISA, &text);
    let [problem] = &found[..] else { panic!("{} problems", found.len()) };
    assert_eq!((problem.code.id, problem.span().map(|span| span.range())), ("A0116", Some(0..0)));
}

#[test]
fn a_thousand_warnings_are_reported_and_all_notes() {
    let file = File::new("t", "nop");
    let mut cursor = Cursor::new(&file, &one_word::SYNTAX);
    for _ in 0..MAX_ERRORS + 500 {
        cursor.report(Diagnostic::warning(&BAD_MASK, "odd"));
        cursor.report(Diagnostic::new(Severity::Note, &UNEXPECTED, "by the way"));
    }
    let of = |severity| cursor.problems.iter().filter(move |problem| problem.severity == severity);
    assert_eq!((of(Severity::Warning).count(), of(Severity::Note).count()), (MAX_ERRORS, MAX_ERRORS + 500));
    let noted: Vec<_> = of(Severity::Warning).filter(|problem| !problem.notes.is_empty()).collect();
    assert_eq!(noted[0].notes, ["further warnings are not reported"]);
    assert_eq!(noted.len(), 1);
    // Warnings and notes do not end the reading.
    assert!(!cursor.gives_up());
}

#[test]
fn a_binary_has_whole_slots_and_not_too_many() {
    let isa = &two_halves::ISA;
    let ids = |bytes: &[u8]| -> Vec<_> {
        let loaded = isa.load(bytes, Default::default());
        loaded.diagnostics.iter().map(|problem| (problem.code.id, problem.span().unwrap().range())).collect()
    };
    assert_eq!(ids(&[5; 16]), []);
    assert_eq!(ids(&[5; 17]), [("B0101", 16..17)]);
    assert_eq!(ids(&[5; 3]), [("B0101", 0..3)]);
    assert_eq!(ids(&[5; 8 * 16]), []);
    assert_eq!(ids(&[5; 8 * 17]), [("A0110", 128..136)]);
    // What is not read is counted.
    let loaded = isa.load(&vec![5; 8 * 100_000], Default::default());
    assert_eq!(loaded.diagnostics[0].message, "the program has 100000 instructions, the machine holds 16");
    assert_eq!(loaded.program.slots.len(), 16);
}
