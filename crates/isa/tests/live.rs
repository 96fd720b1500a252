//! Which registers something reads behind each slot.

use crate::one_word::{self, OP, UNARY, copy, with};
use crate::{assemble, two_halves};
use gpuzoo_ir::Value;
use gpuzoo_isa::{FileKind, Half, Isa, Lowered, Mask, Op, Profile, Reg, RegFile};

/// The registers that are live behind each slot, with their components.
fn live(isa: &'static Isa, text: &str) -> Vec<Vec<String>> {
    let program = assemble(isa, text);
    shown(isa, isa.lower(&program, Profile::default(), &[]).live(isa, program.slots.len()))
}

fn shown(isa: &Isa, live: Vec<Vec<(Reg, Mask)>>) -> Vec<Vec<String>> {
    let name = |(reg, mask): &(Reg, Mask)| format!("{}.{mask}", isa.reg_name(*reg));
    live.iter().map(|own| own.iter().map(name).collect()).collect()
}

#[test]
fn what_is_read_later_is_live() {
    let isa = &one_word::ISA;
    // The sum needs all of r1, of which `mov` writes two components, so the others are live from the start.
    assert_eq!(
        live(isa, "ld r0 0 mov r1.xy r0 add r2 r1 r0 st pos r2"),
        [vec!["r0.xyzw", "r1.zw"], vec!["r0.xyzw", "r1.xyzw"], vec!["r2.xyzw"], vec![]]
    );
    // What is written again without being read is not live in between; inputs and constants are no temporaries.
    assert_eq!(live(isa, "ld r0 0 ldc r0 c3 st pos r0 nop"), [vec![""; 0], vec!["r0.xyzw"], vec![], vec![]]);
    // On a machine with outputs a temporary is no result, even if an output has its value.
    assert_eq!(live(isa, "ld r5 0 st pos r5"), [vec!["r5.xyzw"], vec![]]);
    let isa = &two_halves::ISA;
    // A sum's components count, not the whole register.
    assert_eq!(live(isa, "MOV R0, V0\nRCP R8, R0.y\nMOV oPos.x, R8\n"), [vec!["R0.y"], vec!["R8.x"], vec![]]);
}

static MOVES: &[Half] =
    &[Half { ops: &[Op::new(1, "mov", UNARY, copy)], opcode: OP, undefined: "nothing happens" }];

#[test]
fn registers_that_are_outputs_too_are_read_at_the_end() {
    const R: RegFile = RegFile::new("register", "r", 16, FileKind::Temporary([0; 4]));
    static FILES: &[RegFile] = &[R, RegFile::new("output", "r", 2, FileKind::Output([0; 4]))];
    static ISA: Isa = Isa { files: FILES, address: None, ..with(MOVES) };
    // r0 and r1 leave the program; r1.y is written over by the second.
    assert_eq!(
        live(&ISA, "mov r1 r5 mov r1.y r6 mov r2 r7"),
        [
            vec!["r0.xyzw", "r1.xzw", "r6.y", "r7.xyzw"],
            vec!["r0.xyzw", "r1.xyzw", "r7.xyzw"],
            vec!["r0.xyzw", "r1.xyzw"],
        ]
    );
}

#[test]
fn without_outputs_what_the_function_gives_is_read_at_the_end() {
    const R: RegFile = RegFile::new("register", "r", 16, FileKind::Temporary([0; 4]));
    static ISA: Isa = Isa { files: &[R], address: None, ..with(MOVES) };
    let program = assemble(&ISA, "mov r1 r5 mov r2 r1 mov r3 r1");
    let mut lowered = ISA.lower(&program, Profile::default(), &[]);
    let of = |lowered: &Lowered| shown(&ISA, lowered.live(&ISA, 3));
    assert_eq!(of(&lowered), [vec!["r1.xyzw"], vec!["r1.xyzw"], vec![]]);
    // The value that the last one moved is in all three.
    let last = lowered.last(ISA.reg("r3").unwrap()).unwrap();
    lowered.function.outputs = vec![(0, last)];
    assert_eq!(
        of(&lowered),
        [vec!["r1.xyzw"], vec!["r1.xyzw", "r2.xyzw"], vec!["r1.xyzw", "r2.xyzw", "r3.xyzw"]]
    );
    // Another value than any register has at the end.
    lowered.function.insts.push(gpuzoo_ir::Inst::Const([1; 4]));
    lowered.function.outputs = vec![(0, Value(lowered.function.insts.len() as u32 - 1))];
    assert_eq!(of(&lowered)[2], [""; 0]);
}
