//! What holds of the whole repository: its pages, and the tests of all crates. Not part of the package.
#![allow(clippy::disallowed_methods, reason = "it reads the repository's files")]

mod ancestry;
mod codes;
mod compiled;
mod examples;
mod format;
mod growth;
mod screens;
mod security;
mod strict;
mod texts;
