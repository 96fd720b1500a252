//! What the library costs from C, beside the same from Rust, in alternation: `cargo bench -p gpuzoo-capi`.
//!
//! The program in C is built here and stays as a process of its own. Each round both do the same once, briefly, since
//! other processes disturb long ones; shown are medians, of the times and of their ratios in a round.

#[path = "../tests/compiler.rs"]
#[allow(dead_code, reason = "what tests need besides")]
mod compiler;

use compiler::{Language, build};
use gpuzoo::machines::vera::Vera;
use gpuzoo::{Buffer, Inputs};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Vertices of a run, and accesses.
const COUNT: usize = 1 << 17;
const ROUNDS: usize = 201;

/// A matrix and a light.
const PROGRAM: &str =
    "dp4 oPos.x, v0, c[96]\ndp4 oPos.y, v0, c[97]\ndp4 oPos.z, v0, c[98]\ndp4 oPos.w, v0, c[99]
dp3 r0.x, v2, c[100]\nmax r0.x, r0.x, c[101].x\nmul r1, r0.x, c[102]\nadd oD0, r1, c[103]\n";

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() {
    let threads = std::env::var("RAYON_NUM_THREADS").unwrap_or_else(|_| "all".to_owned());
    let scratch = tempfile::tempdir().expect("a folder");
    let program = scratch.path().join("speed");
    build(Language::C, &[compiler::folder().join("bench/speed.c")], false, &program);
    let mut child = Command::new(&program)
        .args([PROGRAM, &COUNT.to_string()])
        .env_remove("LD_LIBRARY_PATH")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program in C");
    let mut to = child.stdin.take().expect("a pipe");
    let mut from = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut in_c = |what: &str| -> f64 {
        writeln!(to, "{what}").expect("the program in C listens");
        let line = from.next().expect("an answer").expect("a text");
        line.split(' ').next().and_then(|time| time.parse().ok()).expect("nanoseconds")
    };
    let kernel = gpuzoo::nv2a().assemble("speed.vsh", PROGRAM).and_then(|program| program.kernel("hw"));
    let kernel = kernel.expect("a program");
    let value = |at: usize, axis: usize| (at % 1000) as f32 / 500.0 - axis as f32;
    // As `calloc` gives memory. A vector that has grown may lie on other pages, which take twice as long.
    let mut records = vec![0; COUNT * 16];
    for (at, record) in records.chunks_exact_mut(16).enumerate() {
        for (word, to) in record.iter_mut().enumerate().take(8) {
            *to = value(at, word % 4).to_bits();
        }
    }
    let (mut clip, mut colour) = (vec![0; COUNT * 4], vec![0; COUNT * 4]);
    let mut vera = Vera::default();
    let mut times: [Vec<f64>; 5] = Default::default();
    let mut vertices = || {
        let start = Instant::now();
        let inputs = Inputs::new().zeros().borrow("v0", &records, 16, 4, COUNT);
        let inputs = inputs.and_then(|inputs| inputs.borrow("v2", &records[4..], 16, 4, COUNT));
        let buffers = vec![Buffer::bits("oPos", &mut clip, 4, 4), Buffer::bits("oD0", &mut colour, 4, 4)];
        kernel.run_into(&inputs.expect("inputs"), buffers).expect("a run");
        start.elapsed().as_nanos() as f64
    };
    let mut accesses = || {
        let start = Instant::now();
        vera.write(0x22, 0x10);
        let mut sum = 0;
        for at in (0..COUNT).step_by(2) {
            vera.write(0x23, at as u8);
            sum += u32::from(vera.read(0x23));
        }
        std::hint::black_box(sum);
        start.elapsed().as_nanos() as f64
    };
    // Each is done twice, and the second time counts: the first one brings its memory back into the caches.
    let twice = |one: &mut dyn FnMut() -> f64| {
        one();
        one()
    };
    for _ in 0..ROUNDS {
        times[0].push(twice(&mut vertices));
        times[1].push(twice(&mut || in_c("apart")));
        times[2].push(twice(&mut || in_c("between")));
        times[3].push(twice(&mut accesses));
        times[4].push(twice(&mut || in_c("vera")));
    }
    drop(to);
    assert!(child.wait().is_ok_and(|status| status.success()), "the program in C has failed");
    let speed = |own: usize| COUNT as f64 / median(times[own].clone()) * 1e3;
    let ratio = |own: usize, rust: usize| {
        median(times[rust].iter().zip(&times[own]).map(|(rust, own)| rust / own).collect())
    };
    println!("{COUNT} vertices of 8 instructions, {threads} threads, medians of {ROUNDS} rounds");
    println!("  Rust, outputs apart            {:8.1} M/s", speed(0));
    println!("  C, outputs apart               {:8.1} M/s, {:.2} of Rust", speed(1), ratio(1, 0));
    println!("  C, inputs and outputs mixed    {:8.1} M/s, {:.2} of Rust", speed(2), ratio(2, 0));
    println!("{COUNT} accesses of VERA's DATA0");
    println!("  Rust                           {:8.1} M/s", speed(3));
    println!("  C                              {:8.1} M/s, {:.2} of Rust", speed(4), ratio(4, 3));
}
