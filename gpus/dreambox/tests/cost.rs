//! Costs, against the rules of the runtime's source (spec section 7).

use gpuzoo_diag::File;
use gpuzoo_dreambox::{FRAME_BUDGET, GPU, billed};
use gpuzoo_machine::ShaderUnit;
use gpuzoo_machine::TextOptions;

/// True cost and billed cost of a text.
fn costs(text: &str) -> (u64, u64) {
    let program = GPU.assemble(&File::new("t", text), &TextOptions::default()).program;
    let costs = GPU.costs(&program);
    assert_eq!(costs[1].per_run, billed(&program));
    assert_eq!(costs[1].frame_budget, Some(FRAME_BUDGET));
    (costs[0].per_run, costs[1].per_run)
}

#[test]
fn both_count_up_to_the_end() {
    assert_eq!(costs(""), (1, 1));
    assert_eq!(costs("ld r0 0 st pos r0"), (3, 3));
    assert_eq!(costs("ld r0 0 end st pos r0"), (2, 2));
}

#[test]
fn the_runtime_takes_max_and_opcodes_31_and_47_for_the_end() {
    assert_eq!(costs("ld r0 0 ld r1 1 ld r2 2 ld r3 3 max r0 r1 st pos r0 st tex r1"), (8, 5));
    assert_eq!(costs(".word 31 st pos r0"), (3, 1));
    assert_eq!(costs("ld r0 0 .word 47 st pos r0"), (4, 2));
    // 15 in the low bits of the opcode alone: a register number that ends in 15 is not an end.
    assert_eq!(costs("add r15 r15"), (2, 2));
}

#[test]
fn a_program_without_an_end_costs_64() {
    assert_eq!(costs(".exact ld r0 0"), (1, 64));
    assert_eq!(costs(&"ld r0 0\n".repeat(64)), (64, 64));
}
