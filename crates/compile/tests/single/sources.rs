//! Programs written by hand, and the same in WGSL: what is compiled is never longer.
#![cfg(feature = "sources")]

use super::{built, text};
use gpuzoo_compile::front::{Language, Reading, read};
use gpuzoo_compile::options::Options;
use gpuzoo_compile::select::single::build;
use gpuzoo_diag::{File, Sources};
use gpuzoo_isa::Stage;
use gpuzoo_machine::unit::PositionSpace;
use gpuzoo_machine::{ShaderUnit, TextOptions};

/// Compiles a text.
fn compiled(unit: &dyn ShaderUnit, source: &str) -> (usize, String) {
    let mut sources = Sources::default();
    let file = sources.add("t.wgsl", source);
    let reading = Reading::of(Language::Wgsl);
    let (shader, _) = read(&mut sources, file, source.as_bytes(), &reading)
        .unwrap_or_else(|problems| panic!("{problems:#?}"));
    let built = built(unit, &shader);
    (built.program.slots.len(), text(unit, &built))
}

macro_rules! rows {
    ($unit:expr, $($source:literal $hand:literal $count:literal;)*) => {
        [$(($source, $unit as &dyn ShaderUnit, include_str!(concat!("programs/", $source, ".wgsl")), include_str!($hand), $count),)*]
    };
}

#[test]
fn never_longer_than_by_hand() {
    let dreambox = rows! { &gpuzoo_dreambox::GPU,
        "dreambox_teapot" "../../../../examples/dreambox/teapot.vu" 61;
    };
    let servaru = rows! { &gpuzoo_servaru::GPU,
        "servaru_lit" "../../../../examples/servaru/lit.svs" 12;
        "servaru_rivets" "../../../../examples/servaru/rivets.svs" 17;
        "servaru_transform" "../../../../gpus/servaru/tests/programs/transform.svs" 14;
        "servaru_light" "../../../../gpus/servaru/src/sample/light.svs" 8;
        "servaru_fence" "../../../../examples/servaru/fence.svs" 4;
        "servaru_bumped" "../../../../examples/servaru/bumped.svs" 22;
        "servaru_toon" "../../../../examples/servaru/toon.svs" 21;
    };
    let picogpu = rows! { &gpuzoo_picogpu::GPU,
        "picogpu_screen" "../../../../examples/picogpu/screen.pico" 7;
        "picogpu_lit" "../../../../examples/picogpu/lit.pico" 49;
        "picogpu_tiles" "../../../../examples/picogpu/tiles.pico" 60;
        "picogpu_light" "../../../../gpus/picogpu/src/sample/light.pico" 35;
    };
    let mut wrong = Vec::new();
    for (name, unit, source, hand, expected) in dreambox.into_iter().chain(servaru).chain(picogpu) {
        let hand = unit.assemble(&File::new("hand", hand), &TextOptions::default()).program.slots.len();
        let (count, text) = compiled(unit, source);
        if count != expected || count > hand {
            wrong.push(format!("{name}: {count}, not {expected}; by hand {hand}\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Texture reads with a bias, and texels by their numbers.
#[test]
fn servaru_reads_textures_in_its_three_ways() {
    let head = "@group(0) @binding(0) var t: texture_2d<f32>;\n@group(0) @binding(1) var s: sampler;\n";
    let fragment = |body: &str| {
        format!("{head}@fragment fn f(@location(0) uv: vec2f) -> @location(0) vec4f {{ return {body}; }}")
    };
    let (count, text) = compiled(&gpuzoo_servaru::GPU, &fragment("textureSampleBias(t, s, uv, uv.y)"));
    assert!(count <= 3 && text.contains("TXB"), "{text}");
    let (count, text) = compiled(&gpuzoo_servaru::GPU, &fragment("textureLoad(t, vec2i(uv), 2)"));
    assert!(text.contains("TXF"), "{count} {text}");
    let (_, text) = compiled(&gpuzoo_servaru::GPU, &fragment("textureSample(t, s, uv)"));
    assert_eq!(text, "TEX P9, P0, T0;\n");
}

/// What is written number by number takes no more instructions than a vector.
#[test]
fn equal_operations_on_numbers_become_one() {
    let vertex = |body: &str| {
        format!(
            "@vertex fn v(@location(0) a: vec4f, @location(1) b: vec4f) -> @builtin(position) vec4f {{ return {body}; }}"
        )
    };
    for unit in [&gpuzoo_servaru::GPU as &dyn ShaderUnit, &gpuzoo_dreambox::GPU, &gpuzoo_picogpu::GPU] {
        for [single, vector] in [
            ["vec4f(abs(a.x), abs(a.y), abs(a.z), abs(a.w))", "abs(a)"],
            ["vec4f(max(a.x, b.x), max(a.y, b.y), max(a.z, b.z), max(a.w, b.w))", "max(a, b)"],
            ["vec4f(a.x * 2.0 + b.x, a.y * 2.0 + b.y, a.z * 2.0 + b.z, a.w * 2.0 + b.w)", "a * 2.0 + b"],
            ["vec4f(abs(a.x) * b.x, abs(a.y) * b.y, abs(a.z) * b.z, abs(a.w) * b.w)", "abs(a) * b"],
        ] {
            let [(one, text), (other, _)] = [single, vector].map(|body| compiled(unit, &vertex(body)));
            assert_eq!(one, other, "{single}\n{text}");
        }
    }
}

/// A program that fits in no form is too large, and no fault of the compiler's: one form has more than twice the room, the other one
/// no order with registers enough.
#[test]
fn what_does_not_fit_is_no_fault() {
    let source = "#version 450
layout(location = 0) in vec4 a;
layout(location = 1) in vec4 b;
layout(binding = 0) uniform Block { vec4 u[2]; };
void main() {
    vec4 v = a;
    vec4 w = vec4(0.0);
    switch (int(v.w)) {
    case 0:
        break;
    case 1:
        v = vec4(0.0);
        break;
    case -1:
        v.x *= (w.z = clamp(b.y, -1.0, 2.0));
        break;
    }
    v.x = step(0.0, v[clamp(int(v.w), 0, 3)]);
    w = vec4(-1.0) * mat4x4(vec4(0.0), u[0], w, a);
    gl_Position = v + w + vec4(1.0);
}
";
    let mut sources = Sources::default();
    let file = sources.add("t.vert", source);
    let reading = Reading { stage: Some(Stage::Vertex), ..Reading::of(Language::Glsl) };
    let (shader, _) = read(&mut sources, file, source.as_bytes(), &reading).unwrap();
    let options = Options { position: PositionSpace::Clip, ..Options::default() };
    let problems = build(&gpuzoo_dreambox::GPU, &shader, &options).unwrap_err();
    assert_eq!(problems[0].code.id, "K0305", "{problems:#?}");
}
