//! CPU and VERA together, as multiples of the real machine's 8 MHz, and what a session costs beside a plain run: `cargo
//! bench -p gpuzoo-bench --bench x16`.

use gpuzoo_vera::Deviations;
use gpuzoo_x16::session::{Session, Until};
use gpuzoo_x16::{CYCLES_PER_FRAME, CYCLES_PER_SECOND, Config, Limits, X16};
use std::time::{Duration, Instant};

/// A program and what it is about.
type Case = (&'static str, &'static [u8], bool, bool);

#[rustfmt::skip]
const CASES: &[Case] = &[
    ("FX rows, look-ups and sums; no layer", include_bytes!("../../x16/tests/x16/mix.prg"), false, false),
    ("FX rows, look-ups and sums; 8 bpp bitmap", include_bytes!("../../x16/tests/x16/mix.prg"), true, false),
    ("the same, with lints", include_bytes!("../../x16/tests/x16/mix.prg"), true, true),
    ("a jump to itself; 8 bpp bitmap", &[0x01, 0x08, 0x4c, 0x01, 0x08], true, false),
];
/// Short runs, of which the fastest counts: others may use the processor as well.
const FRAMES: u64 = 4;
const RUNS: usize = 200;

fn machine(&(_, prg, layer, lints): &Case) -> X16 {
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
    machine
}

/// The fastest of many runs.
fn fastest(runs: usize, mut run: impl FnMut()) -> Duration {
    let time = |_| {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    (0..runs).map(time).min().expect("there are runs")
}

/// Steps of the session's measurements: a plain run of some frames.
const STEPS: u64 = 1 << 18;

/// Nanoseconds of a step in a plain run, and in a session.
fn session(case: &Case) {
    let fresh = machine(case);
    let mut goal = Session::new(fresh.clone());
    goal.seek(STEPS);
    let cycles = Limits::cycles(goal.machine().cycles() - fresh.cycles());
    let show = |name: &str, steps: u64, time: Duration| {
        println!("{name:45} {:8.1} ns a step", time.as_secs_f64() * 1e9 / steps as f64);
    };
    show("plain run", STEPS, fastest(20, || _ = fresh.clone().run(&cycles)));
    show("session: seek forward", STEPS, fastest(20, || _ = Session::new(fresh.clone()).seek(STEPS)));
    let write = Until::Write(0x9fff..=0x9fff);
    let run = || _ = Session::new(fresh.clone()).run_until(&write, STEPS);
    show("session: run until a write", STEPS, fastest(20, run));
    let store = Until::Store(0x1_fffe..=0x1_ffff);
    let run = || _ = Session::new(fresh.clone()).run_until(&store, STEPS);
    show("session: run until a store in video memory", STEPS, fastest(20, run));
    let steps = || {
        let mut session = Session::new(fresh.clone());
        (0..STEPS).for_each(|_| _ = session.step());
    };
    show("session: one step after another", STEPS, fastest(5, steps));
    let records = || (0..STEPS / 16).for_each(|step| _ = goal.record(step));
    show("session: a record of each step", STEPS / 16, fastest(5, records));
    show("session: back", 100, fastest(5, || (0..100).for_each(|_| _ = goal.back())));
}

fn main() {
    for case in CASES {
        let mut machine = machine(case);
        machine.run(&Limits::frames(2));
        let seconds = fastest(RUNS, || _ = machine.run(&Limits::frames(FRAMES))).as_secs_f64();
        let real = (FRAMES * CYCLES_PER_FRAME) as f64 / CYCLES_PER_SECOND as f64;
        println!("{:45} {:6.1} × real time", case.0, real / seconds);
    }
    println!("\nThe second of these:");
    session(&CASES[1]);
}
