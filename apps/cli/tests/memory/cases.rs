//! What is run, and the files that it needs.

use std::fmt::Write;
use std::fs::{copy, create_dir_all, write};
use std::path::{Path, PathBuf};

/// A run of `gpuzoo`, with an output to a file.
pub struct Case {
    pub name: &'static str,
    /// Where it runs.
    pub folder: PathBuf,
    pub arguments: Vec<String>,
    /// The name of the output.
    pub output: &'static str,
}

/// All cases; the files of each are in a folder of its own.
pub fn all() -> Vec<Case> {
    let case = |name, arguments: &str, output, files: fn(&Path)| {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("memory").join(name);
        create_dir_all(&folder).expect("a folder can be made");
        files(&folder);
        Case { name, folder, arguments: arguments.split(' ').map(str::to_owned).collect(), output }
    };
    vec![
        case("meshes_textures_targets", "render scene.toml", "out.png", scene),
        case("frames_of_a_png", "render moving.toml", "out.png", moving),
        case("frames_of_a_gif", "render moving.toml", "out.gif", moving),
        case("colours_of_a_gif", "render rivets.toml --size 288x256 --frame 3", "out.gif", servaru),
        case("frames_as_they_are", "render moving.toml", "out.raw", moving),
        case("view_of_a_scene", "render moving.toml --frame 0 --view overdraw", "out.png", moving),
        case("mip_levels_and_fragments", "render rivets.toml --size 288x256 --frame 3", "out.png", servaru),
        case("picture_with_a_profile", "render profile.toml", "out.png", profile),
        case("bones", "render skin.toml --size 288x256 --frame 0", "out.png", nv2a),
        case("job", "render job.json --gpu picogpu --no-limits", "out.png", picogpu),
        case("view_of_a_job", "render job.json --gpu picogpu --no-limits --view lane", "out.png", picogpu),
        case("raw_vertices", "run program.vu rows.raw --vertices-from raw --format csv", "out.csv", vertices),
    ]
}

/// Copies examples of a machine.
fn shipped(folder: &Path, machine: &str) {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shipped").join(machine);
    for entry in examples.read_dir().expect("there are examples").flatten() {
        copy(entry.path(), folder.join(entry.file_name())).expect("the scratch folder can be written");
    }
}

fn put(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) {
    write(folder.join(name), bytes).expect("the scratch folder can be written");
}

const PROGRAM: &str = "ld r0 0 st pos r0 st tex r0 st col r0 st ocol r0";

/// Vertices in a grid of a side.
const SIDE: usize = 160;

/// The vertices of the grid, from -1 to 1.
fn grid() -> impl Iterator<Item = [f32; 3]> + Clone {
    let at = |place: usize| place as f32 * 2.0 / (SIDE - 1) as f32 - 1.0;
    (0..SIDE * SIDE).map(move |n| [at(n % SIDE), at(n / SIDE), 0.5])
}

/// The triangles of the grid, from 0.
fn triangles() -> impl Iterator<Item = [usize; 3]> {
    let corners = |n: usize| n % SIDE + 1 < SIDE && n / SIDE + 1 < SIDE;
    (0..SIDE * SIDE).filter(move |n| corners(*n)).map(|n| [n, n + SIDE, n + 1])
}

/// A scene with meshes of all kinds, textures of all kinds, and a target.
fn scene(folder: &Path) {
    // Outside of the picture, and as many vertices as fit in a text that is not large itself.
    let obj = "v 1 1 0\nv 2 1 0\nv 1 2 0\nf -1 -2 -3\n".repeat(7_000);
    put(folder, "mesh.obj", obj);
    let positions: Vec<u8> = grid().flatten().flat_map(f32::to_le_bytes).collect();
    let indices: Vec<u8> = triangles().flatten().flat_map(|index| (index as u32).to_le_bytes()).collect();
    let (vertices, bytes, count) = (SIDE * SIDE, positions.len(), indices.len() / 4);
    let gltf = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
        "buffers":[{{"byteLength":{},"uri":"mesh.data"}}],
        "bufferViews":[{{"buffer":0,"byteLength":{bytes}}},{{"buffer":0,"byteOffset":{bytes},"byteLength":{}}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":{vertices},"type":"VEC3","min":[-1,-1,0.5],"max":[1,1,0.5]}},
        {{"bufferView":1,"componentType":5125,"count":{count},"type":"SCALAR"}}]}}"#,
        bytes + indices.len(),
        indices.len(),
    );
    put(folder, "mesh.gltf", gltf);
    put(folder, "mesh.data", [positions, indices].concat());
    shipped(folder, "servaru");
    let mut text = format!(
        "gpu = \"dreambox\"\nsize = [272, 256]\n[program.p]\nsource = \"{PROGRAM}\"\n\
         [target.t]\nsize = [512, 256]\n[texture.n]\npattern = \"noise\"\nsize = [256, 512]\n\
         [texture.p]\nfile = \"rivets.png\"\nsize = [256, 128]\n"
    );
    for (name, mesh, texture, target) in [
        ("obj", "file = \"mesh.obj\"", "n", "target = \"t\"\n"),
        ("gltf", "file = \"mesh.gltf\"", "t", ""),
        ("knot", "shape = \"torus_knot\"\ncolumns = 720", "p", ""),
        ("pot", "shape = \"teapot\"\ndivisions = 24", "n", ""),
        ("field", "shape = \"heightfield\"\ncolumns = 160\nrows = 160", "t", ""),
    ] {
        write!(
            text,
            "[mesh.{name}]\n{mesh}\n[[draw]]\nprogram = \"p\"\nmesh = \"{name}\"\ntextures = [\"{texture}\"]\n{target}\
             input = {{ in0 = {{ attribute = \"position\", format = \"Float3\" }} }}\n"
        )
        .expect("a string takes all");
    }
    put(folder, "scene.toml", text);
}

/// Two frames of a cube.
fn moving(folder: &Path) {
    let text = format!(
        "gpu = \"dreambox\"\nsize = [272, 256]\nanimation = {{ frames = 2, fps = 10 }}\n\
         [program.p]\nsource = \"{PROGRAM}\"\n[mesh.m]\nshape = \"cube\"\n[[draw]]\nprogram = \"p\"\nmesh = \"m\"\n\
         input = {{ in0 = {{ attribute = \"position\", format = \"Float3\" }} }}\n"
    );
    put(folder, "moving.toml", text);
}

/// A picture of one pixel whose colour profile is 16 MiB of zeros in 16 KiB.
fn profile(folder: &Path) {
    let mut picture = Vec::new();
    let mut info = png::Info::with_size(1, 1);
    info.icc_profile = Some(vec![0; 1 << 24].into());
    let encoder = png::Encoder::with_info(&mut picture, info).expect("a picture has a size");
    let mut writer = encoder.write_header().expect("the header can be written");
    writer.write_image_data(&[9]).expect("the pixel can be written");
    drop(writer);
    put(folder, "profile.png", picture);
    let text = format!(
        "gpu = \"dreambox\"\nsize = [272, 256]\n[program.p]\nsource = \"{PROGRAM}\"\n[mesh.m]\nshape = \"cube\"\n\
         [texture.t]\nfile = \"profile.png\"\n[[draw]]\nprogram = \"p\"\nmesh = \"m\"\ntextures = [\"t\"]\n\
         input = {{ in0 = {{ attribute = \"position\", format = \"Float3\" }} }}\n"
    );
    put(folder, "profile.toml", text);
}

fn servaru(folder: &Path) {
    shipped(folder, "servaru");
}

fn nv2a(folder: &Path) {
    shipped(folder, "nv2a");
}

/// A job whose picture is larger than the machine's memory.
fn picogpu(folder: &Path) {
    let job = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/scene_public_1.json");
    let job = std::fs::read_to_string(job).expect("there is a job");
    let job = job.replace("\"width\": 100", "\"width\": 300").replace("\"height\": 100", "\"height\": 300");
    put(folder, "job.json", job);
}

/// Vertices for a program.
fn vertices(folder: &Path) {
    put(folder, "program.vu", format!("ldc r1 0 add r1 r1 {PROGRAM}"));
    let raw = grid().flat_map(|[x, y, z]| [x, y, z, 1.0]).flat_map(f32::to_le_bytes);
    put(folder, "rows.raw", raw.collect::<Vec<u8>>());
}
