//! Sums that hosts' compilers would leave out.
//!
//! `(a + b) - b` is how programs round: where b is large, the sum has no bits for a fraction. Compilers of shaders take it for a,
//! and put constants together over whole chains of sums (Mesa's `nir_opt_algebraic`). No shading language but SPIR-V can forbid
//! that. So the sums between what is added and what takes it back are computed in integers, which compilers leave as they are.

use crate::program::source;
use gpuzoo_ir::{Function, Inst, Op1, Op2, Op3, Value};

/// How many sums a chain is followed through.
const DEPTH: u8 = 4;

/// What is added or subtracted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Root {
    Constant(u32),
    Uniform(u16, u8),
    Input(u16, u8),
    Value(Value, u8),
}

/// A term of a chain of sums: what it is, if it is subtracted, and the sums below the last one that it goes through.
#[derive(Clone, Debug)]
struct Term {
    root: Root,
    negative: bool,
    through: Vec<(Value, u8)>,
}

impl Term {
    /// True if nothing or little of both is left in their sum.
    fn takes_back(&self, other: &Term) -> bool {
        match (self.root, other.root) {
            (Root::Constant(a), Root::Constant(b)) => {
                let signed = |bits: u32, term: &Term| {
                    let number = f32::from_bits(bits);
                    if term.negative { -number } else { number }
                };
                let (a, b) = (signed(a, self), signed(b, other));
                a != 0.0 && b != 0.0 && (a + b).abs() <= a.abs().max(b.abs()) / 2.0
            }
            (a, b) => a == b && self.negative != other.negative,
        }
    }
}

/// For each instruction the components whose sums stand between a number and what takes it back; bit 0 is x.
pub fn kept(function: &Function) -> Vec<u8> {
    let mut kept = vec![0; function.insts.len()];
    for index in 0..function.insts.len() {
        let value = Value(index as u32);
        if parts(function, value).is_none() {
            continue;
        }
        for component in 0..4 {
            let mut terms = Vec::new();
            expand(function, (value, component), false, &[], DEPTH, &mut terms);
            for (at, a) in terms.iter().enumerate() {
                for b in terms[..at].iter().filter(|b| a.takes_back(b)) {
                    for (value, component) in a.through.iter().chain(&b.through) {
                        kept[value.index()] |= 1 << component;
                    }
                }
            }
        }
    }
    kept
}

/// The terms of a sum, each with true if it is subtracted; of a product and a sum the sum's. None for what is no sum.
fn parts(function: &Function, value: Value) -> Option<[Option<(Value, bool)>; 2]> {
    match function.insts[value.index()] {
        Inst::Map2(Op2::FAdd | Op2::FAddTrunc, [a, b]) => Some([Some((a, false)), Some((b, false))]),
        Inst::Map2(Op2::FSub, [a, b]) => Some([Some((a, false)), Some((b, true))]),
        Inst::Map3(Op3::FMad, [_, _, c]) => Some([Some((c, false)), None]),
        _ => None,
    }
}

/// Adds the terms of a component of a sum.
fn expand(
    function: &Function,
    (value, component): (Value, u8),
    negative: bool,
    through: &[(Value, u8)],
    depth: u8,
    terms: &mut Vec<Term>,
) {
    for (part, subtracted) in parts(function, value).into_iter().flatten().flatten() {
        let Some((part, own, turned)) = origin(function, part, component) else { continue };
        let negative = negative ^ subtracted ^ turned;
        if depth > 0 && parts(function, part).is_some() {
            let through = [through, &[(part, own)]].concat();
            expand(function, (part, own), negative, &through, depth - 1, terms);
        }
        let root = match function.insts[part.index()] {
            Inst::Const(bits) => Root::Constant(bits[usize::from(own)]),
            Inst::Uniform(number) => Root::Uniform(number, own),
            Inst::Input(number) => Root::Input(number, own),
            _ => Root::Value(part, own),
        };
        terms.push(Term { root, negative, through: through.to_vec() });
    }
}

/// Where a component comes from behind shuffles and changes of sign, and if the sign changes.
fn origin(function: &Function, value: Value, component: u8) -> Option<(Value, u8, bool)> {
    let (mut value, mut component) = source(function, value, component)?;
    let mut turned = false;
    while let Inst::Map1(Op1::FNeg, operand) = function.insts[value.index()] {
        (value, component) = source(function, operand, component)?;
        turned = !turned;
    }
    Some((value, component, turned))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpuzoo_ir::Builder;

    /// The instructions that are kept, of a program on two inputs and a uniform.
    fn kept_of(build: impl FnOnce(&mut Builder, [Value; 3]) -> Value) -> Vec<usize> {
        let mut b = Builder::default();
        let values = [b.input(0), b.input(1), b.uniform(0)];
        let result = build(&mut b, values);
        b.output(0, result);
        let kept = kept(&b.finish());
        kept.iter().enumerate().filter(|(_, mask)| **mask != 0).map(|(at, _)| at).collect()
    }

    fn number(b: &mut Builder, number: f32) -> Value {
        b.constant([number.to_bits(); 4])
    }

    #[test]
    fn what_is_taken_back_keeps_the_sums_between() {
        let rounded = kept_of(|b, [x, ..]| {
            let large = number(b, 8_388_608.0);
            let sum = b.map2(Op2::FAdd, x, large);
            b.map2(Op2::FSub, sum, large)
        });
        assert_eq!(rounded.len(), 1);
        // By a number from outside, over another sum, with a sign instead of a difference.
        let over = kept_of(|b, [x, y, c]| {
            let sum = b.map2(Op2::FAddTrunc, c, x);
            let sum = b.map2(Op2::FAddTrunc, sum, y);
            let negative = b.map1(Op1::FNeg, c);
            b.map2(Op2::FAddTrunc, negative, sum)
        });
        assert_eq!(over.len(), 2);
        let of_product = kept_of(|b, [x, y, c]| {
            let sum = b.map3(Op3::FMad, x, y, c);
            b.map2(Op2::FSub, sum, c)
        });
        assert_eq!(of_product.len(), 1);
        // 1.5 * 2^23 and 2^23 are two constants, and their sum is less than either.
        let nearly = kept_of(|b, [x, ..]| {
            let (more, less) = (number(b, 12_582_912.0), number(b, -8_388_608.0));
            let sum = b.map2(Op2::FAdd, x, more);
            b.map2(Op2::FAdd, sum, less)
        });
        assert_eq!(nearly.len(), 1);
    }

    #[test]
    fn other_sums_are_the_hosts() {
        let plain = kept_of(|b, [x, y, c]| {
            let sum = b.map2(Op2::FAdd, x, c);
            let twice = b.map2(Op2::FAdd, sum, c);
            let (half, quarter) = (number(b, 0.5), number(b, 0.25));
            let more = b.map2(Op2::FAdd, twice, half);
            let more = b.map2(Op2::FAdd, more, quarter);
            b.map2(Op2::FSub, more, y)
        });
        assert!(plain.is_empty(), "{plain:?}");
        let difference = kept_of(|b, [x, y, _]| b.map2(Op2::FSub, x, y));
        assert!(difference.is_empty(), "{difference:?}");
    }
}
