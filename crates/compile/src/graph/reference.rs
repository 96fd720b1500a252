//! What a graph computes, instruction by instruction: what programs that are made of it are compared with.

use crate::graph::{Code, Source};
use gpuzoo_ir::{Builder, Function, Inst, Pick, Value};
use gpuzoo_isa::{FileKind, Isa, Mask, Operand, Profile, Program, Reg, Slot, Swizzle};
use gpuzoo_machine::target::slots::Slots;
use rustc_hash::FxHashMap as HashMap;

/// Inputs from this number on stand for what instructions read of temporaries, and of the address register.
const STANDS: u16 = 1 << 14;

/// The graph as a function, with inputs, uniforms and outputs numbered as registers are. Each instruction is what it is when it is
/// lowered alone. None if an instruction is none of the machine's.
pub fn reference(isa: &Isa, slots: &dyn Slots, code: &Code, profile: Profile) -> Option<Function> {
    let temporaries: Vec<Reg> = isa
        .regs(|kind| matches!(kind, FileKind::Temporary(_)))
        .filter(|reg| isa.address != Some(*reg))
        .take(crate::graph::shape::SOURCES)
        .collect();
    let spare = isa.regs(|kind| matches!(kind, FileKind::Output(_))).next()?;
    let mut program = Program::default();
    for node in &code.nodes {
        let sources: Vec<Operand> = node
            .sources
            .iter()
            .zip(&temporaries)
            .map(|(source, reg)| match source.is_temporary() {
                true => Operand { reg: *reg, swizzle: Swizzle::IDENTITY, ..source.operand },
                false => source.operand,
            })
            .collect();
        // The address register is written by what writes nothing else.
        let reg = node.place.map(|place| place.reg).filter(|reg| isa.address == Some(*reg)).unwrap_or(spare);
        let inst = slots.statement(node.name, Operand { mask: Mask::ALL, ..Operand::of(reg) }, &sources)?;
        program.slots.push(Slot { bits: isa.filler, inst: Some(inst), paired: None, span: node.span });
    }
    let given: Vec<Reg> = temporaries.iter().copied().chain(isa.address).collect();
    let lowered = isa.lower_from(&program, profile, |lower| {
        for (number, reg) in (STANDS..).zip(&given) {
            let value = lower.b.input(number);
            lower.start(*reg, value, Mask::ALL);
        }
    });
    let mut build =
        Build { b: Builder::default(), now: HashMap::default(), values: vec![None; code.values.len()] };
    let mut insts = lowered.function.insts.iter().zip(&lowered.function.origins).enumerate().peekable();
    let mut renamed: Vec<Value> = Vec::with_capacity(lowered.function.insts.len());
    let mut address = build.b.constant([0; 4]);
    for (slot, node) in code.nodes.iter().enumerate() {
        let read: Vec<Value> = node.sources.iter().map(|source| build.source(source)).collect();
        while let Some((_, (inst, _))) =
            insts.next_if(|(_, (_, origin))| origin.is_none_or(|origin| origin as usize <= slot))
        {
            let stand = |renamed: &[Value], value: Value| match lowered.function.insts[value.index()] {
                Inst::Input(number) if number >= STANDS => {
                    let at = usize::from(number - STANDS);
                    if at < temporaries.len() { read.get(at).copied() } else { Some(address) }
                }
                _ => renamed.get(value.index()).copied(),
            };
            let missing = Value(0);
            let inst = match inst.map_operands(|operand| stand(&renamed, operand).unwrap_or(missing)) {
                Inst::Input(number) if number >= STANDS => Inst::Const([0; 4]),
                inst => inst,
            };
            renamed.push(build.b.push(inst));
        }
        let step = lowered.steps.iter().find(|step| step.slot == slot)?;
        let (reg, value, _) = step.writes.first()?;
        let result = match lowered.function.insts[value.index()] {
            Inst::Input(number) if number >= STANDS => *read.get(usize::from(number - STANDS))?,
            _ => *renamed.get(value.index())?,
        };
        if isa.address == Some(*reg) {
            address = result;
            continue;
        }
        for (component, own) in (0..).zip(node.results) {
            if let Some(own) = own {
                build.values[own.index()] = Some((result, component));
            }
        }
        if let Some(place) = &node.place {
            build.write(isa, place.reg, result, place.from);
        }
    }
    for reg in isa.regs(|kind| matches!(kind, FileKind::Output(_))) {
        let value = build.place(isa, reg);
        build.b.output(reg.index, value);
    }
    Some(build.b.finish())
}

struct Build {
    b: Builder,
    /// What outputs hold.
    now: HashMap<Reg, Value>,
    /// What the graph's values are: a component of a value.
    values: Vec<Option<(Value, u8)>>,
}

impl Build {
    /// What a source reads of temporaries, at its places.
    fn source(&mut self, source: &Source) -> Value {
        let mut all = self.b.constant([0; 4]);
        for (place, value) in (0..4u8).zip(source.values) {
            let Some((value, component)) = value.and_then(|value| self.values[value.index()]) else {
                continue;
            };
            let picks = [0, 1, 2, 3].map(|at| if at == place { Pick::B(component) } else { Pick::A(at) });
            all = self.b.shuffle(all, value, picks);
        }
        all
    }

    fn place(&mut self, isa: &Isa, reg: Reg) -> Value {
        let FileKind::Output(start) = isa.file(reg).kind else { return self.b.constant([0; 4]) };
        match self.now.get(&reg) {
            Some(value) => *value,
            None => self.b.constant(start),
        }
    }

    fn write(&mut self, isa: &Isa, reg: Reg, value: Value, from: [Option<u8>; 4]) {
        let before = self.place(isa, reg);
        let mut at = 0;
        let picks = from.map(|from| {
            at += 1;
            from.map_or(Pick::A(at - 1), Pick::B)
        });
        let after = self.b.shuffle(before, value, picks);
        self.now.insert(reg, after);
    }
}
