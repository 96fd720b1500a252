//! What the evaluator and the assembler cost: `cargo bench -p gpuzoo-bench --bench dreambox`.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use gpuzoo_diag::{File, Span};
use gpuzoo_dreambox::{GPU, ISA, lowered};
use gpuzoo_ir::eval::{NoTextures, Run};
use gpuzoo_ir::{Function, Vec4, passes};
use gpuzoo_isa::{Bits, Plain, Program, parse};
use gpuzoo_machine::ShaderUnit;
use gpuzoo_machine::TextOptions;
use gpuzoo_machine::vectors::{vec4s, words};
use serde_json::Value;

fn main() {
    divan::main();
}

const PROGRAMS: [&str; 3] = ["default_00", "transform_00", "light40_00"];

/// A program of the run vectors with its inputs and constants.
fn vector(name: &str) -> (Program, Vec<Vec4>, Vec<Vec4>) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../gpus/dreambox/tests/vectors/run_sample.jsonl");
    let text = std::fs::read_to_string(path).expect("the vectors are in the repository");
    let mut records = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let record = records.find(|record| record["name"] == name).expect("the vectors have this program");
    let words = words(&record["program"]).expect("words");
    let slots = words.iter().map(|&word| ISA.slot(Bits::word(word), Span::default()));
    let program = Program { slots: slots.collect(), ..Program::default() };
    (program, vec4s(&record["in"]).expect("inputs"), vec4s(&record["const"]).expect("constants"))
}

const VERTICES: usize = 1000;

fn run(bencher: Bencher, function: &Function, inputs: &[Vec4], constants: &[Vec4]) {
    let mut run = Run::default();
    bencher.counter(ItemsCount::new(VERTICES)).bench_local(|| {
        for _ in 0..VERTICES {
            run.run(function, black_box(inputs), constants, &NoTextures);
            black_box(run.value(function.outputs[0].1));
        }
    });
}

/// Vertices through the evaluator, the function as lowered.
#[divan::bench(args = PROGRAMS)]
fn evaluator(bencher: Bencher, name: &str) {
    let (program, inputs, constants) = vector(name);
    run(bencher, &lowered(&program).function, &inputs, &constants);
}

/// Vertices through the evaluator, the function optimized.
#[divan::bench(args = PROGRAMS)]
fn evaluator_optimized(bencher: Bencher, name: &str) {
    let (program, inputs, constants) = vector(name);
    run(bencher, &passes::optimize(&lowered(&program).function), &inputs, &constants);
}

/// Programs lowered to IR.
#[divan::bench(args = PROGRAMS)]
fn lower(bencher: Bencher, name: &str) {
    let (program, ..) = vector(name);
    bencher.counter(ItemsCount::new(1usize)).bench_local(|| lowered(black_box(&program)));
}

/// Lines of 63-line programs, as `assemble` takes them.
#[divan::bench]
fn assemble_lines(bencher: Bencher) {
    let (program, ..) = vector("light40_00");
    let text: String = GPU
        .disassemble(&program, &TextOptions::default())
        .0
        .lines()
        .cycle()
        .take(63)
        .map(|line| format!("{line}\n"))
        .collect();
    let file = File::new("bench", &text);
    bencher
        .counter(ItemsCount::new(63usize))
        .bench_local(|| GPU.assemble(black_box(&file), &TextOptions::default()));
}

/// Lines of one long text, without the limit of the machine.
#[divan::bench]
fn parse_lines(bencher: Bencher) {
    let (program, ..) = vector("light40_00");
    let text: String = GPU
        .disassemble(&program, &TextOptions::default())
        .0
        .lines()
        .cycle()
        .take(100_000)
        .map(|line| format!("{line}\n"))
        .collect();
    let file = File::new("bench", &text);
    bencher
        .counter(ItemsCount::new(100_000usize))
        .bench_local(|| parse(&ISA, ISA.syntax, black_box(&file), &mut Plain));
}

/// Slots printed as text.
#[divan::bench]
fn disassemble_slots(bencher: Bencher) {
    let (program, ..) = vector("light40_00");
    bencher
        .counter(ItemsCount::new(program.slots.len()))
        .bench_local(|| GPU.disassemble(black_box(&program), &TextOptions::default()).0);
}
