//! The tables that an instruction set is written as: rows and register files.

use crate::bits::Bits;
use crate::lower::Lower;
use crate::operand::Reg;
use crate::part::{Field, Part, each_once};
use crate::program::Inst;
use crate::setters::setters;
use crate::syntax::Syntax;
use gpuzoo_ir::Vec4;

/// What a register file is to a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// Read and written by the program; starts at the given value. Reading it before writing it is reported.
    Temporary(Vec4),
    /// Given for every vertex or fragment; read only.
    Input,
    /// Given for a whole draw; read only. The IR calls such a value a *uniform*.
    Constant,
    /// Leaves the program; write only. Starts at the given value.
    Output(Vec4),
}

/// In [`RegFile::names`], a number that no register has.
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
    /// What is in it, in a sentence without its stop; may be empty.
    pub about: &'static str,
    /// What single registers hold, by number.
    pub notes: &'static [(u16, &'static str)],
    /// True for one that stands for what is not there: no text has a name for it.
    pub internal: bool,
    /// True if each register is one signed integer, in component x; else registers are four components of 32 bits,
    /// whose type is that of
    /// the instruction that wrote them.
    pub integer: bool,
}

impl RegFile {
    /// A file whose registers are called by prefix and number.
    pub const fn new(name: &'static str, prefix: &'static str, count: u16, kind: FileKind) -> RegFile {
        RegFile {
            name,
            prefix,
            count,
            names: &[],
            kind,
            about: "",
            notes: &[],
            internal: false,
            integer: false,
        }
    }
}

setters! { RegFile:
    /// Its registers have these names.
    named(names: &'static [&'static str]) { names: names }
    /// What is in it.
    about(about: &'static str) { about: about }
    /// What single registers hold.
    notes(notes: &'static [(u16, &'static str)]) { notes: notes }
    /// It stands for what is not there: no text has a name for it.
    internal() { internal: true }
    /// Each of its registers is one signed integer, in component x.
    integer() { integer: true }
}

/// One row: everything about one instruction.
pub struct Op {
    /// The value of the opcode field.
    pub code: u16,
    /// The mnemonic.
    pub name: &'static str,
    /// How it is written and encoded: its operands in the order in which they are written.
    pub parts: &'static [Part],
    /// What it means: appends IR.
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
    /// The index of its half in [`Isa::halves`].
    pub half: u8,
    /// True for an instruction that only the assembler writes.
    pub internal: bool,
    /// Of rows that share an opcode, the first that this holds for is printed.
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

/// Instructions that run in one half of a slot; most machines have one half, which is all of it.
#[derive(Clone, Copy, Debug)]
pub struct Half {
    /// Its rows, in the order of their opcodes.
    pub ops: &'static [Op],
    /// The field that holds [`Op::code`].
    pub opcode: Field,
    /// What the machine does with other opcodes: `the machine does nothing`.
    pub undefined: &'static str,
}

impl Half {
    /// The row of an opcode; of several, the first.
    #[inline]
    pub fn op(&self, code: u32) -> Option<&'static Op> {
        let is = |at: usize| self.ops.get(at).is_some_and(|op| u32::from(op.code) == code);
        // In most tables every opcode from the first on has one row.
        let guess = self.ops.first().map_or(0, |first| code.wrapping_sub(first.code.into())) as usize;
        let known = is(guess) && !is(guess.wrapping_sub(1));
        let search = || self.ops.partition_point(|op| u32::from(op.code) < code);
        let at = if known { guess } else { search() };
        self.ops.get(at).filter(|_| is(at))
    }

    /// What the opcode field holds, and what becomes of the opcodes that no row has.
    pub fn opcode_doc(&self) -> String {
        let free: Vec<u32> = (0..1 << self.opcode.width).filter(|code| self.op(*code).is_none()).collect();
        let gaps = free.chunk_by(|one, next| one + 1 == *next).map(|gap| match gap {
            [first, .., last] => format!("{first} to {last}"),
            _ => gap[0].to_string(),
        });
        let gaps: Vec<String> = gaps.collect();
        match &gaps[..] {
            [] => self.opcode.doc.to_owned(),
            gaps => format!("{}; {} not defined: {}", self.opcode.doc, gaps.join(", "), self.undefined),
        }
    }
}

/// How long a program may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// So many slots.
    Slots(usize),
    /// So many 32-bit words; slots differ in length.
    Words(usize),
    /// The machine's limit is not known. gpuzoo takes [`MOST_SLOTS`], so that it does not read gigabytes.
    Unknown,
}

/// The most slots of a program for a machine whose own limit is not known.
pub const MOST_SLOTS: usize = 1 << 20;

/// An instruction set.
pub struct Isa {
    /// The halves of a slot: one, or two that run at the same time.
    pub halves: &'static [Half],
    /// Fields that belong to no operand: reserved bits, the mark of a program's last slot.
    pub other_fields: &'static [Field],
    /// The register files; [`Reg::file`] is an index into them.
    pub files: &'static [RegFile],
    /// 32-bit words of a slot without values, which are words of their own.
    pub slot_words: usize,
    /// How long a program may be.
    pub room: Room,
    /// The bit that the assembler sets in a program's last slot.
    pub last: Option<Field>,
    /// What the assembler leaves in bits that a slot does not use.
    pub filler: Bits,
    /// How the text is written.
    pub syntax: &'static Syntax,
    /// The register whose x component, a signed integer, is added to the number of a relative operand's register.
    pub address: Option<Reg>,
}

impl Isa {
    /// All rows, half after half.
    pub fn ops(&self) -> impl Iterator<Item = &'static Op> + Clone + use<> {
        self.halves.iter().flat_map(|half| half.ops)
    }

    /// The row of a mnemonic; of several, the first.
    pub fn op(&self, name: &str) -> Option<&'static Op> {
        self.ops().find(|op| op.name == name)
    }

    /// The most slots that a program has.
    pub const fn most_slots(&self) -> usize {
        match self.room {
            Room::Slots(slots) => slots,
            Room::Words(words) => words / self.slot_words,
            Room::Unknown => MOST_SLOTS,
        }
    }

    /// The half that a row belongs to.
    pub fn half_of(&self, op: &Op) -> &'static Half {
        let half = &self.halves[usize::from(op.half).min(self.halves.len() - 1)];
        debug_assert!(half.ops.contains(op), "`{}` is in another half than it says", op.name);
        debug_assert!(half.ops.is_sorted_by_key(|op| op.code), "rows are in the order of their opcodes");
        half
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

    /// Every field of every layout, from the lowest bit up, each once.
    pub fn fields(&self) -> Vec<Field> {
        let opcodes = self.halves.iter().map(|half| half.opcode);
        let parts = self.ops().flat_map(|op| op.parts).flat_map(Part::fields);
        let mut all =
            each_once(opcodes.chain(parts).chain(self.other_fields.iter().chain(&self.last).copied()));
        all.sort_by_key(|field| field.lo);
        all
    }
}

impl RegFile {
    /// The name of a register as the disassembler and traces print it.
    pub fn reg_name(&self, index: u16) -> String {
        match self.names.get(index as usize) {
            Some(name) => (*name).to_owned(),
            None => format!("{}{index}", self.prefix),
        }
    }

    /// The names that replace prefix and number, without those of registers that do not exist.
    ///
    /// ```
    /// use gpuzoo_isa::{FileKind, NO_NAME, RegFile};
    /// let names = &["pos", NO_NAME, "fog"];
    /// let file = RegFile::new("output", "o", 3, FileKind::Output([0; 4])).named(names);
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
        match self.names {
            [] => self.number(name.strip_prefix(self.prefix)?),
            names => Some(names.iter().position(|known| *known == name && *known != NO_NAME)? as u16),
        }
    }

    /// The register of a number without leading zeros.
    pub fn number(&self, digits: &str) -> Option<u16> {
        plain_number(digits).filter(|number| *number < i64::from(self.count)).map(|number| number as u16)
    }
}

/// The value of digits without leading zeros; of many of them, that of no register.
pub(crate) fn plain_number(digits: &str) -> Option<i64> {
    let plain = !digits.is_empty() && (digits == "0" || !digits.starts_with('0'));
    let plain = plain && digits.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| digits.parse().unwrap_or(i64::from(u16::MAX)))
}
