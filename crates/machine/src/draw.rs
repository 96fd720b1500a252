//! A draw call, as a scene makes it and a machine's pipeline carries it out.

use crate::layout::{Column, Layout};
use crate::settings::Table;
use gpuzoo_engine::{Call, Inputs, Kernel, RowsMut};
use gpuzoo_ir::eval::{NoTextures, Run};
use gpuzoo_ir::{Function, Vec4, passes};
use gpuzoo_isa::{CONSTANT_OUTPUT, Program};
use gpuzoo_raster::{Format, Stats, Texture, Topology};
use std::sync::Arc;

/// Everything a draw needs but the target.
#[derive(Clone, Copy)]
pub struct Draw<'a> {
    /// The vertex program.
    pub vertex: &'a Program,
    /// The fragment program, for machines that have one.
    pub fragment: Option<&'a Program>,
    /// The numeric profile.
    pub profile: &'a str,
    /// The vertex buffer.
    pub vertices: &'a [u8],
    /// How the vertex buffer is read; it fits the buffer.
    pub layout: &'a Layout,
    /// The vertices in the order of their use; without it each is used once.
    pub indices: Option<&'a [u32]>,
    /// How vertices make primitives.
    pub topology: Topology,
    /// Constants of the vertex program, by register number.
    pub constants: &'a [Vec4],
    /// Constants of the fragment program.
    pub fragment_constants: &'a [Vec4],
    /// What the last vertex of the draw before left in the outputs, by number; empty before the first draw.
    pub carried: &'a [Vec4],
    /// Textures, by unit.
    pub textures: &'a [Option<Arc<Texture>>],
    /// Remaining fixed-function state: depth test, blending, filters.
    pub state: &'a Table,
}

/// What a draw did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DrawReport {
    /// Vertices that went through the vertex program.
    pub vertices: u64,
    /// What the draw costs, in the unit of the machine's frame budget; 0 where it has none.
    pub cost: u64,
    /// Where the cost went, if the machine knows.
    pub breakdown: Vec<(&'static str, u64)>,
    /// Primitives and fragments.
    pub stats: Stats,
    /// What the last vertex left in the outputs, by number, for machines that keep them.
    pub outputs: Vec<Vec4>,
}

/// A texture format of a machine.
#[derive(Clone, Copy, Debug)]
pub struct TextureFormat {
    /// The machine's own name for it.
    pub name: &'static str,
    /// How its bytes are read.
    pub format: Format,
    /// True if both sides must be powers of two.
    pub power_of_two: bool,
    /// What it is, for the reference.
    pub doc: &'static str,
}

/// Runs a function for every vertex of a buffer. Returns its outputs, vertex after vertex, in the order of
/// [`Function::outputs`]. Constants that it writes ([`CONSTANT_OUTPUT`]) count from the next vertex on.
///
/// The engine does it, but for functions that write constants: there each vertex must wait for the one before.
pub fn run_vertices(function: &Function, layout: &Layout, buffer: &[u8], constants: &[Vec4]) -> Vec<Vec4> {
    let count = layout.vertex_count(buffer.len());
    match Kernel::compile(function) {
        Ok(kernel) if !kernel.writes_from(CONSTANT_OUTPUT) => {
            let width = function.outputs.len();
            let mut values = vec![[0; 4]; count * width];
            let inputs = VertexBuffer { layout, buffer };
            let call = Call { uniforms: constants, ..Call::default() };
            let outputs = RowsMut { values: &mut values, width, killed: &mut [] };
            kernel.run_parallel(0..count, &inputs, &call, outputs);
            values
        }
        _ => run_in_order(function, layout, buffer, constants),
    }
}

/// As [`run_vertices`], one vertex after the other, by the evaluator.
fn run_in_order(function: &Function, layout: &Layout, buffer: &[u8], constants: &[Vec4]) -> Vec<Vec4> {
    let count = layout.vertex_count(buffer.len());
    let input_count =
        layout.attributes.iter().map(|attribute| attribute.input as usize + 1).max().unwrap_or(0);
    let mut inputs = vec![[0; 4]; input_count];
    let mut outputs = Vec::with_capacity(count * function.outputs.len());
    let mut run = Run::default();
    let mut constants = constants.to_vec();
    for vertex in 0..count {
        layout.fetch(buffer, vertex, &mut inputs);
        run.run(function, &inputs, &constants, &NoTextures);
        outputs.extend(function.outputs.iter().map(|&(_, value)| run.value(value)));
        write_constants(function, &run, &mut constants);
    }
    outputs
}

/// The constants that the vertices of a draw find: those given, with what the vertices before wrote
/// ([`CONSTANT_OUTPUT`]).
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
        writer.outputs.retain(|(index, _)| *index >= CONSTANT_OUTPUT);
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
#[derive(Clone, Copy)]
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
    let writes = function.outputs.iter().filter(|(index, _)| *index >= CONSTANT_OUTPUT);
    for (index, value) in writes {
        let index = usize::from(index - CONSTANT_OUTPUT);
        if constants.len() <= index {
            constants.resize(index + 1, [0; 4]);
        }
        constants[index] = run.value(*value);
    }
}

#[cfg(test)]
mod tests {
    use super::{VertexConstants, run_in_order, run_vertices};
    use crate::layout::{Attribute, Layout, VertexFormat};
    use gpuzoo_ir::{Builder, Function, Op2, Vec4};
    use gpuzoo_isa::CONSTANT_OUTPUT;

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
            b.output(CONSTANT_OUTPUT | 2, sum);
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

    #[test]
    fn the_engine_reads_what_fetch_reads() {
        let attribute = |input, offset| Attribute { input, offset, format: &BYTE };
        let layouts = [
            Layout { stride: 3, attributes: vec![attribute(0, 1), attribute(3, 2)] },
            // The last one counts; what reaches beyond the buffer reads as zeros; input 3 is missing.
            Layout { stride: 1, attributes: vec![attribute(0, 0), attribute(0, 4)] },
            Layout { stride: 0, attributes: vec![attribute(0, 0)] },
        ];
        let constants: Vec<Vec4> = (1..4).map(|index| [(index as f32).to_bits(); 4]).collect();
        let buffer: Vec<u8> = (0..=255).cycle().take(2_000).collect();
        for layout in &layouts {
            for length in [0, 1, 7, 1_000, 2_000] {
                for writes in [false, true] {
                    let function = function(writes);
                    let got = run_vertices(&function, layout, &buffer[..length], &constants);
                    assert_eq!(got, run_in_order(&function, layout, &buffer[..length], &constants));
                    let count = layout.vertex_count(length) * function.outputs.len();
                    assert_eq!(got.len(), count);
                }
            }
        }
        // Vertex 1 has 4 and 5, and the uniform is 3; or 1 + 1, which vertex 0 wrote.
        let second = |writes: bool| {
            let outputs = run_vertices(&function(writes), &layouts[0], &[0, 1, 1, 0, 4, 5], &constants);
            outputs[1 + usize::from(writes)][0]
        };
        assert_eq!(second(false), 27.0_f32.to_bits());
        assert_eq!(second(true), 18.0_f32.to_bits());
    }
}
