//! What a process does that is gpuzoo's side of a comparison; the programs in `peers` do the same.

use rustix::time::{ClockId, clock_gettime};
use std::io::{BufRead, Write};
use std::time::{Duration, Instant};

/// Prints what it began with, a number and who it is; then answers each line of the standard input, a number of runs, with the
/// nanoseconds that they took, of this process's CPU time and by the clock. What prepares a run is not in them.
pub fn answer<T>(
    (count, name): (u64, &str),
    state: &mut T,
    prepare: impl Fn(&mut T),
    run: impl Fn(&mut T) -> Result<(), String>,
) -> Result<(), String> {
    println!("{count} {name}");
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| error.to_string())?;
        let runs: u64 = line.trim().parse().map_err(|_| format!("`{line}` is not a number of runs"))?;
        let (mut cpu, mut wall) = (Duration::ZERO, Duration::ZERO);
        for _ in 0..runs {
            prepare(state);
            let (wall_start, cpu_start) = (Instant::now(), cpu_time());
            run(state)?;
            cpu += cpu_time().saturating_sub(cpu_start);
            wall += wall_start.elapsed();
        }
        println!("{} {}", cpu.as_nanos(), wall.as_nanos());
        std::io::stdout().flush().map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// What this process has computed, on all threads.
fn cpu_time() -> Duration {
    // The clock never goes below zero.
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default()
}
