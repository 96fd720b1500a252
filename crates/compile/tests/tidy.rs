//! Machines with one instruction a slot.

use gpuzoo_compile::graph::proof::VECTORS;
use gpuzoo_compile::pack;
use gpuzoo_diag::File;
use gpuzoo_machine::{ShaderUnit, TextOptions};

/// The slots before and after, and the text.
fn packed(unit: &dyn ShaderUnit, text: &str) -> ([usize; 2], String) {
    let assembled = unit.assemble(&File::new("t", text), &TextOptions::default());
    assert!(assembled.ok(), "{:#?}", assembled.diagnostics);
    let packed = pack(unit, &assembled.program, VECTORS).unwrap();
    assert_eq!(packed.bound, None);
    (packed.slots, unit.disassemble(&packed.program, &TextOptions::default()).0)
}

#[test]
fn dead_instructions_and_equal_loads_are_left_out_on_dreambox() {
    // r3 is never read, r1 is loaded twice, and r2 holds what r1 does.
    let text = "ld r0 0\nld r1 1\nld r3 2\nadd r3 r0\nld r1 1\nld r2 1\nadd r0 r1\nmul r0 r2\nst pos r0\n";
    let (slots, text) = packed(&gpuzoo_dreambox::GPU, text);
    assert_eq!((slots, text.as_str()), ([10, 6], "ld r0 0\nld r1 1\nadd r0 r1\nmul r0 r1\nst pos r0\n"));
}

#[test]
fn the_end_stays() {
    // The assembler adds `end`, behind which nothing runs.
    let (slots, _) = packed(&gpuzoo_dreambox::GPU, "ld r0 0\nst pos r0\n");
    assert_eq!(slots, [3, 3]);
}

#[test]
fn kills_and_texture_reads_stay_on_servaru() {
    let text = include_str!("../../../examples/servaru/fence.svs");
    assert_eq!(packed(&gpuzoo_servaru::GPU, text).0, [5, 5]);
}

#[test]
fn what_nobody_reads_is_left_out_on_picogpu() {
    let text = include_str!("../../../examples/picogpu/lit.pico");
    let (slots, _) = packed(&gpuzoo_picogpu::GPU, text);
    assert!(slots[1] <= slots[0]);
}
