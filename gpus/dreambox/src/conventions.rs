//! Where compiled programs find what they take and leave what they give (spec sections 2 and 5).

use crate::ISA;
use crate::regs::{CONSTANT, INPUT, OUTPUT};
use gpuzoo_isa::{Reg, Stage};
use gpuzoo_machine::target::conventions::{Conventions, Port};
use std::ops::Range;

/// Inputs, outputs and constants, each with instructions of its own.
#[derive(Debug)]
pub struct Ports;

/// The machine's.
pub static PORTS: Ports = Ports;

/// The outputs for locations, in order: colours come first, then texture coordinates.
const LOCATIONS: [u16; 3] = [2, 3, 1];

impl Conventions for Ports {
    fn stages(&self) -> &'static [Stage] {
        &[Stage::Vertex]
    }

    /// Attribute *n* is input *n*.
    fn input(&self, stage: Stage, port: Port) -> Option<Reg> {
        match (stage, port) {
            (Stage::Vertex, Port::Location(index)) => {
                let input = Reg { file: INPUT, index };
                (index < ISA.file(input).count).then_some(input)
            }
            _ => None,
        }
    }

    /// The position is `pos`; locations 0 and 1 are the colours `col` and `ocol`, location 2 is `tex`.
    fn output(&self, stage: Stage, port: Port) -> Option<Reg> {
        let index = match (stage, port) {
            (Stage::Vertex, Port::Position) => 0,
            (Stage::Vertex, Port::Location(number)) => *LOCATIONS.get(usize::from(number))?,
            _ => return None,
        };
        Some(Reg { file: OUTPUT, index })
    }

    fn constants(&self, _: Stage) -> Range<u16> {
        0..ISA.file(Reg { file: CONSTANT, index: 0 }).count
    }
}
