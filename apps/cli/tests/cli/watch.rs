//! `--watch`: the verb is done again when a file changes. Nothing here depends on how long anything takes.

use crate::common::{command, gpuzoo, scratch, text, with_input};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Child;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// A process that watches, and the lines of its messages as they come.
struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Watching {
    fn start(args: &[&str]) -> Watching {
        let mut child = command(&[args, &["--watch", "--message-format", "short"]].concat())
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let err = BufReader::new(child.stderr.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || err.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Watching { child, lines }
    }

    /// All messages of a round.
    fn round(&mut self) -> String {
        let mut text = String::new();
        loop {
            let line = self.lines.recv_timeout(Duration::from_secs(120)).expect("another message");
            if line.starts_with("note[G0123]: watching ") {
                assert_eq!(self.child.try_wait().unwrap(), None, "it goes on");
                return text + &line;
            }
            text += &(line + "\n");
        }
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// As many editors do it: a new file, whole from the beginning, takes the place of the old one.
fn replace(path: &Path, content: &str) {
    let folder = path.parent().unwrap();
    let new = folder.with_extension("new");
    std::fs::write(&new, content).unwrap();
    std::fs::rename(new, path).unwrap();
}

#[test]
fn check_follows_changes_and_survives_mistakes() {
    let folder = scratch("watch-check");
    let program = folder.join("p.vu");
    std::fs::write(&program, "ld r0 0 st pos r0 st tex r0 st col r0 st ocol r0").unwrap();
    let mut watching = Watching::start(&["check", text(&program)]);
    assert_eq!(watching.round(), "note[G0123]: watching 1 file; Ctrl-C ends");
    // Written in place it may be seen half written, and is seen again then.
    std::fs::write(&program, "ld r99 0").unwrap();
    let mut second = watching.round();
    assert!(second.starts_with(&format!("note[G0123]: `{}` changed\n", text(&program))), "{second}");
    while !second.contains("error[A0103]") {
        second = watching.round();
    }
    replace(&program, "ld r0 0 st pos r5");
    let third = watching.round();
    assert!(third.contains("warning[D0102]") && !third.contains("A0103"), "{third}");
    std::fs::remove_file(&program).unwrap();
    assert!(watching.round().contains("error[G0104]"));
    replace(&program, "end");
    assert!(!watching.round().contains("error"));
}

/// A folder gets another file.
#[test]
fn check_of_a_folder_sees_new_files() {
    let folder = scratch("watch-folder");
    std::fs::write(folder.join("a.vu"), "end").unwrap();
    let mut watching = Watching::start(&["check", text(&folder)]);
    watching.round();
    replace(&folder.join("b.vu"), "ld r99 0");
    let second = watching.round();
    assert!(second.contains("b.vu") && second.contains("error[A0103]"), "{second}");
}

/// Vertices, constants, and a file that the program includes, which is not there at first.
#[test]
fn run_follows_all_that_it_reads() {
    let folder = scratch("watch-run");
    let path = |name: &str| folder.join(name);
    std::fs::write(path("p.vsh"), "vs.1.1\n#pragma screenspace\n#include \"names.h\"\nmov oPos, POSITION\n")
        .unwrap();
    std::fs::write(path("v.csv"), "v0.x\n1\n").unwrap();
    let out = path("out.csv");
    let (program, vertices) = (path("p.vsh"), path("v.csv"));
    let args = ["run", text(&program), text(&vertices), "--format", "csv", "-o", text(&out)];
    let mut watching = Watching::start(&args);
    assert!(watching.round().contains("error["));
    replace(&path("names.h"), "#define POSITION v0\n");
    assert!(!watching.round().contains("error["));
    assert!(std::fs::read_to_string(&out).unwrap().contains("\n0,1,0,0,1,"));
    replace(&path("v.csv"), "v0.x,v0.y\n2,3\n");
    let third = watching.round();
    assert!(third.contains("v.csv` changed"), "{third}");
    assert!(std::fs::read_to_string(&out).unwrap().contains("\n0,2,3,0,1,"));
    replace(&path("names.h"), "#define POSITION v0.yyyy\n");
    watching.round();
    assert!(std::fs::read_to_string(&out).unwrap().contains("\n0,3,3,3,3,"));
}

#[test]
fn render_follows_scene_program_and_texture() {
    let folder = scratch("watch-render");
    let path = |name: &str| folder.join(name);
    let scene = |size: &str| {
        format!(
            "gpu = \"dreambox\"\nsize = {size}\nclear = {{ color = [1, 0, 0] }}\n[program.p]\nfile = \"p.vu\"\n\
             [texture.t]\nraw = \"t.raw\"\nsize = [1, 1]\nformat = \"RGBA8888\"\n"
        )
    };
    std::fs::write(path("s.toml"), scene("[2, 2]")).unwrap();
    std::fs::write(path("p.vu"), "end").unwrap();
    std::fs::write(path("t.raw"), [0; 4]).unwrap();
    let out = path("out.raw");
    let mut watching = Watching::start(&["render", text(&path("s.toml")), "-o", text(&out)]);
    let first = watching.round();
    assert!(first.ends_with("watching 3 files; Ctrl-C ends"), "{first}");
    assert_eq!(std::fs::read(&out).unwrap(), [255, 0, 0, 255].repeat(4));
    replace(&path("s.toml"), &scene("[1, 10]"));
    assert!(watching.round().contains("s.toml` changed"));
    assert_eq!(std::fs::read(&out).unwrap().len(), 40);
    for name in ["t.raw", "p.vu"] {
        replace(&path(name), "xxxxx");
        let round = watching.round();
        assert!(round.contains(&format!("{name}` changed")) && round.contains("error["), "{round}");
    }
}

/// An error that no change of a file can fix ends it.
#[test]
fn what_cannot_be_watched_is_reported() {
    for (args, code, message) in [
        (&["check", "--gpu", "dreambox", "-"][..], "G0108", "standard input cannot be watched"),
        (&["run", "default.vu", "-"], "G0108", "standard input cannot be watched"),
        (&["render", "-", "-o", "x.png"], "G0108", "standard input cannot be watched"),
        (&["render", "scene.toml"], "G0108", "`--watch` draws to a file"),
        (&["render", "scene.toml", "-o", "-"], "G0108", "`--watch` draws to a file"),
        (&["check", "nosuch.vu"], "G0104", "cannot read"),
        (&["run", "default.vu", "-c", "c900=1"], "G0206", "no constant"),
    ] {
        let done = with_input(&[args, &["--watch"]].concat(), "");
        assert_eq!((done.code, done.out.as_str()), (2, ""), "{args:?}");
        assert!(done.err.contains(&format!("error[{code}]")) && done.err.contains(message), "{}", done.err);
    }
    assert!(gpuzoo(&["trace", "default.vu", "--watch"]).err.contains("error[G0121]"));
}
