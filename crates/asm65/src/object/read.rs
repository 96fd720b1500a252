//! Numbers, lists and expressions of an object file.

use super::{Node, Wrong};
use crate::expr::{Binary, Unary};

/// A place in the file.
pub(super) struct Reader<'a> {
    rest: &'a [u8],
}

fn short() -> Wrong {
    "it ends too soon".to_owned()
}

impl<'a> Reader<'a> {
    pub fn at(bytes: &'a [u8], offset: usize) -> Result<Reader<'a>, Wrong> {
        Ok(Reader { rest: bytes.get(offset..).ok_or_else(short)? })
    }

    pub fn bytes(&mut self, count: usize) -> Result<&'a [u8], Wrong> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or_else(short)?;
        self.rest = rest;
        Ok(taken)
    }

    pub fn byte(&mut self) -> Result<u8, Wrong> {
        Ok(self.bytes(1)?[0])
    }

    pub fn word(&mut self) -> Result<u16, Wrong> {
        Ok(u16::from_le_bytes([self.byte()?, self.byte()?]))
    }

    pub fn long(&mut self) -> Result<u32, Wrong> {
        Ok(u32::from(self.word()?) | u32::from(self.word()?) << 16)
    }

    /// A number in groups of seven bits, the low ones first.
    pub fn number(&mut self) -> Result<usize, Wrong> {
        let mut number = 0;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.byte()?;
            number |= usize::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err("a number in it is too long".to_owned())
    }

    /// A list with its length in front. Each entry takes a byte at least, so that no length asks for more than there is.
    pub fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Result<T, Wrong>) -> Result<Vec<T>, Wrong> {
        let count = self.number()?;
        if count > self.rest.len() {
            return Err(short());
        }
        (0..count).map(|_| one(self)).collect()
    }

    /// Passes so many lists of lines by.
    pub fn lines(&mut self, lists: usize) -> Result<(), Wrong> {
        (0..lists).try_for_each(|_| self.list(Reader::number).map(drop))
    }

    /// An expression, nested so deeply at most.
    pub fn expression(&mut self, deepest: usize) -> Result<Node, Wrong> {
        let Some(deeper) = deepest.checked_sub(1) else {
            return Err("an expression in it is nested too deeply".to_owned());
        };
        let kind = self.byte()?;
        match kind {
            0x81 => return Ok(Node::Number(self.long()?.cast_signed().into())),
            0x82 => return Ok(Node::Import(self.number()?)),
            0x83 => return Ok(Node::Section(self.number()?)),
            _ => {}
        }
        let left = match kind & 0xc0 {
            0x00 | 0x40 if kind != 0 => self.expression(deeper)?,
            _ => return Err(unknown(kind)),
        };
        if kind & 0x40 == 0 {
            let right = self.expression(deeper)?;
            return Ok(Node::Binary(binary(kind)?, Box::new((left, right))));
        }
        // There is none at the right.
        match self.byte()? {
            0 => unary(kind, left),
            _ => Err(unknown(kind)),
        }
    }
}

fn unknown(kind: u8) -> Wrong {
    format!("it has an expression of the kind ${kind:02X}, which is not known")
}

fn unary(kind: u8, operand: Node) -> Result<Node, Wrong> {
    let of = |op, operand| Node::Unary(op, Box::new(operand));
    let with = |op, operand, number| Node::Binary(op, Box::new((operand, Node::Number(number))));
    Ok(match kind {
        0x41 => of(Unary::Negate, operand),
        0x42 => of(Unary::Complement, operand),
        0x44 => of(Unary::Not, operand),
        0x48 => of(Unary::LoByte, operand),
        0x49 => of(Unary::HiByte, operand),
        0x4a => of(Unary::BankByte, operand),
        0x4b => with(Binary::BitAnd, with(Binary::ShiftRight, operand, 24), 0xff),
        0x4c => of(Unary::LoWord, operand),
        0x4d => of(Unary::HiWord, operand),
        0x4e => with(Binary::BitAnd, operand, 0xff_ffff),
        0x4f => with(Binary::BitAnd, operand, 0xffff_ffff),
        // A near address is one of the 64 KB that there are.
        0x50 => operand,
        _ => return Err(unknown(kind)),
    })
}

fn binary(kind: u8) -> Result<Binary, Wrong> {
    use Binary::*;
    const ALL: [Binary; 21] = [
        Add,
        Subtract,
        Multiply,
        Divide,
        Modulo,
        BitOr,
        BitXor,
        BitAnd,
        ShiftLeft,
        ShiftRight,
        Equal,
        Unequal,
        Less,
        Greater,
        LessEqual,
        GreaterEqual,
        And,
        Or,
        Xor,
        Max,
        Min,
    ];
    ALL.get(usize::from(kind) - 1).copied().ok_or_else(|| unknown(kind))
}
