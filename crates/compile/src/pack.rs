//! Packing: the search for the shortest program that does the same.

use crate::graph::proof::{Difference, difference};
use crate::graph::simplify::{fuse_places, merge_equal, read_directly, remove_overwritten};
use crate::graph::tidy::{MOST_SLOTS, tidy};
use crate::graph::{Code, Odd};
use crate::schedule::search::{Effort, Search, search};
use gpuzoo_isa::{Isa, Program, numbers};
use gpuzoo_machine::ShaderUnit;
use gpuzoo_machine::target::slots::Slots;

/// A packed program.
#[derive(Clone, Debug)]
pub struct Packed {
    /// The program.
    pub program: Program,
    /// The slots that ran before, and that run now.
    pub slots: [usize; 2],
    /// No schedule of these operations has fewer slots than this; none on machines with one instruction a slot.
    pub bound: Option<usize>,
    /// Instructions that were left out.
    pub left_out: usize,
}

/// Why a program is not packed.
#[derive(Clone, Debug, PartialEq)]
pub enum Refused {
    /// It has more slots than [`MOST_SLOTS`], on a machine where each is looked at by itself.
    Long,
    /// Part of the program is not that of a plain instruction.
    Odd(Odd),
    /// What was made of it is not proven to do the same. This is a fault of gpuzoo.
    Unproven(Difference),
}

/// How long is searched.
const EFFORT: Effort = Effort { orders: 150, more: 150, placed: 2_000_000 };

/// The forms of a graph that are tried with random choices, beside those with all and with none.
const RANDOM_FORMS: u64 = 8;

/// Makes a program as short as it can. What comes out is proven to do the same, and run beside it on so many vectors
/// ([`VECTORS`](crate::graph::proof::VECTORS) as a rule).
///
/// # Errors
/// [`Refused`], for programs that it does not take apart.
pub fn pack(unit: &dyn ShaderUnit, program: &Program, vectors: u64) -> Result<Packed, Refused> {
    let isa = unit.isa();
    let Some(slots) = unit.slots() else { return tidied(unit, program, vectors) };
    let profiles = unit.about().profiles.len();
    let code = Code::new(isa, slots, program, profiles).map_err(Refused::Odd)?;
    let before = slots.running(program);
    let forms = forms(isa, slots, &code);
    let Search { found, bound } = search(isa, slots, &forms.iter().collect::<Vec<_>>(), before.len(), EFFORT);
    let operations: usize = before.iter().map(|slot| slot.insts().count()).sum();
    let (packed, nodes) = match found {
        Some(found) => (slots.with_slots(program, found.slots), forms[found.form].nodes.len()),
        None => (program.clone(), operations),
    };
    if let Some(difference) = difference(unit, program, &packed, vectors) {
        return Err(Refused::Unproven(difference));
    }
    let now = slots.running(&packed).len();
    Ok(Packed {
        slots: [before.len(), now],
        bound: Some(bound.min(now)),
        left_out: operations.saturating_sub(nodes),
        program: packed,
    })
}

/// For machines with one instruction a slot.
fn tidied(unit: &dyn ShaderUnit, program: &Program, vectors: u64) -> Result<Packed, Refused> {
    if program.slots.len() > MOST_SLOTS {
        return Err(Refused::Long);
    }
    let tidied = tidy(unit, program);
    if let Some(difference) = difference(unit, program, &tidied, vectors) {
        return Err(Refused::Unproven(difference));
    }
    let slots = [program, &tidied].map(|program| program.slots.len());
    Ok(Packed { program: tidied, slots, bound: None, left_out: slots[0] - slots[1] })
}

/// Forms of a graph: which copies are left out is a choice, since a copy can be what makes a pair fit.
fn forms(isa: &Isa, slots: &dyn Slots, code: &Code) -> Vec<Code> {
    let mut base = code.clone();
    remove_overwritten(isa, slots, &mut base);
    let mut forms: Vec<Code> = Vec::new();
    let mut add = |form: Code| {
        if !forms.contains(&form) {
            forms.push(form);
        }
    };
    for merges in [true, false] {
        let mut merged = base.clone();
        if merges {
            merge_equal(isa, &mut merged);
        }
        for (fuses, direct) in [(true, false), (true, true), (false, false)] {
            let mut form = merged.clone();
            read_directly(isa, slots, &mut form, |_, _| direct);
            fuse_places(isa, slots, &mut form, |_| fuses);
            add(form);
        }
        for seed in 0..RANDOM_FORMS {
            let mut form = merged.clone();
            let mut number = numbers(seed);
            let direct = seed % 2 == 1;
            read_directly(isa, slots, &mut form, |_, _| direct && number(2) == 0);
            fuse_places(isa, slots, &mut form, |_| number(2) == 0);
            add(form);
        }
    }
    forms
}
