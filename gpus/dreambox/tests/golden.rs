//! The golden files of this folder; see the crate `gpuzoo-golden`.

use gpuzoo_golden::Suite;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    gpuzoo_golden::main(Suite {
        gpu: &gpuzoo_dreambox::GPU,
        folder: Path::new(env!("CARGO_MANIFEST_DIR")).join("tests"),
        examples: Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/dreambox"),
        // Bytes that are not UTF-8 never reach the assembler; the other two need megabytes.
        tested_elsewhere: &["A0114", "A0115", "A0116"],
    })
}
