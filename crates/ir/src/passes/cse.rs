//! Common subexpression elimination.

use super::rebuild;
use crate::function::{Function, Inst};
use crate::op::{Op2, Op3};
use std::collections::HashMap;

/// Of equal instructions keeps the first; operands may be swapped where that changes no bit.
///
/// Texture reads and kills are not exceptions: textures do not change during a run, and of two kills of one value
/// only the first can be the one that ends it.
pub fn cse(function: &Function) -> Function {
    let mut known = HashMap::with_capacity(function.insts.len());
    rebuild(function, |builder, _, inst| *known.entry(key(inst)).or_insert_with(|| builder.push(inst)))
}

/// The same for instructions that give the same bits.
///
/// Swapping is exact because a sum or product does not depend on the order of its operands, and a NaN result has one
/// pattern whichever operand it came from. It is not for `fmin` and `fmax`: of two zeros they take the second. It is
/// for `fmin_total` and `fmax_total`, which find no two patterns equal.
fn key(inst: Inst) -> Inst {
    match inst {
        Inst::Map2(op, [a, b]) if commutes(op) => Inst::Map2(op, [a.min(b), a.max(b)]),
        Inst::Map3(Op3::FMad, [a, b, c]) => Inst::Map3(Op3::FMad, [a.min(b), a.max(b), c]),
        Inst::Dot(dot, [a, b]) => Inst::Dot(dot, [a.min(b), a.max(b)]),
        _ => inst,
    }
}

fn commutes(op: Op2) -> bool {
    use Op2::{FAdd, FAddTrunc, FMaxTotal, FMinTotal, FMul, FMulFinite, FMulTrunc};
    use Op2::{IAdd, IMax, IMin, IMul, IXor};
    matches!(op, FAdd | FMul | FMulFinite | FAddTrunc | FMulTrunc | FMinTotal | FMaxTotal)
        || matches!(op, IXor | IAdd | IMul | IMax | IMin)
}
