//! Random programs in each language, on all machines and at all levels. `cargo xtask programs` runs more of them.
#![cfg(feature = "random")]
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "tests run the languages' own tools")]

use gpuzoo_compile::front::Language;
use gpuzoo_compile::options::Level;
use gpuzoo_compile::random::{Program, check};
use gpuzoo_machine::ShaderUnit;
use std::path::Path;
use std::process::Command;

const LEVELS: [Level; 4] = [Level::Source, Level::Quick, Level::Usual, Level::Longest];

/// Checks programs of a language, each at one of the levels.
fn sweep(language: Language, count: u64) {
    let machines: [&dyn ShaderUnit; 4] =
        [&gpuzoo_nv2a::GPU, &gpuzoo_dreambox::GPU, &gpuzoo_servaru::GPU, &gpuzoo_picogpu::GPU];
    let mut built = [0; 4];
    let mut compared = 0;
    for seed in 0..count {
        let program = Program::random(seed, language);
        let level = LEVELS[(seed % 4) as usize];
        let checked = check(&program, language, &machines, &[level])
            .unwrap_or_else(|fault| panic!("seed {seed}: {fault}\n{}", program.listing(language)));
        compared += usize::from(checked.compared > 0);
        for (built, fits) in built.iter_mut().zip(&checked.fits) {
            *built += u64::from(fits.iter().any(Result::is_ok));
        }
    }
    // Most are compared, and some fit on each machine.
    assert!(compared as u64 > count / 2, "{compared} of {count}");
    assert!(built.iter().all(|built| *built > count / 20), "{built:?} of {count}");
}

#[test]
fn random_programs_in_wgsl() {
    sweep(Language::Wgsl, 100);
}

#[test]
fn random_programs_in_glsl() {
    sweep(Language::Glsl, 100);
}

#[test]
fn random_programs_in_cg() {
    sweep(Language::Cg, 100);
}

#[test]
fn random_programs_in_spirv() {
    sweep(Language::SpirV, 100);
}

/// Sources are what their languages' own tools accept: what gpuzoo refuses of them is its own limit.
#[test]
fn random_sources_follow_their_languages() {
    let tools: [(&str, Language, &str, &[&str]); 2] = [
        ("spirv-val", Language::SpirV, "spv", &["--target-env", "vulkan1.1"]),
        ("glslangValidator", Language::Glsl, "vert", &["-V", "-o", "/dev/null"]),
    ];
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (tool, language, extension, options) in tools {
        if Command::new(tool).arg("--version").output().is_err() {
            gpuzoo_skipped::say(&format!("{tool} is not installed: random sources are not read by it"));
            continue;
        }
        for seed in 0..40 {
            let program = Program::random(seed, language);
            let file = folder.join(format!("random{seed}.{extension}"));
            std::fs::write(&file, program.source(language)).unwrap();
            let done = Command::new(tool).args(options).arg(&file).output().unwrap();
            let message = [done.stdout, done.stderr].concat();
            let message = String::from_utf8_lossy(&message);
            assert!(done.status.success(), "seed {seed}: {message}\n{}", program.listing(language));
        }
    }
}
