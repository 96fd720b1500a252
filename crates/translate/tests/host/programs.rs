//! The programs of the machines' own vectors, with their inputs: `exact` has the evaluator's bits, which are those of the vectors;
//! how near `fast` is is counted.

use crate::near::Tally;
use crate::runs::{Ready, components, differences};
use crate::{HOST, MACHINES, asked_for};
use gpuzoo_ir::Vec4;
use gpuzoo_isa::Program as Code;
use gpuzoo_machine::vectors::{Replay, Replays, VectorKind, parse};
use gpuzoo_machine::{RunState, ShaderUnit};
use gpuzoo_translate::{Fidelity, Program};
use serde_json::Value as Json;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Programs of each machine that the suite runs; `GPUZOO_PROGRAMS` asks for more, `GPUZOO_VECTORS` for those in another folder.
const PROGRAMS: usize = 8;

/// The runs of a program: inputs and constants.
type Runs = Vec<(Vec<Vec4>, Vec<Vec4>)>;

pub fn folder(id: &str) -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gpus").join(id).join("tests/vectors");
    std::env::var("GPUZOO_VECTORS").map_or(own, |folder| Path::new(&folder).join(id))
}

/// The records of all files of a folder, with the files' names.
pub fn records(folder: &Path) -> Vec<(String, Json)> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut records = Vec::new();
    for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "jsonl")) {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(file).unwrap();
        records.extend(text.lines().filter_map(|line| Some((name.clone(), parse(line).ok()?))));
    }
    records
}

/// The runs of a record: of each set of numbers, or of each thread of each time that it was executed; others have one.
fn runs(replay: Replays, record: &Json) -> Vec<Replay> {
    let mut runs: Vec<Replay> = Vec::new();
    for set in 0..64 {
        let before = runs.len();
        for thread in 0..256 {
            match replay(record, &format!("set {set} execute {set} thread {thread}")) {
                Ok(run) if !runs.iter().any(|known| known.run == run.run) => runs.push(run),
                _ => break,
            }
        }
        if runs.len() == before {
            break;
        }
    }
    runs
}

/// The programs of a machine's vectors, each once, with all their runs.
fn programs(id: &str, gpu: &dyn ShaderUnit) -> Vec<(Code, Runs)> {
    let mut programs: Vec<(Code, Runs)> = Vec::new();
    let mut known: HashMap<Vec<u32>, usize> = HashMap::new();
    for (_, record) in records(&folder(id)) {
        let kind = gpu.about().vectors.iter().find(|kind: &&VectorKind| (kind.matches)(&record));
        let Some(replay) = kind.and_then(|kind| kind.replay) else { continue };
        let runs = runs(replay, &record);
        let Some(first) = runs.first() else { continue };
        let at = *known.entry(first.program.words(gpu.isa())).or_insert_with(|| {
            programs.push((first.program.clone(), Vec::new()));
            programs.len() - 1
        });
        programs[at].1.extend(runs.into_iter().map(|run| (run.inputs, run.constants)));
    }
    programs
}

#[test]
fn programs_of_vectors_run() {
    let Some(host) = HOST.as_ref() else { return };
    for (id, gpu) in MACHINES {
        let most = asked_for("GPUZOO_PROGRAMS", PROGRAMS);
        let all = programs(id, gpu);
        // Spread over all of them.
        let step = all.len().div_ceil(most).max(1);
        let (mut count, mut lanes) = (0, 0);
        let mut tally = Tally::default();
        for (code, runs) in all.iter().step_by(step) {
            for (profile_name, profile) in gpu.about().named_profiles() {
                let Ok(program) = Program::of(gpu, code, &RunState::from(profile)) else { continue };
                if !program.samples.is_empty() {
                    continue;
                }
                let ready = |fidelity| {
                    Ready::new(host, &program, fidelity).unwrap_or_else(|error| panic!("{id}: {error}"))
                };
                let (exact, fast) = (ready(Fidelity::Exact), ready(Fidelity::Fast));
                count += 1;
                // Runs with the same constants go together.
                let mut rest: Vec<&(Vec<Vec4>, Vec<Vec4>)> = runs.iter().collect();
                while let Some((_, constants)) = rest.first().copied() {
                    let (same, other): (Vec<_>, Vec<_>) =
                        rest.into_iter().partition(|(_, own)| own == constants);
                    let inputs: Vec<Vec<Vec4>> = same.into_iter().map(|(inputs, _)| inputs.clone()).collect();
                    let expected = exact.evaluated(&inputs, constants);
                    let (_, _, first) = differences(&exact.run(&inputs, constants).unwrap(), &expected);
                    assert_eq!(first, None, "{id} {profile_name}");
                    let fast = fast.run(&inputs, constants).unwrap();
                    let pairs = components(&expected).zip(components(&fast));
                    pairs.for_each(|(expected, fast)| tally.add(expected, fast));
                    lanes += inputs.len();
                    rest = other;
                }
            }
        }
        // Other folders need not have programs of all machines.
        assert!(lanes > 0 || std::env::var("GPUZOO_VECTORS").is_ok(), "{id}: {} programs", all.len());
        eprintln!("{id}: {count} programs, {lanes} runs, 0 differ in exact; fast: {tally}");
    }
}
