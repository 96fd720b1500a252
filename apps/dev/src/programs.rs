//! `cargo xtask programs`: random programs through the compiler, however they are written, and for all machines.

use gpuzoo_compile::random::check;
use gpuzoo_machine::ShaderUnit;
use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Programs, unless the command line says otherwise.
const COUNT: u64 = 100_000;

/// Programs that a thread takes at a time.
const CHUNK: u64 = 16;

/// Faults that are written in full.
const SHOWN: usize = 5;

/// What became of programs on a machine.
#[derive(Clone, Default)]
struct Fits {
    built: u64,
    slots: u64,
    /// Those that are refused, by code.
    refused: BTreeMap<&'static str, u64>,
}

/// What became of all programs.
#[derive(Default)]
struct Findings {
    fits: Vec<Fits>,
    /// Seeds, and what went wrong.
    faults: Vec<(u64, String)>,
}

/// `programs [--count N] [--from SEED]`: the exit status is 1 if one of them panics or gives something wrong.
pub fn run(args: &[String]) -> ExitCode {
    let (count, from) = match arguments(args) {
        Ok(arguments) => arguments,
        Err(problem) => {
            eprintln!("{problem}\n\nusage: cargo xtask programs [--count N] [--from SEED]");
            return ExitCode::from(2);
        }
    };
    let machines: Vec<&'static dyn ShaderUnit> =
        gpuzoo::shader_units().filter(|unit| unit.conventions().is_some()).collect();
    let start = Instant::now();
    let Findings { fits, mut faults } = sweep(&machines, from, count);
    for (unit, Fits { built, slots, refused }) in machines.iter().zip(&fits) {
        let mean = *slots as f64 / (*built).max(1) as f64;
        let refused: Vec<String> = refused.iter().map(|(code, count)| format!("{code} {count}")).collect();
        println!(
            "{}: {built} built, {mean:.1} slots in the mean; refused: {}",
            unit.about().id,
            refused.join(", ")
        );
    }
    faults.sort();
    for (seed, fault) in faults.iter().take(SHOWN) {
        println!("seed {seed}: {fault}");
    }
    let seeds: Vec<String> = faults.iter().skip(SHOWN).map(|(seed, _)| seed.to_string()).collect();
    if !seeds.is_empty() {
        println!("seeds of more: {}", seeds.join(" "));
    }
    println!("{count} programs: {} faults; {:.0} s", faults.len(), start.elapsed().as_secs_f64());
    if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// How many programs, and the first seed.
fn arguments(args: &[String]) -> Result<(u64, u64), String> {
    let (mut count, mut from) = (COUNT, 0);
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let place = match arg.as_str() {
            "--count" => &mut count,
            "--from" => &mut from,
            _ => return Err(format!("`{arg}` is no option")),
        };
        let number = rest.next().ok_or(format!("`{arg}` needs a number"))?;
        *place = number.replace('_', "").parse().map_err(|_| format!("`{number}` is not a number"))?;
    }
    if count == 0 { Err("no programs are asked for".to_owned()) } else { Ok((count, from)) }
}

fn sweep(machines: &[&'static dyn ShaderUnit], from: u64, count: u64) -> Findings {
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get());
    let next = AtomicU64::new(0);
    let findings = Mutex::new(Findings { fits: vec![Fits::default(); machines.len()], faults: Vec::new() });
    let progress = std::io::stderr().is_terminal();
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (next, findings) = (&next, &findings);
            scope.spawn(move || {
                loop {
                    let at = next.fetch_add(CHUNK, Ordering::Relaxed);
                    if at >= count {
                        return;
                    }
                    (at..(at + CHUNK).min(count))
                        .for_each(|at| one(machines, from.wrapping_add(at), findings));
                    if thread == 0 && progress {
                        eprint!("\r{:5.1} %", at as f64 * 100.0 / count as f64);
                        let _ = std::io::stderr().flush();
                    }
                }
            });
        }
    });
    if progress {
        eprint!("\r        \r");
    }
    findings.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Checks the program of a seed.
fn one(machines: &[&'static dyn ShaderUnit], seed: u64, findings: &Mutex<Findings>) {
    let machines: Vec<&dyn ShaderUnit> = machines.iter().map(|unit| *unit as &dyn ShaderUnit).collect();
    let result = catch_unwind(AssertUnwindSafe(|| check(seed, &machines)));
    let result = result.unwrap_or_else(|_| Err("the compiler panics".to_owned()));
    let mut findings = findings.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    match result {
        Ok(all) => {
            for (own, fit) in findings.fits.iter_mut().zip(all) {
                match fit {
                    Ok(slots) => {
                        own.built += 1;
                        own.slots += slots as u64;
                    }
                    Err(code) => *own.refused.entry(code).or_default() += 1,
                }
            }
        }
        Err(fault) => findings.faults.push((seed, fault)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_checked() {
        let read = |args: &[&str]| arguments(&args.iter().map(|arg| (*arg).to_owned()).collect::<Vec<_>>());
        assert_eq!(read(&[]), Ok((COUNT, 0)));
        assert_eq!(read(&["--count", "1_000", "--from", "7"]), Ok((1000, 7)));
        for wrong in [&["--count"][..], &["--count", "many"], &["--count", "0"], &["--cuont", "9"]] {
            assert!(read(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn programs_are_counted() {
        let machines: Vec<_> = gpuzoo::shader_units().filter(|unit| unit.conventions().is_some()).collect();
        let Findings { fits, faults } = sweep(&machines, 1_000, 20);
        assert_eq!(faults, []);
        for own in fits {
            assert_eq!(own.built + own.refused.values().sum::<u64>(), 20);
            assert!(own.slots >= own.built);
        }
    }
}
