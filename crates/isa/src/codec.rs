//! Between instructions and bits, in both directions, by the rows' parts.

use crate::bits::{Bits, MAX_WORDS};
use crate::isa::{Half, Isa, Room};
use crate::op::Inst;
use crate::op::Op;
use crate::operand::{Operand, Reg};
use crate::operands::places;
use crate::part::{Choice, Field, Kind, Part};
use crate::program::Slot;
use crate::syntax::{Indexed, Scalars};
use gpuzoo_diag::Span;
use std::ops::Range;

impl Part {
    /// The operand that a slot's bits say; where the part is not there, its mask is empty.
    fn decode(&self, isa: &Isa, bits: &Bits, operand: &mut Operand) {
        if self.choices.is_empty() {
            return self.decode_modifiers(bits, operand);
        }
        if !self.is_present(bits) {
            *operand = Operand::absent();
            return;
        }
        let select = self.select.map(|field| field.get(bits));
        let chosen = |choice: &&Choice| {
            choice.select == Choice::ANY || select.is_none_or(|value| value == choice.select)
        };
        for choice in self.choices.iter().filter(chosen) {
            match choice.kind {
                Kind::Reg { file, map, .. } => {
                    let relative =
                        self.relative.is_some_and(|(field, of)| of == file && field.get(bits) == 1);
                    let description = &isa.files[file as usize];
                    // What is added to the address register may be any number that the field holds.
                    let count = if relative { u16::MAX } else { description.count };
                    let index = map.decode(choice.number(bits), count);
                    let Some(index) = index.filter(|index| relative || description.has(*index)) else {
                        continue;
                    };
                    (operand.reg, operand.relative) = (Reg { file, index }, relative);
                    self.decode_modifiers(bits, operand);
                }
                Kind::Values(values) => {
                    let count = values.count.map_or(1, |field| field.get(bits) as usize + 1);
                    let fields = choice.fields.iter().take(count);
                    *operand = Operand::of_values(fields.map(|field| field.get(bits)));
                }
                Kind::Nothing => *operand = Operand::nothing(),
            }
            break;
        }
        if let Some(adjust) = self.adjust {
            adjust(bits, operand);
        }
    }

    fn decode_modifiers(&self, bits: &Bits, operand: &mut Operand) {
        let is = |field: Option<Field>| field.is_some_and(|field| field.get(bits) == 1);
        if self.mask.is_some() {
            operand.mask = self.mask_of(bits);
        }
        if let Some((field, code)) = self.swizzle {
            operand.swizzle = code.decode(field.get(bits));
        }
        operand.negate |= is(self.negate);
        operand.abs |= is(self.abs);
    }

    /// True if the bits say that it is there.
    fn is_present(&self, bits: &Bits) -> bool {
        self.present.iter().all(|(field, value)| field.get(bits) == *value)
            && !(self.optional && self.mask_of(bits).is_empty())
    }

    /// True if nothing is written for the operand, because it is not there.
    pub(crate) fn is_absent(&self, operand: &Operand) -> bool {
        self.optional && operand.mask.is_empty()
    }

    fn encode(&self, bits: &mut Bits, operand: &Operand) {
        if self.is_absent(operand) {
            return;
        }
        self.present.iter().for_each(|(field, value)| field.set(bits, *value));
        let choice = self.choice(operand);
        if let (Some(choice), Some(select)) = (choice, self.select) {
            select.set(bits, choice.select);
        }
        match choice.map(|choice| (choice, choice.kind)) {
            None => {}
            Some((choice, Kind::Reg { map, .. })) => choice.set_number(bits, map.encode(operand.reg.index)),
            Some((choice, Kind::Values(values))) => {
                let all = operand.immediates.values();
                choice.fields.iter().zip(all).for_each(|(field, value)| field.set(bits, *value));
                if let Some(count) = values.count {
                    count.set(bits, all.len().max(1) as u32 - 1);
                }
                return;
            }
            Some((_, Kind::Nothing)) => return,
        }
        if let Some((field, x_high)) = self.mask {
            field.set(bits, u32::from(Part::mask_bits(x_high, operand.mask.0)));
        }
        if let Some((field, code)) = self.swizzle {
            field.set(bits, code.encode(operand.swizzle).unwrap_or(0));
        }
        let relative = self.relative.filter(|(_, file)| operand.reg.file == *file).map(|(field, _)| field);
        let said = [(self.negate, operand.negate), (self.abs, operand.abs), (relative, operand.relative)];
        for (field, is) in said {
            field.iter().for_each(|field| field.set(bits, u32::from(is)));
        }
    }

    /// True if the assembly has a text for the operand, one that is read as the same operand.
    pub fn has_text(&self, isa: &Isa, operand: &Operand) -> bool {
        if self.is_absent(operand) {
            return true;
        }
        let coded = self.swizzle.is_none_or(|(_, code)| code.encode(operand.swizzle).is_some());
        if self.choices.is_empty() {
            return coded;
        }
        let Some(choice) = self.choice(operand).filter(|choice| choice.writable) else { return false };
        match choice.kind {
            Kind::Values(values) => {
                operand.immediates.values().iter().all(|value| (values.print)(*value).is_some())
            }
            Kind::Nothing => isa.syntax.nothing.is_some(),
            Kind::Reg { .. } => {
                let mask = self.mask.is_none() || !operand.mask.is_empty() || isa.syntax.nothing.is_some();
                let free = !self.scalar || isa.syntax.scalars != Scalars::Named;
                let named = free || operand.swizzle.single().is_some();
                let sums = |index: &Indexed| index.file == operand.reg.file && !index.address.is_empty();
                let computed = !operand.relative || isa.syntax.indexed.iter().any(sums);
                coded && mask && named && computed && isa.file(operand.reg).has(operand.reg.index)
            }
        }
    }
}

impl Half {
    /// Puts the instruction that the bits say in its place, if their opcode is in the table.
    fn decode(&self, isa: &Isa, bits: &Bits, place: &mut Option<Inst>) {
        let Some(first) = self.op(self.opcode.get(bits)) else { return };
        let inst = place.insert(Inst::new(first));
        isa.decode_operands(bits, inst);
        let holds = |inst: &Inst| inst.op.when.is_none_or(|holds| holds(inst));
        if !holds(inst) {
            let rows = self.ops.iter().filter(|op| op.code == first.code);
            *inst = rows.map(|op| isa.decode_as(op, bits)).find(holds).unwrap_or(*inst);
        }
    }
}

impl Isa {
    /// The instruction of a row that a slot's bits say, whatever their opcode is.
    pub(crate) fn decode_as(&self, op: &'static Op, bits: &Bits) -> Inst {
        let mut inst = Inst::new(op);
        self.decode_operands(bits, &mut inst);
        inst
    }

    fn decode_operands(&self, bits: &Bits, inst: &mut Inst) {
        for part in inst.op.parts {
            part.decode(self, bits, &mut inst.operands[part.operand as usize]);
        }
    }

    /// The bits of an instruction that is alone in its slot.
    pub fn encode(&self, inst: &Inst) -> Bits {
        self.encode_all(std::iter::once(inst))
    }

    /// The bits of the instructions of a slot, of different halves. Where two fill the same field, the first prevails.
    pub fn encode_all<'i>(&self, insts: impl DoubleEndedIterator<Item = &'i Inst>) -> Bits {
        let mut bits = self.filler;
        for inst in insts.rev() {
            self.half_of(inst.op).opcode.set(&mut bits, u32::from(inst.op.code));
            inst.op.parts.iter().for_each(|part| part.encode(&mut bits, inst.operand(part)));
        }
        bits
    }

    /// The slot that the bits mean to the machine; without an instruction where the opcode is not in the table.
    pub fn slot(&self, bits: Bits, span: Span) -> Slot {
        let mut slot = Slot { bits, inst: None, paired: None, span };
        self.decode(&mut slot);
        slot
    }

    /// Decodes in place: an instruction is larger than the bits that say it.
    fn decode(&self, slot: &mut Slot) {
        for (half, place) in self.halves.iter().zip([&mut slot.inst, &mut slot.paired]) {
            half.decode(self, &slot.bits, place);
        }
    }

    /// How many words behind those of its slot hold an instruction's values.
    pub(crate) fn words_behind(&self, inst: &Inst) -> usize {
        // Elsewhere all slots have the same length.
        let parts = if matches!(self.room, Room::Words(_)) { inst.op.parts } else { &[] };
        let valued = parts.iter().filter(|part| !inst.operand(part).immediates.is_empty());
        let fields = valued.flat_map(|part| {
            let operand = inst.operand(part);
            let fields = part.choice(operand).map_or(&[][..], |choice| choice.fields);
            fields.iter().take(operand.immediates.len())
        });
        fields.filter(|field| self.is_behind(field)).count()
    }

    /// True for a field in a word behind those of a slot.
    pub(crate) fn is_behind(&self, field: &Field) -> bool {
        usize::from(field.lo) >= self.slot_words * 32
    }

    /// The slots that a list of words means; `span` says where some of them, by their indices, come from.
    ///
    /// Each slot takes the words that its instruction has. Where the list ends amid one, the words that are left are
    /// slots without instructions.
    pub fn slots(&self, words: &[u32], span: impl Fn(Range<usize>) -> Span) -> Vec<Slot> {
        let mut slots: Vec<Slot> = Vec::with_capacity(words.len() / self.slot_words);
        let mut at = 0;
        while at < words.len() {
            let rest = &words[at..];
            let mut bits = Bits::default();
            bits.words.iter_mut().zip(rest).for_each(|(bits, word)| *bits = *word);
            slots.push(Slot { bits, inst: None, paired: None, span: Span::default() });
            let Some(slot) = slots.last_mut() else { break };
            self.decode(slot);
            let mut len = slot.words(self).len().max(1);
            if len > rest.len() {
                len = self.slot_words.clamp(1, rest.len());
                (slot.inst, slot.paired) = (None, None);
            }
            debug_assert!(len <= MAX_WORDS);
            slot.bits.words[len..].fill(0);
            slot.span = span(at..at + len);
            at += len;
        }
        slots
    }

    /// True if encoding a slot's instructions gives its bits, but for [`Isa::last`], which its place decides.
    pub fn is_encoded(&self, slot: &Slot) -> bool {
        let mut bits = slot.bits;
        if let Some(last) = self.last {
            last.set(&mut bits, 0);
        }
        let insts = [&slot.inst, &slot.paired];
        slot.insts().next().is_some() && self.encode_all(insts.into_iter().flatten()) == bits
    }

    /// True if the assembly has a text for each operand of an instruction, and in each place one is there; in a language
    /// that joins instructions, at least one.
    pub fn has_text(&self, inst: &Inst) -> bool {
        let there = |part: &&Part| inst.has(part);
        let most = if self.syntax.joins { usize::MAX } else { 1 };
        inst.op.parts.iter().all(|part| part.has_text(self, inst.operand(part)))
            && places(inst.op.parts).all(|place| (1..=most).contains(&place.iter().filter(there).count()))
    }

    /// True if the assembly has a text that means what the slot's instructions mean, whatever bits beside them are set. One
    /// of the assembler's own instructions may be among them.
    pub fn is_said(&self, slot: &Slot) -> bool {
        let insts = || [&slot.inst, &slot.paired].into_iter().flatten();
        if insts().next().is_none() || !insts().all(|inst| self.has_text(inst)) {
            return false;
        }
        let again = self.slot(self.encode_all(insts()), slot.span);
        let same = |inst: &Inst, again: &Inst| {
            let mut parts = inst.op.parts.iter();
            inst.op == again.op && parts.all(|part| inst.operand(part) == again.operand(part))
        };
        insts().count() == again.insts().count()
            && insts().zip(again.insts()).all(|(one, other)| same(one, other))
    }

    /// True if the bits are just what the assembler makes of the slot's text.
    pub fn is_canonical(&self, slot: &Slot) -> bool {
        self.is_encoded(slot) && slot.insts().all(|inst| !inst.op.internal && self.has_text(inst))
    }
}
