//! The lane-wise operations: one list each for one, two and three operands.

use crate::arith;

/// Calls an arithmetic function with bits.
macro_rules! on_bits {
    ($function:path, ($($arg:ident),+)) => { $function($(f32::from_bits($arg)),+).to_bits() };
}

/// An enum of operations with names and the functions that they stand for.
macro_rules! ops {
    ($(#[$outer:meta])* $name:ident $args:tt $ops:tt) => { ops! { @ $(#[$outer])* $name $args $args $ops } };
    (@ $(#[$outer:meta])* $name:ident ($($arg:ident),+) $args:tt { $($(#[$doc:meta])* $variant:ident = $text:literal => $function:path,)* }) => {
        $(#[$outer])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name { $($(#[$doc])* $variant,)* }

        impl $name {
            /// Every operation of this kind.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// The name in the text form.
            pub const fn name(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }

            /// The operation of that name.
            pub fn from_name(name: &str) -> Option<$name> {
                match name { $($text => Some($name::$variant),)* _ => None }
            }

            /// The result for one lane, bits to bits: the function of the same name in [`arith`].
            #[inline]
            pub fn eval(self, $($arg: u32),+) -> u32 {
                match self { $($name::$variant => on_bits!($function, $args),)* }
            }
        }
    };
}

ops! {
    /// Operations on one value, lane by lane.
    Op1(a) {
        /// Clears the sign bit. A bit operation: NaN payloads stay.
        FAbs = "fabs" => arith::fabs,
        /// Flips the sign bit. A bit operation: NaN payloads stay.
        FNeg = "fneg" => arith::fneg,
        /// 1 above zero, -1 below, +0 for zeros and NaN.
        FSign = "fsign" => arith::fsign,
        /// The correctly rounded square root; -0 stays -0, negative numbers give NaN.
        FSqrt = "fsqrt" => arith::fsqrt,
        /// e to the power a.
        FExp = "fexp" => arith::fexp,
        /// 2 to the power a.
        FExp2 = "fexp2" => arith::fexp2,
        /// The natural logarithm; zeros give -infinity, negative numbers NaN.
        FLog = "flog" => arith::flog,
        /// The logarithm to base 2; zeros give -infinity, negative numbers NaN.
        FLog2 = "flog2" => arith::flog2,
        /// Sine of radians, over the whole domain; infinities give NaN.
        FSin = "fsin" => arith::fsin,
        /// Cosine of radians, over the whole domain; infinities give NaN.
        FCos = "fcos" => arith::fcos,
        /// Tangent of radians, over the whole domain; infinities give NaN.
        FTan = "ftan" => arith::ftan,
        /// Arc sine in radians; NaN outside -1 to 1.
        FAsin = "fasin" => arith::fasin,
        /// Arc cosine in radians; NaN outside -1 to 1.
        FAcos = "facos" => arith::facos,
        /// Arc tangent in radians.
        FAtan = "fatan" => arith::fatan,
    }
}

ops! {
    /// Operations on two values, lane by lane.
    Op2(a, b) {
        /// a + b.
        FAdd = "fadd" => arith::fadd,
        /// a - b.
        FSub = "fsub" => arith::fsub,
        /// a × b.
        FMul = "fmul" => arith::fmul,
        /// a ÷ b; a zero divisor gives a signed infinity, 0 ÷ 0 NaN.
        FDiv = "fdiv" => arith::fdiv,
        /// a where a < b or b is NaN, else b. Moves bits; of two zeros it takes b.
        FMin = "fmin" => arith::fmin,
        /// a where a > b or b is NaN, else b. Moves bits; of two zeros it takes b.
        FMax = "fmax" => arith::fmax,
        /// a to the power b as exp2(b × log2 a): NaN for negative a.
        FPow = "fpow" => arith::fpow,
        /// The angle of the point (x = b, y = a), in radians, as IEEE 754 defines atan2.
        FAtan2 = "fatan2" => arith::fatan2,
    }
}

ops! {
    /// Operations on three values, lane by lane.
    Op3(a, b, c) {
        /// a × b + c with two roundings; never fused.
        FMad = "fmad" => arith::fmad,
    }
}
