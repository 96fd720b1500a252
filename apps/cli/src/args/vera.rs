//! What the verbs of VERA take, and what others take for it.

use super::{ProgramFormat, Source};
use clap::Args;
use std::path::PathBuf;

/// The start of `record`'s help.
pub const RECORD: &str = "\
Examples:
  gpuzoo record cube.s -o cube.trace
  gpuzoo record demo.prg --frames 10 -o demo.trace
  gpuzoo conform --gpu vera cube.trace

A trace says what was written to VERA's registers and what reads returned, so that it
can be replayed on hardware, on an emulator, or on an FPGA's simulation.";

/// The start of `diff`'s help.
pub const DIFF: &str = "\
Examples:
  gpuzoo diff mine.vram theirs.vram -o diff.png
  gpuzoo diff mine.png theirs.png

Dumps have 131,072 bytes (`gpuzoo run --vram FILE` writes one); a bus trace with rows
of video memory is one, too. A difference makes the exit code 1.";

/// The machine around VERA, and how far a program runs on it.
#[derive(Args)]
#[command(next_help_heading = "VERA")]
pub struct Board {
    /// Where a raw binary goes; else $0801
    #[arg(long, value_name = "ADDRESS", value_parser = address, hide_short_help = true)]
    pub load_at: Option<u16>,
    /// Where to start; else where the program's BASIC line says, or at its first byte
    #[arg(long, value_name = "ADDRESS", value_parser = address, hide_short_help = true)]
    pub start: Option<u16>,
    /// An image of the Commander X16's ROM; else a few of its routines are emulated
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub rom: Option<PathBuf>,
    /// Banks of RAM, 8 KB each; else 64
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub ram_banks: Option<usize>,
    /// Frames to run at most; else 600
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub frames: Option<u64>,
    /// CPU cycles to run at most
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub cycles: Option<u64>,
    /// A single deviation from the RTL, in addition to those of the profile
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub deviation: Vec<String>,
    /// Where to look for included files, after the program's own folder
    #[arg(long, value_name = "FOLDER", hide_short_help = true)]
    pub include: Vec<PathBuf>,
}

impl Board {
    /// The first of these that is given, for machines that have none of them.
    pub fn given(&self) -> Option<&'static str> {
        let given = [
            (self.load_at.is_some(), "--load-at"),
            (self.start.is_some(), "--start"),
            (self.rom.is_some(), "--rom"),
            (self.ram_banks.is_some(), "--ram-banks"),
            (self.frames.is_some(), "--frames"),
            (self.cycles.is_some(), "--cycles"),
            (!self.deviation.is_empty(), "--deviation"),
            (!self.include.is_empty(), "--include"),
        ];
        given.iter().find(|(given, _)| *given).map(|(_, name)| *name)
    }
}

/// The most frames of an animation of VERA.
pub const MAX_FRAMES: u32 = 10_000;

/// An address as 6502 programmers write it: `$0801`, `0x801`, or decimal.
pub fn address(text: &str) -> Result<u16, String> {
    let hexadecimal = text.strip_prefix('$').or_else(|| text.strip_prefix("0x"));
    let number = match hexadecimal {
        Some(digits) => u16::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number.map_err(|_| "an address is $0000 to $FFFF, 0x0000 to 0xFFFF, or decimal".to_owned())
}

/// `record`
#[derive(Args)]
pub struct Record {
    /// The program.
    #[command(flatten)]
    pub source: Source,
    /// How the program is written; else as its extension or content implies
    #[arg(long, value_enum, value_name = "FORM", hide_short_help = true)]
    pub program_format: Option<ProgramFormat>,
    /// Where to write; `-` for standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// rtl, documented or x16emu
    #[arg(long)]
    pub profile: Option<String>,
    /// VERA's machine.
    #[command(flatten)]
    pub board: Board,
}

/// `diff`
#[derive(Args)]
pub struct Diff {
    /// A dump, a trace, or a picture
    pub one: PathBuf,
    /// What to compare it with
    pub other: PathBuf,
    /// Where to draw the differences; nothing for no picture
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}
