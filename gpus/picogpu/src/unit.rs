//! The shader unit as a device: a stream of dwords in, a stream of dwords out (spec section 6).
//!
//! ```
//! use gpuzoo_diag::File;
//! use gpuzoo_picogpu::{Unit, assemble, execute, program_dwords};
//!
//! let text = "#vertexShader #input r0.xy #output r1.xyzw  finit r1.w 1.0  fadd r1.xy r0 0.5 -0.5";
//! let program = assemble(&File::new("move", text), "document").program;
//!
//! let mut unit = Unit::new("document");
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

use crate::ISA;
use crate::header::{self, COMMAND, COMMAND_DWORDS, HeaderError, THREADS};
use crate::meaning::lowered;
use crate::regs::{MAX_PORTS, U, triangle};
use gpuzoo_ir::eval::{NoTextures, Run};
use gpuzoo_ir::{Function, Vec4, passes};
use gpuzoo_isa::{Bits, Interface, Program, Stage};
use std::collections::VecDeque;

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
    profile: String,
    stored: Stored,
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
    Data { threads: usize },
    Stopped,
}

/// A program in the unit's memory.
struct Stored {
    interface: Interface,
    function: Function,
    instructions: u64,
    unknown: Option<u8>,
}

impl Unit {
    /// A unit without a program: until it gets one, it echoes one dword a thread.
    pub fn new(profile: &str) -> Unit {
        Unit {
            profile: profile.to_owned(),
            stored: Stored::new(empty(), &[], profile),
            state: State::Command,
            words: Vec::new(),
            dwords_in: 0,
            out: VecDeque::new(),
            executions: Vec::new(),
        }
    }

    /// Forgets everything.
    pub fn reset(&mut self) {
        *self = Unit::new(&self.profile);
    }

    /// Gives the unit a dword.
    ///
    /// # Errors
    /// If it makes no sense where it stands; see [`UnitError`].
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
            State::Data { threads } if self.words.len() == self.stored.data_dwords(threads) => {
                self.execute(threads)?
            }
            _ => {}
        }
        Ok(())
    }

    fn command(&mut self) -> Result<(), UnitError> {
        let bits = Bits::word(self.words[0]);
        if bits.get(COMMAND.lo, COMMAND.width) == 1 {
            let threads = bits.get(THREADS.lo, THREADS.width) as usize + 1;
            self.words.clear();
            self.state = State::Data { threads };
            return Ok(());
        }
        let (_, length) = header::decode(&self.words).map_err(UnitError::Header)?;
        self.state = State::Program { length };
        if length == 0 { self.store() } else { Ok(()) }
    }

    fn store(&mut self) -> Result<(), UnitError> {
        let (interface, _) = header::decode(&self.words).map_err(UnitError::Header)?;
        self.stored = Stored::new(interface, &self.words[COMMAND_DWORDS..], &self.profile);
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

/// What a unit holds before the first store command: one component in and out through r0.
fn empty() -> Interface {
    header::decode(&[0; COMMAND_DWORDS]).map(|(interface, _)| interface).unwrap_or_default()
}

impl Stored {
    fn new(interface: Interface, code: &[u32], profile: &str) -> Stored {
        let slots = ISA.slots(code, |_| Default::default());
        let instructions = slots.len() as u64;
        let opcode = |bits: &Bits| bits.get(crate::encoding::OP.lo, crate::encoding::OP.width);
        let unknown =
            slots.iter().map(|slot| opcode(&slot.bits)).find(|code| ISA.op_of_code(*code).is_none());
        let program = Program { slots, interface: Some(interface.clone()), ..Program::default() };
        let function = passes::optimize(&lowered(&program, profile).function);
        Stored { interface, function, instructions, unknown: unknown.map(|code| code as u8) }
    }

    /// Dwords of an input of a thread. Fragments get x and y of their pixel; the rest comes with the triangle.
    fn thread_dwords(&self) -> usize {
        match self.interface.stage {
            Stage::Vertex => self.interface.inputs.iter().map(|port| port.components as usize).sum(),
            Stage::Fragment => 2,
        }
    }

    /// Dwords of one of the triangle's vertices: x, y and z of the position, all of the rest.
    fn vertex_components(&self) -> impl Iterator<Item = usize> {
        let rest = self.interface.inputs.iter().skip(1).map(|port| port.components as usize);
        std::iter::once(3).chain(rest)
    }

    fn data_dwords(&self, threads: usize) -> usize {
        let uniforms: usize = self.interface.uniforms.iter().map(|port| port.components as usize).sum();
        let triangle = match self.interface.stage {
            Stage::Vertex => 0,
            Stage::Fragment => 3 * self.vertex_components().sum::<usize>(),
        };
        threads * self.thread_dwords() + uniforms + triangle
    }

    /// Runs all threads and appends their outputs. `data` has just the dwords that are needed.
    fn run(&self, threads: usize, data: &[u32], out: &mut VecDeque<u32>) {
        let (mut per_thread, rest) = data.split_at(threads * self.thread_dwords());
        let mut rest = rest;
        let mut uniforms = vec![[0; 4]; ISA.files[U as usize].count as usize];
        for (index, port) in self.interface.uniforms.iter().enumerate() {
            uniforms[index] = take_vector(&mut rest, port.components as usize);
        }
        if self.interface.stage == Stage::Fragment {
            for vertex in 0..3 {
                for (input, components) in self.vertex_components().enumerate() {
                    uniforms[triangle(vertex, input).index as usize] = take_vector(&mut rest, components);
                }
            }
        }
        let mut run = Run::default();
        for _ in 0..threads {
            let mut inputs = [[0; 4]; MAX_PORTS];
            match self.interface.stage {
                Stage::Vertex => {
                    for (input, port) in inputs.iter_mut().zip(&self.interface.inputs) {
                        *input = take_vector(&mut per_thread, port.components as usize);
                    }
                }
                Stage::Fragment => inputs[0] = take_vector(&mut per_thread, 2),
            }
            run.run(&self.function, &inputs, &uniforms, &NoTextures);
            for (port, (_, value)) in self.interface.outputs.iter().zip(&self.function.outputs) {
                out.extend(&run.value(*value)[..port.components as usize]);
            }
        }
    }
}

/// The next components from the stream, zeros behind them.
fn take_vector(from: &mut &[u32], components: usize) -> Vec4 {
    let (taken, rest) = from.split_at(components.min(from.len()));
    *from = rest;
    let mut vector = [0; 4];
    vector.iter_mut().zip(taken).for_each(|(lane, word)| *lane = *word);
    vector
}
