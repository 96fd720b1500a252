//! Lowering: the place where a row's lowering function reads operands and writes results, which gives IR.

use crate::files::{FileKind, RegFile};
use crate::interface::Interface;
use crate::lowered::{Lowered, Poke, Poked, RegRead, RelativeRead, Step, UndefinedRead};
use crate::operand::{Mask, Operand, Reg};
use gpuzoo_ir::{self as ir, Builder, Function, Op1, Op2, Op3, Value, Vec4};

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
    pub(crate) host: Option<&'a Function>,
    host_values: Vec<Value>,
    files: &'static [RegFile],
    /// The register whose x component reads at a computed number add to theirs.
    address: Option<Reg>,
    pub(crate) slot: usize,
    pub(crate) part: u8,
    /// For each file, for each register, its value and the components that were written.
    state: Vec<Vec<Cell>>,
    /// What the slot writes, each with the part that does; of none it is a poke.
    pending: Vec<(Option<u8>, Write)>,
    pub(crate) lowered: Lowered,
    /// How many instructions, reads and undefined reads there were before this part of the slot.
    before: [usize; 3],
}

/// A register, its new value, and the components that are written.
type Write = (Reg, Value, Mask);

/// A register while lowering: its value, once it has been asked for, and the components written so far.
#[derive(Clone, Copy)]
pub(crate) struct Cell {
    pub value: Option<Value>,
    pub written: Mask,
}

impl Lower<'_> {
    /// Before the first slot of a program for a machine with these register files.
    pub(crate) fn new(files: &'static [RegFile], address: Option<Reg>, profile: Profile) -> Self {
        let untouched = Cell { value: None, written: Mask(0) };
        Lower {
            b: Builder::default(),
            profile,
            interface: None,
            first_reached: 0,
            host: None,
            host_values: Vec::new(),
            files,
            address,
            slot: 0,
            part: 0,
            state: files.iter().map(|file| vec![untouched; file.count as usize]).collect(),
            pending: Vec::new(),
            lowered: Lowered::default(),
            before: [0; 3],
        }
    }

    fn file(&self, reg: Reg) -> &'static RegFile {
        &self.files[reg.file as usize]
    }

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
        let index = self.address.map(|address| self.reg_components(address, Mask(1)));
        let index = index.unwrap_or_else(|| self.b.constant([0; 4]));
        let count = self.file(base).count;
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
        if matches!(self.file(reg).kind, FileKind::Temporary(_)) && !unwritten.is_empty() {
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
    pub(crate) fn value(&mut self, reg: Reg) -> Value {
        if let Some(value) = self.cell(reg).value {
            return value;
        }
        // The first touch decides what the register holds; it belongs to no slot.
        self.b.set_origin(None);
        let value = match self.file(reg).kind {
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

    pub(crate) fn cell(&mut self, reg: Reg) -> &mut Cell {
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
        let uniform = self.file(reg).kind == FileKind::Constant;
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
    pub(crate) fn end_part(&mut self) {
        self.narrow_reads();
        self.count();
    }

    fn count(&mut self) {
        let Lowered { reads, undefined_reads, .. } = &self.lowered;
        self.before = [self.b.function().insts.len(), reads.len(), undefined_reads.len()];
    }

    /// Lets the writes of the slot take effect: a step for each part.
    pub(crate) fn commit(&mut self, parts: u8) {
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
    pub(crate) fn poke(&mut self, pokes: &[Poke], part: u8) {
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
