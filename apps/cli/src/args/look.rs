//! Arguments of `trace`, `debug` and `why`: whose run is looked at, and how.

use super::{Data, Reported, TextFormat};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// The start of `trace`'s help.
pub const TRACE: &str = "\
Examples:
  gpuzoo trace teapot.vu vertices.csv
  gpuzoo trace teapot.vu vertices.csv --vertex 3 --format json
  gpuzoo trace teapot.vu -c c0=1,0,0,0 --bits
  gpuzoo trace teapot.toml --pixel 320,240          what made a pixel
  gpuzoo trace teapot.toml --pixel 320,240 --full   every instruction
  gpuzoo trace job.json --vertex 7";

/// The start of `debug`'s help.
pub const DEBUG: &str = "\
Examples:
  gpuzoo debug light.vsh vertices.csv --vertex 3
  gpuzoo debug light.vsh vertices.csv --expect outputs.csv
  gpuzoo debug light.toml --pixel 320,240 --script steps.txt
  echo 'run nan' | gpuzoo debug light.vsh vertices.csv
  gpuzoo debug cube.s
  gpuzoo debug --gpu nv2a failing.jsonl             the record that `conform` finds wrong

On a terminal it takes the whole screen: `?` shows what keys do, `:` takes a command. Elsewhere, and with
--plain, commands are those of a script, or are typed: `help` shows them.";

/// The start of `why`'s help.
pub const WHY: &str = "\
Examples:
  gpuzoo why light.toml --pixel 320,240
  gpuzoo why light.toml --pixel 320,240 --register oD0.x
  gpuzoo why light.vsh vertices.csv --vertex 3 --register r1.x
  gpuzoo why light.toml --vertex 0 --register oPos --emit svg -o oPos.svg";

/// What says how a program over vertices is read and what it is given, by id. A scene says these itself, and a CPU's
/// program has none of them.
pub const OF_VERTICES: [&str; 13] = [
    "emit_inputs",
    "vertices",
    "vertex",
    "vertex_format",
    "layout",
    "stride",
    "constants",
    "constant_files",
    "component_order",
    "modes",
    "output_starts",
    "dialect",
    "numbering",
];

/// Whose run is looked at.
#[derive(Args, Clone)]
pub struct Subject {
    /// Program and data.
    #[command(flatten)]
    pub data: Data,
    /// The vertex, from 0, of a scene or a job counted through its draws; else the first
    #[arg(long, value_name = "N")]
    pub vertex: Option<usize>,
    /// PROGRAM is a scene or a job: what made this pixel
    #[arg(long, value_name = "X,Y", conflicts_with_all = OF_VERTICES, conflicts_with_all = ["gpu", "from"])]
    pub pixel: Option<String>,
    /// Of vectors for `conform`, the record on this line
    ///
    /// Else it is the first that fails.
    #[arg(long, value_name = "LINE", conflicts_with_all = OF_VERTICES, conflicts_with_all = ["pixel", "from"], hide_short_help = true)]
    pub record: Option<usize>,
    /// Of a scene: the frame of an animation, from 0; of a program whose steps `trace` shows: the pictures before the first one
    #[arg(long, value_name = "N", default_value_t, hide_short_help = true)]
    pub frame: u32,
}

/// `debug`
#[derive(Args, Clone)]
pub struct Debug {
    /// Whose run.
    #[command(flatten)]
    pub of: Subject,
    /// What the outputs of the vertices should be, as `run` writes them (CSV, JSON, raw or NumPy's array): begins with the
    /// first vertex that differs
    #[arg(long, value_name = "FILE", conflicts_with_all = ["vertex", "pixel"], requires = "vertices")]
    pub expect: Option<PathBuf>,
    /// Commands, a line each; else those of standard input
    #[arg(long, value_name = "FILE")]
    pub script: Option<PathBuf>,
    /// On a terminal, too, commands and answers line by line
    #[arg(long)]
    pub plain: bool,
    /// Where to write; `-` for standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// `why`
#[derive(Args, Clone)]
pub struct Why {
    /// Whose run.
    #[command(flatten)]
    pub of: Subject,
    /// Of which component: `oD0.x`, or `r3.x@12` after slot 12; else of the first suspicious output
    #[arg(long, value_name = "COMPONENT")]
    pub register: Option<String>,
    /// How the answer is printed
    #[arg(long, value_enum, value_name = "FORM", default_value_t)]
    pub format: TextFormat,
    /// Write the graph of what it was computed from
    #[arg(long = "emit", value_enum, value_name = "FORM", conflicts_with = "format")]
    pub graph: Option<GraphForm>,
    /// Where to write; `-` for standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// How a graph is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GraphForm {
    /// For Graphviz, which makes drawings of it
    Dot,
    /// A drawing: a row for each instruction, of many those nearest to the result
    Svg,
}

/// `trace`
#[derive(Args, Clone)]
pub struct Trace {
    /// Whose run.
    #[command(flatten)]
    pub of: Subject,
    /// With --pixel: what every instruction of its programs changed
    #[arg(long, requires = "pixel")]
    pub full: bool,
    /// With --pixel: every fragment that met it, hidden and killed ones too
    #[arg(long, requires = "pixel", hide_short_help = true)]
    pub all: bool,
    /// Steps to leave out at the start
    #[arg(long, value_name = "N", conflicts_with = "pixel", hide_short_help = true)]
    pub skip: Option<u64>,
    /// Steps to show at most; else all of a vertex, and 1000 of a program that a CPU runs
    #[arg(long, value_name = "N", conflicts_with = "pixel", hide_short_help = true)]
    pub steps: Option<u64>,
    /// Of a CPU's program: where to begin
    ///
    /// As the debugger's `run` goes there: `main`, `$0810`, `line 12`, `write vram[0..9]`, `interrupt`
    #[arg(long, value_name = "TARGET", conflicts_with = "pixel")]
    pub begin: Option<String>,
    /// Up to where
    #[arg(long, value_name = "TARGET", conflicts_with = "pixel", hide_short_help = true)]
    pub until: Option<String>,
    /// Only steps that write there: `FX_CTRL`, `vram[$1000..$1fff]`
    #[arg(long = "on-write", value_name = "PLACE", conflicts_with = "pixel", hide_short_help = true)]
    pub writes: Vec<String>,
    /// A page, too.
    #[command(flatten)]
    pub page: Reported,
    /// How the trace is printed
    #[arg(long, value_enum, value_name = "FORM", default_value_t)]
    pub format: TextFormat,
    /// Where to write; `-` for standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}
