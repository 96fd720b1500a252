//! All programs of the golden tests and of the examples, in all languages, shapes and fidelities.

use crate::metal::Texts;
use crate::tools::{complaints, extension, folder};
use gpuzoo_diag::File;
use gpuzoo_isa::Stage;
use gpuzoo_machine::{RunState, ShaderUnit, TextOptions};
use gpuzoo_translate::{Fidelity, Program, Shape, Target, TranslateOptions, translate};
use std::path::Path;

/// Every machine with shader units, and what its programs' names end in.
pub const MACHINES: [(&str, &dyn ShaderUnit, &[&str]); 4] = [
    ("dreambox", &gpuzoo_dreambox::GPU, &["vu"]),
    ("nv2a", &gpuzoo_nv2a::GPU, &["vsh", "vp", "xvs"]),
    ("picogpu", &gpuzoo_picogpu::GPU, &["pico"]),
    ("servaru", &gpuzoo_servaru::GPU, &["svs"]),
];

/// The programs of a machine, by name, in each of its profiles.
pub fn programs(id: &str, gpu: &dyn ShaderUnit, extensions: &[&str]) -> Vec<(String, Program)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = [
        ("ops", root.join(format!("gpus/{id}/tests/ops"))),
        ("programs", root.join(format!("gpus/{id}/tests/programs"))),
        ("examples", root.join(format!("examples/{id}"))),
    ];
    let mut programs = Vec::new();
    for (kind, folder) in folders {
        let mut files: Vec<_> =
            std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        for file in files {
            if !file.extension().is_some_and(|own| extensions.iter().any(|known| own == *known)) {
                continue;
            }
            let name = file.file_stem().unwrap().to_string_lossy().into_owned();
            let include =
                |wanted: &str| std::fs::read(folder.join(wanted)).map_err(|error| error.to_string());
            let options = TextOptions { include: Some(&include), ..TextOptions::default() };
            let text = std::fs::read_to_string(&file).unwrap();
            let read = gpu.assemble(&File::new(&name, &text), &options);
            if !read.ok() {
                continue;
            }
            for (profile_name, profile) in gpu.about().named_profiles() {
                let program = Program::of(gpu, &read.program, &RunState::from(profile));
                programs.extend(
                    program.ok().map(|program| (format!("{id}-{kind}-{name}-{profile_name}"), program)),
                );
            }
        }
    }
    programs
}

/// Codes of what cannot be expressed; anything else is a fault.
const REFUSED: [&str; 6] = ["T0101", "T0102", "T0103", "T0104", "T0105", "T0106"];

fn all_validate(fidelity: Fidelity) {
    for (id, gpu, extensions) in MACHINES {
        let folder = folder(&format!("golden-{id}-{}", fidelity.name()));
        let programs = programs(id, gpu, extensions);
        assert!(programs.len() > 20, "{id}: {}", programs.len());
        let (mut files, mut written, mut refused) = (Vec::new(), 0, 0);
        let mut metal = Texts::new(&folder);
        for (name, program) in &programs {
            // A single instruction is looked at in one shape, whole programs in all.
            let shapes = Shape::all().filter(|shape| !name.contains("-ops-") || *shape == Shape::Compute);
            for shape in shapes {
                for target in Target::all() {
                    let target_name = target.name();
                    let options = TranslateOptions {
                        to: Some(target),
                        shape: Some(shape),
                        fidelity,
                        ..TranslateOptions::default()
                    };
                    match translate(program, &options) {
                        Ok(translation) => {
                            written += 1;
                            if target == Target::Msl {
                                metal.add(shape, &translation);
                            }
                            if let Some(extension) = extension(target, shape) {
                                let file = folder.join(format!("{name}.{extension}"));
                                std::fs::write(&file, translation.bytes()).unwrap();
                                files.push(file);
                            }
                        }
                        Err(problem) => {
                            let known = REFUSED.contains(&problem.code.id);
                            assert!(known, "{name} {target_name} {}: {problem:?}", shape.name());
                            refused += 1;
                        }
                    }
                }
            }
        }
        metal.compile();
        let complaints = [complaints(&files), metal.complaints].concat();
        assert!(complaints.is_empty(), "{}", complaints.join("\n"));
        println!(
            "{id} {}: {written} translations, {} checked by others, {refused} refused",
            fidelity.name(),
            files.len() + metal.read
        );
    }
}

/// naga accepts all of them, and so do the validators of SPIR-V and GLSL.
#[test]
fn fast_translations_are_valid() {
    all_validate(Fidelity::Fast);
}

#[test]
fn exact_translations_are_valid() {
    all_validate(Fidelity::Exact);
}

/// The own shape of a program is never refused but for what a host cannot do.
#[test]
fn programs_become_shaders_of_their_stage() {
    for (id, gpu, extensions) in MACHINES {
        for (name, program) in programs(id, gpu, extensions) {
            let shape = if program.stage == Stage::Vertex { Shape::Vertex } else { Shape::Fragment };
            let options = TranslateOptions { shape: Some(shape), ..TranslateOptions::default() };
            let Err(problem) = translate(&program, &options) else { continue };
            assert!(["T0102", "T0106"].contains(&problem.code.id), "{name}: {problem:?}");
        }
    }
}

/// The same program and options give the same bytes, and names come from the program.
#[test]
fn translations_are_stable_and_named() {
    let (id, gpu, extensions) = MACHINES[1];
    let programs = programs(id, gpu, extensions);
    let (_, program) = programs.iter().find(|(name, _)| name == "nv2a-examples-light-hw").unwrap();
    for target in Target::all() {
        let _ = target.name();
        let options = TranslateOptions { to: Some(target), ..TranslateOptions::default() };
        let [one, two] = [(); 2].map(|()| translate(program, &options).unwrap().bytes());
        assert_eq!(one, two);
        if let Ok(text) = String::from_utf8(one) {
            assert!(text.contains("R4_10_xyz"), "{text}");
            assert!(text.contains("// 10: ADD R4.xyz, c[108], -R2"), "{text}");
        }
    }
}

/// What nothing in the pipeline leads to is zero, and no location of something else.
#[test]
fn inputs_without_a_place_are_zeros() {
    let gpu = &gpuzoo_servaru::GPU;
    let read = gpu.assemble(&File::new("p", ".fragment\nADD P9, P6, P5;\n"), &TextOptions::default());
    let program = Program::of(gpu, &read.program, &RunState::default()).unwrap();
    let translation = translate(
        &program,
        &TranslateOptions { shape: Some(Shape::Fragment), ..TranslateOptions::default() },
    )
    .unwrap();
    let places: Vec<String> = translation.inputs().iter().map(|input| input.at.to_string()).collect();
    assert_eq!(places, ["location 5"]);
    assert!(translation.text().unwrap().contains("program(P5_in, vec4f())"), "{:?}", translation.text());
}

/// Metal's slots are in the reflection, that of the lengths of buffers included.
#[test]
fn slots_of_metal_are_told() {
    let (id, gpu, extensions) = MACHINES[1];
    let programs = programs(id, gpu, extensions);
    let (_, program) = programs.iter().find(|(name, _)| name == "nv2a-examples-light-hw").unwrap();
    let translated = |shape| {
        translate(
            program,
            &TranslateOptions { to: Some(Target::Msl), shape: Some(shape), ..TranslateOptions::default() },
        )
        .unwrap()
    };
    let vertex = translated(Shape::Vertex);
    assert_eq!(vertex.reflection().bindings[1].slot.as_deref(), Some("buffer(1)"));
    let compute = translated(Shape::Compute);
    let compute = compute.reflection();
    let slots = [compute.bindings[2].slot.as_deref(), compute.sizes.as_deref()];
    assert_eq!(slots, [Some("buffer(2)"), Some("buffer(3)")]);
}
