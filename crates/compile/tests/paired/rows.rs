//! The computations of programs that people run on the machine, in words of our own, and how many slots they take.

use super::slots;

/// What most of them begin with.
const HEAD: &str = "struct V { @builtin(position) p: vec4f, @location(0) color: vec4f, @location(2) uv: vec4f, @location(6) fog: f32 }\n";

#[test]
fn triangle() {
    let text = format!("{HEAD}
struct U {{ m: mat4x4f }}
@group(0) @binding(0) var<uniform> u: U;
struct O {{ @builtin(position) p: vec4f, @location(0) color: vec4f }}
@vertex fn vs(@location(0) p: vec3f, @location(3) color: vec4f) -> O {{
    var o: O;
    let t = vec4f(p, 1.0) * u.m;
    o.p = vec4f(t.xyz / t.w, t.w);
    o.color = color;
    return o;
}}");
    let (count, text) = slots(&text);
    println!("{text}");
    assert_eq!(count, 6);
}
