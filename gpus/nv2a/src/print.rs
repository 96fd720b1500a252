//! The text of a slot in nv2a_vsh_asm's dialect and as nv2avshd prints it (spec section 9).

use crate::dialect::ConstantMap;
use crate::encoding::{FIRST_SOURCE, PORT, TEMP, is_canonical, is_final, undefined};
use crate::regs::{C, O, OPOS, OUTPUT_NAMES, R, V};
use crate::unpair::{pairs_again, statements};
use gpuzoo_isa::{Inst, LANES, Operand, Program, Slot, Swizzle};

/// How texts look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// So that the text assembles to the same bits, with constants counted as the map does.
    Exact(ConstantMap),
    /// As nv2avshd prints: `LOG` and `EXP`, slots that do nothing as comments, and lossy swizzles, in which a letter that
    /// repeats its neighbour is dropped: `.zxxw` becomes `.zxw`.
    Reference,
}

/// Appends the text of a program. Slots that no statement assembles to are `.word`, so every bit survives.
pub fn program(program: &Program, map: ConstantMap, text: &mut String) {
    let last = program.slots.len().saturating_sub(1);
    for (index, slot) in program.slots.iter().enumerate() {
        if is_natural(slot) && is_final(&slot.bits) == (index == last) && countable(slot, map) {
            print(slot, Style::Exact(map), text);
        } else {
            raw(slot, text);
            comment(slot, "; ", text);
        }
        text.push('\n');
    }
}

/// The text of a program as nv2avshd prints it, a slot on a line.
pub fn reference_program(program: &Program) -> String {
    let mut text = String::new();
    for slot in &program.slots {
        reference(slot, &mut text);
        text.push('\n');
    }
    text
}

/// True if a slot's text assembles to its bits, but for FINAL, which the place in the program decides.
pub fn is_natural(slot: &Slot) -> bool {
    if !is_canonical(slot) {
        return false;
    }
    match (&slot.inst, &slot.paired) {
        // MOVs are what both halves can do.
        (None, Some(ilu)) => ilu.op.name != "mov",
        (Some(mac), Some(ilu)) if mac.op.name == "mov" && ilu.op.name == "mov" => {
            statements(slot).is_some_and(|group| pairs_again(slot, &group))
        }
        _ => true,
    }
}

/// True if the map has numbers from 0 on for all of a slot's constants; this dialect has no others.
fn countable(slot: &Slot, map: ConstantMap) -> bool {
    let operands = slot.insts().flat_map(|inst| &inst.operands);
    let mut constants = operands.filter(|operand| operand.reg.file == C);
    constants.all(|operand| map.from_machine(operand.reg.index).is_some_and(|number| number >= 0))
}

/// Appends `.word` and the four words.
pub fn raw(slot: &Slot, out: &mut String) {
    out.push_str(".word");
    for word in &slot.bits.words[..4] {
        let mut text = *b" 0x00000000";
        for (digit, at) in text[3..].iter_mut().rev().zip((0..32).step_by(4)) {
            *digit = b"0123456789abcdef"[(word >> at) as usize & 15];
        }
        out.push_str(str::from_utf8(&text).unwrap_or_default());
    }
}

/// Appends a comment behind a raw slot: what the machine makes of it, and what is odd about it.
pub fn comment(slot: &Slot, mark: &str, out: &mut String) {
    let before = out.len();
    out.push(' ');
    out.push_str(mark);
    let start = out.len();
    print(slot, Style::Exact(ConstantMap::Hw), out);
    for what in undefined(slot) {
        out.push_str(if out.len() > start { "; " } else { "" });
        out.push_str(&what);
    }
    if is_final(&slot.bits) {
        out.push_str(if out.len() > start { "; FINAL" } else { "FINAL" });
    }
    if out.len() == start {
        out.truncate(before);
    }
}

/// Appends the text of a slot's instructions, joined by `+`; nothing for those without a destination.
pub fn insts(slot: &Slot, out: &mut String) {
    print(slot, Style::Exact(ConstantMap::Hw), out);
}

/// Appends the text of a slot's instructions as nv2avshd prints them.
pub fn reference(slot: &Slot, out: &mut String) {
    if slot.insts().next().is_none() {
        out.push_str("/* 0, 0, 0, 0 */");
    }
    print(slot, Style::Reference, out);
}

/// Masks by their bits. Whole texts, because letter by letter takes several times as long.
const MASKS: [&str; 16] = [
    ".", ".x", ".y", ".xy", ".z", ".xz", ".yz", ".xyz", ".w", ".xw", ".yw", ".xyw", ".zw", ".xzw", ".yzw",
    ".xyzw",
];

fn print(slot: &Slot, style: Style, out: &mut String) {
    let mut first = true;
    for inst in slot.insts() {
        let is_arl = inst.op.name == "arl";
        // The port's destination first, then the temporary's.
        let targets = [PORT, TEMP].map(|index| &inst.operands[index]);
        let targets = targets.into_iter().filter(|target| !target.mask.is_empty() && !is_arl).map(Some);
        for target in targets.chain(is_arl.then_some(None)) {
            if !std::mem::take(&mut first) {
                out.push_str(" + ");
            }
            statement(inst, target, style, out);
        }
    }
}

fn statement(inst: &Inst, target: Option<&Operand>, style: Style, out: &mut String) {
    match (style, inst.op.name) {
        (Style::Reference, "expp") => out.push_str("EXP"),
        (Style::Reference, "logp") => out.push_str("LOG"),
        (_, name) => {
            let start = out.len();
            out.push_str(name);
            out[start..].make_ascii_uppercase();
        }
    }
    out.push(' ');
    match target {
        None => out.push_str("A0"),
        Some(target) => {
            register(target, style, out);
            out.push_str(MASKS[usize::from(target.mask.0 & 15)]);
        }
    }
    let count = inst.op.format.parts.len() - 1;
    for source in &inst.operands[FIRST_SOURCE..][..count] {
        out.push_str(if source.negate { ", -" } else { ", " });
        // r12 reads oPos.
        if source.reg == OPOS {
            out.push_str("R12")
        } else {
            register(source, style, out)
        }
        swizzle(source.swizzle, style, out);
    }
}

fn register(operand: &Operand, style: Style, out: &mut String) {
    let index = operand.reg.index;
    let index = match style {
        Style::Exact(map) if operand.reg.file == C => map.from_machine(index).unwrap_or(i64::from(index)),
        _ => i64::from(index),
    };
    let (before, after) = match operand.reg.file {
        R => ("R", ""),
        V => ("v", ""),
        C if operand.relative => ("c[A0+", "]"),
        C => ("c[", "]"),
        O => return out.push_str(OUTPUT_NAMES.get(index as usize).unwrap_or(&"-")),
        _ => return out.push('?'),
    };
    out.push_str(before);
    number(index, out);
    out.push_str(after);
}

/// Appends a number below 1000, which all of a slot's are: several times faster than `write!`, which the disassembly of
/// millions of slots feels.
fn number(number: i64, out: &mut String) {
    let digits = [100, 10, 1].map(|unit| b'0' + (number / unit % 10) as u8);
    let first = usize::from(number < 100) + usize::from(number < 10);
    out.push_str(str::from_utf8(&digits[first..]).unwrap_or_default());
}

/// Nothing for the identity; a repeated tail is dropped: `.xxxx` is `.x`.
fn swizzle(swizzle: Swizzle, style: Style, out: &mut String) {
    if swizzle == Swizzle::IDENTITY {
        return;
    }
    let lanes = swizzle.lanes();
    let repeats = |at: usize| at > 0 && lanes[at] == lanes[at - 1];
    let tail = (1..4).rev().take_while(|&at| repeats(at)).count();
    let dropped = |at: usize| match style {
        Style::Reference => repeats(at),
        Style::Exact(_) => at >= 4 - tail,
    };
    let mut letters = [b'.'; 5];
    let mut count = 1;
    for at in (0..4).filter(|&at| !dropped(at)) {
        letters[count] = LANES[lanes[at] as usize] as u8;
        count += 1;
    }
    out.push_str(str::from_utf8(&letters[..count]).unwrap_or_default());
}
