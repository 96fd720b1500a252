//! The unit's state, as far as a log says it.

use super::lines::Command;
use super::methods::*;
use super::vertices::{Array, Current, INPUTS, Rows};
use crate::vertex::encoding::{MAX_SLOTS, is_final};
use crate::vertex::modes;
use crate::vertex::regs::CONSTANTS;
use gpuzoo_ir::Vec4;
use gpuzoo_isa::Bits;
use gpuzoo_machine::Modes;
use gpuzoo_machine::limits::budget::{Budget, Refusal};
use std::fmt;

/// Words of a slot and of a constant.
const WORDS: u32 = 4;

/// Bits 1:0 of [`EXECUTION`]: a program; else it is the fixed pipeline.
const BY_PROGRAM: u32 = 2;
/// Bit 2 of [`EXECUTION`]: programs reach all constants.
const ALL_CONSTANTS: u32 = 4;

/// The unit's state.
pub struct Unit {
    slots: Vec<Option<[u32; 4]>>,
    /// The constants; none for one that is not known.
    pub constants: Vec<Option<Vec4>>,
    /// Where the next word of a slot goes, and of a constant, counted in words.
    next_slot: u32,
    next_constant: u32,
    start: u32,
    /// The slot of the last launch.
    pub launched: u32,
    launch_data: [Option<u32>; 4],
    execution: Option<u32>,
    may_write: Option<u32>,
    arrays: [Array; INPUTS],
    pub current: Current,
    /// In a draw.
    draws: bool,
    /// The vertices of the draw.
    pub rows: Rows,
    /// Words of an array without an address that are not yet a vertex.
    inline: Vec<u32>,
    /// The draw has vertices in memory.
    pub is_in_memory: bool,
}

/// A run that a command completes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completed {
    Draw,
    Launch,
}

/// The part of a program that is not there.
pub enum Lack {
    /// The unit has no slot of the number at which it starts.
    Slot(usize),
    /// The log does not load this slot.
    Load(usize),
    /// No slot ends it.
    End,
}

impl Lack {
    /// The help of its diagnostic.
    pub fn help(&self) -> &'static str {
        match self {
            Lack::Load(_) => "let the log begin earlier",
            Lack::Slot(_) | Lack::End => {
                "a program starts at a slot from 0 to 135 and ends at one with the final bit"
            }
        }
    }
}

impl fmt::Display for Lack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lack::Slot(slot) => write!(f, "there is no slot {slot}"),
            Lack::Load(slot) => write!(f, "the log does not load slot {slot}"),
            Lack::End => f.write_str("no slot up to the last one ends it"),
        }
    }
}

impl Unit {
    pub fn new() -> Unit {
        Unit {
            slots: vec![None; MAX_SLOTS],
            constants: vec![None; CONSTANTS.into()],
            next_slot: 0,
            next_constant: 0,
            start: 0,
            launched: 0,
            launch_data: [None; 4],
            execution: None,
            may_write: None,
            arrays: Default::default(),
            current: Current::default(),
            draws: false,
            rows: Rows::default(),
            inline: Vec::new(),
            is_in_memory: false,
        }
    }

    /// Takes a command, and returns the run that it completes.
    ///
    /// # Errors
    /// [`Refusal`] if the budget has no memory for another vertex.
    pub fn take(&mut self, command: Command, budget: Option<&Budget>) -> Result<Option<Completed>, Refusal> {
        let Command { method, parameter } = command;
        match method {
            _ if PROGRAM.contains(&method) => load(&mut self.slots, &mut self.next_slot, parameter),
            _ if CONSTANT.contains(&method) => {
                load(&mut self.constants, &mut self.next_constant, parameter);
            }
            _ if ARRAY_FORMAT.contains(&method) => {
                self.arrays[((method - ARRAY_FORMAT.start) / 4) as usize] = Array(parameter);
            }
            _ if LAUNCH_DATA.contains(&method) => {
                self.launch_data[((method - LAUNCH_DATA.start) / 4) as usize] = Some(parameter);
            }
            PROGRAM_LOAD => self.next_slot = parameter.saturating_mul(WORDS),
            CONSTANT_LOAD => self.next_constant = parameter.saturating_mul(WORDS),
            PROGRAM_START => self.start = parameter,
            EXECUTION => self.execution = Some(parameter),
            WRITE_ENABLE => self.may_write = Some(parameter),
            LAUNCH => {
                self.launched = parameter;
                return Ok(Some(Completed::Launch));
            }
            BEGIN_END if parameter == 0 => {
                self.inline.clear();
                return Ok(std::mem::take(&mut self.draws).then_some(Completed::Draw));
            }
            BEGIN_END => {
                self.draws = true;
                self.rows.clear();
                self.inline.clear();
                self.is_in_memory = false;
            }
            INLINE_ARRAY => {
                self.inline.push(parameter);
                self.take_inline(budget)?;
            }
            _ if ELEMENTS.contains(&method) => self.take_elements(),
            _ => match effect(method) {
                Effect::Constant(number, component) => {
                    self.constants[usize::from(number)].get_or_insert_default()[component] = parameter;
                }
                _ => {
                    if self.current.set(method, parameter) == Some(true) && self.draws {
                        self.rows.push(&self.current, budget)?;
                    }
                }
            },
        }
        Ok(None)
    }

    /// Takes vertices in memory: the last one's values are not known.
    pub fn take_elements(&mut self) {
        self.is_in_memory = true;
        for (input, _) in self.arrays.iter().enumerate().filter(|(_, array)| array.is_on()) {
            self.current.take(input, None);
        }
    }

    /// Takes a vertex of an array without an address, once its words are there. A rest that is not a vertex is dropped.
    fn take_inline(&mut self, budget: Option<&Budget>) -> Result<(), Refusal> {
        let words: usize = self.arrays.iter().map(|array| array.words()).sum();
        if words == 0 || !self.draws {
            self.inline.clear();
            return Ok(());
        }
        if self.inline.len() < words {
            return Ok(());
        }
        let mut vertex = self.inline.as_slice();
        for (input, array) in self.arrays.iter().enumerate().filter(|(_, array)| array.is_on()) {
            let (own, rest) = vertex.split_at(array.words());
            self.current.take(input, Some(array.value(own)));
            vertex = rest;
        }
        self.inline.clear();
        self.rows.push(&self.current, budget)
    }

    /// True if vertices go through a program; where the log does not say it, if it loads one.
    pub fn has_program(&self) -> bool {
        let loaded = || self.slots.iter().any(Option::is_some);
        self.execution.map_or_else(loaded, |execution| execution & 3 == BY_PROGRAM)
    }

    /// The slot at which vertices start.
    pub fn start(&self) -> u32 {
        self.start
    }

    /// True if the log says that vertex programs may write constants.
    pub fn surely_writes(&self) -> bool {
        self.may_write.is_some_and(|enable| enable & 1 == 1)
    }

    /// The words from a slot to the end of the program.
    ///
    /// # Errors
    /// The part of it that is not there.
    pub fn program(&self, start: u32) -> Result<Vec<u32>, Lack> {
        let start = start as usize;
        if start >= self.slots.len() {
            return Err(Lack::Slot(start));
        }
        let mut words = Vec::new();
        for (index, slot) in self.slots.iter().enumerate().skip(start) {
            let Some(slot) = slot else { return Err(Lack::Load(index)) };
            words.extend(slot);
            if is_final(&bits(*slot)) {
                return Ok(words);
            }
        }
        Err(Lack::End)
    }

    /// The launch data, which a state program finds in v0, and whether the log has all of it.
    pub fn launch_data(&self) -> (Vec4, bool) {
        (self.launch_data.map(Option::unwrap_or_default), self.launch_data.iter().all(Option::is_some))
    }

    /// The modes in which a program runs.
    pub fn modes(&self, run: Completed) -> Modes {
        let mut modes = Modes::default();
        if let Some(enable) = self.may_write {
            modes.set(modes::CONSTANTS, if enable & 1 == 0 { modes::READ_ONLY } else { 0 });
        }
        if let Some(execution) = self.execution {
            modes.set(modes::RANGE, if execution & ALL_CONSTANTS == 0 { modes::USER } else { 0 });
        }
        modes.set(modes::PROGRAM, if run == Completed::Launch { modes::STATE } else { modes::VERTEX });
        modes
    }
}

/// A slot's bits.
pub fn bits(slot: [u32; 4]) -> Bits {
    Bits { words: [slot[0], slot[1], slot[2], slot[3], 0] }
}

/// Puts a word where the next one goes. A slot or constant that is loaded only in part has zeros in the others.
fn load(places: &mut [Option<[u32; 4]>], next: &mut u32, word: u32) {
    if let Some(place) = places.get_mut((*next / WORDS) as usize) {
        place.get_or_insert_default()[(*next % WORDS) as usize] = word;
    }
    *next = next.saturating_add(1);
}
