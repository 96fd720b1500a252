//! What the blocks of the machine did, and when.

use crate::regs::MAX_PORTS;
use gpuzoo_ir::Vec4;
use gpuzoo_isa::{Lowered, Stage};
use std::ops::Range;

/// The most intervals that a timeline takes; what comes later is left out.
pub const MAX_INTERVALS: usize = 1 << 20;
/// The most runs of programs that a timeline takes; what comes later is left out.
pub const MAX_RUNS: usize = 1 << 14;

/// A block of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Block {
    /// Takes the host's commands.
    CommandStreamer,
    /// Copies and fills.
    Blitter,
    /// Fetches vertices.
    PrimitiveAssembler,
    /// Has vertices shaded.
    VertexStage,
    /// Gives work to the units.
    ShaderFrontend,
    /// The first shader unit.
    Unit0,
    /// The second one.
    Unit1,
    /// Finds the fragments of triangles.
    Rasterizer,
    /// Has fragments shaded.
    FragmentStage,
    /// Tests depths and writes.
    OutputMerger,
}

impl Block {
    /// All of them with names for signals.
    pub const ALL: [(Block, &'static str); 10] = [
        (Block::CommandStreamer, "command_streamer"),
        (Block::Blitter, "blitter"),
        (Block::PrimitiveAssembler, "primitive_assembler"),
        (Block::VertexStage, "vertex_stage"),
        (Block::ShaderFrontend, "shader_frontend"),
        (Block::Unit0, "shader_unit0"),
        (Block::Unit1, "shader_unit1"),
        (Block::Rasterizer, "rasterizer"),
        (Block::FragmentStage, "fragment_stage"),
        (Block::OutputMerger, "output_merger"),
    ];

    pub(crate) fn unit(index: usize) -> Block {
        if index == 0 { Block::Unit0 } else { Block::Unit1 }
    }
}

/// A program's run in a unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Which unit: 0 or 1.
    pub unit: usize,
    /// The cycle of its first instruction; each takes one.
    pub start: u64,
    /// Whose program it is.
    pub stage: Stage,
    /// An index into [`Timeline::programs`].
    pub program: usize,
    /// For each thread, what the unit puts into it: the inputs of [`lowered`](crate::lowered).
    pub inputs: Vec<[Vec4; MAX_PORTS]>,
    /// The uniforms of [`lowered`](crate::lowered).
    pub uniforms: Vec<Vec4>,
}

/// Everything that was recorded.
#[derive(Clone, Debug, Default)]
pub struct Timeline {
    /// When blocks were busy. Intervals of one block may overlap.
    pub busy: Vec<(Block, Range<u64>)>,
    /// What the units ran.
    pub runs: Vec<Run>,
    /// The programs that they ran, not optimized.
    pub programs: Vec<Lowered>,
    /// True if something was left out.
    pub truncated: bool,
}

impl Timeline {
    pub(crate) fn busy(&mut self, block: Block, cycles: Range<u64>) {
        if cycles.is_empty() {
            return;
        }
        if self.busy.len() >= MAX_INTERVALS {
            self.truncated = true;
        } else {
            self.busy.push((block, cycles));
        }
    }

    pub(crate) fn run(&mut self, run: Run) {
        if self.runs.len() >= MAX_RUNS { self.truncated = true } else { self.runs.push(run) }
    }
}
