//! The engine against the evaluator.
#![allow(clippy::disallowed_methods, reason = "what is skipped is said")]

mod common;
mod lanes;
mod ops;
mod random;

use gpuzoo_engine::Level;
use std::io::Write;
use std::sync::Once;

/// The levels to test: those that this processor and this build have. The others are named once, past the test harness,
/// which keeps to itself what passing tests print.
fn levels() -> impl Iterator<Item = Level> {
    static SAY: Once = Once::new();
    SAY.call_once(|| {
        for level in Level::ALL.into_iter().filter(|level| !level.is_supported()) {
            let what = format!("all tests of the engine on level `{}`", level.name());
            let line = format!("skipped: {what}, which this processor or this build lacks\n");
            let _ = std::io::stderr().write_all(line.as_bytes());
        }
    });
    Level::ALL.into_iter().filter(|level| level.is_supported())
}
