//! What tools rest on that make programs, vertices and scenes: sections 2.3, 5, 6 and 9 of the specification.

use gpuzoo_diag::{File, Severity};
use gpuzoo_isa::{Interface, Port as Declared, Program, Reg, Stage};
use gpuzoo_machine::target::conventions::{Port, Positions};
use gpuzoo_machine::unit::starter::Starter;
use gpuzoo_machine::{Gpu, ShaderUnit};
use gpuzoo_picogpu::*;

const STAGES: [Stage; 2] = [Stage::Vertex, Stage::Fragment];

fn program(text: &str) -> Program {
    let assembled = assemble(&File::new("t", text), DOCUMENT);
    assert!(assembled.ok(), "{text}\n{:#?}", assembled.diagnostics);
    assembled.program
}

/// Three inputs, three outputs, three uniforms. The first input of a fragment is its place, and the first output of a vertex its
/// position; a fragment has one colour.
#[test]
fn every_port_has_its_place_or_none() {
    let ports = GPU.conventions().unwrap();
    assert_eq!((ports.stages(), ports.positions()), (&STAGES[..], Positions::PixelsTimesW));
    let number = |reg: Option<Reg>| reg.map(|reg| (ISA.reg_name(reg), reg.index));
    let some = |has: bool, at: u16| has.then(|| (format!("r{at}"), at));
    for at in (0..=40).chain([u16::MAX - 1, u16::MAX]) {
        let input = |stage| number(ports.input(stage, Port::Location(at)));
        assert_eq!(input(Stage::Vertex), some(at < 3, at), "{at}");
        assert_eq!(input(Stage::Fragment), some(at < 2, at.wrapping_add(1)), "{at}");
        let output = |stage| number(ports.output(stage, Port::Location(at)));
        assert_eq!(output(Stage::Vertex), some(at < 2, at.wrapping_add(1)), "{at}");
        assert_eq!(output(Stage::Fragment), some(at == 0, 0), "{at}");
    }
    let position =
        STAGES.map(|stage| [ports.input(stage, Port::Position), ports.output(stage, Port::Position)]);
    let position = position.map(|both| both.map(number));
    assert_eq!(position, [[None, some(true, 0)], [some(true, 0), None]]);
    for (stage, port) in STAGES.into_iter().flat_map(|stage| [(stage, Port::Depth), (stage, Port::PointSize)])
    {
        assert_eq!((ports.input(stage, port), ports.output(stage, port)), (None, None));
    }
    let taken = |stage| [0, 1, 2, 3].map(|number| ports.port(stage, number));
    let location = |number| Some(Port::Location(number));
    assert_eq!(taken(Stage::Vertex), [Some(Port::Position), location(0), location(1), None]);
    assert_eq!(taken(Stage::Fragment), [location(0), None, None, None]);
}

/// The words of the pins of its stage are what a program has for constants (section 9).
#[test]
fn constants_are_those_of_the_stages_pins() {
    let (ports, sequence) = (GPU.conventions().unwrap(), GPU.sequence().unwrap());
    let names = STAGES.map(|stage| {
        let all =
            ports.constants(stage).map(|index| ISA.reg_name(Reg { file: sequence.constant_file(), index }));
        all.collect::<Vec<String>>()
    });
    assert_eq!(names, [["vs0", "vs1", "vs2"], ["fs0", "fs1", "fs2"]]);
}

/// Sixteen registers, which `initregs` clears; z of a fragment's first input is its depth; and a value in an instruction is finite
/// where it is a float.
#[test]
fn compiled_programs_are_made_of_instructions() {
    let sequence = GPU.sequence().unwrap();
    for stage in STAGES {
        let all: Vec<String> = sequence.temporaries(stage).into_iter().map(|reg| ISA.reg_name(reg)).collect();
        assert_eq!(all, (0..16).map(|at| format!("r{at}")).collect::<Vec<_>>());
        let kept = [0, 1, 2].map(|input| sequence.kept(stage, input));
        assert_eq!(kept, if stage == Stage::Fragment { [0b0100, 0, 0] } else { [0; 3] });
    }
    assert_eq!((sequence.declared(), sequence.starts_with_zeros()), (Some(3), true));
    let number = |name: &str, value: f32| sequence.number(ISA.op(name).unwrap(), value.to_bits());
    for value in [0.0, -0.0, 0.1, f32::MAX, 1e-40] {
        assert_eq!([number("fadd", value), number("iadd", value)], [Some(value.to_bits()); 2]);
    }
    for value in [f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
        assert_eq!((number("fadd", value), number("iadd", value)), (None, Some(value.to_bits())));
    }
}

/// A program made from declarations and instructions is the one that the assembler makes of a text (section 5): behind `lduni` and
/// `initregs`, and in a fragment program behind 22, 27 or 32 instructions that interpolate, stand its own.
#[test]
fn declarations_and_instructions_make_the_program_of_a_text() {
    let sequence = GPU.sequence().unwrap();
    for (text, first) in [
        ("#vertexShader #input r0.xyz #output r8.xyzw mov r8 r0 fadd r8.x r8 1.0", 2),
        (
            "#vertexShader #input r1.x #input r2.xy #output r8.xyzw #output r9.xy #uniform r3.xyz mov r8 r1 mov r9.xy r2",
            2,
        ),
        ("#vertexShader #input r0.xyzw #output r0.xyzw trap", 2),
        ("#fragmentShader #input r0.xyzw #output r8.xyzw #uniform r2.x mov r8 r2", 22 + 2),
        ("#fragmentShader #input r1.xyzw #input r0.x #output r8.xyzw mov r8 r0 mov r8.w r1", 27 + 2),
        ("#fragmentShader #input r0.xyzw #input r1.xy #input r2.xyzw #output r8.xyzw trap", 32 + 2),
    ] {
        let expected = program(text);
        let own = body(&expected).unwrap();
        let declared = expected.interface.clone().unwrap();
        // The depth of a fragment program is no declaration.
        let outputs = match declared.stage {
            Stage::Vertex => declared.outputs.clone(),
            Stage::Fragment => declared.outputs[..1].to_vec(),
        };
        let interface = Interface { outputs, header: Vec::new(), ..declared };
        let instructions = expected.slots[own.clone()].to_vec();
        // A lone `trap` comes by itself.
        let is_empty = text.ends_with("trap");
        let given = if is_empty { Vec::new() } else { instructions };
        let (made, at) = sequence.program(interface, given);
        assert_eq!((at, own.start), (first, first), "{text}");
        assert_eq!(program_dwords(&made), program_dwords(&expected), "{text}");
        assert_eq!(body(&made), Some(own), "{text}");
        let ports = |program: &Program| {
            let interface = program.interface.clone().unwrap();
            let ports = |all: Vec<Declared>| {
                all.into_iter().map(|port| (port.reg, port.components)).collect::<Vec<_>>()
            };
            [ports(interface.inputs), ports(interface.outputs), ports(interface.uniforms)]
        };
        assert_eq!(ports(&made), ports(&expected));
    }
}

/// Position, normal and colour, three floats each.
#[test]
fn the_common_layout() {
    let layout = GPU.default_layout();
    let attributes = layout.attributes.iter();
    let all: Vec<_> =
        attributes.map(|attribute| (attribute.input, attribute.offset, attribute.format.name)).collect();
    assert_eq!((layout.stride, all), (36, vec![(0, 0, "float3"), (1, 12, "float3"), (2, 24, "float3")]));
}

fn starter(text: &str) -> Starter {
    GPU.starter(&program(text), (100, 50))
}

/// The first input is a position. What has two components is a texture coordinate, a second of three is a normal, all else a colour.
/// A fragment program's attributes are those of the vertex program before it, behind three components of a position.
#[test]
fn attributes_have_the_components_that_programs_take() {
    let position = ["float1", "float2", "float3", "float4"].map(|format| (0, "position", format));
    let second =
        [(1, "color", "float1"), (1, "texcoord", "float2"), (1, "normal", "float3"), (1, "color", "float4")];
    let third =
        [(2, "color", "float1"), (2, "texcoord", "float2"), (2, "color", "float3"), (2, "color", "float4")];
    for at in 0..4 {
        let mask = &"xyzw"[..=at];
        let inputs = |text: &str| starter(text).inputs;
        let head = format!("#vertexShader #output r8.xyzw #input r0.{mask}");
        assert_eq!(inputs(&format!("{head} mov r8 r0")), [position[at]]);
        let all = inputs(&format!("{head} #input r3.{mask} #input r2.{mask} mov r8 r0"));
        assert_eq!(all, [position[at], second[at], third[at]]);
        let head = "#fragmentShader #output r8.xyzw #input r0.xyzw";
        assert_eq!(inputs(&format!("{head} mov r8 r0")), [position[2]]);
        let all = inputs(&format!("{head} #input r3.{mask} #input r2.{mask} mov r8 r0"));
        assert_eq!(all, [position[2], second[at], third[at]]);
        for (_, _, format) in all {
            assert!(GPU.about().vertex_formats.iter().any(|known| known.name == format));
        }
    }
    assert_eq!(GPU.starter(&Program::default(), (100, 50)).inputs, []);
}

/// Programs do the way to pixels: row 0 is the upper one, and what comes out as z / w is the distance (sections 5 and 8).
#[test]
fn the_way_to_the_screen() {
    let starter = starter("#vertexShader #input r0.xyz #output r8.xyzw mov r8 r0");
    assert_eq!((starter.position, starter.rows, starter.clear_depth), (0, 3, Some(1000)));
    assert_eq!(starter.state, [("depth_test", "true"), ("no_limits", "true")]);
    let keys: Vec<&str> = GPU.about().settings.iter().map(|key| key.name()).collect();
    assert!(starter.state.iter().all(|(key, _)| keys.contains(key)));
    let columns = starter.to_screen.unwrap();
    let shown =
        |clip: [f64; 4]| [0, 1, 2].map(|row| (0..4).map(|at| columns[at][row] * clip[at]).sum::<f64>());
    // Corners of the clip space, at w = 1 and at w = 2: pixels times w, and w.
    for (clip, expected) in [
        ([-1.0, 1.0, 0.5, 1.0], [0.0, 0.0, 1.0]),
        ([1.0, -1.0, 0.5, 1.0], [100.0, 50.0, 1.0]),
        ([0.0, 0.0, -1.0, 1.0], [50.0, 25.0, 1.0]),
        ([2.0, 0.0, 1.0, 2.0], [200.0, 50.0, 2.0]),
    ] {
        assert_eq!(shown(clip), expected, "{clip:?}");
    }
}

/// What a partner's text makes of dwords: it has no warnings, and fits the program.
fn answered(partner: &str, pair: impl Fn(&Program) -> [Program; 2], data: &[f32]) -> Vec<f32> {
    let other = program(partner);
    let warnings = check(&other).into_iter().filter(|problem| problem.severity > Severity::Note);
    assert_eq!(warnings.map(|problem| problem.message).collect::<Vec<_>>(), [""; 0], "{partner}");
    let [vertex, fragment] = pair(&other);
    assert_eq!(check_pair(&vertex, &fragment), [], "{partner}");
    let mut unit = Unit::new(UNIT);
    let data = data.iter().map(|float| float.to_bits());
    program_dwords(&other)
        .into_iter()
        .chain(execute(1))
        .chain(data)
        .for_each(|dword| unit.push(dword).unwrap());
    std::iter::from_fn(|| unit.take()).map(f32::from_bits).collect()
}

/// A vertex program's attributes are shown: the first around grey, times the second; of the fourth component nothing.
#[test]
fn the_fragment_program_of_a_vertex_program() {
    for (outputs, attributes, color) in [
        ("", vec![], [0.75, 0.75, 0.75, 1.0]),
        ("#output r9.x", vec![-1.0], [0.0, 0.75, 0.75, 1.0]),
        ("#output r9.xy", vec![1.0, 0.0], [1.0, 0.5, 0.75, 1.0]),
        ("#output r9.xyz", vec![0.5, -0.5, 0.0], [0.75, 0.25, 0.5, 1.0]),
        ("#output r9.xyzw", vec![0.5, -0.5, 0.0, 9.0], [0.75, 0.25, 0.5, 1.0]),
        ("#output r9.x #output r10.x", vec![1.0, 0.5], [0.5, 0.75, 0.75, 1.0]),
        ("#output r9.xyz #output r10.xy", vec![1.0, 0.0, 1.0, 0.5, 0.25], [0.5, 0.125, 1.0, 1.0]),
        (
            "#output r9.xy #output r10.xyzw",
            vec![1.0, 0.0, 0.5, 0.25, 0.125, 9.0],
            [0.5, 0.125, 0.75 / 8.0, 1.0],
        ),
    ] {
        let vertex = program(&format!("#vertexShader #input r0.xyz #output r8.xyzw {outputs} mov r8 r0"));
        let partner = GPU.starter(&vertex, (100, 50)).partner.unwrap();
        // A pixel in a triangle with legs of 4, at distance 1, where the attributes are the same at all corners.
        let corners = [[0.0, 0.0, 1.0], [4.0, 0.0, 1.0], [0.0, 4.0, 1.0]];
        let corners = corners.iter().flat_map(|corner| corner.iter().chain(&attributes));
        let data: Vec<f32> = [1.0, 1.0].iter().chain(corners).copied().collect();
        let answer = answered(&partner, |fragment| [vertex.clone(), fragment.clone()], &data);
        assert_eq!(answer[..4], color, "{partner}");
    }
}

/// The rows of the way to the screen are its uniforms; z is w², so that z / w is w; attributes go on as they are.
#[test]
fn the_vertex_program_of_a_fragment_program() {
    for (inputs, attributes) in [
        ("", &[][..]),
        ("#input r1.x", &[5.0]),
        ("#input r1.xyz", &[5.0, 6.0, 7.0]),
        ("#input r2.xy #input r1.xyzw", &[5.0, 6.0, 7.0, 8.0, 9.0, 10.0]),
    ] {
        let fragment = program(&format!("#fragmentShader #input r0.xyzw {inputs} #output r8.xyzw mov r8 r0"));
        let partner = GPU.starter(&fragment, (100, 50)).partner.unwrap();
        let rows = [[2.0, 3.0, 4.0, 10.0], [1.0, 0.0, -1.0, 20.0], [0.0, 0.5, 0.0, 3.0]];
        let data: Vec<f32> =
            [1.0, 2.0, 4.0].iter().chain(attributes).chain(rows.as_flattened()).copied().collect();
        let answer = answered(&partner, |vertex| [vertex.clone(), fragment.clone()], &data);
        // 2 + 6 + 16 + 10; 1 - 4 + 20; 1 + 3, squared
        assert_eq!(answer[..4], [34.0, 17.0, 16.0, 4.0], "{partner}");
        assert_eq!(answer[4..], *attributes, "{partner}");
    }
}

/// Registers have one component at least and four at most (section 2.3). An interface that is made by hand may say anything.
#[test]
fn attributes_have_one_to_four_components() {
    for (vertex, text) in [
        (true, "#vertexShader #input r0.xyz #input r1.xy #output r8.xyzw #output r9.xy mov r8 r0"),
        (false, "#fragmentShader #input r0.xyzw #input r1.xy #output r8.xyzw mov r8 r0"),
    ] {
        for (components, mask) in [(0, "x"), (1, "x"), (4, "xyzw"), (5, "xyzw"), (u8::MAX, "xyzw")] {
            let mut given = program(text);
            let interface = given.interface.as_mut().unwrap();
            let ports = if vertex { &mut interface.outputs } else { &mut interface.inputs };
            ports[1].components = components;
            let starter = GPU.starter(&given, (100, 50));
            let partner = starter.partner.unwrap();
            assert!(program(&partner).interface.is_some());
            assert!(partner.contains(&format!("#input r1.{mask}\n")), "{components}: {partner}");
            let formats = GPU.about().vertex_formats;
            for (_, _, format) in starter.inputs {
                assert!(formats.iter().any(|known| known.name == format), "{format}");
            }
        }
    }
}

/// What the assembler puts around a program's own instructions, of which there is one here; a program that is no text's has nothing else.
#[test]
fn what_the_assembler_adds_is_counted() {
    let whole = program("#vertexShader #input r0.xyzw #output r1.xyzw mov r1 r0");
    assert_eq!(GPU.added(&whole), whole.slots.len() - 1);
    assert_eq!(GPU.added(&Program { interface: None, ..whole }), 0);
}
