//! What the blocks of the machine did, and when.

use crate::regs::MAX_PORTS;
use crate::unit::MAX_THREADS;
use gpuzoo_ir::Vec4;
use gpuzoo_isa::{Lowered, Stage};
use gpuzoo_machine::computer::timeline as shown;
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

    /// The same for people: the blocks, and of each unit which share of its lanes worked. `end` is the last cycle.
    pub(crate) fn shown(&self, end: u64) -> shown::Timeline {
        let block = |(block, name): &(Block, &'static str)| {
            let unit = [Block::Unit0, Block::Unit1].iter().position(|unit| unit == block);
            let busy = self.busy.iter().filter(|(known, _)| known == block);
            let busy =
                busy.map(|(_, time)| shown::Busy { time: time.clone(), share: 1000, is_second: false });
            let runs = self.runs.iter().filter(|run| Some(run.unit) == unit).map(|run| {
                let slots = self.programs.get(run.program).map_or(0, |program| program.steps.len());
                shown::Busy {
                    time: run.start..run.start + slots as u64,
                    share: (1000 * run.inputs.len() / MAX_THREADS) as u16,
                    is_second: run.stage == Stage::Fragment,
                }
            });
            let spans = if unit.is_some() { runs.collect() } else { busy.collect() };
            shown::Track { name, spans }
        };
        shown::Timeline {
            name: "",
            unit: "cycles",
            end,
            tracks: Block::ALL.iter().map(block).collect(),
            about: "A block is as high as the share of the time in which it worked; a shader unit as the share of its 32 \
                    lanes, in the first colour with vertices, in the second with fragments.",
            enlarged: Some("The first batches of fragments, enlarged"),
            is_cut: self.truncated,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Eight of 32 lanes are a quarter; an instruction takes a cycle.
    #[test]
    fn lanes_of_units_are_shares() {
        let program = Lowered {
            steps: vec![gpuzoo_isa::Step { slot: 0, part: 0, writes: Vec::new() }; 3],
            ..Lowered::default()
        };
        let mut timeline = Timeline { programs: vec![program], ..Timeline::default() };
        timeline.busy(Block::Rasterizer, 5..9);
        timeline.busy(Block::Unit1, 0..90);
        let inputs = vec![[[0; 4]; MAX_PORTS]; 8];
        let run =
            Run { unit: 1, start: 20, stage: Stage::Fragment, program: 0, inputs, uniforms: Vec::new() };
        timeline.run(run);
        let shown = timeline.shown(100);
        let spans = |name: &str| shown.tracks.iter().find(|track| track.name == name).unwrap().spans.clone();
        assert_eq!(spans("rasterizer"), [shown::Busy { time: 5..9, share: 1000, is_second: false }]);
        assert_eq!(spans("shader_unit1"), [shown::Busy { time: 20..23, share: 250, is_second: true }]);
        assert_eq!((shown.end, spans("shader_unit0")), (100, vec![]));
    }

    /// Beyond what it takes something is left out, and that is noted. What takes no time is nothing.
    #[test]
    fn a_timeline_takes_so_much_and_notes_what_is_left_out() {
        let mut timeline = Timeline::default();
        timeline.busy(Block::Blitter, 7..7);
        assert_eq!((timeline.busy.len(), timeline.truncated), (0, false));
        (0..MAX_INTERVALS as u64).for_each(|at| timeline.busy(Block::Blitter, at..at + 1));
        assert_eq!(
            (timeline.busy.len(), timeline.truncated, timeline.shown(9).is_cut),
            (MAX_INTERVALS, false, false)
        );
        timeline.busy(Block::Blitter, 9..9);
        assert!(!timeline.truncated);
        timeline.busy(Block::Blitter, 9..10);
        assert_eq!(
            (timeline.busy.len(), timeline.truncated, timeline.shown(9).is_cut),
            (MAX_INTERVALS, true, true)
        );
        let run = Run {
            unit: 0,
            start: 0,
            stage: Stage::Vertex,
            program: 0,
            inputs: Vec::new(),
            uniforms: Vec::new(),
        };
        let mut timeline = Timeline::default();
        (0..MAX_RUNS).for_each(|_| timeline.run(run.clone()));
        assert_eq!((timeline.runs.len(), timeline.truncated), (MAX_RUNS, false));
        timeline.run(run);
        assert_eq!((timeline.runs.len(), timeline.truncated), (MAX_RUNS, true));
    }
}
