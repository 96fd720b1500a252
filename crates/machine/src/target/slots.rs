//! Machines that run several instructions in a slot: what a back end has to know about them besides the table.

use gpuzoo_isa::{Inst, Operand, Program, Reg, Slot};

/// How the instructions of a machine share its slots.
///
/// All instructions of a slot read what there was before it. A *statement* is an instruction with one destination; a slot is made of
/// statements, and of two that compute the same for different destinations the machine computes one.
pub trait Slots: Sync {
    /// The slots of a program that run.
    fn running<'a>(&self, program: &'a Program) -> &'a [Slot];

    /// What a slot does, in the order in which results take effect. None if part of it is undefined.
    fn statements(&self, slot: &Slot) -> Option<Vec<Inst>>;

    /// What a statement writes.
    fn destination(&self, statement: &Inst) -> Operand;

    /// A statement of its mnemonic, its destination and its sources, in the order of [`Inst::reads`]. None if there is none.
    fn statement(&self, name: &str, destination: Operand, sources: &[Operand]) -> Option<Inst>;

    /// The instructions of a slot that does all these statements at once; those that the first half of the slot is to do come
    /// first. None if they do not fit.
    ///
    /// Numbers of temporaries may be beyond the machine's: whether statements fit does not depend on them, but for
    /// [`paired_temporary`](Slots::paired_temporary).
    fn join(&self, statements: &[Inst]) -> Option<Vec<Inst>>;

    /// The one temporary that the second half of a slot writes beside the first.
    fn paired_temporary(&self) -> Reg;

    /// True for an output of which not only the last values count, but also which components were written last.
    fn keeps_order(&self, output: Reg) -> bool;

    /// A program with these slots and all else of another; without slots, one that does nothing.
    fn with_slots(&self, program: &Program, slots: Vec<Slot>) -> Program;
}
