//! What `check` says of a program, every verb that reads it says too, once.

use crate::common::{Done, gpuzoo, scratch, text};

/// Programs, each with the code that `check` gives for it.
const PROGRAMS: [(&str, &str, &str); 4] = [
    ("a.vu", "ld r0 0 st pos r5 st tex r0 st col r0 st ocol r0", "D0102"),
    ("a.pico", "#fragmentShader #input r0.xyzw #output r1.xyzw fadd r1 r0 r2", "P0202"),
    ("a.svs", "ADD P9, R0, P0;", "S0205"),
    ("a.vsh", "vs.1.1\nmul oPos, v0, r1\n", "N0304"),
];

fn messages(done: &Done) -> Vec<&str> {
    done.err.lines().collect()
}

#[test]
fn run_and_trace_lint_as_check_does() {
    let folder = scratch("lints");
    for (name, source, code) in PROGRAMS {
        let path = folder.join(name);
        std::fs::write(&path, source).unwrap();
        let verb = |verb: &str, args: &[&str]| {
            gpuzoo(&[&[verb, text(&path), "--message-format", "short"], args].concat())
        };
        let checked = verb("check", &[]);
        assert!(checked.err.contains(code), "{name}: {}", checked.err);
        for other in ["run", "trace", "assemble"] {
            let done = verb(other, &[]);
            assert_eq!(done.code, 0, "{other} {name}: {}", done.err);
            // First what the program says, then what the run does.
            assert!(messages(&done).starts_with(&messages(&checked)), "{other} {name}: {}", done.err);
            assert_eq!(done.err.matches(code).count(), checked.err.matches(code).count(), "{other} {name}");
            let denied = verb(other, &["--deny", code]);
            assert_eq!((denied.code, denied.out.as_str()), (1, ""), "{other} {name}");
            let allowed = verb(other, &["--allow", code]);
            assert!(!allowed.err.contains(code), "{other} {name}: {}", allowed.err);
        }
    }
}

/// Both programs of a draw, each once although two draws name them.
#[test]
fn scenes_lint_their_programs_once() {
    let folder = scratch("lints-scene");
    std::fs::write(folder.join("v.pico"), "#vertexShader #input r0.xyzw #output r0.xyzw fadd r1 r2 r2")
        .unwrap();
    std::fs::write(folder.join("f.pico"), PROGRAMS[1].1).unwrap();
    let draw = "[[draw]]\nprogram = \"v\"\nfragment = \"f\"\nmesh = \"m\"\ninput = { in0 = \"position\" }\n";
    let scene = folder.join("s.toml");
    let head = "gpu = \"picogpu\"\nsize = [8, 8]\n[program]\nv.file = \"v.pico\"\nf.file = \"f.pico\"\nagain.file = \
                \"f.pico\"\n[mesh.m]\nposition = [[0, 0], [8, 0], [0, 8]]\n";
    std::fs::write(&scene, format!("{head}{draw}{draw}")).unwrap();
    for args in [&["check", text(&scene)][..], &["render", text(&scene), "-o", "-"]] {
        let output = crate::common::raw(&[args, &["--message-format", "short"]].concat(), b"");
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        let count =
            |file: &str| err.lines().filter(|line| line.contains(file) && line.contains("[P0202]")).count();
        assert_eq!((count("v.pico"), count("f.pico")), (1, 1), "{args:?}: {err}");
    }
}

/// A job has its programs in it, as texts or as words.
#[test]
fn jobs_lint_their_programs_once() {
    let folder = scratch("lints-job");
    let draw = r##"{"vs": "#vertexShader #input r0.xyzw #output r0.xyzw trap",
        "fs": "#fragmentShader #input r0.xyzw #output r1.xyzw fadd r1 r0 r2", "vertex_count": 0, "vertex_data": []}"##;
    let job = folder.join("job.json");
    std::fs::write(&job, format!("{{\"width\": 1, \"height\": 1, \"draws\": [{draw}, {draw}]}}")).unwrap();
    for args in [&["check", text(&job)][..], &["render", text(&job), "-o", "-"]] {
        let output = crate::common::raw(&[args, &["--message-format", "short"]].concat(), b"");
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(err.matches("[P0202]").count(), 1, "{args:?}: {err}");
        let denied = crate::common::raw(&[args, &["--deny", "P0202"]].concat(), b"");
        assert_eq!(denied.status.code(), Some(1), "{args:?}");
    }
}
