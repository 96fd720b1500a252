//! Instructions over registers without number or limit, from which [`emit`](super::emit) builds a program.

use super::cover::Wanted;
use crate::graph::lanes::Lane;
use gpuzoo_isa::{Mask, Reg, Swizzle};

/// A register of a draft, by its place in [`Draft::vregs`].
pub type Vreg = usize;

/// A register of a draft. Each component is written once.
#[derive(Clone, Debug, Default)]
pub struct Virtual {
    /// What each component holds, once it is written.
    pub content: Wanted,
    /// Components that are zero or, where the others are not numbers, no number.
    pub nearly_zero: u8,
    /// The register that it has to be, if it has to be a certain one.
    pub fixed: Option<Reg>,
    /// True if it holds what it does when the program begins.
    pub given: bool,
    /// Components that are looked at when the program has run.
    pub leaves: u8,
}

/// What an instruction reads.
#[derive(Clone, Debug, PartialEq)]
pub enum Arg {
    /// A register.
    Vreg {
        /// Which.
        vreg: Vreg,
        /// How it is read.
        swizzle: Swizzle,
        /// True if the sign is flipped.
        negate: bool,
        /// Its components that are read.
        reads: u8,
    },
    /// Values.
    Values(Vec<u32>),
}

/// An instruction.
#[derive(Clone, Debug)]
pub struct Step {
    /// Its rule.
    pub rule: usize,
    /// What it writes; none of a kill.
    pub target: Option<Vreg>,
    /// The components that it computes.
    pub mask: Mask,
    /// The components that it overwrites.
    pub overwrites: Mask,
    /// What it reads, in the order of the rule's sources.
    pub args: Vec<Arg>,
    /// Where it comes from: a place among the shader's origins.
    pub origin: gpuzoo_ir::Origin,
    /// True if every component is copied to its own place.
    pub in_place_copy: bool,
    /// True if it computes what it comes from, and does not only prepare for that.
    pub is_result: bool,
}

/// A program without registers.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    /// The registers.
    pub vregs: Vec<Virtual>,
    /// The instructions.
    pub steps: Vec<Step>,
    /// Registers that are the same one.
    pub same: Vec<[Vreg; 2]>,
    /// Registers that follow each other.
    pub groups: Vec<Vec<Vreg>>,
    /// Values of constants, from the first one behind the uniforms on.
    pub literals: Vec<[Option<u32>; 4]>,
    /// The register of each output, in the order of the function's.
    pub outputs: Vec<Vreg>,
    /// The register of each input of the function, where it has one.
    pub inputs: Vec<(u16, Vreg)>,
    /// The register of each uniform of the function, where it has one.
    pub uniforms: Vec<(u16, Vreg)>,
}

impl Draft {
    /// True if a component of a register holds something.
    pub fn holds(&self, vreg: Vreg, component: u8, lane: Lane, nearly: bool) -> bool {
        self.vregs.get(vreg).is_some_and(|own| {
            let component = usize::from(component & 3);
            own.content[component] == Some(lane)
                || nearly && lane == Lane::Bits(0) && own.nearly_zero >> component & 1 == 1
        })
    }
}
