//! The golden files of this folder; see the crate `gpuzoo-golden`.

use gpuzoo_golden::Suite;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    gpuzoo_golden::main(Suite {
        gpu: &gpuzoo_picogpu::GPU,
        folder: folder.into(),
        examples: folder.join("../../examples/picogpu"),
    })
}
