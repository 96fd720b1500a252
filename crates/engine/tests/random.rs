//! Random functions give the evaluator's bits on every level, for any number of lanes.

use crate::common::{Noise, function, vectors};
use crate::levels;
use gpuzoo_engine::{Call, Inputs, Kernel, Options, PerLane, Rows, RowsMut};
use gpuzoo_ir::eval::Run;
use gpuzoo_ir::{Dot, Function, Inst, Op1, Op2, Op3, Vec4, passes};
use proptest::prelude::*;

/// Inputs of the random functions.
const WIDTH: usize = 3;

/// What the evaluator gives: the outputs of all lanes, and which were killed. Inputs in `invariant` are those of
/// lane 0.
fn expected(
    function: &Function,
    values: &[Vec4],
    uniforms: &[Vec4],
    invariant: &[u16],
) -> (Vec<Vec4>, Vec<u32>) {
    let mut run = Run::default();
    let (mut outputs, mut killed) = (Vec::new(), Vec::new());
    for lane in values.chunks(WIDTH) {
        let mut inputs = lane.to_vec();
        invariant.iter().for_each(|input| inputs[usize::from(*input)] = values[usize::from(*input)]);
        run.run(function, &inputs, uniforms, &Noise);
        outputs.extend(function.outputs.iter().map(|(_, value)| run.value(*value)));
        killed.push(if run.killed().is_some() { u32::MAX } else { 0 });
    }
    (outputs, killed)
}

/// What a kernel gives, over lanes `first..` of which there are `count`.
fn actual(
    kernel: &Kernel,
    inputs: &impl Inputs,
    count: usize,
    call: &Call,
    parallel: bool,
) -> (Vec<Vec4>, Vec<u32>) {
    let width = kernel.outputs().len();
    let (mut values, mut killed) = (vec![[1; 4]; count * width], vec![0; count]);
    let mut outputs = RowsMut { values: &mut values, width, killed: &mut killed };
    if parallel {
        kernel.run_parallel(0..count, inputs, call, outputs);
    } else {
        kernel.run(0..count, inputs, call, &mut outputs);
    }
    (values, killed)
}

fn check(function: &Function, values: &[Vec4], uniforms: &[Vec4], invariant: &[u16]) {
    let (outputs, killed) = expected(function, values, uniforms, invariant);
    let sampler = PerLane(Noise);
    let call = Call { uniforms, invariant: &values[..WIDTH.min(values.len())], sampler: &sampler };
    for level in levels() {
        let kernel =
            Kernel::compile_with(function, &Options { invariant, level: Some(level), ..Options::default() })
                .expect("it is well formed");
        let rows = Rows { values, width: WIDTH };
        let got = actual(&kernel, &rows, values.len() / WIDTH, &call, false);
        assert_eq!(got.0, outputs, "{}\n{function}", level.name());
        assert_eq!(got.1, killed, "{}\n{function}", level.name());
    }
}

/// A function of the same shape whose operations are cheap, so that machine code gets long loops: their values do not
/// all fit into registers.
fn cheap(mut function: Function) -> Function {
    use Op2::{FAdd, FDiv, FMax, FMin, FMinTotal, FMul, FMulFinite, FSge, FSltZeros, FSub, IXor};
    const ONE: [Op1; 6] = [Op1::FAbs, Op1::FNeg, Op1::FSign, Op1::FSqrt, Op1::INeg, Op1::FMantissa];
    const TWO: [Op2; 11] = [FAdd, FDiv, FMax, FMin, FMinTotal, FMul, FMulFinite, FSge, FSltZeros, FSub, IXor];
    const THREE: [Op3; 2] = [Op3::FMad, Op3::ISelect];
    for inst in &mut function.insts {
        *inst = match *inst {
            Inst::Map1(op, a) => Inst::Map1(ONE[op as usize % ONE.len()], a),
            Inst::Map2(op, ab) => Inst::Map2(TWO[op as usize % TWO.len()], ab),
            Inst::Map3(op, abc) => Inst::Map3(THREE[op as usize % THREE.len()], abc),
            Inst::Dot(dot, ab) => Inst::Dot(Dot::ALL[dot as usize % 4], ab),
            // Of what breaks loops a part is enough.
            Inst::Sample(0, a) | Inst::UniformAt { index: a, .. } => Inst::Map2(FMul, [a, a]),
            other => other,
        };
    }
    function
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn random_functions(
        function in function(60),
        lanes in prop_oneof![1..40usize, 60..70usize, 250..260usize],
        values in vectors(WIDTH * 260),
        uniforms in vectors(5),
        invariant in prop::sample::subsequence(vec![0u16, 1, 2], 0..=3),
    ) {
        let values = &values[..lanes * WIDTH];
        check(&function, values, &uniforms, &invariant);
        check(&passes::optimize(&function), values, &uniforms, &invariant);
    }

    #[test]
    fn long_loops(
        function in function(400).prop_map(cheap),
        lanes in prop_oneof![1..40usize, 250..260usize],
        values in vectors(WIDTH * 260),
        uniforms in vectors(5),
    ) {
        check(&function, &values[..lanes * WIDTH], &uniforms, &[]);
    }
}
