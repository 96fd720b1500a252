//! From a slot back to statements, for the printers.

use crate::encoding::{FIRST_SOURCE, PORT, TEMP, encode, undefined};
use crate::pair::pair;
use crate::regs::{A, A0, C};
use crate::statement::{Group, Source, Statement, Target};
use gpuzoo_diag::has_errors;
use gpuzoo_isa::{Operand, Slot};

/// What a slot does, a statement for each destination: those of the MAC first, the port before the temporary. None if the
/// slot has undefined parts.
pub fn statements(slot: &Slot) -> Option<Group> {
    if !undefined(slot).is_empty() {
        return None;
    }
    let mut group = Vec::new();
    for inst in slot.insts() {
        let is_arl = inst.op.name == "arl";
        let address = Operand { reg: A0, ..Operand::default() };
        let written = [PORT, TEMP]
            .map(|index| inst.operands[index])
            .into_iter()
            .filter(|target| !target.mask.is_empty());
        let targets = written.filter(|_| !is_arl).chain(is_arl.then_some(address));
        let count = inst.op.format.parts.len() - 1;
        let sources = inst.operands[FIRST_SOURCE..][..count].iter();
        let sources: Vec<Source> =
            sources.map(|operand| Source { operand: *operand, span: slot.span }).collect();
        group.extend(targets.map(|operand| Statement {
            name: inst.op.name,
            target: Target { operand, span: slot.span },
            sources: sources.clone(),
            span: slot.span,
        }));
    }
    Some(group)
}

/// The statements in an order in which they do one after the other what they do at once: none writes what a later one
/// reads. None if there is no such order, or if two write the same lanes.
pub fn in_sequence(mut group: Group) -> Option<Group> {
    let clash = |one: &Statement, other: &Statement| {
        let (one, other) = (one.target.operand, other.target.operand);
        one.reg == other.reg && one.mask.0 & other.mask.0 != 0
    };
    let twice = group.iter().enumerate().any(|(at, one)| group[..at].iter().any(|other| clash(one, other)));
    if twice {
        return None;
    }
    let mut sequence = Vec::with_capacity(group.len());
    while !group.is_empty() {
        let free = |at: &usize| {
            let others = group.iter().enumerate().filter(|(other, _)| other != at);
            others.map(|(_, other)| other).all(|other| !disturbs(&group[*at], other))
        };
        let next = (0..group.len()).find(free)?;
        sequence.push(group.remove(next));
    }
    Some(sequence)
}

/// True if one statement writes what the other reads.
fn disturbs(one: &Statement, other: &Statement) -> bool {
    let target = one.target.operand;
    other.sources.iter().map(|source| source.operand).any(|source| {
        let address = target.reg.file == A && source.relative;
        // Where a relative read ends up is not known here.
        let constant = target.reg.file == C && source.reg.file == C && source.relative;
        let lanes = source.swizzle.reads(gpuzoo_isa::Mask::ALL).0 & target.mask.0 != 0;
        address || constant || target.reg == source.reg && lanes
    })
}

/// True if the statements, paired again, take the halves that they come from, so that the slot's text means the slot.
pub fn pairs_again(slot: &Slot, group: &Group) -> bool {
    let (Some(mac), Some(ilu)) = (&slot.inst, &slot.paired) else {
        // A MOV that stands alone is done by the MAC.
        return slot.paired.is_none_or(|ilu| ilu.op.name != "mov");
    };
    if ilu.op.name != "mov" || mac.op.name != "mov" {
        return true;
    }
    // Two MOVs: only trying tells which half does which.
    let mut problems = Vec::new();
    let again = pair(group, &mut problems).map(|paired| encode(paired.mac.as_ref(), paired.ilu.as_ref()));
    !has_errors(&problems) && again == Some(encode(Some(mac), Some(ilu)))
}
