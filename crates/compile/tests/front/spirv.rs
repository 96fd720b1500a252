//! SPIR-V, as naga writes it of the example in WGSL.

use gpuzoo_compile::build;
use gpuzoo_compile::front::{Language, Reading, read};
use gpuzoo_compile::options::Options;
use gpuzoo_compile::shader::Shader;
use gpuzoo_diag::{Diagnostic, Severity, Sources};
use gpuzoo_isa::Stage;
use gpuzoo_machine::ShaderUnit;
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
