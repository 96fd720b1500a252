//! Operations in integers against the evaluator, bit for bit, on the host's GPU.

use crate::lanes::{self, Form, Random};
use crate::{HOST, asked_for};
use gpuzoo_host::Host;
use gpuzoo_ir::record::Operation;
use gpuzoo_translate::exact;
use std::time::Instant;

/// Random lanes of each operation; `GPUZOO_LANES` asks for more.
const LANES: usize = 100_000;

/// Lanes of one dispatch.
const CHUNK: usize = 1 << 20;

/// How many lanes differ from the evaluator, and the first that does.
fn mismatches(host: &Host, operation: Operation, form: Form, lanes: usize) -> (usize, usize, Option<String>) {
    let arity = lanes::arity(operation);
    let kernel =
        lanes::kernel(host, operation, form).unwrap_or_else(|error| panic!("{}: {error}", operation.name()));
    let mut random = Random::new(operation.number() as u64 * 977 + 5);
    let mut input = lanes::edges(arity, &mut random);
    let (mut done, mut wrong, mut first) = (0, 0, None);
    let mut left = lanes;
    loop {
        while left > 0 && input.len() < CHUNK * arity {
            random.lane(arity, &mut input);
            left -= 1;
        }
        let output = lanes::run(&kernel, &input, arity)
            .unwrap_or_else(|error| panic!("{}: {error}", operation.name()));
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
        input.clear();
        if left == 0 {
            return (done, wrong, first);
        }
    }
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
        let (lanes, wrong, first) = mismatches(host, operation, form, asked_for("GPUZOO_LANES", LANES));
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
