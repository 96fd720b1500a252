//! The few primitive operations that all functions are made of.

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Not, Sub};

use super::NAN;

/// Numbers of one width: a single one, or a SIMD vector of them. `+ - * /` and [`sqrt`](Real::sqrt) round to nearest
/// even.
///
/// Besides being numbers they are patterns of bits, as in a vector register.
pub trait Real:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// `f32` or `f64`.
    type Scalar: Copy;

    /// One truth value per lane.
    type Mask: Copy + BitAnd<Output = Self::Mask> + BitOr<Output = Self::Mask> + Not<Output = Self::Mask>;

    /// The same number in every lane.
    fn splat(value: Self::Scalar) -> Self;

    /// The correctly rounded square root.
    fn sqrt(self) -> Self;

    /// True where self < other; false for NaN.
    fn less(self, other: Self) -> Self::Mask;

    /// True where the numbers are equal; false for NaN, so that `x.same(x)` finds NaN.
    fn same(self, other: Self) -> Self::Mask;

    /// True where self comes before other in IEEE 754's total order of bits: -NaN, -infinity … -0, +0 … +infinity,
    /// +NaN.
    fn less_total(self, other: Self) -> Self::Mask;

    /// Bits of `yes` where the mask is true, else of `no`.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;

    /// The bits that are set in both.
    fn and(self, other: Self) -> Self;

    /// The bits that are set in one of the two.
    fn xor(self, other: Self) -> Self;
}

/// The `f32` lanes that the IR computes on, with an `f64` for each to compute in.
pub trait Lane: Real<Scalar = f32> {
    /// The lanes as f64.
    type Wide: Wide<Narrow = Self, Mask = Self::Mask>;

    /// The same numbers as f64, exactly.
    fn widen(self) -> Self::Wide;

    /// The bit patterns, with 32 zero bits above them.
    fn widen_bits(self) -> Self::Wide;

    /// The same bits, but `nan` for every NaN.
    ///
    /// Find NaN by its bits, not by `x != x`. Compilers hold that any NaN is as good as another where an operation
    /// makes one: LLVM 22 drops the choice from `if x < 0 { NAN } else { sqrt(x) }`, and x86 then gives -NaN.
    fn with_nan(self, nan: f32) -> Self;

    /// The same bits, but [`NAN`] for every NaN: the end of every computation but the truncating ones.
    #[inline(always)]
    fn canonical(self) -> Self {
        self.with_nan(NAN)
    }
}

/// The `f64` lanes in which transcendental functions are computed.
pub trait Wide: Real<Scalar = f64> {
    /// The lanes as f32.
    type Narrow: Lane<Wide = Self, Mask = Self::Mask>;

    /// The nearest f32 (ties to even), which may be denormal, zero or an infinity.
    fn narrow(self) -> Self::Narrow;

    /// The lower 32 bits of the patterns.
    fn narrow_bits(self) -> Self::Narrow;

    /// The bit patterns added as integers modulo 2⁶⁴.
    fn add_bits(self, other: Self) -> Self;

    /// The bit patterns subtracted as integers modulo 2⁶⁴.
    fn sub_bits(self, other: Self) -> Self;

    /// The bit patterns shifted left; zeros come in. `count` is below 64.
    fn shift_left(self, count: u32) -> Self;

    /// The bit patterns shifted right; zeros come in. `count` is below 64.
    fn shift_right(self, count: u32) -> Self;

    /// A look-up: the entry that the lowest 7 bits of the pattern name.
    fn pick(self, table: &[f64; 128]) -> Self;
}

macro_rules! scalar {
    ($float:ty) => {
        impl Real for $float {
            type Scalar = $float;
            type Mask = bool;

            #[inline(always)]
            fn splat(value: $float) -> $float {
                value
            }

            #[inline(always)]
            fn sqrt(self) -> $float {
                <$float>::sqrt(self)
            }

            #[inline(always)]
            fn less(self, other: $float) -> bool {
                self < other
            }

            #[inline(always)]
            fn same(self, other: $float) -> bool {
                self == other
            }

            #[inline(always)]
            fn less_total(self, other: $float) -> bool {
                self.total_cmp(&other).is_lt()
            }

            #[inline(always)]
            fn select(mask: bool, yes: $float, no: $float) -> $float {
                if mask { yes } else { no }
            }

            #[inline(always)]
            fn and(self, other: $float) -> $float {
                <$float>::from_bits(self.to_bits() & other.to_bits())
            }

            #[inline(always)]
            fn xor(self, other: $float) -> $float {
                <$float>::from_bits(self.to_bits() ^ other.to_bits())
            }
        }
    };
}

scalar!(f32);
scalar!(f64);

impl Lane for f32 {
    type Wide = f64;

    #[inline(always)]
    fn widen(self) -> f64 {
        f64::from(self)
    }

    #[inline(always)]
    fn widen_bits(self) -> f64 {
        f64::from_bits(u64::from(self.to_bits()))
    }

    #[inline(always)]
    fn with_nan(self, nan: f32) -> f32 {
        let bits = self.to_bits();
        let is_nan = bits & 0x7fff_ffff > 0x7f80_0000;
        f32::from_bits(if is_nan { nan.to_bits() } else { bits })
    }
}

impl Wide for f64 {
    type Narrow = f32;

    #[inline(always)]
    fn narrow(self) -> f32 {
        self as f32
    }

    #[inline(always)]
    fn narrow_bits(self) -> f32 {
        f32::from_bits(self.to_bits() as u32)
    }

    #[inline(always)]
    fn add_bits(self, other: f64) -> f64 {
        f64::from_bits(self.to_bits().wrapping_add(other.to_bits()))
    }

    #[inline(always)]
    fn sub_bits(self, other: f64) -> f64 {
        f64::from_bits(self.to_bits().wrapping_sub(other.to_bits()))
    }

    #[inline(always)]
    fn shift_left(self, count: u32) -> f64 {
        f64::from_bits(self.to_bits() << count)
    }

    #[inline(always)]
    fn shift_right(self, count: u32) -> f64 {
        f64::from_bits(self.to_bits() >> count)
    }

    #[inline(always)]
    fn pick(self, table: &[f64; 128]) -> f64 {
        table[self.to_bits() as usize & 127]
    }
}
