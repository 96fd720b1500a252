//! Arguments of `run`, and of all verbs that take a program with its data.

use super::{Backend, Reported, Source};
use clap::{Args, ValueEnum};
use gpuzoo::options::StateOptions;
use std::path::PathBuf;

/// How it is called.
pub const EXAMPLES: &str = "\
Examples:
  gpuzoo run teapot.vu vertices.csv
  gpuzoo run teapot.vu vertices.json --constant-file matrices.json --format csv
  gpuzoo run teapot.vu mesh.bin --layout 0:0:Float4,1:16:Float2 --stride 24
  gpuzoo run teapot.vu vertices.csv -c c0=1,0,0,0 -c c1=0,0x3f800000,0,0 --bits
  gpuzoo run teapot.vu vertices.npy -o outputs.npy
  gpuzoo run teapot.vu vertices.csv --watch
  gpuzoo run teapot.vu vertices.npy --backend wgpu --fidelity exact -o outputs.npy

Vertices are a table (first line `in0.x,in0.y,in1.x,…`), JSON (a list of records
or `{\"in0\": [[x,y,z,w], …]}`), raw bytes with a layout, or an array of NumPy's
(four columns for each input). A number may be a bit pattern everywhere: 0x3f800000.";

/// A program with its data.
#[derive(Args, Clone)]
pub struct Data {
    /// The program.
    #[command(flatten)]
    pub source: Source,
    /// The vertices; `-` for standard input, nothing for one vertex without inputs
    pub vertices: Option<PathBuf>,
    /// How the vertices are written; else as their extension or content implies
    #[arg(long = "vertices-from", value_enum, value_name = "FORM", hide_short_help = true)]
    pub vertex_format: Option<VertexFormat>,
    /// How raw vertices are read; else as the machine does at power-on
    #[arg(long, value_name = "INPUT:OFFSET:FORMAT,…")]
    pub layout: Option<String>,
    /// Bytes of a raw vertex
    #[arg(long, value_name = "BYTES", hide_short_help = true)]
    pub stride: Option<u32>,
    /// Set a constant, called as in the program's text
    #[arg(short = 'c', long = "const", value_name = "NAME=X,Y,Z,W", allow_hyphen_values = true)]
    pub constants: Vec<String>,
    /// Set constants from JSON, a table, or the bytes of the machine's memory
    #[arg(long = "constant-file", value_name = "FILE")]
    pub constant_files: Vec<PathBuf>,
    /// Name of an input or a constant in a table of RenderDoc's: `--rename POSITION=v0`
    #[arg(long = "rename", value_name = "NAME=REGISTER", hide_short_help = true)]
    pub names: Vec<String>,
    /// The order of components in files of constants: as programs name them, or as NV2A's RDI shows its memory
    #[arg(long, value_enum, value_name = "ORDER", default_value_t, hide_short_help = true)]
    pub component_order: ComponentOrder,
    /// State of the machine.
    #[command(flatten)]
    pub state: StateOptions,
    /// What an output holds before the program, on machines that keep them from vertex to vertex
    #[arg(
        long = "output-start",
        value_name = "NAME=X,Y,Z,W",
        allow_hyphen_values = true,
        hide_short_help = true
    )]
    pub output_starts: Vec<String>,
    /// Write the inputs and constants that it reads, as JSON
    ///
    /// Fill them in and give the file as the vertices. Nothing is run.
    #[arg(long, value_name = "FILE")]
    pub emit_inputs: Option<PathBuf>,
    /// Print bit patterns
    #[arg(long)]
    pub bits: bool,
}

/// The order of a constant's components in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ComponentOrder {
    /// x first
    #[default]
    Xyzw,
    /// w first
    Wzyx,
}

/// How vertices are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum VertexFormat {
    /// A table
    Csv,
    /// Lists or records
    Json,
    /// Bytes, read through the layout
    Raw,
    /// An array of NumPy's, a row for each vertex: four columns for each input, or what the layout says
    Npy,
}

/// `run`
#[derive(Args, Clone)]
pub struct Run {
    /// Program and data.
    #[command(flatten)]
    pub data: Data,
    /// How outputs are printed; else as the extension of -o says, or as a table
    #[arg(long, value_enum, value_name = "FORM")]
    pub format: Option<OutputFormat>,
    /// Write only these outputs, in this order
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub outputs: Vec<String>,
    /// What runs it.
    #[command(flatten)]
    pub backend: Backend,
    /// Where to write; `-` for standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// A page, too.
    #[command(flatten)]
    pub page: Reported,
    /// Run again whenever a file that was read changes
    #[arg(long)]
    pub watch: bool,
}

/// How outputs are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    /// Columns for people
    Table,
    /// A line for each vertex
    Csv,
    /// A list of records
    Json,
    /// 32-bit floats, lowest byte first: four for each output of each vertex
    Raw,
    /// The same as an array of NumPy's, a row for each vertex
    Npy,
}
