//! An instruction set: the halves of its slots with their rows, its register files, and how its text is written.

use crate::bits::Bits;
use crate::files::{FileKind, RegFile};
use crate::op::Op;
use crate::operand::Reg;
use crate::part::{Field, Part, each_once};
use crate::syntax::Syntax;

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
