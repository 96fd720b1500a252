//! Machines that run one instruction in a slot: what a compiler has to know about them besides the table.

use gpuzoo_isa::{Interface, Op, Program, Reg, Slot, Stage};

/// What programs of a machine with one instruction a slot are made of.
///
/// Everything about single instructions (their meaning, their operands, masks and swizzles) is in the machine's table.
pub trait Sequence: Sync {
    /// The registers that a program of a stage may compute in, the best first.
    fn temporaries(&self, stage: Stage) -> Vec<Reg>;

    /// The file of the constants that the numbers of [`Conventions::constants`](crate::target::conventions::Conventions::constants)
    /// count.
    fn constant_file(&self) -> u8;

    /// The value that says a number in an instruction of a row, for operands that can be numbers. None if there is none that says
    /// just these bits.
    fn number(&self, op: &Op, bits: u32) -> Option<u32>;

    /// Operations of the IR that an instruction stands for, though zeros, infinities and NaN may come out otherwise: the operation's
    /// name and the instruction's.
    fn stands_for(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// How many inputs, outputs and uniforms a program may have, on machines whose programs declare the registers of all three.
    /// Components of inputs and uniforms that are not declared are zeros.
    fn declared(&self) -> Option<usize> {
        None
    }

    /// True if all other registers start as zeros, because programs see to it.
    fn starts_with_zeros(&self) -> bool {
        false
    }

    /// The components of an input's register that must be left as they were, as a mask; bit 0 is x.
    fn kept(&self, _stage: Stage, _input: usize) -> u8 {
        0
    }

    /// A whole program of a stage from its own instructions, and the place of the first of them. Programs that declare their registers
    /// have them in `interface`.
    fn program(&self, interface: Interface, body: Vec<Slot>) -> (Program, usize);
}
