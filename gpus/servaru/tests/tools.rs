//! What tools rest on that make programs and vertices: points 8 and 9 of the specification.

use gpuzoo_diag::{File, Severity};
use gpuzoo_ir::vec4;
use gpuzoo_isa::{Interface, Program, Reg, Stage};
use gpuzoo_machine::target::conventions::{Port, Sampling};
use gpuzoo_machine::{Gpu, ShaderUnit, TextOptions, TextureRead};
use gpuzoo_servaru::{GPU, ISA, lowered, stage};

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

/// Every port of every number, and no other: nine attributes, six varyings; all others are none.
#[test]
fn every_port_has_its_register_or_none() {
    let ports = GPU.conventions().unwrap();
    for at in (0..=40).chain([u16::MAX - 1, u16::MAX]) {
        let port = Port::Location(at);
        let some = |has: bool, reg: u16| has.then_some(reg);
        let input = |stage| number(ports.input(stage, port));
        assert_eq!(input(Stage::Vertex), some(at < 9, at), "{at}");
        assert_eq!(input(Stage::Fragment), some(at < 6, at), "{at}");
        let output = |stage| number(ports.output(stage, port));
        assert_eq!(output(Stage::Vertex), some(at < 6, at.wrapping_add(10)), "{at}");
        assert_eq!(output(Stage::Fragment), some(at == 0, 9), "{at}");
    }
    for stage in ports.stages() {
        assert_eq!(
            (ports.input(*stage, Port::PointSize), ports.output(*stage, Port::PointSize)),
            (None, None)
        );
        assert_eq!(ports.input(*stage, Port::Depth), None);
        // All that programs take and give lies in the shared registers, and the pipeline takes outputs as what they are.
        let all = (0..9).map(Port::Location).chain([Port::Position, Port::Depth]);
        for port in all {
            for reg in [ports.input(*stage, port), ports.output(*stage, port)].into_iter().flatten() {
                assert_eq!(ISA.reg_name(reg), format!("P{}", reg.index));
            }
            if let Some(reg) = ports.output(*stage, port) {
                assert_eq!(ports.port(*stage, reg.index), Some(port));
            }
        }
        let taken = (0..20).filter(|number| ports.port(*stage, *number).is_some());
        let expected: &[u16] = match stage {
            Stage::Vertex => &[9, 10, 11, 12, 13, 14, 15],
            // What `ZTS` noted is number 16.
            Stage::Fragment => &[9, 10, 16],
        };
        assert_eq!(taken.collect::<Vec<u16>>(), expected);
        // Point 10: the seed's 128 uniforms.
        assert_eq!(ports.constants(*stage), 0..128);
    }
}

/// Point 21: four units, each read in three ways; and the pipeline finds back which is which.
#[test]
fn every_unit_can_be_read_in_three_ways() {
    let (ports, programs) = (GPU.conventions().unwrap(), GPU.fragment_programs().unwrap());
    let ways = [
        (Sampling::Filtered, TextureRead::Filtered),
        (Sampling::Biased, TextureRead::Biased),
        (Sampling::Texel, TextureRead::Texel),
    ];
    let mut all = Vec::new();
    for (sampling, read) in ways {
        for unit in 0..4 {
            let sample = ports.sample(sampling, unit).unwrap();
            assert_eq!((programs.unit(sample), programs.read(sample)), (usize::from(unit), read));
            assert!(!all.contains(&sample));
            all.push(sample);
        }
        assert_eq!([4, 5, 255].map(|unit| ports.sample(sampling, unit)), [None; 3]);
    }
}

/// All of R, and of P what is neither input nor output; the uniforms; numbers that fit 13 bits.
#[test]
fn compiled_programs_are_made_of_instructions() {
    let sequence = GPU.sequence().unwrap();
    let names =
        |range: std::ops::Range<u16>, file: &str| range.map(|at| format!("{file}{at}")).collect::<Vec<_>>();
    for stage in [Stage::Vertex, Stage::Fragment] {
        let all: Vec<String> = sequence.temporaries(stage).into_iter().map(|reg| ISA.reg_name(reg)).collect();
        assert_eq!(all, [names(0..32, "R"), names(16..32, "P")].concat());
        assert_eq!((0..9).map(|input| sequence.kept(stage, input)).max(), Some(0));
    }
    let uniforms = |index| ISA.reg_name(Reg { file: sequence.constant_file(), index });
    assert_eq!([uniforms(0), uniforms(127)], ["U0", "U127"]);
    let add = ISA.op("ADD").unwrap();
    for (number, field) in
        [(0.5f32, Some(0x0700)), (-1.0, Some(0x1780)), (65280.0, Some(0x0f7f)), (0.1, None)]
    {
        assert_eq!(sequence.number(add, number.to_bits()), field, "{number}");
    }
    for (_, mnemonic) in sequence.stands_for() {
        assert!(ISA.op(mnemonic).is_some());
    }
    assert_eq!((sequence.declared(), sequence.starts_with_zeros()), (None, false));
    let text = assembled("MOV P9, P0\nMOV R0, U3\n");
    for stage in [Stage::Vertex, Stage::Fragment] {
        let interface = Interface { stage, ..Interface::default() };
        let (program, first) = sequence.program(interface.clone(), text.slots.clone());
        assert_eq!((program.words(&ISA), first, program.interface), (text.words(&ISA), 0, Some(interface)));
    }
}

fn assembled(text: &str) -> Program {
    let assembled = GPU.assemble(&File::new("t", text), &TextOptions::default());
    assert!(assembled.ok(), "{text}: {:?}", assembled.diagnostics);
    assembled.program
}

/// What the samples of the package take: P0 position, P1 normal, P2 texture coordinates; a colour behind them.
#[test]
fn what_a_program_without_a_scene_is_drawn_with() {
    let starter = |text: &str| GPU.starter(&assembled(text), (640, 480));
    let vertex = starter(".vertex\nMOV P9, P0");
    assert_eq!((vertex.position, vertex.rows, vertex.to_screen, vertex.clear_depth), (9, 4, None, None));
    let inputs = [
        (0, "position", "FLOAT3"),
        (1, "normal", "FLOAT3"),
        (2, "texcoord", "FLOAT2"),
        (3, "color", "FLOAT4"),
    ];
    assert_eq!(vertex.inputs, inputs);
    assert!(
        inputs.iter().all(|(.., name)| GPU.about().vertex_formats.iter().any(|format| format.name == *name))
    );
    // Both windings, and samples where most machines have them: settings of the draw.
    assert_eq!(vertex.state, [("sample", "\"centre\""), ("cull", "\"none\"")]);
    assert_eq!(vertex.partner, None);
    let fragment = starter(".fragment\nMOV P9, P0");
    assert_eq!((fragment.inputs, fragment.state), (vertex.inputs, vertex.state));
    // The vertex program: rows of the matrix in U0 to U3, those of the way to the eye in U4 to U6.
    let program = assembled(&fragment.partner.unwrap());
    assert_eq!(
        (
            stage(&program),
            GPU.check(&program).iter().filter(|problem| problem.severity > Severity::Note).count()
        ),
        (Stage::Vertex, 0)
    );
    let inputs =
        [[1.0, 2.0, 3.0, 1.0], [0.0, 0.5, -1.0, 1.0], [0.25, 0.75, 0.0, 1.0], [0.125, 0.25, 0.375, 0.5]]
            .map(vec4);
    let rows = [
        [2.0, 0.0, 0.0, 1.0],
        [0.0, 4.0, 0.0, 2.0],
        [0.0, 0.0, 0.5, 3.0],
        [0.0, 0.0, 1.0, 0.0],
        [1.0, 0.0, 0.0, 10.0],
        [0.0, 1.0, 0.0, 20.0],
        [0.0, 0.0, 1.0, 30.0],
    ];
    let given =
        gpuzoo_ir::eval::outputs(&lowered(&program, Stage::Vertex).function, &inputs, &rows.map(vec4));
    let expected = [
        [2.0 + 1.0, 8.0 + 2.0, 1.5 + 3.0, 3.0],
        // texture coordinates; the normal, turned but not moved; the way to the eye; the colour
        [0.25, 0.75, 0.0, 1.0],
        [0.0, 0.5, -1.0, 0.0],
        [-(1.0 + 10.0), -(2.0 + 20.0), -(3.0 + 30.0), 0.0],
        [0.125, 0.25, 0.375, 0.5],
    ];
    assert_eq!(given[..5], expected.map(vec4));
}
