//! gpuzoo in editors: a [language server](lsp) for assembly sources and scenes, a [debug adapter](dap), and the [messages](wire) of both.
//!
//! Neither reads the disk: files come from the caller.
#![forbid(unsafe_code)]

#[cfg(feature = "dap")]
pub mod dap;
#[cfg(feature = "lsp")]
pub mod lsp;
pub mod wire;
