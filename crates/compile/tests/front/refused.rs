//! What no machine can do has a code, a place and a way out.

use super::shader;
use gpuzoo_diag::{Diagnostic, Severity};

fn problem(name: &str, text: &str) -> Diagnostic {
    match shader(name, text) {
        Err(problems) => problems.into_iter().find(|problem| problem.severity == Severity::Error).unwrap(),
        Ok((_, warnings)) => warnings.first().unwrap_or_else(|| panic!("nothing is said of {text}")).clone(),
    }
}

const HEAD: &str =
    "@group(0) @binding(0) var<uniform> u: array<vec4f, 8>;\n@group(0) @binding(1) var<uniform> n: vec4i;\n";

fn vertex(body: &str) -> String {
    format!("{HEAD}@vertex fn vs(@location(0) a: vec4f) -> @builtin(position) vec4f {{ {body} }}")
}

#[test]
fn every_code_is_shown() {
    let cases = [
        ("K0001", "a.wgsl", "fn x(".to_owned()),
        ("K0001", "a.vert", "#version 450\nvoid main() { x = 1; }\n".to_owned()),
        ("K0003", "a.vert", "#version 120\nvoid main() {}\n".to_owned()),
        ("K0004", "a.fs.cg", "void main() {}".to_owned()),
        ("K0101", "a.wgsl", "fn x() {}".to_owned()),
        ("K0101", "a.wgsl", "@fragment fn a() {}\n@fragment fn b() {}".to_owned()),
        ("K0102", "a.wgsl", "@fragment fn f() -> @location(0) vec4f { let b = subgroupBallot(true); return vec4f(b); }".to_owned()),
        ("K0107", "a.wgsl", vertex("var i = 7; i += 1; return u[i] + vec4f(n);")),
        ("K0103", "a.wgsl", "@fragment fn f(@location(0) a: vec4f) -> @location(0) vec4f { return dpdx(a); }".to_owned()),
        ("K0104", "a.wgsl", "var<private> big: array<vec4f, 8192>;\n@vertex fn vs(@location(0) a: vec4f) -> @builtin(position) vec4f { big[1] = a; return big[1]; }".to_owned()),
        ("K0105", "a.wgsl", vertex("return a * f32((n.x ^ n.y) + n.z + n.w) + u[0];")),
        ("K0105", "a.wgsl", vertex("return a * f32((1 << u32(n.x)) + n.y + n.z + n.w) + u[0];")),
        ("K0106", "a.wgsl", vertex("return a * f32(n.x * 16777217 + n.y) + u[0];")),
        ("K0107", "a.wgsl", "var<private> all: array<f32, 65>;\n@vertex fn vs(@location(0) a: vec4f) -> @builtin(position) vec4f { return a * all[i32(a.x)]; }".to_owned()),
        ("K0108", "a.wgsl", vertex("var s = 0.0; for (var i = 0; i < n.x; i++) { s += u[i].x; } return a * s;")),
        ("K0108", "a.wgsl", vertex("var s = 0.0; for (var i = 0; i < 2000; i++) { s += 1.0; } return a * s;")),
        ("K0109", "a.wgsl", vertex("var v = a; for (var i = 0; i < 1000; i++) { for (var k = 0; k < 1000; k++) { v += a; } } return v;")),
        ("K0110", "a.wgsl", "@vertex fn vs(@location(4294967295) a: vec4f) -> @builtin(position) vec4f { return a; }".to_owned()),
        ("K0110", "a.vert", "#version 450\nlayout(location = 2147483647) in vec4 a;\nvoid main() { gl_Position = a; }\n".to_owned()),
        ("K0110", "a.wgsl", "@vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f { return vec4f(f32(i)); }".to_owned()),
        ("K0111", "a.wgsl", "@group(0) @binding(0) var<storage> s: array<vec4f, 8>;\n@vertex fn vs() -> @builtin(position) vec4f { return s[0]; }".to_owned()),
        ("K0112", "a.wgsl", vertex("return a * u[1].x;")),
        ("K0113", "a.vert", "#version 450\nlayout(location = 0) in vec4 a;\nlayout(location = 0) out vec4 o;\nvoid main() { gl_Position = a; }\n".to_owned()),
        ("K0109", "a.wgsl", vertex(&format!("return {}a{};", "(".repeat(300), ")".repeat(300)))),
        ("K0111", "a.frag", "#version 450\nlayout(binding = 0) uniform sampler2D t[2];\nvoid main() {}\n".to_owned()),
    ];
    for (code, name, text) in cases {
        let problem = problem(name, &text);
        assert_eq!(problem.code.id, code, "{text}\n{problem:#?}");
        assert!(!problem.labels.is_empty(), "{text}");
        assert!(code == "K0001" || !problem.help.is_empty(), "{text}");
    }
}

#[test]
fn a_loop_says_what_it_depends_on() {
    let text = vertex("var s = 0.0; for (var i = 0; i < n.x; i++) { s += u[i].x; } return a * s;");
    let problem = problem("a.wgsl", &text);
    assert!(problem.notes.iter().any(|note| note.contains("the uniform `n`")), "{problem:#?}");
}

/// What is not a declaration of one texture with its sampler is refused, with what works.
#[test]
fn arrays_of_samplers_say_what_works() {
    let problem =
        problem("a.frag", "#version 450\nlayout(binding = 0) uniform sampler2D t[2];\nvoid main() {}\n");
    assert!(problem.help[0].contains("uniform sampler2D name;"), "{problem:#?}");
}

/// What naga says of its own module is said of the source: the place, and what to write.
#[test]
fn types_that_do_not_fit_are_told_in_words_of_the_source() {
    let text = "#version 450\nlayout(location = 0) in vec3 n;\nlayout(location = 0) out vec4 color;\nvoid main() {\n  gl_Position = vec4(n, 1.0);\n  color = n;\n}\n";
    let stored = problem("a.vert", text);
    assert_eq!(stored.message, "a value of one type is stored in a variable of another");
    let first = stored.labels[0].span;
    assert!((first.end - first.start) < 20, "{stored:#?}");
    let text = "struct U { m: mat4x4f }\n@group(0) @binding(0) var<uniform> u: U;\n\
        @vertex fn vs(@location(0) p: vec3f) -> @builtin(position) vec4f { return u.m * p; }";
    let product = problem("a.wgsl", text);
    assert!(product.message.starts_with("`*` does not work with `mat4x4"), "{product:#?}");
    assert!(product.help[0].contains("vec4f(p, 1.0)"), "{product:#?}");
    let loose = problem("a.vert", "#version 450\nuniform mat4 mvp;\nvoid main() { gl_Position = mvp[0]; }\n");
    assert!(loose.help[0].contains("layout(binding = 0) uniform Name"), "{loose:#?}");
}

/// What a machine has nothing for is called by its name, at its place.
#[test]
fn places_and_names_are_those_of_the_source() {
    let text = "struct U { d: array<f32, 8> }\n@group(0) @binding(0) var<uniform> u: U;\n\
                @vertex fn vs(@location(0) a: vec4f) -> @builtin(position) vec4f { return a * u.d[1]; }";
    let stride = problem("a.wgsl", text);
    assert!(stride.message.contains("an element every 4 bytes"), "{stride:#?}");
    assert!(stride.help[0].contains("array<vec4f, 2>"), "{stride:#?}");
    let text = "@vertex fn entry(@location(0) a: vec4f) -> @location(0) vec4f { return a; }";
    let position = problem("a.wgsl", text);
    assert_eq!(&text[position.labels[0].span.range()], "entry", "{position:#?}");
    let text = "@group(0) @binding(0) var<storage> s: array<vec4f, 8>;\n@vertex fn vs() -> @builtin(position) vec4f { return s[0]; }";
    assert!(problem("a.wgsl", text).message.contains("storage buffers"));
    let text = "@group(0) @binding(0) var t: texture_2d<f32>;\n@group(0) @binding(1) var s: sampler;\n\
                @vertex fn vs(@location(0) a: vec4f) -> @builtin(position) vec4f { return textureSampleLevel(t, s, a.xy, 0.0); }";
    assert_eq!(problem("a.wgsl", text).message, "vertex programs have no textures");
}
