//! Arguments of `translate`.

use super::{Position, Source};
use clap::Args;
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
    /// How the program is written; else as its extension or content implies
    #[arg(long, value_name = "FORM")]
    pub program_format: Option<String>,
    /// The language: wgsl, spirv, spirv10, spvasm, glsl, glsl330, essl300, essl310, hlsl or msl; else as the extension of the output, else wgsl
    #[arg(long, value_name = "LANGUAGE")]
    pub to: Option<String>,
    /// What it becomes: vertex, fragment, compute or function; else a shader of the program's own stage
    #[arg(long = "as", value_name = "SHAPE")]
    pub shape: Option<String>,
    /// Whose numbers it computes with: fast for the host's, exact for the machine's
    #[arg(long, value_name = "NAME", default_value = "fast")]
    pub fidelity: String,
    /// Where the program leaves positions, on machines whose programs leave them in pixels
    #[arg(long, value_enum, default_value_t)]
    pub position: Position,
    /// The group of all resources: the set of Vulkan, the register space of Direct3D
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub group: u32,
    /// Bind a resource somewhere else; --explain shows their names and usual bindings
    #[arg(long = "bind", value_name = "NAME=BINDING")]
    pub bindings: Vec<String>,
    /// Give the outputs that the program does not write, too
    #[arg(long)]
    pub all_outputs: bool,
    /// Make the size of points the pipeline's own, not one more varying
    #[arg(long)]
    pub point_size: bool,
    /// What names of functions, types and resources begin with
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub prefix: String,
    /// Write SPIR-V without names and lines
    #[arg(long)]
    pub strip: bool,
    /// The numeric profile; else the machine's default
    #[arg(long)]
    pub profile: Option<String>,
    /// Set a switch of the machine; `gpuzoo list modes` shows them
    #[arg(long = "mode", value_name = "NAME=CHOICE")]
    pub modes: Vec<String>,
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
