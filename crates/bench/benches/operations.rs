//! What one operation costs: `cargo bench -p gpuzoo-bench --bench operations`. Each runs 16 times over 4,096 lanes,
//! on every level that this processor has.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use gpuzoo_engine::{Call, Columns, ColumnsMut, Kernel, Level, Options};
use gpuzoo_ir::{Builder, Dot, Function, Inst, Op1, Op2, Op3, Pick, Value};

fn main() {
    Level::requested().unwrap_or_else(|problem| panic!("{problem}"));
    divan::main();
}

const LANES: usize = 4096;
const REPEATS: usize = 16;

/// Sixteen of `inst` in a row on lane x, each reading the one before and input 1; the result is in output 0.
fn chain(inst: impl Fn(Value, Value) -> Inst) -> Function {
    let mut b = Builder::default();
    let (x, y) = (b.input(0), b.input(1));
    let mut value = b.swizzle(x, [0; 4]);
    let y = b.swizzle(y, [0; 4]);
    for _ in 0..REPEATS {
        value = b.push(inst(value, y));
    }
    let result = b.shuffle(value, value, [Pick::A(0), Pick::Zero, Pick::Zero, Pick::Zero]);
    b.output(0, result);
    b.finish()
}

/// Every kind of operation: cheap, with f64 inside, with tables, truncating.
fn functions() -> Vec<(String, Function)> {
    let mut functions = Vec::new();
    for op in Op1::ALL {
        functions.push((op.name().to_string(), chain(|a, _| Inst::Map1(*op, a))));
    }
    for op in Op2::ALL {
        functions.push((op.name().to_string(), chain(|a, b| Inst::Map2(*op, [a, b]))));
    }
    for op in Op3::ALL {
        functions.push((op.name().to_string(), chain(|a, b| Inst::Map3(*op, [a, b, b]))));
    }
    for dot in Dot::ALL {
        functions.push((dot.name().to_string(), chain(|a, b| Inst::Dot(*dot, [a, b]))));
    }
    functions
}

/// The operations with the level to run them on.
fn cases() -> Vec<String> {
    let levels = || Level::ALL.into_iter().filter(|level| level.is_supported());
    functions()
        .iter()
        .flat_map(|(name, _)| levels().map(move |level| format!("{name} {}", level.name())))
        .collect()
}

#[divan::bench(args = cases())]
fn step(bencher: Bencher, case: &str) {
    let (name, level) = case.split_once(' ').expect("two words");
    let (_, function) = functions().into_iter().find(|(known, _)| known == name).expect("a known name");
    let level = Level::ALL.into_iter().find(|known| known.name() == level);
    let kernel = Kernel::compile_with(&function, &Options { level, ..Options::default() }).expect("small");
    let x: Vec<u32> = (0..LANES as u32).map(|lane| (lane as f32 / 1024.0 + 0.25).to_bits()).collect();
    let y: Vec<u32> = (0..LANES as u32).map(|lane| (1.5 - lane as f32 / 8192.0).to_bits()).collect();
    let mut out = vec![0; LANES];
    bencher.counter(ItemsCount::new(LANES * REPEATS)).bench_local(|| {
        let mut outputs =
            ColumnsMut { outputs: vec![[&mut out, &mut [], &mut [], &mut []]], killed: &mut [] };
        let inputs = [[&x[..], &[], &[], &[]], [&y[..], &[], &[], &[]]];
        kernel.run(0..LANES, &Columns(black_box(&inputs)), &Call::default(), &mut outputs);
    });
}
