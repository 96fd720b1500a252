//! The text of programs in nv2a_vsh_asm's dialect, raw slots in any, and slots as nv2avshd prints them (spec section 9).

use crate::ISA;
use crate::vertex::dialects::page::{Page, Said};
use crate::vertex::encoding::{is_final, undefined};
use crate::vertex::syntax::NV2AVSHD;
use gpuzoo_isa::{Inst, Printer, Slot, Syntax};

/// The text of a slot: its halves are joined.
pub fn slot(page: &Page, slot: &Slot, group: &[Inst]) -> Said {
    if group.is_empty() {
        return Err("it does nothing, and no statement says so");
    }
    group.iter().try_for_each(|inst| page.can_say(inst))?;
    let mut text = String::new();
    page.printer().insts(slot, &mut text);
    text.push('\n');
    Ok((text, 1))
}

/// Appends `.word` and the four words, with a comment: what the machine makes of it, and what is odd about it.
pub fn raw(slot: &Slot, syntax: &Syntax, out: &mut String) {
    ISA.print_words(&slot.bits.words[..ISA.slot_words], out);
    out.push_str(syntax.end_mark());
    let mut insts = String::new();
    ISA.print_insts(slot, &mut insts);
    let last = is_final(&slot.bits).then(|| "FINAL".to_owned());
    let said: Vec<String> = Some(insts)
        .filter(|insts| !insts.is_empty())
        .into_iter()
        .chain(undefined(slot))
        .chain(last)
        .collect();
    let said = if said.is_empty() { "nothing is done".to_owned() } else { said.join("; ") };
    out.push_str(&format!(" {} {said}", syntax.comment()));
    out.push('\n');
}

/// Appends the text of a slot's instructions as nv2avshd prints them. It cannot be assembled: letters of swizzles that
/// repeat their neighbour are left out.
pub fn reference(slot: &Slot, out: &mut String) {
    if slot.insts().next().is_none() {
        out.push_str("/* 0, 0, 0, 0 */");
    }
    Printer { isa: &ISA, syntax: &NV2AVSHD, numbering: None }.insts(slot, out);
}
