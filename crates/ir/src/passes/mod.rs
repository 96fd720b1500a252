//! Functions that do the same with fewer instructions.
//!
//! A pass takes a verified function ([`crate::verify`]) and gives another one: the same outputs, bit for bit and NaNs
//! included, and the same kills, on all inputs, uniforms and textures. What is *between* may differ: values vanish,
//! merge, or change in components that are never read. Origins stay with their instructions; where two merge, the first
//! one's stays.
//!
//! No pass uses the algebra of real numbers: `a + 0`, `a × 1` and `a - a` are not `a`, `a` and `0` for -0, infinities
//! and NaN payloads. What does hold for all bits, and is used, is that sums and products commute (the product in
//! `fmad` and those in dots, too), and the minimum and maximum of the total order.

mod cse;
mod dead;
mod demand;
mod fold;
mod shuffles;

pub use cse::cse;
pub use dead::dead;
pub use demand::demand;
pub use fold::fold;
pub use shuffles::shuffles;

use crate::builder::Builder;
use crate::function::{Function, Inst, Value};

/// [`optimize`] stops after so many rounds. Random functions of 60 instructions need four at most.
pub const MAX_ROUNDS: usize = 16;

/// All passes, again and again until nothing changes, [`MAX_ROUNDS`] times at most.
///
/// ```
/// use gpuzoo_ir::{Builder, Op2, passes};
///
/// let mut b = Builder::default();
/// let two = b.floats([2.0; 4]);
/// let four = b.map2(Op2::FAdd, two, two);
/// let x = b.input(0);
/// let x_again = b.input(0);
/// let scaled = b.map2(Op2::FMul, x, four);
/// let _unread = b.map2(Op2::FMul, four, x_again);
/// b.output(0, scaled);
/// assert_eq!(
///     passes::optimize(b.function()).to_string(),
///     "v0 = const (4.0, 4.0, 4.0, 4.0)\nv1 = input 0\nv2 = fmul v1, v0\noutput 0 = v2\n",
/// );
/// ```
pub fn optimize(function: &Function) -> Function {
    let mut current = function.clone();
    for _ in 0..MAX_ROUNDS {
        // CSE comes before `shuffles`: two equal shuffles are one before their unread components make them differ.
        let next = dead(&shuffles(&cse(&fold(&current))));
        if next == current {
            break;
        }
        current = next;
    }
    current
}

/// Builds a function anew. `step` gets each instruction, with its old index and its operands' new names, and answers
/// with the value that replaces it, appending what that needs.
fn rebuild(function: &Function, mut step: impl FnMut(&mut Builder, usize, Inst) -> Value) -> Function {
    let mut builder = Builder::default();
    let mut renamed: Vec<Value> = Vec::with_capacity(function.insts.len());
    for (index, (inst, &origin)) in function.insts.iter().zip(&function.origins).enumerate() {
        builder.set_origin(origin);
        let inst = inst.map_operands(|operand| renamed[operand.index()]);
        renamed.push(step(&mut builder, index, inst));
    }
    for &(output, value) in &function.outputs {
        builder.output(output, renamed[value.index()]);
    }
    builder.finish()
}
