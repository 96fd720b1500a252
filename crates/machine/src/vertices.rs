//! The vertex stage of a draw: a program, run for the vertices of a buffer.

use crate::budget::{Budget, Refusal};
use crate::layout::{Column, Layout};
use gpuzoo_engine::{Call, Inputs, Kernel, RowsMut};
use gpuzoo_ir::eval::{NoTextures, Run};
use gpuzoo_ir::{Function, Vec4, passes};
use gpuzoo_isa::Output;
use std::borrow::Cow;

/// A vertex program made ready to be run: optimized, and compiled where that is possible.
#[derive(Debug)]
pub struct VertexProgram {
    function: Function,
    /// None if each vertex must wait for the one before, or if the function is too large.
    kernel: Option<Kernel>,
}

/// What a vertex program gave for the vertices of a draw.
///
/// A vertex that is used several times is run once, unless programs write constants
/// ([`Output::Constant`]), which count from the next vertex on: then each use is a run.
#[derive(Debug)]
#[non_exhaustive]
pub struct VertexRuns<'a> {
    /// The outputs, run after run, in the order of [`Function::outputs`].
    values: Vec<Vec4>,
    width: usize,
    runs: usize,
    /// The run of each vertex, in the order of their use; without it each vertex has its own.
    indices: Option<Cow<'a, [u32]>>,
}

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

    /// Runs it for the vertices of a buffer, each once: all, or those up to the last one that `indices` uses. Programs that
    /// write constants run for each index, in order. An index that the buffer does not have is not run.
    ///
    /// # Errors
    /// [`Refusal`] if there is no memory for what they give.
    pub fn run<'a>(
        &self,
        layout: &Layout,
        buffer: &[u8],
        indices: Option<&'a [u32]>,
        constants: &[Vec4],
        budget: &Budget,
    ) -> Result<VertexRuns<'a>, Refusal> {
        let width = self.function.outputs.len();
        let count = layout.vertex_count(buffer.len());
        if leaves_constants(&self.function) {
            // Each use is a run.
            let (order, indices) = uses(indices, count, budget)?;
            let runs = order.len();
            let values = budget.room(runs.saturating_mul(width))?;
            let values = self.in_order(layout, buffer, order.into_iter(), constants, values);
            return Ok(VertexRuns { values, width, runs, indices: indices.map(Cow::Owned) });
        }
        // Vertices behind the last one that is used need no run.
        let used = |indices: &[u32]| {
            let known = indices.iter().map(|index| *index as usize).filter(|index| *index < count);
            known.max().map_or(0, |last| last + 1)
        };
        let count = indices.map_or(count, used);
        let mut values = budget.room(count.saturating_mul(width))?;
        let values = match &self.kernel {
            Some(kernel) => {
                values.resize(count * width, [0; 4]);
                let inputs = VertexBuffer { layout, buffer };
                let call = Call { uniforms: constants, ..Call::default() };
                let outputs = RowsMut { values: &mut values, width, killed: &mut [] };
                kernel.run_parallel(0..count, &inputs, &call, outputs);
                values
            }
            None => self.in_order(layout, buffer, 0..count, constants, values),
        };
        Ok(VertexRuns { values, width, runs: count, indices: indices.map(Cow::Borrowed) })
    }

    /// Runs it by the evaluator, for one vertex after the other. `outputs` has room for what they give.
    fn in_order(
        &self,
        layout: &Layout,
        buffer: &[u8],
        order: impl Iterator<Item = usize>,
        constants: &[Vec4],
        mut outputs: Vec<Vec4>,
    ) -> Vec<Vec4> {
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
        outputs
    }
}

impl VertexRuns<'_> {
    /// What becomes of the outputs of each run, `each` values of one.
    ///
    /// # Errors
    /// [`Refusal`] if there is no memory for it.
    pub fn collect<T>(
        &self,
        budget: &Budget,
        each: usize,
        values: impl IntoIterator<Item = T>,
    ) -> Result<Vec<T>, Refusal> {
        budget.collect(self.runs.saturating_mul(each), values)
    }

    /// How often the program ran.
    pub fn runs(&self) -> u64 {
        self.runs as u64
    }

    /// How many vertices the machine runs: one for each use.
    pub fn vertices(&self) -> u64 {
        self.indices.as_ref().map_or(self.runs, |indices| indices.len()) as u64
    }

    /// The outputs of each run. A function without outputs has none.
    pub fn outputs(&self) -> std::slice::ChunksExact<'_, Vec4> {
        self.values.chunks_exact(self.width.max(1))
    }

    /// The run of each vertex in the order of their use, for the rasterizer; without it each vertex has its own.
    pub fn indices(&self) -> Option<&[u32]> {
        self.indices.as_deref()
    }

    /// The outputs of a vertex by its number in the order of use; none if there is no such vertex.
    pub fn output(&self, vertex: usize) -> Option<&[Vec4]> {
        let run = match &self.indices {
            Some(indices) => *indices.get(vertex)? as usize,
            None => vertex,
        };
        let start = run.checked_mul(self.width)?;
        self.values.get(start..start.checked_add(self.width)?)
    }
}

/// The vertices of a buffer of `count` that are used, use after use, and the number of each index in that list; for one
/// that the buffer does not have a number that the list does not have.
fn uses(
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
mod tests {
    use super::{VertexConstants, VertexProgram};
    use crate::budget::Budget;
    use crate::layout::{Attribute, Layout, VertexFormat};
    use gpuzoo_ir::{Builder, Function, Op2, Vec4};
    use gpuzoo_isa::Output;

    static BYTE: VertexFormat =
        crate::vertex_format!("byte", 1, |bytes| [f32::from(bytes[0]).to_bits(), 1, 2, 3], |_| [0; 16], "");

    /// output 0 = (input 0 + input 3) × uniform 2, and uniform 2 becomes the sum if `writes`.
    fn function(writes: bool) -> Function {
        let mut b = Builder::default();
        let (x, y, scale) = (b.input(0), b.input(3), b.uniform(2));
        let sum = b.map2(Op2::FAdd, x, y);
        let product = b.map2(Op2::FMul, sum, scale);
        b.output(0, product);
        if writes {
            b.output(Output::Constant(2).number(), sum);
        }
        b.finish()
    }

    #[test]
    fn a_vertex_finds_what_the_one_before_wrote() {
        let given: Vec<Vec4> = (0..4).map(|index| [(index as f32).to_bits(); 4]).collect();
        // Inputs 0 and 3 of vertex n are n and 10, so that uniform 2 is n + 10 after it.
        let fetch = |vertex: usize, inputs: &mut [Vec4]| {
            inputs[0] = [(vertex as f32).to_bits(); 4];
            inputs[3] = [10.0_f32.to_bits(); 4];
        };
        for (writes, expected) in [(true, [2.0, 10.0, 16.0, 12.0, 12.0, 2.0]), (false, [2.0; 6])] {
            let mut constants = VertexConstants::new(&function(writes), &given);
            let found = [0, 1, 7, 3, 3, 0].map(|vertex| constants.before(vertex, fetch)[2][0]);
            assert_eq!(found, expected.map(|value: f32| value.to_bits()));
        }
    }

    fn layouts() -> [Layout; 3] {
        let attribute = |input, offset| Attribute { input, offset, format: &BYTE };
        [
            Layout { stride: 3, attributes: vec![attribute(0, 1), attribute(3, 2)] },
            // The last one counts; what reaches beyond the buffer reads as zeros; input 3 is missing.
            Layout { stride: 1, attributes: vec![attribute(0, 0), attribute(0, 4)] },
            Layout { stride: 0, attributes: vec![attribute(0, 0)] },
        ]
    }

    #[test]
    fn the_engine_reads_what_fetch_reads() {
        let constants: Vec<Vec4> = (1..4).map(|index| [(index as f32).to_bits(); 4]).collect();
        let buffer: Vec<u8> = (0..=255).cycle().take(2_000).collect();
        for layout in &layouts() {
            for length in [0, 1, 7, 1_000, 2_000] {
                for writes in [false, true] {
                    let program = VertexProgram::new(&function(writes));
                    assert_eq!(program.kernel.is_none(), writes);
                    let buffer = &buffer[..length];
                    let count = layout.vertex_count(length);
                    let got = program.run(layout, buffer, None, &constants, &Budget::default()).unwrap();
                    let expected = program.in_order(layout, buffer, 0..count, &constants, Vec::new());
                    assert_eq!(got.values, expected);
                    assert_eq!(got.values.len(), count * program.function.outputs.len());
                    assert_eq!([got.runs(), got.vertices()], [count as u64; 2]);
                }
            }
        }
        // Vertex 1 has 4 and 5, and the uniform is 3; or 1 + 1, which vertex 0 wrote.
        let second = |writes: bool| {
            let program = VertexProgram::new(&function(writes));
            let outputs = program
                .run(&layouts()[0], &[0, 1, 1, 0, 4, 5], None, &constants, &Budget::default())
                .unwrap();
            outputs.output(1).unwrap()[0][0]
        };
        assert_eq!(second(false), 27.0_f32.to_bits());
        assert_eq!(second(true), 18.0_f32.to_bits());
    }

    #[test]
    fn a_vertex_runs_once_unless_it_leaves_something_for_the_next() {
        let constants: Vec<Vec4> = (1..4).map(|index| [(index as f32).to_bits(); 4]).collect();
        let (layout, buffer) = (&layouts()[0], [0, 1, 1, 0, 4, 5, 0, 6, 7]);
        let vertex = |index: u32| &buffer[index as usize * 3..][..3];
        for indices in [&[2, 0, 0, 1, 2, 2, 0][..], &[], &[1], &[9, 1, u32::MAX, 1, 3]] {
            let known: Vec<u32> = indices.iter().copied().filter(|index| *index < 3).collect();
            let written_out: Vec<u8> = known.iter().flat_map(|index| vertex(*index)).copied().collect();
            let last = known.iter().max().map_or(0, |last| u64::from(*last) + 1);
            for writes in [false, true] {
                let program = VertexProgram::new(&function(writes));
                let expected =
                    program.run(layout, &written_out, None, &constants, &Budget::default()).unwrap();
                let got =
                    program.run(layout, &buffer, Some(indices), &constants, &Budget::default()).unwrap();
                assert_eq!(got.vertices(), indices.len() as u64);
                assert_eq!(got.runs(), if writes { known.len() as u64 } else { last });
                let outputs: Vec<_> = (0..indices.len()).filter_map(|vertex| got.output(vertex)).collect();
                assert_eq!(outputs, expected.outputs().collect::<Vec<_>>(), "{indices:?}");
                // The rasterizer gets the same ones.
                let runs: Vec<_> = got.outputs().collect();
                let drawn = got.indices().unwrap().iter().filter_map(|run| runs.get(*run as usize));
                assert_eq!(drawn.copied().collect::<Vec<_>>(), outputs);
                assert_eq!(got.output(indices.len()), None);
            }
        }
    }
}
