//! The engine against the evaluator.

mod common;
mod lanes;
mod ops;
mod random;

use gpuzoo_engine::Level;

/// The levels to test: those that this processor and this build have. The others are named once.
fn levels() -> impl Iterator<Item = Level> {
    for level in Level::ALL.into_iter().filter(|level| !level.is_supported()) {
        let level = level.name();
        gpuzoo_skipped::say(&format!(
            "this processor or this build lacks level `{level}`: all tests of the engine on it"
        ));
    }
    Level::ALL.into_iter().filter(|level| level.is_supported())
}
