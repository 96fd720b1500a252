//! Equal operations on single numbers as one operation on a vector: `sqrt(a.x)` and `sqrt(a.y)`.

use crate::graph::lanes::{Lane, Lanes};
use gpuzoo_ir::passes::{self, demand};
use gpuzoo_ir::{Builder, Function, Inst, Op1, Op2, Op3, Pick, Value};
use rustc_hash::FxHashMap as HashMap;

/// An operation, and of each operand the value that it reads a component of; none where that is a known number.
type Key = (Operation, Vec<Option<Value>>);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Operation {
    One(Op1),
    Two(Op2),
    Three(Op3),
}

/// Operations that become one.
struct Group {
    key: Key,
    /// The first one comes first.
    members: Vec<Member>,
}

#[derive(Clone)]
struct Member {
    value: Value,
    /// The component that is needed.
    component: u8,
    operands: Vec<Lane>,
}

/// The function with equal operations on components of the same values put together, as often as there are some; none where there
/// are not.
pub fn merged(function: &Function) -> Option<Function> {
    let mut last = once(function)?;
    // What reads the results may be put together next.
    while let Some(next) = once(&last) {
        last = next;
    }
    Some(last)
}

fn once(function: &Function) -> Option<Function> {
    let lanes = Lanes::new(function);
    let mut groups: Vec<Group> = Vec::new();
    // The group of each key that has room, the last one.
    let mut open: HashMap<Key, usize> = HashMap::default();
    for ((value, inst), demand) in (0..).map(Value).zip(&function.insts).zip(demand(function)) {
        let operation = match *inst {
            Inst::Map1(op, _) => Operation::One(op),
            Inst::Map2(op, _) => Operation::Two(op),
            Inst::Map3(op, _) => Operation::Three(op),
            _ => continue,
        };
        if demand.count_ones() != 1 {
            continue;
        }
        let component = demand.trailing_zeros() as u8;
        let operands: Vec<Lane> =
            inst.operands().map(|operand| lanes.of(operand)[usize::from(component)]).collect();
        let of = |lane: &Lane| match lane {
            Lane::Of(value, _) => Some(*value),
            Lane::Bits(_) => None,
        };
        let key: Key = (operation, operands.iter().map(of).collect());
        let member = Member { value, component, operands };
        match open.get(&key).map(|at| &mut groups[*at]).filter(|group| group.members.len() < 4) {
            Some(group) => group.members.push(member),
            None => {
                open.insert(key.clone(), groups.len());
                groups.push(Group { key, members: vec![member] });
            }
        }
    }
    groups.retain(|group| group.members.len() > 1);
    if groups.is_empty() { None } else { Some(rebuilt(function, &groups)) }
}

/// Members read the same values, so none waits for another, and all can be computed where the first one is.
fn rebuilt(function: &Function, groups: &[Group]) -> Function {
    let mut b = Builder::default();
    let mut renamed: Vec<Value> = Vec::with_capacity(function.insts.len());
    let mut done: Vec<Option<Value>> = vec![None; groups.len()];
    let mut found: HashMap<Value, (usize, usize)> = HashMap::default();
    for (group, own) in groups.iter().enumerate() {
        found.extend(own.members.iter().enumerate().map(|(at, member)| (member.value, (group, at))));
    }
    for (at, (inst, origin)) in (0..).zip(function.insts.iter().zip(&function.origins)) {
        b.set_origin(*origin);
        let value = match found.get(&Value(at)).copied() {
            Some((group, member)) => {
                let places = places(&groups[group].members);
                let all = match done[group] {
                    Some(all) => all,
                    None => together(&mut b, &renamed, &groups[group], &places),
                };
                done[group] = Some(all);
                b.swizzle(all, [places[member]; 4])
            }
            None => b.push(inst.map_operands(|operand| renamed[operand.index()])),
        };
        renamed.push(value);
    }
    for &(output, value) in &function.outputs {
        b.output(output, renamed[value.index()]);
    }
    passes::dead(&passes::shuffles(&b.finish()))
}

/// The component of the vector that each member gets: the one that it reads, where it is free.
fn places(members: &[Member]) -> Vec<u8> {
    let mut taken = [false; 4];
    let mut places: Vec<u8> = Vec::new();
    for member in members {
        let own = member.operands.iter().find_map(|lane| match lane {
            Lane::Of(_, component) => Some(*component),
            Lane::Bits(_) => None,
        });
        let mut all = own.into_iter().chain([member.component]).chain(0..4);
        let place = all.find(|place| !taken[usize::from(*place)]).unwrap_or(0);
        taken[usize::from(place)] = true;
        places.push(place);
    }
    places
}

fn together(b: &mut Builder, renamed: &[Value], group: &Group, places: &[u8]) -> Value {
    let (operation, from) = &group.key;
    let mut operands = Vec::new();
    for (at, from) in from.iter().enumerate() {
        let operand = match from {
            Some(value) => {
                let mut picks = [Pick::Zero; 4];
                for (member, place) in group.members.iter().zip(places) {
                    if let Lane::Of(_, component) = member.operands[at] {
                        picks[usize::from(*place)] = Pick::A(component);
                    }
                }
                let value = renamed[value.index()];
                b.shuffle(value, value, picks)
            }
            None => {
                let mut bits = [0; 4];
                for (member, place) in group.members.iter().zip(places) {
                    if let Lane::Bits(own) = member.operands[at] {
                        bits[usize::from(*place)] = own;
                    }
                }
                b.constant(bits)
            }
        };
        operands.push(operand);
    }
    // An operation has as many operands as its kind says.
    match (*operation, &operands[..]) {
        (Operation::One(op), [a, ..]) => b.map1(op, *a),
        (Operation::Two(op), [x, y, ..]) => b.map2(op, *x, *y),
        (Operation::Three(op), [x, y, z]) => b.map3(op, *x, *y, *z),
        _ => b.constant([0; 4]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpuzoo_ir::eval;

    #[test]
    fn roots_of_components_become_one() {
        let mut b = Builder::default();
        let (x, two) = (b.input(0), b.floats([2.0; 4]));
        let [one, other] = [0, 2].map(|component| {
            let own = b.swizzle(x, [component; 4]);
            let root = b.map1(Op1::FSqrt, own);
            b.map2(Op2::FMul, root, two)
        });
        let all = b.shuffle(one, other, [Pick::A(0), Pick::B(0), Pick::Zero, Pick::One]);
        b.output(0, all);
        let apart = b.finish();
        let merged = merged(&apart).unwrap();
        let count = |function: &Function| {
            function.insts.iter().filter(|inst| matches!(inst, Inst::Map1(..) | Inst::Map2(..))).count()
        };
        assert_eq!([count(&apart), count(&merged)], [4, 2], "{merged}");
        let input = [4.0f32, 1.0, 9.0, 1.0].map(f32::to_bits);
        let results = [apart, merged].map(|function| eval::outputs(&function, &[input], &[]));
        assert_eq!(results[0], results[1]);
    }

    #[test]
    fn chains_and_others_stay() {
        let mut b = Builder::default();
        let x = b.input(0);
        let y = b.input(1);
        let one = b.map1(Op1::FSqrt, x);
        let other = b.map1(Op1::FSqrt, y);
        let last = b.map1(Op1::FSqrt, one);
        let both = b.shuffle(last, other, [Pick::A(0), Pick::B(0), Pick::Zero, Pick::Zero]);
        b.output(0, both);
        assert_eq!(merged(&b.finish()), None);
    }
}
