//! `cargo xtask programs`: random programs through the compiler, in each language, and for all machines.

use gpuzoo_compile::front::Language;
use gpuzoo_compile::options::Level;
use gpuzoo_compile::random::{Checked, Fault, Program, check, refusal};
use gpuzoo_machine::ShaderUnit;
use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

const USAGE: &str = "usage: cargo xtask programs [--language NAME]… [--count N] [--from SEED] [--threads N] [--levels all] [--show] [--out DIR]

  --language NAME  wgsl, glsl, spv or cg; without one, all
  --count N        programs of each language (100000)
  --from SEED      the first one's seed (0)
  --threads N      threads (as many as there are processors)
  --levels all     build each program at all levels; without it, at one, which the seed chooses
  --show           print each program, and why it is refused
  --out DIR        write the sources of faults, made small, into a folder; with --show, the sources of all programs

The same seed is the same program. The exit status is 1 if one of them panics or computes something wrong.";

/// Programs of each language, unless the command line says otherwise.
const COUNT: u64 = 100_000;

/// Programs that a thread takes at a time.
const CHUNK: u64 = 16;

/// Faults that are made small and printed, for each machine of each language.
const SHRUNK: usize = 12;

/// Seeds that are printed of a kind of faults.
const SEEDS: usize = 12;

const LEVELS: [Level; 4] = [Level::Source, Level::Quick, Level::Usual, Level::Longest];

/// Settings of the command line.
#[derive(Clone, Debug, PartialEq)]
struct Settings {
    languages: Vec<Language>,
    count: u64,
    from: u64,
    threads: usize,
    all_levels: bool,
    show: bool,
    out: Option<PathBuf>,
}

/// Programs on a machine.
#[derive(Clone, Default)]
struct Fits {
    built: u64,
    slots: u64,
    /// Those that are refused, by code.
    refused: BTreeMap<&'static str, u64>,
}

/// Programs of a language.
#[derive(Default)]
struct Findings {
    fits: Vec<Fits>,
    /// Sources that are refused, by code.
    refused: BTreeMap<&'static str, u64>,
    /// Programs of which at least one result was compared.
    compared: u64,
    /// Seeds, and what went wrong.
    faults: Vec<(u64, Fault)>,
}

type Machines = [&'static dyn ShaderUnit];

/// Checks programs, and prints what became of them.
pub fn run(args: &[String]) -> ExitCode {
    let settings = match arguments(args) {
        Ok(settings) => settings,
        Err(problem) => {
            eprintln!("{problem}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let machines: Vec<&'static dyn ShaderUnit> =
        gpuzoo::shader_units().filter(|unit| unit.conventions().is_some()).collect();
    let mut is_faulty = false;
    for language in &settings.languages {
        let start = Instant::now();
        let mut findings = sweep(&machines, *language, &settings);
        let seconds = start.elapsed().as_secs_f64();
        println!("{}:", name(*language));
        let refused = counted(&findings.refused);
        println!("  {} of {} compared; refused: {refused}", findings.compared, settings.count);
        for (unit, Fits { built, slots, refused }) in machines.iter().zip(&findings.fits) {
            let mean = *slots as f64 / (*built).max(1) as f64;
            let refused = counted(refused);
            println!("  {}: {built} built, {mean:.1} slots in the mean; refused: {refused}", unit.about().id);
        }
        findings.faults.sort_by_key(|(seed, _)| *seed);
        let faults = findings.faults.len();
        println!(
            "  {} programs: {faults} faults; {seconds:.0} s, {:.1} a second",
            settings.count,
            settings.count as f64 / seconds
        );
        report(&machines, *language, &settings, &findings.faults);
        is_faulty |= faults > 0;
    }
    if is_faulty { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn name(language: Language) -> &'static str {
    Language::ALL.iter().find(|(_, other, _)| *other == language).map_or("", |(name, ..)| name)
}

fn counted(codes: &BTreeMap<&'static str, u64>) -> String {
    let codes: Vec<String> = codes.iter().map(|(code, count)| format!("{code} {count}")).collect();
    if codes.is_empty() { "none".to_owned() } else { codes.join(", ") }
}

fn arguments(args: &[String]) -> Result<Settings, String> {
    let mut settings = Settings {
        languages: Vec::new(),
        count: COUNT,
        from: 0,
        threads: std::thread::available_parallelism().map_or(1, |threads| threads.get()),
        all_levels: false,
        show: false,
        out: None,
    };
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        if arg == "--show" {
            settings.show = true;
            continue;
        }
        let value = rest.next().ok_or(format!("`{arg}` needs a value"))?;
        let number =
            || value.replace('_', "").parse::<u64>().map_err(|_| format!("`{value}` is not a number"));
        match arg.as_str() {
            "--count" => settings.count = number()?,
            "--from" => settings.from = number()?,
            "--threads" => settings.threads = number()?.clamp(1, 1024) as usize,
            "--levels" if value == "all" => settings.all_levels = true,
            "--out" => settings.out = Some(PathBuf::from(value)),
            "--language" => {
                let language = Language::ALL.iter().find(|(name, ..)| name == value);
                let (_, language, _) = language.ok_or(format!("`{value}` is not a language"))?;
                settings.languages.push(*language);
            }
            "--levels" => return Err(format!("`{value}` is not `all`")),
            _ => return Err(format!("`{arg}` is not an option")),
        }
    }
    if settings.languages.is_empty() {
        settings.languages = Language::ALL.iter().map(|(_, language, _)| *language).collect();
    }
    if settings.count == 0 { Err("`--count` is 0".to_owned()) } else { Ok(settings) }
}

fn sweep(machines: &Machines, language: Language, settings: &Settings) -> Findings {
    let next = AtomicU64::new(0);
    let findings =
        Mutex::new(Findings { fits: vec![Fits::default(); machines.len()], ..Findings::default() });
    let progress = std::io::stderr().is_terminal();
    std::thread::scope(|scope| {
        for thread in 0..settings.threads {
            let (next, findings) = (&next, &findings);
            scope.spawn(move || {
                loop {
                    let at = next.fetch_add(CHUNK, Ordering::Relaxed);
                    if at >= settings.count {
                        return;
                    }
                    (at..(at + CHUNK).min(settings.count)).for_each(|at| {
                        one(machines, language, settings.from.wrapping_add(at), settings, findings);
                    });
                    if thread == 0 && progress {
                        eprint!("\r{} {:5.1} %", name(language), at as f64 * 100.0 / settings.count as f64);
                        let _ = std::io::stderr().flush();
                    }
                }
            });
        }
    });
    if progress {
        eprint!("\r            \r");
    }
    findings.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Checks the program of a seed.
fn one(machines: &Machines, language: Language, seed: u64, settings: &Settings, findings: &Mutex<Findings>) {
    let program = Program::random(seed, language);
    let levels = if settings.all_levels { &LEVELS[..] } else { &[LEVELS[(seed % 4) as usize]] };
    let machines: Vec<&dyn ShaderUnit> = machines.iter().map(|unit| *unit as &dyn ShaderUnit).collect();
    let result = check(&program, language, &machines, levels);
    let mut findings = findings.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if settings.show {
        println!("seed {seed}:\n{}", program.listing(language));
        if let Some(refusal) = refusal(&program, language) {
            println!("{refusal}\n");
        }
        if let Some(folder) = &settings.out
            && let Err(error) = save(folder, language, seed, &program)
        {
            eprintln!("{}: {error}", folder.display());
        }
    }
    match result {
        Ok(Checked { refused, fits, compared }) => {
            findings.compared += u64::from(compared > 0);
            if let Some(code) = refused {
                *findings.refused.entry(code).or_default() += 1;
            }
            for (sum, fits) in findings.fits.iter_mut().zip(fits) {
                for fit in fits {
                    match fit {
                        Ok(slots) => {
                            sum.built += 1;
                            sum.slots += slots as u64;
                        }
                        Err(code) => *sum.refused.entry(code).or_default() += 1,
                    }
                }
            }
        }
        Err(fault) => findings.faults.push((seed, fault)),
    }
}

/// A program with a fault that was made small.
struct Small {
    program: Program,
    fault: Fault,
    seeds: Vec<u64>,
}

/// Prints the faults, made small, by what they are made of.
fn report(machines: &Machines, language: Language, settings: &Settings, faults: &[(u64, Fault)]) {
    let mut tried: BTreeMap<String, usize> = BTreeMap::new();
    let mut rest = Vec::new();
    let mut kinds: BTreeMap<String, Small> = BTreeMap::new();
    for (seed, fault) in faults {
        let machine = fault.machine.map_or("reading", |(machine, _)| machine);
        let tried = tried.entry(format!("{:?} {machine}", fault.kind)).or_default();
        *tried += 1;
        if *tried > SHRUNK {
            rest.push(seed.to_string());
            continue;
        }
        let (program, fault) = small(machines, language, *seed, fault);
        let key = format!("{:?}, {machine}: {}", fault.kind, program.features().join(", "));
        match kinds.get_mut(&key) {
            Some(known) => {
                known.seeds.push(*seed);
                if program.source(language).len() < known.program.source(language).len() {
                    (known.program, known.fault) = (program, fault);
                }
            }
            None => drop(kinds.insert(key, Small { program, fault, seeds: vec![*seed] })),
        }
    }
    for (key, Small { program, fault, seeds }) in kinds {
        let shown: Vec<String> = seeds.iter().take(SEEDS).map(u64::to_string).collect();
        println!("\n{} seeds, {key}: {}", seeds.len(), shown.join(" "));
        println!("{}{fault}", program.listing(language));
        if let Some(folder) = &settings.out
            && let Err(error) = save(folder, language, seeds[0], &program)
        {
            eprintln!("{}: {error}", folder.display());
        }
    }
    if !rest.is_empty() {
        println!("\nseeds of more: {}", rest.join(" "));
    }
}

/// The smallest program with the fault of a seed.
fn small(machines: &Machines, language: Language, seed: u64, fault: &Fault) -> (Program, Fault) {
    let program = Program::random(seed, language);
    let (machines, levels) = match fault.machine {
        Some((id, level)) => {
            let unit = machines.iter().filter(|unit| unit.about().id == id);
            (unit.map(|unit| *unit as &dyn ShaderUnit).collect::<Vec<_>>(), vec![level])
        }
        None => (Vec::new(), Vec::new()),
    };
    let mut last = fault.clone();
    let program = program.shrunk(&mut |program| match check(program, language, &machines, &levels) {
        Err(other) if other.is_like(fault) => {
            last = other;
            true
        }
        _ => false,
    });
    (program, last)
}

fn save(folder: &std::path::Path, language: Language, seed: u64, program: &Program) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let extension = if language == Language::Glsl { "vert" } else { name(language) };
    std::fs::write(folder.join(format!("{seed}.{extension}")), program.source(language))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(args: &[&str]) -> Result<Settings, String> {
        arguments(&args.iter().map(|arg| (*arg).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn arguments_are_checked() {
        let settings = read(&[]).unwrap();
        assert_eq!((settings.count, settings.from, settings.languages.len()), (COUNT, 0, 4));
        let settings = read(&["--count", "1_000", "--from", "7", "--language", "cg"]).unwrap();
        assert_eq!((settings.count, settings.from, settings.languages), (1000, 7, vec![Language::Cg]));
        let wrong = [
            &["--count"][..],
            &["--count", "many"],
            &["--count", "0"],
            &["--cuont", "9"],
            &["--language", "hlsl"],
            &["--levels", "some"],
        ];
        for wrong in wrong {
            assert!(read(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn programs_are_counted() {
        let machines: Vec<&'static dyn ShaderUnit> =
            gpuzoo::shader_units().filter(|unit| unit.conventions().is_some()).collect();
        let settings = read(&["--count", "20", "--from", "1000", "--threads", "2"]).unwrap();
        let Findings { fits, refused, faults, .. } = sweep(&machines, Language::Wgsl, &settings);
        let whole = 20 - refused.values().sum::<u64>() - faults.len() as u64;
        for machine in fits {
            assert_eq!(machine.built + machine.refused.values().sum::<u64>(), whole);
            assert!(machine.slots >= machine.built);
        }
    }
}
