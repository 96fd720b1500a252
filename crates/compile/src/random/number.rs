//! Numbers with a bound on how far a machine may be from them.

/// A value that machines need not agree on: a condition that rounding decides, an operation without a value, a number
/// out of the range that is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Undecided;

/// A number or undecided.
pub(super) type Decided<T> = Result<T, Undecided>;

/// A number, and how far from it a result may be.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Number {
    pub value: f64,
    pub error: f64,
}

/// Up to here sums and products have room for their last bits, and every operation is exact on every machine.
const LARGEST_EXACT: f64 = 1024.0;

/// Such a number is a multiple of 1 / 8192.
const FINEST: f64 = 8192.0;

/// The relative error of an operation whose result is not exact: machines round in their ways.
const ROUNDING: f64 = 1e-5;

/// The relative error of divisions and roots, which some machines make of reciprocals.
pub(super) const RECIPROCAL: f64 = 1e-4;

/// The relative error of powers, exponentials and logarithms.
pub(super) const CURVE: f64 = 2e-3;

/// Larger numbers are not compared.
const LARGEST: f64 = 1e6;

/// Integers that floats hold with room to spare.
const LARGEST_INTEGER: f64 = 1048576.0;

/// A result that is known no better than this says nothing.
const COARSEST: f64 = 0.05;

impl Number {
    pub fn exact(value: f64) -> Number {
        Number { value, error: 0.0 }
    }

    pub fn bool(value: bool) -> Number {
        Number::exact(f64::from(u8::from(value)))
    }

    pub fn is_true(self) -> bool {
        self.value != 0.0
    }

    /// The result of an operation on floats, with the error that its operands bring.
    pub fn float(value: f64, error: f64) -> Decided<Number> {
        if !value.is_finite() || value.abs() > LARGEST {
            return Err(Undecided);
        }
        let is_exact = error == 0.0 && value.abs() <= LARGEST_EXACT && (value * FINEST).fract() == 0.0;
        let error = if is_exact { 0.0 } else { error + value.abs() * ROUNDING + 1e-9 };
        if error > COARSEST * value.abs().max(1.0) { Err(Undecided) } else { Ok(Number { value, error }) }
    }

    /// The result of an operation on integers.
    pub fn integer(value: f64) -> Decided<Number> {
        if value.abs() > LARGEST_INTEGER { Err(Undecided) } else { Ok(Number::exact(value)) }
    }

    pub fn add(self, other: Number) -> Decided<Number> {
        Number::float(self.value + other.value, self.error + other.error)
    }

    pub fn minus(self) -> Number {
        Number { value: -self.value, error: self.error }
    }

    pub fn multiply(self, other: Number) -> Decided<Number> {
        let error =
            self.value.abs() * other.error + other.value.abs() * self.error + self.error * other.error;
        Number::float(self.value * other.value, error)
    }

    pub fn divide(self, other: Number) -> Decided<Number> {
        let least = other.value.abs() - other.error;
        if least <= 1e-3 {
            return Err(Undecided);
        }
        let value = self.value / other.value;
        Number::float(value, (self.error + value.abs() * other.error) / least + value.abs() * RECIPROCAL)
    }

    /// The same value by another way: with the larger error.
    pub fn same_as(self, other: Number) -> Decided<Number> {
        Number::float(other.value, self.error.max(other.error))
    }

    /// A function that only grows, or only falls, between the bounds of its operand.
    pub fn monotonic(self, relative: f64, absolute: f64, of: impl Fn(f64) -> f64) -> Decided<Number> {
        let value = of(self.value);
        let ends = [self.value - self.error, self.value + self.error].map(|end| (of(end) - value).abs());
        let error = ends[0].max(ends[1]);
        if !error.is_finite() {
            return Err(Undecided);
        }
        Number::float(value, error + value.abs() * relative + absolute)
    }

    /// True if it is less than another one.
    pub fn less(self, other: Number) -> Decided<bool> {
        let error = self.error + other.error;
        if error > 0.0 && (self.value - other.value).abs() <= error {
            return Err(Undecided);
        }
        Ok(self.value < other.value)
    }

    pub fn equals(self, other: Number) -> Decided<bool> {
        Ok(!self.less(other)? && !other.less(self)?)
    }

    pub fn min(self, other: Number) -> Number {
        Number { value: self.value.min(other.value), error: self.error.max(other.error) }
    }

    pub fn max(self, other: Number) -> Number {
        Number { value: self.value.max(other.value), error: self.error.max(other.error) }
    }

    pub fn abs(self) -> Number {
        Number { value: self.value.abs(), error: self.error }
    }

    /// A step function, unless the error reaches over a step.
    pub fn whole(self, of: impl Fn(f64) -> f64) -> Decided<Number> {
        let value = of(self.value);
        if of(self.value - self.error) != value || of(self.value + self.error) != value {
            return Err(Undecided);
        }
        Ok(Number::exact(value))
    }

    /// True if a machine's result is near enough.
    pub fn is_near(self, result: f32) -> bool {
        (self.value - f64::from(result)).abs() <= self.error
    }
}
