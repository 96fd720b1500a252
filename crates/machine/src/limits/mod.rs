//! Limits of an invocation: the budget that all readers share, and allocations that may fail.

pub mod budget;
pub mod memory;
mod refusal;
