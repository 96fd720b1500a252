//! From vertices to shapes on the screen: placement, clipping, viewport, snapping, facing.

use crate::bins::Bins;
use crate::clip::{Corner, Plane, Planes};
use crate::coverage::{FRACTION_BITS, GUARD_BAND, MAX_SUB_PIXEL_BITS, Triangle};
use crate::coverage::{doubled_area, sample_offset, samples_between};
use crate::draw::Stats;
use crate::interpolate::{Barycentric, Projected};
use crate::line::Line;
use crate::round::nearest;
use crate::rules::{NearPlane, Placement, Rounding, Rules, Sides, Snap, ZeroArea};
use crate::state::{Bounds, Cull, State, Winding};
use crate::topology::{MAX_VARYINGS, Vertices};
use std::ops::Range;

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
    /// Where its components start in [`Shapes::varyings`].
    pub varyings: usize,
    /// The number of its primitive in the draw.
    pub primitive: u32,
}

/// Shapes in the order of their primitives.
#[derive(Debug, Default)]
pub(crate) struct Shapes {
    pub shapes: Vec<Shape>,
    /// For each shape all components of all varyings three times: of its first corner, and the differences of the
    /// second and of the third from it.
    pub varyings: Vec<f32>,
    pub stats: Stats,
    /// The pixels that all of them cover, and a few more.
    pub most_pixels: u64,
    bins: Bins,
}

impl Shapes {
    pub fn clear(&mut self) {
        self.shapes.clear();
        self.varyings.clear();
        self.stats = Stats::default();
        self.most_pixels = 0;
        self.bins.clear();
    }

    /// Finds which shapes touch which band. To be called when all are there.
    pub fn sort_into_bands(&mut self) {
        self.bins.sort(&self.shapes);
    }

    /// The bands between which all shapes lie.
    pub fn bands(&self) -> Range<usize> {
        self.bins.bands()
    }

    /// The shapes that touch a band, in their order.
    pub fn of_band(&self, band: usize) -> impl Iterator<Item = &Shape> {
        self.bins.get(band).iter().map(|&index| &self.shapes[index as usize])
    }
}

/// The map from homogeneous coordinates to the screen: `offset + scale * coordinate / w`, per axis.
#[derive(Clone, Copy, Debug)]
struct Projection {
    offset: [f64; 3],
    scale: [f64; 3],
    /// Of x and y: least and greatest, in pixels. Rounding may carry a corner that lies on a plane a little past it.
    limits: [[f64; 2]; 2],
    snap: Snap,
}

impl Projection {
    fn new(rules: &Rules, state: &State) -> Projection {
        let guard = [-f64::from(GUARD_BAND), f64::from(GUARD_BAND)];
        let Placement::Clip { near, y_up } = rules.placement else {
            return Projection { offset: [0.0; 3], scale: [1.0; 3], limits: [guard; 2], snap: rules.snap };
        };
        let rect = state.viewport.rect;
        let half = [f64::from(rect.width) / 2.0, f64::from(rect.height) / 2.0];
        let start = [f64::from(rect.x), f64::from(rect.y)];
        let limits = std::array::from_fn(|axis| match rules.clip.sides {
            Sides::GuardBand => guard,
            Sides::Cut => {
                [start[axis], start[axis] + 2.0 * half[axis]].map(|end| end.clamp(guard[0], guard[1]))
            }
        });
        let [low, high] = depth_ends(state);
        let (depth_offset, depth_scale) = match near {
            NearPlane::Zero => (low, high - low),
            NearPlane::MinusOne => ((low + high) / 2.0, (high - low) / 2.0),
        };
        Projection {
            offset: [start[0] + half[0], start[1] + half[1], depth_offset],
            scale: [half[0], if y_up { -half[1] } else { half[1] }, depth_scale],
            limits,
            snap: rules.snap,
        }
    }

    /// The planes of the limits and the rules.
    fn planes(&self, rules: &Rules) -> Planes {
        let mut planes = Planes::default();
        for (axis, [low, high]) in self.limits.into_iter().enumerate() {
            let (scale, offset) = (self.scale[axis], self.offset[axis]);
            planes.push(Plane { axis, scale, w_scale: offset - low });
            planes.push(Plane { axis, scale: -scale, w_scale: high - offset });
        }
        if rules.clip.near {
            let w_scale = match rules.placement {
                Placement::Clip { near: NearPlane::MinusOne, .. } => 1.0,
                _ => 0.0,
            };
            planes.push(Plane { axis: 2, scale: 1.0, w_scale });
        }
        if rules.clip.far {
            planes.push(Plane { axis: 2, scale: -1.0, w_scale: 1.0 });
        }
        planes
    }

    #[inline(always)]
    fn project(&self, [x, y, z, w]: [f64; 4]) -> Projected {
        let at = |axis: usize, value: f64| {
            let pixel = self.offset[axis] + self.scale[axis] * (value / w);
            let [low, high] = self.limits[axis];
            snap(pixel.max(low).min(high), self.snap)
        };
        Projected { at: [at(0, x), at(1, y)], depth: self.offset[2] + self.scale[2] * (z / w), w }
    }
}

/// Where corners are.
fn places([a, b, c]: [Projected; 3]) -> [[i64; 2]; 3] {
    [a.at, b.at, c.at]
}

/// Pixels to fixed point, over the machine's grid; they must lie in the guard band. The scaling is exact.
#[inline]
pub(crate) fn snap(pixel: f64, snap: Snap) -> i64 {
    let bits = u32::from(snap.bits.min(MAX_SUB_PIXEL_BITS));
    let scaled = pixel * f64::from(1u32 << bits);
    let rounded = match snap.rounding {
        // Positions in the guard band are below 2^29 on the finest grid.
        Rounding::NearestEven => nearest(scaled),
        Rounding::NearestAway => scaled.round(),
        Rounding::Truncate => scaled.trunc(),
        Rounding::Floor => scaled.floor(),
    };
    (rounded as i64) << (FRACTION_BITS - bits)
}

/// The depths of the viewport's near and far plane.
fn depth_ends(state: &State) -> [f64; 2] {
    state.viewport.depth.map(|end| if end.is_nan() { 0.0 } else { f64::from(end) })
}

/// The range that depths are clamped to: all numbers if they are not.
pub(crate) fn depth_range(rules: &Rules, state: &State) -> [f32; 2] {
    if !rules.depth.clamp {
        return [f32::NEG_INFINITY, f32::INFINITY];
    }
    let [a, b] = depth_ends(state);
    [a.min(b) as f32, a.max(b) as f32]
}

/// A position in homogeneous coordinates, if it has a place on the screen.
#[inline(always)]
fn homogeneous(placement: Placement, position: [f32; 4]) -> Option<[f64; 4]> {
    let [x, y, z, w] = position;
    let position = match placement {
        Placement::Clip { .. } => position,
        Placement::Divided => [x / w, y / w, z / w, 1.0],
        Placement::Screen if w > 0.0 => position,
        Placement::Screen => return None,
    };
    if !position.iter().all(|component| component.is_finite()) {
        return None;
    }
    let [x, y, z, w] = position.map(f64::from);
    match placement {
        // Two singles have an exact product in double precision, so that the division later gives back the factor.
        Placement::Screen => Some([x * w, y * w, z * w, w]),
        Placement::Clip { .. } | Placement::Divided => Some([x, y, z, w]),
    }
}

/// Where a vertex is.
#[derive(Clone, Copy, Debug, Default)]
struct Placed {
    seen: Seen,
    /// In homogeneous coordinates; if it is anywhere.
    position: [f64; 4],
    /// On the screen; if no plane cuts it off.
    projected: Projected,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Seen {
    /// It is on no screen.
    #[default]
    Nowhere,
    /// A plane cuts it off.
    Outside,
    Inside,
}

/// Where the vertices of the last few triangles are: neighbours share most of theirs.
pub(crate) struct RecentVertices {
    /// Each vertex has one place that it may be in.
    vertices: [usize; RECENT],
    placed: [Placed; RECENT],
    /// For corners of a triangle whose places others of it have.
    evicted: [Placed; 3],
}

const RECENT: usize = 64;

impl RecentVertices {
    pub fn new() -> RecentVertices {
        RecentVertices {
            vertices: [usize::MAX; RECENT],
            placed: [Placed::default(); RECENT],
            evicted: [Placed::default(); 3],
        }
    }

    /// The corners of a triangle. They are not copied: that would take longer than all else here.
    #[inline]
    fn place(&mut self, corners: [usize; 3], setup: &Setup) -> [&Placed; 3] {
        // Rows of a mesh are often a power of two apart.
        let places = corners.map(|vertex| (vertex ^ vertex >> 6 ^ vertex >> 12) % RECENT);
        for (vertex, at) in corners.into_iter().zip(places) {
            if self.vertices[at] != vertex {
                self.vertices[at] = vertex;
                setup.place(vertex, &mut self.placed[at]);
            }
        }
        let there = |corner: usize| self.vertices[places[corner]] == corners[corner];
        if there(0) & there(1) & there(2) {
            return places.map(|at| &self.placed[at]);
        }
        for (vertex, placed) in corners.into_iter().zip(&mut self.evicted) {
            setup.place(vertex, placed);
        }
        self.evicted.each_ref()
    }
}

/// What turns primitives into shapes.
pub(crate) struct Setup<'a> {
    rules: &'a Rules,
    state: &'a State,
    vertices: Vertices<'a>,
    projection: Projection,
    planes: Planes,
    bounds: Bounds,
}

impl<'a> Setup<'a> {
    /// `bounds` is what of the target may be drawn on.
    pub fn new(rules: &'a Rules, state: &'a State, vertices: Vertices<'a>, bounds: Bounds) -> Setup<'a> {
        let projection = Projection::new(rules, state);
        Setup { rules, state, vertices, projection, planes: projection.planes(rules), bounds }
    }

    /// Where a vertex is, for the triangles that it is a corner of.
    #[inline]
    fn place(&self, vertex: usize, placed: &mut Placed) {
        let Some(position) = homogeneous(self.rules.placement, self.vertices.position(vertex)) else {
            placed.seen = Seen::Nowhere;
            return;
        };
        // Components one by one: a copy of all would wait for them to be in memory.
        placed.position.iter_mut().zip(position).for_each(|(to, component)| *to = component);
        placed.seen = Seen::Outside;
        if self.planes.contain(&placed.position) {
            placed.seen = Seen::Inside;
            placed.projected = self.projection.project(placed.position);
        }
    }

    /// Adds what a triangle leaves on the screen.
    pub fn triangle(
        &self,
        corners: [usize; 3],
        primitive: u32,
        recent: &mut RecentVertices,
        shapes: &mut Shapes,
    ) {
        let placed = recent.place(corners, self);
        if placed.iter().any(|placed| placed.seen == Seen::Nowhere) {
            shapes.stats.invalid += 1;
            return;
        }
        if placed.iter().all(|placed| placed.seen == Seen::Inside) {
            let projected = placed.map(|placed| placed.projected);
            let weights = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
            match self.faces(doubled_area(places(projected)) as i128) {
                false => shapes.stats.culled += 1,
                true if self.push_triangle(projected, weights, corners, primitive, shapes) => {
                    shapes.stats.drawn += 1;
                }
                true => shapes.stats.outside += 1,
            }
            return;
        }
        let whole = placed.map(|placed| placed.position);
        let polygon = self.planes.clip(whole);
        let project = |corner: &Corner| (self.projection.project(corner.position), corner.weights);
        let Some((first, rest)) = polygon.corners().split_first().filter(|(_, rest)| rest.len() >= 2) else {
            shapes.stats.outside += 1;
            return;
        };
        let first = project(first);
        let fan = rest.windows(2).map(|pair| [first, project(&pair[0]), project(&pair[1])]);
        let area = |corners: [(Projected, [f64; 2]); 3]| doubled_area(corners.map(|corner| corner.0.at));
        let total: i128 = fan.clone().map(|corners| i128::from(area(corners))).sum();
        if !self.faces(total) {
            shapes.stats.culled += 1;
            return;
        }
        let mut drawn = false;
        // Snapping may turn a sliver over; its neighbours cover what it would.
        for part in fan.filter(|&part| i128::from(area(part)).signum() == total.signum()) {
            let (projected, weights) = (part.map(|corner| corner.0), part.map(|corner| corner.1));
            drawn |= self.push_triangle(projected, weights, corners, primitive, shapes);
        }
        if drawn {
            shapes.stats.drawn += 1;
            shapes.stats.cut += 1;
        } else {
            shapes.stats.outside += 1;
        }
    }

    /// True if a triangle with this doubled area is to be drawn.
    fn faces(&self, area: i128) -> bool {
        if area == 0 {
            return self.rules.zero_area == ZeroArea::Unbounded;
        }
        let winding = if area > 0 { Winding::Clockwise } else { Winding::CounterClockwise };
        match self.state.cull {
            Cull::None => true,
            Cull::Front => winding != self.state.front,
            Cull::Back => winding == self.state.front,
        }
    }

    /// Returns false if it lies outside the bounds.
    fn push_triangle(
        &self,
        mut corners: [Projected; 3],
        mut weights: [[f64; 2]; 3],
        vertices: [usize; 3],
        primitive: u32,
        shapes: &mut Shapes,
    ) -> bool {
        let area = doubled_area(places(corners));
        let bounds = if area == 0 { self.bounds } else { self.bounds_of(places(corners)) };
        if bounds.is_empty() {
            return false;
        }
        if area < 0 {
            corners.swap(1, 2);
            weights.swap(1, 2);
        }
        let at = places(corners);
        let triangle = Triangle::new(at, self.rules.fill, self.rules.sample);
        // Half of the triangles that are smaller than a pixel lie beside the one sample that they might cover.
        if bounds.is_one_pixel() && !triangle.covers(bounds.left, bounds.top) {
            return true;
        }
        // What has no area may be drawn over all of its bounds.
        let area = if area == 0 { u64::MAX } else { area.unsigned_abs() >> (2 * FRACTION_BITS + 1) };
        shapes.most_pixels = shapes.most_pixels.saturating_add(most_pixels(bounds, area));
        shapes.shapes.push(Shape {
            coverage: Coverage::Triangle(triangle),
            bounds,
            barycentric: Barycentric::triangle(corners, self.rules.interpolation),
            varyings: shapes.varyings.len(),
            primitive,
        });
        self.push_varyings(weights, vertices, shapes);
        true
    }

    /// Adds what a line leaves on the screen.
    pub fn line(&self, [a, b, _]: [usize; 3], primitive: u32, shapes: &mut Shapes) {
        let placed = [a, b].map(|vertex| homogeneous(self.rules.placement, self.vertices.position(vertex)));
        let [Some(start), Some(end)] = placed else {
            shapes.stats.invalid += 1;
            return;
        };
        let whole = [start, end].iter().all(|position| self.planes.contain(position));
        let Some(ends) = self.planes.clip_line([start, end]) else {
            shapes.stats.outside += 1;
            return;
        };
        let projected = ends.map(|end| self.projection.project(end.position));
        let bounds = self.bounds_of(projected.map(|end| end.at));
        if bounds.is_empty() {
            shapes.stats.outside += 1;
            return;
        }
        shapes.most_pixels = shapes.most_pixels.saturating_add(most_pixels(bounds, 0));
        let line = Line::new(projected.map(|end| end.at), sample_offset(self.rules.sample));
        shapes.shapes.push(Shape {
            coverage: Coverage::Line(line),
            bounds,
            barycentric: Barycentric::line(projected, self.rules.interpolation),
            varyings: shapes.varyings.len(),
            primitive,
        });
        let [start, end] = ends.map(|end| end.weights);
        self.push_varyings([start, end, start], [a, b, a], shapes);
        shapes.stats.drawn += 1;
        shapes.stats.cut += u64::from(!whole);
    }

    /// The part of the drawable rectangle around some positions. Lines reach half a pixel farther than their ends.
    #[inline]
    fn bounds_of<const N: usize>(&self, at: [[i64; 2]; N]) -> Bounds {
        let offset = sample_offset(self.rules.sample);
        let range = |axis: usize| {
            let low = at.iter().map(|at| at[axis]).min().unwrap_or(0);
            let high = at.iter().map(|at| at[axis]).max().unwrap_or(0);
            let margin = if N == 2 { crate::coverage::ONE } else { 0 };
            samples_between(low - margin, high + margin, offset)
        };
        let ((left, right), (top, bottom)) = (range(0), range(1));
        Bounds {
            left: left.max(self.bounds.left),
            right: right.min(self.bounds.right),
            top: top.max(self.bounds.top),
            bottom: bottom.min(self.bounds.bottom),
        }
    }

    /// Adds the varyings of a shape whose corners are mixed from `vertices`.
    fn push_varyings(&self, weights: [[f64; 2]; 3], vertices: [usize; 3], shapes: &mut Shapes) {
        let vertices = vertices.map(|vertex| self.vertices.varyings(vertex));
        let mut mixed = [[0.0; MAX_VARYINGS * 4]; 3];
        let mut mixed = mixed.iter_mut();
        let [a, b, c] = weights.map(|weights| match weights {
            [0.0, 0.0] => vertices[0],
            [1.0, 0.0] => vertices[1],
            [0.0, 1.0] => vertices[2],
            _ => mixed.next().map_or(&[][..], |out| mix(vertices, weights, out)),
        });
        let first = shapes.varyings.len();
        shapes.varyings.resize(first + 3 * a.len(), 0.0);
        let (to, differences) = shapes.varyings[first..].split_at_mut(a.len());
        to.copy_from_slice(a);
        for (to, other) in differences.chunks_exact_mut(a.len().max(1)).zip([b, c]) {
            to.iter_mut().zip(a).zip(other).for_each(|((to, a), other)| *to = other - a);
        }
    }
}

/// The most samples that a convex shape of an area covers within its bounds. Such a shape holds at most its area, half its
/// perimeter and 1 of the points of a grid (Nosarzewska, 1948), and its perimeter is at most that of its bounds.
fn most_pixels(bounds: Bounds, area: u64) -> u64 {
    let [width, height] =
        [bounds.right - bounds.left, bounds.bottom - bounds.top].map(|side| side.max(0) as u64);
    // A rectangle around so many samples may be longer by nearly one on each side, and the area was rounded down.
    let perimeter = 2 * (width + 1 + height + 1);
    (area.saturating_add(perimeter / 2 + 2)).min(width * height)
}

/// The varyings of a corner that clipping made of three vertices.
fn mix<'a>([a, b, c]: [&[f32]; 3], [second, third]: [f64; 2], out: &'a mut [f32]) -> &'a [f32] {
    for (out, (&a, (&b, &c))) in out.iter_mut().zip(a.iter().zip(b.iter().zip(c))) {
        let [a, b, c] = [a, b, c].map(f64::from);
        *out = (a + second * (b - a) + third * (c - a)) as f32;
    }
    &out[..a.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::ONE;

    #[test]
    fn rounding_without_a_call() {
        let limit = f64::from(1u32 << 29);
        let mut value = 0.0625;
        while value <= limit {
            for near in
                [value, value + 0.5, value.floor() + 0.5, value.next_down(), value.floor() + 0.5 - 1e-9]
            {
                assert_eq!(nearest(near), near.round_ties_even());
                assert_eq!(nearest(-near), (-near).round_ties_even());
            }
            value *= 1.37;
        }
    }

    #[test]
    fn no_shape_covers_more_pixels_than_it_is_said_to() {
        // A full square, a thin diagonal, and what is beyond the bounds.
        let bounds = Bounds { left: 0, right: 100, top: 0, bottom: 50 };
        assert_eq!(most_pixels(bounds, 5_000), 5_000);
        assert_eq!(most_pixels(bounds, u64::MAX), 5_000);
        assert_eq!(most_pixels(bounds, 0), 154);
        assert_eq!(most_pixels(Bounds { right: 0, ..bounds }, 7), 0);
    }

    #[test]
    fn snapping() {
        let grid = |bits, rounding| Snap { bits, rounding };
        // In units of 1/256: 1.5, 2.5, -1.5, -2.5.
        let values = [1.5, 2.5, -1.5, -2.5].map(|value| value / 256.0);
        let table = [
            (Rounding::NearestEven, [2, 2, -2, -2]),
            (Rounding::NearestAway, [2, 3, -2, -3]),
            (Rounding::Truncate, [1, 2, -1, -2]),
            (Rounding::Floor, [1, 2, -2, -3]),
        ];
        for (rounding, expected) in table {
            let got = values.map(|value| snap(value, grid(8, rounding)));
            assert_eq!(got, expected.map(|unit| unit * ONE / 256), "{rounding:?}");
        }
        assert_eq!(snap(3.75, grid(0, Rounding::Truncate)), 3 * ONE);
        assert_eq!(snap(-3.75, grid(4, Rounding::Truncate)), -60 * ONE / 16);
        assert_eq!(snap(1.0 / 1024.0, grid(255, Rounding::Floor)), ONE / 1024, "too many bits count as 10");
    }

    fn project(rules: &Rules, state: &State, position: [f32; 4]) -> ([f64; 2], f64) {
        let position = homogeneous(rules.placement, position).unwrap();
        let projected = Projection::new(rules, state).project(position);
        (projected.at.map(|at| at as f64 / ONE as f64), projected.depth)
    }

    #[test]
    fn placements() {
        let mut state = State::sized(0, 0);
        state.viewport.rect = crate::Rect { x: 10, y: -20, width: 100, height: 50 };
        state.viewport.depth = [0.25, 0.75];
        let mut rules = Rules::default();
        assert_eq!(project(&rules, &state, [-1.0, 1.0, 0.0, 1.0]), ([10.0, -20.0], 0.25));
        assert_eq!(project(&rules, &state, [2.0, -2.0, 2.0, 2.0]), ([110.0, 30.0], 0.75));
        rules.placement = Placement::Clip { near: NearPlane::MinusOne, y_up: false };
        assert_eq!(project(&rules, &state, [-1.0, 1.0, 0.0, 1.0]), ([10.0, 30.0], 0.5));
        rules.placement = Placement::Divided;
        assert_eq!(project(&rules, &state, [-6.0, 3.0, 1.0, -2.0]), ([3.0, -1.5], -0.5));
        assert_eq!(homogeneous(rules.placement, [1.0, 1.0, 1.0, 0.0]), None);
        rules.placement = Placement::Screen;
        assert_eq!(project(&rules, &state, [100.5, 7.25, 0.1, 0.3]), ([100.5, 7.25], f64::from(0.1f32)));
        assert_eq!(homogeneous(rules.placement, [1.0, 1.0, 1.0, 0.0]), None);
        for placement in [Placement::Clip { near: NearPlane::Zero, y_up: true }, Placement::Screen] {
            assert_eq!(homogeneous(placement, [1.0, f32::NAN, 1.0, 1.0]), None);
            assert_eq!(homogeneous(placement, [1.0, 1.0, f32::INFINITY, 1.0]), None);
        }
    }
}
