//! Properties that hold for all words, all texts and all sizes.

use gpuzoo_diag::{File, has_errors};
use gpuzoo_ir::eval::{NoTextures, Run};
use gpuzoo_ir::verify::verify;
use gpuzoo_isa::{Bits, MOST_SLOTS, Program, Stage};
use gpuzoo_machine::ShaderUnit;
use gpuzoo_machine::TextOptions;
use gpuzoo_servaru::{GPU, ISA, PROFILE, lowered};
use proptest::prelude::*;

fn slots(words: &[u64]) -> Program {
    let bits = |word: u64| Bits { words: [word as u32, (word >> 32) as u32, 0, 0, 0] };
    let slots = words.iter().map(|word| ISA.slot(bits(*word), Default::default())).collect();
    Program { slots, ..Program::default() }
}

fn words(program: &Program) -> Vec<u64> {
    let pairs = program.words(&ISA);
    pairs.as_chunks::<2>().0.iter().map(|[low, high]| u64::from(*high) << 32 | u64::from(*low)).collect()
}

/// Words of which most are instructions: no reserved bits, and fields that mean something more often than not.
fn word() -> impl Strategy<Value = u64> {
    let register = prop_oneof![0u64..32, 128u64..160, 256u64..384, 0u64..512];
    let field = prop_oneof![
        4 => (register, 0u64..16).prop_map(|(address, low)| 1 << 13 | address << 4 | low),
        1 => 0u64..1 << 13,
        1 => Just(0u64),
        1 => prop_oneof![Just(0x0780u64), Just(0x0800), Just(0x0840)],
    ];
    let fields = [field.clone(), field.clone(), field.clone(), field];
    prop_oneof![
        6 => (0u64..32, fields).prop_map(|(op, [dst, a, b, c])| op << 56 | dst << 42 | a << 28 | b << 14 | c),
        1 => any::<u64>(),
    ]
}

fn assembled(text: &str) -> Vec<u64> {
    let assembled = GPU.assemble(&File::new("t", text), &TextOptions::default());
    assert!(assembled.ok(), "{text}\n{:?}", assembled.diagnostics);
    words(&assembled.program)
}

/// The bits that an instruction's fields have, and its opcode's.
fn used(op: &gpuzoo_isa::Op) -> u64 {
    let fields = op.parts.iter().flat_map(|part| part.fields()).chain([ISA.halves[0].opcode]);
    fields.fold(0, |used, field| used | ((1u64 << field.width) - 1) << field.lo)
}

/// What a program leaves in its outputs, and whether it ends early.
fn outcome(program: &Program, stage: Stage) -> (bool, Vec<[u32; 4]>) {
    let some = |index: u32| [0, 1, 2, 3].map(|lane| ((index * 7 + lane * 5) % 23) as f32 * 0.375 - 3.0);
    let inputs: Vec<_> = (0..9).map(|index| some(index).map(f32::to_bits)).collect();
    let constants: Vec<_> = (20..148).map(|index| some(index).map(f32::to_bits)).collect();
    let lowered = lowered(program, stage);
    let mut run = Run::default();
    run.run(&lowered.function, &inputs, &constants, &NoTextures);
    let outputs = lowered.function.outputs.iter().map(|(_, value)| run.value(*value));
    (run.killed().is_some(), outputs.collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn words_survive_disassembly(words in prop::collection::vec(word(), 1..20)) {
        let program = slots(&words);
        let exact = TextOptions { exact: true, ..TextOptions::default() };
        let text = GPU.disassemble(&program, &exact).0;
        prop_assert_eq!(assembled(&text), words.clone(), "{}", &text);
        // A canonical word prints one way: what is assembled from its text prints the same.
        let again = GPU.assemble(&File::new("t", &text), &TextOptions::default()).program;
        prop_assert_eq!(GPU.disassemble(&again, &exact).0, text);
        let loaded = GPU.load(&GPU.save(&program), Default::default()).program;
        prop_assert_eq!(loaded.words(&ISA), program.words(&ISA));
    }

    /// A text for reading does the same; if it has other words, a note says so.
    #[test]
    fn what_is_read_does_the_same(words in prop::collection::vec(word(), 1..12), junk in any::<u64>()) {
        // Bits that the machine does not use may be anything.
        let plain = slots(&words);
        let scattered = words.iter().zip(&plain.slots).map(|(word, slot)| match slot.inst {
            Some(inst) => word | junk & !used(inst.op),
            None => *word,
        });
        let words: Vec<u64> = scattered.collect();
        let program = slots(&words);
        let (text, notes) = GPU.disassemble(&program, &TextOptions::default());
        let again = GPU.assemble(&File::new("t", &text), &TextOptions::default());
        prop_assert!(again.ok(), "{text}\n{:?}", again.diagnostics);
        for stage in [Stage::Vertex, Stage::Fragment] {
            prop_assert_eq!(outcome(&program, stage), outcome(&again.program, stage), "{}", &text);
        }
        let is_reported = notes.iter().any(|note| note.code.id == "B0103");
        prop_assert_eq!(is_reported, self::words(&again.program) != words, "{}", text);
    }

    #[test]
    fn every_program_can_be_checked_lowered_and_run(words in prop::collection::vec(word(), 0..20)) {
        let program = slots(&words);
        GPU.check(&program);
        GPU.costs(&program);
        for stage in [Stage::Vertex, Stage::Fragment] {
            let lowered = lowered(&program, stage);
            prop_assert!(verify(&lowered.function).is_ok());
            let mut run = Run::default();
            run.run(&lowered.function, &[[0x3f00_0000; 4]; 9], &[[0xbf80_0000; 4]; 128], &NoTextures);
            let fault = gpuzoo_servaru::fault(&program, stage);
            if fault.is_some() {
                prop_assert!(run.killed().is_some());
                let outputs = lowered.function.outputs.iter().map(|(_, value)| run.value(*value));
                prop_assert!(outputs.into_iter().all(|value| value == [0; 4]), "{fault:?}");
            }
            prop_assert_eq!(lowered.end, fault.map(|fault| fault.slot));
        }
    }

    #[test]
    fn every_word_can_be_explained(word in word()) {
        let fields = ISA.explain(&slots(&[word]).slots[0].bits);
        let sum = fields.iter().fold(0u64, |sum, field| sum | u64::from(field.value) << field.field.lo);
        prop_assert_eq!(sum, word);
        prop_assert!(fields.iter().all(|field| !field.meaning.is_empty()));
    }

    #[test]
    fn bytes_load(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
        let loaded = GPU.load(&bytes, Default::default());
        prop_assert_eq!(loaded.ok(), bytes.len().is_multiple_of(8));
        GPU.check(&loaded.program);
    }
}

#[test]
fn programs_of_any_size() {
    let empty = GPU.assemble(&File::new("t", ""), &TextOptions::default());
    assert!(empty.ok() && empty.program.slots.is_empty());
    assert_eq!(GPU.lower(&empty.program, &PROFILE.into()).0.function.outputs.len(), 7);
    assert_eq!(GPU.disassemble(&empty.program, &TextOptions::default()).0, "");

    let long =
        GPU.assemble(&File::new("t", &"MAD R0, R0, U1, P0;\n".repeat(100_000)), &TextOptions::default());
    assert!(long.ok());
    assert_eq!(long.program.slots.len(), 100_000);
    assert!(!has_errors(&GPU.check(&long.program)));
    let mut run = Run::default();
    let function = GPU.lower(&long.program, &PROFILE.into()).0.function;
    run.run(&function, &[[0x3f80_0000; 4]], &[[0; 4], [0; 4]], &NoTextures);
    let broken = GPU.assemble(&File::new("t", &"MOV\n".repeat(100_000)), &TextOptions::default());
    assert!(broken.diagnostics.iter().any(|problem| problem.code.id == "A0114"));

    let many = slots(&vec![0x1200_0000_0000_0000; MOST_SLOTS + 1]);
    let loaded = GPU.load(&GPU.save(&many), Default::default());
    assert_eq!(loaded.diagnostics[0].code.id, "A0110");
    let text = "EXC\n".repeat(MOST_SLOTS + 1);
    assert!(
        GPU.assemble(&File::new("t", &text), &TextOptions::default())
            .diagnostics
            .iter()
            .any(|problem| problem.code.id == "A0110")
    );
}

/// Notes are not errors, and counting these again at each of them would take minutes.
#[test]
fn a_note_for_each_number_takes_no_time() {
    let text = "MOV R0, 0.1;\n".repeat(300_000);
    let noted = GPU.assemble(&File::new("t", &text), &TextOptions::default());
    assert!(noted.ok());
    assert_eq!((noted.program.slots.len(), noted.diagnostics.len()), (300_000, 300_000));
}

#[test]
fn limits_asked_for_twice_are_checked_once() {
    let text = ".vertex\n.limits ps_1_4\n.limits ps_1_4\n.limits vs_1_1\nMOV P9, P0;\n";
    let codes = |text| {
        GPU.assemble(&File::new("t", text), &TextOptions::default())
            .diagnostics
            .iter()
            .map(|p| p.code.id)
            .collect::<Vec<_>>()
    };
    assert_eq!(codes(text), ["S0301"]);
}

/// The fix of a swizzle that four bits cannot say really gives that swizzle.
#[test]
fn the_fix_of_a_swizzle_gives_that_swizzle() {
    for lanes in 0..256usize {
        let letters: String = (0..4).map(|lane| ['x', 'y', 'z', 'w'][lanes >> (2 * lane) & 3]).collect();
        let mut text = format!("MOV R0, 1;\nMOV P9, -P0.{letters};\n");
        let assembled = GPU.assemble(&File::new("t", &text), &TextOptions::default());
        if !assembled.ok() {
            let [problem] = &assembled.diagnostics[..] else { panic!("{:?}", assembled.diagnostics) };
            assert_eq!(problem.code.id, "A0122", "{letters}");
            let mut edits = problem.fixes[0].edits.clone();
            edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
            for edit in edits {
                text.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
            }
        }
        let assembled = GPU.assemble(&File::new("t", &text), &TextOptions::default());
        assert!(assembled.ok(), "{text}");
        let function = GPU.lower(&assembled.program, &PROFILE.into()).0.function;
        let out = gpuzoo_ir::eval::outputs(&function, &[gpuzoo_ir::vec4([1.0, 2.0, 3.0, 4.0])], &[]);
        let expected = [0, 1, 2, 3].map(|lane| -1.0 - (lanes >> (2 * lane) & 3) as f32);
        assert_eq!(out[0], gpuzoo_ir::vec4(expected), "{text}");
    }
}

/// The fix copies to the last temporary that the text does not name; where it names all 32 there is none.
#[test]
fn the_fix_of_a_swizzle_takes_a_temporary_that_is_free() {
    let title = |named: &dyn Fn(usize) -> bool| {
        let others: String = (0..32).filter(|at| named(*at)).map(|at| format!("MOV R{at}, 1\n")).collect();
        // What only looks like the name of a temporary is none.
        let text = format!("{others}# XR31 r31 R32 R99\nMOV P9, P0.wzyx\n");
        let assembled = GPU.assemble(&File::new("t", &text), &TextOptions::default());
        let [problem] = &assembled.diagnostics[..] else { panic!("{:?}", assembled.diagnostics) };
        assert_eq!(problem.code.id, "A0122");
        problem.fixes.iter().find(|fix| fix.edits.len() == 2).map(|fix| fix.title.clone())
    };
    for free in 0..32 {
        let expected = Some(format!("copy it to R{free} first"));
        assert_eq!(title(&|at| at != free), expected);
        assert_eq!(title(&|at| at > free), expected);
    }
    assert_eq!(title(&|_| false), Some("copy it to R31 first".to_owned()));
    assert_eq!(title(&|_| true), None);
}

/// `KIL`, `ZTS` and reads of textures tell that a program is for fragments. A text says the stage if that is not so.
#[test]
fn a_text_says_the_stage_where_its_instructions_would_tell_another() {
    let plain = "MOV P9, P0";
    for (body, inferred) in [
        (plain, Stage::Vertex),
        ("KIL P0", Stage::Fragment),
        ("ZTS P0.x", Stage::Fragment),
        ("TEX P9, P0, T0", Stage::Fragment),
        ("TXB P9, P0, T0", Stage::Fragment),
        ("TXF P9, P0, T0", Stage::Fragment),
    ] {
        for (directive, stage) in
            [("", inferred), (".vertex\n", Stage::Vertex), (".fragment\n", Stage::Fragment)]
        {
            let program =
                GPU.assemble(&File::new("t", &format!("{directive}{body}")), &TextOptions::default()).program;
            assert_eq!(gpuzoo_servaru::stage(&program), stage, "{directive}{body}");
            for exact in [false, true] {
                let text = GPU.disassemble(&program, &TextOptions { exact, ..TextOptions::default() }).0;
                let expected = if stage == inferred { "" } else { directive };
                assert_eq!(text, format!("{expected}{body};\n"));
            }
        }
    }
}
