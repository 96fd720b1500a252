//! Where compiled programs find their inputs and leave their outputs (spec section 1).

use crate::vertex::regs::{C, CONSTANTS, O, V, VIEWPORT};
use gpuzoo_isa::{Reg, Stage};
use gpuzoo_machine::target::conventions::{Conventions, Port, Positions};
use std::ops::Range;

/// The conventions of this machine: inputs by their numbers, outputs in the order of colours, textures, fog.
pub struct Ports;

/// The outputs of locations, from 0 on: oD0, oD1, oT0 to oT3, oFog, oB0, oB1.
const LOCATIONS: [u16; 9] = [3, 4, 9, 10, 11, 12, 5, 7, 8];

impl Conventions for Ports {
    fn stages(&self) -> &'static [Stage] {
        &[Stage::Vertex]
    }

    fn input(&self, stage: Stage, port: Port) -> Option<Reg> {
        match port {
            Port::Location(index @ 0..16) if stage == Stage::Vertex => Some(Reg { file: V, index }),
            _ => None,
        }
    }

    fn output(&self, stage: Stage, port: Port) -> Option<Reg> {
        let index = match port {
            Port::Position => 0,
            Port::PointSize => 6,
            Port::Location(location) => *LOCATIONS.get(usize::from(location))?,
            Port::Depth => return None,
        };
        (stage == Stage::Vertex).then_some(Reg { file: O, index })
    }

    fn constants(&self, _: Stage) -> Range<u16> {
        // Direct3D and Cg count from here; below lie what the fixed functions use, and the viewport.
        96..CONSTANTS
    }

    fn positions(&self) -> Positions {
        Positions::Pixels
    }

    fn viewport(&self) -> Option<[Reg; 2]> {
        let [scale, offset] = [*VIEWPORT.start(), *VIEWPORT.end()].map(|index| Reg { file: C, index });
        Some([scale, offset])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ISA;

    #[test]
    fn locations_are_colours_then_textures_then_the_rest() {
        let name = |port| Ports.output(Stage::Vertex, port).map(|reg| ISA.reg_name(reg));
        let all: Vec<String> = (0..10).filter_map(|location| name(Port::Location(location))).collect();
        assert_eq!(all.join(" "), "oD0 oD1 oT0 oT1 oT2 oT3 oFog oB0 oB1");
        assert_eq!(name(Port::Position).as_deref(), Some("oPos"));
        assert_eq!(name(Port::PointSize).as_deref(), Some("oPts"));
        assert_eq!(Ports.output(Stage::Vertex, Port::Depth), None);
        assert_eq!(Ports.output(Stage::Fragment, Port::Position), None);
    }

    #[test]
    fn inputs_are_locations() {
        assert_eq!(Ports.input(Stage::Vertex, Port::Location(9)), Some(Reg { file: V, index: 9 }));
        assert_eq!(Ports.input(Stage::Vertex, Port::Location(16)), None);
        assert_eq!(Ports.input(Stage::Vertex, Port::Position), None);
    }
}
