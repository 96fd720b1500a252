//! The tests besides the golden files (`golden.rs`).
#![allow(clippy::disallowed_methods, reason = "vectors are files")]

mod host;
mod limits;
mod made;
mod pipeline;
mod properties;
mod tools;
mod vectors;
