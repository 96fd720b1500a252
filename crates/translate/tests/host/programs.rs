//! The programs of the machines' own vectors, with their inputs: `exact` has the evaluator's bits, which are those of the vectors.

use crate::runs::{Ready, differences};
use crate::{HOST, MACHINES, asked_for};
use gpuzoo_ir::Vec4;
use gpuzoo_isa::Program as Code;
use gpuzoo_machine::vectors::{Replay, VectorKind, parse};
use gpuzoo_machine::{RunState, ShaderUnit};
use gpuzoo_translate::{Fidelity, Program};
use std::path::{Path, PathBuf};

/// Programs of each machine that the suite runs; `GPUZOO_PROGRAMS` asks for more, `GPUZOO_VECTORS` for those in another folder.
const PROGRAMS: usize = 12;

/// The runs of a program: inputs and constants.
type Runs = Vec<(Vec<Vec4>, Vec<Vec4>)>;

fn folder(id: &str) -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gpus").join(id).join("tests/vectors");
    std::env::var("GPUZOO_VECTORS").map_or(own, |folder| Path::new(&folder).join(id))
}

/// The programs of a machine's vectors, each once, with all their runs.
fn programs(id: &str, gpu: &dyn ShaderUnit) -> Vec<(Code, Runs)> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder(id)).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut programs: Vec<(Code, Runs)> = Vec::new();
    for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "jsonl")) {
        let text = std::fs::read_to_string(file).unwrap();
        for line in text.lines() {
            let Ok(record) = parse(line) else { continue };
            let kind = gpu.about().vectors.iter().find(|kind: &&VectorKind| (kind.matches)(&record));
            let Some(replay) = kind.and_then(|kind| kind.replay) else { continue };
            // Records with several runs have them as `set 0`, `set 1`, and so on; others have one.
            let mut runs: Vec<Replay> = Vec::new();
            for set in 0..64 {
                match replay(&record, &format!("set {set}")) {
                    Ok(run) if !runs.iter().any(|known| known.run == run.run) => runs.push(run),
                    _ => break,
                }
            }
            let Some(first) = runs.first() else { continue };
            let words = first.program.words(gpu.isa());
            let own = match programs.iter().position(|(known, _)| known.words(gpu.isa()) == words) {
                Some(known) => &mut programs[known].1,
                None => {
                    programs.push((first.program.clone(), Vec::new()));
                    &mut programs.last_mut().unwrap().1
                }
            };
            own.extend(runs.into_iter().map(|run| (run.inputs, run.constants)));
        }
    }
    programs
}

#[test]
fn exact_programs_have_the_evaluators_bits() {
    let Some(host) = HOST.as_ref() else { return };
    for (id, gpu) in MACHINES {
        let most = asked_for("GPUZOO_PROGRAMS", PROGRAMS);
        let all = programs(id, gpu);
        // Spread over all of them.
        let step = all.len().div_ceil(most).max(1);
        let (mut count, mut lanes, mut components, mut wrong) = (0, 0, 0, 0);
        let mut problems = Vec::new();
        for (code, runs) in all.iter().step_by(step) {
            for (profile_name, profile) in gpu.about().named_profiles() {
                let Ok(program) = Program::of(gpu, code, &RunState::from(profile)) else { continue };
                if !program.samples.is_empty() {
                    continue;
                }
                let ready = Ready::new(host, &program, Fidelity::Exact)
                    .unwrap_or_else(|error| panic!("{id}: {error}"));
                count += 1;
                // Runs with the same constants go together.
                let mut rest: Vec<&(Vec<Vec4>, Vec<Vec4>)> = runs.iter().collect();
                while let Some((_, constants)) = rest.first().copied() {
                    let (same, other): (Vec<_>, Vec<_>) =
                        rest.into_iter().partition(|(_, own)| own == constants);
                    let inputs: Vec<Vec<Vec4>> = same.into_iter().map(|(inputs, _)| inputs.clone()).collect();
                    let got = ready.run(&inputs, constants).unwrap();
                    let (all, differ, first) = differences(&got, &ready.evaluated(&inputs, constants));
                    (lanes, components, wrong) = (lanes + inputs.len(), components + all, wrong + differ);
                    problems.extend(first.map(|first| format!("{id} {profile_name}: {first}")));
                    rest = other;
                }
            }
        }
        assert!(problems.is_empty(), "{}", problems.join("\n"));
        assert!(count > 0 && lanes > 0, "{id}: {} programs", all.len());
        eprintln!("{id}: {count} programs, {lanes} runs, {components} components, {wrong} differ");
    }
}
