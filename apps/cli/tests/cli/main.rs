//! The built program, from outside: what users and scripts see.

mod arrays;
mod bench;
mod budget;
mod check;
mod common;
mod conform;
mod conventions;
mod debug;
mod emit;
mod explain;
mod format;
mod include;
mod jobs;
mod lints;
#[cfg(feature = "lsp")]
mod lsp;
mod new;
mod outputs;
mod render;
mod report;
mod robustness;
mod run;
mod starter;
#[cfg(feature = "tui")]
mod terminal;
mod vectors;
mod vera;
mod watch;
