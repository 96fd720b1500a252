//! What holds for all texts, bytes and streams.

use gpuzoo_diag::{Diagnostic, File, Span};
use gpuzoo_ir::eval;
use gpuzoo_isa::{Program, numbers};
use gpuzoo_machine::{ShaderUnit, TextOptions};
use gpuzoo_picogpu::*;
use proptest::prelude::*;

fn spans_lie_in(problems: &[Diagnostic], text: &str) {
    for problem in problems {
        for label in &problem.labels {
            let (start, end) = (label.span.start as usize, label.span.end as usize);
            assert!(start <= end && end <= text.len(), "{problem:?}");
            assert!(text.is_char_boundary(start) && text.is_char_boundary(end), "{problem:?}");
        }
    }
}

/// Everything that can be done with a text is done.
fn exercise(text: &str) {
    for profile in [DOCUMENT, UNIT] {
        let assembled = assemble(&File::new("t", text), profile);
        spans_lie_in(&assembled.diagnostics, text);
        if assembled.ok() {
            spans_lie_in(&check(&assembled.program), text);
            survives(&assembled.program);
        }
        costs(&assembled.program);
        lowered(&assembled.program, profile);
    }
}

/// Words → text → words, and words → bytes → words.
fn survives(program: &Program) {
    let text = disassemble(program, true);
    let again = assemble(&File::new("t", &text), DOCUMENT);
    assert!(again.ok(), "{text}\n{:#?}", again.diagnostics);
    assert_eq!(program_dwords(&again.program), program_dwords(program), "{text}");
    let loaded = load(&save(program), Span::default());
    assert!(loaded.ok(), "{:?}", loaded.diagnostics);
    assert_eq!(program_dwords(&loaded.program), program_dwords(program));
    can_be_read(program);
}

/// A text for reading does the same; if it has other words, a note says so.
fn can_be_read(program: &Program) {
    let (text, notes) = GPU.disassemble(program, &TextOptions::default());
    let again = assemble(&File::new("t", &text), DOCUMENT);
    assert!(again.ok(), "{text}\n{:#?}", again.diagnostics);
    for profile in [DOCUMENT, UNIT] {
        assert_eq!(outcome(&again.program, profile), outcome(program, profile), "{text}");
    }
    let is_reported = notes.iter().any(|note| note.code.id == "B0103");
    assert_eq!(is_reported, program_dwords(&again.program) != program_dwords(program), "{text}");
}

fn outcome(program: &Program, profile: gpuzoo_isa::Profile) -> Vec<[u32; 4]> {
    let some = |index: u32| [0, 1, 2, 3].map(|lane| ((index * 7 + lane * 5) % 23) as f32 * 0.375 - 3.0);
    let inputs: Vec<_> = (0..16).map(|index| some(index).map(f32::to_bits)).collect();
    let constants: Vec<_> = (20..84).map(|index| some(index).map(f32::to_bits)).collect();
    eval::outputs(&lowered(program, profile).function, &inputs, &constants)
}

/// Instructions of all rows that a text may have.
fn statement() -> impl Strategy<Value = String> {
    let rows: Vec<_> = ISA.ops().filter(|op| !op.internal).collect();
    (prop::sample::select(rows), any::<u64>()).prop_map(|(op, seed)| {
        let mut text = String::new();
        ISA.print_inst(&ISA.random(op, &mut numbers(seed)), &mut text);
        text + "\n"
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever the directives and instructions, the text of the words has the same words.
    #[test]
    fn programs_survive(
        stage in 0..2usize,
        registers in Just((0..16u32).collect::<Vec<u32>>()).prop_shuffle(),
        masks in prop::collection::vec(prop::sample::select(vec!["x", "xy", "xyz", "xyzw"]), 6),
        counts in (0..3usize, 0..3usize, 0..4usize),
        same in any::<bool>(),
        undefined in any::<bool>(),
        body in prop::collection::vec(statement(), 1..12),
    ) {
        let mut text = ["#vertexShader\n", "#fragmentShader\n"][stage].to_owned();
        let r = &registers;
        text += &format!("#input r{}.xyzw\n", r[0]);
        (0..counts.0).for_each(|n| text += &format!("#input r{}.{}\n", r[1 + n], masks[n]));
        text += &format!("#output r{}.xyzw\n", if same { r[0] } else { r[3] });
        (0..counts.1 * (1 - stage)).for_each(|n| text += &format!("#output r{}.{}\n", r[4 + n], masks[2 + n]));
        (0..counts.2).for_each(|n| text += &format!("#uniform r{}.{}\n", r[6 + n], masks[3 + n]));
        text += if undefined { "#undefinedRegs\n" } else { "" };
        body.iter().for_each(|line| text += line);
        let assembled = assemble(&File::new("t", &text), DOCUMENT);
        let only_depth = assembled.diagnostics.iter().all(|problem| problem.code.id == "P0116");
        prop_assert!(assembled.ok() || only_depth, "{text}\n{:#?}", assembled.diagnostics);
        if assembled.ok() {
            survives(&assembled.program);
            prop_assert!(disassemble(&assembled.program, true).starts_with('#'), "{text}");
        }
        exercise(&text);
    }

    /// Words behind a good header are a program, whatever they are.
    #[test]
    fn any_words_are_a_program_with_a_text(
        header in any::<[u32; 3]>(),
        words in prop::collection::vec(prop_oneof![any::<u32>(), 0..64u32, Just(32), Just(33)], 0..60),
    ) {
        let mut bytes = Vec::new();
        // A store command of up to three inputs, outputs and uniforms.
        let first = header[0] & !0x37fd | (words.len() as u32) << 2;
        let second = header[1] & !0x0070_0002 | (header[1] >> 20 & 3) << 20;
        for word in [first, second, header[2]].into_iter().chain(words.iter().copied()) {
            bytes.extend(word.to_le_bytes());
        }
        let loaded = load(&bytes, Span::default());
        prop_assert!(loaded.ok(), "{:?}", loaded.diagnostics);
        check(&loaded.program);
        survives(&loaded.program);
    }
}
