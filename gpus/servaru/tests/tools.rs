//! What tools rest on that make programs and vertices: points 8 and 9 of the specification.

use gpuzoo_isa::{Reg, Stage};
use gpuzoo_machine::ShaderUnit;
use gpuzoo_machine::conventions::Port;
use gpuzoo_servaru::GPU;

fn number(reg: Option<Reg>) -> Option<u16> {
    reg.map(|reg| reg.index)
}

/// Attributes and varyings from P0 on, a fragment's place in P8; the position and the colour in P9, varyings and the depth
/// behind it.
#[test]
fn compiled_programs_find_their_registers() {
    let ports = GPU.conventions().unwrap();
    assert_eq!(ports.stages(), [Stage::Vertex, Stage::Fragment]);
    let input = |stage, port| number(ports.input(stage, port));
    let vertex = [0, 8, 9].map(|at| input(Stage::Vertex, Port::Location(at)));
    assert_eq!(vertex, [Some(0), Some(8), None]);
    let fragment = [0, 5, 6].map(|at| input(Stage::Fragment, Port::Location(at)));
    assert_eq!(fragment, [Some(0), Some(5), None]);
    assert_eq!(
        [input(Stage::Fragment, Port::Position), input(Stage::Vertex, Port::Position)],
        [Some(8), None]
    );
    let output = |stage, port| number(ports.output(stage, port));
    let vertex = [Port::Position, Port::Location(0), Port::Location(5), Port::Location(6), Port::Depth];
    assert_eq!(vertex.map(|port| output(Stage::Vertex, port)), [Some(9), Some(10), Some(15), None, None]);
    let fragment = [Port::Location(0), Port::Depth, Port::Location(1), Port::Position];
    assert_eq!(fragment.map(|port| output(Stage::Fragment, port)), [Some(9), Some(10), None, None]);
}

/// The pipeline takes back what compilers count on.
#[test]
fn outputs_of_a_function_are_ports() {
    let ports = GPU.conventions().unwrap();
    let vertex = [8, 9, 10, 15, 16].map(|number| ports.port(Stage::Vertex, number));
    let [varying, last] = [0, 5].map(|number| Some(Port::Location(number)));
    assert_eq!(vertex, [None, Some(Port::Position), varying, last, None]);
    let fragment = [9, 10, 11].map(|number| ports.port(Stage::Fragment, number));
    assert_eq!(fragment, [Some(Port::Location(0)), Some(Port::Depth), None]);
}

/// Position, normal and texture coordinates as floats.
#[test]
fn the_common_layout() {
    let layout = GPU.default_layout();
    let attributes = layout.attributes.iter();
    let all: Vec<_> =
        attributes.map(|attribute| (attribute.input, attribute.offset, attribute.format.bytes)).collect();
    assert_eq!((layout.stride, all), (32, vec![(0, 0, 12), (1, 12, 12), (2, 24, 8)]));
    // The nine inputs all have something to read.
    let inputs = GPU.complete_layout(layout).attributes;
    assert!((0..9).all(|input| inputs.iter().filter(|attribute| attribute.input == input).count() == 1));
}
