//! Runs in a log of the commands that a machine was sent: draws, and launches of state programs.

use crate::Modes;
use gpuzoo_diag::Diagnostic;
use gpuzoo_ir::Vec4;

/// A run of a program that a log contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// A draw, counted from 0 through the draws of the log.
    Draw(u64),
    /// A launch of a state program, counted from 0 through the launches of the log.
    Launch(u64),
}

/// The program of one draw or launch of a log, and the state that it runs with, as far as the log has it.
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
    /// Notes and warnings: which draw was taken, and what the log does not have.
    pub remarks: Vec<Diagnostic>,
}
