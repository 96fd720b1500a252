//! Programs without a scene.

use super::common::{data, gpuzoo, scratch, text};
use std::path::{Path, PathBuf};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shipped").join(name)
}

/// Programs of every machine: both stages where there are two, names and none, three dialects.
const PROGRAMS: [(&str, &[&str]); 8] = [
    (
        "dreambox/transform.vu",
        &["in1 = { attribute = \"texcoord\"", "c0 = { matrix = \"model_view_projection\" }"],
    ),
    (
        "dreambox/teapot.vu",
        &["in1 = { attribute = \"normal\"", "c8 = { matrix = \"normal\" }", "c12 = { direction"],
    ),
    (
        "nv2a/light.vsh",
        &["v9 = { attribute = \"texcoord\"", "model_view = { matrix = { transpose", "ambient = [0.2"],
    ),
    (
        "nv2a/d3d.xvs",
        &["v2 = { attribute = \"normal\"", "c4 = { matrix = { transpose = \"model_view\" } }", "c8 = { dir"],
    ),
    ("nv2a/vp.vp", &["viewport_constants = false", "constants at computed numbers"]),
    (
        "picogpu/tiles.pico",
        &["program = \"other\"", "fs0 = { direction", "vs0 = { matrix = { transpose = { product"],
    ),
    (
        "servaru/toon.svs",
        &["fragment = \"main\"", "[draw.fragment_constants]", "P3 = { attribute = \"color\""],
    ),
    ("servaru/lit.svs", &["program = \"main\"", "U4 = { matrix = { transpose = \"model_view\" } }"]),
];

#[test]
fn a_program_without_a_scene_is_drawn_in_one() {
    let folder = scratch("starter");
    for (name, said) in PROGRAMS {
        let program = example(name);
        let picture = folder.join("a.png");
        let args = ["render", text(&program), "--size", "64x48", "-o", text(&picture)];
        let done = gpuzoo(&args);
        assert_eq!((done.code, done.err.contains("note[G0240]")), (0, true), "{}", done.err);
        assert!(!done.err.contains("warning["), "{name}: {}", done.err);
        for said in said {
            assert!(done.err.contains(said), "{name}: {said} is not in\n{}", done.err);
        }
        // The scene that is written gives the same picture, with nothing to say.
        let scene = folder.join(format!("{}.toml", name.replace('/', "_")));
        assert_eq!(
            gpuzoo(&["render", text(&program), "--size", "64x48", "--save-scene", text(&scene)]).code,
            0
        );
        let other = folder.join("b.png");
        let refused = gpuzoo(&["render", text(&scene), "-o", text(&other)]);
        assert!(refused.code == 1 && refused.err.contains("error[R0313]"), "{}", refused.err);
        let own = program.parent().unwrap();
        let again = gpuzoo(&["render", text(&scene), "-o", text(&other), "--allow-read", text(own)]);
        assert_eq!((again.code, again.err.as_str()), (0, ""), "{name}");
        let bytes = std::fs::read(&picture).unwrap();
        assert_eq!(bytes, std::fs::read(&other).unwrap(), "{name}");
        let golden = data().join("starter").join(format!("{}.png", name.replace('/', "_")));
        if std::env::var_os("GPUZOO_BLESS").is_some() {
            std::fs::write(&golden, &bytes).unwrap();
        }
        assert!(
            bytes == std::fs::read(&golden).unwrap(),
            "{name} is another picture than {}",
            golden.display()
        );
    }
}

#[test]
fn the_scene_is_written_to_a_new_file() {
    let folder = scratch("save-scene");
    let program = folder.join("p.vsh");
    std::fs::write(&program, "#proj matrix4 96\n%matmul4x4 oPos iPos #proj\nmov oD0, iNormal\n").unwrap();
    let scene = folder.join("p.toml");
    let save = || gpuzoo(&["render", text(&program), "--save-scene", text(&scene)]);
    assert_eq!(save().code, 0);
    let written = std::fs::read_to_string(&scene).unwrap();
    assert!(written.contains("file = \"p.vsh\"\n") && written.contains("positions = \"clip\""), "{written}");
    // A projection alone is the whole way.
    assert!(written.contains("proj = { matrix = { transpose = \"model_view_projection\" } }"), "{written}");
    let done = save();
    assert_eq!((done.code, done.err.contains("error[G0130]")), (2, true), "{}", done.err);
    assert_eq!(std::fs::read_to_string(&scene).unwrap(), written);
    let done = gpuzoo(&["render", text(&scene), "--save-scene", "x.toml"]);
    assert_eq!((done.code, done.err.contains("error[G0108]")), (2, true), "{}", done.err);
}

/// A source is compiled as it is asked for, and the scene that is written says so.
#[test]
fn a_source_is_compiled_as_it_is_asked_for() {
    let folder = scratch("source-starter");
    let source = folder.join("m.wgsl");
    let text_of = "struct U { view: mat4x4f, projection: mat4x4f }\n@group(0) @binding(0) var<uniform> u: U;\n\
        @vertex fn other(@location(0) p: vec4f) -> @builtin(position) vec4f { return p; }\n\
        @vertex fn main(@location(0) p: vec4f) -> @builtin(position) vec4f { return u.projection * u.view * p; }";
    std::fs::write(&source, text_of).unwrap();
    let (scene, picture) = (folder.join("m.toml"), folder.join("m.png"));
    let args =
        ["render", "--gpu", "nv2a", text(&source), "--entry", "main", "--host-constants", "--size", "64x48"];
    let done = gpuzoo(&[&args[..], &["--save-scene", text(&scene), "-o", text(&picture)]].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    let written = std::fs::read_to_string(&scene).unwrap();
    assert!(written.contains("file = \"m.wgsl\"\nentry = \"main\"\nhost_constants = true\n"), "{written}");
    assert!(written.contains("\"u.projection\" = { matrix = \"projection\" }"), "{written}");
    let again = folder.join("again.png");
    assert_eq!(gpuzoo(&["render", text(&scene), "-o", text(&again)]).code, 0);
    assert_eq!(std::fs::read(&picture).unwrap(), std::fs::read(&again).unwrap());
    for refused in
        [vec!["render", text(&scene), "--entry", "main"], vec!["render", "default.vu", "--host-constants"]]
    {
        let done = gpuzoo(&[refused, vec!["-o", text(&again)]].concat());
        assert!(done.code == 2 && done.err.contains("error[G0108]"), "{}", done.err);
    }
}

/// Two matrices in a row are the model's and the rest of the way.
#[test]
fn matrices_have_an_order() {
    let folder = scratch("two-matrices");
    let program = folder.join("p.xvs");
    std::fs::write(&program, "vs.1.1\nm4x4 r0, v0, c4\nm4x4 oPos, r0, c0\nmov oD0, c9\n").unwrap();
    let done = gpuzoo(&["render", text(&program), "-o", text(&folder.join("p.png"))]);
    assert!(done.err.contains("c4 = { matrix = { transpose = \"model\" } }"), "{}", done.err);
    assert!(done.err.contains("c0 = { matrix = { transpose = \"view_projection\" } }"), "{}", done.err);
    assert!(done.err.contains("c9 = [0.6, 0.6, 0.6, 1]"), "{}", done.err);
}

#[test]
fn what_is_no_text_has_no_scene() {
    let folder = scratch("words-starter");
    let words = folder.join("p.hex");
    std::fs::write(&words, "00000440 0000003f\n").unwrap();
    let done = gpuzoo(&["render", "--gpu", "dreambox", text(&words), "-o", text(&folder.join("p.png"))]);
    assert_eq!((done.code, done.err.contains("is not assembly text")), (2, true), "{}", done.err);
    let broken = folder.join("p.vu");
    std::fs::write(&broken, "ld r99 0\n").unwrap();
    let done = gpuzoo(&["render", text(&broken), "-o", text(&folder.join("p.png"))]);
    assert_eq!((done.code, done.err.matches("error[").count()), (1, 1), "{}", done.err);
    // Nothing is read, of nothing is a picture made: that is said, and is not an error.
    let constant = folder.join("c.vsh");
    std::fs::write(&constant, "mov oPos, c[0]\nmov oD0, c[1]\n").unwrap();
    let done = gpuzoo(&["render", text(&constant), "-o", text(&folder.join("p.png"))]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(
        done.err.contains("# the program reads no input") && done.err.contains("warning[G0224]"),
        "{}",
        done.err
    );
    // What draws nothing says why, as always.
    let empty = folder.join("e.vu");
    std::fs::write(&empty, "ld r0 0\nsub r0 r0\nst pos r0\nst col r0\nst tex r0\nst ocol r0\n").unwrap();
    let done = gpuzoo(&["render", text(&empty), "-o", text(&folder.join("p.png"))]);
    assert!(done.err.contains("warning[G0224]"), "{}", done.err);
}

/// Nothing that is given is dropped, and mistakes in it come before the note.
#[test]
fn options_reach_the_scene_or_are_refused() {
    let folder = scratch("starter-options");
    let program = example("nv2a/light.vsh");
    let (scene, picture) = (folder.join("s.toml"), folder.join("a.png"));
    let render = |more: &[&str]| gpuzoo(&[&["render", text(&program)], more].concat());
    let saved = render(&["--save-scene", text(&scene), "--profile", "cpu"]);
    // In another folder than the program.
    assert!(saved.code == 0 && saved.err.contains("`--allow-read "), "{}", saved.err);
    assert!(std::fs::read_to_string(&scene).unwrap().contains("\nprofile = \"cpu\"\n"));
    std::fs::remove_file(&scene).unwrap();
    let [save, output] = [["--save-scene", text(&scene)], ["-o", text(&picture)]];
    for (more, code, said) in [
        (&["--define", "A=v0"][..], "G0108", "put it into the program's text"),
        (&["--include", "x"], "G0108", "put it into the program's text"),
        (&["--stats"], "G0108", "give its file with `-o`"),
        (&["--profile", "nope"], "G0103", "nope"),
    ] {
        let done = render(&[&save[..], more].concat());
        assert_eq!(
            (done.code, done.err.contains(code), done.err.contains(said)),
            (2, true, true),
            "{}",
            done.err
        );
        assert!(!scene.exists());
    }
    for (more, code) in
        [(["--size", "0x0"], "R0314"), (["--frame", "3"], "G0214"), (["--profile", "x"], "G0103")]
    {
        let done = render(&[&output[..], &more].concat());
        assert_eq!((done.code, done.err.contains(code)), (2, true), "{}", done.err);
        assert!(!done.err.contains("G0240"), "{}", done.err);
    }
    assert_eq!(render(&["--from", "asm", "-o", text(&picture)]).code, 0);
}
