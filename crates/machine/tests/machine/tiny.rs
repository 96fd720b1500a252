//! A small machine: registers, inputs, constants at computed numbers, and two instructions in a slot.

use gpuzoo_diag::File;
use gpuzoo_ir::{Inst as Ir, Op1, Op2, Value, Vec4, vec4};
use gpuzoo_isa::{
    Bits, Choice, Field, FileKind, Half, Indexed, Inst, Isa, Item, Lower, Op, Part, Plain, Profile, Program,
    RegFile, Room, Slot, Syntax, parse,
};
use gpuzoo_machine::session::{Dataflow, ShaderSession};

pub const R: u8 = 0;
pub const INPUT: u8 = 1;
pub const C: u8 = 2;
pub const OUT: u8 = 3;
const A: u8 = 4;
/// What is not there.
pub const NOWHERE: u8 = 5;

const FILES: &[RegFile] = &[
    RegFile::new("register", "r", 8, FileKind::Temporary([0; 4])),
    RegFile::new("input", "in", 4, FileKind::Input),
    RegFile::new("constant", "c", 8, FileKind::Constant),
    RegFile::new("output", "out", 2, FileKind::Output([0; 4])),
    RegFile::new("address", "a", 1, FileKind::Temporary([0; 4])),
    RegFile::new("nothing", "x", 1, FileKind::Temporary([0; 4])).internal(),
];

const OP: Field = Field::new("op", 0, 4, "opcode");
const SIDE: Field = Field::new("side", 4, 1, "opcode of the side half");
const DST: Field = Field::new("dst", 5, 3, "what is written");
const TO: Field = Field::new("to", 8, 1, "where: 0 a register, 1 an output");
const MASK: Field = Field::new("mask", 9, 4, "components to write; bit 0 is x");
const FIRST: Field = Field::new("a", 13, 3, "first source");
const KIND: Field = Field::new("kind", 16, 2, "what a is");
const SECOND: Field = Field::new("b", 18, 3, "second source");
const RELATIVE: Field = Field::new("relative", 21, 1, "the address register is added");
const SIDE_DST: Field = Field::new("side_dst", 22, 3, "what the side half writes");
const SIDE_SRC: Field = Field::new("side_src", 25, 3, "what the side half reads");

const TO_DST: Part =
    Part::write("dst", 0, &[Choice::reg(R, 0, &[DST]).at(0), Choice::reg(OUT, 0, &[DST]).at(1)])
        .select(TO)
        .mask(MASK);
const SOURCE: Part = Part::read(
    "a",
    1,
    &[
        Choice::reg(R, 0, &[FIRST]).at(0),
        Choice::reg(INPUT, 0, &[FIRST]).at(1),
        Choice::reg(C, 0, &[FIRST]).at(2),
        Choice::nowhere(NOWHERE, &[]),
    ],
)
.select(KIND)
.relative(RELATIVE, C);
const ONE: &[Part] = &[TO_DST, SOURCE];
const TWO: &[Part] = &[TO_DST, SOURCE, Part::read("b", 2, &[Choice::reg(R, 0, &[SECOND])])];
const ADDRESS: &[Part] = &[Part::write("dst", 0, &[Choice::reg(A, 0, &[])]), SOURCE];
const ALONE: &[Part] = &[SOURCE];
const FOUR: &[Part] = &[TO_DST, Part::read("a", 1, &[Choice::reg(R, 0, &[FIRST])]).consecutive(4)];
const SIDE_PARTS: &[Part] = &[
    Part::write("dst", 0, &[Choice::reg(R, 0, &[SIDE_DST])]),
    Part::read("a", 1, &[Choice::reg(R, 0, &[SIDE_SRC])]),
];

#[rustfmt::skip]
const OPS: &[Op] = &[
    Op::new(1, "mov",  ONE,     |l, inst| one(l, inst, |_, a| a)),
    Op::new(2, "add",  TWO,     |l, inst| two(l, inst, Op2::FAdd)),
    Op::new(3, "sub",  TWO,     |l, inst| two(l, inst, Op2::FSub)),
    Op::new(4, "iadd", TWO,     |l, inst| two(l, inst, Op2::IAdd)),
    Op::new(5, "rcp",  ONE,     |l, inst| one(l, inst, reciprocal)),
    Op::new(6, "nrcp", ONE,     |l, inst| one(l, inst, |l, a| { let a = reciprocal(l, a); l.b.map1(Op1::FNeg, a) })),
    Op::new(7, "kil",  ALONE,   kill),
    Op::new(8, "tex",  ONE,     |l, inst| one(l, inst, |l, a| l.b.push(Ir::Sample(2, a)))),
    Op::new(9, "mova", ADDRESS, |l, inst| one(l, inst, |_, a| a)),
    Op::new(10, "mat", FOUR,    |l, inst| one(l, inst, |_, a| a)),
];

const SIDE_OPS: &[Op] = &[Op::new(1, "mvs", SIDE_PARTS, |l, inst| one(l, inst, |_, a| a)).half(1)];

static SYNTAX: Syntax = Syntax {
    components: "xyzw",
    indexed: &[Indexed {
        file: C,
        prefix: "c",
        plain: true,
        numbers: true,
        names: &[],
        address: "a0",
        plus: "+",
        offset: true,
        signed: false,
        brackets: false,
        sums: false,
    }],
    ..Syntax::PLAIN
};

pub static ISA: Isa = Isa {
    halves: &[
        Half { ops: OPS, opcode: OP, undefined: "nothing happens" },
        Half { ops: SIDE_OPS, opcode: SIDE, undefined: "nothing happens" },
    ],
    other_fields: &[],
    files: FILES,
    slot_words: 1,
    room: Room::Slots(64),
    last: None,
    filler: Bits::word(0),
    syntax: &SYNTAX,
    address: Some(gpuzoo_isa::Reg { file: A, index: 0 }),
};

fn one(l: &mut Lower, inst: &Inst, of: impl Fn(&mut Lower, Value) -> Value) {
    let a = l.read(&inst.operands[1]);
    let value = of(l, a);
    l.write(&inst.operands[0], value);
}

fn two(l: &mut Lower, inst: &Inst, op: Op2) {
    let [a, b] = [l.read(&inst.operands[1]), l.read(&inst.operands[2])];
    let value = l.b.map2(op, a, b);
    l.write(&inst.operands[0], value);
}

fn reciprocal(l: &mut Lower, a: Value) -> Value {
    let one = l.b.floats([1.0; 4]);
    l.b.map2(Op2::FDiv, one, a)
}

fn kill(l: &mut Lower, inst: &Inst) {
    let a = l.read(&inst.operands[1]);
    l.b.push(Ir::Kill(a));
}

/// The slots of texts, of which each is one; two instructions of a slot have a `+` between them.
pub fn program(slots: &[&str]) -> Program {
    let slots = slots.iter().map(|text| {
        let insts: Vec<Inst> = text.split('+').map(inst).collect();
        ISA.slot(ISA.encode_all(insts.iter()), Default::default())
    });
    Program { slots: slots.collect(), ..Program::default() }
}

/// The one instruction of a text. In it a sum of the address register and a number has a blank: `c[a0 3]`.
fn inst(text: &str) -> Inst {
    let text = text.replace("[a0 ", "[a0+");
    let parsed = parse(&ISA, ISA.syntax, &File::new("t", &text), &mut Plain);
    let [Item::Inst(written)] = &parsed.items[..] else { panic!("{text}\n{:#?}", parsed.diagnostics) };
    assert!(parsed.diagnostics.is_empty(), "{text}\n{:#?}", parsed.diagnostics);
    written.inst
}

pub fn slots(texts: &[&str]) -> Vec<Slot> {
    program(texts).slots
}

/// A run of a program with these inputs and constants 0 to 7, of which constant n is (n, n, n, n).
pub fn session(program: &Program, inputs: &[Vec4]) -> ShaderSession {
    let inputs = inputs.to_vec();
    let constants: Vec<Vec4> = (0..8).map(|n| vec4([n as f32; 4])).collect();
    ShaderSession::new(&ISA, program, move |program| {
        Dataflow::run(ISA.lower(program, Profile::default(), &[]), &inputs, &constants)
    })
}
