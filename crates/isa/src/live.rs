//! Which registers are in use where.

use crate::files::FileKind;
use crate::isa::Isa;
use crate::lowered::Lowered;
use crate::operand::{Mask, Reg};
use std::collections::BTreeMap;

impl Lowered {
    /// For each of a program's slots the temporaries that something reads behind it, with the components that count. Those that hold the program's
    /// results are read at its end.
    pub fn live(&self, isa: &Isa, slots: usize) -> Vec<Vec<(Reg, Mask)>> {
        let is_temporary = |reg: Reg| matches!(isa.file(reg).kind, FileKind::Temporary(_));
        let mut now: BTreeMap<Reg, u8> = BTreeMap::new();
        for reg in self.results(isa) {
            now.insert(reg, Mask::ALL.0);
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

    /// The temporaries that are looked at when the program has run: those that are also called as an output, or on machines without outputs
    /// those that hold what the function gives.
    fn results(&self, isa: &Isa) -> Vec<Reg> {
        let files = || (0..).zip(isa.files);
        let of = |wanted: fn(FileKind) -> bool| files().filter(move |(_, file)| wanted(file.kind));
        let temporaries = of(|kind| matches!(kind, FileKind::Temporary(_)));
        if of(|kind| matches!(kind, FileKind::Output(_))).next().is_none() {
            let written = self.steps.iter().flat_map(|step| &step.writes).map(|write| write.0);
            let is_result = |reg: &Reg| {
                let is_temporary = matches!(isa.file(*reg).kind, FileKind::Temporary(_));
                let last = self.last(*reg);
                is_temporary && self.function.outputs.iter().any(|(_, value)| last == Some(*value))
            };
            return written.filter(is_result).collect();
        }
        let is_output = |prefix: &str| {
            of(|kind| matches!(kind, FileKind::Output(_))).any(|(_, file)| file.prefix == prefix)
        };
        let both = temporaries.filter(|(_, file)| is_output(file.prefix));
        let registers = both.flat_map(|(number, file)| {
            let known = self.function.outputs.iter().filter(move |(index, _)| *index < file.count);
            known.map(move |(index, _)| Reg { file: number, index: *index })
        });
        registers.collect()
    }
}
