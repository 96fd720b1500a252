//! `conform` passes over nothing that a record says: a member that is not known, and a value of another type, are refused.

use gpuzoo::conform::{Companions, Files, Options, Report, check, files};
use gpuzoo::diag::File;
use gpuzoo::machine::limits::budget::Budget;
use gpuzoo::machine::vectors::shape::Shape;
use gpuzoo::machine::vectors::{VectorKind, parse};
use gpuzoo::{Arguments, GPUS, Gpu};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

fn folder(gpu: &dyn Gpu) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gpus").join(gpu.about().id).join("tests/vectors")
}

/// The records of a machine's vectors, file by file.
fn records(gpu: &dyn Gpu) -> Vec<Vec<Value>> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder(gpu)).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let is_records = |path: &&PathBuf| path.extension().is_some_and(|own| own == "jsonl" || own == "json");
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).unwrap();
        match parse(&text) {
            Ok(record) => vec![record],
            Err(_) => text.lines().map(|line| parse(line).unwrap()).collect(),
        }
    };
    paths.iter().filter(is_records).map(read).collect()
}

/// What becomes of a record, behind those that it needs.
fn checked(gpu: &dyn Gpu, before: &[&Value], record: &Value, companions: &Companions) -> Report {
    let lines: Vec<String> = before.iter().copied().chain([record]).map(Value::to_string).collect();
    let file = File::new("v.jsonl", &format!("{}\n", lines.join("\n")));
    let read = |name: String| Some((name.clone(), std::fs::read(folder(gpu).join(name)).ok()?));
    let beside: Files = files(gpu, &file).into_iter().filter_map(read).collect();
    let arguments = Arguments::default();
    let options = Options {
        arguments: &arguments,
        companions,
        files: &beside,
        failures: 1,
        every: false,
        budget: &Budget::default(),
    };
    check(gpu, &file, &options, |_| {})
}

/// Places in a record: all of its objects' members, and the first elements of its lists.
fn places(value: &Value, path: &str, all: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            for (name, value) in object {
                let path = format!("{path}/{name}");
                all.push(path.clone());
                places(value, &path, all);
            }
        }
        Value::Array(list) => {
            if let Some(first) = list.first() {
                let path = format!("{path}/0");
                all.push(path.clone());
                places(first, &path, all);
            }
        }
        _ => {}
    }
}

fn is_remark(kind: &VectorKind, path: &str) -> bool {
    let name = path.split('/').nth(1).unwrap_or("");
    let remark =
        |own: &&gpuzoo::machine::vectors::shape::Member| matches!(own.shape, Shape::Any) && !own.required;
    path.ends_with("/note") || kind.members.iter().filter(remark).any(|own| own.name == name)
}

#[test]
fn nothing_that_a_record_says_is_passed_over() {
    let mut tried = 0;
    for gpu in GPUS.iter().filter(|gpu| !gpu.about().vectors.is_empty()) {
        let files = records(*gpu);
        for kind in gpu.about().vectors {
            let is_kind = |record: &&Value| {
                gpu.about().vectors.iter().find(|kind| (kind.matches)(record)).map(|kind| kind.name)
                    == Some(kind.name)
            };
            let own = files.iter().find_map(|file| Some((file, file.iter().find(is_kind)?)));
            let (file, record) = own.unwrap_or_else(|| panic!("no record of kind {}", kind.name));
            let name = record["name"].as_str().unwrap_or("");
            let named = |other: &&Value| {
                kind.completes.is_some() && other["name"] == name && other.get("slots").is_some()
            };
            let base = files.iter().flatten().find(named);
            let mut companions = Companions::default();
            if let Some(base) = base {
                companions.note(*gpu, &File::new("base", &format!("{base}\n")));
            }
            let used = |other: &&Value| {
                kind.uses.is_some_and(|uses| {
                    other[uses.name] == record[uses.member] && !record[uses.member].is_null()
                })
            };
            let before: Vec<&Value> = file.iter().filter(used).collect();
            let report = checked(*gpu, &before, record, &companions);
            assert_eq!(report.malformed, 0, "{} {}: {:?}", gpu.about().id, kind.name, report.diagnostics);
            let refused = |changed: &Value, what: &str| {
                let report = checked(*gpu, &before, changed, &companions);
                let codes: Vec<&str> = report.diagnostics.iter().map(|problem| problem.code.id).collect();
                // A record without what tells its kind is of no kind.
                assert!(
                    ["C0102", "C0103"].contains(codes.first().unwrap_or(&"")),
                    "{} {}: {what} {codes:?}",
                    gpu.about().id,
                    kind.name
                );
            };
            let mut all = vec![String::new()];
            places(record, "", &mut all);
            for path in all.iter().filter(|path| !is_remark(kind, path)) {
                tried += 1;
                let mut changed = record.clone();
                let place = changed.pointer_mut(path).unwrap();
                if let Value::Object(object) = place {
                    object.insert("zzzz".into(), json!(1));
                    refused(&changed, &format!("a member more in `{path}`"));
                }
                if !path.is_empty() {
                    let mut changed = record.clone();
                    *changed.pointer_mut(path).unwrap() = json!({ "zzzz": 1 });
                    refused(&changed, &format!("another type of `{path}`"));
                }
            }
        }
    }
    assert!(tried > 100, "{tried}");
}
