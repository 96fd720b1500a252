//! The programs that run before the one that is asked for, and what they leave in constants.
//!
//! A launch runs a state program once; a draw runs its program for each vertex. Both may write constants, which the
//! next vertex, draw
//! and launch finds (spec section 5).

use super::notes::{Kind, Notes};
use super::unit::{Completed, Unit, bits};
use super::vertices::INPUTS;
use crate::ISA;
use crate::vertex::encoding::may_write_constant;
use crate::vertex::modes;
use crate::vertex::regs::{C, V};
use crate::vertex::rules::HIDDEN_READ;
use gpuzoo_diag::Span;
use gpuzoo_ir::eval::{NoTextures, Run};
use gpuzoo_ir::{Inst, Vec4};
use gpuzoo_isa::{Lowered, Output, Profile, Program};
use gpuzoo_machine::{Modes, RunState};
use std::ops::Range;

/// The unit, and the programs that it runs.
pub struct Replay {
    pub unit: Unit,
    pub notes: Notes,
    profile: Profile,
    /// The program that was lowered last: most draws and launches run the one before them.
    ready: Option<Ready>,
    run: Run,
}

/// A program in a state of the unit.
struct Ready {
    words: Vec<u32>,
    modes: Modes,
    lowered: Lowered,
    /// A read that the modes forbid.
    hidden: Option<String>,
}

impl Ready {
    fn new(words: Vec<u32>, modes: Modes, profile: Profile) -> Ready {
        let slots = ISA.slots(&words, |_| Span::default());
        let program = Program { slots, ..Program::default() };
        let (lowered, problems) = modes::lowered(&program, &RunState { profile, modes, start: &[] });
        let hidden = problems.into_iter().find(|problem| problem.code == &HIDDEN_READ);
        Ready { words, modes, lowered, hidden: hidden.map(|problem| problem.message) }
    }

    /// The constants that it writes.
    fn written(&self) -> impl Iterator<Item = u16> {
        self.lowered.function.outputs.iter().filter_map(|(number, _)| match Output::of(*number) {
            Output::Constant(index) => Some(index),
            _ => None,
        })
    }

    /// The constants that it reads at fixed numbers before it writes them, and true if it reads the first input.
    fn read(&self) -> (Vec<u16>, bool) {
        let reads = self.lowered.reads.iter().filter(|read| read.index.is_none());
        let of_constants = reads.clone().filter(|read| {
            let inst = self.lowered.function.insts.get(read.value.index());
            read.reg.file == C && matches!(inst, Some(Inst::Uniform(_)))
        });
        let mut constants: Vec<u16> = of_constants.map(|read| read.reg.index).collect();
        constants.sort_unstable();
        constants.dedup();
        let is_input = self.lowered.reads.iter().any(|read| read.reg.file == V && read.reg.index == 0);
        (constants, is_input)
    }
}

impl Replay {
    pub fn new(profile: Profile) -> Replay {
        Replay { unit: Unit::new(), notes: Notes::default(), profile, ready: None, run: Run::default() }
    }

    /// Runs the launch of this number, which the log has at a place.
    pub fn launch(&mut self, number: u64, place: &Range<usize>) {
        let words = match self.unit.program(self.unit.launched) {
            Ok(words) => words,
            Err(why) => {
                return self.notes.add(Kind::NoProgram(why.help()), place, || {
                    format!(
                        "launch {number} cannot be run, and constants that it writes are not known: {why}"
                    )
                });
            }
        };
        self.prepare(words, Completed::Launch);
        let (data, is_known) = self.unit.launch_data();
        self.note_unset(&format!("launch {number}"), is_known, place);
        let mut inputs = [[0; 4]; INPUTS];
        inputs[0] = data;
        let mut constants = self.constants();
        self.run_once(&inputs, &mut constants);
        self.keep(&constants);
    }

    /// Runs the draw of this number, which the log ends at a place, if its program writes constants.
    pub fn draw(&mut self, number: u64, place: &Range<usize>) {
        if !self.unit.has_program() {
            return;
        }
        let words = match self.unit.program(self.unit.start()) {
            Ok(words) => words,
            Err(why) if self.unit.surely_writes() => {
                return self.notes.add(Kind::NoProgram(why.help()), place, || {
                    format!("draw {number} may write constants, and its program is not in the log: {why}")
                });
            }
            Err(_) => return,
        };
        let (slots, _) = words.as_chunks();
        if !slots.iter().any(|slot| may_write_constant(&bits(*slot))) {
            return;
        }
        self.prepare(words, Completed::Draw);
        let written: Vec<u16> = self.ready.iter().flat_map(Ready::written).collect();
        if written.is_empty() {
            return;
        }
        if self.unit.is_in_memory {
            for index in &written {
                self.unit.constants[usize::from(*index)] = None;
            }
            let names: Vec<String> = written.iter().map(|index| format!("c{index}")).collect();
            return self.notes.add(Kind::Lost, place, || {
                format!("draw {number} writes {} with vertices in the console's memory", names.join(", "))
            });
        }
        self.note_unset(&format!("draw {number}"), true, place);
        let mut constants = self.constants();
        let rows = std::mem::take(&mut self.unit.rows);
        rows.each(|inputs| self.run_once(inputs, &mut constants));
        if !rows.is_empty() {
            self.keep(&constants);
        }
        self.unit.rows = rows;
    }

    /// Lowers a program, unless it is the one that ran last.
    fn prepare(&mut self, words: Vec<u32>, run: Completed) {
        let modes = self.unit.modes(run);
        let same = self.ready.as_ref().is_some_and(|ready| ready.words == words && ready.modes == modes);
        if !same {
            self.ready = Some(Ready::new(words, modes, self.profile));
        }
    }

    /// All constants; zeros for one that is not known.
    fn constants(&self) -> Vec<Vec4> {
        self.unit.constants.iter().map(|constant| constant.unwrap_or_default()).collect()
    }

    fn run_once(&mut self, inputs: &[Vec4], constants: &mut [Vec4]) {
        let Some(ready) = &self.ready else { return };
        let function = &ready.lowered.function;
        self.run.run(function, inputs, constants, &NoTextures);
        for (number, value) in &function.outputs {
            if let Output::Constant(index) = Output::of(*number)
                && let Some(constant) = constants.get_mut(usize::from(index))
            {
                *constant = self.run.value(*value);
            }
        }
    }

    /// Keeps the constants that the program writes.
    fn keep(&mut self, constants: &[Vec4]) {
        for index in self.ready.iter().flat_map(Ready::written).map(usize::from) {
            if let (Some(constant), Some(value)) = (self.unit.constants.get_mut(index), constants.get(index))
            {
                *constant = Some(*value);
            }
        }
    }

    /// Notes what the program reads and the log has not set, and what it cannot read.
    fn note_unset(&mut self, who: &str, has_data: bool, place: &Range<usize>) {
        let Some(ready) = &self.ready else { return };
        if let Some(why) = &ready.hidden {
            self.notes.add(Kind::Hidden, place, || format!("{who}: {why}"));
        }
        let (constants, reads_input) = ready.read();
        let is_unset = |index: &u16| self.unit.constants.get(usize::from(*index)) == Some(&None);
        let mut unset: Vec<String> =
            constants.iter().filter(|index| is_unset(index)).map(|index| format!("c{index}")).collect();
        if reads_input && !has_data {
            unset.push("the launch data".to_owned());
        }
        if !unset.is_empty() {
            self.notes.add(Kind::Unset, place, || {
                format!(
                    "{who} reads {}, which the log does not set before: zeros are taken",
                    unset.join(", ")
                )
            });
        }
    }
}
