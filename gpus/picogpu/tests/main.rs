//! The tests besides the golden files (`golden.rs`).
#![allow(clippy::disallowed_methods, reason = "vectors are files")]

mod cycles;
mod jobs;
mod made;
mod pipeline;
mod programs;
mod properties;
mod scenes;
mod tools;
mod unit;
mod vectors;
mod waves;
