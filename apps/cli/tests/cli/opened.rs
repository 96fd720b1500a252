//! What `debug` and `why` open in a program's place: records of vectors that fail, and sessions that were saved.

use crate::common::{command, gpuzoo, scratch, text, with_input};
use serde_json::Value as Json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// The first record of a file of vectors.
fn record(machine: &str, name: &str) -> Json {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gpus").join(machine).join("tests/vectors");
    let lines = std::fs::read_to_string(folder.join(name)).expect("vectors");
    serde_json::from_str(lines.lines().next().expect("a record")).expect("JSON")
}

/// Of each machine: a record that is right, and behind it one in which a number is another: the first step that is shown is the one that
/// wrote it, with what it wrote and what the record says.
#[test]
fn a_record_that_fails_is_opened_where_it_begins_to() {
    let folder = scratch("opened-records");
    let wrong = Json::from("41234567");
    for (machine, name, place, said, write) in [
        (
            "dreambox",
            "run_sample.jsonl",
            "/out/pos/1",
            "pos.y: bce57d41",
            "  writes pos = (0.91112924, -0.028013827, ",
        ),
        ("nv2a", "programs_sample.jsonl", "/sets/1/r/5/0", "set 1 r5.x: ", "  writes R5"),
        ("servaru", "run.jsonl", "/out/P9/0", "P9.x: 3fc00000 (1.5)", "  writes P9 = (1.5, 2.25, nan, 0)"),
        (
            "picogpu",
            "run_public.jsonl",
            "/executes/0/outputs/3/2",
            "execute 0 thread 3 output 2: 429de979",
            "  writes r8 = (",
        ),
    ] {
        let right = record(machine, name);
        let mut other = right.clone();
        *other.pointer_mut(place).expect("a number") = wrong.clone();
        let path = folder.join(format!("{machine}.jsonl"));
        std::fs::write(&path, format!("{right}\n{other}\n")).unwrap();
        // One that came from the emulator.
        let profile = if machine == "nv2a" { &["--profile", "cpu"][..] } else { &[] };
        let arguments =
            |verb, more: &[&'static str]| [&[verb, "--gpu", machine, text(&path)], profile, more].concat();
        let conform = gpuzoo(&arguments("conform", &[]));
        assert!(conform.code == 1 && conform.out.contains("1/2 passed"), "{}", conform.out);
        let opened = with_input(&arguments("debug", &[]), "");
        assert_eq!((opened.code, opened.err.as_str()), (0, ""), "{machine}");
        let lines: Vec<&str> = opened.out.lines().collect();
        assert!(lines[0].starts_with("line 2, ") && lines[1].starts_with(said), "{}", opened.out);
        assert!(lines[1].ends_with("here, and the record says 41234567 (10.204444)"), "{}", opened.out);
        assert!(lines.iter().any(|line| line.starts_with(write)), "{}", opened.out);
        assert!(lines.last().is_some_and(|line| line.starts_with("step ") && !line.starts_with("step 0 ")));
        let why = gpuzoo(&arguments("why", &[]));
        assert!(
            why.code == 0 && why.out.lines().nth(1).is_some_and(|line| line.starts_with(said)),
            "{}",
            why.out
        );
        assert!(why.out.contains("it comes from ") && why.out.contains(".jsonl:2"), "{}", why.out);
        // The other one on request; and there is no third.
        let passes = with_input(&arguments("debug", &["--record", "1"]), "");
        assert!(
            passes.out.lines().next().is_some_and(|line| line.ends_with(": it passes")),
            "{}",
            passes.out
        );
        let none = with_input(&arguments("debug", &["--record", "3"]), "");
        assert!(none.code == 2 && none.err.contains("no record is on line 3"), "{}", none.err);
    }
    // Without a machine, without a program, and without a failure.
    let path = folder.join("encode.jsonl");
    std::fs::write(&path, "{\"text\":\"end\",\"word\":\"0000003e\"}\n").unwrap();
    let unsaid = with_input(&["debug", text(&path)], "");
    assert!(unsaid.code == 2 && unsaid.err.contains("error[G0101]"), "{}", unsaid.err);
    let without = with_input(&["debug", "--gpu", "dreambox", text(&path)], "");
    assert!(without.code == 1 && without.err.contains("a `encode` record has no program"), "{}", without.err);
    std::fs::write(&path, "{\"text\":\"end\",\"word\":\"0000003f\"}\n").unwrap();
    let passes = with_input(&["why", "--gpu", "dreambox", text(&path)], "");
    assert!(passes.code == 2 && passes.err.contains("no record of"), "{}", passes.err);
    let vera = with_input(&["debug", "--gpu", "vera", text(&path)], "");
    assert!(vera.code == 2 && vera.err.contains("is known of shader programs"), "{}", vera.err);
}

/// What `debug` prints for commands, in a folder of its own, and its messages.
fn debug(folder: &Path, arguments: &[&str], commands: &str) -> (i32, String, String) {
    let mut child = command(&[])
        .arg("debug")
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("started");
    child.stdin.take().expect("a pipe").write_all(commands.as_bytes()).expect("written");
    let done = child.wait_with_output().expect("ended");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (done.status.code().unwrap_or(-1), text(done.stdout), text(done.stderr))
}

fn vertex() -> (PathBuf, Vec<&'static str>) {
    let folder = scratch("opened-session");
    std::fs::write(folder.join("x.vu"), "ld r0 0\nadd r0 r0\nmul r0 r0\nst pos r0\n").unwrap();
    std::fs::write(folder.join("in.csv"), "in0.x,in0.y\n1,2\n3,4\n").unwrap();
    (folder, vec!["x.vu", "in.csv", "--vertex", "1", "--allow", "warnings", "--allow", "G0209"])
}

const WORK: &str = "watch r0.xy\nbreak write r0.x if r0.x > 30\nbreak line 4\ndelete 3\nstep\npoke r0.x = 7\nrun\nsave a.session\n";

/// A session goes on where it was: with pokes, breakpoints, watches and the position.
#[test]
fn a_saved_session_is_opened_again() {
    let (folder, arguments) = vertex();
    let (code, out, err) = debug(&folder, &arguments, &WORK.replace("delete 3", "delete 2"));
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert!(out.ends_with("> save a.session\nsaved as a.session\n"), "{out}");
    let state = "print r0\nbreaks\nback\nprint r0\nrun\nrun\n";
    let again = debug(&folder, &["a.session"], state);
    // As if it had not been left.
    let whole = debug(&folder, &arguments, &(WORK.replace("delete 3", "delete 2") + state)).1;
    let rest =
        |text: &str| text.split_once("> print r0\n").map(|(_, rest)| rest.to_owned()).unwrap_or_default();
    let numbered = |text: String| text.replace("breakpoint 1", "breakpoint _");
    assert_eq!((again.0, again.2.as_str()), (0, ""));
    assert!(again.1.contains("r0 = (196, 64, 0, 4)") || !rest(&again.1).is_empty(), "{}", again.1);
    assert_eq!(numbered(rest(&again.1)), numbered(rest(&whole)));
    // Saved again it is the same.
    let saved = std::fs::read_to_string(folder.join("a.session")).unwrap();
    debug(&folder, &["a.session"], "save b.session\n");
    assert_eq!(std::fs::read_to_string(folder.join("b.session")).unwrap(), saved);
    // A file that has changed is a warning, which can be made an error.
    std::fs::write(folder.join("in.csv"), "in0.x,in0.y\n1,2\n3,5\n").unwrap();
    let changed = debug(&folder, &["a.session"], "");
    assert!(changed.0 == 0 && changed.2.contains("warning[G0306]: `in.csv` has changed"), "{}", changed.2);
    std::fs::remove_file(folder.join("in.csv")).unwrap();
    let gone = debug(&folder, &["a.session"], "");
    assert!(gone.0 == 2 && gone.2.contains("warning[G0306]: `in.csv` cannot be read any more"), "{}", gone.2);
}

/// Of many vertices the one that was looked at, and no poke of another.
#[test]
fn a_session_goes_on_in_its_lane() {
    let (folder, _) = vertex();
    std::fs::write(folder.join("out.csv"), "vertex,pos.x\n0,9\n1,36\n").unwrap();
    let arguments = ["x.vu", "in.csv", "--expect", "out.csv", "--allow", "warnings", "--allow", "G0209"];
    let commands = "step\npoke r0.x = 7\nlane 1\nstep\nprint r0.x\nsave lane.session\n";
    let (code, out, err) = debug(&folder, &arguments, commands);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert!(out.starts_with("vertex 0, and 1 more") && out.contains("\nr0.x = 6\n"), "{out}");
    let again = debug(&folder, &["lane.session"], "print r0.x\n");
    assert!(again.1.starts_with("vertex 1, and 1 more") && again.1.ends_with("r0.x = 6\n"), "{}", again.1);
}

#[test]
fn a_session_of_a_pixel_and_of_a_machine_go_on_too() {
    let folder = scratch("opened-others");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let scene = examples.join("servaru/rivets.toml");
    let work = "use 2\nrun write P10\nuse 1\nstep 4\nsave s\n";
    let (code, out, err) = debug(&folder, &[text(&scene), "--pixel", "160,120"], work);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let again = debug(&folder, &["s"], "runs\nuse 2\n");
    assert!(again.1.contains("> 1  vertex 426") && again.1.contains("> use 2\nstep 5 of 19"), "{}", again.1);
    let cube = examples.join("vera/cube.s");
    debug(&folder, &[text(&cube)], "goto 2000\npoke ram[$22] = 9\nrun write DATA0\nwatch ram[$22]\nsave v\n");
    let again = debug(&folder, &["v"], "print PC\nback 100\nprint ram[$22]\n");
    assert_eq!((again.0, again.2.as_str()), (0, ""));
    let whole = debug(
        &folder,
        &[text(&cube)],
        "goto 2000\npoke ram[$22] = 9\nrun write DATA0\nprint PC\nback 100\nprint ram[$22]\n",
    );
    let answer = |text: &str, command: &str| {
        let rest = text.split(&format!("> {command}\n")).nth(1).unwrap_or_default();
        rest.lines().next().unwrap_or_default().to_owned()
    };
    for command in ["print PC", "print ram[$22]"] {
        assert_eq!(answer(&again.1, command), answer(&whole.1, command));
        assert!(!answer(&again.1, command).is_empty());
    }
}

#[test]
fn a_session_says_no_more_than_it_may() {
    let (folder, arguments) = vertex();
    debug(&folder, &arguments, "save a\n");
    let saved = std::fs::read_to_string(folder.join("a")).unwrap();
    let refused = |from: &str, to: &str, message: &str| {
        assert!(saved.contains(from), "{saved}");
        std::fs::write(folder.join("b"), saved.replace(from, to)).unwrap();
        let (code, _, err) = debug(&folder, &["b"], "");
        assert!(code == 1 && err.contains("error[G0305]") && err.contains(message), "{to}: {err}");
    };
    refused("\"--vertex\", \"1\"", "\"-o\", \"c\"", "where something is written");
    refused("\"--vertex\", \"1\"", "\"--allow-read\", \"/\"", "what may be used");
    refused("\"--vertex\", \"1\"", "\"--allow-write\", \"/\"", "what may be used");
    refused("\"--vertex\", \"1\"", "\"--vertx\", \"1\"", "not those of `gpuzoo debug`");
    refused("\"version\": 1", "\"version\": 2", "version 1");
    refused("\"commands\": []", "\"commands\": [\"quit\"]", "cannot be in a session");
    refused("\"commands\": []", "\"commands\": [\"goto 99\"]", "does not come so far");
    // A wrong command is one, where it stands.
    std::fs::write(folder.join("b"), saved.replace("\"commands\": []", "\"commands\": [\"gone 1\"]"))
        .unwrap();
    let (code, _, err) = debug(&folder, &["b"], "");
    assert!(
        code == 1 && err.contains("error[G0301]: there is no command `gone`") && err.contains(" b:"),
        "{err}"
    );
    // What is said again would not count.
    let (code, _, err) = debug(&folder, &["a", "--vertex", "0"], "");
    assert!(code == 2 && err.contains("a saved session says all that"), "{err}");
    // Standard input cannot be opened again, and a command needs its file.
    let (code, _, err) = debug(&folder, &["x.vu", "--allow", "warnings", "--allow", "G0209"], "save\n");
    assert!(code == 1 && err.contains("error[G0302]: expected a file"), "{err}");
    std::fs::write(folder.join("script"), "save c\n").unwrap();
    let typed = with_input(
        &[
            "debug",
            "--gpu",
            "dreambox",
            "-",
            "--script",
            text(&folder.join("script")),
            "--allow",
            "warnings",
            "--allow",
            "G0209",
        ],
        "end",
    );
    assert!(typed.code == 2 && typed.err.contains("standard input cannot be opened again"), "{}", typed.err);
}
