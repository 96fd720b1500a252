//! A language whose registers are written with names and sums between brackets, and what the kit says about mistakes in it.

use crate::one_word::{self, C as CONSTANTS, CONSTANT, FIRST, K, UNARY, WHOLE, copy};
use crate::two_halves::{C, ISA, O, R};
use gpuzoo_diag::{Diagnostic, File};
use gpuzoo_isa::{
    Choice, Cursor, End, Half, Indexed, Inst, Isa, Item, Letters, Mask, Name, Op, Parser, Part, Plain,
    Printer, Reg, Syntax,
};

/// The number of the file of inputs.
const V: u8 = 1;

const SUMS: Indexed = Indexed {
    file: C,
    prefix: "C",
    plain: true,
    numbers: true,
    names: &[],
    address: "A0.x",
    plus: " + ",
    offset: false,
    signed: false,
    brackets: true,
    sums: true,
};

const INPUTS: Indexed = Indexed {
    file: V,
    prefix: "v",
    plain: false,
    names: &[("POS", 0), ("COL0", 3), ("COL1", 4), ("TEX0", 8)],
    address: "",
    sums: false,
    ..SUMS
};

static THIRD: Syntax = Syntax {
    commas: true,
    joins: true,
    end: End::LineOrSemicolon,
    letters: Letters::Repeating,
    components: "xyzw",
    mask_in_any_order: true,
    nothing: Some("_"),
    names: &[
        Name::source("acc", Reg { file: R, index: 0 }),
        Name::destination("fogged", Reg { file: O, index: 1 }),
        Name::source("fog", Reg { file: O, index: 1 }),
    ],
    indexed: &[SUMS, INPUTS],
    ..Syntax::PLAIN
};

fn parse(isa: &'static Isa, text: &str, syntax: &'static Syntax) -> (Vec<Item>, Vec<Diagnostic>) {
    let file = File::new("t", text);
    let mut parser = Parser::new(isa, Cursor::new(&file, syntax));
    parser.run(&mut Plain);
    (parser.items, parser.cursor.problems)
}

#[track_caller]
fn only(isa: &'static Isa, text: &str, syntax: &'static Syntax) -> Inst {
    let (items, problems) = parse(isa, text, syntax);
    let [Item::Inst(written)] = &items[..] else { panic!("{text}\n{problems:#?}") };
    assert!(problems.is_empty(), "{text}\n{problems:#?}");
    written.inst
}

/// The one problem of a text.
#[track_caller]
fn problem(text: &str, syntax: &'static Syntax) -> Diagnostic {
    let (_, mut problems) = parse(&ISA, text, syntax);
    assert_eq!(problems.len(), 1, "{text}\n{problems:#?}");
    problems.remove(0)
}

#[test]
fn a_sum_between_brackets_has_the_address_register_once_and_not_negated() {
    for (sum, index, relative) in [
        ("7", 7, false),
        ("2 + 3", 5, false),
        ("30 - 8", 22, false),
        ("-1 + 3", 2, false),
        ("2*3 + 4", 10, false),
        ("A0.x", 0, true),
        ("A0.x + 4*2 - 1", 7, true),
        ("4 + A0.x", 4, true),
        ("-1 + A0.x + 5", 4, true),
        ("9 - 2 + A0.x", 7, true),
    ] {
        let source = only(&ISA, &format!("MOV R1, C[{sum}]"), &THIRD).operands[1];
        assert_eq!((source.reg, source.relative), (Reg { file: C, index }, relative), "{sum}");
    }
    // What is not there, what is twice there, and what would be subtracted.
    for (sum, code) in [
        ("24", "A0104"),
        ("3 - 4", "A0104"),
        ("A0.x - 1", "A0104"),
        ("A0.x + 24", "A0104"),
        ("4 - A0.x", "A0120"),
        ("-A0.x + 4", "A0120"),
        ("A0.x - A0.x", "A0120"),
        ("A0.x + A0.x", "A0120"),
        ("A0.y + 1", "A0120"),
        ("A0 + 1", "A0120"),
    ] {
        assert_eq!(problem(&format!("MOV R1, C[{sum}]"), &THIRD).code.id, code, "{sum}");
    }
}

/// The language of two halves has one number and the address register, in either order.
#[test]
fn without_sums_the_address_register_comes_before_or_behind_the_number() {
    for (text, index, relative) in [
        ("C[5]", 5, false),
        ("C5", 5, false),
        ("C[A0+5]", 5, true),
        ("C[5+A0]", 5, true),
        ("C[0+A0]", 0, true),
    ] {
        let source = only(&ISA, &format!("MOV R1, {text}"), ISA.syntax).operands[1];
        assert_eq!((source.reg, source.relative), (Reg { file: C, index }, relative), "{text}");
    }
    for text in ["C[A0+5+A0]", "C[5+R0]", "C[5+6]", "C[A0]", "C[+5]", "C[-5]", "C[5-A0]", "C[5+A0+1]", "C[]"]
    {
        assert_eq!(problem(&format!("MOV R1, {text}"), ISA.syntax).code.id, "A0120", "{text}");
    }
}

#[test]
fn a_name_between_brackets_is_one_of_the_file() {
    let index = |name: &str| only(&ISA, &format!("MOV R1, v[{name}]"), &THIRD).operands[1].reg;
    assert_eq!(
        ["POS", "COL0", "COL1", "TEX0", "15"].map(index),
        [0, 3, 4, 8, 15].map(|index| Reg { file: V, index })
    );
    // A number that is not there is a register that does not exist; anything else names none.
    for (name, code, meant) in [
        ("TEX9", "A0103", None),
        ("COL2", "A0103", None),
        ("TEX", "A0106", Some("TEX0")),
        ("POSS", "A0106", Some("POS")),
        ("QUUX9", "A0106", None),
        ("quux", "A0106", None),
    ] {
        let found = problem(&format!("MOV R1, v[{name}]"), &THIRD);
        assert_eq!(found.message, format!("there is no input `{name}`"));
        assert_eq!(found.help[0], "inputs are `POS`, `COL0`, `COL1` and `TEX0`");
        let fix = found.fixes.first().map(|fix| fix.edits[0].text.as_str());
        assert_eq!((found.code.id, fix), (code, meant), "{name}");
    }
}

#[test]
fn an_output_that_is_read_is_called_by_its_own_name() {
    let found = problem("MOV R1, oFog", &THIRD);
    let [fix] = &found.fixes[..] else { panic!("{found:#?}") };
    assert_eq!((fix.edits[0].text.as_str(), fix.title.as_str()), ("fog", "it is read as `fog`"));
    // This one has no name as a source.
    let found = problem("MOV R1, oPos", &THIRD);
    assert_eq!((found.code.id, found.fixes.len()), ("A0119", 0));
}

#[test]
fn another_name_of_a_register_is_printed_where_the_language_says_so() {
    static PRINTED: Syntax = Syntax {
        commas: true,
        letters: Letters::Repeating,
        nothing: Some("_"),
        names: &[
            Name::source("acc", Reg { file: R, index: 0 }).printed(),
            Name::destination("fogged", Reg { file: O, index: 1 }).printed(),
        ],
        ..Syntax::PLAIN
    };
    let inst = only(&ISA, "MOV fogged, acc", &THIRD);
    let printed = |syntax| {
        let mut text = String::new();
        Printer { isa: &ISA, syntax, numbering: None }.inst(&inst, &mut text);
        text
    };
    assert_eq!([printed(&THIRD), printed(&PRINTED)], ["MOV oFog, R0;", "MOV fogged, acc"]);
    // It is for one direction: what is written is not `acc`.
    let inst = only(&ISA, "MOV R0, R0", &THIRD);
    let mut text = String::new();
    Printer { isa: &ISA, syntax: &PRINTED, numbering: None }.inst(&inst, &mut text);
    assert!(text.starts_with("MOV R0, acc"), "{text}");
}

#[test]
fn what_is_said_of_masks_is_what_the_language_has() {
    let help = |text: &str, syntax| problem(text, syntax).help[0].clone();
    assert_eq!(only(&ISA, "MOV R0.wx, R1", &THIRD).operands[0].mask.0, 0b1001);
    assert_eq!(help("MOV R0.xx, R1", &THIRD), "one to four of x, y, z, w, none twice, or `_` for none");
    assert_eq!(
        help("MOV R0.yx, R1", ISA.syntax),
        "one to four of x, y, z, w in this order, none twice, or `_` for none"
    );
    static NOTHING: Syntax =
        Syntax { commas: true, end: End::LineOrSemicolon, letters: Letters::Repeating, ..Syntax::PLAIN };
    assert_eq!(help("MOV R0.yx, R1", &NOTHING), "one to four of x, y, z, w in this order, none twice");
}

const CHANNEL: &[Part] = &[WHOLE, Part::read("channel", 1, &[Choice::reg(K, 0, &[FIRST])])];

/// Three rows of one mnemonic: of a register, of a constant, of a channel.
static ROWS: &[Op] = &[
    Op::new(1, "get", UNARY, copy),
    Op::new(2, "get", CONSTANT, copy),
    Op::new(3, "get", CHANNEL, copy),
    Op::new(4, "nop", &[], |_, _| ()),
];

static BRACKETS: Syntax = Syntax {
    indexed: &[
        Indexed { file: CONSTANTS, prefix: "c", plain: false, address: "", sums: false, ..SUMS },
        Indexed { file: K, prefix: "k", plain: false, address: "", sums: false, ..SUMS },
    ],
    ..Syntax::PLAIN
};

static SAME_NAMES: Isa = Isa {
    syntax: &BRACKETS,
    ..one_word::with(&[Half { ops: ROWS, opcode: one_word::OP, undefined: "nothing happens" }])
};

#[test]
fn the_file_before_the_bracket_decides_between_rows() {
    for (text, code, index) in [("get r0 r9", 1, 9), ("get r0 c[9]", 2, 9), ("get r0 k[2]", 3, 2)] {
        let inst = only(&SAME_NAMES, text, &BRACKETS);
        assert_eq!((inst.op.code, inst.operands[1].reg.index), (code, index), "{text}");
    }
}

#[test]
fn a_register_at_a_computed_number_has_a_text_where_its_own_file_can_be_computed() {
    let has_text = |syntax: &'static Syntax, relative: bool| {
        let isa = with_syntax(syntax);
        let mut inst = Inst::new(isa.op("MOV").unwrap());
        inst.operands[0].reg = Reg { file: R, index: 1 };
        inst.operands[1].reg = Reg { file: C, index: 3 };
        inst.operands[1].relative = relative;
        inst.operands[3].mask = Mask(0);
        isa.has_text(&inst)
    };
    const OF_INPUTS: Indexed = Indexed { file: V, prefix: "v", address: "A0", ..SUMS };
    static BOTH: Syntax = Syntax { indexed: &[SUMS, INPUTS], ..Syntax::PLAIN };
    static NEITHER: Syntax =
        Syntax { indexed: &[Indexed { address: "", ..SUMS }, OF_INPUTS], ..Syntax::PLAIN };
    static ANOTHER: Syntax = Syntax { indexed: &[OF_INPUTS], ..Syntax::PLAIN };
    static NONE: Syntax = Syntax::PLAIN;
    for (syntax, wanted) in [(&BOTH, true), (&NEITHER, false), (&ANOTHER, false), (&NONE, false)] {
        assert_eq!(has_text(syntax, true), wanted, "{:?}", syntax.indexed);
        // A number that is not computed always has one.
        assert!(has_text(syntax, false));
    }
}

/// The machine of two halves with another language.
fn with_syntax(syntax: &'static Syntax) -> &'static Isa {
    let Isa { halves, other_fields, files, slot_words, room, last, filler, address, .. } = ISA;
    Box::leak(Box::new(Isa { halves, other_fields, files, slot_words, room, last, filler, syntax, address }))
}

#[test]
fn two_places_are_written_where_instructions_are_joined() {
    static APART: Syntax = Syntax::PLAIN;
    static JOINED: Syntax = Syntax { joins: true, ..Syntax::PLAIN };
    for (syntax, joins) in [(&APART, false), (&JOINED, true)] {
        let isa = with_syntax(syntax);
        let has_text = |temporary: u8, output: u8| {
            let mut inst = Inst::new(isa.op("MOV").unwrap());
            inst.operands[0].reg = Reg { file: R, index: 1 };
            inst.operands[0].mask = Mask(temporary);
            inst.operands[1].reg = Reg { file: V, index: 2 };
            inst.operands[3].reg = Reg { file: O, index: 0 };
            inst.operands[3].mask = Mask(output);
            isa.has_text(&inst)
        };
        assert_eq!(has_text(15, 15), joins);
        assert!(has_text(15, 0) && has_text(1, 0));
    }
}
