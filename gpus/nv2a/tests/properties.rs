//! What holds for all slots, programs and texts.

use gpuzoo_diag::{Diagnostic, File, Span, has_errors};
use gpuzoo_ir::Vec4;
use gpuzoo_ir::eval::{NoTextures, Run};
use gpuzoo_isa::{Bits, Program, Slot, numbers};
use gpuzoo_nv2a::{
    ConstantMap, DIALECTS, Dialect, HW, ISA, Options, VP, VSH, assemble, disassemble, disassemble_exactly,
};
use proptest::prelude::*;

fn slot(words: [u32; 4]) -> Slot {
    ISA.slot(Bits { words: [words[0], words[1], words[2], words[3], 0] }, Span::default())
}

fn program(words: &[[u32; 4]]) -> Program {
    Program { slots: words.iter().map(|&words| slot(words)).collect(), ..Program::default() }
}

fn read(text: &str, dialect: &'static Dialect) -> (Program, Vec<Diagnostic>) {
    read_as(text, dialect, None)
}

fn read_as(
    text: &str,
    dialect: &'static Dialect,
    constants: Option<ConstantMap>,
) -> (Program, Vec<Diagnostic>) {
    let options = Options { dialect: Some(dialect), constants, ..Options::default() };
    let assembled = assemble(&File::new("t", text), &options);
    (assembled.program, assembled.diagnostics)
}

/// The ways to count constants.
const COUNTED: [Option<ConstantMap>; 4] =
    [None, Some(ConstantMap::Gl), Some(ConstantMap::D3d), Some(ConstantMap::Hw)];

/// A slot with those bits of `junk` that change nothing about its instructions.
fn scatter(mut words: [u32; 4], junk: [u32; 4]) -> [u32; 4] {
    let shown = |words: [u32; 4]| {
        let slot = slot(words);
        slot.insts().map(|inst| format!("{:?} {:?}", inst.op, inst.operands)).collect::<Vec<_>>()
    };
    let before = shown(words);
    // FINAL, bit 96, belongs to no instruction.
    for bit in (0..128).filter(|bit| *bit != 96) {
        let mut other = words;
        other[bit / 32] ^= junk[bit / 32] & 1 << (bit % 32);
        if shown(other) == before {
            words = other;
        }
    }
    words
}

/// Slots that mean something: an instruction of each half, or of one of them, as the assembler writes them.
fn likely() -> impl Strategy<Value = [u32; 4]> {
    let rows = prop::sample::select(ISA.ops().collect::<Vec<_>>());
    (rows, any::<u64>()).prop_map(|(op, seed)| {
        let [w0, w1, w2, w3, _] = ISA.random_slot(op, &mut numbers(seed)).bits.words;
        [w0, w1, w2, w3]
    })
}

/// What a program leaves in every register that it can write.
fn outcome(program: &Program) -> Vec<Option<Vec4>> {
    let lowered = ISA.lower(program, HW, &[]);
    let some = |seed: u32| {
        [0, 1, 2, 3].map(|lane| ((seed * 7 + lane * 5) % 23) as f32 * 0.375 - 3.0).map(f32::to_bits)
    };
    let inputs: Vec<Vec4> = (0..16).map(some).collect();
    let constants: Vec<Vec4> = (100..292).map(some).collect();
    let mut run = Run::default();
    run.run(&lowered.function, &inputs, &constants, &NoTextures);
    let regs = ISA.regs(|_| true).filter(|reg| ISA.file(*reg).name != "input");
    regs.map(|reg| lowered.last(reg).map(|value| run.value(value))).collect()
}

fn any_slot() -> impl Strategy<Value = [u32; 4]> {
    prop_oneof![
        4 => likely(),
        2 => any::<[u32; 4]>(),
        // Junk in a few bits of something likely.
        2 => (likely(), 0usize..128).prop_map(|(mut words, bit)| { words[bit / 32] ^= 1 << (bit % 32); words }),
        1 => Just([0; 4]),
    ]
}

fn programs(slots: impl Strategy<Value = [u32; 4]>) -> impl Strategy<Value = Vec<[u32; 4]>> {
    // FINAL in the middle, at the end, nowhere.
    (prop::collection::vec((slots, prop::bool::weighted(0.1)), 0..20), any::<bool>()).prop_map(
        |(slots, ends)| {
            let mut words: Vec<[u32; 4]> = slots
                .iter()
                .map(|(words, last)| {
                    let mut words = *words;
                    words[3] |= u32::from(*last);
                    words
                })
                .collect();
            if let (Some(last), true) = (words.last_mut(), ends) {
                last[3] |= 1;
            }
            words
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    /// Words → text → words is exact for all slots in every dialect, whatever the place of FINAL.
    #[test]
    fn every_bit_survives(words in programs(any_slot()), counted in prop::sample::select(&COUNTED[..])) {
        let flat: Vec<u32> = words.iter().flatten().copied().collect();
        for dialect in DIALECTS {
            let out = disassemble_exactly(&program(&words), dialect, counted);
            if has_errors(&out.diagnostics) {
                prop_assert!(words.is_empty() && dialect == &VP);
                continue;
            }
            let (again, problems) = read_as(&out.text, dialect, counted);
            prop_assert!(!has_errors(&problems), "{}\n{problems:#?}", out.text);
            prop_assert_eq!(again.words(&ISA), &flat[..], "{}", out.text);
        }
    }

    /// A dialect's own reader takes what it prints, and it says the same of what it reads. Words that differ are reported.
    #[test]
    fn dialects_are_stable(words in programs(any_slot()), counted in prop::sample::select(&COUNTED[..])) {
        let flat: Vec<u32> = words.iter().flatten().copied().collect();
        for dialect in DIALECTS {
            let out = disassemble(&program(&words), dialect, counted);
            if has_errors(&out.diagnostics) {
                prop_assert!(words.is_empty() && dialect == &VP);
                continue;
            }
            let (again, problems) = read_as(&out.text, dialect, counted);
            prop_assert!(!has_errors(&problems), "{}\n{problems:#?}", out.text);
            // Two `mov` may change their halves, once.
            let second = disassemble(&again, dialect, counted).text;
            let (third, _) = read_as(&second, dialect, counted);
            prop_assert_eq!(disassemble(&third, dialect, counted).text, &second[..]);
            prop_assert!(second == out.text || dialect == &VSH && second.contains(" + MOV"), "{}", second);
            let is_reported = out.diagnostics.iter().any(|problem| problem.code.id == "B0103");
            prop_assert_eq!(is_reported, again.words(&ISA) != flat, "{}", out.text);
        }
    }

    /// A program does the same, bit for bit, after a way through a dialect, whatever is in fields that it does not use.
    #[test]
    fn dialects_keep_the_meaning(slots in prop::collection::vec((likely(), any::<[u32; 4]>()), 1..12)) {
        let words: Vec<[u32; 4]> = slots.into_iter().map(|(words, junk)| scatter(words, junk)).collect();
        let before = program(&words);
        for dialect in DIALECTS {
            let out = disassemble(&before, dialect, None);
            let (after, _) = read(&out.text, dialect);
            // `.word`, which the warnings are about, means the same too.
            prop_assert_eq!(outcome(&before), outcome(&after), "{}", out.text);
            // Only `arl` does not mind nothing: beside it a temporary or an output is not written.
            let mut raw = out.text.lines().filter(|line| line.starts_with(".word"));
            prop_assert!(dialect != &VSH || raw.all(|line| line.contains("`arl` writes A0")), "{}", out.text);
        }
    }
}

/// The third operation settles what a group is; to compare all with all would take minutes.
#[test]
fn long_groups_are_refused_at_once() {
    for head in ["", "xvs.1.1\n"] {
        let text = format!("{head}mov r0, v0\n{}", "+ mov r0, v0\n".repeat(300_000));
        let assembled = assemble(&File::new("t", &text), &Options::default());
        let codes: Vec<&str> = assembled.diagnostics.iter().map(|problem| problem.code.id).collect();
        assert_eq!(codes, ["N0109", "N0104"][usize::from(!head.is_empty())..]);
    }
}

/// A thousand unknown names among many known ones: a proposal for each is looked for among a few.
#[test]
fn many_unknown_names_take_no_time() {
    let known: String = (0..100_000).map(|number| format!("#u{number} vector 5\n")).collect();
    let assembled = assemble(&File::new("t", &(known + &"mov oPos, #v0\n".repeat(990))), &Options::default());
    assert_eq!(assembled.diagnostics.len(), 990);
    assert!(assembled.diagnostics.iter().all(|problem| problem.fixes.len() == 1));
}

/// 2^20 slots of evenly scattered bits, most with undefined parts; `any_slot` has the sensible ones.
#[test]
fn scattered_slots_survive() {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = || {
        // xorshift64*
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) as u32
    };
    for _ in 0..(1 << 20) / 128 {
        let words: Vec<[u32; 4]> = (0..128).map(|_| [0, next() & 0x0fff_ffff, next(), next()]).collect();
        let text = disassemble_exactly(&program(&words), &VSH, None).text;
        let (again, problems) = read(&text, &VSH);
        assert!(!has_errors(&problems), "{text}");
        let flat: Vec<u32> = words.iter().flatten().copied().collect();
        assert_eq!(again.words(&ISA), flat);
    }
}
