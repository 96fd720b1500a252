//! Arguments of the verbs that are about gpuzoo itself, rather than about a program.

use super::{Reported, TextFormat};
use clap::{Args, ValueEnum, ValueHint};
use std::path::PathBuf;

/// The start of `explain`'s help.
pub const EXPLAIN: &str = "\
Examples:
  gpuzoo explain D0102
  gpuzoo explain dreambox.mulm
  gpuzoo explain nv2a.oPos
  gpuzoo explain scene.camera
  gpuzoo explain --gpu dreambox 0x03d10457
  gpuzoo explain dreambox";

/// The start of `conform`'s help.
pub const CONFORM: &str = "\
Examples:
  gpuzoo conform --gpu dreambox run.jsonl
  gpuzoo conform --gpu dreambox vectors/ --format json
  gpuzoo conform --gpu nv2a mine.jsonl --junit results.xml

A vector file is JSON Lines; each record says what goes into a machine and what
came out. In a folder, files that hold no records of the machine are skipped. Any
difference makes the exit code 1.";

/// The start of `list`'s help.
pub const LIST: &str = "\
Examples:
  gpuzoo list gpus
  gpuzoo list ops --gpu dreambox --json
  gpuzoo list settings --gpu nv2a";

/// The start of `generate`'s help.
pub const GENERATE: &str = "\
Examples:
  gpuzoo generate man -o ~/.local/share/man/man1
  gpuzoo generate man run > gpuzoo-run.1
  gpuzoo generate complete-bash > /etc/bash_completion.d/gpuzoo";

/// `explain`
#[derive(Args, Clone)]
pub struct Explain {
    /// A machine, an instruction or its words, a register, a directive, a macro, a dialect, a profile, a mode, a format, a
    /// setting of scenes, a diagnostic code, or a verb
    #[arg(required = true)]
    pub topic: Vec<String>,
    /// The machine whose things are meant
    #[arg(long)]
    pub gpu: Option<String>,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

/// `conform`
#[derive(Args, Clone)]
pub struct Conform {
    /// Vector files, folders of them, or `-`. A PNG of a bus trace's name is the picture that it sets up, and compared, too
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The machine
    #[arg(long)]
    pub gpu: Option<String>,
    /// The numeric profile; else the machine's default
    #[arg(long)]
    pub profile: Option<String>,
    /// How results are printed
    #[arg(long, value_enum, value_name = "FORM", default_value_t)]
    pub format: TextFormat,
    /// Also write every record with its outcome as JUnit XML, for build servers
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// A page, too.
    #[command(flatten)]
    pub page: Reported,
    /// How many failed records of a file are shown
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub differences: usize,
}

/// `list`
#[derive(Args, Clone)]
pub struct List {
    /// What to list
    #[arg(value_enum)]
    pub what: What,
    /// Of this machine only
    #[arg(long)]
    pub gpu: Option<String>,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

/// What can be listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum What {
    /// Machines
    Gpus,
    /// Instructions
    Ops,
    /// Numeric profiles
    Profiles,
    /// Switches of the machines
    Modes,
    /// Registers
    Registers,
    /// Assembly dialects, and how their texts begin
    Dialects,
    /// Directives of assembly texts
    Directives,
    /// Macros of assembly texts, which become instructions
    Macros,
    /// What scene files can have
    Scene,
    /// What the machines' fixed functions can be set to: `[draw.state]` of scenes
    Settings,
    /// What jobs, raw commands in JSON, can have
    Jobs,
    /// Single differences between sources, of which profiles are made
    Deviations,
    /// Options that only some machines have
    Options,
    /// Forms to emit, pictures, vertex and texture formats, kinds of vector files
    Formats,
    /// Diagnostic codes
    Codes,
    /// Ways to run programs
    Engines,
    /// How much one invocation may use of what
    Limits,
}

/// The start of `new`'s help.
pub const NEW: &str = "\
Examples:
  gpuzoo new first
  gpuzoo new --gpu picogpu first";

/// `new`
#[derive(Args, Clone)]
pub struct New {
    /// The folder, which is made; files that are there are never replaced
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// The machine; else the first one
    #[arg(long)]
    pub gpu: Option<String>,
}

/// `generate`
#[derive(Args, Clone)]
pub struct Generate {
    /// What to write
    #[arg(value_enum)]
    pub what: Generated,
    /// The verb whose man page is wanted
    pub verb: Option<String>,
    /// Write all man pages into this folder
    #[arg(short, long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub output: Option<PathBuf>,
}

/// What can be generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Generated {
    /// The man page, or that of a verb; with --output those of all
    Man,
    /// Completions for bash
    CompleteBash,
    /// Completions for zsh
    CompleteZsh,
    /// Completions for fish
    CompleteFish,
    /// Completions for PowerShell
    CompletePowershell,
    /// Completions for elvish
    CompleteElvish,
}
