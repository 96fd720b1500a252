//! Programs: slots, each with its bits and the instruction that they mean.

use crate::bits::{Bits, MAX_WORDS};
use crate::codes::{TOO_LONG, WORDS_LENGTH};
use crate::interface::Interface;
use crate::isa::{Isa, Op, PartKind};
use crate::operand::{Immediates, Mask, Operand, Reg, Swizzle};
use gpuzoo_diag::{Diagnostic, Span, has_errors};
use gpuzoo_ir::Vec4;
use std::ops::Range;

/// The most operands an instruction has.
pub const MAX_OPERANDS: usize = 5;

/// A decoded instruction: its row and its operands.
#[derive(Clone, Copy, Debug)]
pub struct Inst {
    /// The row.
    pub op: &'static Op,
    /// The operands that the row's format has; the rest are defaults.
    pub operands: [Operand; MAX_OPERANDS],
}

/// One slot of a program.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// What the machine has in memory.
    pub bits: Bits,
    /// What it means; none for an opcode that the machine does not know.
    pub inst: Option<Inst>,
    /// The instruction that runs at the same time, on machines that pair them.
    pub paired: Option<Inst>,
    /// The text it comes from, or the bytes of a binary.
    pub span: Span,
}

/// Constants that a program's text names or gives values to.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// The name, if it has one.
    pub name: Option<String>,
    /// The first register.
    pub reg: Reg,
    /// How many registers.
    pub count: u16,
    /// The values of all of them, if the text gives them.
    pub values: Vec<Vec4>,
    /// Where it is defined.
    pub span: Span,
}

/// A program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The slots, in order.
    pub slots: Vec<Slot>,
    /// The constants that come with it.
    pub constants: Vec<Constant>,
    /// What it takes and gives, on machines whose programs say so.
    pub interface: Option<Interface>,
    /// Where it comes from, for messages about the whole.
    pub span: Span,
}

impl Slot {
    /// Its instructions, in the order of their results.
    pub fn insts(&self) -> impl Iterator<Item = &Inst> {
        self.inst.iter().chain(&self.paired)
    }

    /// The words that the slot takes in memory: the machine's slot words and the immediates that stand behind them, which
    /// have a part of their own. (Other immediates are within the slot's words.)
    pub fn words(&self, isa: &Isa) -> &[u32] {
        let behind = |inst: &Inst| {
            let parts = inst.op.format.parts.iter().filter(|part| part.kind == PartKind::Immediates);
            parts.map(|part| inst.operands[part.operand as usize].immediates.len()).sum::<usize>()
        };
        let immediates: usize = self.insts().map(behind).sum();
        &self.bits.words[..(isa.slot_words + immediates).min(MAX_WORDS)]
    }
}

impl Program {
    /// The words of all slots.
    pub fn words(&self, isa: &Isa) -> Vec<u32> {
        self.slots.iter().flat_map(|slot| slot.words(isa)).copied().collect()
    }
}

/// A program and what was found while reading it. With errors the program holds what could be read.
#[derive(Clone, Debug, Default)]
pub struct Assembled {
    /// The program.
    pub program: Program,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
}

impl Assembled {
    /// True if the program may be used.
    pub fn ok(&self) -> bool {
        !has_errors(&self.diagnostics)
    }
}

impl Isa {
    /// The bits of an instruction that stands alone in its slot, everything unused 0.
    pub fn encode(&self, inst: &Inst) -> Bits {
        if let Some(custom) = &self.custom {
            return (custom.encode)(Some(inst), None);
        }
        let mut bits = Bits::default();
        bits.set(self.opcode.lo, self.opcode.width, u32::from(inst.op.code));
        for part in inst.op.format.parts {
            let operand = &inst.operands[part.operand as usize];
            bits.set(part.field.lo, part.field.width, part.value(operand));
            let behind = bits.words.iter_mut().skip(self.slot_words);
            behind.zip(operand.immediates.values()).for_each(|(word, value)| *word = *value);
        }
        bits
    }

    /// The slot that the bits mean to the machine; without an instruction where the opcode is not in the table.
    ///
    /// Numbers beyond a register file wrap, as its count says.
    pub fn slot(&self, bits: Bits, span: Span) -> Slot {
        let (inst, paired) = match &self.custom {
            Some(custom) => (custom.decode)(&bits),
            None => (self.decode(&bits), None),
        };
        Slot { bits, inst, paired, span }
    }

    fn decode(&self, bits: &Bits) -> Option<Inst> {
        let op = self.op_of_code(bits.get(self.opcode.lo, self.opcode.width))?;
        let mut operands = [Operand::default(); MAX_OPERANDS];
        for part in op.format.parts {
            let value = bits.get(part.field.lo, part.field.width);
            let operand = &mut operands[part.operand as usize];
            match part.kind {
                PartKind::Reg | PartKind::Number | PartKind::Name => {
                    let count = self.files[part.file as usize].count;
                    operand.reg = Reg { file: part.file, index: (value % u32::from(count)) as u16 };
                }
                PartKind::Swizzle => operand.swizzle = Swizzle(value as u8),
                PartKind::Mask => operand.mask = Mask(value as u8),
                PartKind::Immediates => {
                    let from = self.slot_words.min(MAX_WORDS);
                    let to = (from + value as usize + 1).min(MAX_WORDS);
                    operand.immediates = Immediates::new(&bits.words[from..to]);
                }
            }
        }
        Some(Inst { op, operands })
    }

    /// The slots that a list of words means; `span` says where some of them, by their indices, come from.
    ///
    /// Each slot takes the words that its instruction has. Where the list ends amid one, the words that are left are
    /// slots without instructions.
    pub fn slots(&self, words: &[u32], span: impl Fn(Range<usize>) -> Span) -> Vec<Slot> {
        let mut slots = Vec::new();
        let mut at = 0;
        while at < words.len() {
            let rest = &words[at..];
            let mut bits = Bits::default();
            bits.words.iter_mut().zip(rest).for_each(|(bits, word)| *bits = *word);
            let mut slot = self.slot(bits, Span::default());
            let mut len = slot.words(self).len().max(1);
            if len > rest.len() {
                len = self.slot_words.clamp(1, rest.len());
                (slot.inst, slot.paired) = (None, None);
            }
            slot.bits.words[len..].fill(0);
            slot.span = span(at..at + len);
            slots.push(slot);
            at += len;
        }
        slots
    }

    /// True if the bits are just what the assembler makes of the slot's text.
    pub fn is_canonical(&self, slot: &Slot) -> bool {
        match (&self.custom, &slot.inst) {
            (Some(custom), _) => (custom.is_canonical)(slot),
            (None, Some(inst)) => self.encode(inst) == slot.bits,
            (None, None) => false,
        }
    }

    /// A program of more slots than the machine holds is an error at the first slot too many.
    pub fn check_length(&self, slots: usize, place: Span) -> Option<Diagnostic> {
        let most = self.max_slots;
        let message = format!("the program has {slots} instructions, the machine holds {most}");
        let problem =
            || Diagnostic::error(&TOO_LONG, message).label(place, format!("this is number {}", most + 1));
        (slots > most).then(problem)
    }

    /// From the bytes of a binary, which `span` names, to a program.
    pub fn load(&self, bytes: &[u8], span: Span) -> Assembled {
        let size = self.slot_words * 4;
        let at = |bytes: Range<usize>| Span {
            start: span.start + bytes.start as u32,
            end: span.start + bytes.end as u32,
            ..span
        };
        let rest = bytes.len() % size;
        let whole = bytes.len() - rest;
        let mut diagnostics = Vec::new();
        if rest != 0 {
            let message = format!("{} bytes are no whole number of slots of {size} bytes", bytes.len());
            diagnostics
                .push(Diagnostic::error(&WORDS_LENGTH, message).label(at(whole..bytes.len()), "left over"));
        }
        // What lies beyond the memory can never run; reading a gigabyte of it helps nobody.
        let most = (self.max_slots + 1) * size * MAX_WORDS;
        let words =
            bytes[..whole.min(most)].as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes));
        let words: Vec<u32> = words.collect();
        let mut slots = self.slots(&words, |words| at(words.start * 4..words.end * 4));
        let unread = (whole - words.len() * 4) / size;
        let first_too_many = slots.get(self.max_slots).map_or(span, |slot| slot.span);
        diagnostics.extend(self.check_length(slots.len() + unread, first_too_many));
        slots.truncate(self.max_slots);
        let program = Program { slots, span, ..Program::default() };
        Assembled { program, diagnostics }
    }
}
