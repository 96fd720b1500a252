//! What whole programs mean: which stage they are for, where they fail, their IR and their cost (spec sections B and E).

use crate::encoding::illegal_operand;
use crate::ops::{EXC, KIL, TEX, TXF, ZTS};
use crate::regs::{COLOR, DEPTH, END_OUTPUT, FIRST_OUTPUT, INPUTS, LEFT, P, TESTED, U, p};
use crate::rules::{EXCEPTION, ILLEGAL};
use crate::{ISA, PROFILE};
use gpuzoo_diag::{Code, Diagnostic};
use gpuzoo_ir::Value;
use gpuzoo_isa::{Bits, Inst, Interface, Lower, Lowered, Mask, Operand, Program, Reg, Slot, Stage};
use gpuzoo_machine::{Cost, RunState};

/// The stage that a program is for: what its text says, or else fragments if there is an instruction that only they
/// can use: `KIL`, `ZTS` or a texture read.
pub fn stage(program: &Program) -> Stage {
    if let Some(interface) = &program.interface {
        return interface.stage;
    }
    inferred(program)
}

/// The stage that the instructions tell.
pub fn inferred(program: &Program) -> Stage {
    let only_fragments = |inst: &Inst| matches!(inst.op.code, KIL | ZTS) || reads_texture(inst);
    match program.slots.iter().filter_map(|slot| slot.inst.as_ref()).any(only_fragments) {
        true => Stage::Fragment,
        false => Stage::Vertex,
    }
}

/// True for a texture read.
pub fn reads_texture(inst: &Inst) -> bool {
    (TEX..=TXF).contains(&inst.op.code)
}

/// Where and why a program fails: at its first `EXC` or illegal word. Nothing jumps, so every run that gets there fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The slot, which is the program counter.
    pub slot: usize,
    /// Its word.
    pub word: u64,
    /// What is illegal about it; none for `EXC`.
    pub illegal: Option<String>,
}

impl Fault {
    /// What is wrong, with program counter and word.
    pub fn message(&self) -> String {
        let Fault { slot, word, .. } = self;
        match &self.illegal {
            None => format!("`EXC` at pc {slot}, word {word:016x}"),
            Some(why) => format!("illegal instruction at pc {slot}, word {word:016x}: {why}"),
        }
    }

    /// The code of it.
    pub fn code(&self) -> &'static Code {
        if self.illegal.is_some() { &ILLEGAL } else { &EXCEPTION }
    }

    /// An error that says so.
    pub fn error(&self, program: &Program) -> Diagnostic {
        let problem = Diagnostic::error(self.code(), self.message());
        let place = program.slots.get(self.slot).map_or(program.span, |slot| slot.span);
        problem.label(place, "every run that gets here fails")
    }
}

/// The 64 bits of a slot.
pub fn word(slot: &Slot) -> u64 {
    let [low, high, ..] = slot.bits.words;
    u64::from(high) << 32 | u64::from(low)
}

/// Where a program of a stage fails.
pub fn fault(program: &Program, stage: Stage) -> Option<Fault> {
    let mut tested = false;
    for (index, slot) in program.slots.iter().enumerate() {
        let fault = |illegal| Some(Fault { slot: index, word: word(slot), illegal });
        match &slot.inst {
            Some(inst) if inst.op.code == EXC => return fault(None),
            Some(inst) if inst.op.code == ZTS && std::mem::replace(&mut tested, true) => {
                return fault(Some("a second `ZTS`".into()));
            }
            _ => {}
        }
        if let Some(why) = illegal(slot, stage) {
            return fault(Some(why));
        }
    }
    None
}

/// What is illegal about a slot (spec section B, items 12, 14, 19, 21 and 25), whatever stands before it.
pub fn illegal(slot: &Slot, stage: Stage) -> Option<String> {
    let Some(inst) = &slot.inst else { return Some("there is no opcode 31".into()) };
    if stage == Stage::Vertex && matches!(inst.op.code, KIL | ZTS) {
        return Some(format!("`{}` in a vertex program", inst.op.name));
    }
    let (part, operand, why) = illegal_operand(inst)?;
    let mut name = String::new();
    ISA.printer().operand(part, &Operand { mask: Mask::ALL, ..*operand }, &mut name);
    Some(format!("`{}` is {name}, {why}", part.name))
}

/// What a program means. Inputs 0 to 8 of the function are what P0 to P8 start with. Its outputs are P9 to P15 after a
/// vertex; after a fragment P9, and P10 and what `ZTS` noted where the program writes them. A failing run ends with a kill
/// and leaves zeros.
pub fn lowered(program: &Program, stage: Stage) -> Lowered {
    lowered_in(program, stage, &PROFILE.into())
}

/// As [`lowered`], where registers other than the inputs may hold something at first.
pub fn lowered_in(program: &Program, stage: Stage, run_state: &RunState) -> Lowered {
    let mut slots = program.slots.clone();
    let fault = fault(program, stage);
    if let Some(fault) = &fault {
        // An illegal word does what `EXC` does, whose word is 0.
        slots.truncate(fault.slot);
        slots.push(ISA.slot(Bits::default(), program.span));
    }
    let interface = Some(Interface { stage, ..Interface::default() });
    let (pokes, host) = (program.pokes.clone(), program.host.clone());
    let legal = Program { slots, interface, pokes, host, ..Program::default() };
    let mut lowered = ISA.lower_from(&legal, PROFILE, |lower| {
        run_state.begin(lower);
        place_inputs(lower);
    });
    let writes = |reg: Reg| lowered.steps.iter().flat_map(|step| &step.writes).any(|write| write.0 == reg);
    let leaves = |index: u16| match stage {
        Stage::Vertex => true,
        Stage::Fragment => index == COLOR.index || index == DEPTH.index && writes(DEPTH),
    };
    let left = (FIRST_OUTPUT..END_OUTPUT).filter(|index| leaves(*index)).map(p);
    let mut outputs: Vec<(Reg, Value)> = left
        .chain(writes(TESTED).then_some(TESTED))
        .filter_map(|reg| Some((reg, lowered.last(reg)?)))
        .collect();
    if fault.is_some() {
        let start =
            |reg: Reg| lowered.initial.iter().find(|(known, _)| *known == reg).map(|(_, value)| *value);
        outputs.iter_mut().for_each(|(reg, value)| *value = start(*reg).unwrap_or(*value));
    }
    lowered.unwritten_outputs = outputs.iter().filter_map(|(reg, _)| unwritten(&lowered, *reg)).collect();
    lowered.initial.retain(|(reg, _)| reg.file != LEFT);
    lowered.function.outputs = outputs.iter().map(|(reg, value)| (reg.index, *value)).collect();
    lowered
}

fn place_inputs(l: &mut Lower) {
    for index in 0..INPUTS {
        let value = l.b.input(index);
        l.start(p(index), value, Mask::ALL);
    }
}

/// An output's lanes that no instruction writes.
fn unwritten(lowered: &Lowered, reg: Reg) -> Option<(Reg, Mask)> {
    let writes = lowered.steps.iter().flat_map(|step| &step.writes).filter(|write| write.0 == reg);
    let lanes = Mask::ALL.without(Mask(writes.fold(0, |lanes, write| lanes | write.2.0)));
    (!lanes.is_empty()).then_some((reg, lanes))
}

/// The cycles that an instruction takes: its file of uniforms, and that of shared registers, give one register a cycle
/// (spec section E). Reading one twice is reading it once.
pub fn cycles(inst: &Inst) -> usize {
    different(inst, U).len().max(different(inst, P).len()).max(1)
}

/// Those of a slot; an illegal word takes one.
pub fn slot_cycles(slot: &Slot) -> u64 {
    slot.inst.as_ref().map_or(1, cycles) as u64
}

/// The registers of a file that an instruction reads, each once.
pub fn different(inst: &Inst, file: u8) -> Vec<Reg> {
    let mut regs: Vec<Reg> = Vec::new();
    for (_, operand) in inst.reads() {
        if operand.immediates.is_empty() && operand.reg.file == file && !regs.contains(&operand.reg) {
            regs.push(operand.reg);
        }
    }
    regs
}

/// What a program costs.
pub fn costs(program: &Program) -> Vec<Cost> {
    let executed = fault(program, stage(program)).map_or(program.slots.len(), |fault| fault.slot + 1);
    let slots = &program.slots[..executed.min(program.slots.len())];
    let cycles: u64 = slots.iter().map(slot_cycles).sum();
    vec![
        Cost {
            name: "instructions executed",
            per_run: slots.len() as u64,
            frame_budget: None,
            note: "up to and including one that fails",
        },
        Cost {
            name: "issue cycles",
            per_run: cycles,
            frame_budget: None,
            note: "one for each instruction, more where it reads several uniforms or several shared registers; the \
                   document says nothing of latency",
        },
    ]
}
