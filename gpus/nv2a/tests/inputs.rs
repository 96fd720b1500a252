//! Inputs of NV_vertex_program by number, and R12: as vp20compiler of the nxdk takes them.

use gpuzoo_diag::{Diagnostic, File, Severity};
use gpuzoo_isa::Program;
use gpuzoo_nv2a::{ConstantMap, ISA, Options, VP, assemble, disassemble};

fn read(text: &str, constants: Option<ConstantMap>) -> (Program, Vec<Diagnostic>) {
    let options = Options { constants, ..Options::default() };
    let assembled = assemble(&File::new("t.vp", text), &options);
    (assembled.program, assembled.diagnostics)
}

fn moves(input: impl std::fmt::Display) -> String {
    format!("!!VP1.1\nMOV o[HPOS], v[0];\nMOV o[TEX0], v[{input}];\nEND\n")
}

/// The input that the second slot reads.
fn input(program: &Program) -> u32 {
    program.slots[1].bits.get(32 + 9, 4)
}

#[test]
fn the_words_are_those_of_vp20compiler() {
    let (program, problems) = read(&moves(8), None);
    assert_eq!(program.words(&ISA)[4..], [0, 0x0020_121b, 0x0836_106c, 0x2070_f849]);
    assert_eq!(problems.len(), 1);
    for (number, expected) in [(0, 0), (1, 1), (5, 5), (6, 6), (7, 7), (8, 9), (9, 10), (10, 11), (11, 12)] {
        assert_eq!(input(&read(&moves(number), None).0), expected, "v[{number}]");
    }
    for (name, expected) in [("OPOS", 0), ("FOGC", 5), ("TEX0", 9), ("TEX3", 12)] {
        let (program, problems) = read(&moves(name), None);
        assert_eq!((input(&program), problems.len()), (expected, 0), "v[{name}]");
    }
}

#[test]
fn the_note_names_the_first_place_and_how_many() {
    let text = "!!VP1.0\nMOV o[HPOS], v[OPOS];\nMOV o[TEX0], v[10];\nMOV o[TEX1], v[8];\nMAD o[TEX2], v[9], v[9], R0;\nEND";
    let (_, problems) = read(text, None);
    let [note] = &problems[..] else { panic!("{problems:#?}") };
    assert_eq!((note.severity, note.code.id), (Severity::Note, "N0407"));
    assert_eq!(note.message, "4 inputs are given by number, which counts as in OpenGL");
    assert_eq!(note.labels[0].span.range(), 45..47);
    assert_eq!(
        (note.labels[0].text.as_str(), note.help[0].as_str()),
        ("10 is TEX2", "write the name: v[TEX2]")
    );
}

/// One is one, and those whose numbers OpenGL has, too, are not counted.
#[test]
fn one_input_is_one() {
    let messages =
        |text: &str| read(text, None).1.into_iter().map(|problem| problem.message).collect::<Vec<_>>();
    let of = |inputs: &[u32]| {
        let moves: String = inputs.iter().map(|input| format!("MOV R0, v[{input}];\n")).collect();
        messages(&format!("!!VP1.1\nMOV o[HPOS], v[0];\n{moves}END\n"))
    };
    let counted = |count: &str| vec![format!("{count} given by number, which counts as in OpenGL")];
    assert_eq!(of(&[0, 1, 2, 3, 4, 5]), [""; 0]);
    assert_eq!(of(&[8]), counted("1 input is"));
    assert_eq!(of(&[5, 11, 0]), counted("1 input is"));
    assert_eq!(of(&[8, 9]), counted("2 inputs are"));
    assert_eq!(of(&[8, 8, 9, 10, 11]), counted("5 inputs are"));
    assert_eq!(of(&[6]), ["input 6 has no name in NV_vertex_program"]);
    assert_eq!(of(&[7, 6]), ["input 7 has no name in NV_vertex_program"]);
}

#[test]
fn inputs_that_are_not_there_are_refused() {
    for number in 12..=15 {
        let (_, problems) = read(&moves(number), None);
        let [problem] = &problems[..] else { panic!("{problems:#?}") };
        assert_eq!((problem.severity, problem.code.id), (Severity::Error, "A0104"));
        assert!(problem.message.ends_with(&format!("it is TEX{}", number - 8)));
        assert!(!problem.help.is_empty());
    }
    assert_eq!(read(&moves(16), None).1[0].code.id, "A0104");
    assert_eq!(read(&moves("TEX4"), None).1[0].code.id, "A0103");
}

#[test]
fn other_numberings_keep_the_machines_numbers() {
    for map in [ConstantMap::D3d, ConstantMap::Hw] {
        for number in 0..16 {
            let (program, problems) = read(&moves(number), Some(map));
            assert_eq!((input(&program), problems.len()), (number, 0));
        }
    }
    // As constants before: c[5] is the machine's c101.
    let constant = |text: &str, map| read(text, map).0.slots[0].bits.get(32 + 13, 8);
    let text = "!!VP1.0\nMOV o[HPOS], c[5];\nEND";
    assert_eq!([constant(text, None), constant(text, Some(ConstantMap::D3d))], [101; 2]);
}

/// Which numbers a text has, its reader takes as the printer meant them.
#[test]
fn every_input_comes_back() {
    for index in 0..16 {
        let (program, _) = read(&format!("mov oPos, v{index}\n"), None);
        for map in [None, Some(ConstantMap::Gl), Some(ConstantMap::D3d), Some(ConstantMap::Hw)] {
            let out = disassemble(&program, &VP, map);
            assert_eq!(read(&out.text, map).0.words(&ISA), program.words(&ISA), "{}", out.text);
            let named =
                map.is_some_and(|map| map != ConstantMap::Gl) || index < 8 || (9..13).contains(&index);
            assert_eq!(out.text.contains(".word"), !named, "{}", out.text);
        }
    }
}

/// In a state program v[0] is all there is.
#[test]
fn state_programs_read_one_input() {
    let codes = |text: &str| read(text, None).1.iter().map(|problem| problem.code.id).collect::<Vec<_>>();
    assert_eq!(codes("!!VSP1.0\nMOV c[0], v[0];\nEND"), [""; 0]);
    assert_eq!(codes("!!VSP1.0\nMOV c[0], v[8];\nEND"), ["N0405"]);
}

/// The screen-space end of a homebrew program, which vp20compiler takes.
#[test]
fn r12_reads_the_position_back() {
    let text = "!!VP1.1\nDP4 o[HPOS].x, v[OPOS], c[0];\nRCC R1.x, R12.w;\nMUL o[HPOS].xyz, R12, R1.x;\nEND\n";
    let (program, problems) = read(text, None);
    assert!(problems.is_empty(), "{problems:#?}");
    let same = "dp4 oPos.x, v0, c96\nrcc r1.x, r12.w\nmul oPos.xyz, r12, r1.x\n";
    // The names of both dialects have the same words, but for the component that RCC repeats.
    assert_eq!(program.words(&ISA)[8..], read(same, None).0.words(&ISA)[8..]);
    assert_eq!(disassemble(&program, &VP, None).text, text);
    let (_, problems) = read("!!VP1.1\nMOV R12, v[OPOS];\nMOV o[HPOS], v[OPOS];\nEND", None);
    assert_eq!(problems[0].code.id, "A0118");
    assert!(problems[0].fixes[0].edits[0].text.contains("HPOS"), "{problems:#?}");
}
