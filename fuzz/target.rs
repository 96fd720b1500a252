//! The target that the program is named after.
#![no_main]

use gpuzoo_fuzz_targets::target;

/// Chosen when the program is compiled: what other targets need is not linked, and libFuzzer looks at every counter of what
/// is, for every input.
const RUN: fn(&[u8]) = target(env!("CARGO_BIN_NAME")).expect("a target of this name").run;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| RUN(bytes));
