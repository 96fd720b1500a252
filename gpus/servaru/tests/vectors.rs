//! Every vector of the folder `vectors`. The operations' file is a sample of the published one, to keep
//! the repository small: the edge tuples and every third of the others. `gpuzoo conform` runs any other.

use gpuzoo_machine::vectors::{VectorKind, parse};
use gpuzoo_machine::{Gpu, shape};
use gpuzoo_servaru::{GPU, PROFILE};
use serde_json::Value;
use std::collections::HashMap;

/// Runs a file and returns how many records and comparisons it had.
fn run(file: &str) -> (usize, usize) {
    let path = format!("{}/tests/vectors/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let (mut records, mut compared) = (0, 0);
    let (mut failures, mut textures) = (Vec::new(), HashMap::new());
    for line in text.lines() {
        let mut record: Value = parse(line).unwrap();
        let kind: &VectorKind = GPU.about().vectors.iter().find(|kind| (kind.matches)(&record)).unwrap();
        shape::check(kind.members, &record).unwrap();
        if let Some(name) = record["texture"].as_str() {
            textures.insert(name.to_owned(), record.clone());
        }
        if let Some(uses) = kind.uses {
            record[uses.member] = textures[record[uses.member].as_str().unwrap()].clone();
        }
        let checked = (kind.check)(&record, PROFILE).unwrap();
        assert!(!checked.name.is_empty(), "{record}");
        records += 1;
        compared += checked.compared;
        failures.extend(checked.differences.into_iter().map(|difference| (checked.name.clone(), difference)));
    }
    let first = &failures[..failures.len().min(12)];
    assert!(failures.is_empty(), "{file}: {} differences, first: {first:#?}", failures.len());
    (records, compared)
}

/// 40 tuples with edge values of each of 26 operations, every third of the others, and the one with an infinite tolerance.
#[test]
fn operations() {
    let (records, compared) = run("vectors_sample.jsonl");
    assert_eq!(records, 1509);
    assert!(compared > 4000, "{compared} components");
}

#[test]
fn textures() {
    // Two textures, 372 single reads, 32 quads.
    assert_eq!(run("tex_public.jsonl"), (406, 372 * 4 + 32 * 16));
}

/// Nine comparisons of a vertex program, five of a fragment that is drawn, one of a fragment that is killed.
#[test]
fn programs() {
    assert_eq!(run("run.jsonl"), (3, 9 + 5 + 1));
}

#[test]
fn coverage() {
    assert_eq!(run("raster_public.jsonl"), (200, 400));
}

#[test]
fn encodings() {
    assert_eq!(run("encode_proposal.jsonl"), (195, 195));
}

#[test]
fn numbers() {
    assert_eq!(run("imm_proposal.jsonl"), (219, 215 * 2 + 4));
    assert_eq!(run("imm_decode.json"), (1, 8192));
}
