//! Random programs: valid in every language, in `exact` with the evaluator's bits; how near `fast` is is counted.

use crate::near::Tally;
use crate::runs::{Ready, components, differences};
use crate::{HOST, MACHINES, asked_for};
use gpuzoo_diag::Choice;
use gpuzoo_ir::Vec4;
use gpuzoo_isa::{Op, numbers};
use gpuzoo_machine::vectors::stimulus::{EDGES, ProgramVectors, Temporaries};
use gpuzoo_machine::{RunState, ShaderUnit};
use gpuzoo_translate::{Fidelity, Program, Shape, Target, TranslateOptions, translate};

/// Programs of each machine that run on the GPU in the suite; `GPUZOO_RANDOM` asks for more.
const RUN: usize = 4;

/// Programs of each machine that are translated alone; `GPUZOO_TRANSLATED` asks for more.
const TRANSLATED: usize = 200;

/// The most instructions of a program; `GPUZOO_RANDOM_LENGTH` asks for fewer, which drivers compile sooner.
const LENGTH: usize = 24;

/// Runs of each program.
const RUNS: usize = 64;

/// A program of random instructions, the first of a row of the instruction set.
fn program(gpu: &dyn ShaderUnit, vectors: &dyn ProgramVectors, number: u64) -> Option<Program> {
    let isa = gpu.isa();
    let rows: Vec<&'static Op> = isa.ops().filter(|op| !op.internal).collect();
    let mut pick = numbers(0x5eed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let length = 1 + pick(asked_for("GPUZOO_RANDOM_LENGTH", LENGTH).max(1) as u32) as usize;
    let mut body = Vec::new();
    let mut row = number as usize % rows.len();
    for _ in 0..length {
        let slot = isa.random_slot(rows[row], &mut pick);
        if slot.insts().all(|inst| vectors.takes(&body, inst)) {
            body.push(slot);
        }
        row = pick(rows.len() as u32) as usize;
    }
    let code = vectors.around(&body, &Temporaries::of(isa, &body));
    let profiles: Vec<_> = gpu.about().named_profiles().collect();
    let (_, profile) = profiles[number as usize % profiles.len()];
    Program::of(gpu, &code, &RunState::from(profile)).ok()
}

/// Small numbers with few digits, edges, and any bits.
fn values(count: usize, pick: &mut impl FnMut(u32) -> u32) -> Vec<Vec4> {
    let mut component = || match pick(8) {
        0 => EDGES[pick(EDGES.len() as u32) as usize],
        1 => pick(1 << 16) << 16 | pick(1 << 16),
        _ => ((pick(1 << 12) as f32 - 2048.0) / 128.0).to_bits(),
    };
    (0..count).map(|_| [(); 4].map(|()| component())).collect()
}

/// Runs random programs of a machine on the host's GPU, in `exact` and in `fast`.
fn compare(id: &str) {
    let Some(host) = HOST.as_ref() else { return };
    let (_, gpu) = MACHINES.into_iter().find(|(own, _)| *own == id).expect("a machine of this name");
    let vectors = gpu.program_vectors().expect("a machine that random programs are made for");
    let first = asked_for("GPUZOO_RANDOM_FROM", 0) as u64;
    let last = first + asked_for("GPUZOO_RANDOM", RUN) as u64;
    let (mut programs, mut all) = (0, 0);
    let mut tally = Tally::default();
    let count = |programs: usize, all: usize, tally: &Tally| {
        eprintln!("{id}: {programs} random programs, {all} components, 0 differ in exact; fast: {tally}");
    };
    for number in first..last {
        let Some(program) = program(gpu, vectors, number).filter(|own| own.samples.is_empty()) else {
            continue;
        };
        let mut pick = numbers(number);
        let constants = values(program.function.uniform_count(), &mut pick);
        let inputs: Vec<Vec<Vec4>> =
            (0..RUNS).map(|_| values(program.function.input_count(), &mut pick)).collect();
        let ready = |fidelity| {
            Ready::new(host, &program, fidelity).unwrap_or_else(|error| panic!("{id} {number}: {error}"))
        };
        let exact = ready(Fidelity::Exact);
        let expected = exact.evaluated(&inputs, &constants);
        let (compared, _, first) = differences(&exact.run(&inputs, &constants).unwrap(), &expected);
        assert_eq!(first, None, "{id}, program {number}:\n{}", program.function);
        let fast = ready(Fidelity::Fast).run(&inputs, &constants).unwrap();
        components(&expected).zip(components(&fast)).for_each(|(own, fast)| tally.add(own, fast));
        (programs, all) = (programs + 1, all + compared);
        // A run of hours says how far it is.
        if programs % 100 == 0 {
            count(programs, all, &tally);
        }
    }
    count(programs, all, &tally);
}

#[test]
fn random_programs_of_the_dreambox_have_the_evaluators_bits() {
    compare("dreambox");
}

#[test]
fn random_programs_of_the_nv2a_have_the_evaluators_bits() {
    compare("nv2a");
}

#[test]
fn random_programs_of_picogpu_have_the_evaluators_bits() {
    compare("picogpu");
}

#[test]
fn random_programs_of_servaru_have_the_evaluators_bits() {
    compare("servaru");
}

/// Every language takes them, in a shape and a fidelity that change with the program.
#[test]
fn random_programs_are_valid() {
    let refused = ["T0101", "T0102", "T0103", "T0104", "T0105", "T0106"];
    for (id, gpu) in MACHINES {
        let Some(vectors) = gpu.program_vectors() else { continue };
        let (mut written, mut not) = (0, 0);
        for number in 0..asked_for("GPUZOO_TRANSLATED", TRANSLATED) as u64 {
            let Some(program) = program(gpu, vectors, number) else { continue };
            let (_, target, _) = <Target as Choice>::ALL[number as usize % <Target as Choice>::ALL.len()];
            let (_, shape, _) = <Shape as Choice>::ALL[(number / 2) as usize % <Shape as Choice>::ALL.len()];
            let (_, fidelity, _) =
                <Fidelity as Choice>::ALL[(number / 3) as usize % <Fidelity as Choice>::ALL.len()];
            match translate(
                &program,
                &TranslateOptions {
                    to: Some(target),
                    shape: Some(shape),
                    fidelity,
                    ..TranslateOptions::default()
                },
            ) {
                Ok(_) => written += 1,
                Err(problem) => {
                    assert!(
                        refused.contains(&problem.code.id),
                        "{id} {number}: {problem:?}\n{}",
                        program.function
                    );
                    not += 1;
                }
            }
        }
        assert!(written > 0, "{id}");
        eprintln!("{id}: {written} random programs translated, {not} refused");
    }
}
