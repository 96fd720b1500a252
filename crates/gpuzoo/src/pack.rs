//! The verb `pack`: the same program, shorter.

use crate::codes::{CANNOT_PACK, NO_TEXT_FOR_PAIRS, UNPROVEN};
use crate::{Program, registry};
use gpuzoo_compile::graph::proof::VECTORS;
use gpuzoo_compile::graph::tidy::MOST_SLOTS;
use gpuzoo_compile::{Odd, Refused};
use gpuzoo_diag::{Diagnostic, counted};
use gpuzoo_machine::TextOptions;
use std::fmt::Write;

/// A program that was packed.
#[derive(Clone, Debug)]
pub struct Packed {
    /// The program.
    pub program: Program,
    /// The slots that run of the program before, and of this one.
    pub slots: [usize; 2],
    /// The least number of slots for the operations that are left, where slots are shared: no order of them needs fewer.
    pub bound: Option<usize>,
    /// How many instructions were left out.
    pub left_out: usize,
}

impl Program {
    /// The same program with fewer slots, if there is a way: without dead and repeated instructions, and on machines whose slots
    /// have two halves with as many pairs as an exact search of orders and registers finds. That it computes the same bits for
    /// all inputs in every profile is proven, and tried on some.
    ///
    /// ```
    /// let text = "dp4 r0.x, v0, c[0]\ndp4 r0.y, v0, c[1]\nrcp r2.w, v1.x\nmul oD0, r0.x, r2.w\nmov oPos, r0.xyyy\n";
    /// let packed = gpuzoo::nv2a().assemble("p.vsh", text)?.pack()?;
    /// assert_eq!(packed.slots, [5, 4]);
    /// # Ok::<(), gpuzoo::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// `G0236` for a program with parts that the machine does not define; `G0237` should the proof fail, which is a fault of gpuzoo.
    pub fn pack(&self) -> Result<Packed, Diagnostic> {
        self.pack_and_run(VECTORS)
    }

    /// As [`pack`](Self::pack); besides the proof, both programs are run on so many vectors of edge values and random ones, and not on
    /// 64.
    ///
    /// # Errors
    /// As [`pack`](Self::pack).
    pub fn pack_and_run(&self, vectors: u64) -> Result<Packed, Diagnostic> {
        let packed =
            gpuzoo_compile::pack(self.gpu(), self.code(), vectors).map_err(|why| self.refused(&why))?;
        let gpuzoo_compile::Packed { program, slots, bound, left_out } = packed;
        Ok(Packed { program: self.with_code(program), slots, bound, left_out })
    }

    fn refused(&self, why: &Refused) -> Diagnostic {
        let (message, place) = match why {
            Refused::Odd(Odd::Undefined(place)) => {
                ("the slot has parts that the machine does not define".to_owned(), *place)
            }
            Refused::Odd(Odd::Instruction(place)) => {
                ("the instruction is not one that can be moved".to_owned(), *place)
            }
            Refused::Long => {
                (format!("the program has more than {MOST_SLOTS} instructions"), self.code().span)
            }
            Refused::Unproven(difference) => {
                let profile = self.machine().about().profiles[usize::from(difference.profile.0)].0;
                let problem = Diagnostic::error(
                    &UNPROVEN,
                    format!(
                        "what was made of the program is not proven to be the same in the profile `{profile}`"
                    ),
                );
                return problem.at(self.code().span).help(
                    "please report it with the program: the fault is gpuzoo's, and nothing was written",
                );
            }
        };
        Diagnostic::error(&CANNOT_PACK, message).at(place)
    }
}

impl Packed {
    /// The program's text. A dialect may have no words for a pair; then it is refused.
    ///
    /// # Errors
    /// `G0111` for a dialect that the machine does not have; `G0238` for one that cannot say the program in as few slots.
    pub fn text(&self, options: &TextOptions) -> Result<(String, Vec<Diagnostic>), Diagnostic> {
        registry::check_text_options(self.program.gpu(), options)?;
        let (text, problems) = self.program.disassemble(options)?;
        let again =
            self.program.machine().read_with("text", text.as_bytes(), Some(crate::read::Form::Asm), options);
        let slots = again.as_ref().map_or(0, |again| again.code().slots.len());
        let dialect = options.dialect.unwrap_or("this");
        if again.is_ok() && slots > self.program.code().slots.len() {
            let message = format!("the dialect `{dialect}` has no words for pairs of instructions");
            let problem = Diagnostic::error(&NO_TEXT_FOR_PAIRS, message);
            let problem = problem.note(format!(
                "its text has {slots} instructions, the packed program {}",
                counted(self.slots[1], "slot")
            ));
            return Err(
                problem.help("write another dialect (`--to`), or the words (`--emit hex`, `--emit bin`)")
            );
        }
        Ok((text, problems))
    }

    /// What became of it, in a line.
    pub fn summary(&self) -> String {
        let [before, now] = self.slots;
        let mut line = format!("{} → {now}", counted(before, "slot"));
        match self.left_out {
            0 => {}
            left_out => drop(write!(line, ", {} left out", counted(left_out, "instruction"))),
        }
        match self.bound {
            Some(bound) if bound == now => line += "; no order of what is left needs fewer",
            Some(bound) => drop(write!(line, "; what is left needs {bound} at least")),
            None => {}
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::Profile;

    #[test]
    fn what_is_refused_has_a_code_and_a_place() {
        let program = crate::nv2a().assemble("p.vsh", "mov oPos, v0").unwrap();
        let place = program.code().span;
        let difference = |seen| {
            Refused::Unproven(gpuzoo_compile::graph::proof::Difference {
                profile: Profile(1),
                output: Some(0),
                seen,
            })
        };
        let cases = [
            (Refused::Odd(Odd::Undefined(place)), "G0236", "does not define"),
            (Refused::Odd(Odd::Instruction(place)), "G0236", "moved"),
            (Refused::Long, "G0236", "2048"),
            (difference(true), "G0237", "`cpu`"),
            (difference(false), "G0237", "`cpu`"),
        ];
        for (why, code, words) in cases {
            let problem = program.refused(&why);
            assert_eq!(
                (problem.code.id, problem.message.contains(words)),
                (code, true),
                "{}",
                problem.message
            );
            assert_eq!(problem.labels.len(), 1);
        }
    }
}
