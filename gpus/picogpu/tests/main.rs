//! The tests besides the golden files (`golden.rs`).
#![allow(clippy::disallowed_methods, reason = "vectors are files")]

mod cycles;
mod pipeline;
mod programs;
mod properties;
mod unit;
mod vectors;
