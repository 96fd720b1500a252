//! The gpuzoo command line.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    gpuzoo_cli::run(gpuzoo::Registry::default())
}
