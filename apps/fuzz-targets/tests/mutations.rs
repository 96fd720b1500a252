//! The fuzzer's targets, run over their seeds and over mutations of them: the same ones every time.
#![allow(clippy::disallowed_methods, reason = "seeds are files of the repository")]

use gpuzoo_fuzz_targets::{Mutator, TARGETS, Target, dictionary, target};
use libtest_mimic::{Arguments, Trial};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// Seeds that are longer make slow mutations; each is run as it is.
const LONGEST_MUTATED: usize = 1 << 12;

fn main() {
    let trials = TARGETS.iter().map(|target| Trial::test(target.name, || survives(target)));
    let lists = [
        Trial::test("every_target_is_in_the_manifest", every_target_is_in_the_manifest),
        Trial::test("every_folder_of_seeds_is_used", every_folder_of_seeds_is_used),
        Trial::test("mutations_are_a_hundred_thousand", mutations_are_a_hundred_thousand),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials.chain(lists).collect()).exit();
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn survives(target: &Target) -> Result<(), libtest_mimic::Failed> {
    let seeds = seeds(target)?;
    let tokens = match target.dictionary {
        None => Vec::new(),
        Some(name) => {
            let path = root().join(format!("fuzz/dictionaries/{name}.dict"));
            let text =
                std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            dictionary(&text)?
        }
    };
    seeds.iter().try_for_each(|(name, bytes)| run(target, name, bytes))?;
    let short: Vec<Vec<u8>> =
        seeds.into_iter().map(|(_, bytes)| bytes).filter(|bytes| bytes.len() <= LONGEST_MUTATED).collect();
    let mut mutator =
        Mutator::new(target.name.bytes().fold(0, |seed: u64, byte| seed.wrapping_mul(31) + u64::from(byte)));
    for number in 0..target.mutations {
        let bytes = mutator.next(&short, &tokens);
        run(target, &format!("mutation {number}"), &bytes)?;
    }
    Ok(())
}

/// Shows the input that something is wrong with.
fn run(target: &Target, name: &str, bytes: &[u8]) -> Result<(), libtest_mimic::Failed> {
    catch_unwind(AssertUnwindSafe(|| (target.run)(bytes))).map_err(|_| {
        let shown = format!("{}: {name}: b\"{}\"", target.name, bytes.escape_ascii());
        libtest_mimic::Failed::from(shown)
    })
}

/// The files that a target starts from, in the order of their names.
fn seeds(target: &Target) -> Result<Vec<(String, Vec<u8>)>, libtest_mimic::Failed> {
    let mut seeds = Vec::new();
    for place in target.seeds {
        collect(&root().join(place), &mut seeds).map_err(|error| format!("{place}: {error}"))?;
    }
    if seeds.is_empty() { Err("there are no seeds".into()) } else { Ok(seeds) }
}

fn collect(path: &Path, seeds: &mut Vec<(String, Vec<u8>)>) -> std::io::Result<()> {
    if !path.is_dir() {
        seeds.push((path.display().to_string(), std::fs::read(path)?));
        return Ok(());
    }
    let entries = std::fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.path()));
    let mut entries: Vec<PathBuf> = entries.collect::<std::io::Result<_>>()?;
    entries.sort();
    entries.iter().try_for_each(|entry| collect(entry, seeds))
}

fn every_target_is_in_the_manifest() -> Result<(), libtest_mimic::Failed> {
    let manifest: toml::Table = std::fs::read_to_string(root().join("fuzz/Cargo.toml"))?.parse()?;
    let bins = manifest.get("bin").and_then(toml::Value::as_array).ok_or("no targets")?;
    let names: Vec<&str> = bins.iter().filter_map(|bin| bin.get("name")?.as_str()).collect();
    let known: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    assert_eq!(names, known);
    Ok(())
}

fn every_folder_of_seeds_is_used() -> Result<(), libtest_mimic::Failed> {
    for folder in std::fs::read_dir(root().join("fuzz/seeds"))? {
        let name = folder?.file_name().into_string().map_err(|name| format!("{name:?}"))?;
        let place = format!("fuzz/seeds/{name}");
        assert!(target(&name).is_some_and(|target| target.seeds.contains(&place.as_str())), "{place}");
    }
    Ok(())
}

fn mutations_are_a_hundred_thousand() -> Result<(), libtest_mimic::Failed> {
    assert_eq!(TARGETS.iter().map(|target| target.mutations).sum::<usize>(), 100_000);
    Ok(())
}
