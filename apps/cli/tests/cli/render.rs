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
    assert_eq!(missing.code, 1);
    assert!(
        missing.err.contains("error[G0214]") && missing.err.contains("frames are 0 to 1"),
        "{}",
        missing.err
    );
    let format = gpuzoo(&["render", "scene.toml", "-o", "picture.bmp"]);
    assert!(format.err.contains("`.bmp`") && format.err.contains(".png"), "{}", format.err);
}
