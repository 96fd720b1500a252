//! `cargo xtask words`: every word of an instruction set, or many random ones, through disassembler and assembler.

use gpuzoo_diag::{File, Span};
use gpuzoo_isa::{Bits, Isa, MAX_WORDS, Program, Slot};
use gpuzoo_machine::Gpu;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Words in one text.
const CHUNK: u64 = 4096;

/// `words [GPU…] [--count N]`: all 2³² words of machines with 32-bit slots, N random ones (100 million if not said) of
/// others. Without names, every machine.
pub fn run(args: &[String]) -> ExitCode {
    let mut count = None;
    let mut names = Vec::new();
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        match (arg.as_str(), rest.clone().next()) {
            ("--count", Some(number)) => {
                count = number.replace('_', "").parse().ok();
                rest.next();
            }
            _ => names.push(arg.as_str()),
        }
    }
    let mut code = ExitCode::SUCCESS;
    for gpu in gpuzoo::GPUS {
        let about = gpu.about();
        if !names.is_empty() && !names.contains(&about.id) {
            continue;
        }
        let all = about.isa.slot_words == 1 && count.is_none();
        let count = if all { 1 << 32 } else { count.unwrap_or(100_000_000) };
        let start = Instant::now();
        let failures = sweep(*gpu, count, all);
        let seconds = start.elapsed().as_secs_f64();
        let kind = if all { "words, all there are" } else { "random slots" };
        println!("{}: {count} {kind}: {failures} do not survive; {seconds:.0} s", about.id);
        if failures > 0 {
            code = ExitCode::FAILURE;
        }
    }
    code
}

fn sweep(gpu: &dyn Gpu, count: u64, all: bool) -> u64 {
    let isa = gpu.about().isa;
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
fn chunk(gpu: &dyn Gpu, slots: &[Bits]) -> u64 {
    let isa = gpu.about().isa;
    // One fewer, since a machine may append something to a program that has room.
    slots.chunks(isa.max_slots - 1).map(|slots| program(gpu, slots)).sum()
}

fn program(gpu: &dyn Gpu, slots: &[Bits]) -> u64 {
    let isa = gpu.about().isa;
    let slots = slots.iter().map(|bits| isa.slot(*bits, Span::default())).collect();
    let program = Program { slots, ..Program::default() };
    let text = gpu.disassemble(&program);
    let again = gpu.assemble(&File::new("words", &text));
    let (given, got) = (program.words(isa), again.program.words(isa));
    if given.len() != got.len() {
        eprintln!("a text of {} words has {}: {:?}", given.len(), got.len(), again.diagnostics.first());
        return program.slots.len() as u64;
    }
    let wrong =
        given.chunks(isa.slot_words).zip(got.chunks(isa.slot_words)).filter(|(given, got)| given != got);
    wrong.inspect(|(given, got)| eprintln!("{given:08x?} came back as {got:08x?}")).count() as u64
}
