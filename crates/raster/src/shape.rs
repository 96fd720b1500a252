//! Triangles and lines on the screen.

use crate::coverage::Triangle;
use crate::interpolate::Barycentric;
use crate::line::Line;
use crate::state::Bounds;

/// What a shape covers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Coverage {
    Triangle(Triangle),
    Line(Line),
}

/// A triangle or a line, ready to be rasterized.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub coverage: Coverage,
    /// What it can cover; never empty.
    pub bounds: Bounds,
    pub barycentric: Barycentric,
    /// Where its components start in [`Shapes::varyings`](crate::setup::Shapes::varyings).
    pub varyings: usize,
    /// The number of its primitive in the draw.
    pub primitive: u32,
}
