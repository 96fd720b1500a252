//! Coverage alone, for machines that do all the rest of a draw themselves.

use crate::coverage::{Triangle, doubled_area};
use crate::rules::{Fill, Sample, Snap};
use crate::setup::snap;
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
        let mut corners = corners.map(|corner| corner.map(|component| snap(f64::from(component), grid)));
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
