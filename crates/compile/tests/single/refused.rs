//! What machines cannot take, and what is said about it.

use super::{refused, shader};
use gpuzoo_compile::build;
use gpuzoo_compile::options::Options;
use gpuzoo_compile::shader::{Origin, Shader};
use gpuzoo_diag::{Diagnostic, File, FileId, Severity, Sources};
use gpuzoo_isa::Mask;
use gpuzoo_isa::Stage::{Fragment, Vertex};
use gpuzoo_machine::ShaderUnit;
use gpuzoo_machine::target::conventions::Port;
use std::fmt::Write;

const SERVARU: &dyn ShaderUnit = &gpuzoo_servaru::GPU;
const DREAMBOX: &dyn ShaderUnit = &gpuzoo_dreambox::GPU;
const PICOGPU: &dyn ShaderUnit = &gpuzoo_picogpu::GPU;

/// The one problem: its code, message, labels and help.
fn problem(unit: &dyn ShaderUnit, shader: &Shader) -> (String, Diagnostic) {
    let problems = refused(unit, shader);
    let [problem] = problems.as_slice() else { panic!("{problems:#?}") };
    assert_eq!(problem.severity, Severity::Error);
    assert!(!problem.labels.is_empty());
    (format!("{} {}", problem.code.id, problem.message), problem.clone())
}

fn message(unit: &dyn ShaderUnit, shader: &Shader) -> String {
    problem(unit, shader).0
}

/// A text with a line for each instruction, which is its place.
fn with_places(mut shader: Shader, names: &[(usize, &str)]) -> Shader {
    let mut sources = Sources::default();
    let text: String = (0..shader.function.insts.len()).map(|line| format!("{line:07}\n")).collect();
    let file: FileId = sources.add("t", &text);
    let file: &File = sources.get(file);
    let name = |line: usize| names.iter().find(|(own, _)| *own == line).map(|(_, name)| (*name).to_owned());
    let lines = 0..shader.function.insts.len();
    shader.origins = lines
        .clone()
        .map(|line| Origin { span: file.span(line * 8..line * 8 + 7), variable: name(line) })
        .collect();
    shader.function.origins = lines.map(|line| Some(line as u32)).collect();
    shader.span = file.whole();
    shader
}

#[test]
fn stages_and_ports_that_a_machine_lacks() {
    let copy = "v0 = input 0\noutput 0 = v0\n";
    let fragment = shader(Fragment, copy, &[4], &[4], &[]);
    assert_eq!(message(DREAMBOX, &fragment), "K0301 Dreambox Vertex Unit has no fragment programs");
    assert_eq!(
        message(&gpuzoo_nv2a::GPU, &fragment),
        "K0301 NV2A vertex shader has no programs of one instruction a slot"
    );
    let mut far = shader(Vertex, copy, &[4], &[4], &[]);
    far.inputs[0].port = Port::Location(9);
    let (text, own) = problem(SERVARU, &far);
    assert_eq!(
        (text.as_str(), own.help[0].as_str()),
        ("K0302 Servaru-I shader unit has no input for location 9", "there are locations 0 to 8")
    );
    let mut depth = fragment.clone();
    depth.outputs[0].port = Port::Depth;
    let (text, own) = problem(PICOGPU, &depth);
    assert_eq!(
        (text.as_str(), own.help[0].as_str()),
        ("K0302 PicoGpu has no output for the depth", "there are location 0")
    );
    let mut size = shader(Vertex, copy, &[4], &[4], &[]);
    size.outputs[0].port = Port::PointSize;
    let (text, own) = problem(DREAMBOX, &size);
    assert_eq!(
        (text.as_str(), own.help[0].as_str()),
        (
            "K0302 Dreambox Vertex Unit has no output for the size of points",
            "there are the position, locations 0 to 2"
        )
    );
}

/// Two outputs that would have one register, on every machine of this back end.
#[test]
fn an_output_has_a_register_of_its_own() {
    let three =
        shader(Vertex, "v0 = input 0\noutput 0 = v0\noutput 1 = v0\noutput 2 = v0\n", &[4], &[4, 4, 4], &[]);
    for gpu in [DREAMBOX, SERVARU, PICOGPU] {
        let [first, second] = [1, 2].map(|at: usize| three.outputs[at].port);
        let reg = gpu.conventions().unwrap().output(Vertex, second).unwrap();
        let options = Options { outputs: vec![(first, reg)], ..Options::default() };
        let problem = build(gpu, &three, &options).unwrap_err().remove(0);
        assert_eq!(problem.code.id, "K0302", "{problem:#?}");
        assert!(problem.message.ends_with("has the register of another output"));
    }
}

#[test]
fn too_many_constants() {
    let copy = "v0 = uniform 0\noutput 0 = v0\n";
    let four = shader(Vertex, copy, &[], &[4], &[4; 4]);
    assert_eq!(message(PICOGPU, &four), "K0306 the uniforms take 4 registers, PicoGpu has 3");
    let literal = "v0 = uniform 0\nv1 = const (0.5, 0.25, 1.5, 3.0)\nv2 = fadd v0, v1\noutput 0 = v2\n";
    let full = shader(Vertex, literal, &[], &[4], &[4; 16]);
    let expected =
        "K0306 the uniforms take 16 registers and numbers at least 1 more, Dreambox Vertex Unit has 16";
    assert_eq!(message(DREAMBOX, &full), expected);
}

/// A chain of 200 products, of which each takes an instruction, and what brings the operand to them: the machine has 64.
#[test]
fn far_too_many_instructions() {
    let mut text = "v0 = input 0\n".to_owned();
    for at in 1..=200 {
        let _ = writeln!(text, "v{at} = fmul v{}, v0", at - 1);
    }
    text += "output 0 = v200\n";
    let long = shader(Vertex, &text, &[4], &[4], &[]);
    let (text, own) = problem(DREAMBOX, &long);
    assert_eq!(
        text,
        "K0304 the program has at least 201 instructions, Dreambox Vertex Unit holds 64: 137 too many"
    );
    assert!(own.help[0].starts_with("compute what is the same"), "{own:?}");
}

#[test]
fn operations_that_a_machine_lacks() {
    let sample = "v0 = input 0\nv1 = sample 0, v0\noutput 0 = v1\n";
    let (text, own) = problem(PICOGPU, &shader(Fragment, sample, &[4], &[4], &[]));
    assert_eq!(
        (text.as_str(), own.help[0].as_str()),
        ("K0303 PicoGpu cannot read textures", "put the picture's numbers into vertices, or compute them")
    );
    let sample = "v0 = input 0\nv1 = sample 200, v0\noutput 0 = v1\n";
    let (text, own) = problem(SERVARU, &shader(Fragment, sample, &[4], &[4], &[]));
    assert_eq!(
        (text.as_str(), own.help[0].as_str()),
        ("K0303 Servaru-I shader unit cannot read textures", "there are four texture units, 0 to 3")
    );
    let kill = "v0 = input 0\nv1 = kill v0\noutput 0 = v1\n";
    assert_eq!(
        message(PICOGPU, &shader(Fragment, kill, &[4], &[4], &[])),
        "K0303 PicoGpu cannot end a fragment"
    );
    let xor = "v0 = input 0\nv1 = ixor v0, v0\noutput 0 = v1\n";
    assert_eq!(
        message(DREAMBOX, &shader(Vertex, xor, &[4], &[4], &[])),
        "K0303 Dreambox Vertex Unit cannot do `ixor`"
    );
    let index = "v0 = input 0\nv1 = itrunc v0\nv2 = uniform[v1.x + 0 < 4]\noutput 0 = v2\n";
    for unit in [SERVARU, DREAMBOX, PICOGPU] {
        assert!(message(unit, &shader(Vertex, index, &[4], &[4], &[4; 3])).starts_with("K0308 "));
    }
}

/// Kills and texture reads are what Servaru's vertex programs lack.
#[test]
fn vertex_programs_neither_end_nor_read_textures() {
    for (text, what) in [
        (
            "v0 = input 0\nv1 = sample 0, v0\noutput 0 = v1\n",
            "K0303 Servaru-I shader unit cannot read textures for vertices",
        ),
        ("v0 = input 0\nv1 = kill v0\noutput 0 = v1\n", "K0303 Servaru-I shader unit cannot end a vertex"),
    ] {
        assert_eq!(message(SERVARU, &shader(Vertex, text, &[4], &[4], &[])), what);
    }
}

/// Sums of many values that are all needed later: a register for each.
#[test]
fn registers_run_out_and_what_is_needed_is_shown() {
    let mut text = String::from("v0 = input 0\nv1 = uniform 0\n");
    for value in 2..40 {
        let _ = writeln!(text, "v{value} = fmul v{}, v{}", value - 1, value - 2);
    }
    // All of them again, the first ones last.
    for value in 40..78 {
        let _ = writeln!(text, "v{value} = fadd v{}, v{}", value - 1, 79 - value);
    }
    text += "output 0 = v77\n";
    let own = with_places(shader(Vertex, &text, &[4], &[4], &[4]), &[(20, "glow")]);
    let (text, own) = problem(DREAMBOX, &own);
    assert!(
        text.starts_with("K0305 ")
            && text.ends_with(" values at once, Dreambox Vertex Unit has 16 registers"),
        "{text}"
    );
    assert!(own.labels.len() > 2, "{own:#?}");
}

#[test]
fn programs_that_are_too_long_say_by_how_much_and_where() {
    let mut text = String::from("v0 = input 0\nv1 = uniform 0\n");
    for value in 2..100 {
        let _ = writeln!(text, "v{value} = fadd v{}, v1", value - 1);
    }
    text += "output 0 = v99\n";
    let long = with_places(shader(Vertex, &text, &[4], &[4], &[4]), &[]);
    // A line that costs more than others.
    let mut long = long;
    long.function.origins.iter_mut().skip(10).take(5).for_each(|origin| *origin = Some(10));
    let (text, own) = problem(DREAMBOX, &long);
    assert_eq!(text, "K0304 the program has 101 instructions, Dreambox Vertex Unit holds 64: 37 too many");
    assert_eq!((own.labels[0].text.as_str(), own.labels[0].span.start), ("costs 5 instructions", 80));
    assert_eq!(own.labels.len(), 3);
    let mut text = String::from("v0 = input 0\nv1 = uniform 0\n");
    for value in 2..700 {
        let _ = writeln!(text, "v{value} = fadd v{}, v1", value - 1);
    }
    text += "output 0 = v699\n";
    let message = message(PICOGPU, &shader(Vertex, &text, &[4], &[4], &[4]));
    assert_eq!(message, "K0304 the program has 700 words, PicoGpu holds 511: 189 too many");
}

/// Outputs without any component are nothing to refuse.
#[test]
fn nothing_is_something() {
    let mut empty = shader(Vertex, "v0 = const (0.0, 0.0, 0.0, 1.0)\noutput 0 = v0\n", &[], &[4], &[]);
    for unit in [SERVARU, DREAMBOX, PICOGPU] {
        super::built(unit, &empty);
    }
    empty.outputs[0].mask = Mask(1);
    super::built(SERVARU, &empty);
}
