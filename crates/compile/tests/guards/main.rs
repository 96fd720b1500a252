//! Guarded expressions: where a guard is false, what it guards leaves nothing behind, on any machine.
//!
//! Expected results come from closures beside the sources, in f64. The guarded operand is 0, -0, below 0, large, infinite
//! or NaN where the guard is false; a NaN is compared with nothing, since machines differ there.
#![cfg(feature = "sources")]
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::disallowed_macros,
    reason = "an oracle"
)]

mod kinds;

use gpuzoo_compile::build;
use gpuzoo_compile::front::{Language, Reading, read};
use gpuzoo_compile::options::{Built, CompileOptions, Level, Options};
use gpuzoo_compile::shader::Shader;
use gpuzoo_diag::Sources;
use gpuzoo_ir::{Vec4, eval, vec4};
use gpuzoo_machine::unit::PositionSpace;
use gpuzoo_machine::{Profile, ShaderUnit};
use kinds::{ARMS, Arm, FORMS, Form, Guard};

const MACHINES: [&dyn ShaderUnit; 4] =
    [&gpuzoo_dreambox::GPU, &gpuzoo_nv2a::GPU, &gpuzoo_picogpu::GPU, &gpuzoo_servaru::GPU];

/// Components of the input: the guarded operand, another one, a flag, and a small number.
type Operands = [f64; 4];

const INF: f64 = f64::INFINITY;

/// Operands of which some make each guard false.
const UNGUARDED: [f64; 8] = [0.0, -0.0, -1.0, -2.5, INF, -INF, 1e9, 0.5];

/// Second operands, which only what is guarded reads.
const OTHERS: [f64; 5] = [0.5, 0.0, -1.0, INF, f64::NAN];

fn shader(name: &str, text: &str) -> Shader {
    let mut sources = Sources::default();
    let file = sources.add(name, text);
    let (language, stage) = Language::of(name).unwrap();
    let reading = Reading { stage, ..Reading::of(language) };
    let read = read(&mut sources, file, text.as_bytes(), &reading);
    read.unwrap_or_else(|problems| panic!("{text}\n{problems:#?}")).0
}

/// The program of a shader, or none if the machine has no room for it.
fn built(unit: &dyn ShaderUnit, shader: &Shader, options: &Options) -> Option<Built> {
    match build(unit, shader, options) {
        Ok(built) => Some(built),
        Err(problems) => {
            let code = problems[0].code.id;
            assert!(["K0304", "K0305", "K0306"].contains(&code), "{}: {problems:#?}", unit.about().name);
            None
        }
    }
}

/// The first output's x for an input.
fn run(unit: &dyn ShaderUnit, shader: &Shader, built: &Built, operands: Operands) -> f32 {
    let conventions = unit.conventions().unwrap();
    let lowered = unit.lower(&built.program, &Profile(0).into()).0;
    let mut inputs: Vec<Vec4> = vec![[0; 4]; 16];
    for variable in &shader.inputs {
        let reg = conventions.input(shader.stage, variable.port).unwrap();
        inputs[usize::from(reg.index)] = vec4(operands.map(|operand| operand as f32));
    }
    let mut constants: Vec<Vec4> = vec![[0; 4]; 256];
    built.program.defined().for_each(|(number, value)| constants[usize::from(number)] = value);
    let outputs = eval::outputs(&lowered.function, &inputs, &constants);
    let reg = conventions.output(shader.stage, shader.outputs[0].port).unwrap();
    let at = lowered.function.outputs.iter().position(|(number, _)| *number == reg.index).unwrap();
    f32::from_bits(outputs[at][0])
}

/// The inputs of a guarded arm: for each whether the guard holds.
fn inputs(arm: &Arm, guard: &Guard) -> Vec<(Operands, bool)> {
    let mut all = Vec::new();
    let mut add = |operands: Operands| {
        let holds = (guard.holds)(operands);
        // What is computed where the guard holds is only compared for operands of usual sizes.
        if !holds || operands.iter().all(|operand| operand.is_finite() && operand.abs() < 100.0) {
            all.push((operands, holds));
        }
    };
    for (at, x) in UNGUARDED.into_iter().enumerate() {
        for (other, y) in OTHERS.into_iter().enumerate() {
            let flag = if (at + other) % 2 == 0 { -1.0 } else { 0.0 };
            let y = if guard.reads_other && !y.is_finite() { -2.0 } else { y };
            add([x, y, flag, 0.25]);
        }
    }
    if !guard.reads_operand {
        add([f64::NAN, 0.5, -1.0, 0.25]);
        add([f64::NAN, f64::NAN, 0.0, 0.25]);
    }
    arm.usual.iter().for_each(|x| add([*x, 0.5, 1.0, 0.25]));
    all
}

/// Compares an arm behind a guard in some form with what the source says; how many machines it fits on.
fn check(name: &str, text: &str, arm: &Arm, guard: &Guard, options: &[Options], counts: &mut [usize; 4]) {
    let shader = shader(name, text);
    for (unit, count) in MACHINES.into_iter().zip(counts) {
        for (at, options) in options.iter().enumerate() {
            let Some(built) = built(unit, &shader, options) else { continue };
            *count += usize::from(at == 0);
            let (mut taken, mut passed) = (0, 0);
            for (operands, holds) in inputs(arm, guard) {
                let found = run(unit, &shader, &built, operands);
                let at = || {
                    let CompileOptions { level, fast_math, .. } = options.compile;
                    format!("{}, {level:?}, {fast_math}, {operands:?}: {found} of\n{text}", unit.about().name)
                };
                // The form's other result is w / 2 - 1.
                if holds {
                    taken += 1;
                    let expected = (arm.value)(operands[0], operands[1]);
                    let error = (f64::from(found) - expected).abs();
                    assert!(error <= 4e-3 * expected.abs().max(1.0), "{expected} expected: {}", at());
                } else {
                    passed += 1;
                    assert_eq!(found, -0.875, "{}", at());
                }
            }
            assert!(taken > 0 && passed > 1, "{text}");
        }
    }
}

/// The options that an expression is compiled with: the longest search and free orders for some of them.
fn options(at: usize) -> Vec<Options> {
    let with = |level, fast_math| Options {
        compile: CompileOptions { level, fast_math, ..CompileOptions::default() },
        position: PositionSpace::Clip,
        ..Options::default()
    };
    let mut all = vec![with(Level::Source, false), with(Level::Usual, false)];
    match at % 12 {
        0 => all.push(with(Level::Longest, false)),
        3 | 6 | 9 => all.push(with(Level::Usual, true)),
        _ => {}
    }
    all
}

/// All arms and guards, each in one of `step` forms.
fn check_all(name: &str, forms: &[Form], step: usize) {
    let (mut number, mut counts) = (0, [0; 4]);
    for (at, arm) in ARMS.iter().enumerate() {
        let text = arm.texts.iter().find(|(language, _)| name.ends_with(language));
        let Some((_, text)) = text else { continue };
        for (other, guard) in arm.guards.iter().chain([&kinds::FLAG]).enumerate() {
            for form in forms.iter().skip((at + other) % step).step_by(step) {
                let text = form(guard.text, text);
                check(name, &text, arm, guard, &options(number), &mut counts);
                number += 1;
            }
        }
    }
    assert!(counts.iter().all(|count| *count * 10 >= number * 7), "{number}: {counts:?}");
}

#[test]
fn guards_of_wgsl_guard() {
    check_all("t.wgsl", FORMS, 5);
}

#[test]
fn guards_of_cg_guard() {
    check_all("t.cg", kinds::CG_FORMS, 3);
}

#[test]
fn guards_of_glsl_guard() {
    check_all("t.vert", kinds::GLSL_FORMS, 3);
}
