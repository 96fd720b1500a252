//! The tests besides the golden files (`golden.rs`).
#![allow(clippy::disallowed_methods, reason = "vectors are files, and the platform's mathematics an oracle")]

mod assembly;
mod dialects;
mod host;
mod inputs;
mod launches;
mod limits;
mod logs;
mod macros;
mod made;
mod pipeline;
mod places;
mod preprocessor;
mod properties;
mod refusals;
mod screen;
mod texts;
mod tools;
mod vectors;
