//! The triangles of a job on their way to the screen: their vertices, each once, and where these are, side by side.

use crate::clip::Planes;
use crate::faces::Corners;
use crate::interpolate::Projected;
use crate::projection::{Projection, homogeneous};
use crate::rules::Placement;
use gpuzoo_simd::lanes::{GROUP, Mask, each, group, group_mut};

/// Primitives that one task sets up.
pub(crate) const JOB: usize = 128;

/// Room for the vertices of a job. A power of two, so that no number that is cut to its bits lies outside.
const ROOM: usize = (3 * JOB).next_power_of_two();

const _: () = assert!(JOB.is_multiple_of(GROUP));

/// The triangles of a job. Neighbours share most of their vertices, which are placed once.
pub(crate) struct Places {
    /// For a few bits of a vertex's number where it may be among `numbers`.
    guesses: [u16; ROOM],
    /// The numbers of the vertices, of which there are `count`, and their positions in columns.
    numbers: [usize; ROOM],
    positions: [[f32; ROOM]; 4],
    count: usize,
    /// Where they are on the screen. These two are of no use where no place on the screen is, or a plane cuts it off.
    at: [[i32; ROOM]; 2],
    depth: [f64; ROOM],
    w: [f64; ROOM],
    /// Those that have a place on the screen, and those of them that no plane cuts off.
    there: Mask<ROOM>,
    inside: Mask<ROOM>,
    /// For each corner of each triangle where its vertex is, and the number of the primitive.
    corners: [[u16; JOB]; 3],
    primitives: [u32; JOB],
    triangles: usize,
}

impl Places {
    pub fn new() -> Box<Places> {
        Box::new(Places {
            guesses: [0; ROOM],
            numbers: [0; ROOM],
            positions: [[0.0; ROOM]; 4],
            count: 0,
            at: [[0; ROOM]; 2],
            depth: [0.0; ROOM],
            w: [0.0; ROOM],
            there: [0; ROOM],
            inside: [0; ROOM],
            corners: [[0; JOB]; 3],
            primitives: [0; JOB],
            triangles: 0,
        })
    }

    pub fn clear(&mut self) {
        (self.count, self.triangles) = (0, 0);
    }

    /// The number of triangles, at most [`JOB`].
    pub fn triangles(&self) -> usize {
        self.triangles
    }

    /// Adds a triangle.
    ///
    /// # Panics
    /// If there are [`JOB`] of them.
    #[inline(always)]
    pub fn push(&mut self, vertices: [usize; 3], primitive: u32, positions: &[[f32; 4]]) {
        for (vertex, corners) in vertices.into_iter().zip(0..) {
            // Rows of a mesh are often a power of two apart.
            let guess = &mut self.guesses[(vertex ^ vertex >> 6 ^ vertex >> 12) % ROOM];
            let mut at = usize::from(*guess) % ROOM;
            if at >= self.count || self.numbers[at] != vertex {
                at = self.count % ROOM;
                *guess = at as u16;
                self.numbers[at] = vertex;
                for (column, component) in self.positions.iter_mut().zip(positions[vertex]) {
                    column[at] = component;
                }
                self.count += 1;
            }
            let corners: &mut [u16; JOB] = &mut self.corners[corners];
            corners[self.triangles] = at as u16;
        }
        self.primitives[self.triangles] = primitive;
        self.triangles += 1;
    }

    /// Places the vertices.
    #[inline(always)]
    pub fn project(&mut self, placement: Placement, planes: &Planes, projection: &Projection) {
        for first in (0..self.count).step_by(GROUP) {
            let [x, y, z, w] = &self.positions;
            let position: [[f32; GROUP]; 4] =
                [*group(x, first), *group(y, first), *group(z, first), *group(w, first)];
            let (position, there) = homogeneous(placement, &position);
            let inside = planes.contain(&position);
            let placed = projection.project(&position);
            *group_mut(&mut self.at[0], first) = placed.at[0];
            *group_mut(&mut self.at[1], first) = placed.at[1];
            *group_mut(&mut self.depth, first) = placed.depth;
            *group_mut(&mut self.w, first) = position[3];
            *group_mut(&mut self.there, first) = there;
            *group_mut::<_, GROUP>(&mut self.inside, first) = each(|lane| there[lane] & inside[lane]);
        }
    }

    /// Where the vertices of a corner are, from a triangle on.
    #[inline(always)]
    fn slots(&self, corner: usize, first: usize) -> &[u16; GROUP] {
        group(&self.corners[corner], first)
    }

    /// The corners of the triangles from number `first` on, a multiple of a group. Those behind the last may be anything.
    #[inline(always)]
    pub fn corners(&self, first: usize) -> Corners<GROUP> {
        [self.corner(0, first), self.corner(1, first), self.corner(2, first)]
    }

    #[inline(always)]
    fn corner(&self, corner: usize, first: usize) -> [[i32; GROUP]; 2] {
        let (slots, [x, y]) = (self.slots(corner, first), &self.at);
        [each(|lane| x[usize::from(slots[lane]) % ROOM]), each(|lane| y[usize::from(slots[lane]) % ROOM])]
    }

    /// Of these triangles those that have a place on the screen, and those of them that no plane cuts.
    #[inline(always)]
    pub fn seen(&self, first: usize) -> [Mask; 2] {
        [self.all(&self.there, first), self.all(&self.inside, first)]
    }

    /// The triangles of which all corners are in a mask.
    #[inline(always)]
    fn all(&self, mask: &Mask<ROOM>, first: usize) -> Mask {
        let [a, b, c] = [self.slots(0, first), self.slots(1, first), self.slots(2, first)];
        each(|lane| {
            mask[usize::from(a[lane]) % ROOM]
                & mask[usize::from(b[lane]) % ROOM]
                & mask[usize::from(c[lane]) % ROOM]
        })
    }

    /// Where the vertices of one triangle are.
    #[inline(always)]
    fn triangle(&self, triangle: usize) -> [usize; 3] {
        let [a, b, c] = &self.corners;
        [usize::from(a[triangle]) % ROOM, usize::from(b[triangle]) % ROOM, usize::from(c[triangle]) % ROOM]
    }

    /// The corners of one triangle on the screen.
    #[inline(always)]
    pub fn projected(&self, triangle: usize) -> [Projected; 3] {
        let [a, b, c] = self.triangle(triangle);
        [self.on_screen(a), self.on_screen(b), self.on_screen(c)]
    }

    #[inline(always)]
    fn on_screen(&self, slot: usize) -> Projected {
        Projected { at: [self.at[0][slot], self.at[1][slot]], depth: self.depth[slot], w: self.w[slot] }
    }

    /// The numbers of its vertices.
    #[inline(always)]
    pub fn vertices(&self, triangle: usize) -> [usize; 3] {
        let [a, b, c] = self.triangle(triangle);
        [self.numbers[a], self.numbers[b], self.numbers[c]]
    }

    /// The number of its primitive.
    pub fn primitive(&self, triangle: usize) -> u32 {
        self.primitives[triangle]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;
    use crate::state::State;

    /// Jobs whose vertices are all different, shared in no order, and so far apart that many have the same guess; in a mesh as large
    /// as that each job finds what the one before left.
    #[test]
    fn corners_are_those_of_their_vertices() {
        let mut state = 1u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % below
        };
        let positions: Vec<[f32; 4]> = (0..70_000)
            .map(|vertex| {
                let w = if vertex % 97 == 0 { f32::NAN } else { 1.0 };
                [vertex as f32 / 70_000.0, if vertex % 89 == 0 { 1e9 } else { 0.5 }, 0.25, w]
            })
            .collect();
        let rules = Rules::default();
        let projection = Projection::new(&rules, &State::sized(640, 480));
        let planes = projection.planes(&rules);
        let mut places = Places::new();
        for range in [3 * JOB, 20, 300, 70_000, 70_000, 1024] {
            places.clear();
            let first = random(positions.len() - range + 1);
            let step = [1, 64, 512][random(3)].min(range / 3);
            let triangles: Vec<[usize; 3]> = (0..JOB)
                .map(|triangle| match range == 3 * JOB {
                    true => [first + 3 * triangle, first + 3 * triangle + 1, first + 3 * triangle + 2],
                    false => [(); 3].map(|()| first + random(range) / step * step),
                })
                .collect();
            for (&vertices, number) in triangles.iter().zip(7..) {
                places.push(vertices, number, &positions);
            }
            places.project(rules.placement, &planes, &projection);
            for (triangle, vertices) in triangles.iter().enumerate() {
                let (group, lane) = (triangle / GROUP * GROUP, triangle % GROUP);
                assert_eq!(places.vertices(triangle), *vertices);
                assert_eq!(places.primitive(triangle) as usize, triangle + 7);
                let [there, inside] = places.seen(group).map(|mask| mask[lane] != 0);
                assert_eq!(there, vertices.iter().all(|vertex| vertex % 97 != 0));
                assert_eq!(inside, there && vertices.iter().all(|vertex| vertex % 89 != 0), "{vertices:?}");
                if !inside {
                    continue;
                }
                let corners = places.corners(group).map(|corner| corner.map(|axis| axis[lane]));
                assert_eq!(places.projected(triangle).map(|corner| corner.at), corners);
                for (vertex, corner) in vertices.iter().zip(places.projected(triangle)) {
                    let position = positions[*vertex].map(|component| [component]);
                    let alone = projection.project(&homogeneous(rules.placement, &position).0);
                    assert_eq!((corner.at, corner.depth, corner.w), (alone.at.map(|[at]| at), 0.25, 1.0));
                }
            }
        }
    }
}
