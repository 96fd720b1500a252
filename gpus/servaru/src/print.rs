//! From words to text.

use crate::encoding::{destination, is_unit, number, sources, unit};
use crate::{ISA, immediate};
use gpuzoo_isa::{Mask, Operand, Part, Role, Slot, Swizzle};
use std::fmt::Write;

/// The text of an operand as the assembly has it; what cannot be written looks as if it could.
pub fn operand(part: &Part, operand: &Operand) -> String {
    if part.role == Role::Write {
        return written(operand);
    }
    let field = number(operand);
    if let (true, Some(unit)) = (is_unit(part), unit(operand)) {
        return format!("T{unit}");
    }
    if let Some(field) = field {
        return immediate::text(field).unwrap_or("nan".into());
    }
    let sign = if operand.negate { "-" } else { "" };
    let name = ISA.reg_name(operand.reg);
    let lanes = operand.swizzle.lanes();
    match operand.swizzle {
        Swizzle::IDENTITY => format!("{sign}{name}"),
        _ if lanes == [lanes[0]; 4] => format!("{sign}{name}.{}", gpuzoo_isa::LANES[lanes[0] as usize & 3]),
        swizzle => format!("{sign}{name}.{swizzle}"),
    }
}

fn written(operand: &Operand) -> String {
    if number(operand).is_some() {
        return "_".into();
    }
    let name = ISA.reg_name(operand.reg);
    match operand.mask {
        Mask::ALL => name,
        mask if mask.is_empty() => format!("{name}._"),
        mask => format!("{name}.{mask}"),
    }
}

/// Appends an instruction's text, whatever bits beside it are set.
pub fn insts(slot: &Slot, out: &mut String) {
    let Some(inst) = &slot.inst else {
        out.push_str("illegal: opcode 31");
        return;
    };
    out.push_str(inst.op.name);
    let mut mark = " ";
    for part in inst.op.format.parts {
        // Writing to a String cannot fail.
        let _ = write!(out, "{mark}{}", operand(part, &inst.operands[part.operand as usize]));
        mark = ", ";
    }
    out.push(';');
}

/// The 64 bits of a slot.
pub fn word(slot: &Slot) -> u64 {
    let [low, high, ..] = slot.bits.words;
    u64::from(high) << 32 | u64::from(low)
}

/// Appends the line of a slot: the instruction, or `.word` and what the machine makes of it.
pub fn slot(slot: &Slot, out: &mut String) {
    if crate::encoding::is_canonical(slot) {
        return insts(slot, out);
    }
    let _ = write!(out, ".word {:#018x} # ", word(slot));
    insts(slot, out);
    let Some(inst) = &slot.inst else { return };
    let encoded = crate::encoding::encode(Some(inst), None) == slot.bits;
    let null = destination(inst).and_then(number).is_some_and(|field| field != 0);
    if !encoded || null {
        out.push_str(" bits that the machine ignores are set");
    } else if sources(inst).any(|(part, operand)| is_unit(part) && unit(operand).is_none()) {
        out.push_str(" no texture unit");
    }
}
