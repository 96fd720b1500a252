//! What compiled programs are made of.

use crate::ISA;
use crate::encoding::MAX_SLOTS;
use crate::ops::END;
use crate::regs::{CONSTANT, R};
use gpuzoo_diag::Span;
use gpuzoo_isa::{Inst, Interface, Op, Program, Reg, Slot, Stage};
use gpuzoo_machine::target::sequence::Sequence;

/// Programs of one instruction a slot.
#[derive(Debug)]
pub struct Programs;

/// The machine's.
pub static PROGRAMS: Programs = Programs;

impl Sequence for Programs {
    fn temporaries(&self, _: Stage) -> Vec<Reg> {
        (0..16).map(|index| Reg { file: R, index }).collect()
    }

    fn constant_file(&self) -> u8 {
        CONSTANT
    }

    /// No operand is a number.
    fn number(&self, _: &Op, _: u32) -> Option<u32> {
        None
    }

    /// With an `end`, where there is room for one, as the assembler does it.
    fn program(&self, _: Interface, mut body: Vec<Slot>) -> (Program, usize) {
        let span = body.last().map_or(Span::default(), |slot| slot.span.after());
        let end = ISA.halves.first().and_then(|half| half.op(u32::from(END)));
        if let Some(end) = end.filter(|_| body.len() < MAX_SLOTS) {
            body.push(ISA.slot(ISA.encode(&Inst::new(end)), span));
        }
        (Program { slots: body, ..Program::default() }, 0)
    }
}
