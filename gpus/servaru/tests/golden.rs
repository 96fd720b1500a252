//! The golden files of this folder; see the crate `gpuzoo-golden`.

use gpuzoo_golden::Suite;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    gpuzoo_golden::main(Suite {
        gpu: &gpuzoo_servaru::GPU,
        folder: Path::new(env!("CARGO_MANIFEST_DIR")).join("tests"),
        examples: Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/servaru"),
        // This language has no block comments and no names; a program too long, text that is none, and a stage that a draw
        // contradicts have their tests in properties.rs and pipeline.rs.
        tested_elsewhere: &["A0106", "A0108", "A0109", "A0110", "A0114", "A0115", "A0116", "S0209"],
    })
}
