//! State programs in logs, and what else leaves constants for a draw. Expected values are calculated by hand from the
//! documents: a launch
//! runs once with the launch data in v0, and constants that a program writes are there for the next vertex, draw and
//! launch.

use gpuzoo_diag::{Diagnostic, File};
use gpuzoo_ir::{Vec4, vec4};
use gpuzoo_machine::limits::budget::{Budget, Resource};
use gpuzoo_machine::unit::logged::{Call, Logged};
use gpuzoo_machine::{Profile, ShaderUnit, TextOptions};
use gpuzoo_nv2a::GPU;
use std::fmt::Write;

/// The place of the mode `program` in the machine's list, and of `vertex` and `state` among its choices.
const PROGRAM: usize = 2;
const VERTEX: usize = 1;
const STATE: usize = 2;

fn read(text: &str, call: Option<Call>) -> Result<Logged, Diagnostic> {
    read_with(text, &TextOptions { call, ..TextOptions::default() })
}

fn read_with(text: &str, options: &TextOptions) -> Result<Logged, Diagnostic> {
    GPU.logged(&File::new("xemu.log", text), options).unwrap()
}

fn log(commands: &[(u32, u32)]) -> String {
    let mut text = String::new();
    for (method, parameter) in commands {
        let _ = writeln!(text, "nv2a_pgraph_method 0: 0x97 -> 0x{method:04x} 0x{parameter:x}");
    }
    text
}

/// Commands that load a program from a slot on.
fn load(slot: u32, text: &str) -> Vec<(u32, u32)> {
    let assembled = GPU.assemble(&File::new("t.vsh", text), &TextOptions::default());
    assert!(assembled.ok(), "{text}: {:?}", assembled.diagnostics);
    let bytes = GPU.save(&assembled.program);
    let words = bytes.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes));
    let loaded = (0..).zip(words).map(|(at, word)| (0xb00 + 4 * (at % 32), word));
    [(0x1e9c, slot)].into_iter().chain(loaded).collect()
}

/// Commands that set a constant.
fn constant(number: u32, value: [f32; 4]) -> Vec<(u32, u32)> {
    let words = (0..).zip(value).map(|(at, component)| (0xb80 + 4 * at, component.to_bits()));
    [(0x1ea4, number)].into_iter().chain(words).collect()
}

/// Commands that launch the program at a slot.
fn launch(slot: u32, data: [f32; 4]) -> Vec<(u32, u32)> {
    let words = (0..).zip(data).map(|(at, component)| (0x1e80 + 4 * at, component.to_bits()));
    words.chain([(0x1e90, slot)]).collect()
}

/// Commands that draw positions with the program at a slot.
fn draw(slot: u32, positions: &[[f32; 3]]) -> Vec<(u32, u32)> {
    let mut commands = vec![(0x1ea0, slot), (0x17fc, 5)];
    for position in positions {
        commands.extend((0..).zip(position).map(|(at, component)| (0x1500 + 4 * at, component.to_bits())));
    }
    commands.push((0x17fc, 0));
    commands
}

/// The start of all logs here: programs, all constants are reached, and vertex programs may write constants or not.
fn start(writable: u32) -> Vec<(u32, u32)> {
    vec![(0x1e94, 6), (0x1e98, writable)]
}

fn value_of(logged: &Logged, number: u16) -> Option<Vec4> {
    logged.constants.iter().find(|(own, _)| *own == number).map(|(_, value)| *value)
}

fn codes(logged: &Logged) -> Vec<&str> {
    logged.remarks.iter().map(|remark| remark.code.id).collect()
}

/// c1 is (9, 9, 9, 9), then a launch writes its data there; the draw moves c1 to oPos.
#[test]
fn a_launch_is_run_before_the_draw() {
    let text = include_str!("logs/launch.log");
    let logged = read(text, Some(Call::Draw(0))).unwrap();
    assert_eq!(logged.constants, [(1, vec4([1.0, 2.0, 3.0, 4.0]))]);
    assert_eq!((codes(&logged), logged.modes.choice(PROGRAM)), (vec![], VERTEX));
    // Without a choice the draw is taken, and a note tells of both.
    let logged = read(text, None).unwrap();
    assert_eq!(value_of(&logged, 1), Some(vec4([1.0, 2.0, 3.0, 4.0])));
    assert_eq!(logged.remarks[0].help, ["`--draw N` or `--launch N` chooses another"]);
}

/// The launch itself is a run with the launch data as its one input, and the constants from before it.
#[test]
fn a_launch_can_be_taken() {
    let text = include_str!("logs/launch.log");
    let logged = read(text, Some(Call::Launch(0))).unwrap();
    assert_eq!((logged.inputs, logged.values), (vec![0], vec![vec4([1.0, 2.0, 3.0, 4.0])]));
    assert_eq!(logged.constants, [(1, vec4([9.0; 4]))]);
    assert_eq!(logged.modes.choice(PROGRAM), STATE);
    // It is taken without a choice where no draw goes through a program.
    let alone = read(include_str!("logs/state.log"), None).unwrap();
    assert_eq!((alone.values, alone.remarks), (vec![vec4([1.0, 2.0, 3.0, 4.0])], vec![]));
    let missing = read(text, Some(Call::Launch(1))).unwrap_err();
    assert_eq!((missing.code.id, missing.message.as_str()), ("N0801", "there is no launch 1 in the log"));
    assert_eq!(missing.help, ["the one that it has is number 0"]);
}

/// Launches find what launches before them left, from the slots that are loaded at that time; a constant that is loaded
/// replaces it.
#[test]
fn launches_and_constants_are_in_order() {
    let double = load(4, "add c10, c10, c10\n");
    let add = load(4, "add c10, c10, v0\n");
    let commands = [
        start(0),
        load(0, "mov oPos, c10\n"),
        constant(10, [1.0, 2.0, 3.0, 4.0]),
        double.clone(),
        launch(4, [0.0; 4]),
        launch(4, [0.0; 4]),
        draw(0, &[[0.0; 3]]),
        add,
        launch(4, [0.5, 1.0, 1.5, 2.0]),
        draw(0, &[[0.0; 3]]),
        constant(10, [7.0; 4]),
        draw(0, &[[0.0; 3]]),
        double,
        launch(4, [0.0; 4]),
        draw(0, &[[0.0; 3]]),
    ]
    .concat();
    let found = |number| value_of(&read(&log(&commands), Some(Call::Draw(number))).unwrap(), 10);
    let expected = [[4.0, 8.0, 12.0, 16.0], [4.5, 9.0, 13.5, 18.0], [7.0; 4], [14.0; 4]];
    assert_eq!([0, 1, 2, 3].map(found), expected.map(|value| Some(vec4(value))));
    // The third launch, counted from 0, finds (7, 7, 7, 7).
    let last = read(&log(&commands), Some(Call::Launch(3))).unwrap();
    assert_eq!(value_of(&last, 10), Some(vec4([7.0; 4])));
}

/// A draw's program adds each position to c10: (1, 2, 3, 1) and (10, 20, 30, 1). Only while it may write.
#[test]
fn vertices_of_draws_write_constants() {
    let positions = [[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]];
    for (writable, expected) in [(1, [11.0, 22.0, 33.0, 2.0]), (0, [0.0; 4])] {
        let commands = [
            start(writable),
            load(0, "mov oPos, c10\n"),
            load(4, "mov oPos, v0\nadd c10, c10, v0\n"),
            constant(10, [0.0; 4]),
            draw(4, &positions),
            draw(0, &[[0.0; 3]]),
        ]
        .concat();
        let logged = read(&log(&commands), Some(Call::Draw(1))).unwrap();
        assert_eq!((value_of(&logged, 10), codes(&logged)), (Some(vec4(expected)), vec![]), "{writable}");
    }
}

/// Where the vertices are in memory, what they leave is not known, and the constant counts as not set.
#[test]
fn constants_of_unknown_vertices_are_unknown() {
    let commands = [
        start(1),
        load(0, "mov oPos, c10\n"),
        load(4, "mov oPos, v0\nmov c10, v0\n"),
        constant(10, [1.0; 4]),
        vec![(0x1ea0, 4), (0x17fc, 5), (0x1810, 0x0200_0000), (0x17fc, 0)],
        draw(0, &[[0.0; 3]]),
    ]
    .concat();
    let logged = read(&log(&commands), Some(Call::Draw(1))).unwrap();
    assert_eq!((value_of(&logged, 10), codes(&logged)), (None, vec!["N0805"]));
    assert_eq!(logged.remarks[0].message, "draw 0 writes c10 with vertices in the console's memory");
}

/// A launch reads what the log does not set, and another runs a program that is not there: each is said once.
#[test]
fn what_launches_lack_is_said_once() {
    let commands = [
        start(0),
        load(0, "mov oPos, c10\n"),
        load(4, "add c10, c11, v0\n"),
        vec![(0x1e90, 4), (0x1e90, 4), (0x1e90, 90), (0x1e90, 200)],
        draw(0, &[[0.0; 3]]),
    ]
    .concat();
    let text = log(&commands);
    let logged = read(&text, Some(Call::Draw(0))).unwrap();
    let messages: Vec<&str> = logged.remarks.iter().map(|remark| remark.message.as_str()).collect();
    assert_eq!(codes(&logged), ["N0805", "N0802", "N0802"]);
    let unset = "launch 0 reads c11, the launch data, which the log does not set before: zeros are taken";
    assert_eq!(messages[0], unset);
    assert!(messages[1].ends_with("constants that it writes are not known: the log does not load slot 90"));
    // Each is at its first launch, and says how many there are.
    let file = File::new("xemu.log", &text);
    let labels: Vec<&str> = logged.remarks.iter().map(|remark| remark.labels[0].text.as_str()).collect();
    assert_eq!(labels, ["the first of 2", "", ""]);
    let places = logged.remarks.iter().map(|remark| file.slice(remark.span().unwrap()));
    assert!(
        places.eq(["4", "5a", "c8"].map(|slot| format!("nv2a_pgraph_method 0: 0x97 -> 0x1e90 0x{slot}")))
    );
    // An earlier begin brings a slot that is not loaded, but the unit has no slot 200.
    let helps: Vec<&str> = logged.remarks[1..].iter().map(|remark| remark.help[0].as_str()).collect();
    assert!(helps[0].contains("begin earlier") && helps[1].contains("from 0 to 135"), "{helps:?}");
    // The one that is taken has no program.
    let problem = read(&text, Some(Call::Launch(3))).unwrap_err();
    assert_eq!(
        (problem.code.id, problem.message.as_str()),
        ("N0802", "the program of the launch is not in the log: there is no slot 200")
    );
}

/// A launch sets v0 alone.
#[test]
fn a_launch_has_one_input() {
    let commands = [
        start(0),
        load(0, "mov oPos, c10\n"),
        load(4, "mov r0, v0\nadd c10, r0, v3\n"),
        launch(4, [1.0; 4]),
        draw(0, &[[0.0; 3]]),
    ];
    let logged = read(&log(&commands.concat()), Some(Call::Draw(0))).unwrap();
    assert_eq!(codes(&logged), ["N0602"]);
    assert_eq!(logged.remarks[0].message, "launch 0: the machine's mode forbids it: v3 reads as zeros");
    assert_eq!(value_of(&logged, 10), Some([1.0f32.to_bits(); 4]));
}

/// `rsq` of 1 is 0x3f7fffff on the unit and 1 on the emulator.
#[test]
fn launches_run_in_the_profile() {
    let commands = [
        start(0),
        load(0, "mov oPos, c10\n"),
        load(4, "rsq c10, v0.x\n"),
        launch(4, [1.0; 4]),
        draw(0, &[[0.0; 3]]),
    ]
    .concat();
    let found = |profile| {
        let options = TextOptions { profile: Profile(profile), ..TextOptions::default() };
        value_of(&read_with(&log(&commands), &options).unwrap(), 10)
    };
    assert_eq!([0, 1].map(found), [Some([0x3f7f_ffff; 4]), Some([0x3f80_0000; 4])]);
}

/// The viewport's methods write c58 and c59, those of matrices others: fixed functions and constants have one memory.
#[test]
fn the_viewport_and_matrices_are_constants() {
    let four = |method: u32, value: [f32; 4]| {
        let words = (0..).zip(value).map(move |(at, component)| (method + 4 * at, component.to_bits()));
        words.collect::<Vec<_>>()
    };
    let commands = [
        start(0),
        load(0, "mul oPos, v0, c58\n"),
        four(0xa20, [320.0, 240.0, 0.0, 0.0]),
        four(0xaf0, [320.0, -240.0, 16_777_215.0, 0.0]),
        four(0x680, [1.0, 2.0, 3.0, 4.0]),
        draw(0, &[[0.0; 3]]),
    ]
    .concat();
    let logged = read(&log(&commands), None).unwrap();
    let expected = [
        (0, vec4([1.0, 2.0, 3.0, 4.0])),
        (58, vec4([320.0, -240.0, 16_777_215.0, 0.0])),
        (59, vec4([320.0, 240.0, 0.0, 0.0])),
    ];
    assert_eq!((logged.constants.as_slice(), codes(&logged)), (&expected[..], vec![]));
}

/// Commands that are not modelled, each kind once; those of pixels change nothing and are passed over.
#[test]
fn commands_that_are_not_modelled_are_said_once() {
    let program = [start(0), load(0, "mov oPos, v0\n")].concat();
    let found = |commands: &[(u32, u32)], more: &str| {
        let text = format!("{}{more}{}", log(&[&program[..], commands].concat()), log(&draw(0, &[[0.0; 3]])));
        let logged = read(&text, None).unwrap();
        let said = logged.remarks.iter().map(|remark| {
            (remark.code.id, remark.message.clone(), remark.labels[0].text.clone(), remark.help.clone())
        });
        said.collect::<Vec<_>>()
    };
    // Combiners, textures, lights, skinning, blending.
    assert_eq!(found(&[(0x260, 1), (0x1b04, 1), (0x1028, 1), (0x328, 1), (0x304, 1)], ""), []);
    let short = found(&[(0x1510, 1), (0x1514, 1), (0x1510, 1)], "");
    assert_eq!(
        short.iter().map(|said| (said.0, said.2.as_str())).collect::<Vec<_>>(),
        [("N0806", "the first of 2"), ("N0806", "")]
    );
    assert!(short[0].1.starts_with("method 0x1510 sets the position as 16-bit integers"), "{}", short[0].1);
    let unknown = found(&[(0x1fb4, 1), (0x1fb4, 1), (0xa00, 1), (0x9000, 2)], "");
    let help = "whether the result depends on them is not known: 0x0a00 (1 time, line 10), 0x1fb4 (2 times, line 8), above 0x1ffc \
                (1 time, line 11)";
    let message = "3 methods of class 0x97 are not known".to_owned();
    assert_eq!(unknown, [("N0806", message, "the first one".to_owned(), vec![help.to_owned()])]);
    // What the log leaves out: vertices in memory would say no more than that, words of vertices are missing.
    let left_out = "nv2a_pgraph_method_abbrev 0: 0x97 -> 0x1818 NV097_INLINE_ARRAY * 96\n";
    let said = found(&[], left_out);
    assert_eq!((said.len(), said[0].0), (1, "N0806"));
    assert_eq!(said[0].1, "the log leaves out the parameters of method 0x1818");
    let pixels = "nv2a_pgraph_method_abbrev 0: 0x97 -> 0x1b00 NAME * 3\n";
    assert_eq!(found(&[], pixels), []);
}

/// xemu prints runs of ARRAY_ELEMENT16 as their number: they are vertices in memory.
#[test]
fn abbreviated_elements_are_vertices_in_memory() {
    let left_out = "nv2a_pgraph_method_abbrev 0: 0x97 -> 0x1800 NV097_ARRAY_ELEMENT16 * 96\n";
    let program = log(&[start(0), load(0, "mov oPos, v0\n"), vec![(0x1760, 0x32), (0x17fc, 5)]].concat());
    let logged = read(&format!("{program}{left_out}{}", log(&[(0x17fc, 0)])), None).unwrap();
    assert_eq!((codes(&logged), logged.inputs.as_slice()), (vec!["N0803"], &[][..]));
}

/// The first launch of a log without draws is taken, and the note says why.
#[test]
fn launches_of_a_log_without_draws_are_told() {
    let commands = [load(4, "mov c10, v0\n"), launch(4, [1.0; 4]), launch(4, [2.0; 4])].concat();
    let logged = read(&log(&commands), None).unwrap();
    assert_eq!(logged.remarks[0].message, "launch 0 of 2 was taken, since there is no draw");
}

/// Draws before the first with a program go through the fixed pipeline, which the note says.
#[test]
fn draws_of_the_fixed_pipeline_are_told() {
    let fixed = [vec![(0x1e94, 4)], draw(0, &[[0.0; 3]])].concat();
    let commands = [fixed, start(0), load(0, "mov oPos, v0\n"), draw(0, &[[0.0; 3]])].concat();
    let logged = read(&log(&commands), None).unwrap();
    assert_eq!(logged.remarks[0].message, "draw 1 of 2 was taken, the first one with a program");
    let last = logged.remarks[0].help.last().map(String::as_str);
    assert_eq!(last, Some("the draws before it go through the fixed pipeline, which is not modelled"));
}

/// A vertex of three floats is one input, 16 bytes in the list that grows, and 16 in the table. Vertices that are in
/// memory are asked
/// of the budget, and a log of many draws takes no more than its largest.
#[test]
fn vertices_are_asked_of_the_budget() {
    let program = [start(0), load(0, "mov oPos, v0\n")].concat();
    let of_draw = draw(0, &[[1.0, 2.0, 3.0]; 1000]);
    let read = |draws: usize, call: u64, memory: u64| {
        let text = log(&[&program[..], &of_draw.repeat(draws)].concat());
        let budget = Budget::default().with(Resource::Memory, memory);
        let call = Some(Call::Draw(call));
        let options = TextOptions { call, budget: Some(&budget), ..TextOptions::default() };
        read_with(&text, &options).map(|logged| logged.values.len()).map_err(|problem| problem.code.id)
    };
    assert_eq!(read(1, 0, 1 << 17), Ok(1000));
    assert_eq!(read(20, 19, 1 << 17), Ok(1000));
    assert_eq!(read(1, 0, 1 << 13), Err("R0703"));
}
