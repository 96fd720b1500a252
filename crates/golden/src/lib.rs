//! Golden tests: a source file with its expectations in its comments, which is also an example that a user may read.
//!
//! ```text
//! // test: encode roundtrip run        from: self
//! dot r0 r1
//! // enc: 00000407
//! // run: r0=(1,2,3,4) r1=(1,1,1,1) -> r0=(0x1.4p3,0,0,0)
//! ```
//!
//! The first line says what is tested and who says so (`self`, `spec`, `vectors`, `hardware`). Each test needs evidence:
//!
//! - `encode`: the words of the `enc:` lines are the program's (what is appended to an empty program too may be left out);
//! - `roundtrip`: disassembling and assembling again gives the same words, and so does the binary; there are some;
//! - `run`: for each `run:` line, registers set on the left give those on the right, bit for bit (`nan` is any NaN), and the
//!   run ends with a kill if `killed` follows them. The meaning is the machine's own, under every profile (`run[cpu]:` is
//!   about one), on the evaluator and on every engine of this processor. Each profile has a line;
//! - `nop`: as `run`, for an instruction that does nothing;
//! - `messages`: the carets beneath the lines are all the errors and warnings of the program; there are some;
//! - `clean`: there are none;
//! - `load`: the bytes of the `bytes:` lines, read as a binary, give the errors and warnings of the `at:` lines.
//!
//! A comment that looks like an expectation (`rnu: …`) and is not one fails.
//!
//! A machine's tests are in `ops/` (named after a mnemonic: a program with rows of it, whose absence a `run:` line would
//! notice; every row has one), `err/` (named after a code, which is among the messages; every code has one or is listed in
//! [`codes::LIST`]), `programs/` and `frames/` (the picture of each example scene, with its authority in
//! [`frames::AUTHORITY`]). With `GPUZOO_BLESS=1` the expectations of files and pictures `from: self` are rewritten, never
//! those that have another authority.
#![forbid(unsafe_code)]
#![allow(clippy::disallowed_methods, reason = "the runner reads golden files and may rewrite them")]

mod checks;
pub mod codes;
mod file;
pub mod frames;
mod literal;
mod run;

pub use checks::file as check;

use gpuzoo_engine::Level;
use gpuzoo_isa::Op;
use gpuzoo_machine::ShaderUnit;
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The folders of golden files.
const FOLDERS: [&str; 3] = ["ops", "err", "programs"];

/// What a machine's golden test program says of itself.
pub struct Suite {
    /// The machine.
    pub gpu: &'static dyn ShaderUnit,
    /// The machine's crate: its folder `tests` holds `ops`, `err` and so on.
    pub folder: PathBuf,
    /// The folder with example scenes, whose first frames are the pictures in `tests/frames`.
    pub examples: PathBuf,
}

/// True if expectations are to be rewritten: the environment has `GPUZOO_BLESS`.
pub fn blesses() -> bool {
    std::env::var_os("GPUZOO_BLESS").is_some()
}

/// Runs all golden tests of a machine; the `main` of its test program.
///
/// Engines that this processor cannot run are shown as ignored tests.
pub fn main(suite: Suite) -> ExitCode {
    let arguments = Arguments::from_args();
    let bless = blesses();
    let suite: &'static Suite = Box::leak(Box::new(suite));
    let tests = suite.folder.join("tests");
    let mut trials = Vec::new();
    for kind in FOLDERS {
        for path in entries(&tests.join(kind)) {
            let name = format!("{kind}/{}", path.file_name().unwrap_or_default().to_string_lossy());
            let check = move || {
                readable(suite.gpu, &path)?;
                checks::file(suite.gpu, &path, bless).map(drop).map_err(Failed::from)
            };
            trials.push(Trial::test(name, check));
        }
    }
    let mut scenes = Vec::new();
    let frames = tests.join("frames");
    for scene in entries(&suite.examples).into_iter().filter(|path| extension(path) == "toml") {
        scenes.push(stem(&scene));
        let name = format!("frames/{}", stem(&scene));
        let frames = frames.clone();
        let check = move || frames::check(suite.gpu, &scene, &frames, bless).map_err(Failed::from);
        trials.push(Trial::test(name, check));
    }
    trials.push(Trial::test("every_picture_has_a_scene", move || {
        frames::strays(&frames, &scenes).map_err(Failed::from)
    }));
    trials.push(Trial::test("every_row_has_a_file", || {
        every_row(suite.gpu, &suite.folder).map_err(Failed::from)
    }));
    trials.push(Trial::test("every_code_has_a_file", || {
        codes::every(suite.gpu, &suite.folder).map_err(Failed::from)
    }));
    trials.push(Trial::test("texts_have_limits", || {
        codes::limits(suite.gpu, &suite.folder).map_err(Failed::from)
    }));
    for level in Level::ALL {
        let check = move || match level.is_supported() {
            true => Ok(()),
            false => Err("this processor cannot run it".into()),
        };
        trials.push(
            Trial::test(format!("engine/{}", level.name()), check).with_ignored_flag(!level.is_supported()),
        );
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// A file of another extension would never be looked at.
fn readable(gpu: &dyn ShaderUnit, path: &Path) -> Result<(), String> {
    let known = gpu.about().extensions;
    match known.contains(&extension(path).as_str()) {
        true => Ok(()),
        false => Err(format!("golden files of this machine end in {}", known.join(", "))),
    }
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().into_owned()
}

/// What a folder holds, sorted. A missing folder holds nothing.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// Each row is held by a `run:` line of a file that is named after its mnemonic. A file that fails holds nothing.
///
/// # Errors
/// The rows that none holds.
pub fn every_row(gpu: &dyn ShaderUnit, folder: &Path) -> Result<(), String> {
    let files = entries(&folder.join("tests/ops"));
    let held: Vec<&'static Op> =
        files.iter().filter_map(|path| checks::file(gpu, path, false).ok()).flatten().collect();
    let isa = gpu.isa();
    let rows = isa.ops();
    let count = |row: &&Op| rows.clone().filter(|other| *other == *row).count();
    if let Some(row) = rows.clone().find(|row| count(row) > 1) {
        return Err(format!("two rows with the half, code and name of {row:?}"));
    }
    let missing: Vec<String> =
        rows.clone().filter(|row| !held.contains(row)).map(|row| format!("{row:?}")).collect();
    match missing.is_empty() {
        true => Ok(()),
        false => Err(format!("rows that no file in ops/ runs: {}", missing.join(" "))),
    }
}
