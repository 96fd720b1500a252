//! Peers other than llvmpipe: sources that the user has fetched, and C that gpuzoo writes.

use super::process::{Side, compile};
use super::table::number;
use super::vera;
use super::{OPERATE, median, ourselves};
use gpuzoo::Registry;
use gpuzoo::bench::yardstick::Yardstick;
use gpuzoo::bench::{self, standard_cases, standard_program};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Something to compare with.
pub struct Peer {
    /// What it is called on the command line.
    pub name: &'static str,
    /// The folder of its sources below that of `--peers`, and where it comes from.
    pub sources: Option<(&'static str, &'static str)>,
    measure: fn(&Request) -> Result<(), String>,
}

/// What all of them are given.
pub struct Request<'a> {
    /// Where programs and what they read are put.
    pub folder: &'a Path,
    /// The folder of `--peers`.
    pub peers: Option<&'a Path>,
    pub rounds: usize,
}

pub const PEERS: [Peer; 3] = [
    Peer {
        name: "nv2a-vsh-cpu",
        sources: Some(("nv2a_vsh_cpu", "https://github.com/abaire/nv2a_vsh_cpu")),
        measure: nv2a_vsh_cpu,
    },
    Peer {
        name: "x16-emulator",
        sources: Some(("x16-emulator", "https://github.com/X16Community/x16-emulator")),
        measure: x16_emulator,
    },
    Peer { name: "c-kernels", sources: None, measure: c_kernels },
];

impl Peer {
    /// Measures it and prints a table.
    ///
    /// # Errors
    /// What is missing, or went wrong.
    pub fn measure(&self, request: &Request) -> Result<(), String> {
        if let Some((folder, from)) = self.sources
            && !request.peers.is_some_and(|peers| peers.join(folder).join("src").is_dir())
        {
            return Err(format!(
                "{}: not measured, its sources are not there: `git clone {from} DIR/{folder}`, and `--peers DIR`",
                self.name
            ));
        }
        (self.measure)(request).map_err(|problem| format!("{}: {problem}", self.name))
    }
}

impl Request<'_> {
    fn sources(&self, folder: &str) -> PathBuf {
        self.peers.unwrap_or(Path::new("")).join(folder).join("src")
    }
}

/// One of our programs in `peers`.
fn driver(name: &str) -> PathBuf {
    crate::root().join("apps/dev/src/versus/peers").join(name)
}

/// A side that `gpuzoo bench` measures beside the engine.
impl Yardstick for Side {
    fn hash(&self) -> u64 {
        self.count
    }

    fn nanoseconds(&mut self, runs: u64) -> Option<u64> {
        // The engine is measured by the clock, a millisecond at a time, of which others take little. A run here may last
        // longer, and be interrupted.
        self.runs(runs).ok().map(|took| took.cpu as u64)
    }
}

/// Vertices of a run.
const LANES: usize = 4096;

fn nv2a_vsh_cpu(request: &Request) -> Result<(), String> {
    let sources = request.sources("nv2a_vsh_cpu");
    let names =
        ["nv2a_vsh_cpu", "nv2a_vsh_disassembler", "nv2a_vsh_emulator", "nv2a_vsh_emulator_execution_state"];
    let mut more = vec![format!("-I{}", sources.display()), "-fno-strict-aliasing".to_owned()];
    more.extend(names.map(|name| sources.join(name).with_extension("c").display().to_string()));
    more.push("-lm".to_owned());
    let binary = compile(&driver("nv2a_vsh_cpu.c"), &more, request.folder, "it needs a C compiler")?;
    println!(
        "\n| program | gpuzoo, million vertices/s | nv2a_vsh_cpu | ratio | bits |\n|---|---|---|---|---|"
    );
    let (registry, mut other) = (Registry::default(), Vec::new());
    for name in ["dp4", "light", "p023"] {
        let cases = standard_cases(&registry, Some("nv2a"), Some(name), Some("cpu"));
        let case = cases.map_err(|problem| problem.message)?.into_iter().next().ok_or("it is not there")?;
        let program = standard_program("nv2a", name).ok_or("it is not there")?;
        let words = program.code().words(program.gpu().isa());
        let file = request.folder.join(format!("{name}.words"));
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        std::fs::write(&file, bytes).map_err(|error| format!("{}: {error}", file.display()))?;
        let mut command = Command::new(&binary);
        command.arg(&file).arg(LANES.to_string());
        command.args(case.function.outputs.iter().map(|(output, _)| output.to_string()));
        let options = bench::Options { lanes: LANES, rounds: request.rounds, ..bench::Options::default() };
        let row = bench::measure(&case, &options, Some(Box::new(Side::start(&mut command)?)));
        let row = row.map_err(|problem| problem.message)?;
        let [ours, theirs] =
            [Some(row.engine), row.yardstick].map(|speed| number(speed.map(|speed| speed / 1e6)));
        let bits = same(name, row.same == Some(true), &mut other);
        println!("| {name} | {ours} | {theirs} | {} | {bits} |", number(row.ratio));
    }
    agree(&other)
}

fn x16_emulator(request: &Request) -> Result<(), String> {
    let sources = request.sources("x16-emulator");
    let sdl = Command::new("sdl2-config").arg("--cflags").output();
    let sdl = sdl.map_err(|_| "its sources include SDL 2; Debian: apt-get install libsdl2-dev")?;
    // What draws on a window is not needed, and so what that needs is not, either.
    let mut more =
        ["-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"].map(str::to_owned).to_vec();
    more.extend(String::from_utf8_lossy(&sdl.stdout).split_whitespace().map(str::to_owned));
    more.extend(["", "extern/include"].map(|folder| format!("-I{}", sources.join(folder).display())));
    more.extend(["video.c", "vera_psg.c", "vera_pcm.c"].map(|name| sources.join(name).display().to_string()));
    more.push("-lm".to_owned());
    let binary =
        compile(&driver("x16_emulator.c"), &more, request.folder, "it needs a C compiler and SDL 2")?;
    println!("\n| VERA | unit | gpuzoo | x16-emulator | ratio | bytes read |\n|---|---|---|---|---|---|");
    let mut other = Vec::new();
    for case in &vera::CASES {
        let file = request.folder.join(case.name);
        std::fs::write(&file, case.text()).map_err(|error| format!("{}: {error}", file.display()))?;
        let mut sides = [
            Side::start(ourselves()?.args([OPERATE, case.name]))?,
            Side::start(Command::new(&binary).arg(&file))?,
        ];
        let mut took = [Vec::new(), Vec::new()];
        for _ in 0..request.rounds {
            for (side, took) in sides.iter_mut().zip(&mut took) {
                took.push(side.round()?.cpu);
            }
        }
        let [ours, theirs] = took.map(|took| case.amount() * 1e9 / median(took));
        let unit = if case.is_frames() { "frames/s" } else { "million/s" };
        let [ours, theirs, ratio] = [ours, theirs, ours / theirs].map(|speed| number(Some(speed)));
        let same = same(case.name, sides[0].count == sides[1].count, &mut other);
        println!("| {} | {unit} | {ours} | {theirs} | {ratio} | {same} |", case.name);
    }
    agree(&other)
}

/// How a row says whether both sides gave the same; what did not is noted.
fn same(name: &'static str, is_same: bool, other: &mut Vec<&'static str>) -> &'static str {
    if is_same {
        return "same";
    }
    other.push(name);
    "differ"
}

/// An error if something did not give the same.
fn agree(other: &[&str]) -> Result<(), String> {
    if other.is_empty() { Ok(()) } else { Err(format!("other results in {}", other.join(", "))) }
}

/// The command line has that comparison.
fn c_kernels(request: &Request) -> Result<(), String> {
    println!("\ngpuzoo bench --yardstick --rounds {}\n", request.rounds);
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(crate::root()).args(["run", "--quiet", "--release", "--package", "gpuzoo-cli", "--"]);
    command.args(["bench", "--yardstick", "--rounds", &request.rounds.to_string()]);
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("it ended with {status}")),
        Err(error) => Err(format!("cargo cannot be run: {error}")),
    }
}
