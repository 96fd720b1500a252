//! From slots to text.

use crate::codes::OTHER_WORDS;
use crate::isa::Isa;
use crate::op::Inst;
use crate::op::Op;
use crate::operand::{COMPONENTS, Mask, Operand, Reg, Swizzle};
use crate::operands::places;
use crate::part::{Kind, Part};
use crate::program::Slot;
use crate::syntax::{Case, Letters, Name, Numbering, Scalars, Syntax};
use gpuzoo_diag::{Diagnostic, Severity, Span};
use std::fmt::Write;

/// Writes instructions in a language. Nothing here fails: what the language has no text for looks as if it had;
/// [`Isa::is_canonical`] tells.
#[derive(Clone, Copy)]
pub struct Printer<'a> {
    /// The instruction set.
    pub isa: &'a Isa,
    /// The language.
    pub syntax: &'a Syntax,
    /// How the text counts the registers of a file, if not as the machine.
    pub numbering: Option<Numbering>,
}

impl Printer<'_> {
    /// Appends the text of an instruction: one for each destination, joined by `+`, where a row writes to several.
    pub fn inst(&self, inst: &Inst, out: &mut String) {
        let written = places(inst.op.parts).next().unwrap_or_default();
        let mut destinations = written.iter().filter(|part| inst.has(part));
        self.statement(inst, destinations.next(), out);
        for destination in destinations {
            out.push_str(" + ");
            self.statement(inst, Some(destination), out);
        }
    }

    /// Appends a mnemonic with its operands, the first of which is the given part.
    fn statement(&self, inst: &Inst, first: Option<&Part>, out: &mut String) {
        self.syntax.write(inst.op.mnemonic(self.syntax), out);
        let mut mark = " ";
        for (index, place) in places(inst.op.parts).enumerate() {
            let part = first.filter(|_| index == 0).unwrap_or(&place[0]);
            out.push_str(mark);
            self.operand(part, inst.operand(part), out);
            mark = self.syntax.separator();
        }
        out.push_str(self.syntax.end_mark());
    }

    /// Appends the text of an operand.
    pub fn operand(&self, part: &Part, operand: &Operand, out: &mut String) {
        if part.choices.is_empty() {
            // Writing to a String cannot fail.
            let _ = match part.mask {
                Some(_) => write!(out, "0b{:04b}", operand.mask.0),
                None => write!(out, "{}", operand.swizzle),
            };
            return;
        }
        match part.choice(operand).map(|choice| choice.kind) {
            Some(Kind::Nothing) => return out.push_str(self.syntax.nothing.unwrap_or("_")),
            Some(Kind::Values(values)) => {
                for (index, value) in operand.immediates.values().iter().enumerate() {
                    out.push_str(if index > 0 { " " } else { "" });
                    out.push_str(&(values.print)(*value).unwrap_or_else(|| "nan".to_owned()));
                }
                return;
            }
            Some(Kind::Reg { bare: true, .. }) => number(i64::from(operand.reg.index), out),
            Some(Kind::Reg { .. }) | None => {
                out.push_str(if operand.negate { "-" } else { "" });
                out.push_str(if operand.abs { "|" } else { "" });
                self.register(operand.reg, operand.relative, part.is_written(), out);
            }
        }
        if self.isa.address == Some(operand.reg) && part.is_written() {
            out.push_str(if self.syntax.address_component() { ".x" } else { "" });
        }
        if part.mask.is_some() && (operand.mask != Mask::ALL || self.syntax.full_masks) {
            out.push('.');
            match operand.mask.is_empty() {
                true => out.push_str(self.syntax.nothing.unwrap_or("_")),
                false => (0..4).filter(|at| operand.mask.has(*at)).for_each(|at| out.push(letter(at))),
            }
        }
        if part.swizzle.is_some() {
            self.swizzle(operand.swizzle, part.scalar, out);
        }
        out.push_str(if operand.abs { "|" } else { "" });
    }

    /// Appends the name of a register, as a destination or as a source; of a relative one, the sum that it is.
    pub fn register(&self, reg: Reg, relative: bool, written: bool, out: &mut String) {
        let file = self.isa.file(reg);
        let own = |name: &&Name| name.printed && name.reg == reg && name.writes == written;
        if let Some(name) = self.syntax.names.iter().find(own) {
            return self.named(name.text, out);
        }
        let numbering = self.numbering.filter(|numbering| numbering.file == reg.file);
        let index = i64::from(reg.index) - numbering.map_or(0, |numbering| numbering.offset);
        let indexed = self.syntax.indexed.iter().find(|indexed| indexed.file == reg.file);
        if let Some(name) = file.names.get(reg.index as usize).filter(|_| indexed.is_none()) {
            return out.push_str(name);
        }
        self.named(indexed.map_or(file.prefix, |indexed| indexed.prefix), out);
        let Some(brackets) = indexed.filter(|indexed| relative || indexed.brackets) else {
            return number(index, out);
        };
        out.push('[');
        match brackets.names.iter().find(|(_, number)| *number == reg.index) {
            Some((name, _)) => out.push_str(name),
            None if !relative => number(index, out),
            None => {
                out.push_str(brackets.address);
                if index != 0 || brackets.offset {
                    let sign = if index < 0 { "-" } else { "+" };
                    out.push_str(&brackets.plus.replace('+', sign));
                    number(index.abs(), out);
                }
            }
        }
        out.push(']');
    }

    /// A name, in small letters where a language does not mind.
    fn named(&self, name: &str, out: &mut String) {
        let start = out.len();
        out.push_str(name);
        if self.syntax.case == Case::Any {
            out[start..].make_ascii_lowercase();
        }
    }

    fn swizzle(&self, swizzle: Swizzle, scalar: bool, out: &mut String) {
        let components = swizzle.components();
        let repeats = |at: usize| at > 0 && components[at] == components[at - 1];
        let count = match self.syntax.letters {
            Letters::Four => 4,
            _ if scalar && self.syntax.scalars != Scalars::Any => 1,
            _ if swizzle == Swizzle::IDENTITY => return,
            Letters::OneOrFour if swizzle.single().is_some() => 1,
            Letters::OneOrFour | Letters::Lossy => 4,
            Letters::Repeating => 4 - (1..4).rev().take_while(|&at| repeats(at)).count(),
        };
        out.push('.');
        let lossy = self.syntax.letters == Letters::Lossy;
        (0..count).filter(|&at| !(lossy && repeats(at))).for_each(|at| out.push(letter(components[at])));
    }

    /// Appends the text of a slot's instructions, whatever bits beside them are set.
    pub fn insts(&self, slot: &Slot, out: &mut String) {
        let mut mark = "";
        for inst in slot.insts().filter(|inst| self.isa.does_something(inst)) {
            out.push_str(mark);
            self.inst(inst, out);
            mark = " + ";
        }
    }
}

fn letter(component: u8) -> char {
    COMPONENTS[usize::from(component & 3)]
}

/// Appends a number: several times faster than `write!`, which the disassembly of millions of slots feels.
fn number(number: i64, out: &mut String) {
    if !(0..1000).contains(&number) {
        let _ = write!(out, "{number}");
        return;
    }
    let digits = [100, 10, 1].map(|unit| b'0' + (number / unit % 10) as u8);
    let first = usize::from(number < 100) + usize::from(number < 10);
    digits[first..].iter().for_each(|digit| out.push(char::from(*digit)));
}

/// `1 slot`, `2 slots`
pub fn slots_in_words(count: usize) -> String {
    gpuzoo_diag::counted(count, "slot")
}

/// A note that the text of a program assembles to other words, for reasons of which there may be none.
pub fn other_words(span: Span, what: &[String]) -> Option<Diagnostic> {
    let message = "the text assembles to other words, which do the same";
    let problem = Diagnostic::new(Severity::Note, &OTHER_WORDS, message).at(span);
    let problem = what.iter().fold(problem, |problem, what| problem.note(what));
    (!what.is_empty()).then(|| problem.help("`--exact` keeps every bit"))
}

impl Isa {
    /// The printer of the machine's own language.
    pub fn printer(&self) -> Printer<'_> {
        Printer { isa: self, syntax: self.syntax, numbering: None }
    }

    /// Appends the text of an instruction.
    pub fn print_inst(&self, inst: &Inst, out: &mut String) {
        self.printer().inst(inst, out);
    }

    /// True if an instruction has a destination, or none to have.
    fn does_something(&self, inst: &Inst) -> bool {
        let place = places(inst.op.parts).next().unwrap_or_default();
        place.is_empty() || place.iter().any(|part| inst.has(part))
    }

    /// Appends the text of a slot's instructions, whatever bits beside them are set.
    pub fn print_insts(&self, slot: &Slot, out: &mut String) {
        if slot.insts().next().is_none() && self.halves.len() == 1 {
            let _ = write!(out, "opcode {} is not defined", self.halves[0].opcode.get(&slot.bits));
        }
        self.printer().insts(slot, out);
    }

    /// Appends `.word` and the words of a slot.
    pub fn print_words(&self, words: &[u32], out: &mut String) {
        out.push_str(".word");
        if let (64, [low, high]) = (self.syntax.word_bits, words) {
            let _ = write!(out, " 0x{high:08x}{low:08x}");
            return;
        }
        for word in words {
            let mut text = *b" 0x00000000";
            for (digit, at) in text[3..].iter_mut().rev().zip((0..32).step_by(4)) {
                *digit = b"0123456789abcdef"[(word >> at) as usize & 15];
            }
            out.push_str(str::from_utf8(&text).unwrap_or_default());
        }
    }

    /// Appends the text of a slot, so that assembling it gives the same bits: the instruction, or `.word` with what
    /// the machine makes of it as a comment.
    pub fn print_slot(&self, slot: &Slot, out: &mut String) {
        if self.is_canonical(slot) {
            return self.print_insts(slot, out);
        }
        self.print_words(slot.words(self), out);
        let _ = write!(out, " {} ", self.syntax.comment());
        self.print_insts(slot, out);
        if slot.insts().next().is_some() && !self.is_encoded(slot) {
            out.push_str(" (bits that the machine ignores are set)");
        }
    }

    /// Appends the text of a slot, for reading: the instruction, whatever bits beside it are set, or what
    /// [`print_slot`](Isa::print_slot) says where no instruction means the slot.
    pub fn print_readable(&self, slot: &Slot, out: &mut String) {
        self.print_counting(slot, None, out);
    }

    /// As [`print_readable`](Isa::print_readable), with registers of a file counted as a text does.
    pub fn print_counting(&self, slot: &Slot, numbering: Option<Numbering>, out: &mut String) {
        match self.is_said(slot) {
            true => Printer { numbering, ..self.printer() }.insts(slot, out),
            false => self.print_slot(slot, out),
        }
    }

    /// As [`print_counting`](Isa::print_counting), of one of the slot's instructions, in the order of [`Slot::insts`].
    pub fn print_part(&self, slot: &Slot, part: u8, numbering: Option<Numbering>, out: &mut String) {
        match slot.insts().nth(part.into()).filter(|_| self.is_said(slot)) {
            Some(inst) => Printer { numbering, ..self.printer() }.inst(inst, out),
            None => self.print_slot(slot, out),
        }
    }

    /// Appends the line of a slot, exactly or for reading.
    pub fn print_line(&self, slot: &Slot, exact: bool, out: &mut String) {
        let internal = slot.insts().any(|inst| inst.op.internal);
        if exact || internal {
            self.print_slot(slot, out)
        } else {
            self.print_readable(slot, out)
        }
        out.push('\n');
    }

    /// A note if the lines of slots, printed for reading, assemble to other words.
    pub fn other_words(&self, slots: &[Slot], span: Span) -> Option<Diagnostic> {
        let other = |slot: &&Slot| {
            let internal = slot.insts().any(|inst| inst.op.internal);
            !internal && self.is_said(slot) && !self.is_canonical(slot)
        };
        let count = slots.iter().filter(other).count();
        let what = || format!("{}: other bits in unused fields", slots_in_words(count));
        (count > 0).then(what).and_then(|what| other_words(span, &[what]))
    }

    /// How an instruction is written: `fadd dst.mask a b`.
    pub fn usage(&self, op: &Op) -> String {
        self.usage_of(op.name, op.parts, self.syntax)
    }

    pub(crate) fn usage_of(&self, name: &str, parts: &'static [Part], syntax: &Syntax) -> String {
        let place = |place: &[Part]| {
            let part = &place[0];
            let attached = !part.choices.is_empty();
            let letters = match syntax.letters {
                Letters::Four if attached && part.swizzle.is_some() => ".swizzle",
                _ if attached && place.iter().any(|part| part.mask.is_some()) => ".mask",
                _ => "",
            };
            format!("{}{letters}", part.name)
        };
        let operands: Vec<String> = places(parts).map(place).collect();
        let blank = if operands.is_empty() { "" } else { " " };
        format!("{name}{blank}{}{}", operands.join(syntax.separator()), syntax.end_mark())
    }
}
