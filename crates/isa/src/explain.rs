//! What the bits of a slot say, field by field.

use crate::bits::Bits;
use crate::describe::swizzle_text;
use crate::isa::Isa;
use crate::part::{Choice, Field, Kind, Part};
use crate::program::{Inst, Slot};
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
        let bits_used = (slot.words(self).len() * 32) as u8;
        // Where layouts differ, the fields of the slot's own instructions are shown.
        let mut own: Vec<(Field, String)> = Vec::new();
        for (index, half) in self.halves.iter().enumerate() {
            let inst = slot.insts().find(|inst| usize::from(inst.op.half) == index);
            let undefined = || format!("not defined: {}", half.undefined);
            own.push((half.opcode, inst.map_or_else(undefined, |inst| inst.op.name.to_owned())));
            for (inst, part) in
                inst.iter().flat_map(|inst| inst.op.parts.iter().map(move |part| (inst, part)))
            {
                own.extend(self.meanings(part, inst, bits));
            }
        }
        let fields = self.fields();
        let elsewhere = |field: &Field| {
            let same_name = own.iter().any(|(known, _)| known.name == field.name);
            same_name || fields.iter().any(|other| other != field && other.overlaps(field))
        };
        let others: Vec<Field> = fields.iter().filter(|field| !elsewhere(field)).copied().collect();
        let others = others.into_iter().map(|field| (field, "ignored".to_owned()));
        let mut shown: Vec<(Field, String)> = Vec::new();
        for (field, meaning) in own.into_iter().chain(others) {
            let clash = shown.iter().any(|(known, _)| known.overlaps(&field));
            if !clash && field.width > 0 && field.lo < bits_used {
                let free = self.other_fields.contains(&field) || self.last == Some(field);
                let value = || field.get(bits).to_string();
                shown.push((field, if free { value() } else { meaning }));
            }
        }
        shown.sort_by_key(|(field, _)| field.lo);
        let mut all = Vec::new();
        let mut next = 0;
        for (field, meaning) in shown {
            push_unused(&mut all, next, field.lo);
            next = field.lo + field.width;
            all.push((field, meaning));
        }
        push_unused(&mut all, next, bits_used);
        let value = |(field, meaning): (Field, String)| FieldValue { field, value: field.get(bits), meaning };
        all.into_iter().rev().map(value).collect()
    }

    /// The fields that a part of an instruction fills, each with what it says.
    fn meanings(&self, part: &Part, inst: &Inst, bits: &Bits) -> Vec<(Field, String)> {
        let operand = inst.operand(part);
        let mut all: Vec<(Field, String)> = Vec::new();
        let there = part.present.iter().all(|(field, value)| field.get(bits) == *value);
        for (field, _) in part.present {
            all.push((*field, if there { format!("`{}` is there", part.name) } else { "other half".into() }));
        }
        let there = there && !part.is_absent(operand);
        let choice = part.choice(operand).filter(|_| there);
        if let (Some(select), true) = (part.select, there) {
            all.push((select, choice.map_or("undefined".into(), |choice| self.kind_name(choice))));
        }
        let text = |operand| {
            let mut text = String::new();
            self.printer().operand(part, operand, &mut text);
            text
        };
        match choice.map(|choice| (choice, choice.kind)) {
            Some((choice, Kind::Values(values))) => {
                if let Some(count) = values.count {
                    let number = operand.immediates.len();
                    all.push((count, format!("{number} {}", if number == 1 { "value" } else { "values" })));
                }
                for (field, value) in choice.fields.iter().zip(operand.immediates.values()) {
                    let shown = (values.print)(*value);
                    all.push((*field, shown.unwrap_or_else(|| format!("{value:#x}, which has no text"))));
                }
                return all;
            }
            Some((choice, Kind::Nothing)) => {
                all.extend(choice.fields.iter().map(|field| (*field, "ignored".to_owned())));
                return all;
            }
            Some((choice, Kind::Reg { bare, .. })) => {
                let name = match bare {
                    true => format!("{} {}", self.file(operand.reg).name, text(operand)),
                    false => self.reg_name(operand.reg),
                };
                let why = choice.illegal;
                let shown = if why.is_empty() { name } else { format!("{name}, {why}: illegal") };
                all.extend(choice.fields.iter().map(|field| (*field, shown.clone())));
            }
            None => {}
        }
        if let Some((field, _)) = part.mask {
            let mask = part.mask_of(bits);
            let meaning = if mask.is_empty() { "writes nothing".into() } else { format!("writes {mask}") };
            all.push((field, meaning));
        }
        if let Some((field, code)) = part.swizzle {
            all.push((field, swizzle_text(code.decode(field.get(bits)))));
        }
        let says = |field: Field, yes: &str| {
            let set = field.get(bits) == 1;
            (field, if set { yes.to_owned() } else { format!("not {yes}") })
        };
        all.extend(part.negate.map(|field| says(field, "negated")));
        all.extend(part.abs.map(|field| says(field, "made positive")));
        all.extend(part.relative.map(|(field, _)| says(field, "relative to the address register")));
        all
    }

    fn kind_name(&self, choice: &Choice) -> String {
        match choice.kind {
            Kind::Reg { file, .. } => self.files[file as usize].name.to_owned(),
            Kind::Values(values) => values.name.to_owned(),
            Kind::Nothing => "no register".to_owned(),
        }
    }

    /// What becomes of a slot none of whose halves has an instruction.
    pub fn undefined(&self, slot: &Slot) -> Option<&'static str> {
        slot.insts().next().is_none().then(|| self.halves[0].undefined)
    }
}

/// Bits between two fields, in pieces that fit a [`Field`].
fn push_unused(all: &mut Vec<(Field, String)>, from: u8, to: u8) {
    let mut lo = from;
    while lo < to {
        let width = (to - lo).min(32);
        let field = Field::new("unused", lo, width, "ignored by the machine");
        all.push((field, "ignored".to_owned()));
        lo += width;
    }
}
