//! Sources, read and walked: what comes out computes what the source says.
#![cfg(feature = "sources")]
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::disallowed_macros,
    reason = "tools of others read sources and modules, and the evaluator is an oracle"
)]

mod branches;
mod effects;
mod evaluator;
mod flow;
mod flows;
#[path = "../given/mod.rs"]
mod given;
mod glsl;
mod glslang;
mod instructions;
mod modules;
mod numbers;
mod random;
mod refused;
mod spirv;
mod values;

use given::{A, B, U};
use gpuzoo_compile::front::{Language, Reading, read};
use gpuzoo_compile::shader::Shader;
use gpuzoo_diag::{Diagnostic, Sources};
use gpuzoo_ir::{Inst, eval, vec4};
use gpuzoo_isa::Stage;

/// Reads a text whose name says the language.
fn shader(name: &str, text: &str) -> Result<(Shader, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut sources = Sources::default();
    let file = sources.add(name, text);
    let (language, stage) = Language::of(name).unwrap();
    read(&mut sources, file, text.as_bytes(), &Reading { stage, ..Reading::of(language) })
}

/// The first output of a text for some inputs and uniforms.
fn run(name: &str, text: &str, inputs: &[[f32; 4]], uniforms: &[[f32; 4]]) -> [f32; 4] {
    let (shader, _) = shader(name, text).unwrap_or_else(|problems| panic!("{problems:#?}"));
    // The same as SPIR-V does what its words say.
    if let Some(module) = modules::written(name, text) {
        modules::compare(&module, None, inputs, uniforms);
    }
    let [inputs, uniforms] = [inputs, uniforms].map(|all| all.iter().copied().map(vec4).collect::<Vec<_>>());
    eval::outputs(&shader.function, &inputs, &uniforms)[0].map(f32::from_bits)
}

/// A WGSL function of two inputs and an array of uniforms, from its body.
fn body(body: &str, inputs: &[[f32; 4]], uniforms: &[[f32; 4]]) -> [f32; 4] {
    let text = format!(
        "@group(0) @binding(0) var<uniform> u: array<vec4f, 8>;\n\
         @vertex fn vs(@location(0) a: vec4f, @location(1) b: vec4f) -> @builtin(position) vec4f {{ {body} }}"
    );
    run("body.wgsl", &text, inputs, uniforms)
}

#[test]
fn a_stage_is_known_by_name_or_asked_for() {
    assert_eq!(Language::of("a.frag.glsl"), Some((Language::Glsl, Some(Stage::Fragment))));
    assert_eq!(Language::of("a.fs.glsl"), Some((Language::Glsl, Some(Stage::Fragment))));
    let problems = shader("a.glsl", "#version 450\nvoid main() {}\n").unwrap_err();
    assert_eq!(problems[0].code.id, "K0002");
}

#[test]
fn glsl_gives_what_wgsl_gives() {
    let glsl = "#version 450\n\
        layout(location = 0) in vec4 a;\nlayout(location = 1) in vec4 b;\n\
        layout(binding = 0) uniform Block { mat4 m; vec4 tint; } u;\n\
        layout(location = 0) out vec4 color;\n\
        void main() { gl_Position = u.m * vec4(a.xyz, 1.0); color = max(b * u.tint, vec4(0.0)); }\n";
    let wgsl = "struct Block { m: mat4x4f, tint: vec4f }\n\
        @group(0) @binding(0) var<uniform> u: Block;\n\
        struct Out { @builtin(position) p: vec4f, @location(0) color: vec4f }\n\
        @vertex fn vs(@location(0) a: vec4f, @location(1) b: vec4f) -> Out {\n\
        return Out(u.m * vec4f(a.xyz, 1.0), max(b * u.tint, vec4f(0.0))); }\n";
    let run = |name: &str, text: &str| {
        let (shader, _) = shader(name, text).unwrap_or_else(|problems| panic!("{problems:#?}"));
        let outputs = eval::outputs(&shader.function, &[A, B].map(vec4), &U.map(vec4));
        let ports: Vec<_> = shader.outputs.iter().map(|output| output.port).collect();
        let mut all: Vec<_> = ports.into_iter().zip(outputs).collect();
        all.sort();
        let uniforms: Vec<(String, u16, u16)> =
            shader.uniforms.iter().map(|own| (own.name.clone(), own.first, own.count)).collect();
        (all, uniforms)
    };
    let (glsl, wgsl) = (run("a.vert", glsl), run("a.wgsl", wgsl));
    assert_eq!(glsl, wgsl);
    assert_eq!(wgsl.1, [("u.m".to_owned(), 0, 4), ("u.tint".to_owned(), 4, 1)]);
    let x = U[0][0] * 1.5 + U[1][0] * -2.0 + U[2][0] * 3.25 + U[3][0];
    assert_eq!(f32::from_bits(wgsl.0[0].1[0]), x);
}

/// Elements of arrays have names of their own, and so have columns of which two share a register; what is read of some counts for all.
#[test]
fn elements_and_columns_are_uniforms() {
    let text = "struct Light { at: vec3f, power: f32, color: vec3f }\n\
        struct Scene { lights: array<Light, 2>, bones: array<mat4x4f, 2>, uv: mat3x2f, scroll: vec2f, rows: array<vec4f, 3> }\n\
        @group(0) @binding(0) var<uniform> s: Scene;\n\
        @vertex fn vs(@location(0) a: vec4f) -> @builtin(position) vec4f {\n\
        return s.bones[1] * a + vec4f(s.uv * a.xyz, s.scroll) + s.rows[1] + vec4f(s.lights[0].at, s.lights[1].power); }\n";
    let (shader, warnings) = shader("s.wgsl", text).unwrap();
    let found: Vec<_> =
        shader.uniforms.iter().map(|own| (own.name.as_str(), own.first, own.count, own.mask.0)).collect();
    let expected = [
        ("s.lights[0].at", 0, 1, 7),
        ("s.lights[0].power", 0, 1, 8),
        ("s.lights[0].color", 1, 1, 7),
        ("s.lights[1].at", 2, 1, 7),
        ("s.lights[1].power", 2, 1, 8),
        ("s.lights[1].color", 3, 1, 7),
        ("s.bones[0]", 4, 4, 15),
        ("s.bones[1]", 8, 4, 15),
        ("s.uv[0]", 12, 1, 3),
        ("s.uv[1]", 12, 1, 12),
        ("s.uv[2]", 13, 1, 3),
        ("s.scroll", 13, 1, 12),
        ("s.rows", 14, 3, 15),
    ];
    assert_eq!(found, expected);
    let warnings: Vec<_> = warnings.iter().map(|own| own.message.as_str()).collect();
    assert_eq!(warnings, ["nothing is computed from the uniform `s.lights[i].color`"]);
}

#[test]
fn uniforms_of_another_stage_take_no_registers() {
    let text = "@group(0) @binding(0) var<uniform> of_vertices: mat4x4f;\n@group(0) @binding(1) var<uniform> of_fragments: vec4f;\n\
        @group(0) @binding(2) var<uniform> of_nobody: vec4f;\n\
        @vertex fn vs(@location(0) a: vec4f) -> @builtin(position) vec4f { return of_vertices * a; }\n\
        @fragment fn fs() -> @location(0) vec4f { return of_fragments; }\n";
    let mut sources = Sources::default();
    let file = sources.add("two.wgsl", text);
    for (stage, name) in [(None, "of_vertices"), (Some(Stage::Fragment), "of_fragments")] {
        let reading = Reading { stage, ..Reading::of(Language::Wgsl) };
        let (shader, warnings) = read(&mut sources, file, text.as_bytes(), &reading).unwrap();
        let uniforms: Vec<_> = shader.uniforms.iter().map(|own| (own.name.as_str(), own.first)).collect();
        assert_eq!(uniforms, [(name, 0)]);
        // What only another stage reads is not warned of.
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(warnings[0].message.contains("`of_nobody`"));
    }
}

/// Units are given by groups and bindings, to what the entry point reads, and however the source declares it.
#[test]
fn textures_take_units_by_their_bindings() {
    let head = "#version 450\nlayout(location = 0) in vec2 uv;\nlayout(location = 0) out vec4 color;\n";
    let declared = [
        "layout(binding = 5) uniform sampler2D high;\n",
        "layout(set = 0, binding = 2) uniform sampler2D low;\n",
    ];
    let end = "uniform sampler2D unread, last;\nvoid main() { color = texture(high, uv) * texture(low, uv) + texture(last, uv); }\n";
    for [one, other] in [declared, [declared[1], declared[0]]] {
        let shader = shader("a.frag", &format!("{head}{one}{other}{end}")).unwrap().0;
        assert_eq!(shader.textures, ["low", "high", "last"]);
        let read = |inst: &Inst| if let Inst::Sample(number, _) = inst { Some(*number) } else { None };
        let units: Vec<u8> = shader.function.insts.iter().filter_map(read).collect();
        assert_eq!(units, [1, 0, 2], "as `main` reads them");
    }
    let text = "@group(1) @binding(0) var last: texture_2d<f32>;\n@group(0) @binding(7) var first: texture_2d<f32>;\n\
        @group(0) @binding(1) var s: sampler;\n\
        @fragment fn fs(@location(0) uv: vec2f) -> @location(0) vec4f { return textureSample(last, s, uv) * textureSample(first, s, uv); }";
    assert_eq!(shader("a.wgsl", text).unwrap().0.textures, ["first", "last"]);
}

/// A texture that comes with its sampler is the same program as both apart, and places stay where they are.
#[test]
fn samplers_with_their_textures() {
    let head = "#version 450\nlayout(location = 0) in vec2 uv;\nlayout(location = 0) out vec4 color;\n";
    let combined = format!(
        "{head}layout(binding = 4) uniform sampler2D base, light;\nvoid main() {{\ncolor = texture(base, uv) * texture(light, uv.yx) + 0.5;\n}}\n"
    );
    let apart = format!(
        "{head}layout(binding = 1) uniform texture2D a;\nlayout(binding = 2) uniform texture2D b;\nlayout(binding = 3) uniform sampler s;\n\
         void main() {{\ncolor = texture(sampler2D(a, s), uv) * texture(sampler2D(b, s), uv.yx) + 0.5;\n}}\n"
    );
    let read = |text: &str| shader("a.frag", text).unwrap_or_else(|problems| panic!("{problems:#?}")).0;
    let (one, other) = (read(&combined), read(&apart));
    assert_eq!(one.function.insts, other.function.insts);
    let sum = combined.find("texture(base").unwrap() as u32;
    assert!(
        one.origins.iter().any(|origin| (sum..sum + 60).contains(&origin.span.start)),
        "{:?}",
        one.origins
    );
}
