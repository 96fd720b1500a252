//! Programs of NV2A, and how short they get.

use gpuzoo_compile::graph::proof::VECTORS;
use gpuzoo_compile::{Packed, pack};
use gpuzoo_diag::{File, Span};
use gpuzoo_isa::{FileKind, Interface, Program, Slot, numbers};
use gpuzoo_machine::{ShaderUnit, TextOptions};
use gpuzoo_nv2a::GPU;

fn packed(text: &str) -> Packed {
    let assembled = GPU.assemble(&File::new("t.vp", text), &TextOptions::default());
    assert!(assembled.ok(), "{:#?}", assembled.diagnostics);
    pack(&GPU, &assembled.program, VECTORS).unwrap()
}

/// Texts in the form that Cg's compiler writes: one instruction a line. Slots before and after, and the bound.
#[test]
fn programs_of_one_instruction_a_line() {
    let rows = [
        ("colored", include_str!("programs/colored.vp"), [8, 6], 6),
        ("textured", include_str!("programs/textured.vp"), [9, 7], 7),
        ("fog", include_str!("programs/fog.vp"), [10, 8], 8),
        ("diffuse", include_str!("programs/diffuse.vp"), [19, 15], 15),
        ("shine", include_str!("programs/shine.vp"), [38, 29], 29),
        ("skin", include_str!("programs/skin.vp"), [17, 16], 16),
        ("waste", include_str!("programs/waste.vp"), [12, 6], 6),
    ];
    for (name, text, slots, bound) in rows {
        let packed = packed(text);
        assert_eq!((packed.slots, packed.bound), (slots, Some(bound)), "{name}");
        // The same once more, and what is packed stays as short.
        let again = pack(&GPU, &packed.program, VECTORS).unwrap();
        assert!(again.slots[1] <= packed.slots[1], "{name}");
    }
}

/// What a slot writes to an output and what it writes to r1 keep their order and their register.
#[test]
fn fog_keeps_the_component_that_was_written_last() {
    let packed = packed("!!VP1.1\nMOV o[HPOS], v[0];\nMOV o[FOGC].x, v[0];\nMOV o[FOGC].w, v[0];\nEND\n");
    let writes = |slot: &Slot| {
        slot.insts()
            .filter_map(|inst| (inst.operands[1].reg.index == 5).then_some(inst.operands[1].mask.0))
            .next()
    };
    assert_eq!(packed.program.slots.iter().filter_map(writes).collect::<Vec<_>>(), [1, 8]);
}

/// A program that does nothing is one slot.
#[test]
fn nothing_is_one_slot() {
    let packed = packed("!!VP1.1\nMOV o[HPOS], v[0];\nEND\n");
    assert_eq!(packed.slots, [1, 1]);
    let program = Program { slots: Vec::new(), ..packed.program };
    assert_eq!(pack(&GPU, &program, VECTORS).unwrap().slots, [0, 1]);
}

/// Random programs keep their bits: `pack` proves it of each, or it is an error.
#[test]
fn random_programs_are_proven_to_do_the_same() {
    let isa = GPU.isa();
    let ops: Vec<_> = isa.ops().filter(|op| !op.internal).collect();
    let count = 150;
    let mut shorter = 0;
    for seed in 0..count {
        let mut number = numbers(seed);
        let length = 1 + number(24);
        let mut slots = Vec::new();
        for _ in 0..length {
            let op = ops[number(ops.len() as u32) as usize];
            let mut inst = isa.random(op, &mut number);
            // Few registers, so that what is written is read.
            let few = number(4) + 2;
            let is_temporary = |reg| matches!(isa.file(reg).kind, FileKind::Temporary(_));
            for operand in inst.operands.iter_mut().filter(|operand| is_temporary(operand.reg)) {
                operand.reg.index %= few as u16;
            }
            slots.push(isa.slot(isa.encode_all([inst].iter()), Span::default()));
        }
        let program = Program { slots, interface: Some(Interface::default()), ..Program::default() };
        match pack(&GPU, &program, VECTORS) {
            Ok(packed) => shorter += u64::from(packed.slots[1] < packed.slots[0]),
            Err(other) => {
                panic!("{seed}: {other:?}\n{}", GPU.disassemble(&program, &TextOptions::default()).0)
            }
        }
    }
    assert!(shorter * 2 > count, "{shorter} of {count}");
}
