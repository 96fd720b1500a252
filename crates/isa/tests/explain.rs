//! What the bits of a slot say.

use crate::{MACHINES, Random, assemble, one_word, two_halves};
use gpuzoo_isa::{Bits, Isa};

/// Every bit of a slot is in one field.
#[test]
fn each_bit_is_explained_once() {
    let mut random = Random::new();
    for isa in MACHINES {
        for round in 0..30_000 {
            let mut bits = Bits::default();
            bits.words.fill_with(|| random.word());
            bits.words[0] = bits.words[0] & !63 | random.below(if round < 20_000 { 22 } else { 64 });
            let fields = isa.explain(&bits);
            let mut end = isa.slot(bits, Default::default()).words(isa).len() * 32;
            let mut again = Bits::default();
            for value in &fields {
                assert_eq!(usize::from(value.field.lo + value.field.width), end, "{:?}", value.field);
                end = usize::from(value.field.lo);
                assert_eq!(value.value, value.field.get(&bits));
                assert!(!value.meaning.is_empty() && !value.field.name.is_empty(), "{value:?}");
                value.field.set(&mut again, value.value);
            }
            let words = isa.slot(bits, Default::default()).words(isa).len();
            assert_eq!((end, &again.words[..words]), (0, &bits.words[..words]));
        }
    }
}

/// `name: meaning` of each field, from the highest bit down, without those that are ignored.
fn said(isa: &Isa, bits: Bits) -> Vec<String> {
    let fields = isa.explain(&bits).into_iter();
    let said = fields.filter(|value| value.meaning != "ignored");
    said.map(|value| format!("{}: {}", value.field.name, value.meaning)).collect()
}

#[test]
fn meanings() {
    let isa = &one_word::ISA;
    let of = |text: &str| said(isa, assemble(isa, text).slots[0].bits);
    assert_eq!(of("mov r1.xw r2"), ["spare: 0", "mask: writes xw", "a: r2", "dst: r1", "op: mov"]);
    assert_eq!(
        of("sgn r1 -k1"),
        [
            "spare: 0",
            "kind: channel",
            "abs: not made positive",
            "negate: negated",
            "a: k1",
            "dst: r1",
            "op: sgn"
        ]
    );
    assert_eq!(of("ld r1 7"), ["spare: 0", "a: input 7", "dst: r1", "op: ld"]);
    assert_eq!(
        of("ldc r1 c[a0 + 20]")[1..],
        ["relative: relative to the address register", "low: c20", "high: c20", "dst: r1", "op: ldc"]
    );
    assert_eq!(
        of("shf r1 r2 wzyx 0")[1..],
        ["low_mask: writes nothing", "order: wzyx", "a: r2", "dst: r1", "op: shf"]
    );
    assert_eq!(
        of("finit r1 1.0 2.5"),
        ["value1: 2.5", "value0: 1", "spare: 0", "count: 2 values", "dst: r1", "op: finit"]
    );
    assert_eq!(of("finit r1 1.5")[2..], ["count: 1 value", "dst: r1", "op: finit"]);
    let mut infinity = assemble(isa, "add r1 r2 1.5").slots[0].bits;
    infinity.words[1] = 0x7f80_0000;
    assert_eq!(said(isa, infinity)[0], "value0: 0x7f800000, which has no text");
    assert_eq!(said(isa, Bits::word(63)), ["spare: 0", "op: not defined: nothing happens"]);
    let undefined = isa.slot(Bits::word(63), Default::default());
    assert_eq!(isa.undefined(&undefined), Some("nothing happens"));

    let isa = &two_halves::ISA;
    let of = |text: &str| said(isa, assemble(isa, text).slots[0].bits);
    assert_eq!(
        of("MOV oFog.x, |C9.y|"),
        [
            "last: 0",
            "out_from: `dst` is there",
            "out_mask: writes x",
            "out: oFog",
            "temp_mask: writes nothing",
            "relative: not relative to the address register",
            "a_abs: made positive",
            "a_neg: not negated",
            "a_order: y",
            "a_kind: constant",
            "port: C9",
            "side: not defined: nothing is done",
            "main: MOV",
        ]
    );
    // A number takes the bits of what a register has.
    let number = of("RCP _, 200");
    assert!(number.contains(&"a_number: 200".to_owned()), "{number:?}");
    assert!(number.contains(&"side_kind: no register".to_owned()), "{number:?}");
    let mut bits = Bits::word(0);
    (bits.words[0], bits.words[1]) = (0x20, 0x3 << 28);
    assert!(
        said(isa, bits).iter().any(|text| text == "side_temp: C0, which is read only: illegal"),
        "{:?}",
        said(isa, bits)
    );
}

#[test]
fn undefined_opcodes_are_counted() {
    assert_eq!(
        one_word::ISA.halves[0].opcode_doc(),
        "opcode; 17 to 19, 21 to 63 not defined: nothing happens"
    );
    assert_eq!(
        two_halves::ISA.halves[0].opcode_doc(),
        "operation of the main half; 0, 3, 6 to 15 not defined: nothing is done"
    );
}
