//! The crate from outside, as its users see it.

mod common;
mod coverage;
mod hidden;
mod merging;
mod pipeline;
mod projection;
mod robustness;
mod vectors;
