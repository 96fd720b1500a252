//! What compiled programs are made of.

use crate::number::immediate;
use crate::regs::{END_OUTPUT, P, R, U};
use gpuzoo_isa::{Interface, Op, Program, Reg, Slot, Stage};
use gpuzoo_machine::target::sequence::Sequence;

/// Programs of one instruction a slot.
#[derive(Debug)]
pub struct Programs;

/// The machine's.
pub static PROGRAMS: Programs = Programs;

impl Sequence for Programs {
    /// Shared registers that are neither input nor output come last: they have one read port.
    fn temporaries(&self, _: Stage) -> Vec<Reg> {
        let own = (0..32).map(|index| Reg { file: R, index });
        own.chain((END_OUTPUT..32).map(|index| Reg { file: P, index })).collect()
    }

    fn constant_file(&self) -> u8 {
        U
    }

    fn number(&self, _: &Op, bits: u32) -> Option<u32> {
        immediate::exact(bits).map(u32::from)
    }

    /// `POW` gives 1 for the power 0 and the base 1, where the formula may give NaN.
    fn stands_for(&self) -> &'static [(&'static str, &'static str)] {
        &[("fpow", "POW")]
    }

    fn program(&self, interface: Interface, body: Vec<Slot>) -> (Program, usize) {
        let interface = Some(Interface { stage: interface.stage, ..Interface::default() });
        (Program { slots: body, interface, ..Program::default() }, 0)
    }
}
