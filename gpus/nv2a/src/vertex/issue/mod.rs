//! Pairs of instructions, as a back end sees them.

pub mod copy;
pub mod pair;
pub mod unpair;

use crate::ISA;
use crate::vertex::encoding::{FIRST_SOURCE, MAX_SLOTS, PORT, TEMP, target, with_final};
use crate::vertex::issue::pair::pair;
use crate::vertex::issue::unpair::statements;
use crate::vertex::ops::rows;
use crate::vertex::program::facts::running;
use crate::vertex::regs::{A, C, OFOG, R, R1, V};
use crate::vertex::rules::REFERENCE_REFUSES;
use gpuzoo_diag::Span;
use gpuzoo_isa::{Bits, Inst, MAX_OPERANDS, Mask, Operand, Program, Reg, Slot, Written};
use gpuzoo_machine::target::slots::Slots;

/// The pairing of this machine.
pub struct Pairs;

impl Slots for Pairs {
    fn running<'a>(&self, program: &'a Program) -> &'a [Slot] {
        let slots = running(program);
        &slots[..slots.len().min(MAX_SLOTS)]
    }

    fn statements(&self, slot: &Slot) -> Option<Vec<Inst>> {
        statements(slot)
    }

    fn destination(&self, statement: &Inst) -> Operand {
        *target(statement)
    }

    fn statement(&self, name: &str, destination: Operand, sources: &[Operand]) -> Option<Inst> {
        let op = rows(name).into_iter().flatten().next()?;
        let mut inst = Inst::new(op);
        let nothing = Operand { mask: Mask(0), ..Operand::default() };
        (inst.operands[TEMP], inst.operands[PORT]) = match destination.reg.file {
            A => (destination, inst.operands[PORT]),
            R => (destination, nothing),
            _ => (nothing, destination),
        };
        if inst.reads().count() != sources.len() {
            return None;
        }
        inst.operands[FIRST_SOURCE..]
            .iter_mut()
            .zip(sources)
            .for_each(|(operand, source)| *operand = *source);
        Some(inst)
    }

    fn join(&self, statements: &[Inst]) -> Option<Vec<Inst>> {
        // Most of what does not fit reads two inputs or two constants; no words are needed for that.
        let reads =
            |file| statements.iter().flat_map(Inst::reads).filter(move |(_, own)| own.reg.file == file);
        let is_one = |file| {
            let mut all = reads(file).map(|(_, own)| (own.reg, own.relative));
            let first = all.next();
            all.all(|other| Some(other) == first)
        };
        if !is_one(V) || !is_one(C) {
            return None;
        }
        let written = |inst: &Inst| Written {
            inst: *inst,
            spans: [Span::default(); MAX_OPERANDS],
            span: Span::default(),
            joined: false,
            form: None,
        };
        let written: Vec<Written> = statements.iter().map(written).collect();
        let mut problems = Vec::new();
        let insts = pair(&written, &mut problems)?;
        // What the reference assembler cannot say, the machine can do; all other warnings are of slots that do something else.
        problems.iter().all(|problem| problem.code == &REFERENCE_REFUSES).then_some(insts)
    }

    fn paired_temporary(&self) -> Reg {
        R1
    }

    fn keeps_order(&self, output: Reg) -> bool {
        // The first component that the last write enables is the fog.
        output == OFOG
    }

    fn with_slots(&self, program: &Program, mut slots: Vec<Slot>) -> Program {
        if slots.is_empty() {
            slots.push(ISA.slot(Bits::default(), program.span));
        }
        if let Some(last) = slots.last_mut() {
            last.bits = with_final(last.bits, true);
        }
        Program { slots, ..program.clone() }
    }
}
