//! One computation each, and how many slots it takes.

use super::{check, compare, printed, shader};
use gpuzoo_compile::options::{CompileOptions, Options};
use gpuzoo_compile::select::paired::build;
use gpuzoo_machine::unit::PositionSpace;
use gpuzoo_nv2a::GPU;

/// A shader whose position is an input, and whose colour is an expression of inputs a, b and c and of uniforms u and m.
fn text(expression: &str) -> String {
    format!(
        "struct U {{ m: mat4x4f, u: vec4f, t: vec4f }}\n@group(0) @binding(0) var<uniform> v: U;\n\
         @vertex fn vs(@location(0) a: vec4f, @location(1) b: vec4f, @location(2) c: vec4f) -> @builtin(position) vec4f {{\
         let u = v.u; let t = v.t; let m = v.m; return {expression}; }}"
    )
}

fn slots(expression: &str, slots: usize) {
    check(expression, &text(expression), slots);
}

#[test]
fn matrices() {
    slots("a * m", 4);
    slots("m * a", 4);
    slots("m * vec4f(a.xyz, 1.0)", 4);
    slots("vec4f(a.xyz, 1.0) * m", 4);
    slots("vec4f(a.xyz, 0.0) * m", 4);
}

#[test]
fn extremes() {
    slots("abs(a)", 1);
    slots("clamp(a, u, t)", 2);
    slots("step(u, a)", 1);
    slots("saturate(a)", 2);
    slots("-a", 1);
    slots("sign(a)", 3);
}

#[test]
fn sums() {
    slots("a * u + a", 1);
    slots("a - u * a", 1);
    slots("mix(a, u, a)", 2);
    slots("a + b", 2);
    slots("a * b + c", 3);
    slots("u * t", 2);
    slots("vec4f(a.x * u.x, a.y * u.y, a.z * u.z, a.w * u.w)", 1);
    slots("vec4f(a.xyz, 1.0)", 2);
}

#[test]
fn choices() {
    slots("select(u, a, a < u)", 4);
    slots("select(u, a, a == u)", 6);
    let shader = shader(&text("select(u, a, a < u)"));
    let options = Options {
        compile: CompileOptions { fast_math: true, ..CompileOptions::default() },
        position: PositionSpace::Clip,
        ..Options::default()
    };
    let built = build(&GPU, &shader, &options).unwrap();
    assert_eq!(built.program.slots.len(), 3, "{}", printed(&built));
    compare("fast", &shader, &built);
}

#[test]
fn inverses() {
    slots("a / u.x", 2);
    slots("a / u", 5);
    slots("vec4f(sqrt(abs(a.x)))", 3);
    slots("vec4f(normalize(a.xyz), 1.0)", 3);
    slots("vec4f(length(a))", 3);
    slots("vec4f(inverseSqrt(abs(a.x)))", 2);
    slots("vec4f(reflect(a.xyz, u.xyz), 1.0)", 3);
    slots("vec4f(cross(a.xyz, u.xyz), 1.0)", 3);
}

#[test]
fn powers() {
    slots("vec4f(exp2(a.x))", 2);
    slots("vec4f(log2(a.x + 3.0))", 3);
    slots("floor(a)", 9);
    slots("fract(a)", 5);
    slots("vec4f(floor(a.x))", 4);
    slots("vec4f(pow(max(a.x, 0.0), 20.0))", 4);
    slots("vec4f(pow(abs(a.x) + 0.1, u.x))", 6);
    slots("vec4f(select(0.0, pow(dot(a, u), 20.0), dot(a, t) > 0.0))", 5);
}

#[test]
fn curves() {
    slots("vec4f(sin(a.x))", 9);
    slots("sin(a)", 15);
    slots("vec4f(atan2(a.x, a.y))", 19);
    slots("vec4f(acos(clamp(a.x, -1.0, 1.0)))", 14);
    slots("smoothstep(u, t, a)", 13);
}
