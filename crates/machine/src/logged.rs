//! A draw as a log of the commands tells it that a machine was sent.

use crate::Modes;
use gpuzoo_diag::Diagnostic;
use gpuzoo_ir::Vec4;

/// What a log says of one draw: the program, and all that it runs with as far as the log has it.
#[derive(Clone, Debug, Default)]
pub struct Logged {
    /// The program's words, as in a binary.
    pub words: Vec<u32>,
    /// The constants that were set, by number.
    pub constants: Vec<(u16, Vec4)>,
    /// The inputs that have values, each once.
    pub inputs: Vec<u16>,
    /// Their values, vertex after vertex, in the order of `inputs`.
    pub values: Vec<Vec4>,
    /// The machine's modes, as far as the log sets them.
    pub modes: Modes,
    /// What there is to say of it: which draw it is, and what the log does not have.
    pub remarks: Vec<Diagnostic>,
}
