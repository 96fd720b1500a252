//! Draws of logs: two of recordings of nxdk_pgraph_tests' commands in the form that xemu prints them, and some by hand.

use gpuzoo_diag::{Diagnostic, File};
use gpuzoo_ir::{Vec4, vec4};
use gpuzoo_machine::unit::logged::{Call, Logged};
use gpuzoo_machine::{ShaderUnit, TextOptions};
use gpuzoo_nv2a::GPU;
use std::fmt::Write;

fn options(draw: Option<u64>) -> TextOptions<'static> {
    TextOptions { call: draw.map(Call::Draw), ..TextOptions::default() }
}

fn read(text: &str, draw: Option<u64>) -> Result<Logged, Diagnostic> {
    GPU.logged(&File::new("xemu.log", text), &options(draw)).unwrap()
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

/// A draw of one vertex that the log has, with (1, 2, 3) as position.
const VERTEX: [(u32, u32); 5] =
    [(0x17fc, 5), (0x1500, 0x3f80_0000), (0x1504, 0x4000_0000), (0x1508, 0x4040_0000), (0x17fc, 0)];

/// The words of eight slots or constants go to 32 methods, one behind the other.
#[test]
fn words_of_programs_and_constants_have_32_methods() {
    let numbers = 0x100..0x120;
    let sent = |first: u32| (first..).step_by(4).zip(numbers.clone());
    let read = |commands: Vec<(u32, u32)>| {
        let logged = read(&log(&[&PROGRAM[..], &commands, &VERTEX].concat()), None);
        logged.unwrap()
    };
    let logged = read([(0x1ea4, 10)].into_iter().chain(sent(0x0b80)).collect());
    let expected: Vec<(u16, Vec4)> = (10..18)
        .zip((0x100..).step_by(4))
        .map(|(at, first)| (at, [0, 1, 2, 3].map(|part| first + part)))
        .collect();
    assert_eq!(logged.constants, expected);
    // Odd numbers have FINAL in the fourth word of a slot: it is the 0x103 of the first that ends the program, unless that is even.
    let logged = read([(0x1e9c, 20), (0x1ea0, 20)].into_iter().chain(sent(0x0b00)).collect());
    assert_eq!(logged.words, [0x100, 0x101, 0x102, 0x103]);
    let even = sent(0x0b00).map(|(method, word)| (method, if word == 0x11f { word } else { word & !1 }));
    let logged = read([(0x1e9c, 20), (0x1ea0, 20)].into_iter().chain(even).collect());
    assert_eq!((logged.words.len(), logged.words.last()), (32, Some(&0x11f)));
    // The neighbours of these methods load nothing there: 0x0afc is w of the viewport's scale, which is c58.
    let logged = read(vec![(0x1e9c, 0), (0x0afc, 9), (0x0c00, 9)]);
    let words = PROGRAM.map(|(_, word)| word)[2..].to_vec();
    assert_eq!((logged.words, logged.constants), (words, vec![(58, [0, 0, 0, 9])]));
}

/// There are 136 slots and 192 constants; what is loaded beyond them is nowhere.
#[test]
fn what_is_loaded_beyond_the_last_place_is_dropped() {
    let at = |slot: u32, constant: u32| {
        let mut commands = PROGRAM.to_vec();
        (commands[0].1, commands[1].1) = (slot, slot);
        commands.push((0x1ea4, constant));
        commands.extend((1..=8).map(|word| (0x0b80, word)));
        read(&log(&[&commands[..], &VERTEX].concat()), None)
    };
    let logged = at(135, 190).unwrap();
    assert_eq!(logged.words, PROGRAM.map(|(_, word)| word)[2..]);
    assert_eq!(logged.constants, [(190, [1, 2, 3, 4]), (191, [5, 6, 7, 8])]);
    assert_eq!(at(0, 191).unwrap().constants, [(191, [1, 2, 3, 4])]);
    for beyond in [192, 1 << 30, u32::MAX] {
        assert_eq!(at(0, beyond).unwrap().constants, []);
    }
    // Nothing else is a program, so there is none.
    for beyond in [136, 1 << 30, u32::MAX] {
        assert_eq!(at(beyond, 0).unwrap_err().code.id, "N0801", "{beyond}");
    }
}

/// A draw is one that begins and ends: what stands before the first begin, or has not ended at the end of the log, is none.
#[test]
fn draws_begin_and_end() {
    let (begin, end) = ((0x17fc, 5), (0x17fc, 0));
    let told = |commands: &[(u32, u32)], draw| {
        let logged = read(&log(&[&PROGRAM[..], commands].concat()), draw);
        let said = |logged: &Logged| logged.remarks.first().map(|remark| remark.message.clone());
        logged.map(|logged| said(&logged).unwrap_or_default()).map_err(|problem| problem.help[0].clone())
    };
    let taken = |count: u32| Ok(format!("draw 0 of {count} was taken, the first one with a program"));
    assert_eq!(told(&[begin, end], None), Ok(String::new()));
    assert_eq!(told(&[begin, end, begin], None), Ok(String::new()));
    assert_eq!(told(&[begin, end, begin, end], None), taken(2));
    assert_eq!(told(&[begin, end, begin, end, begin], None), taken(2));
    assert_eq!(told(&[begin, end, begin, (0x17fc, 1), end, begin, end], None), taken(3));
    // Other methods with 0 end nothing.
    assert_eq!(told(&[begin, end, (0x1800, 0), (0x17f8, 0)], None), Ok(String::new()));
    assert_eq!(told(&[end, begin, end, begin, end], None), taken(2));
    assert_eq!(told(&[end, begin, end], Some(0)), Ok(String::new()));
    assert_eq!(told(&[end, begin, end], Some(1)), Err("the one that it has is number 0".to_owned()));
    assert_eq!(told(&[begin, end, begin, end, begin], Some(2)), Err("draws are 0 to 1".to_owned()));
    let none = "it has none: `nv2a_pgraph_method` is the event of xemu to log";
    assert_eq!(told(&[end, begin], Some(0)), Err(none.to_owned()));
}

/// Sixteen arrays with a format each, of which a vertex may have but one word. Without an array its words are nothing.
#[test]
fn a_vertex_is_what_the_arrays_take() {
    let draw = |arrays: &[(u32, u32)], words: &[u32]| {
        let words: Vec<(u32, u32)> = words.iter().map(|word| (0x1818, *word)).collect();
        let commands = [&PROGRAM[..], arrays, &[(0x17fc, 5)], &words, &[(0x17fc, 0)]].concat();
        read(&log(&commands), None).unwrap()
    };
    let numbers: Vec<u32> = (1..=5u16).map(|number| f32::from(number).to_bits()).collect();
    for input in 0..16u16 {
        let format = 0x1760 + 4 * u32::from(input);
        // A float, then two, in so many vertices; what is left over is none.
        let logged = draw(&[(format, 0x12)], &numbers);
        assert_eq!(logged.inputs, [input]);
        assert_eq!(logged.values, [1.0, 2.0, 3.0, 4.0, 5.0].map(|x| vec4([x, 0.0, 0.0, 1.0])));
        let logged = draw(&[(format, 0x22)], &numbers);
        assert_eq!(logged.values, [[1.0, 2.0], [3.0, 4.0]].map(|[x, y]| vec4([x, y, 0.0, 1.0])));
    }
    for none in [&[][..], &[(0x1760, 0x02)], &[(0x175c, 0x12)], &[(0x17a0, 0x12)]] {
        // An attribute of its own makes no vertex of them either.
        for own in [&[][..], &[(0x1698, 0x3f80_0000)]] {
            let logged = draw(&[none, own].concat(), &numbers);
            assert!(logged.inputs.is_empty() && logged.values.is_empty(), "{none:x?}");
        }
    }
    // One draw's words are not the next one's.
    let first = [(0x1760, 0x22), (0x17fc, 5), (0x1818, 7), (0x17fc, 0)];
    let second = [(0x17fc, 5), (0x1818, 8), (0x1818, 9), (0x17fc, 0)];
    let text = log(&[&PROGRAM[..], &first, &second].concat());
    assert_eq!(column(&read(&text, Some(1)).unwrap(), 0), [[8, 9, 0, 1f32.to_bits()]]);
    assert!(read(&text, Some(0)).unwrap().values.is_empty());
}

/// Three methods name vertices in memory; then the inputs of arrays, and only these, are unknown.
#[test]
fn vertices_in_memory_are_remarked() {
    let one = 1f32.to_bits();
    for (method, is_memory) in
        [(0x1800, true), (0x1804, false), (0x1808, true), (0x180c, false), (0x1810, true), (0x1814, false)]
    {
        let array = [(0x1760 + 4 * 9, 0x22), (0x1590, one), (0x1594, one), (0x1698, one)];
        let draw = [(0x17fc, 5), (method, 0), (0x17fc, 0)];
        let logged = read(&log(&[&PROGRAM[..], &array, &draw].concat()), None).unwrap();
        let codes: Vec<&str> = logged.remarks.iter().map(|remark| remark.code.id).collect();
        // The methods between are not known.
        assert_eq!(codes, if is_memory { ["N0803"] } else { ["N0806"] }, "{method:x}");
        assert_eq!(logged.inputs, if is_memory { &[5][..] } else { &[] }, "{method:x}");
        // The next draw is another.
        let text = log(&[&PROGRAM[..], &array, &draw, &VERTEX].concat());
        let next = read(&text, Some(1)).unwrap();
        assert!(next.remarks.iter().all(|remark| remark.code.id == "N0806"), "{method:x}");
    }
}

/// Bits 1:0 of 0x1e94 are 2 for a program, bit 2 says whether it reaches all constants; bit 0 of 0x1e98 lets it write them.
#[test]
fn bits_of_the_modes() {
    let read = |commands: &[(u32, u32)]| {
        let logged = read(&log(&[&PROGRAM[..], commands, &VERTEX].concat()), Some(0));
        logged.map(|logged| [0, 1].map(|mode| logged.modes.choice(mode))).map_err(|problem| problem.code.id)
    };
    assert_eq!(read(&[]), Ok([0, 0]));
    for (execution, expected) in [
        (0, Err("N0802")),
        (1, Err("N0802")),
        (2, Ok([0, 1])),
        (3, Err("N0802")),
        (4, Err("N0802")),
        (6, Ok([0, 0])),
        (7, Err("N0802")),
        (0xffff_fff8, Err("N0802")),
        (0xffff_fffa, Ok([0, 1])),
        (0xffff_fffe, Ok([0, 0])),
    ] {
        assert_eq!(read(&[(0x1e94, execution)]), expected, "{execution:x}");
    }
    for (enable, expected) in [(0, 1), (1, 0), (2, 1), (3, 0)] {
        assert_eq!(read(&[(0x1e98, enable)]), Ok([expected, 0]), "{enable}");
    }
}

/// Messages mark whole lines: the first one that cannot be read, and the one that ends the draw.
#[test]
fn messages_are_at_their_lines() {
    let marked = |text: &str, draw| {
        let file = File::new("xemu.log", text);
        let slice = |problem: &Diagnostic| (problem.code.id, file.slice(problem.span().unwrap()).to_owned());
        match GPU.logged(&file, &options(draw)).unwrap() {
            Ok(logged) => logged.remarks.iter().map(slice).collect::<Vec<_>>(),
            Err(problem) => vec![slice(&problem)],
        }
    };
    let broken = ["nv2a_pgraph_method 0: 0x97", "nv2a_pgraph_method 0: 0x97 -> x"];
    let memory = log(&[&PROGRAM[..], &[(0x17fc, 5), (0x1800, 0), (0x17fc, 0)]].concat());
    let end = memory.lines().last().unwrap().to_owned();
    let text = format!("{memory}{}\n", broken[0])
        .replace("0x2070f801\n", &format!("0x2070f801\r\n{}  \n{}\n", broken[0], broken[1]));
    let expected = [("N0803", end.clone()), ("N0804", broken[0].to_owned())];
    assert_eq!(marked(&text, None), expected);
    assert_eq!(marked(&memory, None), expected[..1]);
    // Of lines behind the draw nothing is said.
    let count = |text: &str| read(text, None).unwrap().remarks.last().unwrap().message.clone();
    assert_eq!(count(&text), "2 lines cannot be read");
    assert_eq!(marked(&format!("{memory}{}\n", broken[1]), None), expected[..1]);
    let fixed = log(&[(0x1e94, 4), (0x17fc, 5), (0x1800, 0), (0x17fc, 0)]);
    assert_eq!(marked(&fixed, Some(0)), [("N0802", end)]);
    assert_eq!(marked(&fixed, Some(1)), [("N0801", fixed.clone())]);
}
