//! The golden files of this folder; see the crate `gpuzoo-golden`.

use gpuzoo_golden::{KIT_CODES, Suite};
use std::path::Path;
use std::process::ExitCode;

/// Codes of this machine that one small text cannot show: P0212 is of pairs of programs and P0119 of the reference's
/// profile (`tests/programs.rs`), P0302 to P0307 are of jobs, P0308 and P0309 of draws (`tests/pipeline.rs`).
const OTHERS: &[&str] =
    &["P0119", "P0212", "P0302", "P0303", "P0304", "P0305", "P0306", "P0307", "P0308", "P0309"];

fn main() -> ExitCode {
    gpuzoo_golden::main(Suite {
        gpu: &gpuzoo_picogpu::GPU,
        folder: Path::new(env!("CARGO_MANIFEST_DIR")).join("tests"),
        examples: Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/picogpu"),
        tested_elsewhere: [KIT_CODES, OTHERS].concat().leak(),
    })
}
