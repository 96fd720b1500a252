//! Every vector of the folder `vectors`, taken from the console's own shader and assembler. The run
//! file is a sample of the published one, to keep the repository small; `gpuzoo conform` runs any other.

use gpuzoo_diag::Span;
use gpuzoo_dreambox::{GPU, PROFILE};
use gpuzoo_machine::{Gpu, ShaderUnit};
use serde_json::Value;

/// Runs a file and returns how many records and comparisons it had.
fn run(file: &str) -> (usize, usize) {
    let path = format!("{}/tests/vectors/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let (mut records, mut compared) = (0, 0);
    let mut failures = Vec::new();
    for line in text.lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        let kind = GPU.about().vectors.iter().find(|kind| (kind.matches)(&record)).unwrap();
        let checked = (kind.check)(&record, PROFILE).unwrap();
        records += 1;
        compared += checked.compared;
        failures.extend(checked.differences.into_iter().map(|difference| (checked.name.clone(), difference)));
    }
    assert!(
        failures.is_empty(),
        "{} differences, first: {:#?}",
        failures.len(),
        &failures[..failures.len().min(12)]
    );
    (records, compared)
}

#[test]
fn runs() {
    let (records, compared) = run("run_sample.jsonl");
    assert!(records > 500 && compared > 7000, "{records} records, {compared} components");
}

#[test]
fn encodings() {
    assert_eq!(run("encode_public.jsonl"), (1544, 1544));
}

#[test]
fn whole_programs_and_errors() {
    assert_eq!(run("asm_cases.jsonl"), (50, 50));
}

#[test]
fn vertex_fetch() {
    assert_eq!(run("fetch_public.jsonl"), (248, 992));
}

/// A lint about a mistake does not see it in programs that have none. Those that chance made may have it.
#[test]
fn no_product_with_zeros_is_seen_where_there_is_no_mistake() {
    let path = format!("{}/tests/vectors/run_sample.jsonl", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let (mut programs, mut by_chance) = (0, 0);
    for line in text.lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        let words = record["program"].as_array().unwrap().iter();
        let word = |word: &Value| u32::from_str_radix(word.as_str().unwrap(), 16).unwrap().to_le_bytes();
        let program = GPU.load(&words.flat_map(word).collect::<Vec<u8>>(), Span::default()).program;
        let found = GPU.check(&program).into_iter().filter(|problem| problem.code.id == "D0106").count();
        if record["name"].as_str().unwrap().starts_with("random") {
            by_chance += found;
        } else {
            assert_eq!(found, 0, "{line}");
            programs += 1;
        }
    }
    assert!(programs > 400, "{programs}");
    assert!(by_chance > 0, "chance makes some");
}
