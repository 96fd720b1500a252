//! Where runs stop, in both directions: where steps one after the other come to it.

use crate::session::show;
use gpuzoo::debug::{Debugger, Expression, Halt};
use gpuzoo::session::{Address, Cell, Condition, Event, Session, Stop, Value};

/// What each condition means, from what places, changes and events say.
fn holds(session: &mut dyn Session, condition: &Condition) -> bool {
    let at = session.position();
    let ended = session.total() == Some(at);
    let step = at - 1;
    let changes = session.changes(step).unwrap();
    match condition {
        Condition::At(wanted) => !ended && {
            let place = session.place(at).unwrap();
            place.at == *wanted && place.part == 0
        },
        Condition::Step(wanted) => at == *wanted,
        Condition::Unwound(depth) => changes.iter().any(|change| {
            let is_stack = change.cell == Cell::Register("S".into());
            is_stack && matches!(change.after, Value::Integer { value, .. } if 0xff - value < *depth)
        }),
        Condition::Register(name, components) => changes.iter().any(|change| {
            change.cell == Cell::Register(name.clone()) && change.components.0 & components.0 != 0
        }),
        Condition::Event(kind) => session.events(step).unwrap().iter().any(|event| event.kind() == *kind),
        Condition::Memory { space, range } => session.events(step).unwrap().iter().any(|event| {
            matches!(event, Event::MemoryWrite(Address { space: own, at, .. }) if own == space && range.contains(at))
        }),
    }
}

/// A run stops at the first match, and not before; at the end and at the limit it says so.
pub(crate) fn stops_at_the_first_match(
    session: &mut dyn Session,
    scout: &mut dyn Session,
    condition: &Condition,
    from: u64,
) {
    const LIMIT: u64 = 200;
    let start = scout.seek(from);
    assert_eq!(session.seek(from), start);
    let expected = loop {
        if scout.position() == start + LIMIT {
            break Stop::Limit;
        }
        if !scout.step() {
            break Stop::Ended;
        }
        if holds(scout, condition) {
            break Stop::Met(0);
        }
    };
    let stop = session.run_until(std::slice::from_ref(condition), LIMIT);
    assert_eq!((stop, session.position()), (expected, scout.position()), "{condition:?} from {start}");
    // The other way, beside what never holds.
    session.seek(start);
    let both = [Condition::Step(u64::MAX), condition.clone()];
    let stop = session.run_until(&both, LIMIT);
    let expected = if expected == Stop::Met(0) { Stop::Met(1) } else { expected };
    assert_eq!((stop, session.position()), (expected, scout.position()), "{condition:?} from {start}");

    // Back from here it is the last place that was met.
    let end = session.position();
    let last = (end.saturating_sub(LIMIT)..end).rev().find(|at| {
        scout.seek(*at);
        match condition {
            Condition::Step(_) | Condition::At(_) => scout.meets(condition),
            _ => *at > 0 && holds(scout, condition),
        }
    });
    let stop = session.back_until(std::slice::from_ref(condition), LIMIT);
    let expected = match last {
        Some(at) => (Stop::Met(0), at),
        None if end > LIMIT => (Stop::Limit, end - LIMIT),
        None => (Stop::Ended, 0),
    };
    assert_eq!((stop, session.position()), expected, "{condition:?} back from {end}");
}

/// A debugger stops at breakpoints where steps one after the other come to them, in both directions; one whose expression does not hold stops
/// nothing.
pub(crate) fn stops_at_breakpoints(
    session: Box<dyn Session>,
    scout: &mut dyn Session,
    breakpoints: &[(Condition, bool)],
    from: u64,
) {
    const LIMIT: u64 = 150;
    let mut debugger = Debugger::new(session);
    for (condition, holds) in breakpoints {
        let only_if = if *holds { "1 == 1" } else { "1 == 2" };
        debugger.add(condition.clone(), Some(Expression::read(only_if).unwrap()));
    }
    let here = |scout: &mut dyn Session| {
        let met = |(condition, holds): &(Condition, bool)| *holds && scout.meets(condition);
        breakpoints.iter().position(met).map(|number| Halt::Breakpoint(number as u32 + 1))
    };
    let start = scout.seek(from);
    assert_eq!(debugger.session().seek(from), start);
    let forward = loop {
        match () {
            () if scout.position() == start + LIMIT => break Halt::Limit,
            () if !scout.step() => break Halt::End,
            () => {}
        }
        if let Some(halt) = here(scout) {
            break halt;
        }
    };
    assert_eq!(debugger.run(&[], LIMIT), Ok(forward), "{breakpoints:?} from {start}");
    assert_eq!(show(debugger.session()), show(scout));
    let end = scout.position();
    let backward = loop {
        match () {
            () if scout.position() == 0 => break Halt::Start,
            () if end - scout.position() == LIMIT => break Halt::Limit,
            () => assert!(scout.back()),
        }
        if let Some(halt) = here(scout) {
            break halt;
        }
    };
    assert_eq!(debugger.run_back(&[], LIMIT), Ok(backward), "{breakpoints:?} back from {end}");
    assert_eq!(show(debugger.session()), show(scout));
}
