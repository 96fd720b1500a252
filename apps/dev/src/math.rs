//! `cargo xtask math [--pairs N] [op…]`: the functions of `gpuzoo_ir::arith` against correctly rounded ones.
//!
//! Functions of one argument are tried on all 2³² bit patterns, functions of two on every pair of edge patterns and on
//! many pseudo-random pairs that lie where they are hard.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use crate::oracle;
use gpuzoo_ir::{Op1, Op2};

/// How many inputs a thread takes at a time.
const CHUNK: u64 = 1 << 22;

/// Pseudo-random pairs for each operation on two values, unless the command line says otherwise.
const PAIRS: u64 = 500_000_000;

/// Results that are correctly rounded are also measured against f64 once in so many inputs, lest the oracle be wrong.
const SAMPLE: u64 = 61;

/// What came out for some of the inputs of an operation.
#[derive(Clone, Copy, Default)]
struct Findings {
    /// The largest error in ulp, and the index of the input that has it.
    worst: (f64, u64),
    /// Results that are not the correctly rounded ones.
    misrounded: u64,
}

impl Findings {
    fn add(&mut self, index: u64, got: u32, expected: u32, exact: impl FnOnce() -> f64) {
        if got == expected && !index.is_multiple_of(SAMPLE) {
            return;
        }
        self.misrounded += u64::from(got != expected);
        let error = oracle::error(got, expected, exact());
        if error > self.worst.0 {
            self.worst = (error, index);
        }
    }

    fn join(&mut self, other: Findings) {
        self.misrounded += other.misrounded;
        if other.worst.0 > self.worst.0 {
            self.worst = other.worst;
        }
    }
}

/// Runs the task: exit status 0 if all errors are within the limit, 1 if not, 2 for bad arguments.
pub fn run(args: &[String]) -> ExitCode {
    match parse(args) {
        Ok((unary, binary, pairs)) => check(&unary, &binary, pairs),
        Err(message) => {
            eprintln!("{message}\nusage: cargo xtask math [--pairs N] [op…]");
            ExitCode::from(2)
        }
    }
}

/// The operations to check (without names: all of them) and the number of random pairs.
fn parse(args: &[String]) -> Result<(Vec<Op1>, Vec<Op2>, u64), String> {
    let (mut unary, mut binary, mut pairs) = (Vec::new(), Vec::new(), PAIRS);
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        if arg == "--pairs" {
            let count = args.next().and_then(|count| count.parse().ok());
            pairs = count.ok_or("--pairs wants a number")?;
        } else if let Some(op) = Op1::from_name(arg) {
            unary.push(op);
        } else if let Some(op) = Op2::from_name(arg) {
            binary.push(op);
        } else {
            return Err(format!("no operation of one or two values is named '{arg}'"));
        }
    }
    if unary.is_empty() && binary.is_empty() {
        (unary, binary) = (Op1::ALL.to_vec(), Op2::ALL.to_vec());
    }
    Ok((unary, binary, pairs))
}

fn check(unary: &[Op1], binary: &[Op2], pairs: u64) -> ExitCode {
    println!("op          inputs     max ulp   misrounded  seconds  worst input");
    let mut good = true;
    for &op in unary {
        good &= report(
            op.name(),
            1 << 32,
            &|index, findings| {
                let a = index as u32;
                findings.add(index, op.eval(a), oracle::expected1(op, a), || oracle::exact1(op, a));
            },
            &|index| format!("{:08x}", index as u32),
        );
    }
    let edges = oracle::edges();
    let edge_pairs = (edges.len() * edges.len()) as u64;
    for &op in binary {
        let pair = |index: u64| match index.checked_sub(edge_pairs) {
            Some(index) => oracle::pair(op, index),
            None => (edges[index as usize / edges.len()], edges[index as usize % edges.len()]),
        };
        good &= report(
            op.name(),
            edge_pairs + pairs,
            &|index, findings| {
                let (a, b) = pair(index);
                findings.add(index, op.eval(a, b), oracle::expected2(op, a, b), || oracle::exact2(op, a, b));
            },
            &|index| format!("{:08x} {:08x}", pair(index).0, pair(index).1),
        );
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Tries all `inputs` of an operation on all processors and prints a line; true if the errors are within the limit.
fn report(
    name: &str,
    inputs: u64,
    try_one: &(impl Fn(u64, &mut Findings) + Sync),
    show: &impl Fn(u64) -> String,
) -> bool {
    let start = Instant::now();
    let next = AtomicU64::new(0);
    let progress = std::io::stderr().is_terminal();
    let work = || {
        let mut findings = Findings::default();
        loop {
            let first = next.fetch_add(CHUNK, Ordering::Relaxed);
            if first >= inputs {
                return findings;
            }
            if progress {
                eprint!("\r{name:8} {:3} %", first * 100 / inputs);
            }
            (first..inputs.min(first + CHUNK)).for_each(|index| try_one(index, &mut findings));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut all = Findings::default();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            match worker.join() {
                Ok(findings) => all.join(findings),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    if progress {
        eprint!("\r                \r");
    }
    let ((error, worst), seconds) = (all.worst, start.elapsed().as_secs_f64());
    println!("{name:8} {inputs:>11} {error:>11.8} {:>12} {seconds:>8.1}  {}", all.misrounded, show(worst));
    // Reports take minutes: show each as it comes, into a pipe too. A closed pipe does not stop the checking.
    let _ = std::io::stdout().flush();
    error <= oracle::LIMIT
}
