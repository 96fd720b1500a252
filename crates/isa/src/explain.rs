//! What the bits of a slot say, field by field.

use crate::bits::Bits;
use crate::isa::{Field, Isa, PartKind};
use crate::program::Inst;
use gpuzoo_diag::Span;

/// A field of a slot with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldValue {
    /// The field.
    pub field: Field,
    /// The bits in it.
    pub value: u32,
    /// What they mean in this instruction; `ignored` where they mean nothing.
    pub meaning: String,
}

impl Isa {
    /// Every field of a slot, from the highest bit down, with its value and meaning; bits of no field come as a
    /// field named `unused`.
    pub fn explain(&self, bits: &Bits) -> Vec<FieldValue> {
        let slot = self.slot(*bits, Span::default());
        let inst = slot.inst;
        // Where fields overlap, each row has a layout of its own: its parts, the opcode, and the words behind.
        let own = |field: &Field| {
            let is_part = |inst: Inst| inst.op.format.parts.iter().any(|part| part.field == *field);
            *field == self.opcode
                || usize::from(field.lo) >= self.slot_words * 32
                || inst.is_some_and(is_part)
        };
        let meets = |field: &Field, other: &Field| {
            field != other && field.lo < other.lo + other.width && other.lo < field.lo + field.width
        };
        let overlap = self.fields.iter().any(|field| self.fields.iter().any(|other| meets(field, other)));
        let bits_used = (slot.words(self).len() * 32) as u8;
        let mut fields: Vec<Field> = self.fields.to_vec();
        fields.retain(|field| (own(field) || !overlap) && field.lo < bits_used);
        fields.sort_by_key(|field| field.lo);
        let mut all = Vec::new();
        let mut next = 0;
        for field in fields {
            push_unused(&mut all, next, field.lo);
            all.push(field);
            next = field.lo + field.width;
        }
        push_unused(&mut all, next, bits_used);
        let describe = |field: &Field| -> String {
            if let Some(custom) = &self.custom {
                return (custom.meaning)(field, &slot);
            }
            if *field == self.opcode {
                return inst
                    .map_or("not defined: the machine does nothing".into(), |inst| inst.op.name.to_owned());
            }
            let part = inst.as_ref().and_then(|inst| {
                let part = inst.op.format.parts.iter().find(|part| part.field == *field)?;
                Some((part, &inst.operands[part.operand as usize]))
            });
            match part {
                None => "ignored".into(),
                Some((part, operand)) => match part.kind {
                    PartKind::Reg | PartKind::Name => self.reg_name(operand.reg),
                    PartKind::Number => format!("{} {}", self.file(operand.reg).name, operand.reg.index),
                    PartKind::Swizzle => operand.swizzle.to_string(),
                    PartKind::Mask if operand.mask.is_empty() => "writes nothing".into(),
                    PartKind::Mask => format!("writes {}", operand.mask),
                    PartKind::Immediates => format!("{} values follow", operand.immediates.len()),
                },
            }
        };
        let describe = |field: &Field| FieldValue {
            field: *field,
            value: bits.get(field.lo, field.width),
            meaning: describe(field),
        };
        all.iter().rev().map(describe).collect()
    }
}

/// Bits between two fields, in pieces that fit a [`Field`].
fn push_unused(all: &mut Vec<Field>, from: u8, to: u8) {
    let mut lo = from;
    while lo < to {
        let width = (to - lo).min(32);
        all.push(Field::new("unused", lo, width, "ignored by the machine; the assembler writes 0"));
        lo += width;
    }
}
