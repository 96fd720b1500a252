//! What may be written on the command line. Help, man page and completions are made from this.

mod ask;
mod backend;
mod bench;
mod compile;
mod computer;
#[cfg(feature = "dap")]
mod dap;
mod format;
mod look;
#[cfg(feature = "lsp")]
mod lsp;
mod pack;
mod parameters;
mod render;
mod run;
#[cfg(feature = "studio")]
mod studio;
mod translate;
mod usage;
mod vectors;

pub use ask::{Conform, Explain, Generate, Generated, List, New, What};
pub use backend::{Backend, Which};
pub use bench::Bench;
pub use compile::Compile;
pub use computer::{Diff, Record};
#[cfg(feature = "dap")]
pub use dap::Dap;
pub use format::Format;
pub use look::{Debug, GraphForm, Subject, Trace, Why};
#[cfg(feature = "lsp")]
pub use lsp::Lsp;
pub use pack::Pack;
pub use parameters::{FOLDERS, Given, MACROS, check_unused, command, full_command, given};
pub use render::{Compression, PictureFormat, Render, Samples};
pub use run::{ComponentOrder, Data, OutputFormat, Run, VertexFormat};
#[cfg(feature = "studio")]
pub use studio::Studio;
pub use translate::Translate;
pub use usage::{messages, problem};
pub use vectors::Vectors;

use clap::{Args, Parser, Subcommand, ValueEnum};
use gpuzoo::machine::text::wrap;
use gpuzoo::options::ReadOptions;
use std::path::PathBuf;

/// One toolchain for the shader units of small graphics processors.
#[derive(Parser)]
#[command(name = "gpuzoo", version, max_term_width = 100, before_long_help = examples())]
pub struct Cli {
    /// The verb.
    #[command(subcommand)]
    pub verb: Verb,
    /// How messages look.
    #[command(flatten)]
    pub messages: Messages,
    /// What may be used and read.
    #[command(flatten)]
    pub limits: Limits,
}

/// How the examples of a help text begin.
pub const EXAMPLES_HEAD: &str = "Examples:\n";

/// What exit codes mean.
pub const EXIT_CODES: [(u8, &str); 4] = [
    (0, "success"),
    (1, "an input has errors (a denied warning is one), or what was compared differs"),
    (2, "the command line is wrong, or a file cannot be read or written"),
    (101, "an internal error, which is a bug"),
];

/// Variables that count.
pub const ENVIRONMENT: [(&str, &str); 5] = [
    ("NO_COLOR", "With any value: nothing has colors, unless --color says so."),
    (
        "FORCE_COLOR",
        "With a value that is not 0: messages, tables and traces have colors, also where no terminal is.",
    ),
    (
        "GPUZOO_SIMD",
        "The instruction set that programs run on; gpuzoo list engines shows those that there are.",
    ),
    (
        "RAYON_NUM_THREADS",
        "How many threads compute, at most, unless --threads says it; else one for each core.",
    ),
    ("CC", "The C compiler for gpuzoo bench --yardstick; else cc."),
];

/// The start of the help: examples, and what exit codes mean.
fn examples() -> String {
    let codes: Vec<String> = EXIT_CODES.iter().map(|(code, meaning)| format!("{code} {meaning}")).collect();
    format!("{EXAMPLES}\n\n{}", wrap(&format!("Exit codes: {}.", codes.join("; "))))
}

const EXAMPLES: &str = "\
Examples:
  gpuzoo assemble teapot.vu -o teapot.bin         text to binary
  gpuzoo disassemble --gpu dreambox teapot.bin    and back
  gpuzoo check teapot.vu                          errors, warnings, cost
  gpuzoo fmt teapot.vu                            blanks in their places
  gpuzoo pack light.vsh                           the same in fewer slots
  gpuzoo translate light.vsh --to glsl            the same as a shader of the host
  gpuzoo run teapot.vu vertices.csv -c c0=1,0,0,0 outputs of every vertex
  gpuzoo trace teapot.vu vertices.csv --vertex 3  what each instruction changed
  gpuzoo debug teapot.vu vertices.csv             step by step, forward and back
  gpuzoo why teapot.toml --pixel 320,240          where a pixel's color comes from
  gpuzoo render teapot.toml -o teapot.png         a picture
  gpuzoo new --gpu nv2a first                     a first project
  gpuzoo explain D0102                            what a message means
  gpuzoo vectors --gpu nv2a --count 1000          stimulus for your own hardware
  gpuzoo conform --gpu dreambox vectors/          compare with it
  gpuzoo bench light.vsh --yardstick              speed, compared with compiled C";

/// How messages look, for every verb.
#[derive(Args, Default)]
#[command(next_help_heading = "Messages")]
pub struct Messages {
    /// How messages are written
    #[arg(long, global = true, value_enum, value_name = "FORM", default_value_t)]
    pub message_format: MessageFormat,
    /// When messages, tables and traces have colors
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t)]
    pub color: Color,
    /// Show a diagnostic as a warning
    #[arg(long, global = true, value_name = "CODE")]
    pub warn: Vec<String>,
    /// Do not show a warning
    #[arg(long, global = true, value_name = "CODE")]
    pub allow: Vec<String>,
    /// Make a warning an error; `warnings` means all of them
    #[arg(long, global = true, value_name = "CODE")]
    pub deny: Vec<String>,
}

/// What may be used and read, for every verb.
#[derive(Args, Default)]
#[command(next_help_heading = "Limits")]
pub struct Limits {
    /// Raise or lower a limit: `memory=2GiB`; `gpuzoo list limits` shows all
    #[arg(long = "limit", global = true, value_name = "NAME=AMOUNT", hide_short_help = true)]
    pub limits: Vec<String>,
    /// How many threads compute, at most; else one for each core
    #[arg(long, global = true, value_name = "N", value_parser = threads, hide_short_help = true)]
    pub threads: Option<usize>,
    /// Let scenes, programs and meshes name files in this folder, too
    #[arg(long, global = true, value_name = "FOLDER", hide_short_help = true)]
    pub allow_read: Vec<PathBuf>,
    /// Let linker configurations name files to write below this folder
    #[arg(long, global = true, value_name = "FOLDER", hide_short_help = true)]
    pub allow_write: Vec<PathBuf>,
}

/// The most threads that are made: far more than processors have.
pub const MOST_THREADS: usize = 256;

fn threads(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|count| (1..=MOST_THREADS).contains(count));
    count.ok_or_else(|| format!("it is a number from 1 to {MOST_THREADS}"))
}

/// How messages are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    /// With the lines of the source
    #[default]
    Human,
    /// A line each: `file:line:column: severity[code]: message`
    Short,
    /// A line of JSON each
    Json,
}

/// When there are colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set; elsewhere if FORCE_COLOR is
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// What to do.
#[derive(Subcommand, Clone)]
pub enum Verb {
    /// Turn assembly text into a program
    #[command(visible_alias = "asm", before_long_help = ASSEMBLE)]
    Assemble(Assemble),
    /// Turn a program into assembly text
    #[command(visible_alias = "dis", before_long_help = DISASSEMBLE)]
    Disassemble(Disassemble),
    /// Report errors and warnings, and what a program costs
    #[command(before_long_help = CHECK)]
    Check(Check),
    /// Lay out assembly texts
    #[command(name = "fmt", before_long_help = format::EXAMPLES)]
    Format(Format),
    /// Turn a source in a shading language into a program
    #[command(before_long_help = compile::EXAMPLES)]
    Compile(Compile),
    /// Make a program shorter, with the same results
    #[command(before_long_help = pack::EXAMPLES)]
    Pack(Pack),
    /// Turn a program into a shader of the host: WGSL, SPIR-V, GLSL, HLSL, MSL
    #[command(before_long_help = translate::EXAMPLES)]
    Translate(Translate),
    /// Run a program: over vertices, or on the machine that its CPU drives
    #[command(before_long_help = run::EXAMPLES)]
    Run(Run),
    /// Show what each instruction changes
    #[command(before_long_help = look::TRACE)]
    Trace(Trace),
    /// Step through a run, forward and back
    #[command(before_long_help = look::DEBUG)]
    Debug(Debug),
    /// Say where a number comes from
    #[command(before_long_help = look::WHY)]
    Why(Why),
    /// Write what a program sends to a machine, so that it can be run again
    #[command(before_long_help = computer::RECORD)]
    Record(Record),
    /// Draw a scene, or what a program shows
    #[command(before_long_help = RENDER)]
    Render(Render),
    /// Explain a diagnostic code, an instruction, a machine or a word
    #[command(before_long_help = ask::EXPLAIN)]
    Explain(Explain),
    /// Write vectors: random, directed, of a program or of a scene
    #[command(before_long_help = vectors::EXAMPLES)]
    Vectors(Vectors),
    /// Compare with vectors from a machine, or from your own copy of one
    #[command(before_long_help = ask::CONFORM)]
    Conform(Conform),
    /// Compare two dumps of a machine's memory, two pictures, or two profiles of a machine
    #[command(before_long_help = computer::DIFF)]
    Diff(Diff),
    /// Measure how fast programs run here
    #[command(before_long_help = bench::EXAMPLES)]
    Bench(Bench),
    /// Serve an editor: the Debug Adapter Protocol on standard input and output, or a port
    #[cfg(feature = "dap")]
    #[command(before_long_help = dap::EXAMPLES)]
    Dap(Dap),
    /// Serve an editor: the Language Server Protocol on standard input and output
    #[cfg(feature = "lsp")]
    #[command(before_long_help = lsp::EXAMPLES)]
    Lsp(Lsp),
    /// Serve the studio to a browser on this machine
    #[cfg(feature = "studio")]
    #[command(before_long_help = studio::EXAMPLES)]
    Studio(Studio),
    /// List what there is
    #[command(before_long_help = ask::LIST)]
    List(List),
    /// Write a first project: programs, a scene, data, and a page with the commands
    #[command(before_long_help = ask::NEW)]
    New(New),
    /// Write the man page or shell completions
    #[command(before_long_help = ask::GENERATE)]
    Generate(Generate),
}

impl Verb {
    /// What it runs a program over, and the vertex that it is about.
    pub fn data(&self) -> Option<(&Data, usize)> {
        let subject = match self {
            Verb::Run(args) => return Some((&args.data, 0)),
            Verb::Trace(args) => &args.of,
            Verb::Debug(args) => &args.of,
            Verb::Why(args) => &args.of,
            _ => return None,
        };
        Some((&subject.data, subject.vertex.unwrap_or(0)))
    }

    /// Whether it may compute for long, so that threads are worth making.
    pub fn computes(&self) -> bool {
        #[cfg(feature = "dap")]
        if let Verb::Dap(_) = self {
            return true;
        }
        matches!(
            self,
            Verb::Check(_)
                | Verb::Compile(_)
                | Verb::Pack(_)
                | Verb::Run(_)
                | Verb::Trace(_)
                | Verb::Debug(_)
                | Verb::Why(_)
                | Verb::Record(_)
                | Verb::Render(_)
                | Verb::Vectors(_)
                | Verb::Conform(_)
                | Verb::Diff(_)
                | Verb::Bench(_)
        )
    }

    /// Whether it is done again whenever its inputs change.
    pub fn is_watched(&self) -> bool {
        match self {
            Verb::Check(args) => args.watch,
            Verb::Run(args) => args.watch,
            Verb::Render(args) => args.watch,
            _ => false,
        }
    }
}

const ASSEMBLE: &str = "\
Examples:
  gpuzoo assemble teapot.vu -o teapot.bin
  gpuzoo assemble teapot.vu --emit hex
  gpuzoo assemble teapot.vu -o teapot.h --name teapot
  gpuzoo assemble light.vsh --profile hw --emit c-kernel -o light.c
  echo 'ld r0 0 st pos r0' | gpuzoo assemble --gpu dreambox - --emit rust";

const DISASSEMBLE: &str = "\
Examples:
  gpuzoo disassemble --gpu dreambox teapot.bin
  echo 00000440 0000003f | gpuzoo disassemble --gpu dreambox -
  gpuzoo disassemble --gpu dreambox words.json -o teapot.vu
  gpuzoo disassemble --gpu nv2a light.bin --exact";

const CHECK: &str = "\
Examples:
  gpuzoo check teapot.vu
  gpuzoo check teapot.vu --deny warnings
  gpuzoo check teapot.vu --allow D0103 --format json
  gpuzoo check shaders/ scene.toml --watch

A scene is checked with all that it names, but not drawn; a job, but not run. In a
folder, files are programs by their extension, scenes and jobs by their content; others
are left out.";

const RENDER: &str = "\
Examples:
  gpuzoo render teapot.toml -o teapot.png
  gpuzoo render teapot.vu -o first.png --save-scene first.toml
  gpuzoo render spin.toml -o spin.gif
  gpuzoo render spin.toml --frame 12 -o still.png --stats
  gpuzoo render teapot.toml --view overdraw -o overdraw.png
  gpuzoo render teapot.toml --report teapot.html
  gpuzoo render teapot.toml --backend wgpu --stats -o host.png
  gpuzoo render knot.toml --save-job knot.json
  gpuzoo render knot.json --stats --waves knot.vcd -o knot.png
  gpuzoo render cube.s --frames 120 -o cube.gif
  gpuzoo render teapot.toml -o teapot.png --watch
  gpuzoo render spin.toml --format raw -o - | ffmpeg -f rawvideo -pix_fmt rgba \\
    -video_size 320x240 -framerate 30 -i - spin.mp4

The extension of the output gives the format, or --format: .png (animated if the scene
is), .gif, or .raw for bytes red, green, blue, alpha. The first frame is written at once,
others while the next are drawn; a file is in its place when the last is written.";

/// A program, and how it is read.
#[derive(Args, Clone)]
pub struct Source {
    /// The program; `-` for standard input
    #[arg(value_name = "PROGRAM")]
    pub input: Option<PathBuf>,
    /// How it is read.
    #[command(flatten)]
    pub reading: Reading,
}

/// How a program is read.
#[derive(Args, Clone)]
pub struct Reading {
    /// The machine; else the one of the file's extension
    #[arg(long)]
    pub gpu: Option<String>,
    /// What standard input is called; its extension counts
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub stdin_name: Option<String>,
    /// Folder in which included files are looked for, after the program's own; several are searched in order
    #[arg(short = 'I', long = "include", value_name = "FOLDER", hide_short_help = true)]
    pub folders: Vec<PathBuf>,
    /// Options of reading a program, as all surfaces have them.
    #[command(flatten)]
    pub read: ReadOptions,
}

/// A report beside what a verb writes.
#[derive(Args, Clone, Debug)]
pub struct Reported {
    /// Write a page with all of it, too: HTML in one file
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
}

/// Form of text output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum TextFormat {
    /// For people
    #[default]
    Text,
    /// For scripts
    Json,
}

/// `assemble`
#[derive(Args, Clone)]
pub struct Assemble {
    /// The text.
    #[command(flatten)]
    pub source: Source,
    /// More texts of the program: as `--link`, for machines that have it
    #[arg(value_name = "MORE")]
    pub more: Vec<PathBuf>,
    /// Where to write; `-` for standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// What to write; else the form of FILE's extension, else the machine's binary
    #[arg(long, value_name = "FORM")]
    pub emit: Option<String>,
    /// The program's name in C and Rust; else the file's
    #[arg(long)]
    pub name: Option<String>,
    /// The numeric profile, for the IR and the C function
    #[arg(long)]
    pub profile: Option<String>,
}

/// `disassemble`
#[derive(Args, Clone)]
pub struct Disassemble {
    /// The words.
    #[command(flatten)]
    pub source: Source,
    /// Preserve every bit: words that no text assembles to become `.word`
    #[arg(long)]
    pub exact: bool,
    /// Where to write; `-` for standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// `check`
#[derive(Args, Clone)]
pub struct Check {
    /// Programs, scenes, jobs, and folders of them; `-` for standard input
    #[arg(value_name = "FILE")]
    pub input: Vec<PathBuf>,
    /// How programs are read.
    #[command(flatten)]
    pub reading: Reading,
    /// How size and costs are printed
    #[arg(long, value_enum, value_name = "FORM", default_value_t)]
    pub format: TextFormat,
    /// The numeric profile, of jobs and where checking runs the program
    #[arg(long, hide_short_help = true)]
    pub profile: Option<String>,
    /// A page, too; there is one where there are errors as well.
    #[command(flatten)]
    pub page: Reported,
    /// Check again whenever a file that was read changes
    #[arg(long)]
    pub watch: bool,
}
