//! Barycentric coordinates: how much of each corner a pixel gets.
//!
//! A value across a primitive is `v0 + b1 (v1 - v0) + b2 (v2 - v0)`: what is equal at all corners is equal at all
//! pixels, to the bit. On the screen b1 and b2 are linear; perspective-correct ones weigh each corner by 1/w as well.
//! They are computed in double precision from the pixel's place and the primitive alone, not from its neighbours, so
//! that no way of cutting the picture into pieces can change them, and rounded to single once. Depth is linear on the
//! screen.

use crate::coverage::ONE;
use crate::rules::Interpolation;
use gpuzoo_simd::lanes::each;

/// A corner on the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Projected {
    /// Snapped, in fixed point, y down.
    pub at: [i32; 2],
    /// Depth.
    pub depth: f64,
    /// Positive.
    pub w: f64,
}

/// The barycentric coordinates b1 and b2 (of the second and third corner) as functions of the pixel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Barycentric {
    origin: [f64; 2],
    second: [f64; 2],
    third: [f64; 2],
    /// w of the first corner by w of the second and of the third.
    ratio: [f64; 2],
    inverse_w: f64,
    depth: [f64; 3],
    perspective: bool,
}

#[inline(always)]
fn pixels(fixed: i32) -> f64 {
    f64::from(fixed) / f64::from(ONE)
}

impl Barycentric {
    /// Of a triangle. Without area b1 and b2 are 0: all pixels get what the first corner has.
    #[inline(always)]
    pub fn triangle(corners: [Projected; 3], interpolation: Interpolation) -> Barycentric {
        let [a, b, c] = [corners[0].at, corners[1].at, corners[2].at];
        let [bx, by] = [pixels(b[0] - a[0]), pixels(b[1] - a[1])];
        let [cx, cy] = [pixels(c[0] - a[0]), pixels(c[1] - a[1])];
        let area = bx * cy - by * cx;
        let (second, third) = match area {
            0.0 => ([0.0; 2], [0.0; 2]),
            _ => ([cy / area, -cx / area], [-by / area, bx / area]),
        };
        Barycentric::new(corners, second, third, interpolation)
    }

    /// Of a line: a pixel counts as its foot on the line, and b2 is 0.
    pub fn line(ends: [Projected; 2], interpolation: Interpolation) -> Barycentric {
        let [a, b] = ends.map(|end| end.at);
        let [x, y] = [pixels(b[0] - a[0]), pixels(b[1] - a[1])];
        let square = x * x + y * y;
        let second = if square == 0.0 { [0.0; 2] } else { [x / square, y / square] };
        Barycentric::new([ends[0], ends[1], ends[0]], second, [0.0; 2], interpolation)
    }

    #[inline(always)]
    fn new(
        corners: [Projected; 3],
        second: [f64; 2],
        third: [f64; 2],
        interpolation: Interpolation,
    ) -> Barycentric {
        let [a, b, c] = corners;
        Barycentric {
            origin: [pixels(a.at[0]), pixels(a.at[1])],
            second,
            third,
            ratio: [a.w / b.w, a.w / c.w],
            inverse_w: 1.0 / a.w,
            depth: [a.depth, b.depth - a.depth, c.depth - a.depth],
            // Where w is the same at all corners, the divisor is 1 at all pixels.
            perspective: interpolation == Interpolation::Perspective && !(a.w == b.w && a.w == c.w),
        }
    }

    /// True if shares are weighed by w. Without that they are finite at any pixel.
    #[inline(always)]
    pub fn is_perspective(&self) -> bool {
        self.perspective
    }

    /// What the samples of a row have in common; y in pixels.
    #[inline(always)]
    pub fn row(&self, y: f64) -> Row<'_> {
        let y = y - self.origin[1];
        Row { of: self, y: [y * self.second[1], y * self.third[1]] }
    }

    /// 1/w at the sample position (x, y) in pixels.
    #[inline]
    pub fn inverse_w_at(&self, x: f64, y: f64) -> f32 {
        let [[second], [third]] = self.row(y).linear(x);
        (self.inverse_w * self.relative(second, third)) as f32
    }

    /// w of the first corner by w here, from linear b1 and b2.
    #[inline(always)]
    fn relative(&self, second: f64, third: f64) -> f64 {
        1.0 + second * (self.ratio[0] - 1.0) + third * (self.ratio[1] - 1.0)
    }

    /// Between which [depths](Row::depths) stay, before it is made single, from one column to
    /// another and from one row to another, all as sample positions. An end is NaN or infinite if there is such a
    /// depth, or might be.
    ///
    /// It is exact: a floating-point operation never falls where its operand rises, so what the same operations make of
    /// the ends of ranges bounds what they make of anything between.
    #[inline(always)]
    pub fn depths_between(&self, x: [f64; 2], y: [f64; 2]) -> [f64; 2] {
        let add = |a: [f64; 2], b: [f64; 2]| [a[0] + b[0], a[1] + b[1]];
        let scale = |[low, high]: [f64; 2], by: f64| {
            if by < 0.0 { [high * by, low * by] } else { [low * by, high * by] }
        };
        let (x, y) = (x.map(|x| x - self.origin[0]), y.map(|y| y - self.origin[1]));
        let [second, third] =
            [self.second, self.third].map(|[by_x, by_y]| add(scale(x, by_x), scale(y, by_y)));
        let first = [self.depth[0]; 2];
        add(add(first, scale(second, self.depth[1])), scale(third, self.depth[2]))
    }
}

/// The coordinates along a row of samples.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'a> {
    of: &'a Barycentric,
    /// What y adds to b1 and b2, linear on the screen.
    y: [f64; 2],
}

impl Row<'_> {
    /// b1 and b2, linear on the screen, at the sample position x, in pixels, and at those that follow it.
    #[inline(always)]
    pub fn linear<const N: usize>(&self, x: f64) -> [[f64; N]; 2] {
        let of = self.of;
        // Places and the distances between them have 30 bits, so that these are exact.
        let first = x - of.origin[0];
        let x: [f64; N] = each(|lane| first + lane as f64);
        [each(|lane| x[lane] * of.second[0] + self.y[0]), each(|lane| x[lane] * of.third[0] + self.y[1])]
    }

    /// The depths where b1 and b2 are these, linear.
    #[inline(always)]
    pub fn depths<const N: usize>(&self, [second, third]: &[[f64; N]; 2]) -> [f32; N] {
        let depth = self.of.depth;
        each(|lane| (depth[0] + second[lane] * depth[1] + third[lane] * depth[2]) as f32)
    }

    /// b1 and b2 for the varyings where the linear ones are these.
    #[inline(always)]
    pub fn shares<const N: usize>(&self, [second, third]: &[[f64; N]; 2]) -> [[f32; N]; 2] {
        let of = self.of;
        if !of.perspective {
            return [each(|lane| second[lane] as f32), each(|lane| third[lane] as f32)];
        }
        let relative: [f64; N] = each(|lane| of.relative(second[lane], third[lane]));
        [
            each(|lane| (second[lane] * of.ratio[0] / relative[lane]) as f32),
            each(|lane| (third[lane] * of.ratio[1] / relative[lane]) as f32),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corner(x: i32, y: i32, depth: f64, w: f64) -> Projected {
        Projected { at: [x * ONE, y * ONE], depth, w }
    }

    /// What interpolation gives for a pixel.
    struct Point {
        barycentric: [f32; 2],
        depth: f32,
        inverse_w: f32,
    }

    impl Barycentric {
        fn at(&self, x: f64, y: f64) -> Point {
            let row = self.row(y);
            let linear = row.linear(x);
            let [[second], [third]] = row.shares(&linear);
            Point {
                barycentric: [second, third],
                depth: row.depths(&linear)[0],
                inverse_w: self.inverse_w_at(x, y),
            }
        }
    }

    #[test]
    fn corners_get_their_own_and_the_middle_a_third() {
        let corners = [corner(1, 2, 0.25, 1.0), corner(10, 2, 0.5, 1.0), corner(1, 8, 1.0, 1.0)];
        for interpolation in [Interpolation::Perspective, Interpolation::Linear] {
            let barycentric = Barycentric::triangle(corners, interpolation);
            for (corner, expected) in corners.into_iter().zip([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]) {
                let point = barycentric.at(pixels(corner.at[0]), pixels(corner.at[1]));
                assert_eq!(point.barycentric, expected);
                assert_eq!(point.depth, corner.depth as f32);
            }
            let middle = barycentric.at(4.0, 4.0);
            assert!(
                (middle.barycentric[0] - 1.0 / 3.0).abs() < 1e-7
                    && (middle.barycentric[1] - 1.0 / 3.0).abs() < 1e-7
            );
            assert!((middle.depth - 1.75 / 3.0).abs() < 1e-7);
        }
    }

    /// Half way on the screen between w = 1 and w = 3, space is a quarter of the way: 1/w is (1 + 1/3) / 2 = 2/3, so w
    /// is 1.5, and w is linear in space.
    #[test]
    fn perspective() {
        let ends = [corner(0, 0, 0.0, 1.0), corner(8, 0, 1.0, 3.0)];
        let point = Barycentric::line(ends, Interpolation::Perspective).at(4.0, 0.0);
        assert!((point.barycentric[0] - 0.25).abs() < 1e-7);
        assert!((point.inverse_w - 2.0 / 3.0).abs() < 1e-7);
        assert_eq!(point.depth, 0.5);
        let point = Barycentric::line(ends, Interpolation::Linear).at(4.0, 0.0);
        assert_eq!(point.barycentric, [0.5, 0.0]);
        // It is enough that one corner is farther away.
        let corners = [ends[0], corner(8, 0, 0.0, 1.0), corner(0, 8, 0.0, 3.0)];
        let point = Barycentric::triangle(corners, Interpolation::Perspective).at(0.0, 4.0);
        assert!((point.barycentric[1] - 0.25).abs() < 1e-7);
        let corners = [ends[0], ends[1], corner(0, 8, 0.0, 1.0)];
        let point = Barycentric::triangle(corners, Interpolation::Perspective).at(4.0, 0.0);
        assert!((point.barycentric[0] - 0.25).abs() < 1e-7);
        let corners = [corner(0, 0, 0.0, 3.0), corner(8, 0, 0.0, 1.0), corner(0, 8, 0.0, 1.0)];
        let point = Barycentric::triangle(corners, Interpolation::Perspective).at(4.0, 0.0);
        assert!((point.barycentric[0] - 0.75).abs() < 1e-7);
        // A pixel beside the line counts as its foot.
        assert_eq!(Barycentric::line(ends, Interpolation::Linear).at(4.0, 3.0).barycentric, [0.5, 0.0]);
    }

    #[test]
    fn without_area_all_is_as_at_the_first_corner() {
        let corners = [corner(1, 1, 0.25, 1.0), corner(3, 3, 0.5, 2.0), corner(7, 7, 1.0, 4.0)];
        for interpolation in [Interpolation::Perspective, Interpolation::Linear] {
            let point = Barycentric::triangle(corners, interpolation).at(5.0, 2.0);
            assert_eq!((point.barycentric, point.depth, point.inverse_w), ([0.0; 2], 0.25, 1.0));
        }
    }

    /// Every pixel of a rectangle, against the range of the whole and of its rows; corners from a table of hard values.
    #[test]
    fn ranges_of_depth_hold_every_pixel() {
        let mut state = 1u64;
        let mut number = |below: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % below
        };
        let depths = [0.0, -0.0, 1.0, 0.1, 1.0 / 3.0, -7e5, 1e-300, 1e83, f64::INFINITY, f64::NAN];
        let mut bounded = 0;
        for _ in 0..2000 {
            let mut corner = || Projected {
                at: [(); 2].map(|()| number(200 * ONE as u64) as i32 - 40 * ONE),
                depth: depths[number(depths.len() as u64) as usize],
                w: 1.0 + number(8) as f64,
            };
            let barycentric =
                Barycentric::triangle([corner(), corner(), corner()], Interpolation::Perspective);
            let range = barycentric.depths_between([3.5, 18.5], [7.5, 22.5]);
            if !range.iter().all(|end| end.is_finite()) {
                continue;
            }
            bounded += 1;
            for row in (7..23).map(|row| f64::from(row) + 0.5) {
                let here = barycentric.depths_between([3.5, 18.5], [row; 2]);
                assert!(range[0] <= here[0] && here[1] <= range[1]);
                for column in (3..19).map(|column| f64::from(column) + 0.5) {
                    let row = barycentric.row(row);
                    let [depth] = row.depths(&row.linear(column));
                    assert!(here[0] as f32 <= depth && depth <= here[1] as f32, "{depth} {here:?}");
                }
            }
        }
        assert!(bounded > 500, "{bounded}");
    }

    #[test]
    fn without_extent() {
        let point =
            Barycentric::triangle([corner(3, 3, 0.5, 2.0); 3], Interpolation::Perspective).at(9.0, 9.0);
        assert_eq!((point.barycentric, point.depth, point.inverse_w), ([0.0; 2], 0.5, 0.5));
        let point = Barycentric::line([corner(3, 3, 0.5, 2.0); 2], Interpolation::Linear).at(9.0, 9.0);
        assert_eq!((point.barycentric, point.depth, point.inverse_w), ([0.0; 2], 0.5, 0.5));
    }
}
