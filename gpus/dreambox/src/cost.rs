//! What a program costs (spec section 7).

use crate::lowered;
use gpuzoo_isa::Program;
use gpuzoo_machine::Cost;

/// Vertex Unit cycles in a frame; a frame that uses as many or more makes the console skip the next one.
pub const FRAME_BUDGET: u64 = 1_200_000;

/// The true cost and the runtime's.
pub fn costs(program: &Program) -> Vec<Cost> {
    let executed = lowered(program).steps.len() as u64;
    vec![
        Cost {
            name: "instructions executed",
            per_run: executed,
            frame_budget: None,
            note: "up to and including `end`",
        },
        Cost {
            name: "cycles billed by the runtime",
            per_run: billed(program),
            frame_budget: Some(FRAME_BUDGET),
            note: "the runtime counts up to the first word whose low 4 bits are 15: `end`, but also `max` and opcodes \
                   31 and 47",
        },
    ]
}

/// What the runtime bills a vertex: left over from the 4-bit opcodes, it stops at any word that ended in 15 then.
pub fn billed(program: &Program) -> u64 {
    let end = program.slots.iter().position(|slot| slot.bits.words[0] & 15 == 15);
    // The runtime fills program memory up to 64 words with zeros, none of which ends in 15.
    end.map_or(64, |end| end as u64 + 1)
}
