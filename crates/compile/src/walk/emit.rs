//! The function that grows: operations on vectors of numbers, with what is known before a run folded away.
//!
//! Three rules of real numbers are used that IEEE 754 does not have for zeros' signs, infinities and NaN: 0 · x = 0, 0 + x = x and
//! 1 · x = x. Shading languages allow them.

use super::number::{Number, Numbers};
use crate::shader::Origin;
use gpuzoo_diag::Span;
use gpuzoo_ir::{Dot, Function, Inst, Op1, Op2, Op3, Pick, Value};

/// The most operations of a function, dead ones included.
pub const MOST_OPERATIONS: usize = 1 << 16;

/// A function in the making.
#[derive(Default)]
pub struct Emit {
    /// What there is so far.
    pub function: Function,
    /// Where operations come from.
    pub origins: Vec<Origin>,
    /// An integer that was to be in a register, and that no float is.
    pub inexact: Option<i64>,
    /// The text that the next operations come from.
    span: Span,
}

impl Emit {
    /// Says where the next operations come from.
    pub fn at(&mut self, span: Span) {
        self.span = span;
    }

    /// Where operations come from now.
    pub fn span(&self) -> Span {
        self.span
    }

    /// True if there are more operations than a function may have.
    pub fn is_full(&self) -> bool {
        self.function.insts.len() > MOST_OPERATIONS
    }

    /// Appends an operation.
    pub fn push(&mut self, inst: Inst) -> Value {
        let is_it = |origin: &Origin| origin.span == self.span && origin.variable.is_none();
        if !self.origins.last().is_some_and(is_it) {
            self.origins.push(Origin { span: self.span, variable: None });
        }
        self.function.insts.push(inst);
        self.function.origins.push(Some(self.origins.len() as u32 - 1));
        Value(self.function.insts.len() as u32 - 1)
    }

    /// Gives the values that numbers are a variable's name, if they have none.
    pub fn name(&mut self, numbers: &[Number], name: &str) {
        for number in numbers {
            let Number::Lane(value, _) = number else { continue };
            let Some(own) = self.function.origins.get_mut(value.index()) else { continue };
            let Some(origin) = own.and_then(|own| self.origins.get(own as usize)) else { continue };
            let reads = matches!(
                self.function.insts.get(value.index()),
                Some(Inst::Input(_) | Inst::Uniform(_) | Inst::Const(_))
            );
            if origin.variable.is_none() && !reads {
                self.origins.push(Origin { span: origin.span, variable: Some(name.to_owned()) });
                *own = Some(self.origins.len() as u32 - 1);
            }
        }
    }

    /// The value whose first components are these numbers, at most four; the last one is in the rest.
    pub fn gather(&mut self, numbers: &[Number]) -> Value {
        let last = numbers.last().copied().unwrap_or(Number::Nothing);
        let numbers: [Number; 4] = std::array::from_fn(|at| numbers.get(at).copied().unwrap_or(last));
        // Zeros and ones need no value beside another one.
        let is_plain = |number: &Number| number.is(0.0) || number.is(1.0);
        let has_values = numbers.iter().any(|number| matches!(number, Number::Lane(..)));
        let mut constant = None;
        if !has_values || numbers.iter().any(|number| number.known().is_some() && !is_plain(number)) {
            self.inexact = numbers
                .iter()
                .find(|number| number.is_inexact())
                .and_then(|number| number.integer())
                .or(self.inexact);
            let bits = numbers.map(|number| number.known().unwrap_or(0.0).to_bits());
            constant = Some(self.push(Inst::Const(bits)));
        }
        let sources: [Option<(Value, u8)>; 4] = std::array::from_fn(|component| match numbers[component] {
            Number::Lane(value, from) => Some((value, from)),
            _ => constant.map(|constant| (constant, component as u8)),
        });
        let mut now = None;
        let mut done = [false; 4];
        for value in sources.into_iter().flatten().map(|(value, _)| value) {
            if (0..4).any(|at| done[at] && sources[at].is_some_and(|(own, _)| own == value)) {
                continue;
            }
            let picks: [Pick; 4] = std::array::from_fn(|component| match sources[component] {
                Some((own, from)) if own == value => Pick::B(from),
                Some(_) if done[component] => Pick::A(component as u8),
                // Whatever is there: a later value takes its place.
                Some(_) => Pick::B(component as u8),
                None if numbers[component].is(1.0) => Pick::One,
                None => Pick::Zero,
            });
            (0..4).for_each(|at| done[at] |= sources[at].is_some_and(|(own, _)| own == value));
            let is_same = (0..4).all(|at| picks[at] == Pick::B(at as u8));
            let first = now.unwrap_or(value);
            now = Some(if is_same { value } else { self.push(Inst::Shuffle([first, value], picks)) });
        }
        now.unwrap_or_else(|| self.push(Inst::Const([0; 4])))
    }

    /// An operation on one vector.
    pub fn map1(&mut self, op: Op1, a: &[Number]) -> Numbers {
        self.each(
            a.len(),
            |at| a[at].known().map(|a| Number::Float(f32::from_bits(op.eval(a.to_bits())))),
            |emit, lanes| {
                let a = emit.gather(&pick(a, lanes));
                emit.push(Inst::Map1(op, a))
            },
        )
    }

    /// An operation on two vectors of the same length.
    pub fn map2(&mut self, op: Op2, a: &[Number], b: &[Number]) -> Numbers {
        let known = |at: usize| {
            let (a, b) = (a[at], b[at]);
            if let (Some(a), Some(b)) = (a.known(), b.known()) {
                return Some(Number::Float(f32::from_bits(op.eval(a.to_bits(), b.to_bits()))));
            }
            let zero = |number: Number| number.known().is_some_and(|value| value == 0.0);
            match op {
                Op2::FMul if zero(a) || zero(b) => Some(Number::Float(0.0)),
                Op2::FMul if a.is(1.0) => Some(b),
                Op2::FMul | Op2::FDiv if b.is(1.0) => Some(a),
                Op2::FAdd if zero(a) => Some(b),
                Op2::FAdd | Op2::FSub if zero(b) => Some(a),
                _ => None,
            }
        };
        self.each(a.len(), known, |emit, lanes| {
            let (a, b) = (emit.gather(&pick(a, lanes)), emit.gather(&pick(b, lanes)));
            emit.push(Inst::Map2(op, [a, b]))
        })
    }

    /// a · b + c, of vectors of the same length.
    pub fn mad(&mut self, a: &[Number], b: &[Number], c: &[Number]) -> Numbers {
        let simple = |at: &usize| {
            let product = [a[*at], b[*at]];
            c[*at].is(0.0)
                || product
                    .iter()
                    .any(|number| number.known().is_some_and(|value| value == 0.0 || value == 1.0))
                || product.iter().all(|number| number.known().is_some())
        };
        let simple: Vec<bool> = (0..a.len()).map(|at| simple(&at)).collect();
        if simple.iter().any(|simple| *simple) {
            let product = self.map2(Op2::FMul, a, b);
            if simple.iter().all(|simple| *simple) {
                return self.map2(Op2::FAdd, &product, c);
            }
            let sum = self.mad_all(a, b, c);
            let other = self.map2(Op2::FAdd, &product, c);
            return (0..a.len()).map(|at| if simple[at] { other[at] } else { sum[at] }).collect();
        }
        self.mad_all(a, b, c)
    }

    fn mad_all(&mut self, a: &[Number], b: &[Number], c: &[Number]) -> Numbers {
        self.each(
            a.len(),
            |_| None,
            |emit, lanes| {
                let values = [a, b, c].map(|numbers| emit.gather(&pick(numbers, lanes)));
                emit.push(Inst::Map3(Op3::FMad, values))
            },
        )
    }

    /// For each component `yes` where the condition is 1, else `no`. Conditions are as many, or one for all.
    pub fn select(&mut self, condition: &[Number], yes: &[Number], no: &[Number]) -> Numbers {
        let condition = |at: usize| condition[if condition.len() == 1 { 0 } else { at }];
        let known = |at: usize| match condition(at).known() {
            Some(value) => Some(if value == 0.0 { no[at] } else { yes[at] }),
            None if yes[at] == no[at] || no[at] == Number::Nothing => Some(yes[at]),
            None if yes[at] == Number::Nothing => Some(no[at]),
            None if yes[at].is(1.0) && no[at].is(0.0) => Some(condition(at)),
            None => None,
        };
        self.each(yes.len(), known, |emit, lanes| {
            let condition: Numbers = lanes.iter().map(|at| condition(*at)).collect();
            let values =
                [emit.gather(&condition), emit.gather(&pick(no, lanes)), emit.gather(&pick(yes, lanes))];
            emit.push(Inst::Map3(Op3::ISelect, values))
        })
    }

    /// The sum of products of two vectors of the same length.
    pub fn dot(&mut self, a: &[Number], b: &[Number]) -> Number {
        let zero = |number: Number| number.known().is_some_and(|value| value == 0.0);
        let terms: Vec<usize> = (0..a.len()).filter(|at| !zero(a[*at]) && !zero(b[*at])).collect();
        let (a, b) = (pick(a, &terms), pick(b, &terms));
        let all_known = a.iter().chain(&b).all(|number| number.known().is_some());
        if terms.len() < 3 || all_known {
            let mut sum = Number::Float(0.0);
            for (a, b) in a.iter().zip(&b) {
                sum = self.mad(&[*a], &[*b], &[sum])[0];
            }
            return sum;
        }
        let dot = if terms.len() == 3 { Dot::Dot3 } else { Dot::Dot4 };
        let (a, b) = (self.gather(&a), self.gather(&b));
        Number::Lane(self.push(Inst::Dot(dot, [a, b])), 0)
    }

    /// Applies something to the components that are not known, four at a time at most.
    fn each(
        &mut self,
        count: usize,
        known: impl Fn(usize) -> Option<Number>,
        mut rest: impl FnMut(&mut Emit, &[usize]) -> Value,
    ) -> Numbers {
        let mut result: Vec<Option<Number>> = (0..count).map(known).collect();
        let places: Vec<usize> = (0..count).filter(|at| result[*at].is_none()).collect();
        // Components keep their places where they can: a vector stays as it is.
        let fits = count <= 4;
        for group in places.chunks(4) {
            let lanes: Vec<usize> = if fits {
                (0..=group[group.len() - 1])
                    .map(|at| if group.contains(&at) { at } else { group[0] })
                    .collect()
            } else {
                group.to_vec()
            };
            let value = rest(self, &lanes);
            for (component, at) in lanes.iter().enumerate() {
                if !fits || component == *at {
                    result[*at].get_or_insert(Number::Lane(value, component as u8));
                }
            }
        }
        result.into_iter().map(|number| number.unwrap_or(Number::Nothing)).collect()
    }
}

fn pick(numbers: &[Number], lanes: &[usize]) -> Numbers {
    lanes.iter().map(|at| numbers[*at]).collect()
}
