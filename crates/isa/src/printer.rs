//! From slots to text.

use crate::isa::{Isa, Op, Part, PartKind};
use crate::operand::Operand;
use crate::program::{Inst, Slot};
use std::fmt::Write;

impl Isa {
    /// Appends the text of an instruction.
    pub fn print_inst(&self, inst: &Inst, out: &mut String) {
        out.push_str(inst.op.name);
        for part in inst.op.format.parts {
            out.push(' ');
            self.print_part(part, &inst.operands[part.operand as usize], out);
        }
    }

    fn print_part(&self, part: &Part, operand: &Operand, out: &mut String) {
        let index = operand.reg.index;
        let file = &self.files[operand.reg.file as usize];
        // Writing to a String cannot fail.
        let _ = match part.kind {
            PartKind::Reg | PartKind::Name => match file.names.get(index as usize) {
                Some(name) => write!(out, "{name}"),
                None => write!(out, "{}{index}", file.prefix),
            },
            PartKind::Number => write!(out, "{index}"),
            PartKind::Swizzle => write!(out, "{}", operand.swizzle),
            PartKind::Mask => write!(out, "0b{:04b}", operand.mask.0),
            PartKind::Immediates => {
                let values: Vec<String> = operand.immediates.values().iter().map(u32::to_string).collect();
                write!(out, "{}", values.join(" "))
            }
        };
    }

    /// Appends the text of a slot's instructions, whatever bits beside them are set.
    pub fn print_insts(&self, slot: &Slot, out: &mut String) {
        match (&self.custom, &slot.inst) {
            (Some(custom), _) => (custom.print)(slot, out),
            (None, Some(inst)) => self.print_inst(inst, out),
            (None, None) => {
                let code = slot.bits.get(self.opcode.lo, self.opcode.width);
                let _ = write!(out, "opcode {code} is not defined");
            }
        }
    }

    /// Appends the text of a slot, so that assembling it gives the same bits: the instruction, or `.word` with what
    /// the machine makes of it as a comment.
    pub fn print_slot(&self, slot: &Slot, out: &mut String) {
        if self.is_canonical(slot) {
            return self.print_insts(slot, out);
        }
        out.push_str(".word");
        for word in slot.words(self) {
            let _ = write!(out, " {word:#010x}");
        }
        let _ = write!(out, " {} ", self.syntax.line_comments.first().unwrap_or(&"//"));
        self.print_insts(slot, out);
        if slot.insts().next().is_some() {
            out.push_str(" (bits that the machine ignores are set)");
        }
    }

    /// How an instruction is written: `shf dst src swizzle mask`.
    pub fn usage(&self, op: &Op) -> String {
        let parts = op.format.parts.iter().map(|part| format!(" {}", part.name));
        format!("{}{}", op.name, parts.collect::<String>())
    }
}
