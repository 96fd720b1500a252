//! SPIR-V, as naga writes it of the example in WGSL.

use gpuzoo_compile::build;
use gpuzoo_compile::front::{Language, Reading, read};
use gpuzoo_compile::options::Options;
use gpuzoo_compile::shader::Shader;
use gpuzoo_diag::{Diagnostic, Severity, Sources};
use gpuzoo_isa::Stage;
use gpuzoo_machine::ShaderUnit;
use gpuzoo_machine::target::conventions::Port;
use naga::back::spv::{DebugInfo, Options as SpvOptions, SourceLanguage, WriterFlags, write_vec};
use naga::valid::{Capabilities, ValidationFlags, Validator};

const LIT: &str = include_str!("../../../../examples/compile/lit.wgsl");

/// The bytes of a source's SPIR-V, with names where `names` says so.
fn spirv(text: &str, names: bool) -> Vec<u8> {
    written(text, names, None)
}

fn written(text: &str, names: bool, debug_info: Option<DebugInfo>) -> Vec<u8> {
    let module = naga::front::wgsl::parse_str(text).unwrap();
    let info = Validator::new(ValidationFlags::all(), Capabilities::all()).validate(&module).unwrap();
    let flags = if names { WriterFlags::DEBUG | WriterFlags::LABEL_VARYINGS } else { WriterFlags::empty() };
    let options = SpvOptions { flags, debug_info, ..SpvOptions::default() };
    let words = write_vec(&module, &info, &options, None).unwrap();
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// The same with the lines of the source, as compilers write them for debuggers.
fn with_lines(text: &str) -> Vec<u8> {
    let language = SourceLanguage::WGSL;
    let bytes = written(text, true, Some(DebugInfo { source_code: text, file_name: "lit.wgsl", language }));
    assert!(bytes.len() > spirv(text, true).len() + text.len());
    bytes
}

fn compiled(
    name: &str,
    bytes: &[u8],
    entry: Option<&str>,
    stage: Option<Stage>,
) -> Result<(Shader, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut sources = Sources::default();
    let (language, _) = Language::of(name).unwrap();
    let file = match language {
        Language::SpirV => sources.add_binary(name),
        _ => sources.add(name, std::str::from_utf8(bytes).unwrap()),
    };
    read(&mut sources, file, bytes, &Reading { entry, stage, ..Reading::of(language) })
}

fn error(bytes: &[u8], entry: Option<&str>) -> Diagnostic {
    let problems = compiled("a.spv", bytes, entry, None).unwrap_err();
    problems.into_iter().find(|problem| problem.severity == Severity::Error).unwrap()
}

#[test]
fn spirv_gives_what_wgsl_gives() {
    let machines: [(&dyn ShaderUnit, &[Stage]); 3] = [
        (&gpuzoo_nv2a::GPU, &[Stage::Vertex]),
        (&gpuzoo_dreambox::GPU, &[Stage::Vertex]),
        (&gpuzoo_servaru::GPU, &[Stage::Vertex, Stage::Fragment]),
    ];
    for (unit, stages) in machines {
        for stage in stages {
            let words = |name: &str, bytes: &[u8]| {
                let (shader, _) = compiled(name, bytes, None, Some(*stage)).unwrap();
                let built = build(unit, &shader, &Options::default()).unwrap();
                (unit.save(&built.program), built.program.constants.len())
            };
            let id = unit.about().id;
            assert_eq!(words("lit.wgsl", LIT.as_bytes()), words("lit.spv", &spirv(LIT, true)), "{id}");
            assert_eq!(words("lit.wgsl", LIT.as_bytes()), words("lit.spv", &spirv(LIT, false)), "{id}");
            assert_eq!(words("lit.wgsl", LIT.as_bytes()), words("lit.spv", &with_lines(LIT)), "{id}");
        }
    }
}

#[test]
fn names_are_those_of_the_source() {
    let names = |bytes: &[u8]| {
        let (shader, warnings) = compiled("lit.spv", bytes, Some("vertex"), None).unwrap();
        assert!(warnings.is_empty(), "{warnings:#?}");
        let uniforms: Vec<String> = shader.uniforms.iter().map(|own| own.name.clone()).collect();
        let variables = shader.inputs.iter().chain(&shader.outputs);
        (uniforms, variables.map(|own| own.name.clone()).collect::<Vec<_>>())
    };
    let (uniforms, variables) = names(&spirv(LIT, true));
    assert_eq!(uniforms[..3], ["scene.mvp", "scene.normals", "scene.light"]);
    assert_eq!(variables, ["position", "normal", "uv", "position", "color", "highlight", "uv"]);
}

#[test]
fn entry_points_are_chosen_by_name() {
    let bytes = spirv(LIT, true);
    // Of both stages, the vertices' is meant.
    assert_eq!(compiled("lit.spv", &bytes, None, None).unwrap().0.stage, Stage::Vertex);
    assert_eq!(compiled("lit.spv", &bytes, Some("fragment"), None).unwrap().0.stage, Stage::Fragment);
    let problem = error(&bytes, Some("vertx"));
    assert_eq!(problem.code.id, "K0101");
    assert_eq!(problem.help, ["did you mean `vertex`?"]);
}

#[test]
fn errors_say_which_bytes_they_are_about() {
    let bytes = spirv(LIT, true);
    for broken in [&b""[..], b"#version 450", &bytes[..bytes.len() / 2], &bytes[..17]] {
        let problem = error(broken, None);
        assert_eq!((problem.code.id, problem.labels.len()), ("K0001", 1), "{problem:#?}");
    }
    let text = "@group(0) @binding(0) var<uniform> n: vec4i;\n\
        @vertex fn vs(@location(0) a: vec4f) -> @builtin(position) vec4f {\n\
        var s = 0.0; for (var i = 0; i < n.x; i++) { s += a.x; } return a * s; }";
    for bytes in [spirv(text, true), with_lines(text)] {
        let problem = error(&bytes, None);
        assert_eq!(problem.code.id, "K0108", "{problem:#?}");
        let span = problem.labels[0].span;
        assert!(span.start >= 20 && span.start < span.end && span.end as usize <= bytes.len(), "{span:?}");
    }
    let problem = error(&spirv(text, true), None);
    assert!(problem.notes.iter().any(|note| note.contains("the uniform `n`")), "{problem:#?}");
}

/// Ids of fragment programs with `layout(binding = 3) uniform sampler2D t`, which name nothing.
const VOID: u32 = 2;
const FUNCTION: u32 = 3;
const FLOAT: u32 = 4;
const VEC2: u32 = 5;
const VEC4: u32 = 6;
const IMAGE: u32 = 7;
const SAMPLED: u32 = 8;
const TO_TEXTURE: u32 = 9;
const TO_INPUT: u32 = 10;
const TO_OUTPUT: u32 = 11;
const TEXTURE: u32 = 12;
const UV: u32 = 13;
const COLOR: u32 = 14;
const SIGNATURE: u32 = 15;

/// The declarations of such a program, and what is behind them, with ids from 16 to 24.
fn fragment(functions: &[(u32, &[u32])]) -> Vec<u8> {
    let main = u32::from_le_bytes(*b"main");
    let declarations: [(u32, &[u32]); 22] = [
        (17, &[1]),
        (14, &[0, 1]),
        (15, &[4, 1, main, 0, UV, COLOR]),
        (16, &[1, 7]),
        (71, &[TEXTURE, 33, 3]),
        (71, &[TEXTURE, 34, 0]),
        (71, &[UV, 30, 0]),
        (71, &[COLOR, 30, 0]),
        (19, &[VOID]),
        (33, &[FUNCTION, VOID]),
        (22, &[FLOAT, 32]),
        (23, &[VEC2, FLOAT, 2]),
        (23, &[VEC4, FLOAT, 4]),
        (25, &[IMAGE, FLOAT, 1, 0, 0, 0, 1, 0]),
        (27, &[SAMPLED, IMAGE]),
        (32, &[TO_TEXTURE, 0, SAMPLED]),
        (33, &[SIGNATURE, VEC4, TO_TEXTURE, VEC2]),
        (32, &[TO_INPUT, 1, VEC2]),
        (32, &[TO_OUTPUT, 3, VEC4]),
        (59, &[TO_TEXTURE, TEXTURE, 0]),
        (59, &[TO_INPUT, UV, 1]),
        (59, &[TO_OUTPUT, COLOR, 3]),
    ];
    module(25, declarations.iter().chain(functions))
}

/// `void main() { color = texture(t, uv); }`
fn textured() -> Vec<u8> {
    fragment(&[
        (54, &[VOID, 1, 0, FUNCTION]),
        (248, &[19]),
        (61, &[SAMPLED, 16, TEXTURE]),
        (61, &[VEC2, 17, UV]),
        (87, &[VEC4, 18, 16, 17]),
        (62, &[COLOR, 18]),
        (253, &[]),
        (56, &[]),
    ])
}

/// `vec4 f(sampler2D s, vec2 uv) { return texture(s, uv); } void main() { color = f(t, uv); }`
#[test]
fn textures_are_arguments_of_functions() {
    let [called, parameter, at] = [16, 17, 18];
    let bytes = fragment(&[
        (54, &[VOID, 1, 0, FUNCTION]),
        (248, &[19]),
        (61, &[VEC2, 20, UV]),
        (57, &[VEC4, 21, called, TEXTURE, 20]),
        (62, &[COLOR, 21]),
        (253, &[]),
        (56, &[]),
        (54, &[VEC4, called, 0, SIGNATURE]),
        (55, &[TO_TEXTURE, parameter]),
        (55, &[VEC2, at]),
        (248, &[22]),
        (61, &[SAMPLED, 23, parameter]),
        (87, &[VEC4, 24, 23, at]),
        (254, &[24]),
        (56, &[]),
    ]);
    let (shader, _) =
        compiled("t.spv", &bytes, None, None).unwrap_or_else(|problems| panic!("{problems:#?}"));
    let (direct, _) = compiled("t.spv", &textured(), None, None).unwrap();
    assert_eq!(shader.function.insts, direct.function.insts);
}

/// A module of instructions, their numbers and operands, whose ids are below a bound.
fn module<'a>(bound: u32, all: impl Iterator<Item = &'a (u32, &'a [u32])>) -> Vec<u8> {
    let instruction = |operation: u32, operands: &[u32]| {
        [&[(operands.len() as u32 + 1) << 16 | operation][..], operands].concat()
    };
    let body = all.flat_map(|(operation, operands)| instruction(*operation, operands));
    let words: Vec<u32> = [0x0723_0203, 0x1_0000, 0, bound, 0].into_iter().chain(body).collect();
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// `layout(location = 2) out Block { vec2 a; vec4 b; } v; void main() { v.a = vec2(1.0); v.b = vec4(1.0); gl_Position = v.b; }`
#[test]
fn members_of_a_block_are_outputs() {
    let main = u32::from_le_bytes(*b"main");
    let [void, function, float, vec2, vec4, int, block] = [2, 3, 4, 5, 6, 7, 8];
    let [to_block, to_vec2, to_vec4, own, position] = [9, 10, 11, 12, 13];
    let all: [(u32, &[u32]); 29] = [
        (17, &[1]),
        (14, &[0, 1]),
        (15, &[0, 1, main, 0, own, position]),
        (71, &[block, 2]),
        (71, &[own, 30, 2]),
        (71, &[position, 11, 0]),
        (19, &[void]),
        (33, &[function, void]),
        (22, &[float, 32]),
        (23, &[vec2, float, 2]),
        (23, &[vec4, float, 4]),
        (21, &[int, 32, 1]),
        (30, &[block, vec2, vec4]),
        (32, &[to_block, 3, block]),
        (32, &[to_vec2, 3, vec2]),
        (32, &[to_vec4, 3, vec4]),
        (43, &[int, 14, 0]),
        (43, &[int, 15, 1]),
        (43, &[float, 16, 1f32.to_bits()]),
        (44, &[vec2, 17, 16, 16]),
        (44, &[vec4, 18, 16, 16, 16, 16]),
        (59, &[to_block, own, 3]),
        (59, &[to_vec4, position, 3]),
        (54, &[void, 1, 0, function]),
        (248, &[19]),
        (65, &[to_vec2, 20, own, 14]),
        (62, &[20, 17]),
        (65, &[to_vec4, 21, own, 15]),
        (62, &[21, 18]),
    ];
    let end: [(u32, &[u32]); 3] = [(62, &[position, 18]), (253, &[]), (56, &[])];
    let bytes = module(22, all.iter().chain(&end));
    let (shader, warnings) =
        compiled("b.spv", &bytes, None, None).unwrap_or_else(|problems| panic!("{problems:#?}"));
    let ports: Vec<_> = shader.outputs.iter().map(|own| (own.port, own.mask.0)).collect();
    assert_eq!(
        ports,
        [(Port::Location(2), 3), (Port::Location(3), 15), (Port::Position, 15)],
        "{warnings:#?}"
    );
}

#[test]
fn textures_come_with_their_samplers() {
    let (shader, _) =
        compiled("t.spv", &textured(), None, None).unwrap_or_else(|problems| panic!("{problems:#?}"));
    let built = build(&gpuzoo_servaru::GPU, &shader, &Options::default()).unwrap();
    let slots = &built.program.slots;
    assert_eq!(slots.len(), 1, "{slots:?}");
    let mut text = String::new();
    gpuzoo_servaru::GPU.isa().print_slot(&slots[0], &mut text);
    assert!(text.starts_with("TEX P9, P0, T0"), "{text}");
}

/// Any word of it may be any other: there is a program or a problem.
#[test]
fn textures_of_damaged_modules_are_no_panic() {
    let whole = textured();
    for at in 5..whole.len() / 4 {
        for word in (0..20).chain([2 << 16 | 26, 4 << 16 | 59, 4 << 16 | 61, u32::MAX]) {
            let mut bytes = whole.clone();
            bytes[at * 4..][..4].copy_from_slice(&word.to_le_bytes());
            let _ = compiled("t.spv", &bytes, None, None);
        }
    }
    // A variable that is declared twice, the second time as something else.
    let mut twice = whole.clone();
    let variable = u32::to_le_bytes(4 << 16 | 59);
    let place = twice.chunks(4).position(|word| word == variable).unwrap() * 4;
    let second: Vec<u8> = [4 << 16 | 59, 10, 12, 0].into_iter().flat_map(u32::to_le_bytes).collect();
    twice.splice(place + 16..place + 16, second);
    assert_eq!(error(&twice, None).code.id, "K0001");
}
