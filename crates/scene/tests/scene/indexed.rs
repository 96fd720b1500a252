//! Meshes whose vertices are used several times: the same pictures, reports, warnings and traces as of a mesh in which
//! every use is a vertex of its own, on all machines, with as few runs as there are different vertices.

use gpuzoo_diag::{Diagnostic, Sources};
use gpuzoo_machine::ShaderUnit;
use gpuzoo_machine::limits::budget::Budget;
use gpuzoo_machine::unit::cache::Cache;
use gpuzoo_machine::unit::draw::{Draw, DrawReport};
use gpuzoo_raster::{Image, Target};
use gpuzoo_scene::{Frame, Loader, Picked, Scene, Texts};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

static GPUS: [&dyn ShaderUnit; 4] =
    [&gpuzoo_dreambox::GPU, &gpuzoo_nv2a::GPU, &gpuzoo_picogpu::GPU, &gpuzoo_servaru::GPU];

const FRAMES: u32 = 3;

/// A machine with programs that use position and colour of a vertex, and something that follows the time.
struct Case {
    gpu: &'static str,
    /// Inputs for position, for colour, and one that the program does not read; and their format.
    inputs: [&'static str; 3],
    format: &'static str,
    vertex: &'static str,
    fragment: Option<&'static str>,
    /// Settings of the draw.
    draw: &'static str,
    state: &'static str,
    /// True if each use of a vertex is a run.
    in_order: bool,
    lists_only: bool,
}

const NV2A: Case = Case {
    gpu: "nv2a",
    inputs: ["v0", "v3", "v7"],
    format: "FLOAT4",
    vertex: "add oPos, v0, c1\\nmov oD0, v3\\n",
    fragment: None,
    draw: "constants = { c1 = [\"t/3\", 0, 0, 0], c2 = 250, c120 = [1, 0.5, 0, 1] }",
    state: "positions = \"clip\"",
    in_order: false,
    lists_only: false,
};

const CASES: [Case; 6] = [
    Case {
        gpu: "dreambox",
        inputs: ["in0", "in1", "in2"],
        format: "Float4",
        vertex: "ld r0 0 ldc r3 0 add r0 r3 st pos r0 ld r1 1 st col r1 sub r1 r1 st tex r1 st ocol r1",
        draw: "constants = { c0 = [\"t/3\", 0, 0, 0] }",
        state: "depth_compare = \"less\"\ndepth_write = true",
        ..NV2A
    },
    NV2A,
    // Each vertex finds what the one before left in c9.
    Case {
        vertex: "add oPos, v0, c1\\nadd r0, c9, v3\\nmov oD0, r0\\nmul c9, r0, c120.y\\n",
        in_order: true,
        ..NV2A
    },
    // Some read beyond the constants, which is warned of with the number of the vertex.
    Case {
        vertex: "add oPos, v0, c1\\nmul r0, v3, c2\\narl a0, r0.x\\nmov oD0, c[a0+20]\\n",
        state: "positions = \"clip\"\ncarry_over = true",
        ..NV2A
    },
    Case {
        gpu: "servaru",
        inputs: ["P0", "P1", "P2"],
        format: "FLOAT4",
        vertex: ".vertex\\nADD P9, P0, U0\\nMOV P10, P1\\nMOV P11, P1\\n",
        fragment: Some(".fragment\\nSUB R0, P0, U1.x\\nKIL R0.y\\nTEX R1, P1, T0\\nADD P9, R0, R1\\n"),
        draw: "textures = [\"noise\"]\nconstants = { U0 = [\"t/3\", 0, 0, 0] }\n\
               fragment_constants = { U1 = [\"t/4\", 0, 0, 0] }",
        state: "cull = \"none\"",
        ..NV2A
    },
    Case {
        gpu: "picogpu",
        inputs: ["in0", "in1", "in2"],
        format: "float4",
        vertex: "#vertexShader #input r0.xyzw #input r1.xyzw #output r2.xyzw #output r1.xyzw #uniform r3.xyzw \
                 fmul r2.xy r0 8.0 fadd r2.xy r2 r3 mov r2.zw r0",
        fragment: Some(
            "#fragmentShader #input r0.xyzw #input r1.xyzw #output r2.xyzw #uniform r3.xyzw fadd r2 r1 r3",
        ),
        draw: "constants = { vs0 = [\"8 + 2*t\", 6, 0, 0] }\nfragment_constants = { fs0 = [\"t/4\", 0, 0, 0] }",
        state: "no_limits = true\ndepth_test = true",
        lists_only: true,
        ..NV2A
    },
];

/// Position and colour.
type Vertex = [[f32; 4]; 2];

#[derive(Clone, Debug)]
struct Mesh {
    vertices: Vec<Vertex>,
    indices: Vec<usize>,
    topology: usize,
}

const TOPOLOGIES: [&str; 4] = ["triangles", "triangle_strip", "lines", "line_strip"];

fn list<'v>(name: &str, values: impl Iterator<Item = &'v [f32; 4]>) -> String {
    let mut text = format!("{name} = [");
    values.for_each(|[x, y, z, w]| write!(text, "[{x:?}, {y:?}, {z:?}, {w:?}], ").unwrap());
    text.replace("NaN", "nan") + "]\n"
}

impl Case {
    /// The scene of a mesh; if `own` is true, every use is a vertex that differs from all others.
    fn text(&self, mesh: &Mesh, own: bool) -> String {
        let topology = TOPOLOGIES[if self.lists_only { 0 } else { mesh.topology }];
        let mut text = format!(
            "gpu = \"{}\"\nsize = [16, 12]\nanimation = {{ frames = {FRAMES} }}\n[program.vertex]\nsource = \"{}\"\n",
            self.gpu, self.vertex
        );
        if let Some(fragment) = self.fragment {
            write!(text, "[program.fragment]\nsource = \"{fragment}\"\n").unwrap();
        }
        text += "[texture.noise]\npattern = \"noise\"\nsize = [8, 8]\ncells = 3\n";
        write!(text, "[mesh.mesh]\ntopology = \"{topology}\"\n").unwrap();
        let used = mesh.indices.iter().map(|index| &mesh.vertices[*index]);
        let vertices: Vec<&Vertex> = if own { used.collect() } else { mesh.vertices.iter().collect() };
        text += &list("position", vertices.iter().map(|vertex| &vertex[0]));
        text += &list("color", vertices.iter().map(|vertex| &vertex[1]));
        let numbers: Vec<[f32; 4]> = (0..vertices.len()).map(|number| [number as f32; 4]).collect();
        text += &list("joints", numbers.iter());
        if !own {
            writeln!(text, "indices = {:?}", mesh.indices).unwrap();
        }
        write!(text, "[[draw]]\nprogram = \"vertex\"\nmesh = \"mesh\"\n{}\n", self.draw).unwrap();
        if self.fragment.is_some() {
            text += "fragment = \"fragment\"\n";
        }
        text += "[draw.input]\n";
        let unread = if own { "attribute = \"joints\"" } else { "value = [0, 0, 0, 0]" };
        let sources = ["attribute = \"position\"", "attribute = \"color\"", unread];
        for (input, source) in self.inputs.into_iter().zip(sources) {
            writeln!(text, "{input} = {{ {source}, format = \"{}\" }}", self.format).unwrap();
        }
        text + "[draw.state]\n" + self.state + "\n"
    }
}

fn load(text: &str) -> Scene {
    let read = |_: &Path| Ok(text.as_bytes().to_vec());
    let mut sources = Sources::default();
    let (scene, problems) = Loader {
        read: &read,
        gpus: &GPUS,
        sources: &mut sources,
        texts: Texts::default(),
        budget: Budget::default(),
        kept: None,
    }
    .load(Path::new("s"));
    scene.unwrap_or_else(|| panic!("{text}\n{problems:#?}"))
}

/// All of a message but the places.
fn said(problems: &[Diagnostic]) -> Vec<(&'static str, String, Vec<String>)> {
    let labels = |problem: &Diagnostic| problem.labels.iter().map(|label| label.text.clone()).collect();
    problems.iter().map(|problem| (problem.code.id, problem.message.clone(), labels(problem))).collect()
}

/// What can be compared of a frame: the picture, the reports but for the runs, and what was said; or that it failed.
fn seen(frame: Result<Frame, Vec<Diagnostic>>) -> impl PartialEq + std::fmt::Debug {
    let frame = frame.map_err(|problems| said(&problems));
    frame.map(|frame| {
        let reports: Vec<_> =
            frame.reports.into_iter().map(|report| DrawReport { runs: 0, ..report }).collect();
        (frame.image.bytes().to_vec(), reports, said(&frame.problems))
    })
}

/// What can be compared of the fragments of a pixel.
fn picked(fragments: Result<(Image, Vec<Picked>), Vec<Diagnostic>>) -> String {
    let fragments = fragments.map_err(|problems| said(&problems));
    let parts = fragments.map(|(_, fragments)| {
        let parts = |picked: &Picked| {
            let fragment = picked.fragment.as_ref().map(|session| session.steps());
            let vertices = picked.vertices.each_ref().map(|session| session.steps());
            format!("{:?} {fragment:?} {vertices:?}", picked.touch)
        };
        fragments.iter().map(parts).collect::<Vec<_>>()
    });
    format!("{parts:?}")
}

fn bits(vertex: &Vertex) -> [[u32; 4]; 2] {
    vertex.map(|vector| vector.map(f32::to_bits))
}

fn check(case: &Case, mesh: &Mesh, pixel: (u32, u32)) {
    let text = case.text(mesh, false);
    let (scene, plain) = (load(&text), load(&case.text(mesh, true)));
    // PicoGpu runs triangles.
    let run = if case.lists_only { mesh.indices.len() / 3 * 3 } else { mesh.indices.len() };
    let run = mesh.indices.iter().take(run);
    let different: BTreeSet<_> = run.map(|index| bits(&mesh.vertices[*index])).collect();
    // One scene after the other frame, which finds what was kept of the frames before; the others are new each time.
    for frame in [0, 1, 2, 1] {
        let (x, y) = pixel;
        let drawn = scene.frame(frame);
        if let Ok(Frame { reports, .. }) = &drawn {
            let uses = mesh.indices.len() as u64;
            let runs = if case.in_order { uses } else { different.len() as u64 };
            assert_eq!((reports[0].vertices, reports[0].runs), (uses, runs), "{text}");
        }
        let drawn = seen(drawn);
        assert_eq!(drawn, seen(load(&text).frame(frame)), "{text}");
        let expected = plain.frame(frame);
        // PicoGpu's memory has but what the program reads.
        if let (Ok(Frame { reports, .. }), false) = (&expected, case.lists_only) {
            assert_eq!(reports[0].runs, reports[0].vertices);
        }
        assert_eq!(drawn, seen(expected), "{text}");
        assert_eq!(picked(scene.pick(frame, x, y)), picked(plain.pick(frame, x, y)), "{text}");
    }
}

fn component() -> impl Strategy<Value = f32> {
    prop_oneof![6 => (-5..=5i8).prop_map(|fifths| f32::from(fifths) / 4.0), 1 => Just(-0.0), 1 => Just(f32::NAN)]
}

fn mesh() -> impl Strategy<Value = Mesh> {
    let position = (component(), component(), 0.0..1.0f32, prop_oneof![4 => Just(1.0f32), 1 => 0.5..2.0f32]);
    let position = position.prop_map(|(x, y, z, w)| [x, y, z, w]);
    let colors = [[1.0, 0.5, 0.0, 1.0], [0.0, 1.0, 0.25, 1.0], [-0.5, 2.0, 0.5, 0.5]];
    let vertex = (position, prop::sample::select(colors.to_vec())).prop_map(|(place, color)| [place, color]);
    // Few of them, so that some are equal and triangles have equal corners.
    let vertices = prop::collection::vec(vertex, 1..7);
    let again = prop::collection::vec(any::<prop::sample::Index>(), 0..4);
    let order = prop::collection::vec(any::<prop::sample::Index>(), 1..24);
    (vertices, again, order, 0..TOPOLOGIES.len()).prop_map(|(mut vertices, again, order, topology)| {
        for index in again {
            vertices.push(vertices[index.index(vertices.len())]);
        }
        let indices = order.iter().map(|index| index.index(vertices.len())).collect();
        Mesh { vertices, indices, topology }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(160))]

    #[test]
    fn used_again_is_as_good_as_written_out(mesh in mesh(), pixel in (0..16u32, 0..12u32)) {
        for case in &CASES {
            check(case, &mesh, pixel);
        }
    }
}

/// What a machine made of a draw's programs serves all frames, though constants follow the time.
#[test]
fn programs_are_made_ready_once() {
    let vertices = vec![[[0.0; 4]; 2], [[1.0; 4]; 2], [[-1.0, 1.0, 0.0, 1.0]; 2]];
    let mesh = Mesh { vertices, indices: vec![0, 1, 2], topology: 0 };
    for case in &CASES {
        let scene = load(&case.text(&mesh, false));
        let call = &scene.draws()[0];
        let cache = Cache::default();
        for frame in 0..FRAMES {
            let mut problems = Vec::new();
            let draw = Draw {
                vertex: &call.program,
                fragment: call.fragment.as_deref(),
                profile: scene.profile,
                vertices: &call.vertices,
                layout: &call.layout,
                indices: Some(&call.indices),
                topology: call.topology,
                constants: &scene.constants(call, frame, &mut problems),
                fragment_constants: &scene.fragment_constants(call, frame, &mut problems),
                carried: &[],
                textures: &[],
                state: &call.state,
                cache: &cache,
                budget: &Budget::default(),
            };
            scene.gpu.draw(&mut Target::new(16, 12).unwrap(), &draw, &mut problems).unwrap();
            let programs = 1 + usize::from(call.fragment.is_some());
            assert_eq!(format!("{cache:?}"), format!("Cache of {programs}"), "{} {frame}", case.gpu);
        }
    }
}

/// The cases do what they are there for.
#[test]
fn cases_draw_and_differ_from_frame_to_frame() {
    let corner = |x, y, red| [[x, y, 0.5, 1.0], [red, 0.5, 0.75, 1.0]];
    let vertices = vec![corner(-1.0, -1.0, 0.1), corner(1.0, -1.0, 1.0), corner(-1.0, 1.0, 1.0)];
    let mesh = Mesh { vertices, indices: vec![0, 1, 2, 2, 1, 0, 1, 1, 2], topology: 0 };
    for (number, case) in CASES.iter().enumerate() {
        let scene = load(&case.text(&mesh, false));
        let frames = [0, 1].map(|frame| scene.frame(frame).unwrap());
        assert!(frames[0].reports[0].stats.written > 20, "{number} {:?}", frames[0].reports);
        assert_ne!(frames[0].image.bytes(), frames[1].image.bytes(), "{number}");
        assert_eq!(frames[0].reports[0].runs, if case.in_order { 9 } else { 3 });
        assert!(!scene.pick(0, 4, 5).unwrap().1.is_empty());
    }
    // Vertices 1 and 2 ask for 250 + 20, the one in four places and the other in three.
    let problems = load(&CASES[3].text(&mesh, false)).frame(0).unwrap().problems;
    let (code, message, labels) = &said(&problems)[0];
    assert_eq!(*code, "R0702");
    assert!(message.ends_with("was read 7 times"), "{message}");
    assert_eq!(labels[..], ["vertex 1 asked for number 270"]);
}

/// 180,000 triangles, two for each pixel, are done in three parts: numbers and corners count on from part to part.
#[test]
fn parts_of_a_draw_count_on() {
    let scene = load(
        "gpu = \"dreambox\"\nsize = [300, 300]\n\
         [program.p]\nsource = \"ld r0 0\\nshf r0 r0 xzyw 0b1111\\nld r1 1\\nst pos r0\\nst tex r1\\nst col r0\\nst ocol r0\"\n\
         [mesh.m]\nshape = \"plane\"\ncolumns = 300\nrows = 300\n\
         [[draw]]\nprogram = \"p\"\nmesh = \"m\"\ninput = { in0 = \"position\" }\n",
    );
    let frame = scene.frame(0).unwrap();
    let report = &frame.reports[0];
    assert_eq!((report.vertices, report.stats.primitives), (540_000, 180_000));
    assert_eq!(report.stats.written, 90_000);
    // Parts have whole rows and the vertices between them twice: no more than two rows and a bit.
    assert!((301 * 301..301 * 306).contains(&report.runs), "{}", report.runs);
    for (x, y) in [(0, 299), (299, 299), (7, 200), (150, 150), (20, 81), (299, 0)] {
        let (_, picked) = scene.pick(0, x, y).unwrap();
        let [picked] = &picked[..] else { panic!("one triangle at ({x}, {y})") };
        // The first row of quads is at the bottom.
        let quad = (299 - y) * 300 + x;
        let number = picked.touch.primitive;
        assert_eq!(number / 2, quad, "({x}, {y})");
        assert_eq!(picked.touch.corners, [0, 1, 2].map(|corner| number as usize * 3 + corner));
    }
}
