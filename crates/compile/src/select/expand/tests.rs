//! The table of errors, measured.

use crate::select::expand::{Operation, expand};
use gpuzoo_ir::verify::verify;
use gpuzoo_ir::{Builder, Function, Inst, Op1, Op2, Op3, Value, arith, eval};
use gpuzoo_isa::numbers;

/// What machines have beside sums, products, quotients and extremes.
type Has = fn(Operation) -> bool;

const BASE: [Op2; 5] = [Op2::FAdd, Op2::FMul, Op2::FDiv, Op2::FMax, Op2::FMin];

/// Comparisons, roots, powers of 2 and logarithms.
fn plain(operation: Operation) -> bool {
    match operation {
        Operation::One(op) => matches!(op, Op1::FNeg | Op1::FSqrt | Op1::FExp2 | Op1::FLog2 | Op1::FFloor),
        Operation::Two(op) => BASE.contains(&op) || matches!(op, Op2::FSlt | Op2::FSge),
        Operation::Three(op) => matches!(op, Op3::FMad | Op3::ISelect),
    }
}

/// Integers.
fn whole(operation: Operation) -> bool {
    use Op2::{FSub, IAdd, IDiv, IMax, IMin, IMul, ISub};
    match operation {
        Operation::One(op) => matches!(op, Op1::FNeg),
        Operation::Two(op) => {
            BASE.contains(&op) || matches!(op, FSub | IAdd | ISub | IMul | IDiv | IMax | IMin)
        }
        Operation::Three(op) => matches!(op, Op3::FMad),
    }
}

/// Signs and curves.
fn signs(operation: Operation) -> bool {
    match operation {
        Operation::One(op) => matches!(op, Op1::FAbs | Op1::FSign | Op1::FSqrt | Op1::FExp | Op1::FLog),
        Operation::Two(op) => BASE.contains(&op) || matches!(op, Op2::FSub | Op2::FPow),
        Operation::Three(_) => false,
    }
}

/// As [`signs`], without powers.
fn logs(operation: Operation) -> bool {
    operation != Operation::Two(Op2::FPow) && signs(operation)
}

const MACHINES: [Has; 4] = [plain, whole, signs, logs];

/// output 0 = the operation on inputs 0, 1 and 2.
fn function(operation: Operation) -> Function {
    let mut b = Builder::default();
    let inputs = [0, 1, 2].map(|input| b.input(input));
    let value = apply(&mut b, operation, inputs);
    b.output(0, value);
    b.finish()
}

fn apply(b: &mut Builder, operation: Operation, [x, y, z]: [Value; 3]) -> Value {
    match operation {
        Operation::One(op) => b.map1(op, x),
        Operation::Two(op) => b.map2(op, x, y),
        Operation::Three(op) => b.map3(op, x, y, z),
    }
}

/// Runs an operation as it is and expanded for a machine that does not have it, on numbers that `sample` makes of a number from 0
/// to 1 and a random one; `error` is what the two results differ by, over what they may.
fn check(
    operation: Operation,
    machine: Has,
    sample: impl Fn(f32, f32) -> [f32; 3],
    error: impl Fn(f64, f64, [f32; 3]) -> f64,
) {
    let plain = function(operation);
    let expanded = expand(&plain, &machine);
    verify(&expanded).unwrap();
    for inst in &expanded.insts {
        let has = match inst {
            Inst::Map1(op, _) => machine(Operation::One(*op)),
            Inst::Map2(op, _) => machine(Operation::Two(*op)),
            Inst::Map3(op, _) => machine(Operation::Three(*op)),
            _ => true,
        };
        assert!(has, "{operation:?}: {inst:?} is left");
    }
    let mut number = numbers(7);
    let mut worst = (0.0, [0.0; 3]);
    let steps = 40_000;
    for step in 0..=steps {
        let random = number(1 << 24) as f32 / (1 << 24) as f32;
        let at = sample(step as f32 / steps as f32, random);
        let inputs = at.map(|x| gpuzoo_ir::vec4([x; 4]));
        let [right, own] = [&plain, &expanded]
            .map(|function| f64::from(f32::from_bits(eval::outputs(function, &inputs, &[])[0][0])));
        let error = error(right, own, at);
        if error.is_nan() || error > worst.0 {
            worst = (error, at);
        }
    }
    assert!(worst.0 <= 1.0, "{operation:?}: {} times what is allowed, at {:?}", worst.0, worst.1);
}

fn absolute(most: impl Fn(f64, [f32; 3]) -> f64) -> impl Fn(f64, f64, [f32; 3]) -> f64 {
    move |right, own, at| (own - right).abs() / most(right, at)
}

fn relative(most: impl Fn(f64, [f32; 3]) -> f64) -> impl Fn(f64, f64, [f32; 3]) -> f64 {
    absolute(move |right, at| right.abs() * most(right, at) + 1e-38)
}

fn exact(right: f64, own: f64, _: [f32; 3]) -> f64 {
    if right == own { 0.0 } else { f64::INFINITY }
}

/// 2 to an integer power.
fn two(power: i32) -> f64 {
    f64::from_bits(((1023 + power) as u64) << 52)
}

/// From 2⁻¹²⁵ to 2¹²⁵, evenly in the logarithm.
fn scale(at: f32, random: f32) -> f32 {
    f32::from_bits(((at * 250.0 + 2.0) as u32) << 23) * (1.0 + random)
}

fn signed_scale(at: f32, random: f32) -> f32 {
    let size = scale((at - 0.5).abs() * 2.0, random);
    if at < 0.5 { -size } else { size }
}

#[test]
fn what_needs_no_curve_is_exact() {
    for machine in MACHINES {
        let ones = [Op1::FNeg, Op1::FAbs, Op1::FSign, Op1::FFloor].map(Operation::One);
        let twos = [Op2::FSub, Op2::FSlt, Op2::FSge].map(Operation::Two);
        for operation in ones.into_iter().chain(twos) {
            check(operation, machine, |at, random| [signed_scale(at, random), at, 0.0], exact);
            // Numbers that are near each other, and equal ones.
            let near = |at: f32, random: f32| {
                let whole = (at * 64.0) as i32 as f32 / 4.0 - 8.0;
                [whole, (random * 64.0) as i32 as f32 / 4.0 - 8.0, 0.0]
            };
            check(operation, machine, near, exact);
        }
        check(Operation::Three(Op3::FMad), machine, |at, random| [at, random, at - 0.5], exact);
        let choice = |at: f32, random: f32| [f32::from(random < 0.5), at * 100.0, random - 7.0];
        check(Operation::Three(Op3::ISelect), machine, choice, exact);
    }
}

/// Floors of halves around the numbers that have none.
#[test]
fn floors_are_exact_where_fractions_end() {
    for machine in MACHINES {
        let near = |at: f32, random: f32| {
            let sizes = [4_194_304.0, 8_388_608.0, 16_777_216.0, 1.0];
            let size: f32 = sizes[(random * 4.0) as usize];
            let x = f32::from_bits((size.to_bits() as f32 + 0.0) as u32 + (at * 64.0) as u32 - 32);
            [if random * 8.0 % 2.0 < 1.0 { x } else { -x }, 0.0, 0.0]
        };
        check(Operation::One(Op1::FFloor), machine, near, exact);
    }
}

#[test]
fn powers_and_roots() {
    for machine in MACHINES {
        let root = Operation::One(Op1::FSqrt);
        check(
            root,
            machine,
            |at, random| [scale(0.1 + at * 0.9, random), 0.0, 0.0],
            relative(|_, _| two(-22)),
        );
        check(root, machine, |_, _| [0.0; 3], exact);
        let exp2 = |at: f32, _: f32| [at * 253.0 - 126.0, 0.0, 0.0];
        check(
            Operation::One(Op1::FExp2),
            machine,
            exp2,
            relative(|_, [a, ..]| {
                if machine(Operation::Two(Op2::IAdd)) {
                    two(-21)
                } else {
                    two(-23) * (1.0 + f64::from(a.abs()))
                }
            }),
        );
        let exp = |at: f32, _: f32| [at * 175.0 - 87.0, 0.0, 0.0];
        let bound = relative(|_, [a, ..]| two(-22) * (1.0 + f64::from(a.abs())));
        check(Operation::One(Op1::FExp), machine, exp, bound);
        let positive = |at: f32, random: f32| [scale(at, random), 0.0, 0.0];
        for op in [Op1::FLog2, Op1::FLog] {
            let bound = absolute(|right, _| two(-22) * (1.0 + right.abs()));
            check(Operation::One(op), machine, positive, bound);
        }
        let power = |at: f32, random: f32| [0.01 + at * 4.0, random * 16.0 - 8.0, 0.0];
        let bound = relative(|right: f64, _| two(-21) * (1.0 + f64::from(arith::flog2(right as f32).abs())));
        check(Operation::Two(Op2::FPow), machine, power, bound);
    }
}

/// Powers that are products.
#[test]
fn small_powers_are_products() {
    for power in [2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 0.5] {
        let mut b = Builder::default();
        let (x, power) = (b.input(0), b.floats([power; 4]));
        let result = b.map2(Op2::FPow, x, power);
        b.output(0, result);
        let function = b.finish();
        let expanded = expand(&function, &plain);
        let curves =
            |inst: &&Inst| matches!(inst, Inst::Map1(Op1::FExp2 | Op1::FLog2, _) | Inst::Map2(Op2::FPow, _));
        assert!(!expanded.insts.iter().any(|inst| curves(&inst)));
        for step in 1..1_000 {
            let inputs = [gpuzoo_ir::vec4([step as f32 * 0.01; 4])];
            let [right, own] = [&function, &expanded]
                .map(|function| f64::from(f32::from_bits(eval::outputs(function, &inputs, &[])[0][0])));
            assert!((own - right).abs() <= right * two(-21));
        }
    }
}

#[test]
fn circular_functions() {
    for machine in MACHINES {
        for op in [Op1::FSin, Op1::FCos] {
            let bound = || absolute(|_, [a, ..]| two(-20) + two(-22) * f64::from(a.abs()));
            check(Operation::One(op), machine, |at, _| [at * 14.0 - 7.0, 0.0, 0.0], bound());
            check(Operation::One(op), machine, |at, _| [at * 8192.0 - 4096.0, 0.0, 0.0], bound());
        }
        let bound = absolute(|right, _| two(-19) * (1.0 + right * right));
        check(Operation::One(Op1::FTan), machine, |at, _| [at * 3.0 - 1.5, 0.0, 0.0], bound);
        for op in [Op1::FAcos, Op1::FAsin] {
            let bound = absolute(|_, _| two(-19));
            check(Operation::One(op), machine, |at, _| [at * 2.0 - 1.0, 0.0, 0.0], bound);
        }
        let bound = || absolute(|_, _| two(-17));
        check(Operation::One(Op1::FAtan), machine, |at, _| [at * 8.0 - 4.0, 0.0, 0.0], bound());
        check(
            Operation::One(Op1::FAtan),
            machine,
            |at, random| [signed_scale(at, random), 0.0, 0.0],
            bound(),
        );
        let point = |at: f32, random: f32| [at * 4.0 - 2.0, random * 4.0 - 2.0, 0.0];
        check(Operation::Two(Op2::FAtan2), machine, point, bound());
        check(Operation::Two(Op2::FAtan2), machine, |at, _| [0.0, at - 0.5, 0.0], bound());
    }
}

/// The side that is not chosen leaves nothing behind, even if its numbers are outside of the operations' domains.
#[test]
fn the_other_side_of_a_choice_leaves_nothing() {
    type Side = fn(&mut Builder, Value) -> Value;
    let sides: [Side; 8] = [
        |b, x| b.map1(Op1::FSqrt, x),
        |b, x| b.map1(Op1::FLog2, x),
        |b, x| b.map1(Op1::FExp, x),
        |b, x| b.map1(Op1::FAcos, x),
        |b, x| {
            let one = b.floats([1.0; 4]);
            b.map2(Op2::FDiv, one, x)
        },
        |b, x| {
            let power = b.floats([-2.5; 4]);
            b.map2(Op2::FPow, x, power)
        },
        |b, x| {
            let root = b.map1(Op1::FSqrt, x);
            let opposite = b.map1(Op1::FNeg, root);
            b.map2(Op2::FMul, opposite, x)
        },
        |b, _| b.floats([f32::NAN; 4]),
    ];
    for (number, side) in sides.into_iter().enumerate() {
        for is_yes in [true, false] {
            let mut b = Builder::default();
            let (x, other, flag) = (b.input(0), b.input(1), b.input(2));
            let zero = b.floats([0.0; 4]);
            let condition = b.map2(Op2::FSlt, zero, flag);
            let made = side(&mut b, x);
            let values = if is_yes { [condition, other, made] } else { [condition, made, other] };
            let chosen = b.map3(Op3::ISelect, values[0], values[1], values[2]);
            b.output(0, chosen);
            let function = b.finish();
            for (machine, has) in MACHINES.into_iter().enumerate() {
                let expanded = expand(&function, &has);
                verify(&expanded).unwrap();
                let infinity = f32::INFINITY;
                for x in [0.0, -0.0, -1.0, -2.5, 1e9, infinity, -infinity, f32::NAN] {
                    let flag = if is_yes { -1.0 } else { 1.0 };
                    let inputs = [x, 0.25, flag].map(|x| gpuzoo_ir::vec4([x; 4]));
                    let found = eval::outputs(&expanded, &inputs, &[])[0].map(f32::from_bits);
                    assert_eq!(found, [0.25; 4], "side {number}, machine {machine}, {x}");
                }
            }
        }
    }
}
