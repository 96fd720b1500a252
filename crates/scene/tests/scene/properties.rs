//! Any bytes give an answer, and no panic.

use crate::common::{Files, scene};
use crate::files::{GLTF, positions};
use gpuzoo_diag::{Sources, has_errors, render};
use gpuzoo_machine::budget::Budget;
use gpuzoo_scene::{Loader, Texts};
use proptest::prelude::*;
use std::path::Path;

/// Reads a scene file of any bytes and, if it can be read, draws it.
fn survive(bytes: &[u8], files: &Files) {
    let mut sources = Sources::default();
    let read = |path: &Path| -> std::io::Result<Vec<u8>> {
        match path.to_str() {
            Some("scene.toml") => Ok(bytes.to_vec()),
            Some(name) => files.0.get(name).cloned().ok_or_else(|| std::io::ErrorKind::NotFound.into()),
            None => Err(std::io::ErrorKind::NotFound.into()),
        }
    };
    let mut loader = Loader {
        read: &read,
        gpus: &[&gpuzoo_dreambox::GPU],
        sources: &mut sources,
        texts: Texts::default(),
        budget: Budget::default(),
    };
    let (scene, problems) = loader.load(Path::new("scene.toml"));
    assert_eq!(scene.is_none(), has_errors(&problems));
    // Places lie in their files, so that everything can be shown.
    render::human(&sources, &problems, &render::Style::plain());
    if let Some(scene) = scene {
        assert!(scene.frame(0).is_ok());
    }
}

/// A text with some bytes replaced, and perhaps the end cut off.
fn damaged(text: Vec<u8>) -> impl Strategy<Value = Vec<u8>> {
    let length = text.len();
    let changes = prop::collection::vec((0..length, any::<u8>()), 1..6);
    (changes, prop::option::of(0..length)).prop_map(move |(changes, end)| {
        let mut bytes = text.clone();
        for (at, byte) in changes {
            bytes[at] = byte;
        }
        bytes.truncate(end.unwrap_or(length));
        bytes
    })
}

fn picture() -> Vec<u8> {
    gpuzoo_scene::output::png(&gpuzoo_raster::Image::new(5, 3, [1, 2, 3, 4]).unwrap(), true).unwrap()
}

fn meshed(name: &str) -> String {
    scene()
        .replace("mesh = \"quad\"\n", "mesh = \"file\"\n")
        .replace("[texture", &format!("[mesh.file]\nfile = \"{name}\"\n\n[texture"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn scene_files_of_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        survive(&bytes, &Files::default());
    }

    #[test]
    fn scene_files_of_any_text(text in "[a-z=\\[\\]{}\"'#.,0-9 \n-]{0,200}") {
        survive(format!("gpu = \"dreambox\"\nsize = [2, 2]\n{text}").as_bytes(), &Files::default());
    }

    #[test]
    fn damaged_scenes(bytes in damaged(scene().into_bytes())) {
        survive(&bytes, &Files::default());
    }

    #[test]
    fn expressions_of_any_text(text in "[-+*/().,0-9a-z ]{0,40}") {
        let line = format!("[[draw]]\nconstants = {{ c0 = \"{text}\" }}\n");
        survive(scene().replace("[[draw]]\n", &line).as_bytes(), &Files::default());
    }

    #[test]
    fn obj_files_of_any_text(text in "([vfl][tn]? [-0-9/. ]{0,12}\n){0,12}") {
        survive(meshed("a.obj").as_bytes(), &Files::default().with("a.obj", text));
    }

    #[test]
    fn mesh_files_of_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200), binary in any::<bool>()) {
        let bytes = if binary { [b"glTF\x02\0\0\0", &bytes[..]].concat() } else { bytes };
        let files = Files::default().with("a.obj", &bytes).with("a.glb", &bytes).with("a.gltf", &bytes);
        for name in ["a.obj", "a.glb", "a.gltf"] {
            survive(meshed(name).as_bytes(), &files);
        }
    }

    #[test]
    fn damaged_gltf_files(json in damaged(GLTF.as_bytes().to_vec()), data in prop::collection::vec(any::<u8>(), 36)) {
        survive(meshed("a.gltf").as_bytes(), &Files::default().with("a.gltf", json).with("tri.bin", data));
    }

    #[test]
    fn positions_of_any_bits(bits in prop::collection::vec(any::<u32>(), 9)) {
        let data: Vec<u8> = bits.iter().flat_map(|bits| bits.to_le_bytes()).collect();
        prop_assert_eq!(data.len(), positions().len());
        let files = Files::default().with("a.gltf", GLTF).with("tri.bin", data);
        for fit in ["", "fit = 2\n"] {
            survive(meshed("a.gltf").replace("\n\n[texture", &format!("\n{fit}\n[texture")).as_bytes(), &files);
        }
    }

    #[test]
    fn damaged_pictures(bytes in damaged(picture())) {
        let text = scene().replace("pattern = \"checker\"\nsize = [4, 4]\ncells = 2", "file = \"a\"\nsize = [4, 4]");
        survive(text.as_bytes(), &Files::default().with("a", bytes));
    }

    #[test]
    fn pictures_of_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200), kind in 0..3usize) {
        let head: &[u8] = [&b""[..], b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0"][kind];
        let text = scene().replace("pattern = \"checker\"\nsize = [4, 4]\ncells = 2", "file = \"a\"\nsize = [4, 4]");
        survive(text.as_bytes(), &Files::default().with("a", [head, &bytes].concat()));
    }
}
