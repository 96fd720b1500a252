//! What goes into a program and what comes out, on machines whose programs say so themselves.

use crate::operand::{Mask, Reg};
use gpuzoo_diag::Span;

/// Which part of the pipeline a program is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Stage {
    /// It runs for vertices.
    #[default]
    Vertex,
    /// It runs for fragments.
    Fragment,
}

gpuzoo_diag::choices! { Stage, "stage";
    "vertex" => Vertex, "programs that run for vertices";
    "fragment" => Fragment, "programs that run for fragments";
}

/// A register through which values go in or out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Port {
    /// The register.
    pub reg: Reg,
    /// How many of its components, from x on: 1 to 4.
    pub components: u8,
    /// Where it is declared.
    pub span: Span,
}

impl Port {
    /// The components that go in or out.
    pub fn mask(&self) -> Mask {
        Mask(((1u16 << self.components.min(4)) - 1) as u8)
    }
}

/// A program's own word about what it takes and gives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interface {
    /// The stage it is for.
    pub stage: Stage,
    /// What differs from run to run.
    pub inputs: Vec<Port>,
    /// What is the same for all runs of a draw.
    pub uniforms: Vec<Port>,
    /// What leaves.
    pub outputs: Vec<Port>,
    /// True if registers may start with anything in them.
    pub undefined_registers: bool,
    /// The words that a binary has in front of the slots.
    pub header: Vec<u32>,
}
