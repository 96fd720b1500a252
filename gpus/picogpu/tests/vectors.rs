//! All vectors of the folder `vectors`, taken from the project's own assembler and shader unit.

use gpuzoo_machine::vectors::hexadecimal;
use gpuzoo_machine::{Profile, shape};
use gpuzoo_picogpu::{DOCUMENT, KINDS, UNIT};
use serde_json::Value;

/// Runs a file under a profile; returns how many records it had and how many comparisons, and the records that
/// differ.
fn run(file: &str, profile: Profile) -> (usize, usize, Vec<String>) {
    let path = format!("{}/tests/vectors/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let (mut records, mut compared, mut failed) = (0, 0, Vec::new());
    for line in text.lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        let kind = KINDS.iter().find(|kind| (kind.matches)(&record)).unwrap();
        shape::check(kind.members, &record).unwrap();
        let checked = (kind.check)(&record, profile).unwrap();
        assert!(checked.compared > 0, "{} compares nothing", checked.name);
        assert!(!checked.name.is_empty(), "{record}");
        records += 1;
        compared += checked.compared;
        if let Some(first) = checked.differences.first() {
            failed.push(format!("{}: {first:?}", checked.name));
        }
    }
    (records, compared, failed)
}

fn passes(file: &str, profile: Profile, records: usize, least: usize) {
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

/// Where the verdicts differ, there is nothing else to compare; where they agree, every dword and every pin is.
#[test]
fn what_is_wrong_with_an_assembly_is_said() {
    let text = include_str!("vectors/asm_public.jsonl");
    let record: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let cases = [
        ("ok", Value::from(false), ["verdict", "refused", "assembled"]),
        ("source", "mov".into(), ["verdict", "assembled", "refused"]),
        ("vs_fs_components", 199.into(), ["vs_fs_components", "c7", "c6"]),
        (
            "dwords",
            Value::from(vec!["00000001"]),
            ["dwords", "00000001", "0c3ec00c 7f9b1dce 00000030 00000020 00000021 0003fb1e"],
        ),
    ];
    for (member, value, expected) in cases {
        let mut record = record.clone();
        record[member] = value;
        let checked = (KINDS[0].check)(&record, UNIT).unwrap();
        assert_eq!(checked.name, "pico-asm-pub-001");
        let differences = checked.differences.iter();
        let found: Vec<_> = differences.map(|found| [&*found.place, &*found.expected, &*found.got]).collect();
        assert_eq!(found, [expected], "{member}");
    }
}

/// A recorded scene, with the files that it names in place of their names.
fn scene(name: &str) -> Value {
    let folder = format!("{}/tests/vectors", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(format!("{folder}/{name}")).unwrap();
    let mut record: Value = serde_json::from_str(&text).unwrap();
    let kind = KINDS.iter().find(|kind| (kind.matches)(&record)).unwrap();
    assert_eq!(kind.name, "scene");
    for member in kind.files {
        if let Some(file) = record[*member].as_str() {
            record[*member] = hexadecimal(&std::fs::read(format!("{folder}/{file}")).unwrap()).into();
        }
    }
    record
}

/// The cycles are those that the reference took, from its event log (spec section 10).
#[test]
fn scenes_pixel_for_pixel_with_their_cycles() {
    for (name, least, cycles) in
        [("scene_public_1.json", 10_008, 166_699), ("scene_public_2.json", 20_024, 248_689)]
    {
        for profile in [UNIT, DOCUMENT] {
            let mut record = scene(name);
            record["cycles"] = cycles.into();
            let checked = (KINDS[2].check)(&record, profile).unwrap();
            assert!(checked.differences.is_empty(), "{name}: {:#?}", &checked.differences[..1]);
            assert_eq!(checked.compared, least + 1);
        }
    }
}

/// The unit ignores the mask of `fnorm`.
#[test]
fn scenes_that_depend_on_quirks_are_the_units_alone() {
    let mut record = scene("scene_public_1.json");
    record["draws"][0].as_object_mut().unwrap().remove("fs_dwords");
    let fs = record["draws"][0]["fs"].as_str().unwrap().replace("finit r9.w 1.0", "fnorm r9.w r9");
    record["draws"][0]["fs"] = fs.into();
    let compared = |profile| (KINDS[2].check)(&record, profile).unwrap().compared;
    assert_eq!((compared(DOCUMENT), compared(UNIT)), (8, 10_008));
}

/// A wrong pixel, depth, count and cycle figure are each found.
#[test]
fn a_scene_that_differs_is_found() {
    let mut record = scene("scene_public_2.json");
    record["clear_color"] = "ff302821".into();
    record["draws"][0]["vertex_count"] = 33.into();
    let data = record["draws"][0]["vertex_data"].as_array_mut().unwrap();
    data.truncate(33 * 6);
    record["cycles"] = 248_000.into();
    let checked = (KINDS[2].check)(&record, UNIT).unwrap();
    for what in ["pixel (0, 0)", "depth", "triangle 11 fragments", "cycles"] {
        assert!(checked.differences.iter().any(|difference| difference.place.starts_with(what)), "{what}");
    }
}
