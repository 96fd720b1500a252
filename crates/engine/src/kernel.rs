//! Kernels: compiling and running.

use std::cell::Cell;
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use gpuzoo_ir::eval::NoTextures;
use gpuzoo_ir::verify::{Problem, verify};
use gpuzoo_ir::{Function, Vec4, scalar};

use crate::block::{BLOCK, Block, Context, Copies, Lanes, Memory};
use crate::compiled::Jit;
use crate::execute::execute;
use crate::lanes::{Inputs, Outputs};
use crate::program::{Place, Program};
use crate::sampler::{PerLane, Sampler};
use crate::threads::join;
use gpuzoo_simd::{Level, Supported};

/// A function made ready to run on many lanes at once.
#[derive(Debug)]
pub struct Kernel {
    program: Program,
    outputs: Vec<u16>,
    level: Supported,
    /// Machine code, generated when so many lanes have been run that it pays.
    jit: OnceLock<Option<Jit>>,
    /// Lanes run so far without it; where [`Level::Jit`] is requested, enough to make it pay from the start.
    lanes: AtomicUsize,
}

/// Why a function cannot be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// It is not well formed.
    Problems(Vec<Problem>),
    /// It reads 2¹⁵ - 1 input components or more, has 2¹⁵ values at a time or more, or more than 2¹⁶ values that are
    /// the same in all lanes.
    TooLarge,
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Problems(problems) => match problems.first() {
                Some(problem) => write!(f, "the function is not well formed: {problem}"),
                None => write!(f, "the function is not well formed"),
            },
            Error::TooLarge => write!(f, "the function has too many values at a time"),
        }
    }
}

impl std::error::Error for Error {}

/// How to compile.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// Inputs that are the same in all lanes of a run; they come from [`Call::invariant`]. What depends only on them
    /// and on uniforms is computed once a run.
    pub invariant: &'a [u16],
    /// The instruction set; [`Level::chosen`] if it is not given, the portable one if this processor lacks it.
    pub level: Option<Level>,
    /// The coordinates that the sampler looks at when it reads a unit, as a mask (bit 0 is x); the others reach it as
    /// zeros, and need not be computed. All four if this is not given.
    pub coordinates: Option<fn(unit: u8) -> u8>,
}

/// What is the same for all lanes of a run.
#[derive(Clone, Copy)]
pub struct Call<'a> {
    /// Uniforms by number; those that are not here read as zeros.
    pub uniforms: &'a [Vec4],
    /// The inputs that [`Options::invariant`] names, by number; those that are not here read as zeros.
    pub invariant: &'a [Vec4],
    /// Where texels come from.
    pub sampler: &'a dyn Sampler,
}

impl Default for Call<'_> {
    fn default() -> Self {
        Call { uniforms: &[], invariant: &[], sampler: &PerLane(NoTextures) }
    }
}

/// Lanes after which machine code has repaid its compilation; measured: 13,000 to 20,000 (docs/engine.md).
pub(crate) const PAYS: usize = 1 << 14;

thread_local! {
    /// Taken out while a run uses it, so that a sampler may run kernels, too.
    static MEMORY: Cell<Option<Box<Memory>>> = const { Cell::new(None) };
}

impl Kernel {
    /// Compiles a function. Passes make functions shorter ([`gpuzoo_ir::passes::optimize`]); kernels are the same
    /// with fewer of them, because components that are never read, shuffles, equal values and constants vanish here.
    ///
    /// # Errors
    /// If the function is not well formed or too large.
    pub fn compile(function: &Function) -> Result<Kernel, Error> {
        Kernel::compile_with(function, &Options::default())
    }

    /// As [`compile`](Kernel::compile), with options.
    ///
    /// # Errors
    /// If the function is not well formed or too large.
    pub fn compile_with(function: &Function, options: &Options) -> Result<Kernel, Error> {
        verify(function).map_err(Error::Problems)?;
        let components = scalar::Options { invariant: options.invariant, coordinates: options.coordinates };
        let program = Program::new(function, &components).ok_or(Error::TooLarge)?;
        let outputs = function.outputs.iter().map(|(number, _)| *number).collect();
        let level = Supported::or_portable(options.level.unwrap_or_else(Level::chosen));
        let lanes = AtomicUsize::new(if options.level == Some(Level::Jit) { PAYS } else { 0 });
        Ok(Kernel { program, outputs, level, jit: OnceLock::new(), lanes })
    }

    /// The numbers of the outputs, in the order of [`Function::outputs`].
    pub fn outputs(&self) -> &[u16] {
        &self.outputs
    }

    /// True if it can kill lanes.
    pub fn kills(&self) -> bool {
        self.program.kills
    }

    /// The input components that it loads for each lane, as number and component, in this order.
    pub fn inputs(&self) -> &[(u16, u8)] {
        &self.program.inputs
    }

    /// How many operations each lane takes, those on components counted one by one, and a dot product as one.
    pub fn steps(&self) -> usize {
        self.program.steps.len()
    }

    /// How many columns it needs beside its inputs; 1 KiB each.
    pub fn registers(&self) -> usize {
        usize::from(self.program.registers)
    }

    /// The instruction set that it runs on.
    pub fn level(&self) -> Level {
        self.level.level()
    }

    /// Runs the lanes of `range` on this thread. `inputs` is asked for those numbers; the first lane of the range is
    /// number 0 in `outputs`.
    pub fn run(&self, range: Range<usize>, inputs: &impl Inputs, call: &Call, outputs: &mut impl Outputs) {
        let mut memory = MEMORY.take().unwrap_or_default();
        self.prepare(&mut memory, call);
        let jit = self.jit(range.len());
        jit.iter().for_each(|jit| jit.make_room(&mut memory.spills));
        let steps = jit.map_or(&self.program.steps[..], Jit::steps);
        let mut borrowed = vec![None; self.program.inputs.len()];
        let mut registers: Vec<Option<&mut [u32; BLOCK]>> = Vec::new();
        let mut copied: Vec<(u16, &mut [u32; BLOCK])> = Vec::new();
        let mut first = range.start;
        while first < range.end {
            let lanes = BLOCK.min(range.end - first);
            let at = first - range.start;
            self.load(&mut memory, first, lanes, inputs, &mut borrowed);
            memory.killed.0[..lanes].fill(0);
            let mut own = emptied(registers);
            own.extend(memory.registers.iter_mut().map(|lanes| Some(&mut lanes.0)).take(self.registers()));
            let context = Context {
                loaded: &memory.loaded,
                borrowed: &borrowed,
                killed: &mut memory.killed.0,
                scalars: &memory.scalars,
                each: &self.program.each,
                spills: &mut memory.spills,
                uniforms: call.uniforms,
                sampler: call.sampler,
                first,
                lanes,
            };
            if lanes == BLOCK && outputs.lends(at) {
                // Registers whose values are outputs lie where the outputs go.
                let mut copies = emptied(copied);
                outputs.lend(at, |output, component, room| {
                    match self.program.outputs.get(output).and_then(|places| places.get(component)) {
                        Some(Place::Scalar(scalar)) => room.fill(memory.scalars[usize::from(*scalar)]),
                        Some(Place::Home(register)) => own[usize::from(*register)] = Some(room),
                        Some(Place::Input(column)) => room.copy_from_slice(context.input(*column)),
                        Some(Place::Copy(column)) => copies.push((*column, room)),
                        None => {}
                    }
                });
                let mut block = Block { registers: &mut own, context };
                execute(self.level, steps, jit, &mut block);
                copies.iter_mut().for_each(|(column, room)| room.copy_from_slice(block.column(*column)));
                copied = emptied(copies);
                registers = emptied(own);
            } else {
                let mut block = Block { registers: &mut own, context };
                execute(self.level, steps, jit, &mut block);
                store(&self.program, &block, &mut memory.copies, at, outputs);
                registers = emptied(own);
            }
            if self.program.kills {
                outputs.killed(at, &memory.killed.0[..lanes]);
            }
            first += lanes;
        }
        MEMORY.set(Some(memory));
    }

    /// As [`run`](Kernel::run), with the feature `threads` on all threads of the current rayon pool. Which thread computes a
    /// lane makes no difference to its bits.
    pub fn run_parallel<O: Outputs>(
        &self,
        range: Range<usize>,
        inputs: &impl Inputs,
        call: &Call,
        mut outputs: O,
    ) {
        /// Lanes times steps that are worth waking a thread for: 20 to 80 µs.
        const LEAST_WORK: usize = 1 << 18;
        let lanes = range.len();
        let work = lanes.saturating_mul(self.program.steps.len() + self.program.inputs.len());
        if lanes <= 2 * BLOCK || work < LEAST_WORK {
            return self.run(range, inputs, call, &mut outputs);
        }
        let half = (lanes / 2).next_multiple_of(BLOCK);
        let middle = range.start + half;
        let (left, right) = outputs.split(half);
        join(
            || self.run_parallel(range.start..middle, inputs, call, left),
            || self.run_parallel(middle..range.end, inputs, call, right),
        );
    }

    /// The machine code, if this level has any and it pays with so many lanes more.
    pub(crate) fn jit(&self, lanes: usize) -> Option<&Jit> {
        if self.level.level() != Level::Jit {
            return None;
        }
        if self.jit.get().is_none()
            && self.lanes.fetch_add(lanes, Ordering::Relaxed).saturating_add(lanes) < PAYS
        {
            return None;
        }
        self.jit.get_or_init(|| Jit::new(&self.program, self.level)).as_ref()
    }

    /// Makes room and computes what is the same in all lanes.
    fn prepare(&self, memory: &mut Memory, call: &Call) {
        let registers = self.registers();
        if memory.registers.len() < registers {
            memory.registers.resize_with(registers, Lanes::default);
        }
        let scalars = &mut memory.scalars;
        scalars.clear();
        scalars.extend_from_slice(&self.program.scalars);
        for &(to, node) in &self.program.once {
            scalars[usize::from(to)] = node.eval(|id| scalars[id as usize], call.invariant, call.uniforms);
        }
    }

    /// Has the inputs of a block borrowed or loaded.
    fn load<'i>(
        &self,
        memory: &mut Memory,
        first: usize,
        lanes: usize,
        inputs: &'i impl Inputs,
        borrowed: &mut [Option<&'i [u32; BLOCK]>],
    ) {
        let wanted = &self.program.inputs;
        let mut index = 0;
        while index < wanted.len() {
            let input = wanted[index].0;
            let count = wanted[index..].iter().take_while(|(other, _)| *other == input).count();
            let components = &wanted[index..index + count];
            let range = index..index + count;
            index += count;
            if lanes == BLOCK {
                let mut all = true;
                for (to, (_, component)) in borrowed[range.clone()].iter_mut().zip(components) {
                    *to = inputs.borrow(input, *component, first);
                    all &= to.is_some();
                }
                if all {
                    continue;
                }
            }
            borrowed[range.clone()].fill(None);
            if memory.loaded.len() < range.end {
                memory.loaded.resize_with(wanted.len(), Lanes::default);
            }
            let mut columns = [&mut [][..], &mut [], &mut [], &mut []];
            for (column, (_, component)) in memory.loaded[range].iter_mut().zip(components) {
                columns[usize::from(component & 3)] = &mut column.0[..lanes];
            }
            inputs.load(input, first, columns);
        }
    }
}

/// Empties a vector and reuses its allocation for another type.
fn emptied<A, B>(mut old: Vec<A>) -> Vec<B> {
    old.clear();
    old.into_iter().map_while(|_| None).collect()
}

/// Passes the outputs of a block on.
fn store(
    program: &Program,
    block: &Block,
    copies: &mut [Copies; 4],
    first: usize,
    outputs: &mut impl Outputs,
) {
    let count = block.context.lanes;
    // So many lanes at a time that in rows their outputs stay in the first-level cache, while one after the other is
    // written.
    let tile = if program.outputs.len() > 4 { BLOCK / 8 } else { BLOCK };
    for start in (0..count).step_by(tile) {
        let lanes = start..(start + tile).min(count);
        for (index, places) in program.outputs.iter().enumerate() {
            let mut columns = [&[][..]; 4];
            for ((to, place), copies) in columns.iter_mut().zip(places).zip(copies.iter_mut()) {
                *to = match place {
                    Place::Scalar(scalar) => {
                        copies.of(block.context.scalars[usize::from(*scalar)], lanes.len())
                    }
                    Place::Home(column) | Place::Copy(column) | Place::Input(column) => {
                        &block.column(*column)[lanes.clone()]
                    }
                };
            }
            outputs.store(index, first + start, columns);
        }
    }
}
