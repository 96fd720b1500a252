//! Vectors that are made: programs around instructions, and records of their runs.

use gpuzoo_diag::File;
use gpuzoo_isa::{Profile, Program, Slot, Stage};
use gpuzoo_machine::ShaderUnit;
use gpuzoo_machine::vectors::shape;
use gpuzoo_machine::vectors::stimulus::{ProgramVectors, Stimulus, Temporaries};
use gpuzoo_picogpu::*;
use serde_json::{Value, json};

fn made() -> &'static dyn ProgramVectors {
    GPU.program_vectors().unwrap()
}

fn program(text: &str) -> Program {
    let assembled = assemble(&File::new("t", text), DOCUMENT);
    assert!(assembled.ok(), "{text}\n{:#?}", assembled.diagnostics);
    assembled.program
}

/// The instructions of a text without directives.
fn slots(text: &str) -> Vec<Slot> {
    let program = program(&format!("#vertexShader #input r0.x #output r1.xyzw {text}"));
    program.slots[body(&program).unwrap()].to_vec()
}

/// The text of the program around a body, without what the assembler adds.
fn around(text: &str) -> String {
    let body = slots(text);
    let made = made().around(&body, &Temporaries::of(&ISA, &body));
    assert_eq!(made.interface.as_ref().map(|interface| interface.stage), Some(Stage::Vertex));
    let text = disassemble(&made, true);
    text.lines()
        .filter(|line| !line.is_empty() && !line.starts_with("//"))
        .map(|line| format!("{line}\n"))
        .collect()
}

/// The first three registers that a body reads are inputs, three more are uniforms, and what is beyond them is copied from these in
/// turn. The last three that it writes are outputs.
#[test]
fn what_stands_around_a_body() {
    assert_eq!(made().counts(), [3, 15]);
    assert!(made().takes(&[], slots("trap")[0].inst.as_ref().unwrap()));
    assert_eq!(made().pieces(), [] as [Value; 0]);
    let declared = |inputs: &[u8], outputs: &[u8], uniforms: &[u8]| {
        let lines =
            |word: &str, all: &[u8]| all.iter().map(|at| format!("#{word} r{at}.xyzw\n")).collect::<String>();
        format!(
            "#vertexShader\n{}{}{}",
            lines("input", inputs),
            lines("output", outputs),
            lines("uniform", uniforms)
        )
    };
    for (body, head, expected) in [
        ("fadd r0 r1 r2", declared(&[1, 2], &[0], &[]), "fadd r0 r1 r2\n"),
        // There must be an input and an output.
        ("trap", declared(&[0], &[15], &[]), "trap\n"),
        ("finit r4 1.0", declared(&[0], &[4], &[]), "finit r4 1.0\n"),
        // A component that is not written stays as it was; a register may be both.
        ("finit r4.x 1.0", declared(&[4], &[4], &[]), "finit r4.x 1.0\n"),
        (
            "fmad r9 r1 r2 r3 fadd r10 r4 r5 fadd r11 r6 r1 fadd r12 r1 r1",
            declared(&[1, 2, 3], &[12, 11, 10], &[4, 5, 6]),
            "fmad r9 r1 r2 r3\nfadd r10 r4 r5\nfadd r11 r6 r1\nfadd r12 r1 r1\n",
        ),
        (
            "fmad r9 r1 r2 r3 fmad r9 r4 r5 r6 fmad r9 r7 r8 r1 fadd r9 r9 r9",
            declared(&[1, 2, 3], &[9], &[4, 5, 6]),
            "mov r7 r1\nmov r8 r2\nmov r9 r3\nfmad r9 r1 r2 r3\nfmad r9 r4 r5 r6\nfmad r9 r7 r8 r1\nfadd r9 r9 r9\n",
        ),
    ] {
        assert_eq!(around(body), head + expected, "{body}");
    }
}

/// Each row with random operands: the program around it is what the assembler takes, and its records pass.
#[test]
fn programs_around_instructions_are_legal_and_have_records() {
    let mut pick = gpuzoo_isa::numbers(1);
    for op in ISA.ops().filter(|op| !op.internal) {
        for slot in std::iter::repeat_with(|| ISA.random_slot(op, &mut pick)).take(20).collect::<Vec<_>>() {
            let made = made().around(&[slot], &Temporaries::of(&ISA, &[slot]));
            // `lduni` and `initregs` stand before it.
            assert_eq!(
                (body(&made), made.slots[2].bits),
                (Some(2..made.slots.len()), slot.bits),
                "{}",
                op.name
            );
            let bits =
                |at: u32| [at + 1, at + 2, at + 3, at + 4].map(|number| (number as f32 / 2.0).to_bits());
            let run = Stimulus { inputs: (0..3).map(bits).collect(), constants: (3..18).map(bits).collect() };
            for profile in [UNIT, DOCUMENT] {
                recorded(&made, std::slice::from_ref(&run), profile);
            }
        }
    }
}

fn words(values: &[u32]) -> Value {
    values.iter().map(|word| Value::from(format!("{word:08x}"))).collect()
}

fn floats(values: &[f32]) -> Value {
    words(&values.iter().map(|value| value.to_bits()).collect::<Vec<u32>>())
}

fn records(text: &str, runs: &[Stimulus]) -> Value {
    let [unit, document] = [UNIT, DOCUMENT].map(|profile| recorded(&program(text), runs, profile));
    assert_eq!(unit, document);
    unit
}

/// The record of a program's runs, which passes the check of its profile.
fn recorded(program: &Program, runs: &[Stimulus], profile: Profile) -> Value {
    let records = made().records("some", program, runs, profile).unwrap();
    let [record] = &records[..] else { panic!("{records:#?}") };
    let kind = KINDS.iter().find(|kind| (kind.matches)(record)).unwrap();
    assert_eq!(kind.name, "run");
    shape::check(kind.members, record).unwrap();
    let checked = (kind.check)(record, profile).unwrap();
    assert!(checked.compared > 0 && checked.differences.is_empty(), "{record}: {checked:?}");
    record.clone()
}

fn vec4(components: [f32; 4]) -> [u32; 4] {
    components.map(f32::to_bits)
}

/// Section 6: of each input its own components, then those of the uniforms. Section 10: the first output comes I + 1 cycles behind the last
/// dword. The program has P = 6 and I = 3; its runs with one set of constants share a command, and it is stored once.
#[test]
fn records_of_a_vertex_program() {
    let text = "#vertexShader #input r0.xy #input r3.x #output r1.xyzw #uniform r2.xy fadd r1.xy r0 r2";
    let run = |x: f32, u: f32| Stimulus {
        inputs: vec![vec4([x, 1.0, 9.0, 9.0]), vec4([8.0, 9.0, 9.0, 9.0]), vec4([9.0; 4])],
        constants: vec![vec4([u, 10.0, 9.0, 9.0]), vec4([9.0; 4])],
    };
    let record = records(text, &[run(1.0, 0.5), run(2.0, 0.5), run(3.0, 4.0)]);
    assert_eq!((&record["id"], &record["dwords"]), (&json!("some"), &words(&program_dwords(&program(text)))));
    assert_eq!(record["dwords"].as_array().map(Vec::len), Some(6));
    let expected = json!([
        {
            "threads": 2, "inputs": [floats(&[1.0, 1.0, 8.0]), floats(&[2.0, 1.0, 8.0])], "uniforms": floats(&[0.5, 10.0]),
            "outputs": [floats(&[1.5, 11.0, 0.0, 0.0]), floats(&[2.5, 11.0, 0.0, 0.0])],
            // 6 + 3 + 2 × 3 + 2 dwords; 8 outputs
            "instructions": 3, "cycles": { "first_output": 17 + 3 + 1, "last_output": 17 + 3 + 8 },
        },
        {
            "threads": 1, "inputs": [floats(&[3.0, 1.0, 8.0])], "uniforms": floats(&[4.0, 10.0]),
            "outputs": [floats(&[7.0, 11.0, 0.0, 0.0])],
            "instructions": 3, "cycles": { "first_output": 8 + 3 + 1, "last_output": 8 + 3 + 4 },
        },
    ]);
    assert_eq!(record["executes"], expected);
    // What is not there is 0, and a command has up to 32 threads.
    let many = records(text, &vec![Stimulus::default(); 33]);
    assert_eq!([&many["executes"][0]["threads"], &many["executes"][1]["threads"]], [32, 1]);
    assert_eq!(many["executes"][1]["outputs"], json!([floats(&[0.0; 4])]));
    let error = made().records("some", &Program::default(), &[], UNIT).unwrap_err();
    assert_eq!(error, "it does not say what its inputs and outputs are");
}

/// Section 6: of a thread x and y of its pixel; then the uniforms of the fragment stage; then, for the corners A, B and C in turn, x, y
/// and z of the position and the components of further inputs. The answer is r, g, b, a and the depth.
#[test]
fn records_of_a_fragment_program() {
    let text = "#fragmentShader #input r0.xyzw #input r1.xy #input r2.x #output r3.xyzw #uniform r4.x #uniform r5.xy \
        swizzle r3 r2.xxxx mov r3.xy r1 mov r3.w r5";
    let corner = |x: f32, y: f32, at: f32| {
        [vec4([x, y, 1.0, 9.0]), vec4([at, at + 1.0, 9.0, 9.0]), vec4([at + 2.0, 9.0, 9.0, 9.0])]
    };
    let uniforms =
        [[9.0; 4], [9.0; 4], [9.0; 4], [0.25, 9.0, 9.0, 9.0], [0.5, 0.75, 9.0, 0.0], [9.0; 4]].map(vec4);
    let corners = [corner(0.0, 0.0, 16.0), corner(4.0, 0.0, 32.0), corner(0.0, 4.0, 64.0)];
    let constants = [&uniforms[..], corners.as_flattened()].concat();
    let run = |x: f32, y: f32| Stimulus {
        inputs: vec![vec4([x, y, 9.0, 9.0]), [9; 4]],
        constants: constants.clone(),
    };
    let record = records(text, &[run(0.0, 0.0), run(2.0, 1.0)]);
    let execute = &record["executes"][0];
    assert_eq!((&execute["threads"], execute.get("error")), (&json!(2), None));
    assert_eq!(execute["inputs"], json!([floats(&[0.0, 0.0]), floats(&[2.0, 1.0])]));
    assert_eq!(execute["uniforms"], floats(&[0.25, 0.5, 0.75]));
    let triangle = [
        [0.0, 0.0, 1.0, 16.0, 17.0, 18.0],
        [4.0, 0.0, 1.0, 32.0, 33.0, 34.0],
        [0.0, 4.0, 1.0, 64.0, 65.0, 66.0],
    ];
    assert_eq!(execute["triangle"], floats(triangle.as_flattened()));
    // At (2, 1) the weights are 1/4, 1/2 and 1/4: 4 + 16 + 16. w of an input of two components is 0, and the depth is 1 everywhere.
    assert_eq!(
        execute["outputs"],
        json!([floats(&[16.0, 17.0, 18.0, 0.0, 1.0]), floats(&[36.0, 37.0, 38.0, 0.0, 1.0])])
    );
    // A vertex program has no triangle.
    let vertex = records("#vertexShader #input r0.x #output r1.xyzw mov r1 r0", &[run(1.0, 1.0)]);
    assert_eq!(vertex["executes"][0].get("triangle"), None);
}
