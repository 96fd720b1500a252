//! Programs around instructions, for vectors that are made.

use crate::tiny::{C, ISA, NOWHERE, R, program, slots};
use gpuzoo_isa::{Mask, Reg};
use gpuzoo_machine::vectors::stimulus::{
    EDGES, Stimulus, Temporaries, add_results, copy, framed, run_records, vec4_json, words_json,
};
use serde_json::json;

fn reg(name: &str) -> Reg {
    ISA.reg(name).unwrap()
}

/// The names of what is read and of what is written.
fn temporaries(texts: &[&str]) -> [Vec<String>; 2] {
    let Temporaries { read, written } = Temporaries::of(&ISA, &slots(texts));
    [read, written].map(|list| list.iter().map(|reg| ISA.reg_name(*reg)).collect())
}

#[test]
fn temporaries_are_listed_once_in_the_order_of_their_use() {
    assert_eq!(temporaries(&["mov r1 r2"]), [["r2"], ["r1"]]);
    // Inputs, constants and outputs are none.
    assert_eq!(temporaries(&["mov r1 in2", "mov r3 c4", "mov out0 r1"]), [vec!["r1"], vec!["r1", "r3"]]);
    assert_eq!(
        temporaries(&["add r4 r2 r2", "add r4 r3 r2", "mova a0 r4"]),
        [vec!["r2", "r3", "r4"], vec!["r4", "a0"]]
    );
    // Of what is written under a mask the rest stays, and so is read.
    assert_eq!(temporaries(&["mov r1.x r2"]), [vec!["r2", "r1"], vec!["r1"]]);
    // Four in a row.
    assert_eq!(temporaries(&["mat r7 r2"]), [vec!["r2", "r3", "r4", "r5"], vec!["r7"]]);
    // Both halves of a slot.
    assert_eq!(temporaries(&["mov r1 r2 + mvs r3 r4"]), [["r2", "r4"], ["r1", "r3"]]);
}

#[test]
fn what_is_not_there_is_no_temporary() {
    // The machine has no kind 3 of the first source.
    let mut slot = slots(&["mov r1 r2"])[0];
    slot.bits.words[0] |= 3 << 16;
    let slot = ISA.slot(slot.bits, Default::default());
    assert_eq!(slot.inst.unwrap().operands[1].reg.file, NOWHERE);
    let found = Temporaries::of(&ISA, &[slot]);
    assert_eq!((found.read, found.written), (vec![], vec![reg("r1")]));
}

#[test]
fn what_writes_nothing_shows_that_it_does() {
    let mut slot = slots(&["mov r1 r2"])[0];
    slot.inst.as_mut().unwrap().operands[0].mask = Mask(0);
    let found = Temporaries::of(&ISA, &[slot]);
    assert_eq!((found.read, found.written), (vec![reg("r2"), reg("r1")], vec![reg("r1")]));
}

#[test]
fn copies_are_what_the_assembler_writes() {
    let text = |to: Reg, from: Reg| {
        let mut text = String::new();
        ISA.print_slot(&copy(&ISA, "mov", to, from).unwrap(), &mut text);
        text
    };
    assert_eq!(text(reg("r1"), reg("r2")), "mov r1 r2");
    assert_eq!(text(reg("out1"), reg("c7")), "mov out1 c7");
    assert_eq!(text(reg("r1"), reg("in3")), "mov r1 in3");
    assert!(copy(&ISA, "move", reg("r1"), reg("r2")).is_none());
}

#[test]
fn a_body_gets_its_temporaries_and_leaves_them() {
    let shown = |body: &[&str], feeds: &[&str], outputs: &[&str]| -> Vec<String> {
        let body = slots(body);
        let [feeds, outputs] =
            [feeds, outputs].map(|names| names.iter().map(|name| reg(name)).collect::<Vec<_>>());
        let all = Temporaries::of(&ISA, &body);
        let slots = framed(&body, &all, &feeds, &outputs, |to, from| copy(&ISA, "mov", to, from));
        let text = |slot| {
            let mut text = String::new();
            ISA.print_slot(slot, &mut text);
            text
        };
        slots.iter().map(text).collect()
    };
    // Feeds come round again; the last temporary leaves by the first output.
    assert_eq!(
        shown(&["add r1 r2 r3", "add r4 r1 r5"], &["in0", "in1", "c0"], &["out0", "out1"]),
        [
            "mov r2 in0",
            "mov r3 in1",
            "mov r1 c0",
            "mov r5 in0",
            "add r1 r2 r3",
            "add r4 r1 r5",
            "mov out0 r4",
            "mov out1 r1"
        ]
    );
    // An output that the body writes is not written over.
    assert_eq!(
        shown(&["mov out0 r2", "mov r1 r2"], &["in0"], &["out0", "out1"]),
        ["mov r2 in0", "mov out0 r2", "mov r1 r2", "mov out1 r1"]
    );
    // There may be fewer outputs than temporaries.
    assert_eq!(
        shown(&["mov r1 in1", "mov r2 in1"], &["in0"], &["out0"]),
        ["mov r1 in1", "mov r2 in1", "mov out0 r2"]
    );
    assert_eq!(program(&[]).slots.len(), 0);
    assert_eq!((reg("r0").file, reg("c0").file), (R, C));
}

#[test]
fn records_have_hexadecimal_words_and_letters_where_a_nan_is() {
    assert_eq!(vec4_json([0, 1, 0xff, 0xffff_ffff]), json!(["00000000", "00000001", "000000ff", "ffffffff"]));
    assert_eq!(words_json(&[0x1234]), json!(["00001234"]));
    let mut record = json!({ "name": "n" });
    add_results(&mut record, [("a".to_owned(), [0, 1, 2, 3])]);
    assert_eq!(
        record,
        json!({ "name": "n", "out": { "a": ["00000000", "00000001", "00000002", "00000003"] } })
    );
    // Any NaN is as good as another, and all else is exact, infinities too.
    add_results(&mut record, [("b".to_owned(), [0x7fc0_0000, 0x7f80_0000, 0xff80_0001, 0])]);
    assert_eq!(record["chk"], json!({ "b": "nene" }));
}

#[test]
fn several_runs_have_numbers() {
    let names = |count: usize| {
        let runs = vec![Stimulus::default(); count];
        run_records("mov", &runs, |name, _| name.into())
    };
    assert_eq!(names(1), [json!("mov")]);
    assert_eq!(names(2), [json!("mov, run 0"), json!("mov, run 1")]);
    assert_eq!(names(0), [json!(null); 0]);
}

#[test]
fn edges_come_in_both_signs() {
    assert_eq!(EDGES[..4], [0, 0x8000_0000, 1, 0x8000_0001]);
    assert_eq!(EDGES[42..], [0x7fff_ffff, 0xffff_ffff]);
    let magnitudes = EDGES.as_chunks::<2>().0;
    assert!(magnitudes.iter().all(|[plus, minus]| plus ^ minus == 0x8000_0000 && plus >> 31 == 0));
    assert!(magnitudes.windows(2).all(|pair| pair[0][0] < pair[1][0]), "from 0 up");
}
