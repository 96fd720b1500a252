//! The golden files of this folder; see the crate `gpuzoo-golden`.

use gpuzoo_golden::{KIT_CODES, Suite};
use std::path::Path;
use std::process::ExitCode;

/// Codes of this machine that a small text in its first dialect cannot show.
const OTHERS: &[&str] = &[
    // A problem of disassembly: `tests/dialects.rs`.
    "N0303",
    // Rules of NV_vertex_program, whose comments begin with `#`: `tests/refusals.rs`.
    "N0402", "N0403", "N0404", "N0406", "N0407",
    // Needs 129 instructions: `lengths` in `tests/refusals.rs`.
    "N0408",
];

fn main() -> ExitCode {
    gpuzoo_golden::main(Suite {
        gpu: &gpuzoo_nv2a::GPU,
        folder: Path::new(env!("CARGO_MANIFEST_DIR")).join("tests"),
        examples: Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/nv2a"),
        tested_elsewhere: [KIT_CODES, OTHERS].concat().leak(),
    })
}
