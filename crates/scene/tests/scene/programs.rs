//! Programs of scenes: assembled for what their draws say of positions, with the caller's macros and folders.

use gpuzoo_diag::{Diagnostic, Sources};
use gpuzoo_machine::limits::budget::Budget;
use gpuzoo_scene::{Frame, Loader, Scene, Texts};
use std::io;
use std::path::{Path, PathBuf};

/// A program of Direct3D's dialect, in which c0 is the machine's c96.
const PROGRAM: &str = "vs.1.1\\nm4x4 oPos, v0, c0\\nmov oD0, v3\\n";

/// A ball in perspective, drawn by a draw for each of these states.
fn scene(program: &str, states: &[&str]) -> String {
    let mut text = format!(
        "gpu = \"nv2a\"\nsize = [64, 48]\n[program.p]\nsource = \"{program}\"\n\
         [mesh.m]\nshape = \"sphere\"\ncolumns = 12\nrows = 8\ncolor = \"normal\"\n"
    );
    for state in states {
        text += "[[draw]]\nprogram = \"p\"\nmesh = \"m\"\n\
                 input = { v0 = { attribute = \"position\", format = \"FLOAT3\" }, \
                 v3 = { attribute = \"color\", format = \"FLOAT4\" } }\n\
                 constants = { c0 = { matrix = { transpose = \"model_view_projection\" } } }\n";
        text += &format!("state = {{ {state} }}\n");
    }
    text
}

/// A scene with one file, `inc/names.h`, in another folder.
fn load(text: &str, texts: Texts) -> (Option<Scene>, Vec<Diagnostic>) {
    let read = |path: &Path| match path.to_string_lossy().replace('\\', "/").as_str() {
        "s" => Ok(text.as_bytes().to_vec()),
        "inc/names.h" => Ok(b"#define COLOR v3\n".to_vec()),
        _ => Err(io::ErrorKind::NotFound.into()),
    };
    let mut sources = Sources::default();
    Loader {
        read: &read,
        gpus: &[&gpuzoo_nv2a::GPU],
        sources: &mut sources,
        texts,
        budget: Budget::default(),
        kept: None,
    }
    .load(Path::new("s"))
}

/// What a scene draws, and the codes of what it says.
#[track_caller]
fn drawn(text: &str) -> (Frame, Vec<&'static str>) {
    let (scene, problems) = load(text, Texts::default());
    let scene = scene.unwrap_or_else(|| panic!("{text}\n{problems:#?}"));
    let frame = scene.frame(0).unwrap();
    let codes = problems.iter().chain(&frame.problems).map(|problem| problem.code.id).collect();
    (frame, codes)
}

/// Pixels that are not the same.
fn different(one: &Frame, other: &Frame) -> usize {
    let pixels = one.image.bytes().chunks(4).zip(other.image.bytes().chunks(4));
    pixels.filter(|(one, other)| one.iter().zip(*other).any(|(one, other)| one.abs_diff(*other) > 2)).count()
}

#[test]
fn positions_are_where_the_draw_says() {
    let (clip, codes) = drawn(&scene(PROGRAM, &["positions = \"clip\""]));
    assert!(codes.is_empty(), "{codes:?}");
    assert_eq!(clip.image.get(32, 24).map(|pixel| pixel[3]), Some(255));
    assert!(clip.reports[0].stats.written > 300, "{:?}", clip.reports[0].stats);
    // The same picture, up to what differs in how edges are rounded.
    for state in ["", "positions = \"screen\""] {
        let (screen, codes) = drawn(&scene(PROGRAM, &[state]));
        assert_eq!(codes, ["N0506"], "{state}");
        assert!(different(&clip, &screen) < 8, "{}", different(&clip, &screen));
    }
    // Of both kinds in one scene each gets its own, and the program's note is there once.
    let (both, codes) =
        drawn(&scene(PROGRAM, &["positions = \"clip\"", "", "positions = \"clip\"", "depth_write = false"]));
    assert_eq!(codes, ["N0506"]);
    assert!(different(&clip, &both) < 8);
    let fragments =
        |frame: &Frame| frame.reports.iter().map(|report| report.stats.fragments).collect::<Vec<_>>();
    assert_eq!(fragments(&both), fragments(&clip).repeat(4));
}

#[test]
fn what_is_wrong_with_a_text_is_said_once_for_all_its_draws() {
    let wrong = PROGRAM.replace("v3", "v33");
    let (scene, problems) = load(&scene(&wrong, &["positions = \"clip\"", ""]), Texts::default());
    assert!(scene.is_none());
    assert_eq!(problems.iter().map(|problem| problem.code.id).collect::<Vec<_>>(), ["A0103"]);
}

#[test]
fn texts_get_the_callers_macros_and_folders() {
    let program = PROGRAM.replace("vs.1.1\\n", "#include 'names.h'\\nvs.1.1\\n").replace('\'', "\\\"");
    let program = program.replace("v3", "COLOR.ORDER");
    let text = scene(&program, &["positions = \"clip\""]);
    let codes = |texts| load(&text, texts).1.iter().map(|problem| problem.code.id).collect::<Vec<_>>();
    assert_eq!(codes(Texts::default()), ["N0702"]);
    let folders = [PathBuf::from("none"), PathBuf::from("inc")];
    assert_eq!(codes(Texts { folders: &folders, ..Texts::default() }), ["A0107"]);
    let texts = Texts { folders: &folders, defines: &["ORDER=zyxw"], ..Texts::default() };
    assert_eq!(codes(texts), [""; 0]);
}
