//! Bounds of results: between which numbers each component lies, and whether it may be NaN.
//!
//! Interval arithmetic over a function as sources have it. Inputs, uniforms and texels are taken to be finite and at
//! most [`USUAL`] in size. Operations that machines compute within an error have wider intervals than their
//! mathematical ones, and numbers below the normal ones count as zeros, which some machines make of them.

use crate::graph::lanes::{Lane, Lanes};
use gpuzoo_ir::{Dot, Function, Inst, Op1, Op2, Op3, Value};

/// The largest input, uniform or texel that bounds are computed for: 2³⁰.
pub const USUAL: f64 = 1_073_741_824.0;

/// Numbers nearer to 0 may be flushed to it.
const LEAST: f64 = f32::MIN_POSITIVE as f64;

const MOST: f64 = f32::MAX as f64;

/// Absolute error of trigonometric functions that no machine exceeds.
const CURVE_ERROR: f64 = 1e-3;

/// Relative error of powers and logarithms that no machine exceeds.
const POWER_ERROR: f64 = 1e-3;

/// Bounds of one component.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The least number that it may be.
    pub low: f64,
    /// The largest number that it may be.
    pub high: f64,
    /// It may be NaN.
    pub nan: bool,
}

impl Bounds {
    const ANY: Bounds = Bounds { low: f64::NEG_INFINITY, high: f64::INFINITY, nan: true };
    const GIVEN: Bounds = Bounds::new(-USUAL, USUAL);
    const CONDITION: Bounds = Bounds::new(0.0, 1.0);

    const fn new(low: f64, high: f64) -> Bounds {
        Bounds { low, high, nan: false }
    }

    /// True for a component that is neither infinite nor NaN.
    pub fn is_finite(self) -> bool {
        !self.nan && self.low >= -MOST && self.high <= MOST
    }

    /// Numbers that floats overflow at are infinite.
    fn rounded(self) -> Bounds {
        let low = if self.low < -MOST { f64::NEG_INFINITY } else { self.low };
        let high = if self.high > MOST { f64::INFINITY } else { self.high };
        // Bounds are computed in f64, whose infinities have no difference.
        if low.is_nan() || high.is_nan() { Bounds::ANY } else { Bounds { low, high, nan: self.nan } }
    }

    fn widened(self, relative: f64, absolute: f64) -> Bounds {
        let slack = |bound: f64| bound.abs() * relative + absolute;
        Bounds { low: self.low - slack(self.low), high: self.high + slack(self.high), ..self }.rounded()
    }

    fn is_infinite(self) -> bool {
        self.low < -MOST || self.high > MOST
    }

    /// True if it may be a zero, or a number that is taken for one.
    fn has_zero(self) -> bool {
        self.low < LEAST && self.high > -LEAST
    }

    fn bits(bits: u32) -> Bounds {
        let value = f64::from(f32::from_bits(bits));
        if value.is_nan() { Bounds::ANY } else { Bounds::new(value, value) }
    }

    /// One of both.
    fn either(self, other: Bounds) -> Bounds {
        Bounds { low: self.low.min(other.low), high: self.high.max(other.high), nan: self.nan || other.nan }
    }

    fn negated(self) -> Bounds {
        Bounds { low: -self.high, high: -self.low, ..self }
    }

    fn size(self) -> Bounds {
        let least = if self.low > 0.0 { self.low } else { (-self.high).max(0.0) };
        Bounds { low: least, high: self.high.max(-self.low), ..self }
    }

    fn plus(self, other: Bounds) -> Bounds {
        let opposite = self.high == f64::INFINITY && other.low == f64::NEG_INFINITY
            || self.low == f64::NEG_INFINITY && other.high == f64::INFINITY;
        let nan = self.nan || other.nan || opposite;
        if opposite {
            return Bounds { nan, ..Bounds::ANY };
        }
        Bounds { low: self.low + other.low, high: self.high + other.high, nan }.rounded()
    }

    fn times(self, other: Bounds) -> Bounds {
        let undefined = self.is_infinite() && other.has_zero() || other.is_infinite() && self.has_zero();
        if undefined {
            return Bounds::ANY;
        }
        let nan = self.nan || other.nan;
        let corners = [self.low, self.high].map(|a| [other.low, other.high].map(|b| a * b));
        Bounds { nan, ..Bounds::hull(corners.as_flattened()) }.rounded()
    }

    fn squared(self) -> Bounds {
        let size = self.size();
        Bounds { low: size.low * size.low, high: size.high * size.high, ..size }.rounded()
    }

    fn over(self, other: Bounds) -> Bounds {
        // The sign of a zero is not known, and so the quotient's is not.
        if other.has_zero() || other.is_infinite() && self.is_infinite() {
            return Bounds::ANY;
        }
        let corners = [self.low, self.high].map(|a| [other.low, other.high].map(|b| a / b));
        let nan = self.nan || other.nan;
        Bounds { nan, ..Bounds::hull(corners.as_flattened()) }.widened(POWER_ERROR, 0.0)
    }

    fn hull(numbers: &[f64]) -> Bounds {
        let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        let high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if numbers.iter().any(|number| number.is_nan()) { Bounds::ANY } else { Bounds::new(low, high) }
    }

    fn exp2(self) -> Bounds {
        let power = Bounds { low: 0.0, high: power_of_two(self.high), ..self };
        Bounds { low: 0.0, ..power.widened(POWER_ERROR, 0.0) }
    }

    fn log2(self) -> Bounds {
        let low = if self.low < LEAST { f64::NEG_INFINITY } else { logarithm(self.low).0 };
        let high = logarithm(self.high.max(LEAST)).1;
        let nan = self.nan || self.low < 0.0;
        Bounds { low, high, nan }.widened(POWER_ERROR, POWER_ERROR)
    }

    fn scaled(self, factor: f64) -> Bounds {
        self.times(Bounds::new(factor, factor))
    }

    fn root(self) -> Bounds {
        let root = |number: f64| number.max(0.0).sqrt();
        let nan = self.nan || self.low < 0.0;
        let bounds = Bounds { low: root(self.low), high: root(self.high), nan };
        Bounds { low: bounds.low * (1.0 - POWER_ERROR), ..bounds.widened(POWER_ERROR, 0.0) }
    }

    /// self to the power of `exponent`.
    fn power(self, exponent: Bounds) -> Bounds {
        let is_defined = self.low >= 0.0 && exponent.low > 0.0 || self.low >= LEAST;
        if !is_defined || self.nan || self.is_infinite() || !exponent.is_finite() {
            return if self.low >= 0.0 { Bounds { low: 0.0, ..Bounds::ANY } } else { Bounds::ANY };
        }
        // 0 is 0 to a power above 0: the largest result comes from the largest base or from the least one.
        let logarithms = [logarithm(self.low.max(LEAST)).0, logarithm(self.high.max(LEAST)).1];
        let corners = logarithms.map(|log| [exponent.low, exponent.high].map(|power| log * power));
        Bounds { low: 0.0, ..Bounds::hull(corners.as_flattened()).widened(POWER_ERROR, POWER_ERROR).exp2() }
    }

    /// The result of a periodic function: NaN if the argument may be infinite.
    fn wave(self, low: f64, high: f64) -> Bounds {
        Bounds { low: low - CURVE_ERROR, high: high + CURVE_ERROR, nan: self.nan || self.is_infinite() }
    }
}

/// An upper bound of two to a power: between whole powers the line from one to the next is above the curve.
fn power_of_two(exponent: f64) -> f64 {
    let whole = exponent.floor();
    match whole {
        whole if whole > 1022.0 || whole.is_nan() => f64::INFINITY,
        whole if whole < -1022.0 => f64::MIN_POSITIVE,
        whole => f64::from_bits(((whole as i64 + 1023) as u64) << 52) * (1.0 + exponent - whole),
    }
}

/// A lower and an upper bound of the logarithm to the base 2 of a normal number above 0: the curve of a fraction m from 1
/// to 2 is above the line m - 1, and below both the tangent at 1 and 1.
fn logarithm(number: f64) -> (f64, f64) {
    const TANGENT: f64 = std::f64::consts::LOG2_E * (1.0 + 1e-9);
    let exponent = number.to_bits() >> 52 & 0x7ff;
    if exponent == 0x7ff {
        return (f64::INFINITY, f64::INFINITY);
    }
    let whole = exponent as f64 - 1023.0;
    let beyond = f64::from_bits(number.to_bits() & !(0x7ff << 52) | 1023 << 52) - 1.0;
    (whole + beyond, whole + (beyond * TANGENT).min(1.0))
}

/// The results of a machine's choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choices {
    /// The chosen side as it is.
    Exact,
    /// The chosen side, or a finite number where that is infinite or NaN.
    Finite,
}

/// The bounds of all components of a function's values.
pub struct AllBounds {
    lanes: Lanes,
    values: Vec<[Bounds; 4]>,
    choices: Choices,
}

impl AllBounds {
    /// The bounds of a function's values, on a machine whose `fmax` and `fmin` give the number beside a NaN.
    pub fn new(function: &Function, choices: Choices) -> AllBounds {
        let lanes = Lanes::new(function);
        let mut all = AllBounds { lanes, values: Vec::with_capacity(function.insts.len()), choices };
        for inst in &function.insts {
            let bounds = [0, 1, 2, 3].map(|component| all.result(inst, component));
            all.values.push(bounds);
        }
        all
    }

    /// The bounds of a component of a value.
    ///
    /// # Panics
    /// If the function has no such value.
    pub fn of(&self, value: Value, component: u8) -> Bounds {
        match self.lanes.of(value)[usize::from(component & 3)] {
            Lane::Bits(bits) => Bounds::bits(bits),
            Lane::Of(value, component) => self.values[value.index()][usize::from(component & 3)],
        }
    }

    fn result(&self, inst: &Inst, component: u8) -> Bounds {
        let of = |value: Value| self.of(value, component);
        match *inst {
            // Looked through.
            Inst::Const(_) | Inst::Shuffle(..) => Bounds::ANY,
            Inst::Input(_) | Inst::Uniform(_) | Inst::UniformAt { .. } | Inst::Sample(..) => Bounds::GIVEN,
            Inst::Map1(op, a) => one(op, of(a)),
            Inst::Map2(Op2::FMul, [a, b]) => self.product(a, b, component),
            Inst::Map2(op, [a, b]) => two(op, of(a), of(b)),
            Inst::Map3(Op3::FMad, [a, b, c]) => self.product(a, b, component).plus(of(c)),
            Inst::Map3(Op3::ISelect, [_, no, yes]) => {
                let bounds = of(no).either(of(yes));
                match self.choices {
                    Choices::Exact => bounds,
                    Choices::Finite => {
                        Bounds { low: bounds.low.max(-MOST), high: bounds.high.min(MOST), nan: false }
                    }
                }
            }
            Inst::Map3(..) => Bounds::ANY,
            Inst::Dot(dot @ (Dot::Dot3 | Dot::Dot4), [a, b]) => (0..dot.terms() as u8)
                .map(|term| self.product(a, b, term))
                .fold(Bounds::new(0.0, 0.0), Bounds::plus),
            Inst::Dot(..) => Bounds::ANY,
            Inst::Kill(a) => of(a),
        }
    }

    fn product(&self, a: Value, b: Value, component: u8) -> Bounds {
        let lane = |value: Value| self.lanes.of(value)[usize::from(component & 3)];
        let (first, second) = (self.of(a, component), self.of(b, component));
        if lane(a) == lane(b) { first.squared() } else { first.times(second) }
    }
}

fn one(op: Op1, a: Bounds) -> Bounds {
    use std::f64::consts::{FRAC_PI_2, LN_2, LOG2_E, PI};
    let within = |most: f64| a.low >= -most && a.high <= most;
    match op {
        Op1::FAbs => a.size(),
        Op1::FNeg => a.negated(),
        Op1::FSign => Bounds::new(-1.0, 1.0),
        Op1::FSqrt => a.root(),
        Op1::FExp => a.scaled(LOG2_E).exp2(),
        Op1::FExp2 => a.exp2(),
        Op1::FLog => a.log2().scaled(LN_2),
        Op1::FLog2 => a.log2(),
        Op1::FSin | Op1::FCos => a.wave(-1.0, 1.0),
        Op1::FTan if within(1.5) && !a.nan => Bounds::new(-20.0, 20.0),
        Op1::FAsin if within(1.0) => a.wave(-FRAC_PI_2, FRAC_PI_2),
        Op1::FAcos if within(1.0) => a.wave(0.0, PI),
        Op1::FAtan => Bounds { nan: a.nan, ..a.wave(-FRAC_PI_2, FRAC_PI_2) },
        Op1::FFloor => Bounds { low: a.low.floor(), high: a.high.floor(), ..a },
        // The bits of an integer, which only indices read.
        Op1::ITrunc => Bounds::GIVEN,
        _ => Bounds::ANY,
    }
}

fn two(op: Op2, a: Bounds, b: Bounds) -> Bounds {
    use std::f64::consts::PI;
    // Beside a NaN the other one is the result.
    let beside = |bounds: Bounds| {
        let bounds = if a.nan { bounds.either(b) } else { bounds };
        let bounds = if b.nan { bounds.either(a) } else { bounds };
        Bounds { nan: a.nan && b.nan, ..bounds }
    };
    match op {
        Op2::FAdd => a.plus(b),
        Op2::FSub => a.plus(b.negated()),
        Op2::FMul => a.times(b),
        Op2::FDiv => a.over(b),
        Op2::FMin => beside(Bounds::new(a.low.min(b.low), a.high.min(b.high))),
        Op2::FMax => beside(Bounds::new(a.low.max(b.low), a.high.max(b.high))),
        Op2::FSlt | Op2::FSge => Bounds::CONDITION,
        Op2::FPow => a.power(b),
        Op2::FAtan2 => Bounds { nan: a.nan || b.nan, ..Bounds::new(-PI, PI).widened(0.0, CURVE_ERROR) },
        _ => Bounds::ANY,
    }
}
