//! Zeros that `dot` leaves, and products with them.
//!
//! `dot r1 r2` puts its result into r1.x and zeros into the rest. To scale a vector by it, x is spread first
//! (`shf r1 r1 xxxx 0b1111`); without that the product keeps nothing but its x, and the alpha of a colour is lost.

use crate::ISA;
use crate::ops::{DIV, DOT, MUL};
use crate::regs::OUTPUT_NAMES;
use crate::rules::PRODUCT_WITH_ZEROS;
use gpuzoo_diag::Diagnostic;
use gpuzoo_ir::{Function, Inst, Op1, Op2, Pick, Value};
use gpuzoo_isa::{Lowered, Mask, Operand, Program};
use std::collections::BTreeSet;

/// For each component of a value the slot of the `dot` whose zero it is, if it is one.
type Zeros = [Option<u32>; 4];

/// A warning for each `dot` whose zeros a product takes into a position or a colour.
pub fn check(program: &Program, lowered: &Lowered) -> Vec<Diagnostic> {
    let Function { insts, origins, .. } = &lowered.function;
    let seen = seen(&lowered.function);
    let mut all: Vec<Zeros> = Vec::with_capacity(insts.len());
    let (mut problems, mut told) = (Vec::new(), BTreeSet::new());
    for ((inst, origin), seen) in insts.iter().zip(origins).zip(seen) {
        let of_slot = |op: u16| {
            let slot = origin.and_then(|slot| program.slots.get(slot as usize));
            slot.is_some_and(|slot| slot.inst.as_ref().is_some_and(|inst| inst.op.code == op))
        };
        let zeros_of = |value: &Value| all[value.index()];
        let mut zeros = [None; 4];
        match inst {
            Inst::Shuffle([a, b], picks) => {
                zeros = picks.map(|pick| match pick {
                    Pick::A(from) => zeros_of(a)[usize::from(from & 3)],
                    Pick::B(from) => zeros_of(b)[usize::from(from & 3)],
                    Pick::Zero => origin.filter(|_| of_slot(DOT)),
                    Pick::One => None,
                });
            }
            // Functions that are 0 at 0.
            Inst::Map1(
                Op1::FAbs | Op1::FSign | Op1::FSqrt | Op1::FSin | Op1::FTan | Op1::FAsin | Op1::FAtan,
                a,
            ) => {
                zeros = zeros_of(a);
            }
            Inst::Map2(op, [a, b]) => {
                let (a, b) = (zeros_of(a), zeros_of(b));
                let both = std::array::from_fn(|at| a[at].and(b[at]));
                let either: Zeros = std::array::from_fn(|at| a[at].or(b[at]));
                let product = of_slot(MUL) || of_slot(DIV);
                let taken: Vec<usize> = (0..4)
                    .filter(|at| {
                        product && seen >> at & 1 == 1 && both[*at].is_none() && either[*at].is_some()
                    })
                    .collect();
                if let (Some(first), Some(here)) = (taken.first(), *origin) {
                    let dot = either[*first].unwrap_or_default();
                    let mask = Mask(taken.iter().fold(0, |mask, at| mask | 1 << at));
                    if told.insert(dot) {
                        problems.extend(problem(program, dot as usize, here as usize, mask));
                    }
                } else if product || matches!(op, Op2::FAdd | Op2::FSub | Op2::FMin | Op2::FMax) {
                    // Of a product the other zeros reach nothing that is seen, or were reported above.
                    zeros = both;
                }
            }
            _ => {}
        }
        all.push(zeros);
    }
    problems
}

/// For each value the components that reach an output which is seen: texture coordinates are not, since a dot product is
/// a coordinate as it is, beside zeros.
fn seen(function: &Function) -> Vec<u8> {
    let mut seen = vec![0; function.insts.len()];
    for (output, value) in &function.outputs {
        if OUTPUT_NAMES.get(usize::from(*output)).is_some_and(|name| *name != "tex") {
            seen[value.index()] = Mask::ALL.0;
        }
    }
    for (index, inst) in function.insts.iter().enumerate().rev() {
        inst.reads(seen[index], |value, mask| seen[value.index()] |= mask);
    }
    seen
}

fn problem(program: &Program, dot: usize, product: usize, mask: Mask) -> Option<Diagnostic> {
    let (from, here) = (program.slots.get(dot)?, program.slots.get(product)?);
    let name = |operand: &Operand| ISA.reg_name(operand.reg);
    let [of_dot, [dst, ..]] = [from.inst.as_ref()?, here.inst.as_ref()?].map(|inst| &inst.operands);
    let (dot, result) = (name(&of_dot[0]), name(dst));
    let message = format!("{result}.{mask} is a product with zeros that `dot` left");
    let problem = Diagnostic::warning(&PRODUCT_WITH_ZEROS, message).at(here.span);
    let problem = problem.label(from.span, format!("{dot} is (x, 0, 0, 0) from here on"));
    Some(problem.help(format!("spread x before it is used: `shf {dot} {dot} xxxx 0b1111`")))
}
