//! Arguments of `translate`.

use super::Source;
use clap::Args;
use gpuzoo::options::{StateOptions, TranslateOptions};
use std::path::PathBuf;

/// The start of its help.
pub const EXAMPLES: &str = "\
Examples:
  gpuzoo translate light.vsh
  gpuzoo translate light.vsh -o light.spv --reflection light.json
  gpuzoo translate light.vsh --to glsl330 --fidelity fast --explain
  gpuzoo translate light.vsh --to wgsl --as compute --fidelity exact
  gpuzoo translate teapot.vu --to hlsl --as function --prefix teapot_
  gpuzoo translate lit.svs --to spirv --group 1 --bind c=4

A shader with fidelity `fast` computes with the host's floats. With `exact` it computes in
integers and gives the machine's bits on any GPU.";

/// `translate`
#[derive(Args, Clone)]
pub struct Translate {
    /// The program.
    #[command(flatten)]
    pub source: Source,
    /// Options of translating, as all surfaces have them.
    #[command(flatten)]
    pub options: TranslateOptions,
    /// State of the machine.
    #[command(flatten)]
    pub state: StateOptions,
    /// Where to write; `-` for standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write inputs, outputs and bindings as JSON, too
    #[arg(long, value_name = "FILE")]
    pub reflection: Option<PathBuf>,
    /// Say what the host must provide, and where its results may differ from the machine's
    #[arg(long)]
    pub explain: bool,
}
