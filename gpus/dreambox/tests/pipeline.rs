//! The draw path, against the rules of spec sections 6 and 8, on targets small enough to count pixels by hand.

use gpuzoo_diag::{Diagnostic, File, Span};
use gpuzoo_dreambox::{GPU, PROFILE, fetch};
use gpuzoo_machine::limits::budget::Budget;
use gpuzoo_machine::options::settings::{Setting, Table, Value};
use gpuzoo_machine::unit::cache::Cache;
use gpuzoo_machine::unit::draw::{Draw, DrawReport};
use gpuzoo_machine::unit::layout::{Attribute, Layout};
use gpuzoo_machine::{ShaderUnit, TextOptions};
use gpuzoo_raster::{Fate, Image, Level, Target, Texture, Topology};
use std::sync::Arc;

const PASS: &str = "ld r0 0 ld r1 1 ld r2 2 ld r3 3 st pos r0 st tex r1 st col r2 st ocol r3";

/// position, tex, col, ocol: four floats each.
type Vertex = [[f32; 4]; 4];

fn layout() -> Layout {
    let format = fetch::format("Float4").unwrap();
    let attributes = (0..4).map(|input| Attribute { input, offset: u32::from(input) * 16, format });
    Layout { stride: 64, attributes: attributes.collect() }
}

fn text(text: &str) -> Value {
    Value::Text(text.into())
}

struct Scene {
    target: Target,
    textures: Vec<Option<Arc<Texture>>>,
}

impl Scene {
    fn new(width: u32, height: u32) -> Scene {
        Scene { target: Target::new(width, height).unwrap(), textures: vec![None, None] }
    }

    fn draw(&mut self, vertices: &[Vertex], state: &[(&str, Value)]) -> (DrawReport, Vec<Diagnostic>) {
        self.with_draw(vertices, state, |target, draw| {
            let mut problems = Vec::new();
            let report = GPU.draw(target, draw, &mut problems).unwrap();
            (report, problems)
        })
    }

    fn with_draw<T>(
        &mut self,
        vertices: &[Vertex],
        state: &[(&str, Value)],
        use_draw: impl FnOnce(&mut Target, &Draw) -> T,
    ) -> T {
        let bytes: Vec<u8> =
            vertices.iter().flatten().flatten().flat_map(|component| component.to_le_bytes()).collect();
        let program = GPU.assemble(&File::new("t", PASS), &TextOptions::default()).program;
        let (layout, state) = (layout(), Table::of(state));
        let draw = Draw {
            vertex: &program,
            fragment: None,
            profile: PROFILE,
            vertices: &bytes,
            layout: &layout,
            indices: None,
            topology: Topology::TriangleStrip,
            constants: &[],
            fragment_constants: &[],
            carried: &[],
            textures: &self.textures,
            state: &state,
            cache: &Cache::default(),
            budget: &Budget::default(),
        };
        use_draw(&mut self.target, &draw)
    }

    fn pixel(&self, x: u32, y: u32) -> [u8; 4] {
        self.target.color().get(x, y).unwrap()
    }
}

/// A strip that covers the screen at depth z, with texture coordinates from 0 to 1 for both units.
fn screen(z: f32, col: [f32; 4], ocol: [f32; 4]) -> Vec<Vertex> {
    let corner = |x: f32, y: f32| {
        let (u, v) = ((x + 1.0) / 2.0, (1.0 - y) / 2.0);
        [[x, y, z, 1.0], [u, v, u, v], col, ocol]
    };
    vec![corner(-1.0, 1.0), corner(-1.0, -1.0), corner(1.0, 1.0), corner(1.0, -1.0)]
}

const NONE: [f32; 4] = [0.0; 4];

#[test]
fn every_pixel_once_and_up_is_up() {
    let mut scene = Scene::new(4, 2);
    let mut vertices = screen(0.5, [1.0, 0.0, 0.0, 1.0], NONE);
    // The upper corners are green.
    vertices[0][2] = [0.0, 1.0, 0.0, 1.0];
    vertices[2][2] = [0.0, 1.0, 0.0, 1.0];
    let (report, problems) = scene.draw(&vertices, &[]);
    assert!(problems.is_empty(), "{problems:?}");
    assert_eq!((report.vertices, report.runs, report.cost, report.stats.written), (4, 4, 4 * 9, 8));
    // Rows lie at 1/4 and 3/4 of the height: 0.75 and 0.25 of green.
    assert_eq!(scene.pixel(0, 0), [64, 191, 0, 255]);
    assert_eq!(scene.pixel(3, 1), [191, 64, 0, 255]);
}

#[test]
fn colours_are_clamped_before_interpolation_and_nan_is_zero() {
    let mut scene = Scene::new(2, 1);
    let mut vertices = screen(0.5, [3.0, -1.0, f32::NAN, 1.0], NONE);
    vertices[0][2][0] = 0.0;
    vertices[1][2][0] = 0.0;
    scene.draw(&vertices, &[]);
    // Red goes from 0 to 1 (not to 3): 1/4 and 3/4.
    assert_eq!(scene.pixel(0, 0), [64, 0, 0, 255]);
    assert_eq!(scene.pixel(1, 0), [191, 0, 0, 255]);
}

#[test]
fn depth_is_clamped_and_not_clipped() {
    let mut scene = Scene::new(1, 1);
    let less = [("depth_compare", text("less")), ("depth_write", Value::Bool(true))];
    let (white, red) = ([1.0; 4], [1.0, 0.0, 0.0, 1.0]);
    scene.target.clear([0; 4], 1.0);
    assert_eq!(scene.draw(&screen(-3.0, red, NONE), &less).0.stats.written, 1);
    assert_eq!(scene.target.depth().get(0, 0), Some(0.0));
    // Nothing is less than the clamped 0.
    assert_eq!(scene.draw(&screen(-9.0, white, NONE), &less).0.stats.written, 0);
    scene.target.clear([0; 4], 1.0);
    assert_eq!(
        scene.draw(&screen(7.0, white, NONE), &[("depth_write", Value::Bool(true))]).0.stats.written,
        1
    );
    assert_eq!(scene.target.depth().get(0, 0), Some(1.0));
}

/// A unit without a texture reads opaque white, which is combined like any texel: the colour is 1/4, its alpha 1/2.
#[test]
fn without_textures_texels_are_white() {
    for (how, expected) in [
        ("none", [255, 255]),
        ("mul", [64, 128]),
        ("add", [255, 255]),
        ("sub", [191, 128]),
        // 1 × 1/2 + 1/4 × 1/2, 1 × 1/2 + 1/2 × 1/2
        ("mix", [159, 191]),
        // 3 × 1 × (-1/2)
        ("dot3", [0, 0]),
    ] {
        let mut scene = Scene::new(2, 1);
        scene.draw(&screen(0.5, [0.25, 0.25, 0.25, 0.5], NONE), &[("combine_vertex", text(how))]);
        let [color, alpha] = expected;
        assert_eq!(scene.pixel(1, 0), [color, color, color, alpha], "{how}");
    }
}

#[test]
fn the_default_depth_test_is_always_without_write() {
    let mut scene = Scene::new(1, 1);
    scene.target.clear([0; 4], 0.25);
    scene.draw(&screen(0.75, [1.0; 4], NONE), &[]);
    assert_eq!(scene.pixel(0, 0), [255; 4]);
    assert_eq!(scene.target.depth().get(0, 0), Some(0.25));
}

#[test]
fn back_faces_go_when_culling_is_on() {
    // The strip's first triangle runs top left, bottom left, top right: counter-clockwise, the default front.
    let strip = screen(0.5, [1.0; 4], NONE);
    let written = |state: &[(&str, Value)]| {
        let (report, problems) = Scene::new(2, 2).draw(&strip, state);
        (report.stats.written, problems)
    };
    assert_eq!(written(&[]), (4, vec![]));
    assert_eq!(written(&[("cull", Value::Bool(true))]), (4, vec![]));
    assert_eq!(written(&[("cull", Value::Bool(true)), ("front", text("cw"))]), (0, vec![]));
}

#[test]
fn blending_uses_one_pair_of_factors_for_colour_and_alpha() {
    let mut scene = Scene::new(1, 1);
    scene.target.clear([200, 100, 0, 255], 1.0);
    let blend = Table::of(&[("src", text("src_alpha")), ("dst", text("one_minus_src_alpha"))]);
    scene.draw(&screen(0.5, [0.0, 0.0, 1.0, 0.25], NONE), &[("blend", Value::Table(blend))]);
    // 0.75 × the old colour; blue 0.25; alpha 0.25² + 0.75.
    assert_eq!(scene.pixel(0, 0), [150, 75, 64, 207]);
}

#[test]
fn reverse_subtract_takes_the_source_from_the_destination() {
    let mut scene = Scene::new(1, 1);
    scene.target.clear([200, 10, 100, 255], 1.0);
    let blend = Table::of(&[("equation", text("reverse_subtract")), ("dst", text("one"))]);
    let fifth = [51.0 / 255.0, 51.0 / 255.0, 0.0, 0.0];
    scene.draw(&screen(0.5, fifth, NONE), &[("blend", Value::Table(blend))]);
    assert_eq!(scene.pixel(0, 0), [149, 0, 100, 255]);
}

/// S = (51, 102, 153, 204) and D = (204, 153, 102, 102) over 255: S × the factor, and D × the factor.
#[test]
fn every_factor_and_equation_is_what_it_is_called() {
    let source = [0.2, 0.4, 0.6, 0.8];
    let blended = |state: &[(&str, Value)]| {
        let mut scene = Scene::new(1, 1);
        scene.target.clear([204, 153, 102, 102], 1.0);
        scene.draw(&screen(0.5, source, NONE), &[("blend", Value::Table(Table::of(state)))]);
        scene.pixel(0, 0)
    };
    let factors = [
        ("zero", [0; 4], [0; 4]),
        ("one", [51, 102, 153, 204], [204, 153, 102, 102]),
        ("src_color", [10, 41, 92, 163], [41, 61, 61, 82]),
        ("one_minus_src_color", [41, 61, 61, 41], [163, 92, 41, 20]),
        ("src_alpha", [41, 82, 122, 163], [163, 122, 82, 82]),
        ("one_minus_src_alpha", [10, 20, 31, 41], [41, 31, 20, 20]),
        ("dst_alpha", [20, 41, 61, 82], [82, 61, 41, 41]),
        ("one_minus_dst_alpha", [31, 61, 92, 122], [122, 92, 61, 61]),
        ("dst_color", [41, 61, 61, 82], [163, 92, 41, 41]),
        ("one_minus_dst_color", [10, 41, 92, 122], [41, 61, 61, 61]),
    ];
    for (name, of_source, of_destination) in factors {
        assert_eq!(blended(&[("src", text(name)), ("dst", text("zero"))]), of_source, "{name} of S");
        assert_eq!(blended(&[("src", text("zero")), ("dst", text(name))]), of_destination, "{name} of D");
    }
    let equations = [("add", [255; 4]), ("subtract", [0, 0, 51, 102]), ("reverse_subtract", [153, 51, 0, 0])];
    for (name, expected) in equations {
        assert_eq!(blended(&[("equation", text(name)), ("dst", text("one"))]), expected, "{name}");
    }
}

/// The machine kills no fragments, so that any depth test comes before the shading: what it hides has no colour.
#[test]
fn hidden_fragments_are_not_shaded() {
    let mut scene = Scene::new(2, 2);
    scene.draw(&screen(0.5, [1.0; 4], NONE), &[("depth_write", Value::Bool(true))]);
    scene.target.take_notes().unwrap();
    scene.target.notes_mut().unwrap().watched = Some(0);
    for (compare, depth) in [("notequal", 0.5), ("less", 0.75)] {
        scene.draw(&screen(depth, [1.0; 4], NONE), &[("depth_compare", text(compare))]);
        let touch = scene.target.notes().unwrap().touches.last().unwrap();
        assert_eq!((touch.depth, touch.fate, touch.color), (depth, Fate::Hidden(0.5), None), "{compare}");
    }
}

/// Which of the depths 1/4, 1/2 and 3/4 pass where 1/2 is stored.
#[test]
fn every_comparison_is_what_it_is_called() {
    let comparisons = [
        ("never", [0, 0, 0]),
        ("less", [1, 0, 0]),
        ("equal", [0, 1, 0]),
        ("lequal", [1, 1, 0]),
        ("greater", [0, 0, 1]),
        ("notequal", [1, 0, 1]),
        ("gequal", [0, 1, 1]),
        ("always", [1, 1, 1]),
    ];
    for (name, expected) in comparisons {
        let passed = [0.25, 0.5, 0.75].map(|depth| {
            let mut scene = Scene::new(1, 1);
            scene.target.clear([0; 4], 0.5);
            scene.draw(&screen(depth, [1.0; 4], NONE), &[("depth_compare", text(name))]).0.stats.written
        });
        assert_eq!(passed, expected, "{name}");
    }
}

/// Four texels 0, 80, 160, 240 across, looked at 1/8 and 3/8 beyond the edge, and half way between the first two.
#[test]
fn every_sampler_setting_is_what_it_is_called() {
    let pixels = [0, 80, 160, 240].map(|red| [red, 0, 0, 255]).to_vec();
    let texture = Some(Arc::new(Texture::from(Level::from(Image::from_pixels(4, 1, pixels).unwrap()))));
    for unit in [0, 1] {
        let read = |u: f32, filter: &str, wrap: Value| {
            let mut scene = Scene::new(1, 1);
            scene.textures[unit] = texture.clone();
            let vertices = screen(0.5, NONE, NONE)
                .into_iter()
                .map(|[pos, _, col, ocol]| [pos, [u, 0.5, u, 0.5], col, ocol]);
            let sampler = Value::Table(Table::of(&[("filter", text(filter)), ("wrap", wrap)]));
            let sampler = (["sampler0", "sampler1"][unit], sampler);
            // The other unit has no texture, and gives 1.
            let state = [sampler, ("combine_vertex", text("none"))];
            scene.draw(&vertices.collect::<Vec<_>>(), &state);
            scene.pixel(0, 0)[0]
        };
        let wraps = [("clamp", [240, 240]), ("repeat", [0, 80]), ("mirror", [240, 160])];
        for (wrap, expected) in wraps {
            let found = [1.125, 1.375].map(|u| read(u, "nearest", text(wrap)));
            assert_eq!(found, expected, "{wrap}");
        }
        // Across and down have their own.
        let both = |words: [&str; 2]| {
            let settings = words.map(|word| Setting { span: Span::default(), value: text(word) });
            Value::List(settings.to_vec())
        };
        assert_eq!(read(1.125, "nearest", both(["repeat", "clamp"])), 0);
        assert_eq!(read(1.125, "nearest", both(["clamp", "repeat"])), 240);
        assert_eq!([read(0.25, "nearest", text("clamp")), read(0.25, "linear", text("clamp"))], [80, 40]);
    }
}

#[test]
fn textures_combine_and_the_offset_colour_is_added() {
    let mut scene = Scene::new(2, 1);
    let texture = |left: [u8; 4], right: [u8; 4]| {
        let image = Image::from_pixels(2, 1, vec![left, right]).unwrap();
        Some(Arc::new(Texture::from(Level::from(image))))
    };
    scene.textures = vec![
        texture([255, 0, 0, 255], [0, 255, 0, 255]),
        texture([128, 128, 128, 255], [255, 255, 255, 255]),
    ];
    let nearest = || Value::Table(Table::of(&[("filter", text("nearest"))]));
    let state = [("sampler0", nearest()), ("sampler1", nearest())];
    scene.draw(&screen(0.5, [1.0, 1.0, 1.0, 1.0], [0.0, 0.0, 0.2, 0.0]), &state);
    assert_eq!(scene.pixel(0, 0), [128, 0, 51, 255]);
    assert_eq!(scene.pixel(1, 0), [0, 255, 51, 255]);
    // none: the first texture alone, and the vertex colour is not used.
    let state =
        [state.to_vec(), vec![("combine_texture", text("none")), ("combine_vertex", text("none"))]].concat();
    scene.draw(&screen(0.5, [0.0; 4], NONE), &state);
    assert_eq!(scene.pixel(0, 0), [255, 0, 0, 255]);
}

/// Section 8: T0 = (51, 102, 153, 204) and T1 = (102, 51, 204, 153) over 255, with T1.a = 3/5.
///
/// mix is T0 × 2/5 + T1 × 3/5. dot3 is the sum of (2 T0 - 1)(2 T1 - 1): (-3/5)(-1/5) + (-1/5)(-3/5) + (1/5)(3/5) = 9/25.
#[test]
fn every_combination_is_what_it_is_called() {
    let texel = |texel: [u8; 4]| {
        Some(Arc::new(Texture::from(Level::from(Image::from_pixels(1, 1, vec![texel]).unwrap()))))
    };
    let both = [texel([51, 102, 153, 204]), texel([102, 51, 204, 153])];
    let drawn = |textures: &[Option<Arc<Texture>>; 2], key: &str, how: &str, col: [f32; 4]| {
        let mut scene = Scene::new(1, 1);
        scene.textures = textures.to_vec();
        let other = if key == "combine_texture" { "combine_vertex" } else { "combine_texture" };
        scene.draw(&screen(0.5, col, NONE), &[(key, text(how)), (other, text("none"))]);
        scene.pixel(0, 0)
    };
    let table = [
        ("none", [51, 102, 153, 204]),
        ("mul", [20, 20, 122, 122]),
        ("add", [153, 153, 255, 255]),
        ("sub", [0, 51, 0, 51]),
        ("mix", [82, 71, 184, 173]),
        ("dot3", [92, 92, 92, 92]),
    ];
    for (how, expected) in table {
        assert_eq!(drawn(&both, "combine_texture", how, NONE), expected, "{how}");
        // With the vertex colour in the place of T1.
        let col = [0.4, 0.2, 0.8, 0.6];
        assert_eq!(drawn(&both, "combine_vertex", how, col), expected, "{how}");
    }
    // Units without a texture give 1: 1 + 1 is clamped behind the vertex colour, and 1 - 1 is nothing.
    for (how, expected) in [("none", 64), ("mul", 64), ("add", 128), ("sub", 0), ("mix", 64), ("dot3", 191)] {
        let mut scene = Scene::new(1, 1);
        scene.draw(&screen(0.5, [0.25; 4], NONE), &[("combine_texture", text(how))]);
        assert_eq!(scene.pixel(0, 0), [expected; 4], "{how}");
    }
}

/// The offset colour leaves the vertex stage as the other one does: red goes from 0 to 1, and not to 3.
#[test]
fn the_offset_colour_is_clamped_before_interpolation() {
    let mut scene = Scene::new(2, 1);
    let mut vertices = screen(0.5, NONE, [3.0, f32::NAN, -1.0, 0.0]);
    vertices[0][3][0] = 0.0;
    vertices[1][3][0] = 0.0;
    scene.draw(&vertices, &[]);
    assert_eq!([scene.pixel(0, 0), scene.pixel(1, 0)], [[64, 0, 0, 0], [191, 0, 0, 0]]);
}

/// Without settings units read linearly and repeat: half way between 0 and 80, and between 240 and 0.
#[test]
fn the_usual_sampler_is_linear_and_repeats() {
    let pixels = [0, 80, 160, 240].map(|red| [red, 0, 0, 255]).to_vec();
    let texture = Some(Arc::new(Texture::from(Level::from(Image::from_pixels(4, 1, pixels).unwrap()))));
    for unit in [0, 1] {
        let empty = [(["sampler0", "sampler1"][unit], Value::Table(Table::of(&[])))];
        for state in [&[][..], &empty] {
            let read = |u: f32| {
                let mut scene = Scene::new(1, 1);
                scene.textures[unit] = texture.clone();
                let vertices = screen(0.5, [1.0; 4], NONE)
                    .into_iter()
                    .map(|[pos, _, col, ocol]| [pos, [u, 0.5, u, 0.5], col, ocol]);
                scene.draw(&vertices.collect::<Vec<_>>(), state);
                scene.pixel(0, 0)[0]
            };
            assert_eq!([0.25, 1.25, 1.0, -0.25].map(read), [40, 40, 120, 200], "unit {unit}");
        }
    }
}

/// Section 6: "tex.xy -> texture unit 0, tex.zw -> unit 1".
#[test]
fn each_unit_has_its_own_coordinates() {
    let blue = [0, 0, 255, 255];
    let texture = |index: usize, color: [u8; 4]| {
        let mut pixels = vec![blue; 4];
        pixels[index] = color;
        Some(Arc::new(Texture::from(Level::from(Image::from_pixels(2, 2, pixels).unwrap()))))
    };
    let mut scene = Scene::new(1, 1);
    // Unit 0 is to read the lower left texel, unit 1 the upper right one.
    scene.textures = vec![texture(2, [64, 0, 0, 0]), texture(1, [0, 128, 0, 255])];
    let vertices = screen(0.5, NONE, NONE)
        .into_iter()
        .map(|[pos, _, col, ocol]| [pos, [0.25, 0.75, 0.75, 0.25], col, ocol]);
    let nearest = || Value::Table(Table::of(&[("filter", text("nearest"))]));
    let state = [
        ("sampler0", nearest()),
        ("sampler1", nearest()),
        ("combine_texture", text("add")),
        ("combine_vertex", text("none")),
    ];
    scene.draw(&vertices.collect::<Vec<_>>(), &state);
    assert_eq!(scene.pixel(0, 0), [64, 128, 0, 255]);
}

/// A and B are the two texels, and `none` gives A: the second unit is then not looked at.
#[test]
fn a_unit_counts_where_its_texel_does() {
    let reads = |state: &[(&str, Value)]| [0, 1].map(|unit| GPU.reads_texture(unit, &Table::of(state)));
    assert_eq!(reads(&[]), [true, true]);
    assert_eq!(reads(&[("combine_texture", text("none"))]), [true, false]);
    assert_eq!(reads(&[("combine_texture", text("mix")), ("combine_vertex", text("none"))]), [true, true]);
}

#[test]
fn a_viewport_moves_the_picture_and_cuts_it() {
    let mut scene = Scene::new(4, 4);
    let viewport = Value::List(
        [1, 2, 2, 1].map(|int| Setting { span: Span::default(), value: Value::Int(int) }).to_vec(),
    );
    let (report, _) = scene.draw(&screen(0.5, [1.0; 4], NONE), &[("viewport", viewport)]);
    assert_eq!(report.stats.written, 2);
    assert_eq!((scene.pixel(1, 2), scene.pixel(2, 2), scene.pixel(0, 2)), ([255; 4], [255; 4], [0; 4]));
}

#[test]
fn wrong_state_is_reported_and_nothing_is_drawn() {
    let mut scene = Scene::new(1, 1);
    let blend = Table::of(&[("src", text("src_alhpa")), ("factor", Value::Int(1))]);
    let state = [
        ("depth_compare", text("les")),
        ("depth_wriet", Value::Bool(true)),
        ("cull", Value::Int(1)),
        ("blend", Value::Table(blend)),
        ("sampler0", Value::Table(Table::of(&[("wrap", Value::Int(3))]))),
        ("sampler1", Value::Table(Table::of(&[("wrap", text("klamp"))]))),
    ];
    let (report, problems) = scene.draw(&screen(0.5, [1.0; 4], NONE), &state);
    assert_eq!(report, DrawReport::default());
    assert_eq!(scene.pixel(0, 0), [0; 4]);
    let codes: Vec<&str> = problems.iter().map(|problem| problem.code.id).collect();
    assert_eq!(codes, ["R0103", "R0102", "R0103", "R0101", "R0102", "R0103", "R0101"]);
    // A host is told the same.
    let host = scene.with_draw(&screen(0.5, [1.0; 4], NONE), &state, |target, draw| {
        GPU.host_draw(target, draw).map(|_| ()).map_err(|found| found.len())
    });
    assert_eq!(host, Err(codes.len()));
}

#[test]
fn positions_that_are_no_numbers_draw_nothing() {
    for odd in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX] {
        let mut scene = Scene::new(4, 4);
        let mut vertices = screen(0.5, [1.0; 4], NONE);
        vertices[3][0][0] = odd;
        let (report, _) = scene.draw(&vertices, &[]);
        assert!(report.stats.written <= 16, "{odd}");
        let all_odd = vec![[[odd; 4]; 4]; 4];
        Scene::new(4, 4).draw(&all_odd, &[]);
    }
}

/// For a pipeline of the host's GPU: outputs are pos, tex, col and ocol, in this order; colours are clamped.
#[test]
fn a_host_takes_the_outputs_as_the_machine_does() {
    let vertices = screen(0.5, [1.0; 4], [0.0; 4]);
    let draw = Scene::new(2, 2)
        .with_draw(&vertices, &[], |target, draw| GPU.host_draw(target, draw).map_err(|_| "refused"))
        .unwrap();
    assert_eq!((draw.position.output, &*draw.position.text), (0, "value"));
    let varyings: Vec<(u16, bool)> =
        draw.varyings.iter().map(|passed| (passed.output, passed.text == "value")).collect();
    assert_eq!(varyings, [(1, true), (2, false), (3, false)]);
}
