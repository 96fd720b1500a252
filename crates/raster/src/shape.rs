//! Triangles and lines on the screen.

use crate::coverage::Triangle;
use crate::interpolate::Barycentric;
use crate::line::Line;
use crate::state::Bounds;

/// Coverage of a shape.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Coverage {
    Triangle(Triangle),
    Line(Line),
}

/// A triangle or a line, ready to be rasterized.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub coverage: Coverage,
    /// Bounds of its coverage; never empty.
    pub bounds: Bounds,
    pub barycentric: Barycentric,
    /// Start of its components in [`Shapes::varyings`](crate::setup::Shapes::varyings).
    pub varyings: usize,
    /// The number of its primitive in the draw.
    pub primitive: u32,
}
