//! Programs of the shader machines: texts in all dialects, binaries, words as hexadecimal and JSON.

use crate::bytes::{EDGES, choice};
use crate::function::Noise;
use crate::sound::sound;
use gpuzoo::emit::{Emit, Options, emit};
use gpuzoo::paint::Paint;
use gpuzoo::read::{self, Form};
use gpuzoo::run::Vertices;
use gpuzoo::{ShaderUnit, check, report, shader_units, trace};
use gpuzoo_diag::{File, Sources, has_errors};
use gpuzoo_ir::Vec4;
use gpuzoo_ir::eval::Run;
use gpuzoo_ir::verify::verify;
use gpuzoo_isa::{Assembled, Program};
use gpuzoo_machine::unit::PositionSpace;
use gpuzoo_machine::unit::logged::Call;
use gpuzoo_machine::{RunState, TextOptions};
use std::ops::ControlFlow;
use std::sync::LazyLock;

/// The targets of a machine, which is named once.
macro_rules! machine {
    ($gpu:ident, $text:ident, $words:ident) => {
        pub(crate) fn $text(bytes: &[u8]) {
            text(gpuzoo::$gpu(), bytes);
        }

        pub(crate) fn $words(bytes: &[u8]) {
            words(gpuzoo::$gpu(), bytes);
        }
    };
}

machine!(dreambox, dreambox_text, dreambox_words);
machine!(nv2a, nv2a_text, nv2a_words);
machine!(picogpu, picogpu_text, picogpu_words);
machine!(servaru, servaru_text, servaru_words);

/// A text in one of the ways to write programs of its machine: a program or messages, and what assembles survives its
/// disassemblies.
fn text(machine: gpuzoo::Machine, bytes: &[u8]) {
    let gpu = unit(machine);
    let (bytes, choice) = choice(bytes);
    let names = &gpu.about().text_options;
    let (dialect, choice) = split(names.dialects, choice);
    let (numbering, choice) = split(names.numberings, choice);
    let spaces: &[_] = if names.positions { &[PositionSpace::Screen, PositionSpace::Clip] } else { &[] };
    let (position, _) = split(spaces, choice);
    let include = |name: &str| match name {
        "self" => Ok(bytes.to_vec()),
        "names" => Ok(b"#define POSITION v0\n#pragma once\n#define TWICE(x) x x\n".to_vec()),
        "" => Err("it has no name".to_owned()),
        _ => Ok(b"mov r0, c0\n".to_vec()),
    };
    let options = TextOptions {
        dialect: dialect.map(|dialect| dialect.name),
        numbering: numbering.map(|(name, _)| *name),
        position: position.copied(),
        include: Some(&include),
        ..TextOptions::default()
    };
    let mut sources = Sources::default();
    let id = sources.add("p", &String::from_utf8_lossy(bytes));
    let Assembled { program, diagnostics } = gpu.assemble_in(&mut sources, id, &options);
    sound(&sources, &diagnostics);
    sound(&sources, &gpu.check(&program));
    if has_errors(&diagnostics) {
        // Others have a use for what there is of it: an editor shows it.
        drop((gpu.costs(&program), ends(gpu, &program)));
    } else {
        returns(gpu, &program, &options);
    }
}

fn unit(machine: gpuzoo::Machine) -> &'static dyn ShaderUnit {
    let id = machine.about().id;
    shader_units().find(|gpu| gpu.about().id == id).expect("a machine of ours")
}

/// One of a list or none, which is choice 0, and what is left of the choice.
fn split<T>(list: &[T], choice: usize) -> (Option<&T>, usize) {
    let ways = list.len() + 1;
    ((choice % ways).checked_sub(1).map(|at| &list[at]), choice / ways)
}

/// Any bytes as a binary: all that can be done with a program.
fn words(machine: gpuzoo::Machine, bytes: &[u8]) {
    let gpu = unit(machine);
    if let Some(program) = loaded(gpu, bytes, Form::Bin) {
        for dialect in names_or_default(gpu.about().text_options.dialects.iter().map(|own| own.name)) {
            returns(gpu, program.code(), &TextOptions { dialect, ..TextOptions::default() });
        }
        forms(&program);
        does_the_same(&program);
    }
}

/// A log of commands, of which a draw is taken and its first vertex run.
pub(crate) fn nv2a_log(bytes: &[u8]) {
    let (bytes, choice) = choice(bytes);
    let call = match choice % 8 {
        0 => None,
        number @ 1..4 => Some(Call::Draw(number as u64 - 1)),
        number => Some(Call::Launch(number as u64 - 4)),
    };
    let mut sources = Sources::default();
    let options = TextOptions { call, ..TextOptions::default() };
    match read::read(unit(gpuzoo::nv2a()), &mut sources, "p", bytes, Some(Form::Log), &options) {
        Ok(program) => {
            sound(&sources, program.warnings());
            let vertices = program.vertices().expect("of a log");
            let constants = program.constants();
            let state = RunState { modes: program.modes(), ..RunState::default() };
            let made = trace::trace(&program, &state, vertices, 0, &constants.values, &constants.given);
            assert!(made.session.steps().len() <= program.code().slots.len() * 2);
        }
        Err(problems) => sound(&sources, &problems),
    }
}

/// Words written in hexadecimal or as JSON, or a file that says itself what it is.
pub(crate) fn word_lists(bytes: &[u8]) {
    let (bytes, choice) = choice(bytes);
    let gpu = shader_units().nth(choice % shader_units().count()).expect("one of our machines");
    for form in [Form::Hex, Form::Json, Form::of_bytes(bytes)] {
        if let Some(program) = loaded(gpu, bytes, form) {
            let hex = emit(&program, Emit::Hex, &plain(&program)).expect("words");
            let again = loaded(gpu, &hex, Form::Hex).expect("a program");
            assert_eq!(again.words(), program.words());
        }
    }
}

fn names_or_default<'a>(names: impl Iterator<Item = &'a str>) -> Vec<Option<&'a str>> {
    let names: Vec<_> = names.map(Some).collect();
    if names.is_empty() { vec![None] } else { names }
}

fn loaded(gpu: &'static dyn ShaderUnit, bytes: &[u8], form: Form) -> Option<gpuzoo::Program> {
    let mut sources = Sources::default();
    match read::read(gpu, &mut sources, "p", bytes, Some(form), &TextOptions::default()) {
        Ok(program) => {
            sound(&sources, program.warnings());
            sound(&sources, &program.check());
            Some(program)
        }
        Err(problems) => {
            assert!(has_errors(&problems));
            sound(&sources, &problems);
            None
        }
    }
}

/// Exact disassemblies assemble to the same words. Others do the same, and say so if their words differ.
fn returns(gpu: &dyn ShaderUnit, program: &Program, options: &TextOptions) {
    for exact in [true, false] {
        let options = TextOptions { exact, include: None, position: None, ..*options };
        let (text, notes) = gpu.disassemble(program, &options);
        if has_errors(&notes) {
            // The dialect cannot say it.
            continue;
        }
        // PicoGpu's warning that the reference reads something else says also who reads it back.
        let other = notes.iter().any(|note| note.code.id == "P0119").then_some("document");
        let options = TextOptions { dialect: other.or(options.dialect), ..options };
        let again = gpu.assemble(&File::new("again", &text), &options);
        assert!(!has_errors(&again.diagnostics), "{text}\n{:#?}", again.diagnostics);
        let same = gpu.save(&again.program) == gpu.save(program);
        assert!(same || !exact, "{text}");
        if !exact {
            let noted = notes.iter().any(|note| note.code.id == "B0103");
            assert_eq!(noted, !same, "{text}");
            assert_eq!(ends(gpu, &again.program), ends(gpu, program), "{text}");
        }
    }
}

/// What a program leaves in its outputs under each profile, by number, and whether it was killed.
fn ends(gpu: &dyn ShaderUnit, program: &Program) -> Vec<(Vec<(u16, Vec4)>, bool)> {
    let one = |(_, profile): (_, gpuzoo_machine::Profile)| {
        let (lowered, _) = gpu.lower(program, &RunState::from(profile));
        verify(&lowered.function).expect("well-formed IR");
        let mut run = Run::default();
        run.run(&lowered.function, &INPUTS, &CONSTANTS, &Noise);
        let outputs = lowered.function.outputs.iter();
        (outputs.map(|(number, value)| (*number, run.value(*value))).collect(), run.killed().is_some())
    };
    gpu.about().named_profiles().map(one).collect()
}

pub(crate) static INPUTS: LazyLock<Vec<Vec4>> = LazyLock::new(|| values(7));
pub(crate) static CONSTANTS: LazyLock<Vec<Vec4>> = LazyLock::new(|| values(5));

/// Inputs or constants: small numbers, and edges among them.
fn values(step: usize) -> Vec<Vec4> {
    let component = |at: usize| match at % 5 {
        0 => EDGES[at / 5 * step % EDGES.len()],
        _ => ((at * step % 23) as f32 * 0.375 - 3.0).to_bits(),
    };
    (0..300).map(|at| [0, 1, 2, 3].map(|lane| component(4 * at + lane))).collect()
}

/// What its machine does not allow is not run; else the optimized program on the engine ends as the traced one does on the
/// evaluator.
fn does_the_same(program: &gpuzoo::Program) {
    for (name, profile) in program.gpu().about().named_profiles() {
        let Ok(kernel) = program.kernel(name) else { continue };
        let nothing = Vertices::nothing();
        let traced = trace::trace(program, &RunState::from(profile), &nothing, 0, &CONSTANTS, &[]);
        let expected: Vec<Vec4> = traced.outputs.iter().map(|output| output.value).collect();
        let mut actual = None;
        kernel.stream(&nothing, 0, &CONSTANTS, |_, outputs| {
            actual = Some(outputs.unwrap_or_default().to_vec());
            ControlFlow::Break(())
        });
        assert_eq!(actual, Some(expected));
        drop(traced.text(true, Paint::PLAIN) + &traced.json_lines(program.sources(), false));
        let mut page = report::page("trace", "any", None);
        report::trace_page(&mut page, &traced, false);
        drop(page.finish());
    }
}

fn plain(program: &gpuzoo::Program) -> Options<'static> {
    let profile = program.gpu().about().named_profiles().next().expect("a profile").1;
    Options { name: "p", profile }
}

/// Each form that is written: those that can be read are the same program.
fn forms(program: &gpuzoo::Program) {
    drop(check::figures(program).text());
    for (_, _, form, _) in Emit::ALL {
        let Ok(bytes) = emit(program, form, &plain(program)) else {
            assert_eq!(form, Emit::CKernel);
            continue;
        };
        let read_as = match form {
            Emit::Bin => Form::Bin,
            Emit::Hex => Form::Hex,
            Emit::Json => Form::Json,
            Emit::Asm => Form::Asm,
            _ => continue,
        };
        let again = loaded(program.gpu(), &bytes, read_as).expect("a program");
        assert_eq!(again.words(), program.words(), "{form:?}");
    }
}
