//! The text of programs in nv2a_vsh_asm's dialect and as nv2avshd prints it (spec section 9).

use crate::ISA;
use crate::encoding::{is_final, undefined};
use crate::regs::C;
use crate::syntax::{NV2AVSHD, VSH};
use crate::unpair::{pairs_again, statements};
use gpuzoo_isa::{Numbering, Printer, Program, Slot, Syntax};

/// Appends the text of a program. Slots that no instruction assembles to are `.word`, so every bit survives.
pub fn program(program: &Program, map: Numbering, text: &mut String) {
    let printer = Printer { isa: &ISA, syntax: &VSH, numbering: Some(map) };
    let last = program.slots.len().saturating_sub(1);
    for (index, slot) in program.slots.iter().enumerate() {
        if is_natural(slot) && is_final(&slot.bits) == (index == last) && countable(slot, map) {
            printer.insts(slot, text);
        } else {
            raw(slot, text);
            comment(slot, &VSH, text);
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
fn is_natural(slot: &Slot) -> bool {
    if !ISA.is_canonical(slot) {
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
fn countable(slot: &Slot, map: Numbering) -> bool {
    let operands = slot.insts().flat_map(|inst| &inst.operands);
    let mut constants = operands.filter(|operand| operand.reg.file == C);
    constants.all(|operand| map.from_machine(operand.reg.index).is_some_and(|number| number >= 0))
}

/// Appends `.word` and the four words.
pub fn raw(slot: &Slot, out: &mut String) {
    ISA.print_words(&slot.bits.words[..ISA.slot_words], out);
}

/// Appends a comment behind a raw slot: what the machine makes of it, and what is odd about it.
pub fn comment(slot: &Slot, syntax: &Syntax, out: &mut String) {
    let mut insts = String::new();
    ISA.print_insts(slot, &mut insts);
    let last = is_final(&slot.bits).then(|| "FINAL".to_owned());
    let said: Vec<String> = Some(insts)
        .filter(|insts| !insts.is_empty())
        .into_iter()
        .chain(undefined(slot))
        .chain(last)
        .collect();
    if !said.is_empty() {
        out.push_str(&format!(" {} {}", syntax.comment(), said.join("; ")));
    }
}

/// Appends the text of a slot's instructions as nv2avshd prints them.
pub fn reference(slot: &Slot, out: &mut String) {
    if slot.insts().next().is_none() {
        out.push_str("/* 0, 0, 0, 0 */");
    }
    Printer { isa: &ISA, syntax: &NV2AVSHD, numbering: None }.insts(slot, out);
}
