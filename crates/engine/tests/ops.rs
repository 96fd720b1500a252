//! Every operation gives the evaluator's bits on every level, with columns and with scalars as operands.

use crate::common::EDGES;
use crate::levels;
use gpuzoo_engine::{Call, Columns, ColumnsMut, Kernel, Options};
use gpuzoo_ir::{Builder, Dot, Function, Inst, Op1, Op2, Op3, Value, Vec4};

/// Pseudo-random bits (SplitMix64): the high half of all bits, of numbers near 1, and of edges.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        let bits = (mixed >> 32) as u32;
        match mixed % 8 {
            0 => EDGES[bits as usize % EDGES.len()],
            // Exponents within 8 of that of 1, where sums cancel and powers are finite.
            1..4 => (bits & 0x807f_ffff) + ((119 + (bits >> 23) % 16) << 23),
            _ => bits,
        }
    }
}

/// Operands in columns, one for each.
type Operands = Vec<Vec<u32>>;

/// A function of `inst`, whose operand `k` is input k, or uniform k where bit k of `scalars` is set; the result is
/// output 0. Dot products read all four lanes.
fn function(count: usize, scalars: u32, inst: impl Fn(&[Value]) -> Inst) -> Function {
    let mut b = Builder::default();
    let operands: Vec<Value> = (0..count as u16)
        .map(|index| if scalars >> index & 1 == 1 { b.uniform(index) } else { b.input(index) })
        .collect();
    let result = b.push(inst(&operands));
    b.output(0, result);
    b.finish()
}

/// Runs `inst` with columns for operands and with scalars for some of them, and compares with `expected`, which gets
/// the operands of a lane. An operand has `lanes` components (1, or 4 for dots).
fn check(
    name: &str,
    operands: &Operands,
    lanes: usize,
    inst: impl Fn(&[Value]) -> Inst,
    expected: impl Fn(&[u32]) -> u32,
) {
    let count = operands.len() / lanes;
    let length = operands[0].len();
    for scalars in 0..(1 << count) - 1 {
        let function = function(count, scalars, &inst);
        let kernels = levels().map(|level| {
            let options = Options { level: Some(level), ..Options::default() };
            let kernel = Kernel::compile_with(&function, &options).expect("small");
            assert_eq!(kernel.level(), level);
            kernel
        });
        let kernels: Vec<Kernel> = kernels.collect();
        // Scalars are those of a few lanes, one after the other; without scalars once is enough.
        for chosen in (0..length).step_by(if scalars == 0 { length } else { length / 61 + 1 }) {
            let values = |index: usize| -> Vec<u32> {
                let is_scalar = |at: usize| scalars >> (at / lanes) & 1 == 1;
                (0..count * lanes)
                    .map(|at| operands[at][if is_scalar(at) { chosen } else { index }])
                    .collect()
            };
            let wanted: Vec<u32> = (0..length).map(|index| expected(&values(index))).collect();
            let column = |operand: usize, lane: usize| &operands[operand * lanes + lane][..];
            let lane = |operand, lane| if lane < lanes { column(operand, lane) } else { &[] };
            let inputs: Vec<[&[u32]; 4]> =
                (0..count).map(|operand| std::array::from_fn(|index| lane(operand, index))).collect();
            let scalar = |operand, lane| if lane < lanes { column(operand, lane)[chosen] } else { 0 };
            let uniforms: Vec<Vec4> =
                (0..count).map(|operand| std::array::from_fn(|index| scalar(operand, index))).collect();
            let call = Call { uniforms: &uniforms, ..Call::default() };
            for kernel in &kernels {
                let mut got = vec![0; length];
                let mut outputs =
                    ColumnsMut { outputs: vec![[&mut got, &mut [], &mut [], &mut []]], killed: &mut [] };
                kernel.run(0..length, &Columns(&inputs), &call, &mut outputs);
                for (index, (got, wanted)) in got.into_iter().zip(&wanted).enumerate() {
                    assert!(
                        got == *wanted,
                        "{name} of {:08x?} on {} ({scalars:b}): {got:08x}, not {wanted:08x}",
                        values(index),
                        kernel.level().name(),
                    );
                }
            }
        }
    }
}

/// All tuples of edges (up to 3), then random ones.
fn operands(count: usize, random: usize) -> Operands {
    let mut columns = vec![Vec::new(); count];
    if count <= 3 {
        for index in 0..EDGES.len().pow(count as u32) {
            let mut index = index;
            for column in &mut columns {
                column.push(EDGES[index % EDGES.len()]);
                index /= EDGES.len();
            }
        }
    }
    let mut bits = Random(count as u64);
    for _ in 0..random {
        columns.iter_mut().for_each(|column| column.push(bits.bits()));
    }
    columns
}

#[test]
fn unary() {
    let operands = operands(1, 200_000);
    for op in Op1::ALL {
        check(op.name(), &operands, 1, |v| Inst::Map1(*op, v[0]), |v| op.eval(v[0]));
    }
}

#[test]
fn binary() {
    let operands = operands(2, 10_000);
    for op in Op2::ALL {
        check(op.name(), &operands, 1, |v| Inst::Map2(*op, [v[0], v[1]]), |v| op.eval(v[0], v[1]));
    }
}

#[test]
fn ternary() {
    let operands = operands(3, 10_000);
    for op in Op3::ALL {
        let inst = |v: &[Value]| Inst::Map3(*op, [v[0], v[1], v[2]]);
        check(op.name(), &operands, 1, inst, |v| op.eval(v[0], v[1], v[2]));
    }
}

#[test]
fn dots() {
    let operands = operands(8, 20_000);
    for dot in Dot::ALL {
        let expected = |v: &[u32]| dot.eval([v[0], v[1], v[2], v[3]], [v[4], v[5], v[6], v[7]]);
        check(dot.name(), &operands, 4, |v| Inst::Dot(*dot, [v[0], v[1]]), expected);
    }
}
