//! A machine with a second language: other mnemonics, another case, other names of registers, another way to count.

use crate::Random;
use crate::two_halves::{C, ISA, O, R};
use gpuzoo_diag::{Diagnostic, File};
use gpuzoo_isa::{
    Case, Cursor, End, Form, Indexed, Inst, Item, Letters, Name, Numbering, Parser, Plain, Printer, Reg,
    Scalars, Syntax,
};

static SECOND: Syntax = Syntax {
    name: "second",
    case: Case::Any,
    line_comments: &["//"],
    commas: true,
    joins: true,
    end: End::Line,
    letters: Letters::Repeating,
    components: "xyzw",
    scalars: Scalars::Printed,
    plus_signs: true,
    loose_dots: true,
    full_masks: true,
    nothing: Some("_"),
    names: &[
        Name::source("acc", Reg { file: R, index: 0 }).printed(),
        Name::destination("position", Reg { file: O, index: 0 }),
    ],
    indexed: &[Indexed {
        file: C,
        prefix: "C",
        plain: true,
        numbers: true,
        names: &[],
        address: "a0.x",
        plus: " + ",
        offset: false,
        signed: true,
        brackets: false,
        sums: false,
    }],
    forms: &[
        Form {
            name: "neg",
            row: "MOV",
            since: "",
            implied: 0,
            complete: |operands| operands[1].negate ^= true,
        },
        Form { name: "loadaddress", row: "ARL", since: "", implied: 0, complete: |_| {} },
    ],
    ..Syntax::PLAIN
};

/// Constants are counted from -8.
const FROM_MINUS_8: Numbering = Numbering { file: C, name: "signed", offset: 8, least: -8, greatest: 15 };

fn read(text: &str, numbering: Option<Numbering>) -> (Vec<Item>, Vec<Diagnostic>) {
    let file = File::new("t", text);
    let mut parser = Parser::new(&ISA, Cursor::new(&file, &SECOND));
    parser.numbering = numbering;
    parser.run(&mut Plain);
    (parser.items, parser.cursor.problems)
}

fn print(inst: &Inst, numbering: Option<Numbering>) -> String {
    let mut text = String::new();
    Printer { isa: &ISA, syntax: &SECOND, numbering }.inst(inst, &mut text);
    text
}

fn only(text: &str, numbering: Option<Numbering>) -> Inst {
    let (items, problems) = read(text, numbering);
    let [Item::Inst(written)] = &items[..] else { panic!("{text}\n{problems:#?}") };
    assert!(problems.is_empty(), "{text}\n{problems:#?}");
    written.inst
}

#[test]
fn one_machine_has_two_languages() {
    let in_the_first = |text: &str| {
        let mut first = String::new();
        ISA.print_inst(&only(text, None), &mut first);
        first
    };
    for (second, first) in [
        ("mov r1.xy, v2", "MOV R1.xy, V2;"),
        ("MoV R1 .xy, +V2 .x", "MOV R1.xy, V2.x;"),
        ("mov position, c5.yz", "MOV oPos, C[5].yzzz;"),
        ("neg r1, acc", "MOV R1, -R0;"),
        ("neg r1, -acc", "MOV R1, R0;"),
        ("minus r1, c[a0.x + 3], r2", "SUB R1, C[A0+3], R2;"),
        ("mov r1, c[A0.X]", "MOV R1, C[A0+0];"),
        ("mov r1, c[7]", "MOV R1, C[7];"),
        ("loadaddress a0.x, v1.w", "ARL A0, V1.w;"),
        ("rcp r8, v3", "RCP R8, V3.x;"),
        ("rcp r8, v3.yz", "RCP R8, V3.y;"),
    ] {
        if first.starts_with("RCP") {
            // Any component may be named, or none: the first one is read.
            let swizzle = only(second, None).operands[1].swizzle.components();
            assert_eq!(swizzle[0], u8::from(second.contains('y')), "{second}");
            continue;
        }
        assert_eq!(in_the_first(second), first, "{second}");
    }
    for (text, printed) in [
        ("mov r1, v2", "mov r1.xyzw, v2"),
        ("mov r1.x, acc.xyyy", "mov r1.x, acc.xy"),
        ("minus r1, c[a0.x+0], c0", "minus r1.xyzw, c[a0.x], c0"),
        ("rcp r8, v3", "rcp r8, v3.x"),
        ("neg r1, v1", "mov r1.xyzw, -v1"),
        ("loadaddress a0.x, v1", "loadaddress a0.x, v1"),
    ] {
        assert_eq!(print(&only(text, None), None), printed, "{text}");
    }
}

#[test]
fn a_language_may_count_otherwise() {
    let numbering = Some(FROM_MINUS_8);
    let index = |text: &str| only(text, numbering).operands[1].reg.index;
    assert_eq!(
        [index("mov r1, c-8"), index("mov r1, c0"), index("mov r1, c15"), index("mov r1, c[-3]")],
        [0, 8, 23, 5]
    );
    assert_eq!(print(&only("mov r1, c-8.x", numbering), numbering), "mov r1.xyzw, c-8.x");
    assert_eq!(index("mov r1, c[a0.x - 8]"), 0);
    assert_eq!(print(&only("mov r1, c[a0.x - 7]", numbering), numbering), "mov r1.xyzw, c[a0.x - 7]");
    for text in ["mov r1, c16", "mov r1, c-9", "mov r1, c[a0.x + 16]"] {
        let (_, problems) = read(text, numbering);
        assert_eq!(problems.iter().map(|problem| problem.code.id).collect::<Vec<_>>(), ["A0104"], "{text}");
    }
}

#[test]
fn mistakes_are_reported_in_the_language() {
    let said = |text: &str| {
        let (_, problems) = read(text, None);
        let all: Vec<String> = problems.iter().map(|p| format!("{} {}", p.code.id, p.message)).collect();
        all.join("; ")
    };
    for (text, wanted) in [
        ("sub r1, r2, r3", "A0101 there is no instruction `sub`"),
        ("arl a0.x, v1", "A0101 there is no instruction `arl`"),
        ("mov a0.x, v1", "A0118 `a0` cannot be written here"),
        ("loadaddress a0, v1", "A0117 the address register has one component"),
        ("mov r1, v1 mov r2, v2", "A0120 expected the end of the line, found `mov`"),
        ("mov r1, position", "A0119 `position` cannot be read"),
        ("mov r1, v1.xq", "A0107 `.xq` is not a swizzle"),
        ("+ mov r1, v1", "A0120 there is no instruction before the `+`"),
        ("mov r1, v1 +", "A0120 expected an instruction, found the end of the text"),
    ] {
        assert_eq!(said(text), wanted, "{text}");
    }
}

#[test]
fn random_instructions_survive_in_the_second_language() {
    let mut random = Random::new();
    for op in ISA.ops() {
        for round in 0..4000 {
            let numbering = (round % 2 == 1).then_some(FROM_MINUS_8);
            let inst = ISA.random(op, &mut |end| random.below(end));
            let text = print(&inst, numbering);
            let again = only(&text, numbering);
            // A scalar's other components do not survive.
            assert_eq!(print(&again, numbering), text);
            if op.parts.iter().all(|part| !part.scalar) {
                assert_eq!(ISA.encode(&again), ISA.encode(&inst), "{text}");
            }
        }
    }
}
