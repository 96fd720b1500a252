//! What `docs/adding-an-instruction.md` promises: one row and one function, and everything knows the instruction.

use crate::one_word::{OP, UNARY, copy, with};
use crate::{assemble, disassemble, problems};
use gpuzoo_diag::Span;
use gpuzoo_ir::eval::{NoTextures, Run};
use gpuzoo_ir::{Op1, vec4};
use gpuzoo_isa::{Half, Inst, Isa, Lower, Op, Profile};

/// A machine that has `mov`, and gets `neg`.
static ISA: Isa = with(&[Half {
    ops: &[
        Op::new(1, "mov", UNARY, copy).doc("dst = a"),
        // The row.
        Op::new(2, "neg", UNARY, neg).doc("dst = -a"),
    ],
    opcode: OP,
    undefined: "nothing happens",
}]);

// The function.
fn neg(l: &mut Lower, inst: &Inst) {
    let [dst, a, ..] = &inst.operands;
    let value = l.read(a);
    let result = l.b.map1(Op1::FNeg, value);
    l.write(dst, result);
}

#[test]
fn everything_knows_a_new_row() {
    // Reading and encoding; printing and decoding.
    let program = assemble(&ISA, "neg r3.xz r1");
    assert_eq!(program.words(&ISA), [0x0028_04c2]);
    assert_eq!(disassemble(&ISA, &program), "neg r3.xz r1\n");
    let loaded = ISA.load(&0x0028_04c2_u32.to_le_bytes(), Default::default());
    assert_eq!(disassemble(&ISA, &loaded.program), "neg r3.xz r1\n");

    // Its meaning, and what lints know of it.
    let r1 = ISA.reg("r1").unwrap();
    let lowered = ISA.lower(&program, Profile::default(), &[(r1, vec4([1.0, 2.0, 3.0, 4.0]))]);
    let mut run = Run::default();
    run.run(&lowered.function, &[], &[], &NoTextures);
    let r3 = lowered.last(ISA.reg("r3").unwrap()).unwrap();
    assert_eq!(run.value(r3), vec4([-1.0, 0.0, -3.0, 0.0]));
    assert_eq!(ISA.lower(&program, Profile::default(), &[]).undefined_reads.len(), 1);

    // Its pages.
    let neg = ISA.op("neg").unwrap();
    assert_eq!(ISA.usage(neg), "neg dst.mask a");
    let example = ISA.example(neg);
    let mut text = String::new();
    ISA.print_inst(&example, &mut text);
    assert_eq!(text, "neg r0 r1");
    let meanings: Vec<String> =
        ISA.explain(&ISA.encode(&example)).into_iter().map(|value| value.meaning).collect();
    assert!(
        ["neg", "r0", "r1", "writes xyzw"].iter().all(|&wanted| meanings.iter().any(|text| text == wanted))
    );
    assert_eq!(ISA.halves[0].opcode_doc(), "opcode; 0, 3 to 63 not defined: nothing happens");

    // Messages.
    let [problem] = &problems(&ISA, "ne r0 r1")[..] else { panic!() };
    assert_eq!(problem.fixes[0].edits[0].text, "neg");
    let [problem] = &problems(&ISA, "neg r0")[..] else { panic!() };
    assert_eq!(problem.message, "`neg` needs `a`, a register");

    // Stimulus.
    let mut random = crate::Random::new();
    let mut words = std::collections::BTreeSet::new();
    for _ in 0..100 {
        let bits = ISA.encode(&ISA.random(neg, &mut |end| random.below(end)));
        let slot = ISA.slot(bits, Span::default());
        assert_eq!(slot.inst.as_ref().map(|inst| inst.op.name), Some("neg"));
        words.insert(bits.words);
    }
    // Operands of all kinds, not always the same.
    assert!(words.len() > 20, "{}", words.len());
}
