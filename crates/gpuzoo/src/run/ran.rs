//! The effects of a run besides its outputs.

use crate::Program;
use crate::codes::{CONSTANTS_CHANGED, KILLED};
use gpuzoo_diag::{Diagnostic, Severity};
use gpuzoo_ir::Vec4;
use gpuzoo_isa::Reg;
use gpuzoo_machine::unit::reach::ReachWatch;

/// The effects of a run besides its outputs.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Ran {
    pub(super) program: Program,
    /// The constants that it changed, with their last values.
    pub(super) changed: Vec<(u16, Vec4)>,
    /// Number of discarded vertices or fragments.
    pub(super) killed: usize,
    pub(super) watch: ReachWatch,
}

/// The most changed constants that are shown.
const MOST_CHANGED: usize = 16;

impl Ran {
    /// Remarks about a run: what was killed, constants that it changed, and those that it sought beyond
    /// the machine's.
    pub fn remarks(&self) -> Vec<Diagnostic> {
        let mut remarks = self.unreached();
        if self.killed > 0 {
            let message = match self.killed {
                1 => "the program killed one run".to_owned(),
                count => format!("the program killed {count} runs"),
            };
            let remark = Diagnostic::new(Severity::Note, &KILLED, message);
            remarks.push(remark.note("what was killed has no results"));
        }
        remarks.extend(self.changed_constants());
        remarks
    }

    /// Constants that it sought beyond the machine's.
    pub fn unreached(&self) -> Vec<Diagnostic> {
        self.watch.report(self.program.isa(), self.program.code())
    }

    /// The constants that it changed, with their numbers in the program's text.
    pub fn constants(&self) -> Vec<(String, Vec4)> {
        let (code, isa) = (self.program.code(), self.program.isa());
        let name = |index| isa.constants().map(|(file, _)| code.reg_name(isa, Reg { file, index }));
        self.changed.iter().map(|(index, value)| (name(*index).unwrap_or_default(), *value)).collect()
    }

    fn changed_constants(&self) -> Option<Diagnostic> {
        let changed = &self.changed;
        if changed.is_empty() {
            return None;
        }
        let message = match changed.len() {
            1 => "the program changed one constant".to_owned(),
            count => format!("the program changed {count} constants"),
        };
        let mut remark = Diagnostic::new(Severity::Note, &CONSTANTS_CHANGED, message);
        for (name, value) in self.constants().into_iter().take(MOST_CHANGED) {
            let components = value.map(|component| format!("{:?}", f32::from_bits(component)));
            remark = remark.note(format!("{name} is now ({})", components.join(", ")));
        }
        if changed.len() > MOST_CHANGED {
            remark = remark.note(format!("and {} more", changed.len() - MOST_CHANGED));
        }
        Some(remark)
    }
}
