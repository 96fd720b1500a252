//! What makes one program of another: sources in shading languages, programs made shorter, programs as shaders of the host.

use crate::bytes::{Bytes, choice};
use crate::sound::{all, sound};
use gpuzoo::compile::{Language, compile};
use gpuzoo::options::{CompileOptions, Level, ReadOptions};
use gpuzoo::read::{self, Form};
use gpuzoo::translate::{Fidelity, Shape, Target, TranslateOptions};
use gpuzoo::{Program, ShaderUnit, shader_units};
use gpuzoo_compile::random;
use gpuzoo_diag::Sources;
use gpuzoo_isa::Stage;
use gpuzoo_machine::{RunState, TextOptions};

pub(crate) fn wgsl(bytes: &[u8]) {
    source(bytes, Language::Wgsl);
}

pub(crate) fn glsl(bytes: &[u8]) {
    source(bytes, Language::Glsl);
}

pub(crate) fn cg(bytes: &[u8]) {
    source(bytes, Language::Cg);
}

pub(crate) fn spirv(bytes: &[u8]) {
    source(bytes, Language::SpirV);
}

/// A machine that the choice names, and what is left of the choice.
fn machine(choice: usize) -> (&'static dyn ShaderUnit, usize) {
    let count = shader_units().count();
    (shader_units().nth(choice % count).expect("one of our machines"), choice / count)
}

/// A source for one of the machines: a program, or messages; the same program when it is compiled again.
fn source(bytes: &[u8], language: Language) {
    let (bytes, choice) = choice(bytes);
    let (gpu, choice) = machine(choice);
    let stage = [Stage::Vertex, Stage::Fragment][choice % 2];
    let read = ReadOptions { stage: Some(stage), ..Form::Source(language).into() };
    let level = [Level::Source, Level::Quick][choice / 2 % 2];
    let options = CompileOptions { level, ..CompileOptions::default() };
    let words = || {
        let mut sources = Sources::default();
        match compile(gpu, &mut sources, "p", bytes, &read, &options, None) {
            Ok(compiled) => {
                sound(&sources, compiled.warnings());
                drop((compiled.text(&sources), compiled.json(&sources), compiled.explain(&sources)));
                Some(compiled.program().words())
            }
            Err(problems) => {
                sound(&sources, &problems);
                None
            }
        }
    };
    assert_eq!(words(), words());
}

/// A random program, which bytes choose, in one of the languages: for one machine, at one level.
pub(crate) fn random(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let languages = Language::ALL.iter().map(|(_, language, _)| *language).collect::<Vec<_>>();
    let language = bytes.of(&languages);
    let (unit, choice) = machine(bytes.below(256));
    // The highest level searches for seconds, as it is asked to: `cargo xtask programs` has it.
    let levels = [Level::Quick, Level::Source, Level::Usual];
    let program = random::Program::from_choices(&mut |end| bytes.below(end as usize) as u32, language);
    if let Err(fault) = random::check(&program, language, &[unit], &[levels[choice % levels.len()]]) {
        panic!("{fault}\n{}", program.listing(language));
    }
}

/// The program of a machine that bytes are, if they are one.
fn program(bytes: &[u8]) -> Option<(Program, Sources, usize)> {
    let (bytes, choice) = choice(bytes);
    let (gpu, choice) = machine(choice);
    let mut sources = Sources::default();
    let read = read::read(gpu, &mut sources, "p", bytes, Some(Form::Bin), &TextOptions::default());
    Some((read.ok()?, sources, choice))
}

/// A program made shorter is not longer, and made shorter again.
pub(crate) fn packed(bytes: &[u8]) {
    let Some((program, sources, _)) = program(bytes) else { return };
    match program.pack() {
        Ok(packed) => {
            assert!(packed.program.code().slots.len() <= program.code().slots.len());
            assert!(packed.program.pack().is_ok());
        }
        Err(problem) => sound(&sources, &[problem]),
    }
}

/// A program in one of the languages of hosts: accepted by what checks them, the same every time, or refused with a code.
pub(crate) fn translated(bytes: &[u8]) {
    let (bytes, more) = choice(bytes);
    let Some((program, _, choice)) = program(bytes) else { return };
    let target = Target::all().nth(choice % Target::all().len());
    let choice = more;
    let shape = Shape::all().nth(choice % Shape::all().len());
    let choice = choice / Shape::all().len();
    let fidelity = Fidelity::all().nth(choice % Fidelity::all().len()).unwrap_or_default();
    let about = program.machine().about();
    let (profile, _) = about.profiles[choice / Fidelity::all().len() % about.profiles.len()];
    let [all_outputs, point_size, strip] = [16, 32, 64].map(|bit| more / bit % 2 == 1);
    let prefix = if more / 128 % 2 == 1 { "own_".to_owned() } else { String::new() };
    let options = TranslateOptions {
        to: target,
        shape,
        fidelity,
        all_outputs,
        point_size,
        strip,
        prefix,
        ..TranslateOptions::default()
    };
    let state = RunState::from(about.profile(profile).expect("one of its profiles"));
    match program.translate_in(&state, &options) {
        Ok(translation) => {
            drop(translation.reflection());
            let again = all(program.translate(profile, &options)).expect("the same again");
            assert_eq!(translation.bytes(), again.bytes());
        }
        // T0001 is a fault of ours.
        Err(problems) => assert!(problems.iter().all(|problem| problem.code.id != "T0001"), "{problems:?}"),
    }
}
