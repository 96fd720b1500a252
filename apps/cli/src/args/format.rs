//! Arguments of `fmt`.

use super::Reading;
use clap::Args;
use std::path::PathBuf;

/// The start of its help.
pub const EXAMPLES: &str = "\
Examples:
  gpuzoo fmt teapot.vu
  gpuzoo fmt shaders/ --check
  gpuzoo fmt --gpu nv2a - < light.txt

Only blanks change: a statement, a label and a comment each get their column, words have
one blank between them, and one empty line is left of several. What is assembled is
compared before a file is replaced. No file is if one of them has errors.";

/// `fmt`
#[derive(Args, Clone)]
pub struct Format {
    /// Texts, and folders of them; `-` for standard input, which is laid out to standard output
    #[arg(value_name = "FILE")]
    pub input: Vec<PathBuf>,
    /// How texts are read.
    #[command(flatten)]
    pub reading: Reading,
    /// Replace nothing: report the texts that would change, and exit with 1 if there are some
    #[arg(long)]
    pub check: bool,
}
