//! What assembling, disassembling and evaluating cost: `cargo bench -p gpuzoo-bench --bench nv2a`.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use gpuzoo_diag::{File, Span};
use gpuzoo_ir::eval::{NoTextures, Run};
use gpuzoo_ir::{Vec4, passes};
use gpuzoo_isa::{Bits, Program};
use gpuzoo_machine::Gpu;
use gpuzoo_machine::vectors::words;
use gpuzoo_nv2a::{GPU, ISA, Options, VSH, assemble, disassemble, lowered};
use serde_json::Value;

fn main() {
    divan::main();
}

/// The longest program of the vectors.
fn program() -> Program {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../gpus/nv2a/tests/vectors/programs_sample.jsonl");
    let text = std::fs::read_to_string(path).expect("the vectors are in the repository");
    let records = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let slots = |record: &Value| record["slots"].as_array().map_or(0, Vec::len);
    let record = records.max_by_key(|record| slots(record)).expect("there are programs");
    let slot = |json: &Value| {
        let words = words(json).expect("words");
        ISA.slot(Bits { words: [words[0], words[1], words[2], words[3], 0] }, Span::default())
    };
    let slots = record["slots"].as_array().expect("a list").iter().map(slot).collect();
    Program { slots, ..Program::default() }
}

/// A text of 650 statements, one slot each, in the first dialect.
fn long_text() -> File {
    let text = disassemble(&program(), &VSH, None).text;
    let lines = text.lines().filter(|line| !line.starts_with(';')).cycle().take(650);
    File::new("bench", &lines.map(|line| format!("{line}\n")).collect::<String>())
}

/// Slots assembled from a text of 650 (which is too long for the machine, so the limit is reported, too).
#[divan::bench]
fn assemble_650_slots(bencher: Bencher) {
    let file = long_text();
    bencher
        .counter(ItemsCount::new(650usize))
        .bench_local(|| assemble(black_box(&file), &Options::default()));
}

/// Slots printed in the first dialect.
#[divan::bench]
fn disassemble_slots(bencher: Bencher) {
    let program = program();
    let count = program.slots.len();
    bencher.counter(ItemsCount::new(count)).bench_local(|| disassemble(black_box(&program), &VSH, None));
}

/// Vertices through the evaluator.
#[divan::bench(args = GPU.about().named_profiles().map(|(name, _)| name))]
fn evaluator(bencher: Bencher, profile: &str) {
    let profile = GPU.about().profile(profile).expect("one of the machine's");
    let function = passes::optimize(&lowered(&program(), profile).function);
    let (inputs, uniforms): (Vec<Vec4>, Vec<Vec4>) =
        (vec![[0x3f80_0000; 4]; 16], vec![[0x3f00_0000; 4]; 192]);
    let mut run = Run::default();
    bencher.counter(ItemsCount::new(100usize)).bench_local(|| {
        for _ in 0..100 {
            run.run(&function, black_box(&inputs), &uniforms, &NoTextures);
            black_box(run.value(function.outputs[0].1));
        }
    });
}
