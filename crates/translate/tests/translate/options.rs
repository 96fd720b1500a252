//! What a host may choose: bindings, names, outputs, sizes of points.

use crate::metal::Texts;
use crate::tools::{complaints, extension, folder};
use gpuzoo_diag::File;
use gpuzoo_machine::options::assignment::Assignment;
use gpuzoo_machine::{RunState, ShaderUnit, TextOptions};
use gpuzoo_translate::{Fidelity, Program, Shape, Target, TranslateOptions, Translation, translate};

fn program(gpu: &dyn ShaderUnit, text: &str) -> Program {
    let read = gpu.assemble(&File::new("p", text), &TextOptions::default());
    assert!(read.ok(), "{:?}", read.diagnostics);
    Program::of(gpu, &read.program, &RunState::default()).unwrap()
}

/// A position that depends on a constant, a colour, and a size of points.
fn sized() -> Program {
    program(&gpuzoo_nv2a::GPU, "mul oPos, v0, c[96]\nmov oD0, v3\nmov oPts.x, v1.x\n")
}

/// Of `min`, whose z is of two numbers that are known, w alone is an operation.
fn bind(name: &str, binding: u32) -> Assignment<u32> {
    Assignment { name: name.to_owned(), value: binding }
}

#[test]
fn components_that_are_known_are_not_computed() {
    let text = "expp r0.xyw, v2.x\nmov r0.z, v1\nmin oPos.zw, r0.zxwy, -r12.ywzx\n";
    for fidelity in [Fidelity::Fast, Fidelity::Exact] {
        let options = TranslateOptions { to: Some(Target::Wgsl), fidelity, ..TranslateOptions::default() };
        let translation = translate(&program(&gpuzoo_nv2a::GPU, text), &options).unwrap();
        let text = translation.text().unwrap();
        let result = text.lines().find(|line| line.contains("let oPos_2_w =")).unwrap();
        assert!(result.contains("R0_0_y") && !result.contains("vec2"), "{text}");
    }
}

/// A fragment program that reads a texture and a constant.
fn textured() -> Program {
    program(&gpuzoo_servaru::GPU, ".fragment\nTEX P9, P0, T0;\nMUL P9, P9, U3;\n")
}

/// Writes translations, and hears what the tools say.
fn validate(name: &str, translations: &[Translation], target: Target, shape: Shape) {
    let folder = folder(name);
    let files: Vec<_> = translations
        .iter()
        .enumerate()
        .filter_map(|(at, translation)| {
            let file = folder.join(format!("{}-{at}.{}", target.name(), extension(target, shape)?));
            std::fs::write(&file, translation.bytes()).unwrap();
            Some(file)
        })
        .collect();
    let complaints = complaints(&files);
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// All languages have the group and the binding that are asked for, as far as they have such things.
#[test]
fn resources_are_bound_where_the_host_says() {
    let program = textured();
    let texts = [
        (Target::Wgsl, &["@group(2) @binding(4)\nvar<uniform>", "@group(2) @binding(17)\nvar texture0t"][..]),
        (Target::SpirVText, &["DescriptorSet 2", "Binding 4", "Binding 17"]),
        (Target::Glsl450, &["binding = 4", "binding = 17"]),
        (Target::Hlsl, &["register(b4, space2)", "register(t17, space2)", "register(s9, space2)"]),
        (Target::Msl, &["[[buffer(4)]]", "[[texture(17)]]", "[[sampler(0)]]"]),
    ];
    let options = TranslateOptions {
        shape: Some(Shape::Fragment),
        group: 2,
        bind: vec![bind(&program.constant, 4), bind("texture0t", 17)],
        ..TranslateOptions::default()
    };
    for (target, wanted) in texts {
        let translation =
            translate(&program, &TranslateOptions { to: Some(target), ..options.clone() }).unwrap();
        let text = translation.text().unwrap();
        wanted.iter().for_each(|wanted| assert!(text.contains(wanted), "{target:?}: {wanted} in {text}"));
        let bindings = translation.reflection().bindings;
        assert_eq!((bindings[0].group, bindings[0].binding), (2, 4));
        assert_eq!((bindings[0].kind, bindings[0].bytes), ("uniform", 64));
    }
    for target in [Target::SpirV, Target::SpirV10, Target::Glsl450, Target::Hlsl] {
        let translation =
            translate(&program, &TranslateOptions { to: Some(target), ..options.clone() }).unwrap();
        validate("options-bound", &[translation], target, Shape::Fragment);
    }
}

#[test]
fn bindings_that_cannot_be_are_refused() {
    let program = textured();
    let refused = |options: TranslateOptions| {
        let problem =
            translate(&program, &TranslateOptions { shape: Some(Shape::Fragment), ..options }).unwrap_err();
        (problem.code.id, problem.help.join(" "))
    };
    let bound = |all: &[(&str, u32)]| TranslateOptions {
        bind: all.iter().map(|(name, binding)| bind(name, *binding)).collect(),
        ..TranslateOptions::default()
    };
    assert_eq!(refused(bound(&[("texture0", 3)])), ("T0107", "did you mean `texture0t`?".to_owned()));
    assert_eq!(refused(bound(&[("viewport", 3)])).0, "T0107");
    assert_eq!(refused(bound(&[("texture0t", 9)])), ("T0107", "give one of them another number".to_owned()));
    assert_eq!(refused(bound(&[("texture0t", 255)])).0, "T0107");
    let twice = bound(&[("texture0t", 3), ("texture0t", 4)]);
    assert_eq!(refused(twice), ("T0107", "a resource has one binding".to_owned()));
    // By the name that the shader has, or without its prefix.
    for name in ["sky_texture0t", "texture0t"] {
        let options = TranslateOptions {
            prefix: "sky_".to_owned(),
            shape: Some(Shape::Fragment),
            ..bound(&[(name, 5)])
        };
        let translation = translate(&program, &options).unwrap();
        assert!(
            translation.bindings().iter().any(|own| own.name == "sky_texture0t" && own.binding == 5),
            "{name}"
        );
    }
    assert_eq!(refused(TranslateOptions { group: 32, ..TranslateOptions::default() }).0, "T0107");
}

/// Functions of two programs, each with a prefix and a group.
fn two_functions(target: Target, fidelity: Fidelity) -> String {
    // The second one needs functions that naga adds.
    let programs =
        [sized(), program(&gpuzoo_nv2a::GPU, "arl a0, v4.x\nmad oPos, v0, c[A0+96], v0\nmov oD0, v4\n")];
    let texts = ["sky_", "sea_"].into_iter().zip(&programs).zip(0..).map(|((prefix, program), group)| {
        let (shape, prefix) = (Shape::Function, prefix.to_owned());
        let options = TranslateOptions {
            to: Some(target),
            shape: Some(shape),
            fidelity,
            prefix,
            group,
            ..TranslateOptions::default()
        };
        translate(program, &options).unwrap().text().unwrap().to_owned()
    });
    texts.collect()
}

/// Two translations stand in one file.
#[test]
fn functions_of_several_programs_stand_in_one_file() {
    let folder = folder("options-two");
    let (mut files, mut metal) = (Vec::new(), Texts::new(&folder));
    for fidelity in [Fidelity::Fast, Fidelity::Exact] {
        for target in Target::all().filter(|target| !target.is_spirv()) {
            let name = target.name();
            let whole = two_functions(target, fidelity);
            assert!(whole.contains("sky_program(") && whole.contains("sea_Results"), "{name}: {whole}");
            // The machine's text above a value is as it was.
            assert!(whole.contains("// 0: MUL oPos.xyzw, v0, c[96]"), "{name}: {whole}");
            let file = folder.join(format!("{}.{}.frag", fidelity.name(), name));
            match target {
                Target::Wgsl => {
                    let read = naga::front::wgsl::parse_str(&whole);
                    read.unwrap_or_else(|error| panic!("{}", error.emit_to_string(&whole)));
                    continue;
                }
                Target::Msl => {
                    metal.add_text(&whole);
                    continue;
                }
                Target::Hlsl => {
                    let file = folder.join(format!("{}.hlsl.frag", fidelity.name()));
                    std::fs::write(&file, whole + "float4 main() : SV_Target0 { return 0.0; }\n").unwrap();
                    files.push(file);
                    continue;
                }
                Target::Glsl330 => {
                    std::fs::write(&file, format!("#version 330 core\n{whole}void main() {{}}\n"))
                }
                Target::GlslEs300 | Target::GlslEs310 => {
                    let version = if target == Target::GlslEs300 { 300 } else { 310 };
                    let start =
                        format!("#version {version} es\nprecision highp float;\nprecision highp int;\n");
                    std::fs::write(&file, format!("{start}{whole}void main() {{}}\n"))
                }
                _ => std::fs::write(&file, format!("#version 450 core\n{whole}void main() {{}}\n")),
            }
            .unwrap();
            files.push(file);
        }
    }
    metal.compile();
    let complaints = [complaints(&files), metal.complaints].concat();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// Resources of GLSL have the names of the machine's, and the reflection has those of the blocks.
#[test]
fn resources_of_glsl_have_names() {
    let options = TranslateOptions {
        to: Some(Target::Glsl330),
        shape: Some(Shape::Fragment),
        ..TranslateOptions::default()
    };
    let program = textured();
    let translation = translate(&program, &options).unwrap();
    let text = translation.text().unwrap();
    let constants = format!("uniform {0}_block {{ vec4 {0}[4]; }};", program.constant);
    assert!(text.contains(&constants) && text.contains("uniform sampler2D texture0t;"), "{text}");
    let bindings = translation.reflection().bindings;
    let names = [0, 1, 2].map(|at: usize| bindings[at].name.to_owned());
    assert_eq!(
        names,
        [format!("{}_block", program.constant), "texture0t".to_owned(), "texture0t".to_owned()]
    );
}

/// What is said of the shader and of functions is in all languages that have comments.
#[test]
fn comments_go_along() {
    for target in Target::all() {
        let name = target.name();
        for shape in [Shape::Vertex, Shape::Function] {
            let Ok(translation) = translate(
                &sized(),
                &TranslateOptions { to: Some(target), shape: Some(shape), ..TranslateOptions::default() },
            ) else {
                continue;
            };
            let Some(text) = translation.text() else { continue };
            let title = "A program of the NV2A vertex shader, profile hw, with the host's floats.";
            assert_eq!(
                text.lines().take(2).filter(|line| line.ends_with(title)).count(),
                1,
                "{name}: {text}"
            );
            let above = |line: &str| line.starts_with("// Zero times anything is zero.");
            let below = |line: &str| line.contains("fmul_trunc_");
            let both = text.lines().zip(text.lines().skip(1)).any(|(one, two)| above(one) && below(two));
            assert!(both || target.is_spirv(), "{name}: {text}");
        }
    }
}

/// Metal's tables have ends.
#[test]
fn slots_that_metal_does_not_have_are_refused() {
    let refused = |name: &str, binding: u32, shape| {
        let options = TranslateOptions {
            to: Some(Target::Msl),
            shape: Some(shape),
            bind: vec![bind(name, binding)],
            ..TranslateOptions::default()
        };
        translate(&textured(), &options).err().map(|problem| problem.code.id)
    };
    let constants = textured().constant;
    assert_eq!(refused(&constants, 30, Shape::Fragment), None);
    assert_eq!(refused(&constants, 31, Shape::Fragment), Some("T0107"));
    assert_eq!(refused("texture0s", 16, Shape::Fragment), Some("T0107"));
}

#[test]
fn prefixes_are_names() {
    for prefix in ["2d_", "gl_", "a b", "é", "_x", "a__", &"a".repeat(41)] {
        let options = TranslateOptions { prefix: prefix.to_owned(), ..TranslateOptions::default() };
        assert_eq!(translate(&sized(), &options).unwrap_err().code.id, "T0108", "{prefix}");
    }
}

/// A fragment shader that reads what the vertex shader does not write would not link without.
#[test]
fn outputs_that_are_not_written_can_be_given() {
    let outputs = |all_outputs| {
        let translation =
            translate(&sized(), &TranslateOptions { all_outputs, ..TranslateOptions::default() }).unwrap();
        translation.outputs().iter().map(|output| output.register.clone()).collect::<Vec<_>>()
    };
    assert_eq!(outputs(false), ["oPos", "oD0", "oPts"]);
    let all = outputs(true);
    assert!(all.len() > 8 && all.contains(&"oT3".to_owned()), "{all:?}");
    for target in Target::all() {
        let _ = target.name();
        for fidelity in [Fidelity::Fast, Fidelity::Exact] {
            let options = TranslateOptions {
                to: Some(target),
                fidelity,
                all_outputs: true,
                ..TranslateOptions::default()
            };
            validate("options-all", &[translate(&sized(), &options).unwrap()], target, Shape::Vertex);
        }
    }
}

#[test]
fn sizes_of_points_are_the_pipelines() {
    let program = sized();
    for (target, wanted) in [
        (Target::SpirVText, "BuiltIn PointSize"),
        (Target::Glsl330, "gl_PointSize = "),
        (Target::GlslEs300, "gl_PointSize = "),
        (Target::Msl, "[[point_size]]"),
    ] {
        for fidelity in [Fidelity::Fast, Fidelity::Exact] {
            let options = TranslateOptions {
                to: Some(target),
                fidelity,
                point_size: true,
                ..TranslateOptions::default()
            };
            let translation = translate(&program, &options).unwrap();
            assert!(translation.text().unwrap().contains(wanted), "{:?}", translation.text());
            assert_eq!(translation.reflection().outputs[2].place, "point size");
            validate("options-sized", &[translation], target, Shape::Vertex);
        }
    }
    for target in [Target::Wgsl, Target::Hlsl] {
        let options = TranslateOptions { to: Some(target), point_size: true, ..TranslateOptions::default() };
        assert_eq!(translate(&program, &options).unwrap_err().code.id, "T0104");
    }
    let words = TranslateOptions { to: Some(Target::SpirV), point_size: true, ..TranslateOptions::default() };
    validate("options-sized", &[translate(&program, &words).unwrap()], Target::SpirV, Shape::Vertex);
}

/// Names in the reflection are those in the text, so that varyings and attributes can be looked up.
#[test]
fn the_reflection_has_glsls_names() {
    for (program, shape, register, name) in [
        (sized(), Shape::Vertex, "oD0", "_vs2fs_location0"),
        (sized(), Shape::Vertex, "v3", "_p2vs_location3"),
        (textured(), Shape::Fragment, "P9", "_fs2p_location0"),
    ] {
        let translation = translate(
            &program,
            &TranslateOptions {
                to: Some(Target::Glsl330),
                shape: Some(shape),
                ..TranslateOptions::default()
            },
        )
        .unwrap();
        let reflection = translation.reflection();
        let mut all = reflection.inputs.iter().chain(&reflection.outputs);
        let own = all.find(|own| own.register == register).unwrap();
        assert_eq!(own.name.as_deref(), Some(name));
        let text = translation.text().unwrap();
        assert!(text.contains(&format!(" {name};")), "{text}");
        for binding in &reflection.bindings {
            assert!(text.contains(binding.name) || binding.kind == "sampler", "{binding:?} {text}");
        }
    }
}

/// Multi-pass drawing needs the same position from the same numbers.
#[test]
fn positions_are_invariant() {
    for (target, wanted) in [
        (Target::Wgsl, "@invariant"),
        (Target::Glsl450, "invariant gl_Position"),
        (Target::SpirVText, "Invariant"),
        (Target::Hlsl, "precise float4"),
        (Target::Msl, "[[position, invariant]]"),
    ] {
        let translation =
            translate(&sized(), &TranslateOptions { to: Some(target), ..TranslateOptions::default() })
                .unwrap();
        assert!(translation.text().unwrap().contains(wanted), "{:?}", translation.text());
    }
}

/// Direct3D has w where others have its reciprocal.
#[test]
fn the_place_of_a_fragment_is_the_same_everywhere() {
    let text = |program: &Program, target| {
        let options = TranslateOptions {
            to: Some(target),
            shape: Some(Shape::Fragment),
            ..TranslateOptions::default()
        };
        translate(program, &options).unwrap().text().unwrap().to_owned()
    };
    let servaru = program(&gpuzoo_servaru::GPU, ".fragment\nMOV P9, P8;\n");
    assert!(text(&servaru, Target::Hlsl).contains("(1.0 / "), "{}", text(&servaru, Target::Hlsl));
    assert!(!text(&servaru, Target::Msl).contains("(1.0 / "), "{}", text(&servaru, Target::Msl));
    // Both are the pixel's column and row; a PicoGpu's has nothing else.
    let source = include_str!("../../../../gpus/picogpu/tests/programs/fragment.pico");
    let picogpu = program(&gpuzoo_picogpu::GPU, source);
    for target in [Target::Wgsl, Target::Hlsl] {
        assert!(text(&picogpu, target).contains("floor(") && text(&servaru, target).contains("floor("));
    }
}

#[test]
fn names_can_be_left_out() {
    let words = |strip| {
        let options = TranslateOptions { to: Some(Target::SpirV), strip, ..TranslateOptions::default() };
        let translation = translate(&sized(), &options).unwrap();
        validate("options-stripped", &[translation], Target::SpirV, Shape::Vertex);
        translate(&sized(), &options).unwrap().bytes()
    };
    assert!(words(true).len() < words(false).len());
    assert!(!String::from_utf8_lossy(&words(true)).contains("oPos"));
    let options = TranslateOptions {
        to: Some(Target::SpirV10),
        shape: Some(Shape::Compute),
        ..TranslateOptions::default()
    };
    let translation = translate(&sized(), &options).unwrap();
    assert_eq!(translation.words().unwrap()[1], 0x0001_0000);
    validate("options-stripped", &[translation], Target::SpirV10, Shape::Compute);
}
