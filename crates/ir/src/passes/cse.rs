//! Common subexpression elimination.

use super::rebuild;
use crate::function::{Function, Inst};
use crate::op::Op3;
use std::collections::HashMap;

/// Of equal instructions keeps the first; operands may be swapped where that changes no bit.
///
/// Texture reads and kills are not exceptions: textures do not change during a run, and of two kills of one value
/// only the first can be the one that ends it.
pub fn cse(function: &Function) -> Function {
    let mut known = HashMap::with_capacity(function.insts.len());
    rebuild(function, |builder, _, inst| *known.entry(key(inst)).or_insert_with(|| builder.push(inst)))
}

/// The same for instructions that give the same bits: products commute in `fmad` and in dots, too.
fn key(inst: Inst) -> Inst {
    match inst {
        Inst::Map2(op, [a, b]) if op.commutes() => Inst::Map2(op, [a.min(b), a.max(b)]),
        Inst::Map3(Op3::FMad, [a, b, c]) => Inst::Map3(Op3::FMad, [a.min(b), a.max(b), c]),
        Inst::Dot(dot, [a, b]) => Inst::Dot(dot, [a.min(b), a.max(b)]),
        _ => inst,
    }
}
