//! The built program, from outside: what users and scripts see.

mod arrays;
mod backend;
mod bench;
mod board;
mod budget;
mod check;
#[cfg(feature = "lsp")]
mod clients;
mod common;
mod compile;
mod conform;
mod conventions;
#[cfg(feature = "dap")]
mod dap;
mod debug;
mod disk;
#[cfg(all(feature = "lsp", feature = "dap"))]
mod editors;
mod emit;
mod explain;
mod format;
mod include;
mod inputs;
mod jobs;
mod link;
mod lints;
#[cfg(feature = "lsp")]
mod lsp;
mod new;
mod opened;
mod options;
mod outputs;
mod pack;
mod profiles;
mod render;
mod report;
mod robustness;
mod run;
mod saved;
mod starter;
mod state;
#[cfg(feature = "tui")]
mod terminal;
mod translate;
mod values;
mod vectors;
mod vera;
mod watch;
mod written;
