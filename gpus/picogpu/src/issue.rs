//! What compiled programs are made of.

use crate::ISA;
use crate::lower::takes_floats;
use crate::program::complete;
use crate::regs::{COUNT, MAX_PORTS, U, r};
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
        (0..COUNT).map(r).collect()
    }

    fn constant_file(&self) -> u8 {
        U
    }

    /// Infinities and NaN have no text but as integers, which only `iinit` takes for them.
    fn number(&self, op: &Op, bits: u32) -> Option<u32> {
        let finite = !takes_floats(op) || f32::from_bits(bits).is_finite();
        finite.then_some(bits)
    }

    fn declared(&self) -> Option<usize> {
        Some(MAX_PORTS)
    }

    /// `initregs` stands in front of the program.
    fn starts_with_zeros(&self) -> bool {
        true
    }

    /// A fragment's depth goes from z of its first input's register to the depth buffer.
    fn kept(&self, stage: Stage, input: usize) -> u8 {
        if stage == Stage::Fragment && input == 0 { 0b0100 } else { 0 }
    }

    /// A program that only hands on what it takes has a `trap`, since there must be some instruction.
    fn program(&self, interface: Interface, mut body: Vec<Slot>) -> (Program, usize) {
        let trap = ISA.op("trap").filter(|_| body.is_empty());
        body.extend(trap.map(|trap| ISA.slot(ISA.encode(&Inst::new(trap)), Span::default())));
        complete(interface, body)
    }
}
