//! What `bench` takes.

use super::Source;
use clap::Args;
use std::path::PathBuf;

/// The start of its help.
pub const EXAMPLES: &str = "\
Examples:
  gpuzoo bench
  gpuzoo bench --gpu nv2a --yardstick
  gpuzoo bench light.vsh --profile hw --lanes 4096,1000000
  gpuzoo bench --program light40 --threads 2 --json

Without a file: standard programs of every machine, and scenes. Lanes are vertices
or fragments; 4096 stay in the cache. The yardstick is the program as C, compiled
by `cc` (or what CC names) with -O3 -march=native and full vectors. Everything is
measured in turn, round after round; figures are medians. The engine is measured with
one thread and with all, or as many as --threads says. GPUZOO_SIMD chooses its
instruction set.";

/// `bench`
#[derive(Args, Clone)]
pub struct Bench {
    /// Your own program.
    #[command(flatten)]
    pub source: Source,
    /// One of the standard programs or scenes, by name
    #[arg(long, value_name = "NAME")]
    pub program: Option<String>,
    /// The numeric profile; else all that the standard programs are measured with
    #[arg(long)]
    pub profile: Option<String>,
    /// How many lanes a run has; several numbers for several runs
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "4096")]
    pub lanes: Vec<usize>,
    /// Compile and measure the programs as C, too
    #[arg(long)]
    pub yardstick: bool,
    /// How many rounds are measured
    #[arg(long, value_name = "N", default_value_t = 25, hide_short_help = true)]
    pub rounds: usize,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Where to write; `-` for standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}
