//! The vertex stage of a draw: a program, run for the vertices of a buffer.

use crate::limits::budget::{Budget, Refusal};
use crate::unit::layout::{Column, Layout};
use gpuzoo_engine::{Call, Inputs, Kernel, RowsMut};
use gpuzoo_ir::eval::{NoTextures, Run};
use gpuzoo_ir::{Function, Vec4, passes};
use gpuzoo_isa::Output;
use gpuzoo_raster::{Primitives, Topology};
use std::ops::Range;

/// A vertex program made ready to be run: optimized, and compiled where that is possible.
#[derive(Debug)]
pub struct VertexProgram {
    function: Function,
    /// None if each vertex must wait for the one before, or if the function is too large.
    kernel: Option<Kernel>,
}

/// What a vertex program gave for the vertices of a draw, or of a part of it.
///
/// A vertex that is used several times in a part is run once, unless programs write constants
/// ([`Output::Constant`]), which count from the next vertex on: then each use is a run.
#[derive(Debug)]
#[non_exhaustive]
pub struct VertexRuns<'a> {
    /// The outputs, run after run, in the order of [`Function::outputs`].
    values: &'a [Vec4],
    width: usize,
    runs: usize,
    /// The run of each vertex, in the order of their use; without it each vertex has its own.
    indices: Option<&'a [u32]>,
    topology: Topology,
    /// The number of the first use in the draw.
    first: usize,
}

/// The vertices of a draw: where they are, and how they are used.
#[derive(Clone, Copy, Debug)]
pub struct Uses<'a> {
    /// How the buffer is read.
    pub layout: &'a Layout,
    /// Their bytes.
    pub buffer: &'a [u8],
    /// The vertices in the order of their use; without it each is used once.
    pub indices: Option<&'a [u32]>,
    /// How they make primitives.
    pub topology: Topology,
}

/// The most uses of vertices that are run before their primitives are drawn, which bounds the memory that a draw takes.
/// Lists of lines and triangles end with it, and a strip's second part winds as its first.
const PART: usize = 3 << 16;

impl VertexProgram {
    /// Makes a function ready.
    pub fn new(function: &Function) -> VertexProgram {
        let function = passes::optimize(function);
        let kernel = Kernel::compile(&function).ok().filter(|_| !leaves_constants(&function));
        VertexProgram { function, kernel }
    }

    /// The function, optimized.
    pub fn function(&self) -> &Function {
        &self.function
    }

    /// Runs it for the vertices of a draw, and gives `each` what came of them: all at once, or of a large draw part after
    /// part. In a part each vertex is run once, from the first to the last one that it uses. Programs that write
    /// constants run for each use, in order. An index that the buffer does not have is not run.
    ///
    /// # Errors
    /// [`Refusal`] if there is no memory for what they give, or from `each`.
    pub fn run(
        &self,
        uses: &Uses,
        constants: &[Vec4],
        budget: &Budget,
        each: impl FnMut(&VertexRuns) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        self.run_parts(uses, constants, budget, PART, each)
    }

    fn run_parts(
        &self,
        uses: &Uses,
        constants: &[Vec4],
        budget: &Budget,
        most: usize,
        mut each: impl FnMut(&VertexRuns) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let width = self.function.outputs.len();
        let (topology, count) = (uses.topology, uses.layout.vertex_count(uses.buffer.len()));
        if leaves_constants(&self.function) {
            // Each use is a run.
            let (order, indices) = order(uses.indices, count, budget)?;
            let runs = order.len();
            let mut values = budget.room(runs.saturating_mul(width))?;
            self.in_order(uses, order.into_iter(), constants, &mut values);
            return each(&VertexRuns {
                values: &values,
                width,
                runs,
                indices: indices.as_deref(),
                topology,
                first: 0,
            });
        }
        let mut values = Vec::new();
        for Part { uses: part, vertices } in parts(uses, count, most) {
            let first = part.start;
            let runs = vertices.len();
            let length = runs.saturating_mul(width);
            if values.capacity() < length {
                values = budget.room(length)?;
            }
            values.clear();
            match &self.kernel {
                Some(kernel) => {
                    values.resize(length, [0; 4]);
                    let inputs = VertexBuffer { layout: uses.layout, buffer: uses.buffer };
                    let inputs = VerticesFrom { inputs, first: vertices.start };
                    let call = Call { uniforms: constants, ..Call::default() };
                    let outputs = RowsMut { values: &mut values, width, killed: &mut [] };
                    kernel.run_parallel(0..runs, &inputs, &call, outputs);
                }
                None => self.in_order(uses, vertices.clone(), constants, &mut values),
            }
            let numbers;
            let indices = match uses.indices.map(|indices| &indices[part]) {
                // As they are, if the first vertex has run first.
                Some(indices) if vertices.start == 0 => Some(indices),
                Some(indices) => {
                    let number = |index: &u32| index.wrapping_sub(vertices.start as u32);
                    numbers = budget.collect(indices.len(), indices.iter().map(number))?;
                    Some(&numbers[..])
                }
                None => None,
            };
            each(&VertexRuns { values: &values, width, runs, indices, topology, first })?;
        }
        Ok(())
    }

    /// Runs it by the evaluator, for one vertex after the other. `outputs` has room for what they give.
    fn in_order(
        &self,
        &Uses { layout, buffer, .. }: &Uses,
        order: impl Iterator<Item = usize>,
        constants: &[Vec4],
        outputs: &mut Vec<Vec4>,
    ) {
        let function = &self.function;
        let input_count =
            layout.attributes.iter().map(|attribute| attribute.input as usize + 1).max().unwrap_or(0);
        let mut inputs = vec![[0; 4]; input_count];
        let mut run = Run::default();
        let mut constants = constants.to_vec();
        for vertex in order {
            layout.fetch(buffer, vertex, &mut inputs);
            run.run(function, &inputs, &constants, &NoTextures);
            outputs.extend(function.outputs.iter().map(|&(_, value)| run.value(value)));
            write_constants(function, &run, &mut constants);
        }
    }
}

impl VertexRuns<'_> {
    /// The values that `put` adds for the outputs of each run, `each` of them.
    ///
    /// # Errors
    /// [`Refusal`] if there is no memory for them.
    #[inline]
    pub fn collect<T>(
        &self,
        budget: &Budget,
        each: usize,
        mut put: impl FnMut(&[Vec4], &mut Vec<T>),
    ) -> Result<Vec<T>, Refusal> {
        let mut all = budget.room(self.runs.saturating_mul(each))?;
        self.outputs().for_each(|outputs| put(outputs, &mut all));
        Ok(all)
    }

    /// How often the program ran.
    pub fn runs(&self) -> u64 {
        self.runs as u64
    }

    /// The number of uses in this part.
    pub fn vertices(&self) -> usize {
        self.indices.map_or(self.runs, <[u32]>::len)
    }

    /// The number that the first of these uses has in the draw.
    pub fn first(&self) -> usize {
        self.first
    }

    /// The outputs of each run. A function without outputs has none.
    pub fn outputs(&self) -> std::slice::ChunksExact<'_, Vec4> {
        self.values.chunks_exact(self.width.max(1))
    }

    /// The primitives that they make.
    pub fn primitives(&self) -> Primitives<'_> {
        let first = self.topology.count(self.first + self.topology.shared());
        Primitives { topology: self.topology, indices: self.indices, first }
    }

    /// The outputs of a vertex by its number in this part in the order of use; none if there is no such vertex.
    pub fn output(&self, vertex: usize) -> Option<&[Vec4]> {
        let run = match self.indices {
            Some(indices) => *indices.get(vertex)? as usize,
            None => vertex,
        };
        let start = run.checked_mul(self.width)?;
        self.values.get(start..start.checked_add(self.width)?)
    }
}

/// A part of a draw.
#[derive(Debug)]
struct Part {
    /// Its uses, by their numbers in the draw.
    uses: Range<usize>,
    /// The vertices that are run for them.
    vertices: Range<usize>,
}

/// The parts of a draw from a buffer of `count` vertices, of at most `most` uses each and those that they share with the
/// next. It is a single one if that is less work: because it is small, or uses its vertices in no order.
fn parts(uses: &Uses, count: usize, most: usize) -> Vec<Part> {
    let total = uses.indices.map_or(count, <[u32]>::len);
    let part = |range: Range<usize>| {
        // Vertices before the first that is used, and behind the last, need no run.
        let vertices = match uses.indices {
            None => range.clone(),
            Some(indices) => {
                let known = indices[range.clone()].iter().map(|index| *index as usize);
                let used = known.filter(|index| *index < count);
                let (first, end) =
                    used.fold((usize::MAX, 0), |(first, end), index| (first.min(index), end.max(index + 1)));
                first.min(end)..end
            }
        };
        Part { uses: range, vertices }
    };
    let shared = uses.topology.shared();
    let parts: Vec<Part> = match total <= most {
        true => vec![part(0..total)],
        false => {
            let starts = (0..total - shared.min(total)).step_by(most.max(1));
            starts.map(|start| part(start..(start + most + shared).min(total))).collect()
        }
    };
    let runs: usize = parts.iter().map(|part| part.vertices.len()).sum();
    let end = parts.iter().map(|part| part.vertices.end).max().unwrap_or(0);
    match parts.len() > 1 && runs <= end.saturating_mul(2) {
        true => parts,
        false => vec![Part { uses: 0..total, vertices: 0..end }],
    }
}

/// The inputs of the vertices from `first` on.
struct VerticesFrom<'a> {
    inputs: VertexBuffer<'a>,
    first: usize,
}

impl Inputs for VerticesFrom<'_> {
    fn load(&self, input: u16, first: usize, columns: [&mut [u32]; 4]) {
        self.inputs.load(input, self.first + first, columns);
    }
}

/// The vertices of a buffer of `count` that are used, use after use, and the number of each index in that list; for one
/// that the buffer does not have a number that the list does not have.
fn order(
    indices: Option<&[u32]>,
    count: usize,
    budget: &Budget,
) -> Result<(Vec<usize>, Option<Vec<u32>>), Refusal> {
    let Some(indices) = indices else { return Ok((budget.collect(count, 0..count)?, None)) };
    let mut order = budget.room(indices.len())?;
    let mut number = |index: &u32| {
        let index = *index as usize;
        if index >= count {
            return u32::MAX;
        }
        order.push(index);
        u32::try_from(order.len() - 1).unwrap_or(u32::MAX)
    };
    let numbers = budget.collect(indices.len(), indices.iter().map(&mut number))?;
    Ok((order, Some(numbers)))
}

/// True if vertices write constants, which those after them read: then each must wait for the one before.
pub fn leaves_constants(function: &Function) -> bool {
    function.outputs.iter().any(|output| constant(output.0).is_some())
}

/// The number of the constant that an output of this number is.
fn constant(output: u16) -> Option<u16> {
    match Output::of(output) {
        Output::Constant(index) => Some(index),
        _ => None,
    }
}

/// The constants that the vertices of a draw find: those given, with what the vertices before wrote
/// ([`Output::Constant`]).
pub struct VertexConstants<'a> {
    given: &'a [Vec4],
    /// The part of the function that writes constants, if there is one.
    writer: Option<Function>,
    next: usize,
    now: Vec<Vec4>,
}

impl<'a> VertexConstants<'a> {
    /// As the first vertex finds them.
    pub fn new(function: &Function, given: &'a [Vec4]) -> VertexConstants<'a> {
        let mut writer = function.clone();
        writer.outputs.retain(|(output, _)| constant(*output).is_some());
        let writer = (!writer.outputs.is_empty()).then(|| passes::optimize(&writer));
        VertexConstants { given, writer, next: 0, now: given.to_vec() }
    }

    /// As a vertex finds them. `fetch` puts the values of one before it where its inputs are; those that were run for
    /// the vertex asked for last are not run again, unless that one comes later.
    pub fn before(&mut self, vertex: usize, mut fetch: impl FnMut(usize, &mut [Vec4])) -> &[Vec4] {
        let Some(writer) = &self.writer else { return &self.now };
        if vertex < self.next {
            (self.next, self.now) = (0, self.given.to_vec());
        }
        let mut inputs = vec![[0; 4]; writer.input_count()];
        let mut run = Run::default();
        for before in self.next..vertex {
            fetch(before, &mut inputs);
            run.run(writer, &inputs, &self.now, &NoTextures);
            write_constants(writer, &run, &mut self.now);
        }
        self.next = vertex;
        &self.now
    }
}

/// A vertex buffer as the engine reads it: one attribute of many vertices at a time. What is read is what
/// [`Layout::fetch`] reads.
#[derive(Clone, Copy, Debug)]
pub struct VertexBuffer<'a> {
    /// How it is read.
    pub layout: &'a Layout,
    /// Its bytes.
    pub buffer: &'a [u8],
}

impl Inputs for VertexBuffer<'_> {
    fn load(&self, input: u16, first: usize, columns: [&mut [u32]; 4]) {
        let attribute = self.layout.attributes.iter().rfind(|attribute| attribute.input == input);
        let place = attribute.and_then(|attribute| {
            let stride = self.layout.stride as usize;
            let start = first.checked_mul(stride)?.checked_add(attribute.offset as usize)?;
            Some((attribute.format, Column { buffer: self.buffer, start, stride }))
        });
        match place {
            Some((format, column)) => (format.decode_column)(column, columns),
            None => columns.into_iter().for_each(|column| column.fill(0)),
        }
    }
}

/// Puts the constants that a run wrote where the next run reads them.
pub fn write_constants(function: &Function, run: &Run, constants: &mut Vec<Vec4>) {
    let writes = function.outputs.iter().filter_map(|(output, value)| Some((constant(*output)?, value)));
    for (index, value) in writes {
        let index = usize::from(index);
        if constants.len() <= index {
            constants.resize(index + 1, [0; 4]);
        }
        constants[index] = run.value(*value);
    }
}

#[cfg(test)]
mod tests;
