//! gpuzoo with a sixth machine: all verbs, `explain` and `-A CODE` included, know it.
//!
//! The machine is `xtask/templates/gpu`, which `cargo xtask new-gpu` copies; any crate with a `static GPU` that is a
//! [`gpuzoo::Gpu`] will do.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    gpuzoo_cli::run(gpuzoo::Registry::default().with(&gpuzoo_template::GPU))
}
