//! The text of programs in nv2a_vsh_asm's dialect, and slots as nv2avshd prints them (spec section 9).

use crate::ISA;
use crate::vertex::dialects::page::{Page, Said};
use crate::vertex::syntax::NV2AVSHD;
use gpuzoo_isa::{Inst, Printer, Slot};

/// The text of a slot: its halves are joined.
pub fn slot(page: &Page, slot: &Slot, group: Vec<Inst>) -> Said {
    if group.is_empty() {
        return Err("it does nothing, and no statement says so");
    }
    group.iter().try_for_each(|inst| page.can_say(inst))?;
    let mut text = String::new();
    page.printer().insts(slot, &mut text);
    text.push('\n');
    Ok((text, 1))
}

/// Appends the text of a slot's instructions as nv2avshd prints them. It cannot be assembled: letters of swizzles that
/// repeat their neighbour are left out.
pub fn reference(slot: &Slot, out: &mut String) {
    if slot.insts().next().is_none() {
        out.push_str("/* 0, 0, 0, 0 */");
    }
    Printer { isa: &ISA, syntax: &NV2AVSHD, numbering: None }.insts(slot, out);
}
