//! Coverage alone, for machines that do all the rest of a draw themselves.

use crate::coverage::{Triangle, doubled_area};
use crate::projection::snap;
use crate::rules::{Fill, Sample, Snap};
use crate::state::Bounds;
use crate::{GUARD_BAND, MAX_SIDE};
use std::ops::Range;

/// The pixels that a triangle covers, row by row. Which side it shows does not matter.
///
/// ```
/// use gpuzoo_raster::{Fill, Rounding, Sample, Snap, Spans};
/// let snap = Snap { bits: 8, rounding: Rounding::NearestEven };
/// let triangle = [[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]];
/// let spans = Spans::new(triangle, snap, Fill::TopLeft, Sample::Centre).unwrap();
/// // The long side runs through the centre of the second pixel, and is a right edge.
/// assert_eq!((spans.row(2, 100), spans.row(4, 100)), (0..1, 0..0));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Spans(Triangle);

impl Spans {
    /// From corners in pixels. None if it has no area on the grid, a corner that is not finite, or one farther than
    /// [`GUARD_BAND`] from the origin.
    pub fn new(corners: [[f32; 2]; 3], grid: Snap, fill: Fill, sample: Sample) -> Option<Spans> {
        let limit = GUARD_BAND as f32;
        if !corners.as_flattened().iter().all(|component| component.abs() <= limit) {
            return None;
        }
        let mut corners = corners.map(|corner| snap(&corner.map(f64::from), grid));
        let area = doubled_area(corners);
        if area < 0 {
            corners.swap(1, 2);
        }
        (area != 0).then(|| Spans(Triangle::new(corners, fill, sample)))
    }

    /// The columns below `width` that it covers in a row. Rows and widths count up to [`MAX_SIDE`].
    pub fn row(&self, row: u32, width: u32) -> Range<u32> {
        let bounds = Bounds::of_target(width.min(MAX_SIDE), 0);
        let (left, right) = self.0.row(row.min(MAX_SIDE) as i32, bounds);
        left as u32..right as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rounding;

    const GRID: Snap = Snap { bits: 8, rounding: Rounding::NearestEven };

    fn rows(corners: [[f32; 2]; 3], fill: Fill, width: u32) -> Option<[Range<u32>; 5]> {
        let spans = Spans::new(corners, GRID, fill, Sample::Centre)?;
        Some(
            [0, 1, 2, 3, 4]
                .map(|row| spans.row(row, width))
                .map(|row| if row.is_empty() { 0..0 } else { row }),
        )
    }

    /// The centre of column x is covered in row y where x + y < 3, or = 3 where all edges belong to it.
    #[test]
    fn rows_by_hand() {
        let [a, b, c] = [[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]];
        for corners in [[a, b, c], [a, c, b], [c, a, b]] {
            assert_eq!(rows(corners, Fill::TopLeft, 9), Some([0..3, 0..2, 0..1, 0..0, 0..0]));
            assert_eq!(rows(corners, Fill::Inclusive, 9), Some([0..4, 0..3, 0..2, 0..1, 0..0]));
            assert_eq!(rows(corners, Fill::TopLeft, 2), Some([0..2, 0..2, 0..1, 0..0, 0..0]));
        }
    }

    #[test]
    fn what_has_no_place_on_the_grid_has_no_spans() {
        let [a, b] = [[0.0, 0.0], [4.0, 0.0]];
        let limit = GUARD_BAND as f32;
        assert!(rows([a, b, [-limit, limit]], Fill::TopLeft, 9).is_some());
        for c in [limit.next_up(), f32::INFINITY, f32::NAN] {
            for corner in [[c, 1.0], [1.0, -c]] {
                assert!(rows([a, b, corner], Fill::TopLeft, 9).is_none(), "{corner:?}");
            }
        }
        // On one line, and a corner that snaps to it.
        assert!(rows([a, b, [9.0, 0.0]], Fill::TopLeft, 9).is_none());
        assert!(rows([a, b, [2.0, 0.001]], Fill::TopLeft, 9).is_none());
    }
}
