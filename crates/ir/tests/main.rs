//! The instructions, their arithmetic, passes and text form.
#![allow(clippy::disallowed_methods, reason = "the platform's mathematics is an oracle")]

mod arith;
mod common;
mod edges;
mod eval;
mod lanes;
mod oracle;
mod passes;
mod record;
mod scalar;
mod several;
mod text;
mod vectors;
mod verify;
