//! Which shapes touch which band of the target.

use crate::shape::Shape;
use gpuzoo_simd::lanes::GROUP;
use std::ops::Range;

/// Rows of the target that one task owns. Even, so that no quad lies in two bands.
pub(crate) const BAND_ROWS: usize = GROUP;

/// Indices of shapes, band after band, and in a band in their order: a counting sort.
#[derive(Debug, Default)]
pub(crate) struct Bins {
    /// The band of the first bin.
    first: usize,
    /// Where in `indices` each bin ends.
    ends: Vec<u32>,
    indices: Vec<u32>,
}

/// The bands that a shape touches.
fn bands_of(shape: &Shape) -> Range<usize> {
    shape.bounds.top as usize / BAND_ROWS..(shape.bounds.bottom as usize).div_ceil(BAND_ROWS)
}

impl Bins {
    pub fn clear(&mut self) {
        self.ends.clear();
        self.indices.clear();
    }

    /// Uses the memory that was there again.
    pub fn sort(&mut self, shapes: &[Shape]) {
        self.clear();
        self.first = shapes.iter().map(|shape| bands_of(shape).start).min().unwrap_or(0);
        let end = shapes.iter().map(|shape| bands_of(shape).end).max().unwrap_or(0);
        let bins = |shape: &Shape| {
            let bands = bands_of(shape);
            bands.start - self.first..bands.end - self.first
        };
        self.ends.resize(end - self.first, 0);
        for shape in shapes {
            self.ends[bins(shape)].iter_mut().for_each(|count| *count += 1);
        }
        // Counts become starts, and starts become ends while the bins are filled.
        let mut total = 0;
        for end in &mut self.ends {
            total += std::mem::replace(end, total);
        }
        self.indices.resize(total as usize, 0);
        for (index, shape) in (0..).zip(shapes) {
            for end in &mut self.ends[bins(shape)] {
                self.indices[*end as usize] = index;
                *end += 1;
            }
        }
    }

    /// The bands from the first that a shape touches to the last.
    pub fn bands(&self) -> Range<usize> {
        self.first..self.first + self.ends.len()
    }

    /// The indices of the shapes that touch a band.
    pub fn get(&self, band: usize) -> &[u32] {
        let Some(bin) = band.checked_sub(self.first).filter(|&bin| bin < self.ends.len()) else { return &[] };
        let start = if bin == 0 { 0 } else { self.ends[bin - 1] };
        &self.indices[start as usize..self.ends[bin] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::{ONE, Triangle};
    use crate::interpolate::{Barycentric, Projected};
    use crate::rules::{Fill, Interpolation, Sample};
    use crate::shape::Coverage;
    use crate::state::Bounds;

    #[test]
    fn each_band_has_the_shapes_that_touch_it_in_order() {
        let corners = [[0, 0], [ONE, 0], [0, ONE]];
        let shape = |&(top, bottom): &(i32, i32)| Shape {
            coverage: Coverage::Triangle(Triangle::new(corners, Fill::TopLeft, Sample::Centre)),
            bounds: Bounds { left: 0, right: 1, top, bottom },
            barycentric: Barycentric::triangle([Projected::default(); 3], Interpolation::Linear),
            varyings: 0,
            primitive: 0,
        };
        let mut bins = Bins::default();
        let lists: [&[(i32, i32)]; 4] =
            [&[(40, 41), (16, 100), (32, 48), (31, 33)], &[], &[(0, 16)], &[(15, 17), (0, 300), (200, 201)]];
        for rows in lists {
            let shapes: Vec<_> = rows.iter().map(shape).collect();
            bins.sort(&shapes);
            for band in 0..30 {
                let (top, bottom) = ((band * BAND_ROWS) as i32, ((band + 1) * BAND_ROWS) as i32);
                let touching = (0..).zip(rows).filter(|(_, row)| row.0 < bottom && row.1 > top);
                let expected: Vec<u32> = touching.map(|(index, _)| index).collect();
                assert_eq!(bins.get(band), expected, "band {band} of {rows:?}");
                assert!(expected.is_empty() || bins.bands().contains(&band));
            }
        }
    }
}
