//! Where compiled programs find what they take and leave what they give (spec section B, item 9).

use crate::lower::Read;
use crate::regs::{COLOR, DEPTH, INPUTS, TESTED, p};
use crate::shade::VARYINGS;
use crate::units::UNITS;
use gpuzoo_isa::{Reg, Stage};
use gpuzoo_machine::target::conventions::{Conventions, Port, Sampling};
use std::ops::Range;

/// The shared registers between the stages, and the uniforms.
#[derive(Debug)]
pub struct Ports;

/// The machine's.
pub static PORTS: Ports = Ports;

/// How many uniforms there are.
const UNIFORMS: u16 = 128;

impl Conventions for Ports {
    fn stages(&self) -> &'static [Stage] {
        &[Stage::Vertex, Stage::Fragment]
    }

    /// Attribute *n* of a vertex is in P*n*; so is varying *n* of a fragment, whose place is in P8.
    fn input(&self, stage: Stage, port: Port) -> Option<Reg> {
        match (stage, port) {
            (Stage::Vertex, Port::Location(number)) => (number < INPUTS).then_some(p(number)),
            (Stage::Fragment, Port::Location(number)) => {
                (usize::from(number) < VARYINGS).then_some(p(number))
            }
            (Stage::Fragment, Port::Position) => Some(p(INPUTS - 1)),
            _ => None,
        }
    }

    /// A vertex leaves its position in P9 and varying *n* in P10 + *n*; a fragment its colour in P9 and its depth in x of P10.
    fn output(&self, stage: Stage, port: Port) -> Option<Reg> {
        match (stage, port) {
            (Stage::Vertex, Port::Position) | (Stage::Fragment, Port::Location(0)) => Some(COLOR),
            (Stage::Vertex, Port::Location(number)) => {
                (usize::from(number) < VARYINGS).then(|| p(COLOR.index + 1 + number))
            }
            (Stage::Fragment, Port::Depth) => Some(DEPTH),
            _ => None,
        }
    }

    /// What `ZTS` tested is the depth, too, even if something else is in P10.
    fn port(&self, stage: Stage, number: u16) -> Option<Port> {
        let fragment = stage == Stage::Fragment;
        match number {
            _ if number == COLOR.index => Some(if fragment { Port::Location(0) } else { Port::Position }),
            _ if fragment => (number == DEPTH.index || number == TESTED.index).then_some(Port::Depth),
            _ => {
                let varying = number.checked_sub(COLOR.index + 1)?;
                (usize::from(varying) < VARYINGS).then_some(Port::Location(varying))
            }
        }
    }

    fn constants(&self, _: Stage) -> Range<u16> {
        0..UNIFORMS
    }

    /// `TEX`, `TXB` and `TXF`.
    fn sample(&self, sampling: Sampling, unit: u8) -> Option<u8> {
        let read = match sampling {
            Sampling::Filtered => Read::Filtered,
            Sampling::Biased => Read::Biased,
            Sampling::Texel => Read::Texel,
        };
        (usize::from(unit) < UNITS).then(|| read.sample(unit))
    }
}
