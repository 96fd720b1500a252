//! Any input gives exit code 0 or 1, never a crash.

use crate::common::{data, done, gpuzoo, raw, scratch, text, with_input};
use proptest::collection::vec;
use proptest::prelude::*;

/// Every verb that reads something, with the input on standard input.
const READERS: &[&[&str]] = &[
    &["asm", "--gpu", "dreambox", "-", "--emit", "json"],
    &["dis", "--gpu", "dreambox", "-"],
    &["dis", "--gpu", "dreambox", "-", "--from", "bin"],
    &["check", "--gpu", "dreambox", "-"],
    &["trace", "--gpu", "dreambox", "-"],
    &["run", "default.vu", "-"],
    &["run", "default.vu", "-", "--vertices-from", "csv"],
    &["run", "default.vu", "-", "--vertices-from", "json"],
    &["run", "default.vu", "-", "--vertices-from", "raw", "--format", "json"],
    &["run", "default.vu", "--constant-file", "-"],
    &["conform", "--gpu", "dreambox", "-"],
    &["render", "-"],
];

fn survives(input: &[u8]) {
    for args in READERS {
        let done = done(&raw(args, input));
        assert!(matches!(done.code, 0 | 1), "{args:?} {input:?}: {} {}", done.code, done.err);
        // A failure says why.
        assert!(done.code == 0 || done.err.contains("error[") || args[0] == "conform", "{args:?} {input:?}");
    }
}

/// Text that looks somewhat like what is expected.
fn pieces() -> impl Strategy<Value = Vec<u8>> {
    let words = [
        "ld",
        "st",
        "mulm",
        "shf",
        "end",
        " ",
        "\n",
        "r0",
        "r15",
        "r16",
        "pos",
        "xyzw",
        "0b1111",
        "7",
        ".word",
        "//",
        "/*",
        "*/",
        ",",
        "in0.x",
        "v1.w",
        "name,x,y,z,w",
        "\"",
        "{",
        "}",
        "[",
        "]",
        ":",
        "\"in0\"",
        "\"words\"",
        "-1e38",
        "nan",
        "0x3f800000",
        "0000003f",
        "\"text\"",
        "\"word\"",
        "\"program\"",
        "\u{e9}",
        "\0",
        "\r",
        "#",
        ";",
    ];
    vec(proptest::sample::select(words.to_vec()), 0..60).prop_map(|words| words.concat().into_bytes())
}

/// A vector file with some bytes replaced.
fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let files: Vec<Vec<u8>> =
        ["run.jsonl", "encode.jsonl", "assemble.jsonl", "fetch.jsonl", "default.vu", "scene.toml"]
            .iter()
            .map(|name| std::fs::read(data().join(name)).expect("the data are there"))
            .collect();
    let changes = vec((any::<prop::sample::Index>(), any::<u8>()), 1..8);
    (proptest::sample::select(files), changes, any::<bool>()).prop_map(|(mut file, changes, cut)| {
        for (index, byte) in &changes {
            let at = index.index(file.len());
            file[at] = *byte;
        }
        if cut {
            let end = changes[0].0.index(file.len());
            file.truncate(end);
        }
        file
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes(bytes in vec(any::<u8>(), 0..400)) {
        survives(&bytes);
    }

    #[test]
    fn random_pieces(bytes in pieces()) {
        survives(&bytes);
    }

    #[test]
    fn damaged_files(bytes in damaged()) {
        survives(&bytes);
    }

    #[test]
    fn random_arguments(layout in "[0-9:,a-zA-Z]{0,30}", constant in ".{0,20}", word in "(0x)?[0-9a-z]{0,12}") {
        for args in [
            &["run", "default.vu", "-", &format!("--layout={layout}")][..],
            &["run", "default.vu", &format!("--const={constant}")],
            &["explain", "--gpu", "dreambox", "--", &word],
            &["explain", "--", &constant],
        ] {
            // An argument cannot hold a zero byte.
            if args.iter().any(|arg| arg.contains('\0')) {
                continue;
            }
            let done = done(&raw(args, &[0; 100]));
            prop_assert!(matches!(done.code, 0..=2), "{args:?}: {}", done.err);
        }
    }
}

#[test]
fn odd_inputs() {
    for input in [
        &b""[..],
        b"\0",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"[",
        b"{\"in0\":[]}",
        b"[[[[[[",
        b"in0.x",
        b"in0.x\n\n\n",
        b"vertex\n1\n2\n",
        b"{}\n{}\n",
    ] {
        survives(input);
    }
    survives("[".repeat(200_000).as_bytes());
    survives("{\"a\":".repeat(200_000).as_bytes());
    survives("in0.x,".repeat(50_000).as_bytes());
    survives("/*".repeat(100_000).as_bytes());
    survives(&vec![b'a'; 3 << 20]);
}

/// Every file that is named and not there brings up the nearest name in its folder.
#[test]
fn missing_files_bring_up_near_names() {
    let folder = scratch("near-names");
    let scene = "gpu = \"nv2a\"\n[program.p]\nfile = \"prog.vhs\"\n[mesh.m]\nfile = \"cubes.obj\"\n\
                 [texture.t]\nfile = \"tekx.jpg\"\n[program.i]\nsource = '''\nvs.1.1\n#include \"nams.h\"\n'''\n";
    for (name, text) in [("s.toml", scene), ("v.csv", "v0\n1\n"), ("c.json", "[]")] {
        std::fs::write(folder.join(name), text).expect("written");
    }
    for name in ["prog.vsh", "cube.obj", "tex.jpg", "names.h"] {
        std::fs::write(folder.join(name), "").expect("written");
    }
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let err = gpuzoo(&["render", &path("s.toml"), "-o", "-"]).err;
    for near in ["prog.vsh", "cube.obj", "tex.jpg", "names.h"] {
        assert!(err.contains(&format!("did you mean `{near}`?")), "{near}: {err}");
    }
    for (args, near) in [
        (&["check", &path("prog.vhs"), "--gpu", "nv2a"][..], "prog.vsh"),
        (&["run", &path("prog.vsh"), &path("vv.csv")], "v.csv"),
        (&["run", &path("prog.vsh"), "--constant-file", &path("C.jsn")], "c.json"),
    ] {
        let done = gpuzoo(args);
        assert!(
            done.code == 2 && done.err.contains(&format!("did you mean `{near}`?")),
            "{near}: {}",
            done.err
        );
    }
}

/// Control characters, line breaks and marks that turn the direction of writing, in names of files and in what they hold, are not
/// printed, in messages or in listings.
#[test]
#[cfg(unix)]
fn names_of_files_do_nothing_to_a_terminal() {
    let folder = scratch("names-of-files");
    let bad = "a\u{1b}[2J\u{9b}1m\nb\u{202e}\u{7}";
    let is_bad = |letter: char| letter.is_control() && letter != '\n' || letter == '\u{202e}';
    let file = |extension: &str, content: &str| {
        let path = folder.join(format!("{bad}.{extension}"));
        std::fs::write(&path, content).unwrap();
        path
    };
    let program = file("vu", &format!("ld r0 0 {bad}\nst pos r0 // {bad}\n"));
    let good = file("good.vu", "ld r0 0 st pos r0 st tex r0 st col r0 st ocol r0");
    let vectors = file("jsonl", "{\"text\":\"end\",\"word\":\"0000003e\",\"name\":\"\u{202e}\"}\n");
    file("toml", "gpu = \"dreambox\"\n[program.\"x\u{202e}\"]\nfile = \"none\u{202e}.vu\"\n");
    let missing = folder.join(format!("{bad}.none.vu"));
    let new = folder.join(format!("{bad}-new"));
    for format in ["human", "short", "json"] {
        for args in [
            vec!["check", text(&folder)],
            vec!["check", text(&folder), "--format", "json"],
            vec!["check", text(&program)],
            vec!["assemble", text(&program)],
            vec!["assemble", text(&missing)],
            vec!["assemble", text(&program), "-o", text(&program)],
            vec!["render", text(&program), "-o", text(&missing)],
            vec!["conform", "--gpu", "dreambox", text(&vectors)],
            vec!["conform", "--gpu", "dreambox", text(&vectors), "--format", "json"],
            vec!["new", text(&new), "--gpu", "dreambox"],
            vec!["bench", text(&good), "--lanes", "16", "--rounds", "1"],
        ] {
            let done = gpuzoo(&[&args[..], &["--message-format", format]].concat());
            let all = format!("{}{}", done.out, done.err);
            assert!(!all.contains(is_bad), "{format} {args:?}: {all:?}");
            assert!(!all.contains("1m\nb"), "{format} {args:?}: {all:?}");
        }
    }
    let listed = gpuzoo(&["check", text(&folder)]).out;
    assert!(listed.contains("a\\u{1b}[2J\\u{9b}1m\\nb\\u{202e}\\u{7}.vu\n"), "{listed}");
}

/// Names of 400 KB, and a thousand problems on one line of as much, are messages of a few lines each.
#[test]
fn long_names_and_long_lines_make_short_messages() {
    let name = "n".repeat(400_000);
    let line = "add r0,v0,v1 ".repeat(40_000);
    for format in ["human", "short", "json"] {
        for (source, most) in [(&name, 4_000), (&line, 1_000_000)] {
            let done =
                with_input(&["assemble", "--gpu", "dreambox", "--message-format", format, "-"], source);
            assert_eq!(done.code, 1, "{format}");
            assert!(done.err.len() < most && done.err.len() > 100, "{format}: {}", done.err.len());
        }
    }
}

/// Verbs run on threads, whose stacks are smaller than the first one's.
#[test]
fn what_is_nested_deeply_overflows_no_stack() {
    let folder = scratch("nested");
    let deep = |open: &str, close: &str| open.repeat(100_000) + &close.repeat(100_000);
    for (name, content) in [
        ("a.toml", format!("gpu = \"dreambox\"\na = {}", deep("[", "]"))),
        ("b.toml", format!("gpu = \"dreambox\"\na = {}", deep("{a=", "}"))),
        ("c.json", format!("{{\"width\": 1, \"height\": 1, \"draws\": {}}}", deep("[", "]"))),
        ("d.s", format!(".byte {}1{}\n", "(".repeat(100_000), ")".repeat(100_000))),
        ("e.vsh", "#if 1\n".repeat(100_000) + "vs.1.1\n"),
        ("f.vu", "/*".repeat(100_000)),
    ] {
        let path = folder.join(name);
        std::fs::write(&path, content).unwrap();
        let done = gpuzoo(&["check", text(&path)]);
        assert!(done.code == 1 && done.err.contains("error["), "{name}: {} {}", done.code, done.err);
    }
}
