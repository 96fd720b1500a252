use super::*;

fn number(text: &str) -> Option<(u32, Option<u64>)> {
    match Expression::read(text).ok()?.first.left.kind {
        Kind::Number(float, integer) => Some((float.to_bits(), integer)),
        _ => None,
    }
}

#[test]
fn numbers_are_floats_and_integers() {
    assert_eq!(number("1"), Some((0x3f80_0000, Some(1))));
    assert_eq!(number("-0.5e1"), Some((0xc0a0_0000, None)));
    assert_eq!(number("$1F"), Some((31.0f32.to_bits(), Some(31))));
    assert_eq!(number("0x3f800000"), Some((0x3f80_0000, Some(0x3f80_0000))));
    // The float is the nearest one, the integer is exact.
    assert_eq!(number("16777217"), Some((0x4b80_0000, Some(16_777_217))));
    assert_eq!(number("inf"), Some((0x7f80_0000, None)));
    assert_eq!(number("infinite"), None);
}

#[test]
fn mistakes_have_a_place() {
    for (text, at) in [
        ("", 0..0),
        ("r0.", 3..3),
        ("r0.light.", 9..9),
        ("c[1].light", 5..10),
        ("r0 ==", 5..5),
        ("r0 = 1", 3..4),
        ("ram[", 4..4),
        ("ram[1..", 7..7),
        ("ram[1 2]", 6..8),
        ("ram[-1]", 4..7),
        ("ram[1.5]", 4..8),
        ("-x", 0..2),
        ("$g", 0..2),
        ("0x123456789", 0..11),
        ("r0 && ", 6..6),
    ] {
        assert_eq!(Expression::read(text).map_err(|unclear| unclear.at), Err(at), "{text}");
    }
}

#[test]
fn a_nan_can_be_looked_for() {
    assert!(Relation::Equal.holds(f64::NAN, f64::NAN) && !Relation::Equal.holds(f64::NAN, 1.0));
    assert!(Relation::Unequal.holds(f64::NAN, 1.0) && !Relation::Less.holds(f64::NAN, 1.0));
    assert!(Relation::AtMost.holds(1.0, 1.0) && Relation::AtLeast.holds(2.0, 1.0));
}
