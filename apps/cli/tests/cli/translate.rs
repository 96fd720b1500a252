//! `translate`.

use crate::common::{gpuzoo, scratch, text, with_input};

const PROGRAM: &str = "dp4 oPos.x, v0, c[96]\nmov oPos.yzw, v0\nmul oD0, v3, c[97]\n";

fn program(name: &str) -> (std::path::PathBuf, std::path::PathBuf) {
    let folder = scratch(name);
    let file = folder.join("p.vsh");
    std::fs::write(&file, PROGRAM).unwrap();
    (folder, file)
}

#[test]
fn every_language_is_written() {
    let (_, file) = program("translate-languages");
    let to = |target: &str| gpuzoo(&["translate", text(&file), "--to", target]);
    for (target, has) in [
        ("wgsl", "@vertex\nfn main("),
        ("spvasm", "OpEntryPoint Vertex"),
        ("glsl", "#version 450 core"),
        ("glsl330", "#version 330 core"),
        ("essl300", "#version 300 es"),
        ("essl310", "#version 310 es"),
        ("hlsl", "SV_Position"),
        ("msl", "[[position, invariant]]"),
    ] {
        let done = to(target);
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{target}");
        assert!(done.out.contains(has), "{target}: {}", done.out);
        assert!(done.out.contains("oPos_0_x") || target == "spvasm", "{target}: {}", done.out);
    }
}

/// The extension says the language, and words begin with SPIR-V's number.
#[test]
fn files_say_their_language() {
    let (folder, file) = program("translate-files");
    let (words, json) = (folder.join("p.spv"), folder.join("p.json"));
    let done = gpuzoo(&["translate", text(&file), "-o", text(&words), "--reflection", text(&json)]);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    assert_eq!(std::fs::read(&words).unwrap()[..4], 0x0723_0203_u32.to_le_bytes());
    let json: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
    assert_eq!((&json["target"], &json["entry"]), (&"spirv".into(), &"main".into()));
    assert_eq!(json["inputs"][1]["register"], "v3");
    assert_eq!(json["bindings"][0]["type"], "array<vec4f, 98>");
    let done = gpuzoo(&["translate", text(&file), "-o", text(&folder.join("p.metal"))]);
    assert_eq!(done.code, 0);
    assert!(std::fs::read_to_string(folder.join("p.metal")).unwrap().contains("metal_stdlib"));
}

#[test]
fn doubts_are_explained() {
    let (_, file) = program("translate-explain");
    let explained = |fidelity: &str| {
        gpuzoo(&["translate", text(&file), "--fidelity", fidelity, "--explain", "-o", "/dev/null"]).err
    };
    assert!(explained("fast").contains("dot4_trunc         rounded to nearest, not truncated"));
    assert!(explained("exact").contains("no other result depends on it"));
}

/// Standard input, other shapes, and a machine with two stages.
#[test]
fn shapes_are_chosen() {
    let done = with_input(&["translate", "--gpu", "servaru", "-", "--as", "function"], "MOV P9, P0;\n");
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    assert!(done.out.contains("fn program(") && !done.out.contains("@vertex"));
    let done = with_input(
        &["translate", "--gpu", "picogpu", "-", "--to", "glsl"],
        "#fragmentShader\n#input r0.xyzw\n#output r1.xyzw\nmov r1 r0\n",
    );
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    assert!(done.out.contains("gl_FragCoord"), "{}", done.out);
}

#[test]
fn wrong_names_and_forms_are_reported() {
    let (folder, file) = program("translate-wrong");
    let code = |arguments: &[&str]| {
        let mut all = vec!["translate", text(&file), "--message-format", "short"];
        all.extend(arguments);
        let done = gpuzoo(&all);
        assert!([1, 2].contains(&done.code), "{arguments:?}");
        done.err
    };
    assert!(code(&["--to", "glls"]).contains("G0121"));
    assert!(code(&["--as", "fragmant"]).contains("G0121"));
    assert!(code(&["--fidelity", "exakt"]).contains("G0121"));
    assert!(code(&["--as", "fragment"]).contains("T0105"));
    assert!(code(&["--to", "glsl330", "--as", "compute"]).contains("T0104"));
    assert!(code(&["--profile", "hww"]).contains("G0103"));
    assert!(code(&["--mode", "x=y"]).contains("R0701"));
    assert!(code(&["-o", "p.txt"]).contains("G0118"));
    let written = folder.join("p.vert");
    assert_eq!(gpuzoo(&["translate", text(&file), "-o", text(&written)]).code, 0);
    assert!(std::fs::read_to_string(written).unwrap().starts_with("#version 450"));
    let done = gpuzoo(&["translate", text(&file), "--to", "glsl450"]);
    assert!(done.err.contains("G0121") && done.err.contains("possible values: wgsl"), "{}", done.err);
}

/// What the host computes of a source's constants is read by the shader, and the reflection says how it is computed.
#[test]
fn the_host_computes_what_it_is_asked_to() {
    let (folder, _) = program("translate-host");
    let (source, to, reflection) = (folder.join("m.wgsl"), folder.join("m.glsl"), folder.join("r.json"));
    let text_of = "struct U { view: mat4x4f, projection: mat4x4f }\n@group(0) @binding(0) var<uniform> u: U;\n\
        @vertex fn vs(@location(0) p: vec4f) -> @builtin(position) vec4f { return u.projection * u.view * p; }";
    std::fs::write(&source, text_of).unwrap();
    let translated = |more: &[&str]| {
        let mut all = vec!["translate", "--gpu", "nv2a", text(&source), "--to", "glsl", "-o", text(&to)];
        all.extend(["--reflection", text(&reflection), "--explain"]);
        all.extend(more);
        let done = gpuzoo(&all);
        assert_eq!(done.code, 0, "{}", done.err);
        let [shader, told] = [&to, &reflection].map(|file| std::fs::read_to_string(file).unwrap());
        (shader.lines().count(), told, done.err)
    };
    let (whole, told, explained) = translated(&[]);
    assert!(!told.contains("\"host\"") && !told.contains("\"computed\": true"), "{told}");
    assert!(!explained.contains("which the host computes"), "{explained}");
    let (short, told, explained) = translated(&["--host-constants"]);
    assert!(short + 20 < whole, "{short} {whole}");
    assert!(
        told.contains("\"computed\": true") && told.contains("static inline void host_constants("),
        "{told}"
    );
    assert!(explained.contains("host0, which the host computes"), "{explained}");
}

/// Pixels are brought back to clip space, unless the program leaves positions there.
#[test]
fn positions_are_where_the_program_leaves_them() {
    let (folder, file) = program("translate-positions");
    let has_viewport = |arguments: &[&str]| {
        let mut all = vec!["translate"];
        all.extend(arguments);
        let done = gpuzoo(&all);
        assert_eq!(done.code, 0, "{arguments:?}: {}", done.err);
        done.out.contains("viewport")
    };
    assert!(has_viewport(&[text(&file)]));
    assert!(!has_viewport(&[text(&file), "--position", "clip"]));
    let clip = folder.join("clip.xvs");
    std::fs::write(&clip, "xvs.1.1\nmov oPos, v0\n").unwrap();
    assert!(has_viewport(&[text(&clip)]) && !has_viewport(&[text(&clip), "--position", "clip"]));
    // A source is compiled without what leads to pixels.
    let source = folder.join("own.wgsl");
    std::fs::write(&source, "@vertex fn vs(@location(0) p: vec4f) -> @builtin(position) vec4f { return p; }")
        .unwrap();
    for machine in ["nv2a", "picogpu"] {
        assert!(has_viewport(&["--gpu", machine, text(&source)]));
        assert!(!has_viewport(&["--gpu", machine, text(&source), "--position", "clip"]));
    }
    let done = gpuzoo(&["translate", "--gpu", "nv2a", text(&source), "--position", "clip"]);
    assert!(!done.out.contains("c[58]"), "{}", done.out);
}
