//! The built-in functions of shading languages, as operations.

use super::integer::retyped;
use super::number::{Number, Numbers};
use super::types::Shape;
use super::{Step, Walk};
use gpuzoo_ir::{Op1, Op2};
use naga::{MathFunction, ScalarKind};
use std::f32::consts::{LOG2_E, PI};
use std::rc::Rc;

impl Walk<'_> {
    /// A built-in function of arguments of certain shapes.
    pub(super) fn math(
        &mut self,
        function: MathFunction,
        arguments: &[(Numbers, Rc<Shape>)],
    ) -> Step<Numbers> {
        use MathFunction as F;
        let none = (Numbers::new(), Rc::default());
        let argument = |at: usize| arguments.get(at).unwrap_or(&none);
        let (a, shape) = argument(0);
        let count = a.len();
        // A scalar beside a vector stands for all of its components.
        let spread = |numbers: &Numbers| match numbers[..] {
            [one] if count > 1 => vec![one; count],
            _ => numbers.clone(),
        };
        let (b, c) = (spread(&argument(1).0), spread(&argument(2).0));
        let all = |value: f32| vec![Number::Float(value); count];
        let kind = shape.kind();
        let e = &mut self.emit;
        let result = match function {
            F::Abs => e.map1(Op1::FAbs, a),
            F::Min => e.map2(Op2::FMin, a, &b),
            F::Max => e.map2(Op2::FMax, a, &b),
            F::Clamp => {
                let above = e.map2(Op2::FMax, a, &b);
                e.map2(Op2::FMin, &above, &c)
            }
            F::Saturate => {
                let above = e.map2(Op2::FMax, a, &all(0.0));
                e.map2(Op2::FMin, &above, &all(1.0))
            }
            F::Sin => e.map1(Op1::FSin, a),
            F::Cos => e.map1(Op1::FCos, a),
            F::Tan => e.map1(Op1::FTan, a),
            F::Asin => e.map1(Op1::FAsin, a),
            F::Acos => e.map1(Op1::FAcos, a),
            F::Atan => e.map1(Op1::FAtan, a),
            F::Atan2 => e.map2(Op2::FAtan2, a, &b),
            F::Sinh | F::Cosh | F::Tanh => {
                let (up, down) = self.exponentials(a);
                let e = &mut self.emit;
                let half = all(0.5);
                match function {
                    F::Sinh => {
                        let difference = e.map2(Op2::FSub, &up, &down);
                        e.map2(Op2::FMul, &difference, &half)
                    }
                    F::Cosh => {
                        let sum = e.map2(Op2::FAdd, &up, &down);
                        e.map2(Op2::FMul, &sum, &half)
                    }
                    _ => {
                        let (difference, sum) =
                            (e.map2(Op2::FSub, &up, &down), e.map2(Op2::FAdd, &up, &down));
                        e.map2(Op2::FDiv, &difference, &sum)
                    }
                }
            }
            F::Asinh | F::Acosh => {
                // log(x + √(x² ± 1))
                let one = all(if function == F::Asinh { 1.0 } else { -1.0 });
                let square = e.mad(a, a, &one);
                let root = e.map1(Op1::FSqrt, &square);
                let sum = e.map2(Op2::FAdd, a, &root);
                e.map1(Op1::FLog, &sum)
            }
            F::Atanh => {
                // ½ log((1 + x) ÷ (1 - x))
                let (above, below) = (e.map2(Op2::FAdd, &all(1.0), a), e.map2(Op2::FSub, &all(1.0), a));
                let quotient = e.map2(Op2::FDiv, &above, &below);
                let logarithm = e.map1(Op1::FLog, &quotient);
                e.map2(Op2::FMul, &logarithm, &all(0.5))
            }
            F::Radians => e.map2(Op2::FMul, a, &all(PI / 180.0)),
            F::Degrees => e.map2(Op2::FMul, a, &all(180.0 / PI)),
            F::Ceil => {
                let negative = e.map1(Op1::FNeg, a);
                let floor = e.map1(Op1::FFloor, &negative);
                e.map1(Op1::FNeg, &floor)
            }
            F::Floor => self.floor(a),
            F::Round => self.round(a),
            F::Fract => self.fract(a),
            F::Trunc => self.truncate(a),
            // A struct of both.
            F::Modf => {
                let whole = self.truncate(a);
                [self.emit.map2(Op2::FSub, a, &whole), whole].concat()
            }
            // Another one.
            F::Frexp => self.fraction_and_exponent(a),
            F::Ldexp => {
                let power = e.map1(Op1::FExp2, &b);
                e.map2(Op2::FMul, a, &power)
            }
            F::Exp => e.map1(Op1::FExp, a),
            F::Exp2 => e.map1(Op1::FExp2, a),
            F::Log => e.map1(Op1::FLog, a),
            F::Log2 => e.map1(Op1::FLog2, a),
            F::Pow => e.map2(Op2::FPow, a, &b),
            F::Dot => vec![e.dot(a, &b)],
            F::Outer => {
                let columns = argument(1).0.iter().map(|factor| e.map2(Op2::FMul, a, &vec![*factor; count]));
                columns.collect::<Vec<_>>().concat()
            }
            F::Cross => {
                let turned = |numbers: &[Number], places: [usize; 3]| -> Numbers {
                    places.iter().map(|at| numbers.get(*at).copied().unwrap_or(Number::Nothing)).collect()
                };
                let (ahead, behind) = ([1, 2, 0], [2, 0, 1]);
                let product = e.map2(Op2::FMul, &turned(a, behind), &turned(&b, ahead));
                let negative = e.map1(Op1::FNeg, &product);
                e.mad(&turned(a, ahead), &turned(&b, behind), &negative)
            }
            F::Distance => {
                let difference = e.map2(Op2::FSub, a, &b);
                vec![self.length(&difference)]
            }
            F::Length => vec![self.length(a)],
            F::Normalize => {
                let square = e.dot(a, a);
                let scale = self.one_over_root(&[square])[0];
                self.emit.map2(Op2::FMul, a, &vec![scale; count])
            }
            F::FaceForward => {
                // The vector itself where the incident one points against the other.
                let product = e.dot(&b, &c);
                let against = self.condition(Op2::FSlt, &[product], &[Number::Float(0.0)]);
                let negative = self.emit.map1(Op1::FNeg, a);
                self.emit.select(&against, a, &negative)
            }
            F::Reflect => {
                // i - 2 (n·i) n
                let product = e.dot(&b, a);
                let twice = e.map2(Op2::FMul, &[product], &[Number::Float(-2.0)]);
                e.mad(&vec![twice[0]; count], &b, a)
            }
            F::Refract => self.refract(a, &b, &c),
            F::Sign => e.map1(Op1::FSign, a),
            F::Fma => e.mad(a, &b, &c),
            F::Mix => {
                let difference = e.map2(Op2::FSub, &b, a);
                e.mad(&c, &difference, a)
            }
            F::Step => e.map2(Op2::FSge, &b, a),
            F::SmoothStep => {
                let (low, high, x) = (a, &b, &c);
                let (above, range) = (e.map2(Op2::FSub, x, low), e.map2(Op2::FSub, high, low));
                let part = e.map2(Op2::FDiv, &above, &range);
                let positive = e.map2(Op2::FMax, &part, &all(0.0));
                let t = e.map2(Op2::FMin, &positive, &all(1.0));
                let slope = e.mad(&t, &all(-2.0), &all(3.0));
                let square = e.map2(Op2::FMul, &t, &t);
                e.map2(Op2::FMul, &square, &slope)
            }
            F::Sqrt => e.map1(Op1::FSqrt, a),
            F::InverseSqrt => self.one_over_root(a),
            F::Transpose => {
                let rows = shape.vectors.first().map_or(1, |(_, length)| *length);
                let columns = shape.vectors.len();
                (0..rows)
                    .flat_map(|row| (0..columns).map(move |column| column * rows + row))
                    .map(|at| a[at])
                    .collect()
            }
            F::Determinant => vec![self.determinant(a, shape.vectors.len())],
            F::Inverse => self.inverse(a, shape.vectors.len()),
            _ => return self.unsupported("no shader unit has this function"),
        };
        Ok(if matches!(kind, ScalarKind::Sint | ScalarKind::Uint) { retyped(kind, result) } else { result })
    }

    /// Numbers of at least a half and less than 1, and the powers of two that they are multiplied by; of zeros both are 0.
    fn fraction_and_exponent(&mut self, a: &[Number]) -> Numbers {
        let all = |value: f32| vec![Number::Float(value); a.len()];
        let e = &mut self.emit;
        let size = e.map1(Op1::FAbs, a);
        let is_some = e.map2(Op2::FSlt, &all(0.0), &size);
        let least = e.map2(Op2::FMax, &size, &all(f32::MIN_POSITIVE));
        let log = e.map1(Op1::FLog2, &least);
        let below = e.map1(Op1::FFloor, &log);
        let exponent = e.map2(Op2::FAdd, &below, &all(1.0));
        let opposite = e.map1(Op1::FNeg, &exponent);
        let power = e.map1(Op1::FExp2, &opposite);
        let fraction = e.map2(Op2::FMul, a, &power);
        // Next to a power of two, the logarithm may be on its other side.
        let size = e.map1(Op1::FAbs, &fraction);
        let large = e.map2(Op2::FSge, &size, &all(1.0));
        let small = e.map2(Op2::FSlt, &size, &all(0.5));
        let halves = e.mad(&large, &all(-0.5), &all(1.0));
        let factor = e.map2(Op2::FAdd, &halves, &small);
        let fraction = e.map2(Op2::FMul, &fraction, &factor);
        let more = e.map2(Op2::FSub, &large, &small);
        let exponent = e.map2(Op2::FAdd, &exponent, &more);
        let exponent = e.map2(Op2::FMul, &exponent, &is_some);
        [fraction, retyped(ScalarKind::Sint, exponent)].concat()
    }

    /// The numbers less their floors.
    fn fract(&mut self, a: &[Number]) -> Numbers {
        let floor = self.emit.map1(Op1::FFloor, a);
        self.emit.map2(Op2::FSub, a, &floor)
    }

    /// To the next integer, from the middle to the even one.
    fn round(&mut self, a: &[Number]) -> Numbers {
        let half = vec![Number::Float(0.5); a.len()];
        let above = self.emit.map2(Op2::FAdd, a, &half);
        let rounded = self.emit.map1(Op1::FFloor, &above);
        let part = self.emit.map2(Op2::FSub, &above, &rounded);
        // From the middle that went up; half of it has a fraction if it is odd.
        let zero = vec![Number::Float(0.0); a.len()];
        let middle = self.emit.map2(Op2::FSge, &zero, &part);
        let halved = self.emit.map2(Op2::FMul, &rounded, &half);
        let odd = self.fract(&halved);
        let less = self.emit.map2(Op2::FMul, &middle, &odd);
        self.emit.mad(&less, &vec![Number::Float(-2.0); a.len()], &rounded)
    }

    /// e to the power of numbers and of their opposites.
    fn exponentials(&mut self, a: &[Number]) -> (Numbers, Numbers) {
        let scale = |value: f32| vec![Number::Float(value); a.len()];
        let power = self.emit.map2(Op2::FMul, a, &scale(LOG2_E));
        let opposite = self.emit.map2(Op2::FMul, a, &scale(-LOG2_E));
        (self.emit.map1(Op1::FExp2, &power), self.emit.map1(Op1::FExp2, &opposite))
    }

    fn one_over_root(&mut self, a: &[Number]) -> Numbers {
        let root = self.emit.map1(Op1::FSqrt, a);
        let ones = vec![Number::Float(1.0); a.len()];
        self.emit.map2(Op2::FDiv, &ones, &root)
    }

    fn length(&mut self, a: &[Number]) -> Number {
        if let [one] = a {
            return self.emit.map1(Op1::FAbs, &[*one])[0];
        }
        let square = self.emit.dot(a, a);
        self.emit.map1(Op1::FSqrt, &[square])[0]
    }

    /// The direction behind a surface; zeros where there is none, because all is reflected.
    fn refract(&mut self, i: &[Number], n: &[Number], ratio: &[Number]) -> Numbers {
        let e = &mut self.emit;
        let (one, zero) = (Number::Float(1.0), Number::Float(0.0));
        let ratio = ratio.first().copied().unwrap_or(one);
        let cosine = e.dot(n, i);
        let negative = e.map1(Op1::FNeg, &[cosine]);
        let sine = e.mad(&negative, &[cosine], &[one]);
        let square = e.map2(Op2::FMul, &[ratio], &[ratio]);
        let opposite = e.map1(Op1::FNeg, &square);
        // k = 1 - ratio² (1 - cosine²)
        let k = e.mad(&opposite, &sine, &[one]);
        let positive = e.map2(Op2::FMax, &k, &[zero]);
        let root = e.map1(Op1::FSqrt, &positive);
        let along = e.mad(&[ratio], &[cosine], &root);
        let opposite = e.map1(Op1::FNeg, &along);
        let turned = e.map2(Op2::FMul, n, &vec![opposite[0]; n.len()]);
        let all = e.mad(&vec![ratio; i.len()], i, &turned);
        let there = self.condition(Op2::FSge, &k, &[zero]);
        self.emit.select(&there, &all, &vec![zero; i.len()])
    }

    /// The determinant of the square matrix without the rows and columns that are left out.
    fn minor(&mut self, a: &[Number], size: usize, rows: &[usize], columns: &[usize]) -> Number {
        let at = |row: usize, column: usize| a[column * size + row];
        let [row, rest @ ..] = rows else { return Number::Float(1.0) };
        if rest.is_empty() {
            return columns.first().map_or(Number::Float(1.0), |column| at(*row, *column));
        }
        let mut sum = Number::Float(0.0);
        for (place, column) in columns.iter().enumerate() {
            let others: Vec<usize> = columns.iter().copied().filter(|other| other != column).collect();
            let minor = self.minor(a, size, rest, &others);
            let factor = if place % 2 == 0 { minor } else { self.emit.map1(Op1::FNeg, &[minor])[0] };
            sum = self.emit.mad(&[at(*row, *column)], &[factor], &[sum])[0];
        }
        sum
    }

    fn determinant(&mut self, a: &[Number], size: usize) -> Number {
        let all: Vec<usize> = (0..size).collect();
        self.minor(a, size, &all, &all)
    }

    /// The inverse by cofactors.
    fn inverse(&mut self, a: &[Number], size: usize) -> Numbers {
        let determinant = self.determinant(a, size);
        let scale = self.emit.map2(Op2::FDiv, &[Number::Float(1.0)], &[determinant])[0];
        let without = |gone: usize| (0..size).filter(move |at| *at != gone).collect::<Vec<_>>();
        let mut result = Numbers::new();
        for column in 0..size {
            let mut cofactors = Numbers::new();
            for row in 0..size {
                let minor = self.minor(a, size, &without(column), &without(row));
                let is_odd = (row + column) % 2 == 1;
                cofactors.push(if is_odd { self.emit.map1(Op1::FNeg, &[minor])[0] } else { minor });
            }
            result.extend(self.emit.map2(Op2::FMul, &cofactors, &vec![scale; size]));
        }
        result
    }
}
