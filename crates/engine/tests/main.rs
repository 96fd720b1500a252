//! The engine against the evaluator.

#[path = "../../ir/tests/common/mod.rs"]
mod common;
mod lanes;
mod ops;
mod random;
