//! The 128 bits of a slot, read in both directions (spec section 2), and the limits.
//!
//! Words lie in memory in the order w0, w1, w2, w3; w0 is not used. Within a word, bits count from the lowest.

use crate::ops::{ARL, ILU, MAC, NOP};
use crate::regs::{self, NOWHERE, O, OPOS, R, R1, V, is_output};
use gpuzoo_isa::{
    Bits, Field, Format, Inst, MAX_OPERANDS, Mask, Op, Operand, Part, PartKind, Reg, Role, Slot, Swizzle,
};

/// Program memory, in slots.
pub const MAX_SLOTS: usize = 136;

const fn field(name: &'static str, word: u8, shift: u8, width: u8, doc: &'static str) -> Field {
    Field::new(name, word * 32 + shift, width, doc)
}

/// The operation of the ILU half.
pub const ILU_OP: Field = field("ilu", 1, 25, 3, "ILU operation; 0 none");
/// The operation of the MAC half.
pub const MAC_OP: Field = field("mac", 1, 21, 4, "MAC operation; 0 none, 14 and 15 undefined");
const CONST: Field = field("const", 1, 13, 8, "constant that sources with mux C read, 0 to 191");
const INPUT: Field = field("v", 1, 9, 4, "input that sources with mux V read");
const OUT_TEMP: Field = field("out_r", 3, 20, 4, "temporary that is written");
const MAC_MASK: Field = field("mac_mask", 3, 24, 4, "lanes of the temporary that the MAC writes; bit 3 is x");
const ILU_MASK: Field = field("ilu_mask", 3, 16, 4, "lanes of the temporary that the ILU writes; bit 3 is x");
const OUT_MASK: Field = field("out_mask", 3, 12, 4, "lanes that the output port writes; bit 3 is x");
const OUT_IS_OUTPUT: Field = field("orb", 3, 11, 1, "the port writes 0 a constant, 1 an output");
const OUT_ADDRESS: Field = field("out_address", 3, 3, 8, "output or constant that the port writes");
const OUT_MUX: Field = field("out_mux", 3, 2, 1, "the port takes the result of 0 the MAC, 1 the ILU");
const RELATIVE: Field = field("a0x", 3, 1, 1, "A0.x is added to every constant's number");
/// The last slot of a program.
pub const FINAL: Field = field("final", 3, 0, 1, "the program ends after this slot");

/// The fields of a source.
struct Source {
    negate: Field,
    swizzle: Field,
    temp: [Field; 2],
    mux: Field,
}

const NONE: Field = field("-", 0, 0, 0, "");

const SOURCE_A: Source = Source {
    negate: field("a_neg", 1, 8, 1, "A is negated"),
    swizzle: field("a_swz", 1, 0, 8, "lanes of A; x in the two highest bits"),
    temp: [NONE, field("a_r", 2, 28, 4, "temporary that A reads with mux R; 12 is oPos")],
    mux: field("a_mux", 2, 26, 2, "A reads 1 a temporary, 2 the input, 3 the constant; 0 is undefined"),
};
const SOURCE_B: Source = Source {
    negate: field("b_neg", 2, 25, 1, "B is negated"),
    swizzle: field("b_swz", 2, 17, 8, "lanes of B; x in the two highest bits"),
    temp: [NONE, field("b_r", 2, 13, 4, "temporary that B reads with mux R; 12 is oPos")],
    mux: field("b_mux", 2, 11, 2, "B reads 1 a temporary, 2 the input, 3 the constant; 0 is undefined"),
};
const SOURCE_C: Source = Source {
    negate: field("c_neg", 2, 10, 1, "C is negated"),
    swizzle: field("c_swz", 2, 2, 8, "lanes of C; x in the two highest bits"),
    temp: [
        field("c_r_high", 2, 0, 2, "upper bits of the temporary that C reads with mux R"),
        field("c_r_low", 3, 30, 2, "lower bits of the temporary that C reads with mux R"),
    ],
    mux: field("c_mux", 3, 28, 2, "C reads 1 a temporary, 2 the input, 3 the constant; 0 is undefined"),
};

/// All fields; w0 and the four highest bits of w1 belong to none.
#[rustfmt::skip]
pub static FIELDS: &[Field] = &[
    ILU_OP, MAC_OP, CONST, INPUT, SOURCE_A.negate, SOURCE_A.swizzle,
    SOURCE_A.temp[1], SOURCE_A.mux, SOURCE_B.negate, SOURCE_B.swizzle, SOURCE_B.temp[1], SOURCE_B.mux,
    SOURCE_C.negate, SOURCE_C.swizzle, SOURCE_C.temp[0], SOURCE_C.temp[1], SOURCE_C.mux,
    MAC_MASK, OUT_TEMP, ILU_MASK, OUT_MASK, OUT_IS_OUTPUT, OUT_ADDRESS, OUT_MUX, RELATIVE, FINAL,
];

/// The operand that holds the temporary that is written.
pub const TEMP: usize = 0;
/// The operand that holds what the output port writes.
pub const PORT: usize = 1;
/// The first operand that is a source.
pub const FIRST_SOURCE: usize = 2;

const fn part(name: &'static str, operand: u8, role: Role, file: u8, field: Field) -> Part {
    Part { name, operand, kind: PartKind::Reg, role, file, field }
}

const DST: Part = part("dst", 0, Role::Write, R, OUT_TEMP);
const PART_A: Part = part("a", 2, Role::Read, V, SOURCE_A.mux);
const PART_B: Part = part("b", 3, Role::Read, V, SOURCE_B.mux);

/// `mov dst, a`
pub static A: Format = Format { parts: &[DST, PART_A] };
/// `mul dst, a, b`
pub static AB: Format = Format { parts: &[DST, PART_A, PART_B] };
/// `add dst, a, c`
pub static AC: Format = Format { parts: &[DST, PART_A, part("c", 3, Role::Read, V, SOURCE_C.mux)] };
/// `mad dst, a, b, c`
pub static ABC: Format = Format { parts: &[DST, PART_A, PART_B, part("c", 4, Role::Read, V, SOURCE_C.mux)] };
/// `rcp dst, c`
pub static C: Format = Format { parts: &[DST, part("c", 2, Role::Read, V, SOURCE_C.mux)] };

/// The sources of a row, in the order of its operands.
fn sources(op: &Op) -> &'static [&'static Source] {
    let format: *const Format = op.format;
    let is = |other: &'static Format| std::ptr::eq(format, other);
    if is(&A) {
        &[&SOURCE_A]
    } else if is(&AB) {
        &[&SOURCE_A, &SOURCE_B]
    } else if is(&AC) {
        &[&SOURCE_A, &SOURCE_C]
    } else if is(&ABC) {
        &[&SOURCE_A, &SOURCE_B, &SOURCE_C]
    } else {
        &[&SOURCE_C]
    }
}

/// True if the row reads the slot's C.
pub fn reads_c(op: &Op) -> bool {
    sources(op).iter().any(|source| std::ptr::eq(*source, &SOURCE_C))
}

fn get(bits: &Bits, field: Field) -> u32 {
    bits.get(field.lo, field.width)
}

fn set(bits: &mut Bits, field: Field, value: u32) {
    bits.set(field.lo, field.width, value);
}

/// The machine has x in the highest bits of swizzles and masks, the kit in the lowest.
fn swizzle_from(bits: u32) -> Swizzle {
    let lane = |shift: u32| (bits >> shift & 3) as u8;
    Swizzle(lane(6) | lane(4) << 2 | lane(2) << 4 | lane(0) << 6)
}

fn swizzle_to(swizzle: Swizzle) -> u32 {
    let [x, y, z, w] = swizzle.lanes().map(u32::from);
    x << 6 | y << 4 | z << 2 | w
}

fn mask_from(bits: u32) -> Mask {
    Mask((bits as u8 & 15).reverse_bits() >> 4)
}

fn mask_to(mask: Mask) -> u32 {
    u32::from((mask.0 & 15).reverse_bits() >> 4)
}

/// From bits to the instructions of the two halves. What is undefined reads and writes [`NOWHERE`].
pub fn decode(bits: &Bits) -> (Option<Inst>, Option<Inst>) {
    let (mac, ilu) = (get(bits, MAC_OP), get(bits, ILU_OP));
    let port_to_ilu = get(bits, OUT_MUX) == 1;
    let row = |ops: &'static [Op], code: u32| ops.iter().find(|op| u32::from(op.code) == code);
    let temp = Reg { file: R, index: get(bits, OUT_TEMP) as u16 };
    let temp = if temp.index < 12 { temp } else { NOWHERE };
    // Beside a MAC operation the ILU writes r1, whatever the slot says (Xbox screenshot, spec section 4).
    let ilu_temp = if mac == NOP { temp } else { R1 };
    let half = |op: &'static Op, reg: Reg, mask: Field, has_port: bool| {
        let mut operands = [Operand::default(); MAX_OPERANDS];
        operands[TEMP] = Operand { reg, mask: mask_from(get(bits, mask)), ..Operand::default() };
        let port_mask = if has_port { mask_from(get(bits, OUT_MASK)) } else { Mask(0) };
        operands[PORT] = Operand { reg: port(bits), mask: port_mask, ..Operand::default() };
        for (operand, source) in operands[FIRST_SOURCE..].iter_mut().zip(sources(op)) {
            *operand = read_source(bits, source);
        }
        Inst { op, operands }
    };
    let mac = row(MAC, mac).map(|op| half(op, temp, MAC_MASK, !port_to_ilu));
    let ilu = row(ILU, ilu).map(|op| half(op, ilu_temp, ILU_MASK, port_to_ilu));
    (mac, ilu)
}

fn port(bits: &Bits) -> Reg {
    let index = get(bits, OUT_ADDRESS) as u16;
    let (file, exists) = if get(bits, OUT_IS_OUTPUT) == 1 {
        (O, is_output(index))
    } else {
        (regs::C, index < regs::CONSTANTS)
    };
    if exists { Reg { file, index } } else { NOWHERE }
}

fn read_source(bits: &Bits, source: &Source) -> Operand {
    let relative = get(bits, RELATIVE) == 1;
    let temp = get(bits, source.temp[0]) << 2 | get(bits, source.temp[1]);
    let constant = get(bits, CONST) as u16;
    let (reg, relative) = match get(bits, source.mux) {
        1 if temp < 12 => (Reg { file: R, index: temp as u16 }, false),
        1 if temp == 12 => (OPOS, false),
        2 => (Reg { file: V, index: get(bits, INPUT) as u16 }, false),
        3 if relative || constant < regs::CONSTANTS => (Reg { file: regs::C, index: constant }, relative),
        _ => (NOWHERE, false),
    };
    let swizzle = swizzle_from(get(bits, source.swizzle));
    Operand { reg, swizzle, negate: get(bits, source.negate) == 1, relative, ..Operand::default() }
}

/// From the instructions of a slot to its bits; what is not used gets the filler of nv2a_vsh_asm (spec section 2).
pub fn encode(mac: Option<&Inst>, ilu: Option<&Inst>) -> Bits {
    let mut bits = Bits::default();
    for source in [&SOURCE_A, &SOURCE_B, &SOURCE_C] {
        set(&mut bits, source.swizzle, swizzle_to(Swizzle::IDENTITY));
        set(&mut bits, source.mux, 2);
    }
    set(&mut bits, OUT_TEMP, 7);
    set(&mut bits, OUT_ADDRESS, 0xff);
    set(&mut bits, OUT_IS_OUTPUT, 1);
    // The ILU first: the MAC's temporary and its C prevail. A paired ILU writes r1 without being told, and a scalar one
    // needs only the first lane of C.
    if let Some(inst) = ilu {
        set(&mut bits, ILU_OP, u32::from(inst.op.code));
        half(&mut bits, inst, ILU_MASK, 1);
    }
    if let Some(inst) = mac {
        set(&mut bits, MAC_OP, u32::from(inst.op.code));
        half(&mut bits, inst, MAC_MASK, 0);
    }
    bits
}

fn half(bits: &mut Bits, inst: &Inst, mask: Field, out_mux: u32) {
    let [temp, port, ..] = &inst.operands;
    if !temp.mask.is_empty() {
        set(bits, mask, mask_to(temp.mask));
        set(bits, OUT_TEMP, u32::from(temp.reg.index));
    }
    if !port.mask.is_empty() {
        set(bits, OUT_MASK, mask_to(port.mask));
        set(bits, OUT_IS_OUTPUT, u32::from(port.reg.file == O));
        set(bits, OUT_ADDRESS, u32::from(port.reg.index));
        set(bits, OUT_MUX, out_mux);
    }
    for (operand, source) in inst.operands[FIRST_SOURCE..].iter().zip(sources(inst.op)) {
        write_source(bits, source, operand);
    }
}

fn write_source(bits: &mut Bits, source: &Source, operand: &Operand) {
    set(bits, source.negate, u32::from(operand.negate));
    set(bits, source.swizzle, swizzle_to(operand.swizzle));
    let (mux, temp) = match operand.reg.file {
        regs::R => (1, u32::from(operand.reg.index)),
        regs::O => (1, 12),
        regs::C => (3, 0),
        _ => (2, 0),
    };
    set(bits, source.mux, mux);
    set(bits, source.temp[0], temp >> 2);
    set(bits, source.temp[1], temp & if source.temp[0].width == 0 { 15 } else { 3 });
    match operand.reg.file {
        regs::C => {
            set(bits, CONST, u32::from(operand.reg.index));
            set(bits, RELATIVE, u32::from(operand.relative));
        }
        regs::V => set(bits, INPUT, u32::from(operand.reg.index)),
        _ => {}
    }
}

/// What is undefined about a slot, in words; nothing about most.
pub fn undefined(slot: &Slot) -> Vec<String> {
    let bits = &slot.bits;
    let mut found = Vec::new();
    let mac = get(bits, MAC_OP);
    if mac > u32::from(ARL) {
        found.push(format!("MAC operation {mac} does not exist"));
    }
    for inst in slot.insts() {
        let name = inst.op.name;
        let operands = inst.operands[FIRST_SOURCE..].iter().zip(sources(inst.op));
        for (operand, source) in operands {
            if operand.reg == NOWHERE {
                let letter = &source.mux.name[..1];
                found.push(format!("source {letter} of `{name}` names no register"));
            }
            if operand.relative && operand.reg.index >= regs::CONSTANTS {
                found.push(format!("`{name}` reads c[A0+{}]; constants end at 191", operand.reg.index));
            }
        }
        let [temp, port, ..] = &inst.operands;
        if temp.reg == NOWHERE && !temp.mask.is_empty() {
            found.push(format!("`{name}` writes temporary {}", get(bits, OUT_TEMP)));
        }
        if port.reg == NOWHERE && !port.mask.is_empty() {
            let what = if get(bits, OUT_IS_OUTPUT) == 1 { "output" } else { "constant" };
            found.push(format!("`{name}` writes {what} {}", get(bits, OUT_ADDRESS)));
        }
        if inst.op.code == ARL && inst.op.name == "arl" && !(temp.mask.is_empty() && port.mask.is_empty()) {
            found.push("`arl` writes A0 and can write nothing else".into());
        }
    }
    found
}

/// True if a slot's text assembles to its bits, but for FINAL, which the place in the program decides.
pub fn is_canonical(slot: &Slot) -> bool {
    let mut bits = slot.bits;
    set(&mut bits, FINAL, 0);
    let writes = |inst: &Inst| {
        let [temp, port, ..] = &inst.operands;
        inst.op.name == "arl" || !(temp.mask.is_empty() && port.mask.is_empty())
    };
    slot.insts().next().is_some()
        && slot.insts().all(writes)
        && undefined(slot).is_empty()
        && encode(slot.inst.as_ref(), slot.paired.as_ref()) == bits
}

/// True if the program ends after the slot.
pub fn is_final(bits: &Bits) -> bool {
    get(bits, FINAL) == 1
}

/// The bits with FINAL set or cleared.
pub fn with_final(mut bits: Bits, last: bool) -> Bits {
    set(&mut bits, FINAL, u32::from(last));
    bits
}

/// What a field of a slot means.
pub fn meaning(field: &Field, slot: &Slot) -> String {
    let value = get(&slot.bits, *field);
    let lanes = || match mask_from(value) {
        mask if mask.is_empty() => "nothing".to_owned(),
        mask => mask.to_string(),
    };
    match *field {
        MAC_OP | ILU_OP if value == NOP => "no operation".into(),
        MAC_OP => slot.inst.map_or("undefined".into(), |inst| inst.op.name.to_uppercase()),
        ILU_OP => slot.paired.map_or("undefined".into(), |inst| inst.op.name.to_uppercase()),
        MAC_MASK | ILU_MASK | OUT_MASK => lanes(),
        OUT_ADDRESS => match port(&slot.bits) {
            NOWHERE => "names nothing".into(),
            Reg { file: O, index } => regs::OUTPUT_NAMES[index as usize].into(),
            Reg { index, .. } => format!("c[{index}]"),
        },
        field if field.name.ends_with("_swz") => swizzle_from(value).to_string(),
        field if field.name.ends_with("_mux") && field != OUT_MUX => {
            ["undefined", "temporary", "input", "constant"][value as usize & 3].into()
        }
        _ => value.to_string(),
    }
}
