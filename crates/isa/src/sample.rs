//! Instructions made up from the rows: examples for the pages, random ones for tests and stimulus.

use crate::describe::legal;
use crate::files::FileKind;
use crate::isa::Isa;
use crate::op::Inst;
use crate::op::Op;
use crate::operand::{Mask, Operand, Reg, Swizzle};
use crate::operands::places;
use crate::part::{Choice, Kind, Part, SwizzleCode};
use crate::program::Slot;
use crate::syntax::{Letters, text};
use gpuzoo_diag::Span;
use std::collections::HashSet;

/// Numbers below what is asked for, for [`Isa::random`]: the same ones for the same seed (splitmix64).
pub fn numbers(mut seed: u64) -> impl FnMut(u32) -> u32 {
    move |end| {
        seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (seed ^ seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % u64::from(end.max(1))) as u32
    }
}

/// So many random instructions in a row that show nothing new end [`Isa::variations`]. One of 256 swizzles is missed by so many
/// once in ten million times; of the registers of a large file a few may be.
const MOST_IN_VAIN: u32 = 1 << 12;

impl Isa {
    /// An instruction of a row that is easy to read: the first kind of register for each operand, numbered in the
    /// order in which they are written.
    ///
    /// The pages of the reference and of `explain` print its text, and tests assemble and run it.
    pub fn example(&self, op: &'static Op) -> Inst {
        let mut inst = Inst::new(op);
        for (index, place) in places(op.parts).enumerate() {
            let operand = &mut inst.operands[place[0].operand as usize];
            match legal(&place[0]).next() {
                None => self.example_modifier(&place[0], operand),
                Some(choice) => *operand = self.example_operand(&place[0], choice, index as u16),
            }
            for part in &place[1..] {
                inst.operands[part.operand as usize] = Operand::absent();
            }
        }
        inst
    }

    /// The text of an instruction that names a register: the first row that can, as in its example; one that reads it,
    /// unless it is an output. None for registers that no text names.
    pub fn example_with(&self, reg: Reg) -> Option<String> {
        let ops = || self.ops().filter(|op| !op.internal);
        let all = || ops().flat_map(|op| places(op.parts).map(move |place| (op, place)));
        let is_output = matches!(self.file(reg).kind, FileKind::Output(_));
        let [usual, other] =
            [!is_output, is_output].map(|read| all().filter(move |(_, place)| place[0].is_read() == read));
        usual.chain(other).find_map(|(op, place)| {
            let (at, part, choice) = place.iter().enumerate().find_map(|(at, part)| {
                let choice = legal(part)
                    .find(|choice| choice.file() == Some(reg.file) && choice.is_number(reg.index))?;
                Some((at, part, choice))
            })?;
            self.numbers(reg.file, part.consecutive).find(|number| *number == reg.index)?;
            let mut inst = self.example(op);
            for other in place {
                inst.operands[other.operand as usize] = Operand::absent();
            }
            let operand = &mut inst.operands[place[at].operand as usize];
            *operand = Operand { reg, ..self.example_operand(part, choice, 0) };
            self.has_text(&inst).then(|| text(|out| self.print_inst(&inst, out)))
        })
    }

    fn example_operand(&self, part: &Part, choice: &Choice, index: u16) -> Operand {
        match choice.kind {
            Kind::Values(values) => Operand::of_values([values.sample]),
            Kind::Nothing => Operand::nothing(),
            Kind::Reg { file, .. } => {
                let free: Vec<u16> = self.numbers(file, part.consecutive).collect();
                let index = free.get(usize::from(index)).or(free.first()).copied().unwrap_or(0);
                let mut operand = Operand::of(Reg { file, index });
                self.example_modifier(part, &mut operand);
                operand
            }
        }
    }

    fn example_modifier(&self, part: &Part, operand: &mut Operand) {
        if part.choices.is_empty() && part.mask.is_some() {
            operand.mask = Mask(0b0111);
        }
        if part.scalar {
            operand.swizzle = Swizzle::broadcast(0);
        } else if part.swizzle.is_some() && self.syntax.letters == Letters::Four {
            operand.swizzle = Swizzle::of([3, 2, 1, 0]);
        }
    }

    /// The registers of a file that have as many behind them as an instruction reads, itself included.
    fn numbers(&self, file: u8, consecutive: u8) -> impl Iterator<Item = u16> + use<'_> {
        let file = &self.files[file as usize];
        let end = (file.count + 1).saturating_sub(u16::from(consecutive));
        (0..end).filter(|number| file.has(*number))
    }

    /// A random instruction of a row, one that has a text. `pick` gives a number below its argument.
    pub fn random(&self, op: &'static Op, pick: &mut dyn FnMut(u32) -> u32) -> Inst {
        // What two operands with bits in common say together may have no text: then it is tried again.
        let mut tries = (0..16).map(|_| self.random_once(op, pick));
        tries.find(|inst| self.has_text(inst)).unwrap_or_else(|| self.example(op))
    }

    /// A random slot with an instruction of a row: alone, or on machines whose slots have two halves, with one of the other
    /// half beside it. It is one that the assembler writes.
    pub fn random_slot(&self, op: &'static Op, pick: &mut dyn FnMut(u32) -> u32) -> Slot {
        let beside: Vec<&'static Op> = self.ops().filter(|other| other.half != op.half).collect();
        if !beside.is_empty() && pick(2) == 1 {
            for _ in 0..50 {
                let other = beside[pick(beside.len() as u32) as usize];
                let insts = [self.random(op, pick), self.random(other, pick)];
                let slot = self.slot(self.encode_all(insts.iter()), Span::default());
                // Two that share bits are what the bits say, which may be less than they were.
                let insts = [&slot.inst, &slot.paired].into_iter().flatten();
                let slot = self.slot(self.encode_all(insts), Span::default());
                if slot.insts().any(|inst| inst.op == op) && self.is_canonical(&slot) {
                    return slot;
                }
            }
        }
        self.slot(self.encode(&self.random(op, pick)), Span::default())
    }

    /// Instructions of a row in all ways to write their operands: each kind of register, swizzle, mask and sign that a part can have is
    /// in one of them at least, but not each together with every other.
    ///
    /// They are random ones, the same each time; kept are those that show something which none before them does.
    pub fn variations(&self, op: &'static Op) -> Vec<Inst> {
        let (mut pick, mut seen, mut all) = (numbers(u64::from(op.code)), HashSet::new(), Vec::new());
        let mut in_vain = 0;
        while in_vain < MOST_IN_VAIN {
            let inst = self.random(op, &mut pick);
            let before = seen.len();
            seen.extend((0..).zip(op.parts).flat_map(|(part, own)| {
                let operand = inst.operand(own);
                let Operand { reg, swizzle, mask, negate, abs, relative, immediates } = *operand;
                let number =
                    if immediates.is_empty() { reg.index } else { u16::MAX - immediates.len() as u16 };
                let signs = u32::from(negate) | u32::from(abs) << 1 | u32::from(relative) << 2;
                let all =
                    [u32::from(reg.file) << 16 | u32::from(number), swizzle.0.into(), mask.0.into(), signs];
                let is_there = inst.has(own);
                (0u8..).zip(all).filter(move |_| is_there).map(move |(aspect, value)| (part, aspect, value))
            }));
            in_vain = if seen.len() > before || all.is_empty() { 0 } else { in_vain + 1 };
            all.extend((in_vain == 0).then_some(inst));
        }
        all
    }

    fn random_once(&self, op: &'static Op, pick: &mut dyn FnMut(u32) -> u32) -> Inst {
        let mut inst = Inst::new(op);
        for place in places(op.parts) {
            let there = pick(place.len() as u32) as usize;
            for (index, part) in place.iter().enumerate() {
                let operand = &mut inst.operands[part.operand as usize];
                if index == there {
                    self.random_part(part, operand, pick);
                } else {
                    *operand = Operand::absent();
                }
            }
        }
        self.decode_as(op, &self.encode(&inst))
    }

    fn random_part(&self, part: &Part, operand: &mut Operand, pick: &mut dyn FnMut(u32) -> u32) {
        let choices: Vec<&Choice> = part.writable().collect();
        if let Some(choice) = choices.get(pick(choices.len().max(1) as u32) as usize) {
            match choice.kind {
                Kind::Values(values) => {
                    let count = 1 + pick(u32::from(values.most));
                    let fields = choice.fields.iter().take(count as usize);
                    *operand = Operand::of_values(fields.map(|field| {
                        let bits = pick(1 << 16) << 16 | pick(1 << 16);
                        let value = bits >> (32 - field.width.min(32));
                        if (values.print)(value).is_some() { value } else { values.sample }
                    }));
                    return;
                }
                Kind::Nothing => {
                    *operand = Operand::nothing();
                    return;
                }
                Kind::Reg { file, .. } => {
                    let all: Vec<u16> = self.numbers(file, 1).collect();
                    let index = all.get(pick(all.len().max(1) as u32) as usize).copied().unwrap_or(0);
                    operand.reg = Reg { file, index };
                    operand.relative = part.relative.is_some_and(|(_, of)| of == file) && pick(2) == 1;
                }
            }
        }
        if part.mask.is_some() {
            let none = part.choices.is_empty() || self.syntax.nothing.is_some();
            operand.mask = Mask(if none { pick(16) } else { 1 + pick(15) } as u8);
        }
        if let Some((_, code)) = part.swizzle {
            operand.swizzle = match code {
                _ if part.scalar => Swizzle::broadcast(pick(4) as u8),
                SwizzleCode::Listed(all) => all[pick(all.len() as u32) as usize],
                _ => Swizzle(pick(256) as u8),
            };
        }
        operand.negate = part.negate.is_some() && pick(2) == 1;
        operand.abs = part.abs.is_some() && pick(2) == 1;
    }
}
