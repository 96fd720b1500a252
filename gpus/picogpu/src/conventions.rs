//! Which of the registers that a program declares are what (spec sections 2.3 and 6).

use crate::regs::{MAX_PORTS, R, uniform};
use gpuzoo_isa::{Reg, Stage};
use gpuzoo_machine::target::conventions::{Conventions, Port, Positions};
use std::ops::Range;

/// Inputs, outputs and uniforms by their order. Programs declare the registers that they are in; here a register's number is the
/// place of its declaration.
#[derive(Debug)]
pub struct Ports;

/// The machine's.
pub static PORTS: Ports = Ports;

/// The place of a declaration.
fn nth(number: u16) -> Option<Reg> {
    (usize::from(number) < MAX_PORTS).then_some(Reg { file: R, index: number })
}

impl Conventions for Ports {
    fn stages(&self) -> &'static [Stage] {
        &[Stage::Vertex, Stage::Fragment]
    }

    /// Attribute *n* of a vertex is input *n*. A fragment's first input is its place, so varying *n* is input *n* + 1.
    fn input(&self, stage: Stage, port: Port) -> Option<Reg> {
        match (stage, port) {
            (Stage::Vertex, Port::Location(number)) => nth(number),
            (Stage::Fragment, Port::Location(number)) => nth(number.checked_add(1)?),
            (Stage::Fragment, Port::Position) => nth(0),
            _ => None,
        }
    }

    /// A vertex's first output is its position, so varying *n* is output *n* + 1. A fragment's only output is its colour.
    fn output(&self, stage: Stage, port: Port) -> Option<Reg> {
        match (stage, port) {
            (Stage::Vertex, Port::Position) | (Stage::Fragment, Port::Location(0)) => nth(0),
            (Stage::Vertex, Port::Location(number)) => nth(number.checked_add(1)?),
            _ => None,
        }
    }

    fn positions(&self) -> Positions {
        Positions::PixelsTimesW
    }

    fn constants(&self, stage: Stage) -> Range<u16> {
        let first = uniform(stage, 0).index;
        first..first + MAX_PORTS as u16
    }
}
