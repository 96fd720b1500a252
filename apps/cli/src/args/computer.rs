//! Arguments of the verbs that are for machines that a CPU drives, and for what such machines leave.

use super::{Data, Source, TextFormat};
use clap::Args;
use std::path::PathBuf;

/// The start of `record`'s help.
pub const RECORD: &str = "\
Examples:
  gpuzoo record cube.s -o cube.trace
  gpuzoo record demo.prg --frames 10 -o demo.trace
  gpuzoo conform cube.trace

The file says what was written to the machine's registers and what reads returned, so
that it can be replayed on hardware, on an emulator, or on an FPGA's simulation.";

/// The start of `diff`'s help.
pub const DIFF: &str = "\
Examples:
  gpuzoo diff mine.vram theirs.vram -o diff.png
  gpuzoo diff mine.png theirs.png
  gpuzoo diff --profiles rtl,x16emu demo.prg
  gpuzoo diff --profiles rtl,x16emu demo.s --frame 30 -o diff.png
  gpuzoo diff --profiles hw,cpu light.vsh vertices.csv

A dump holds all bytes of a machine's memory (`gpuzoo run --vram FILE` writes one of
video memory); a bus trace with rows of memory is one, too. With --profiles the first
file is a program, which is run under both: over the vertices of the second one, or on
the machine that its CPU drives. A difference makes the exit code 1.";

/// `record`
#[derive(Args, Clone)]
pub struct Record {
    /// The program.
    #[command(flatten)]
    pub source: Source,
    /// Where to write; `-` for standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The numeric profile; else the machine's default
    #[arg(long)]
    pub profile: Option<String>,
}

/// `diff`
#[derive(Args, Clone)]
pub struct Diff {
    /// What is compared: two files, or a program and what it is run over.
    #[command(flatten)]
    pub data: Data,
    /// Run a program under two profiles of its machine, and show where the runs part
    #[arg(long, value_name = "ONE,OTHER", value_delimiter = ',', num_args = 1, conflicts_with = "profile")]
    pub profiles: Vec<String>,
    /// With --profiles, of a program that a CPU runs: the last picture, from 0; else that of the end
    #[arg(long, value_name = "N", requires = "profiles")]
    pub frame: Option<u32>,
    /// How the outcome is printed
    #[arg(long, value_enum, value_name = "FORM", default_value_t)]
    pub format: TextFormat,
    /// Where to draw the differences; nothing for no picture
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}
