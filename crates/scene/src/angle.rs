//! Sine and cosine of degrees, the same to the bit on every machine: the platform's own functions differ in their last
//! bits, and a picture would follow them.
//!
//! Degrees, because then quarter turns are exact: the remainder of a division is exact, and what is left is at most
//! 45 degrees, where short series do.

use std::f64::consts::PI;

/// Sine and cosine of an angle in degrees, to about 1e-16. What is not finite gives NaN.
pub fn sin_cos(degrees: f64) -> (f64, f64) {
    // Exact: the remainder has the sign of the angle, the quadrant is a small integer.
    let turn = degrees % 360.0;
    let quadrant = (turn / 90.0).round();
    let x = (turn - quadrant * 90.0) * (PI / 180.0);
    let (sine, cosine) = (x * series(x * x, 3.0), series(x * x, 2.0));
    match quadrant.rem_euclid(4.0) as i32 {
        0 => (sine, cosine),
        1 => (cosine, -sine),
        2 => (-sine, -cosine),
        _ => (-cosine, sine),
    }
}

/// Sine of an angle in radians. For `tau * t` it is as good as the product.
pub fn sin(radians: f64) -> f64 {
    sin_cos(radians * (180.0 / PI)).0
}

/// Cosine of an angle in radians.
pub fn cos(radians: f64) -> f64 {
    sin_cos(radians * (180.0 / PI)).1
}

/// 1 - s/((n-1)n) (1 - s/((n+1)(n+2)) (…)): with n = 3 the series of sin x / x, with n = 2 that of cos x, in s = x².
/// Nine terms leave less than 2⁻⁶⁰ at 45 degrees.
fn series(square: f64, n: f64) -> f64 {
    let term = |sum: f64, k: i32| {
        let n = n + 2.0 * f64::from(k);
        1.0 - square / ((n - 1.0) * n) * sum
    };
    (0..9).rev().fold(1.0, term)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarter_turns_are_exact() {
        for (degrees, expected) in [
            (0.0, (0.0, 1.0)),
            (90.0, (1.0, 0.0)),
            (180.0, (0.0, -1.0)),
            (270.0, (-1.0, 0.0)),
            (-90.0, (-1.0, 0.0)),
            (3_600_000.0, (0.0, 1.0)),
        ] {
            assert_eq!(sin_cos(degrees), expected, "{degrees}");
        }
    }

    #[test]
    fn near_the_platforms() {
        for step in -100_000..100_000 {
            let degrees = f64::from(step) * 0.0123;
            let (sine, cosine) = sin_cos(degrees);
            #[allow(clippy::disallowed_methods, reason = "an oracle")]
            let (expected_sine, expected_cosine) = (degrees % 360.0).to_radians().sin_cos();
            assert!(
                (sine - expected_sine).abs() < 1e-15 && (cosine - expected_cosine).abs() < 1e-15,
                "{degrees}"
            );
        }
        assert!((sin(1.0) - 0.841_470_984_807_896_5).abs() < 2e-16);
        assert!((cos(1.0) - 0.540_302_305_868_139_7).abs() < 2e-16);
        assert!((sin_cos(30.0).0 - 0.5).abs() < 2e-16);
    }

    #[test]
    fn what_is_no_angle_is_nan() {
        for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let (sine, cosine) = sin_cos(odd);
            assert!(sine.is_nan() && cosine.is_nan());
        }
        assert!(sin_cos(f64::MAX).0.abs() <= 1.0);
    }
}
