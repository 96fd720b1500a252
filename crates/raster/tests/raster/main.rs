//! The crate from outside, as its users see it.

mod common;
mod coverage;
mod pipeline;
mod projection;
mod robustness;
mod vectors;
