//! The shader unit as a device: a stream of dwords in, a stream of dwords out (spec section 6).
//!
//! ```
//! use gpuzoo_diag::File;
//! use gpuzoo_picogpu::{DOCUMENT, Unit, assemble, execute, program_dwords};
//!
//! let text = "#vertexShader #input r0.xy #output r1.xyzw  finit r1.w 1.0  fadd r1.xy r0 0.5 -0.5";
//! let program = assemble(&File::new("move", text), DOCUMENT).program;
//!
//! let mut unit = Unit::new(DOCUMENT);
//! let x_y = [3.0_f32, 4.0].map(f32::to_bits);
//! for dword in program_dwords(&program).into_iter().chain(execute(1)).chain(x_y) {
//!     unit.push(dword)?;
//! }
//! let out: Vec<f32> = std::iter::from_fn(|| unit.take()).map(f32::from_bits).collect();
//! assert_eq!(out, [3.5, 3.5, 0.0, 1.0]);
//! // Store and execute commands, the program and the input; lduni, initregs and two more; one.
//! assert_eq!(unit.executions()[0].first_output, (3 + 7 + 3 + 2) + 4 + 1);
//! # Ok::<(), gpuzoo_picogpu::UnitError>(())
//! ```

use crate::header::{self, COMMAND, COMMAND_DWORDS, HeaderError, THREADS};
use crate::meaning::stored::Stored;
use gpuzoo_isa::{Bits, Profile};
use gpuzoo_machine::unit::cache::Cache;
use std::collections::VecDeque;
use std::sync::Arc;

/// The most threads of a unit.
pub const MAX_THREADS: usize = 32;

/// What the unit cannot make sense of. It takes nothing more until it is [reset](Unit::reset), because it does not
/// know any longer where a command begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitError {
    /// A store command that no program can have.
    Header(HeaderError),
    /// The program has an opcode that does not exist; found when it executes.
    UnknownOpcode(u8),
    /// The unit has stopped at an earlier error.
    Stopped,
}

impl std::fmt::Display for UnitError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            UnitError::Header(error) => error.fmt(f),
            UnitError::UnknownOpcode(code) => write!(f, "Unknown opcode: {code}"),
            UnitError::Stopped => f.write_str("the unit has stopped at an earlier error"),
        }
    }
}

impl std::error::Error for UnitError {}

/// What one execute command took (spec section 10). Cycles count from the first request dword after the response
/// before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Execution {
    /// Threads that ran.
    pub threads: u32,
    /// Instructions that each of them ran, those of the assembler included.
    pub instructions: u64,
    /// Dwords that went in since the last response.
    pub dwords_in: u64,
    /// Dwords that came out.
    pub dwords_out: u64,
    /// The cycle of the first output dword.
    pub first_output: u64,
    /// The cycle of the last output dword.
    pub last_output: u64,
}

/// A shader unit.
pub struct Unit {
    profile: Profile,
    stored: Arc<Stored>,
    cache: Cache,
    state: State,
    words: Vec<u32>,
    dwords_in: u64,
    out: VecDeque<u32>,
    executions: Vec<Execution>,
}

/// What the unit waits for; the words so far are in [`Unit::words`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Command,
    Program { length: usize },
    Data { threads: usize, dwords: usize },
    Stopped,
}

impl Unit {
    /// A unit without a program: until it gets one, it echoes one dword a thread.
    pub fn new(profile: Profile) -> Unit {
        Unit {
            profile,
            stored: Arc::new(Stored::empty(profile)),
            cache: Cache::default(),
            state: State::Command,
            words: Vec::new(),
            dwords_in: 0,
            out: VecDeque::new(),
            executions: Vec::new(),
        }
    }

    /// Forgets everything.
    pub fn reset(&mut self) {
        *self = Unit::new(self.profile);
    }

    /// Gives the unit a dword.
    ///
    /// # Errors
    /// If it makes no sense at this place; see [`UnitError`].
    pub fn push(&mut self, dword: u32) -> Result<(), UnitError> {
        if self.state == State::Stopped {
            return Err(UnitError::Stopped);
        }
        self.words.push(dword);
        self.dwords_in += 1;
        let result = self.step();
        if result.is_err() {
            self.state = State::Stopped;
        }
        result
    }

    /// Takes the next dword of a response.
    pub fn take(&mut self) -> Option<u32> {
        self.out.pop_front()
    }

    /// Gives the unit bytes, lowest of each dword first, and takes what it answers.
    ///
    /// # Errors
    /// As [`push`](Unit::push); the bytes behind the error are not read. Bytes behind the last whole dword are
    /// not read either.
    pub fn stream(&mut self, bytes: &[u8]) -> Result<Vec<u8>, UnitError> {
        for dword in bytes.as_chunks::<4>().0 {
            self.push(u32::from_le_bytes(*dword))?;
        }
        Ok(std::iter::from_fn(|| self.take()).flat_map(u32::to_le_bytes).collect())
    }

    /// What was executed since the last reset, in order.
    pub fn executions(&self) -> &[Execution] {
        &self.executions
    }

    fn step(&mut self) -> Result<(), UnitError> {
        match self.state {
            State::Command if self.words.len() == COMMAND_DWORDS => self.command()?,
            State::Program { length } if self.words.len() == COMMAND_DWORDS + length => self.store()?,
            State::Data { threads, dwords } if self.words.len() == dwords => self.execute(threads)?,
            _ => {}
        }
        Ok(())
    }

    fn command(&mut self) -> Result<(), UnitError> {
        let bits = Bits::word(self.words[0]);
        if COMMAND.get(&bits) == 1 {
            let threads = THREADS.get(&bits) as usize + 1;
            self.words.clear();
            self.state = State::Data { threads, dwords: self.stored.data_dwords(threads) };
            return Ok(());
        }
        let (_, length) = header::decode(&self.words).map_err(UnitError::Header)?;
        self.state = State::Program { length };
        if length == 0 { self.store() } else { Ok(()) }
    }

    fn store(&mut self) -> Result<(), UnitError> {
        let (interface, _) = header::decode(&self.words).map_err(UnitError::Header)?;
        self.stored = Stored::kept(&self.cache, interface, &self.words, self.profile);
        self.words.clear();
        self.state = State::Command;
        Ok(())
    }

    fn execute(&mut self, threads: usize) -> Result<(), UnitError> {
        if let Some(code) = self.stored.unknown {
            return Err(UnitError::UnknownOpcode(code));
        }
        let before = self.out.len();
        self.stored.run(threads, &self.words, &mut self.out);
        let (dwords_out, instructions) = ((self.out.len() - before) as u64, self.stored.instructions);
        let first_output = self.dwords_in + instructions + 1;
        self.executions.push(Execution {
            threads: threads as u32,
            instructions,
            dwords_in: self.dwords_in,
            dwords_out,
            first_output,
            last_output: first_output + dwords_out - 1,
        });
        self.words.clear();
        self.dwords_in = 0;
        self.state = State::Command;
        Ok(())
    }
}
