//! From a slot to instructions one after the other.

use crate::ISA;
use crate::vertex::encoding::{FIRST_SOURCE, PORT, TEMP, sources, target, undefined};
use crate::vertex::issue::pair::pair;
use crate::vertex::regs::{A, C};
use gpuzoo_diag::has_errors;
use gpuzoo_isa::{Inst, Mask, Operand, Part, Reg, Slot, Swizzle, Written};

/// What a slot does, an instruction for each destination: those of the MAC first, the port before the temporary. None if
/// the slot has undefined parts.
pub fn statements(slot: &Slot) -> Option<Vec<Inst>> {
    if !undefined(slot).is_empty() {
        return None;
    }
    let mut all = Vec::new();
    for inst in slot.insts() {
        if inst.operands[TEMP].reg.file == A {
            all.push(*inst);
            continue;
        }
        for (here, other) in [(PORT, TEMP), (TEMP, PORT)] {
            let mut one = *inst;
            one.operands[other].mask = Mask(0);
            all.extend((!one.operands[here].mask.is_empty()).then_some(one));
        }
    }
    Some(all)
}

/// What a statement does: its name, what it writes, and what it reads of it.
type Does = (&'static str, (Reg, Mask), Vec<Operand>);

/// True if two slots do the same, in whichever halves. Those with undefined parts do nothing that another one does.
pub fn does_the_same(one: &Slot, other: &Slot) -> bool {
    let (Some(one), Some(other)) = (statements(one), statements(other)) else { return false };
    let (first, second) = (does(&one), does(&other));
    // Of two that write the same the order counts.
    let all = !clashes(&one) && first.len() == second.len() && first.iter().all(|does| second.contains(does));
    all || first == second
}

fn does(statements: &[Inst]) -> Vec<Does> {
    let does = |inst: &Inst| {
        let read = |(part, operand): (&Part, &Operand)| match part.scalar {
            // Only the first component counts.
            true => Operand { swizzle: Swizzle::broadcast(operand.swizzle.components()[0]), ..*operand },
            false => *operand,
        };
        let target = target(inst);
        (inst.op.name, (target.reg, target.mask), inst.reads().map(read).collect())
    };
    statements.iter().map(does).collect()
}

/// True if two of several instructions write the same components.
fn clashes(group: &[Inst]) -> bool {
    let clash = |one: &Inst, other: &Inst| {
        let (one, other) = (target(one), target(other));
        one.reg == other.reg && one.mask.0 & other.mask.0 != 0
    };
    group.iter().enumerate().any(|(at, one)| group[..at].iter().any(|other| clash(one, other)))
}

/// The instructions in an order in which they do one after the other what they do at once: none writes what a later one
/// reads. None if there is no such order, or if two write the same components.
pub fn in_sequence(mut group: Vec<Inst>) -> Option<Vec<Inst>> {
    if clashes(&group) {
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

/// True if one instruction writes what the other reads.
fn disturbs(one: &Inst, other: &Inst) -> bool {
    let target = target(one);
    sources(other).any(|source| {
        let address = target.reg.file == A && source.relative;
        // Where a relative read ends up is not known here.
        let constant = target.reg.file == C && source.reg.file == C && source.relative;
        let components = source.swizzle.reads(Mask::ALL).0 & target.mask.0 != 0;
        address || constant || target.reg == source.reg && components
    })
}

/// True if the instructions, paired again, take the halves that they come from, so that the slot's text means the slot.
pub fn pairs_again(slot: &Slot, group: &[Inst]) -> bool {
    let (Some(mac), Some(ilu)) = (&slot.inst, &slot.paired) else {
        // A MOV that is alone is done by the MAC.
        return slot.paired.is_none_or(|ilu| ilu.op.name != "mov");
    };
    if ilu.op.name != "mov" || mac.op.name != "mov" {
        return true;
    }
    // Two MOVs: only trying tells which half does which.
    let written = |inst: &Inst| {
        let spans = [slot.span; gpuzoo_isa::MAX_OPERANDS];
        // In a text, a MOV is the MAC's.
        let mut text = Inst::new(mac.op);
        text.operands[..=FIRST_SOURCE].copy_from_slice(&inst.operands[..=FIRST_SOURCE]);
        Written { inst: text, spans, span: slot.span, joined: false, form: None }
    };
    let written: Vec<Written> = group.iter().map(written).collect();
    let mut problems = Vec::new();
    let again = pair(&written, &mut problems).map(|insts| ISA.encode_all(insts.iter()));
    !has_errors(&problems) && again == Some(ISA.encode_all([mac, ilu].into_iter()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, assemble};
    use gpuzoo_diag::File;

    fn slot(text: &str) -> Slot {
        let assembled = assemble(&File::new("t", text), &Options::default());
        assert!(!has_errors(&assembled.diagnostics), "{text}: {:?}", assembled.diagnostics);
        let [slot] = assembled.program.slots[..] else { panic!("{text}") };
        slot
    }

    /// Each destination gets the same from the same sources, none more and none less. Of a scalar only the first component is a source.
    #[test]
    fn slots_that_do_the_same() {
        let both = "mul r2, v0, v0 + rcp r1.x, v0.x";
        for (one, other, same) in [
            (both, both, true),
            ("rcp oPos, r4.xyzw", "rcp oPos, r4.xxxx", true),
            ("rcp oPos, r4.xyzw", "rcp oPos, r4.yxxx", false),
            ("lit oPos, r4.xyzw", "lit oPos, r4.xxxx", false),
            ("mov r2, v0 + mov oPos, v0", "mov oPos, v0 + mov r2, v0", true),
            (both, "mul r2, v0, v0", false),
            (both, "rcp r1.x, v0.x", false),
            ("mov r2, v0 + mov oPos, v0", "mov oPos, v0", false),
            ("mov r2, v0 + mov oPos, v0", "mov r2, v0", false),
            (both, "mul r3, v0, v0 + rcp r1.x, v0.x", false),
            (both, "mul r2.x, v0, v0 + rcp r1.x, v0.x", false),
            (both, "mul r2, v1, v1 + rcp r1.x, v1.x", false),
            (both, "mul r2, v0, -v0 + rcp r1.x, v0.x", false),
            (both, "mul r2, v0, v0 + rcc r1.x, v0.x", false),
            // Both write r1: the order counts.
            ("mul r1, v0, v0 + rcp r1.x, v0.x", "mul r1, v0, v0 + rcp r1.x, v0.x", true),
            ("mul r1, v0, v0 + rcp r1.x, v0.x", "mul r1, v0, v0", false),
        ] {
            assert_eq!(does_the_same(&slot(one), &slot(other)), same, "{one} | {other}");
            assert_eq!(does_the_same(&slot(other), &slot(one)), same, "{other} | {one}");
        }
        // MAC operation 14 does not exist: whatever it does, nothing else does it.
        let undefined = slot(".word 0 0x01c0001b 0x0836106c 0x2070f800");
        assert!(!does_the_same(&undefined, &undefined));
    }

    /// One that writes what another reads comes behind it, and two that need each other have no order; nor have two that write the same.
    #[test]
    fn instructions_in_an_order() {
        let order = |text: &str| {
            let group = statements(&slot(text)).unwrap();
            let names = |group: Vec<Inst>| {
                group
                    .iter()
                    .map(|inst| format!("{} {}", inst.op.name, ISA.reg_name(target(inst).reg)))
                    .collect::<Vec<_>>()
                    .join(", ")
            };
            in_sequence(group).map(names)
        };
        for (text, expected) in [
            ("mul r2, v0, v0 + rcp r1.x, v0.x", Some("mul R2, rcp R1")),
            ("mul r2, v0, v0 + rcp r1.x, r2.x", Some("rcp R1, mul R2")),
            ("mul r2, r1, r1 + rcp r1.x, r3.x", Some("mul R2, rcp R1")),
            ("mul r2, r1, r1 + rcp r1.x, r2.x", None),
            // Only components that are both written and read count.
            ("mul r2.y, r1, r1 + rcp r1.x, r2.x", Some("mul R2, rcp R1")),
            ("mul r2, r1.y, r1.z + rcp r1.x, r2.x", Some("rcp R1, mul R2")),
            ("mul r1, v0, v0 + rcp r1.x, v0.x", None),
            ("mul r1.yzw, v0, v0 + rcp r1.x, v0.x", Some("mul R1, rcp R1")),
            ("arl a0, v0.x + rcp oPos, v0.x", Some("arl A0, rcp oPos")),
            ("arl a0, v0.x + lit oPos, c[a0+5]", Some("lit oPos, arl A0")),
            ("mul c5, r2, r3 + lit r1, c6", Some("mul c5, lit R1")),
            ("mul c5, r2, r3 + lit r1, c5", Some("lit R1, mul c5")),
            ("mul c5, r2, r3 + lit r1, c[a0+6]", Some("lit R1, mul c5")),
        ] {
            assert_eq!(order(text).as_deref(), expected, "{text}");
        }
    }
}
