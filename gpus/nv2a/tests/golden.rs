//! The golden files of this folder; see the crate `gpuzoo-golden`.

use gpuzoo_golden::{KIT_CODES, Suite};
use std::path::Path;
use std::process::ExitCode;

/// Codes of this machine that a small text cannot show: N0303 is a problem of disassembly (`tests/dialects.rs`), N0408
/// needs 129 instructions (`tests/refusals.rs`), N0601 and N0602 come from the modes (`src/modes.rs`), N0603 from a draw
/// (`tests/pipeline.rs`).
const OTHERS: &[&str] = &["N0303", "N0408", "N0601", "N0602", "N0603"];

fn main() -> ExitCode {
    gpuzoo_golden::main(Suite {
        gpu: &gpuzoo_nv2a::GPU,
        folder: Path::new(env!("CARGO_MANIFEST_DIR")).join("tests"),
        examples: Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/nv2a"),
        tested_elsewhere: [KIT_CODES, OTHERS].concat().leak(),
    })
}
