//! Where what is wrong is shown.

use gpuzoo_diag::{File, Sources};
use gpuzoo_machine::limits::budget::Budget;
use gpuzoo_machine::text;

/// `nodes=` are six letters; what has no limit is the name.
#[test]
fn a_limit_that_is_none_is_shown_at_its_amount_or_its_name() {
    let place = |text: &str| {
        let problem = Budget::default().read(&File::new("--limit", text)).err().unwrap();
        problem.span().map(|span| (span.start, span.end))
    };
    assert_eq!(place("nodes=99999999999999999999"), Some((6, 26)));
    assert_eq!(place("nodes=some"), Some((6, 10)));
    assert_eq!(place("nodes"), Some((5, 5)));
    assert_eq!(place("hodes=1"), Some((0, 5)));
}

#[test]
fn a_text_that_is_too_long_is_shown_at_its_start() {
    let bytes = vec![b' '; (64 << 20) + 1];
    let problem = text::read(&mut Sources::default(), "a.s", &bytes).unwrap_err();
    let place = problem.span().map(|span| (span.start, span.end));
    assert_eq!((problem.code.id, place), ("A0116", Some((0, 0))));
}
