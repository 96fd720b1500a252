//! The functions of all operations in every language, each read by tools that are not ours where they are installed.

#![allow(clippy::disallowed_macros, reason = "which tools are missing is for people to see")]
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "tools read files")]

use gpuzoo_ir::record::Operation;
use gpuzoo_translate::exact;
use naga::back::{glsl, hlsl, msl, spv};
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{Expression, Module, ScalarKind};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

/// All functions, each once: those of operations, and their records beside those that are written.
fn functions() -> String {
    let mut text = exact::functions(Operation::all());
    let mut known: BTreeSet<String> = names(&text).into_iter().collect();
    for operation in Operation::all().filter(|operation| exact::is_written(*operation)) {
        let record = exact::of_record(operation);
        for function in
            record.split_inclusive("\n}\n").flat_map(|piece| piece.find("fn ").map(|at| &piece[at..]))
        {
            // Short functions of one line may stand before it.
            for function in function.split("\n\n").map(str::trim_start).filter(|text| text.contains("fn ")) {
                let own = names(function);
                if own.iter().all(|name| known.insert(name.clone())) {
                    text += function;
                    text.push('\n');
                }
            }
        }
    }
    text
}

/// The names of the functions of a text.
fn names(text: &str) -> Vec<String> {
    let starts = text.lines().filter_map(|line| line.strip_prefix("fn "));
    starts.filter_map(|line| Some(line.split_once('(')?.0.to_owned())).collect()
}

/// A vertex shader that calls every operation, and every record, of the same two vectors.
fn module() -> Module {
    let values = ["a.x", "b.x", "a.y", "b.y", "a.z", "b.z", "a.w", "b.w"];
    let mut calls = String::new();
    for operation in Operation::all() {
        let count = match operation {
            Operation::One(_) => 1,
            Operation::Two(_) => 2,
            Operation::Three(_) => 3,
            Operation::Dot(_) => 8,
        };
        let arguments = values[..count].join(", ");
        calls += &format!("all ^= {}({arguments});\n", operation.name());
        if exact::is_written(operation) {
            calls += &format!("all ^= recorded_{}({arguments});\n", operation.name());
        }
    }
    let text = format!(
        "{}
        @vertex
        fn main(@location(0) a: vec4<u32>, @location(1) b: vec4<u32>) -> @builtin(position) vec4<f32> {{
            var all = 0u;
            {calls}
            return vec4<f32>(bitcast<f32>(all));
        }}",
        functions()
    );
    naga::front::wgsl::parse_str(&text).unwrap_or_else(|error| panic!("{}", error.emit_to_string(&text)))
}

fn validated(module: &Module) -> ModuleInfo {
    Validator::new(ValidationFlags::all(), Capabilities::empty())
        .validate(module)
        .unwrap_or_else(|error| panic!("{}", error.emit_to_string("")))
}

/// Writes a file and has a tool read it. A tool that is not there is named.
fn accepts(tool: &str, arguments: &[&str], name: &str, bytes: &[u8]) {
    if Command::new(tool).arg("--version").output().is_err() {
        gpuzoo_skipped::say(&format!("{tool} is not installed: {name} was not read by it"));
        return;
    }
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, bytes).expect("the folder for temporary files can be written");
    let output = Command::new(tool).args(arguments).arg(&path).output().expect("it ran before");
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{tool} on {name}: {text}");
}

#[test]
fn spirv() {
    let module = module();
    let info = validated(&module);
    for (version, environment) in [((1, 0), "vulkan1.0"), ((1, 3), "vulkan1.1"), ((1, 5), "vulkan1.2")] {
        let options = spv::Options { lang_version: version, ..Default::default() };
        let words = spv::write_vec(&module, &info, &options, None).unwrap_or_else(|error| panic!("{error}"));
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        accepts("spirv-val", &["--target-env", environment], &format!("{environment}.spv"), &bytes);
    }
}

#[test]
fn glsl() {
    let module = module();
    let info = validated(&module);
    let versions = [
        (glsl::Version::Desktop(330), "330.vert"),
        (glsl::Version::Desktop(450), "450.vert"),
        (glsl::Version::new_gles(300), "300es.vert"),
        (glsl::Version::new_gles(310), "310es.vert"),
    ];
    for (version, name) in versions {
        let options = glsl::Options { version, ..Default::default() };
        let pipeline = glsl::PipelineOptions {
            shader_stage: naga::ShaderStage::Vertex,
            entry_point: "main".to_owned(),
            multiview: None,
        };
        let mut text = String::new();
        let policies = naga::proc::BoundsCheckPolicies::default();
        glsl::Writer::new(&mut text, &module, &info, &options, &pipeline, policies)
            .and_then(|mut writer| writer.write())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        accepts("glslangValidator", &[], name, text.as_bytes());
    }
}

#[test]
fn hlsl() {
    let module = module();
    let info = validated(&module);
    let mut text = String::new();
    let (options, pipeline) = (hlsl::Options::default(), hlsl::PipelineOptions::default());
    hlsl::Writer::new(&mut text, &options, &pipeline)
        .write(&module, &info, None)
        .unwrap_or_else(|error| panic!("{error}"));
    accepts(
        "glslangValidator",
        &["-D", "-V", "-Od", "-S", "vert", "-e", "main", "-o", "/dev/null"],
        "main.hlsl",
        text.as_bytes(),
    );
}

/// No tool for it runs outside of macOS: that naga writes it is all that is checked.
#[test]
fn msl() {
    let module = module();
    let info = validated(&module);
    let options = msl::Options { lang_version: (2, 1), ..Default::default() };
    let (text, _) = msl::write_string(&module, &info, &options, &msl::PipelineOptions::default())
        .unwrap_or_else(|error| panic!("{error}"));
    assert!(text.contains("dot4_trunc"), "{text}");
}

/// Nothing but integers: no type, literal or conversion of floats is in any function.
#[test]
fn no_floats() {
    let text = functions();
    let module =
        naga::front::wgsl::parse_str(&text).unwrap_or_else(|error| panic!("{}", error.emit_to_string(&text)));
    validated(&module);
    for (_, ty) in module.types.iter() {
        let kind = ty.inner.scalar().map(|scalar| scalar.kind);
        assert!(kind.is_none_or(|kind| kind != ScalarKind::Float), "{:?}", ty.inner);
    }
    for (_, function) in module.functions.iter() {
        for (_, expression) in function.expressions.iter() {
            let float = match expression {
                Expression::As { kind, .. } => *kind == ScalarKind::Float,
                Expression::Literal(literal) => literal.scalar().kind == ScalarKind::Float,
                _ => false,
            };
            assert!(!float, "{:?}: {expression:?}", function.name);
        }
    }
}

/// A function comes once, with what it calls and nothing else.
#[test]
fn what_comes_with_a_function() {
    use gpuzoo_ir::Op2::{FAdd, FSub};
    let text = exact::functions([Operation::Two(FAdd)]);
    assert_eq!(names(&text), ["jam32", "leading_zeros", "single_add", "fadd"]);
    let text = exact::functions([Operation::Two(FAdd), Operation::Two(FSub)]);
    assert_eq!(names(&text), ["jam32", "leading_zeros", "single_add", "single_sub", "fadd", "fsub"]);
}
