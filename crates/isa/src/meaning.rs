//! The meaning of a program: the lowering functions of its rows, run slot after slot.

use crate::files::FileKind;
use crate::interface::Stage;
use crate::isa::Isa;
use crate::lower::{Cell, Lower, Profile};
use crate::lowered::{Lowered, Output, RegRead};
use crate::operand::{Mask, Reg};
use crate::program::Program;
use gpuzoo_ir::{self as ir, Function, Vec4};

impl Isa {
    /// The meaning of a program: slots in order until one ends it. Opcodes that are not in the table do nothing.
    ///
    /// `preset` gives registers a value before the first slot; they count as written.
    pub fn lower(&self, program: &Program, profile: Profile, preset: &[(Reg, Vec4)]) -> Lowered {
        self.lower_from(program, profile, |lower| {
            for &(reg, bits) in preset {
                let value = lower.b.constant(bits);
                lower.start(reg, value, Mask::ALL);
            }
        })
    }

    /// Does what [`lower`](Isa::lower) does; `begin` gives registers their values before the first slot
    /// ([`Lower::start`]), as IR.
    pub fn lower_from(&self, program: &Program, profile: Profile, begin: impl FnOnce(&mut Lower)) -> Lowered {
        let mut lower = Lower::new(self.files, self.address, profile);
        (lower.interface, lower.host) = (program.interface.as_ref(), program.host.as_deref());
        begin(&mut lower);
        // What is set up before the first slot is read by none.
        lower.lowered.reads.clear();
        lower.lowered.stage = lower.interface.map_or(Stage::default(), |interface| interface.stage);
        let changing = |kind| matches!(kind, FileKind::Temporary(_) | FileKind::Output(_));
        for reg in self.regs(changing) {
            let value = lower.value(reg);
            lower.lowered.initial.push((reg, value));
        }
        for (index, slot) in program.slots.iter().enumerate() {
            lower.slot = index;
            lower.b.set_origin(Some(index as u32));
            lower.poke(&program.pokes, 0);
            for (part, inst) in (0..).zip(slot.insts()) {
                lower.part = part;
                if part > 0 {
                    lower.poke(&program.pokes, part);
                }
                (inst.op.lower)(&mut lower, inst);
                lower.end_part();
            }
            lower.commit((slot.insts().count() as u8).max(1));
            if lower.lowered.end.is_some() {
                break;
            }
        }
        lower.poke(&program.pokes, 0);
        for reg in self.regs(|kind| matches!(kind, FileKind::Output(_))) {
            let value = lower.value(reg);
            lower.b.output(reg.index, value);
            let unwritten = Mask::ALL.without(lower.cell(reg).written);
            if !unwritten.is_empty() {
                lower.lowered.unwritten_outputs.push((reg, unwritten));
            }
        }
        for reg in self.regs(|kind| kind == FileKind::Constant) {
            let Cell { value, written } = *lower.cell(reg);
            if let Some(value) = value.filter(|_| !written.is_empty()) {
                lower.lowered.constant_writes.push((reg, value));
                lower.b.output(Output::Constant(reg.index).number(), value);
            }
        }
        Lowered { function: lower.b.finish(), ..lower.lowered }
    }
}

impl Lowered {
    /// The first slot of a program that reads what an instruction of its function gives: an input, a uniform or a texture.
    /// The register that the slot names may be filled from it before, by the machine or by the assembler's own
    /// instructions.
    pub fn first_use(&self, program: &Program, of: impl Fn(&ir::Inst) -> bool) -> Option<usize> {
        let internal = |slot: usize| {
            let mut insts = program.slots.get(slot).into_iter().flat_map(|slot| slot.insts());
            insts.any(|inst| inst.op.internal)
        };
        let Function { insts, origins, .. } = &self.function;
        let mut given = vec![false; insts.len()];
        for (index, (inst, origin)) in insts.iter().zip(origins).enumerate() {
            let slot = origin.map(|slot| slot as usize).filter(|slot| !internal(*slot));
            match slot {
                // A texture is read where the value is made.
                Some(slot) if of(inst) => return Some(slot),
                Some(_) => {}
                None => given[index] = of(inst) || inst.operands().any(|value| given[value.index()]),
            }
        }
        let is_given = |read: &&RegRead| given.get(read.value.index()) == Some(&true) && !internal(read.slot);
        self.reads.iter().find(is_given).map(|read| read.slot)
    }
}
