//! The text of a program in the Direct3D 8 dialect.

use crate::vertex::dialects::d3d::{VERSIONS, xbox_only};
use crate::vertex::dialects::header::since;
use crate::vertex::dialects::page::{Page, Said, Why};
use crate::vertex::encoding::{FILLER, sources, target, with_final};
use crate::vertex::issue::unpair::{pairs_again, statements};
use crate::vertex::program::facts::{kind, writes};
use crate::vertex::regs::C;
use crate::vertex::syntax::D3D;
use gpuzoo_isa::{Inst, Numbering, Operand, Program, Slot};

/// The page of a program of which these slots are printed: of any Direct3D 8 if it can be, else the Xbox's.
pub fn page(program: &Program, slots: &[Slot], map: Numbering) -> Page {
    let mut defined = program.constants.iter().filter(|constant| !constant.values.is_empty());
    let xbox = !slots.iter().all(|slot| anywhere(slot, map))
        || defined.any(|constant| map.from_machine(constant.reg.index).is_some_and(|number| number < 0));
    let version = VERSIONS.fitting(kind(program), writes(program, |reg| reg.file == C), xbox);
    Page::new(&VERSIONS, version, &D3D, map)
}

/// True if vs.1.1 has words for a slot, or no dialect has.
fn anywhere(slot: &Slot, map: Numbering) -> bool {
    let Some(group) = statements(slot) else { return true };
    let signed = |operand: &Operand| map.from_machine(operand.reg.index).filter(|_| map.least < 0);
    let plain = |inst: &Inst| {
        let mut operands = sources(inst).map(|source| (source, false)).chain([(target(inst), true)]);
        let newer = !since(inst.op, &D3D).is_empty();
        !newer && operands.all(|(operand, written)| xbox_only(operand, written, signed(operand)).is_none())
    };
    // Instructions that would not pair as they do here are printed one after the other.
    let pair = group.len() > 1 && pairs_again(slot, &group);
    !pair && group.iter().all(plain)
}

/// The text of a slot.
pub fn slot(page: &Page, slot: &Slot, group: Vec<Inst>) -> Said {
    if group.is_empty() {
        // What does nothing is `nop`, but for its FINAL bit, if it has the words that `nop` gets.
        let nop = with_final(slot.bits, false) == FILLER;
        return Ok((if nop { "nop\n" } else { "" }.to_owned(), usize::from(nop)));
    }
    if group.len() == 1 || pairs_again(slot, &group) {
        let lines: Result<Vec<String>, Why> = group.iter().map(|inst| page.line(inst)).collect();
        return Ok((lines?.join("+"), 1));
    }
    page.split(group, |inst| page.line(inst))
}
