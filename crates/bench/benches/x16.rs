//! CPU and VERA together, as multiples of the real machine's 8 MHz: `cargo bench -p gpuzoo-bench --bench x16`.

use gpuzoo_vera::Deviations;
use gpuzoo_vera::x16::{CYCLES_PER_FRAME, CYCLES_PER_SECOND, Config, Limits, X16};
use std::time::{Duration, Instant};

/// A program and what it is about.
type Case = (&'static str, &'static [u8], bool, bool);

#[rustfmt::skip]
const CASES: &[Case] = &[
    ("FX rows, look-ups and sums; no layer", include_bytes!("../../../gpus/vera/tests/x16/mix.prg"), false, false),
    ("FX rows, look-ups and sums; 8 bpp bitmap", include_bytes!("../../../gpus/vera/tests/x16/mix.prg"), true, false),
    ("the same, with lints", include_bytes!("../../../gpus/vera/tests/x16/mix.prg"), true, true),
    ("a jump to itself; 8 bpp bitmap", &[0x01, 0x08, 0x4c, 0x01, 0x08], true, false),
];
/// Short runs, of which the fastest counts: others may use the processor as well.
const FRAMES: u64 = 4;
const RUNS: usize = 200;

fn run(&(_, prg, layer, lints): &Case) -> Duration {
    let mut machine =
        X16::new(Config { deviations: Deviations::default(), ..Config::default() }).expect("a machine");
    if lints {
        machine.lint(Vec::new());
    }
    if layer {
        // 320 × 240 pixels of 8 bits, shown twice as large.
        for (register, value) in [(0x05, 0), (0x0a, 64), (0x0b, 64), (0x09, 0x11), (0x0d, 7)] {
            machine.vera_mut().write(register, value);
        }
    }
    machine.load_prg(prg).expect("a program");
    machine.run(&Limits::frames(2));
    (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            machine.run(&Limits::frames(FRAMES));
            start.elapsed()
        })
        .min()
        .expect("there are runs")
}

fn main() {
    for case in CASES {
        let seconds = run(case).as_secs_f64();
        let real = (FRAMES * CYCLES_PER_FRAME) as f64 / CYCLES_PER_SECOND as f64;
        println!("{:45} {:6.1} × real time", case.0, real / seconds);
    }
}
