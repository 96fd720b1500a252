//! Curves: polynomials on what is left of an argument when the rest is known exactly. `xtask/minimax.py` computes such coefficients.

use crate::select::expand::{Expander, Operation, ROUND};
use gpuzoo_ir::{Op1, Op2, Value};
use std::f32::consts::{FRAC_1_PI, FRAC_PI_2, PI};

/// cos 2πf = 1 + q² (c₀ + c₁ q + …) with q = f² - f, for f from 0 to 1: to 2⁻²⁵.
const WAVE: [f32; 5] = [-19.739297, 39.474_859, -33.808_48, 16.243_004, -6.441_254];

/// acos x = √(1 - x) (c₀ + c₁ x + …), for x from 0 to 1: to 2⁻²⁰.
const ARC_COSINE: [f32; 6] =
    [1.570_795_7, -0.214_542_82, 0.088_171_05, -0.045_927_224, 0.020_620_057, -0.004_911_172];

/// atan x = x (c₀ + c₁ x² + …), for x from 0 to 1: to 2⁻¹⁷·⁸ of it.
const ARC_TANGENT: [f32; 6] =
    [0.999_995_65, -0.332_994_6, 0.195_635_93, -0.121_239_1, 0.057_477_344, -0.013_480_482];

/// 2ʳ for r from -½ to ½: to 2⁻²³·⁷ of it.
const EXP2: [f32; 6] = [1.000_000_1, 0.693_146_94, 0.240_221_2, 0.055_507_13, 0.009_675_541, 0.001_327_647_2];

/// log2((1 + s) / (1 - s)) = s (c₀ + c₁ s² + …), for |s| ≤ 3 - √8: to 2⁻²³ of it.
const LOG2: [f32; 3] = [2.885_390_5, 0.961_588_3, 0.595_780_7];

/// The bits of √½.
const HALF_ROOT: u32 = 0x3f35_04f3;

impl Expander<'_> {
    /// The cosine of a, a part of a turn later if `shift` says so.
    pub(super) fn wave(&mut self, a: Value, shift: Option<Value>) -> Value {
        let turn = self.float(FRAC_1_PI / 2.0);
        let turns = match shift {
            Some(shift) => self.mad(a, turn, shift),
            None => self.mul(a, turn),
        };
        // The cosine is the same on both sides of an integer, so that the distance from any does.
        let fraction = if self.has(Operation::One(Op1::FFloor)) {
            let floor = self.b.map1(Op1::FFloor, turns);
            self.sub(turns, floor)
        } else {
            let round = self.float(ROUND);
            let near = self.add(turns, round);
            let near = self.sub(near, round);
            let fraction = self.sub(turns, near);
            self.one(Op1::FAbs, fraction)
        };
        let minus = self.one(Op1::FNeg, fraction);
        let q = self.mad(fraction, fraction, minus);
        let square = self.mul(q, q);
        let curve = self.polynomial(q, &WAVE);
        let one = self.float(1.0);
        self.mad(square, curve, one)
    }

    /// The arc cosine: π less that of |a| where a is negative.
    pub(super) fn arc_cosine(&mut self, a: Value) -> Value {
        let size = self.one(Op1::FAbs, a);
        let one = self.float(1.0);
        let rest = self.sub(one, size);
        let root = self.one(Op1::FSqrt, rest);
        let curve = self.polynomial(size, &ARC_COSINE);
        let angle = self.mul(root, curve);
        let zero = self.float(0.0);
        let negative = self.less(a, zero);
        self.mirrored(angle, negative, PI)
    }

    /// `angle`, or `all` less it where `is_other` is 1.
    fn mirrored(&mut self, angle: Value, is_other: Value, all: f32) -> Value {
        let (minus_two, all) = (self.float(-2.0), self.float(all));
        let way = self.mad(angle, minus_two, all);
        self.mad(is_other, way, angle)
    }

    /// atan of the quotient of two sizes, from 0 to a quarter turn.
    fn first_quarter(&mut self, y: Value, x: Value) -> Value {
        let (less, more) = (self.b.map2(Op2::FMin, y, x), self.b.map2(Op2::FMax, y, x));
        let ratio = self.two(Op2::FDiv, less, more);
        let square = self.mul(ratio, ratio);
        let curve = self.polynomial(square, &ARC_TANGENT);
        let angle = self.mul(ratio, curve);
        let is_steep = self.less(x, y);
        self.mirrored(angle, is_steep, FRAC_PI_2)
    }

    /// An angle with the sign of y.
    fn signed(&mut self, angle: Value, y: Value) -> Value {
        let (zero, minus_two, one) = (self.float(0.0), self.float(-2.0), self.float(1.0));
        let negative = self.less(y, zero);
        let sign = self.mad(negative, minus_two, one);
        self.mul(angle, sign)
    }

    pub(super) fn arc_tangent(&mut self, a: Value) -> Value {
        let (size, one) = (self.one(Op1::FAbs, a), self.float(1.0));
        let angle = self.first_quarter(size, one);
        self.signed(angle, a)
    }

    /// The angle of the point (x, y).
    pub(super) fn arc_tangent_of(&mut self, y: Value, x: Value) -> Value {
        let (height, width) = (self.one(Op1::FAbs, y), self.one(Op1::FAbs, x));
        // So that 0 and 0 are an angle, too.
        let least = self.float(f32::MIN_POSITIVE);
        let width = self.b.map2(Op2::FMax, width, least);
        let angle = self.first_quarter(height, width);
        let zero = self.float(0.0);
        let is_behind = self.less(x, zero);
        let angle = self.mirrored(angle, is_behind, PI);
        self.signed(angle, y)
    }

    /// 2 to the power a: the integer part goes to the exponent.
    pub(super) fn exp2(&mut self, a: Value) -> Value {
        let (least, most) = (self.float(-126.0), self.float(127.999));
        let bounded = self.b.map2(Op2::FMax, a, least);
        let bounded = self.b.map2(Op2::FMin, bounded, most);
        let round = self.float(ROUND);
        let sum = self.add(bounded, round);
        let near = self.sub(sum, round);
        let rest = self.sub(bounded, near);
        let curve = self.polynomial(rest, &EXP2);
        // The sum's lowest bits are the integer; all others leave the register.
        let place = self.bits(1 << 23);
        let exponent = self.b.map2(Op2::IMul, sum, place);
        self.b.map2(Op2::IAdd, curve, exponent)
    }

    /// The logarithm to base 2: the exponent of a / √½, and a curve for what is left, which is from √½ to √2.
    pub(super) fn log2(&mut self, a: Value) -> Value {
        let (shift, place, bias) =
            (self.bits(gpuzoo_ir::ONE - HALF_ROOT), self.bits(1 << 23), self.bits(127 << 23));
        let field = self.b.map2(Op2::IAdd, a, shift);
        let field = self.b.map2(Op2::IDiv, field, place);
        let power = self.b.map2(Op2::IMul, field, place);
        let rest = self.b.map2(Op2::ISub, a, power);
        let rest = self.b.map2(Op2::IAdd, rest, bias);
        // Behind the bits of 1.5 · 2²³ an integer is a number.
        let (round, taken) = (self.float(ROUND), self.float(ROUND + 127.0));
        let number = self.b.map2(Op2::IAdd, field, round);
        let exponent = self.sub(number, taken);
        let one = self.float(1.0);
        let (less, more) = (self.sub(rest, one), self.add(rest, one));
        let s = self.two(Op2::FDiv, less, more);
        let square = self.mul(s, s);
        let curve = self.polynomial(square, &LOG2);
        self.mad(s, curve, exponent)
    }

    /// The square root, as a · 1/√a so that it is 0 at 0.
    pub(super) fn square_root(&mut self, a: Value) -> Value {
        let (two, guess) = (self.bits(2), self.bits(0x5f37_5a86));
        let half = self.b.map2(Op2::IDiv, a, two);
        let mut root = self.b.map2(Op2::ISub, guess, half);
        let (minus_half, limit) = (self.times(a, -0.5), self.float(1.5));
        for _ in 0..3 {
            // In this order nothing overflows where a is 0.
            let part = self.mul(minus_half, root);
            let factor = self.mad(part, root, limit);
            root = self.mul(root, factor);
        }
        self.mul(a, root)
    }
}
