//! `cargo xtask mutants`: small changes to the code (cargo-mutants), each of which a test should notice.
//!
//! The changes are made in a worktree of its own below `target`, so that one can go on working. Verdicts are kept there:
//! a change is judged again only when the code of its file has changed. `docs/testing.md` has the figures.

mod judged;
mod listed;
mod mutant;
mod tree;

use judged::Judged;
use mutant::{Mutant, Verdict};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use tree::{Tests, Tree};

const USAGE: &str = "usage: cargo xtask mutants [PLACE…] [--sample N] [--minutes N] [--again] [--report]

  PLACE        a crate's folder (raster, vera) or the start of a file's path (gpus/vera/src/fx/); without one, all
  --sample N   of each crate at most N mutants, always the same ones
  --minutes N  start no more after N minutes; the next call goes on
  --again      judge those that survived once more, for tests that are new
  --report     only say what is known";

/// A crate whose mutants are judged.
struct Target {
    folder: &'static str,
    package: &'static str,
    /// Tests of its own that take long: only those that survive the others run them.
    slow: &'static [&'static str],
    /// What else must notice them: packages whose golden files, frames and vectors rest on this crate.
    wide: &'static [&'static str],
}

const MACHINES: &[&str] =
    &["gpuzoo-dreambox", "gpuzoo-nv2a", "gpuzoo-picogpu", "gpuzoo-servaru", "gpuzoo-vera", "gpuzoo-x16"];
const SHADERS: &[&str] = &["gpuzoo-dreambox", "gpuzoo-nv2a", "gpuzoo-picogpu", "gpuzoo-servaru"];

const fn target(folder: &'static str, package: &'static str) -> Target {
    Target { folder, package, slow: &[], wide: &[] }
}

const TARGETS: [Target; 12] = [
    target("gpus/dreambox", "gpuzoo-dreambox"),
    target("gpus/nv2a", "gpuzoo-nv2a"),
    target("gpus/picogpu", "gpuzoo-picogpu"),
    Target { slow: &["properties::programs_of_any_size"], ..target("gpus/servaru", "gpuzoo-servaru") },
    target("gpus/vera", "gpuzoo-vera"),
    target("crates/x16", "gpuzoo-x16"),
    Target {
        wide: &["gpuzoo-vera", "gpuzoo-x16", "gpuzoo-65c02"],
        ..target("crates/stored", "gpuzoo-stored")
    },
    Target { wide: SHADERS, ..target("crates/raster", "gpuzoo-raster") },
    Target { wide: SHADERS, ..target("crates/ir", "gpuzoo-ir") },
    Target { wide: SHADERS, ..target("crates/isa", "gpuzoo-isa") },
    Target { wide: MACHINES, ..target("crates/machine", "gpuzoo-machine") },
    Target { wide: MACHINES, ..target("crates/scene", "gpuzoo-scene") },
];

/// What the command line asks for.
#[derive(Debug, Default, PartialEq)]
struct Options {
    places: Vec<String>,
    sample: Option<usize>,
    minutes: Option<u64>,
    again: bool,
    report: bool,
}

impl Options {
    fn parse(args: &[String]) -> Result<Options, String> {
        let mut options = Options::default();
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let mut number = || {
                let value = args.next().and_then(|value| value.parse().ok());
                value.ok_or_else(|| format!("{arg} needs a number"))
            };
            match arg.as_str() {
                "--sample" => options.sample = Some(number()? as usize),
                "--minutes" => options.minutes = Some(number()?),
                "--again" => options.again = true,
                "--report" => options.report = true,
                place if !place.starts_with('-') => options.places.push(place.to_owned()),
                other => return Err(format!("there is no option {other}")),
            }
        }
        match options.places.iter().find(|place| !TARGETS.iter().any(|target| target.meets(place))) {
            Some(place) => Err(format!("{place} is in none of the crates whose mutants are judged")),
            None => Ok(options),
        }
    }

    /// Whether something of a crate is asked for.
    fn names(&self, target: &Target) -> bool {
        self.places.is_empty() || self.places.iter().any(|place| target.meets(place))
    }

    /// Whether a file of a crate is asked for.
    fn wants(&self, target: &Target, file: &str) -> bool {
        self.places.is_empty()
            || self.places.iter().any(|place| target.has(place) || file.starts_with(place.as_str()))
    }
}

impl Target {
    /// Whether a place on the command line is the whole crate.
    fn has(&self, place: &str) -> bool {
        let place = place.trim_end_matches('/');
        place == self.folder || self.folder.ends_with(&format!("/{place}"))
    }

    /// Whether a place on the command line is the crate or in it.
    fn meets(&self, place: &str) -> bool {
        self.has(place) || place.starts_with(self.folder)
    }
}

/// Judges mutants, and says which share of them is noticed.
pub fn run(args: &[String]) -> ExitCode {
    if args.iter().any(|arg| arg == "--help") {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    let result = Options::parse(args).map_err(|error| format!("{error}\n\n{USAGE}")).and_then(judge);
    match result {
        Ok(code) => code,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn judge(options: Options) -> Result<ExitCode, String> {
    let start = Instant::now();
    let in_time =
        || options.minutes.is_none_or(|minutes| start.elapsed() < Duration::from_secs(60 * minutes));
    let tree = Tree::check_out(&crate::root().join("target/mutants"))?;
    let listed = listed::read(&crate::root().join("xtask/mutants.toml"))?;
    let mut judged = Judged::open(&tree.folder().join("judged.tsv"))?;
    let mut complete = true;
    for target in TARGETS.iter().filter(|target| options.names(target)) {
        let all = tree.mutants(target.package)?;
        listed::check(&listed, target.folder, &all)?;
        let chosen = sample(all, |mutant| options.wants(target, &mutant.file), options.sample);
        let (apart, chosen): (Vec<_>, Vec<_>) =
            chosen.into_iter().partition(|mutant| listed.iter().any(|entry| entry.is(mutant)));
        let open: Vec<&Mutant> = chosen
            .iter()
            .filter(|mutant| match judged.of(mutant) {
                None => true,
                Some(verdict) => options.again && verdict == Verdict::Survived,
            })
            .collect();
        if !options.report && !open.is_empty() && in_time() {
            let mut tests = Suite::new(&tree, target)?;
            for mutant in open.into_iter().take_while(|_| in_time()) {
                let verdict = tests.verdict(mutant)?;
                println!("{:<9} {}", verdict.name(), mutant.name);
                judged.add(mutant, verdict)?;
            }
        }
        let of = |verdict| chosen.iter().filter(|mutant| judged.of(mutant) == Some(verdict)).count();
        for mutant in chosen.iter().filter(|mutant| judged.of(mutant) == Some(Verdict::Survived)) {
            println!("survived  {}", mutant.name);
        }
        let (killed, survived) = (of(Verdict::Killed), of(Verdict::Survived));
        let unviable = of(Verdict::Unviable);
        let left = chosen.len() - killed - survived - unviable;
        println!(
            "{}: {}; {unviable} unviable, {} listed, {left} not judged\n",
            target.folder,
            judged::share(killed, killed + survived),
            apart.len()
        );
        complete &= survived == 0;
    }
    Ok(if complete { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The tests that judge a crate's mutants.
struct Suite<'a> {
    tree: &'a Tree,
    target: &'a Target,
    /// Seconds that the crate's own tests may take, and the others, which are built when they are needed.
    own: u64,
    others: Option<u64>,
}

impl Suite<'_> {
    fn new<'a>(tree: &'a Tree, target: &'a Target) -> Result<Suite<'a>, String> {
        Ok(Suite { tree, target, own: tree.baseline(&[target.package])?, others: None })
    }

    /// What becomes of a mutant: first under the crate's own quick tests, and what survives them under the others.
    fn verdict(&mut self, mutant: &Mutant) -> Result<Verdict, String> {
        let Target { package, slow, wide, .. } = *self.target;
        let quick = Tests { packages: &[package], skipped: slow };
        let verdict = self.tree.judge(package, mutant, quick, self.own)?;
        let others: Vec<&str> = wide.iter().copied().chain((!slow.is_empty()).then_some(package)).collect();
        if verdict != Verdict::Survived || others.is_empty() {
            return Ok(verdict);
        }
        let timeout = match self.others {
            Some(timeout) => timeout,
            None => *self.others.insert(self.tree.baseline(&others)?),
        };
        self.tree.judge(package, mutant, Tests { packages: &others, skipped: &[] }, timeout)
    }
}

/// At most so many of those that are wanted, spread over all of them; the same ones each time.
fn sample(mutants: Vec<Mutant>, wanted: impl Fn(&Mutant) -> bool, count: Option<usize>) -> Vec<Mutant> {
    let mut mutants: Vec<Mutant> = mutants.into_iter().filter(wanted).collect();
    if let Some(count) = count {
        mutants.sort_by_cached_key(|mutant| (mutant::hash(&mutant.name), mutant.name.clone()));
        mutants.truncate(count);
    }
    mutants.sort_by(|a, b| (&a.file, a.line, &a.name).cmp(&(&b.file, b.line, &b.name)));
    mutants
}

#[cfg(test)]
mod tests {
    use super::*;

    pub fn mutant(file: &str, line: usize, change: &str, code: &str) -> Mutant {
        Mutant {
            name: format!("{file}:{line}:9: {change}"),
            file: file.to_owned(),
            line,
            change: change.to_owned(),
            code: code.to_owned(),
            state: 0,
            place: (0, 1),
        }
    }

    #[test]
    fn command_lines() {
        let parse =
            |line: &str| Options::parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
        let options = parse("vera gpus/nv2a/src/vertex/fetch.rs --sample 60 --minutes 5 --again").unwrap();
        assert_eq!((options.sample, options.minutes, options.again), (Some(60), Some(5), true));
        let [nv2a, vera] = [&TARGETS[1], &TARGETS[4]];
        assert!(options.wants(vera, "gpus/vera/src/lib.rs"));
        assert!(options.wants(nv2a, "gpus/nv2a/src/vertex/fetch.rs"));
        assert!(!options.wants(nv2a, "gpus/nv2a/src/lib.rs"));
        for line in ["--sample", "--minutes many", "--fast", "crates/diag", "era"] {
            assert!(parse(line).is_err(), "{line}");
        }
    }

    /// A larger sample has the smaller one in it, so that going on loses nothing.
    #[test]
    fn samples_grow() {
        let all = || (1..200).map(|line| mutant("a.rs", line, "replace + with -", "")).collect::<Vec<_>>();
        let names = |count| -> Vec<String> {
            sample(all(), |_| true, Some(count)).into_iter().map(|mutant| mutant.name).collect()
        };
        let (few, many) = (names(20), names(60));
        assert_eq!((few.len(), many.len()), (20, 60));
        assert!(few.iter().all(|name| many.contains(name)));
        // Not the first ones, and not neighbours.
        assert!(sample(all(), |_| true, Some(20)).iter().any(|mutant| mutant.line > 100));
        assert_eq!(sample(all(), |mutant| mutant.line < 5, None).len(), 4);
    }

    #[test]
    fn the_crates_are_there() {
        for target in &TARGETS {
            let manifest = std::fs::read_to_string(crate::root().join(target.folder).join("Cargo.toml"));
            assert!(manifest.unwrap().contains(&format!("name = \"{}\"", target.package)));
        }
    }
}
