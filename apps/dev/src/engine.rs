//! `cargo xtask engine-exact [--tuples N] [--level NAME] [op…]`: the engine's bits against the evaluator's, on every level
//! that this processor has, or on one.
//!
//! Operations of one operand are tried on all 2³² bit patterns, the others on many pseudo-random tuples of which
//! a part are edges and a part lie near each other. Operands that are the same in all lanes have loops of their own, so
//! every choice of such operands is tried as well.

use std::io::Write;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use crate::oracle;
use gpuzoo_engine::{Call, Columns, ColumnsMut, Error, Kernel, Level, Options};
use gpuzoo_ir::{Builder, Dot, Inst, Op1, Op2, Op3, Value, Vec4};
use indicatif::{ProgressBar, ProgressStyle};

/// How many tuples a thread takes at a time.
const CHUNK: u64 = 1 << 16;

/// Pseudo-random tuples for each operation on more than one operand, unless the command line says otherwise.
const TUPLES: u64 = 200_000_000;

/// Lanes of a run in which some operands are the same for all.
const RUN: usize = 1 << 10;

#[derive(Clone, Copy)]
enum Op {
    Unary(Op1),
    Binary(Op2),
    Ternary(Op3),
    Dot(Dot),
}

impl Op {
    fn all() -> Vec<Op> {
        let unary = Op1::ALL.iter().map(|op| Op::Unary(*op));
        let binary = Op2::ALL.iter().map(|op| Op::Binary(*op));
        let ternary = Op3::ALL.iter().map(|op| Op::Ternary(*op));
        unary.chain(binary).chain(ternary).chain(Dot::ALL.iter().map(|dot| Op::Dot(*dot))).collect()
    }

    fn name(self) -> &'static str {
        match self {
            Op::Unary(op) => op.name(),
            Op::Binary(op) => op.name(),
            Op::Ternary(op) => op.name(),
            Op::Dot(dot) => dot.name(),
        }
    }

    /// Vec4 operands, and components of each that count.
    fn shape(self) -> (usize, usize) {
        match self {
            Op::Unary(_) => (1, 1),
            Op::Binary(_) => (2, 1),
            Op::Ternary(_) => (3, 1),
            Op::Dot(_) => (2, 4),
        }
    }

    fn inst(self, a: Value, b: Value, c: Value) -> Inst {
        match self {
            Op::Unary(op) => Inst::Map1(op, a),
            Op::Binary(op) => Inst::Map2(op, [a, b]),
            Op::Ternary(op) => Inst::Map3(op, [a, b, c]),
            Op::Dot(dot) => Inst::Dot(dot, [a, b]),
        }
    }

    /// The evaluator's result for row `row` of the columns.
    fn eval(self, columns: &[Vec<u32>], row: usize) -> u32 {
        let at = |column: usize| columns[column][row];
        match self {
            Op::Unary(op) => op.eval(at(0)),
            Op::Binary(op) => op.eval(at(0), at(1)),
            Op::Ternary(op) => op.eval(at(0), at(1), at(2)),
            Op::Dot(dot) => dot.eval([0, 1, 2, 3].map(at), [4, 5, 6, 7].map(at)),
        }
    }

    /// Kernels for each level and each choice of operands that are the same in all lanes: output 0 is the operation on
    /// inputs 0, 1 and 2, or on uniforms of these numbers.
    fn kernels(self, levels: &[Level]) -> Result<Vec<Variant>, Error> {
        let (operands, _) = self.shape();
        let mut kernels = Vec::new();
        // What is the same in all operands is computed once, by the evaluator's own functions.
        for uniform in 0..(1 << operands) - 1 {
            let mut b = Builder::default();
            let [x, y, z] = [0, 1, 2]
                .map(|index| if uniform >> index & 1 == 1 { b.uniform(index) } else { b.input(index) });
            let result = b.push(self.inst(x, y, z));
            b.output(0, result);
            let function = b.finish();
            for &level in levels {
                let options = Options { level: Some(level), ..Options::default() };
                kernels.push(Variant { uniform, kernel: Kernel::compile_with(&function, &options)? });
            }
        }
        Ok(kernels)
    }
}

/// An operation compiled for a level.
struct Variant {
    /// The operands that are the same in all lanes, as a mask.
    uniform: usize,
    kernel: Kernel,
}

/// Bits for place `place` of tuple `index`: edges, numbers near 1, and any.
fn bits(edges: &[u32], index: u64, place: u64) -> u32 {
    let mixed = oracle::mix(index * 8 + place);
    let bits = (mixed >> 32) as u32;
    match mixed % 8 {
        0 => edges[bits as usize % edges.len()],
        1..4 => (bits & 0x807f_ffff) + ((119 + (bits >> 23) % 16) << 23),
        _ => bits,
    }
}

/// Runs the task: exit status 0 if all bits are the evaluator's, 1 if not, 2 for bad arguments.
pub fn run(args: &[String]) -> ExitCode {
    let (mut ops, mut tuples) = (Vec::new(), TUPLES);
    let mut levels: Vec<Level> = Level::ALL.into_iter().filter(|level| level.is_supported()).collect();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        if arg == "--tuples"
            && let Some(count) = args.next().and_then(|count| count.parse().ok())
        {
            tuples = count;
        } else if arg == "--level"
            && let Some(level) = args.next().and_then(|name| Level::named(name).ok())
        {
            levels = vec![level];
        } else if let Some(op) = Op::all().into_iter().find(|op| op.name() == arg) {
            ops.push(op);
        } else {
            eprintln!("what is '{arg}'?\nusage: cargo xtask engine-exact [--tuples N] [--level NAME] [op…]");
            return ExitCode::from(2);
        }
    }
    if ops.is_empty() {
        ops = Op::all();
    }
    let names: Vec<&str> = levels.iter().map(|level| level.name()).collect();
    println!("levels: {}", names.join(", "));
    let mut wrong = 0;
    for op in ops {
        let start = Instant::now();
        let inputs = if matches!(op, Op::Unary(_)) { 1 << 32 } else { tuples };
        let found = match check(op, inputs, &levels) {
            Ok(found) => found,
            Err(problem) => {
                eprintln!("{} cannot be compiled: {problem}", op.name());
                return ExitCode::FAILURE;
            }
        };
        wrong += found.len();
        println!("{:20} {inputs:>11} inputs {:>7.1} s", op.name(), start.elapsed().as_secs_f64());
        found.iter().take(5).for_each(|line| println!("  {line}"));
        // It takes minutes: show each line as it comes, into a pipe too.
        let _ = std::io::stdout().flush();
    }
    println!("{wrong} mismatches");
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The mismatches of an operation, in words; of many, some.
fn check(op: Op, inputs: u64, levels: &[Level]) -> Result<Vec<String>, Error> {
    let variants = op.kernels(levels)?;
    let edges = oracle::edges();
    let next = AtomicU64::new(0);
    let found = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    // Drawn on stderr, and only if that is a terminal.
    let progress = ProgressBar::new(inputs).with_style(style()).with_message(op.name());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let first = next.fetch_add(CHUNK, Ordering::Relaxed);
                    if first >= inputs {
                        return;
                    }
                    let count = CHUNK.min(inputs - first);
                    let mismatches = chunk(op, &variants, &edges, first, count as usize);
                    progress.inc(count);
                    if let Ok(mut found) = found.lock()
                        && found.len() < 100
                    {
                        found.extend(mismatches);
                    }
                }
            });
        }
    });
    progress.finish_and_clear();
    Ok(found.into_inner().unwrap_or_default())
}

fn style() -> ProgressStyle {
    // The template is fixed, so that it does not fail.
    ProgressStyle::with_template("{msg:20} {wide_bar} {percent:>3} % {eta}")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
}

fn chunk(op: Op, variants: &[Variant], edges: &[u32], first: u64, count: usize) -> Vec<String> {
    let (operands, components) = op.shape();
    let tuple = |place: usize| -> Vec<u32> {
        match op {
            Op::Unary(_) => (0..count as u64).map(|row| (first + row) as u32).collect(),
            _ => (0..count as u64).map(|row| bits(edges, first + row, place as u64)).collect(),
        }
    };
    let columns: Vec<Vec<u32>> = (0..operands * components).map(tuple).collect();
    let mut mismatches = Vec::new();
    // Kernels of the same choice of operands stand side by side.
    for same in variants.chunk_by(|a, b| a.uniform == b.uniform) {
        let run = if same[0].uniform == 0 { count } else { RUN };
        for start in (0..count).step_by(run) {
            let rows = start..(start + run).min(count);
            // Of operands that are the same in all lanes the run's first row counts.
            let mut columns: Vec<Vec<u32>> =
                columns.iter().map(|column| column[rows.clone()].to_vec()).collect();
            for (place, column) in columns.iter_mut().enumerate() {
                if same[0].uniform >> (place / components) & 1 == 1 {
                    let value = column[0];
                    column.fill(value);
                }
            }
            compare(op, same, &columns, rows.len(), &mut mismatches);
        }
    }
    mismatches
}

/// Runs some kernels on the rows of columns.
fn compare(op: Op, variants: &[Variant], columns: &[Vec<u32>], count: usize, mismatches: &mut Vec<String>) {
    let (operands, components) = op.shape();
    let expected: Vec<u32> = (0..count).map(|row| op.eval(columns, row)).collect();
    let column = |operand: usize, component: usize| -> &[u32] {
        if component < components { &columns[operand * components + component] } else { &[] }
    };
    let inputs: Vec<[&[u32]; 4]> =
        (0..operands).map(|operand| [0, 1, 2, 3].map(|component| column(operand, component))).collect();
    let first = |column: &[u32]| column.first().copied().unwrap_or(0);
    let uniforms: Vec<Vec4> = inputs.iter().map(|columns| columns.map(first)).collect();
    let call = Call { uniforms: &uniforms, ..Call::default() };
    let mut got = vec![0; count];
    for Variant { uniform, kernel } in variants {
        // What is not written is wrong.
        got.iter_mut().zip(&expected).for_each(|(got, expected): (&mut u32, _)| *got = !expected);
        let mut outputs =
            ColumnsMut { outputs: vec![[&mut got, &mut [], &mut [], &mut []]], killed: &mut [] };
        kernel.run(0..count, &Columns(&inputs), &call, &mut outputs);
        if got == expected {
            continue;
        }
        let wrong = (0..count).filter(|row| got[*row] != expected[*row]);
        mismatches.extend(wrong.take(5).map(|row| {
            let operands: Vec<u32> = columns.iter().map(|column| column[row]).collect();
            let (level, got, expected) = (kernel.level().name(), got[row], expected[row]);
            format!("{operands:08x?}, uniform {uniform:03b}, on {level}: {got:08x}, not {expected:08x}")
        }));
    }
}
