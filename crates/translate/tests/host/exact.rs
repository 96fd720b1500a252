//! Operations in integers against the evaluator, bit for bit, on the host's GPU.

use crate::lanes::{self, Form, Random};
use crate::{HOST, asked_for};
use gpuzoo_host::Host;
use gpuzoo_ir::Op1;
use gpuzoo_ir::record::Operation;
use gpuzoo_translate::exact;
use std::time::Instant;

/// Random lanes of each operation; `GPUZOO_LANES` asks for more.
const LANES: usize = 100_000;

/// Lanes of one dispatch.
const CHUNK: usize = 1 << 20;

/// How many lanes were tried, how many differ from the evaluator, and the first that does.
fn mismatches(
    host: &Host,
    operation: Operation,
    form: Form,
    batches: impl Iterator<Item = Vec<u32>>,
) -> (usize, usize, Option<String>) {
    let arity = lanes::arity(operation);
    let failed = |error| -> ! { panic!("{}: {error}", operation.name()) };
    let kernel = lanes::kernel(host, operation, form).unwrap_or_else(|error| failed(error));
    let (mut done, mut wrong, mut first) = (0, 0, None);
    for input in batches {
        let output = lanes::run(&kernel, &input, arity).unwrap_or_else(|error| failed(error));
        for (arguments, result) in input.chunks_exact(arity).zip(&output) {
            let expected = lanes::expected(operation, arguments);
            if *result != expected {
                wrong += 1;
                first.get_or_insert_with(|| {
                    format!("{} {arguments:08x?}: {result:08x}, expected {expected:08x}", operation.name())
                });
            }
        }
        done += output.len();
    }
    (done, wrong, first)
}

/// The edges, then random lanes.
fn edges_and_random(operation: Operation, lanes: usize) -> impl Iterator<Item = Vec<u32>> {
    let arity = lanes::arity(operation);
    let mut random = Random::new(operation.number() as u64 * 977 + 5);
    let mut edges = Some(lanes::edges(arity, &mut random));
    let mut left = lanes;
    std::iter::from_fn(move || {
        let mut input = edges.take().unwrap_or_default();
        while left > 0 && input.len() < CHUNK * arity {
            random.lane(arity, &mut input);
            left -= 1;
        }
        (!input.is_empty()).then_some(input)
    })
}

/// All operations in one form; GPUZOO_OPERATION=name picks one.
fn all(form: Form) {
    let Some(host) = HOST.as_ref() else { return };
    let only = std::env::var("GPUZOO_OPERATION").ok();
    let mut problems = Vec::new();
    for operation in
        Operation::all().filter(|operation| only.as_deref().is_none_or(|name| name == operation.name()))
    {
        if form == Form::Recorded && !exact::is_written(operation) {
            continue;
        }
        let start = Instant::now();
        let (lanes, wrong, first) =
            mismatches(host, operation, form, edges_and_random(operation, asked_for("GPUZOO_LANES", LANES)));
        eprintln!("{:20} {form:?} {lanes:9} lanes {wrong:6} differ {:?}", operation.name(), start.elapsed());
        problems.extend(first);
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn operations_have_the_evaluators_bits() {
    all(Form::Chosen);
}

#[test]
fn records_have_the_evaluators_bits() {
    all(Form::Recorded);
}

/// Two of Newton's steps in integers have no rule but these: mantissas, for odd and for even exponents. All of them with
/// `GPUZOO_LANES=16777216`, every 167th without.
#[test]
fn reciprocals_of_every_mantissa() {
    let Some(host) = HOST.as_ref() else { return };
    let step = ((1 << 24) / asked_for("GPUZOO_LANES", LANES).max(1)).max(1);
    let mantissas: Vec<u32> = (0x3f80_0000..0x4080_0000).step_by(step).collect();
    for op in [Op1::FRcpTrunc, Op1::FRsqTrunc, Op1::FLog2Trunc, Op1::FSqrt] {
        let batches = mantissas.chunks(CHUNK).map(<[u32]>::to_vec);
        let (lanes, wrong, first) = mismatches(host, Operation::One(op), Form::Chosen, batches);
        eprintln!("{:20} {lanes} lanes {wrong} differ", op.name());
        assert_eq!((first, lanes), (None, mantissas.len()));
    }
}
