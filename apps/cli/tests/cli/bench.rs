//! `bench`: that there are figures, not how high they are.

use crate::common::{command, done, gpuzoo, scratch};

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
        eprintln!("skipped: {}", done.err);
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
fn mistakes_are_told() {
    for (args, code) in [
        (&["--program", "dp5"][..], "G0115"),
        (&["--gpu", "dreambox", "--program", "dp4"], "G0115"),
        (&["default.vu", "--program", "dp4"], "G0108"),
        (&["--lanes", "0"], "G0108"),
        (&["--threads", "0"], "G0108"),
        (&["--threads", "257"], "G0108"),
        (&["default.vu", "--profile", "nosuch"], "G0103"),
    ] {
        let done = bench(args);
        assert_eq!((done.code, done.out.as_str()), (2, ""), "{args:?}");
        assert!(done.err.contains(&format!("error[{code}]")), "{args:?}: {}", done.err);
    }
}

/// A compiler whose programs say that they computed something else.
#[cfg(unix)]
#[test]
fn other_bits_than_the_engine_s_are_an_error() {
    use std::os::unix::fs::PermissionsExt;
    let compiler = scratch("other_bits").join("cc");
    let script = "#!/bin/sh\nwhile [ $# -gt 0 ]; do\n  if [ \"$1\" = -o ]; then to=$2; fi\n  shift\ndone\n\
                  if [ -n \"$to\" ]; then\n\
                  printf '#!/bin/sh\\necho 1\\nwhile read runs; do echo 1000; done\\n' > \"$to\"\nchmod +x \"$to\"\nfi\n";
    std::fs::write(&compiler, script).unwrap();
    std::fs::set_permissions(&compiler, PermissionsExt::from_mode(0o755)).unwrap();
    let args = [&["bench", "default.vu", "--yardstick"], &SHORT[..]].concat();
    let done = done(&command(&args).env("CC", &compiler).output().unwrap());
    assert!(done.err.contains("error[G0234]: dreambox default.vu gives other bits as C"), "{}", done.err);
    assert_eq!(done.code, 1);
}
