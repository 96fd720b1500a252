//! The golden files of this folder; see the crate `gpuzoo-golden`.

use gpuzoo_golden::{KIT_CODES, Suite};
use std::path::Path;
use std::process::ExitCode;

/// Codes of this machine that a small text with `;` comments cannot show. N0303 is a problem of disassembly
/// (`tests/dialects.rs`); N0402 to N0407 are rules of NV_vertex_program, whose comments begin with `#`, and N0408 needs 129
/// instructions (`tests/refusals.rs`).
const OTHERS: &[&str] = &["N0303", "N0402", "N0403", "N0404", "N0406", "N0407", "N0408"];

fn main() -> ExitCode {
    gpuzoo_golden::main(Suite {
        gpu: &gpuzoo_nv2a::GPU,
        folder: Path::new(env!("CARGO_MANIFEST_DIR")).join("tests"),
        examples: Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/nv2a"),
        tested_elsewhere: [KIT_CODES, OTHERS].concat().leak(),
    })
}
