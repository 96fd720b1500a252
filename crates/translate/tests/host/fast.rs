//! How far the host's floats are from the machine's numbers, operation by operation.

use crate::lanes::Random;
use crate::runs::Ready;
use crate::{HOST, asked_for};
use gpuzoo_diag::Span;
use gpuzoo_ir::record::Operation;
use gpuzoo_ir::{Builder, Op1, Op2, Op3, Vec4};
use gpuzoo_isa::Stage;
use gpuzoo_translate::{Fidelity, Input, Output, Program};

/// Lanes of each operation; `GPUZOO_LANES` asks for more.
const LANES: usize = 20_000;

/// A program that is one operation on inputs.
fn program(operation: Operation) -> Program {
    let mut b = Builder::default();
    let values: Vec<_> = (0..3).map(|number| b.input(number)).collect();
    let result = match operation {
        Operation::One(op) => b.map1(op, values[0]),
        Operation::Two(op) => b.map2(op, values[0], values[1]),
        Operation::Three(op) => b.map3(op, values[0], values[1], values[2]),
        Operation::Dot(dot) => b.dot(dot, values[0], values[1]),
    };
    b.output(0, result);
    let function = b.finish();
    let input = |number| Input { number, name: format!("v{number}"), port: None };
    Program {
        machine: "test",
        profile: String::new(),
        stage: Stage::Vertex,
        positions: Default::default(),
        place_has_depth: true,
        locations: 0,
        inputs: (0..function.input_count() as u16).map(input).collect(),
        outputs: vec![Output { name: "o0".to_owned(), port: None, written: true, constant: None }],
        constants: 0,
        host: None,
        given: Vec::new(),
        constant: "c".to_owned(),
        samples: Vec::new(),
        slots: Vec::new(),
        spans: Vec::new(),
        span: Span::default(),
        written: Vec::new(),
        names: vec![Default::default(); function.insts.len()],
        function,
    }
}

/// How far a result may be: in units of the last place of the machine's, or as a difference where the result is near zero.
struct Limit {
    ulp: f64,
    difference: f64,
}

/// The limits that the documentation states.
fn limit(operation: Operation) -> Limit {
    let ulp = |ulp| Limit { ulp, difference: 0.0 };
    match operation {
        Operation::One(op) => match op {
            Op1::FExp => Limit { ulp: 20.0, difference: 0.0 },
            Op1::FExp2 => ulp(4.0),
            // The machine's own are right to 2⁻¹²: the host is nearer to the truth.
            Op1::FExp2Trunc => ulp(4096.0),
            Op1::FLog | Op1::FLog2 => Limit { ulp: 4.0, difference: 1e-6 },
            Op1::FLog2Trunc => Limit { ulp: 0.0, difference: 5e-4 },
            Op1::FSin | Op1::FCos => Limit { ulp: 4.0, difference: 1e-6 },
            Op1::FTan => Limit { ulp: 8.0, difference: 1e-5 },
            Op1::FAsin | Op1::FAcos => Limit { ulp: 0.0, difference: 5e-4 },
            Op1::FAtan => Limit { ulp: 4.0, difference: 5e-6 },
            Op1::FRcpTrunc | Op1::FRccTrunc | Op1::FRsqTrunc => ulp(8.0),
            Op1::FRccLoose => ulp(4.0),
            Op1::FFractTrunc => Limit { ulp: 1.0, difference: 1e-7 },
            _ => ulp(0.0),
        },
        Operation::Two(op) => match op {
            Op2::FPow => ulp(80.0),
            Op2::FAtan2 => Limit { ulp: 0.0, difference: 1e-5 },
            Op2::FDiv => ulp(2.5),
            Op2::FAddTrunc | Op2::FMulTrunc => Limit { ulp: 1.0, difference: 1e-6 },
            _ => ulp(0.0),
        },
        Operation::Three(op) => match op.name() {
            "flit" => ulp(80.0),
            "flit_trunc" => ulp(65536.0),
            _ => ulp(0.0),
        },
        Operation::Dot(dot) => match dot.name() {
            "dot3_trunc" | "dot4_trunc" => Limit { ulp: 8.0, difference: 1e-4 },
            _ => ulp(0.0),
        },
    }
}

/// Usual numbers: of sizes that colours, positions and angles have. Exponents of powers are small, arcs from -1 to 1.
fn usual(operation: Operation, random: &mut Random) -> Vec4 {
    let scale = match operation {
        Operation::One(Op1::FAsin | Op1::FAcos) => 1.0,
        Operation::One(Op1::FTan | Op1::FSin | Op1::FCos) => 3.0,
        _ => 8.0,
    };
    let positive = matches!(operation, Operation::Two(Op2::FPow) | Operation::Three(_))
        || matches!(operation, Operation::One(Op1::FSqrt | Op1::FLog | Op1::FLog2));
    [(); 4].map(|()| {
        let number = random.next() as f32 / u32::MAX as f32;
        (if positive { number * scale + 0.01 } else { (number * 2.0 - 1.0) * scale }).to_bits()
    })
}

#[test]
fn operations_stay_within_their_limits() {
    let Some(host) = HOST.as_ref() else { return };
    let mut problems = Vec::new();
    for operation in Operation::all() {
        let program = program(operation);
        let ready = Ready::new(host, &program, Fidelity::Fast)
            .unwrap_or_else(|error| panic!("{}: {error}", operation.name()));
        let mut random = Random::new(operation.number() as u64 + 77);
        let lanes = asked_for("GPUZOO_LANES", LANES) / 4;
        let inputs: Vec<Vec<Vec4>> =
            (0..lanes).map(|_| (0..3).map(|_| usual(operation, &mut random)).collect()).collect();
        let got = ready.run(&inputs, &[]).unwrap();
        let expected = ready.evaluated(&inputs, &[]);
        let (mut same, mut all, mut worst_ulp, mut worst_difference, mut beyond) =
            (0, 0, 0.0f64, 0.0f64, None);
        let Limit { ulp, difference } = limit(operation);
        for (run, (got, expected)) in got.iter().zip(&expected).enumerate() {
            for (got, expected) in got[0].iter().zip(expected[0]) {
                all += 1;
                same += usize::from(*got == expected);
                let (got, expected) = (f32::from_bits(*got), f32::from_bits(expected));
                if got.to_bits() == expected.to_bits() || got.is_nan() && expected.is_nan() || got == expected
                {
                    continue;
                }
                let away = (f64::from(got) - f64::from(expected)).abs();
                let step = f64::from(f32::from_bits((expected.to_bits() & 0x7fff_ffff) + 1))
                    - f64::from(expected).abs();
                let places = away / step;
                worst_ulp = worst_ulp.max(places);
                worst_difference = worst_difference.max(away);
                // A difference that is NaN is beyond any limit.
                if !(places <= ulp || away <= difference) {
                    beyond.get_or_insert(format!(
                        "{}: {got:e}, expected {expected:e} of {:?}",
                        operation.name(),
                        inputs[run]
                    ));
                }
            }
        }
        eprintln!(
            "{:20} {all:8} components {:8.3} % the same, worst {worst_ulp:12.1} ulp {worst_difference:9.2e}",
            operation.name(),
            100.0 * same as f64 / all as f64,
        );
        problems.extend(beyond);
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// What programs that light depend on: nothing from behind, nothing to the power of something, anything to the power of nothing.
#[test]
fn highlights_have_no_special_numbers() {
    let Some(host) = HOST.as_ref() else { return };
    let program = program(Operation::Three(Op3::FLitTrunc));
    let ready = Ready::new(host, &program, Fidelity::Fast).unwrap();
    let numbers = [-1.0f32, -0.5, 0.0, 0.5, 1.0];
    let cases = numbers.iter().flat_map(|a| numbers.iter().map(move |b| (a, b)));
    let cases = cases.flat_map(|(a, b)| [0.0f32, 0.01, 1.0, 10.0, 127.0, 500.0].map(|c| [*a, *b, c]));
    let inputs: Vec<Vec<Vec4>> =
        cases.map(|case| case.map(|number| [number.to_bits(); 4]).to_vec()).collect();
    let (got, expected) = (ready.run(&inputs, &[]).unwrap(), ready.evaluated(&inputs, &[]));
    for ((inputs, got), expected) in inputs.iter().zip(&got).zip(&expected) {
        let (got, expected) = (f32::from_bits(got[0][0]), f32::from_bits(expected[0][0]));
        assert!((got - expected).abs() <= 0.01, "{got} for {expected} of {inputs:x?}");
    }
}
