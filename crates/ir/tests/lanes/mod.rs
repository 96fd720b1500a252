//! Eight lanes side by side: what an engine does, in its simplest form.

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Not, Sub};

use gpuzoo_ir::arith::{Lane, Real, Wide};

/// Eight numbers or truth values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lanes<T>(pub [T; 8]);

impl<T: Copy> Lanes<T> {
    fn zip<U: Copy, V>(self, other: Lanes<U>, f: impl Fn(T, U) -> V) -> Lanes<V> {
        Lanes(std::array::from_fn(|lane| f(self.0[lane], other.0[lane])))
    }

    fn map<V>(self, f: impl Fn(T) -> V) -> Lanes<V> {
        Lanes(self.0.map(f))
    }
}

macro_rules! operators {
    ($($operator:ident $method:ident,)*) => { $(
        impl<T: Copy + $operator<Output = T>> $operator for Lanes<T> {
            type Output = Lanes<T>;

            fn $method(self, other: Lanes<T>) -> Lanes<T> {
                self.zip(other, T::$method)
            }
        }
    )* };
}

operators! { Add add, Sub sub, Mul mul, Div div, BitAnd bitand, BitOr bitor, }

impl Not for Lanes<bool> {
    type Output = Lanes<bool>;

    fn not(self) -> Lanes<bool> {
        self.map(|truth| !truth)
    }
}

impl<T: Real<Mask = bool>> Real for Lanes<T> {
    type Scalar = T::Scalar;
    type Mask = Lanes<bool>;

    fn splat(value: T::Scalar) -> Lanes<T> {
        Lanes([T::splat(value); 8])
    }

    fn sqrt(self) -> Lanes<T> {
        self.map(T::sqrt)
    }

    fn less(self, other: Lanes<T>) -> Lanes<bool> {
        self.zip(other, T::less)
    }

    fn same(self, other: Lanes<T>) -> Lanes<bool> {
        self.zip(other, T::same)
    }

    fn less_total(self, other: Lanes<T>) -> Lanes<bool> {
        self.zip(other, T::less_total)
    }

    fn select(mask: Lanes<bool>, yes: Lanes<T>, no: Lanes<T>) -> Lanes<T> {
        Lanes(std::array::from_fn(|lane| T::select(mask.0[lane], yes.0[lane], no.0[lane])))
    }

    fn and(self, other: Lanes<T>) -> Lanes<T> {
        self.zip(other, T::and)
    }

    fn xor(self, other: Lanes<T>) -> Lanes<T> {
        self.zip(other, T::xor)
    }
}

impl Lane for Lanes<f32> {
    type Wide = Lanes<f64>;

    fn widen(self) -> Lanes<f64> {
        self.map(f32::widen)
    }

    fn widen_bits(self) -> Lanes<f64> {
        self.map(f32::widen_bits)
    }

    fn with_nan(self, nan: f32) -> Lanes<f32> {
        self.map(|lane| lane.with_nan(nan))
    }
}

impl Wide for Lanes<f64> {
    type Narrow = Lanes<f32>;

    fn narrow(self) -> Lanes<f32> {
        self.map(f64::narrow)
    }

    fn narrow_bits(self) -> Lanes<f32> {
        self.map(f64::narrow_bits)
    }

    fn add_bits(self, other: Lanes<f64>) -> Lanes<f64> {
        self.zip(other, f64::add_bits)
    }

    fn sub_bits(self, other: Lanes<f64>) -> Lanes<f64> {
        self.zip(other, f64::sub_bits)
    }

    fn shift_left(self, count: u32) -> Lanes<f64> {
        self.map(|bits| bits.shift_left(count))
    }

    fn shift_right(self, count: u32) -> Lanes<f64> {
        self.map(|bits| bits.shift_right(count))
    }

    fn pick(self, table: &[f64; 128]) -> Lanes<f64> {
        self.map(|bits| bits.pick(table))
    }
}
