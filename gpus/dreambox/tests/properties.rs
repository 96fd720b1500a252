//! What holds for all words, texts and programs.

use gpuzoo_diag::{File, Severity, Span};
use gpuzoo_dreambox::{GPU, ISA, lowered};
use gpuzoo_ir::eval;
use gpuzoo_isa::{Bits, Program, Slot};
use gpuzoo_machine::{Profile, ShaderUnit, TextOptions};
use proptest::prelude::*;

fn slot(word: u32) -> Slot {
    ISA.slot(Bits::word(word), Span::default())
}

fn program(words: &[u32]) -> Program {
    Program { slots: words.iter().map(|&word| slot(word)).collect(), ..Program::default() }
}

const EXACT: TextOptions = TextOptions {
    dialect: None,
    numbering: None,
    position: None,
    exact: true,
    include: None,
    defines: &[],
    entry: None,
    stage: None,
    host_constants: false,
    call: None,
    profile: Profile(0),
    budget: None,
};

/// What a program leaves in its outputs.
fn outcome(program: &Program) -> Vec<[u32; 4]> {
    let some = |index: u32| [0, 1, 2, 3].map(|lane| ((index * 7 + lane * 5) % 23) as f32 * 0.375 - 3.0);
    let inputs: Vec<_> = (0..16).map(|index| some(index).map(f32::to_bits)).collect();
    let constants: Vec<_> = (20..84).map(|index| some(index).map(f32::to_bits)).collect();
    eval::outputs(&lowered(program).function, &inputs, &constants)
}

/// A text for reading does the same; if it has other words, a note says so.
fn can_be_read(words: &[u32]) {
    let before = program(words);
    let (text, notes) = GPU.disassemble(&before, &TextOptions::default());
    let again = GPU.assemble(&File::new("t", &text), &TextOptions::default());
    assert!(again.ok(), "{text}");
    assert_eq!(outcome(&again.program), outcome(&before), "{text}");
    let is_reported = notes.iter().any(|note| note.code.id == "B0103");
    assert_eq!(is_reported, again.program.words(&ISA) != words, "{text}");
}

/// Words → text → words, 63 at a time, as whole programs.
fn survives(words: &[u32]) {
    let text = GPU.disassemble(&program(words), &EXACT).0;
    let again = GPU.assemble(&File::new("t", &text), &TextOptions::default());
    let errors = again.diagnostics.iter().filter(|problem| problem.severity == Severity::Error).count();
    assert_eq!(errors, 0, "{text}");
    assert_eq!(again.program.words(&ISA), words, "{text}");
}

/// 2²² words, evenly over all 2³², with the low bits (the opcode) running through all values. `cargo xtask words`
/// takes all of them.
#[test]
fn words_survive_disassembly_and_assembly() {
    let words = (0..1u32 << 22).map(|index| index.wrapping_mul(1021).rotate_left(11) ^ index & 63);
    let words: Vec<u32> = words.collect();
    for chunk in words.chunks(63) {
        survives(chunk);
    }
}

/// Words that mean something, which the even sample hardly ever hits.
#[test]
fn canonical_words_survive() {
    let mut words = Vec::new();
    for op in 0..64 {
        for operands in 0..256 {
            words.push(op | operands << 6);
            words.push(op | operands << 6 | 0x03d1_0000);
        }
    }
    for chunk in words.chunks(63) {
        survives(chunk);
    }
}

#[test]
fn programs_of_every_length_survive() {
    for len in 0..=64 {
        for last in [0x3f, 0, 0x0400_003f, 30] {
            let mut words = vec![0x0000_0441; len];
            if let Some(word) = words.last_mut() {
                *word = last;
            }
            survives(&words);
            let bytes = GPU.save(&program(&words));
            assert_eq!(GPU.load(&bytes, Span::default()).program.words(&ISA), words);
        }
    }
}

/// Instructions with bits set that they do not use, an `end` among them, are instructions for who reads them.
#[test]
fn bits_without_effect_are_not_shown() {
    let shown = |word: u32| GPU.disassemble(&program(&[word]), &TextOptions::default());
    let (text, notes) = shown(0x0400_003f);
    assert_eq!(text, ".exact // no `end` is to be appended\nend\n");
    assert_eq!(notes[0].notes, ["1 slot: other bits in unused fields"]);
    assert_eq!(notes[0].code.id, "B0103");
    let words: Vec<u32> =
        (0..1u32 << 14).map(|index| index.wrapping_mul(0x9e37_79b9) & !63 | index & 63).collect();
    // `end` may be anywhere, so short programs say more.
    words.chunks(5).chain([&words[..0], &words[..64]]).for_each(can_be_read);
}

#[test]
fn assembly_equals_encoding_of_the_decoded_word() {
    // The macro's own words for the power-on program (spec section 5).
    let text =
        "ld r0 0 ld r1 1 ld r2 2 ld r3 3 shf r1 r1 xyxy 0b1111 st pos r0 st tex r1 st col r2 st ocol r3";
    let words = GPU.assemble(&File::new("t", text), &TextOptions::default()).program.words(&ISA);
    let expected =
        "00000000 00000440 00000880 00000cc0 03d10457 00000001 00000441 00000881 00000cc1 0000003f";
    let hex: Vec<String> = words.iter().map(|word| format!("{word:08x}")).collect();
    assert_eq!(hex.join(" "), expected);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_load(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let loaded = GPU.load(&bytes, Span::default());
        GPU.check(&loaded.program);
        prop_assert_eq!(loaded.ok(), bytes.len() % 4 == 0 && bytes.len() <= 256);
    }

    /// Whatever the ignored bits are, the program means the same (spec section 1).
    #[test]
    fn ignored_bits_change_nothing(words in prop::collection::vec(any::<u32>(), 1..64), junk in any::<u32>()) {
        let with_junk: Vec<u32> = words.iter().map(|word| match word & 63 {
            23 => word & 0x03ff_ffff | junk & 0xfc00_0000,
            0 => word & !0xffff_e000 | junk & 0xffff_e000,
            _ => word & 0x3fff | junk & !0x3fff,
        }).collect();
        let lower = |words: &[u32]| lowered(&program(words)).function;
        prop_assert_eq!(lower(&words), lower(&with_junk));
    }

    /// Outputs do not depend on what comes after `end`, nor on zero words behind a program without one.
    #[test]
    fn zero_words_behind_a_program_change_no_output(words in prop::collection::vec(any::<u32>(), 1..40)) {
        let run = |words: &[u32]| {
            let inputs = [[0x3f80_0000, 0x4000_0000, 0xc040_0000, 0x3e80_0000]; 8];
            eval::outputs(&lowered(&program(words)).function, &inputs, &[[0x3f00_0000; 4]; 16])
        };
        let mut padded = words.clone();
        padded.resize(64, 0);
        prop_assert_eq!(run(&words), run(&padded));
    }
}
