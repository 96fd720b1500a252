//! Draws of logs: two of recordings of nxdk_pgraph_tests' commands in the form that xemu prints them, and some by hand.

use gpuzoo_diag::{Diagnostic, File};
use gpuzoo_ir::{Vec4, vec4};
use gpuzoo_machine::ShaderUnit;
use gpuzoo_machine::logged::Logged;
use gpuzoo_nv2a::GPU;
use std::fmt::Write;

fn read(text: &str, draw: Option<u64>) -> Result<Logged, Diagnostic> {
    GPU.logged(&File::new("xemu.log", text), draw).unwrap()
}

/// A log of methods and parameters.
fn log(commands: &[(u32, u32)]) -> String {
    let mut text = String::new();
    for (method, parameter) in commands {
        let _ = writeln!(text, "nv2a_pgraph_method 0: 0x97 -> 0x{method:04x} NAME[0] 0x{parameter:x}");
    }
    text
}

/// `mov oPos, v0`, the last slot.
const PROGRAM: [(u32, u32); 6] = [
    (0x1e9c, 0),
    (0x1ea0, 0),
    (0x0b00, 0),
    (0x0b04, 0x0020_001b),
    (0x0b08, 0x0836_106c),
    (0x0b0c, 0x2070_f801),
];

/// The values of an input.
fn column(logged: &Logged, input: u16) -> Vec<Vec4> {
    let place = logged.inputs.iter().position(|known| *known == input).unwrap();
    logged.values.iter().skip(place).step_by(logged.inputs.len()).copied().collect()
}

/// The suite Inline_array_size_mismatch: positions of three floats, colours of four, and three words too many.
#[test]
fn arrays_without_an_address() {
    let logged = read(include_str!("logs/inline.log"), None).unwrap();
    let positions = [[64.0, 360.0], [160.0, 120.0], [256.0, 360.0], [384.0, 360.0]];
    assert_eq!(column(&logged, 0), positions.map(|[x, y]| vec4([x, y, 0.0, 1.0])));
    let red = column(&logged, 3)[0];
    assert_eq!(red, vec4([1.0, 0.0, 0.0, 1.0]));
    assert_eq!((logged.words.len(), logged.remarks.len()), (11 * 4, 0));
    // Programs reach all constants, and may not write them.
    assert_eq!([0, 1].map(|mode| logged.modes.choice(mode)), [1, 0]);
}

/// A quad over the whole picture and one in its middle, the first draws of Color_Zeta_Disable.
#[test]
fn vertices_that_go_off_one_by_one() {
    let text = include_str!("logs/immediate.log");
    let positions = |draw| column(&read(text, draw).unwrap(), 0);
    let corners = [[0.0, 0.0], [640.0, 0.0], [640.0, 480.0], [0.0, 480.0]];
    assert_eq!(positions(Some(0)), corners.map(|[x, y]| vec4([x, y, 0.1, 1.0])));
    let corners = [[160.0, 120.0], [480.0, 120.0], [480.0, 360.0], [160.0, 360.0]];
    assert_eq!(positions(Some(1)), corners.map(|[x, y]| vec4([x, y, 10.0, 1.0])));
    let first = read(text, None).unwrap();
    assert_eq!(first.remarks[0].message, "draw 0 of 2 was taken, the first one with a program");
    let missing = read(text, Some(2)).unwrap_err();
    assert_eq!((missing.code.id, missing.help[0].as_str()), ("N0801", "draws are 0 to 1"));
}

/// Each setter, with what it leaves in the components that it does not name.
#[test]
fn setters_of_attributes() {
    let one = 1f32.to_bits();
    for (commands, input, expected) in [
        (&[(0x1530, one), (0x1534, one)][..], 2, [1.0, 1.0, 0.0, 1.0]),
        (&[(0x1540, 0x8001_7fff), (0x1544, 0x7fff)], 2, [1.0, -1.0, 1.0, 1.0]),
        (&[(0x156c, 0x8000_33ff)], 3, [1.0, 0.2, 0.0, 128.0 / 255.0]),
        (&[(0x157c, 0), (0x1580, one), (0x1588, one)], 4, [1.0, 0.0, 1.0, 1.0]),
        (&[(0x1698, one)], 5, [1.0, 0.0, 0.0, 1.0]),
        (&[(0x1598, 0xffff_0002)], 9, [2.0, -1.0, 0.0, 1.0]),
        (&[(0x15d8, 0x0001_0002), (0x15dc, 0x0003_ffff)], 10, [2.0, 1.0, -1.0, 3.0]),
        (&[(0x15f8, one), (0x15e0, one), (0x15e4, 0)], 11, [1.0, 0.0, 0.0, 1.0]),
        (&[(0x162c, 0), (0x1620, one)], 12, [1.0, 0.0, 0.0, 0.0]),
        (&[(0x16b0, one), (0x16b8, one)], 1, [1.0, 0.0, 1.0, 1.0]),
        (&[(0x1880 + 8 * 13, one)], 13, [1.0, 0.0, 0.0, 1.0]),
        (&[(0x1900 + 4 * 14, 0x0004_fffc)], 14, [-4.0, 4.0, 0.0, 1.0]),
        (&[(0x1940 + 4 * 15, 0xff00_0000)], 15, [0.0, 0.0, 0.0, 1.0]),
        (&[(0x1980 + 8 * 7 + 4, 0x0005_0006)], 7, [0.0, 0.0, 6.0, 5.0]),
        (&[(0x1a00 + 16 * 6 + 8, one)], 6, [0.0, 0.0, 1.0, 1.0]),
    ] {
        let vertex = [(0x17fc, 5), (0x1500, one), (0x1504, 0), (0x1508, one), (0x17fc, 0)];
        let logged = read(&log(&[&PROGRAM[..], commands, &vertex].concat()), None).unwrap();
        assert_eq!(column(&logged, input), [vec4(expected)], "{commands:x?}");
        assert_eq!(column(&logged, 0), [vec4([1.0, 0.0, 1.0, 1.0])]);
    }
}

/// Types of arrays, each as an only attribute beside the position of one float.
#[test]
fn types_of_arrays() {
    for (format, words, expected) in [
        (0x40, &[0x8033_00ff][..], [0.2, 0.0, 1.0, 128.0 / 255.0]),
        (0x44, &[0x8033_00ff], [1.0, 0.0, 0.2, 128.0 / 255.0]),
        (0x31, &[0x7fff_8001, 0x7fff], [-1.0, 1.0, 1.0, 1.0]),
        (0x35, &[0x0002_0001, 0xffff], [1.0, 2.0, -1.0, 1.0]),
        (0x16, &[0x3ff | 0x401 << 11 | 0x1ff << 22], [1.0, -1.0, 1.0, 1.0]),
        (0x42, &[0x3f80_0000, 0, 0, 0], [1.0, 0.0, 0.0, 0.0]),
    ] {
        let mut commands = [&PROGRAM[..], &[(0x1760, 0x12), (0x1764, format), (0x17fc, 5)]].concat();
        for _ in 0..2 {
            commands.push((0x1818, 0x4000_0000));
            commands.extend(words.iter().map(|word| (0x1818, *word)));
        }
        commands.extend([(0x1818, 0), (0x17fc, 0)]);
        let logged = read(&log(&commands), None).unwrap();
        assert_eq!(column(&logged, 1), [vec4(expected); 2], "{format:x}");
        assert_eq!(column(&logged, 0), [vec4([2.0, 0.0, 0.0, 1.0]); 2]);
    }
}

#[test]
fn constants_and_programs_are_loaded_where_the_pointers_say() {
    let mut commands = PROGRAM.to_vec();
    (commands[0].1, commands[1].1) = (7, 7);
    commands.extend([(0x1ea4, 96), (0x0b80, 1), (0x0b84, 2), (0x0b88, 3), (0x0b8c, 4), (0x0b90, 5)]);
    commands.extend([(0x1e94, 2), (0x1e98, 1), (0x17fc, 5), (0x1810, 0), (0x17fc, 0)]);
    let logged = read(&log(&commands), None).unwrap();
    assert_eq!(logged.constants, [(96, [1, 2, 3, 4]), (97, [5, 0, 0, 0])]);
    assert_eq!(logged.words, PROGRAM.map(|(_, word)| word)[2..]);
    assert_eq!([0, 1].map(|mode| logged.modes.choice(mode)), [0, 1]);
    assert_eq!(logged.remarks[0].code.id, "N0803");
    assert!(logged.inputs.is_empty() && logged.values.is_empty());
}

#[test]
fn what_a_log_does_not_have() {
    let draw = [(0x17fc, 5), (0x1810, 0), (0x17fc, 0)];
    let error = |text: &str, draw| {
        let problem = read(text, draw).unwrap_err();
        (problem.code.id, problem.message)
    };
    assert_eq!(error("", None), ("N0801", "no draw of the log goes through a program".to_owned()));
    assert_eq!(error(&log(&draw), None).0, "N0801");
    assert_eq!(error(&log(&draw), Some(0)).0, "N0802");
    let fixed = log(&[&PROGRAM[..], &[(0x1e94, 4)], &draw].concat());
    assert_eq!(error(&fixed, Some(0)).1, "the draw goes through the fixed pipeline, not a program");
    let elsewhere = log(&[&PROGRAM[..], &[(0x1ea0, 3)], &draw].concat());
    assert!(error(&elsewhere, None).1.ends_with("the log does not load slot 3"));
    let open: Vec<(u32, u32)> = (0..136).flat_map(|_| [(0xb00, 0); 4]).collect();
    assert!(
        error(&log(&[&open[..], &draw].concat()), None).1.ends_with("no slot up to the last one ends it")
    );
    let cut = format!("nv2a_pgraph_method 0: 0x97 -> 0x0b\n{}", log(&[&PROGRAM[..], &draw].concat()));
    let logged = read(&cut, None).unwrap();
    let last = logged.remarks.last().unwrap();
    assert_eq!((last.code.id, last.message.as_str()), ("N0804", "1 line cannot be read"));
}
