//! Logs of the commands that the unit was sent, as xemu prints them: a draw's program, constants and vertices.
//!
//! A log begins anywhere, so what was sent before it is not known: slots and constants that it does not load count as not given. What lies
//! in the console's memory is not in it either, which is where most vertices are.

mod lines;
mod vertices;

use crate::encoding::{MAX_SLOTS, is_final};
use crate::modes;
use crate::rules::{LOG_LINE, LOG_PROGRAM, LOG_VERTICES, NO_DRAW};
use gpuzoo_diag::{Diagnostic, File, Severity, counted};
use gpuzoo_ir::Vec4;
use gpuzoo_isa::Bits;
use gpuzoo_machine::Modes;
use gpuzoo_machine::logged::Logged;
use lines::{Command, Line, line};
use std::ops::Range;
use vertices::{Array, Current, INPUTS};

/// Words of a slot and of a constant.
const WORDS: u32 = 4;
/// How many constants there are.
const CONSTANTS: usize = 192;

/// Methods of the 3D class, as in envytools and xemu (`nv2a_regs.h`): words of the program and of constants...
const PROGRAM: Range<u32> = 0x0b00..0x0b80;
const CONSTANT: Range<u32> = 0x0b80..0x0c00;
/// ... what an attribute of vertex arrays is ...
const ARRAY_FORMAT: Range<u32> = 0x1760..0x17a0;
/// ... the begin of a draw, with a kind of primitive, and its end, with 0 ...
const BEGIN_END: u32 = 0x17fc;
/// ... vertices of arrays in memory, and without an address ...
const ELEMENTS: [u32; 3] = [0x1800, 0x1808, 0x1810];
const INLINE_ARRAY: u32 = 0x1818;
/// ... what vertices go through, and whether programs write constants ...
const EXECUTION: u32 = 0x1e94;
const WRITE_ENABLE: u32 = 0x1e98;
/// ... and where the next slot goes, where the program starts, and where the next constant goes.
const PROGRAM_LOAD: u32 = 0x1e9c;
const PROGRAM_START: u32 = 0x1ea0;
const CONSTANT_LOAD: u32 = 0x1ea4;

/// Bits 1:0 of [`EXECUTION`]: a program; else it is the fixed pipeline.
const BY_PROGRAM: u32 = 2;
/// Bit 2 of [`EXECUTION`]: programs reach all constants.
const ALL_CONSTANTS: u32 = 4;

/// What the unit holds, as far as the log says.
struct Unit {
    slots: Vec<Option<[u32; 4]>>,
    constants: Vec<Option<Vec4>>,
    /// Where the next word of a slot goes, and of a constant, counted in words.
    next_slot: u32,
    next_constant: u32,
    start: u32,
    execution: Option<u32>,
    may_write: Option<u32>,
    arrays: [Array; INPUTS],
    current: Current,
    /// In a draw.
    draws: bool,
    /// The vertices of the draw that went off, each with all inputs that have a value.
    vertices: Vec<Vec<(u16, Vec4)>>,
    inline: Vec<u32>,
    /// The draw has vertices in memory.
    is_in_memory: bool,
}

impl Unit {
    fn new() -> Unit {
        Unit {
            slots: vec![None; MAX_SLOTS],
            constants: vec![None; CONSTANTS],
            next_slot: 0,
            next_constant: 0,
            start: 0,
            execution: None,
            may_write: None,
            arrays: Default::default(),
            current: Current::default(),
            draws: false,
            vertices: Vec::new(),
            inline: Vec::new(),
            is_in_memory: false,
        }
    }

    /// Takes a command; true if it ends a draw.
    fn take(&mut self, Command { method, parameter }: Command) -> bool {
        match method {
            _ if PROGRAM.contains(&method) => load(&mut self.slots, &mut self.next_slot, parameter),
            _ if CONSTANT.contains(&method) => load(&mut self.constants, &mut self.next_constant, parameter),
            _ if ARRAY_FORMAT.contains(&method) => {
                self.arrays[((method - ARRAY_FORMAT.start) / 4) as usize] = Array(parameter);
            }
            PROGRAM_LOAD => self.next_slot = parameter.saturating_mul(WORDS),
            CONSTANT_LOAD => self.next_constant = parameter.saturating_mul(WORDS),
            PROGRAM_START => self.start = parameter,
            EXECUTION => self.execution = Some(parameter),
            WRITE_ENABLE => self.may_write = Some(parameter),
            BEGIN_END if parameter == 0 => {
                self.end_inline();
                return std::mem::take(&mut self.draws);
            }
            BEGIN_END => {
                self.draws = true;
                self.vertices.clear();
                self.inline.clear();
                self.is_in_memory = false;
            }
            INLINE_ARRAY => self.inline.push(parameter),
            _ if ELEMENTS.contains(&method) => {
                self.is_in_memory = true;
                // What the last vertex left there is not known.
                for (input, _) in self.arrays.iter().enumerate().filter(|(_, array)| array.is_on()) {
                    self.current.take(input, None);
                }
            }
            _ => {
                if self.current.set(method, parameter) == Some(true) && self.draws {
                    self.vertices.push(self.current.given().collect());
                }
            }
        }
        false
    }

    /// The vertices of an array without an address, of which a rest is dropped that is no vertex.
    fn end_inline(&mut self) {
        let words: usize = self.arrays.iter().map(|array| array.words()).sum();
        let inline = std::mem::take(&mut self.inline);
        for mut vertex in inline.chunks_exact(words.max(1)).filter(|_| words > 0) {
            for (input, array) in self.arrays.iter().enumerate().filter(|(_, array)| array.is_on()) {
                let (own, rest) = vertex.split_at(array.words());
                self.current.take(input, Some(array.value(own)));
                vertex = rest;
            }
            self.vertices.push(self.current.given().collect());
        }
    }

    /// True if vertices go through a program; where the log does not say it, if it loads one.
    fn has_program(&self) -> bool {
        let loaded = || self.slots.iter().any(Option::is_some);
        self.execution.map_or_else(loaded, |execution| execution & 3 == BY_PROGRAM)
    }

    /// The words from the start of the program to its end.
    fn program(&self) -> Result<Vec<u32>, String> {
        let mut words = Vec::new();
        for index in self.start as usize.. {
            let Some(slot) = self.slots.get(index) else { break };
            let Some(slot) = slot else { return Err(format!("the log does not load slot {index}")) };
            words.extend(slot);
            if is_final(&Bits { words: [slot[0], slot[1], slot[2], slot[3], 0] }) {
                return Ok(words);
            }
        }
        Err("no slot up to the last one ends it".to_owned())
    }
}

/// Puts a word where the next one goes. A slot or constant that is loaded only in part has zeros in the others.
fn load(places: &mut [Option<[u32; 4]>], next: &mut u32, word: u32) {
    if let Some(place) = places.get_mut((*next / WORDS) as usize) {
        place.get_or_insert_default()[(*next % WORDS) as usize] = word;
    }
    *next = next.saturating_add(1);
}

/// Reads the draw with a number, or the first one that goes through a program.
///
/// # Errors
/// `N0801` if there is no such draw, `N0802` if its program is not in the log.
pub fn read(file: &File, draw: Option<u64>) -> Result<Logged, Diagnostic> {
    let text = file.text();
    let mut unit = Unit::new();
    let (mut at, mut draws, mut first_broken, mut broken) = (0, 0, None, 0);
    let mut found = None;
    for text in text.split_inclusive('\n') {
        let place = at..at + text.trim_end().len();
        at += text.len();
        let command = match line(text) {
            Line::Command(command) => command,
            Line::Other => continue,
            Line::Broken => {
                if found.is_none() {
                    first_broken.get_or_insert(place);
                    broken += 1;
                }
                continue;
            }
        };
        if found.is_some() {
            // Only how many draws there are is still of interest.
            draws += u64::from(command.method == BEGIN_END && command.parameter == 0);
            continue;
        }
        if !unit.take(command) {
            continue;
        }
        if draw.map_or_else(|| unit.has_program(), |wanted| wanted == draws) {
            found = Some((draws, logged(&unit, file, place)?));
        }
        draws += 1;
    }
    let Some((number, mut logged)) = found else {
        let problem = Diagnostic::error(
            &NO_DRAW,
            match draw {
                Some(draw) => format!("there is no draw {draw} in the log"),
                None => "no draw of the log goes through a program".to_owned(),
            },
        );
        let problem = problem.label(file.whole(), "");
        return Err(match draws {
            0 => problem.help("it has none: `nv2a_pgraph_method` is the event of xemu to log"),
            1 => problem.help("the one that it has is number 0"),
            _ => problem.help(format!("draws are 0 to {}", draws - 1)),
        });
    };
    if draw.is_none() && draws > 1 {
        let message = format!("draw {number} of {draws} was taken, the first one with a program");
        let note = Diagnostic::new(Severity::Note, &NO_DRAW, message);
        logged.remarks.push(note.help("`--draw N` chooses another"));
    }
    if let Some(first) = first_broken {
        let message = format!("{} cannot be read", counted(broken, "line"));
        let problem = Diagnostic::new(Severity::Warning, &LOG_LINE, message);
        logged.remarks.push(problem.label(file.span(first), "the first one"));
    }
    Ok(logged)
}

/// A draw that ends at a place.
fn logged(unit: &Unit, file: &File, place: Range<usize>) -> Result<Logged, Diagnostic> {
    let span = file.span(place);
    if !unit.has_program() {
        let problem =
            Diagnostic::error(&LOG_PROGRAM, "the draw goes through the fixed pipeline, not a program");
        return Err(problem.label(span, "the draw ends here"));
    }
    let words = unit.program().map_err(|why| {
        let message = format!("the program of the draw is not in the log: {why}");
        let problem = Diagnostic::error(&LOG_PROGRAM, message).label(span, "the draw ends here");
        problem.help("let the log begin earlier")
    })?;
    let mut modes = Modes::default();
    if let Some(enable) = unit.may_write {
        modes.set(modes::CONSTANTS, if enable & 1 == 0 { modes::READ_ONLY } else { 0 });
    }
    if let Some(execution) = unit.execution {
        modes.set(modes::RANGE, if execution & ALL_CONSTANTS == 0 { modes::USER } else { 0 });
    }
    let mut remarks = Vec::new();
    let mut rows: Vec<Vec<(u16, Vec4)>> = unit.vertices.clone();
    if unit.is_in_memory {
        let note = Diagnostic::new(
            Severity::Note,
            &LOG_VERTICES,
            "vertices of the draw are in the console's memory",
        );
        remarks.push(note.label(span, "the draw ends here").help("name a file with them"));
        rows = vec![unit.current.given().collect()];
    }
    // An input that only later vertices have counts as zeros before.
    let mut inputs: Vec<u16> = rows.iter().flatten().map(|(input, _)| *input).collect();
    inputs.sort_unstable();
    inputs.dedup();
    let value =
        |row: &[(u16, Vec4)], input| row.iter().find(|(own, _)| *own == input).map(|(_, value)| *value);
    let values = rows
        .iter()
        .flat_map(|row| inputs.iter().map(|input| value(row, *input).unwrap_or_default()))
        .collect();
    let constants =
        (0..).zip(&unit.constants).filter_map(|(number, value)| Some((number, (*value)?))).collect();
    Ok(Logged { words, constants, inputs, values, modes, remarks })
}
