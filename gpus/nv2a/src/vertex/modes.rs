//! What a program may do in the unit's operating modes (spec section 5).
//!
//! A mode takes away operands: what it forbids to write is not written, what it hides reads as zeros, and each place is
//! reported. The program is changed so before it is lowered, so that the rows know nothing of modes.

use crate::ISA;
use crate::vertex::encoding::{FIRST_SOURCE, PORT, is_final};
use crate::vertex::program::facts::{Kind, kind, running};
use crate::vertex::regs::{C, NOWHERE, O, V, VIEWPORT};
use crate::vertex::rules::{BLOCKED_WRITE, HIDDEN_READ};
use gpuzoo_diag::{Code, Diagnostic, Span};
use gpuzoo_isa::{Inst, Lowered, Mask, Output, Program, Reg};
use gpuzoo_machine::{Mode, RunState};

/// The unit's modes. The constants below are places in this list, and in the choices of each mode.
pub static MODES: &[Mode] = &[
    Mode {
        name: "constants",
        about: "whether vertex programs may write constants",
        choices: &[
            ("writable", "vertex programs may write constants (NV097_SET_TRANSFORM_PROGRAM_CXT_WRITE_EN)"),
            ("read-only", "what a vertex program writes to constants is dropped"),
        ],
    },
    Mode {
        name: "range",
        about: "which constants a program reaches",
        choices: &[
            ("all", "c0 to c191"),
            ("user", "c96 to c191; without A0 also c58 and c59, the viewport's scale and offset"),
        ],
    },
    Mode {
        name: "program",
        about: "what the program is launched as",
        choices: &[
            ("auto", "a state program if it writes constants and no output, else a vertex program"),
            ("vertex", "runs for every vertex"),
            (
                "state",
                "runs when it is launched; v0 is the launch data, there are no other inputs and no outputs",
            ),
        ],
    },
];

/// Whether vertex programs may write constants.
pub const CONSTANTS: usize = 0;
/// They may not.
pub const READ_ONLY: usize = 1;

/// Which constants a program reaches.
pub const RANGE: usize = 1;
/// Those of the user.
pub const USER: usize = 1;

/// What the program is launched as.
pub const PROGRAM: usize = 2;
/// A vertex program.
pub const VERTEX: usize = 1;
/// A state program.
pub const STATE: usize = 2;

/// The first constant that a program in user range reaches with A0.
const USER_FIRST: u16 = 96;

/// What a program means in the modes, slots up to the one with FINAL, and what they forbid.
pub fn lowered(program: &Program, run_state: &RunState) -> (Lowered, Vec<Diagnostic>) {
    let slots = running(program);
    let (pokes, host) = (program.pokes.clone(), program.host.clone());
    let mut executed = Program { slots: slots.to_vec(), pokes, host, ..Program::default() };
    let modes = run_state.modes;
    let state = match modes.choice(PROGRAM) {
        VERTEX => false,
        STATE => true,
        _ => kind(program) == Kind::State,
    };
    let rights = Rights {
        state: modes.choice(PROGRAM) == STATE,
        read_only: modes.choice(CONSTANTS) == READ_ONLY && !state,
        user: modes.choice(RANGE) == USER,
    };
    let mut problems = Vec::new();
    for slot in &mut executed.slots {
        let span = slot.span;
        for inst in slot.inst.iter_mut().chain(&mut slot.paired) {
            let [written, read] = rights.apply(program, inst);
            problems.extend(written.map(|why| forbidden(&BLOCKED_WRITE, span, why)));
            problems.extend(read.map(|why| forbidden(&HIDDEN_READ, span, why)));
        }
    }
    let mut lowered = ISA.lower_from(&executed, run_state.profile, |lower| {
        if rights.user {
            lower.first_reached = USER_FIRST;
        }
        run_state.begin(lower);
    });
    if state {
        lowered.function.outputs.retain(|(number, _)| matches!(Output::of(*number), Output::Constant(_)));
        lowered.unwritten_outputs.clear();
    }
    lowered.end = slots.iter().rposition(|slot| is_final(&slot.bits));
    (lowered, problems)
}

/// What the modes take from a program.
struct Rights {
    /// It runs as a state program: one input, no outputs.
    state: bool,
    /// It may not write constants.
    read_only: bool,
    /// It reaches the constants of the user range alone.
    user: bool,
}

impl Rights {
    /// Takes operands from an instruction; what it then does not write, and does not read.
    fn apply(&self, program: &Program, inst: &mut Inst) -> [Option<String>; 2] {
        let mut took = [None, None];
        let port = &mut inst.operands[PORT];
        let blocked = port.reg.file == C && self.read_only || port.reg.file == O && self.state;
        if blocked && !port.mask.is_empty() {
            took[0] = Some(format!("{} is not written", program.reg_name(&ISA, port.reg)));
            port.mask = Mask(0);
        }
        for operand in &mut inst.operands[FIRST_SOURCE..] {
            let Reg { file, index } = operand.reg;
            // With A0 the number is not known yet: that is looked at while the program runs.
            let direct = file == C && !operand.relative;
            let hidden = direct && self.user && index < USER_FIRST && !VIEWPORT.contains(&index)
                || file == V && self.state && index != 0;
            if hidden {
                took[1] = Some(format!("{} reads as zeros", program.reg_name(&ISA, operand.reg)));
                operand.reg = NOWHERE;
            }
        }
        took
    }
}

fn forbidden(code: &'static Code, span: Span, why: String) -> Diagnostic {
    Diagnostic::warning(code, format!("the machine's mode forbids it: {why}")).at(span)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, assemble};
    use gpuzoo_diag::File;
    use gpuzoo_ir::{eval, vec4};
    use gpuzoo_machine::Modes;
    use gpuzoo_machine::unit::run_state::mode;

    /// Output registers of a text in some modes, and the codes of what was forbidden.
    fn run(text: &str, set: &[(&str, &str)]) -> (Vec<(u16, [f32; 4])>, Vec<&'static str>) {
        let program = assemble(&File::new("t.vsh", text), &Options::default()).program;
        let mut modes = Modes::default();
        for (name, choice) in set {
            let (mode, choice) = mode(MODES, name, choice).unwrap();
            modes.set(mode, choice);
        }
        let run_state = RunState { modes, ..RunState::from(crate::HW) };
        let (lowered, problems) = lowered(&program, &run_state);
        // Each constant is its number, each input its number less 20.
        let constants: Vec<_> = (0..192).map(|index| vec4([index as f32; 4])).collect();
        let inputs: Vec<_> = (0..16).map(|index| vec4([index as f32 - 20.0; 4])).collect();
        let numbers = lowered.function.outputs.iter().map(|(number, _)| *number);
        let values = eval::outputs(&lowered.function, &inputs, &constants);
        let outputs = numbers.zip(values.into_iter().map(|value| value.map(f32::from_bits)));
        (outputs.collect(), problems.iter().map(|problem| problem.code.id).collect())
    }

    fn output(found: &[(u16, [f32; 4])], number: u16) -> Option<f32> {
        found.iter().find(|(own, _)| *own == number).map(|(_, components)| components[0])
    }

    #[test]
    fn names_have_their_places() {
        assert_eq!(mode(MODES, "constants", "read-only"), Ok((CONSTANTS, READ_ONLY)));
        assert_eq!(mode(MODES, "range", "user"), Ok((RANGE, USER)));
        assert_eq!(mode(MODES, "program", "vertex"), Ok((PROGRAM, VERTEX)));
        assert_eq!(mode(MODES, "program", "state"), Ok((PROGRAM, STATE)));
    }

    const WRITES: &str = "mov c100, v1\nmov oPos, c100\n";

    #[test]
    fn read_only_constants_are_not_written() {
        let (found, problems) = run(WRITES, &[]);
        assert_eq!((output(&found, 0), problems.as_slice()), (Some(-19.0), &[][..]));
        let (found, problems) = run(WRITES, &[("constants", "read-only")]);
        assert_eq!((output(&found, 0), problems.as_slice()), (Some(100.0), &["N0601"][..]));
        assert!(found.iter().all(|(number, _)| matches!(Output::of(*number), Output::Register(_))));
        // A state program's writes are what it is for.
        let (found, problems) = run("mov c100, v0\n", &[("constants", "read-only")]);
        assert_eq!(problems, [""; 0]);
        assert!(found.iter().any(|(number, _)| *number == Output::Constant(100).number()));
    }

    #[test]
    fn user_range_is_the_upper_half_and_the_viewport() {
        let text = "mov oPos, c58\nmov oD0, c95\nmov oD1, c96\n";
        let (found, problems) = run(text, &[("range", "user")]);
        assert_eq!([0, 3, 4].map(|number| output(&found, number)), [Some(58.0), Some(0.0), Some(96.0)]);
        assert_eq!(problems, ["N0602"]);
        assert_eq!(output(&run(text, &[]).0, 3), Some(95.0));
        // v0 is -20, so A0 is; c96 holds 96.
        for (text, user, all) in [
            ("arl a0, v0\nmov oPos, c[a0+116]\n", 96.0, 96.0),
            ("arl a0, v0\nmov oPos, c[a0+115]\n", 0.0, 95.0),
            ("arl a0, v0\nmov oPos, c[a0+78]\n", 0.0, 58.0),
            ("arl a0, c96\nmov oPos, c[a0+95]\n", 191.0, 191.0),
            ("arl a0, c96\nmov oPos, c[a0+96]\n", 0.0, 0.0),
        ] {
            let (found, problems) = run(text, &[("range", "user")]);
            assert_eq!((output(&found, 0), problems.len()), (Some(user), 0), "{text}");
            assert_eq!(output(&run(text, &[]).0, 0), Some(all), "{text}");
        }
    }

    #[test]
    fn a_state_program_has_one_input_and_no_outputs() {
        let (found, problems) = run("mov oPos, v0\nmov r0, v0\nadd c96, r0, v1\n", &[("program", "state")]);
        assert_eq!(found, [(Output::Constant(96).number(), [-20.0; 4])]);
        assert_eq!(problems, ["N0601", "N0602"]);
    }

    /// A program ends behind its first slot with FINAL; where there is none, nothing says so.
    #[test]
    fn programs_end_with_final() {
        let end = |text: &str| {
            let program = assemble(&File::new("t.vsh", text), &Options::default()).program;
            let (lowered, _) = lowered(&program, &RunState::from(crate::HW));
            (lowered.end, lowered.steps.iter().map(|step| step.slot).max())
        };
        let [mov, last] = ["f800", "f801"].map(|end| format!(".word 0 0x0020001b 0x0836106c 0x2070{end}\n"));
        assert_eq!(end(&format!("{mov}{mov}{last}")), (Some(2), Some(2)));
        assert_eq!(end(&format!("{mov}{last}{mov}{last}")), (Some(1), Some(1)));
        assert_eq!(end(&last), (Some(0), Some(0)));
        assert_eq!(end(&format!("{mov}{mov}")), (None, Some(1)));
    }

    #[test]
    fn outputs_keep_what_they_held() {
        let text = "mov oD0.xy, v0\n";
        let program = assemble(&File::new("t.vsh", text), &Options::default()).program;
        let output = |index, value| (Reg { file: O, index }, vec4(value));
        let start = [output(3, [0.1, 0.2, 0.3, 0.4]), output(4, [0.5; 4])];
        let run_state = RunState { start: &start, ..RunState::from(crate::HW) };
        let lowered = lowered(&program, &run_state).0;
        let values = eval::outputs(&lowered.function, &[vec4([7.0; 4])], &[]);
        let of = |number: u16| {
            let at = lowered.function.outputs.iter().position(|(own, _)| *own == number).unwrap();
            values[at].map(f32::from_bits)
        };
        assert_eq!(of(3), [7.0, 7.0, 0.3, 0.4]);
        assert_eq!(of(4), [0.5; 4]);
        assert_eq!(of(5), [0.0, 0.0, 0.0, 1.0]);
    }
}
