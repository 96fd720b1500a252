//! Whole draws of stated scenes: `cargo bench -p gpuzoo-bench --bench render [-- WORD…]`; only lines that have all the words are
//! measured. Each scene is a grid that fills the picture, so that every pixel is written once; or 64 such grids one behind
//! the other, drawn front to back (`front`), so that all but the first are hidden, or back to front (`back`).
//!
//! Programs of the Dreambox: `flat` copies positions and colours, `textured` transforms and reads a texture, `light40`
//! lights every vertex. Times are the fastest of five draws (three of the largest), depth test ("less") and writes
//! included. Pixels are counted as often as a triangle covers them, hidden or not.

use gpuzoo::bench::standard_program;
use gpuzoo::ir::{Vec4, vec4};
use gpuzoo::isa::Program;
use gpuzoo::machine::Profile;
use gpuzoo::machine::limits::budget::Budget;
use gpuzoo::machine::options::settings::{Table, Value};
use gpuzoo::machine::unit::cache::Cache;
use gpuzoo::machine::unit::draw::Draw;
use gpuzoo::machine::unit::layout::{Attribute, Layout};
use gpuzoo::raster::{Level, Target, Texels, Texture, Topology};
use gpuzoo::{Registry, ShaderUnit};
use std::sync::Arc;
use std::time::Instant;

/// A program, its inputs as number, place in the vertex and format, and whether it reads a texture.
struct Case {
    name: &'static str,
    program: Program,
    inputs: &'static [(u16, u32, &'static str)],
    textured: bool,
}

/// Place, texture coordinates, colour.
const STRIDE: u32 = 24;

fn cases() -> [Case; 3] {
    let case = |name, program, inputs, textured| {
        let program = standard_program("dreambox", program).expect("a standard program").code().clone();
        Case { name, program, inputs, textured }
    };
    [
        case("flat", "default", &[(0, 0, "Float3"), (2, 20, "UNorm4")], false),
        case("textured", "transform", &[(0, 0, "Float3"), (1, 12, "Float2"), (2, 20, "UNorm4")], true),
        case(
            "light40",
            "light40",
            &[(0, 0, "Float3"), (1, 0, "Float3"), (2, 12, "Float2"), (3, 20, "UNorm4")],
            true,
        ),
    ]
}

/// The grids of a deep scene.
const LAYERS: usize = 64;

/// Grids of about so many triangles over the whole picture, one for each depth: the vertex buffer, and the indices.
fn grids(triangles: usize, depths: &[f32]) -> (Vec<u8>, Vec<u32>) {
    let columns = ((triangles as f64 / 2.0 * 4.0 / 3.0).sqrt().round() as u32).max(1);
    let rows = (triangles as u32 / 2).div_ceil(columns).max(1);
    let vertices = (columns + 1) * (rows + 1);
    let mut buffer = Vec::with_capacity((vertices * STRIDE) as usize * depths.len());
    let mut indices = Vec::with_capacity((columns * rows * 6) as usize * depths.len());
    for (layer, depth) in (0..).zip(depths) {
        for row in 0..=rows {
            for column in 0..=columns {
                let [s, t] = [column as f32 / columns as f32, row as f32 / rows as f32];
                for component in [s * 2.0 - 1.0, 1.0 - t * 2.0, *depth, s * 8.0, t * 8.0] {
                    buffer.extend(component.to_le_bytes());
                }
                buffer.extend([(s * 255.0) as u8, (t * 255.0) as u8, 128, 255]);
            }
        }
        for row in 0..rows {
            for column in 0..columns {
                let at = |x, y| layer * vertices + (row + y) * (columns + 1) + column + x;
                indices.extend([at(0, 0), at(1, 0), at(0, 1), at(0, 1), at(1, 0), at(1, 1)]);
            }
        }
    }
    (buffer, indices)
}

/// Identity matrices everywhere, a light, no highlights that overflow.
fn uniforms() -> Vec<Vec4> {
    let identity = |at: usize| vec4(std::array::from_fn(|component| if component == at { 1.0 } else { 0.0 }));
    let mut uniforms: Vec<Vec4> = (0..8).map(|at| identity(at % 4)).collect();
    uniforms.extend(
        [[0.6, 0.0, 0.8, 0.0], [0.7; 4], [0.2; 4], [0.0; 4], [0.0, 0.6, 0.8, 0.0], [8.0; 4]].map(vec4),
    );
    uniforms.resize(16, [0; 4]);
    uniforms
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let gpu = Registry::default().shader_unit(Some("dreambox"), "").expect("a machine");
    let texels = (0..256 * 256).map(|i: u32| i.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
    let texture: Texture = Level::new(256, 256, Texels::Rgba8(texels)).expect("a small texture").into();
    let textures = [Some(Arc::new(texture)), None];
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    println!(
        "{:10}{:>12}{:>12}{:>9}{:>12}{:>12}{:>12}",
        "program", "triangles", "size", "threads", "ms", "Mtriangle/s", "Mpixel/s"
    );
    let front: Vec<f32> = (1..=LAYERS).map(|layer| layer as f32 / (LAYERS + 1) as f32).collect();
    let back: Vec<f32> = front.iter().rev().copied().collect();
    let flat = || cases().into_iter().filter(|case| case.name == "flat");
    let mut scenes = Vec::new();
    for triangles in [100, 10_000, 1_000_000, 10_000_000] {
        scenes.extend(cases().map(|case| (case.name, case, triangles, &[0.5][..])));
    }
    for triangles in [100, 10_000] {
        scenes.extend(flat().map(|case| ("front", case, triangles, &front[..])));
        scenes.extend(flat().map(|case| ("back", case, triangles, &back[..])));
    }
    for (name, case, triangles, depths) in &scenes {
        let mut buffers = None;
        for (width, height) in [(640, 480), (1920, 1080), (3840, 2160)] {
            for threads in [1, all] {
                let count = triangles * depths.len();
                let size = format!("{width}x{height}");
                let line = format!("{name:10}{count:>12}{size:>12}{threads:>9}");
                if words.iter().all(|word| line.contains(word.as_str())) {
                    let (buffer, indices) = buffers.get_or_insert_with(|| grids(*triangles, depths));
                    measure(gpu, case, buffer, indices, (width, height), &textures, threads, &line);
                }
            }
        }
    }
}

#[expect(clippy::too_many_arguments, reason = "one call")]
fn measure(
    gpu: &dyn ShaderUnit,
    case: &Case,
    buffer: &[u8],
    indices: &[u32],
    (width, height): (u32, u32),
    textures: &[Option<Arc<Texture>>],
    threads: usize,
    name: &str,
) {
    let format = |name: &str| {
        let formats = gpu.about().vertex_formats;
        formats.iter().find(|format| format.name == name).expect("a format of the machine")
    };
    let attribute = |(input, offset, name): &(u16, u32, &str)| Attribute {
        input: *input,
        offset: *offset,
        format: format(name),
    };
    let layout = Layout { stride: STRIDE, attributes: case.inputs.iter().map(attribute).collect() };
    let less = Value::Text("less".to_owned());
    let state = Table::of(&[("depth_compare", less), ("depth_write", Value::Bool(true))]);
    let uniforms = uniforms();
    let draw = Draw {
        vertex: &case.program,
        fragment: None,
        profile: Profile::default(),
        vertices: buffer,
        layout: &layout,
        indices: Some(indices),
        topology: Topology::TriangleList,
        constants: &uniforms,
        fragment_constants: &[],
        carried: &[],
        textures: if case.textured { textures } else { &[] },
        state: &state,
        cache: &Cache::default(),
        budget: &Budget::unlimited(),
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let mut target = Target::new(width, height).expect("a target");
    let mut time = f64::INFINITY;
    let mut stats = Default::default();
    for _ in 0..if indices.len() > 10_000_000 { 3 } else { 5 } {
        target.clear([0, 0, 0, 255], 1.0);
        let mut problems = Vec::new();
        let start = Instant::now();
        let report = pool.install(|| gpu.draw(&mut target, &draw, &mut problems));
        time = time.min(start.elapsed().as_secs_f64());
        assert!(problems.is_empty(), "{problems:?}");
        stats = report.expect("there is no limit").stats;
    }
    let rate = |count: u64| count as f64 / time / 1e6;
    println!("{name}{:>12.2}{:>12.2}{:>12.1}", time * 1e3, rate(stats.primitives), rate(stats.fragments));
}
