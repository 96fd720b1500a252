//! A machine of one word a slot, whose text is words between blanks.

use crate::numbers::{BYTE, FLOATS, INTEGERS, counted};
use gpuzoo_ir::Op2;
use gpuzoo_isa::{
    Bits, Choice, Field, FileKind, Form, Half, Indexed, Inst, Isa, Lower, NO_NAME, Op, Operand, Part,
    RegFile, Room, Swizzle, SwizzleCode, Syntax, Values,
};

pub const R: u8 = 0;
const INPUT: u8 = 1;
pub const C: u8 = 2;
const OUT: u8 = 3;
pub const K: u8 = 4;
const A: u8 = 5;

const FILES: &[RegFile] = &[
    RegFile::new("register", "r", 16, FileKind::Temporary([0; 4])),
    RegFile::new("input", "in", 8, FileKind::Input),
    RegFile::new("constant", "c", 40, FileKind::Constant),
    RegFile::new("output", "out", 3, FileKind::Output([0; 4])).named(&["pos", NO_NAME, "fog"]),
    RegFile::new("channel", "k", 3, FileKind::Constant),
    RegFile::new("address", "a", 1, FileKind::Temporary([0; 4])),
];

pub const OP: Field = Field::new("op", 0, 6, "opcode");
const DST: Field = Field::new("dst", 6, 4, "what is written");
pub const FIRST: Field = Field::new("a", 10, 4, "first source");
const SECOND: Field = Field::new("b", 14, 4, "second source");
const MASK: Field = Field::new("mask", 18, 4, "components to write; bit 3 is x");
const LOW_MASK: Field = Field::new("low_mask", 22, 4, "components to write; bit 0 is x");
const ORDER: Field = Field::new("order", 14, 8, "order of the components");
const LISTED: Field = Field::new("listed", 14, 2, "one of three orders");
const COUNT: Field = Field::new("count", 14, 2, "values behind the word, less 1");
const NUMBER: Field = Field::new("number", 10, 8, "a value");
const HIGH: Field = Field::new("high", 10, 2, "upper bits of a constant's number");
const LOW: Field = Field::new("low", 14, 4, "lower bits of a constant's number");
const NEGATE: Field = Field::new("negate", 22, 1, "the sign of a is flipped");
const ABS: Field = Field::new("abs", 23, 1, "the sign of a is cleared");
const RELATIVE: Field = Field::new("relative", 24, 1, "the address register is added");
const KIND: Field = Field::new("kind", 25, 2, "what a is: 0 a register, 1 an input, 2 a channel");
/// Bits of no operand.
const SPARE: Field = Field::new("spare", 27, 3, "for the owner");
const VALUES: &[Field] = &[
    Field::new("value0", 32, 32, "first value"),
    Field::new("value1", 64, 32, "second value"),
    Field::new("value2", 96, 32, "third value"),
    Field::new("value3", 128, 32, "fourth value"),
];

const DST_REG: &[Choice] = &[Choice::wrapping(R, &[DST])];
pub const WHOLE: Part = Part::write("dst", 0, DST_REG);
const MASKED: Part = WHOLE.mask_x_high(MASK);
pub const SRC_A: Part = Part::read("a", 1, &[Choice::reg(R, 0, &[FIRST])]);
const SRC_B: Part = Part::read("b", 2, &[Choice::reg(R, 0, &[SECOND])]);
static F: Values = counted(FLOATS, COUNT);
static I: Values = counted(INTEGERS, COUNT);
const ORDERS: &[Swizzle] = &[Swizzle::IDENTITY, Swizzle::of([3, 2, 1, 0]), Swizzle::broadcast(2)];

const NONE: &[Part] = &[];
pub const UNARY: &[Part] = &[MASKED, SRC_A];
const BINARY: &[Part] = &[MASKED, SRC_A, SRC_B];
/// Signs, and one of several files.
const SIGNED: &[Part] = &[
    WHOLE,
    Part::read(
        "a",
        1,
        &[
            Choice::reg(R, 0, &[FIRST]).at(0),
            Choice::reg(INPUT, 4, &[FIRST]).at(1),
            Choice::coded(K, &[9, 3, 12], &[FIRST]).at(2),
            Choice::nowhere(C, &[]),
        ],
    )
    .select(KIND)
    .negate(NEGATE)
    .abs(ABS),
];
const LOAD: &[Part] = &[WHOLE, Part::read("slot", 1, &[Choice::bare(INPUT, &[FIRST])])];
/// A number in two fields, and a computed one.
pub const CONSTANT: &[Part] =
    &[WHOLE, Part::read("constant", 1, &[Choice::reg(C, 0, &[HIGH, LOW])]).relative(RELATIVE, C)];
/// Registers by names, one of which does not exist.
const STORE: &[Part] =
    &[Part::write("output", 0, &[Choice::reg(OUT, 0, &[DST]), Choice::nowhere(R, &[])]), SRC_A];
/// Swizzle and mask are words of their own.
const SHUFFLE: &[Part] = &[
    WHOLE,
    SRC_A,
    Part::modify("swizzle", 1).swizzle(ORDER, SwizzleCode::XLow),
    Part::modify("mask", 0).mask(LOW_MASK),
];
const ORDERED: &[Part] =
    &[WHOLE, SRC_A, Part::modify("order", 1).swizzle(LISTED, SwizzleCode::Listed(ORDERS))];
const ATTACHED: &[Part] = &[WHOLE, SRC_A.swizzle(ORDER, SwizzleCode::XLow)];
const MATRIX: &[Part] = &[Part::update("dst", 0, DST_REG), SRC_A.consecutive(4)];
static WITH_FLOATS: &[Part] =
    &[WHOLE.mask_x_high(MASK), SRC_A, Part::read("values", 2, &[Choice::values(&F, VALUES)])];
static FLOATS_ALONE: &[Part] = &[WHOLE, Part::read("values", 1, &[Choice::values(&F, VALUES)])];
static INTEGERS_ALONE: &[Part] = &[WHOLE, Part::read("values", 1, &[Choice::values(&I, VALUES)])];
static BYTES: &[Part] = &[WHOLE, Part::read("byte", 1, &[Choice::values(&BYTE, &[NUMBER])])];
/// A register or a byte, without a sign.
const EITHER: &[Part] = &[
    WHOLE,
    Part::read("a", 1, &[Choice::bare(INPUT, &[FIRST]).at(1), Choice::reg(R, 0, &[FIRST]).at(0)])
        .select(KIND),
];
const ADDRESS: &[Part] = &[Part::write("dst", 0, &[Choice::reg(A, 0, &[])]), SRC_A];
/// What only the assembler writes, into a register whose lowest bit the machine ignores.
const SETUP: &[Part] = &[WHOLE.adjust(|_, operand| operand.reg.index &= !1)];

#[rustfmt::skip]
static OPS: &[Op] = &[
    Op::new( 0, "nop",    NONE,           |_, _| ())   .doc("does nothing"),
    Op::new( 1, "mov",    UNARY,          copy)        .doc("dst = a"),
    Op::new( 2, "add",    BINARY,         add)         .doc("dst = a + b"),
    Op::new( 3, "add",    WITH_FLOATS,    values)      .doc("dst = values"),
    Op::new( 4, "sgn",    SIGNED,         copy)        .doc("dst = a, with signs"),
    Op::new( 5, "ld",     LOAD,           copy)        .doc("dst = input[slot]"),
    Op::new( 6, "ldc",    CONSTANT,       copy)        .doc("dst = constant"),
    Op::new( 7, "st",     STORE,          copy)        .doc("output = a"),
    Op::new( 8, "shf",    SHUFFLE,        copy)        .doc("dst = a.swizzle"),
    Op::new( 9, "ord",    ORDERED,        copy)        .doc("dst = a.order"),
    Op::new(10, "swz",    ATTACHED,       copy)        .doc("dst = a.swizzle"),
    Op::new(11, "mat",    MATRIX,         copy)        .doc("dst = matrix * dst"),
    Op::new(12, "iinit",  INTEGERS_ALONE, values)      .when(is_small).doc("dst = integers"),
    Op::new(12, "finit",  FLOATS_ALONE,   values)      .doc("dst = floats"),
    Op::new(13, "byte",   BYTES,          values)      .doc("dst = byte"),
    Op::new(14, "get",    EITHER,         copy)        .doc("dst = a"),
    Op::new(15, "mova",   ADDRESS,        copy)        .doc("a0 = a"),
    Op::new(16, "setup",  SETUP,          |_, _| ())   .internal().doc("prepares dst"),
    Op::new(20, "end",    NONE,           |l, _| l.end()).doc("ends the program"),
];

/// `add dst b` is `add dst dst b`.
const FORMS: &[Form] = &[Form {
    name: "add",
    row: "add",
    since: "",
    implied: 1,
    complete: |operands| {
        operands[2] = operands[1];
        operands[1] = Operand { reg: operands[0].reg, ..Operand::default() };
    },
}];

/// Constants relative to the address register.
const SUMS: Indexed = Indexed {
    file: C,
    prefix: "c",
    plain: true,
    numbers: true,
    names: &[],
    address: "a0",
    plus: " + ",
    offset: false,
    signed: false,
    brackets: false,
    sums: false,
};

pub static SYNTAX: Syntax = Syntax { block_comments: true, forms: FORMS, indexed: &[SUMS], ..Syntax::PLAIN };

/// The machine.
pub static ISA: Isa = with(&[Half { ops: OPS, opcode: OP, undefined: "nothing happens" }]);

/// The machine with the rows of a half.
pub const fn with(halves: &'static [Half]) -> Isa {
    Isa {
        halves,
        other_fields: &[SPARE],
        files: FILES,
        slot_words: 1,
        room: Room::Words(100),
        last: None,
        filler: Bits::word(0),
        syntax: &SYNTAX,
        address: Some(gpuzoo_isa::Reg { file: A, index: 0 }),
    }
}

pub fn copy(l: &mut Lower, inst: &Inst) {
    let [dst, src, ..] = &inst.operands;
    let value = l.read(src);
    l.write(dst, value);
}

fn add(l: &mut Lower, inst: &Inst) {
    let [dst, a, b, ..] = &inst.operands;
    let (a, b) = (l.read(a), l.read(b));
    let sum = l.b.map2(Op2::FAdd, a, b);
    l.write(dst, sum);
}

/// All values are the last one's.
fn values(l: &mut Lower, inst: &Inst) {
    let last = inst.operands.iter().filter_map(|operand| operand.immediates.values().last()).next();
    let value = l.b.constant([last.copied().unwrap_or(0); 4]);
    l.write(&inst.operands[0], value);
}

fn is_small(inst: &Inst) -> bool {
    let is_float = |value: u32| value.wrapping_add(1000) > 2000 && f32::from_bits(value).is_finite();
    !inst.operands[1].immediates.values().iter().all(|value| is_float(*value))
}
