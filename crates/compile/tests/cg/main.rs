//! Cg: what is read computes what the source says, and what cannot be read is refused.
#![cfg(feature = "sources")]

mod functions;
#[path = "../given/mod.rs"]
mod given;
mod inputs;
mod language;
mod matrices;
mod mutations;
mod preprocessor;
mod refused;

use given::{A, B, U};
use gpuzoo_compile::front::cg::{Options, Program, parse};
use gpuzoo_diag::{Diagnostic, Sources, render};
use gpuzoo_ir::{eval, vec4};
use naga::valid::{Capabilities, ValidationFlags, Validator};

/// Reads a text; what comes out is a module that naga accepts.
fn read(text: &str, options: &Options) -> Result<Program, Vec<Diagnostic>> {
    let mut sources = Sources::default();
    let file = sources.add("t.vs.cg", text);
    let program = parse(&mut sources, file, "main", options)?;
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
    if let Err(error) = validator.validate(&program.module) {
        panic!("{text}\n{}", error.emit_to_string(text));
    }
    Ok(program)
}

/// A text that can be read.
fn good(text: &str) -> Program {
    read(text, &Options::default()).unwrap_or_else(|problems| {
        let mut sources = Sources::default();
        sources.add("t.vs.cg", text);
        panic!("{}", render::human(&sources, &problems, &render::Style::plain()))
    })
}

/// The codes of what is wrong with a text.
fn codes(text: &str) -> Vec<&'static str> {
    let problems = match read(text, &Options::default()) {
        Ok(program) => program.warnings,
        Err(problems) => problems,
    };
    problems.iter().map(|problem| problem.code.id).collect()
}

/// The outputs of a text for some inputs and uniforms, by their names.
fn outputs(text: &str, inputs: &[[f32; 4]], uniforms: &[[f32; 4]]) -> Vec<(String, [f32; 4])> {
    let program = good(text);
    let span = program.uniforms.first().map(|uniform| uniform.span).unwrap_or_default();
    let (shader, _) = program.shader(span).unwrap_or_else(|problems| panic!("{text}\n{problems:#?}"));
    let [inputs, uniforms] = [inputs, uniforms].map(|all| all.iter().copied().map(vec4).collect::<Vec<_>>());
    let values = eval::outputs(&shader.function, &inputs, &uniforms);
    let names = shader.outputs.iter().map(|output| output.name.clone());
    names.zip(values.iter().map(|value| value.map(f32::from_bits))).collect()
}

/// What a body makes of `o`, with `a`, `b` and `u` as above; `before` is declared before it.
fn run(before: &str, body: &str) -> [f32; 4] {
    let text = format!(
        "{before}\nvoid main(float4 a : ATTR0, float4 b : ATTR1, uniform float4 u[8], out float4 o : POSITION) {{\n\
         {body}\n}}\n"
    );
    outputs(&text, &[A, B], &U)[0].1
}

/// The value of an expression.
fn value(expression: &str) -> [f32; 4] {
    run("", &format!("o = {expression};"))
}

/// Asserts that two vectors are the same but for roundings.
#[track_caller]
fn near(one: [f32; 4], other: [f32; 4]) {
    let is_near = |(one, other): (&f32, &f32)| (one - other).abs() <= 1e-5 * other.abs().max(1.0);
    assert!(one.iter().zip(&other).all(is_near), "{one:?} is not {other:?}");
}

/// What a function makes of each component.
fn each(f: impl Fn(f32, f32) -> f32) -> [f32; 4] {
    std::array::from_fn(|at| f(A[at], B[at]))
}
