//! `render`: a scene whose every pixel is known.

use crate::common::{data, done, gpuzoo, raw, scratch, text, with_input};

const GREEN: [u8; 4] = [0, 255, 0, 255];
const YELLOW: [u8; 4] = [255, 255, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];

/// Two rows, of which the left half has the colour.
fn frame(left: [u8; 4]) -> Vec<u8> {
    [left, left, BLUE, BLUE, left, left, BLUE, BLUE].concat()
}

#[test]
fn raw_frames_have_the_pixels_of_the_scene() {
    let folder = scratch("render");
    for (args, expected) in [
        (&[][..], [frame(GREEN), frame(YELLOW)].concat()),
        (&["--frame", "0"], frame(GREEN)),
        (&["--frame", "1", "--profile", "document"], frame(YELLOW)),
    ] {
        let path = folder.join("out.raw");
        let done = gpuzoo(&[&["render", "scene.toml", "-o", text(&path)], args].concat());
        assert_eq!((done.code, done.out.as_str(), done.err.as_str()), (0, "", ""));
        assert_eq!(std::fs::read(&path).unwrap(), expected, "{args:?}");
    }
}

/// The chunks of a PNG file, by name.
fn chunks(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    assert_eq!(bytes[..8], *b"\x89PNG\r\n\x1a\n");
    let (mut at, mut chunks) = (8, Vec::new());
    while at < bytes.len() {
        let length = u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        let name = String::from_utf8_lossy(&bytes[at + 4..at + 8]).into_owned();
        chunks.push((name, bytes[at + 8..at + 8 + length].to_vec()));
        at += length + 12;
    }
    chunks
}

#[test]
fn the_extension_tells_the_format() {
    let folder = scratch("render-formats");
    let file = |name: &str, args: &[&str]| {
        let path = folder.join(name);
        let done = gpuzoo(&[&["render", "scene.toml", "-o", text(&path)], args].concat());
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{name}");
        std::fs::read(&path).unwrap()
    };
    let still = chunks(&file("still.png", &["--frame", "0"]));
    assert_eq!(still[0], ("IHDR".to_owned(), vec![0, 0, 0, 4, 0, 0, 0, 2, 8, 2, 0, 0, 0]));
    assert!(still.iter().all(|(name, _)| name != "acTL"));
    for name in ["moving.png", "moving.apng"] {
        let moving = chunks(&file(name, &[]));
        let control = moving.iter().find(|(name, _)| name == "acTL").map(|(_, data)| data.clone());
        // Two frames, over and over.
        assert_eq!(control, Some(vec![0, 0, 0, 2, 0, 0, 0, 0]), "{name}");
    }
    assert!(file("moving.gif", &[]).starts_with(b"GIF89a\x04\0\x02\0"));
    // Without a name it is a PNG.
    let piped = raw(&["render", "scene.toml", "--frame", "0"], b"");
    assert_eq!(chunks(&piped.stdout), still);
}

/// What is said comes before what the name says, and a pipe has no name.
#[test]
fn an_option_tells_the_format() {
    let folder = scratch("render-format");
    let expected = [frame(GREEN), frame(YELLOW)].concat();
    let piped = raw(&["render", "scene.toml", "--format", "raw", "-o", "-"], b"");
    assert_eq!((piped.status.code(), &piped.stdout, &piped.stderr[..]), (Some(0), &expected, &b""[..]));
    let path = folder.join("out.png");
    for (form, start) in [("raw", &expected[..]), ("gif", b"GIF89a"), ("png", b"\x89PNG")] {
        let done = gpuzoo(&["render", "scene.toml", "--format", form, "-o", text(&path)]);
        assert_eq!((done.code, done.err.as_str()), (0, ""));
        assert!(std::fs::read(&path).unwrap().starts_with(start), "{form}");
    }
    let job = with_input(&["render", "-", "--format", "raw", "-o", text(&path)], JOB);
    assert_eq!((job.code, std::fs::read(&path).unwrap().len()), (0, 4 * 2 * 4), "{}", job.err);
}

#[test]
fn compression_leaves_the_pixels() {
    let folder = scratch("render-compression");
    let write = |name: &str, how: &[&str]| {
        let path = folder.join(name);
        let scene = "../../../../examples/servaru/rivets.toml";
        let args = ["render", scene, "--frame", "0", "--size", "200x100", "-o", text(&path)];
        let done = gpuzoo(&[&args, how].concat());
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{name}");
        path
    };
    let usual = write("usual.png", &[]);
    let sizes = ["fast", "balanced", "best"].map(|how| {
        let path = write(how, &["--format", "png", "--compression", how]);
        let diff = gpuzoo(&["diff", text(&usual), text(&path)]);
        assert_eq!((diff.code, diff.out.as_str()), (0, "0 of 20000 differ\n"), "{}", diff.err);
        std::fs::read(path).unwrap().len()
    });
    assert!(sizes[0] > sizes[1] && sizes[1] >= sizes[2], "{sizes:?}");
    assert_eq!(std::fs::read(usual).unwrap().len(), sizes[1]);
    for args in [["-o", "out.gif"], ["--format", "raw"]] {
        let done = gpuzoo(&[&["render", "scene.toml", "--compression", "best"], &args[..]].concat());
        assert_eq!((done.code, done.out.as_str()), (2, ""));
        assert!(done.err.contains("error[G0108]: `--compression` is for PNG"), "{}", done.err);
    }
}

/// A warning that is denied is known only when frames are written already, and what was there stays all the same.
#[test]
fn frames_with_errors_leave_the_old_file() {
    let folder = scratch("render-denied");
    let (scene, output) = (folder.join("s.toml"), folder.join("out.raw"));
    let text_of = std::fs::read_to_string(data().join("scene.toml")).unwrap();
    let outside =
        text_of.replacen("[[-1, 1], [-1, -1], [0, 1], [0, -1]]", "[[5, 1], [5, -1], [6, 1], [6, -1]]", 1);
    std::fs::write(&scene, outside).unwrap();
    std::fs::write(&output, "old").unwrap();
    let done = gpuzoo(&["render", text(&scene), "-o", text(&output), "--deny", "warnings"]);
    assert_eq!((done.code, std::fs::read(&output).unwrap()), (1, b"old".to_vec()), "{}", done.err);
    assert!(done.err.contains("error[G0224]"), "{}", done.err);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
}

#[test]
fn a_scene_may_come_through_a_pipe() {
    let scene = std::fs::read(data().join("scene.toml")).unwrap();
    let folder = scratch("render-pipe");
    let path = folder.join("out.rgba");
    let done = done(&raw(&["render", "-", "--stdin-name", "here.toml", "-o", text(&path)], &scene));
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    assert_eq!(std::fs::read(&path).unwrap(), [frame(GREEN), frame(YELLOW)].concat());
}

#[test]
fn statistics_count_what_was_drawn() {
    let done = gpuzoo(&["render", "scene.toml", "--stats", "-o", "-"]);
    assert_eq!(done.code, 0);
    let lines: Vec<Vec<&str>> = done.err.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0][..4], ["frame", "draw", "vertices", "cost"]);
    // Four vertices, eight instructions with the `end` that is appended: 32 cycles, two triangles, four pixels.
    assert_eq!(lines[1], ["0", "0", "4", "32", "2", "0", "2", "4", "4"]);
    assert_eq!(lines[2][0], "1");
}

#[test]
fn views_and_sizes() {
    let folder = scratch("views");
    let path = folder.join("out.raw");
    let render = |args: &[&str]| {
        let common = ["render", "scene.toml", "--frame", "0", "-o", text(&path)];
        gpuzoo(&[&common, args].concat())
    };
    // One fragment on each pixel of the left half, by two triangles; all of them lie at the same depth.
    let (drawn, nothing) = ([20, 40, 140, 255], [0, 0, 0, 255]);
    assert_eq!(render(&["--view", "overdraw"]).err, "");
    assert_eq!(std::fs::read(&path).unwrap(), [drawn, drawn, nothing, nothing].concat().repeat(2));
    render(&["--view", "depth"]);
    assert_eq!(std::fs::read(&path).unwrap(), [[255; 4], [255; 4], nothing, nothing].concat().repeat(2));
    render(&["--view", "triangle"]);
    let triangles = std::fs::read(&path).unwrap();
    let colors: std::collections::BTreeSet<&[u8]> = triangles.chunks(4).collect();
    assert!(colors.contains(&nothing[..]) && (2..=3).contains(&colors.len()), "{triangles:?}");
    for view in ["batch", "lane"] {
        let done = render(&["--view", view]);
        assert_eq!((done.code, done.err.contains("error[R0320]")), (2, true), "{}", done.err);
    }
    assert_eq!(render(&["--size", "8x1"]).code, 0);
    assert_eq!(std::fs::read(&path).unwrap(), [[GREEN; 4], [BLUE; 4]].concat().concat());
    for (size, code) in [("8", "G0108"), ("0x4", "R0314"), ("99999x1", "R0314")] {
        let done = render(&["--size", size]);
        assert_eq!((done.code, done.err.contains(code)), (2, true), "{}", done.err);
    }
}

#[test]
fn mistakes_have_a_code_and_a_place() {
    let scene = std::fs::read_to_string(data().join("scene.toml")).unwrap();
    for (from, to, code, line) in [
        ("size = [4, 2]", "size = [0, 2]", "R0314", Some(3)),
        ("size = [4, 2]", "size = [100000, 100000]", "R0314", Some(3)),
        ("mesh = \"left\"", "mesh = \"lefd\"", "R0312", Some(16)),
        ("ldc r1 0", "ldc r1 99", "A0104", None),
        ("[mesh.left]", "[mesh.left", "R0301", None),
    ] {
        let changed = scene.replacen(from, to, 1);
        assert_ne!(scene, changed);
        let done =
            with_input(&["render", "-", "--stdin-name", "s.toml", "--message-format", "short"], &changed);
        assert_eq!((done.code, done.out.as_str()), (1, ""), "{to}: {}", done.err);
        assert!(done.err.contains(&format!("error[{code}]")), "{to}: {}", done.err);
        if let Some(line) = line {
            assert!(done.err.starts_with(&format!("s.toml:{line}:")), "{to}: {}", done.err);
        }
    }
    let missing = gpuzoo(&["render", "scene.toml", "--frame", "2"]);
    assert_eq!(missing.code, 2);
    assert!(
        missing.err.contains("error[G0214]") && missing.err.contains("frames are 0 to 1"),
        "{}",
        missing.err
    );
    let format = gpuzoo(&["render", "scene.toml", "-o", "picture.bmp"]);
    assert!(format.err.contains("`.bmp`") && format.err.contains(".png"), "{}", format.err);
}

#[test]
fn a_pixel_tells_who_made_it() {
    let trace = |args: &[&str]| gpuzoo(&[&["trace", "scene.toml"], args].concat());
    let text = trace(&["--pixel", "0,0", "--frame", "1", "--full"]).out;
    let expected = "\
pixel (0, 0): one fragment met it

fragment 0: draw 0, triangle 0, written
  depth 0
  color (1, 1, 0, 1)
  varying 0 (0, 0, 0, 0)
  varying 1 (1, 1, 0, 1)
  varying 2 (0, 0, 0, 0)

vertex 0 (* changed, _ not written)
   0  ld r0 0
          r0 = (*-1, *1, 0, *1)
   1  st pos r0
";
    assert!(text.starts_with(expected), "{text}");
    assert_eq!(text.matches("\nvertex ").count(), 3);
    // Without its steps, a pixel is a screen of text: what came out of each run, and that the colour is 0 in x, y and z.
    let short = trace(&["--pixel", "0,0", "--frame", "1"]).out;
    assert!(
        short.starts_with("pixel (0, 0): one fragment met it\n\nfragment 0: draw 0, triangle 0, written\n")
    );
    assert!(short.lines().count() <= 25 && short.contains("  vertex 2: "), "{short}");
    assert!(!short.contains("ld r0 0"), "{short}");
    // `pos` is what slot 0 loaded of the vertex.
    let why = |args: &[&str]| gpuzoo(&[&["why", "scene.toml"], args].concat());
    let of = why(&["--pixel", "0,0", "--frame", "1", "--register", "pos.x"]).out;
    let expected = "\
vertex 0: pos.x = -1 at the end
it comes from 2 instructions of 8, and 1 value from before the first:
input                          in0.x = -1
   0  ld r0 0  scene.toml:8    r0.x = -1
   1  st pos r0  scene.toml:8  pos.x = -1
";
    assert_eq!(of, expected);
    let of = why(&["--pixel", "0,0", "--register", "POS.x@0", "--format", "json"]).out;
    let of: serde_json::Value = serde_json::from_str(&of).unwrap();
    assert_eq!((&of["register"], &of["nodes"][0]["origin"]), (&"pos".into(), &"start".into()));
    assert_eq!(trace(&["--pixel", "3,1"]).out, "pixel (3, 1): no fragment met it\n");
    let lines = trace(&["--pixel", "0,0", "--format", "json", "--all"]).out;
    let records: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(records[0]["fate"], "written");
    assert_eq!(records[0]["vertices"], serde_json::json!([0, 1, 2]));
    assert!(records[1]["start"].is_object(), "{}", records[1]);
    assert_eq!((&records[2]["vertex"], &records[2]["slot"]), (&0.into(), &0.into()));
    for (args, code, message) in [
        (&["--pixel", "4,0"][..], 2, "error[R0322]"),
        (&["--pixel", "4"], 2, "error[G0108]"),
        (&["--pixel", "0,0", "--frame", "2"], 2, "error[G0214]"),
        (&["--all"], 2, "--pixel"),
        (&["--full"], 2, "--pixel"),
    ] {
        let done = trace(args);
        assert_eq!((done.code, done.err.contains(message)), (code, true), "{}", done.err);
    }
    for (args, message) in [
        (&["--pixel", "0,0", "--register", "r99"][..], "error[G0241]"),
        (&["--pixel", "0,0", "--register", "pos.q"], "`pos` has no component `q`"),
        (&["--pixel", "0,0", "--register", "pos@999"], "the run has no slot 999"),
        // Outputs come first where names are listed.
        (&["--pixel", "0,0", "--register", "nope"], "it has `pos`"),
        (&["--pixel", "3,1", "--register", "pos"], "choose another one"),
        (&["--pixel", "0,0", "--register", "pos.x@y"], "error[G0108]"),
        (&["--pixel", "3,1", "--format", "json"], "error[G0108]"),
    ] {
        let done = why(args);
        assert_eq!((done.code, done.err.contains(message)), (2, true), "{}", done.err);
    }
}

/// A job for the machine that has them: a triangle over (0,0), (1,0), (2,0) and (0,1) of 4 × 2 pixels.
const JOB: &str = r##"{
  "width": 4, "height": 2, "clear_color": "ff000000",
  "draws": [{
    "vs": "#vertexShader #input r0.xyzw #output r0.xyzw  trap",
    "fs": "#fragmentShader #input r0.xyzw #output r1.xyzw  finit r1 1.0 0.0 1.0 1.0",
    "vertex_count": 3,
    "vertex_data": ["00000000", "00000000", "3f800000", "3f800000",
                    "40000000", "00000000", "3f800000", "3f800000",
                    "00000000", "3f800000", "3f800000", "3f800000"]
  }]
}"##;

#[test]
fn a_job_is_raw_commands() {
    let folder = scratch("job");
    let (job, raw, waves) = (folder.join("job.json"), folder.join("out.raw"), folder.join("out.vcd"));
    std::fs::write(&job, JOB).unwrap();
    let render = |args: &[&str]| gpuzoo(&[&["render", text(&job), "-o", text(&raw)], args].concat());
    let done = render(&["--stats", "--waves", text(&waves)]);
    assert_eq!(done.code, 0, "{}", done.err);
    let (on, off) = ([255, 0, 255, 255], [0, 0, 0, 255]);
    assert_eq!(std::fs::read(&raw).unwrap(), [on, on, on, off, on, off, off, off].concat());
    // Four fragments: 1 + 4 to gather them, 2 more because the batch is not full (picogpu spec section 10).
    let gather = done.err.lines().find(|line| line.contains("gathering fragments")).unwrap();
    assert_eq!(gather.split_whitespace().nth(2), Some("7"), "{}", done.err);
    let waves = std::fs::read_to_string(&waves).unwrap();
    assert!(waves.contains("$timescale 1 ns $end") && waves.contains("$enddefinitions"), "{waves}");
    // The four lanes of the one batch, in the order of the scan, each a quarter of the way from 31 to 255.
    assert_eq!(render(&["--view", "lane"]).code, 0);
    let lanes: Vec<u8> = std::fs::read(&raw).unwrap().chunks(4).map(|pixel| pixel[0]).collect();
    assert_eq!(lanes, [87, 143, 199, 0, 255, 0, 0, 0]);
    let wrong = render(&["--gpu", "dreambox"]);
    assert_eq!((wrong.code, wrong.err.contains("error[G0112]")), (2, true), "{}", wrong.err);
    std::fs::write(&job, JOB.replace("\"width\": 4", "\"width\": 30000")).unwrap();
    assert_eq!(render(&[]).code, 1);
    std::fs::write(&job, JOB.replace("\"width\": 4", "\"width\": 16000")).unwrap();
    assert!(render(&[]).err.contains("error[P0303]"));
    assert_eq!(render(&["--no-limits"]).code, 0);
    let scene = gpuzoo(&["render", "scene.toml", "-o", text(&raw), "--no-limits"]);
    assert_eq!((scene.code, scene.err.contains("error[G0108]")), (2, true), "{}", scene.err);
}

/// Each vertex takes its colour from a constant, to which it then adds its normal.
#[test]
fn a_pixels_vertices_find_what_those_before_them_wrote() {
    let folder = scratch("pick-sum");
    let scene = folder.join("scene.toml");
    let content = r#"
gpu = "nv2a"
size = [4, 2]
program.sum.source = "xvsw.1.1\nmov oPos, v0\nmov oD0, c4\nadd c4, c4, v1\n"
mesh.one = { position = [[0, 0], [8, 0], [0, 8]], normal = [[0.25, 0, 0], [0.5, 0, 0], [1, 0, 0]] }
[[draw]]
program = "sum"
mesh = "one"
input = { v0 = "position", v1 = { attribute = "normal", format = "FLOAT3" } }
constants = { c4 = [0, 0.25, 0, 1] }
state = { viewport_constants = false }
"#;
    std::fs::write(&scene, content).unwrap();
    let done = gpuzoo(&["trace", text(&scene), "--pixel", "0,0", "--full"]);
    assert_eq!(done.code, 0, "{}", done.err);
    for (vertex, colour, left) in [
        (0, "(0, *0.25, 0, 1)", "(*0.25, 0.25, 0, *2)"),
        (1, "(*0.25, *0.25, 0, *2)", "(*0.75, 0.25, 0, *3)"),
        (2, "(*0.75, *0.25, 0, *3)", "(*1.75, 0.25, 0, *4)"),
    ] {
        let (_, trace) = done.out.split_once(&format!("\nvertex {vertex} ")).unwrap();
        let trace = trace.split("\n\n").next().unwrap();
        assert!(trace.contains(&format!("oD0 = {colour}\n")), "{trace}");
        assert!(trace.contains(&format!("c4 = {left}")), "{trace}");
    }
}

#[test]
fn arguments_that_would_change_nothing_are_refused() {
    for args in
        [&["v.csv"][..], &["-c", "c0=1,1,1,1"], &["--vertex", "1"], &["--gpu", "nv2a"], &["--stride", "4"]]
    {
        let done = gpuzoo(&[&["trace", "scene.toml", "--pixel", "0,0"], args].concat());
        assert_eq!((done.code, done.err.contains("cannot be used with")), (2, true), "{}", done.err);
    }
    for args in [["--frame", "0"], ["--size", "4x4"]] {
        let done = with_input(&[&["render", "-", "-o", "-"], &args[..]].concat(), JOB);
        assert_eq!((done.code, done.out.as_str()), (2, ""));
        let message = format!("error[G0108]: `{}` is for scenes, and this is a job", args[0]);
        assert!(done.err.contains(&message), "{}", done.err);
    }
}

/// The reference's assembler does not read two values behind one source.
#[test]
fn a_scene_says_whose_assembler_reads_its_programs() {
    let folder = scratch("dialect");
    let (scene, program) = (folder.join("scene.toml"), folder.join("p.pico"));
    let vertex = "#vertexShader #input r0.xyzw #output r0.xyzw fadd r0 r0 1.0 2.0";
    std::fs::write(&program, vertex).unwrap();
    let check = |args: &[&str]| gpuzoo(&[&["check", text(&program)], args].concat());
    assert_eq!(check(&["--dialect", "document"]).code, 0);
    let refused = check(&["--dialect", "unit"]);
    assert_eq!((refused.code, refused.err.contains("does not read")), (1, true), "{}", refused.err);
    let refused = |dialect: &str| {
        std::fs::write(&scene, format!("gpu = \"picogpu\"\n[program.p]\n{dialect}\nfile = \"p.pico\"\n"))
            .unwrap();
        gpuzoo(&["render", text(&scene), "-o", "-"]).err.contains("the reference assembler does not read")
    };
    assert_eq!(["", "dialect = \"document\"", "dialect = \"unit\""].map(refused), [false, false, true]);
    let wrong = gpuzoo(&["assemble", "--gpu", "picogpu", "--dialect", "vsh", text(&program)]);
    assert!(wrong.err.contains("error[G0111]"), "{}", wrong.err);
}

/// Scenes name constants as the program's text does.
#[test]
fn constants_have_the_names_of_the_text() {
    let folder = scratch("named");
    let scene = folder.join("s.toml");
    let drawn = |program: &str, constants: &str| {
        let content = format!(
            "gpu = \"nv2a\"\nsize = [8, 8]\nprogram.p.source = \"{program}\"\nmesh.m.shape = \"plane\"\n[[draw]]\n\
             program = \"p\"\nmesh = \"m\"\ninput = {{ v0 = \"position\" }}\nconstants = {{ {constants} }}\n\
             state = {{ viewport_constants = false }}\n"
        );
        std::fs::write(&scene, content).unwrap();
        gpuzoo(&[
            "render",
            text(&scene),
            "-o",
            text(&folder.join("s.png")),
            "--message-format",
            "short",
            "--allow",
            "G0224",
        ])
    };
    let named = "#tint vector 5\\nmov oPos, v0\\nmov oD0, #tint\\n";
    assert_eq!(drawn(named, "tint = 1").err, "");
    assert_eq!(drawn(named, "c5 = 1").err, "");
    assert_eq!(drawn("vs.1.1\\n#pragma screenspace\\nmov oPos, v0\\nmov oD0, c5\\n", "c5 = 1").err, "");
    let missing = drawn("vs.1.1\\n#pragma screenspace\\nmov oPos, v0\\nmov oD0, c5\\n", "c101 = 1");
    assert!(missing.err.contains("there is no constant `c101`"), "{}", missing.err);
    let missing = drawn(named, "");
    assert!(missing.err.contains("warning[R0323]: the program reads `tint`"), "{}", missing.err);
    for (constants, said) in [
        ("tint = { matrix = \"view\" }", "this takes 4 constants, and `tint` has 1"),
        ("tnit = 1", "there is no constant `tnit`"),
        ("tint = 1, c5 = 2", "`tint` is given twice"),
    ] {
        let done = drawn(named, constants);
        assert_eq!((done.code, done.err.contains(said)), (1, true), "{}", done.err);
    }
}
