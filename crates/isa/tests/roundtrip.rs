//! Text, instruction and bits in both directions.

use crate::{MACHINES, Random, assemble, disassemble, one_word, read, two_halves};
use gpuzoo_isa::{Bits, Inst, Isa, Item, Op, Operand, Program, Written};

/// The operands that the row's parts describe.
fn operands(inst: &Inst) -> Vec<&Operand> {
    inst.op.parts.iter().map(|part| inst.operand(part)).collect()
}

fn text_of(isa: &Isa, inst: &Inst) -> String {
    let mut text = String::new();
    isa.print_inst(inst, &mut text);
    text
}

/// The one instruction of a text.
fn only(isa: &'static Isa, text: &str) -> Inst {
    let parsed = read(isa, text);
    let [Item::Inst(Written { inst, .. })] = parsed.items[..] else {
        panic!("{text}\n{:#?}", parsed.diagnostics)
    };
    assert!(parsed.diagnostics.is_empty(), "{text}\n{:#?}", parsed.diagnostics);
    inst
}

fn every_row() -> impl Iterator<Item = (&'static Isa, &'static Op)> {
    MACHINES.into_iter().flat_map(|isa| isa.ops().map(move |op| (isa, op)))
}

#[test]
fn random_instructions_survive() {
    let mut random = Random::new();
    for (isa, op) in every_row() {
        for _ in 0..4000 {
            let inst = isa.random(op, &mut |end| random.below(end));
            let text = text_of(isa, &inst);
            assert!(isa.has_text(&inst), "{text}");

            let again = only(isa, &text);
            assert_eq!(operands(&again), operands(&inst), "{text}");
            let bits = isa.encode(&inst);
            assert_eq!(isa.encode(&again), bits, "{text}");

            // Of rows that share an opcode or a mnemonic, another one may say the same.
            let slot = isa.slot(bits, Default::default());
            let decoded = slot.insts().next().unwrap();
            assert!(slot.insts().count() == 1 && decoded.op.code == op.code, "{text}");
            if decoded.op == op {
                assert_eq!(operands(decoded), operands(&inst), "{text}");
            }
            assert!(isa.is_encoded(&slot) && (op.internal || isa.is_canonical(&slot)), "{text}");
            let program = Program { slots: vec![slot], ..Program::default() };
            let printed = disassemble(isa, &program);
            assert_eq!(assemble(isa, &printed).words(isa), program.words(isa), "{printed}");
        }
    }
}

/// Every row that has another one for the same bits is printed for some of them.
#[test]
fn rows_that_share_an_opcode_are_told_apart() {
    let name = |text: &str| {
        let words = assemble(&one_word::ISA, text).words(&one_word::ISA);
        let slots = one_word::ISA.slots(&words, |_| Default::default());
        disassemble(&one_word::ISA, &Program { slots, ..Program::default() })
    };
    assert_eq!(name("iinit r0 -5"), "iinit r0 -5\n");
    assert_eq!(name("finit r0 1 2.5"), "finit r0 1 2.5\n");
    // Zeros look like integers.
    assert_eq!(name("finit r0 0.0 0"), "iinit r0 0 0\n");
}

#[test]
fn rows_that_share_a_mnemonic_are_told_apart() {
    let code = |text: &str| only(&one_word::ISA, text).op.code;
    assert_eq!([code("add r0 r1 r2"), code("add r0 r1 1.0"), code("add r0 r1 -1 2 -3 4")], [2, 3, 3]);
    // A form of the row: `add r0 r0 r1`.
    let form = only(&one_word::ISA, "add r0.xy r1");
    assert_eq!(text_of(&one_word::ISA, &form), "add r0.xy r0 r1");
}

#[test]
fn examples_are_texts() {
    for (isa, op) in every_row() {
        let example = isa.example(op);
        assert!(isa.has_text(&example), "{}", op.name);
        let again = only(isa, &text_of(isa, &example));
        assert!(again.op == op, "{}", op.name);
        assert_eq!(operands(&again), operands(&example), "{}", op.name);
    }
}

/// Any words: the text of a slot has the same words.
#[test]
fn random_words_survive() {
    let mut random = Random::new();
    for isa in MACHINES {
        let rows: Vec<&Op> = isa.ops().collect();
        let mut canonical = 0;
        for _ in 0..200_000 {
            let mut bits = Bits::default();
            bits.words.fill_with(|| random.word());
            // An instruction, or nearly one, in most.
            if random.below(4) > 0 {
                bits = isa.encode(&isa.random(random.of(&rows), &mut |end| random.below(end)));
                (0..random.below(4))
                    .for_each(|_| bits.words[random.below(2) as usize] ^= 1 << random.below(32));
            }
            // The last slot is its assembler's affair.
            isa.last.iter().for_each(|last| last.set(&mut bits, 0));
            for slot in isa.slots(&bits.words[..1 + isa.slot_words], |_| Default::default()) {
                canonical += u32::from(isa.is_canonical(&slot));
                let program = Program { slots: vec![slot], ..Program::default() };
                let text = disassemble(isa, &program);
                assert_eq!(assemble(isa, &text).words(isa), program.words(isa), "{text}");
            }
        }
        assert!(canonical > 10_000, "{canonical}");
    }
}

/// Two halves that share fields: what both say is the first one's, and decoding gives what was encoded.
#[test]
fn halves_share_a_slot() {
    let isa = &two_halves::ISA;
    let mut random = Random::new();
    for _ in 0..20_000 {
        let mut one = |half: usize| {
            let op = &isa.halves[half].ops[random.below(isa.halves[half].ops.len() as u32) as usize];
            isa.random(op, &mut |end| random.below(end))
        };
        let (main, side) = (one(0), one(1));
        let bits = isa.encode_all([&main, &side].into_iter());
        let slot = isa.slot(bits, Default::default());
        let (Some(first), Some(second)) = (slot.inst, slot.paired) else { panic!() };
        assert_eq!((first.op.name, second.op.name), (main.op.name, side.op.name));
        // The second may have lost what both have; the first has not.
        assert_eq!(text_of(isa, &first), text_of(isa, &main));
    }
    let beside = |main: &str, side: &str| {
        let bits = isa.encode_all([&only(isa, main), &only(isa, side)].into_iter());
        let slot = isa.slot(bits, Default::default());
        let mut text = String::new();
        isa.print_slot(&slot, &mut text);
        text
    };
    assert_eq!(beside("MOV R3, V1.x", "RCP R9, V1.x"), "MOV R3, V1.x; + RCP R9, V1.x;");
    // Beside the main half, the side half writes R1.
    assert_eq!(beside("MOV oPos, 5", "FWD R1.xy, R3"), "MOV oPos, 5; + FWD R1.xy, R3;");
    let odd = beside("MOV oPos, 5", "FWD R3.xy, R3");
    assert!(odd.starts_with(".word ") && odd.contains("+ FWD R1.xy, R3;"), "{odd}");
}

#[test]
fn texts() {
    let plain = [
        ("mov r1 r2", 0x003c_0841),
        ("mov r1.wx r2", 0),
        ("sgn r0 -|in3|", 0x02c0_1c04),
        ("sgn r0 k0", 0x0400_2404),
        ("sgn r0 |k2|", 0x0480_3004),
        ("sgn r0 -r7", 0x0040_1c04),
        ("ld r3 7", 0x0000_1cc5),
        ("ldc r1 c39", 0x0001_c846),
        ("ldc r1 c[a0]", 0x0100_0046),
        ("ldc r1 c[a0 + 39]", 0x0101_c846),
        ("st fog r1", 0x0000_0487),
        ("shf r1 r2 wzyx 0b0101", 0x0146_c848),
        ("ord r1 r2 zzzz", 0x0000_8849),
        ("swz r1 r2.xxyz", 0x0024_084a),
        ("byte r1 255", 0x0003_fc4d),
        ("get r1 5", 0x0200_144e),
        ("get r1 r5", 0x0000_144e),
        ("end", 20),
    ];
    for (text, word) in plain {
        if word != 0 {
            assert_eq!(assemble(&one_word::ISA, text).words(&one_word::ISA), [word], "{text}");
            let slot = one_word::ISA.slot(Bits::word(word), Default::default());
            let mut printed = String::new();
            one_word::ISA.print_slot(&slot, &mut printed);
            assert_eq!(printed, text);
        }
    }
}

#[test]
fn words_stand_in_texts() {
    // Values are words of their own, and `.word` takes as many as a slot may have, or several slots.
    let isa = &one_word::ISA;
    let program = assemble(isa, "finit r1 1.0 2.0 .word 0x0000404c 5 6 nop .word 20 20 20");
    assert_eq!(program.words(isa), [0x404c, 0x3f80_0000, 0x4000_0000, 0x404c, 5, 6, 0, 20, 20, 20]);
    assert_eq!(program.slots.len(), 6);
    assert_eq!(disassemble(isa, &program), "finit r1 1 2\niinit r1 5 6\nnop\nend\nend\nend\n");
    // A slot that the list ends in has no instruction.
    let cut = isa.slots(&[0x404c, 5], |_| Default::default());
    assert_eq!((cut.len(), cut[0].inst.is_none(), cut[1].inst.is_none()), (2, true, false));

    let isa = &two_halves::ISA;
    let program = assemble(isa, "MOV oPos.xyz, -C3\n.word 0x80000e0001b00005; NOP");
    assert_eq!(program.words(isa).len(), 6);
    let text = disassemble(isa, &program);
    // The mark of the last slot belongs to no instruction.
    assert_eq!(text, "MOV oPos.xyz, -C[3];\nNOP;\nNOP;\n");
}
