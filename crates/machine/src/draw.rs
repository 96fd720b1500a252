//! A draw call, as a scene makes it and a machine's pipeline carries it out.

use crate::layout::Layout;
use crate::settings::Table;
use gpuzoo_ir::eval::{NoTextures, Run};
use gpuzoo_ir::{Function, Vec4};
use gpuzoo_isa::{Program, UNIFORM_OUTPUT};
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
    /// Constants, by register number.
    pub uniforms: &'a [Vec4],
    /// Textures, by unit.
    pub textures: &'a [Option<Arc<Texture>>],
    /// What else the machine can be told: depth test, blending, filters.
    pub state: &'a Table,
}

/// What a draw did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DrawReport {
    /// Vertices that went through the vertex program.
    pub vertices: u64,
    /// What the machine bills for the draw, in the unit of its frame budget; 0 where it has none.
    pub cost: u64,
    /// Primitives and fragments.
    pub stats: Stats,
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
/// [`Function::outputs`]. Uniforms that it writes ([`UNIFORM_OUTPUT`]) count from the next vertex on.
pub fn run_vertices(function: &Function, layout: &Layout, buffer: &[u8], uniforms: &[Vec4]) -> Vec<Vec4> {
    let count = layout.vertex_count(buffer.len());
    let slots = layout.attributes.iter().map(|attribute| attribute.slot as usize + 1).max().unwrap_or(0);
    let mut inputs = vec![[0; 4]; slots];
    let mut outputs = Vec::with_capacity(count * function.outputs.len());
    let mut run = Run::default();
    let mut uniforms = uniforms.to_vec();
    for vertex in 0..count {
        layout.fetch(buffer, vertex, &mut inputs);
        run.run(function, &inputs, &uniforms, &NoTextures);
        outputs.extend(function.outputs.iter().map(|&(_, value)| run.value(value)));
        write_uniforms(function, &run, &mut uniforms);
    }
    outputs
}

/// Puts the uniforms that a run wrote where the next run reads them.
pub fn write_uniforms(function: &Function, run: &Run, uniforms: &mut Vec<Vec4>) {
    let writes = function.outputs.iter().filter(|(index, _)| *index >= UNIFORM_OUTPUT);
    for (index, value) in writes {
        let index = usize::from(index - UNIFORM_OUTPUT);
        if uniforms.len() <= index {
            uniforms.resize(index + 1, [0; 4]);
        }
        uniforms[index] = run.value(*value);
    }
}
