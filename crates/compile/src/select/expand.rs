//! Operations that a machine lacks, in those that it has.
//!
//! An expansion computes what the operation does but for an error that the table names; NaN, infinities, the sign of zeros and
//! numbers outside the domain are as they come. Errors are of the expansion alone, where the operations that are left are exact;
//! `|e|` is the absolute error, `|r|` the relative one.
//!
//! | operation | of what | domain | error |
//! |---|---|---|---|
//! | `fsub`, `fneg`, `fabs`, `fmad`, `fsign`, `fslt`, `fsge` | sums, products, extremes, one comparison or `fsign`, or integers | all, differences finite | none |
//! | `iselect` | integers | condition 0 or 1 | none |
//! | `iselect` | products | condition 0 or 1 | zeros' signs; ±∞ and NaN of the chosen side may become ±2¹²⁸ (1 - 2⁻²⁴) |
//! | `ffloor` | 2²³ added and taken away | all | none |
//! | `fsqrt` | integers: a guess and Newton's method | from 2⁻¹⁰⁰ | `\|r\|` ≤ 2⁻²² |
//! | `fexp2` | `fpow` or `fexp` | -126 to 127 | `\|r\|` ≤ 2⁻²³ (1 + \|a\|) |
//! | `fexp2` | integers: a polynomial | -126 to 127 | `\|r\|` ≤ 2⁻²¹ |
//! | `flog2` | `flog` | from 2⁻¹²⁶ | `\|e\|` ≤ 2⁻²³ (1 + \|log2 a\|) |
//! | `flog2` | integers: a polynomial | from 2⁻¹²⁶ | `\|e\|` ≤ 2⁻²² (1 + \|log2 a\|) |
//! | `fexp` | `fexp2` | -87 to 88 | `\|r\|` ≤ 2⁻²² (1 + \|a\|) |
//! | `flog` | `flog2` | from 2⁻¹²⁶ | `\|e\|` ≤ 2⁻²² (1 + \|log a\|) |
//! | `fpow` | products, where b is 2, 3, 4, 5, 6 or 8 | no overflow | `\|r\|` ≤ 2⁻²¹ |
//! | `fpow` | `fsqrt`, where b is ½ | a not negative | that of `fsqrt` |
//! | `fpow` | `flog2`, `fexp2` | a above 0 | `\|r\|` ≤ 2⁻²¹ (1 + \|b log2 a\|) |
//! | `fsin`, `fcos` | a polynomial | \|a\| ≤ 2¹² | `\|e\|` ≤ 2⁻²⁰ + 2⁻²² \|a\| |
//! | `ftan` | `fsin`, `fcos` | \|a\| ≤ 1.5 | `\|e\|` ≤ 2⁻¹⁹ (1 + tan² a) |
//! | `facos`, `fasin` | a polynomial | -1 to 1 | `\|e\|` ≤ 2⁻¹⁹ |
//! | `fatan`, `fatan2` | a polynomial | finite, not 0 and 0 | `\|e\|` ≤ 2⁻¹⁷ |
//!
//! What cannot be expanded stays, for a back end to refuse.

mod choice;
mod curves;
#[cfg(test)]
mod tests;

use choice::Reaches;
use gpuzoo_ir::{Builder, Function, Inst, Op1, Op2, Op3, Value};

/// An operation on each component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Of one value.
    One(Op1),
    /// Of two.
    Two(Op2),
    /// Of three.
    Three(Op3),
}

/// A function that does the same, within the errors of the [table](self), with operations that a machine has.
///
/// ```
/// use gpuzoo_compile::select::expand::{Operation, expand};
/// use gpuzoo_ir::{Builder, Inst, Op1, Op2};
///
/// let mut b = Builder::default();
/// let x = b.input(0);
/// let sine = b.map1(Op1::FSin, x);
/// b.output(0, sine);
/// let has = |operation: Operation| !matches!(operation, Operation::One(Op1::FSin | Op1::FCos));
/// let expanded = expand(&b.finish(), &has);
/// assert!(!expanded.insts.iter().any(|inst| matches!(inst, Inst::Map1(Op1::FSin | Op1::FCos, _))));
/// ```
pub fn expand(function: &Function, has: &dyn Fn(Operation) -> bool) -> Function {
    let mut expander = Expander { b: Builder::default(), has };
    let mut renamed: Vec<Value> = Vec::with_capacity(function.insts.len());
    let reaches = expander.chooses_by_products().then(|| Reaches::new(function));
    for (at, (inst, origin)) in function.insts.iter().zip(&function.origins).enumerate() {
        expander.b.set_origin(*origin);
        let truncated =
            if expander.has(Operation::One(Op1::FSign)) { truncated(function, inst) } else { None };
        let value = match (inst.map_operands(|operand| renamed[operand.index()]), truncated) {
            (Inst::Map3(_, [_, size, _]), Some(a)) => {
                let sign = expander.b.map1(Op1::FSign, renamed[a.index()]);
                expander.two(Op2::FMul, size, sign)
            }
            (Inst::Map3(Op3::ISelect, [condition, no, yes]), _) if reaches.is_some() => {
                let sides = reaches.as_ref().map_or_else(Default::default, |reaches| reaches.of(at));
                expander.choose(condition, [no, yes], sides)
            }
            (Inst::Map1(op, a), _) => expander.one(op, a),
            (Inst::Map2(op, [a, b]), _) => expander.two(op, a, b),
            (Inst::Map3(op, [a, b, c]), _) => expander.three(op, a, b, c),
            (other, _) => expander.b.push(other),
        };
        renamed.push(value);
    }
    for &(output, value) in &function.outputs {
        expander.b.output(output, renamed[value.index()]);
    }
    expander.b.finish()
}

/// The number whose fraction a choice by its sign leaves out: a < 0 ? -floor(|a|) : floor(|a|).
fn truncated(function: &Function, inst: &Inst) -> Option<Value> {
    let at = |value: Value| function.insts[value.index()];
    let Inst::Map3(Op3::ISelect, [condition, size, opposite]) = *inst else { return None };
    let (Inst::Map2(Op2::FSlt, [a, zero]), Inst::Map1(Op1::FFloor, whole)) = (at(condition), at(size)) else {
        return None;
    };
    let is_one = at(zero) == Inst::Const([0; 4])
        && at(opposite) == Inst::Map1(Op1::FNeg, size)
        && at(whole) == Inst::Map1(Op1::FAbs, a);
    is_one.then_some(a)
}

/// 2²³: numbers from here on are integers.
const TWO_23: f32 = 8_388_608.0;

/// 1.5 × 2²³: a sum with it has the nearest integer of what was added in its lowest bits.
const ROUND: f32 = 12_582_912.0;

struct Expander<'a> {
    b: Builder,
    has: &'a dyn Fn(Operation) -> bool,
}

impl Expander<'_> {
    fn has(&self, operation: Operation) -> bool {
        (self.has)(operation)
    }

    /// True if bits can be computed with.
    fn has_integers(&self) -> bool {
        [Op2::IAdd, Op2::ISub, Op2::IMul, Op2::IDiv, Op2::IMin, Op2::IMax]
            .into_iter()
            .all(|op| self.has(Operation::Two(op)))
    }

    fn float(&mut self, value: f32) -> Value {
        self.b.floats([value; 4])
    }

    fn bits(&mut self, bits: u32) -> Value {
        self.b.constant([bits; 4])
    }

    /// The number that a value is in all components, if it is known.
    fn known(&self, value: Value) -> Option<f32> {
        match self.b.function().insts.get(value.index()) {
            Some(Inst::Const([first, rest @ ..])) if rest.iter().all(|bits| bits == first) => {
                Some(f32::from_bits(*first))
            }
            _ => None,
        }
    }

    fn add(&mut self, a: Value, b: Value) -> Value {
        self.b.map2(Op2::FAdd, a, b)
    }

    fn mul(&mut self, a: Value, b: Value) -> Value {
        self.b.map2(Op2::FMul, a, b)
    }

    fn times(&mut self, a: Value, factor: f32) -> Value {
        let factor = self.float(factor);
        self.mul(a, factor)
    }

    fn sub(&mut self, a: Value, b: Value) -> Value {
        self.two(Op2::FSub, a, b)
    }

    fn mad(&mut self, a: Value, b: Value, c: Value) -> Value {
        self.three(Op3::FMad, a, b, c)
    }

    fn less(&mut self, a: Value, b: Value) -> Value {
        self.two(Op2::FSlt, a, b)
    }

    /// c\[0\] + c\[1\] x + c\[2\] x² + …
    fn polynomial(&mut self, x: Value, coefficients: &[f32]) -> Value {
        let mut from_last = coefficients.iter().rev();
        let last = from_last.next().copied().unwrap_or_default();
        let mut sum = self.float(last);
        for coefficient in from_last {
            let coefficient = self.float(*coefficient);
            sum = self.mad(sum, x, coefficient);
        }
        sum
    }

    /// An operation on one value.
    fn one(&mut self, op: Op1, a: Value) -> Value {
        if self.has(Operation::One(op)) {
            return self.b.map1(op, a);
        }
        match op {
            Op1::FNeg if self.has(Operation::Two(Op2::FSub)) => {
                let zero = self.float(0.0);
                self.b.map2(Op2::FSub, zero, a)
            }
            Op1::FNeg => self.times(a, -1.0),
            Op1::FAbs => {
                let negative = self.one(Op1::FNeg, a);
                self.b.map2(Op2::FMax, a, negative)
            }
            Op1::FSign => {
                let zero = self.float(0.0);
                let (above, below) = (self.less(zero, a), self.less(a, zero));
                self.sub(above, below)
            }
            Op1::FFloor if self.has(Operation::One(Op1::FSign)) => self.floor_by_signs(a),
            Op1::FFloor => self.floor(a),
            Op1::FExp => {
                let power = self.times(a, std::f32::consts::LOG2_E);
                self.one(Op1::FExp2, power)
            }
            Op1::FLog => {
                let log = self.one(Op1::FLog2, a);
                self.times(log, std::f32::consts::LN_2)
            }
            Op1::FExp2 if self.has(Operation::Two(Op2::FPow)) => {
                let two = self.float(2.0);
                self.b.map2(Op2::FPow, two, a)
            }
            Op1::FExp2 if self.has(Operation::One(Op1::FExp)) => {
                let power = self.times(a, std::f32::consts::LN_2);
                self.b.map1(Op1::FExp, power)
            }
            Op1::FExp2 if self.has_integers() => self.exp2(a),
            Op1::FLog2 if self.has(Operation::One(Op1::FLog)) => {
                let log = self.b.map1(Op1::FLog, a);
                self.times(log, std::f32::consts::LOG2_E)
            }
            Op1::FLog2 if self.has_integers() => self.log2(a),
            Op1::FSqrt if self.has_integers() => self.square_root(a),
            Op1::FSin => {
                let quarter = self.float(-0.25);
                self.wave(a, Some(quarter))
            }
            Op1::FCos => self.wave(a, None),
            Op1::FTan => {
                let (sine, cosine) = (self.one(Op1::FSin, a), self.one(Op1::FCos, a));
                self.two(Op2::FDiv, sine, cosine)
            }
            Op1::FAcos => self.arc_cosine(a),
            Op1::FAsin => {
                let (quarter, cosine) = (self.float(std::f32::consts::FRAC_PI_2), self.arc_cosine(a));
                self.sub(quarter, cosine)
            }
            Op1::FAtan if self.has(Operation::Two(Op2::FAtan2)) => {
                let one = self.float(1.0);
                self.b.map2(Op2::FAtan2, a, one)
            }
            Op1::FAtan => self.arc_tangent(a),
            _ => self.b.map1(op, a),
        }
    }

    /// An operation on two values.
    fn two(&mut self, op: Op2, a: Value, b: Value) -> Value {
        if self.has(Operation::Two(op)) {
            return self.b.map2(op, a, b);
        }
        match op {
            Op2::FSub => {
                let b = self.one(Op1::FNeg, b);
                self.add(a, b)
            }
            Op2::FSlt if self.has(Operation::Two(Op2::FSge)) => {
                let other = self.b.map2(Op2::FSge, a, b);
                self.one_less(other)
            }
            Op2::FSlt if self.has(Operation::One(Op1::FSign)) => {
                let rise = self.sub(b, a);
                let sign = self.b.map1(Op1::FSign, rise);
                let zero = self.float(0.0);
                self.b.map2(Op2::FMax, sign, zero)
            }
            Op2::FSlt if self.has_integers() => self.less_by_bits(a, b),
            Op2::FSge if self.has(Operation::Two(Op2::FSlt)) || self.has_integers() => {
                let less = self.less(a, b);
                self.one_less(less)
            }
            Op2::FSge if self.has(Operation::One(Op1::FSign)) => {
                let less = self.less(a, b);
                self.one_less(less)
            }
            Op2::FPow => self.power(a, b),
            Op2::FAtan2 => self.arc_tangent_of(a, b),
            _ => self.b.map2(op, a, b),
        }
    }

    /// An operation on three values.
    fn three(&mut self, op: Op3, a: Value, b: Value, c: Value) -> Value {
        if self.has(Operation::Three(op)) {
            return self.b.map3(op, a, b, c);
        }
        match op {
            Op3::FMad => {
                let product = self.mul(a, b);
                self.add(product, c)
            }
            Op3::ISelect if self.has_integers() => {
                // 1 for any condition that is not 0; then b + 1 · (c - b), as integers.
                let one = self.bits(1);
                let chosen = self.b.map2(Op2::IMin, a, one);
                let way = self.b.map2(Op2::ISub, c, b);
                let way = self.b.map2(Op2::IMul, chosen, way);
                self.b.map2(Op2::IAdd, b, way)
            }
            _ => self.b.map3(op, a, b, c),
        }
    }

    /// 1 - a.
    fn one_less(&mut self, a: Value) -> Value {
        let one = self.float(1.0);
        self.sub(one, a)
    }

    /// 1 where a < b, from the sign bit of their difference.
    fn less_by_bits(&mut self, a: Value, b: Value) -> Value {
        let (zero, none, all) = (self.float(0.0), self.bits(0), self.bits(u32::MAX));
        let difference = self.sub(a, b);
        // No negative zero.
        let difference = self.add(difference, zero);
        let below = self.b.map2(Op2::IMin, difference, none);
        let mask = self.b.map2(Op2::IMax, below, all);
        // -1 times this is 1.0.
        let one = self.bits(gpuzoo_ir::ONE.wrapping_neg());
        self.b.map2(Op2::IMul, mask, one)
    }

    /// The largest integer that is not above a, by the nearest one, where signs are an operation: what is beyond 2²³ is one.
    fn floor_by_signs(&mut self, a: Value) -> Value {
        let (zero, large, small) = (self.float(0.0), self.float(TWO_23), self.float(-TWO_23));
        let sign = self.b.map1(Op1::FSign, a);
        let added = self.times(sign, TWO_23);
        let within = self.b.map2(Op2::FMin, a, large);
        let within = self.b.map2(Op2::FMax, within, small);
        let near = self.add(within, added);
        let near = self.sub(near, added);
        let way = self.sub(near, within);
        // 1 where the nearest one is above.
        let above = self.b.map1(Op1::FSign, way);
        let above = self.b.map2(Op2::FMax, above, zero);
        let way = self.sub(way, above);
        self.add(a, way)
    }

    /// The largest integer that is not above a: 2²³ with a's sign, added and taken away again, leaves an integer beside it.
    fn floor(&mut self, a: Value) -> Value {
        let (zero, large) = (self.float(0.0), self.float(TWO_23));
        let size = self.one(Op1::FAbs, a);
        let (small, negative) = (self.less(size, large), self.less(a, zero));
        let way = self.float(-2.0 * TWO_23);
        let signed = self.mad(negative, way, large);
        // Where a is an integer in any case, nothing is added.
        let added = self.mul(small, signed);
        let near = self.add(a, added);
        let near = self.sub(near, added);
        let above = self.less(a, near);
        self.sub(near, above)
    }

    /// a to the power b.
    fn power(&mut self, a: Value, b: Value) -> Value {
        let known = self.known(b);
        if known == Some(0.5) {
            return self.one(Op1::FSqrt, a);
        }
        let (square, fourth) = (known.is_some_and(|b| b >= 2.0), known.is_some_and(|b| b >= 4.0));
        let square = square.then(|| self.mul(a, a));
        let fourth = square.filter(|_| fourth).map(|square| self.mul(square, square));
        match (known, square, fourth) {
            (Some(2.0), Some(square), _) => square,
            (Some(3.0), Some(square), _) => self.mul(square, a),
            (Some(4.0), _, Some(fourth)) => fourth,
            (Some(5.0), _, Some(fourth)) => self.mul(fourth, a),
            (Some(6.0), Some(square), Some(fourth)) => self.mul(fourth, square),
            (Some(8.0), _, Some(fourth)) => self.mul(fourth, fourth),
            _ => {
                let log = self.one(Op1::FLog2, a);
                let power = self.mul(log, b);
                self.one(Op1::FExp2, power)
            }
        }
    }
}
