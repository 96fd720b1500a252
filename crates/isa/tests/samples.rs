//! Instructions that are made up: the numbers behind them, examples, and that random ones leave nothing out.

use crate::one_word::{self, OP, SRC_A, WHOLE, copy, with};
use crate::two_halves;
use gpuzoo_isa::{Half, Inst, Isa, Mask, Op, Operand, Part, numbers};
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn numbers_are_those_of_splitmix64() {
    // The first five of seed 1234567, as Vigna's splitmix64.c gives them.
    let known: [u64; 5] = [
        6_457_827_717_110_365_317,
        3_203_168_211_198_807_973,
        9_817_491_932_198_370_423,
        4_593_380_528_125_082_431,
        16_408_922_859_458_223_821,
    ];
    for end in [2, 256, 1000, 0x8000_0000, u32::MAX] {
        let mut next = numbers(1_234_567);
        assert_eq!(known.map(|_| next(end)), known.map(|number| (number % u64::from(end)) as u32));
    }
    // There is one number below 1, and none below 0: then it is 0, too.
    let mut next = numbers(5);
    assert_eq!([next(1), next(0)], [0, 0]);
}

#[test]
fn a_register_is_shown_where_it_is_read() {
    let isa = &one_word::ISA;
    let example = |isa: &'static Isa, name: &str| isa.example_with(isa.reg(name).unwrap());
    for (name, text) in [
        ("r5", "mov r0 r5"),
        ("r15", "mov r0 r15"),
        ("in3", "sgn r0 in3"),
        ("c7", "ldc r0 c7"),
        ("k1", "sgn r0 k1"),
        // An output is written.
        ("pos", "st pos r1"),
        ("fog", "st fog r1"),
        // No row reads this one.
        ("a0", "mova a0 r1"),
    ] {
        assert_eq!(example(isa, name).as_deref(), Some(text));
    }
    let isa = &two_halves::ISA;
    for (name, text) in [
        ("R5", "MOV R0, R5;"),
        ("V3", "MOV R0, V3;"),
        ("C9", "MOV R0, C[9];"),
        ("oPos", "MOV oPos, R1;"),
        ("oFog", "MOV oFog, R1;"),
        ("A0", "ARL A0, R1;"),
    ] {
        assert_eq!(example(isa, name).as_deref(), Some(text));
    }
    // What a program should not say is no example.
    assert_eq!(example(isa, "X3"), None);
}

/// A row that reads four registers in a row, and nothing else.
static FOUR: &[Part] = &[WHOLE, SRC_A.consecutive(4)];
static MATRICES: Isa =
    with(&[Half { ops: &[Op::new(1, "mat", FOUR, copy)], opcode: OP, undefined: "nothing happens" }]);

#[test]
fn a_register_has_those_behind_it_that_are_read_with_it() {
    let example = |name: &str| MATRICES.example_with(MATRICES.reg(name).unwrap());
    assert_eq!(example("r12").as_deref(), Some("mat r0 r12"));
    // r13 to r16 are not there; it can be written all the same.
    assert_eq!(example("r13").as_deref(), Some("mat r13 r1"));
    assert_eq!(example("in0"), None);
}

const DRAWS: u32 = 8000;

/// How often each value of an aspect of random instructions comes.
fn counts<T: Ord>(isa: &'static Isa, name: &str, aspect: impl Fn(&Inst) -> Option<T>) -> BTreeMap<T, u32> {
    let op = isa.ops().find(|op| op.name == name).unwrap();
    let mut pick = numbers(7);
    let mut all = BTreeMap::new();
    for _ in 0..DRAWS {
        if let Some(value) = aspect(&isa.random(op, &mut pick)) {
            *all.entry(value).or_default() += 1;
        }
    }
    all
}

/// All these values come, no others, and each about as often as the others: within a quarter, which is more than five standard deviations.
#[track_caller]
fn even<T: Ord + Copy + std::fmt::Debug>(counts: &BTreeMap<T, u32>, values: impl IntoIterator<Item = T>) {
    let values: BTreeSet<T> = values.into_iter().collect();
    assert_eq!(counts.keys().copied().collect::<BTreeSet<T>>(), values);
    let fair = counts.values().sum::<u32>() / values.len() as u32;
    assert!(fair >= 250, "too few draws: {fair}");
    for (value, count) in counts {
        assert!((fair * 3 / 4..=fair * 5 / 4).contains(count), "{value:?}: {count} times, not {fair}");
    }
}

#[test]
fn random_operands_are_everything_that_they_can_be() {
    let isa = &one_word::ISA;
    let operand = |number: usize| move |inst: &Inst| inst.operands[number];
    let of = |name: &str, number: usize, aspect: fn(Operand) -> Option<u16>| {
        counts(isa, name, move |inst| aspect(operand(number)(inst)))
    };
    // Registers, and masks that are not empty, since this language has no text for an empty one.
    even(&of("mov", 0, |own| Some(own.reg.index)), 0..16);
    even(&of("mov", 1, |own| Some(own.reg.index)), 0..16);
    even(&of("mov", 0, |own| Some(own.mask.0.into())), 1..16);
    // Outputs by name: there is no 1.
    even(&of("st", 0, |own| Some(own.reg.index)), [0, 2]);
    // One of three files; a sign, the absolute value, both or neither.
    even(&of("sgn", 1, |own| Some(own.reg.file.into())), [0, 1, 4]);
    even(&of("sgn", 1, |own| Some(u16::from(own.negate) + 2 * u16::from(own.abs))), 0..4);
    // At a computed number or not; any number of a file of 40.
    even(&of("ldc", 1, |own| Some(own.relative.into())), 0..2);
    // A mask that is a word of its own may be empty; letters come in any order.
    even(&of("shf", 0, |own| Some(own.mask.0.into())), 0..16);
    for component in 0..4 {
        let letter = |inst: &Inst| Some(inst.operands[1].swizzle.components()[component]);
        even(&counts(isa, "shf", letter), 0..4);
    }
    even(&of("ord", 1, |own| Some(own.swizzle.0.into())), [0, 1, 2].map(|at| ORDERS[at]));
    // One to four values.
    let values = isa.ops().filter(|op| op.name == "add").nth(1).unwrap();
    let mut pick = numbers(3);
    let mut lengths = BTreeMap::new();
    let mut ones = 0;
    for _ in 0..2000 {
        let inst = isa.random(values, &mut pick);
        *lengths.entry(inst.operands[2].immediates.len()).or_default() += 1;
        ones |= inst.operands[2].immediates.values()[0];
    }
    even(&lengths, 1..5);
    assert_eq!(ones, u32::MAX, "each bit of a value is set in some");
}

/// The swizzles that `ord` can say: xyzw, wzyx, zzzz.
const ORDERS: [u16; 3] = {
    use gpuzoo_isa::Swizzle;
    [Swizzle::IDENTITY.0 as u16, Swizzle::of([3, 2, 1, 0]).0 as u16, Swizzle::broadcast(2).0 as u16]
};

#[test]
fn random_operands_of_two_halves_are_everything_that_they_can_be() {
    let isa = &two_halves::ISA;
    // Of two places in which an instruction can write, one.
    let where_to = |inst: &Inst| Some(inst.operands[3].mask == Mask(0));
    even(&counts(isa, "MOV", where_to), [false, true]);
    // An output's mask; here an empty one has a text, but then nothing is there at all.
    let mask = |inst: &Inst| Some(inst.operands[3].mask.0).filter(|mask| *mask != 0);
    even(&counts(isa, "MOV", mask), 1..16);
    // The component of a scalar.
    even(&counts(isa, "RCP", |inst| inst.operands[1].swizzle.single()), 0..4);
}

#[test]
fn random_slots_have_an_instruction_of_the_other_half_beside_them() {
    let isa = &two_halves::ISA;
    let mut pick = numbers(11);
    for op in isa.ops() {
        let (mut alone, mut beside) = (0, BTreeSet::new());
        for _ in 0..400 {
            let slot = isa.random_slot(op, &mut pick);
            assert!(slot.insts().any(|inst| inst.op == op) && isa.is_canonical(&slot));
            match slot.insts().find(|inst| inst.op != op) {
                None => alone += 1,
                Some(other) => {
                    assert_ne!(other.op.half, op.half);
                    beside.insert(other.op.name);
                }
            }
        }
        let others: BTreeSet<&str> =
            isa.ops().filter(|other| other.half != op.half).map(|other| other.name).collect();
        assert_eq!(beside, others, "{}", op.name);
        // One of two, on average.
        assert!((120..280).contains(&alone), "{}: {alone} alone", op.name);
    }
}
