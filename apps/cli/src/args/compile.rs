//! Arguments of `compile`.

use super::Source;
use clap::Args;
use gpuzoo::options::CompileOptions;
use std::path::PathBuf;

/// The start of its help.
pub const EXAMPLES: &str = "\
Examples:
  gpuzoo compile --gpu nv2a lit.wgsl
  gpuzoo compile --gpu nv2a lit.vert -o lit.vsh --explain
  gpuzoo compile --gpu dreambox lit.wgsl --entry vs --emit rust --name lit -o lit.rs
  gpuzoo compile --gpu servaru lit.wgsl --stage fragment
  gpuzoo compile --gpu nv2a mesh.vs.cg --emit inl -o mesh.inl

Sources are in WGSL, GLSL (440 to 460), SPIR-V or Cg. Calls are entered, loops unrolled, conditions become
choices. What a machine cannot do is refused, and so is what is too long for it. `check`, `run`, `trace`,
`debug` and `render` take sources, too.";

/// `compile`
#[derive(Args, Clone)]
pub struct Compile {
    /// The source.
    #[command(flatten)]
    pub source: Source,
    /// Options of compiling, as all surfaces have them.
    #[command(flatten)]
    pub options: CompileOptions,
    /// Say where the slots go: how many each line of the source became, and what keeps the program from being shorter
    #[arg(long)]
    pub explain: bool,
    /// Where to write; `-` for standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// What to write; else the form of FILE's extension, else assembly text
    #[arg(long, value_name = "FORM")]
    pub emit: Option<String>,
    /// The program's name in C and Rust; else the file's
    #[arg(long)]
    pub name: Option<String>,
}
