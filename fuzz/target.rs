//! The target that the program is named after.
#![no_main]

use gpuzoo_fuzz_targets::target;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    (target(env!("CARGO_BIN_NAME")).expect("a target of this name").run)(bytes);
});
