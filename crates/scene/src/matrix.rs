//! 4 × 4 matrices, in f64 until a machine gets them.
//!
//! A matrix is four columns, and points are columns: `a * b` first does what b says. View space is right-handed with +x
//! right, +y up, and the viewer looking along -z. Clip space has +y up and depth from 0 (near) to w (far).

use crate::angle;
use std::ops::Mul;

/// Three numbers.
pub type Vector = [f64; 3];

/// Four columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Matrix(pub [[f64; 4]; 4]);

impl Matrix {
    /// Changes nothing.
    pub const IDENTITY: Matrix = Matrix::scale([1.0; 3]);

    /// Moves points.
    pub const fn translate([x, y, z]: Vector) -> Matrix {
        Matrix([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [x, y, z, 1.0]])
    }

    /// Stretches along the axes.
    pub const fn scale([x, y, z]: Vector) -> Matrix {
        Matrix([[x, 0.0, 0.0, 0.0], [0.0, y, 0.0, 0.0], [0.0, 0.0, z, 0.0], [0.0, 0.0, 0.0, 1.0]])
    }

    /// Turns around an axis of any length: counter-clockwise as seen looking down the axis toward the
    /// origin. An axis of length 0 gives NaN.
    pub fn rotate(axis: Vector, degrees: f64) -> Matrix {
        let (s, c) = angle::sin_cos(degrees);
        let [x, y, z] = normalize(axis);
        let k = 1.0 - c;
        Matrix([
            [c + k * x * x, k * x * y + s * z, k * x * z - s * y, 0.0],
            [k * x * y - s * z, c + k * y * y, k * y * z + s * x, 0.0],
            [k * x * z + s * y, k * y * z - s * x, c + k * z * z, 0.0],
            [0.0, 0.0, 0.0, 1.0],
        ])
    }

    /// From the world to a viewer at `eye` that looks at `target`, `up` upward. If they do not say where to look, NaN.
    pub fn look_at(eye: Vector, target: Vector, up: Vector) -> Matrix {
        let back = normalize(sub(eye, target));
        let right = normalize(cross(up, back));
        let up = cross(back, right);
        let row = |i: usize| [right[i], up[i], back[i], 0.0];
        Matrix([row(0), row(1), row(2), [-dot(right, eye), -dot(up, eye), -dot(back, eye), 1.0]])
    }

    /// From view space to clip space, in perspective. `fov` is the angle from the bottom to the top of the picture in
    /// degrees, `aspect` is width divided by height.
    pub fn perspective(fov: f64, aspect: f64, near: f64, far: f64) -> Matrix {
        let (s, c) = angle::sin_cos(fov / 2.0);
        let focal = c / s;
        let depth = far / (near - far);
        Matrix([
            [focal / aspect, 0.0, 0.0, 0.0],
            [0.0, focal, 0.0, 0.0],
            [0.0, 0.0, depth, -1.0],
            [0.0, 0.0, near * depth, 0.0],
        ])
    }

    /// From view space to clip space, everything at its size: a box of this width and height around the axis, from
    /// `near` to `far`.
    pub fn orthographic(width: f64, height: f64, near: f64, far: f64) -> Matrix {
        let depth = 1.0 / (near - far);
        Matrix([
            [2.0 / width, 0.0, 0.0, 0.0],
            [0.0, 2.0 / height, 0.0, 0.0],
            [0.0, 0.0, depth, 0.0],
            [0.0, 0.0, near * depth, 1.0],
        ])
    }

    /// The matrix times a column.
    pub fn apply(&self, [x, y, z, w]: [f64; 4]) -> [f64; 4] {
        let [a, b, c, d] = self.0;
        [0, 1, 2, 3].map(|i| a[i] * x + b[i] * y + c[i] * z + d[i] * w)
    }

    /// A point, moved and turned; no division.
    pub fn point(&self, [x, y, z]: Vector) -> Vector {
        let [x, y, z, _] = self.apply([x, y, z, 1.0]);
        [x, y, z]
    }

    /// A direction, turned and not moved.
    pub fn direction(&self, [x, y, z]: Vector) -> Vector {
        let [x, y, z, _] = self.apply([x, y, z, 0.0]);
        [x, y, z]
    }

    /// Rows as columns.
    pub fn transpose(&self) -> Matrix {
        Matrix([0, 1, 2, 3].map(|i| self.0.map(|column| column[i])))
    }

    /// The inverse; NaN everywhere if there is none.
    pub fn inverse(&self) -> Matrix {
        let mut left = self.0;
        let mut right = Matrix::IDENTITY.0;
        for step in 0..4 {
            // Elimination on columns; the largest pivot loses the fewest digits.
            let size = |column: usize| left[column][step].abs();
            let pivot =
                (step..4).fold(step, |best, column| if size(column) > size(best) { column } else { best });
            left.swap(step, pivot);
            right.swap(step, pivot);
            let value = left[step][step];
            if value == 0.0 || !value.is_finite() {
                return Matrix([[f64::NAN; 4]; 4]);
            }
            for column in [&mut left[step], &mut right[step]] {
                *column = column.map(|component| component / value);
            }
            let (left_pivot, right_pivot) = (left[step], right[step]);
            for other in (0..4).filter(|&other| other != step) {
                let factor = left[other][step];
                for i in 0..4 {
                    left[other][i] -= factor * left_pivot[i];
                    right[other][i] -= factor * right_pivot[i];
                }
            }
        }
        Matrix(right)
    }

    /// What normals go through where points go through this matrix: the transposed inverse of the upper left 3 × 3.
    /// Translation does not touch it, uneven scaling does it justice.
    pub fn normal(&self) -> Matrix {
        let [[a, b, c, _], [d, e, f, _], [g, h, i, _], _] = self.0;
        let linear = Matrix([[a, b, c, 0.0], [d, e, f, 0.0], [g, h, i, 0.0], [0.0, 0.0, 0.0, 1.0]]);
        linear.inverse().transpose()
    }

    /// The four columns as a machine gets them.
    pub fn columns(&self) -> [[f32; 4]; 4] {
        self.0.map(|column| column.map(|component| component as f32))
    }
}

impl Mul for Matrix {
    type Output = Matrix;

    fn mul(self, other: Matrix) -> Matrix {
        Matrix(other.0.map(|column| self.apply(column)))
    }
}

/// a - b
pub fn sub(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// The dot product.
pub fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The cross product.
pub fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The same direction with length 1; NaN for a vector without direction.
pub fn normalize(v: Vector) -> Vector {
    let length = dot(v, v).sqrt();
    v.map(|component| component / length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: [f64; 4], b: [f64; 4]) -> bool {
        a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12)
    }

    #[test]
    fn rotations_are_counter_clockwise() {
        let x = [1.0, 0.0, 0.0, 1.0];
        assert_eq!(Matrix::rotate([0.0, 0.0, 2.0], 90.0).apply(x), [0.0, 1.0, 0.0, 1.0]);
        assert_eq!(Matrix::rotate([0.0, 1.0, 0.0], 90.0).apply(x), [0.0, 0.0, -1.0, 1.0]);
        assert_eq!(Matrix::rotate([1.0, 0.0, 0.0], 90.0).apply([0.0, 1.0, 0.0, 1.0]), [0.0, 0.0, 1.0, 1.0]);
        // A third of a turn around the diagonal takes x to y.
        assert!(near(Matrix::rotate([1.0; 3], 120.0).apply(x), [0.0, 1.0, 0.0, 1.0]));
    }

    #[test]
    fn a_product_does_the_right_one_first() {
        let both = Matrix::translate([1.0, 2.0, 3.0]) * Matrix::scale([10.0, 10.0, 10.0]);
        assert_eq!(both.point([1.0, 1.0, 1.0]), [11.0, 12.0, 13.0]);
        assert_eq!(both.direction([1.0, 1.0, 1.0]), [10.0, 10.0, 10.0]);
        assert_eq!(both.columns()[3], [1.0, 2.0, 3.0, 1.0]);
    }

    #[test]
    fn the_viewer_is_the_origin_and_looks_along_minus_z() {
        let view = Matrix::look_at([0.0, 3.0, 4.0], [0.0, 3.0, 0.0], [0.0, 1.0, 0.0]);
        assert_eq!(view.point([0.0, 3.0, 4.0]), [0.0, 0.0, 0.0]);
        assert_eq!(view.point([1.0, 5.0, 0.0]), [1.0, 2.0, -4.0]);
        // From the left, the far end of the z axis is at the right.
        let view = Matrix::look_at([-5.0, 0.0, 0.0], [0.0; 3], [0.0, 1.0, 0.0]);
        assert_eq!(view.point([0.0, 0.0, 2.0]), [2.0, 0.0, -5.0]);
        assert!(Matrix::look_at([1.0; 3], [1.0; 3], [0.0, 1.0, 0.0]).0[0][0].is_nan());
    }

    #[test]
    fn perspective_by_hand() {
        // 90 degrees: at distance d the picture reaches up to d. Near 1, far 3.
        let m = Matrix::perspective(90.0, 2.0, 1.0, 3.0);
        assert!(near(m.apply([2.0, 1.0, -1.0, 1.0]), [1.0, 1.0, 0.0, 1.0]));
        assert!(near(m.apply([0.0, 3.0, -3.0, 1.0]), [0.0, 3.0, 3.0, 3.0]));
        // Depth 3/4 at distance 2: far/(near-far) = -1.5, (-2 · -1.5 - 1.5) / 2.
        assert!(near(m.apply([0.0, 0.0, -2.0, 1.0]), [0.0, 0.0, 1.5, 2.0]));
    }

    #[test]
    fn orthographic_by_hand() {
        let m = Matrix::orthographic(8.0, 4.0, 1.0, 5.0);
        assert_eq!(m.apply([4.0, -2.0, -1.0, 1.0]), [1.0, -1.0, 0.0, 1.0]);
        assert_eq!(m.apply([0.0, 0.0, -3.0, 1.0]), [0.0, 0.0, 0.5, 1.0]);
    }

    #[test]
    fn inverses() {
        let m = Matrix::translate([1.0, -2.0, 0.5])
            * Matrix::rotate([1.0, 2.0, 3.0], 50.0)
            * Matrix::scale([2.0, 3.0, -4.0]);
        let product = m * m.inverse();
        for (column, expected) in product.0.iter().zip(Matrix::IDENTITY.0) {
            assert!(near(*column, expected), "{product:?}");
        }
        assert!(Matrix::scale([1.0, 0.0, 1.0]).inverse().0[0][0].is_nan());
        assert!(Matrix([[f64::NAN; 4]; 4]).inverse().0[0][0].is_nan());
    }

    #[test]
    fn normals_stay_at_right_angles_under_uneven_scaling() {
        // The plane x + y = 0 with normal (1, 1, 0), stretched twice along x, has the normal (1/2, 1, 0).
        let m = Matrix::translate([7.0; 3]) * Matrix::scale([2.0, 1.0, 1.0]);
        assert_eq!(m.normal().direction([1.0, 1.0, 0.0]), [0.5, 1.0, 0.0]);
        assert_eq!(dot(m.normal().direction([1.0, 1.0, 0.0]), m.direction([1.0, -1.0, 0.0])), 0.0);
    }
}
