//! What fragment programs cost: `cargo bench -p gpuzoo-bench --bench servaru`; `RAYON_NUM_THREADS=1` before it gives the
//! figures of one core. Each draw covers 640 × 480 pixels with two triangles, seen at a slant so that levels change; rasterizing,
//! interpolating and writing are in the figures, and `flat` does next to nothing else.

use divan::Bencher;
use divan::counter::ItemsCount;
use gpuzoo_diag::File;
use gpuzoo_ir::vec4;
use gpuzoo_isa::Program;
use gpuzoo_machine::limits::budget::Budget;
use gpuzoo_machine::options::settings::{Table, Value};
use gpuzoo_machine::unit::cache::Cache;
use gpuzoo_machine::unit::draw::Draw;
use gpuzoo_machine::unit::layout::{Attribute, Layout};
use gpuzoo_machine::{Gpu, ShaderUnit, TextOptions};
use gpuzoo_raster::{Level, Target, Texels, Texture, Topology};
use gpuzoo_servaru::{GPU, PROFILE};
use std::sync::Arc;

fn main() {
    divan::main();
}

const SIZE: [u32; 2] = [640, 480];

/// One texture, a light, a highlight: (n.l, n.h, , sharpness) through `LIT`.
const LIT: &str = "TEX R0, P0, T0\nDP3 R1.w, P1, P1\nRSQ R1.w, R1.w\nMUL R1.xyz, P1, R1.w\nDP3 R2.x, R1, U0\n\
                   DP3 R2.y, R1, U1\nMOV R2.w, U2.x\nLIT R2, R2\nMAD R3, R2.y, U3, U4\nMUL R0.xyz, R0, R3\n\
                   MAD P9.xyz, R2.z, U3, R0\nMOV P9.w, 1\n";

const CASES: [&str; 6] = ["flat", "textured", "nearest", "lit", "bumped", "toon"];

fn program(text: &str) -> Program {
    let assembled = GPU.assemble(&File::new("bench", text), &TextOptions::default());
    assert!(assembled.ok(), "{:?}", assembled.diagnostics);
    assembled.program
}

fn fragment(case: &str) -> Program {
    let example = |name: &str| {
        let path = format!("{}/../../examples/servaru/{name}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).expect("the examples are in the repository")
    };
    program(&match case {
        "flat" => "MOV P9, P1".to_string(),
        "textured" | "nearest" => "TEX P9, P0, T0".to_string(),
        "lit" => LIT.to_string(),
        "bumped" => example("bumped.svs"),
        _ => example("toon.svs"),
    })
}

#[divan::bench(args = CASES)]
fn fragments(bencher: Bencher, case: &str) {
    let vertex = program("MOV P9, P0\nMOV P10, P1\nMOV P11, P2\nMOV P12, P2\n");
    let fragment = fragment(case);
    let corner = |x: f32, y: f32| {
        let w = 1.5 + y;
        [[x * w, y * w, 0.5 * w, w], [x + 1.0, 2.0 - 2.0 * y, 0.0, 1.0], [x / 2.0, y / 2.0, 1.0, 0.0]]
    };
    let [a, b, c, d] = [corner(-1.0, 1.0), corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0)];
    let vertices: Vec<u8> =
        [a, b, c, a, c, d].into_iter().flatten().flatten().flat_map(f32::to_le_bytes).collect();
    let format = GPU.about().vertex_formats.iter().find(|format| format.name == "FLOAT4").expect("FLOAT4");
    let attributes = (0..3).map(|input| Attribute { input, offset: u32::from(input) * 16, format }).collect();
    let texels = (0..256 * 256).map(|i: u32| i.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
    let level = Level::new(256, 256, Texels::Rgba8(texels)).expect("a small texture");
    let texture = Some(Arc::new(Texture::from(level).with_mipmaps().expect("a small texture")));
    let filter = Value::Text(if case == "nearest" { "nearest" } else { "linear" }.to_owned());
    let state = Table::of(&[
        ("depth_test", Value::Bool(false)),
        ("sampler0", Value::Table(Table::of(&[("filter", filter)]))),
    ]);
    let constants = [[0.0, 0.0, 1.0, 0.0], [0.0, 0.6, 0.8, 0.0], [40.0, 0.5, 0.0, 0.0], [1.0; 4], [0.2; 4]];
    let draw = Draw {
        vertex: &vertex,
        fragment: Some(&fragment),
        profile: PROFILE,
        vertices: &vertices,
        layout: &Layout { stride: 48, attributes },
        indices: None,
        topology: Topology::TriangleList,
        constants: &[],
        fragment_constants: &constants.map(vec4),
        carried: &[],
        textures: &[texture.clone(), texture],
        state: &state,
        cache: &Cache::default(),
        budget: &Budget::unlimited(),
    };
    let mut target = Target::new(SIZE[0], SIZE[1]).expect("a small target");
    bencher.counter(ItemsCount::new(SIZE[0] * SIZE[1])).bench_local(|| {
        let mut problems = Vec::new();
        let report = GPU.draw(&mut target, &draw, &mut problems).expect("there is no limit");
        assert_eq!((report.stats.written, problems.len()), (u64::from(SIZE[0] * SIZE[1]), 0));
    });
}
