//! The IR: its text, its passes, and the engine on all levels, each against the evaluator.

use crate::bytes::{Bytes, EDGES};
use crate::sound::sound;
use gpuzoo_diag::{File, Sources, has_errors};
use gpuzoo_engine::{Call, Kernel, Level, Options, PerLane, Rows, RowsMut};
use gpuzoo_ir::eval::{Run, Textures};
use gpuzoo_ir::verify::verify;
use gpuzoo_ir::{Dot, Function, Inst, Op1, Op2, Op3, Pick, Value, Vec4, passes, text as written};

/// Inputs and constants of the functions.
const INPUTS: usize = 3;
const UNIFORMS: usize = 5;

/// Texels that depend on the unit and on every bit of the coordinates.
pub(crate) struct Noise;

impl Textures for Noise {
    fn sample(&self, unit: u8, at: Vec4) -> Vec4 {
        let hash = at.iter().fold(u32::from(unit), |hash, component| {
            (hash ^ component).wrapping_mul(0x9e37_79b1).rotate_left(13)
        });
        [hash, EDGES[hash as usize % EDGES.len()], hash.rotate_left(7), at[3]]
    }
}

/// Any text as a function: what is read is well-formed, and prints as what reads back the same.
pub(crate) fn text(bytes: &[u8]) {
    let mut sources = Sources::default();
    let id = sources.add("t.ir", &String::from_utf8_lossy(bytes));
    let (function, problems) = written::parse(sources.get(id));
    sound(&sources, &problems);
    // Even with errors nothing is out of place.
    assert_eq!(verify(&function), Ok(()));
    if has_errors(&problems) {
        return;
    }
    let printed = function.to_string();
    let (again, problems) = written::parse(&File::new("again.ir", &printed));
    assert!(problems.is_empty(), "{printed}\n{problems:?}");
    assert_eq!(again, function);
    let values = [[0x3f80_0000; 4]; 4];
    for pass in PASSES {
        same(&function, &pass(&function), &values, &values);
    }
}

const PASSES: [fn(&Function) -> Function; 5] =
    [passes::fold, passes::shuffles, passes::cse, passes::dead, passes::optimize];

/// A function of some bytes: each pass keeps its outputs and kills, and what is optimized stays as it is.
pub(crate) fn optimizer(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let inputs: Vec<Vec4> = (0..INPUTS).map(|_| bytes.vec4(&EDGES)).collect();
    let uniforms: Vec<Vec4> = (0..UNIFORMS).map(|_| bytes.vec4(&EDGES)).collect();
    let function = function(&mut bytes, false);
    for pass in PASSES {
        let after = pass(&function);
        assert_eq!(verify(&after), Ok(()), "{function}\n{after}");
        same(&function, &after, &inputs, &uniforms);
    }
    let optimized = passes::optimize(&function);
    assert_eq!(passes::optimize(&optimized), optimized, "{function}");
}

fn same(before: &Function, after: &Function, inputs: &[Vec4], uniforms: &[Vec4]) {
    let ends = |function: &Function| {
        let mut run = Run::default();
        run.run(function, inputs, uniforms, &Noise);
        let outputs: Vec<_> =
            function.outputs.iter().map(|(number, value)| (*number, run.value(*value))).collect();
        (outputs, run.killed().map(|kill| function.origins[kill.index()]))
    };
    assert_eq!(ends(before), ends(after), "{before}\n{after}");
}

/// A function of some bytes over some lanes: every level gives the evaluator's bits, of the function as it is and optimized.
pub(crate) fn engine(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let lanes = match bytes.byte() {
        // More than a block of the engine now and then.
        few @ 0..240 => usize::from(few) % 40 + 1,
        many => 240 + usize::from(many) % 20,
    };
    let invariant: Vec<u16> = {
        let chosen = bytes.below(1 << INPUTS);
        (0..INPUTS as u16).filter(|input| chosen >> input & 1 != 0).collect()
    };
    let cheap = bytes.bool();
    let some: Vec<Vec4> = (0..8).map(|_| bytes.vec4(&EDGES)).collect();
    let uniforms: Vec<Vec4> =
        (0..UNIFORMS).map(|at| some[at % some.len()].map(|bits| bits.rotate_left(at as u32))).collect();
    let values: Vec<Vec4> = (0..lanes * INPUTS)
        .map(|at| match at % 7 {
            0 => [0, 1, 2, 3].map(|lane| EDGES[(at / 7 + lane) % EDGES.len()]),
            _ => some[at % some.len()].map(|bits| bits.wrapping_add(at as u32 / 8)),
        })
        .collect();
    let function = function(&mut bytes, cheap);
    for function in [&function, &passes::optimize(&function)] {
        on_all_levels(function, &values, &uniforms, &invariant);
    }
}

fn on_all_levels(function: &Function, values: &[Vec4], uniforms: &[Vec4], invariant: &[u16]) {
    let (outputs, killed) = evaluated(function, values, uniforms, invariant);
    let call = Call { uniforms, invariant: &values[..INPUTS], sampler: &PerLane(Noise) };
    for level in Level::ALL.into_iter().filter(|level| level.is_supported()) {
        let options = Options { invariant, level: Some(level), ..Options::default() };
        let kernel = Kernel::compile_with(function, &options).expect("it is well-formed");
        let (count, width) = (values.len() / INPUTS, kernel.outputs().len());
        let (mut results, mut dead) = (vec![[1; 4]; count * width], vec![0; count]);
        let mut rows = RowsMut { values: &mut results, width, killed: &mut dead };
        kernel.run(0..count, &Rows { values, width: INPUTS }, &call, &mut rows);
        assert_eq!(results, outputs, "{}\n{function}", level.name());
        assert_eq!(dead, killed, "{}\n{function}", level.name());
    }
}

/// The outputs of all lanes, and which were killed. Inputs in `invariant` are those of lane 0.
fn evaluated(
    function: &Function,
    values: &[Vec4],
    uniforms: &[Vec4],
    invariant: &[u16],
) -> (Vec<Vec4>, Vec<u32>) {
    let mut run = Run::default();
    let (mut outputs, mut killed) = (Vec::new(), Vec::new());
    for lane in values.chunks(INPUTS) {
        let mut inputs = lane.to_vec();
        invariant.iter().for_each(|input| inputs[usize::from(*input)] = values[usize::from(*input)]);
        run.run(function, &inputs, uniforms, &Noise);
        outputs.extend(function.outputs.iter().map(|(_, value)| run.value(*value)));
        killed.push(if run.killed().is_some() { u32::MAX } else { 0 });
    }
    (outputs, killed)
}

/// So many instructions a function has at most.
const LONGEST: usize = 300;

/// Operations that machine code has, so that it gets long loops whose values do not all fit into registers.
const CHEAP1: [Op1; 6] = [Op1::FAbs, Op1::FNeg, Op1::FSign, Op1::FSqrt, Op1::INeg, Op1::FMantissa];
#[rustfmt::skip]
const CHEAP2: [Op2; 11] = [
    Op2::FAdd, Op2::FDiv, Op2::FMax, Op2::FMin, Op2::FMinTotal, Op2::FMul, Op2::FMulFinite, Op2::FSge, Op2::FSltZeros,
    Op2::FSub, Op2::IXor,
];
const CHEAP3: [Op3; 2] = [Op3::FMad, Op3::ISelect];

/// A well-formed function of all kinds of instructions, a few bytes each.
fn function(bytes: &mut Bytes, cheap: bool) -> Function {
    let outputs: Vec<(u16, u8)> = (0..bytes.below(3) + 1).map(|at| (at as u16 * 2, bytes.byte())).collect();
    let mut insts = vec![Inst::Input(0)];
    while !bytes.is_empty() && insts.len() < LONGEST {
        insts.push(inst(bytes, insts.len() as u32, cheap));
    }
    let last = insts.len() as u32 - 1;
    // Each has an origin of its own, so that kills can be distinguished; some have none.
    let origins = (0..=last).map(|index| (index % 7 != 3).then_some(index)).collect();
    let outputs =
        outputs.into_iter().map(|(number, back)| (number, Value(last - u32::from(back) % (last + 1))));
    Function { outputs: outputs.collect(), insts, origins }
}

fn inst(bytes: &mut Bytes, index: u32, cheap: bool) -> Inst {
    let kind = bytes.below(16);
    let mut value = || Value(index - 1 - u32::from(bytes.byte()) % index);
    let [a, b, c] = [value(), value(), value()];
    match kind {
        0 => Inst::Const(bytes.vec4(&EDGES)),
        1 => Inst::Input(bytes.below(INPUTS) as u16),
        2 => Inst::Uniform(bytes.below(UNIFORMS) as u16),
        3 if !cheap => Inst::UniformAt {
            index: a,
            base: bytes.of(&[0, -1, 2, i32::MIN, i32::MAX]),
            count: bytes.below(8) as u16,
        },
        4 if !cheap => Inst::Sample(bytes.below(2) as u8, a),
        5 => Inst::Kill(a),
        6 | 7 => Inst::Map1(if cheap { bytes.of(&CHEAP1) } else { bytes.of(Op1::ALL) }, a),
        8 | 9 => Inst::Map2(if cheap { bytes.of(&CHEAP2) } else { bytes.of(Op2::ALL) }, [a, b]),
        10 => Inst::Map3(if cheap { bytes.of(&CHEAP3) } else { bytes.of(Op3::ALL) }, [a, b, c]),
        11 => Inst::Dot(bytes.of(Dot::ALL), [a, b]),
        _ => Inst::Shuffle([a, b], [(); 4].map(|()| pick(bytes.byte()))),
    }
}

fn pick(byte: u8) -> Pick {
    match byte % 10 {
        component @ 0..4 => Pick::A(component),
        component @ 4..8 => Pick::B(component - 4),
        8 => Pick::Zero,
        _ => Pick::One,
    }
}
