//! Rounding by adding: a sum so large that it has no bits for a fraction is rounded to the nearest whole number, half way to
//! the even one, and ends in it. There is no choice of ways in it and no call of a library, so that lanes go side by side.

/// Its sum with any number below 2⁵¹ has no bits for a fraction.
const DOUBLE: f64 = 6_755_399_441_055_744.0;

/// 2²³, the least single whose neighbours are 1 apart.
const SINGLE: f32 = 8_388_608.0;

/// The nearest whole number, of a number below 2⁵¹.
#[inline(always)]
pub(crate) fn nearest(value: f64) -> f64 {
    (value + DOUBLE) - DOUBLE
}

/// The whole number below a number, which is below 2⁵¹.
#[inline(always)]
pub(crate) fn below(value: f64) -> f64 {
    let near = nearest(value);
    near - if near > value { 1.0 } else { 0.0 }
}

/// The nearest integer, of a number below 2³¹.
#[inline(always)]
pub(crate) fn integer(value: f64) -> i32 {
    (value + DOUBLE).to_bits() as i32
}

/// The nearest whole number, of a single below 2²³.
#[inline(always)]
pub(crate) fn whole(value: f32) -> f32 {
    let signed = SINGLE.copysign(value);
    (value + signed) - signed
}

/// The nearest whole number of a single below 2²², as an integer and as it is.
#[inline(always)]
pub(crate) fn nearest_single(value: f32) -> (i32, f32) {
    // 2²³ + 2²²: its sum with a number below 2²² on either side is between 2²³ and 2²⁴.
    const MIDDLE: f32 = 1.5 * SINGLE;
    let sum = value + MIDDLE;
    (sum.to_bits() as i32 - MIDDLE.to_bits() as i32, sum - MIDDLE)
}

/// The integer below a number from 0 to 2²².
#[inline(always)]
pub(crate) fn cut(value: f32) -> u32 {
    let near = value + SINGLE;
    (near.to_bits() & 0x7f_ffff) - u32::from(near - SINGLE > value)
}

/// The integer nearest to a product from 0 to 2²², half way to the even one. The product itself is not rounded.
#[inline(always)]
#[allow(clippy::disallowed_methods, reason = "IEEE 754 says its bits: a product and a sum, rounded once")]
pub(crate) fn fused_product(a: f32, b: f32) -> u32 {
    a.mul_add(b, SINGLE).to_bits() & 0x7f_ffff
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn around_whole_numbers_and_halves() {
        for whole in [0i32, 1, 2, 254, 255, 256, 16_384, 4_194_303] {
            let number = f64::from(whole);
            assert_eq!([nearest(number), below(number)], [number; 2]);
            assert_eq!(nearest(number + 0.5), number + f64::from(whole % 2));
            assert_eq!([nearest(number + 0.75), below(number + 0.75)], [number + 1.0, number]);
            assert_eq!([integer(number - 0.25), integer(number + 0.25)], [whole; 2]);
            let single = whole as f32;
            assert_eq!([cut(single), cut(single + 0.25)], [whole as u32; 2]);
            assert_eq!(cut((single + 1.0).next_down()), whole as u32);
        }
        assert_eq!([nearest(-0.75), below(-0.25), below(-1.0)], [-1.0; 3]);
        assert_eq!(integer(-3.0), -3);
    }
}
