//! Constant folding.

use super::rebuild;
use crate::eval::{self, NoTextures};
use crate::function::{Function, Inst, Value, Vec4};

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
        let folded = folded(inst, constant);
        builder.push(folded)
    })
}

fn folded(inst: Inst, constant: impl Fn(Value) -> Option<Vec4>) -> Inst {
    match inst {
        Inst::Const(_) | Inst::Input(_) | Inst::Uniform(_) | Inst::Sample(..) | Inst::Kill(_) => inst,
        Inst::UniformAt { index, base, count } => match constant(index) {
            Some(index) => {
                eval::uniform_index(index[0], base, count).map_or(Inst::Const([0; 4]), Inst::Uniform)
            }
            None if count == 0 => Inst::Const([0; 4]),
            None => inst,
        },
        Inst::Map1(..) | Inst::Map2(..) | Inst::Map3(..) | Inst::Dot(..) | Inst::Shuffle(..) => {
            if !inst.operands().all(|operand| constant(operand).is_some()) {
                return inst;
            }
            let get = |value| constant(value).unwrap_or_default();
            Inst::Const(eval::result(&inst, get, &[], &[], &NoTextures))
        }
    }
}
