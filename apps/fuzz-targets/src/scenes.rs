//! Scenes, and what they read: meshes, pictures, expressions.

use crate::bytes::choice;
use crate::sound::sound;
use gpuzoo::Registry;
use gpuzoo::render::load;
use gpuzoo_diag::{Sources, has_errors};
use gpuzoo_machine::limits::budget::{Budget, Resource};
use gpuzoo_scene::Texts;
use std::io::{Error, ErrorKind};
use std::path::Path;

/// What an input may use: enough for what is small, and little enough for thousands of inputs a minute.
fn budget() -> Budget {
    let limits = [
        (Resource::Memory, 64 << 20),
        (Resource::Pixels, 4 << 20),
        (Resource::Vertices, 100_000),
        (Resource::Primitives, 100_000),
    ];
    limits.into_iter().fold(Budget::default(), |budget, (resource, limit)| budget.with(resource, limit))
}

/// Any text as a scene.
pub(crate) fn scene(bytes: &[u8]) {
    drawn(choice(bytes).0, "", b"");
}

/// An expression for a constant.
pub(crate) fn expression(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes).replace(['"', '\\', '\n'], " ");
    drawn(quad("", &format!("constants = {{ c0 = \"{text}\" }}")).as_bytes(), "", b"");
}

/// A mesh as OBJ.
pub(crate) fn obj(bytes: &[u8]) {
    mesh("mesh.obj", bytes);
}

/// A mesh as glTF, a text with its data in it.
pub(crate) fn gltf(bytes: &[u8]) {
    mesh("mesh.gltf", bytes);
}

/// A mesh as a binary glTF file.
pub(crate) fn glb(bytes: &[u8]) {
    mesh("mesh.glb", bytes);
}

fn mesh(name: &str, bytes: &[u8]) {
    let (bytes, choice) = choice(bytes);
    let fit = ["", "fit = 2"][choice % 2];
    let table = format!("[mesh.file]\nfile = \"{name}\"\n{fit}\n");
    drawn(quad(&table, "").replace("mesh = \"quad\"", "mesh = \"file\"").as_bytes(), name, bytes);
}

/// A picture of any format, as a texture.
pub(crate) fn picture(bytes: &[u8]) {
    if gpuzoo_scene::picture(bytes, &budget()).is_ok_and(|picture| picture.pixels().len() < 1 << 16) {
        drawn(
            quad("[texture.file]\nfile = \"texture\"\n", "textures = [\"file\"]").as_bytes(),
            "texture",
            bytes,
        );
    }
}

/// A scene that draws a rectangle over its picture, with more tables, and more in its draw.
fn quad(tables: &str, draw: &str) -> String {
    format!(
        r#"gpu = "dreambox"
size = [4, 4]

[program.copy]
source = "ld r0 0 st pos r0 ld r1 1 st tex r1 ld r2 2 st col r2 sub r2 r2 st ocol r2"

[mesh.quad]
position = [[-1, 1], [-1, -1], [1, 1], [1, -1]]
texcoord = [[0, 0], [0, 1], [1, 0], [1, 1]]
topology = "triangle_strip"

{tables}
[[draw]]
program = "copy"
mesh = "quad"
input = {{ in0 = "position", in1 = "texcoord", in2 = {{ attribute = "color", format = "UNorm4" }} }}
{draw}
"#
    )
}

/// Loads a scene, which may name one file of these bytes, and programs; draws its first and its last frame.
fn drawn(text: &[u8], name: &str, bytes: &[u8]) {
    let read = |path: &Path| match path.to_str() {
        Some("scene.toml") => Ok(text.to_vec()),
        Some(path) if path == name => Ok(bytes.to_vec()),
        Some(path) => program(path).ok_or_else(|| ErrorKind::NotFound.into()),
        None => Err(Error::from(ErrorKind::NotFound)),
    };
    let mut sources = Sources::default();
    let path = Path::new("scene.toml");
    let (scene, problems) = load(&Registry::default(), &mut sources, path, &read, Texts::default(), budget());
    sound(&sources, &problems);
    assert_eq!(scene.is_none(), has_errors(&problems));
    let Some(mut scene) = scene else { return };
    if scene.resize(20, 16).is_err() {
        // It has used all that it may.
        return;
    }
    for frame in [0, scene.frame_count() - 1] {
        match scene.frame(frame) {
            Ok(frame) => sound(&sources, &frame.problems),
            Err(problems) => sound(&sources, &problems),
        }
    }
}

/// The program of a machine's first project, for every file with one of its extensions.
fn program(path: &str) -> Option<Vec<u8>> {
    let extension = Path::new(path).extension()?.to_str()?;
    let of = |gpu: &&dyn gpuzoo::ShaderUnit| gpu.about().extensions.contains(&extension);
    let gpu = gpuzoo::shader_units().find(of)?;
    let sample = gpu.about().sample;
    let fragments = sample.get(1).filter(|_| path.contains("frag") || path.contains("lit"));
    Some(fragments.unwrap_or(&sample[0]).1.as_bytes().to_vec())
}
