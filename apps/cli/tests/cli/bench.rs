//! `bench`: that there are figures, not how high they are.

use crate::common::{command, data, done, gpuzoo, scratch, text as text_of};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Little, so that it takes no time.
const SHORT: [&str; 4] = ["--rounds", "1", "--lanes", "300"];

fn bench(args: &[&str]) -> crate::common::Done {
    gpuzoo(&[&["bench"], args, &SHORT[..]].concat())
}

#[test]
fn a_standard_program_has_a_line() {
    let done = bench(&["--gpu", "nv2a", "--program", "dp4", "--threads", "2"]);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    assert!(done.out.starts_with("SIMD ") && done.out.contains(", 2 threads\n"), "{}", done.out);
    for profile in ["cpu", "hw"] {
        let line = done.out.lines().find(|line| line.starts_with(&format!("nv2a {profile} dp4 ")));
        let cells: Vec<&str> = line.expect("a line").split_whitespace().skip(3).collect();
        assert_eq!((cells[0], &cells[4..7]), ("300", &["-", "-", "-"][..]), "{}", done.out);
        assert!(
            cells[1..4].iter().all(|cell| cell.parse::<f64>().is_ok_and(|speed| speed > 0.0)),
            "{cells:?}"
        );
    }
}

#[test]
fn json_has_what_the_table_has() {
    let done = bench(&["default.vu", "--lanes", "1,2000", "--threads", "1", "--json"]);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    let json: serde_json::Value = serde_json::from_str(&done.out).expect("JSON");
    // `--lanes` is given twice, and all of them count.
    let lanes: Vec<_> =
        json["programs"].as_array().unwrap().iter().map(|row| row["lanes"].as_u64()).collect();
    assert_eq!(lanes, [Some(1), Some(2000), Some(300)]);
    let row = &json["programs"][0];
    assert_eq!((&row["program"], &row["instructions"]), (&"default.vu".into(), &10.into()));
    assert!(row["engine"].as_f64().is_some_and(|speed| speed > 0.0) && row["engine_threads"].is_null());
    assert_eq!(json["scenes"], serde_json::json!([]));
}

#[test]
fn the_yardstick_gives_the_same_bits() {
    let done = bench(&["default.vu", "--yardstick"]);
    if done.err.contains("warning[G0233]") {
        gpuzoo_skipped::say("there is no C compiler: the yardstick of `bench`");
        return;
    }
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    assert!(done.out.contains(" same "), "{}", done.out);
}

#[test]
fn without_a_compiler_there_is_a_warning() {
    let args = [&["bench", "default.vu", "--yardstick"], &SHORT[..]].concat();
    let done = done(&command(&args).env("CC", "no-such-compiler").output().unwrap());
    assert_eq!(done.code, 0);
    assert!(done.err.contains("warning[G0233]: there is no C compiler `no-such-compiler`"), "{}", done.err);
    assert!(done.out.contains("default.vu"), "{}", done.out);
}

#[test]
fn mistakes_are_reported() {
    for (args, code) in [
        (&["--program", "dp5"][..], "G0115"),
        (&["--gpu", "dreambox", "--program", "dp4"], "G0115"),
        (&["default.vu", "--program", "dp4"], "G0108"),
        (&["--lanes", "0"], "G0108"),
        (&["--threads", "0"], "G0121"),
        (&["--threads", "257"], "G0121"),
        (&["default.vu", "--profile", "nosuch"], "G0103"),
    ] {
        let done = bench(args);
        assert_eq!((done.code, done.out.as_str()), (2, ""), "{args:?}");
        assert!(done.err.contains(&format!("error[{code}]")), "{args:?}: {}", done.err);
    }
}

/// A script as the compiler `cc` of a folder.
#[cfg(unix)]
fn compiler(folder: &Path, script: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let compiler = folder.join("cc");
    std::fs::write(&compiler, format!("#!/bin/sh\n{script}")).unwrap();
    std::fs::set_permissions(&compiler, PermissionsExt::from_mode(0o755)).unwrap();
    compiler
}

/// As a compiler: writes a program that says that it computed something else.
#[cfg(unix)]
const OTHER_BITS: &str = "while [ $# -gt 0 ]; do\n  if [ \"$1\" = -o ]; then to=$2; fi\n  shift\ndone\n\
    if [ -n \"$to\" ]; then\n\
    printf '#!/bin/sh\\necho 1\\nwhile read runs; do echo 1000; done\\n' > \"$to\"\nchmod +x \"$to\"\nfi\n";

#[cfg(unix)]
#[test]
fn other_bits_than_the_engine_s_are_an_error() {
    let compiler = compiler(&scratch("other_bits"), OTHER_BITS);
    let args = [&["bench", "default.vu", "--yardstick"], &SHORT[..]].concat();
    let done = done(&command(&args).env("CC", &compiler).output().unwrap());
    assert!(done.err.contains("error[G0234]: dreambox default.vu gives other bits as C"), "{}", done.err);
    assert_eq!(done.code, 1);
}

/// The compiler and its program work in a folder that is new, that nobody else can enter, and that goes with the verb, also when
/// that fails or is interrupted.
#[cfg(target_os = "linux")]
#[test]
fn the_compiler_has_a_folder_of_its_own() {
    let folder = scratch("private");
    let (temporary, seen) = (folder.join("tmp"), folder.join("seen"));
    std::fs::create_dir(&temporary).unwrap();
    let look = format!("echo $(stat -c '%a %F' .) $TMPDIR $(pwd -P) $(ls) >> '{}'\n", seen.display());
    let run = |script: &str| {
        compiler(&folder, &format!("{look}{script}"));
        let program = data().join("default.vu");
        let mut bench = command(&[&["bench", text_of(&program), "--yardstick"], &SHORT[..]].concat());
        // A path is one from where gpuzoo runs.
        bench.current_dir(&folder).env("CC", "./cc").env("TMPDIR", &temporary);
        bench
    };
    let folders = || -> Vec<String> {
        let text = std::fs::read_to_string(&seen).unwrap();
        std::fs::remove_file(&seen).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        // For `--version`, and to compile.
        assert_eq!(lines.len(), 2, "{text}");
        let words: Vec<Vec<&str>> = lines.iter().map(|line| line.split(' ').collect()).collect();
        for words in &words {
            assert_eq!((words[0], words[1], words[2]), ("700", "directory", words[3]), "{text}");
            assert!(words[3].starts_with(text_of(&temporary)), "{text}");
        }
        assert_eq!((words[0].len(), words[1][4..].to_vec()), (4, vec!["kernel.c"]), "{text}");
        words.iter().map(|words| words[3].to_owned()).collect()
    };
    let is_empty = || std::fs::read_dir(&temporary).unwrap().next().is_none();
    let mut all = Vec::new();
    for (script, code) in [(OTHER_BITS, 1), ("test $1 = --version", 0)] {
        let done = done(&run(script).output().unwrap());
        assert_eq!(done.code, code, "{}", done.err);
        all.extend(folders());
        assert!(is_empty());
    }
    assert!(all[0] == all[1] && all[2] == all[3] && all[0] != all[2], "{all:?}");

    let waits = "test $1 = --version && exit; while kill -0 $PPID; do sleep 0.1; done 2> /dev/null";
    let mut child = run(waits).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while std::fs::read_to_string(&seen).map_or(0, |text| text.lines().count()) < 2 {
        assert!(child.try_wait().unwrap().is_none(), "it ended before the signal");
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(is_empty());
}
