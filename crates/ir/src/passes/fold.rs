//! Constant folding.

use super::rebuild;
use crate::eval;
use crate::function::{Function, Inst, Value};

/// Computes at once what depends on constants alone, with the evaluator, so that the bits are the same.
///
/// A uniform at a constant index becomes a plain uniform, or zeros where there is none. A kill of a constant that
/// never kills goes away. Texture reads stay: what is in a texture is not known here.
pub fn fold(function: &Function) -> Function {
    rebuild(function, |builder, _, inst| {
        let insts = &builder.function().insts;
        let constant = |value: Value| match insts[value.index()] {
            Inst::Const(bits) => Some(bits),
            _ => None,
        };
        if let Inst::Kill(a) = inst
            && constant(a).is_some_and(|value| !eval::kills(value))
        {
            return a;
        }
        builder.push(eval::known(inst, constant).unwrap_or(inst))
    })
}
