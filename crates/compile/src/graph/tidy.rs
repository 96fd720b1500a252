//! Programs of machines with one instruction a slot: instructions that change nothing are left out, and so are those that compute
//! again what another register holds.
//!
//! Nothing is known here of what instructions do. A slot is left out, or its result read from elsewhere, where the program that is
//! left is [proven](crate::graph::proof) to compute the same.

use crate::graph::proof::is_proven;
use gpuzoo_ir::Function;
use gpuzoo_ir::scalar::{Graph, Id, Options};
use gpuzoo_isa::{FileKind, Isa, Mask, Profile, Program, Reg, Role};
use gpuzoo_machine::ShaderUnit;
use rustc_hash::FxHashMap as HashMap;

/// The most slots of a program that is tidied: each slot asks for a proof.
pub const MOST_SLOTS: usize = 2_048;

/// The program without what it does not need.
pub fn tidy(unit: &dyn ShaderUnit, program: &Program) -> Program {
    let mut program = program.clone();
    // From the end, so that what only a dead instruction reads is dead when it is met.
    let mut at = program.slots.len();
    while at > 0 {
        at -= 1;
        if let Some(shorter) = without(unit, &program, at) {
            program = shorter;
        }
    }
    let mut at = 0;
    while at < program.slots.len() {
        match read_elsewhere(unit, &program, at) {
            Some(shorter) => program = shorter,
            None => at += 1,
        }
    }
    program
}

/// The program without a slot, if that does the same.
fn without(unit: &dyn ShaderUnit, program: &Program, at: usize) -> Option<Program> {
    let lowered = unit.lower(program, &Profile::default().into()).0;
    let is_internal = program.slots[at].insts().any(|inst| inst.op.internal);
    if is_internal || lowered.end == Some(at) {
        return None;
    }
    let mut shorter = program.clone();
    shorter.slots.remove(at);
    is_proven(unit, program, &shorter).then_some(shorter)
}

/// The program without a slot whose result another register holds already: what reads it reads that one.
fn read_elsewhere(unit: &dyn ShaderUnit, program: &Program, at: usize) -> Option<Program> {
    let isa = unit.isa();
    let (written, others) = holders(unit, program, at)?;
    others.into_iter().find_map(|other| {
        let mut shorter = program.clone();
        for slot in &mut shorter.slots[at + 1..] {
            let Some(inst) = &mut slot.inst else { continue };
            let mut overwrites = false;
            for part in inst.op.parts {
                let operand = &mut inst.operands[usize::from(part.operand)];
                let is_it = operand.reg == written && operand.immediates.is_empty();
                match part.role {
                    Role::Read if is_it => operand.reg = other,
                    Role::Write | Role::ReadWrite => overwrites |= is_it,
                    _ => {}
                }
            }
            slot.bits = isa.slot(isa.encode(inst), slot.span).bits;
            if overwrites {
                break;
            }
        }
        shorter.slots.remove(at);
        is_proven(unit, program, &shorter).then_some(shorter)
    })
}

/// The temporary that a slot writes, and the temporaries that hold the same before it.
fn holders(unit: &dyn ShaderUnit, program: &Program, at: usize) -> Option<(Reg, Vec<Reg>)> {
    let isa = unit.isa();
    let lowered = unit.lower(program, &Profile::default().into()).0;
    let writes: Vec<_> =
        lowered.steps.iter().flat_map(|step| step.writes.iter().map(|write| (step.slot, *write))).collect();
    let values =
        lowered.initial.iter().map(|(_, value)| *value).chain(writes.iter().map(|(_, (_, value, _))| *value));
    let outputs = (0..=u16::MAX).zip(values).collect();
    let graph = Graph::new(&Function { outputs, ..lowered.function.clone() }, &Options::default());
    let (start, rest) = graph.outputs().split_at_checked(lowered.initial.len())?;
    let mut now: HashMap<Reg, [Id; 4]> =
        lowered.initial.iter().map(|(reg, _)| *reg).zip(start.iter().copied()).collect();
    let mut found = None;
    for ((slot, (reg, _, mask)), ids) in writes.iter().zip(rest) {
        if *slot == at {
            // One register, and one that is not looked at afterwards.
            if found.is_some() || !is_temporary(isa, *reg) {
                return None;
            }
            found = Some((*reg, *mask, *ids));
        } else if found.is_some() {
            break;
        }
        if found.is_none() {
            now.insert(*reg, *ids);
        }
    }
    let (written, mask, ids) = found?;
    let same = |other: &[Id; 4]| {
        (0..4).filter(|at| Mask(mask.0).has(*at)).all(|at| other[usize::from(at)] == ids[usize::from(at)])
    };
    let mut others: Vec<Reg> = now
        .iter()
        .filter(|(reg, other)| **reg != written && is_temporary(isa, **reg) && same(other))
        .map(|(reg, _)| *reg)
        .collect();
    others.sort();
    Some((written, others))
}

fn is_temporary(isa: &Isa, reg: Reg) -> bool {
    matches!(isa.file(reg).kind, FileKind::Temporary(_))
}
