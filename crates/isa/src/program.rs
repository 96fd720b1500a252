//! Programs: slots, each with its bits and the instruction that they mean.

use crate::bits::{Bits, MAX_WORDS};
use crate::codes::{TOO_LONG, WORDS_LENGTH};
use crate::interface::Interface;
use crate::isa::{Isa, Room};
use crate::lowered::Poke;
use crate::matrices::MatrixOrder;
use crate::op::Inst;
use crate::operand::{Mask, Reg};
use crate::syntax::Numbering;
use gpuzoo_diag::{Diagnostic, Span, counted, has_errors};
use gpuzoo_ir::{Function, Vec4};
use std::ops::Range;
use std::sync::Arc;

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
    /// The components of each register that are its own; several constants may share one.
    pub mask: Mask,
    /// The values of all of them, if the text gives them.
    pub values: Vec<Vec4>,
    /// The order of a matrix, if the source that declares it has one.
    pub matrix: Option<MatrixOrder>,
    /// Where it is defined.
    pub span: Span,
}

/// Where a variable is, from behind one slot to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Home {
    /// The variable's name.
    pub variable: String,
    /// The register.
    pub reg: Reg,
    /// For each component of the variable, the component of the register that holds it.
    pub components: [Option<u8>; 4],
    /// The components of the register.
    pub mask: Mask,
    /// The first slot that sees it there.
    pub from: usize,
    /// The last slot that does.
    pub to: usize,
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
    /// How its text counts constants, where that is not the machine's way.
    pub numbering: Option<Numbering>,
    /// Where the variables are of the source that it was compiled from.
    pub homes: Vec<Home>,
    /// The constants that the host computes from others. What it means includes that: no reader of [`lower`](crate::Isa::lower)'s
    /// result has to do it. Its uniforms and outputs have the numbers of the constants.
    pub host: Option<Arc<Function>>,
    /// What a debugger puts into registers while it runs. It counts as written.
    pub pokes: Vec<Poke>,
    /// Where it comes from, for messages about the whole.
    pub span: Span,
}

impl Slot {
    /// Its instructions, in the order of their results.
    pub fn insts(&self) -> impl Iterator<Item = &Inst> {
        self.inst.iter().chain(&self.paired)
    }

    /// The words that the slot takes in memory: the machine's slot words, and those behind them that hold values.
    pub fn words(&self, isa: &Isa) -> &[u32] {
        let behind: usize = self.insts().map(|inst| isa.words_behind(inst)).sum();
        &self.bits.words[..(isa.slot_words + behind).min(MAX_WORDS)]
    }
}

impl Program {
    /// The words of all slots.
    pub fn words(&self, isa: &Isa) -> Vec<u32> {
        self.slots.iter().flat_map(|slot| slot.words(isa)).copied().collect()
    }

    /// The constants that its text gives values to, by number.
    pub fn defined(&self) -> impl Iterator<Item = (u16, Vec4)> {
        self.constants.iter().flat_map(|own| (own.reg.index..).zip(own.values.iter().copied()))
    }
}

/// A program, and what was found while reading it. If there are errors, the program holds what could be read.
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
    /// A program of more slots than there may be is an error at the first slot too many.
    pub fn check_length(&self, slots: usize, place: Span) -> Option<Diagnostic> {
        let most = self.most_slots();
        let who = if self.room == Room::Unknown { "gpuzoo takes" } else { "the machine holds" };
        let message = format!("the program has {slots} instructions, {who} {most}");
        let problem =
            || Diagnostic::error(&TOO_LONG, message).label(place, format!("this is number {}", most + 1));
        (slots > most).then(problem)
    }

    /// From the bytes of a binary, which `span` names, to a program.
    pub fn load(&self, bytes: &[u8], span: Span) -> Assembled {
        let size = self.slot_words * 4;
        let at = |bytes: Range<usize>| Span {
            start: span.start.saturating_add(u32::try_from(bytes.start).unwrap_or(u32::MAX)),
            end: span.start.saturating_add(u32::try_from(bytes.end).unwrap_or(u32::MAX)),
            ..span
        };
        let rest = bytes.len() % size;
        let whole = bytes.len() - rest;
        let mut diagnostics = Vec::new();
        if rest != 0 {
            let message = format!(
                "a whole number of slots of {size} bytes is wanted, not {}",
                counted(bytes.len(), "byte")
            );
            diagnostics
                .push(Diagnostic::error(&WORDS_LENGTH, message).label(at(whole..bytes.len()), "left over"));
        }
        // What lies beyond the memory can never run; there is no use in reading a gigabyte of it.
        let most = (self.most_slots() + 1) * size * MAX_WORDS;
        let words =
            bytes[..whole.min(most)].as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes));
        let words: Vec<u32> = words.collect();
        let mut slots = self.slots(&words, |words| at(words.start * 4..words.end * 4));
        let unread = (whole - words.len() * 4) / size;
        let first_too_many = slots.get(self.most_slots()).map_or(span, |slot| slot.span);
        diagnostics.extend(self.check_length(slots.len() + unread, first_too_many));
        slots.truncate(self.most_slots());
        let program = Program { slots, span, ..Program::default() };
        Assembled { program, diagnostics }
    }
}
