//! The operations: component-wise ones of one, two and three operands, and dot products.

use crate::arith;
use crate::vec4::Vec4;

/// Calls an arithmetic function with bits.
macro_rules! on_bits {
    ($function:path, ($($arg:ident),+)) => { $function($(f32::from_bits($arg)),+).to_bits() };
}

/// An enum of operations with their names and functions.
macro_rules! ops {
    ($(#[$outer:meta])* $name:ident $visitor:ident $args:tt $ops:tt) => {
        ops! { @ $(#[$outer])* $name $visitor $args $args $ops }
    };
    (@ $(#[$outer:meta])* $name:ident $visitor:ident ($($arg:ident),+) $args:tt { $($(#[$doc:meta])* $variant:ident = $text:literal => $function:path,)* }) => {
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

            /// The result for one component, bits to bits: the function of the same name in [`arith`].
            #[inline]
            pub fn eval(self, $($arg: u32),+) -> u32 {
                match self { $($name::$variant => on_bits!($function, $args),)* }
            }

            /// The result for lanes of any kind: one, several side by side, or symbols that record what is computed.
            #[inline]
            pub fn apply<L: arith::Lane>(self, $($arg: L),+) -> L {
                match self { $($name::$variant => $function $args,)* }
            }

            /// Gives the function itself to a visitor, which is monomorphized for each operation: so an engine makes
            /// a loop of every one without a list of them.
            #[inline(always)]
            pub fn visit<V: $visitor>(self, visitor: V) -> V::Output {
                match self { $($name::$variant => visitor.visit($function),)* }
            }
        }
    };
}

/// Receives the function of an [`Op1`] as a concrete type, so that code is monomorphized for it; see [`Op1::visit`].
pub trait Visitor1 {
    /// The result.
    type Output;

    /// Receives the function.
    fn visit(self, function: impl Fn(f32) -> f32 + Copy) -> Self::Output;
}

/// Receives the function of an [`Op2`] as a concrete type; see [`Visitor1`].
pub trait Visitor2 {
    /// The result.
    type Output;

    /// Receives the function.
    fn visit(self, function: impl Fn(f32, f32) -> f32 + Copy) -> Self::Output;
}

/// Receives the function of an [`Op3`] as a concrete type; see [`Visitor1`].
pub trait Visitor3 {
    /// The result.
    type Output;

    /// Receives the function.
    fn visit(self, function: impl Fn(f32, f32, f32) -> f32 + Copy) -> Self::Output;
}

ops! {
    /// Operations on one value, component by component.
    Op1 Visitor1 (a) {
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
        /// The largest integer that is not above a, as a float.
        FFloor = "ffloor" => arith::ffloor,
        /// The integer next to a toward zero, as a signed 32-bit integer; -2³¹ for what does not fit and for NaN.
        ITrunc = "itrunc" => arith::itrunc,
        /// -a modulo 2³².
        INeg = "ineg" => arith::ineg,
        /// The mantissa field of a behind the exponent of 1, even if a is subnormal, infinite or NaN. A bit operation.
        FMantissa = "fmantissa" => arith::fmantissa,
        /// The exponent of |a| as an unsigned integer, as a float: 2³² below 1. Infinite for zeros and infinities.
        FExponentUnsigned = "fexponent_unsigned" => arith::fexponent_unsigned,
        /// 1 ÷ a kept within bounds that are near 2⁻⁶⁴ and 2⁶⁴.
        FRccLoose = "frcc_loose" => arith::frcc_loose,
        /// 1 ÷ a from a table and two Newton steps; truncating.
        FRcpTrunc = "frcp_trunc" => arith::frcp_trunc,
        /// [`FRcpTrunc`](Op1::FRcpTrunc), its magnitude kept from 2⁻⁶⁴ to 2⁶⁴.
        FRccTrunc = "frcc_trunc" => arith::frcc_trunc,
        /// 1 ÷ √|a| from a table and two Newton steps; truncating.
        FRsqTrunc = "frsq_trunc" => arith::frsq_trunc,
        /// 2 to the power a, piece by piece; truncating.
        FExp2Trunc = "fexp2_trunc" => arith::fexp2_trunc,
        /// The logarithm of |a| to base 2, piece by piece; truncating. Moves a NaN, without its sign.
        FLog2Trunc = "flog2_trunc" => arith::flog2_trunc,
        /// The exponent of |a|; -infinity for zeros. Moves a NaN, without its sign.
        FExponentTrunc = "fexponent_trunc" => arith::fexponent_trunc,
        /// The mantissa of |a|, from 1 to 2; 1 for zeros. Moves a NaN, without its sign.
        FMantissaTrunc = "fmantissa_trunc" => arith::fmantissa_trunc,
        /// The floor of a as an 18-bit signed integer, as a float; saturates.
        FFloorTrunc = "ffloor_trunc" => arith::ffloor_trunc,
        /// a less its floor; truncating. Moves a NaN.
        FFractTrunc = "ffract_trunc" => arith::ffract_trunc,
    }
}

ops! {
    /// Operations on two values, component by component.
    Op2 Visitor2 (a, b) {
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
        /// a × b, but an overflow gives the largest finite number.
        FMulFinite = "fmul_finite" => arith::fmul_finite,
        /// a where a < b, else b. Moves bits.
        FMinStrict = "fmin_strict" => arith::fmin_strict,
        /// a where a > b, else b. Moves bits.
        FMaxStrict = "fmax_strict" => arith::fmax_strict,
        /// 1 where a < b or a is -0 and b is +0, else +0.
        FSltZeros = "fslt_zeros" => arith::fslt_zeros,
        /// 1 where a < b, else +0: for NaN, too.
        FSlt = "fslt" => arith::fslt,
        /// 1 where a ≥ b, else +0: for NaN, too.
        FSge = "fsge" => arith::fsge,
        /// The one of a and b that comes first in the total order of bits. Moves bits.
        FMinTotal = "fmin_total" => arith::fmin_total,
        /// The one of a and b that comes last in the total order of bits. Moves bits.
        FMaxTotal = "fmax_total" => arith::fmax_total,
        /// 1 where a comes before b in the total order of bits, else +0.
        FSltTotal = "fslt_total" => arith::fslt_total,
        /// a + b, aligned and truncated.
        FAddTrunc = "fadd_trunc" => arith::fadd_trunc,
        /// a × b, truncated; a zero times anything is +0.
        FMulTrunc = "fmul_trunc" => arith::fmul_trunc,
        /// The bits in which a and b differ. A bit operation.
        IXor = "ixor" => arith::ixor,
        /// a + b modulo 2³².
        IAdd = "iadd" => arith::iadd,
        /// a - b modulo 2³².
        ISub = "isub" => arith::isub,
        /// a × b modulo 2³².
        IMul = "imul" => arith::imul,
        /// a ÷ b toward zero, signed; a where b is 0, and -2³¹ for -2³¹ ÷ -1.
        IDiv = "idiv" => arith::idiv,
        /// The larger of two signed integers.
        IMax = "imax" => arith::imax,
        /// The smaller of two signed integers.
        IMin = "imin" => arith::imin,
    }
}

ops! {
    /// Operations on three values, component by component.
    Op3 Visitor3 (a, b, c) {
        /// a × b + c with two roundings; never fused.
        FMad = "fmad" => arith::fmad,
        /// b to the power c where a and b are above zero, else +0.
        FLit = "flit" => arith::flit,
        /// b to the power c where a is above zero, else +0; truncating.
        FLitTrunc = "flit_trunc" => arith::flit_trunc,
        /// b where all bits of a are 0, else c. Moves bits.
        ISelect = "iselect" => arith::iselect,
    }
}

impl Op2 {
    /// True if its operands may change places. A sum or product does not depend on their order, and a NaN result has one
    /// pattern whichever operand it came from. `fmin` and `fmax` are not among them, for of two zeros they take the second;
    /// `fmin_total` and `fmax_total` are, for they find no two patterns equal.
    pub const fn commutes(self) -> bool {
        use Op2::{
            FAdd, FAddTrunc, FMaxTotal, FMinTotal, FMul, FMulFinite, FMulTrunc, IAdd, IMax, IMin, IMul, IXor,
        };
        matches!(self, FAdd | FMul | FMulFinite | FAddTrunc | FMulTrunc | FMinTotal | FMaxTotal)
            || matches!(self, IXor | IAdd | IMul | IMax | IMin)
    }
}

/// Dot products: three components or four, the same result in all four. One of three products and a fourth addend is a
/// dot of four whose `a.w` is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dot {
    /// (a.x b.x + a.y b.y) + a.z b.z
    Dot3,
    /// ((a.x b.x + a.y b.y) + a.z b.z) + a.w b.w
    Dot4,
    /// [`Dot3`](Dot::Dot3), but overflows and infinite results give the largest finite number.
    Dot3Finite,
    /// [`Dot4`](Dot::Dot4), but overflows and infinite results give the largest finite number.
    Dot4Finite,
    /// Three truncated products in one aligned, truncated sum.
    Dot3Trunc,
    /// Four truncated products in one aligned, truncated sum.
    Dot4Trunc,
}

impl Dot {
    /// Every dot product.
    pub const ALL: &'static [Dot] =
        &[Dot::Dot3, Dot::Dot4, Dot::Dot3Finite, Dot::Dot4Finite, Dot::Dot3Trunc, Dot::Dot4Trunc];

    /// The name in the text form.
    pub const fn name(self) -> &'static str {
        match self {
            Dot::Dot3 => "dot3",
            Dot::Dot4 => "dot4",
            Dot::Dot3Finite => "dot3_finite",
            Dot::Dot4Finite => "dot4_finite",
            Dot::Dot3Trunc => "dot3_trunc",
            Dot::Dot4Trunc => "dot4_trunc",
        }
    }

    /// The dot product of that name.
    pub fn from_name(name: &str) -> Option<Dot> {
        Dot::ALL.iter().copied().find(|dot| dot.name() == name)
    }

    /// The components that it reads, as a mask: bit 0 is x.
    pub const fn mask(self) -> u8 {
        match self {
            Dot::Dot3 | Dot::Dot3Finite | Dot::Dot3Trunc => 0b0111,
            Dot::Dot4 | Dot::Dot4Finite | Dot::Dot4Trunc => 0b1111,
        }
    }

    /// How many products it sums up: those of the first three components or of all four.
    #[inline]
    pub const fn terms(self) -> usize {
        self.mask().count_ones() as usize
    }

    /// The result for any component, bits to bits: the function of the same name in [`arith`].
    #[inline]
    pub fn eval(self, a: Vec4, b: Vec4) -> u32 {
        self.apply(a.map(f32::from_bits), b.map(f32::from_bits)).to_bits()
    }

    /// The result for lanes of any kind; see [`Op1::apply`].
    #[inline]
    pub fn apply<L: arith::Lane>(self, a: [L; 4], b: [L; 4]) -> L {
        let ([ax, ay, az, _], [bx, by, bz, _]) = (a, b);
        let (a3, b3) = ([ax, ay, az], [bx, by, bz]);
        match self {
            Dot::Dot3 => arith::dot(a3, b3),
            Dot::Dot4 => arith::dot(a, b),
            Dot::Dot3Finite => arith::dot_finite(a3, b3),
            Dot::Dot4Finite => arith::dot_finite(a, b),
            Dot::Dot3Trunc => arith::dot_trunc(a3, b3),
            Dot::Dot4Trunc => arith::dot_trunc(a, b),
        }
    }
}
