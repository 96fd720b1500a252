//! The 128 bits of a slot, read in both directions (spec section 2), and the limits.
//!
//! Words lie in memory in the order w0, w1, w2, w3; w0 is not used. Within a word, bits count from the lowest.

use crate::vertex::regs::{self, NOWHERE, O, R, R1, V, X};
use gpuzoo_isa::{Bits, Choice, Field, Inst, Op, Operand, Part, Slot, SwizzleCode};

/// The opcode of `arl`.
pub const ARL: u16 = 13;

/// Program memory, in slots.
pub const MAX_SLOTS: usize = 136;

const fn field(name: &'static str, word: u8, shift: u8, width: u8, doc: &'static str) -> Field {
    Field::new(name, word * 32 + shift, width, doc)
}

/// The operation of the ILU half.
pub const ILU_OP: Field = field("ilu", 1, 25, 3, "ILU operation; 0 none");
/// The operation of the MAC half.
pub const MAC_OP: Field = field("mac", 1, 21, 4, "MAC operation; 0 none");
const CONST: Field = field("const", 1, 13, 8, "constant that sources with mux C read, 0 to 191");
const INPUT: Field = field("v", 1, 9, 4, "input that sources with mux V read");
const OUT_TEMP: Field = field("out_r", 3, 20, 4, "temporary that is written");
const MAC_MASK: Field =
    field("mac_mask", 3, 24, 4, "components of the temporary that the MAC writes; bit 3 is x");
const ILU_MASK: Field =
    field("ilu_mask", 3, 16, 4, "components of the temporary that the ILU writes; bit 3 is x");
const OUT_MASK: Field = field("out_mask", 3, 12, 4, "components that the output port writes; bit 3 is x");
const OUT_IS_OUTPUT: Field = field("orb", 3, 11, 1, "the port writes 0 a constant, 1 an output");
const OUT_ADDRESS: Field = field("out_address", 3, 3, 8, "output or constant that the port writes");
const OUT_MUX: Field = field("out_mux", 3, 2, 1, "the port takes the result of 0 the MAC, 1 the ILU");
const RELATIVE: Field = field("a0x", 3, 1, 1, "A0.x is added to every constant's number");
/// The last slot of a program.
pub const FINAL: Field = field("final", 3, 0, 1, "the program ends after this slot");

/// A source: its name, its letter, its operand, the word and the lowest bit of each of its fields, and the fields of its
/// temporary, which may be two.
macro_rules! source {
    (
        $name:literal, $letter:literal, $operand:expr,
        negate $negate:literal $at_negate:literal, swizzle $swizzle:literal $at_swizzle:literal,
        mux $mux:literal $at_mux:literal, $temporary:expr
    ) => {{
        const TEMPORARY: &[Field] = $temporary;
        const CHOICES: &[Choice] = &[
            Choice::reg(R, 0, TEMPORARY).at(1),
            // The number behind the last temporary's reads oPos.
            Choice::coded(O, &[12], TEMPORARY).at(1),
            Choice::reg(V, 0, &[INPUT]).at(2),
            Choice::reg(regs::C, 0, &[CONST]).at(3),
            Choice::nowhere(X, &[]),
        ];
        const MUX: &str =
            concat!($letter, " reads 1 a temporary, 2 the input, 3 the constant; 0 is undefined");
        const SWIZZLE: &str = concat!("components of ", $letter, "; x in the two highest bits");
        const NEGATE: &str = concat!($letter, " is negated");
        Part::read($name, $operand, CHOICES)
            .select(field(concat!($name, "_mux"), $mux, $at_mux, 2, MUX))
            .swizzle(field(concat!($name, "_swz"), $swizzle, $at_swizzle, 8, SWIZZLE), SwizzleCode::XHigh)
            .negate(field(concat!($name, "_neg"), $negate, $at_negate, 1, NEGATE))
            .relative(RELATIVE, regs::C)
    }};
}

const PART_A: Part = source!("a", "A", 2, negate 1 8, swizzle 1 0, mux 2 26, &[
    field("a_r", 2, 28, 4, "temporary that A reads with mux 1; 12 is oPos")
]);
const PART_B: Part = source!("b", "B", 3, negate 2 25, swizzle 2 17, mux 2 11, &[
    field("b_r", 2, 13, 4, "temporary that B reads with mux 1; 12 is oPos")
]);
const PART_C: Part = source!("c", "C", 2, negate 2 10, swizzle 2 2, mux 3 28, &[
    field("c_r_high", 2, 0, 2, "upper bits of the temporary that C reads with mux 1"),
    field("c_r_low", 3, 30, 2, "lower bits of the temporary that C reads with mux 1; 12 is oPos"),
]);

const fn part_c(operand: u8) -> Part {
    Part { operand, ..PART_C }
}

/// The operand that holds the temporary that is written.
pub const TEMP: usize = 0;
/// The operand that holds what the output port writes.
pub const PORT: usize = 1;
/// The first operand that is a source.
pub const FIRST_SOURCE: usize = 2;

const TEMPS: &[Choice] = &[Choice::reg(R, 0, &[OUT_TEMP]), Choice::nowhere(X, &[])];
const PORTS: &[Choice] = &[
    Choice::reg(O, 0, &[OUT_ADDRESS]).at(1),
    Choice::reg(regs::C, 0, &[OUT_ADDRESS]).at(0),
    Choice::nowhere(X, &[]),
];

/// The temporary that a half writes.
const fn temp(mask: Field) -> Part {
    Part::write("dst", TEMP as u8, TEMPS).mask_x_high(mask).instead()
}

/// What the output port writes, if it takes the result of the half.
const fn port(half: &'static [(Field, u32)]) -> Part {
    let part = Part::write("dst", PORT as u8, PORTS).select(OUT_IS_OUTPUT).mask_x_high(OUT_MASK);
    part.present(half).optional()
}

const MAC_TEMP: Part = temp(MAC_MASK);
const MAC_PORT: Part = port(&[(OUT_MUX, 0)]);
const ILU_TEMP: Part = temp(ILU_MASK).adjust(beside_the_mac);
const ILU_PORT: Part = port(&[(OUT_MUX, 1)]);

/// Beside a MAC operation the ILU writes r1, whatever the slot says (Xbox screenshot, spec section 4).
fn beside_the_mac(bits: &Bits, operand: &mut Operand) {
    if MAC_OP.get(bits) != 0 {
        operand.reg = R1;
    }
}

/// `arl a0, a`: the address register has no bits of its own.
pub static ADDRESS: &[Part] =
    &[Part::write("dst", TEMP as u8, &[Choice::reg(regs::A, 0, &[])]), PART_A.scalar("a")];
/// `mov dst, a`
pub static A: &[Part] = &[MAC_PORT, MAC_TEMP, PART_A];
/// `mul dst, a, b`
pub static AB: &[Part] = &[MAC_PORT, MAC_TEMP, PART_A, PART_B];
/// `add dst, a, c`
pub static AC: &[Part] = &[MAC_PORT, MAC_TEMP, PART_A, part_c(3)];
/// `mad dst, a, b, c`
pub static ABC: &[Part] = &[MAC_PORT, MAC_TEMP, PART_A, PART_B, part_c(4)];
/// `lit dst, c`
pub static C: &[Part] = &[ILU_PORT, ILU_TEMP, part_c(2)];

/// `rcp dst, c`, which reads the first swizzled component.
pub static SCALAR: &[Part] = &[ILU_PORT, ILU_TEMP, part_c(2).scalar("c")];

/// What is in the fields that a slot does not use, as nv2a_vsh_asm leaves them (spec section 2).
pub const FILLER: Bits = {
    let mut bits = Bits::word(0);
    unused(&PART_A, &mut bits);
    unused(&PART_B, &mut bits);
    unused(&PART_C, &mut bits);
    OUT_TEMP.set(&mut bits, 7);
    OUT_ADDRESS.set(&mut bits, 0xff);
    OUT_IS_OUTPUT.set(&mut bits, 1);
    bits
};

/// A source that is not used: xyzw of the input.
const fn unused(source: &Part, bits: &mut Bits) {
    if let (Some((swizzle, _)), Some(mux)) = (source.swizzle, source.select) {
        swizzle.set(bits, 0b00_01_10_11);
        mux.set(bits, 2);
    }
}

/// A part that is written, in its place.
pub fn destination() -> &'static [Part] {
    &A[..2]
}

/// A part that is read.
pub fn any_source() -> &'static [Part] {
    &A[2..]
}

/// The sources of an instruction.
pub fn sources(inst: &Inst) -> impl Iterator<Item = &Operand> {
    inst.reads().map(|(_, operand)| operand)
}

/// True if the row reads the slot's C.
pub fn reads_c(op: &Op) -> bool {
    op.parts.iter().any(|part| part.name == "c")
}

/// What an instruction writes to a temporary and to the output port.
pub fn targets(inst: &Inst) -> impl Iterator<Item = &Operand> {
    let targets = inst.writes().filter(|(_, target)| target.reg.file != regs::A && !target.mask.is_empty());
    targets.map(|(_, target)| target)
}

/// What an instruction of one destination writes.
pub fn target(inst: &Inst) -> &Operand {
    let [temp, port, ..] = &inst.operands;
    if temp.reg.file == regs::A || !temp.mask.is_empty() { temp } else { port }
}

/// What is undefined about a slot, in words; nothing about most.
pub fn undefined(slot: &Slot) -> Vec<String> {
    let bits = &slot.bits;
    let mut found = Vec::new();
    let mac = MAC_OP.get(bits);
    if mac > u32::from(ARL) {
        found.push(format!("MAC operation {mac} does not exist"));
    }
    for inst in slot.insts() {
        let name = inst.op.name;
        for (part, operand) in inst.reads() {
            if operand.reg == NOWHERE {
                found.push(format!("source {} of `{name}` names no register", part.name));
            }
            if operand.relative && operand.reg.index >= regs::CONSTANTS {
                found.push(format!("`{name}` reads c[A0+{}]; constants end at 191", operand.reg.index));
            }
        }
        for (part, target) in inst.writes().filter(|(_, target)| target.reg == NOWHERE) {
            if target.mask.is_empty() {
                continue;
            }
            found.push(match (usize::from(part.operand), OUT_IS_OUTPUT.get(bits)) {
                (TEMP, _) => format!("`{name}` writes temporary {}", OUT_TEMP.get(bits)),
                (_, 1) => format!("`{name}` writes output {}", OUT_ADDRESS.get(bits)),
                _ => format!("`{name}` writes constant {}", OUT_ADDRESS.get(bits)),
            });
        }
        let port = OUT_MUX.get(bits) == 0 && OUT_MASK.get(bits) != 0;
        if mac == u32::from(ARL) && inst.op.parts.len() == ADDRESS.len() && (port || MAC_MASK.get(bits) != 0)
        {
            found.push("`arl` writes A0 and can write nothing else".into());
        }
    }
    found
}

/// True if the output port may write a constant.
pub fn may_write_constant(bits: &Bits) -> bool {
    OUT_IS_OUTPUT.get(bits) == 0 && OUT_MASK.get(bits) != 0
}

/// True if the program ends after the slot.
pub fn is_final(bits: &Bits) -> bool {
    FINAL.get(bits) == 1
}

/// The bits with FINAL set or cleared.
pub fn with_final(mut bits: Bits, last: bool) -> Bits {
    FINAL.set(&mut bits, u32::from(last));
    bits
}
