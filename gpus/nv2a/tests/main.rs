//! The tests besides the golden files (`golden.rs`).
#![allow(clippy::disallowed_methods, reason = "vectors are files, and the platform's mathematics an oracle")]

mod assembly;
mod dialects;
mod inputs;
mod logs;
mod macros;
mod pipeline;
mod preprocessor;
mod properties;
mod refusals;
mod screen;
mod texts;
mod vectors;
