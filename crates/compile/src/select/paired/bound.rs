//! A number of slots that no program of some terms is below, found before anything is scheduled.

use super::plan::{Output, Shapes};
use super::terms::{Term, Terms};
use crate::graph::shape::Kind;
use gpuzoo_isa::Isa;
use rustc_hash::FxHashMap as HashMap;

/// The least number of slots. A slot does one instruction in each half: four results of what is done component by
/// component, or one of all others. No slot reads what it computes itself, so that a chain of results has as many slots.
pub fn least_slots(isa: &Isa, shapes: &Shapes, terms: &Terms, outputs: &[Output]) -> usize {
    let mut needed = vec![false; terms.len()];
    for operand in outputs.iter().flat_map(|(_, lanes)| lanes.iter().flatten()) {
        needed[operand.id] = true;
    }
    // What a term is computed from comes before it.
    let mut results: HashMap<&str, usize> = HashMap::default();
    for id in (0..terms.len()).rev() {
        if !needed[id] {
            continue;
        }
        match terms.term(id) {
            Term::Result { name, from, .. } => {
                *results.entry(name).or_default() += 1;
                from.iter().for_each(|operand| needed[operand.id] = true);
            }
            Term::Relative(operand, ..) => needed[operand.id] = true,
            Term::Bits(_) | Term::Input(..) | Term::Constant(..) => {}
        }
    }
    gpuzoo_diag::work::spend(terms.len());
    let in_half = |half: usize, name: &str| {
        isa.halves.get(half).is_some_and(|half| half.ops.iter().any(|op| op.name == name))
    };
    // Of each half, results of which four are an instruction, and others. Which operation does the first may still change.
    let mut halves = [[0, 0]; 2];
    for (name, count) in &results {
        let is_same = shapes.get(name).is_some_and(|shape| shape.kind == Kind::Same);
        match [0, 1].map(|half| in_half(half, name)) {
            [true, false] => halves[0][usize::from(is_same)] += count,
            [false, true] => halves[1][usize::from(is_same)] += count,
            _ => {}
        }
    }
    let packed = halves.iter().map(|[each, same]: &[usize; 2]| each.div_ceil(4) + same).max().unwrap_or(0);
    packed.max(longest_chain(terms, outputs))
}

/// The most results of which each is computed from the one before.
fn longest_chain(terms: &Terms, outputs: &[Output]) -> usize {
    let mut lengths = vec![0; terms.len()];
    for id in 0..terms.len() {
        lengths[id] = match terms.term(id) {
            Term::Result { from, .. } => {
                1 + from.iter().map(|operand| lengths[operand.id]).max().unwrap_or(0)
            }
            Term::Relative(operand, ..) => lengths[operand.id],
            Term::Bits(_) | Term::Input(..) | Term::Constant(..) => 0,
        };
    }
    let ends = outputs.iter().flat_map(|(_, lanes)| lanes.iter().flatten());
    ends.map(|operand| lengths[operand.id]).max().unwrap_or(0)
}
