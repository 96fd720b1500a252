//! What is suspicious about a program of any machine.

use crate::codes::EMPTY;
use crate::isa::Isa;
use crate::lowered::Lowered;
use crate::op::Inst;
use crate::operand::{Mask, Reg};
use crate::program::{Program, Slot};
use gpuzoo_diag::{Code, Diagnostic};
use std::collections::HashMap;

impl Isa {
    /// A warning that there is nothing to run, which is all that there is to say about such a program.
    pub fn empty(&self, program: &Program) -> Diagnostic {
        let problem =
            Diagnostic::warning(&EMPTY, "the program is empty").label(program.span, "no instruction");
        problem.help("write one: `gpuzoo list ops` shows which there are")
    }

    /// A warning for each register that a program reads before it writes it, at the first reader of each component.
    /// `note` says what the value is.
    pub fn read_before_write(
        &self,
        slots: &[Slot],
        lowered: &Lowered,
        code: &'static Code,
        note: &str,
    ) -> Vec<Diagnostic> {
        let mut seen: HashMap<Reg, Mask> = HashMap::new();
        let mut problems = Vec::new();
        for read in &lowered.undefined_reads {
            let known = seen.entry(read.reg).or_insert(Mask(0));
            let new = read.components.without(*known);
            if new.is_empty() {
                continue;
            }
            *known = Mask(known.0 | new.0);
            let name = self.reg_name(read.reg);
            let what = if new == Mask::ALL { name } else { format!("{name}.{new}") };
            let problem = Diagnostic::warning(code, format!("{what} is read before it is written"));
            // What a machine reads before the first slot is not the fault of an instruction.
            let Some((here, later)) = slots.get(read.slot..).and_then(<[Slot]>::split_first) else {
                continue;
            };
            let mut problem = problem.label(here.span, "read here");
            let written = |slot: &&Slot| slot.insts().any(|inst| self.writes(inst, read.reg));
            if let Some(write) = later.iter().find(written) {
                problem = problem.label(write.span, "first written here");
            }
            problems.push(problem.note(note));
        }
        problems
    }

    fn writes(&self, inst: &Inst, reg: Reg) -> bool {
        inst.writes().any(|(part, operand)| inst.has(part) && operand.reg == reg)
    }
}
