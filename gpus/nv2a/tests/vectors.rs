//! The vectors of the folder `vectors`, taken from a hardware model, an emulator, an assembler and consoles. Long files
//! are samples, to keep the repository small; `gpuzoo conform` runs any other.

use gpuzoo_machine::vectors::{VectorKind, completed};
use gpuzoo_machine::{Gpu, Profile, shape};
use gpuzoo_nv2a::{CPU, GPU, HW};
use serde_json::Value;

fn records(file: &str) -> Vec<Value> {
    let path = format!("{}/tests/vectors/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn kind_of(record: &Value) -> &'static VectorKind {
    GPU.about().vectors.iter().find(|kind| (kind.matches)(record)).unwrap()
}

/// Checks records and returns how many there were, and how many things were compared.
fn check(records: &[Value], profile: Profile) -> (usize, usize) {
    let mut compared = 0;
    let mut failures = Vec::new();
    for record in records {
        let kind = kind_of(record);
        shape::check(kind.members, record).unwrap();
        let checked = (kind.check)(record, profile).unwrap();
        assert!(!checked.name.is_empty(), "{record}");
        compared += checked.compared;
        failures.extend(checked.differences.into_iter().map(|difference| (checked.name.clone(), difference)));
    }
    assert!(
        failures.is_empty(),
        "{} differences, first: {:#?}",
        failures.len(),
        &failures[..failures.len().min(8)]
    );
    (records.len(), compared)
}

#[test]
fn operations_of_the_unit() {
    let (records, compared) = check(&records("ops_hw_sample.jsonl"), HW);
    assert!(records > 500 && compared == 4 * records, "{records} records, {compared} components");
}

#[test]
fn operations_of_the_emulator() {
    let (records, compared) = check(&records("ops_sample.jsonl"), CPU);
    assert!(records > 500 && compared > 4 * records - 40, "{records} records, {compared} components");
}

#[test]
fn numbers_that_consoles_printed() {
    assert_eq!(check(&records("hw_observed.jsonl"), HW).0, 26);
}

#[test]
fn programs_under_the_emulators_profile() {
    let (records, compared) = check(&records("programs_sample.jsonl"), CPU);
    assert!(records == 30 && compared > 5_000, "{records} records, {compared} components");
}

#[test]
fn programs_under_the_units_profile() {
    let (programs, results) = (records("programs_sample.jsonl"), records("programs_hw_sample.jsonl"));
    let joined = programs.iter().zip(&results).map(|(program, results)| {
        assert_eq!((kind_of(results).completes, &program["name"]), (Some("program"), &results["name"]));
        completed(program, results)
    });
    let (records, compared) = check(&joined.collect::<Vec<_>>(), HW);
    assert!(records == 30 && compared > 5_000, "{records} records, {compared} components");
}

#[test]
fn a_changed_bit_is_found() {
    let mut records = records("ops_hw_sample.jsonl");
    let component = records[7]["out"][2].as_str().unwrap().to_owned();
    let changed = u32::from_str_radix(&component, 16).unwrap() ^ 1;
    records[7]["out"][2] = Value::from(format!("{changed:08x}"));
    let checked = (kind_of(&records[7]).check)(&records[7], HW).unwrap();
    assert_eq!(checked.differences.len(), 1);
    assert_eq!(checked.differences[0].place, "out.z");
}
