//! Meshes and pictures from files.

use crate::common::{Files, scene};
use image::{ImageEncoder, codecs::png::PngEncoder};

/// The small scene with its texture from a file, seen through the nearest texel.
fn textured(lines: &str) -> String {
    scene().replace("pattern = \"checker\"\nsize = [4, 4]\ncells = 2", lines).replace(
        "mesh = \"quad\"\n",
        "mesh = \"quad\"\ntextures = [\"check\"]\nstate = { sampler0 = { filter = \"nearest\" } }\n",
    )
}

fn png(width: u32, height: u32, pixels: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    PngEncoder::new(&mut bytes).write_image(pixels, width, height, image::ExtendedColorType::Rgba8).unwrap();
    bytes
}

#[test]
fn pictures_become_textures() {
    let colors = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [9, 8, 7, 255]];
    let files = Files::default().with("a.png", png(2, 2, colors.as_flattened()));
    let image = files.load(&textured("file = \"a.png\"")).clean().frame(0).unwrap().image;
    let corners = [(0, 0), (3, 0), (0, 3), (3, 3)].map(|(x, y)| image.get(x, y).unwrap());
    assert_eq!(corners, colors);
    // One grey as JPEG, brought to the size that the machine wants.
    let files = Files::default().with("a.jpg", include_bytes!("../pictures/grey.jpg"));
    assert_eq!(files.load(&textured("file = \"a.jpg\"")).reported(), [("R0502", "[texture.check]")]);
    let image = files.load(&textured("file = \"a.jpg\"\nsize = [4, 8]")).clean().frame(0).unwrap().image;
    assert!(
        image.pixels().iter().all(|pixel| pixel[..3].iter().all(|component| component.abs_diff(100) <= 1)),
        "{image:?}"
    );
}

#[test]
fn raw_bytes_become_textures() {
    // Two texels of RGB565: red and blue.
    let files = Files::default().with("a.bin", [0x00, 0xf8, 0x1f, 0x00]);
    let raw = "raw = \"a.bin\"\nsize = [2, 1]\nformat = \"RGB565\"";
    let image = files.load(&textured(raw)).clean().frame(0).unwrap().image;
    assert_eq!([image.get(0, 0), image.get(3, 0)], [Some([255, 0, 0, 255]), Some([0, 0, 255, 255])]);
    assert_eq!(files.load(&textured(&raw.replace("[2, 1]", "[2, 2]"))).reported(), [("R0503", "\"a.bin\"")]);
    assert_eq!(files.load(&textured(&raw.replace("[2, 1]", "[3, 1]"))).reported(), [("R0502", "[3, 1]")]);
    assert_eq!(files.load(&textured(&raw.replace("RGB565", "YUV420"))).reported(), [("R0502", "\"a.bin\"")]);
    assert_eq!(
        files.load(&textured("raw = \"a.bin\"\nsize = [2, 1]")).reported(),
        [("R0104", "[texture.check]")]
    );
    assert_eq!(
        files.load(&textured("raw = \"a.bin\"\nformat = \"RGB565\"")).reported(),
        [("R0104", "[texture.check]")]
    );
}

#[test]
fn pictures_that_cannot_be_read() {
    let whole = png(4, 4, &[77; 64]);
    let reported = |bytes: &[u8]| {
        let loaded = Files::default().with("a.png", bytes).load(&textured("file = \"a.png\""));
        loaded.reported().iter().map(|(code, slice)| (*code, (*slice).to_owned())).collect::<Vec<_>>()
    };
    assert_eq!(reported(&whole), []);
    for bytes in [&b""[..], b"junk", &whole[..whole.len() / 2], &whole[..20]] {
        assert_eq!(reported(bytes), [("R0501", "\"a.png\"".to_owned())]);
    }
    // A header that promises 100,000 × 100,000 pixels.
    let mut huge = Vec::new();
    let header = png::Encoder::new(&mut huge, 100_000, 100_000).write_header();
    drop(header);
    assert_eq!(reported(&huge), [("R0501", "\"a.png\"".to_owned())]);
    let missing = Files::default().load(&textured("file = \"a.png\""));
    assert_eq!(missing.reported(), [("R0313", "\"a.png\"")]);
}

fn meshed(name: &str) -> String {
    scene()
        .replace("mesh = \"quad\"\n", "mesh = \"file\"\n")
        .replace("[texture", &format!("[mesh.file]\nfile = \"{name}\"\nfit = 2\n\n[texture"))
}

#[test]
fn obj_files_become_meshes() {
    let obj = "v 0 0 0\nv 100 0 0\nv 100 100 0\nv 0 100 0\nf 1 2 3 4\n";
    let scene = Files::default().with("dir/a.obj", obj).load(&meshed("dir/a.obj")).clean();
    let frame = scene.frame(0).unwrap();
    // Fitted to 2 × 2 it covers the picture.
    assert_eq!((frame.reports[0].vertices, frame.reports[0].stats.written), (6, 16));
    let loaded = Files::default().with("a.obj", "v 0 0 0\nf 1 2 3\n").load(&meshed("a.obj"));
    assert_eq!(loaded.reported(), [("R0403", "2")]);
    assert_eq!(loaded.sources.get(loaded.problems[0].labels[0].span.file).name(), "folder/a.obj");
    assert_eq!(
        Files::default().with("a.obj", "").load(&meshed("a.obj")).reported(),
        [("R0402", "\"a.obj\"")]
    );
    assert_eq!(
        Files::default().with("a.obj", [0, 1, 2]).load(&meshed("a.obj")).reported(),
        [("R0405", "\"a.obj\"")]
    );
    assert_eq!(Files::default().load(&meshed("a.obj")).reported(), [("R0313", "\"a.obj\"")]);
    // Only NaN: a warning, and an empty picture.
    let loaded = Files::default().with("a.obj", "v nan nan nan\nf 1 1 1\n").load(&meshed("a.obj"));
    assert_eq!(loaded.reported(), [("R0404", "[mesh.file]")]);
    assert_eq!(loaded.scene.unwrap().frame(0).unwrap().reports[0].stats.written, 0);
}

/// A triangle with its positions in another file.
pub const GLTF: &str = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
"bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,"uri":"tri.bin"}]}"#;

pub fn positions() -> Vec<u8> {
    [0.0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]
        .iter()
        .flat_map(|component| component.to_le_bytes())
        .collect()
}

#[test]
fn gltf_files_find_their_buffers_beside_them() {
    let files = Files::default().with("models/tri.gltf", GLTF).with("models/tri.bin", positions());
    let scene = files.load(&meshed("models/tri.gltf")).clean();
    assert_eq!(scene.frame(0).unwrap().reports[0].stats.drawn, 1);
    let alone = Files::default().with("tri.gltf", GLTF);
    let loaded = alone.load(&meshed("tri.gltf"));
    assert_eq!(loaded.reported(), [("R0406", "\"tri.gltf\"")]);
    assert!(loaded.problems[0].message.contains("tri.bin"), "{:?}", loaded.problems);
    let short = Files::default().with("tri.gltf", GLTF).with("tri.bin", &positions()[..35]);
    assert_eq!(short.load(&meshed("tri.gltf")).reported(), [("R0406", "\"tri.gltf\"")]);
    let cut = Files::default().with("a.glb", b"glTF\x02\0\0\0\xff\0\0\0");
    assert_eq!(cut.load(&meshed("a.glb")).reported(), [("R0406", "\"a.glb\"")]);
}

/// What mesh files say about materials is not used, and a note says so.
#[test]
fn materials_are_noted() {
    let scene = |name: &str| {
        scene().replace("[texture.check]", &format!("[mesh.other]\nfile = \"{name}\"\n[texture.check]"))
    };
    let obj = "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl wood\nf 1 2 3\n";
    let found = Files::default().with("a.obj", obj).load(&scene("a.obj"));
    assert_eq!(found.reported(), [("R0409", "mtllib")]);
    let gltf = r#"{"asset":{"version":"2.0"},"meshes":[{"primitives":[{"attributes":{"POSITION":0},"material":0}]}],
        "materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}],"textures":[{"source":0}],
        "images":[{"uri":"wood.png"}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
        "bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,"uri":"a.bin"}]}"#;
    let files = Files::default().with("a.gltf", gltf).with("a.bin", [0; 36]);
    let found = files.load(&scene("a.gltf"));
    assert_eq!(found.reported(), [("R0409", "\"a.gltf\"")]);
    assert!(found.problems[0].help[0].contains("wood.png"), "{:?}", found.problems[0].help);
}
