//! What an operand of an instruction may be, how it is written, and which bits it fills.
//!
//! Parser, printer, encoder, decoder, `explain`, the reference pages and the generator of random programs all walk a
//! row's list of [`Part`]s, so a fact about an operand is written once.

use crate::bits::Bits;
use crate::cursor::{Cursor, Failed};
use crate::operand::{Mask, Operand, Swizzle};
use crate::setters::setters;

/// A range of bits of a slot.
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
    /// A field; bits are counted as in [`Bits`].
    pub const fn new(name: &'static str, lo: u8, width: u8, doc: &'static str) -> Field {
        Field { name, lo, width, doc }
    }

    /// The bits of a slot that lie in the field.
    #[inline]
    pub const fn get(&self, bits: &Bits) -> u32 {
        bits.get(self.lo, self.width)
    }

    /// Puts the low bits of `value` into the field.
    #[inline]
    pub const fn set(&self, bits: &mut Bits, value: u32) {
        bits.set(self.lo, self.width, value);
    }

    /// The bit numbers, highest first: `9..6`; of one bit, `31`.
    pub fn range(&self) -> String {
        match self.width {
            0 | 1 => self.lo.to_string(),
            width => format!("{}..{}", self.lo + width - 1, self.lo),
        }
    }

    /// True if the two have a bit in common.
    pub const fn overlaps(&self, other: &Field) -> bool {
        self.lo < other.lo + other.width && other.lo < self.lo + self.width
    }
}

/// Things without those that came before.
pub(crate) fn each_once<T: PartialEq>(things: impl Iterator<Item = T>) -> Vec<T> {
    things.fold(Vec::new(), |mut all, thing| {
        if !all.contains(&thing) {
            all.push(thing);
        }
        all
    })
}

/// What an instruction does with an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Reads it.
    Read,
    /// Writes it.
    Write,
    /// Reads it, then writes it: the destination is a source, too.
    ReadWrite,
    /// Says something about an operand that another part names.
    Modify,
}

/// From the number in a field to a register's number in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Map {
    /// Register 0 has this number; numbers beyond the file name no register of it.
    From(u16),
    /// Register 0 has number 0, and numbers beyond the file wrap.
    Wrap,
    /// The registers have these numbers.
    Codes(&'static [u16]),
}

impl Map {
    /// The register of a number, in a file of `count`.
    pub fn decode(self, number: u32, count: u16) -> Option<u16> {
        match self {
            Map::From(first) => {
                let index = number.checked_sub(u32::from(first))?;
                (index < u32::from(count)).then_some(index as u16)
            }
            Map::Wrap => Some((number % u32::from(count.max(1))) as u16),
            Map::Codes(codes) => {
                codes.iter().position(|code| u32::from(*code) == number).map(|index| index as u16)
            }
        }
    }

    /// The number of a register.
    pub fn encode(self, index: u16) -> u32 {
        match self {
            Map::From(first) => u32::from(first) + u32::from(index),
            Map::Wrap => u32::from(index),
            Map::Codes(codes) => codes.get(usize::from(index)).map_or(0, |code| u32::from(*code)),
        }
    }
}

/// Values that are written in an instruction: their text, their number, and what they look like in bits.
#[derive(Clone, Copy, Debug)]
pub struct Values {
    /// What one is called in messages: `a float`.
    pub name: &'static str,
    /// The most that may be written; at least one is.
    pub most: u8,
    /// The field that holds how many there are, less 1; where there is always one, none.
    pub count: Option<Field>,
    /// True if a token with this text begins a value; of `-`, if the sign is a token of its own.
    pub begins: fn(&str) -> bool,
    /// Reads one and goes beyond it, behind its sign if that is a token of its own. What is wrong has been reported.
    pub read: fn(&mut Cursor, &ValuePlace) -> Result<u32, Failed>,
    /// The text that is read as these bits; none if there is no such text.
    pub print: fn(u32) -> Option<String>,
    /// A value for examples.
    pub sample: u32,
}

/// Where a value is read.
#[derive(Clone, Copy, Debug)]
pub struct ValuePlace<'a> {
    /// The instruction's mnemonic, for messages.
    pub mnemonic: &'a str,
    /// True behind a minus sign that is a token of its own.
    pub negated: bool,
    /// The first byte, that of the sign included.
    pub start: usize,
}

/// What an operand may be.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A register of a file.
    Reg {
        /// Its index in [`Isa::files`](crate::Isa::files).
        file: u8,
        /// From numbers in the fields to registers.
        map: Map,
        /// True if it is written by its bare number: the `3` of `ld r0 3`.
        bare: bool,
    },
    /// Values.
    Values(&'static Values),
    /// No register at all, written `_`.
    Nothing,
}

/// One of the things that an operand may be, and where its number goes.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// What it is.
    pub kind: Kind,
    /// The value of [`Part::select`] that chooses it, if there is such a field; [`Choice::ANY`] for every value.
    pub select: u32,
    /// The fields of its number, the high bits first; of values, a field for each, at most four.
    pub fields: &'static [Field],
    /// False if the machine has it and the assembly no text for it.
    pub writable: bool,
    /// What the machine makes of it, where that is an error: `read only`.
    pub illegal: &'static str,
}

impl Choice {
    /// Chosen by every value of [`Part::select`].
    pub const ANY: u32 = u32::MAX;

    /// What is not a register of the choices before it: it reads as register 0 of a file that a machine keeps for that.
    pub const fn nowhere(file: u8, fields: &'static [Field]) -> Choice {
        Choice::wrapping(file, fields).at(Choice::ANY).unwritable()
    }

    /// A register whose number, counted from `first`, fills the fields.
    pub const fn reg(file: u8, first: u16, fields: &'static [Field]) -> Choice {
        Choice::new(Kind::Reg { file, map: Map::From(first), bare: false }, fields)
    }

    /// A register; numbers beyond its file wrap.
    pub const fn wrapping(file: u8, fields: &'static [Field]) -> Choice {
        Choice::new(Kind::Reg { file, map: Map::Wrap, bare: false }, fields)
    }

    /// A register that is written by its bare number; numbers beyond its file wrap.
    pub const fn bare(file: u8, fields: &'static [Field]) -> Choice {
        Choice::new(Kind::Reg { file, map: Map::Wrap, bare: true }, fields)
    }

    /// A register of a few that have codes of their own.
    pub const fn coded(file: u8, codes: &'static [u16], fields: &'static [Field]) -> Choice {
        Choice::new(Kind::Reg { file, map: Map::Codes(codes), bare: false }, fields)
    }

    /// Values.
    pub const fn values(values: &'static Values, fields: &'static [Field]) -> Choice {
        Choice::new(Kind::Values(values), fields)
    }

    /// No register; the fields are ignored.
    pub const fn nothing(fields: &'static [Field]) -> Choice {
        Choice::new(Kind::Nothing, fields)
    }

    const fn new(kind: Kind, fields: &'static [Field]) -> Choice {
        Choice { kind, select: 0, fields, writable: true, illegal: "" }
    }

    /// The file, if it is a register.
    pub const fn file(&self) -> Option<u8> {
        match self.kind {
            Kind::Reg { file, .. } => Some(file),
            _ => None,
        }
    }

    /// True if it can be the register of this number.
    pub(crate) fn is_number(&self, index: u16) -> bool {
        match self.kind {
            Kind::Reg { map: Map::Codes(codes), .. } => usize::from(index) < codes.len(),
            _ => true,
        }
    }

    /// The field that holds how many values there are.
    pub(crate) const fn count(&self) -> Option<Field> {
        match self.kind {
            Kind::Values(values) => values.count,
            _ => None,
        }
    }

    /// The number in the fields.
    pub(crate) fn number(&self, bits: &Bits) -> u32 {
        let number = |high: u64, field: &Field| high << field.width | u64::from(field.get(bits));
        self.fields.iter().fold(0, number) as u32
    }

    pub(crate) fn set_number(&self, bits: &mut Bits, number: u32) {
        let mut rest = u64::from(number);
        for field in self.fields.iter().rev() {
            field.set(bits, rest as u32);
            rest >>= field.width;
        }
    }
}

setters! { Choice:
    /// Chosen by this value of [`Part::select`].
    at(select: u32) { select: select }
    /// The machine reports it as an error.
    illegal(why: &'static str) { illegal: why }
    /// Bits may say it and a text may not.
    unwritable() { writable: false }
}

/// How a swizzle is coded.
#[derive(Clone, Copy, Debug)]
pub enum SwizzleCode {
    /// Any, two bits for each component, x in the lowest.
    XLow,
    /// Any, two bits for each component, x in the highest.
    XHigh,
    /// The index of one of a list.
    Listed(&'static [Swizzle]),
}

impl SwizzleCode {
    /// The swizzle of a code.
    pub fn decode(self, code: u32) -> Swizzle {
        match self {
            SwizzleCode::XLow => Swizzle(code as u8),
            SwizzleCode::XHigh => Swizzle(code as u8).reversed(),
            SwizzleCode::Listed(list) => list.get(code as usize).copied().unwrap_or(Swizzle::IDENTITY),
        }
    }

    /// The code of a swizzle; none if the machine cannot say it.
    pub fn encode(self, swizzle: Swizzle) -> Option<u32> {
        match self {
            SwizzleCode::XLow => Some(u32::from(swizzle.0)),
            SwizzleCode::XHigh => Some(u32::from(swizzle.reversed().0)),
            SwizzleCode::Listed(list) => {
                list.iter().position(|known| *known == swizzle).map(|index| index as u32)
            }
        }
    }
}

/// One written part of an instruction.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// What the reference calls it: `dst`.
    pub name: &'static str,
    /// The operand that it describes: an index into [`Inst::operands`](crate::Inst::operands).
    pub operand: u8,
    /// What the instruction does with it.
    pub role: Role,
    /// What it may be, in the order in which the decoder tries them; [`Choice::nowhere`] takes what none before it does.
    /// A part without choices says something about an operand that a part before it names: its swizzle or its mask, as
    /// a word of its own.
    pub choices: &'static [Choice],
    /// The field that tells the choices apart.
    pub select: Option<Field>,
    /// Of what is written, the components, and whether the highest bit is x.
    pub mask: Option<(Field, bool)>,
    /// Of what is read, the order of the components.
    pub swizzle: Option<(Field, SwizzleCode)>,
    /// The sign is flipped.
    pub negate: Option<Field>,
    /// The sign is cleared, before it is flipped.
    pub abs: Option<Field>,
    /// The address register is added to the number of a register in this file.
    pub relative: Option<(Field, u8)>,
    /// True if one component is read.
    pub scalar: bool,
    /// How many registers are read: this one and those behind it.
    pub consecutive: u8,
    /// Values of fields with which the operand is there; with others it is not, and nothing is written.
    pub present: &'static [(Field, u32)],
    /// True if it is not there where its mask is empty: its bits are left as they are.
    pub optional: bool,
    /// True if it is written in the place of the part before it.
    pub instead: bool,
    /// What the table cannot say: called when an operand has been decoded.
    pub adjust: Option<fn(&Bits, &mut Operand)>,
}

impl Part {
    const fn new(name: &'static str, operand: u8, role: Role, choices: &'static [Choice]) -> Part {
        Part {
            name,
            operand,
            role,
            choices,
            select: None,
            mask: None,
            swizzle: None,
            negate: None,
            abs: None,
            relative: None,
            scalar: false,
            consecutive: 1,
            present: &[],
            optional: false,
            instead: false,
            adjust: None,
        }
    }

    /// An operand that is read.
    pub const fn read(name: &'static str, operand: u8, choices: &'static [Choice]) -> Part {
        Part::new(name, operand, Role::Read, choices)
    }

    /// An operand that is written.
    pub const fn write(name: &'static str, operand: u8, choices: &'static [Choice]) -> Part {
        Part::new(name, operand, Role::Write, choices)
    }

    /// An operand that is read, then written.
    pub const fn update(name: &'static str, operand: u8, choices: &'static [Choice]) -> Part {
        Part::new(name, operand, Role::ReadWrite, choices)
    }

    /// A word of its own about an operand that a part before it names: its swizzle or its mask.
    pub const fn modify(name: &'static str, operand: u8) -> Part {
        Part::new(name, operand, Role::Modify, &[])
    }

    /// True if the instruction reads it.
    pub const fn is_read(&self) -> bool {
        matches!(self.role, Role::Read | Role::ReadWrite)
    }

    /// True if the instruction writes it.
    pub const fn is_written(&self) -> bool {
        matches!(self.role, Role::Write | Role::ReadWrite)
    }

    /// The choice that an operand is; none for one that the part cannot say.
    pub fn choice(&self, operand: &Operand) -> Option<&'static Choice> {
        self.choices.iter().find(|choice| match choice.kind {
            Kind::Reg { file, .. } => operand.immediates.is_empty() && operand.reg.file == file,
            Kind::Values(_) => !operand.immediates.is_empty() && !operand.is_nothing(),
            Kind::Nothing => operand.is_nothing(),
        })
    }

    /// The choices that a text may say.
    pub fn writable(&self) -> impl Iterator<Item = &'static Choice> + Clone {
        self.choices.iter().filter(|choice| choice.writable)
    }

    /// True if a sign of its own may be written before it.
    pub(crate) fn is_signed(&self) -> bool {
        self.negate.is_some() || self.values().is_some_and(|values| (values.begins)("-"))
    }

    /// True if a text may name a register of the file in its place.
    pub(crate) fn may_be(&self, file: u8) -> bool {
        self.writable().any(|choice| choice.file() == Some(file))
    }

    /// The values that may be written in its place.
    pub fn values(&self) -> Option<&'static Values> {
        self.writable().find_map(|choice| match choice.kind {
            Kind::Values(values) => Some(values),
            _ => None,
        })
    }

    /// Every field that the part may fill, each once.
    pub fn fields(&self) -> Vec<Field> {
        let select = self.select.into_iter().chain(self.present.iter().map(|(field, _)| *field));
        let choices =
            self.choices.iter().flat_map(|choice| choice.fields.iter().copied().chain(choice.count()));
        let modifiers = [self.mask.map(|mask| mask.0), self.swizzle.map(|swizzle| swizzle.0)];
        let signs = [self.negate, self.abs, self.relative.map(|relative| relative.0)];
        each_once(select.chain(choices).chain(modifiers.into_iter().chain(signs).flatten()))
    }

    /// The bits of a mask field for a mask, and back.
    pub(crate) fn mask_bits(x_high: bool, mask: u8) -> u8 {
        if x_high { (mask & 15).reverse_bits() >> 4 } else { mask & 15 }
    }

    /// The mask that a slot's bits say.
    pub(crate) fn mask_of(&self, bits: &Bits) -> Mask {
        self.mask.map_or(Mask::ALL, |(field, x_high)| Mask(Part::mask_bits(x_high, field.get(bits) as u8)))
    }
}

setters! { Part:
    /// The field that tells the choices apart.
    select(field: Field) { select: Some(field) }
    /// The components to write, x in the lowest bit.
    mask(field: Field) { mask: Some((field, false)) }
    /// The components to write, x in the highest bit.
    mask_x_high(field: Field) { mask: Some((field, true)) }
    /// The order in which components are read.
    swizzle(field: Field, code: SwizzleCode) { swizzle: Some((field, code)) }
    /// The sign can be flipped.
    negate(field: Field) { negate: Some(field) }
    /// The sign can be cleared.
    abs(field: Field) { abs: Some(field) }
    /// The address register can be added to the numbers of a file's registers.
    relative(field: Field, file: u8) { relative: Some((field, file)) }
    /// One component is read; `name` is what the reference calls such an operand.
    scalar(name: &'static str) { scalar: true, name: name }
    /// The instruction reads this many registers from the named one on.
    consecutive(count: u8) { consecutive: count }
    /// There only if these fields have these values.
    present(fields: &'static [(Field, u32)]) { present: fields }
    /// Not there where its mask is empty.
    optional() { optional: true }
    /// Written in the place of the part before it; not there where its mask is empty.
    instead() { instead: true, optional: true }
    /// Changes what was decoded, where a table cannot say it.
    adjust(adjust: fn(&Bits, &mut Operand)) { adjust: Some(adjust) }
}
