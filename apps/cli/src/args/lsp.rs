//! Arguments of `lsp`.

use clap::Args;
use std::path::PathBuf;

/// The start of its help.
pub const EXAMPLES: &str = "\
Examples:
  gpuzoo lsp
  gpuzoo lsp --gpu nv2a -I shaders/include

An editor starts this and speaks the Language Server Protocol with it over standard input
and output. The book's page `In an editor` shows how that is set up, and what it does.";

/// `lsp`
#[derive(Args, Clone)]
pub struct Lsp {
    /// The machine of files whose extension says none
    #[arg(long)]
    pub gpu: Option<String>,
    /// Where to look for files that texts name, after a text's own folder
    #[arg(short = 'I', long, value_name = "FOLDER")]
    pub include: Vec<PathBuf>,
}
