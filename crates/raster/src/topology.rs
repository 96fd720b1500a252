//! From a list of vertices to primitives.

use std::fmt;

/// The most varyings that a vertex can carry.
pub const MAX_VARYINGS: usize = 16;

/// How vertices follow each other to make primitives. What is left over at the end is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topology {
    /// Every two make a line.
    LineList,
    /// Each makes a line with the one before.
    LineStrip,
    /// Every three make a triangle.
    TriangleList,
    /// Each makes a triangle with the two before; every second one is turned so that all wind alike.
    TriangleStrip,
}

impl Topology {
    /// The number of primitives that `vertices` make.
    pub fn count(self, vertices: usize) -> usize {
        match self {
            Topology::LineList => vertices / 2,
            Topology::LineStrip => vertices.saturating_sub(1),
            Topology::TriangleList => vertices / 3,
            Topology::TriangleStrip => vertices.saturating_sub(2),
        }
    }

    /// The corners of a primitive: their numbers in the order of use. Those of a line are the first two.
    ///
    /// ```
    /// use gpuzoo_raster::Topology;
    /// assert_eq!(Topology::TriangleList.corners(2), [6, 7, 8]);
    /// assert_eq!(Topology::LineStrip.corners(2)[..2], [2, 3]);
    /// ```
    #[inline]
    pub fn corners(self, primitive: usize) -> [usize; 3] {
        let i = primitive;
        match self {
            Topology::LineList => [2 * i, 2 * i + 1, 2 * i + 1],
            Topology::LineStrip => [i, i + 1, i + 1],
            Topology::TriangleList => [3 * i, 3 * i + 1, 3 * i + 2],
            Topology::TriangleStrip => [i, i + 1 + i % 2, i + 2 - i % 2],
        }
    }

    /// How many vertices a primitive shares with the next.
    ///
    /// ```
    /// use gpuzoo_raster::Topology;
    /// assert_eq!((Topology::TriangleList.shared(), Topology::TriangleStrip.shared()), (0, 2));
    /// ```
    pub fn shared(self) -> usize {
        match self {
            Topology::LineList | Topology::TriangleList => 0,
            Topology::LineStrip => 1,
            Topology::TriangleStrip => 2,
        }
    }

    /// True for lines.
    pub fn is_lines(self) -> bool {
        matches!(self, Topology::LineList | Topology::LineStrip)
    }
}

/// Vertices after the vertex stage: positions, and for each the same number of varyings.
#[derive(Clone, Copy, Debug)]
pub struct Vertices<'a> {
    positions: &'a [[f32; 4]],
    varyings: &'a [[f32; 4]],
    varying_count: usize,
}

/// Why arrays do not make vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerticesError {
    /// More than [`MAX_VARYINGS`] varyings per vertex.
    Varyings {
        /// The varyings per vertex that were asked for.
        asked: usize,
    },
    /// The number of varyings is not positions × `varying_count`.
    Length {
        /// Positions × `varying_count`.
        expected: usize,
        /// The number of varyings.
        found: usize,
    },
}

impl fmt::Display for VerticesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VerticesError::Varyings { asked } => write!(f, "{asked} varyings are more than {MAX_VARYINGS}"),
            VerticesError::Length { expected, found } => {
                write!(f, "the vertices need {expected} varyings, not {found}")
            }
        }
    }
}

impl std::error::Error for VerticesError {}

impl<'a> Vertices<'a> {
    /// Vertices with `varying_count` varyings each. The varyings of vertex i start at `varyings[i * varying_count]`.
    ///
    /// # Errors
    /// [`VerticesError`] if there are too many varyings or the lengths do not fit.
    pub fn new(
        positions: &'a [[f32; 4]],
        varyings: &'a [[f32; 4]],
        varying_count: usize,
    ) -> Result<Vertices<'a>, VerticesError> {
        if varying_count > MAX_VARYINGS {
            return Err(VerticesError::Varyings { asked: varying_count });
        }
        let expected = positions.len() * varying_count;
        if varyings.len() != expected {
            return Err(VerticesError::Length { expected, found: varyings.len() });
        }
        Ok(Vertices { positions, varyings, varying_count })
    }

    /// The number of vertices.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Varyings of each vertex.
    pub fn varying_count(&self) -> usize {
        self.varying_count
    }

    pub(crate) fn positions(&self) -> &'a [[f32; 4]] {
        self.positions
    }

    /// All components of all varyings of a vertex.
    pub(crate) fn varyings(&self, vertex: usize) -> &'a [f32] {
        self.varyings[vertex * self.varying_count..][..self.varying_count].as_flattened()
    }
}

/// What to draw: how vertices make primitives, and in which order they are taken.
#[derive(Clone, Copy, Debug)]
pub struct Primitives<'a> {
    /// How they make primitives.
    pub topology: Topology,
    /// The vertices in the order of their use; without it each is used once, from the first to the last. A primitive
    /// with an index that no vertex has is dropped.
    pub indices: Option<&'a [u32]>,
    /// The number that the first of them has in the draw: 0, unless this is a part of one.
    pub first: usize,
}

impl Primitives<'_> {
    /// Every vertex once, in order.
    pub fn all(topology: Topology) -> Primitives<'static> {
        Primitives { topology, indices: None, first: 0 }
    }

    pub(crate) fn count(&self, vertices: usize) -> usize {
        self.topology.count(self.indices.map_or(vertices, <[u32]>::len))
    }

    /// The vertices of a primitive, if all exist.
    #[inline]
    pub(crate) fn get(&self, primitive: usize, vertices: usize) -> Option<[usize; 3]> {
        let corners = self.topology.corners(primitive);
        let Some(indices) = self.indices else { return Some(corners) };
        let corners = corners.map(|at| indices[at] as usize);
        corners.iter().all(|&vertex| vertex < vertices).then_some(corners)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(topology: Topology, indices: Option<&[u32]>, vertices: usize) -> Vec<Option<[usize; 3]>> {
        let primitives = Primitives { topology, indices, first: 0 };
        (0..primitives.count(vertices)).map(|i| primitives.get(i, vertices)).collect()
    }

    #[test]
    fn corners() {
        assert_eq!(all(Topology::TriangleList, None, 8), [Some([0, 1, 2]), Some([3, 4, 5])]);
        assert_eq!(
            all(Topology::TriangleStrip, None, 5),
            [Some([0, 1, 2]), Some([1, 3, 2]), Some([2, 3, 4])],
            "every second one is turned"
        );
        assert_eq!(all(Topology::LineList, None, 5), [Some([0, 1, 1]), Some([2, 3, 3])]);
        assert_eq!(all(Topology::LineStrip, None, 3), [Some([0, 1, 1]), Some([1, 2, 2])]);
        for topology in
            [Topology::LineList, Topology::LineStrip, Topology::TriangleList, Topology::TriangleStrip]
        {
            assert_eq!(all(topology, None, 0), []);
            assert_eq!(all(topology, None, 1), []);
        }
        assert_eq!(all(Topology::TriangleList, Some(&[2, 1, 0, 0, 1, 3]), 3), [Some([2, 1, 0]), None]);
        assert_eq!(all(Topology::TriangleList, Some(&[u32::MAX; 3]), 3), [None]);
    }

    #[test]
    fn lengths() {
        let (positions, varyings) = ([[0.0; 4]; 3], [[0.0; 4]; 6]);
        assert!(Vertices::new(&positions, &varyings, 2).is_ok());
        let wrong = Vertices::new(&positions, &varyings, 1).unwrap_err();
        assert_eq!(wrong, VerticesError::Length { expected: 3, found: 6 });
        assert_eq!(Vertices::new(&[], &[], 17).unwrap_err(), VerticesError::Varyings { asked: 17 });
    }
}
