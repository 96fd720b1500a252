//! Lanes in and out: every count of them, columns and rows, what is missing, threads, kills, limits.

use crate::levels;
use gpuzoo_engine::{
    BLOCK, Call, Columns, ColumnsMut, Error, Kernel, Options, PerLane, Read, Rows, RowsMut, Sampler,
};
use gpuzoo_ir::eval::{Run, Textures};
use gpuzoo_ir::verify::Problem;
use gpuzoo_ir::{Builder, Function, Inst, Op1, Op2, Pick, Value, Vec4};

/// output 2 = kill(input 0 - input 2) × √(input 1.xyzx + uniform 0), output 5 = (input 0.x, 1, 0, a texel's y)
fn function() -> Function {
    let mut b = Builder::default();
    let (x, y, limit) = (b.input(0), b.input(1), b.input(2));
    let difference = b.map2(Op2::FSub, x, limit);
    let kept = b.push(Inst::Kill(difference));
    let y = b.swizzle(y, [0, 1, 2, 0]);
    let offset = b.uniform(0);
    let sum = b.map2(Op2::FAdd, y, offset);
    let root = b.map1(Op1::FSqrt, sum);
    let product = b.map2(Op2::FMul, kept, root);
    b.output(2, product);
    let texel = b.push(Inst::Sample(3, root));
    let mixed = b.shuffle(x, texel, [Pick::A(0), Pick::One, Pick::Zero, Pick::B(1)]);
    b.output(5, mixed);
    b.finish()
}

/// Texels that are the coordinates and the unit.
struct Echo;

impl Textures for Echo {
    fn sample(&self, unit: u8, coordinates: Vec4) -> Vec4 {
        coordinates.map(|lane| lane ^ u32::from(unit))
    }
}

const UNIFORMS: [Vec4; 1] = [[0x3f80_0000, 0x4000_0000, 0x4040_0000, 0x4080_0000]];

/// Three vec4s a lane; a third of the lanes is killed.
fn rows(lanes: usize) -> Vec<Vec4> {
    let value = |index: usize| (index % 3) as f32 * 0.5 + (index * 31 % 17) as f32 - 4.0;
    // Of input 2, a limit that most lanes are above of.
    let limit = |row: usize| if row % 3 == 2 && row % 9 != 8 { -30.0 } else { 0.0 };
    let row = |row: usize| [0, 1, 2, 3].map(|lane| (value(row * 4 + lane * lane) + limit(row)).to_bits());
    (0..lanes * 3).map(row).collect()
}

fn expected(lanes: usize) -> (Vec<Vec4>, Vec<u32>) {
    let function = function();
    let mut run = Run::default();
    let (mut outputs, mut killed) = (Vec::new(), Vec::new());
    for inputs in rows(lanes).chunks(3) {
        run.run(&function, inputs, &UNIFORMS, &Echo);
        outputs.extend(function.outputs.iter().map(|(_, value)| run.value(*value)));
        killed.push(if run.killed().is_some() { u32::MAX } else { 0 });
    }
    (outputs, killed)
}

#[test]
fn every_count_of_lanes() {
    let sampler = PerLane(Echo);
    let call = Call { uniforms: &UNIFORMS, sampler: &sampler, ..Call::default() };
    let (all, all_killed) = expected(600);
    assert!(all_killed.contains(&0) && all_killed.contains(&u32::MAX));
    let values = rows(600);
    let columns: Vec<Vec<u32>> = (0..12)
        .map(|column| values.iter().skip(column / 4).step_by(3).map(|row| row[column % 4]).collect())
        .collect();
    for level in levels() {
        let kernel = Kernel::compile_with(&function(), &Options { level: Some(level), ..Options::default() })
            .expect("it is well formed");
        assert_eq!(kernel.outputs(), [2, 5]);
        assert!(kernel.kills());
        for lanes in 0..=600 {
            // Rows, and one lane more that must stay as it is.
            let (mut got, mut killed) = (vec![[7; 4]; lanes * 2 + 2], vec![7; lanes + 1]);
            let mut outputs = RowsMut { values: &mut got, width: 2, killed: &mut killed };
            kernel.run(0..lanes, &Rows { values: &values, width: 3 }, &call, &mut outputs);
            assert_eq!(got[..lanes * 2], all[..lanes * 2]);
            assert_eq!(got[lanes * 2..], [[7; 4]; 2]);
            assert_eq!(killed[..lanes], all_killed[..lanes]);
            assert_eq!(killed[lanes], 7);

            // Columns, of a range that does not start at 0.
            let first = lanes / 3;
            let count = lanes - first;
            let mut got = vec![vec![7; count]; 8];
            let mut killed = vec![7; count];
            let inputs: Vec<[&[u32]; 4]> =
                columns.chunks(4).map(|four| [&four[0][..], &four[1], &four[2], &four[3]]).collect();
            let four: Vec<[&mut [u32]; 4]> = got
                .chunks_mut(4)
                .map(|four| {
                    let [x, y, z, w] = four else { unreachable!("chunks of eight") };
                    [&mut x[..], y, z, w]
                })
                .collect();
            let mut outputs = ColumnsMut { outputs: four, killed: &mut killed };
            kernel.run(first..lanes, &Columns(&inputs), &call, &mut outputs);
            for (index, column) in got.iter().enumerate() {
                let expected = all[..lanes * 2].chunks(2).skip(first).map(|lane| lane[index / 4][index % 4]);
                assert!(column.iter().copied().eq(expected), "{lanes} lanes, column {index}");
            }
            assert_eq!(killed, all_killed[first..lanes]);
        }
    }
}

#[test]
fn threads_do_not_matter() {
    let sampler = PerLane(Echo);
    let call = Call { uniforms: &UNIFORMS, sampler: &sampler, ..Call::default() };
    let lanes = 100_001;
    let (all, all_killed) = expected(lanes);
    let values = rows(lanes);
    let kernel = Kernel::compile(&function()).expect("it is well formed");
    for threads in 1..=3 {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let (mut got, mut killed) = (vec![[7; 4]; lanes * 2], vec![7; lanes]);
        let outputs = RowsMut { values: &mut got, width: 2, killed: &mut killed };
        pool.install(|| kernel.run_parallel(0..lanes, &Rows { values: &values, width: 3 }, &call, outputs));
        assert!(got == all && killed == all_killed, "{threads} threads");
    }
}

#[test]
fn what_is_missing_reads_as_zeros() {
    let mut b = Builder::default();
    let (x, y, z, c) = (b.input(0), b.input(1), b.input(2), b.uniform(9));
    let bits = |b: &mut Builder, a, c| b.map2(Op2::IAdd, a, c);
    let sum = bits(&mut b, x, y);
    let sum = bits(&mut b, sum, z);
    let sum = bits(&mut b, sum, c);
    b.output(0, sum);
    let function = b.finish();
    let kernel = Kernel::compile_with(&function, &Options { invariant: &[2], ..Options::default() })
        .expect("well formed");
    let long: Vec<u32> = (1..=700).collect();
    // Input 0 has two columns, one of them too short for the last lanes; input 1 has none; nor has the invariant one.
    let inputs = [[&long[..], &long[..300], &[], &[]]];
    let mut got = vec![vec![7; 700]; 3];
    let [x, y, w] = &mut got[..] else { unreachable!("three") };
    // The last lane of w is not wanted, and nothing of z.
    let mut outputs = ColumnsMut { outputs: vec![[x, y, &mut [], &mut w[..699]]], killed: &mut [] };
    kernel.run(0..700, &Columns(&inputs), &Call::default(), &mut outputs);
    assert_eq!(got[0], long);
    assert_eq!(got[1][..300], long[..300]);
    assert!(got[1][300..].iter().all(|lane| *lane == 0));
    assert!(got[2][..699].iter().all(|lane| *lane == 0) && got[2][699] == 7);

    let mut got = vec![[7; 4]; 3];
    let mut outputs = RowsMut { values: &mut got, width: 1, killed: &mut [] };
    kernel.run(0..3, &Rows { values: &[[1; 4], [2; 4]], width: 1 }, &Call::default(), &mut outputs);
    assert_eq!(got, [[1; 4], [2; 4], [0; 4]]);
    kernel.run(0..3, &Rows::default(), &Call::default(), &mut RowsMut::default());
    kernel.run(0..3, &Columns::default(), &Call::default(), &mut ColumnsMut::default());
}

#[test]
fn invariant_work_is_done_once() {
    let mut b = Builder::default();
    let (edge, x, c) = (b.input(1), b.input(0), b.uniform(0));
    let mut value = b.map2(Op2::FMul, edge, c);
    for _ in 0..20 {
        value = b.map1(Op1::FExp2, value);
    }
    let sum = b.map2(Op2::FAdd, x, value);
    b.output(0, sum);
    let function = b.finish();
    let steps = |invariant: &[u16]| {
        Kernel::compile_with(&function, &Options { invariant, ..Options::default() })
            .expect("well formed")
            .steps()
    };
    assert_eq!(steps(&[]), 4 * 22);
    assert_eq!(steps(&[1]), 4);
    assert_eq!(steps(&[0, 1]), 0);
}

#[test]
fn only_what_is_read_is_computed() {
    let mut b = Builder::default();
    let (x, y) = (b.input(0), b.input(1));
    let product = b.map2(Op2::FMul, x, y);
    let sum = b.map2(Op2::FAdd, product, x);
    let _unread = b.map1(Op1::FSin, sum);
    let moved = b.shuffle(sum, product, [Pick::A(2), Pick::A(2), Pick::Zero, Pick::One]);
    b.output(0, moved);
    // One fmad of z, which is in two components.
    let kernel = Kernel::compile(&b.finish()).expect("well formed");
    assert_eq!((kernel.steps(), kernel.registers()), (1, 1));
    assert_eq!(kernel.inputs(), [(0, 2), (1, 2)]);
}

/// A sampler that looks at its neighbours: the difference to the lane before, which a block must not cut off from it
/// but at multiples of [`BLOCK`].
struct Slope;

impl Sampler for Slope {
    fn sample(&self, read: Read, coordinates: [&[u32]; 4], [x, y, ..]: [&mut [u32]; 4]) {
        assert!(read.first.is_multiple_of(BLOCK));
        for lane in 0..x.len() {
            x[lane] = coordinates[0][lane].wrapping_sub(coordinates[0][lane.saturating_sub(1)]);
        }
        assert!(y.is_empty(), "y is not read");
    }
}

#[test]
fn samplers_see_whole_blocks() {
    let mut b = Builder::default();
    let at = b.input(0);
    let texel = b.push(Inst::Sample(0, at));
    let x = b.swizzle(texel, [0; 4]);
    b.output(0, x);
    let kernel = Kernel::compile(&b.finish()).expect("well formed");
    let squares: Vec<u32> = (0..300).map(|lane| lane * lane).collect();
    let mut got = vec![0; 300];
    let mut outputs = ColumnsMut { outputs: vec![[&mut got, &mut [], &mut [], &mut []]], killed: &mut [] };
    let call = Call { sampler: &Slope, ..Call::default() };
    kernel.run(0..300, &Columns(&[[&squares, &[], &[], &[]]]), &call, &mut outputs);
    let slope = |lane: u32| if lane.is_multiple_of(256) { 0 } else { 2 * lane - 1 };
    assert!(got.into_iter().eq((0..300).map(slope)));
}

#[test]
fn what_cannot_be_compiled() {
    let selfish =
        Function { insts: vec![Inst::Map1(Op1::FNeg, Value(0))], origins: vec![None], outputs: vec![] };
    let problem = Problem::Operand { inst: Value(0), operand: Value(0) };
    assert_eq!(Kernel::compile(&selfish).err(), Some(Error::Problems(vec![problem])));

    // 2¹⁶ different uniform components are as many scalars as there can be.
    let sum_of = |uniforms: u16| {
        let mut b = Builder::default();
        let mut sum = b.input(0);
        for index in 0..uniforms {
            let uniform = b.uniform(index);
            sum = b.map2(Op2::FAdd, sum, uniform);
        }
        b.output(0, sum);
        Kernel::compile(&b.finish()).map(|kernel| kernel.steps())
    };
    assert_eq!(sum_of(16_384), Ok(65_536));
    assert_eq!(sum_of(16_385), Err(Error::TooLarge));

    // 2¹⁵ - 1 input components are too many, and so are 2¹⁵ values at a time.
    let inputs = |count: u16| {
        let mut b = Builder::default();
        let mut sum = b.input(0);
        for index in 1..count {
            let input = b.input(index);
            sum = b.map2(Op2::FAdd, sum, input);
        }
        b.output(0, sum);
        Kernel::compile(&b.finish()).map(|kernel| kernel.inputs().len())
    };
    assert_eq!(inputs(8_191), Ok(32_764));
    assert_eq!(inputs(8_192), Err(Error::TooLarge));
    let values = |count: u16| {
        let mut b = Builder::default();
        let x = b.input(0);
        for index in 0..count {
            let c = b.constant([u32::from(index) + 1; 4]);
            let sum = b.map2(Op2::IAdd, x, c);
            b.output(index, sum);
        }
        Kernel::compile(&b.finish()).map(|kernel| kernel.registers())
    };
    assert_eq!(values(8_000), Ok(32_001));
    assert_eq!(values(8_192), Err(Error::TooLarge));
}
