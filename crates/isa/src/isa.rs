//! The tables that an instruction set is written as: rows, formats, fields and register files.

use crate::bits::Bits;
use crate::lower::Lower;
use crate::operand::{Operand, Reg};
use crate::program::{Inst, Slot};
use crate::syntax::Syntax;
use gpuzoo_ir::Vec4;
use std::collections::HashMap;
use std::sync::OnceLock;

/// A range of bits of a slot; the encoder, the decoder, `explain` and the reference pages all read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// Its lowest bit.
    pub lo: u8,
    /// How many bits it has, at most 32.
    pub width: u8,
    /// What it holds.
    pub doc: &'static str,
}

impl Field {
    /// A field; bits are counted as in [`Bits`](crate::Bits).
    pub const fn new(name: &'static str, lo: u8, width: u8, doc: &'static str) -> Field {
        Field { name, lo, width, doc }
    }
}

/// What a register file is to a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// Read and written by the program; starts at the given value. Reading it before writing it is reported.
    Temporary(Vec4),
    /// Given for every vertex or fragment; read only.
    Input,
    /// Given for a whole draw; read only.
    Uniform,
    /// Leaves the program; write only. Starts at the given value.
    Output(Vec4),
}

/// Stands in [`RegFile::names`] for a number that no register has.
pub const NO_NAME: &str = "-";

/// A register file.
#[derive(Clone, Copy, Debug)]
pub struct RegFile {
    /// What it is called in messages: `register`, `constant`.
    pub name: &'static str,
    /// What its registers' names begin with; the number follows.
    pub prefix: &'static str,
    /// How many registers it has: a power of two where numbers beyond it wrap.
    pub count: u16,
    /// Names that replace prefix and number; [`NO_NAME`] where there is no such register.
    pub names: &'static [&'static str],
    /// What it is to a program.
    pub kind: FileKind,
}

impl RegFile {
    /// The name of a register as the disassembler and traces print it.
    pub fn reg_name(&self, index: u16) -> String {
        match self.names.get(index as usize) {
            Some(name) => (*name).to_owned(),
            None => format!("{}{index}", self.prefix),
        }
    }
}

/// How a part of an instruction is written and what it fills in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// A register of the file, by prefix and number: `r3`.
    Reg,
    /// A register of the file, by a bare number: the `3` of `ld r0 3`.
    Number,
    /// A register of the file, by name: `pos`.
    Name,
    /// The operand's swizzle, four letters standing alone: `xxyz`.
    Swizzle,
    /// The operand's write mask as a number, bit 0 for x: `0b0111`.
    Mask,
    /// One to four values in words of their own behind the slot's; the field has their number less 1.
    Immediates,
}

/// What an instruction does with an operand; traces, lints and the reference pages show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Reads it.
    Read,
    /// Writes it.
    Write,
    /// Reads it, then writes it.
    ReadWrite,
    /// Says something about an operand that another part names.
    Modify,
}

/// One written part of an instruction: parser, printer, encoder and decoder walk the same list of them.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// What the reference calls it: `dst`.
    pub name: &'static str,
    /// The operand that it belongs to: an index into [`Inst::operands`].
    pub operand: u8,
    /// How it is written.
    pub kind: PartKind,
    /// What the instruction does with it.
    pub role: Role,
    /// The register file it names; 0 where it names none.
    pub file: u8,
    /// The bits that it fills.
    pub field: Field,
}

/// The parts of an instruction in the order in which they are written.
#[derive(Debug)]
pub struct Format {
    /// The parts.
    pub parts: &'static [Part],
}

/// One row: everything about one instruction.
pub struct Op {
    /// The value of the opcode field.
    pub code: u16,
    /// The mnemonic.
    pub name: &'static str,
    /// How it is written and encoded.
    pub format: &'static Format,
    /// What it means: appends IR.
    pub lower: fn(&mut Lower, &Inst),
    /// The meaning in one line, as a formula.
    pub doc: &'static str,
    /// Edge values and surprises, in Markdown; may be empty.
    pub notes: &'static str,
}

impl Op {
    /// A row without documentation yet.
    pub const fn new(
        code: u16,
        name: &'static str,
        format: &'static Format,
        lower: fn(&mut Lower, &Inst),
    ) -> Op {
        Op { code, name, format, lower, doc: "", notes: "" }
    }

    /// Adds the meaning in one line.
    pub const fn doc(mut self, doc: &'static str) -> Op {
        self.doc = doc;
        self
    }

    /// Adds edge values and surprises.
    pub const fn notes(mut self, notes: &'static str) -> Op {
        self.notes = notes;
        self
    }
}

impl std::fmt::Debug for Op {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Op({} {})", self.code, self.name)
    }
}

/// An instruction set: the tables, and nothing that is not in a table.
pub struct Isa {
    /// The rows.
    pub ops: &'static [Op],
    /// The field that holds [`Op::code`].
    pub opcode: Field,
    /// All fields, for `explain` and the reference; bits in none of them are ignored by the machine.
    pub fields: &'static [Field],
    /// The register files; [`Reg::file`] is an index into them.
    pub files: &'static [RegFile],
    /// 32-bit words of a slot without immediates, which are words of their own.
    pub slot_words: usize,
    /// The most slots a program has.
    pub max_slots: usize,
    /// How the text is written.
    pub syntax: Syntax,
    /// Rows of the instructions that can be paired with those of `ops`.
    pub paired_ops: &'static [Op],
    /// The register whose x lane, a signed integer, is added to the number of a relative operand's register.
    pub address: Option<Reg>,
    /// For machines whose slots are not one list of parts.
    pub custom: Option<Custom>,
    /// Found on first use; write `OnceLock::new()`.
    pub index: OnceLock<Index>,
}

/// What a machine does itself whose slots are not the opcode and the parts of one instruction. It still has
/// [`Isa::fields`] as the one place that knows where bits lie.
pub struct Custom {
    /// From a slot's instructions to its bits.
    pub encode: fn(Option<&Inst>, Option<&Inst>) -> Bits,
    /// From bits to the slot's instructions.
    pub decode: fn(&Bits) -> (Option<Inst>, Option<Inst>),
    /// True if the bits are just what the assembler makes of the slot's text.
    pub is_canonical: fn(&Slot) -> bool,
    /// Appends the text of a slot's instructions.
    pub print: fn(&Slot, &mut String),
    /// What a field of a slot means.
    pub meaning: fn(&Field, &Slot) -> String,
}

/// Rows by name and by opcode.
pub struct Index {
    by_name: HashMap<&'static str, &'static Op>,
    by_code: Vec<Option<&'static Op>>,
}

impl Isa {
    fn index(&self) -> &Index {
        self.index.get_or_init(|| {
            let mut by_code = vec![None; 1 << self.opcode.width];
            for op in self.ops {
                by_code[op.code as usize] = Some(op);
            }
            // Of rows that share a name the one of `ops` counts.
            let all = self.paired_ops.iter().chain(self.ops);
            Index { by_name: all.map(|op| (op.name, op)).collect(), by_code }
        })
    }

    /// The row of a mnemonic.
    pub fn op(&self, name: &str) -> Option<&'static Op> {
        self.index().by_name.get(name).copied()
    }

    /// The row of an opcode.
    pub fn op_of_code(&self, code: u32) -> Option<&'static Op> {
        self.index().by_code.get(code as usize).copied().flatten()
    }

    /// A register's file.
    pub fn file(&self, reg: Reg) -> &RegFile {
        &self.files[reg.file as usize]
    }

    /// A register's name.
    pub fn reg_name(&self, reg: Reg) -> String {
        self.file(reg).reg_name(reg.index)
    }

    /// The register of a name, in any file: `r3`, `pos`.
    pub fn reg(&self, name: &str) -> Option<Reg> {
        self.files.iter().enumerate().find_map(|(file, description)| {
            let index = description.find(name)?;
            Some(Reg { file: file as u8, index })
        })
    }

    /// The registers of every file of a kind; those without a name in a file of names do not exist.
    pub fn regs(&self, wanted: impl Fn(FileKind) -> bool) -> impl Iterator<Item = Reg> {
        let files = self.files.iter().enumerate().filter(move |(_, file)| wanted(file.kind));
        files.flat_map(|(file, description)| {
            (0..description.count)
                .filter(|index| description.has(*index))
                .map(move |index| Reg { file: file as u8, index })
        })
    }
}

impl RegFile {
    /// The names that replace prefix and number, without those of registers that do not exist.
    ///
    /// ```
    /// use gpuzoo_isa::{FileKind, NO_NAME, RegFile};
    /// let names = &["pos", NO_NAME, "fog"];
    /// let file = RegFile { name: "output", prefix: "o", count: 3, names, kind: FileKind::Output([0; 4]) };
    /// assert_eq!(file.real_names().collect::<Vec<_>>(), ["pos", "fog"]);
    /// assert_eq!((file.find("fog"), file.find(NO_NAME)), (Some(2), None));
    /// ```
    pub fn real_names(&self) -> impl Iterator<Item = &'static str> + Clone + use<> {
        self.names.iter().copied().filter(|name| *name != NO_NAME)
    }

    /// True if there is a register of this number.
    pub fn has(&self, index: u16) -> bool {
        index < self.count && self.names.get(index as usize) != Some(&NO_NAME)
    }

    /// The number of the register that a name names: prefix and number without leading zeros, or one of the names.
    pub fn find(&self, name: &str) -> Option<u16> {
        if let Some(index) = self.names.iter().position(|known| *known == name && *known != NO_NAME) {
            return Some(index as u16);
        }
        if !self.names.is_empty() {
            return None;
        }
        let digits = name.strip_prefix(self.prefix)?.as_bytes();
        let index = match digits {
            [one @ b'0'..=b'9'] => u16::from(one - b'0'),
            [b'1'..=b'9', ..] if digits.len() <= 4 => {
                let mut sum = 0;
                for digit in digits {
                    sum = sum * 10 + u16::from(digit.is_ascii_digit().then(|| digit - b'0')?);
                }
                sum
            }
            _ => return None,
        };
        (index < self.count).then_some(index)
    }
}

impl Format {
    /// The operands that an instruction of this format has.
    pub fn operand_count(&self) -> usize {
        self.parts.iter().map(|part| part.operand as usize + 1).max().unwrap_or(0)
    }
}

impl Part {
    /// The number that the part's field holds for an operand.
    #[inline]
    pub fn value(&self, operand: &Operand) -> u32 {
        match self.kind {
            PartKind::Reg | PartKind::Number | PartKind::Name => u32::from(operand.reg.index),
            PartKind::Swizzle => u32::from(operand.swizzle.0),
            PartKind::Mask => u32::from(operand.mask.0),
            PartKind::Immediates => operand.immediates.len().max(1) as u32 - 1,
        }
    }
}
