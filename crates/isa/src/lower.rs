//! Lowering: running the rows' lowering functions over a program, which gives IR and the state after every slot.

use crate::interface::{Interface, Stage};
use crate::isa::{FileKind, Isa};
use crate::operand::{Mask, Operand, Reg};
use crate::program::{Poke, Program};
use gpuzoo_ir::{self as ir, Builder, Function, Op1, Op2, Op3, Value, Vec4};
use std::ops::Range;

/// What an instruction changed: the registers it wrote and their values after it. A slot without one is a step, too.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Step {
    /// The slot's index in the program.
    pub slot: usize,
    /// Which of the slot's instructions it is: 0, or 1 for the paired one. Both read what there was before the slot.
    pub part: u8,
    /// Each register written, with its whole new value and the components that were written.
    pub writes: Vec<(Reg, Value, Mask)>,
}

/// A read of register components that nothing has written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UndefinedRead {
    /// The slot that reads.
    pub slot: usize,
    /// The instruction of the slot, as in [`Step::part`].
    pub part: u8,
    /// The register.
    pub reg: Reg,
    /// The components read before any write.
    pub components: Mask,
}

/// A read of a register. What a register holds is what it held before the slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegRead {
    /// The slot that reads.
    pub slot: usize,
    /// The instruction of the slot, as in [`Step::part`].
    pub part: u8,
    /// The register; of a read at a computed number, the one that is meant when the address register is 0.
    pub reg: Reg,
    /// The components that are used.
    pub components: Mask,
    /// What the read gives.
    pub value: Value,
    /// Of a read at a computed number, the value of the address register, whose x component is added.
    pub index: Option<Value>,
}

/// A value that a register got between two steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Poked {
    /// The step before which it got it.
    pub step: usize,
    /// The register.
    pub reg: Reg,
    /// The components that were poked.
    pub components: Mask,
    /// The register's whole value after it.
    pub value: Value,
}

/// A program as IR, with what was noticed on the way.
#[derive(Clone, Debug, Default)]
pub struct Lowered {
    /// The meaning. Its inputs, uniforms and outputs have the numbers of the registers of those files.
    pub function: Function,
    /// The stage that it was lowered for.
    pub stage: Stage,
    /// What each executed instruction changed, in order of execution.
    pub steps: Vec<Step>,
    /// What the slots read, in order of execution.
    pub reads: Vec<RegRead>,
    /// The value before the first slot of every temporary and output register, and of each uniform that the program
    /// writes.
    pub initial: Vec<(Reg, Value)>,
    /// The registers that were given a value before the first slot, instead of the one that they start with.
    pub given: Vec<Reg>,
    /// What [`Program::pokes`] put into registers, in order.
    pub pokes: Vec<Poked>,
    /// Reads of components that were never written.
    pub undefined_reads: Vec<UndefinedRead>,
    /// For each output register the components that were never written.
    pub unwritten_outputs: Vec<(Reg, Mask)>,
    /// Reads of registers at a computed number.
    pub relative_reads: Vec<RelativeRead>,
    /// Uniforms that the program writes, with their last values.
    pub constant_writes: Vec<(Reg, Value)>,
    /// The slot that ended the program; none if it ran past the last one.
    pub end: Option<usize>,
    /// Constants of the function that an instruction has as integers, with their components.
    pub integer_literals: Vec<(Value, Mask)>,
}

/// What an output of [`Lowered::function`] is. The IR knows it by a number.
///
/// ```
/// use gpuzoo_isa::Output;
/// assert_eq!(Output::of(3), Output::Register(3));
/// assert_eq!(Output::of(Output::Constant(96).number()), Output::Constant(96));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// An output register, by its number.
    Register(u16),
    /// A value that somebody watches, and that is not a result of the program.
    Watch(u16),
    /// A constant that the program writes, by its number; it counts for the next vertex.
    Constant(u16),
}

impl Output {
    /// How many registers, watched values or constants there can be.
    pub const MOST: u16 = 0x4000;

    /// The output of a number.
    pub const fn of(number: u16) -> Output {
        match number / Output::MOST {
            0 => Output::Register(number),
            1 => Output::Watch(number - Output::MOST),
            _ => Output::Constant(number - 2 * Output::MOST),
        }
    }

    /// Its number; those of registers come first, those of constants last.
    pub const fn number(self) -> u16 {
        match self {
            Output::Register(index) => index,
            Output::Watch(index) => Output::MOST + index,
            Output::Constant(index) => 2 * Output::MOST + index,
        }
    }
}

/// A read of a register at a computed number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelativeRead {
    /// The slot that reads.
    pub slot: usize,
    /// The register that is meant when the address register is 0.
    pub base: Reg,
    /// The value of the address register, whose x component is added.
    pub index: Value,
    /// The numbers of the registers that such a read gets; zeros for all others.
    pub reach: Range<u16>,
}

impl Lowered {
    /// The first slot of a program that reads what an instruction of its function gives: an input, a uniform or a texture.
    /// The register that the slot names may be filled from it before, by the machine or by the assembler's own
    /// instructions.
    pub fn first_use(&self, program: &Program, of: impl Fn(&ir::Inst) -> bool) -> Option<usize> {
        let internal = |slot: usize| {
            let mut insts = program.slots.get(slot).into_iter().flat_map(|slot| slot.insts());
            insts.any(|inst| inst.op.internal)
        };
        let Function { insts, origins, .. } = &self.function;
        let mut given = vec![false; insts.len()];
        for (index, (inst, origin)) in insts.iter().zip(origins).enumerate() {
            let slot = origin.map(|slot| slot as usize).filter(|slot| !internal(*slot));
            match slot {
                // A texture is read where the value is made.
                Some(slot) if of(inst) => return Some(slot),
                Some(_) => {}
                None => given[index] = of(inst) || inst.operands().any(|value| given[value.index()]),
            }
        }
        let is_given = |read: &&RegRead| given.get(read.value.index()) == Some(&true) && !internal(read.slot);
        self.reads.iter().find(is_given).map(|read| read.slot)
    }

    /// The value after the last slot of a register that [`initial`](Lowered::initial) or a step has.
    pub fn last(&self, reg: Reg) -> Option<Value> {
        let writes = self.steps.iter().rev().flat_map(|step| &step.writes);
        let mut values = writes.map(|&(reg, value, _)| (reg, value)).chain(self.initial.iter().copied());
        values.find(|(known, _)| *known == reg).map(|(_, value)| value)
    }
}

/// One of a machine's numeric profiles, by its place in the machine's list of them. The default is the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Profile(pub u8);

/// Where a row's lowering function reads operands and writes results.
///
/// All reads of a slot see the state before it: writes take effect when the slot is done.
pub struct Lower<'a> {
    /// The IR under construction.
    pub b: Builder,
    /// The machine's profile, for rows that mean different things in different ones.
    pub profile: Profile,
    /// What the program says that it takes and gives, for rows that do it.
    pub interface: Option<&'a Interface>,
    /// The first register that a read at a computed number gets: 0, unless the machine's state hides some.
    pub first_reached: u16,
    /// The program's own way from some constants to others, and its values, once one was asked for.
    host: Option<&'a Function>,
    host_values: Vec<Value>,
    isa: &'a Isa,
    slot: usize,
    part: u8,
    /// For each file, for each register, its value and the components that were written.
    state: Vec<Vec<Cell>>,
    /// What the slot writes, each with the part that does; of none it is a poke.
    pending: Vec<(Option<u8>, Write)>,
    lowered: Lowered,
    /// How many instructions, reads and undefined reads there were before this part of the slot.
    before: [usize; 3],
}

/// A register, its new value, and the components that are written.
type Write = (Reg, Value, Mask);

/// A register while lowering: its value, once it has been asked for, and the components written so far.
#[derive(Clone, Copy)]
struct Cell {
    value: Option<Value>,
    written: Mask,
}

impl<'a> Lower<'a> {
    /// The value of a source operand that is a register: swizzled, then made positive, then negated. All four components
    /// count as read.
    pub fn read(&mut self, operand: &Operand) -> Value {
        self.read_components(operand, Mask::ALL)
    }

    /// As [`read`](Lower::read), where only the components in `wanted` of the result are used.
    pub fn read_components(&mut self, operand: &Operand, wanted: Mask) -> Value {
        let value = if operand.relative {
            self.relative(operand.reg, operand.swizzle.reads(wanted))
        } else {
            self.reg_components(operand.reg, operand.swizzle.reads(wanted))
        };
        let value = self.b.swizzle(value, operand.swizzle.components());
        let value = if operand.abs { self.b.map1(Op1::FAbs, value) } else { value };
        if operand.negate { self.b.map1(Op1::FNeg, value) } else { value }
    }

    /// The register that lies the address register's x component further than `base`; zeros beyond its file.
    fn relative(&mut self, base: Reg, components: Mask) -> Value {
        let index = self.isa.address.map(|address| self.reg_components(address, Mask(1)));
        let index = index.unwrap_or_else(|| self.b.constant([0; 4]));
        let count = self.isa.file(base).count;
        let reach = self.first_reached..count;
        self.lowered.relative_reads.push(RelativeRead { slot: self.slot, base, index, reach });
        let mut value = self.b.push(ir::Inst::UniformAt { index, base: i32::from(base.index), count });
        // What the program has written itself is not in the uniforms yet.
        for number in 0..count {
            let Cell { value: Some(own), written } = *self.cell(Reg { index: number, ..base }) else {
                continue;
            };
            if !written.is_empty() {
                let distance = i32::from(number) - i32::from(base.index);
                let (here, at) = (self.b.constant([distance as u32; 4]), self.b.swizzle(index, [0; 4]));
                let difference = self.b.map2(Op2::IXor, at, here);
                value = self.b.map3(Op3::ISelect, difference, own, value);
            }
        }
        let value = if self.first_reached == 0 { value } else { self.hide(value, base, index) };
        self.note_read(base, components, value, Some(index));
        value
    }

    /// Zeros for registers before the first that can be reached.
    fn hide(&mut self, value: Value, base: Reg, index: Value) -> Value {
        let distance = i32::from(base.index) - i32::from(self.first_reached);
        let (distance, at) = (self.b.constant([distance as u32; 4]), self.b.swizzle(index, [0; 4]));
        // Where this sum wraps, the register is none at all, and the value is zeros already.
        let beyond = self.b.map2(Op2::IAdd, at, distance);
        let (minus_one, zero) = (self.b.constant([u32::MAX; 4]), self.b.constant([0; 4]));
        let sign = self.b.map2(Op2::IMax, beyond, minus_one);
        let sign = self.b.map2(Op2::IMin, sign, zero);
        self.b.map3(Op3::ISelect, sign, value, zero)
    }

    /// The value of a register of which all four components are used.
    pub fn reg(&mut self, reg: Reg) -> Value {
        self.reg_components(reg, Mask::ALL)
    }

    fn reg_components(&mut self, reg: Reg, components: Mask) -> Value {
        let unwritten = components.without(self.cell(reg).written);
        if matches!(self.isa.file(reg).kind, FileKind::Temporary(_)) && !unwritten.is_empty() {
            self.lowered.undefined_reads.push(UndefinedRead {
                slot: self.slot,
                part: self.part,
                reg,
                components: unwritten,
            });
        }
        let value = self.value(reg);
        self.note_read(reg, components, value, None);
        value
    }

    fn note_read(&mut self, reg: Reg, components: Mask, value: Value, index: Option<Value>) {
        self.lowered.reads.push(RegRead { slot: self.slot, part: self.part, reg, components, value, index });
    }

    /// The value of a register as it is, without counting as a read.
    fn value(&mut self, reg: Reg) -> Value {
        if let Some(value) = self.cell(reg).value {
            return value;
        }
        // The first touch decides what the register holds; it belongs to no slot.
        self.b.set_origin(None);
        let value = match self.isa.file(reg).kind {
            FileKind::Temporary(bits) | FileKind::Output(bits) => self.b.constant(bits),
            FileKind::Input => self.b.input(reg.index),
            FileKind::Constant => match self.computed(reg) {
                Some(value) => value,
                None => self.b.uniform(reg.index),
            },
        };
        self.b.set_origin(Some(self.slot as u32));
        self.cell(reg).value = Some(value);
        value
    }

    /// The value of a constant that the host computes.
    fn computed(&mut self, reg: Reg) -> Option<Value> {
        let host = self.host?;
        let (_, value) = *host.outputs.iter().find(|(number, _)| *number == reg.index)?;
        if self.host_values.is_empty() {
            for inst in &host.insts {
                let renamed = &self.host_values;
                let inst =
                    inst.map_operands(|operand| renamed.get(operand.index()).copied().unwrap_or(Value(0)));
                let value = self.b.push(inst);
                self.host_values.push(value);
            }
        }
        self.host_values.get(value.index()).copied()
    }

    /// Gives a register a value before the first slot; `written` are the components that count as written.
    pub fn start(&mut self, reg: Reg, value: Value, written: Mask) {
        self.lowered.given.push(reg);
        *self.cell(reg) = Cell { value: Some(value), written };
    }

    fn cell(&mut self, reg: Reg) -> &mut Cell {
        &mut self.state[reg.file as usize][reg.index as usize]
    }

    /// Writes a result to a destination operand, under its mask, when the slot is done.
    pub fn write(&mut self, operand: &Operand, value: Value) {
        if !operand.mask.is_empty() {
            self.pending.push((Some(self.part), (operand.reg, value, operand.mask)));
        }
    }

    /// A constant of integers: as [`Builder::constant`], with a type for whoever shows it.
    pub fn integers(&mut self, bits: Vec4) -> Value {
        let value = self.b.constant(bits);
        self.lowered.integer_literals.push((value, Mask::ALL));
        value
    }

    /// Ends the program after this slot.
    pub fn end(&mut self) {
        self.lowered.end = Some(self.slot);
    }

    /// A uniform that is written changes from something: what it was given, or what the vertex before left there.
    fn note_constant(&mut self, reg: Reg) {
        let uniform = self.isa.file(reg).kind == FileKind::Constant;
        if uniform && !self.lowered.initial.iter().any(|(known, _)| *known == reg) {
            let value = self.value(reg);
            self.lowered.initial.push((reg, value));
        }
    }

    /// Takes from the reads of this part of the slot the components that nothing of what it writes, or kills by, is computed from: a dot
    /// product of three reads no w, and under a mask only some components count.
    fn narrow_reads(&mut self) {
        let [first, reads, undefined] = self.before;
        let insts = &self.b.function().insts;
        let mut demands = vec![0u8; insts.len() - first];
        let mut outside: Vec<(Value, u8)> = Vec::new();
        let demand =
            |value: Value, mask: u8, demands: &mut Vec<u8>, outside: &mut Vec<(Value, u8)>| match value
                .index()
                .checked_sub(first)
            {
                Some(own) => demands[own] |= mask,
                None => match outside.iter_mut().find(|(known, _)| *known == value) {
                    Some((_, known)) => *known |= mask,
                    None => outside.push((value, mask)),
                },
            };
        let own = self.pending.iter().filter(|(part, _)| *part == Some(self.part));
        for &(_, (_, value, mask)) in own {
            demand(value, mask.0, &mut demands, &mut outside);
        }
        for (own, inst) in insts[first..].iter().enumerate().rev() {
            let mask = if inst.has_effect() { Mask::ALL.0 } else { demands[own] };
            inst.reads(mask, |value, mask| demand(value, mask, &mut demands, &mut outside));
        }
        // What is used in no way that is seen here counts as it was asked for.
        let narrowed = |value: Value, components: Mask| {
            let mask = match value.index().checked_sub(first) {
                Some(own) => demands[own],
                None => outside.iter().find(|(known, _)| *known == value).map_or(0, |(_, mask)| *mask),
            };
            if mask == 0 { components } else { Mask(components.0 & mask) }
        };
        for read in &mut self.lowered.reads[reads..] {
            read.components = narrowed(read.value, read.components);
        }
        for read in &mut self.lowered.undefined_reads[undefined..] {
            let cell = &self.state[read.reg.file as usize][read.reg.index as usize];
            read.components = cell.value.map_or(read.components, |value| narrowed(value, read.components));
        }
        let kept = |components: &Mask| !components.is_empty();
        keep_from(&mut self.lowered.reads, reads, |read| kept(&read.components));
        keep_from(&mut self.lowered.undefined_reads, undefined, |read| kept(&read.components));
    }

    /// Ends a part of the slot. What it writes waits for the slot's end, since the next part reads what there was before.
    fn end_part(&mut self) {
        self.narrow_reads();
        self.count();
    }

    fn count(&mut self) {
        let Lowered { reads, undefined_reads, .. } = &self.lowered;
        self.before = [self.b.function().insts.len(), reads.len(), undefined_reads.len()];
    }

    /// Lets the writes of the slot take effect: a step for each part.
    fn commit(&mut self, parts: u8) {
        let first = self.lowered.steps.len();
        self.lowered.steps.extend((0..parts).map(|part| Step { slot: self.slot, part, ..Step::default() }));
        for (part, (reg, value, mask)) in std::mem::take(&mut self.pending) {
            let merged = self.set(reg, value, mask);
            let Some(part) = part else {
                // Pokes before a slot are done at once: this one is before its second part.
                self.lowered.pokes.push(Poked { step: first + 1, reg, components: mask, value: merged });
                continue;
            };
            let writes = &mut self.lowered.steps[first + usize::from(part)].writes;
            match writes.iter_mut().find(|write| write.0 == reg) {
                Some(write) => *write = (reg, merged, Mask(write.2.0 | mask.0)),
                None => writes.push((reg, merged, mask)),
            }
        }
        self.count();
    }

    /// Gives components of a register a value; returns the whole one.
    fn set(&mut self, reg: Reg, value: Value, mask: Mask) -> Value {
        self.note_constant(reg);
        let merged = match mask {
            Mask::ALL => value,
            mask => {
                let old = self.value(reg);
                self.b.merge(old, value, mask.0)
            }
        };
        let cell = self.cell(reg);
        cell.value = Some(merged);
        cell.written = Mask(cell.written.0 | mask.0);
        merged
    }

    /// Puts into registers what the program's pokes say for before the next part, which is the slot's first or second.
    fn poke(&mut self, pokes: &[Poke], part: u8) {
        let step = self.lowered.steps.len() + usize::from(part);
        for poke in pokes.iter().filter(|poke| poke.step == step) {
            // An input, too, has a value before it.
            if !self.lowered.initial.iter().any(|(known, _)| *known == poke.reg) {
                let before = self.value(poke.reg);
                self.lowered.initial.push((poke.reg, before));
            }
            let value = self.b.constant(poke.bits);
            if !poke.integers.is_empty() {
                self.lowered.integer_literals.push((value, poke.integers));
            }
            if part > 0 {
                self.pending.push((None, (poke.reg, value, poke.components)));
                continue;
            }
            let merged = self.set(poke.reg, value, poke.components);
            let (reg, components) = (poke.reg, poke.components);
            self.lowered.pokes.push(Poked { step, reg, components, value: merged });
        }
        self.count();
    }
}

/// `retain`, for what comes from a place on, without going through what is before it.
fn keep_from<T>(list: &mut Vec<T>, from: usize, keep: impl Fn(&T) -> bool) {
    let mut end = from;
    for index in from..list.len() {
        if keep(&list[index]) {
            list.swap(end, index);
            end += 1;
        }
    }
    list.truncate(end);
}

impl Isa {
    /// The meaning of a program: slots in order until one ends it. Opcodes that are not in the table do nothing.
    ///
    /// `preset` gives registers a value before the first slot; they count as written.
    pub fn lower(&self, program: &Program, profile: Profile, preset: &[(Reg, Vec4)]) -> Lowered {
        self.lower_from(program, profile, |lower| {
            for &(reg, bits) in preset {
                let value = lower.b.constant(bits);
                lower.start(reg, value, Mask::ALL);
            }
        })
    }

    /// As [`lower`](Isa::lower), where `begin` gives registers their values before the first slot
    /// ([`Lower::start`]), as IR.
    pub fn lower_from(&self, program: &Program, profile: Profile, begin: impl FnOnce(&mut Lower)) -> Lowered {
        let untouched = Cell { value: None, written: Mask(0) };
        let state = self.files.iter().map(|file| vec![untouched; file.count as usize]);
        let mut lower = Lower {
            b: Builder::default(),
            profile,
            interface: program.interface.as_ref(),
            first_reached: 0,
            host: program.host.as_deref(),
            host_values: Vec::new(),
            isa: self,
            slot: 0,
            part: 0,
            state: state.collect(),
            pending: Vec::new(),
            lowered: Lowered::default(),
            before: [0; 3],
        };
        begin(&mut lower);
        // What is set up before the first slot is read by none.
        lower.lowered.reads.clear();
        lower.lowered.stage = lower.interface.map_or(Stage::default(), |interface| interface.stage);
        let changing = |kind| matches!(kind, FileKind::Temporary(_) | FileKind::Output(_));
        for reg in self.regs(changing) {
            let value = lower.value(reg);
            lower.lowered.initial.push((reg, value));
        }
        for (index, slot) in program.slots.iter().enumerate() {
            lower.slot = index;
            lower.b.set_origin(Some(index as u32));
            lower.poke(&program.pokes, 0);
            for (part, inst) in (0..).zip(slot.insts()) {
                lower.part = part;
                if part > 0 {
                    lower.poke(&program.pokes, part);
                }
                (inst.op.lower)(&mut lower, inst);
                lower.end_part();
            }
            lower.commit((slot.insts().count() as u8).max(1));
            if lower.lowered.end.is_some() {
                break;
            }
        }
        lower.poke(&program.pokes, 0);
        for reg in self.regs(|kind| matches!(kind, FileKind::Output(_))) {
            let value = lower.value(reg);
            lower.b.output(reg.index, value);
            let unwritten = Mask::ALL.without(lower.cell(reg).written);
            if !unwritten.is_empty() {
                lower.lowered.unwritten_outputs.push((reg, unwritten));
            }
        }
        for reg in self.regs(|kind| kind == FileKind::Constant) {
            let Cell { value, written } = *lower.cell(reg);
            if let Some(value) = value.filter(|_| !written.is_empty()) {
                lower.lowered.constant_writes.push((reg, value));
                lower.b.output(Output::Constant(reg.index).number(), value);
            }
        }
        Lowered { function: lower.b.finish(), ..lower.lowered }
    }
}
