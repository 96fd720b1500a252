//! `pack`.

use crate::common::{gpuzoo, scratch, text, with_input};

/// Eight instructions, one a line.
const TEXT: &str = include_str!("../data/colored.vp");

#[test]
fn a_text_gets_shorter_and_says_so() {
    let done = with_input(&["pack", "--gpu", "nv2a", "-"], TEXT);
    assert_eq!((done.code, done.out.lines().count()), (0, 6));
    assert_eq!(done.err, "8 slots → 6, 1 instruction left out; no order of what is left needs fewer\n");
    // What was written is a program, and as short as it gets.
    let again = with_input(&["pack", "--gpu", "nv2a", "-"], &done.out);
    assert_eq!(
        (again.code, again.err.lines().last()),
        (0, Some("6 slots → 6; no order of what is left needs fewer"))
    );
}

#[test]
fn a_dialect_without_pairs_is_refused() {
    let done = with_input(&["pack", "--gpu", "nv2a", "-", "--to", "vp"], TEXT);
    assert_eq!((done.code, done.out.as_str()), (1, ""));
    assert!(done.err.contains("error[G0238]") && done.err.contains("8 instructions"), "{}", done.err);
    // Where nothing is paired, it has words.
    let done =
        with_input(&["pack", "--gpu", "nv2a", "-", "--to", "vp"], "!!VP1.0\nMOV o[HPOS], v[0];\nEND\n");
    assert_eq!((done.code, done.out.lines().nth(1)), (0, Some("MOV o[HPOS], v[OPOS];")));
}

#[test]
fn words_follow_from_the_file() {
    let file = scratch("pack").join("colored.hex");
    let done = with_input(&["pack", "--gpu", "nv2a", "-", "-o", text(&file)], TEXT);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(std::fs::read_to_string(&file).unwrap().lines().count(), 6);
    let done = with_input(&["pack", "--gpu", "nv2a", "-", "-o", text(&file), "--to", "vsh"], TEXT);
    assert!(done.code == 2 && done.err.contains("`--to`"), "{}", done.err);
}

#[test]
fn what_cannot_be_packed_is_refused() {
    let done = with_input(&["pack", "--gpu", "nv2a", "-"], ".word 0 0x01e00000 0 0\n");
    assert!(done.code == 1 && done.err.contains("error[G0236]"), "{} {}", done.code, done.err);
    let done = gpuzoo(&["pack", "../../../../examples/vera/cube.s"]);
    assert!(done.code == 2 && done.err.contains("error[G0113]"), "{} {}", done.code, done.err);
}

/// More vectors are compared, and the program is the same.
#[test]
fn more_vectors_are_verified_on_request() {
    let [usual, more, none] = ["64", "1000", "0"]
        .map(|vectors| with_input(&["pack", "--gpu", "nv2a", "-", "--verify", vectors], TEXT))
        .map(|done| (done.code, done.out));
    assert!(usual.0 == 0 && usual == more && usual == none, "{usual:?} {more:?}");
    let done = with_input(&["pack", "--gpu", "nv2a", "-", "--verify", "99999999"], TEXT);
    assert!(done.code == 2 && done.err.contains("--verify"), "{}", done.err);
}
