//! Which registers are in use where.

use crate::isa::{FileKind, Isa};
use crate::lower::Lowered;
use crate::operand::{Mask, Reg};
use std::collections::BTreeMap;

impl Lowered {
    /// For each of a program's slots the temporaries that something reads behind it, with the components that count. On machines without registers for
    /// outputs those that hold the program's results are read at its end.
    pub fn live(&self, isa: &Isa, slots: usize) -> Vec<Vec<(Reg, Mask)>> {
        let is_temporary = |reg: Reg| matches!(isa.file(reg).kind, FileKind::Temporary(_));
        let mut now: BTreeMap<Reg, u8> = BTreeMap::new();
        let has_outputs = isa.files.iter().any(|file| matches!(file.kind, FileKind::Output(_)));
        let written = self.steps.iter().flat_map(|step| &step.writes);
        let written = written.filter(|write| !has_outputs && is_temporary(write.0));
        for &(reg, ..) in written {
            let result = self.function.outputs.iter().any(|(_, value)| self.last(reg) == Some(*value));
            if result {
                now.insert(reg, Mask::ALL.0);
            }
        }
        let mut live = vec![Vec::new(); slots];
        let (mut steps, mut reads) = (self.steps.as_slice(), self.reads.as_slice());
        for (slot, own) in live.iter_mut().enumerate().rev() {
            *own = now.iter().map(|(reg, mask)| (*reg, Mask(*mask))).collect();
            while let Some((step, before)) = steps.split_last().filter(|(step, _)| step.slot >= slot) {
                for (reg, _, mask) in &step.writes {
                    if let Some(needed) = now.get_mut(reg) {
                        *needed &= !mask.0;
                    }
                }
                steps = before;
            }
            while let Some((read, before)) = reads.split_last().filter(|(read, _)| read.slot >= slot) {
                if is_temporary(read.reg) {
                    *now.entry(read.reg).or_default() |= read.components.0;
                }
                reads = before;
            }
            now.retain(|_, needed| *needed != 0);
        }
        live
    }
}
