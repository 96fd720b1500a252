//! Reading vectors: traces, and the `END` comments that the tool behind them wrote.

use gpuzoo_diag::File;
use gpuzoo_vera::trace::Trace;
use gpuzoo_vera::{Item, Vera};
use std::path::{Path, PathBuf};

/// The files of a folder with an extension, sorted.
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|own| own == extension))
        .collect();
    files.sort();
    files
}

/// A trace without problems.
pub fn trace(text: &str) -> Trace {
    let (trace, problems) = Trace::parse(&File::new("trace", text));
    assert!(problems.is_empty(), "{problems:?}");
    trace
}

/// What ISR reads after a frame, by `ISR.txt`.
pub fn isr(folder: &Path, name: &str) -> Option<u8> {
    let text = std::fs::read_to_string(folder.join("ISR.txt")).ok()?;
    let line = text.lines().find(|line| line.split_whitespace().next() == Some(name))?;
    u8::from_str_radix(line.split_whitespace().nth(1)?, 16).ok()
}

/// Compares the hidden state with the comment `# END addr0=… poke=0`; returns how many values it compared.
pub fn check_end(text: &str, vera: &Vera, name: &str) -> usize {
    let Some(end) = text.lines().find_map(|line| line.strip_prefix("# END ")) else { return 0 };
    let state = |name: &str| (Item::find(name).unwrap_or_else(|| panic!("{name}")).get)(vera);
    let mut compared = 0;
    for (key, value) in end.split_whitespace().filter_map(|pair| pair.split_once('=')) {
        let known = match key {
            "addr0" => format!("{:05X}.{}", state("ADDR0"), state("addr0_nibble")),
            "addr1" => format!("{:05X}.{}", state("ADDR1"), state("addr1_nibble")),
            "data0" => format!("{:02X}", state("latch0")),
            "data1" => format!("{:02X}", state("latch1")),
            "x" => format!("{:05X}", state("FX_X_POS")),
            "y" => format!("{:05X}", state("FX_Y_POS")),
            "cache" => format!("{:08X}", state("cache")),
            "idx" => format!("{}.{}", state("cache_byte"), state("cache_nibble")),
            "accum" => format!("{:08X}", state("accumulator")),
            "poke" => state("poke_armed").to_string(),
            _ => continue,
        };
        assert_eq!(known, value, "{name}: {key}");
        compared += 1;
    }
    compared
}
