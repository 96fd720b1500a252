//! What operands mean, and what the lint finds.

use crate::{assemble, one_word, two_halves};
use gpuzoo_diag::{Code, Diagnostic};
use gpuzoo_ir::eval::{NoTextures, Run};
use gpuzoo_ir::{Vec4, vec4};
use gpuzoo_isa::{Isa, Profile, Program};

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

/// A read before the first slot belongs to no instruction.
#[test]
fn reads_before_the_program_are_no_instructions() {
    let isa = &one_word::ISA;
    let program = Program::default();
    let r0 = isa.reg("r0").unwrap();
    let lowered = isa.lower_from(&program, Profile::default(), |lower| _ = lower.reg(r0));
    assert!(isa.read_before_write(&program.slots, &lowered, &UNDEFINED, "").is_empty());
}
