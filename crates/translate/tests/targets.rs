//! The functions of all operations in every language, each read by tools that are not ours where they are installed.

#![allow(clippy::disallowed_macros, reason = "which tools are missing is for people to see")]
#![allow(clippy::disallowed_methods, reason = "tools read files")]

mod lanes;

use gpuzoo_ir::record::Operation;
use gpuzoo_translate::exact;
use lanes::{arity, redirect};
use naga::back::{glsl, hlsl, msl, spv};
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{Handle, Module};
use std::collections::HashMap;
use std::path::PathBuf;
use std::process::Command;

/// A vertex shader that calls every operation, and every record, of the same two vectors.
fn module() -> Module {
    let mut stubs = String::new();
    let mut calls = String::new();
    let values = ["a.x", "b.x", "a.y", "b.y", "a.z", "b.z", "a.w", "b.w"];
    for (place, operation) in Operation::all().chain(Operation::all()).enumerate() {
        let count = arity(operation);
        let parameters: Vec<String> = (0..count).map(|n| format!("p{n}: u32")).collect();
        stubs += &format!("fn stub{place}({}) -> u32 {{ return p0; }}\n", parameters.join(", "));
        calls += &format!("all ^= stub{place}({});\n", values[..count].join(", "));
    }
    let text = format!(
        "{stubs}
        @vertex
        fn main(@location(0) a: vec4<u32>, @location(1) b: vec4<u32>) -> @builtin(position) vec4<f32> {{
            var all = 0u;
            {calls}
            return vec4<f32>(bitcast<f32>(all));
        }}"
    );
    let mut module = naga::front::wgsl::parse_str(&text).unwrap_or_else(|error| panic!("{error}"));
    let stubs: Vec<Handle<_>> = module.functions.iter().map(|(handle, _)| handle).collect();
    let mut to = HashMap::new();
    for (operation, stub) in Operation::all().zip(&stubs) {
        to.insert(*stub, exact::function(&mut module, operation));
    }
    for (operation, stub) in Operation::all().zip(&stubs[Operation::COUNT..]) {
        to.insert(*stub, exact::recorded(&mut module, operation));
    }
    redirect(&mut module.entry_points[0].function, &|from| to[&from]);
    naga::compact::compact(&mut module, naga::compact::KeepUnused::No);
    module
}

fn validated(module: &Module) -> ModuleInfo {
    Validator::new(ValidationFlags::all(), Capabilities::empty())
        .validate(module)
        .unwrap_or_else(|error| panic!("{}", error.emit_to_string("")))
}

/// Writes a file and has a tool read it. A tool that is not there is named.
fn accepts(tool: &str, arguments: &[&str], name: &str, bytes: &[u8]) {
    if Command::new(tool).arg("--version").output().is_err() {
        eprintln!("skipped: {tool} is not installed, {name} was not read by it");
        return;
    }
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, bytes).expect("the folder for temporary files can be written");
    let output = Command::new(tool).args(arguments).arg(&path).output().expect("it ran before");
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
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
    accepts("glslangValidator", &["-D", "-V", "-Od", "-S", "vert", "-e", "main", "-o", "/dev/null"], "main.hlsl", text.as_bytes());
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

#[test]
fn wgsl() {
    let module = module();
    let info = validated(&module);
    let text = naga::back::wgsl::write_string(&module, &info, naga::back::wgsl::WriterFlags::empty())
        .unwrap_or_else(|error| panic!("{error}"));
    let again = naga::front::wgsl::parse_str(&text).unwrap_or_else(|error| panic!("{}", error.emit_to_string(&text)));
    validated(&again);
}

/// Nothing but integers: no type, conversion or function of floats is in any function.
#[test]
fn no_floats() {
    let mut module = Module::default();
    for operation in Operation::all() {
        exact::function(&mut module, operation);
        exact::recorded(&mut module, operation);
    }
    validated(&module);
    for (_, ty) in module.types.iter() {
        let kind = ty.inner.scalar().map(|scalar| scalar.kind);
        assert!(kind.is_none_or(|kind| kind != naga::ScalarKind::Float), "{:?}", ty.inner);
    }
    for (_, function) in module.functions.iter() {
        for (_, expression) in function.expressions.iter() {
            let float = match expression {
                naga::Expression::As { kind, .. } => *kind == naga::ScalarKind::Float,
                naga::Expression::Literal(literal) => literal.scalar().kind == naga::ScalarKind::Float,
                _ => false,
            };
            assert!(!float, "{:?}: {expression:?}", function.name);
        }
    }
}

/// A function comes once, with what it calls and nothing else.
#[test]
fn what_comes_with_a_function() {
    let mut module = Module::default();
    let add = Operation::Two(gpuzoo_ir::Op2::FAdd);
    let first = exact::function(&mut module, add);
    let names = |module: &Module| -> Vec<String> {
        module.functions.iter().filter_map(|(_, function)| function.name.clone()).collect()
    };
    assert_eq!(names(&module), ["jam32", "leading_zeros", "single_add", "fadd"]);
    assert_eq!(exact::function(&mut module, add), first);
    assert_eq!(module.functions.len(), 4);
    exact::function(&mut module, Operation::Two(gpuzoo_ir::Op2::FSub));
    assert_eq!(names(&module)[4..], ["single_sub", "fsub"]);
}
