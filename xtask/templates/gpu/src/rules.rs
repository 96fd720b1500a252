//! What a legal program may not do, and what a sensible one does not do.

use crate::{ISA, lowered};
use gpuzoo_diag::Diagnostic;
use gpuzoo_isa::Program;

gpuzoo_diag::codes! {
    UNDEFINED_READ = "Z0101", "register is read before it is written",
        "Nothing has written these components when the instruction reads them.";
}

/// What is suspicious about a program.
pub fn check(program: &Program) -> Vec<Diagnostic> {
    ISA.read_before_write(&program.slots, &lowered(program), &UNDEFINED_READ, "registers start as zeros")
}
