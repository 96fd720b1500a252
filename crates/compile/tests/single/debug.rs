//! What is known of a program beside its instructions: lines, variables, constants, declarations.

use super::{built, shader, text};
use gpuzoo_compile::options::{CompileOptions, Options};
use gpuzoo_compile::select::single::build;
use gpuzoo_compile::shader::Origin;
use gpuzoo_diag::{FileId, Span};
use gpuzoo_isa::Stage::{Fragment, Vertex};
use gpuzoo_isa::{FileKind, Home, Mask};
use gpuzoo_machine::ShaderUnit;
use gpuzoo_machine::target::conventions::Port;

fn span(line: u32) -> Span {
    Span { file: FileId(0), start: line * 10, end: line * 10 + 9 }
}

#[test]
fn lines_and_variables_are_known() {
    let source =
        "v0 = input 0\nv1 = uniform 0\nv2 = fadd v0, v1\nv3 = fmul v2, v2\nv4 = fadd v3, v2\noutput 0 = v4\n";
    let mut own = shader(Vertex, source, &[4], &[4], &[4]);
    let origin = |line, name: Option<&str>| Origin { span: span(line), variable: name.map(str::to_owned) };
    own.origins = vec![origin(1, Some("moved")), origin(2, Some("square")), origin(3, None)];
    own.function.origins = vec![None, None, Some(0), Some(1), Some(2)];
    for unit in [&gpuzoo_servaru::GPU as &dyn ShaderUnit, &gpuzoo_dreambox::GPU, &gpuzoo_picogpu::GPU] {
        let built = built(unit, &own);
        let isa = unit.isa();
        let line = |variable: &str| {
            built
                .lines
                .iter()
                .find(|line| line.variable.as_deref() == Some(variable))
                .unwrap_or_else(|| panic!("{variable} {built:#?}"))
        };
        let home = |variable: &str| -> &Home {
            built
                .program
                .homes
                .iter()
                .find(|home| home.variable == variable)
                .unwrap_or_else(|| panic!("{variable}: {built:#?}"))
        };
        let place = |line: usize| isa.reg_name(built.program.slots[line].inst.unwrap().operands[0].reg);
        assert_eq!(built.program.slots[line("moved").slot].span, span(1));
        let moved = home("moved");
        // It is there from behind the slot that computes it until the sum reads it.
        assert!(built.lines.iter().any(|line| line.slot + 1 == moved.from && line.span == span(1)));
        assert_eq!(isa.reg_name(moved.reg), place(moved.from - 1));
        let last = built
            .lines
            .iter()
            .rfind(|line| line.span == span(3) && line.slot <= moved.to)
            .unwrap_or_else(|| panic!("{moved:?} {:#?} {}", built.lines, text(unit, &built)));
        assert!(last.slot >= moved.from && moved.to >= last.slot - 1, "{moved:?} {last:?}");
        assert_eq!((moved.mask, moved.components), (Mask::ALL, [Some(0), Some(1), Some(2), Some(3)]));
        let given = home("a0");
        assert_eq!(given.from, 0);
    }
}

/// Uniforms have names and no values, literals values and no names.
#[test]
fn constants_are_named_or_given() {
    let source = "v0 = input 0\nv1 = uniform 1\nv2 = const (0.1, 0.2, 0.3, 0.4)\nv3 = fmad v0, v1, v2\noutput 0 = v3\n";
    let own = shader(Vertex, source, &[4], &[4], &[4, 4]);
    for unit in [&gpuzoo_servaru::GPU as &dyn ShaderUnit, &gpuzoo_dreambox::GPU] {
        let built = built(unit, &own);
        let constants = &built.program.constants;
        let names: Vec<Option<&str>> = constants.iter().map(|own| own.name.as_deref()).collect();
        assert_eq!(names, [Some("u0"), Some("u1"), None]);
        assert_eq!(constants.iter().map(|own| own.reg.index).collect::<Vec<_>>(), [0, 1, 2]);
        assert!(constants.iter().all(|own| unit.isa().file(own.reg).kind == FileKind::Constant));
        assert_eq!(constants[2].values, [gpuzoo_ir::vec4([0.1, 0.2, 0.3, 0.4])]);
        assert!(constants[0].values.is_empty());
    }
    // Where the caller wants them: on request, from another constant on.
    let options = Options {
        compile: CompileOptions { constants_at: Some(4), ..CompileOptions::default() },
        ..Options::default()
    };
    let built = build(&gpuzoo_servaru::GPU, &own, &options).unwrap();
    assert_eq!(built.program.constants.iter().map(|own| own.reg.index).collect::<Vec<_>>(), [4, 5, 6]);
    assert!(text(&gpuzoo_servaru::GPU, &built).contains("U5"));
}

/// Scalars share a register of constants on machines that read any component.
#[test]
fn literals_are_packed() {
    let source = "v0 = input 0\nv1 = const (0.1, 0.1, 0.1, 0.1)\nv2 = const (0.2, 0.2, 0.2, 0.2)\nv3 = const (0.5, 0.5, 0.5, 0.5)\n\
        v4 = fmul v0, v1\nv5 = fadd v4, v2\nv6 = fmul v5, v3\noutput 0 = v6\n";
    let own = shader(Vertex, source, &[4], &[4], &[]);
    let built = built(&gpuzoo_servaru::GPU, &own);
    assert_eq!(text(&gpuzoo_servaru::GPU, &built), "MAD R0, P0, U0.x, U0.y;\nMUL P9, R0, 0.5;\n");
    assert_eq!(built.program.constants.len(), 1);
}

/// Outputs can be put elsewhere.
#[test]
fn outputs_are_where_the_caller_wants_them() {
    let own = shader(Vertex, "v0 = input 0\noutput 0 = v0\noutput 1 = v0\n", &[4], &[4, 4], &[]);
    let tex = gpuzoo_dreambox::GPU.isa().reg("tex").unwrap();
    let options = Options { outputs: vec![(Port::Location(0), tex)], ..Options::default() };
    let built = build(&gpuzoo_dreambox::GPU, &own, &options).unwrap();
    assert_eq!(text(&gpuzoo_dreambox::GPU, &built), "ld r0 0\nst pos r0\nst tex r0\n");
}

/// PicoGpu's programs declare what they take and give, in the order of the locations, with all that lies between.
#[test]
fn declarations_are_complete() {
    let mut own = shader(Vertex, "v0 = input 0\noutput 0 = v0\n", &[4], &[4], &[]);
    own.inputs[0].port = Port::Location(2);
    let built = built(&gpuzoo_picogpu::GPU, &own);
    let interface = built.program.interface.as_ref().unwrap();
    assert_eq!((interface.inputs.len(), interface.outputs.len()), (3, 1));
    assert_eq!(interface.inputs[2].reg, interface.outputs[0].reg);
    assert_eq!(built.program.slots.len(), 3);
    // A fragment's place comes first, and leaves with its depth.
    let color = shader(Fragment, "v0 = input 0\noutput 0 = v0\n", &[3], &[4], &[]);
    let fragment = super::built(&gpuzoo_picogpu::GPU, &color);
    let interface = fragment.program.interface.as_ref().unwrap();
    assert_eq!(interface.inputs.iter().map(|port| port.components).collect::<Vec<_>>(), [4, 3]);
    assert_eq!(interface.outputs.iter().map(|port| port.components).collect::<Vec<_>>(), [4, 1]);
    assert_eq!(interface.outputs[1].reg, interface.inputs[0].reg);
}
