//! Arguments of `dap`.

use clap::Args;

/// The start of its help.
pub const EXAMPLES: &str = "\
Examples:
  gpuzoo dap
  gpuzoo dap --port 4711

An editor starts this and speaks the Debug Adapter Protocol with it. The book's page
`The debugger in an editor` shows how that is set up, and what it does.";

/// `dap`
#[derive(Args, Clone)]
pub struct Dap {
    /// Serve one editor after the other on this port of 127.0.0.1; 0 for any that is free
    #[arg(long, value_name = "N")]
    pub port: Option<u16>,
}
