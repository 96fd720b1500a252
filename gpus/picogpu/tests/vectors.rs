//! All vectors of the folder `vectors`, taken from the project's own assembler and shader unit (spec section 13).

use gpuzoo_picogpu::{DOCUMENT, KINDS, UNIT};
use serde_json::Value;

/// Runs a file under a profile; returns how many records it had and how many comparisons, and the records that
/// differ.
fn run(file: &str, profile: &str) -> (usize, usize, Vec<String>) {
    let path = format!("{}/tests/vectors/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let (mut records, mut compared, mut failed) = (0, 0, Vec::new());
    for line in text.lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        let kind = KINDS.iter().find(|kind| (kind.matches)(&record)).unwrap();
        let checked = (kind.check)(&record, profile).unwrap();
        assert!(checked.compared > 0, "{} compares nothing", checked.name);
        records += 1;
        compared += checked.compared;
        if let Some(first) = checked.differences.first() {
            failed.push(format!("{}: {first:?}", checked.name));
        }
    }
    (records, compared, failed)
}

fn passes(file: &str, profile: &str, records: usize, least: usize) {
    let (count, compared, failed) = run(file, profile);
    assert!(failed.is_empty(), "{} of {count}: {:#?}", failed.len(), &failed[..failed.len().min(12)]);
    assert_eq!(count, records);
    assert!(compared >= least, "only {compared} comparisons");
}

#[test]
fn texts_as_the_document_has_them() {
    passes("asm_public.jsonl", DOCUMENT, 231, 550);
}

#[test]
fn texts_as_the_reference_has_them() {
    passes("asm_public.jsonl", UNIT, 231, 550);
}

#[test]
fn runs_bit_for_bit_with_their_cycles() {
    passes("run_public.jsonl", UNIT, 168, 7_500);
}

#[test]
fn runs_under_the_document_differ_only_where_they_are_said_to() {
    passes("run_public.jsonl", DOCUMENT, 168, 5_000);
}

/// A vector with one changed bit fails and says where.
#[test]
fn a_changed_bit_is_found() {
    let text = include_str!("vectors/run_public.jsonl");
    let mut record: Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
    let output = &mut record["executes"][0]["outputs"][0][1];
    let bits = u32::from_str_radix(output.as_str().unwrap(), 16).unwrap();
    *output = format!("{:08x}", bits ^ 1).into();
    let checked = (KINDS[1].check)(&record, UNIT).unwrap();
    assert_eq!(checked.differences.len(), 1);
    assert_eq!(checked.differences[0].place, "execute 0 thread 0 output 1");
}
