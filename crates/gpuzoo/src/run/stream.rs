//! A run over vertices that come piece by piece.

use super::buffers::{Sink, Target};
use super::kernel::{Pass, TOGETHER};
use super::{Ran, Vertices};
use gpuzoo_ir::Vec4;
use std::ops::{ControlFlow, Range};

/// The outputs of some successive vertices.
#[derive(Clone, Debug)]
pub struct Block<'a> {
    first: usize,
    columns: &'a [Vec<Vec4>],
    dead: &'a [u32],
    /// Those of the columns' vertices that it is about.
    lanes: Range<usize>,
}

impl<'a> Block<'a> {
    /// A block of so many vertices: the number of the first one, a column for each output, and for each vertex whether it was
    /// killed (not 0), nothing for a program that does not kill.
    pub fn new(first: usize, count: usize, columns: &'a [Vec<Vec4>], dead: &'a [u32]) -> Block<'a> {
        Block { first, columns, dead, lanes: 0..count }
    }

    /// The number of its first vertex, counted over all pieces.
    pub fn first(&self) -> usize {
        self.first
    }

    /// How many vertices there are.
    pub fn count(&self) -> usize {
        self.lanes.len()
    }

    /// Some of its vertices.
    #[must_use]
    pub fn part(&self, vertices: Range<usize>) -> Block<'a> {
        let at = |vertex: usize| self.lanes.end.min(self.lanes.start.saturating_add(vertex));
        Block { first: self.first + vertices.start, lanes: at(vertices.start)..at(vertices.end), ..*self }
    }

    /// The outputs, in the order of their names: for each its values, one for each vertex.
    pub fn outputs(&self) -> impl ExactSizeIterator<Item = &'a [Vec4]> + Clone {
        let lanes = self.lanes.clone();
        self.columns.iter().map(move |column| column.get(lanes.clone()).unwrap_or_default())
    }

    /// Whether a vertex of the block was killed. What its outputs hold means nothing then.
    pub fn is_killed(&self, vertex: usize) -> bool {
        self.dead.get(self.lanes.start + vertex).is_some_and(|dead| *dead != 0)
    }
}

/// A run over vertices that come piece by piece.
pub struct Stream<'k> {
    pass: Pass<'k>,
    given: Vec<Vec4>,
    columns: Vec<Vec<Vec4>>,
}

impl Stream<'_> {
    pub(super) fn new<'k>(pass: Pass<'k>, constants: &[Vec4], outputs: usize) -> Stream<'k> {
        Stream { pass, given: constants.to_vec(), columns: vec![Vec::new(); outputs] }
    }

    /// Runs the vertices of a piece. `each` gets their outputs, some thousand vertices at a time, and says whether to go on.
    pub fn blocks(&mut self, vertices: &Vertices, each: impl FnMut(Block) -> ControlFlow<()>) {
        self.blocks_from(vertices, 0, each);
    }

    fn blocks_from(
        &mut self,
        vertices: &Vertices,
        first: usize,
        mut each: impl FnMut(Block) -> ControlFlow<()>,
    ) {
        let Stream { pass, columns, .. } = self;
        let count = vertices.count();
        for start in (first..count).step_by(TOGETHER) {
            let range = start..count.min(start + TOGETHER);
            let lanes = range.len();
            columns.iter_mut().for_each(|column| column.resize(lanes, [0; 4]));
            let targets = columns.iter_mut().map(|column| Target::new(column.as_flattened_mut(), 4, 4));
            let dead = pass.run(vertices, range, Sink(targets.collect()));
            if each(Block::new(pass.before + start, lanes, columns, &dead)).is_break() {
                break;
            }
        }
        pass.before += count;
    }

    /// Runs the vertices of a piece from its `first` on, as [`Kernel::stream`](super::Kernel::stream) does.
    pub fn vertices(
        &mut self,
        vertices: &Vertices,
        first: usize,
        mut each: impl FnMut(usize, Option<&[Vec4]>) -> ControlFlow<()>,
    ) {
        let mut row = vec![[0; 4]; self.columns.len()];
        self.blocks_from(vertices, first, |block| {
            for vertex in 0..block.count() {
                row.iter_mut().zip(block.outputs()).for_each(|(to, column)| *to = column[vertex]);
                each(block.first() + vertex, (!block.is_killed(vertex)).then_some(&row[..]))?;
            }
            ControlFlow::Continue(())
        });
    }

    /// Passes over the vertices of a piece, and keeps what they leave in constants.
    pub fn pass(&mut self, vertices: &Vertices) {
        if self.pass.leaves_constants() {
            self.blocks(vertices, |_| ControlFlow::Continue(()));
        } else {
            self.pass.before += vertices.count();
        }
    }

    /// How many vertices were run, or passed over.
    pub fn count(&self) -> usize {
        self.pass.before
    }

    /// The constants that the next vertex finds.
    pub fn constants(&self) -> &[Vec4] {
        &self.pass.constants
    }

    /// What the run did besides its outputs.
    pub fn end(self) -> Ran {
        self.pass.ran(&self.given)
    }
}
