//! Files and definitions that a program of NV2A takes.

use crate::common::{gpuzoo, scratch, text};

const PROGRAM: &str = "#include \"names.h\"\nvs.1.1\nmov oPos, IN\n#if LIGHTS\nmov oD0, c[LIGHTS]\n#endif\n";

#[test]
fn programs_find_includes_beside_them_and_in_folders() {
    let folder = scratch("include");
    let inner = folder.join("inner");
    std::fs::create_dir_all(&inner).expect("made");
    let program = folder.join("p.vsh");
    std::fs::write(&program, PROGRAM).expect("written");
    let alone = gpuzoo(&["assemble", text(&program), "--emit", "hex"]);
    assert!(alone.code == 1 && alone.err.contains("N0702"), "{}", alone.err);
    assert_eq!(alone.err.matches("error").count(), 2, "{}", alone.err);
    std::fs::write(inner.join("names.h"), "#define IN v0 ; caf\u{e9}\n").expect("written");
    for folders in [["-I", text(&inner)], ["--include", text(&inner)]] {
        let done = gpuzoo(&["assemble", text(&program), "--emit", "hex", folders[0], folders[1]]);
        assert_eq!((done.code, done.out.lines().count()), (0, 1), "{}", done.err);
        let mut more = vec!["assemble", text(&program), "--emit", "hex", folders[0], folders[1]];
        more.extend(["--define", "LIGHTS=3"]);
        let done = gpuzoo(&more);
        assert_eq!((done.code, done.out.lines().count()), (0, 2), "{}", done.err);
    }
    // The program's own folder comes first.
    std::fs::write(folder.join("names.h"), "#define IN v99\n").expect("written");
    for verb in ["check", "run", "trace"] {
        let done = gpuzoo(&[verb, text(&program), "-I", text(&inner)]);
        assert!(done.code == 1 && done.err.contains("A0103"), "{verb}: {}", done.err);
    }
}

#[test]
fn definitions_are_for_machines_whose_texts_have_macros() {
    let done = gpuzoo(&["check", "default.vu", "--define", "A"]);
    assert!(done.code == 2 && done.err.contains("it is for nv2a"), "{}", done.err);
}

#[test]
fn scenes_look_beside_the_programs_file() {
    let folder = scratch("include-scene");
    std::fs::create_dir_all(folder.join("shaders")).expect("made");
    let scene = "gpu = \"nv2a\"\n[program.p]\nfile = \"shaders/p.vsh\"\n[program.q]\nsource = '''\n\
                 #include \"shaders/names.h\"\nvs.1.1\nmov oPos, WRONG\n'''\n";
    std::fs::write(folder.join("s.toml"), scene).expect("written");
    std::fs::write(
        folder.join("shaders/p.vsh"),
        b"; \xb0\xa1\n#include \"names.h\"\nvs.1.1\nmov oPos, WRONG\n",
    )
    .expect("written");
    std::fs::write(folder.join("shaders/names.h"), "#define WRONG v99\n").expect("written");
    let scene = folder.join("s.toml");
    let done = gpuzoo(&["render", text(&scene), "--message-format", "short", "-o", "-"]);
    let lines: Vec<&str> =
        done.err.lines().filter_map(|line| line.split_once(": error")).map(|(place, _)| place).collect();
    let ends = |at: usize, end: &str| assert!(lines[at].ends_with(end), "{}", done.err);
    assert_eq!(lines.len(), 2, "{}", done.err);
    ends(0, "p.vsh:4:11");
    ends(1, "s.toml:8:11");
}
