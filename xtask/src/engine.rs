//! `cargo xtask engine-exact [--tuples N] [op…]`: the engine's bits against the evaluator's, on every level that this
//! processor has.
//!
//! Operations of one operand are tried on all 2³² bit patterns, the others on many pseudo-random tuples of which
//! a part are edges and a part lie near each other.

use std::io::Write;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use gpuzoo_engine::{Call, Columns, ColumnsMut, Kernel, Level, Options};
use gpuzoo_ir::{Builder, Dot, Inst, Op1, Op2, Op3, Value};

/// How many tuples a thread takes at a time.
const CHUNK: u64 = 1 << 16;

/// Pseudo-random tuples for each operation on more than one operand, unless the command line says otherwise.
const TUPLES: u64 = 200_000_000;

/// Zeros, ones, limits, infinities, NaN of all kinds, subnormal numbers, small integers.
#[rustfmt::skip]
const EDGES: [u32; 32] = [
    0x0000_0000, 0x8000_0000, 0x3f80_0000, 0xbf80_0000, 0x3f00_0000, 0x4000_0000, 0x3f80_0001, 0x7f7f_ffff,
    0xff7f_ffff, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0xffc0_0000, 0x7f80_0001, 0x7fc1_2345, 0xffff_ffff,
    0x0000_0001, 0x8000_0001, 0x007f_ffff, 0x0080_0000, 0x0000_0002, 0x0000_0003, 0x8080_0000, 0xffff_fffe,
    0x7fff_ffff, 0x4049_0fdb, 0x0040_0000, 0x4b00_0000, 0xcf00_0000, 0x3f7f_ffff, 0x2000_0000, 0x5f00_0000,
];

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

    /// A kernel for each level: output 0 is the operation on inputs 0, 1 and 2.
    fn kernels(self) -> Vec<Kernel> {
        let mut b = Builder::default();
        let [x, y, z] = [0, 1, 2].map(|index| b.input(index));
        let result = b.push(self.inst(x, y, z));
        b.output(0, result);
        let function = b.finish();
        let levels = Level::ALL.into_iter().filter(|level| level.is_supported());
        let kernel = |level| {
            Kernel::compile_with(&function, &Options { level: Some(level), ..Options::default() }).ok()
        };
        levels.filter_map(kernel).collect()
    }
}

/// Bits for place `place` of tuple `index`: SplitMix64, then edges, numbers near 1, and any.
fn bits(index: u64, place: u64) -> u32 {
    let mixed = (index * 8 + place + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    let bits = (mixed >> 32) as u32;
    match mixed % 8 {
        0 => EDGES[bits as usize % EDGES.len()],
        1..4 => (bits & 0x807f_ffff) + ((119 + (bits >> 23) % 16) << 23),
        _ => bits,
    }
}

/// Runs the task: exit status 0 if all bits are the evaluator's, 1 if not, 2 for bad arguments.
pub fn run(args: &[String]) -> ExitCode {
    let (mut ops, mut tuples) = (Vec::new(), TUPLES);
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        if arg == "--tuples"
            && let Some(count) = args.next().and_then(|count| count.parse().ok())
        {
            tuples = count;
        } else if let Some(op) = Op::all().into_iter().find(|op| op.name() == arg) {
            ops.push(op);
        } else {
            eprintln!("what is '{arg}'?\nusage: cargo xtask engine-exact [--tuples N] [op…]");
            return ExitCode::from(2);
        }
    }
    if ops.is_empty() {
        ops = Op::all();
    }
    let levels = Level::ALL.into_iter().filter(|level| level.is_supported()).map(Level::name);
    println!("levels: {}", levels.collect::<Vec<_>>().join(", "));
    let mut wrong = 0;
    for op in ops {
        let start = Instant::now();
        let inputs = if matches!(op, Op::Unary(_)) { 1 << 32 } else { tuples };
        let found = check(op, inputs);
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
fn check(op: Op, inputs: u64) -> Vec<String> {
    let next = AtomicU64::new(0);
    let found = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let kernels = op.kernels();
                loop {
                    let first = next.fetch_add(CHUNK, Ordering::Relaxed);
                    if first >= inputs {
                        return;
                    }
                    if first.is_multiple_of(CHUNK << 10) {
                        eprintln!("{} {:3} %", op.name(), first * 100 / inputs);
                    }
                    let mismatches = chunk(op, &kernels, first, CHUNK.min(inputs - first) as usize);
                    if let Ok(mut found) = found.lock()
                        && found.len() < 100
                    {
                        found.extend(mismatches);
                    }
                }
            });
        }
    });
    found.into_inner().unwrap_or_default()
}

fn chunk(op: Op, kernels: &[Kernel], first: u64, count: usize) -> Vec<String> {
    let (operands, components) = op.shape();
    let tuple = |place: usize| -> Vec<u32> {
        match op {
            Op::Unary(_) => (0..count as u64).map(|row| (first + row) as u32).collect(),
            _ => (0..count as u64).map(|row| bits(first + row, place as u64)).collect(),
        }
    };
    let columns: Vec<Vec<u32>> = (0..operands * components).map(tuple).collect();
    let expected: Vec<u32> = (0..count).map(|row| op.eval(&columns, row)).collect();
    let column = |operand: usize, component: usize| -> &[u32] {
        if component < components { &columns[operand * components + component] } else { &[] }
    };
    let inputs: Vec<[&[u32]; 4]> =
        (0..operands).map(|operand| [0, 1, 2, 3].map(|component| column(operand, component))).collect();
    let mut got = vec![0; count];
    let mut mismatches = Vec::new();
    for kernel in kernels {
        let mut outputs =
            ColumnsMut { outputs: vec![[&mut got, &mut [], &mut [], &mut []]], killed: &mut [] };
        kernel.run(0..count, &Columns(&inputs), &Call::default(), &mut outputs);
        if got == expected {
            continue;
        }
        let wrong = (0..count).filter(|row| got[*row] != expected[*row]);
        mismatches.extend(wrong.take(5).map(|row| {
            let operands: Vec<u32> = columns.iter().map(|column| column[row]).collect();
            let (level, got, expected) = (kernel.level().name(), got[row], expected[row]);
            format!("{operands:08x?} on {level}: {got:08x}, not {expected:08x}")
        }));
    }
    mismatches
}
