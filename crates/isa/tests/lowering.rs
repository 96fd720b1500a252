//! What operands mean, and what the lint finds.

use crate::{assemble, one_word, two_halves};
use gpuzoo_diag::{Code, Diagnostic};
use gpuzoo_ir::eval::{NoTextures, Run};
use gpuzoo_ir::{Builder, Inst, Op1, Vec4, vec4};
use gpuzoo_isa::{Isa, Mask, Poke, Profile, Program};
use std::sync::Arc;

static UNDEFINED: Code = Code::new("T0101", "read before written", "");

/// The value of a register after a program whose inputs are (1, -2, 3, -4) + n and whose constants are n.
fn after(isa: &'static Isa, text: &str, name: &str) -> Vec4 {
    let program = assemble(isa, text);
    let lowered = isa.lower(&program, Profile::default(), &[]);
    let inputs: Vec<Vec4> =
        (0..8).map(|n| vec4([1.0, -2.0, 3.0, -4.0].map(|value: f32| value + n as f32))).collect();
    let constants: Vec<Vec4> = (0..40).map(|n| vec4([n as f32; 4])).collect();
    let mut run = Run::default();
    run.run(&lowered.function, &inputs, &constants, &NoTextures);
    run.value(lowered.last(isa.reg(name).unwrap()).unwrap())
}

#[test]
fn operands_mean_what_they_say() {
    let isa = &one_word::ISA;
    assert_eq!(after(isa, "ld r1 0", "r1"), vec4([1.0, -2.0, 3.0, -4.0]));
    assert_eq!(after(isa, "sgn r1 -in0", "r1"), vec4([-1.0, 2.0, -3.0, 4.0]));
    assert_eq!(after(isa, "sgn r1 |in0|", "r1"), vec4([1.0, 2.0, 3.0, 4.0]));
    assert_eq!(after(isa, "sgn r1 -|in0|", "r1"), vec4([-1.0, -2.0, -3.0, -4.0]));
    assert_eq!(after(isa, "ld r0 0 shf r1 r0 wzyx 0b1010", "r1"), vec4([0.0, 3.0, 0.0, 1.0]));
    assert_eq!(after(isa, "ld r0 0 mov r1.xw r0", "r1"), vec4([1.0, 0.0, 0.0, -4.0]));
    assert_eq!(after(isa, "ldc r1 c33", "r1"), vec4([33.0; 4]));
    // a0 is what the bits of the integer say.
    assert_eq!(after(isa, "iinit r0 5 mova a0 r0 ldc r1 c[a0 + 30]", "r1"), vec4([35.0; 4]));
    assert_eq!(after(isa, "iinit r0 -19 mova a0 r0 ldc r1 c[a0 + 39]", "r1"), vec4([20.0; 4]));
    assert_eq!(after(isa, "iinit r0 20 mova a0 r0 ldc r1 c[a0 + 30]", "r1"), [0; 4]);
    assert_eq!(after(isa, "ld r0 0 end ld r0 1", "r0"), vec4([1.0, -2.0, 3.0, -4.0]));
    let isa = &two_halves::ISA;
    assert_eq!(after(isa, "MOV R0, V0\nMOV oPos.yz, -|R0.yzxw|", "oPos"), vec4([0.0, -3.0, -1.0, 0.0]));
    assert_eq!(after(isa, "RCP R8, V0.y", "R8"), vec4([-0.5; 4]));
    assert_eq!(after(isa, "RCP _, V0.y", "R8"), [0; 4]);
}

/// The message and the texts of the labels of each warning.
fn warnings(isa: &'static Isa, text: &str) -> Vec<String> {
    let program = assemble(isa, text);
    let lowered = isa.lower(&program, Profile::default(), &[]);
    let found = isa.read_before_write(&program.slots, &lowered, &UNDEFINED, "it is zero");
    let labels = |problem: &Diagnostic| -> Vec<String> {
        let labels = problem.labels.iter();
        labels.map(|label| format!("{} {}", label.text, &text[label.span.range()])).collect()
    };
    let shown = |problem: &Diagnostic| {
        assert_eq!((problem.code.id, &problem.notes[..]), ("T0101", &["it is zero".to_owned()][..]));
        format!("{}; {}", problem.message, labels(problem).join("; "))
    };
    found.iter().map(shown).collect()
}

#[test]
fn reads_before_writes_are_found() {
    let isa = &one_word::ISA;
    assert!(warnings(isa, "ld r0 0 mov r1 r0 add r1 r1 r0 st pos r1").is_empty());
    assert_eq!(
        warnings(isa, "mov r1 r0 nop ld r0 0 mov r2 r0"),
        ["r0 is read before it is written; read here mov r1 r0; first written here ld r0 0"]
    );
    // Each component once, at its first reader.
    assert_eq!(
        warnings(isa, "ld r1 0 mov r0.xy r1 mov r2 r0 mov r3 r0"),
        ["r0.zw is read before it is written; read here mov r2 r0"]
    );
    // The destination of `mat` is a source; here the row's function does not read it.
    assert_eq!(warnings(isa, "mat r4 r0").len(), 1);
    // What the instruction itself writes is not written before.
    assert_eq!(warnings(isa, "mov r0 r0"), ["r0 is read before it is written; read here mov r0 r0"]);
    // Behind the end nothing reads.
    assert!(warnings(isa, "end mov r0 r1").is_empty());
    assert_eq!(
        warnings(isa, "ldc r0 c[a0 + 1]"),
        ["a0.x is read before it is written; read here ldc r0 c[a0 + 1]"]
    );
}

/// Two constants that the host computes from a third: c5 = -c3, c6 = |c5|.
#[test]
fn constants_that_the_host_computes_mean_what_it_computes() {
    let isa = &one_word::ISA;
    let mut b = Builder::default();
    let given = b.uniform(3);
    let negated = b.map1(Op1::FNeg, given);
    let positive = b.map1(Op1::FAbs, negated);
    b.output(5, negated);
    b.output(6, positive);
    let mut program = assemble(isa, "ldc r0 c5 ldc r1 c6 ldc r2 c5 ldc r3 c3 ldc r4 c4");
    program.host = Some(Arc::new(b.finish()));
    let lowered = isa.lower(&program, Profile::default(), &[]);
    let mut run = Run::default();
    let constants: Vec<Vec4> = (0..8).map(|n| vec4([n as f32; 4])).collect();
    run.run(&lowered.function, &[], &constants, &NoTextures);
    let value = |name: &str| run.value(lowered.last(isa.reg(name).unwrap()).unwrap());
    let all = ["r0", "r1", "r2", "r3", "r4"].map(value);
    assert_eq!(all, [-3.0, 3.0, -3.0, 3.0, 4.0].map(|value| vec4([value; 4])));
    // It is computed once.
    let of = |op: Op1| {
        lowered.function.insts.iter().filter(|inst| matches!(inst, Inst::Map1(own, _) if *own == op)).count()
    };
    assert_eq!([of(Op1::FNeg), of(Op1::FAbs)], [1, 1]);
}

/// The registers that a debugger changes between steps: each with the value before the first slot, and the whole one after.
#[test]
fn pokes_take_effect_before_their_step() {
    let isa = &one_word::ISA;
    let poke = |step, name: &str, components, value: f32| Poke {
        step,
        reg: isa.reg(name).unwrap(),
        components: Mask(components),
        bits: vec4([value; 4]),
        integers: Mask(0),
    };
    let mut program = assemble(isa, "ld r0 0 mov r1 r0 ldc r2 c4 mov r3 r0");
    program.pokes = vec![
        // Of a temporary, y and z, before `mov r1 r0`; of a constant and an input, before the first step.
        poke(1, "r0", 0b0110, 9.0),
        poke(0, "c4", 0b0001, 7.0),
        poke(0, "in0", 0b1000, 8.0),
        // Behind the last step.
        poke(4, "r3", 0b1111, 5.0),
    ];
    let lowered = isa.lower(&program, Profile::default(), &[]);
    let (inputs, constants) = ([vec4([1.0, 2.0, 3.0, 4.0])], [vec4([6.0; 4]); 5]);
    let mut run = Run::default();
    run.run(&lowered.function, &inputs, &constants, &NoTextures);
    let value = |name: &str| run.value(lowered.last(isa.reg(name).unwrap()).unwrap());
    assert_eq!(value("r1"), vec4([1.0, 9.0, 9.0, 8.0]));
    assert_eq!(value("r2"), vec4([7.0, 6.0, 6.0, 6.0]));
    let poked: Vec<_> = (lowered.pokes.iter())
        .map(|own| (own.step, isa.reg_name(own.reg), own.components.0, run.value(own.value)))
        .collect();
    assert_eq!(
        poked,
        [
            (0, "c4".to_owned(), 0b0001, vec4([7.0, 6.0, 6.0, 6.0])),
            (0, "in0".to_owned(), 0b1000, vec4([1.0, 2.0, 3.0, 8.0])),
            (1, "r0".to_owned(), 0b0110, vec4([1.0, 9.0, 9.0, 8.0])),
            (4, "r3".to_owned(), 0b1111, vec4([5.0; 4])),
        ]
    );
    // What each register was before the first slot, inputs and constants included; each once.
    let before = |name: &str| {
        let reg = isa.reg(name).unwrap();
        let all: Vec<_> = lowered.initial.iter().filter(|(known, _)| *known == reg).collect();
        let [(_, value)] = all[..] else { panic!("{name}: {} times", all.len()) };
        run.value(*value)
    };
    assert_eq!(before("c4"), vec4([6.0; 4]));
    assert_eq!(before("in0"), vec4([1.0, 2.0, 3.0, 4.0]));
    assert_eq!(before("r0"), [0; 4]);
}

/// Both halves of a slot read what there was before it, but for what is poked between them.
#[test]
fn a_poke_between_two_halves_counts_behind_the_slot() {
    let isa = &two_halves::ISA;
    let mut program = assemble(isa, "MOV R0, V0.y; + RCP R8, V0.y\nMOV R2, R8");
    let reg = |name| isa.reg(name).unwrap();
    program.pokes = vec![Poke {
        step: 1,
        reg: reg("R3"),
        components: Mask(0b0001),
        bits: vec4([4.0; 4]),
        integers: Mask(0),
    }];
    let lowered = isa.lower(&program, Profile::default(), &[]);
    let [poked] = lowered.pokes[..] else { panic!("{:?}", lowered.pokes) };
    assert_eq!((poked.step, poked.reg, poked.components), (1, reg("R3"), Mask(0b0001)));
    let mut run = Run::default();
    run.run(&lowered.function, &[vec4([1.0, 2.0, 3.0, 4.0])], &[], &NoTextures);
    assert_eq!(run.value(poked.value), vec4([4.0, 0.0, 0.0, 0.0]));
    assert_eq!(run.value(lowered.last(reg("R2")).unwrap()), vec4([0.5; 4]));
}

/// A read before the first slot belongs to no instruction.
#[test]
fn reads_before_the_program_are_no_instructions() {
    let isa = &one_word::ISA;
    let program = Program::default();
    let r0 = isa.reg("r0").unwrap();
    let lowered = isa.lower_from(&program, Profile::default(), |lower| _ = lower.reg(r0));
    assert!(isa.read_before_write(&program.slots, &lowered, &UNDEFINED, "").is_empty());
}
