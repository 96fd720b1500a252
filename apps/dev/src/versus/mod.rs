//! `cargo xtask versus`: gpuzoo against others that do the same, in alternation; its pictures against those of Mesa's llvmpipe.
//!
//! Each side is a process that has drawn its scene and waits; in each round each of them draws for a while, so that what
//! else the machine does meets both. Speeds are medians of the rounds, ratios those of the medians.

mod answer;
mod glsl;
mod ours;
mod peers;
mod pictures;
mod process;
mod scenes;
mod table;
mod vera;

use gpuzoo::engine::Level;
use peers::{PEERS, Peer, Request};
use pictures::Difference;
use process::{Side, Took};
use scenes::{Filter, Kind, SCENES, Scene};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use table::{Row, Speeds, Table};

const USAGE: &str = "usage: cargo xtask versus [--rounds N] [--level NAME[,NAME…]] [--one-thread] [--peers DIR] [NAME…]

  --rounds N      rounds, of which medians are taken (11)
  --level NAME    what pictures are drawn on: portable, avx2, avx512, jit (GPUZOO_SIMD, else the fastest); several in turn
  --one-thread    without the measurement of pictures on all threads
  --peers DIR     the folder with the sources of other peers
  NAME            a scene, a peer, or a part of their names; `pictures` are all scenes; without one, all";

const INSTALL: &str =
    "llvmpipe needs a C compiler and Mesa; Debian: apt-get install gcc libegl-dev libgl-dev libgl1-mesa-dri";

/// Runs the task: exit status 0 if all was measured and both sides drew the same, 1 if not, 2 for bad arguments.
pub fn run(args: &[String]) -> ExitCode {
    if let [first, scene, threads, picture] = args
        && first == DRAW
        && let Some(scene) = SCENES.iter().find(|known| known.name == scene)
    {
        let drawn = ours::draw_scene(scene, threads.parse().ok(), Path::new(picture));
        return drawn.map_or_else(|problem| fail(&problem), |()| ExitCode::SUCCESS);
    }
    if let [first, case] = args
        && first == OPERATE
        && let Some(case) = vera::CASES.iter().find(|known| known.name == case)
    {
        return case.answer().map_or_else(|problem| fail(&problem), |()| ExitCode::SUCCESS);
    }
    let options = match Options::read(args) {
        Ok(options) => options,
        Err(problem) => {
            let (scenes, peers) = (SCENES.map(|scene| scene.name), PEERS.map(|peer| peer.name));
            eprintln!("{problem}\n\n{USAGE}\n\nscenes  {}\npeers   {}", scenes.join(" "), peers.join(" "));
            return ExitCode::from(2);
        }
    };
    let folder = crate::root().join("target/versus");
    if let Err(error) = std::fs::create_dir_all(&folder) {
        return fail(&format!("{}: {error}", folder.display()));
    }
    let mut problems = Vec::new();
    if !options.scenes.is_empty() {
        measure_scenes(&options, &folder, &mut problems);
    }
    let request = Request { folder: &folder, peers: options.peers.as_deref(), rounds: options.rounds };
    for peer in &options.others {
        problems.extend(peer.measure(&request).err());
    }
    problems.iter().for_each(|problem| eprintln!("{problem}"));
    if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// All pictures, in one table.
fn measure_scenes(options: &Options, folder: &Path, problems: &mut Vec<String>) {
    let source = crate::root().join("apps/dev/src/versus/peers/llvmpipe.c");
    let libraries = ["-lEGL", "-lGL"].map(str::to_owned);
    let llvmpipe =
        process::compile(&source, &libraries, folder, INSTALL).map_err(|problem| problems.push(problem)).ok();
    let mut table = Table::new(options.one_thread);
    for scene in &options.scenes {
        if let Err(problem) = measure(scene, options, llvmpipe.as_deref(), folder, &mut table, problems) {
            problems.push(format!("{}: {problem}", scene.name));
        }
    }
    table.finish();
}

fn fail(problem: &str) -> ExitCode {
    eprintln!("{problem}");
    ExitCode::FAILURE
}

/// The first argument of the process that is gpuzoo's side of a scene, and of the one that is its VERA.
const DRAW: &str = "--draw";
const OPERATE: &str = "--operate";

/// This program again.
fn ourselves() -> Result<Command, String> {
    let mut command = Command::new(std::env::current_exe().map_err(|error| error.to_string())?);
    command.arg("versus");
    Ok(command)
}

struct Options {
    scenes: Vec<&'static Scene>,
    others: Vec<&'static Peer>,
    levels: Vec<Level>,
    rounds: usize,
    one_thread: bool,
    /// Where the sources of the others are.
    peers: Option<PathBuf>,
}

impl Options {
    fn read(args: &[String]) -> Result<Options, String> {
        let (scenes, others, levels) = (Vec::new(), Vec::new(), Vec::new());
        let mut options = Options { scenes, others, levels, rounds: 11, one_thread: false, peers: None };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or(format!("`{arg}` needs a value"));
            match arg.as_str() {
                "--one-thread" => options.one_thread = true,
                "--rounds" => {
                    let number = value()?;
                    let rounds = number.parse().ok().filter(|rounds| *rounds > 0);
                    options.rounds = rounds.ok_or(format!("`{number}` is not a number of rounds"))?;
                }
                "--level" => {
                    for name in value()?.split(',') {
                        options.levels.push(Level::named(name).map_err(|error| error.to_string())?);
                    }
                }
                "--peers" => options.peers = Some(value()?.into()),
                "pictures" => options.scenes.extend(&SCENES),
                name => {
                    let (scenes, others) = (options.scenes.len(), options.others.len());
                    options.scenes.extend(named(&SCENES, name, |scene| scene.name));
                    options.others.extend(named(&PEERS, name, |peer| peer.name));
                    if (options.scenes.len(), options.others.len()) == (scenes, others) {
                        return Err(format!("there is no scene and no peer `{name}`"));
                    }
                }
            }
        }
        if options.scenes.is_empty() && options.others.is_empty() {
            options.scenes = SCENES.iter().collect();
            options.others = PEERS.iter().collect();
        }
        if options.levels.is_empty() {
            options.levels = vec![Level::requested().map_err(|error| error.to_string())?];
        }
        Ok(options)
    }
}

/// What has a name, or else all that have it as a part of theirs.
fn named<T>(all: &'static [T], name: &str, of: fn(&T) -> &str) -> Vec<&'static T> {
    match all.iter().find(|one| of(one) == name) {
        Some(one) => vec![one],
        None => all.iter().filter(|one| of(one).contains(name)).collect(),
    }
}

/// Measures a scene on every level, in turn, and prints its rows.
fn measure(
    scene: &'static Scene,
    options: &Options,
    llvmpipe: Option<&Path>,
    folder: &Path,
    table: &mut Table,
    problems: &mut Vec<String>,
) -> Result<(), String> {
    let folder = folder.join(scene.name);
    write_scene(scene, &folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let picture = |level: Level| folder.join(format!("{}.rgba", level.name()));
    let threads = if options.one_thread { &[Threads::One][..] } else { &[Threads::One, Threads::All] };
    // For each number of threads the levels, and llvmpipe.
    let mut sides = Vec::new();
    for &threads in threads {
        for &level in &options.levels {
            sides.push(ours(scene, level, threads, &picture(level))?);
        }
        if let Some(llvmpipe) = llvmpipe {
            sides.push(theirs(llvmpipe, threads, &folder)?);
        }
    }
    let mut took = vec![Vec::new(); sides.len()];
    for _ in 0..options.rounds {
        for (side, took) in sides.iter_mut().zip(&mut took) {
            took.push(side.round()?);
        }
    }
    let each = options.levels.len() + usize::from(llvmpipe.is_some());
    took.iter().take(each).flatten().for_each(|took| table.note_one_thread(*took));
    let things = match scene.counts_triangles() {
        true => scene.mesh().indices.len() as f64 / 3.0,
        false => scene.fragments() as f64,
    };
    let speeds = |level: usize, group: usize, of: fn(&Took) -> f64| {
        let group = took.get(group * each..(group + 1) * each)?;
        let speed = |took: &Vec<Took>| things * 1e3 / median(took.iter().map(of).collect());
        Some(Speeds { ours: speed(&group[level]), theirs: group.get(options.levels.len()).map(speed) })
    };
    let peer = llvmpipe.map(|_| &sides[options.levels.len()]);
    table.theirs = peer.map(|peer| peer.name.clone());
    for (index, level) in options.levels.iter().enumerate() {
        let mut difference = None;
        if let Some(peer) = peer {
            let found = Difference::of_files(&picture(*level), &folder.join("picture"))?;
            if !found.is_tolerated() {
                problems.push(format!("{}: {found} of the pixels differ, which is too many", scene.name));
            }
            if sides[index].count != peer.count {
                let (ours, theirs) = (sides[index].count, peer.count);
                problems.push(format!("{}: {ours} fragments pass, and {theirs} of llvmpipe", scene.name));
            }
            difference = Some(found);
        }
        let one = speeds(index, 0, |took| took.cpu).ok_or("nothing was measured")?;
        let all = speeds(index, 1, |took| took.wall);
        table.print(&Row { scene, level: level.name(), one, all, difference });
    }
    Ok(())
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

#[derive(Clone, Copy, PartialEq)]
enum Threads {
    One,
    All,
}

fn ours(scene: &Scene, level: Level, threads: Threads, picture: &Path) -> Result<Side, String> {
    let threads = if threads == Threads::One { "1" } else { "all" };
    let mut command = ourselves()?;
    command.args([DRAW, scene.name, threads]).arg(picture).env("GPUZOO_SIMD", level.name());
    Side::start(&mut command)
}

fn theirs(llvmpipe: &Path, threads: Threads, folder: &Path) -> Result<Side, String> {
    let mut command = Command::new(llvmpipe);
    // Whatever graphics there are, this is about the software.
    command.arg(folder).env("LIBGL_ALWAYS_SOFTWARE", "1").env("GALLIUM_DRIVER", "llvmpipe");
    match threads {
        // None but the one that draws.
        Threads::One => command.env("LP_NUM_THREADS", "0"),
        Threads::All => command.env_remove("LP_NUM_THREADS"),
    };
    let side = Side::start(&mut command).map_err(|problem| format!("{problem}; {INSTALL}"))?;
    if side.name.starts_with("llvmpipe") { Ok(side) } else { Err(format!("{} drew; {INSTALL}", side.name)) }
}

/// What `peers/llvmpipe.c` reads.
fn write_scene(scene: &Scene, folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let mesh = scene.mesh();
    let mut text = format!("size {} {}\nstride {}\n", scene.size.0, scene.size.1, mesh.stride);
    for attribute in mesh.attributes {
        text += &match attribute.kind {
            Kind::Floats(count) => format!("floats {} {} {count}\n", attribute.input, attribute.offset),
            Kind::Unorm8 => format!("unorm8 {} {}\n", attribute.input, attribute.offset),
        };
    }
    if let Some(filter) = scene.filter() {
        let name = match filter {
            Filter::Nearest => "nearest",
            Filter::Linear => "linear",
            Filter::Levels => "levels",
        };
        text += &format!("texture {} {name}\n", scenes::TEXTURE);
    }
    text += if scene.tests_depth() { "depth\n" } else { "" };
    text += if scene.blends() { "blend\n" } else { "" };
    let (vertex, fragment) = scene.glsl();
    let indices: Vec<u8> = mesh.indices.iter().flat_map(|index| index.to_le_bytes()).collect();
    let files: [(&str, &[u8]); 6] = [
        ("scene", text.as_bytes()),
        ("vertices", &mesh.vertices),
        ("indices", &indices),
        ("texels", &scenes::texels()),
        ("vertex.glsl", vertex.as_bytes()),
        ("fragment.glsl", fragment.as_bytes()),
    ];
    files.iter().try_for_each(|(name, bytes)| std::fs::write(folder.join(name), bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(args: &[&str]) -> Result<Options, String> {
        Options::read(&args.iter().map(|arg| (*arg).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn arguments_are_checked() {
        let all = read(&[]).unwrap();
        assert_eq!((all.scenes.len(), all.others.len(), all.rounds), (SCENES.len(), PEERS.len(), 11));
        let pictures = read(&["pictures"]).unwrap();
        assert_eq!((pictures.scenes.len(), pictures.others.len()), (SCENES.len(), 0));
        let peers = read(&["--peers", "there", "nv2a", "x16-emulator"]).unwrap();
        assert_eq!((peers.scenes.len(), peers.others.len(), peers.peers), (0, 2, Some("there".into())));
        let some =
            read(&["--rounds", "3", "--level", "portable", "bilinear", "servaru", "--one-thread"]).unwrap();
        let names: Vec<&str> = some.scenes.iter().map(|scene| scene.name).collect();
        // A whole name is one scene, a part of names all that have it.
        assert_eq!(names, ["bilinear", "servaru-flat", "servaru-textured", "servaru-lit"]);
        assert_eq!((&some.levels[..], some.rounds, some.one_thread), (&[Level::Portable][..], 3, true));
        for wrong in [
            &["--rounds"][..],
            &["--rounds", "0"],
            &["--level", "sse"],
            &["trilinear"],
            &["--peer"],
            &["--peers"],
        ] {
            assert!(read(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(vec![9.0, 1.0, 2.0]), 2.0);
    }
}
