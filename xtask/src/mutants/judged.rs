//! What became of mutants, kept in a file from call to call.

use super::mutant::{Mutant, Verdict};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

/// The verdicts so far, by the state of the file's code and the mutant's name.
pub struct Judged {
    file: File,
    verdicts: HashMap<(u64, String), Verdict>,
}

impl Judged {
    /// Opens the file, which need not be there yet. Lines that are cut off count as not written.
    ///
    /// # Errors
    /// A file that cannot be read or written, as a message.
    pub fn open(path: &Path) -> Result<Judged, String> {
        let problem = |error: std::io::Error| format!("{}: {error}", path.display());
        let text =
            if path.exists() { std::fs::read_to_string(path).map_err(problem)? } else { String::new() };
        let mut file = OpenOptions::new().create(true).append(true).open(path).map_err(problem)?;
        if !text.is_empty() && !text.ends_with('\n') {
            // What is added is not to continue the line that was cut off.
            file.write_all(b"\n").map_err(problem)?;
        }
        Ok(Judged { file, verdicts: text.lines().filter_map(entry).collect() })
    }

    /// What is known about a mutant as its file is now.
    pub fn of(&self, mutant: &Mutant) -> Option<Verdict> {
        self.verdicts.get(&(mutant.state, mutant.name.clone())).copied()
    }

    /// Keeps a verdict.
    ///
    /// # Errors
    /// A file that cannot be written, as a message.
    pub fn add(&mut self, mutant: &Mutant, verdict: Verdict) -> Result<(), String> {
        let line = format!("{:016x}\t{}\t{}\n", mutant.state, verdict.name(), mutant.name);
        self.verdicts.insert((mutant.state, mutant.name.clone()), verdict);
        self.file.write_all(line.as_bytes()).map_err(|error| format!("verdicts cannot be kept: {error}"))
    }
}

fn entry(line: &str) -> Option<((u64, String), Verdict)> {
    let mut fields = line.splitn(3, '\t');
    let state = u64::from_str_radix(fields.next()?, 16).ok()?;
    let word = fields.next()?;
    let verdict = Verdict::ALL.into_iter().find(|verdict| verdict.name() == word)?;
    Some(((state, fields.next()?.to_owned()), verdict))
}

/// `98 of 100 killed, 98.0 % (95 % sure: 93.0 to 99.4)`.
pub fn share(killed: usize, viable: usize) -> String {
    if viable == 0 {
        return "none judged".to_owned();
    }
    let (low, high) = interval(killed, viable);
    let percent = 100.0 * killed as f64 / viable as f64;
    format!(
        "{killed} of {viable} killed, {percent:.1} % (95 % sure: {:.1} to {:.1})",
        100.0 * low,
        100.0 * high
    )
}

/// Wilson's interval for a share, at 95 %.
fn interval(killed: usize, viable: usize) -> (f64, f64) {
    const Z: f64 = 1.96;
    let (n, p) = (viable as f64, killed as f64 / viable as f64);
    let middle = p + Z * Z / (2.0 * n);
    let spread = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    let all = 1.0 + Z * Z / n;
    ((middle - spread) / all, (middle + spread) / all)
}

#[cfg(test)]
mod tests {
    use super::super::tests::mutant;
    use super::*;

    #[test]
    fn verdicts_hold_while_the_code_is_the_same() {
        let folder = std::env::temp_dir().join(format!("gpuzoo-judged-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("judged.tsv");
        let one = mutant("a.rs", 7, "replace + with -", "");
        let mut judged = Judged::open(&path).unwrap();
        judged.add(&one, Verdict::Survived).unwrap();
        judged.add(&one, Verdict::Killed).unwrap();
        let mut cut = OpenOptions::new().append(true).open(&path).unwrap();
        cut.write_all(b"00000000000000\tkil").unwrap();
        let judged = Judged::open(&path).unwrap();
        assert_eq!(judged.of(&one), Some(Verdict::Killed));
        assert_eq!(judged.of(&Mutant { state: 1, ..one }), None);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    /// 81 of 263 is the example in Newcombe's comparison of intervals (1998): 0.2553 to 0.3662.
    #[test]
    fn intervals_as_published() {
        let (low, high) = interval(81, 263);
        assert!((low - 0.2553).abs() < 5e-5 && (high - 0.3662).abs() < 5e-5, "{low} {high}");
        assert_eq!(share(0, 0), "none judged");
    }
}
