//! What C sees: the header, programs in C and C++ under sanitizers, and the machines' vectors through the exported functions.
#![allow(missing_docs, clippy::disallowed_methods, reason = "a test program")]

mod compiler;
mod conformance;
mod header;
mod programs;
