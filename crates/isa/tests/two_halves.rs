//! A machine of two words a slot, which hold an instruction for each of two halves; its text has commas and lines.

use crate::numbers::BYTE;
use gpuzoo_ir::Op2;
use gpuzoo_isa::{
    Bits, Choice, End, Field, FileKind, Half, Indexed, Inst, Isa, Letters, Lower, Op, Part, Reg, RegFile,
    Room, Swizzle, SwizzleCode, Syntax,
};

pub const R: u8 = 0;
const V: u8 = 1;
pub const C: u8 = 2;
pub const O: u8 = 3;
const X: u8 = 4;
const A: u8 = 5;

const FILES: &[RegFile] = &[
    RegFile::new("temporary", "R", 12, FileKind::Temporary([0; 4])),
    RegFile::new("input", "V", 16, FileKind::Input),
    RegFile::new("constant", "C", 24, FileKind::Constant),
    RegFile::new("output", "O", 2, FileKind::Output([0; 4])).named(&["oPos", "oFog"]),
    RegFile::new("unmapped address", "X", 32, FileKind::Constant),
    RegFile::new("address", "A", 1, FileKind::Temporary([0; 4])),
];

const MAIN: Field = Field::new("main", 0, 4, "operation of the main half");
const SIDE: Field = Field::new("side", 4, 4, "operation of the side half");
const PORT: Field = Field::new("port", 8, 5, "the input or constant of all sources");
const A_KIND: Field =
    Field::new("a_kind", 13, 2, "what a is: 0 a number, 1 a temporary, 2 an input, 3 a constant");
const A_REG: Field = Field::new("a_reg", 15, 5, "temporary that a reads");
const A_ORDER: Field = Field::new("a_order", 20, 8, "components of a, x in the highest bits");
const A_NEGATE: Field = Field::new("a_neg", 28, 1, "a is negated");
const A_ABS: Field = Field::new("a_abs", 29, 1, "a is made positive");
const RELATIVE: Field = Field::new("relative", 30, 1, "A0 is added to the port");
/// Over the bits of what a register has.
const A_NUMBER: Field = Field::new("a_number", 15, 8, "a, as a number");
const B_KIND: Field = Field::new("b_kind", 32, 2, "what b is: 1 a temporary, 2 an input, 3 a constant");
const B_REG: Field = Field::new("b_reg", 34, 5, "temporary that b reads");
const B_ORDER: Field = Field::new("b_order", 39, 2, "order of b's components");
const TEMP: Field = Field::new("temp", 41, 4, "temporary that is written");
const TEMP_MASK: Field = Field::new("temp_mask", 45, 4, "components of the temporary; bit 3 is x");
const OUT: Field = Field::new("out", 49, 1, "output that is written");
const OUT_MASK: Field = Field::new("out_mask", 50, 4, "components of the output; bit 0 is x");
const OUT_FROM: Field = Field::new("out_from", 54, 1, "the half that writes the output");
const SIDE_MASK: Field = Field::new("side_mask", 55, 4, "components of the temporary; bit 3 is x");
const SIDE_TEMP: Field = Field::new("side_temp", 55, 6, "address that the side half writes");
const SIDE_KIND: Field = Field::new("side_kind", 61, 1, "the side half writes 1 a temporary");
/// The last slot.
pub const LAST: Field = Field::new("last", 63, 1, "the program ends here");

const ORDERS: &[Swizzle] =
    &[Swizzle::IDENTITY, Swizzle::of([1, 2, 0, 3]), Swizzle::broadcast(0), Swizzle::broadcast(3)];

const A_CHOICES: &[Choice] = &[
    Choice::reg(R, 0, &[A_REG]).at(1),
    Choice::reg(V, 0, &[PORT]).at(2),
    Choice::reg(C, 0, &[PORT]).at(3),
    Choice::values(&BYTE, &[A_NUMBER]).at(0),
    Choice::nowhere(X, &[]),
];
const SOURCE_A: Part = Part::read("a", 1, A_CHOICES)
    .select(A_KIND)
    .swizzle(A_ORDER, SwizzleCode::XHigh)
    .negate(A_NEGATE)
    .abs(A_ABS)
    .relative(RELATIVE, C);
const SOURCE_B: Part = Part::read(
    "b",
    2,
    &[
        Choice::reg(R, 0, &[B_REG]).at(1),
        Choice::reg(V, 0, &[PORT]).at(2),
        Choice::reg(C, 0, &[PORT]).at(3),
        Choice::reg(X, 0, &[B_REG]).at(0).illegal("which is unmapped"),
        Choice::nowhere(X, &[]),
    ],
)
.select(B_KIND)
.swizzle(B_ORDER, SwizzleCode::Listed(ORDERS));
const TO_TEMP: Part = Part::write("dst", 0, &[Choice::reg(R, 0, &[TEMP]), Choice::nowhere(X, &[])])
    .mask_x_high(TEMP_MASK)
    .optional();
const TO_OUTPUT: Part = Part::write("dst", 3, &[Choice::reg(O, 0, &[OUT])]).mask(OUT_MASK).instead();
const MAIN_OUTPUT: Part = TO_OUTPUT.present(&[(OUT_FROM, 0)]);
const SIDE_OUTPUT: Part = TO_OUTPUT.present(&[(OUT_FROM, 1)]);
/// Registers from a number on, one that can be said and not written, and none at all.
const SIDE_TARGET: Part = Part::write(
    "dst",
    0,
    &[
        Choice::reg(R, 8, &[SIDE_TEMP]).at(1),
        Choice::reg(C, 32, &[SIDE_TEMP]).at(1).unwritable().illegal("which is read only"),
        Choice::nowhere(X, &[SIDE_TEMP]).at(1),
        Choice::nothing(&[SIDE_TEMP]),
    ],
)
.select(SIDE_KIND);

pub const MOVE: &[Part] = &[TO_TEMP.mask_x_high(TEMP_MASK), MAIN_OUTPUT, SOURCE_A];
const BINARY: &[Part] = &[TO_TEMP.mask_x_high(TEMP_MASK), MAIN_OUTPUT, SOURCE_A, SOURCE_B];
pub const ADDRESS: &[Part] = &[Part::write("dst", 0, &[Choice::reg(A, 0, &[])]), SOURCE_A];
const SCALAR: &[Part] = &[SIDE_TARGET, SOURCE_A.scalar("s")];
const FORWARD: &[Part] = &[
    TO_TEMP.mask_x_high(SIDE_MASK).adjust(beside_the_main_half),
    SIDE_OUTPUT,
    Part { operand: 1, ..SOURCE_B },
];

/// Beside an instruction of the main half, the side half writes R1.
fn beside_the_main_half(bits: &Bits, operand: &mut gpuzoo_isa::Operand) {
    if MAIN.get(bits) != 0 {
        operand.reg = Reg { file: R, index: 1 };
    }
}

#[rustfmt::skip]
const MAIN_OPS: &[Op] = &[
    Op::new(1, "MOV", MOVE,    copy).doc("dst = a"),
    Op::new(2, "SUB", BINARY,  copy).spelled(&[("second", "minus")]).doc("dst = a - b"),
    Op::new(4, "ARL", ADDRESS, copy).spelled(&[("second", "")]).doc("A0 = a"),
    Op::new(5, "NOP", &[],     |_, _| ()).doc("does nothing"),
];

#[rustfmt::skip]
const SIDE_OPS: &[Op] = &[
    Op::new(1, "FWD", FORWARD, copy).half(1).doc("dst = b"),
    Op::new(2, "RCP", SCALAR,  reciprocal).half(1).doc("dst = 1 / s"),
];

const SUMS: Indexed = Indexed {
    file: C,
    prefix: "C",
    plain: true,
    numbers: true,
    names: &[],
    address: "A0",
    plus: "+",
    offset: true,
    signed: false,
    brackets: true,
    sums: false,
};

static SYNTAX: Syntax = Syntax {
    indexed: &[SUMS],
    line_comments: &["#"],
    commas: true,
    joins: true,
    end: End::LineOrSemicolon,
    letters: Letters::OneOrFour,
    components: "xyzw",
    nothing: Some("_"),
    prefixes: &[(R, "T")],
    word_bits: 64,
    elsewhere: |word| (word == "DIV").then(|| "`RCP` and a multiplication do it".to_owned()),
    ..Syntax::PLAIN
};

/// The machine.
pub static ISA: Isa = Isa {
    halves: &[
        Half { ops: MAIN_OPS, opcode: MAIN, undefined: "nothing is done" },
        Half { ops: SIDE_OPS, opcode: SIDE, undefined: "nothing is done" },
    ],
    other_fields: &[],
    files: FILES,
    slot_words: 2,
    room: Room::Slots(16),
    last: Some(LAST),
    filler: FILLER,
    syntax: &SYNTAX,
    address: Some(Reg { file: A, index: 0 }),
};

const FILLER: Bits = {
    let mut bits = Bits::word(0);
    A_ORDER.set(&mut bits, 0b00_01_10_11);
    TEMP.set(&mut bits, 7);
    bits
};

fn copy(l: &mut Lower, inst: &Inst) {
    let value = l.read(&inst.operands[1]);
    for (_, operand) in inst.writes() {
        l.write(operand, value);
    }
}

fn reciprocal(l: &mut Lower, inst: &Inst) {
    let value = l.read(&inst.operands[1]);
    let one = l.b.constant([0x3f80_0000; 4]);
    let value = l.b.map2(Op2::FDiv, one, value);
    l.write(&inst.operands[0], value);
}
