//! Declarations and values each of which holds the one before twice.

use crate::ways::{Way, chain, way};

fn wgsl(declared: &str, body: &str) -> String {
    format!(
        "{declared}@vertex fn vs(@location(0) a: vec4f) -> @builtin(position) vec4f {{ {body} return a; }}\n"
    )
}

fn glsl(declared: &str, body: &str) -> String {
    format!(
        "#version 450\nlayout(location = 0) in vec4 a;\n{declared}void main() {{ {body} gl_Position = a; }}\n"
    )
}

fn cg(declared: &str, body: &str) -> String {
    format!("{declared}void main(float4 a : POSITION, out float4 o : POSITION) {{ {body} o = a; }}\n")
}

const FIRST: &str = "struct S0 { float x; };\n";
const NEXT: &str = "struct S@ { S$ x; S$ y; };\n";

pub fn all() -> Vec<Way> {
    let structs = |depth| chain(FIRST, NEXT, depth, false);
    let values = |depth| chain("S0 s0 = S0(1.0);\n", "S@ s@ = S@(s$, s$);\n", depth, false);
    let constants = |depth| chain("const S0 s0 = S0(1.0);\n", "const S@ s@ = S@(s$, s$);\n", depth, false);
    vec![
        way("a.wgsl", "constants", 8, |depth| {
            wgsl(&chain("const x0 = array(1.0, 2.0);\n", "const x@ = array(x$, x$);\n", depth, false), "")
        }),
        way("a.wgsl", "constants, from the last one on", 8, |depth| {
            wgsl(&chain("const x0 = array(1.0, 2.0);\n", "const x@ = array(x$, x$);\n", depth, true), "")
        }),
        way("a.wgsl", "values", 8, |depth| {
            wgsl("", &chain("let x0 = array(a, a);\n", "let x@ = array(x$, x$);\n", depth, false))
        }),
        way("a.wgsl", "variables", 8, |depth| {
            wgsl("", &chain("var x0 = array(a, a);\n", "var x@ = array(x$, x$);\n", depth, false))
        }),
        way("a.wgsl", "structs", 8, |depth| {
            wgsl(&chain("struct S0 { x: f32 }\n", "struct S@ { x: S$, y: S$ }\n", depth, false), "")
        }),
        way("a.vert", "structs", 8, move |depth| glsl(&structs(depth), "")),
        way("a.vert", "structs inside of a function", 8, move |depth| glsl("", &structs(depth))),
        way("a.vert", "hidden structs inside of a function", 8, move |depth| {
            let small = "struct S1 { float x; }; ";
            glsl("", &format!("{{ {small}}} {}", structs(depth)))
        }),
        way("a.vert", "an input", 1, move |depth| {
            glsl(&format!("{}layout(location = 1) in S{depth} s;\n", structs(depth)), "")
        }),
        way("a.vert", "constants", 8, move |depth| {
            glsl(&format!("{}{}", structs(depth), constants(depth)), "")
        }),
        way("a.vert", "values", 8, move |depth| glsl(&structs(depth), &values(depth))),
        way("a.vert", "arrays", 8, |depth| {
            let array = |at: usize| {
                let dimensions = "[2]".repeat(at + 1);
                let parts = if at == 0 { "1.0, 2.0".to_owned() } else { format!("x{0}, x{0}", at - 1) };
                format!("const float x{at}{dimensions} = float{dimensions}({parts});\n")
            };
            // The text of longer ones grows with the square of their number.
            glsl(&(0..=depth.min(100)).map(array).collect::<String>(), "")
        }),
        way("a.vs.cg", "structs", 8, move |depth| {
            cg(&structs(depth), &format!("S{depth} s; s.{}x = 1.0;", "x.".repeat(depth)))
        }),
    ]
}
