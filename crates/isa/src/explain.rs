//! What the bits of a slot say, field by field.

use crate::bits::Bits;
use crate::describe::swizzle_text;
use crate::isa::Isa;
use crate::op::Inst;
use crate::part::{Choice, Field, Kind, Part};
use crate::program::Slot;
use crate::syntax::text;
use gpuzoo_diag::Span;

/// A field of a slot with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
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
        for (half, inst) in self.halves.iter().zip([&slot.inst, &slot.paired]) {
            let undefined = || format!("not defined: {}", half.undefined);
            own.push((half.opcode, inst.as_ref().map_or_else(undefined, |inst| inst.op.name.to_owned())));
            let parts = inst.iter().flat_map(|inst| inst.op.parts.iter().map(move |part| (part, inst)));
            own.extend(parts.flat_map(|(part, inst)| self.meanings(part, inst, bits)));
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
                shown.push((field, if free { field.get(bits).to_string() } else { meaning }));
            }
        }
        shown.sort_by_key(|(field, _)| field.lo);
        // From the lowest bit up, with what lies between.
        let mut all = Vec::new();
        let mut add = |field: Field, meaning| all.push(FieldValue { field, value: field.get(bits), meaning });
        let end = (Field::new("", bits_used, 0, ""), String::new());
        let mut next = 0;
        for (field, meaning) in shown.into_iter().chain([end]) {
            while next < field.lo {
                let width = (field.lo - next).min(32);
                add(Field::new("unused", next, width, "ignored by the machine"), "ignored".to_owned());
                next += width;
            }
            if field.width > 0 {
                add(field, meaning);
                next += field.width;
            }
        }
        all.reverse();
        all
    }

    /// The fields that a part of an instruction fills, each with what it says.
    fn meanings(&self, part: &Part, inst: &Inst, bits: &Bits) -> Vec<(Field, String)> {
        let operand = inst.operand(part);
        let there = part.present.iter().all(|(field, value)| field.get(bits) == *value);
        let half = if there { format!("`{}` is there", part.name) } else { "other half".to_owned() };
        let mut all: Vec<_> = part.present.iter().map(|(field, _)| (*field, half.clone())).collect();
        let there = there && !part.is_absent(operand);
        let choice = part.choice(operand).filter(|_| there);
        let kind = || choice.map_or("undefined", |choice| self.kind_name(choice)).to_owned();
        all.extend(part.select.filter(|_| there).map(|select| (select, kind())));
        if let Some(choice) = choice {
            let mut say = |field: &Field, meaning: String| all.push((*field, meaning));
            match choice.kind {
                Kind::Values(values) => {
                    let number = operand.immediates.len();
                    let counted = gpuzoo_diag::counted(number, "value");
                    values.count.iter().for_each(|count| say(count, counted.clone()));
                    for (field, value) in choice.fields.iter().zip(operand.immediates.values()) {
                        let shown = (values.print)(*value);
                        say(field, shown.unwrap_or_else(|| format!("{value:#x}, which has no text")));
                    }
                    return all;
                }
                Kind::Nothing => {
                    choice.fields.iter().for_each(|field| say(field, "ignored".to_owned()));
                    return all;
                }
                Kind::Reg { bare, .. } => {
                    let file = self.file(operand.reg);
                    let text = || text(|out| self.printer().operand(part, operand, out));
                    let name =
                        if bare { format!("{} {}", file.name, text()) } else { self.reg_name(operand.reg) };
                    let why = choice.illegal;
                    let shown = if why.is_empty() { name } else { format!("{name}, {why}: illegal") };
                    choice.fields.iter().for_each(|field| say(field, shown.clone()));
                }
            }
        }
        all.extend(part.mask.map(|(field, _)| {
            let mask = part.mask_of(bits);
            (field, if mask.is_empty() { "writes nothing".to_owned() } else { format!("writes {mask}") })
        }));
        all.extend(part.swizzle.map(|(field, code)| (field, swizzle_text(code.decode(field.get(bits))))));
        let says = |field: Field, yes: &str| {
            (field, format!("{}{yes}", if field.get(bits) == 1 { "" } else { "not " }))
        };
        all.extend(part.negate.map(|field| says(field, "negated")));
        all.extend(part.abs.map(|field| says(field, "made positive")));
        all.extend(part.relative.map(|(field, _)| says(field, "relative to the address register")));
        all
    }

    fn kind_name(&self, choice: &Choice) -> &'static str {
        match choice.kind {
            Kind::Reg { file, .. } => self.files[file as usize].name,
            Kind::Values(values) => values.name,
            Kind::Nothing => "no register",
        }
    }

    /// What becomes of a slot none of whose halves has an instruction.
    pub fn undefined(&self, slot: &Slot) -> Option<&'static str> {
        slot.insts().next().is_none().then(|| self.halves[0].undefined)
    }
}
