//! How the host's own numbers express each operation.

use crate::library::Library;
use crate::values::Kind;
use gpuzoo_ir::record::Operation;
use gpuzoo_ir::{Dot, Op1, Op2, Op3};
use std::sync::LazyLock;

/// The functions of `fast.wgsl`.
pub static LIBRARY: LazyLock<Library> = LazyLock::new(|| Library::new(&[include_str!("fast.wgsl")]));

/// How an operation is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// For all components at once: `$a`, `$b` and `$c` are the operands, `$T` is the type of the result and `$U` the same of bits.
    Vector(&'static str),
    /// A function in the library for each size, a single number first.
    Sized([&'static str; 4]),
    /// A function of single numbers in the library; of a dot product, one of two vectors.
    Scalar(&'static str),
}

/// Products of which a zero makes a zero.
const FMUL_TRUNC: [&str; 4] = ["fmul_trunc_f32", "fmul_trunc_vec2f", "fmul_trunc_vec3f", "fmul_trunc_vec4f"];

/// An operation's form, what it takes and what it gives.
pub fn form(operation: Operation) -> (Form, Kind, Kind) {
    use Form::{Scalar, Sized, Vector};
    use Kind::{Bits, Float};
    let floats = |text| (Vector(text), Float, Float);
    let bits = |text| (Vector(text), Bits, Bits);
    let scalar = |name| (Scalar(name), Float, Float);
    match operation {
        Operation::One(op) => match op {
            Op1::FAbs => floats("abs($a)"),
            Op1::FNeg => floats("-$a"),
            Op1::FSign => floats("sign($a)"),
            Op1::FSqrt => floats("sqrt($a)"),
            Op1::FExp => floats("exp($a)"),
            Op1::FExp2 | Op1::FExp2Trunc => floats("exp2($a)"),
            Op1::FLog => floats("log($a)"),
            Op1::FLog2 => floats("log2($a)"),
            Op1::FLog2Trunc => floats("log2(abs($a))"),
            Op1::FSin => floats("sin($a)"),
            Op1::FCos => floats("cos($a)"),
            Op1::FTan => floats("tan($a)"),
            Op1::FAsin => floats("asin($a)"),
            Op1::FAcos => floats("acos($a)"),
            Op1::FAtan => floats("atan($a)"),
            Op1::FFloor => floats("floor($a)"),
            Op1::FFloorTrunc => floats("clamp(floor($a), $T(-131072.0), $T(131071.0))"),
            Op1::FFractTrunc => floats("fract($a)"),
            Op1::FRcpTrunc => floats("1.0 / $a"),
            Op1::FRsqTrunc => floats("inverseSqrt(abs($a))"),
            Op1::INeg => bits("$U(0u) - $a"),
            Op1::ITrunc => (Scalar("itrunc"), Float, Bits),
            Op1::FMantissa
            | Op1::FExponentUnsigned
            | Op1::FRccLoose
            | Op1::FRccTrunc
            | Op1::FExponentTrunc
            | Op1::FMantissaTrunc => scalar(op.name()),
        },
        Operation::Two(op) => match op {
            Op2::FAdd | Op2::FAddTrunc => floats("$a + $b"),
            Op2::FSub => floats("$a - $b"),
            Op2::FMul => floats("$a * $b"),
            Op2::FMulFinite => floats("clamp($a * $b, $T(-3.4028235e38), $T(3.4028235e38))"),
            Op2::FMulTrunc => (Sized(FMUL_TRUNC), Float, Float),
            Op2::FDiv => floats("$a / $b"),
            Op2::FMin | Op2::FMinTotal => floats("min($a, $b)"),
            Op2::FMax | Op2::FMaxTotal => floats("max($a, $b)"),
            Op2::FMinStrict => floats("select($b, $a, $a < $b)"),
            Op2::FMaxStrict => floats("select($b, $a, $a > $b)"),
            Op2::FPow => floats("pow($a, $b)"),
            Op2::FAtan2 => floats("atan2($a, $b)"),
            Op2::FSlt | Op2::FSltZeros | Op2::FSltTotal => floats("select($T(0.0), $T(1.0), $a < $b)"),
            Op2::FSge => floats("select($T(0.0), $T(1.0), $a >= $b)"),
            Op2::IXor => bits("$a ^ $b"),
            Op2::IAdd => bits("$a + $b"),
            Op2::ISub => bits("$a - $b"),
            Op2::IMul => bits("$a * $b"),
            Op2::IDiv => (Scalar("idiv"), Bits, Bits),
            Op2::IMax => bits("bitcast<$U>(max(bitcast<$I>($a), bitcast<$I>($b)))"),
            Op2::IMin => bits("bitcast<$U>(min(bitcast<$I>($a), bitcast<$I>($b)))"),
        },
        Operation::Three(op) => match op {
            Op3::FMad => floats("$a * $b + $c"),
            Op3::FLit | Op3::FLitTrunc => scalar(op.name()),
            Op3::ISelect => floats("select($c, $b, $a == $U(0u))"),
        },
        Operation::Dot(dot) => scalar(dot.name()),
    }
}

/// How far the host's result may be from the machine's, in words; none where hosts agree.
pub fn doubt(operation: Operation) -> Option<&'static str> {
    match operation {
        Operation::One(op) => match op {
            Op1::FAbs | Op1::FNeg | Op1::FSign | Op1::INeg | Op1::FMantissa | Op1::FFloor => None,
            Op1::ITrunc | Op1::FFloorTrunc | Op1::FExponentUnsigned | Op1::FExponentTrunc => None,
            Op1::FMantissaTrunc | Op1::FFractTrunc => None,
            Op1::FSqrt | Op1::FRsqTrunc | Op1::FRcpTrunc | Op1::FRccTrunc | Op1::FRccLoose => {
                Some("a reciprocal or root of the host: 2.5 ulp")
            }
            Op1::FAsin | Op1::FAcos => Some("of the host: 0.0005 in the angle"),
            _ => Some("of the host: some ulp, more near zeros"),
        },
        Operation::Two(op) => match op {
            Op2::FAdd | Op2::FSub | Op2::FMul | Op2::FMulFinite => Some("may be contracted to a fused sum"),
            Op2::FAddTrunc | Op2::FMulTrunc => Some("rounded to nearest, not truncated"),
            Op2::FDiv => Some("a quotient of the host: 2.5 ulp"),
            Op2::FPow | Op2::FAtan2 => Some("of the host: many ulp; special cases differ"),
            Op2::FMin | Op2::FMax | Op2::FMinTotal | Op2::FMaxTotal => {
                Some("NaN and signs of zeros are the host's")
            }
            Op2::FSltZeros | Op2::FSltTotal => Some("zeros of both signs are equal"),
            _ => None,
        },
        Operation::Three(op) => match op {
            Op3::FMad => Some("may be contracted to a fused sum"),
            Op3::FLit | Op3::FLitTrunc => Some("of the host: many ulp; special cases differ"),
            Op3::ISelect => None,
        },
        Operation::Dot(dot) => match dot {
            Dot::Dot3 | Dot::Dot4 | Dot::Dot3Finite | Dot::Dot4Finite => {
                Some("may be contracted to fused sums")
            }
            Dot::Dot3Trunc | Dot::Dot4Trunc => Some("rounded to nearest, not truncated"),
        },
    }
}
