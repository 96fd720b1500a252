//! Golden tests: a source file with its expectations in its comments, which is also an example that a user may read.
//!
//! ```text
//! // test: encode roundtrip run        from: self
//! dot r0 r1
//! // enc: 00000407
//! // run: r0=(1,2,3,4) r1=(1,1,1,1) -> r0=(0x1.4p3,0,0,0)
//! ```
//!
//! The first line says what is tested and who says so (`self`, `spec`, `vectors`, `hardware`):
//!
//! - `encode`: the words of the `enc:` lines are the program's, but for what is appended to an empty program too;
//! - `roundtrip`: disassembling and assembling again gives the same words;
//! - `run`: for each `run:` line, registers set on the left give those on the right, bit for bit (`nan` is any NaN);
//! - `messages`: the carets beneath the lines are all the errors and warnings of the program;
//! - `load`: the bytes of the `bytes:` line, read as a binary, give the `at` lines' errors and warnings.
//!
//! A machine's tests lie in `ops/` (a file for each row), `err/` (a file for each code), `programs/` and `frames/` (the
//! picture of each example scene). With `GPUZOO_BLESS=1` the expectations of `from: self` files are rewritten, never
//! those that have another authority.
#![forbid(unsafe_code)]

mod checks;
mod frames;
mod literal;
mod text;

use gpuzoo_machine::Gpu;
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The codes that the kit reports for every machine; one machine's golden files are enough for them.
pub const KIT_CODES: &[&str] = &[
    "A0101", "A0102", "A0103", "A0104", "A0105", "A0106", "A0107", "A0108", "A0109", "A0110", "A0111",
    "A0112", "A0113", "A0114", "A0115", "A0116", "B0101",
];

/// What a machine's golden test program says of itself.
pub struct Suite {
    /// The machine.
    pub gpu: &'static dyn Gpu,
    /// The folder that holds `ops`, `err` and so on.
    pub folder: PathBuf,
    /// The folder with example scenes, whose first frames are the pictures in `frames/`.
    pub examples: PathBuf,
    /// Codes that need more than a small text file and have their test elsewhere.
    pub tested_elsewhere: &'static [&'static str],
}

/// Runs all golden tests of a machine; the `main` of its test program.
pub fn main(suite: Suite) -> ExitCode {
    let arguments = Arguments::from_args();
    let suite: &'static Suite = Box::leak(Box::new(suite));
    let mut trials = Vec::new();
    for kind in ["ops", "err", "programs"] {
        for path in files(&suite.folder.join(kind), suite.gpu.about().extensions) {
            let name = format!("{kind}/{}", stem(&path));
            trials.push(Trial::test(name, move || checks::file(suite.gpu, &path).map_err(Failed::from)));
        }
    }
    for scene in files(&suite.examples, &["toml"]) {
        let name = format!("frames/{}", stem(&scene));
        let picture = suite.folder.join(format!("{name}.png"));
        trials.push(Trial::test(name, move || {
            frames::check(suite.gpu, &scene, &picture).map_err(Failed::from)
        }));
    }
    trials.push(Trial::test("every_row_has_a_file", || every_row(suite)));
    trials.push(Trial::test("every_code_has_a_file", || every_code(suite)));
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The files of a folder that have one of the extensions, sorted. A missing folder has none.
fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let known = |path: &PathBuf| {
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        extensions.contains(&extension.as_ref())
    };
    let mut files: Vec<PathBuf> = entries.filter(known).collect();
    files.sort();
    files
}

fn every_row(suite: &Suite) -> Result<(), Failed> {
    let stems: Vec<String> = files(&suite.folder.join("ops"), suite.gpu.about().extensions)
        .iter()
        .map(|path| stem(path))
        .collect();
    let isa = suite.gpu.about().isa;
    let missing: Vec<&str> = isa
        .ops
        .iter()
        .chain(isa.paired_ops)
        .map(|op| op.name)
        .filter(|name| !stems.iter().any(|stem| stem == name))
        .collect();
    if missing.is_empty() {
        Ok(())
    } else {
        Err(format!("rows without a file in ops/: {}", missing.join(" ")).into())
    }
}

fn every_code(suite: &Suite) -> Result<(), Failed> {
    let stems: Vec<String> = files(&suite.folder.join("err"), suite.gpu.about().extensions)
        .iter()
        .map(|path| stem(path))
        .collect();
    let codes = suite.gpu.about().codes.iter().chain(gpuzoo_isa::codes::CODES).map(|code| code.id);
    let covered = |id: &str| stems.iter().any(|stem| stem.split('_').next() == Some(id));
    let missing: Vec<&str> =
        codes.filter(|id| !covered(id) && !suite.tested_elsewhere.contains(id)).collect();
    if missing.is_empty() {
        Ok(())
    } else {
        Err(format!("codes without a file in err/: {}", missing.join(" ")).into())
    }
}
