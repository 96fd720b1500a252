//! Draws: coverage, varyings, fragment programs in quads, depth, textures, blending, and what is refused.

use gpuzoo_diag::{Diagnostic, File, Span, has_errors};
use gpuzoo_ir::{Vec4, vec4};
use gpuzoo_isa::Program;
use gpuzoo_machine::limits::budget::{Budget, Resource};
use gpuzoo_machine::options::settings::{Setting, Table, Value};
use gpuzoo_machine::unit::cache::Cache;
use gpuzoo_machine::unit::draw::{Draw, DrawReport};
use gpuzoo_machine::unit::layout::{Attribute, Layout};
use gpuzoo_machine::{FragmentPrograms, Gpu, ShaderUnit, TextOptions};
use gpuzoo_raster::{Fate, Level, Target, Texels, Texture, Topology};
use gpuzoo_servaru::{GPU, PROFILE};
use std::sync::Arc;

const SIDE: u32 = 8;

/// Position from P0, five varyings from P1 on.
const PASS: &str = "MOV P9, P0\nMOV P10, P1\nMOV P11, P2\n";

pub fn program(text: &str) -> Program {
    let assembled = GPU.assemble(&File::new("t", text), &TextOptions::default());
    assert!(assembled.ok(), "{text}: {:?}", assembled.diagnostics);
    assembled.program
}

pub fn text(word: &str) -> Value {
    Value::Text(word.to_owned())
}

/// A draw of triangles whose vertices have three vec4: position, and two more.
pub struct Scene {
    pub fragment: Option<Program>,
    pub vertex: Program,
    pub vertices: Vec<[[f32; 4]; 3]>,
    pub textures: Vec<Option<Arc<Texture>>>,
    pub state: Table,
    pub constants: Vec<Vec4>,
    pub vertex_constants: Vec<Vec4>,
    pub cache: Cache,
}

impl Scene {
    /// Two triangles over the whole target at a depth; the first varying is 0 to 1 across and down.
    pub fn full(depth: f32, fragment: Option<&str>) -> Scene {
        let corner = |x: f32, y: f32| {
            let (s, t) = ((x + 1.0) / 2.0, (1.0 - y) / 2.0);
            [[x, y, depth, 1.0], [s, t, 0.0, 1.0], [1.0, 0.5, 0.25, 1.0]]
        };
        let [a, b, c, d] = [corner(-1.0, 1.0), corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0)];
        Scene {
            fragment: fragment.map(program),
            vertex: program(PASS),
            vertices: vec![a, b, c, a, c, d],
            textures: Vec::new(),
            state: Table::of(&[]),
            constants: Vec::new(),
            vertex_constants: Vec::new(),
            cache: Cache::default(),
        }
    }

    fn draw(&self, target: &mut Target) -> (DrawReport, Vec<Diagnostic>) {
        self.with_draw(|draw| {
            let mut problems = Vec::new();
            let report = GPU.draw(target, draw, &mut problems).unwrap();
            (report, problems)
        })
    }

    pub fn with_draw<T>(&self, run: impl FnOnce(&Draw) -> T) -> T {
        let components = self.vertices.iter().flatten().flatten();
        let bytes: Vec<u8> = components.flat_map(|component| component.to_le_bytes()).collect();
        let format = GPU.about().vertex_formats.iter().find(|format| format.name == "FLOAT4").unwrap();
        let attributes =
            (0..3).map(|input| Attribute { input, offset: u32::from(input) * 16, format }).collect();
        let layout = Layout { stride: 48, attributes };
        let draw = Draw {
            vertex: &self.vertex,
            fragment: self.fragment.as_ref(),
            profile: PROFILE,
            vertices: &bytes,
            layout: &layout,
            indices: None,
            topology: Topology::TriangleList,
            constants: &self.vertex_constants,
            fragment_constants: &self.constants,
            carried: &[],
            textures: &self.textures,
            state: &self.state,
            cache: &self.cache,
            budget: &Budget::default(),
        };
        run(&draw)
    }

    fn picture(&self) -> Vec<[u8; 4]> {
        let mut target = cleared();
        let (_, problems) = self.draw(&mut target);
        assert!(problems.is_empty(), "{problems:?}");
        target.color().pixels().to_vec()
    }
}

pub fn cleared() -> Target {
    let mut target = Target::new(SIDE, SIDE).unwrap();
    target.clear([9, 9, 9, 9], 1.0);
    target
}

fn pixel(picture: &[[u8; 4]], x: u32, y: u32) -> [u8; 4] {
    picture[(y * SIDE + x) as usize]
}

#[test]
fn without_a_fragment_program_the_first_varying_is_the_colour() {
    let scene = Scene::full(0.5, None);
    let picture = scene.picture();
    // Samples are the corners of pixels: pixel 3 of 8 has s = 3/8, and 255 × 3/8 = 95.625 is cut off.
    assert_eq!(pixel(&picture, 3, 0), [95, 0, 0, 255]);
    assert_eq!(pixel(&picture, 0, 7), [0, 223, 0, 255]);
    let centred = Scene { state: Table::of(&[("sample", text("centre"))]), ..Scene::full(0.5, None) };
    // (3 + ½) / 8 × 255 = 111.5625
    assert_eq!(pixel(&centred.picture(), 3, 0), [111, 15, 0, 255]);
}

/// Columns 1 to 4 and rows 2 to 3 of 8: the first pixel of each has 0 of what goes across, and of what goes down.
#[test]
fn a_viewport_moves_the_picture_and_cuts_it() {
    let rect = [1, 2, 4, 2].map(|int| Setting { span: Span::default(), value: Value::Int(int) });
    let viewport = Value::List(rect.to_vec());
    let scene = Scene { state: Table::of(&[("viewport", viewport)]), ..Scene::full(0.5, None) };
    let picture = scene.picture();
    for (index, pixel) in picture.iter().enumerate() {
        let (x, y) = (index as u32 % SIDE, index as u32 / SIDE);
        let is_drawn = (1..5).contains(&x) && (2..4).contains(&y);
        // 255 of 4 columns, and of 2 rows, cut off
        let expected =
            if is_drawn { [(255 * (x - 1) / 4) as u8, (255 * (y - 2) / 2) as u8, 0, 255] } else { [9; 4] };
        assert_eq!(*pixel, expected, "({x}, {y})");
    }
}

/// Where depth comes from corners alone, a fragment that is hidden needs no colour.
#[test]
fn hidden_fragments_are_not_shaded() {
    let mut target = cleared();
    target.clear([9; 4], 0.25);
    target.take_notes().unwrap();
    target.notes_mut().unwrap().watched = Some(0);
    for (text, color) in [("MOV P9, P0\n", None), ("MOV P9, P0\nMOV P8.z, 0.5\nZTS P8.z\n", Some(()))] {
        Scene::full(0.5, Some(text)).draw(&mut target);
        let touch = target.notes().unwrap().touches.last().unwrap();
        assert_eq!((touch.fate, touch.color.map(|_| ())), (Fate::Hidden(0.25), color), "{text}");
    }
}

/// An input that the layout does not name is (0, 0, 0, 1); a fragment finds its pixel in P8 (points 9 of the specification).
#[test]
fn inputs_that_nobody_gives_and_the_place() {
    let vertex = program("MOV P9, P0\nMOV P10, P5\n");
    let picture = Scene { vertex, ..Scene::full(0.5, None) }.picture();
    assert_eq!(pixel(&picture, 3, 5), [0, 0, 0, 255]);
    let text = "MUL R1, P8, 0.0625\nMOV P9, R1\n";
    let scene = Scene::full(0.5, Some(text));
    let mut target = cleared();
    target.take_notes().unwrap();
    target.notes_mut().unwrap().watched = Some(5 * SIDE as usize + 3);
    scene.draw(&mut target);
    // 255 × 3/16 = 47.8 and 255 × 5/16 = 79.7; 1/w is 1.
    assert_eq!(target.color().get(3, 5).map(|[red, green, ..]| [red, green]), Some([47, 79]));
    let touch = target.notes().unwrap().touches[0].clone();
    let session = scene.with_draw(|draw| GPU.session(&target, draw, &touch)).unwrap().unwrap();
    let [x, y, _, w] = session.steps()[0].changes[0].after.map(f32::from_bits);
    assert_eq!([x, y, w], [3.0 / 16.0, 5.0 / 16.0, 1.0 / 16.0]);
}

#[test]
fn every_pixel_is_drawn_once_and_back_faces_are_dropped() {
    let (report, _) = Scene::full(0.5, None).draw(&mut cleared());
    assert_eq!((report.vertices, report.stats.written, report.stats.depth_failed), (6, 64, 0));
    let mut back = Scene::full(0.5, None);
    back.vertices.reverse();
    assert_eq!(back.draw(&mut cleared()).0.stats.culled, 2);
    back.state = Table::of(&[("cull", text("none"))]);
    assert_eq!(back.draw(&mut cleared()).0.stats.written, 64);
}

/// Section G4: corners are snapped to s24.8, half away from zero, and what lies outside of the view is cut, at the sides, too.
#[test]
fn corners_are_snapped_and_cut() {
    // The left edge is half a step right of column 3: it goes a whole one, beyond the sample in the pixel's corner.
    for (left, columns) in [(3.0, 5), (3.0 + 0.75 / 512.0, 5), (3.0 + 1.0 / 512.0, 4), (3.0 - 1.0 / 512.0, 5)]
    {
        let mut scene = Scene::full(0.5, None);
        scene.vertices.iter_mut().for_each(|vertex| vertex[0][0] = vertex[0][0].max(left / 4.0 - 1.0));
        let (report, _) = scene.draw(&mut cleared());
        assert_eq!((report.stats.written, report.stats.cut), (8 * columns, 0), "{left}");
    }
    // In front of the near plane, behind the far one, across both, and beyond the sides.
    for (depth, written) in [(-0.25, 0), (0.0, 64), (1.25, 0)] {
        let mut target = cleared();
        target.clear([9; 4], 2.0);
        assert_eq!(Scene::full(depth, None).draw(&mut target).0.stats.written, written, "{depth}");
    }
    let mut across = Scene::full(0.5, None);
    // Depth from -1 at the left to 3 at the right: from 0 to 1 are the two columns from 2 on.
    across.vertices.iter_mut().for_each(|vertex| vertex[0][2] = 1.0 + 2.0 * vertex[0][0]);
    let (report, _) = across.draw(&mut cleared());
    assert_eq!((report.stats.written, report.stats.cut), (2 * 8, 2));
    let mut wide = Scene::full(0.5, None);
    wide.vertices.iter_mut().for_each(|vertex| vertex[0][0] *= 3.0);
    let (report, _) = wide.draw(&mut cleared());
    assert_eq!((report.stats.written, report.stats.cut), (64, 2));
}

#[test]
fn fragments_get_their_place_and_can_be_killed() {
    let text = "MOV P9, U0\nSUB R0, P8, 4\nKIL R0.x\nMUL P9.x, P8.y, 0.125\nMOV P9.y, P8.z\nMOV P9.z, P8.w";
    let scene = Scene { constants: vec![vec4([0.0, 0.0, 0.0, 1.0])], ..Scene::full(0.25, Some(text)) };
    let mut target = cleared();
    let (report, problems) = scene.draw(&mut target);
    assert!(problems.is_empty());
    assert_eq!((report.stats.written, report.stats.killed), (32, 32));
    let picture = target.color().pixels();
    assert_eq!(pixel(picture, 3, 2), [9; 4]);
    // y = 2: 255 × 2/8 = 63.75; depth 0.25: 63.75; 1/w = 1.
    assert_eq!(pixel(picture, 4, 2), [63, 63, 255, 255]);
    assert_eq!(target.depth().values()[4], 0.25);
    assert_eq!(target.depth().values()[3], 1.0);
    // x = 5: 255 × 5/8 = 159.4.
    assert_eq!(pixel(&Scene::full(0.25, Some("MUL P9, P8.x, 0.125")).picture(), 5, 2), [159; 4]);
}

#[test]
fn depth_is_tested_with_less_and_can_be_written() {
    let mut target = cleared();
    let far = Scene::full(0.5, Some("MOV P9, 1"));
    let draw = |scene: &Scene, target: &mut Target| scene.draw(target).0.stats.written;
    assert_eq!(draw(&far, &mut target), 64);
    assert_eq!(draw(&far, &mut target), 0);
    assert_eq!(draw(&Scene::full(0.75, Some("MOV P9, 1\nMOV P10.x, 0.25")), &mut target), 64);
    assert_eq!(target.depth().values()[0], 0.25);
    // Only x of P10 is a depth.
    assert_eq!(draw(&Scene::full(0.75, Some("MOV P9, 1\nMOV P10.y, 0")), &mut target), 0);
    assert_eq!(draw(&Scene::full(0.75, Some("MOV P9, 1\nMOV P10.x, nan")), &mut target), 0);
    // What ZTS tests is what is stored, even if something else is written.
    assert_eq!(
        draw(&Scene::full(0.75, Some("MOV R0, 0.125\nZTS R0.x\nMOV P10.x, 0\nMOV P9, 1")), &mut target),
        64
    );
    assert_eq!(target.depth().values()[63], 0.125);
    assert_eq!(draw(&Scene::full(0.0, Some("ZTS P8.z\nMOV P9, 1")), &mut target), 64);
    assert_eq!(draw(&Scene::full(0.0, Some("ZTS P8.z\nMOV P9, 1")), &mut target), 0);
    let untested =
        Scene { state: Table::of(&[("depth_test", Value::Bool(false))]), ..Scene::full(0.9, None) };
    assert_eq!(draw(&untested, &mut target), 64);
}

#[test]
fn failures_name_counter_and_word() {
    let scene = Scene::full(0.5, Some("MOV P9, 1\nSUB R0, P8, 4\nKIL R0.x\nEXC\n"));
    let mut target = cleared();
    let (report, problems) = scene.draw(&mut target);
    assert_eq!(report.stats.written, 0);
    assert!(target.color().pixels().iter().all(|&pixel| pixel == [9; 4]));
    assert_eq!(problems[0].message, "`EXC` at pc 3, word 0000000000000000");
    assert_eq!(problems[0].notes, ["32 fragments ended there"]);
    // No fragment gets there.
    let spared = Scene::full(0.5, Some("KIL -1\nEXC\n"));
    assert!(spared.draw(&mut target).1.is_empty());
    // A vertex program fails for every vertex, if there is one.
    let mut vertex = Scene { vertex: program(".vertex\nMOV P9, P0\nKIL P0.x"), ..Scene::full(0.5, None) };
    let (_, problems) = vertex.draw(&mut target);
    assert_eq!(
        problems[0].message,
        "illegal instruction at pc 1, word 0b00028040000000: `KIL` in a vertex program"
    );
    vertex.vertices.clear();
    assert!(vertex.draw(&mut target).1.is_empty());
    // The second ZTS is illegal, and what it costs is all up to it.
    let twice = "ZTS P8.z\nMOV P9, 1\nZTS P8.z\nMOV P9, 1\n";
    let (report, problems) = Scene::full(0.5, Some(twice)).draw(&mut cleared());
    assert_eq!(report.stats.written, 0);
    let message = &problems[0].message;
    assert!(message.contains(" at pc 2, ") && message.ends_with(": a second `ZTS`"), "{message}");
    let costs = GPU.costs(&program(twice));
    assert_eq!(costs.iter().map(|cost| cost.per_run).collect::<Vec<_>>(), [3, 3]);
}

#[test]
fn programs_are_for_one_stage() {
    let scene = Scene::full(0.5, Some(".vertex\nMOV P9, P0"));
    let (_, problems) = scene.draw(&mut cleared());
    assert_eq!((problems[0].code.id, &*problems[0].message), ("S0209", "this is not a fragment program"));
    let scene = Scene { vertex: program(".fragment\nMOV P9, P0"), ..Scene::full(0.5, None) };
    assert!(has_errors(&scene.draw(&mut cleared()).1));
    // Where a program says nothing its use decides.
    assert!(Scene::full(0.5, Some("MOV P9, P0")).draw(&mut cleared()).1.is_empty());
}

/// Spec section B, item 9: P10 to P15 of a vertex arrive in P0 to P5 of a fragment.
#[test]
fn six_varyings_arrive() {
    let programs = GPU.fragment_programs().expect("it has fragment programs");
    let from: Vec<_> = (0..9).map(|input| programs.interpolated(input)).collect();
    assert_eq!(from, [Some(10), Some(11), Some(12), Some(13), Some(14), Some(15), None, None, None]);
    // The program reads the last one alone.
    let scene = Scene { vertex: program("MOV P9, P0\nMOV P15, P2"), ..Scene::full(0.5, Some("MOV P9, P5")) };
    assert!(scene.picture().iter().all(|pixel| *pixel == [255, 127, 63, 255]));
}

/// 16 × 16: black and white columns, so that every smaller level is grey.
fn stripes() -> Arc<Texture> {
    let texel = |x: u32| if x.is_multiple_of(2) { [0, 0, 0, 255] } else { [255; 4] };
    let texels = (0..16).flat_map(|_| (0..16).map(texel)).collect();
    Arc::new(Level::new(16, 16, Texels::Rgba8(texels)).unwrap().into())
}

#[test]
fn levels_come_from_the_differences_within_quads() {
    // The texture has two texels for a pixel, so that its second level fits: its texels are all 128.
    let sampler = |mip: &str| {
        let entries = Table::of(&[("filter", text("nearest")), ("mip", text(mip))]);
        Table::of(&[("sampler1", Value::Table(entries))])
    };
    let scene = |program: &str, state: Table| Scene {
        textures: vec![None, Some(stripes())],
        state,
        ..Scene::full(0.5, Some(program))
    };
    for mip in ["nearest", "ceiling", "linear"] {
        let picture = scene("TEX P9, P0, T1", sampler(mip)).picture();
        assert!(picture.iter().all(|pixel| *pixel == [128, 128, 128, 255]), "{mip}: {picture:?}");
    }
    // At corners every coordinate is that of an even texel.
    assert!(scene("TEX P9, P0, T1", sampler("none")).picture().iter().all(|pixel| *pixel == [0, 0, 0, 255]));
    let biased = "MOV R0, P0\nMOV R0.w, -1\nTXB P9, R0, T1";
    assert!(scene(biased, sampler("nearest")).picture().iter().all(|pixel| *pixel == [0, 0, 0, 255]));
    // Unit 0 has no texture.
    assert!(scene("TEX P9, P0, T0", Table::of(&[])).picture().iter().all(|pixel| *pixel == [0; 4]));
}

/// Texels of four bytes, or of four floats: 64² + 32² + 16² + 8² + 4² + 2² + 1 = 5461, and where a side comes to 1 it stays there:
/// 64 × 8 + 32 × 4 + 16 × 2 + 8 + 4 + 2 + 1 = 687.
#[test]
fn levels_that_are_made_are_memory_of_the_budget() {
    let bytes = |count: usize| Texels::Rgba8(vec![[9; 4]; count]);
    let floats = |count: usize| Texels::Float(vec![[9.0; 4]; count]);
    for (width, height, texels, needed) in [
        (64, 64, bytes(64 * 64), 5461 * 4),
        (64, 64, floats(64 * 64), 5461 * 16),
        (64, 8, bytes(64 * 8), 687 * 4),
        (8, 64, floats(64 * 8), 687 * 16),
    ] {
        let texture = Texture::from(Level::new(width, height, texels).unwrap());
        let scene =
            Scene { textures: vec![Some(Arc::new(texture))], ..Scene::full(0.5, Some("TEX P9, P0, T0")) };
        let drawn = |memory: u64| {
            let budget = &Budget::default().with(Resource::Memory, memory);
            scene.with_draw(|draw| {
                GPU.draw(&mut cleared(), &Draw { budget, ..*draw }, &mut Vec::new()).map(drop)
            })
        };
        assert_eq!(drawn(needed), Ok(()), "{width} {height}");
        let less = Budget::default().with(Resource::Memory, needed - 1);
        assert_eq!(drawn(needed - 1), Err(less.refusal(Resource::Memory, Some(needed))));
    }
}

/// Level l of the texture is l / 4. A pixel has two texels, which is level 1, and the bias is added to that.
#[test]
fn every_choice_of_levels_is_what_it_is_called() {
    let level = |index: u32| {
        let side = 16 >> index;
        let texels = vec![[index as f32 / 4.0; 4]; (side * side) as usize];
        Level::new(side, side, Texels::Float(texels)).unwrap()
    };
    let texture = Arc::new(Texture::new((0..5).map(level).collect()).unwrap());
    // 1.25 / 4 and 1.75 / 4 of 255, cut off, are 79 and 111.
    for (mip, expected) in
        [("none", [0, 0]), ("nearest", [63, 127]), ("ceiling", [127, 127]), ("linear", [79, 111])]
    {
        let found = [0.25, 0.75].map(|bias| {
            let sampler = Table::of(&[("mip", text(mip))]);
            let scene = Scene {
                textures: vec![None, None, None, Some(texture.clone())],
                state: Table::of(&[("sampler3", Value::Table(sampler))]),
                constants: vec![vec4([bias; 4])],
                ..Scene::full(0.5, Some("MOV R0, P0\nMOV R0.w, U0\nTXB P9, R0, T3"))
            };
            pixel(&scene.picture(), 4, 4)[0]
        });
        assert_eq!(found, expected, "{mip}");
    }
}

#[test]
fn texels_by_number() {
    let fetch = |x: f32, y: f32, level: f32| {
        let scene = Scene {
            textures: vec![Some(stripes())],
            constants: vec![vec4([x, y, 0.0, level])],
            ..Scene::full(0.5, Some("TXF P9, U0, T0"))
        };
        pixel(&scene.picture(), 5, 5)
    };
    assert_eq!(fetch(3.9, 0.0, 0.0), [255; 4]);
    assert_eq!(fetch(2.0, 15.9, 0.9), [0, 0, 0, 255]);
    assert_eq!(fetch(7.0, 7.0, 1.0), [128, 128, 128, 255]);
    assert_eq!(fetch(0.0, 0.0, 99.0), [128, 128, 128, 255]);
    assert_eq!(fetch(0.0, 0.0, -5.0), [0, 0, 0, 255]);
    for outside in
        [[8.0, 0.0, 1.0], [-0.5, 0.0, 0.0], [0.0, 16.0, 0.0], [f32::NAN, 0.0, 0.0], [1e30, 0.0, 0.0]]
    {
        assert_eq!(fetch(outside[0], outside[1], outside[2]), [0; 4], "{outside:?}");
    }
}

#[test]
fn blending_is_in_integers() {
    let blend = |equation: &str, src: i64, dst: i64| {
        let entries =
            Table::of(&[("equation", text(equation)), ("src", Value::Int(src)), ("dst", Value::Int(dst))]);
        Scene {
            state: Table::of(&[("blend", Value::Table(entries))]),
            constants: vec![vec4([1.0, 0.5, 0.0, 1.0])],
            ..Scene::full(0.5, Some("MOV P9, U0"))
        }
    };
    // The target has 9 everywhere; the colour is 255, 127, 0, 255.
    assert_eq!(pixel(&blend("add", 128, 256).picture(), 0, 0), [136, 72, 9, 136]);
    assert_eq!(pixel(&blend("reverse_subtract", 4, 256).picture(), 0, 0), [5, 7, 9, 5]);
    // All of one, and all of the other.
    for (equation, expected) in [
        ("nop", [255, 127, 0, 255]),
        ("add", [255, 136, 9, 255]),
        ("subtract", [246, 118, 0, 246]),
        ("reverse_subtract", [0, 0, 9, 0]),
        ("min", [9, 9, 0, 9]),
        ("max", [255, 127, 9, 255]),
    ] {
        assert_eq!(pixel(&blend(equation, 256, 256).picture(), 0, 0), expected, "{equation}");
    }
    let alpha = Table::of(&[("equation", text("min")), ("dst", Value::Int(256))]);
    let mut apart = blend("max", 256, 256);
    apart.state.entries.extend(Table::of(&[("blend_alpha", Value::Table(alpha))]).entries);
    assert_eq!(pixel(&apart.picture(), 0, 0), [255, 127, 9, 9]);
    let grey = Scene { state: Table::of(&[("target", text("Y8"))]), ..blend("nop", 0, 0) };
    assert_eq!(pixel(&grey.picture(), 0, 0), [0, 0, 0, 255]);
}

#[test]
fn settings_are_checked() {
    let refused = |key: &str, value: Value| {
        let scene = Scene { state: Table::of(&[(key, value)]), ..Scene::full(0.5, None) };
        let mut target = cleared();
        let (report, problems) = scene.draw(&mut target);
        assert_eq!(report.stats.written, 0);
        problems[0].code.id
    };
    assert_eq!(refused("sampel", text("corner")), "R0101");
    assert_eq!(refused("sample", Value::Int(1)), "R0102");
    assert_eq!(refused("sampler0", Value::Table(Table::of(&[("wrap", text("round"))]))), "R0103");
    assert_eq!(refused("sampler3", Value::Table(Table::of(&[("wrap", Value::Int(1))]))), "R0102");
    assert_eq!(refused("blend", Value::Table(Table::of(&[("src", Value::Int(512))]))), "R0105");
}

#[test]
fn odd_numbers_have_results() {
    let mut scene = Scene::full(0.5, Some("TEX R0, P0, T0\nTXB R1, P1, T1\nADD P9, R0, R1"));
    scene.textures = vec![Some(stripes()), Some(stripes())];
    for odd in [f32::NAN, f32::INFINITY, f32::MAX, -1e30] {
        let mut own = scene.vertices.clone();
        own.iter_mut().for_each(|vertex| (vertex[1], vertex[2]) = ([odd; 4], [odd, 0.0, odd, odd]));
        let scene = Scene {
            vertices: own,
            fragment: scene.fragment.clone(),
            textures: scene.textures.clone(),
            ..Scene::full(0.5, None)
        };
        assert_eq!(scene.draw(&mut cleared()).0.stats.written, 64);
    }
    scene.vertices[0][0] = [f32::NAN; 4];
    let (report, problems) = scene.draw(&mut cleared());
    assert!(problems.is_empty());
    // The other triangle's left edge is the diagonal, whose samples belong to it.
    assert_eq!((report.stats.invalid, report.stats.written), (1, 8 * 9 / 2));
}

#[test]
fn textures_of_one_row() {
    let texels = (0..16_384).map(|x| [(x / 64) as u8; 4]).collect();
    let long = Level::new(16_384, 1, Texels::Rgba8(texels)).unwrap();
    let scene =
        Scene { textures: vec![Some(Arc::new(long.into()))], ..Scene::full(0.5, Some("TEX P9, P0, T0")) };
    // 2048 texels a pixel: level 11, eight texels, each the mean of 32 values.
    let picture = scene.picture();
    assert_eq!(picture.len(), 64);
    assert!(picture.windows(2).take(7).skip(1).all(|pair| pair[0][0] < pair[1][0]), "{:?}", &picture[..8]);
}

#[test]
fn a_watched_pixel_shows_the_fragments_program() {
    // The left half goes at slot 2 (0-based); the rest reads a texture of one texel.
    let text = "SUB R0.x, P0.x, 0.5\nADD R0.x, R0.x, 0.0625\nKIL R0.x\nTEX R1, P0, T0\nMOV P9, R1\n";
    let texels = Texels::Rgba8(vec![[51, 102, 153, 255]]);
    let texture = Texture::from(Level::new(1, 1, texels).unwrap());
    let scene = Scene { textures: vec![Some(Arc::new(texture))], ..Scene::full(0.5, Some(text)) };
    for (x, slots) in [(1, vec![0, 1, 2]), (6, vec![0, 1, 2, 3, 4])] {
        let mut target = cleared();
        target.take_notes().unwrap();
        target.notes_mut().unwrap().watched = Some(3 * SIDE as usize + x);
        scene.draw(&mut target);
        let notes = target.notes().unwrap().clone();
        assert_eq!(notes.touches.len(), 1);
        let touch = &notes.touches[0];
        let session = scene.with_draw(|draw| GPU.session(&target, draw, touch)).unwrap().unwrap();
        let steps = session.steps();
        assert_eq!(steps.iter().map(|step| step.slot).collect::<Vec<_>>(), slots);
        // Samples lie at the corners: x / 8.
        let first = &steps[0].changes[0];
        assert_eq!(f32::from_bits(first.after[0]), x as f32 / 8.0 - 0.5);
        let note = notes.pixels[3 * SIDE as usize + x];
        assert_eq!((note.level, note.written), if x == 6 { (1, 1) } else { (0, 0) });
        if x == 6 {
            let color = [51.0, 102.0, 153.0, 255.0].map(|byte: f32| byte / 255.0);
            assert_eq!(steps[4].changes[0].after.map(f32::from_bits), color);
            assert_eq!(touch.color, Some(color));
        }
    }
}

/// What a draw without notes made of the program does not keep the levels that notes ask for (level 0 is noted as 1).
#[test]
fn a_program_that_was_drawn_without_notes_gives_them_when_asked() {
    let texture = Texture::from(Level::new(1, 1, Texels::Rgba8(vec![[51, 102, 153, 255]])).unwrap());
    let text = "TEX R1, P0, T0\nMOV P9, R1\n";
    let scene = Scene { textures: vec![Some(Arc::new(texture))], ..Scene::full(0.5, Some(text)) };
    let colors = scene.picture();
    let mut target = cleared();
    target.take_notes().unwrap();
    scene.draw(&mut target);
    assert!(target.notes().unwrap().pixels.iter().all(|note| note.level == 1));
    assert_eq!(target.color().pixels(), colors);
}

/// Point 9: P0 to P5 are the varyings, P6 and P7 zeros, P8 the pixel, its depth and 1/w. A program that reads textures depends on its
/// neighbours, so it has no run of its own.
#[test]
fn what_a_fragment_of_a_draw_is_run_with() {
    let mut scene = Scene::full(0.5, Some("MOV P9, P0"));
    scene.vertex = program("MOV P9, P0\nMOV P10, P1\nMOV P15, P2");
    scene.constants = vec![vec4([7.0; 4])];
    let mut target = cleared();
    target.take_notes().unwrap();
    target.notes_mut().unwrap().watched = Some(2 * SIDE as usize + 3);
    scene.draw(&mut target);
    let touch = target.notes().unwrap().touches[0].clone();
    let stimulus = scene.with_draw(|draw| FragmentPrograms::stimulus(&GPU, draw, &touch)).unwrap();
    let zeros = [0; 4];
    let varying = vec4([3.0 / 8.0, 2.0 / 8.0, 0.0, 1.0]);
    let (last, place) = (vec4([1.0, 0.5, 0.25, 1.0]), vec4([3.0, 2.0, 0.5, 1.0]));
    assert_eq!(stimulus.inputs, [varying, zeros, zeros, zeros, zeros, last, zeros, zeros, place]);
    assert_eq!(stimulus.constants, scene.constants);
    for read in ["TEX", "TXB", "TXF"] {
        scene.fragment = Some(program(&format!("{read} P9, P0, T0")));
        assert_eq!(scene.with_draw(|draw| FragmentPrograms::stimulus(&GPU, draw, &touch)), None, "{read}");
    }
    scene.fragment = None;
    assert_eq!(scene.with_draw(|draw| FragmentPrograms::stimulus(&GPU, draw, &touch)), None);
}

/// Point 11: registers start as zeros, and so does the colour; P6 and P7 are zeros, too (point 9).
#[test]
fn a_fragment_without_a_colour_is_transparent_black() {
    for text in [
        ".fragment\nMOV R0, 1",
        ".fragment\nMOV P10.x, 0.25",
        "ZTS P8.z",
        ".fragment\n",
        ".fragment\nMOV P9, P6",
        ".fragment\nMOV P9, P7",
    ] {
        assert!(Scene::full(0.5, Some(text)).picture().iter().all(|pixel| *pixel == [0; 4]), "{text}");
    }
}
