//! What the debugger costs: `cargo bench -p gpuzoo-bench --bench debugger`.

use gpuzoo::debug::{Debugger, Halt};
use gpuzoo::machine::RunState;
use gpuzoo::run::{Column, Vertices};
use gpuzoo::session::{Condition, EventKind, Session, ShaderSession};
use gpuzoo::trace::{Trace, trace};
use gpuzoo_x16::{Config, Limits, MachineSession, X16};
use std::time::{Duration, Instant};

/// The slots of NV2A.
const SLOTS: usize = 136;

/// A matrix, and lights up to the last slot, of which every fourth has a pair.
fn lights() -> String {
    let mut text = "#mvp matrix4 96\n#light vector 100\n%matmul4x4 oPos iPos #mvp\n".to_owned();
    for at in 0..(SLOTS - 4) / 4 {
        let r = 2 + at % 9;
        text += &format!("dp3 r{r}.x, iNormal, #light\nmul r{r}.xyz, r{r}.x, c[{}]", 110 + at);
        text += &format!(
            " + rsq r1.x, r{r}.x\nmad r{r}.xyz, r{r}, r1.x, iDiffuse\nadd oD0.xyz, r{r}, -v4.xyzz\n"
        );
    }
    text
}

/// Each slot is a pair, and each instruction writes four components.
fn pairs() -> String {
    let pair = |at: usize| {
        let (r, q, v) = (2 + at % 9, 2 + (at + 1) % 9, [0, 2, 3, 4][at % 4]);
        format!("mul r{r}, v{v}.yzwx, c[{}] + rsq r1, r{q}.x\n", 110 + at % 80)
    };
    (0..SLOTS).map(pair).collect()
}

/// A number with as many digits as floats have.
fn digits(seed: usize) -> u32 {
    (((seed * 7_919 + 104_729) % 1_000_003) as f32 / 123_456.7 - 4.0).to_bits()
}

fn traced(text: &str) -> Trace {
    let program = gpuzoo::nv2a().assemble("full.vsh", text).expect("a program");
    let column = |input: u16| Column {
        input,
        values: (0..4).map(|at| digits(usize::from(input) * 4 + at)).collect(),
        stride: 4,
        components: 4,
    };
    let columns = [0, 2, 3, 4].into_iter().map(column).collect();
    let vertices = Vertices::Columns { count: 1, columns };
    let constants: Vec<[u32; 4]> =
        (0..192).map(|number| std::array::from_fn(|at| digits(100 + number * 4 + at))).collect();
    let given: Vec<u16> = (0..192).collect();
    let traced = trace(&program, &RunState::default(), &vertices, 0, &constants, &given);
    let json = traced.json_lines(program.sources(), false);
    let steps = traced.session.steps().len();
    println!("JSON of a trace of {SLOTS} slots, {steps} instructions: {:.1} kB", json.len() as f64 / 1e3);
    traced
}

fn timed(run: impl FnOnce()) -> Duration {
    let start = Instant::now();
    run();
    start.elapsed()
}

/// The middle one of some times, and the longest.
fn middle(mut times: Vec<Duration>) -> (Duration, Duration) {
    times.sort_unstable();
    (times[times.len() / 2], times[times.len() - 1])
}

/// A step back, and all that is shown of where it leads: registers, what comes next, what the step before did.
fn back(what: &str, session: &mut dyn Session, steps: usize) {
    let mut times = Vec::new();
    let mut shown = Vec::new();
    for _ in 0..steps {
        times.push(timed(|| assert!(session.back())));
        let at = session.position();
        let before = at.saturating_sub(1);
        shown.push(timed(|| {
            let here = (session.state(at), session.place(at));
            drop((here, session.reads(before), session.changes(before), session.events(before)));
        }));
    }
    let show = |(middle, most): (Duration, Duration)| {
        format!("{:.3} ms, at most {:.3}", middle.as_secs_f64() * 1e3, most.as_secs_f64() * 1e3)
    };
    println!("{what}, a step back: {}; what is shown then: {}", show(middle(times)), show(middle(shown)));
}

/// What the process holds, where the system says so.
fn resident() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes / 1e3)
}

/// A program of VERA FX: rows, look-ups and sums.
fn machine() -> X16 {
    let mut machine = X16::new(Config::default()).expect("a machine");
    machine.load_prg(include_bytes!("../../x16/tests/x16/mix.prg")).expect("a program");
    machine
}

fn fastest(runs: usize, mut run: impl FnMut() -> Duration) -> Duration {
    (0..runs).map(|_| run()).min().expect("there are runs")
}

const MILLION: u64 = 1_000_000;

fn main() {
    traced(&pairs());
    let mut shader: ShaderSession = traced(&lights()).session;
    shader.seek(u64::MAX);
    let steps = shader.steps().len();
    back("NV2A", &mut shader, steps);

    // The whole machine against its session, without breakpoints and with some, for as many instructions.
    let mut goal = MachineSession::new(machine());
    assert_eq!(goal.seek(MILLION), MILLION);
    let cycles = Limits::cycles(goal.machine().cycles() - machine().cycles());
    let plain = fastest(20, || {
        let mut machine = machine();
        timed(|| _ = machine.run(&cycles))
    });
    println!("a million instructions of the 65C02, plain: {:.1} ms", plain.as_secs_f64() * 1e3);
    let ranged = Condition::Memory { space: "ram".into(), range: 0x9e00..=0x9eff };
    let breakpoints: [(&str, &[Condition]); 4] = [
        ("no breakpoint", &[]),
        ("an address", &[Condition::At(0x9eff)]),
        ("a write", &[ranged]),
        ("an interrupt", &[Condition::Event(EventKind::Interrupt)]),
    ];
    for (what, conditions) in breakpoints {
        let own = fastest(20, || {
            let mut debugger = Debugger::new(Box::new(MachineSession::new(machine())));
            for condition in conditions {
                debugger.add(condition.clone(), None);
            }
            timed(|| assert_eq!(debugger.run(&[], MILLION), Ok(Halt::Limit)))
        });
        let share = plain.as_secs_f64() / own.as_secs_f64();
        println!(
            "the same in the debugger, with {what}: {:.1} ms, {share:.2} of the speed",
            own.as_secs_f64() * 1e3
        );
    }
    back("VERA after a million instructions", &mut goal, 100);
    assert_eq!(goal.seek(MILLION), MILLION);
    let million = timed(|| assert_eq!(goal.seek(1), 1));
    println!("a million instructions back: {:.1} ms", million.as_secs_f64() * 1e3);

    let mut long = MachineSession::new(machine());
    for millions in [1, 10, 100, 200] {
        long.seek(millions * MILLION);
        let held = long.history().bytes as f64 / 1e6;
        let resident =
            resident().map_or_else(String::new, |most| format!(", the process {most:.0} MB at most"));
        println!("{millions} million instructions: the session holds {held:.0} MB of snapshots{resident}");
        let at = long.position();
        let million = timed(|| _ = long.seek(at - MILLION));
        println!("  a million back: {:.1} ms", million.as_secs_f64() * 1e3);
        long.seek(at);
        back("  VERA there", &mut long, 20);
        long.seek(at);
    }
}
