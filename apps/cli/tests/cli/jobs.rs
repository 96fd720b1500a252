//! Jobs: scenes that are written as such, and their pixels and vertices, traced.

use crate::common::{gpuzoo, scratch, text, with_input};
use serde_json::Value as Json;
use std::path::PathBuf;

const SCENES: [&str; 2] = ["picogpu/octahedron.toml", "picogpu/knot.toml"];

fn shipped(name: &str) -> String {
    text(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/shipped").join(name)).to_owned()
}

#[test]
fn a_scene_s_job_draws_the_same_picture_and_is_a_vector() {
    let folder = scratch("job-of-scene");
    let path = |name: &str| text(&folder.join(name)).to_owned();
    for scene in SCENES {
        let (job, png) = (path("job.json"), path("scene.png"));
        let done = gpuzoo(&["render", &shipped(scene), "--frame", "0", "--save-job", &job, "-o", &png]);
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{scene}");
        let raw = |input: &str, more: &[&str]| {
            let to = path("picture.raw");
            let done = gpuzoo(&[&["render", input, "-o", &to], more].concat());
            assert_eq!(done.code, 0, "{scene}: {}", done.err);
            std::fs::read(to).unwrap()
        };
        let (of_scene, of_job) = (raw(&shipped(scene), &["--frame", "0"]), raw(&job, &[]));
        assert!(of_scene == of_job, "{scene}");
        // Not all of it is background.
        assert!(of_job.chunks(4).any(|pixel| pixel != &of_job[..4]), "{scene}");
        let done = gpuzoo(&["conform", "--gpu", "picogpu", &job]);
        assert!(done.code == 0 && done.out.contains("1/1 passed"), "{scene}: {}{}", done.out, done.err);
        // With another picture beside it, it fails.
        let other = gpuzoo(&["render", &shipped(scene), "--frame", "0", "--view", "overdraw", "-o", &png]);
        assert_eq!(other.code, 0, "{}", other.err);
        assert_eq!(gpuzoo(&["conform", "--gpu", "picogpu", &job]).code, 1, "{scene}");
    }
    // Without a picture it is a job alone.
    let job = path("alone.json");
    let done = gpuzoo(&["render", &shipped(SCENES[0]), "--frame", "0", "--save-job", &job]);
    assert_eq!((done.code, done.out.as_str(), done.err.as_str()), (0, "", ""));
    let written: Json = serde_json::from_str(&std::fs::read_to_string(&job).unwrap()).unwrap();
    assert!(written.get("image").is_none() && written["draws"].is_array());
    assert_eq!(gpuzoo(&["check", &job]).code, 0);
}

/// The lines of a pixel's trace are those of the scene, but for what only a text has: places and names.
#[test]
fn a_job_s_pixel_is_traced_like_its_scene_s() {
    let folder = scratch("job-pixel");
    let job = text(&folder.join("job.json")).to_owned();
    let scene = shipped(SCENES[0]);
    assert_eq!(gpuzoo(&["render", &scene, "--frame", "0", "--save-job", &job]).code, 0);
    let lines = |input: &str| -> Vec<Json> {
        let done = gpuzoo(&["trace", input, "--pixel", "50,50", "--all", "--bits", "--format", "json"]);
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{input}");
        let mut lines: Vec<Json> = done.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        for line in &mut lines {
            line.as_object_mut().unwrap().remove("line");
        }
        lines
    };
    let (of_scene, of_job) = (lines(&scene), lines(&job));
    assert!(of_scene.len() > 20);
    assert_eq!(of_scene, of_job);
    let why = |input: &str| {
        let done = gpuzoo(&["why", input, "--pixel", "50,50", "--register", "r1.x", "--format", "json"]);
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{input}");
        done.out
    };
    assert_eq!(why(&scene), why(&job));
    // From standard input, too, and as a text.
    let bytes = std::fs::read_to_string(&job).unwrap();
    let done = with_input(&["trace", "-", "--pixel", "50,50"], &bytes);
    assert!(done.out.starts_with("pixel (50, 50): "), "{}{}", done.out, done.err);
    let done = gpuzoo(&["trace", &job, "--pixel", "100,0"]);
    assert!(done.code == 2 && done.err.contains("R0322"), "{}", done.err);
}

/// Two draws of three vertices: the fourth is the first of the second.
const TWO_DRAWS: &str = r##"{
    "width": 4, "height": 4,
    "draws": [
        {"vs": "#vertexShader #input r0.xyzw #output r1.xyzw  fadd r1 r0 0.5 0.25",
         "fs": "#fragmentShader #input r0.xyzw #output r1.xyzw  finit r1 1.0",
         "vertex_count": 3,
         "vertex_data": ["00000000", "00000000", "3f800000", "3f800000",
                         "40000000", "00000000", "3f800000", "3f800000",
                         "00000000", "40000000", "3f800000", "3f800000"]},
        {"vs": "#vertexShader #input r0.xy #output r1.xyzw #uniform r2.xyzw  mov r1 r2  fmul r1.xy r0 2.0",
         "fs": "#fragmentShader #input r0.xyzw #output r1.xyzw  finit r1 1.0",
         "vs_uniforms": [["00000000", "00000000", "40400000", "3f800000"]],
         "vertex_count": 3,
         "vertex_data": ["3fc00000", "3f800000", "00000000", "00000000", "40000000", "40400000"]}
    ]
}"##;

#[test]
fn a_vertex_of_a_job_is_traced() {
    let folder = scratch("job-vertex");
    let path = folder.join("job.json");
    std::fs::write(&path, TWO_DRAWS).unwrap();
    let outputs = |vertex: &str| {
        let done = gpuzoo(&["trace", text(&path), "--vertex", vertex, "--format", "json"]);
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{vertex}");
        let last: Json = serde_json::from_str(done.out.lines().last().unwrap()).unwrap();
        (last["vertex"].clone(), last["outputs"]["out0"].to_string())
    };
    // (2, 0, 1, 1) + (0.5, 0.25, 0.25, 0.25)
    assert_eq!(outputs("1"), (Json::from(1), "[2.5,0.25,1.25,1.25]".to_owned()));
    // (1.5, 1) times 2 in x and y of the uniform
    assert_eq!(outputs("3"), (Json::from(3), "[3,2,3,1]".to_owned()));
    let done = gpuzoo(&["why", text(&path), "--vertex", "3", "--register", "r1.x"]);
    assert!(done.out.starts_with("vertex 3: r1.x = 3 at the end\n"), "{}{}", done.out, done.err);
    let done = gpuzoo(&["trace", text(&path), "--vertex", "6"]);
    assert!(done.err.contains("G0212") && done.err.contains("vertices are 0 to 5"), "{}", done.err);
    let done = gpuzoo(&["trace", text(&path), "-c", "c0=1"]);
    assert!(done.code == 2 && done.err.contains("this is a job"), "{}", done.err);
}

/// A word is a word: of 7 digits it would be another number, and nothing would say so.
#[test]
fn words_of_jobs_have_eight_digits() {
    let job = std::fs::read_to_string(crate::common::data().join("scene_public_1.json")).unwrap();
    let short = job.replacen("\"3f800000\"", "\"3f80000\"", 1);
    assert_ne!(short, job);
    let path = scratch("job-words").join("job.json");
    std::fs::write(&path, short).unwrap();
    let done = gpuzoo(&["check", text(&path)]);
    assert!(done.code == 1 && done.err.contains("`3f80000` is not a word"), "{}", done.err);
    assert!(done.err.contains("eight hexadecimal digits"), "{}", done.err);
    for verb in ["run", "vectors"] {
        let done = gpuzoo(&[verb, text(&path)]);
        assert!(done.code == 2 && done.err.contains("is a job, and this is for programs"), "{}", done.err);
    }
}

#[test]
fn what_no_job_can_say_is_an_error() {
    let folder = scratch("job-errors");
    let job = text(&folder.join("job.json")).to_owned();
    let done = gpuzoo(&["render", &shipped(SCENES[0]), "--save-job", &job]);
    assert!(done.code == 2 && done.err.contains("is for one frame"), "{}", done.err);
    // Waves are those of a job, and a scene can be one.
    let done = gpuzoo(&["render", &shipped(SCENES[0]), "--waves", &job]);
    assert!(done.code == 2 && done.err.contains("`--save-job FILE.json"), "{}", done.err);
    let done = gpuzoo(&["render", &shipped("dreambox/teapot.toml"), "--save-job", &job]);
    assert!(done.code == 2 && done.err.contains("G0112"), "{}", done.err);
    assert!(done.err.contains("machines with jobs: `picogpu`"), "{}", done.err);
    // Two draws, of which one has the depth test.
    for name in ["lit.pico", "screen.pico", "tiles.pico"] {
        std::fs::copy(shipped(&format!("picogpu/{name}")), folder.join(name)).unwrap();
    }
    let scene = std::fs::read_to_string(shipped(SCENES[0])).unwrap();
    let draw = scene.find("[[draw]]").expect("a draw");
    let other = scene[draw..].replace("depth_test = true", "depth_test = false");
    assert_ne!(other, scene[draw..]);
    let path = folder.join("two.toml");
    std::fs::write(&path, format!("{scene}\n{other}")).unwrap();
    let done = gpuzoo(&["render", text(&path), "--frame", "0", "--save-job", &job]);
    assert!(done.code == 1 && done.err.contains("R0706") && done.err.contains("`depth`"), "{}", done.err);
    assert!(!std::path::Path::new(&job).exists());
}
