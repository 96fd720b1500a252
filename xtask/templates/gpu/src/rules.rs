//! What a legal program may not do, and what a sensible one does not do.

use crate::{ISA, lowered};
use gpuzoo_diag::Diagnostic;
use gpuzoo_isa::Program;

gpuzoo_diag::codes! {
    UNDEFINED_READ = "{{letter}}0101", "register is read before it is written",
        "Nothing has written these lanes when the instruction reads them.";
}

/// What is suspicious about a program.
pub fn check(program: &Program) -> Vec<Diagnostic> {
    let reads = lowered(program).undefined_reads;
    let problem = |read: gpuzoo_isa::UndefinedRead| {
        let message = format!("{}.{} is read before it is written", ISA.reg_name(read.reg), read.lanes);
        Diagnostic::warning(&UNDEFINED_READ, message).label(program.slots[read.slot].span, "read here")
    };
    reads.into_iter().map(problem).collect()
}
