//! `cargo xtask words`: every word of an instruction set, or many random ones, through disassembler and assembler.

use gpuzoo_diag::{File, Span};
use gpuzoo_isa::{Bits, Isa, MAX_WORDS, Program, Slot};
use gpuzoo_machine::ShaderUnit;
use gpuzoo_machine::TextOptions;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Words in one text.
const CHUNK: u64 = 4096;

/// `words [GPU…] [--count N]`: all 2³² words of machines with 32-bit slots, N random ones (100 million if not said) of
/// others. Without names, every machine.
pub fn run(args: &[String]) -> ExitCode {
    let (names, count) = match arguments(args) {
        Ok(arguments) => arguments,
        Err(problem) => {
            let known: Vec<&str> = gpuzoo::shader_units().map(|gpu| gpu.about().id).collect();
            eprintln!(
                "{problem}\n\nusage: cargo xtask words [GPU…] [--count N]\n\n  GPU  {}",
                known.join(", ")
            );
            return ExitCode::from(2);
        }
    };
    let mut code = ExitCode::SUCCESS;
    for gpu in gpuzoo::shader_units() {
        let about = gpu.about();
        if !names.is_empty() && !names.iter().any(|name| name == about.id) {
            continue;
        }
        let all = gpu.isa().slot_words == 1 && count.is_none();
        let count = if all { 1 << 32 } else { count.unwrap_or(100_000_000) };
        let start = Instant::now();
        let failures = sweep(gpu, count, all);
        let seconds = start.elapsed().as_secs_f64();
        let kind = if all { "words, all there are" } else { "random slots" };
        println!("{}: {count} {kind}: {failures} do not survive; {seconds:.0} s", about.id);
        if failures > 0 {
            code = ExitCode::FAILURE;
        }
    }
    code
}

/// The machines named and the number of words, or what is wrong with the arguments.
fn arguments(args: &[String]) -> Result<(Vec<String>, Option<u64>), String> {
    let (mut names, mut count) = (Vec::new(), None);
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        if arg == "--count" {
            let number = rest.next().ok_or("`--count` needs a number")?;
            let parsed = number.replace('_', "").parse().ok().filter(|count| *count > 0);
            count = Some(parsed.ok_or(format!("`{number}` is not a number of words"))?);
        } else if gpuzoo::Registry::default().by_id(arg).is_some() {
            names.push(arg.clone());
        } else {
            return Err(format!("there is no GPU `{arg}`"));
        }
    }
    Ok((names, count))
}

fn sweep(gpu: &dyn ShaderUnit, count: u64, all: bool) -> u64 {
    let isa = gpu.isa();
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get()) as u64;
    let (next, failures) = (AtomicU64::new(0), AtomicU64::new(0));
    let progress = std::io::stderr().is_terminal();
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (next, failures) = (&next, &failures);
            scope.spawn(move || {
                loop {
                    let from = next.fetch_add(CHUNK, Ordering::Relaxed);
                    if from >= count {
                        return;
                    }
                    let slots = (from..(from + CHUNK).min(count))
                        .map(|n| if all { Bits::word(n as u32) } else { random(n, isa) });
                    failures.fetch_add(chunk(gpu, &slots.collect::<Vec<_>>()), Ordering::Relaxed);
                    if thread == 0 && progress && (from / CHUNK).is_multiple_of(64) {
                        eprint!("\r{:5.1} %", from as f64 * 100.0 / count as f64);
                        let _ = std::io::stderr().flush();
                    }
                }
            });
        }
    });
    if progress {
        eprint!("\r        \r");
    }
    failures.into_inner()
}

/// SplitMix64, a word at a time, so that a failure can be found again.
fn random(index: u64, isa: &Isa) -> Bits {
    let mut words = [0; MAX_WORDS];
    for (lane, word) in words[..isa.slot_words].iter_mut().enumerate() {
        let mut z = (index * MAX_WORDS as u64 + lane as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        *word = (z ^ z >> 31) as u32;
    }
    let bits = Bits { words };
    // Of wide slots most random ones have bits that the machine ignores, and print as raw words. Every second one is what
    // the assembler would make of it.
    match isa.slot(bits, Span::default()) {
        Slot { inst: Some(inst), paired: None, .. } if index % 2 == 1 => isa.encode(&inst),
        _ => bits,
    }
}

/// How many of the slots do not come back, as programs of as many slots as the machine holds.
fn chunk(gpu: &dyn ShaderUnit, slots: &[Bits]) -> u64 {
    let isa = gpu.isa();
    // One fewer, since a machine may append something to a program that has room.
    slots.chunks(isa.most_slots() - 1).map(|slots| program(gpu, slots)).sum()
}

fn program(gpu: &dyn ShaderUnit, slots: &[Bits]) -> u64 {
    let isa = gpu.isa();
    let slots = slots.iter().map(|bits| isa.slot(*bits, Span::default())).collect();
    let program = Program { slots, ..Program::default() };
    let text = gpu.disassemble(&program, &TextOptions { exact: true, ..TextOptions::default() }).0;
    let again = gpu.assemble(&File::new("words", &text), &TextOptions::default());
    let (given, got) = (program.words(isa), again.program.words(isa));
    if given.len() != got.len() {
        eprintln!("a text of {} words has {}: {:?}", given.len(), got.len(), again.diagnostics.first());
        return program.slots.len() as u64;
    }
    let wrong =
        given.chunks(isa.slot_words).zip(got.chunks(isa.slot_words)).filter(|(given, got)| given != got);
    wrong.inspect(|(given, got)| eprintln!("{given:08x?} came back as {got:08x?}")).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_checked() {
        let read = |args: &[&str]| arguments(&args.iter().map(|arg| (*arg).to_owned()).collect::<Vec<_>>());
        assert_eq!(read(&[]), Ok((vec![], None)));
        assert_eq!(read(&["nv2a", "--count", "1_000"]), Ok((vec!["nv2a".to_owned()], Some(1000))));
        for wrong in [&["nv2"][..], &["--count"], &["--count", "many"], &["--count", "0"], &["--cuont", "9"]]
        {
            assert!(read(wrong).is_err(), "{wrong:?}");
            let args: Vec<String> = wrong.iter().map(|arg| (*arg).to_owned()).collect();
            assert_eq!(run(&args), ExitCode::from(2));
        }
    }

    /// Also words that no program of the machine has.
    #[test]
    fn no_word_is_lost() {
        for gpu in gpuzoo::shader_units() {
            assert_eq!(sweep(gpu, 20_000, false), 0, "{}", gpu.about().id);
        }
    }
}
