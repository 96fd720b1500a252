//! The golden files of this folder; see the crate `gpuzoo-golden`.

use gpuzoo_golden::Suite;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    gpuzoo_golden::main(Suite {
        gpu: &gpuzoo_{{id}}::GPU,
        folder: Path::new(env!("CARGO_MANIFEST_DIR")).join("tests"),
        examples: Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/{{id}}"),
        // The kit's own codes are tested with the machines that came first.
        tested_elsewhere: gpuzoo_golden::KIT_CODES,
    })
}
