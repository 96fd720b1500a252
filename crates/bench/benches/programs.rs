//! The machines' programs on the evaluator and on the engine, in one run:
//! `cargo bench -p gpuzoo-bench --bench programs`. `GPUZOO_SIMD=portable|avx2|avx512|jit` chooses the level.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use gpuzoo::Registry;
use gpuzoo::bench::standard_program;
use gpuzoo::diag::{File, Span};
use gpuzoo::ir::eval::{NoTextures, Run};
use gpuzoo::ir::{Function, Vec4, passes};
use gpuzoo::isa::{Bits, Program};
use gpuzoo::machine::vectors::words;
use gpuzoo::machine::{RunState, TextOptions};
use gpuzoo_engine::{Call, Columns, ColumnsMut, Kernel, Rows, RowsMut};
use serde_json::Value;

fn main() {
    gpuzoo_engine::Level::requested().unwrap_or_else(|problem| panic!("{problem}"));
    divan::main();
}

/// Programs by name: the machine, its profile, and what the program is.
const CASES: [&str; 10] = [
    "nv2a cpu dp4",
    "nv2a hw dp4",
    "nv2a cpu light",
    "nv2a hw light",
    "nv2a cpu longest",
    "nv2a hw longest",
    "dreambox vu transform",
    "dreambox vu teapot",
    "picogpu unit fragment",
    "picogpu unit mix",
];

/// One attribute besides depth, scaled by a constant.
const FRAGMENT: &str =
    "#fragmentShader\n#input r6.xyzw\n#uniform r11.xyzw\n#output r3.xyzw\nfmul r3 r6 r11\n";

/// The longest program of the public vectors, 136 slots.
fn longest() -> Program {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../gpus/nv2a/tests/vectors/programs_sample.jsonl");
    let text = std::fs::read_to_string(path).expect("the vectors are in the repository");
    let records = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let slots = |record: &Value| record["slots"].as_array().map_or(0, Vec::len);
    let record = records.max_by_key(|record| slots(record)).expect("there are programs");
    let slot = |json: &Value| {
        let words = words(json).expect("words");
        let bits = Bits { words: [words[0], words[1], words[2], words[3], 0] };
        Registry::default()
            .shader_unit(Some("nv2a"), "")
            .expect("a machine")
            .isa()
            .slot(bits, Span::default())
    };
    let slots = record["slots"].as_array().expect("a list").iter().map(slot).collect();
    Program { slots, ..Program::default() }
}

fn function(case: &str) -> Function {
    let words: Vec<&str> = case.split(' ').collect();
    let (id, profile, name) = (words[0], words[1], words[2]);
    let example = |path: &str| {
        let path = format!("{}/../../examples/{path}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).expect("the examples are in the repository")
    };
    let gpu = Registry::default().shader_unit(Some(id), "").expect("a machine");
    let profile = gpu.about().profile(profile).unwrap_or_default();
    let assembled = |text: &str| {
        let assembled = gpu.assemble(&File::new("bench", text), &TextOptions::default());
        assert!(assembled.ok(), "{:?}", assembled.diagnostics);
        assembled.program
    };
    let program = match name {
        "teapot" => assembled(&example("dreambox/teapot.vu")),
        "fragment" => assembled(FRAGMENT),
        "longest" => longest(),
        name => standard_program(id, name).expect("a standard program").code().clone(),
    };
    let lowered = gpu.lower(&program, &RunState::from(profile)).0;
    passes::optimize(&lowered.function)
}

/// Values from 0.25 to 2.25, no two components alike.
fn values(count: usize) -> Vec<Vec4> {
    let value =
        |index: usize, component: usize| 0.25 + ((index * 4 + component) * 7919 % 4093) as f32 / 2048.0;
    (0..count).map(|index| [0, 1, 2, 3].map(|component| value(index, component).to_bits())).collect()
}

/// Lanes that stay in the cache.
const SMALL: usize = 4096;

/// Lanes that do not.
const LARGE: usize = 1 << 20;

#[divan::bench(args = CASES)]
fn evaluator(bencher: Bencher, case: &str) {
    let function = function(case);
    let (inputs, uniforms) = (values(function.input_count()), values(256));
    let mut run = Run::default();
    bencher.counter(ItemsCount::new(256usize)).bench_local(|| {
        for _ in 0..256 {
            run.run(&function, black_box(&inputs), &uniforms, &NoTextures);
            black_box(run.value(function.outputs[0].1));
        }
    });
}

/// Columns in, columns out, one thread.
fn columns(bencher: Bencher, case: &str, lanes: usize) {
    let function = function(case);
    let kernel = Kernel::compile(&function).expect("it fits");
    let uniforms = values(256);
    let slots = function.input_count();
    let columns: Vec<Vec<u32>> = (0..slots * 4)
        .map(|column| {
            values(lanes).iter().map(|vector| vector[column % 4].wrapping_add(column as u32)).collect()
        })
        .collect();
    let inputs: Vec<[&[u32]; 4]> =
        (0..slots).map(|slot| [0, 1, 2, 3].map(|component| &columns[slot * 4 + component][..])).collect();
    let mut outputs = vec![vec![0; lanes]; function.outputs.len() * 4];
    let call = Call { uniforms: &uniforms, ..Call::default() };
    bencher.counter(ItemsCount::new(lanes)).bench_local(|| {
        let mut columns = outputs.iter_mut();
        let mut next = || &mut columns.next().expect("four for each output")[..];
        let outputs = function.outputs.iter().map(|_| [next(), next(), next(), next()]).collect();
        let mut outputs = ColumnsMut { outputs, killed: &mut [] };
        kernel.run(0..lanes, &Columns(black_box(&inputs)), &call, &mut outputs);
    });
}

#[divan::bench(args = CASES)]
fn engine_4096(bencher: Bencher, case: &str) {
    columns(bencher, case, SMALL);
}

#[divan::bench(args = CASES)]
fn engine_million(bencher: Bencher, case: &str) {
    columns(bencher, case, LARGE);
}

/// A batch as some machines run them: 32 lanes, with all that a run costs.
#[divan::bench(args = CASES)]
fn engine_32(bencher: Bencher, case: &str) {
    columns(bencher, case, 32);
}

/// Vec4s in, vec4s out.
fn rows(bencher: Bencher, case: &str, parallel: bool) {
    let function = function(case);
    let kernel = Kernel::compile(&function).expect("it fits");
    let (uniforms, width) = (values(256), function.input_count().max(1));
    let inputs = values(LARGE * width);
    let count = function.outputs.len();
    let mut outputs = vec![[0; 4]; LARGE * count];
    let call = Call { uniforms: &uniforms, ..Call::default() };
    bencher.counter(ItemsCount::new(LARGE)).bench_local(|| {
        let inputs = Rows { values: black_box(&inputs), width };
        let mut outputs = RowsMut { values: &mut outputs, width: count, killed: &mut [] };
        if parallel {
            kernel.run_parallel(0..LARGE, &inputs, &call, outputs);
        } else {
            kernel.run(0..LARGE, &inputs, &call, &mut outputs);
        }
    });
}

#[divan::bench(args = CASES)]
fn engine_rows(bencher: Bencher, case: &str) {
    rows(bencher, case, false);
}

/// On all threads.
#[divan::bench(args = CASES)]
fn engine_rows_parallel(bencher: Bencher, case: &str) {
    rows(bencher, case, true);
}

/// From an optimized function to a kernel.
#[divan::bench(args = CASES)]
fn compile(bencher: Bencher, case: &str) {
    let function = function(case);
    bencher.bench_local(|| Kernel::compile(black_box(&function)));
}
