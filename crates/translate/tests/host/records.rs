//! The records of single operations in the machines' vector files, each run through `exact` and `fast`.

use crate::near::Tally;
use crate::programs::{folder, records};
use crate::runs::Ready;
use crate::{HOST, MACHINES};
use gpuzoo_diag::File;
use gpuzoo_ir::Vec4;
use gpuzoo_machine::vectors::{ComponentRule, vec4, vec4s};
use gpuzoo_machine::{RunState, ShaderUnit, TextOptions};
use gpuzoo_translate::{Fidelity, Program};
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// A program that applies an operation to the inputs from 0 on and gives the result as its only written output.
fn text(id: &str, name: &str, operands: usize) -> Option<String> {
    let scalar = ["rcp", "rcc", "rsq", "exp", "log", "RCP", "RSQ", "EX2", "LG2", "POW"].contains(&name);
    let end = if scalar { ".x" } else { "" };
    let list = |letter| (0..operands).map(|at| format!("{letter}{at}{end}")).collect::<Vec<_>>().join(", ");
    match id {
        // A slot reads one attribute. A0 is no output.
        "nv2a" if name != "arl" => {
            let moves: String = (0..operands).map(|at| format!("mov r{at}, v{at}\n")).collect();
            let name = if ["exp", "log"].contains(&name) { format!("{name}p") } else { name.to_owned() };
            Some(format!("{moves}{name} oPos, {}\n", list('r')))
        }
        "servaru" if name == "KIL" => Some(format!(".fragment\nKIL {};\n", list('P'))),
        "servaru" => Some(format!(".fragment\n{name} P9, {};\n", list('P'))),
        _ => None,
    }
}

/// A record: what goes in, and what must come out by which rule; or if it must be killed.
struct Record {
    inputs: Vec<Vec4>,
    expected: Vec4,
    rules: [ComponentRule; 4],
    killed: Option<bool>,
}

/// None for what is no record of an operation, and what the file's rules leave open.
fn record(json: &Json, any_nan: bool) -> Option<Record> {
    let inputs = vec4s(&json["in"]).ok()?;
    let killed = json["killed"].as_bool();
    let expected = if killed.is_some() { [0; 4] } else { vec4(&json["out"]).ok()? };
    let letters: Option<Vec<char>> = json["chk"].as_str().map(|letters| letters.chars().collect());
    let rule = |at: usize| match &letters {
        Some(letters) => {
            let tolerance = json["tol"][at].as_f64().unwrap_or(0.0) as f32;
            ComponentRule::from_letter(*letters.get(at)?, tolerance)
        }
        None if any_nan && f32::from_bits(expected[at]).is_nan() => Some(ComponentRule::Nan),
        None => Some(ComponentRule::Exact),
    };
    Some(Record { inputs, expected, rules: [rule(0)?, rule(1)?, rule(2)?, rule(3)?], killed })
}

/// The records of each operation.
fn operations(id: &str, hw: bool) -> BTreeMap<(String, usize), Vec<Record>> {
    let mut all: BTreeMap<(String, usize), Vec<Record>> = BTreeMap::new();
    for (file, json) in records(&folder(id)) {
        let is_other = id == "nv2a" && file.contains("_hw") != hw;
        let Some(name) = json["op"].as_str().filter(|_| !is_other && json.get("tex").is_none()) else {
            continue;
        };
        if let Some(record) = record(&json, !hw) {
            all.entry((name.to_owned(), record.inputs.len())).or_default().push(record);
        }
    }
    all
}

fn program(gpu: &dyn ShaderUnit, text: &str, profile: &str) -> Program {
    let read = gpu.assemble(&File::new("record", text), &TextOptions::default());
    assert!(read.ok(), "{text}: {:?}", read.diagnostics);
    let mut profiles = gpu.about().named_profiles();
    let profile = profiles.find(|(name, _)| *name == profile).map(|(_, profile)| profile).unwrap_or_default();
    Program::of(gpu, &read.program, &RunState::from(profile)).unwrap()
}

/// How many records there are, components that the rules compare, and those of them that differ in `exact`; and what `fast` is.
fn run(id: &str, gpu: &dyn ShaderUnit, profile: &str) {
    let Some(host) = HOST.as_ref() else { return };
    let (mut count, mut compared, mut problems) = (0, 0, Vec::new());
    let mut tally = Tally::default();
    for ((name, operands), records) in operations(id, profile == "hw") {
        let Some(text) = text(id, &name, operands) else { continue };
        let program = program(gpu, &text, profile);
        let inputs: Vec<Vec<Vec4>> = records.iter().map(|record| record.inputs.clone()).collect();
        let written = program.outputs.iter().position(|output| output.written).unwrap_or(0);
        let ready =
            Ready::new(host, &program, Fidelity::Exact).unwrap_or_else(|error| panic!("{name}: {error}"));
        let (exact, expected) = (ready.run(&inputs, &[]).unwrap(), ready.evaluated(&inputs, &[]));
        assert_eq!(exact, expected, "{id} {profile} {name}");
        let fast = Ready::new(host, &program, Fidelity::Fast).unwrap().run(&inputs, &[]).unwrap();
        count += records.len();
        let mut own = Tally::default();
        for ((record, exact), fast) in records.iter().zip(&exact).zip(&fast) {
            if let Some(killed) = record.killed {
                compared += 1;
                let own = exact.last().is_some_and(|last| last[0] != 0);
                if own != killed {
                    problems.push(format!("{name} {:x?}: killed {own}", record.inputs));
                }
                continue;
            }
            for component in 0..4 {
                let (rule, expected) = (record.rules[component], record.expected[component]);
                if rule == ComponentRule::Informational {
                    continue;
                }
                compared += 1;
                let (exact, fast) = (exact[written][component], fast[written][component]);
                // The emulator whose numbers these are takes its C library's power and logarithm.
                let library =
                    profile == "cpu" && component == 2 && ["exp", "log", "lit"].contains(&name.as_str());
                let rule =
                    if library && rule == ComponentRule::Exact { ComponentRule::Ulps(1) } else { rule };
                if !rule.passes(expected, exact) {
                    problems
                        .push(format!("{name} {:08x?}: {exact:08x}, expected {expected:08x}", record.inputs));
                }
                own.add(expected, fast);
            }
        }
        if own.far() > 0 {
            eprintln!("{id} {profile} {name}: {own}");
        }
        tally += own;
    }
    assert!(problems.is_empty(), "{id} {profile}: {}", problems.join("\n"));
    assert!(count > 0, "{id} {profile}");
    eprintln!("{id} {profile}: {count} records, {compared} components, 0 differ in exact; fast: {tally}");
}

#[test]
fn records_of_operations_pass() {
    for (id, gpu) in MACHINES {
        let profiles = match id {
            "nv2a" => &["hw", "cpu"][..],
            "servaru" => &["ieee"][..],
            // Theirs are whole programs.
            _ => continue,
        };
        profiles.iter().for_each(|profile| run(id, gpu, profile));
    }
}

/// What Mesa takes for a choice between 1 and +0: z is the lesser of 1 and -0, which are known, w is not; and one by a sign.
#[test]
fn ones_and_zeros_of_other_signs_are_told_apart() {
    let Some(host) = HOST.as_ref() else { return };
    let run = |program: &Program, input: f32| {
        let inputs = vec![vec![[input.to_bits(); 4]; program.function.input_count()]];
        Ready::new(host, program, Fidelity::Exact).unwrap().run(&inputs, &[]).unwrap()[0].clone()
    };
    let text = "expp r0.xyw, v2.x\nmov r0.z, v1\nmin oPos.zw, r0.zxwy, -r12.ywzx\n";
    assert_eq!(run(&program(&gpuzoo_nv2a::GPU, text, "hw"), 1.25)[0], [0, 0, 1 << 31, 1 << 31]);
    for (one, zero) in [(1.0, -0.0), (-1.0, 0.0), (1.0, 0.0), (-1.0, -0.0)] {
        let text = format!(".fragment\nCMP P9, P0, {one:?}, {zero:?};\n");
        let program = program(&gpuzoo_servaru::GPU, &text, "ieee");
        let chosen = [-3.0, 3.0].map(|sign| run(&program, sign)[0]);
        assert_eq!(chosen, [[f32::to_bits(one); 4], [f32::to_bits(zero); 4]], "{one:?} or {zero:?}");
    }
}

/// A number that is chosen with its own sign or the other, where its sign is known to be plus: what `trunc` is on Servaru-I.
#[test]
fn zeros_keep_the_sign_that_is_chosen_for_them() {
    let Some(host) = HOST.as_ref() else { return };
    let text = "ABS R0.x, P0.x;\nFLR R0.x, R0.x;\nCMP P9.x, P0.x, -R0.x, R0.x;\n";
    let program = program(&gpuzoo_servaru::GPU, text, "ieee");
    let numbers = [0.5f32, -0.5, 0.0, -0.0, 1.5, -1.5];
    let inputs = numbers.map(|number| vec![[number.to_bits(); 4]; program.function.input_count()]).to_vec();
    let ready = Ready::new(host, &program, Fidelity::Exact).unwrap();
    assert_eq!(ready.run(&inputs, &[]).unwrap(), ready.evaluated(&inputs, &[]));
}
