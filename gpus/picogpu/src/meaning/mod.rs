//! What whole programs mean and cost.

pub mod stored;

use crate::frame::vertex_registers;
use crate::header::COMMAND_DWORDS;
use crate::lower::components;
use crate::regs::triangle;
use crate::{ISA, descriptor};
use gpuzoo_isa::{Interface, Lower, Lowered, Mask, Port, Profile, Program, Stage};
use gpuzoo_machine::{Cost, RunState};

/// What a program means, under a profile.
///
/// Inputs of the function are the program's, in order; a fragment program has one, x and y of its pixel. Uniforms 0
/// to 2 are a vertex program's, 3 to 5 a fragment program's; from 6 on stand the triangle's vertices, three to a vertex.
/// Outputs are the program's, in order, of which only the declared components leave the unit.
pub fn lowered(program: &Program, profile: Profile) -> Lowered {
    lowered_in(program, &profile.into())
}

/// As [`lowered`], where registers may hold something before the unit places the inputs.
pub fn lowered_in(program: &Program, run_state: &RunState) -> Lowered {
    let RunState { profile, start, .. } = *run_state;
    let Some(interface) = &program.interface else { return ISA.lower(program, profile, start) };
    let mut lowered = ISA.lower_from(program, profile, |lower| {
        run_state.begin(lower);
        place_inputs(lower, interface);
    });
    for (index, port) in interface.outputs.iter().enumerate() {
        lowered.function.outputs.extend(lowered.last(port.reg).map(|value| (index as u16, value)));
    }
    lowered
}

/// What the unit puts into registers before it starts (spec section 6); all others are zeros.
fn place_inputs(lower: &mut Lower, interface: &Interface) {
    let start = |lower: &mut Lower, port: &Port, index: usize, count: u8| {
        let value = lower.b.input(index as u16);
        let value = components(lower, value, count);
        lower.start(port.reg, value, Mask::ALL);
    };
    match interface.stage {
        Stage::Vertex => {
            for (index, port) in interface.inputs.iter().enumerate() {
                start(lower, port, index, port.components);
            }
        }
        Stage::Fragment => {
            if let Some(position) = interface.inputs.first() {
                start(lower, position, 0, 2);
            }
            for (vertex, registers) in vertex_registers(&interface.inputs).iter().enumerate() {
                for (input, (reg, port)) in registers.iter().zip(&interface.inputs).enumerate() {
                    let value = lower.reg(triangle(vertex, input));
                    lower.b.set_origin(None);
                    let value = components(lower, value, if input == 0 { 3 } else { port.components });
                    lower.start(*reg, value, Mask::ALL);
                }
            }
        }
    }
}

/// What a program costs: one cycle for each instruction, and the program memory that it takes.
pub fn costs(program: &Program) -> Vec<Cost> {
    let dwords = program.words(&ISA).len() + COMMAND_DWORDS;
    vec![
        Cost {
            name: "instructions executed",
            per_run: program.slots.len() as u64,
            frame_budget: None,
            note: "a cycle each, for up to 32 threads together; the assembler's own count, too",
        },
        Cost {
            name: "dwords stored",
            per_run: dwords as u64,
            frame_budget: None,
            note: "sent to the unit, a cycle each, with every request",
        },
    ]
}

/// The descriptors of a program on the configuration pins: inputs, what goes from the vertex to the fragment shader, and
/// uniforms (spec section 4.4).
pub fn descriptors(interface: &Interface) -> [u8; 3] {
    let passed = match interface.stage {
        Stage::Vertex => &interface.outputs,
        Stage::Fragment => &interface.inputs,
    };
    [
        descriptor(&interface.inputs),
        descriptor(passed.get(1..).unwrap_or(&[])),
        descriptor(&interface.uniforms),
    ]
}
