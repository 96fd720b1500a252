//! The rows: one line per instruction.

use crate::encoding::{BINARY, NONE, UNARY};
use crate::lower;
use gpuzoo_isa::Op;

#[rustfmt::skip]
/// All instructions.
pub static OPS: &[Op] = &[
    Op::new(0, "end", NONE,   lower::end).doc("ends the program"),
    Op::new(1, "mov", UNARY,  lower::mov).doc("dst = src"),
    Op::new(2, "add", BINARY, lower::add).doc("dst = dst + src"),
];
