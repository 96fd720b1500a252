//! Integers: exact while they are known, floats with whole values afterwards.

use super::number::{Number, Numbers};
use super::{Step, Walk, codes};
use gpuzoo_ir::{Op1, Op2};
use naga::{BinaryOperator, ScalarKind};

impl Walk<'_> {
    /// An operation on integers. None if that on floats does the same, for numbers that are not known.
    pub(super) fn integers(
        &mut self,
        op: BinaryOperator,
        kind: ScalarKind,
        a: &[Number],
        b: &[Number],
    ) -> Step<Option<Numbers>> {
        let known: Vec<Option<Number>> = a.iter().zip(b).map(|(a, b)| fold(op, kind, *a, *b)).collect();
        if known.iter().all(Option::is_some) {
            return Ok(Some(known.into_iter().flatten().collect()));
        }
        let unknown = match op {
            BinaryOperator::Divide => self.whole_quotient(kind, a, b),
            BinaryOperator::Modulo => {
                let quotient = self.whole_quotient(kind, a, b);
                let product = self.emit.map2(Op2::FMul, &quotient, b);
                self.emit.map2(Op2::FSub, a, &product)
            }
            BinaryOperator::ShiftLeft => match powers(b, false) {
                Some(powers) => self.emit.map2(Op2::FMul, a, &powers),
                None => return self.no_bits(),
            },
            BinaryOperator::ShiftRight => match powers(b, true) {
                Some(powers) => {
                    let shifted = self.emit.map2(Op2::FMul, a, &powers);
                    self.emit.map1(Op1::FFloor, &shifted)
                }
                None => return self.no_bits(),
            },
            BinaryOperator::And => match masks(a, b) {
                Some((number, sizes)) => {
                    // What is left when a power of two is divided by.
                    let parts: Numbers = sizes.iter().map(|size| Number::Float(1.0 / size)).collect();
                    let sizes: Numbers = sizes.into_iter().map(Number::Float).collect();
                    let shifted = self.emit.map2(Op2::FMul, number, &parts);
                    let whole = self.emit.map1(Op1::FFloor, &shifted);
                    let product = self.emit.map2(Op2::FMul, &whole, &sizes);
                    self.emit.map2(Op2::FSub, number, &product)
                }
                None => return self.no_bits(),
            },
            BinaryOperator::ExclusiveOr | BinaryOperator::InclusiveOr => return self.no_bits(),
            BinaryOperator::Add => self.emit.map2(Op2::FAdd, a, b),
            BinaryOperator::Subtract => self.emit.map2(Op2::FSub, a, b),
            BinaryOperator::Multiply => self.emit.map2(Op2::FMul, a, b),
            // Comparisons of whole floats are those of the integers.
            _ => return Ok(None),
        };
        let all = known.into_iter().zip(unknown).map(|(known, unknown)| known.unwrap_or(unknown));
        Ok(Some(retyped(kind, all.collect())))
    }

    fn no_bits<T>(&self) -> Step<T> {
        self.stop(
            &codes::BITS,
            "no machine has operations on bits of numbers that are not known when the program is compiled",
            "integers are floats in registers: multiply and divide by powers of two, and use `floor` and `fract`",
        )
    }

    /// The quotient without its fraction. Half of one part is added before, so that a reciprocal that is a little too small does no harm.
    fn whole_quotient(&mut self, kind: ScalarKind, a: &[Number], b: &[Number]) -> Numbers {
        let half = vec![Number::Float(0.5); a.len()];
        if kind == ScalarKind::Uint || self.range(a).positive && self.range(b).positive {
            let above = self.emit.map2(Op2::FAdd, a, &half);
            let quotient = self.emit.map2(Op2::FDiv, &above, b);
            return self.emit.map1(Op1::FFloor, &quotient);
        }
        let [signs, others] = [a, b].map(|numbers| self.emit.map1(Op1::FSign, numbers));
        let [above, below] = [a, b].map(|numbers| self.emit.map1(Op1::FAbs, numbers));
        let above = self.emit.map2(Op2::FAdd, &above, &half);
        let quotient = self.emit.map2(Op2::FDiv, &above, &below);
        let whole = self.emit.map1(Op1::FFloor, &quotient);
        let sign = self.emit.map2(Op2::FMul, &signs, &others);
        self.emit.map2(Op2::FMul, &whole, &sign)
    }

    /// The numbers without their fractions.
    pub(super) fn truncate(&mut self, numbers: &[Number]) -> Numbers {
        let known = self.range(numbers);
        if known.whole || known.positive {
            return self.floor(numbers);
        }
        let size = self.emit.map1(Op1::FAbs, numbers);
        let whole = self.emit.map1(Op1::FFloor, &size);
        let opposite = self.emit.map1(Op1::FNeg, &whole);
        let is_below = self.emit.map2(Op2::FSlt, numbers, &vec![Number::Float(0.0); numbers.len()]);
        self.emit.select(&is_below, &opposite, &whole)
    }

    /// The greatest whole numbers that are not above.
    pub(super) fn floor(&mut self, numbers: &[Number]) -> Numbers {
        if self.range(numbers).whole { numbers.to_vec() } else { self.emit.map1(Op1::FFloor, numbers) }
    }

    /// The numbers with the other sign.
    pub(super) fn negate(&mut self, kind: ScalarKind, numbers: &[Number]) -> Numbers {
        if kind == ScalarKind::Float {
            return self.emit.map1(Op1::FNeg, numbers);
        }
        let negated = self.emit.map1(Op1::FNeg, numbers);
        let own = |(number, negated): (&Number, Number)| match number {
            Number::Int(value) => Number::Int(value.wrapping_neg()),
            Number::Uint(value) => Number::Uint(value.wrapping_neg()),
            _ => negated,
        };
        numbers.iter().zip(negated).map(own).collect()
    }

    /// All bits the other way round: only of known numbers.
    pub(super) fn bitwise_not(&mut self, numbers: &[Number]) -> Step<Numbers> {
        let not = |number: &Number| match number {
            Number::Int(value) => Some(Number::Int(!value)),
            Number::Uint(value) => Some(Number::Uint(!value)),
            _ => None,
        };
        match numbers.iter().map(not).collect() {
            Some(all) => Ok(all),
            None => self.no_bits(),
        }
    }

    /// Numbers of one kind as those of another, by value or bit by bit.
    pub(super) fn convert(
        &mut self,
        numbers: &[Number],
        from: ScalarKind,
        to: ScalarKind,
        bits: bool,
    ) -> Step<Numbers> {
        use ScalarKind::{Bool, Float, Sint, Uint};
        if bits && from != to {
            let pattern = |number: &Number| match *number {
                Number::Float(value) => Some(value.to_bits()),
                Number::Int(value) => Some(value as u32),
                Number::Uint(value) => Some(value),
                _ => None,
            };
            let patterns: Option<Vec<u32>> = numbers.iter().map(pattern).collect();
            let Some(patterns) = patterns else { return self.no_bits() };
            return Ok(patterns
                .into_iter()
                .map(|bits| match to {
                    Float => Number::Float(f32::from_bits(bits)),
                    Uint => Number::Uint(bits),
                    _ => Number::Int(bits as i32),
                })
                .collect());
        }
        Ok(match (from, to) {
            (Float, Sint) => {
                let whole = self.truncate(numbers);
                retyped(to, whole)
            }
            // What is below 0 becomes 0, as WGSL has it.
            (Float, Uint) => {
                let zeros = vec![Number::Float(0.0); numbers.len()];
                let whole = match self.range(numbers).positive {
                    true => self.floor(numbers),
                    false => {
                        let above = self.emit.map2(Op2::FMax, numbers, &zeros);
                        self.floor(&above)
                    }
                };
                retyped(to, whole)
            }
            (Bool, Bool) => numbers.to_vec(),
            (_, Bool) => {
                let zeros = vec![Number::Float(0.0); numbers.len()];
                let ones = vec![Number::Float(1.0); numbers.len()];
                let size = self.emit.map1(Op1::FAbs, numbers);
                let none = self.emit.map2(Op2::FSge, &zeros, &size);
                let some = self.emit.map2(Op2::FSub, &ones, &none);
                retyped(Bool, some)
            }
            (_, Float) => retyped(Float, numbers.to_vec()),
            (_, Sint | Uint) => {
                let of = |number: &Number| match number.integer() {
                    Some(value) if to == Sint => Number::Int(value as i32),
                    Some(value) => Number::Uint(value as u32),
                    None => *number,
                };
                numbers.iter().map(of).collect()
            }
            _ => numbers.to_vec(),
        })
    }
}

/// Known floats as numbers of a kind.
pub(super) fn retyped(kind: ScalarKind, numbers: Numbers) -> Numbers {
    let own = |number: Number| match number {
        Number::Lane(..) => number,
        Number::Nothing => Number::zero(kind),
        number if number.integer().is_some() && matches!(kind, ScalarKind::Sint | ScalarKind::Uint) => number,
        number => number.known().map_or(number, |value| Number::of_kind(value, kind)),
    };
    numbers.into_iter().map(own).collect()
}

/// An operation on two known integers.
fn fold(op: BinaryOperator, kind: ScalarKind, a: Number, b: Number) -> Option<Number> {
    use BinaryOperator as B;
    let (a, b) = (a.integer()?, b.integer()?);
    let wrapped = |value: i64| {
        Some(if kind == ScalarKind::Uint { Number::Uint(value as u32) } else { Number::Int(value as i32) })
    };
    let condition = |value: bool| Some(Number::Bool(value));
    let shift = (b & 31) as u32;
    match op {
        B::Add => wrapped(a + b),
        B::Subtract => wrapped(a - b),
        B::Multiply => wrapped(a.wrapping_mul(b)),
        // What languages leave open is a itself, and nothing.
        B::Divide => wrapped(a.checked_div(b).unwrap_or(a)),
        B::Modulo => wrapped(a.checked_rem(b).unwrap_or(0)),
        B::And => wrapped(a & b),
        B::InclusiveOr => wrapped(a | b),
        B::ExclusiveOr => wrapped(a ^ b),
        B::ShiftLeft => wrapped(a << shift),
        B::ShiftRight => wrapped(a >> shift),
        B::Less => condition(a < b),
        B::LessEqual => condition(a <= b),
        B::Greater => condition(a > b),
        B::GreaterEqual => condition(a >= b),
        B::Equal => condition(a == b),
        B::NotEqual => condition(a != b),
        B::LogicalAnd | B::LogicalOr => None,
    }
}

/// Powers of two with these exponents or with their opposites, if they are known.
fn powers(exponents: &[Number], negative: bool) -> Option<Numbers> {
    let power = |exponent: &Number| {
        let exponent = exponent.integer().filter(|exponent| (0..32).contains(exponent))?;
        Some(Number::Float(if negative {
            1.0 / (1u64 << exponent) as f32
        } else {
            (1u64 << exponent) as f32
        }))
    };
    exponents.iter().map(power).collect()
}

/// The side that is not known, and by how much it is to be divided so that the rest is what the masks of the other side leave.
fn masks<'n>(a: &'n [Number], b: &'n [Number]) -> Option<(&'n [Number], Vec<f32>)> {
    let sizes = |masks: &[Number]| -> Option<Vec<f32>> {
        let size = |mask: &Number| {
            let size = mask.integer()? + 1;
            (size > 0 && size.count_ones() == 1 && size <= 1 << 24).then_some(size as f32)
        };
        masks.iter().map(size).collect()
    };
    sizes(b).map(|sizes| (a, sizes)).or_else(|| sizes(a).map(|sizes| (b, sizes)))
}
