//! What a compilation can be told, and what comes of it.

use gpuzoo_diag::Span;
use gpuzoo_isa::{Program, Reg, Stage};
use gpuzoo_machine::target::conventions::{Conventions, Port};

/// How hard a back end tries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// In the source's order, for debugging.
    Source,
    /// What is dead is left out, and slots are filled in one order.
    Quick,
    /// Other expansions and other orders are tried.
    #[default]
    Usual,
    /// As many as a fixed limit allows.
    Longest,
}

/// What a back end can be told.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How hard it tries.
    pub level: Level,
    /// Sums may be taken in another order, and choices and floors in ways that are only right for finite numbers of usual sizes.
    pub fast_math: bool,
    /// The first constant that the program may use, where that is not the machine's usual one.
    pub constants_at: Option<u16>,
    /// Positions in clip space are left there, on machines that want them in pixels.
    pub raw_position: bool,
    /// What is computed from uniforms alone is a constant of its own, which the host computes
    /// ([`Program::host`]).
    pub host_constants: bool,
    /// Registers for outputs, where they are not the usual ones.
    pub outputs: Vec<(Port, Reg)>,
}

impl Options {
    /// The register of an output: the one that is given, else the machine's usual one, if there is one.
    pub fn output(&self, conventions: &dyn Conventions, stage: Stage, port: Port) -> Option<Reg> {
        let given = self.outputs.iter().find(|(own, _)| *own == port).map(|(_, reg)| *reg);
        given.or_else(|| conventions.output(stage, port))
    }
}

/// A program that was compiled.
#[derive(Clone, Debug)]
pub struct Built {
    /// The program. Its constants are the uniforms, which have names, and the literals, which have values. The span of a slot is that of the
    /// source text that it comes from, and it says where the source's variables are.
    pub program: Program,
    /// What each instruction of each slot comes from, slot by slot in the order of [`Slot::insts`](gpuzoo_isa::Slot::insts).
    pub lines: Vec<Line>,
    /// No schedule of the chosen operations has fewer slots, and why that is so.
    pub bound: Option<(usize, &'static str)>,
}

/// What an instruction comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The slot.
    pub slot: usize,
    /// Which of the slot's instructions.
    pub half: usize,
    /// The text that it comes from.
    pub span: Span,
    /// The variable that its result is for, if it has a name.
    pub variable: Option<String>,
}
