//! Arguments of `compile`.

use super::Source;
use clap::{Args, ValueEnum};
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
    /// The language; else as the extension says
    #[arg(long, value_name = "LANGUAGE")]
    pub program_format: Option<String>,
    /// Define a macro of GLSL or Cg: NAME, which is 1, or NAME=VALUE
    #[arg(long = "define", value_name = "NAME[=VALUE]")]
    pub defines: Vec<String>,
    /// Where to look for included files of Cg, after the source's own folder
    #[arg(short = 'I', long = "include", value_name = "FOLDER")]
    pub folders: Vec<PathBuf>,
    /// How hard to try: 0 keeps the source's order, 3 searches longest
    #[arg(short = 'O', value_name = "LEVEL", default_value = "2", value_parser = clap::value_parser!(u8).range(0..=3))]
    pub level: u8,
    /// Let sums be taken in another order, and choices and floors in ways that are only right for finite numbers of usual sizes
    #[arg(long)]
    pub fast_math: bool,
    /// Where vertices' positions are left, on machines that want them in pixels
    #[arg(long, value_enum, default_value_t)]
    pub position: Position,
    /// Put an output elsewhere: `1=oT0`, `fog=oFog`; an output is `position`, `size`, the number of a location or a name
    #[arg(long, value_name = "OUTPUT=REGISTER")]
    pub map: Vec<String>,
    /// The first constant for uniforms and literals
    #[arg(long, value_name = "NUMBER")]
    pub constants_at: Option<u16>,
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

/// Where positions are left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Position {
    /// In pixels, divided by w, where the machine wants that
    #[default]
    Screen,
    /// In clip space, as the source computes them
    Raw,
}

/// A part of the pipeline that programs are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Stage {
    /// Programs that run for vertices
    Vertex,
    /// Programs that run for fragments
    Fragment,
}

impl From<Stage> for gpuzoo::isa::Stage {
    fn from(stage: Stage) -> gpuzoo::isa::Stage {
        match stage {
            Stage::Vertex => gpuzoo::isa::Stage::Vertex,
            Stage::Fragment => gpuzoo::isa::Stage::Fragment,
        }
    }
}
