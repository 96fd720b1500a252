//! What operations are made of, step by step: the steps compute what the operation does, and have the types that they need.

use crate::common::EDGES;
use gpuzoo_ir::record::{Node, Operation, Record, Type, record};
use gpuzoo_ir::{Op2, arith};

/// The value of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    Single(u32),
    Double(u64),
    Truth(bool),
}

use Step::{Double, Single, Truth};

impl Step {
    fn single(self) -> f32 {
        if let Single(bits) = self { f32::from_bits(bits) } else { panic!("{self:?} is no f32") }
    }

    fn double(self) -> f64 {
        if let Double(bits) = self { f64::from_bits(bits) } else { panic!("{self:?} is no f64") }
    }

    fn truth(self) -> bool {
        if let Truth(truth) = self { truth } else { panic!("{self:?} is no truth value") }
    }

    fn bits(self) -> u64 {
        match self {
            Single(bits) => bits.into(),
            Double(bits) => bits,
            Truth(_) => panic!("{self:?} has no bits"),
        }
    }

    fn is(self) -> Type {
        match self {
            Single(_) => Type::Single,
            Double(_) => Type::Double,
            Truth(_) => Type::Truth,
        }
    }
}

/// Two numbers of one type to a number or to a truth value.
fn two([a, b]: [Step; 2], single: impl Fn(f32, f32) -> Step, double: impl Fn(f64, f64) -> Step) -> Step {
    if a.is() == Type::Single { single(a.single(), b.single()) } else { double(a.double(), b.double()) }
}

/// Follows the steps of a record, as its documentation says what they are.
fn follow(record: &Record, arguments: &[u32]) -> u32 {
    let mut steps: Vec<Step> = Vec::new();
    for (id, node) in record.nodes.iter().enumerate() {
        let of = |id: usize| steps[id];
        let pair = |ids: [usize; 2]| ids.map(of);
        let step = match *node {
            Node::Argument(number) => Single(arguments[number]),
            Node::Single(bits) => Single(bits),
            Node::Double(bits) => Double(bits),
            Node::Arithmetic(sign, ids) => two(
                pair(ids),
                |a, b| Single(sum(sign, a, b).to_bits()),
                |a, b| Double(sum(sign, a, b).to_bits()),
            ),
            Node::Sqrt(id) => match of(id) {
                Single(bits) => Single(f32::from_bits(bits).sqrt().to_bits()),
                other => Double(other.double().sqrt().to_bits()),
            },
            Node::Less(ids) => two(pair(ids), |a, b| Truth(a < b), |a, b| Truth(a < b)),
            Node::Same(ids) => two(pair(ids), |a, b| Truth(a == b), |a, b| Truth(a == b)),
            Node::LessTotal(ids) => {
                two(pair(ids), |a, b| Truth(a.total_cmp(&b).is_lt()), |a, b| Truth(a.total_cmp(&b).is_lt()))
            }
            Node::Logic('&', [a, b]) => Truth(of(a).truth() & of(b).truth()),
            Node::Logic('|', [a, b]) => Truth(of(a).truth() | of(b).truth()),
            Node::Not(id) => Truth(!of(id).truth()),
            Node::Select([mask, yes, no]) => {
                assert_eq!(record.types[yes], record.types[no]);
                of(if of(mask).truth() { yes } else { no })
            }
            Node::Bits(sign, ids) => {
                let [a, b] = pair(ids).map(Step::bits);
                let bits = match sign {
                    '&' => a & b,
                    '^' => a ^ b,
                    '+' => a.wrapping_add(b),
                    _ => a.wrapping_sub(b),
                };
                if of(ids[0]).is() == Type::Single { Single(bits as u32) } else { Double(bits) }
            }
            Node::Shift('<', id, count) => Double(of(id).double().to_bits() << count),
            Node::Shift(_, id, count) => Double(of(id).double().to_bits() >> count),
            Node::Widen(id) => Double(f64::from(of(id).single()).to_bits()),
            Node::WidenBits(id) => Double(of(id).single().to_bits().into()),
            Node::Narrow(id) => Single((of(id).double() as f32).to_bits()),
            Node::NarrowBits(id) => Single(of(id).double().to_bits() as u32),
            Node::WithNan(id, nan) => {
                let bits = of(id).single().to_bits();
                Single(if bits & 0x7fff_ffff > 0x7f80_0000 { nan } else { bits })
            }
            Node::Pick(table, id) => Double(record.tables[table][of(id).double().to_bits() as usize & 127]),
            Node::Logic(..) => panic!("{node:?}"),
        };
        assert_eq!(record.types[id], step.is(), "{node:?}");
        node.operands(|operand| assert!(operand < id, "operands come first"));
        steps.push(step);
    }
    assert_eq!((record.types.len(), record.nan_uses.len()), (steps.len(), steps.len()));
    steps[record.result].single().to_bits()
}

fn sum<T>(sign: char, a: T, b: T) -> T
where
    T: std::ops::Add<Output = T>
        + std::ops::Sub<Output = T>
        + std::ops::Mul<Output = T>
        + std::ops::Div<Output = T>,
{
    match sign {
        '+' => a + b,
        '-' => a - b,
        '*' => a * b,
        _ => a / b,
    }
}

#[test]
fn the_steps_of_an_operation_compute_it() {
    let at = |place: usize| EDGES[place % EDGES.len()];
    for operation in Operation::all() {
        let own = operation.record();
        for (place, a) in EDGES.into_iter().enumerate() {
            for step in [1, 3, 7, 11, 17] {
                let [b, c] = [at(place * 5 + step), at(place * 7 + 2 * step)];
                let factors = [[a, b, c, at(place + 9)], [c, at(place + 2 * step), a, b]];
                let pairs: Vec<u32> = (0..4).flat_map(|term| factors.map(|own| own[term])).collect();
                let (arguments, wanted) = match operation {
                    Operation::One(op) => (vec![a], op.eval(a)),
                    Operation::Two(op) => (vec![a, b], op.eval(a, b)),
                    Operation::Three(op) => (vec![a, b, c], op.eval(a, b, c)),
                    Operation::Dot(dot) => (pairs, dot.eval(factors[0], factors[1])),
                };
                let got = follow(own, &arguments);
                assert_eq!(got, wanted, "{} {arguments:x?}", operation.name());
            }
        }
    }
}

#[test]
fn a_step_that_is_there_already_is_used_again() {
    // (a + b) * (a + b): two arguments, one sum, one product, and the rule about NaNs after each.
    let own = record(|[a, b]| {
        let sum = || Op2::FAdd.apply(a, b);
        Op2::FMul.apply(sum(), sum())
    });
    let arithmetic: Vec<Node> =
        own.nodes.iter().filter(|node| matches!(node, Node::Arithmetic(..))).copied().collect();
    assert_eq!(arithmetic, [Node::Arithmetic('+', [0, 1]), Node::Arithmetic('*', [3, 3])]);
    assert_eq!(own.types, [Type::Single; 6]);
    // 1.5 + 2 = 3.5; its square is 12.25.
    assert_eq!(follow(&own, &[1.5f32, 2.0].map(f32::to_bits)), 12.25f32.to_bits());
    assert_eq!(follow(&own, &[f32::NAN, 2.0].map(f32::to_bits)), arith::NAN.to_bits());
}

#[test]
fn operations_have_names_of_their_own() {
    let mut names: Vec<&str> = Operation::all().map(Operation::name).collect();
    assert_eq!(names.len(), Operation::COUNT);
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Operation::COUNT);
}
