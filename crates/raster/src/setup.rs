//! From vertices to shapes on the screen. Triangles are placed and judged side by side; those that planes cut, and lines, go one
//! after the other.

use crate::bins::Bins;
use crate::clip::{Corner, Planes};
use crate::coverage::{FRACTION_BITS, ONE, Triangle};
use crate::coverage::{doubled_area, sample_offset, samples_between};
use crate::faces::Faces;
use crate::interpolate::{Barycentric, Projected};
use crate::line::Line;
use crate::places::Places;
use crate::projection::{OnScreen, Projection, homogeneous};
use crate::rules::Rules;
use crate::shape::{Coverage, Shape};
use crate::state::{Bounds, State};
use crate::stats::Stats;
use crate::topology::{MAX_VARYINGS, Primitives, Vertices};
use gpuzoo_simd::lanes::{GROUP, bits, each, first_lanes};
use gpuzoo_simd::{Supported, Work};
use std::ops::Range;

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

    /// Adds the components of the varyings of a shape's corners.
    #[inline(always)]
    fn push_varyings(&mut self, [a, b, c]: [&[f32]; 3]) {
        let [a, b, c] = [a.as_chunks::<4>().0, b.as_chunks::<4>().0, c.as_chunks::<4>().0];
        self.varyings.reserve(12 * a.len());
        // In fours: a call that copies takes longer than that.
        a.iter().for_each(|a| self.varyings.extend_from_slice(a));
        for other in [b, c] {
            for (other, a) in other.iter().zip(a) {
                let difference: [f32; 4] = each(|component| other[component] - a[component]);
                self.varyings.extend_from_slice(&difference);
            }
        }
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

/// What turns primitives into shapes.
pub(crate) struct Setup<'a> {
    rules: &'a Rules,
    vertices: Vertices<'a>,
    projection: Projection,
    planes: Planes,
    faces: Faces,
    bounds: Bounds,
    level: Supported,
}

impl<'a> Setup<'a> {
    /// `bounds` is what of the target may be drawn on.
    pub fn new(
        level: Supported,
        rules: &'a Rules,
        state: &State,
        vertices: Vertices<'a>,
        bounds: Bounds,
    ) -> Setup<'a> {
        let projection = Projection::new(rules, state);
        let (planes, faces) = (projection.planes(rules), Faces::new(rules, state, bounds));
        Setup { rules, vertices, projection, planes, faces, bounds, level }
    }

    /// Adds what primitives of a range, at most [`JOB`], leave on the screen.
    pub fn add(&self, primitives: Primitives, range: Range<usize>, places: &mut Places, shapes: &mut Shapes) {
        if primitives.topology.is_lines() {
            for primitive in range {
                match primitives.get(primitive, self.vertices.len()) {
                    None => shapes.stats.invalid += 1,
                    Some(corners) => self.line(corners, number(primitive), shapes),
                }
            }
        } else {
            self.level.run(Triangles { setup: self, primitives, range, places, shapes });
        }
    }

    /// A vertex in homogeneous coordinates, if it has a place on the screen.
    fn position(&self, vertex: usize) -> Option<[f64; 4]> {
        let position = self.vertices.positions()[vertex].map(|component| [component]);
        let (position, [there]) = homogeneous(self.rules.placement, &position);
        (there != 0).then(|| position.map(|[component]| component))
    }

    /// Where a corner that no plane cuts off any more is on the screen.
    fn project(&self, corner: &Corner) -> Projected {
        let OnScreen { at, depth: [depth] } =
            self.projection.project(&corner.position.map(|component| [component]));
        Projected { at: at.map(|[at]| at), depth, w: corner.position[3] }
    }

    /// Adds what planes leave of a triangle.
    #[cold]
    #[inline(never)]
    fn clipped(&self, vertices: [usize; 3], primitive: u32, shapes: &mut Shapes) {
        let [Some(a), Some(b), Some(c)] = vertices.map(|vertex| self.position(vertex)) else {
            shapes.stats.invalid += 1;
            return;
        };
        let polygon = self.planes.clip([a, b, c]);
        let project = |corner: &Corner| (self.project(corner), corner.weights);
        let Some((first, rest)) = polygon.corners().split_first().filter(|(_, rest)| rest.len() >= 2) else {
            shapes.stats.outside += 1;
            return;
        };
        let first = project(first);
        let fan = rest.windows(2).map(|pair| [first, project(&pair[0]), project(&pair[1])]);
        let area = |corners: [(Projected, [f64; 2]); 3]| doubled_area(corners.map(|corner| corner.0.at));
        let total: i128 = fan.clone().map(|corners| i128::from(area(corners))).sum();
        if !self.faces.shows(total.signum() as i64) {
            shapes.stats.culled += 1;
            return;
        }
        let mut drawn = false;
        // Snapping may turn a sliver over; its neighbours cover what it would.
        for part in fan.filter(|&part| i128::from(area(part)).signum() == total.signum()) {
            let corners = part.map(|corner| corner.0);
            let judged = self.faces.judge(&corners.map(|corner| corner.at.map(|at| [at])));
            drawn |= judged.within[0] != 0;
            if judged.within[0] & judged.covering[0] != 0 {
                let mut room = [[0.0; MAX_VARYINGS * 4]; 3];
                let [a, b, c] = &mut room;
                let [to_a, to_b, to_c] = part.map(|corner| corner.1);
                let varyings =
                    [self.mix(to_a, vertices, a), self.mix(to_b, vertices, b), self.mix(to_c, vertices, c)];
                self.push(corners, judged.area[0], judged.bounds(0), varyings, primitive, shapes);
            }
        }
        if drawn {
            shapes.stats.drawn += 1;
            shapes.stats.cut += 1;
        } else {
            shapes.stats.outside += 1;
        }
    }

    /// Adds the shape of a triangle.
    #[inline(always)]
    fn push(
        &self,
        [a, mut b, mut c]: [Projected; 3],
        area: i64,
        bounds: Bounds,
        mut varyings: [&[f32]; 3],
        primitive: u32,
        shapes: &mut Shapes,
    ) {
        if area < 0 {
            (b, c) = (c, b);
            varyings.swap(1, 2);
        }
        // What has no area may be drawn over all of its bounds.
        let whole = if area == 0 { u64::MAX } else { area.unsigned_abs() >> (2 * FRACTION_BITS + 1) };
        shapes.most_pixels = shapes.most_pixels.saturating_add(most_pixels(bounds, whole));
        shapes.shapes.push(Shape {
            coverage: Coverage::Triangle(Triangle::new(
                [a.at, b.at, c.at],
                self.rules.fill,
                self.rules.sample,
            )),
            bounds,
            barycentric: Barycentric::triangle([a, b, c], self.rules.interpolation),
            varyings: shapes.varyings.len(),
            primitive,
        });
        shapes.push_varyings(varyings);
    }

    /// Adds what a line leaves on the screen.
    fn line(&self, [a, b, _]: [usize; 3], primitive: u32, shapes: &mut Shapes) {
        let [Some(start), Some(end)] = [a, b].map(|vertex| self.position(vertex)) else {
            shapes.stats.invalid += 1;
            return;
        };
        let whole = [start, end]
            .iter()
            .all(|position| self.planes.contain(&position.map(|component| [component]))[0] != 0);
        let Some(ends) = self.planes.clip_line([start, end]) else {
            shapes.stats.outside += 1;
            return;
        };
        let projected = ends.map(|end| self.project(&end));
        let at = projected.map(|end| end.at);
        let bounds = self.bounds_of_line(at);
        if bounds.is_empty() {
            shapes.stats.outside += 1;
            return;
        }
        shapes.most_pixels = shapes.most_pixels.saturating_add(most_pixels(bounds, 0));
        shapes.shapes.push(Shape {
            coverage: Coverage::Line(Line::new(at, sample_offset(self.rules.sample))),
            bounds,
            barycentric: Barycentric::line(projected, self.rules.interpolation),
            varyings: shapes.varyings.len(),
            primitive,
        });
        let mut room = [[0.0; MAX_VARYINGS * 4]; 2];
        let [first, second] = &mut room;
        let start = self.mix(ends[0].weights, [a, b, a], first);
        let end = self.mix(ends[1].weights, [a, b, a], second);
        shapes.push_varyings([start, end, start]);
        shapes.stats.drawn += 1;
        shapes.stats.cut += u64::from(!whole);
    }

    /// The part of the drawable rectangle around a line, which reaches half a pixel farther than its ends.
    fn bounds_of_line(&self, [a, b]: [[i32; 2]; 2]) -> Bounds {
        let offset = sample_offset(self.rules.sample);
        let range = |axis: usize| {
            let (low, high) = (a[axis].min(b[axis]), a[axis].max(b[axis]));
            samples_between(low - ONE, high + ONE, offset)
        };
        let ((left, right), (top, bottom)) = (range(0), range(1));
        Bounds {
            left: left.max(self.bounds.left),
            right: right.min(self.bounds.right),
            top: top.max(self.bounds.top),
            bottom: bottom.min(self.bounds.bottom),
        }
    }

    /// The varyings of a corner with barycentric coordinates b1 and b2 between three vertices: those of a vertex, or what is
    /// mixed of them in `room`.
    fn mix<'r>(&self, weights: [f64; 2], vertices: [usize; 3], room: &'r mut [f32]) -> &'r [f32]
    where
        'a: 'r,
    {
        let [a, b, c] = vertices.map(|vertex| self.vertices.varyings(vertex));
        match weights {
            [0.0, 0.0] => a,
            [1.0, 0.0] => b,
            [0.0, 1.0] => c,
            [second, third] => {
                for (to, (&a, (&b, &c))) in room.iter_mut().zip(a.iter().zip(b.iter().zip(c))) {
                    let [a, b, c] = [a, b, c].map(f64::from);
                    *to = (a + second * (b - a) + third * (c - a)) as f32;
                }
                &room[..a.len()]
            }
        }
    }
}

/// The number of a primitive, as shapes have it.
fn number(primitive: usize) -> u32 {
    u32::try_from(primitive).unwrap_or(u32::MAX)
}

#[inline(always)]
fn count(lanes: u32) -> u64 {
    lanes.count_ones().into()
}

/// Some triangles, side by side.
struct Triangles<'s, 'a> {
    setup: &'s Setup<'a>,
    primitives: Primitives<'s>,
    range: Range<usize>,
    places: &'s mut Places,
    shapes: &'s mut Shapes,
}

impl Work for Triangles<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Triangles { setup, primitives, range, places, shapes } = self;
        places.clear();
        let positions = setup.vertices.positions();
        for primitive in range {
            match primitives.get(primitive, positions.len()) {
                None => shapes.stats.invalid += 1,
                Some(corners) => places.push(corners, number(primitive), positions),
            }
        }
        places.project(setup.rules.placement, &setup.planes, &setup.projection);
        for first in (0..places.triangles()).step_by(GROUP) {
            let judged = setup.faces.judge(&places.corners(first));
            let there = first_lanes::<GROUP>((places.triangles() - first).min(GROUP));
            let all = bits(there);
            let [there, inside] = places.seen(first);
            let [there, inside] = [bits(&there) & all, bits(&inside) & all];
            let [shown, within] = [bits(&judged.shown) & inside, bits(&judged.within)];
            let drawn = shown & within;
            shapes.stats.invalid += count(all & !there);
            shapes.stats.culled += count(inside & !shown);
            shapes.stats.outside += count(shown & !within);
            shapes.stats.drawn += count(drawn);
            let cut = there & !inside;
            // In their order.
            let mut lanes = cut | drawn & bits(&judged.covering);
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                let (triangle, primitive) = (first + lane, places.primitive(first + lane));
                let vertices = places.vertices(triangle);
                if cut >> lane & 1 != 0 {
                    setup.clipped(vertices, primitive, shapes);
                } else {
                    let [a, b, c] = vertices;
                    let of = &setup.vertices;
                    let varyings = [of.varyings(a), of.varyings(b), of.varyings(c)];
                    let (area, bounds) = (judged.area[lane % GROUP], judged.bounds(lane % GROUP));
                    setup.push(places.projected(triangle), area, bounds, varyings, primitive, shapes);
                }
            }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_shape_covers_more_pixels_than_it_is_said_to() {
        // A full square, a thin diagonal, and what is beyond the bounds.
        let bounds = Bounds { left: 0, right: 100, top: 0, bottom: 50 };
        assert_eq!(most_pixels(bounds, 5_000), 5_000);
        assert_eq!(most_pixels(bounds, u64::MAX), 5_000);
        assert_eq!(most_pixels(bounds, 0), 154);
        assert_eq!(most_pixels(Bounds { right: 0, ..bounds }, 7), 0);
    }
}
