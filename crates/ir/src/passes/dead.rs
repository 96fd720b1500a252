//! Dead code elimination.

use super::rebuild;
use crate::function::{Function, Value};

/// Drops instructions that no output and no kill depends on.
///
/// This one looks at whole values. A value of which no *component* is needed may still be named, by a shuffle that
/// picks it for components that are never read; [`shuffles`](super::shuffles()) takes such names away.
pub fn dead(function: &Function) -> Function {
    let mut needed: Vec<bool> = function.insts.iter().map(|inst| inst.has_effect()).collect();
    for &(_, value) in &function.outputs {
        needed[value.index()] = true;
    }
    for (index, inst) in function.insts.iter().enumerate().rev() {
        if needed[index] {
            inst.operands().for_each(|operand| needed[operand.index()] = true);
        }
    }
    // The new name of a dropped value is never looked at: only dropped instructions read it.
    let dropped = Value(0);
    rebuild(function, |builder, index, inst| if needed[index] { builder.push(inst) } else { dropped })
}
