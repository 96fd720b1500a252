//! What cannot be expressed is refused, with what can.

use gpuzoo_diag::File;
use gpuzoo_machine::{RunState, ShaderUnit, TextOptions};
use gpuzoo_translate::{Fidelity, Program, Shape, Target, TranslateOptions, translate};

fn program(gpu: &dyn ShaderUnit, text: &str) -> Program {
    let read = gpu.assemble(&File::new("p", text), &TextOptions::default());
    assert!(read.ok(), "{:?}", read.diagnostics);
    Program::of(gpu, &read.program, &RunState::default()).unwrap()
}

fn refused(program: &Program, target: Target, shape: Shape, fidelity: Fidelity) -> (&'static str, String) {
    let problem = translate(
        program,
        &TranslateOptions { to: Some(target), shape: Some(shape), fidelity, ..TranslateOptions::default() },
    )
    .unwrap_err();
    (problem.code.id, problem.help.join(" "))
}

#[test]
fn constants_that_are_written_have_no_place_in_a_pipeline() {
    let gpu = &gpuzoo_nv2a::GPU;
    let program = program(gpu, "xvss.1.1\nmov c[0], v0\n");
    let (code, help) = refused(&program, Target::Wgsl, Shape::Vertex, Fidelity::Fast);
    assert_eq!(code, "T0102");
    assert!(help.contains("compute"));
    let compute = TranslateOptions { shape: Some(Shape::Compute), ..TranslateOptions::default() };
    let translation = translate(&program, &compute).unwrap();
    let outputs: Vec<&str> = translation.outputs().iter().map(|output| output.register.as_str()).collect();
    assert!(outputs.contains(&"c96"), "{outputs:?}");
}

const TEXTURED: &str = "TEX P9, P0, T0;\n";

#[test]
fn textures_are_the_hosts() {
    let program = program(&gpuzoo_servaru::GPU, TEXTURED);
    assert_eq!(refused(&program, Target::Wgsl, Shape::Fragment, Fidelity::Exact).0, "T0103");
    let (code, help) = refused(&program, Target::Wgsl, Shape::Compute, Fidelity::Fast);
    assert_eq!((code, help.as_str()), ("T0103", "ask for `fragment`"));
    assert!(
        translate(
            &program,
            &TranslateOptions { shape: Some(Shape::Fragment), ..TranslateOptions::default() }
        )
        .is_ok()
    );
}

#[test]
fn languages_without_a_form_say_so() {
    let program = program(&gpuzoo_dreambox::GPU, "ld r0 0\nst pos r0\n");
    let (code, help) = refused(&program, Target::Glsl330, Shape::Compute, Fidelity::Fast);
    assert_eq!(code, "T0104");
    assert!(help.contains("essl310"));
    assert_eq!(refused(&program, Target::SpirV, Shape::Function, Fidelity::Fast).0, "T0104");
}

#[test]
fn stages_and_positions_are_looked_at() {
    let program_of_vertices = program(&gpuzoo_dreambox::GPU, "ld r0 0\nst col r0\n");
    assert_eq!(refused(&program_of_vertices, Target::Wgsl, Shape::Fragment, Fidelity::Fast).0, "T0105");
    assert_eq!(refused(&program_of_vertices, Target::Wgsl, Shape::Vertex, Fidelity::Fast).0, "T0106");
    assert!(
        translate(
            &program_of_vertices,
            &TranslateOptions { shape: Some(Shape::Compute), ..TranslateOptions::default() }
        )
        .is_ok()
    );
}

/// No machine has more constants than a uniform buffer holds, but a program can be put together by hand.
#[test]
fn more_constants_than_hosts_have_are_refused() {
    let own = program(&gpuzoo_dreambox::GPU, "ld r0 0\nst pos r0\n");
    let large = Program { constants: 5000, ..own };
    let (code, help) = refused(&large, Target::Wgsl, Shape::Vertex, Fidelity::Fast);
    assert_eq!((code, help.as_str()), ("T0101", "use constants with lower numbers"));
}
