//! The vectors of the folder `vectors`, taken from a hardware model, an emulator, an assembler and consoles. Long files
//! are samples, to keep the repository small; `gpuzoo conform` runs any other.

use gpuzoo_isa::Mask;
use gpuzoo_machine::vectors::{VectorKind, completed, shape};
use gpuzoo_machine::{Gpu, Profile};
use gpuzoo_nv2a::{CPU, GPU, HW, ISA};
use serde_json::{Value, json};

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

/// The differences that a record has with one of its members changed, by their places.
fn places(record: &Value, pointer: &str, to: Value, profile: Profile) -> Vec<String> {
    let mut changed = record.clone();
    *changed.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}: {record}")) = to;
    let checked = (kind_of(&changed).check)(&changed, profile).unwrap();
    checked.differences.into_iter().map(|difference| difference.place).collect()
}

/// Every component of every kind of result, and none besides.
#[test]
fn a_change_of_any_result_is_found() {
    let records = records("programs_sample.jsonl");
    let mut kinds = Vec::new();
    for record in &records {
        let set = &record["sets"][0];
        let mut members: Vec<(String, String)> = Vec::new();
        for (member, letter) in [("out", 'o'), ("cw", 'c')] {
            let numbers = set[member].as_object().into_iter().flat_map(|all| all.keys());
            members.extend(numbers.map(|number| (format!("{member}/{number}"), format!("{letter}{number}"))));
        }
        let temporaries = 0..set["r"].as_array().map_or(0, Vec::len);
        members.extend(temporaries.map(|at| (format!("r/{at}"), format!("r{at}"))));
        for (member, name) in &members {
            for component in 0..4 {
                let pointer = format!("/sets/0/{member}/{component}");
                let word = record.pointer(&pointer).and_then(Value::as_str).unwrap();
                let word = u32::from_str_radix(word, 16).unwrap();
                // The highest bit of the fraction: no record may be so far off, but any NaN is any NaN.
                let changed = word ^ 1 << 22;
                let nan = [word, changed].iter().all(|word| f32::from_bits(*word).is_nan());
                let place = format!("set 0 {name}.{}", ["x", "y", "z", "w"][component]);
                let expected = if nan { vec![] } else { vec![place] };
                assert_eq!(places(record, &pointer, format!("{changed:08x}").into(), CPU), expected);
            }
            kinds.push(name.chars().next().unwrap());
        }
        if let Some(index) = set["a0"].as_i64() {
            assert_eq!(places(record, "/sets/0/a0", (index + 1).into(), CPU), ["set 0 a0"]);
            kinds.push('a');
        }
    }
    for kind in "orca".chars() {
        assert!(kinds.contains(&kind), "{kind}");
    }
}

/// Where the emulator's C library computed a part, its results may be four steps off, and no others.
#[test]
fn library_functions_may_be_off_by_four() {
    let words = ["00000000", "0020001b", "0836106c", "2070f801"];
    let record = |features: Value| {
        json!({
            "name": "mov oPos, v0", "slots": [words], "features": features,
            "sets": [{ "v": [["3f800000", "bf800000", "7fc00000", "00000002"]], "c": {}, "out": { "0": ["3f800000", "bf800000", "7fc00001", "00000002"] } }],
        })
    };
    let off = |features: Value, by: i64, profile| {
        let to = |word: i64| Value::from(format!("{:08x}", word + by));
        let record = record(features);
        let places = [(0, 0x3f80_0000), (1, 0xbf80_0000)].map(|(component, word)| {
            places(&record, &format!("/sets/0/out/0/{component}"), to(word), profile).len()
        });
        (places[0] == places[1]).then_some(places[0])
    };
    for by in -6..=6_i64 {
        let differs = |most: i64| Some(usize::from(by.abs() > most));
        assert_eq!(off(json!(["libm"]), by, CPU), differs(4), "{by}");
        assert_eq!(off(json!(["a0", "libm"]), by, CPU), differs(4), "{by}");
        assert_eq!(off(json!(["a0"]), by, CPU), differs(0), "{by}");
        assert_eq!(off(json!([]), by, CPU), differs(0), "{by}");
        // The unit has no library.
        assert_eq!(off(json!(["libm"]), by, HW), differs(0), "{by}");
    }
    // A NaN is any NaN, and nothing else; a denormal is 2 steps from 0.
    let nan = |word: &str| places(&record(json!(["libm"])), "/sets/0/out/0/2", word.into(), CPU).len();
    assert_eq!([nan("7fc00000"), nan("ffffffff"), nan("7f800000"), nan("00000000")], [0, 0, 1, 1]);
}

/// One step of the three components that the emulator takes from its C library; floats of an index that is an integer are within 0.
#[test]
fn operations_of_the_emulator_are_exact_but_for_its_library() {
    let of = |op: &str| {
        records("ops_sample.jsonl").into_iter().filter(|record| record["op"] == op).collect::<Vec<_>>()
    };
    for op in ["mov", "add", "exp", "log", "lit", "rcp", "dst"] {
        let is_finite = |record: &&Value| {
            let word = |at: usize| u32::from_str_radix(record["out"][at].as_str().unwrap(), 16).unwrap();
            (0..4).map(word).all(|word| f32::from_bits(word).is_normal())
        };
        let records = of(op);
        let record = records.iter().find(is_finite).unwrap_or(&records[0]);
        for component in 0..4 {
            let pointer = format!("/out/{component}");
            let word =
                u32::from_str_radix(record.pointer(&pointer).and_then(Value::as_str).unwrap(), 16).unwrap();
            let place = format!("out.{}", ["x", "y", "z", "w"][component]);
            let library = ["exp", "log", "lit"].contains(&op) && component == 2;
            // The record may be one step off itself, so three are taken.
            let found = |by: u32| places(record, &pointer, format!("{:08x}", word + by).into(), CPU);
            assert_eq!(found(3).concat(), place, "{op}");
            if !library {
                assert_eq!((found(0), found(1)), (vec![], vec![place]), "{op}");
            }
        }
    }
    // 2.5 is between two numbers that A0 can be; -0 is 0.
    let of =
        |given: &str, floor: &str| json!({ "op": "arl", "in": vec![vec![given; 4]], "out": vec![floor; 4] });
    let index = of("40200000", "40000000");
    assert_eq!(places(&index, "/out/0", "40000001".into(), CPU), ["out.x"]);
    assert_eq!(places(&index, "/out/3", "40000000".into(), CPU), [""; 0]);
    let zero = of("00000000", "80000000");
    assert_eq!(places(&zero, "/out/0", "00000000".into(), CPU), [""; 0]);
    // Beyond 2^31 it is no index, and nothing is asked.
    let far = of("4f000000", "4f000000");
    assert_eq!(places(&far, "/out/0", "cf000000".into(), CPU), [""; 0]);
}

/// An exact unit has exact results, NaN included.
#[test]
fn operations_of_the_unit_are_exact() {
    let records = records("ops_hw_sample.jsonl");
    let nan = |record: &&Value| record["out"][0] == "7fffffff" || record["out"][0] == "ffffffff";
    let record = records.iter().find(nan).unwrap();
    let word = u32::from_str_radix(record["out"][0].as_str().unwrap(), 16).unwrap();
    assert_eq!(places(record, "/out/0", format!("{:08x}", word ^ 1).into(), HW), ["out.x"]);
}

/// Texts that are refused, and words, numbers of slots and texts that differ.
#[test]
fn a_change_of_any_text_is_found() {
    let record = json!({
        "name": "two moves", "src": "mov oPos, v0\nmov oD0, v3\n",
        "words": [["00000000", "0020001b", "0836106c", "2070f800"], ["00000000", "0020061b", "0836106c", "2070f819"]],
    });
    let changed = |pointer: &str, to: Value| places(&record, pointer, to, HW);
    assert_eq!(changed("/name", "two".into()), [""; 0]);
    assert_eq!(changed("/words/0/1", "0020021b".into()), ["slot 0"]);
    assert_eq!(changed("/words/1/0", "00000001".into()), ["slot 1"]);
    assert_eq!(changed("/words", json!([record["words"][0]])), ["slots"]);
    assert_eq!(changed("/src", "mov oPos, v0\n".into()), ["slots", "slot 0"]);
    for wrong in [
        "mov oPos, v99\n",
        "foo\n",
        "mov oPos, v0\nmov oD0, v3 + mov oD1, v3 + rcp r1, v3.x + rcp r2, v3.y\n",
    ] {
        assert_eq!(changed("/src", wrong.into()), ["verdict"], "{wrong}");
    }
    // Two inputs are an error whose words are compared (spec section 9).
    let two = json!({ "name": "two inputs", "src": "add oPos, v0, v1\n", "words": [["00000000", "0060021b", "0836106c", "2070f801"]] });
    assert_eq!(places(&two, "/words/0/3", "2070f800".into(), HW), ["slot 0"]);
    // FINAL of its own, behind the last slot.
    let mut explicit = record.clone();
    explicit["explicit_final"] = json!(true);
    explicit["words"][1][3] = json!("2070f818");
    explicit["words"].as_array_mut().unwrap().push(json!(["00000000", "00000000", "00000000", "00000001"]));
    assert_eq!(places(&explicit, "/name", "same".into(), HW), [""; 0]);
    assert_eq!(places(&explicit, "/explicit_final", json!(false), HW), ["slots", "slot 1"]);
    // What is to be refused, and is not.
    let refuse = json!({ "src": "mov oPos, v99\n", "reference": "refuses", "why": "there is none" });
    assert_eq!(places(&refuse, "/why", "none".into(), HW), [""; 0]);
    assert_eq!(places(&refuse, "/src", "mov oPos, v9\n".into(), HW), ["verdict"]);
    // 136 slots are taken, and not one more.
    assert_eq!(places(&refuse, "/src", "<136 slots>".into(), HW), ["verdict"]);
    assert_eq!(places(&refuse, "/src", "<137 slots>".into(), HW), [""; 0]);
    let shown = records("disasm_public.jsonl");
    let text = shown[0]["text"].as_str().unwrap();
    assert_eq!(places(&shown[0], "/text", text.into(), HW), [""; 0]);
    assert_eq!(places(&shown[0], "/text", format!("{text} ").into(), HW), ["text"]);
}

/// What a console printed is compared to the digits that it printed, in each component.
#[test]
fn a_change_of_any_digit_is_found() {
    for record in records("hw_observed.jsonl") {
        for component in 0..record["display"].as_array().unwrap().len() {
            let pointer = format!("/display/{component}");
            let text = record.pointer(&pointer).and_then(Value::as_str).unwrap();
            assert_eq!(places(&record, &pointer, text.into(), HW), [""; 0]);
            // One more in the last place of what is a number.
            let digits = text.split(['e', 'E']).next().unwrap();
            let Some(last) = digits.chars().last().and_then(|last| last.to_digit(10)) else { continue };
            let other =
                format!("{}{}{}", &digits[..digits.len() - 1], (last + 1) % 10, &text[digits.len()..]);
            let place = format!("display.{}", ["x", "y", "z", "w"][component]);
            assert_eq!(places(&record, &pointer, other.into(), HW), [place], "{record}");
        }
    }
}

/// A place is a set and a register, from which a run begins again: the record's program and what it was given.
#[test]
fn places_lead_to_runs() {
    let words = ["00000000", "0020001b", "0836106c", "2070f801"];
    let set = |first: &str| json!({ "v": [[first, "0", "0", "0"]], "c": { "3": [first, "1", "1", "1"], "191": ["2", "2", "2", "2"] }, "out": {} });
    let record = json!({ "name": "two", "slots": [words], "sets": [set("5"), set("6")] });
    let replay = kind_of(&record).replay.unwrap();
    for (place, run, first, register) in [
        ("set 0 o0.x", "set 0", 5, Some(("oPos", Mask(1)))),
        ("set 1 o3.w", "set 1", 6, Some(("oD0", Mask(8)))),
        ("set 0 o12.y", "set 0", 5, Some(("oT3", Mask(2)))),
        ("set 1 r11.z", "set 1", 6, Some(("R11", Mask(4)))),
        ("set 0 c191.y", "set 0", 5, Some(("c191", Mask(2)))),
        ("set 1 a0", "set 1", 6, None),
        ("set 0", "set 0", 5, None),
    ] {
        let found = replay(&record, place).unwrap();
        assert_eq!((found.run.as_str(), found.program.words(&ISA).len()), (run, 4), "{place}");
        assert_eq!(found.inputs, [[first, 0, 0, 0]]);
        assert_eq!(
            (found.constants.len(), found.constants[3], found.constants[191]),
            (192, [first, 1, 1, 1], [2; 4])
        );
        let register = register.map(|(name, mask)| (name.to_owned(), mask));
        assert_eq!(found.register, register, "{place}");
    }
    for wrong in ["set 2 o0.x", "set x", "set -1"] {
        assert!(replay(&record, wrong).is_err(), "{wrong}");
    }
}
