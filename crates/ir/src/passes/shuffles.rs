//! Copy and shuffle propagation, and components that are never read.

use super::{demand, rebuild};
use crate::ONE;
use crate::function::{Function, Inst, Pick, Value};

/// Where a component of a shuffle comes from in the end.
#[derive(Clone, Copy, PartialEq)]
enum Source {
    Component(Value, u8),
    Zero,
    One,
    /// The component is never read, so any bits will do.
    Any,
}

/// Makes every shuffle pick from the values that it has its components from in the end.
///
/// A shuffle of a shuffle becomes one shuffle where two operands suffice. Components of constants that are 0 or 1
/// become the picks 0 and 1. Components that are never read are picked so that they need no value of their own. Among
/// values that are the same in several components (dots, say) a component is taken from its own place. The older
/// operand comes first. What then changes nothing is replaced by its operand, and what picks no value by a constant.
/// Readers of a kill's value read its operand.
pub fn shuffles(function: &Function) -> Function {
    let masks = demand(function);
    rebuild(function, |builder, index, inst| match inst {
        Inst::Kill(a) => {
            builder.push(inst);
            a
        }
        Inst::Shuffle(values, picks) => {
            let insts = &builder.function().insts;
            match simplest(insts, values, picks, masks[index]) {
                Simple::Value(value) => value,
                Simple::Inst(inst) => builder.push(inst),
            }
        }
        _ => builder.push(inst),
    })
}

/// What a shuffle turns into.
enum Simple {
    Value(Value),
    Inst(Inst),
}

fn simplest(insts: &[Inst], values: [Value; 2], picks: [Pick; 4], mask: u8) -> Simple {
    // Looking through both operands may need up to four values. Then one of them stays as it is, or both.
    let tries = [[true, true], [true, false], [false, true], [false, false]];
    let resolved = tries.into_iter().map(|through| {
        std::array::from_fn(|component| {
            if mask >> component & 1 == 0 {
                return Source::Any;
            }
            let (side, from) = match picks[component] {
                Pick::A(from) => (0, from),
                Pick::B(from) => (1, from),
                Pick::Zero => return Source::Zero,
                Pick::One => return Source::One,
            };
            own_component(insts, source(insts, values[side], from, through[side]), component as u8)
        })
    });
    let sources = resolved.filter_map(|sources| operands(sources).map(|operands| (sources, operands))).next();
    // The last try names the old operands alone, so there always is one.
    let Some((sources, operands)) = sources else { return Simple::Inst(Inst::Shuffle(values, picks)) };
    let Some([a, b]) = operands else {
        return Simple::Inst(Inst::Const(sources.map(|source| if source == Source::One { ONE } else { 0 })));
    };
    let mut component = 0;
    let picks = sources.map(|source| {
        component += 1;
        match source {
            Source::Component(value, from) if value == a => Pick::A(from),
            Source::Component(_, from) => Pick::B(from),
            Source::Zero => Pick::Zero,
            Source::One => Pick::One,
            Source::Any => Pick::A(component - 1),
        }
    });
    if picks == [0, 1, 2, 3].map(Pick::A) {
        return Simple::Value(a);
    }
    Simple::Inst(Inst::Shuffle([a, b], picks))
}

/// Component `from` of `value`, looked up in what defines it: in shuffles if `through`, in constants always.
fn source(insts: &[Inst], value: Value, from: u8, through: bool) -> Source {
    match insts[value.index()] {
        Inst::Const(components) if components[from as usize] == 0 => Source::Zero,
        Inst::Const(components) if components[from as usize] == ONE => Source::One,
        Inst::Shuffle([a, b], picks) => match picks[from as usize] {
            Pick::A(component) if through => Source::Component(a, component),
            Pick::B(component) if through => Source::Component(b, component),
            Pick::A(_) | Pick::B(_) => Source::Component(value, from),
            Pick::Zero => Source::Zero,
            Pick::One => Source::One,
        },
        _ => Source::Component(value, from),
    }
}

/// The same bits from component `own` of the same value, if they are there, too.
fn own_component(insts: &[Inst], source: Source, own: u8) -> Source {
    let Source::Component(value, from) = source else { return source };
    let (from_index, own_index) = (from as usize, own as usize);
    let same = match insts[value.index()] {
        Inst::Dot(..) => true,
        Inst::Const(components) => components[from_index] == components[own_index],
        Inst::Shuffle(_, picks) => picks[from_index] == picks[own_index],
        _ => false,
    };
    Source::Component(value, if same { own } else { from })
}

/// The one or two values that are picked, older first; inner `None` if there are none, outer if there are more.
fn operands(sources: [Source; 4]) -> Option<Option<[Value; 2]>> {
    let values = || {
        sources.into_iter().filter_map(|source| match source {
            Source::Component(value, _) => Some(value),
            _ => None,
        })
    };
    let (Some(first), Some(last)) = (values().min(), values().max()) else { return Some(None) };
    values().all(|value| value == first || value == last).then_some(Some([first, last]))
}
