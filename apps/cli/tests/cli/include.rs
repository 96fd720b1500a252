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
        let done = gpuzoo(&[
            "assemble",
            text(&program),
            "--position",
            "clip",
            "--emit",
            "hex",
            folders[0],
            folders[1],
        ]);
        assert_eq!((done.code, done.out.lines().count()), (0, 1), "{}", done.err);
        let mut more =
            vec!["assemble", text(&program), "--position", "clip", "--emit", "hex", folders[0], folders[1]];
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
    assert!(done.code == 2 && done.err.contains("programs of dreambox have no macros"), "{}", done.err);
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

/// What is given on the command line reaches a scene's programs, too.
#[test]
fn scenes_take_folders_and_definitions() {
    let folder = scratch("include-given");
    let inner = folder.join("inner");
    std::fs::create_dir_all(&inner).expect("made");
    std::fs::write(inner.join("names.h"), "#define POSITION v0\n").expect("written");
    let scene = "gpu = \"nv2a\"\nsize = [8, 8]\n[program.p]\nsource = \"\"\"\n#include \"names.h\"\nvs.1.1\n\
                 mov oPos, POSITION\nmov oD0.xyz, v0\nmov oD0.w, v0.ALPHA\n\"\"\"\n[mesh.m]\nshape = \"cube\"\n[[draw]]\nprogram = \"p\"\n\
                 mesh = \"m\"\ninput = { v0 = { attribute = \"position\", format = \"FLOAT3\" } }\n\
                 state = { positions = \"clip\" }\n";
    std::fs::write(folder.join("s.toml"), scene).expect("written");
    let (scene, picture) = (folder.join("s.toml"), folder.join("s.png"));
    let alone = gpuzoo(&["render", text(&scene), "-o", text(&picture)]);
    assert!(alone.code == 1 && alone.err.contains("N0702"), "{}", alone.err);
    let given = ["-I", text(&inner), "--define", "ALPHA=w"];
    for verb in
        [&["render", text(&scene), "-o", text(&picture)][..], &["trace", text(&scene), "--pixel", "4,4"]]
    {
        let done = gpuzoo(&[verb, &given].concat());
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{verb:?}");
    }
    // What is for programs alone, or for other machines, is refused.
    let refused = |more: &[&str], why: &str| {
        let done = gpuzoo(&[&["trace", text(&scene), "--pixel", "4,4"], &given[..], more].concat());
        assert!(done.code == 2 && done.err.contains(why), "{}", done.err);
    };
    refused(&["--position", "clip"], "`--position` is for a program");
    let other = "gpu = \"dreambox\"\n[program.p]\nsource = \"ld r0 0 st pos r0\"\n";
    std::fs::write(folder.join("d.toml"), other).expect("written");
    let done = gpuzoo(&["render", text(&folder.join("d.toml")), "--define", "A", "-o", text(&picture)]);
    assert!(done.code == 2 && done.err.contains("is for sources with macros"), "{}", done.err);
}

#[test]
fn positions_are_left_where_it_is_said() {
    let folder = scratch("positions");
    let program = folder.join("p.xvs");
    std::fs::write(&program, "vs.1.1\nmov oPos, v0\n").expect("written");
    let slots = |more: &[&str]| {
        let done = gpuzoo(&[&["assemble", text(&program), "--emit", "hex"], more].concat());
        assert_eq!(done.code, 0, "{}", done.err);
        (done.out.lines().count(), done.err.contains("N0506"))
    };
    assert_eq!(slots(&[]), (3, true));
    assert_eq!(slots(&["--position", "screen", "--allow", "N0506"]), (3, false));
    assert_eq!(slots(&["--position", "clip"]), (1, false));
    let done = gpuzoo(&["check", text(&program), "--position", "pixels"]);
    assert!(done.code != 0 && done.err.contains("possible values: screen, clip"), "{}", done.err);
    let done = gpuzoo(&["disassemble", text(&program), "--position", "clip"]);
    assert_eq!(done.code, 2, "{}", done.err);
}
