//! Arguments of `pack`.

use super::Source;
use clap::Args;
use std::path::PathBuf;

/// The start of its help.
pub const EXAMPLES: &str = "\
Examples:
  gpuzoo pack light.vsh
  gpuzoo pack --gpu nv2a cg.vp -o packed.vsh
  gpuzoo pack --gpu nv2a cg.vp --emit c --name light -o light.h
  gpuzoo pack teapot.vu -o teapot.bin

What is dead or computed twice is left out. On machines whose slots have two halves,
instructions are put into pairs, and orders and registers are tried until no slot can
be saved. The result is proven to give the same bits for all inputs in every profile.";

/// `pack`
#[derive(Args, Clone)]
pub struct Pack {
    /// The program.
    #[command(flatten)]
    pub source: Source,
    /// Where to write; `-` for standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// What to write; else the form of FILE's extension, else assembly text
    #[arg(long, value_name = "FORM")]
    pub emit: Option<String>,
    /// The dialect of the text that is written; else the machine's first
    #[arg(long, value_name = "DIALECT")]
    pub to: Option<String>,
    /// Vectors of edge values and random ones on which both programs are run besides the proof
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u64).range(..=1 << 24))]
    pub verify: u64,
    /// The program's name in C and Rust; else the file's
    #[arg(long)]
    pub name: Option<String>,
}
