//! How many cycles a draw takes, and where they go (spec section 10).
//!
//! Nothing overlaps in the fragment stage: a batch is gathered, sent, run, answered and merged before the next one
//! begins. The blocks before it work while it is busy, one triangle ahead. So a draw takes the time until the first
//! fragment arrives, the sum of the batches, and what the stage waits for vertices in between. The figures of the steps
//! are those of the reference's source; recorded draws come out 0.02 % short, which is what the blocks lose to each
//! other at the memory.

use crate::timeline::{Block, Timeline};
use std::ops::{AddAssign, Range};

/// Cycles of one memory access without contention.
pub const MEMORY_ACCESS: u64 = 5;
/// Cycles that the merger takes for a fragment that it writes after a depth test.
pub const MERGE_TESTED: u64 = 16;
/// Cycles that the merger takes for a fragment without a depth test, or for one that fails it.
pub const MERGE: u64 = 6;
/// Fragments of a batch.
pub const BATCH: usize = 32;
/// Cycles in which a batch's outputs come back to the fragment stage, which reads room for 32 threads of 5 dwords.
const STAGE_OUTPUTS: u64 = 1 + 5 * BATCH as u64;

/// Cycles of a blit or fill.
pub fn blit(dwords: u64) -> u64 {
    MEMORY_ACCESS * dwords + 2
}

macro_rules! parts {
    ($($(#[$doc:meta])* $part:ident = $name:literal,)*) => {
        /// What cycles are spent on.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Part { $($(#[$doc])* $part,)* }

        impl Part {
            /// All of them, in the order of the pipeline.
            pub const ALL: &'static [Part] = &[$(Part::$part,)*];

            /// What it is called in reports.
            pub const fn name(self) -> &'static str {
                match self { $(Part::$part => $name,)* }
            }
        }
    };
}

parts! {
    /// Blits and fills.
    Blit = "blits and fills",
    /// Reading vertices from memory, and handing them on.
    VertexFetch = "vertex fetch",
    /// Reading programs from memory.
    ProgramFetch = "program fetch",
    /// Vertices and uniforms to the frontend and from there to a unit.
    VertexInputs = "vertex inputs",
    /// The vertex program on its way to a unit.
    VertexProgram = "vertex program to the unit",
    /// The vertex program's instructions.
    VertexRun = "vertex instructions",
    /// Vertices to the frontend and from there to the vertex stage.
    VertexOutputs = "vertex outputs",
    /// The rasterizer's set-up.
    Setup = "rasterizer set-up",
    /// Waiting for a triangle, where none of the above was the reason.
    Waiting = "waiting",
    /// Gathering fragments.
    Gather = "gathering fragments",
    /// Fragments, uniforms and the triangle to the frontend and from there to a unit.
    FragmentInputs = "fragment inputs",
    /// The fragment program on its way to a unit.
    FragmentProgram = "fragment program to the unit",
    /// The fragment program's instructions.
    FragmentRun = "fragment instructions",
    /// Colours and depths to the frontend.
    FrontendOutputs = "outputs to the frontend",
    /// Colours and depths to the fragment stage: always room for 32.
    StageOutputs = "outputs to the stage",
    /// Depth test and writing.
    Merge = "output merger",
}

/// Cycles by what they are spent on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Breakdown {
    cycles: [u64; Part::ALL.len()],
}

impl Breakdown {
    /// The cycles of a part.
    pub fn of(&self, part: Part) -> u64 {
        self.cycles[part as usize]
    }

    /// All parts that took cycles.
    pub fn parts(&self) -> impl Iterator<Item = (Part, u64)> {
        Part::ALL.iter().map(|part| (*part, self.of(*part))).filter(|(_, cycles)| *cycles > 0)
    }

    /// The parts by name, as reports have them.
    pub fn named(&self) -> Vec<(&'static str, u64)> {
        self.parts().map(|(part, cycles)| (part.name(), cycles)).collect()
    }

    /// All cycles.
    pub fn total(&self) -> u64 {
        self.cycles.iter().sum()
    }

    pub(crate) fn add(&mut self, part: Part, cycles: u64) {
        self.cycles[part as usize] += cycles;
    }
}

impl AddAssign for Breakdown {
    fn add_assign(&mut self, other: Breakdown) {
        self.cycles.iter_mut().zip(other.cycles).for_each(|(own, other)| *own += other);
    }
}

/// A program's part of a draw's cost.
#[derive(Clone, Copy, Debug)]
pub struct Sent {
    /// Dwords with the store command.
    pub dwords: u64,
    /// Instructions.
    pub instructions: u64,
    /// Dwords of uniforms.
    pub uniforms: u64,
    /// True if it must be read from memory first.
    pub fetched: bool,
}

/// What a draw's cost depends on.
#[derive(Clone, Copy, Debug)]
pub struct Costs {
    /// The vertex program.
    pub vertex: Sent,
    /// The fragment program.
    pub fragment: Sent,
    /// Dwords of the three vertices of a triangle.
    pub vertex_dwords: u64,
    /// Dwords of the three vertices after the vertex program.
    pub passed_dwords: u64,
    /// Dwords of a triangle in a fragment request.
    pub triangle_dwords: u64,
}

/// A unit's run, for display.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitRun {
    /// Which of the two.
    pub unit: usize,
    /// The cycle of its first instruction.
    pub start: u64,
}

/// Follows a draw through the pipeline. All times are cycles since the machine was started.
pub struct Clock<'a> {
    costs: Costs,
    breakdown: Breakdown,
    timeline: Option<&'a mut Timeline>,
    start: u64,
    /// When the assembler may fetch, the vertex stage take a triangle, the rasterizer take one, the fragment stage
    /// gather.
    assembler_free: u64,
    vertex_free: u64,
    rasterizer_free: u64,
    stage_free: u64,
    /// When the triangle's first fragment can be gathered.
    ready: u64,
    /// From when on nothing says yet what the fragment stage waited for.
    idle_from: u64,
    /// What the triangle went through to get there.
    path: Vec<(Part, Range<u64>)>,
    vertex_run: (usize, Range<u64>),
    fragment_run: (usize, Range<u64>),
    /// The last fragment's time in the merger, while the stage gathers already.
    last_merge: u64,
}

impl<'a> Clock<'a> {
    pub fn new(costs: Costs, start: u64, timeline: Option<&'a mut Timeline>) -> Clock<'a> {
        Clock {
            costs,
            breakdown: Breakdown::default(),
            timeline,
            start,
            assembler_free: start,
            vertex_free: start,
            rasterizer_free: start,
            stage_free: start,
            ready: start,
            idle_from: start,
            path: Vec::new(),
            vertex_run: (0, 0..0),
            fragment_run: (0, 0..0),
            last_merge: 0,
        }
    }

    /// The timeline.
    pub fn timeline(&mut self) -> Option<&mut Timeline> {
        self.timeline.as_deref_mut()
    }

    fn busy(&mut self, block: Block, cycles: Range<u64>) {
        if let Some(timeline) = &mut self.timeline {
            timeline.busy(block, cycles);
        }
    }

    /// The next triangle, up to the rasterizer.
    pub fn triangle(&mut self) -> UnitRun {
        let Costs { vertex, vertex_dwords, passed_dwords, triangle_dwords, .. } = self.costs;
        self.path.clear();
        let fetch = self.assembler_free;
        let fetched = fetch + MEMORY_ACCESS * vertex_dwords;
        self.path.push((Part::VertexFetch, fetch..fetched));
        let mut now = fetched.max(self.vertex_free);
        let mut step = |part, cycles: u64| {
            let begin = now;
            now += cycles;
            self.path.push((part, begin..now));
            begin
        };
        step(Part::VertexFetch, vertex_dwords.div_ceil(9).max(1));
        let inputs = vertex_dwords + vertex.uniforms;
        let request = step(Part::VertexInputs, 1 + 3 + inputs);
        if std::mem::take(&mut self.costs.vertex.fetched) {
            step(Part::ProgramFetch, MEMORY_ACCESS * vertex.dwords);
        }
        let sent = step(Part::VertexProgram, 1 + vertex.dwords);
        step(Part::VertexInputs, 3 + inputs);
        let run = step(Part::VertexRun, vertex.instructions);
        step(Part::VertexOutputs, 1 + passed_dwords);
        let answer = step(Part::VertexOutputs, 1 + passed_dwords);
        let shaded = now;
        now = now.max(self.rasterizer_free);
        let mut step = |part, cycles: u64| {
            let begin = now;
            now += cycles;
            self.path.push((part, begin..now));
            begin
        };
        let accepted = step(Part::Setup, passed_dwords.div_ceil(12));
        let taken = step(Part::Setup, triangle_dwords.div_ceil(3));
        let unit = usize::from(self.fragment_run.0 == 0 && overlap(&self.fragment_run.1, &(sent..answer)));
        self.busy(Block::PrimitiveAssembler, fetch..request);
        self.busy(Block::VertexStage, request..taken);
        self.busy(Block::ShaderFrontend, request..shaded);
        self.busy(Block::unit(unit), sent..answer);
        self.busy(Block::Rasterizer, accepted..now);
        self.vertex_run = (unit, sent..answer);
        self.assembler_free = request;
        self.vertex_free = taken;
        (self.rasterizer_free, self.ready) = (now, now);
        // At once, since the triangle may have no fragments.
        self.wait(now);
        UnitRun { unit, start: run }
    }

    /// A batch of the triangle: its fragments, and the cycles that the merger takes for the last of them and for the
    /// others.
    pub fn batch(&mut self, fragments: u64, merge: u64, last_merge: u64) -> UnitRun {
        let Costs { fragment, triangle_dwords, .. } = self.costs;
        let start = self.stage_free.max(self.ready);
        let mut now = start;
        let breakdown = &mut self.breakdown;
        let mut step = |part, cycles: u64| {
            let begin = now;
            now += cycles;
            breakdown.add(part, cycles);
            begin
        };
        let lone = if fragments < BATCH as u64 { 2 } else { 0 };
        step(Part::Gather, 1 + fragments + lone);
        let inputs = 2 * fragments + fragment.uniforms + triangle_dwords;
        let request = step(Part::FragmentInputs, 1 + 3 + inputs);
        if std::mem::take(&mut self.costs.fragment.fetched) {
            step(Part::ProgramFetch, MEMORY_ACCESS * fragment.dwords);
        }
        let sent = step(Part::FragmentProgram, fragment.dwords);
        step(Part::FragmentInputs, 3 + inputs);
        let run = step(Part::FragmentRun, fragment.instructions);
        step(Part::FrontendOutputs, 1 + 5 * fragments);
        let answer = step(Part::StageOutputs, STAGE_OUTPUTS);
        let merging = step(Part::Merge, 1 + merge);
        let unit = usize::from(self.vertex_run.0 == 0 && overlap(&self.vertex_run.1, &(sent..answer)));
        self.busy(Block::Rasterizer, start..request);
        self.busy(Block::FragmentStage, start..now);
        self.busy(Block::ShaderFrontend, request..merging);
        self.busy(Block::unit(unit), sent..answer);
        self.busy(Block::OutputMerger, merging..now + last_merge);
        self.fragment_run = (unit, sent..answer);
        self.rasterizer_free = request;
        (self.stage_free, self.idle_from) = (now, now);
        self.last_merge = last_merge;
        UnitRun { unit, start: run }
    }

    /// The stage has nothing to do until `until`: the part that the triangle was going through then is the reason.
    fn wait(&mut self, until: u64) {
        let idle = self.idle_from..until.max(self.idle_from);
        let mut left = idle.end - idle.start;
        self.idle_from = idle.end;
        for (part, cycles) in &self.path {
            let cycles = cycles.end.min(idle.end).saturating_sub(cycles.start.max(idle.start));
            self.breakdown.add(*part, cycles);
            left -= cycles;
        }
        self.breakdown.add(Part::Waiting, left);
    }

    /// The end of the draw, and where its cycles went.
    pub fn finish(mut self) -> (u64, Breakdown) {
        // While triangles without fragments followed, the stage waited for them: the merger was done by the way.
        let merged = self.stage_free + self.last_merge;
        self.breakdown.add(Part::Merge, merged.saturating_sub(self.idle_from));
        let end = merged.max(self.idle_from);
        let start = self.start;
        self.busy(Block::CommandStreamer, start..end);
        (end, self.breakdown)
    }
}

fn overlap(a: &Range<u64>, b: &Range<u64>) -> bool {
    a.start < b.end && b.start < a.end
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a small draw has: 12 dwords of vertices before and after a program of 6 dwords and 3 instructions, then 9
    /// dwords of a triangle and 4 of uniforms for a program of 36 dwords and 30 instructions.
    fn costs(fetched: bool) -> Costs {
        let sent = |dwords, instructions, uniforms| Sent { dwords, instructions, uniforms, fetched };
        Costs {
            vertex: sent(6, 3, 0),
            fragment: sent(36, 30, 4),
            vertex_dwords: 12,
            passed_dwords: 12,
            triangle_dwords: 9,
        }
    }

    /// The steps of section 10 one after the other, from cycle 1000 on. Each triangle has one batch of 10 fragments.
    #[test]
    fn triangles_and_batches_by_hand() {
        let mut clock = Clock::new(costs(true), 1000, None);
        // fetch 60, hand-over 2, request 16, program 30, to the unit 7 + 15
        assert_eq!(clock.triangle(), UnitRun { unit: 0, start: 1130 });
        // run 3, answers 13 + 13, set-up 1 + 3: the first fragment at 1163.
        // gather 13, request 37, program 180, to the unit 36 + 36
        assert_eq!(clock.batch(10, 9 * MERGE, MERGE), UnitRun { unit: 0, start: 1465 });
        // run 30, outputs 51 + 161, hand-over 1 + 54: the stage is free at 1762.
        // The second is fetched from 1062 on, and waits for the vertex stage until 1160: 2 + 16 + 7 + 15.
        assert_eq!(clock.triangle(), UnitRun { unit: 0, start: 1200 });
        // Without the program: 13 + 37 + 36 + 36.
        assert_eq!(clock.batch(10, 9 * MERGE, MERGE), UnitRun { unit: 0, start: 1884 });
        let (end, breakdown) = clock.finish();
        // 30 + 51 + 161 + 55, and 6 for the last fragment
        assert_eq!((end, breakdown.total()), (2187, 1187));
    }

    /// The third triangle waits for the rasterizer, which is busy until the second one's batch is gathered.
    #[test]
    fn the_rasterizer_is_one_triangle_ahead() {
        let mut timeline = Timeline::default();
        let mut clock = Clock::new(costs(true), 0, Some(&mut timeline));
        for _ in 0..3 {
            clock.triangle();
            clock.batch(10, 9 * MERGE, MERGE);
        }
        clock.finish();
        let of = |block: Block| -> Vec<Range<u64>> {
            timeline.busy.iter().filter(|(own, _)| *own == block).map(|(_, cycles)| cycles.clone()).collect()
        };
        // Vertices are read from the hand-over of those before on.
        assert_eq!(of(Block::PrimitiveAssembler), [0..62, 62..162, 162..232]);
        // The stage has its vertices until the rasterizer has taken them: 1 cycle from 159, 229 and 775 on.
        assert_eq!(of(Block::VertexStage), [62..160, 162..230, 232..776]);
        // Set-up, and scanning until the batch is gathered: the stage is free at 762 and 1181.
        assert_eq!(of(Block::Rasterizer), [159..163, 163..176, 229..233, 762..775, 775..779, 1181..1194]);
        assert_eq!(of(Block::FragmentStage), [163..762, 762..1181, 1181..1600]);
        assert_eq!(of(Block::ShaderFrontend), [62..159, 176..707, 162..229, 775..1126, 232..299, 1194..1545]);
        assert_eq!(of(Block::unit(0)), [108..146, 393..546, 178..216, 812..965, 248..286, 1231..1384]);
        assert_eq!(of(Block::unit(1)), []);
        assert_eq!(of(Block::OutputMerger), [707..768, 1126..1187, 1545..1606]);
        assert_eq!(of(Block::CommandStreamer).first(), Some(&(0..1606)));
    }

    /// With programs that the frontend has, the second triangle's vertices go to a unit from 148 to 186. The batch before
    /// has one from 183 + uniforms beyond four on.
    #[test]
    fn two_programs_at_a_time_take_two_units() {
        for (uniforms, unit) in [(4, 1), (6, 1), (7, 0)] {
            let mut costs = costs(false);
            costs.fragment.uniforms = uniforms;
            let mut clock = Clock::new(costs, 0, None);
            assert_eq!(clock.triangle(), UnitRun { unit: 0, start: 100 });
            // 133 + 13 + (4 + 29 + uniforms) + 36 + (3 + 29 + uniforms)
            assert_eq!(clock.batch(10, 9 * MERGE, MERGE), UnitRun { unit: 0, start: 247 + 2 * uniforms });
            assert_eq!(clock.triangle(), UnitRun { unit, start: 170 });
        }
        assert!(overlap(&(3..5), &(4..9)) && overlap(&(4..9), &(3..5)));
        assert!(!overlap(&(3..5), &(5..9)) && !overlap(&(5..9), &(3..5)));
    }

    /// The stage is free at 762, and the tenth triangle is there at 233 + 8 × 70 = 793. The last fragment is written by
    /// the way, or takes longer than that.
    #[test]
    fn the_last_fragment_is_written_while_others_come() {
        for (last, end, merge) in [(6, 793, 0), (31, 793, 0), (40, 802, 9)] {
            let mut clock = Clock::new(costs(true), 0, None);
            clock.triangle();
            clock.batch(10, 9 * MERGE, last);
            (0..9).for_each(|_| {
                clock.triangle();
            });
            let (at, breakdown) = clock.finish();
            assert_eq!((at, breakdown.total(), breakdown.of(Part::Merge)), (end, end, 55 + merge));
        }
    }

    /// Section 10: 5C, a handshake and ceil(C / 9) - 1 beats for C dwords of vertices; 1 + m twice for m after the program; ceil(m / 12)
    /// and ceil(A / 3) for the set-up with A of a triangle.
    #[test]
    fn beats_by_hand() {
        for (fetched, fetch) in [(0, 1), (1, 6), (9, 46), (10, 52), (18, 92), (19, 98)] {
            for (passed, of_passed) in [(9, 1), (12, 1), (13, 2), (24, 2), (25, 3)] {
                for (attributes, of_triangle) in [(1, 1), (3, 1), (4, 2), (6, 2), (7, 3), (33, 11)] {
                    let costs = Costs {
                        vertex_dwords: fetched,
                        passed_dwords: passed,
                        triangle_dwords: attributes,
                        vertex: Sent { uniforms: 5, ..costs(false).vertex },
                        ..costs(false)
                    };
                    let mut clock = Clock::new(costs, 0, None);
                    clock.triangle();
                    let (end, breakdown) = clock.finish();
                    let expected = [
                        (Part::VertexFetch, fetch),
                        (Part::VertexInputs, (1 + 3 + fetched + 5) + (3 + fetched + 5)),
                        (Part::VertexProgram, 1 + 6),
                        (Part::VertexRun, 3),
                        (Part::VertexOutputs, 2 * (1 + passed)),
                        (Part::Setup, of_passed + of_triangle),
                    ];
                    for (part, cycles) in expected {
                        assert_eq!(breakdown.of(part), cycles, "{part:?} of {fetched} {passed} {attributes}");
                    }
                    assert_eq!(end, expected.iter().map(|(_, cycles)| cycles).sum::<u64>());
                }
            }
        }
    }

    #[test]
    fn a_full_batch_is_gathered_without_a_pause() {
        for (fragments, cycles) in [(1, 4), (31, 34), (32, 33)] {
            let mut clock = Clock::new(costs(false), 0, None);
            clock.triangle();
            clock.batch(fragments, 0, MERGE);
            assert_eq!(clock.finish().1.of(Part::Gather), cycles);
        }
        assert_eq!(blit(64), 322);
    }
}
