//! Arguments of `vectors`.

use super::{Data, TextFormat};
use clap::Args;
use gpuzoo::vectors::Random;
use std::path::PathBuf;

/// The start of `vectors`' help.
pub const EXAMPLES: &str = "\
Examples:
  gpuzoo vectors --gpu nv2a --count 1000 --seed 1 -o random.jsonl
  gpuzoo vectors --gpu picogpu --count 100 --runs 32 -o random.jsonl
  gpuzoo vectors --gpu dreambox --directed --stats -o directed.jsonl
  gpuzoo vectors light.vsh vertices.csv -c c96=1,0,0,0 -o light.jsonl
  gpuzoo vectors teapot.toml -o teapot.jsonl

Without a program the programs are made up: of random instructions, or with --directed
each row of the instruction table in all its forms, on edge operands. What is written
`gpuzoo conform` takes, with the same --profile.";

/// `vectors`
#[derive(Args, Clone)]
pub struct Vectors {
    /// Program and data.
    #[command(flatten)]
    pub data: Data,
    /// Random programs, or accesses of a bus trace; of a scene's draw the vertices, else all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub count: Option<u64>,
    /// Where the random numbers begin: the same vectors for the same seed, everywhere
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Slots of a random program
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=Random::MOST_LENGTH as u64))]
    pub length: Option<u64>,
    /// How often a random program is run, each time with other inputs
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=Random::MOST_RUNS as u64))]
    pub runs: Option<u64>,
    /// Each instruction, in all forms and on edge operands, in place of random ones
    #[arg(long, conflicts_with_all = ["count", "seed", "length", "runs"])]
    pub directed: bool,
    /// PROGRAM is a scene: the fragments of this pixel, in place of the vertices
    #[arg(long, value_name = "X,Y", conflicts_with = "count")]
    pub pixel: Option<String>,
    /// PROGRAM is a scene: the frame of an animation, from 0
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub frame: Option<u32>,
    /// Show how often each row of the instruction table is run
    #[arg(
        long,
        value_enum,
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "text",
        value_name = "FORMAT"
    )]
    pub stats: Option<TextFormat>,
    /// Where to write; `-` for standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}
