//! The tests besides the golden files (`golden.rs`).
#![allow(clippy::disallowed_methods, reason = "vectors are files")]

mod limits;
mod pipeline;
mod properties;
mod tools;
mod vectors;
