//! Every vector of the folder `vectors`. The operations' file is a sample of the published one, to keep
//! the repository small: the edge tuples and every third of the others. `gpuzoo conform` runs any other.

use gpuzoo_machine::Gpu;
use gpuzoo_machine::vectors::{Checked, VectorKind, parse, shape};
use gpuzoo_servaru::{GPU, PROFILE};
use serde_json::{Value, json};
use std::collections::HashMap;

/// The kind of a record.
pub fn kind(record: &Value) -> &'static VectorKind {
    GPU.about().vectors.iter().find(|kind| (kind.matches)(record)).unwrap()
}

/// What the check of its kind says of a record.
pub fn checked(record: &Value) -> Checked {
    (kind(record).check)(record, PROFILE).unwrap()
}

/// Runs a file and returns how many records and comparisons it had.
fn run(file: &str) -> (usize, usize) {
    let path = format!("{}/tests/vectors/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let (mut records, mut compared) = (0, 0);
    let (mut failures, mut textures) = (Vec::new(), HashMap::new());
    for line in text.lines() {
        let mut record: Value = parse(line).unwrap();
        let kind = kind(&record);
        shape::check(kind.members, &record).unwrap();
        if let Some(name) = record["texture"].as_str() {
            textures.insert(name.to_owned(), record.clone());
        }
        if let Some(uses) = kind.uses {
            record[uses.member] = textures[record[uses.member].as_str().unwrap()].clone();
        }
        let checked = checked(&record);
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

/// A read of texel (x, y) of a texture by rule, which is (0, x/16, y/16, 1).
fn texel(size: [u32; 2], [x, y]: [f32; 2], rule: &str) -> Result<Checked, String> {
    let words =
        |components: [f32; 4]| components.map(|component| format!("{:08x}", component.to_bits())).to_vec();
    let record = json!({
        "op": "TXF", "filter": "nearest", "wrap": "clamp", "coord": words([x, y, 0.0, 0.0]),
        "tex": { "texture": "t", "size": size, "rule": rule },
        "out": words([0.0, x / 16.0, y / 16.0, 1.0]),
    });
    (kind(&record).check)(&record, PROFILE)
}

const RULE: &str = "level l texel (x,y) = (l/8, x/16, y/16, 1)";

/// Textures may be wider than high, or higher than wide, up to 4096 texels; there is one rule.
#[test]
fn textures_by_rule() {
    for (size, last) in
        [([8, 2], [7.0, 1.0]), ([2, 8], [1.0, 7.0]), ([4096, 1], [4095.0, 0.0]), ([1, 4096], [0.0, 4095.0])]
    {
        let checked = texel(size, last, RULE).unwrap();
        assert_eq!((checked.compared, checked.differences), (4, vec![]), "{size:?}");
    }
    for size in [[4097, 1], [1, 4097], [512, 513], [u32::MAX; 2]] {
        assert!(texel(size, [0.0; 2], RULE).is_err(), "{size:?}");
    }
    for rule in ["", "level l texel (x,y) = (l/8, y/16, x/16, 1)"] {
        assert_eq!(
            texel([2, 2], [0.0; 2], rule).unwrap_err(),
            format!("a texture has `data`, or the rule `{RULE}`")
        );
    }
}

/// What a vector says comes first, and what gpuzoo gives behind it.
#[test]
fn what_differs_is_said_in_this_order() {
    let one = ["3f800000"; 4];
    let cases = [
        (json!({ "op": "KIL", "in": [one], "killed": true }), ["KIL", "killed", "true", "false"]),
        (
            json!({ "op": "MOV", "in": [one], "out": ["3f800000", "3f800000", "3f800000", "40000000"], "chk": "eeee" }),
            ["MOV", "w", "40000000 (2.0)", "3f800000 (1.0)"],
        ),
        (
            json!({ "name": "a", "stage": "fragment", "program": ["0b00028000000000"], "in": [one], "killed": true }),
            ["a", "killed", "true", "false"],
        ),
        (
            json!({ "name": "c", "stage": "fragment", "program": ["12a27e8100000000"], "in": [one], "out": { "ZTS": one } }),
            ["c", "ZTS", "a value", "nothing: the program does not write it"],
        ),
        (
            json!({ "name": "d", "stage": "fragment", "program": ["12a27e8100000000"], "in": [one, one], "out": { "P9": ["3f800000", "40000000", "3f800000", "3f800000"] } }),
            ["d", "P9.y", "40000000 (2.0)", "3f800000 (1.0)"],
        ),
        (
            json!({ "tri": [[256, 256], [512, 256], [256, 512]], "culled": true, "spans": [[1, 1, 1]] }),
            ["[[256,256],[512,256],[256,512]]", "culled", "true", "false"],
        ),
        (
            json!({ "tri": [[256, 256], [512, 256], [256, 512]], "culled": false, "spans": [[3, 1, 1], [2, 4, 5]] }),
            ["[[256,256],[512,256],[256,512]]", "spans", "[[2, 4, 5], [3, 1, 1]]", "[[1, 1, 1]]"],
        ),
        (
            json!({ "text": "EXC", "word": "0000000000000001" }),
            ["EXC", "word", "0000000000000001", "0000000000000000"],
        ),
        (
            json!({ "text": "EXC\nEXC", "word": "0000000000000000" }),
            ["EXC\nEXC", "word", "0000000000000000", "2 words"],
        ),
        (
            json!({
                "op": "TXF", "filter": "nearest", "wrap": "clamp", "coord": ["3f800000", "00000000", "00000000", "00000000"],
                "tex": { "texture": "t", "size": [2, 1], "rule": RULE }, "out": ["00000000", "3d800000", "00000000", "40000000"],
            }),
            ["TXF", "w", "40000000 (2.0)", "3f800000 (1.0)"],
        ),
        (json!({ "literal": "-1", "error": "no" }), ["-1", "verdict", "rejected", "1780 bf800000"]),
        (
            json!({ "literal": "1", "field13": "0781", "f32": "3f800000", "exact": true }),
            ["1", "field and value", "0781 3f800000", "0780 3f800000"],
        ),
        (
            json!({ "literal": "257", "field13": "0b80", "f32": "43800000", "exact": true }),
            ["257", "exact", "true", "false"],
        ),
    ];
    for (record, expected) in cases {
        let checked = checked(&record);
        let [found] = &checked.differences[..] else { panic!("{record}: {checked:?}") };
        assert_eq!([&*checked.name, &found.place, &found.expected, &found.got], expected, "{record}");
    }
}
