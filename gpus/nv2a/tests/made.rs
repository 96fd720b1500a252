//! Vectors that are made: that programs are what the machine can run, and that records say what these take and give.

use gpuzoo_diag::{File, has_errors};
use gpuzoo_ir::{Vec4, vec4};
use gpuzoo_isa::{Profile, Program, Slot, numbers};
use gpuzoo_machine::vectors::stimulus::{EDGES, ProgramVectors, Stimulus, Temporaries};
use gpuzoo_machine::vectors::{Checked, shape};
use gpuzoo_machine::{Gpu, ShaderUnit, TextOptions};
use gpuzoo_nv2a::{CPU, GPU, HW, ISA};
use serde_json::{Value, json};
use std::collections::HashSet;

fn made() -> &'static dyn ProgramVectors {
    GPU.program_vectors().unwrap()
}

fn program(text: &str) -> Program {
    let assembled = GPU.assemble(&File::new("t", text), &TextOptions::default());
    assert!(!has_errors(&assembled.diagnostics), "{text}: {:?}", assembled.diagnostics);
    assembled.program
}

fn around(body: &[Slot]) -> Program {
    made().around(body, &Temporaries::of(&ISA, body))
}

/// Runs a record as `conform` does.
fn checked(record: &Value, profile: Profile) -> Checked {
    let kind = GPU.about().vectors.iter().find(|kind| (kind.matches)(record)).unwrap();
    assert_eq!(kind.name, "program");
    shape::check(kind.members, record).unwrap();
    (kind.check)(record, profile).unwrap()
}

fn hex(components: [f32; 4]) -> Value {
    components.map(|component| format!("{:08x}", component.to_bits())).to_vec().into()
}

/// Sixteen inputs and 192 constants bring values. Ten outputs keep four components as they are and leave them: all but the fog.
#[test]
fn what_stands_around_a_body() {
    assert_eq!(made().counts(), [16, 192]);
    assert!(made().pieces().is_empty());
    let twelve: String = (0..12).map(|at| format!("mov r{at}, c5\n")).collect();
    let filled: String = (0..12).map(|at| format!("mov r{at}, v{at}\n")).collect();
    let read: String = (0..12).map(|at| format!("max r{at}, r{at}, r{at}\n")).collect();
    let names = ["oPos", "oD0", "oD1", "oPts", "oB0", "oB1", "oT0", "oT1", "oT2", "oT3"];
    let left: String =
        names.iter().zip((2..12).rev()).map(|(name, at)| format!("mov {name}, r{at}\n")).collect();
    for (body, expected) in [
        ("add r0, r1, r2", "mov r1, v0\nmov r2, v1\nadd r0, r1, r2\nmov oPos, r0"),
        ("add r0, v1, c2", "add r0, v1, c2\nmov oPos, r0"),
        // What it gives on itself needs no copy, and the next output is the first that it does not write.
        ("mov oPos, v0\nmov r2, v0", "mov oPos, v0\nmov r2, v0\nmov oD0, r2"),
        ("mov oD0, v0", "mov oD0, v0"),
        ("mov oFog, v0\nmov r3, v1", "mov oFog, v0\nmov r3, v1\nmov oPos, r3"),
        ("mov c7, r3", "mov r3, v0\nmov c7, r3"),
        // A component that is not written stays as it was.
        ("mov r0.x, c5", "mov r0, v0\nmov r0.x, c5\nmov oPos, r0"),
        // The last that is written leaves first.
        ("mov r4, v0\nmov r2, v1", "mov r4, v0\nmov r2, v1\nmov oPos, r2\nmov oD0, r4"),
        // The address register comes from its own instruction, and goes nowhere.
        ("arl a0, r1.x\nmov r0, c[a0+5]", "mov r1, v0\narl a0, r1.x\nmov r0, c[a0+5]\nmov oPos, r0"),
        (&twelve, &format!("{twelve}{left}")),
        (&read, &format!("{filled}{read}{left}")),
    ] {
        let made = around(&program(body).slots);
        // FINAL is in the last slot alone, which is what an assembler does.
        let bits = |program: &Program| program.words(&ISA).chunks(4).map(<[u32]>::to_vec).collect::<Vec<_>>();
        let (mut found, expected) = (bits(&made), bits(&program(expected)));
        // The body keeps the bits that it came with.
        let last = found.len() - 1;
        found[..last].iter_mut().for_each(|slot| slot[3] &= !1);
        assert_eq!(found, expected, "{body}");
    }
    assert!(around(&[]).slots.is_empty());
}

fn records(text: &str, runs: &[Stimulus], profile: Profile) -> Value {
    let records = made().records("some", &program(text), runs, profile).unwrap();
    let [record] = &records[..] else { panic!("{records:?}") };
    let checked = checked(record, profile);
    assert!(checked.differences.is_empty(), "{record}: {checked:?}");
    record.clone()
}

/// Inputs as they are; of constants those that the program reads or writes and that are not 0; each output that it writes a component
/// of; all twelve temporaries; A0 where it is set, and constants that are written.
#[test]
fn records_say_what_a_program_takes_and_gives() {
    let run = Stimulus {
        inputs: vec![vec4([1.0, 2.0, 3.0, 4.0]), [0; 4], vec4([0.5; 4])],
        constants: (0..9).map(|at| vec4([at as f32; 4])).collect(),
    };
    let none = [0.0; 4];
    let temporaries = |own: &[(usize, [f32; 4])]| {
        let value = |at: usize| own.iter().find(|(own, _)| *own == at).map_or(none, |(_, value)| *value);
        (0..12).map(value).map(hex).collect::<Vec<Value>>()
    };
    let record = records(
        "mul r0, v0, c2\nmov r11.y, c4\nmov oPos, r0\nmov oFog.w, c8\nmov oT3.xy, v2\n",
        std::slice::from_ref(&run),
        HW,
    );
    let slots = [
        // Each as the assembler writes it.
        ["00000000", "0040401b", "0836186c", "2f000ff8"],
    ];
    assert_eq!((record["name"].as_str(), record["slots"].as_array().map(Vec::len)), (Some("some"), Some(5)));
    assert_eq!(record["slots"][0], json!(slots[0]));
    let set = json!({
        "v": [hex([1.0, 2.0, 3.0, 4.0]), hex(none), hex([0.5; 4])],
        "c": { "2": hex([2.0; 4]), "4": hex([4.0; 4]), "8": hex([8.0; 4]) },
        // What is not written of an output is as it starts: (0, 0, 0, 1).
        "out": { "0": hex([2.0, 4.0, 6.0, 8.0]), "5": hex([0.0, 0.0, 0.0, 8.0]), "12": hex([0.5, 0.5, 0.0, 1.0]) },
        "r": temporaries(&[(0, [2.0, 4.0, 6.0, 8.0]), (11, [0.0, 4.0, 0.0, 0.0])]),
    });
    assert_eq!(record["sets"], json!([set]));
    // A sum of a number and A0 may be any constant, so all are said that are not 0.
    let record = records(
        "arl a0, v0.z\nmov oPos, c[a0+2]\nmov c7.x, v0\nmov c191, v2\n",
        std::slice::from_ref(&run),
        HW,
    );
    let set = &record["sets"][0];
    let constants: Vec<String> = set["c"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(constants, ["1", "2", "3", "4", "5", "6", "7", "8"]);
    assert_eq!((&set["a0"], &set["out"]), (&json!(3), &json!({ "0": hex([5.0; 4]) })));
    assert_eq!(set["cw"], json!({ "7": hex([1.0, 7.0, 7.0, 7.0]), "191": hex([0.5; 4]) }));
    // Of a constant of which a component is written the others are said, too.
    let record = records("mov c7.x, v0\nmov oPos, v0\n", std::slice::from_ref(&run), HW);
    assert_eq!(record["sets"][0]["c"], json!({ "7": hex([7.0; 4]) }));
    // What there is none of is not said; what is not given is 0.
    let record = records("mov oPos, v2\n", &[Stimulus::default(), run.clone()], HW);
    let [first, second] = &record["sets"].as_array().unwrap()[..] else { panic!("{record}") };
    assert_eq!([first.get("a0"), first.get("cw"), second.get("a0"), second.get("cw")], [None; 4]);
    assert_eq!((&first["v"], &first["c"], &second["c"]), (&json!([]), &json!({}), &json!({})));
    assert_eq!([&first["out"], &second["out"]], [&json!({ "0": hex(none) }), &json!({ "0": hex([0.5; 4]) })]);
    // A0 is what the profile makes of it: the emulator adds 0.001 first.
    let near = Stimulus { inputs: vec![vec4([-0.0005, 0.0, 0.0, 0.0])], ..Stimulus::default() };
    let index = |profile| {
        records("arl a0, v0.x\nmov oPos, v0\n", std::slice::from_ref(&near), profile)["sets"][0]["a0"].clone()
    };
    assert_eq!([HW, CPU].map(index), [json!(-1), json!(0)]);
}

/// Values of which each component is another edge.
fn edges(pick: &mut dyn FnMut(u32) -> u32, count: usize) -> Vec<Vec4> {
    (0..count).map(|_| [0; 4].map(|_| EDGES[pick(EDGES.len() as u32) as usize])).collect()
}

/// Programs around slots of every row, at random: the machine defines all that is in them, and their records replay with the results that
/// these have, in both profiles. No two are the same.
#[test]
fn made_programs_are_legal_and_their_records_replay() {
    let mut pick = numbers(7);
    let mut seen = HashSet::new();
    for op in ISA.ops() {
        for count in [1, 1, 3] {
            let mut body: Vec<Slot> = (1..count).map(|_| ISA.random_slot(op, &mut pick)).collect();
            body.push(ISA.random_slot(op, &mut pick));
            let program = around(&body);
            let finals = program.words(&ISA).iter().skip(3).step_by(4).filter(|word| *word & 1 == 1).count();
            assert!(finals == 1 && program.slots.len() <= 136);
            let name = op.name;
            let text = GPU.disassemble(&program, &TextOptions { exact: true, ..TextOptions::default() }).0;
            assert!(seen.insert(program.words(&ISA)), "{name}: {text}");
            for problem in GPU.check(&program) {
                // That it leaves no position, or nothing at all, is no fault of it.
                assert!(["N0305", "N0306", "N0304"].contains(&problem.code.id), "{text}{problem:?}");
            }
            let [inputs, constants] = made().counts().map(|count| edges(&mut pick, count));
            let runs = [
                Stimulus { inputs, constants },
                Stimulus { inputs: edges(&mut pick, 3), constants: Vec::new() },
            ];
            for profile in [HW, CPU] {
                let records = made().records(name, &program, &runs, profile).unwrap();
                let checked = checked(&records[0], profile);
                assert!(checked.differences.is_empty(), "{text}{checked:?}");
                // Twelve temporaries in each of two runs, at least.
                assert!((records.len(), checked.compared >= 2 * 12 * 4) == (1, true), "{text}{checked:?}");
            }
        }
    }
}
