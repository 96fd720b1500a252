//! The verb `bench`: how fast programs run here, on the engine, on the evaluator, and as C.
//!
//! All that is compared is measured in turn, a few milliseconds each, round after round, because the speed of a machine
//! changes with what else it does; figures are medians of the rounds, and ratios medians of the ratios in each round.

mod data;
mod programs;
mod report;
mod scenes;
pub mod yardstick;

pub use programs::{names, standard_cases, standard_program};
pub use report::Report;
pub use scenes::{SceneRow, scenes};

use crate::Program;
use data::Data;
use gpuzoo_diag::Diagnostic;
use gpuzoo_engine::{Call, Kernel, Level};
use gpuzoo_ir::eval::{NoTextures, Run};
use gpuzoo_ir::{Dot, Function, Inst, Op1, Op2, Op3, passes};
use gpuzoo_machine::{Profile, ShaderUnit};
use std::hint::black_box;
use std::time::{Duration, Instant};
use yardstick::Yardstick;

/// Lanes that are in memory at a time; more are run in pieces.
pub const CHUNK: usize = 1 << 20;

/// The most lanes that can be asked for.
pub const MAX_LANES: usize = 1_000_000_000;

/// A program under a profile.
#[non_exhaustive]
pub struct Case {
    /// The machine.
    pub gpu: &'static dyn ShaderUnit,
    /// What it is called.
    pub name: String,
    /// The profile.
    pub profile: Profile,
    /// Slots.
    pub instructions: usize,
    /// What it means, optimized.
    pub function: Function,
}

impl Case {
    /// A program to measure.
    pub fn new(name: &str, program: &Program, profile: Profile) -> Case {
        let (gpu, code) = (program.gpu(), program.code());
        let function = passes::optimize(&gpu.lower(code, &profile.into()).0.function);
        Case { gpu, name: name.to_owned(), profile, instructions: code.slots.len(), function }
    }

    /// Operations on numbers for a lane: sums, products, quotients, roots, functions, comparisons; a product and sum
    /// counts two, a dot of four seven. Moves, signs and bits count nothing.
    pub fn operations(&self) -> u64 {
        let masks = passes::demand(&self.function);
        let cost = |(inst, masks): (&Inst, &u8)| {
            let each = match inst {
                Inst::Dot(dot, _) => return if *masks == 0 { 0 } else { dot_operations(*dot) },
                Inst::Map1(Op1::FAbs | Op1::FNeg | Op1::INeg | Op1::FMantissa, _) => 0,
                Inst::Map2(Op2::IXor, _) | Inst::Map3(Op3::ISelect, _) => 0,
                Inst::Map1(..) | Inst::Map2(..) => 1,
                Inst::Map3(..) => 2,
                _ => 0,
            };
            each * u64::from(masks.count_ones())
        };
        self.function.insts.iter().zip(&masks).map(cost).sum()
    }
}

fn dot_operations(dot: Dot) -> u64 {
    u64::from(dot.mask().count_ones()) * 2 - 1
}

/// How to measure.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Lanes of a run.
    pub lanes: usize,
    /// Threads of the threaded measurement.
    pub threads: usize,
    /// Rounds, of which medians are taken.
    pub rounds: usize,
    /// How long each part of a round lasts, if a run is shorter.
    pub part: Duration,
}

impl Default for Options {
    fn default() -> Options {
        Options { lanes: 4096, threads: 1, rounds: 25, part: Duration::from_millis(1) }
    }
}

/// What was measured of a program. Speeds are lanes a second.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Row {
    /// The machine.
    pub gpu: &'static str,
    /// The program.
    pub program: String,
    /// The name of the profile.
    pub profile: &'static str,
    /// Lanes of a run.
    pub lanes: usize,
    /// Slots of the program.
    pub instructions: usize,
    /// Operations on numbers for a lane; see [`Case::operations`].
    pub operations: u64,
    /// The engine on one thread.
    pub engine: f64,
    /// The engine on all threads, if there are several.
    pub threaded: Option<f64>,
    /// The evaluator.
    pub evaluator: f64,
    /// The yardstick, on one thread.
    pub yardstick: Option<f64>,
    /// The engine's speed by the yardstick's, both on one thread.
    pub ratio: Option<f64>,
    /// Whether engine and yardstick gave the same bits.
    pub same: Option<bool>,
}

impl Row {
    /// Nanoseconds that a slot takes for a lane, on the engine with one thread.
    pub fn ns_per_instruction(&self) -> f64 {
        1e9 / self.engine / self.instructions.max(1) as f64
    }

    /// Billions (10⁹) of operations per second, on the engine with one thread.
    pub fn gflops(&self) -> f64 {
        self.operations as f64 * self.engine / 1e9
    }
}

/// Runs something often enough to be measured.
struct Stopwatch<'a> {
    /// Nanoseconds of so many runs; none if it cannot be run any more.
    run: Box<dyn FnMut(u64) -> Option<u64> + 'a>,
    runs: u64,
    /// Nanoseconds a run, round by round.
    found: Vec<f64>,
}

impl<'a> Stopwatch<'a> {
    /// Warms up, and finds how many runs fill `part`.
    fn new(part: Duration, mut run: Box<dyn FnMut(u64) -> Option<u64> + 'a>) -> Stopwatch<'a> {
        let part = part.as_nanos() as u64;
        let mut runs = 1;
        while let Some(took) = run(runs) {
            if took >= part / 2 || runs >= 1 << 40 {
                runs = (runs.saturating_mul(part) / took.max(1)).max(1);
                break;
            }
            runs *= 2;
        }
        Stopwatch { run, runs, found: Vec::new() }
    }

    fn round(&mut self) {
        let took = (self.run)(self.runs);
        self.found.extend(took.map(|took| took.max(1) as f64 / self.runs as f64));
    }
}

fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied()
}

fn timed(runs: u64, mut run: impl FnMut()) -> Option<u64> {
    let start = Instant::now();
    (0..runs).for_each(|_| run());
    u64::try_from(start.elapsed().as_nanos()).ok()
}

/// So many threads: those of the pool that the caller runs on, if they are as many, else others. A thread that waits for
/// another pool looks for work in its own, and takes time from those that are measured.
struct Threads(Option<rayon::ThreadPool>);

impl Threads {
    fn new(count: usize) -> Result<Threads, Diagnostic> {
        if rayon::current_thread_index().is_some() && rayon::current_num_threads() == count {
            return Ok(Threads(None));
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build();
        let pool = pool.map_err(|error| {
            Diagnostic::error(&crate::codes::NO_BENCH, format!("there are no {count} threads: {error}"))
        })?;
        Ok(Threads(Some(pool)))
    }

    fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match &self.0 {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }
}

/// The lengths of the pieces in which some lanes are run.
fn pieces(lanes: usize) -> impl Iterator<Item = usize> {
    (0..lanes).step_by(CHUNK).map(move |done| CHUNK.min(lanes - done))
}

/// Measures a program. `yardstick` is its C, if it is to be measured, too.
///
/// # Errors
/// `G0232` if the program is too large for the engine, or if the threads cannot be had.
pub fn measure(
    case: &Case,
    options: &Options,
    mut yardstick: Option<Box<dyn Yardstick>>,
) -> Result<Row, Diagnostic> {
    let problem = |what: String| Diagnostic::error(&crate::codes::NO_BENCH, what);
    let lanes = options.lanes.clamp(1, MAX_LANES);
    let function = &case.function;
    let kernel = Kernel::compile(function).map_err(|error| problem(error.to_string()))?;
    let threads = Threads::new(options.threads)?;
    let data = std::cell::RefCell::new(Data::new(function, lanes.min(CHUNK)));

    let engine = |runs: u64| {
        data.borrow_mut().with_columns(|inputs, mut outputs, uniforms| {
            let call = Call { uniforms, ..Call::default() };
            timed(runs, || {
                pieces(lanes).for_each(|lanes| kernel.run(0..lanes, black_box(inputs), &call, &mut outputs));
            })
        })
    };
    let threaded = |runs: u64| {
        let data: &mut Data = &mut data.borrow_mut();
        threads.run(|| {
            let mut took = Duration::ZERO;
            for _ in 0..runs {
                for lanes in pieces(lanes) {
                    data.with_columns(|inputs, outputs, uniforms| {
                        let call = Call { uniforms, ..Call::default() };
                        let start = Instant::now();
                        kernel.run_parallel(0..lanes, black_box(inputs), &call, outputs);
                        took += start.elapsed();
                    });
                }
            }
            u64::try_from(took.as_nanos()).ok()
        })
    };
    // The evaluator takes every lane alike.
    let few = lanes.min(256);
    let mut rows = vec![Vec::new(); few];
    rows.iter_mut().enumerate().for_each(|(lane, row)| data.borrow().row(lane, row));
    let uniforms = data.borrow().uniforms.clone();
    let mut run = Run::default();
    let evaluator = |runs: u64| {
        timed(runs, || {
            for row in &rows {
                run.run(function, black_box(row), &uniforms, &NoTextures);
                for (_, value) in &function.outputs {
                    black_box(run.value(*value));
                }
            }
        })
    };

    engine(1);
    let same = yardstick.as_ref().map(|yardstick| yardstick.hash() == data.borrow().hash());
    let mut watches = vec![
        Stopwatch::new(options.part, Box::new(engine)),
        Stopwatch::new(options.part, Box::new(evaluator)),
    ];
    let several = options.threads > 1;
    if several {
        watches.push(Stopwatch::new(options.part, Box::new(threaded)));
    }
    if let Some(yardstick) = &mut yardstick {
        watches.push(Stopwatch::new(options.part, Box::new(|runs| yardstick.nanoseconds(runs))));
    }
    for _ in 0..options.rounds.max(1) {
        watches.iter_mut().for_each(Stopwatch::round);
    }
    let found: Vec<Vec<f64>> = watches.into_iter().map(|watch| watch.found).collect();
    let speed = |at: usize, lanes: usize| {
        median(found.get(at)?.clone()).map(|nanoseconds| lanes as f64 / nanoseconds * 1e9)
    };
    let c = 2 + usize::from(several);
    let ratios = |c: &Vec<f64>| c.iter().zip(&found[0]).map(|(c, engine)| c / engine).collect();
    Ok(Row {
        gpu: case.gpu.about().id,
        program: case.name.clone(),
        profile: case.gpu.about().profile_name(case.profile),
        lanes,
        instructions: case.instructions,
        operations: case.operations(),
        engine: speed(0, lanes).unwrap_or(0.0),
        threaded: if several { speed(2, lanes) } else { None },
        evaluator: speed(1, few).unwrap_or(0.0),
        yardstick: speed(c, lanes),
        ratio: found.get(c).map(ratios).and_then(median),
        same,
    })
}

/// The instruction set that the engine uses here.
pub fn level() -> &'static str {
    Level::chosen().name()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpuzoo_ir::Value;

    #[test]
    fn what_the_engine_cannot_run_is_not_measured() {
        let mut case =
            standard_cases(&crate::Registry::default(), Some("nv2a"), Some("dp4"), None).unwrap().remove(0);
        // More values that are the same in all lanes than there is room for.
        case.function.insts = (0..=u16::MAX).map(Inst::Uniform).collect();
        case.function.origins = vec![None; case.function.insts.len()];
        case.function.outputs = (0..=u16::MAX).map(|index| (index, Value(index.into()))).collect();
        let problem = measure(&case, &Options::default(), None).unwrap_err();
        assert_eq!(
            (problem.code.id, &*problem.message),
            ("G0232", "the function has too many values at a time")
        );
    }
}
