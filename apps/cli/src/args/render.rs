//! `render`: what is drawn, and the file of pictures that it becomes.

use super::{Backend, Reading, Reported, TextFormat};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// `render`
#[derive(Args, Clone)]
pub struct Render {
    /// A scene, a shader program, a job in JSON, or a program that a CPU runs; `-` for standard input
    #[arg(value_name = "SCENE")]
    pub scene: Option<PathBuf>,
    /// Options of reading a program.
    #[command(flatten)]
    pub reading: Reading,
    /// Lift a job's limits of memory and counters (in a scene: `no_limits` in a draw's state)
    #[arg(long, hide_short_help = true)]
    pub no_limits: bool,
    /// Write what the machine's blocks do in a job, cycle by cycle, as a VCD file
    #[arg(long, value_name = "FILE")]
    pub waves: Option<PathBuf>,
    /// Where to write; `-` for standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// What to write; else as the extension of -o says, or PNG
    #[arg(long, value_enum, value_name = "FORM")]
    pub format: Option<PictureFormat>,
    /// What time a PNG is worth; else fast for animations and pictures of more than 1,048,576 pixels, balanced for others
    #[arg(long, value_enum, value_name = "HOW", hide_short_help = true)]
    pub compression: Option<Compression>,
    /// One frame of an animation, from 0; else all, of a program the last
    #[arg(long, value_name = "N")]
    pub frame: Option<u32>,
    /// The numeric profile; else the scene's, or the machine's default
    #[arg(long)]
    pub profile: Option<String>,
    /// Show something else than the colours
    #[arg(long, value_name = "WHAT")]
    pub view: Option<String>,
    /// Samples for each pixel: 4 and 16 are smoother than the machine's 1
    #[arg(
        long,
        value_enum,
        value_name = "N",
        default_value_t,
        hide_default_value = true,
        conflicts_with = "view"
    )]
    pub samples: Samples,
    /// The picture's size; else the scene's
    #[arg(long, value_name = "WIDTHxHEIGHT")]
    pub size: Option<String>,
    /// Show how many vertices and fragments there were
    #[arg(
        long,
        value_enum,
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "text",
        value_name = "FORMAT"
    )]
    pub stats: Option<TextFormat>,
    /// Write the scene in which a shader program without one is drawn
    #[arg(long, value_name = "FILE")]
    pub save_scene: Option<PathBuf>,
    /// Write a frame as a job, the machine's raw commands; with a PNG of -o beside it that is a vector for `conform`, too
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub save_job: Option<PathBuf>,
    /// What draws it.
    #[command(flatten)]
    pub backend: Backend,
    /// A page, too; without -o it is all that is written.
    #[command(flatten)]
    pub page: Reported,
    /// Draw again whenever a file that was read changes
    #[arg(long)]
    pub watch: bool,
}

/// How many samples a pixel is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Samples {
    /// What the machine draws
    #[default]
    #[value(name = "1")]
    One,
    /// Two by two, in no machine
    #[value(name = "4")]
    Four,
    /// Four by four, in no machine
    #[value(name = "16")]
    Sixteen,
}

/// How pictures are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PictureFormat {
    /// PNG, animated if there are several frames
    Png,
    /// GIF, at most 256 colours a frame
    Gif,
    /// Bytes red, green, blue, alpha, frame by frame
    Raw,
}

/// How much time a PNG is worth. The pixels are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Compression {
    /// As fast as possible
    Fast,
    /// Smaller, in more time
    Balanced,
    /// The smallest, in much time
    Best,
}
