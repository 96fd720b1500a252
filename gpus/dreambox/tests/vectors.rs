//! Every vector of the folder `vectors`, taken from the console's own shader and assembler. The run
//! file is a sample of the published one, to keep the repository small; `gpuzoo conform` runs any other.

use gpuzoo_diag::Span;
use gpuzoo_dreambox::{GPU, PROFILE};
use gpuzoo_machine::vectors::shape;
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
        shape::check(kind.members, &record).unwrap();
        let checked = (kind.check)(&record, PROFILE).unwrap();
        assert!(!checked.name.is_empty(), "{record}");
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

/// What is wrong is said with the record's name and the place.
#[test]
fn a_changed_expectation_is_found() {
    let cases = [
        (r#"{"text":"ld r1 2","word":"00000841"}"#, "ld r1 2", "word", "00000841", "00000840"),
        (
            r#"{"name":"short","text":"end","words":["0000003f"]}"#,
            "short",
            "words",
            "0000003f",
            "0000003f 0000003f",
        ),
        (
            r#"{"name":"good","text":"end","error":"x"}"#,
            "good",
            "verdict",
            "rejected",
            "accepted as 0000003f 0000003f",
        ),
        (
            r#"{"format":"Float1","bytes":"0000803f","out":["3f800000","40000000","00000000","3f800000"]}"#,
            "Float1 0000803f",
            "y",
            "40000000 (2.0)",
            "00000000 (0.0)",
        ),
        // Normalized formats may be one step off, and this is two.
        (
            r#"{"format":"UNorm4","bytes":"ff000000","out":["3f7ffffe","00000000","00000000","00000000"]}"#,
            "UNorm4 ff000000",
            "x",
            "3f7ffffe (0.9999999)",
            "3f800000 (1.0)",
        ),
        // ld r0 0, st pos r0, end
        (
            r#"{"name":"copy","program":["00000000","00000001","0000003f"],"const":[],
                "in":[["3f800000","40000000","00000000","00000000"]],
                "out":{"pos":["3f800000","40000000","3f800000","00000000"]}}"#,
            "copy",
            "pos.z",
            "3f800000 (1.0)",
            "00000000 (0.0)",
        ),
        // Without a tolerance there is none.
        (
            r#"{"name":"near","program":["00000000","00000001","0000003f"],"const":[],
                "in":[["3f800000","00000000","00000000","00000000"]],"chk":{"pos":"tttt"},
                "out":{"pos":["3f000000","00000000","00000000","00000000"]}}"#,
            "near",
            "pos.x",
            "3f000000 (0.5)",
            "3f800000 (1.0)",
        ),
    ];
    for (line, name, place, expected, got) in cases {
        let record: Value = serde_json::from_str(line).unwrap();
        let kind = GPU.about().vectors.iter().find(|kind| (kind.matches)(&record)).unwrap();
        let checked = (kind.check)(&record, PROFILE).unwrap();
        assert_eq!(checked.name, name);
        let differences = checked.differences.iter();
        let found: Vec<_> = differences.map(|found| (&*found.place, &*found.expected, &*found.got)).collect();
        assert_eq!(found, [(place, expected, got)], "{line}");
    }
    // What does not assemble has no words, and bytes of another length no value.
    let check = |line: &str| {
        let record: Value = serde_json::from_str(line).unwrap();
        let kind = GPU.about().vectors.iter().find(|kind| (kind.matches)(&record)).unwrap();
        (kind.check)(&record, PROFILE).map(|checked| checked.differences)
    };
    for line in [
        r#"{"text":"ld r1 2 st q","word":"00000841"}"#,
        r#"{"name":"bad","text":"ld r1 2 st q","words":["00000841"]}"#,
    ] {
        let differences = check(line).unwrap();
        assert_eq!(differences.len(), 1);
        assert!(differences[0].got.starts_with("rejected with A01"), "{differences:?}");
    }
    let long =
        r#"{"format":"Float1","bytes":"0000803f00","out":["3f800000","00000000","00000000","3f800000"]}"#;
    assert_eq!(check(long).err().as_deref(), Some("Float1 has 4 bytes, the record 5"));
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
