//! What is suspicious about a program that is legal.

use crate::ISA;
use crate::declarations::declared_outputs;
use crate::encoding::OP;
use crate::lower::components;
use crate::lower::takes_floats;
use crate::ops::{FCROSS, FCROSS2, FNORM, IDIV_IMM, SWIZZLE_CODE};
use crate::profile::DOCUMENT;
use crate::program::body;
use crate::rules::*;
use gpuzoo_diag::{Diagnostic, Severity, Span, counted};
use gpuzoo_isa::{Inst, Interface, Lowered, Mask, Port, Program, Reg, Slot, Stage};

/// What is suspicious about a program.
pub fn check(program: &Program) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    let body = body(program);
    let own = &program.slots[body.clone().unwrap_or(0..program.slots.len())];
    if own.is_empty() {
        return vec![ISA.empty(program)];
    }
    for slot in own {
        instruction(slot, body.is_some(), &mut problems);
    }
    if let (Some(interface), Some(_)) = (&program.interface, body) {
        flow(interface, own, program.span, &mut problems);
    }
    problems
}

/// What one instruction shows.
fn instruction(slot: &Slot, framed: bool, problems: &mut Vec<Diagnostic>) {
    let Some(inst) = &slot.inst else {
        problems.push(no_instruction(slot));
        return;
    };
    let [dst, a, ..] = &inst.operands;
    let mut warn = |code, message: String, note: &str| {
        let problem = Diagnostic::warning(code, message).at(slot.span);
        problems.push(if note.is_empty() { problem } else { problem.note(note) });
    };
    let values =
        inst.operands.iter().map(|operand| operand.immediates.values()).find(|values| !values.is_empty());
    let count = dst.mask.0.count_ones() as usize;
    if let Some(values) = values {
        let used = &values[..values.len().min(count)];
        let zero =
            |value: &u32| if takes_floats(inst.op) { f32::from_bits(*value) == 0.0 } else { *value == 0 };
        if matches!(inst.op.name, "fdiv" | "idiv") && used.iter().any(zero) {
            let note = if inst.op.code == IDIV_IMM {
                "the reference dies; gpuzoo gives the dividend"
            } else {
                "infinity or NaN"
            };
            warn(&DIVISION_BY_ZERO, format!("`{}` divides by zero", inst.op.name), note);
        }
        if values.len() > count {
            warn(
                &SURPLUS_VALUES,
                format!("{} for {}", counted(values.len(), "value"), counted(count, "component")),
                "the last ones are ignored",
            );
        }
    }
    if inst.op.code == SWIZZLE_CODE && dst.reg == a.reg {
        let order = a.swizzle.components();
        // A component that was overwritten by another one before it is read.
        let changed = |component: usize| {
            usize::from(order[component]) < component && order[order[component] as usize] != order[component]
        };
        if (0..4).any(changed) {
            let message = format!("the unit reads components of r{} that it has just written", dst.reg.index);
            warn(&SWIZZLE_IN_PLACE, message, "swizzle to another register");
        }
    }
    if inst.op.code == FCROSS2 && slot.bits.get(22, 4) != 0 {
        warn(
            &FMAD_AS_FCROSS2,
            "this `fcross2` has the bits of an `fmad`".into(),
            "the reference assembler wrote it",
        );
    }
    if framed && inst.op.internal {
        warn(&INTERNAL_INSTRUCTION, format!("`{}` is the assembler's own", inst.op.name), "");
    }
    problems.extend(ignored_mask(slot, inst));
}

/// A mask that the reference's unit does not know.
fn ignored_mask(slot: &Slot, inst: &Inst) -> Option<Diagnostic> {
    let dst = &inst.operands[0];
    if !matches!(inst.op.code, FCROSS | FNORM) || dst.mask == Mask::ALL {
        return None;
    }
    let problem =
        Diagnostic::warning(&MASK_IGNORED, format!("the unit ignores the mask of `{}`", inst.op.name));
    let problem = problem.label(slot.span, format!("all of r{} is written there", dst.reg.index));
    Some(problem.help("leave the mask out, and `mov` the components that are wanted"))
}

fn no_instruction(slot: &Slot) -> Diagnostic {
    let code = OP.get(&slot.bits);
    if ISA.halves[0].op(code).is_some() {
        return Diagnostic::warning(&MISSING_VALUES, "the program ends amid this instruction").at(slot.span);
    }
    Diagnostic::warning(&UNKNOWN_OPCODE, format!("opcode {code} does not exist"))
        .label(slot.span, "the unit stops here")
}

/// What the way of values through the program's own instructions shows.
fn flow(interface: &Interface, own: &[Slot], end: Span, problems: &mut Vec<Diagnostic>) {
    let program = Program { slots: own.to_vec(), ..Program::default() };
    let outputs = declared_outputs(interface);
    let given = || interface.inputs.iter().chain(&interface.uniforms);
    let lowered = ISA.lower_from(&program, DOCUMENT, |lower| {
        for (index, port) in given().enumerate() {
            let value = lower.b.input(index as u16);
            let value = components(lower, value, port.components);
            lower.start(port.reg, value, Mask::ALL);
        }
    });
    overwritten_inputs(interface, outputs, own, &lowered, problems);
    // The document promises zeros, so a program may count on them.
    let (severity, note) = match interface.undefined_registers {
        true => (Severity::Warning, "`#undefinedRegs` leaves its value open"),
        false => (Severity::Note, "it is zero"),
    };
    let unwritten = ISA.read_before_write(own, &lowered, &UNDEFINED_READ, note);
    problems.extend(unwritten.into_iter().map(|read| Diagnostic { severity, ..read }));
    let end = own.last().map_or(end, |slot| slot.span);
    for port in outputs {
        let passed = given().any(|given| given.reg == port.reg);
        let missing = port.mask().without(written(&lowered, port.reg));
        if !passed && !missing.is_empty() {
            let what = components_of(port.reg, missing, port.mask());
            let problem =
                Diagnostic::warning(&OUTPUT_NEVER_WRITTEN, format!("output {what} is never written"));
            problems.push(problem.at(place(port.span, end)));
        }
    }
    let first_is_position = interface.stage == Stage::Fragment;
    let inputs = interface.inputs.iter().skip(usize::from(first_is_position)).map(|port| ("input", port));
    for (kind, port) in inputs.chain(interface.uniforms.iter().map(|port| ("uniform", port))) {
        let passed = outputs.iter().any(|output| output.reg == port.reg);
        if !passed && !own.iter().flat_map(Slot::insts).any(|inst| reads(inst, port.reg)) {
            let message = format!("{kind} r{} is never read", port.reg.index);
            problems.push(Diagnostic::warning(&UNUSED_INPUT, message).at(place(port.span, end)));
        }
    }
}

/// Where a port is declared; in a binary nowhere, so where the program ends.
fn place(declared: Span, end: Span) -> Span {
    if declared == Span::default() { end } else { declared }
}

fn components_of(reg: Reg, components: Mask, all: Mask) -> String {
    if components == all { format!("r{}", reg.index) } else { format!("r{}.{components}", reg.index) }
}

fn written(lowered: &Lowered, reg: Reg) -> Mask {
    let writes = lowered.steps.iter().flat_map(|step| &step.writes);
    Mask(writes.filter(|write| write.0 == reg).fold(0, |mask, write| mask | write.2.0))
}

fn reads(inst: &Inst, reg: Reg) -> bool {
    inst.reads().any(|(_, operand)| operand.immediates.is_empty() && operand.reg == reg)
}

fn overwritten_inputs(
    interface: &Interface,
    outputs: &[Port],
    own: &[Slot],
    lowered: &Lowered,
    problems: &mut Vec<Diagnostic>,
) {
    for (index, port) in interface.inputs.iter().enumerate() {
        // An input that is an output, too, is there to be changed.
        if outputs.iter().any(|output| output.reg == port.reg) {
            continue;
        }
        let write = lowered.steps.iter().find_map(|step| {
            let write = step.writes.iter().find(|write| write.0 == port.reg)?;
            Some((own[step.slot].span, write.2))
        });
        let Some((span, components)) = write else { continue };
        let message = format!("input r{} is overwritten", port.reg.index);
        let mut problem = Diagnostic::warning(&INPUT_OVERWRITTEN, message).at(span);
        if interface.stage == Stage::Fragment && index == 0 && components.has(2) {
            problem = problem.note("z of the position is the depth that is tested and stored");
        }
        problems.push(problem.help("write to another register"));
    }
}

/// What keeps a fragment shader from taking what a vertex shader gives.
pub fn check_pair(vertex: &Program, fragment: &Program) -> Vec<Diagnostic> {
    let (Some(vertex), Some(fragment)) = (&vertex.interface, &fragment.interface) else { return Vec::new() };
    let mut problems = Vec::new();
    let mut mismatch = |message: String, inside: Option<&Port>, given: Option<&Port>| {
        let places = [(inside, "taken here"), (given, "given here")];
        let places = places.into_iter().filter_map(|(port, text)| Some((port?.span, text)));
        let problem = Diagnostic::error(&INTERFACE_MISMATCH, message);
        problems.push(places.fold(problem, |problem, (span, text)| problem.label(span, text)));
    };
    if vertex.stage != Stage::Vertex || fragment.stage != Stage::Fragment {
        let message = "a draw needs a vertex shader and a fragment shader, in this order".to_owned();
        mismatch(message, fragment.inputs.first(), vertex.outputs.first());
        return problems;
    }
    let (given, taken) = (vertex.outputs.as_slice(), fragment.inputs.as_slice());
    if given.len() != taken.len() {
        let message = format!(
            "the vertex shader has {}, the fragment shader {}",
            counted(given.len(), "output"),
            counted(taken.len(), "input")
        );
        mismatch(message, taken.last(), given.last());
    }
    for (index, (given, taken)) in given.iter().zip(taken).enumerate().skip(1) {
        if given.components != taken.components {
            let message = format!(
                "attribute {index} has {} in the vertex shader and {} in the fragment shader",
                counted(given.components, "component"),
                taken.components
            );
            mismatch(message, Some(taken), Some(given));
        }
    }
    problems
}
