//! The rules in which GPUs differ, as values.
//!
//! They belong to the machine and do not change while it runs; what a program may set between draws is in
//! [`State`](crate::State). [`Rules::default`] is what today's graphics interfaces agree on.

/// What the four numbers of a vertex position mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// Clip space: divided by w, then mapped to the viewport.
    Clip {
        /// The depth that the near plane has after the division.
        near: NearPlane,
        /// True if +1 after the division is the top of the viewport, false if it is the bottom.
        y_up: bool,
    },
    /// x, y, z are divided by w and then are pixels (y down) and depth. The varyings do not depend on w, and there is
    /// no viewport. A vertex with w = 0 makes its primitive invalid.
    Divided,
    /// x, y, z are pixels (y down) and depth as they are. w, which must be positive, weighs the varyings alone.
    /// There is no viewport.
    Screen,
}

/// Where the near plane is in clip space. The far plane always is z = w.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NearPlane {
    /// z = 0.
    Zero,
    /// z = -w.
    MinusOne,
}

/// What happens to a primitive that reaches beyond the left, right, top or bottom of the view volume. Positions that
/// are not in clip space have no such volume, and both mean the guard band.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sides {
    /// It is rasterized as it is, and the pixels outside the viewport are dropped. Only what reaches beyond
    /// [`GUARD_BAND`](crate::GUARD_BAND) is cut.
    GuardBand,
    /// It is cut at the volume's planes, and the new corners are snapped to the sub-pixel grid like any other.
    Cut,
}

/// Which planes cut. For positions that are not in clip space the near and far planes are depth 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClipRules {
    /// Left, right, top and bottom.
    pub sides: Sides,
    /// True if what lies before the near plane is cut off.
    pub near: bool,
    /// True if what lies beyond the far plane is cut off.
    pub far: bool,
}

/// How a number between two grid points is brought to one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// To the nearest; half way goes to the even one.
    NearestEven,
    /// To the nearest; half way goes away from zero.
    NearestAway,
    /// Toward zero.
    Truncate,
    /// Toward minus infinity.
    Floor,
}

/// The grid that screen positions are snapped to before coverage is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Snap {
    /// Bits after the binary point, 0 to [`MAX_SUB_PIXEL_BITS`](crate::MAX_SUB_PIXEL_BITS); more count as that many.
    pub bits: u8,
    /// How positions get onto the grid.
    pub rounding: Rounding,
}

/// The point of a pixel that must lie inside a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sample {
    /// (x + ½, y + ½).
    Centre,
    /// (x, y): the top-left corner.
    Corner,
}

/// Which samples that lie exactly on an edge belong to the triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// Those on a left edge, or on a horizontal edge at the top: two triangles that share an edge share no sample.
    TopLeft,
    /// All: a shared edge is drawn twice.
    Inclusive,
}

/// What a triangle without area covers after snapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZeroArea {
    /// Nothing.
    Nothing,
    /// What the edge functions say if the area is not tested first. With [`Fill::Inclusive`] that is every sample
    /// on the infinite line through the corners, and all samples if the corners coincide.
    Unbounded,
}

/// How varyings change across a primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// Perspective-correct: linearly in space.
    Perspective,
    /// Linearly on the screen.
    Linear,
}

/// What a depth comparison gives when a side is NaN. [`Compare::Never`](crate::Compare) and
/// [`Compare::Always`](crate::Compare) mean what they say in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unordered {
    /// The test passes if the comparison holds: NaN passes for "not equal" alone.
    Fails,
    /// The test fails if the opposite comparison holds: NaN passes, except for "equal", whose opposite holds.
    Passes,
}

/// What is peculiar about depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DepthRules {
    /// True if a depth is brought into the viewport's depth range before the test; NaN becomes its lower end.
    pub clamp: bool,
    /// Comparisons with NaN.
    pub unordered: Unordered,
}

/// How a colour between 0 and 1 becomes a byte. Below 0 and NaN give 0, above 1 gives 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColorRounding {
    /// The nearest of the 256 values, with one rounding.
    Nearest,
    /// The product with 255 in single precision without its fraction.
    Truncate,
}

/// All rules of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The meaning of vertex positions.
    pub placement: Placement,
    /// Which planes cut.
    pub clip: ClipRules,
    /// The sub-pixel grid.
    pub snap: Snap,
    /// The point of a pixel that counts.
    pub sample: Sample,
    /// Samples on an edge.
    pub fill: Fill,
    /// Triangles without area.
    pub zero_area: ZeroArea,
    /// Varyings.
    pub interpolation: Interpolation,
    /// Depth.
    pub depth: DepthRules,
    /// Storing colours.
    pub color: ColorRounding,
}

impl Default for Rules {
    /// Clip space with y up and depth from 0 to 1, near and far planes that cut, 8 sub-pixel bits, centres, top-left
    /// rule, perspective, colours rounded to nearest.
    fn default() -> Rules {
        Rules {
            placement: Placement::Clip { near: NearPlane::Zero, y_up: true },
            clip: ClipRules { sides: Sides::GuardBand, near: true, far: true },
            snap: Snap { bits: 8, rounding: Rounding::NearestEven },
            sample: Sample::Centre,
            fill: Fill::TopLeft,
            zero_area: ZeroArea::Nothing,
            interpolation: Interpolation::Perspective,
            depth: DepthRules { clamp: false, unordered: Unordered::Fails },
            color: ColorRounding::Nearest,
        }
    }
}
