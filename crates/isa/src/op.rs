//! Rows of an instruction set, and instructions: a row with its operands.

use crate::lower::Lower;
use crate::operand::{MAX_OPERANDS, Operand, Reg};
use crate::part::Part;
use crate::setters::setters;
use crate::syntax::{Form, Syntax};

/// One row: everything about one instruction.
pub struct Op {
    /// The value of the opcode field.
    pub code: u16,
    /// The mnemonic.
    pub name: &'static str,
    /// Operands, in the order in which they are written.
    pub parts: &'static [Part],
    /// Meaning: appends IR.
    pub lower: fn(&mut Lower, &Inst),
    /// The meaning in one line, as a formula.
    pub doc: &'static str,
    /// Edge values and surprises, in Markdown; may be empty.
    pub notes: &'static str,
    /// Its mnemonic in languages that have another one: the name of the [`Syntax`], the mnemonic; an empty one where
    /// the language does not have the instruction.
    pub spelled: &'static [(&'static str, &'static str)],
    /// In which languages it needs a later version than the first: the name of the [`Syntax`], the version.
    pub since: &'static [(&'static str, &'static str)],
    /// The index of its half in [`Isa::halves`](crate::Isa::halves).
    pub half: u8,
    /// True for an instruction that only the assembler writes.
    pub internal: bool,
    /// Condition of printing: the first row of an opcode that meets it is printed.
    pub when: Option<fn(&Inst) -> bool>,
}

impl Op {
    /// A row without documentation yet.
    pub const fn new(
        code: u16,
        name: &'static str,
        parts: &'static [Part],
        lower: fn(&mut Lower, &Inst),
    ) -> Op {
        Op {
            code,
            name,
            parts,
            lower,
            doc: "",
            notes: "",
            spelled: &[],
            since: &[],
            half: 0,
            internal: false,
            when: None,
        }
    }

    /// Its mnemonic in a language, in the case of the table; none where the language does not have the instruction.
    pub fn name_in(&self, syntax: &Syntax) -> Option<&'static str> {
        let own = self.spelled.iter().find(|(language, _)| *language == syntax.name);
        Some(own.map_or(self.name, |(_, name)| name)).filter(|name| !name.is_empty())
    }

    /// Its mnemonic in a language, that of a form if it has none of its own there, in the case of the table.
    pub(crate) fn mnemonic(&self, syntax: &Syntax) -> &'static str {
        let form = || syntax.forms.iter().find(|form| form.row == self.name).map(|form| form.name);
        self.name_in(syntax).or_else(form).unwrap_or_default()
    }

    /// The parts that are written in a form.
    pub(crate) fn parts_in(&self, form: &Form) -> &'static [Part] {
        &self.parts[..self.parts.len().saturating_sub(form.implied)]
    }
}

setters! { Op:
    /// Adds the meaning in one line.
    doc(doc: &'static str) { doc: doc }
    /// Adds edge values and surprises.
    notes(notes: &'static str) { notes: notes }
    /// Adds its mnemonics in other languages.
    spelled(names: &'static [(&'static str, &'static str)]) { spelled: names }
    /// Adds the versions of languages that it came with.
    since(versions: &'static [(&'static str, &'static str)]) { since: versions }
    /// It runs in another half of a slot than the first.
    half(half: u8) { half: half }
    /// Only the assembler writes it.
    internal() { internal: true }
    /// Printed for words of its opcode for which this holds; else the next row of the opcode is.
    when(holds: fn(&Inst) -> bool) { when: Some(holds) }
}

/// Two are the same row if they have the same half, opcode and mnemonic. (Their addresses say nothing: a table may be
/// in memory more than once.)
impl PartialEq for Op {
    fn eq(&self, other: &Op) -> bool {
        (self.half, self.code, self.name) == (other.half, other.code, other.name)
    }
}

impl std::fmt::Debug for Op {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Op({} {})", self.code, self.name)
    }
}

/// A decoded instruction: its row and its operands.
#[derive(Clone, Copy, Debug)]
pub struct Inst {
    /// The row.
    pub op: &'static Op,
    /// The operands that the row's parts describe; the rest are defaults.
    pub operands: [Operand; MAX_OPERANDS],
}

impl Inst {
    /// An instruction of a row whose operands are defaults.
    pub fn new(op: &'static Op) -> Inst {
        const DEFAULTS: [Operand; MAX_OPERANDS] = [Operand::of(Reg { file: 0, index: 0 }); MAX_OPERANDS];
        Inst { op, operands: DEFAULTS }
    }

    /// Subject of a part.
    #[inline]
    pub fn operand(&self, part: &Part) -> &Operand {
        &self.operands[part.operand as usize]
    }

    /// True if something is written for a part.
    pub(crate) fn has(&self, part: &Part) -> bool {
        !part.is_absent(self.operand(part))
    }

    /// The operands that are read, with their parts.
    pub fn reads(&self) -> impl Iterator<Item = (&'static Part, &Operand)> {
        self.op.parts.iter().filter(|part| part.is_read()).map(|part| (part, self.operand(part)))
    }

    /// The operands that are written, with their parts.
    pub fn writes(&self) -> impl Iterator<Item = (&'static Part, &Operand)> {
        self.op.parts.iter().filter(|part| part.is_written()).map(|part| (part, self.operand(part)))
    }
}
