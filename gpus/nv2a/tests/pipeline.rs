//! The draw path, against the rules of spec sections 4, 5 and 8, on targets small enough to count pixels by hand.

use gpuzoo_diag::{Diagnostic, File, Span};
use gpuzoo_isa::Profile;
use gpuzoo_machine::limits::budget::Budget;
use gpuzoo_machine::options::settings::{Setting, Table, Value};
use gpuzoo_machine::unit::cache::Cache;
use gpuzoo_machine::unit::draw::{Draw, DrawReport};
use gpuzoo_machine::unit::layout::{Attribute, Layout};
use gpuzoo_machine::{Gpu, ShaderUnit, TextOptions};
use gpuzoo_nv2a::{CPU, GPU, HW};
use gpuzoo_raster::{Image, Level, Target, Texture, Topology};
use std::sync::Arc;

/// v0 to v2, four floats each. Positions are pixels.
type Vertex = [[f32; 4]; 3];

const WHITE: [f32; 4] = [1.0; 4];

/// Fog in black, none at 0 and all at 1.
fn fog() -> (&'static str, Value) {
    fog_of([0.0; 3], 0, 1)
}

fn fog_of(color: [f64; 3], start: i64, end: i64) -> (&'static str, Value) {
    let color = color.map(|component| Setting { span: Span::default(), value: Value::Float(component) });
    (
        "fog",
        Value::Table(Table::of(&[
            ("color", Value::List(color.to_vec())),
            ("start", Value::Int(start)),
            ("end", Value::Int(end)),
        ])),
    )
}

/// A texture of one row.
fn row(pixels: &[[u8; 4]]) -> Option<Arc<Texture>> {
    let image = Image::from_pixels(pixels.len() as u32, 1, pixels.to_vec()).unwrap();
    Some(Arc::new(Texture::from(Level::from(image))))
}

/// A strip over a target of 2 × 2 pixels.
fn screen(v1: [f32; 4], v2: [f32; 4]) -> [Vertex; 4] {
    [(0.0, 0.0), (0.0, 2.0), (2.0, 0.0), (2.0, 2.0)].map(|(x, y)| [[x, y, 0.0, 1.0], v1, v2])
}

fn draw(
    target: &mut Target,
    text: &str,
    vertices: &[Vertex],
    state: &[(&str, Value)],
    carried: &[gpuzoo_ir::Vec4],
) -> (DrawReport, Vec<Diagnostic>) {
    textured(target, text, vertices, state, carried, None)
}

fn textured(
    target: &mut Target,
    text: &str,
    vertices: &[Vertex],
    state: &[(&str, Value)],
    carried: &[gpuzoo_ir::Vec4],
    texture: Option<Arc<Texture>>,
) -> (DrawReport, Vec<Diagnostic>) {
    with_cache(target, text, vertices, state, carried, texture, (HW, &Cache::default()))
}

fn with_cache(
    target: &mut Target,
    text: &str,
    vertices: &[Vertex],
    state: &[(&str, Value)],
    carried: &[gpuzoo_ir::Vec4],
    texture: Option<Arc<Texture>>,
    (profile, cache): (Profile, &Cache),
) -> (DrawReport, Vec<Diagnostic>) {
    let program = GPU.assemble(&File::new("t.vsh", text), &TextOptions::default());
    assert!(program.ok(), "{:?}", program.diagnostics);
    let format = GPU.about().vertex_formats.iter().find(|format| format.name == "FLOAT4").unwrap();
    let attributes = (0..3).map(|input| Attribute { input, offset: u32::from(input) * 16, format });
    let layout = Layout { stride: 48, attributes: attributes.collect() };
    let bytes: Vec<u8> =
        vertices.iter().flatten().flatten().flat_map(|component| component.to_le_bytes()).collect();
    let mut all = state.to_vec();
    if !all.iter().any(|(key, _)| *key == "positions") {
        all.push(("viewport_constants", Value::Bool(false)));
    }
    let state = Table::of(&all);
    let draw = Draw {
        vertex: &program.program,
        fragment: None,
        profile,
        vertices: &bytes,
        layout: &layout,
        indices: None,
        topology: Topology::TriangleStrip,
        constants: &[],
        fragment_constants: &[],
        carried,
        textures: &[texture],
        state: &state,
        cache,
        budget: &Budget::default(),
    };
    let mut problems = Vec::new();
    let report = GPU.draw(target, &draw, &mut problems).unwrap();
    (report, problems)
}

fn pixel(target: &Target) -> [u8; 4] {
    target.color().get(1, 1).unwrap()
}

#[test]
fn fog_is_the_first_component_that_was_enabled() {
    // Consoles: `mov oFog.yw, c` uses y, `mov oFog.w, c` uses w (spec section 4). The components hold 0, 0.2, 0.4, 1.
    for (mask, left) in [("", 255), (".x", 255), (".yw", 204), (".zw", 153), (".w", 0)] {
        let mut target = Target::new(2, 2).unwrap();
        let text = format!("mov oPos, v0\nmov oD0, v1\nmov oFog{mask}, v2\n");
        let vertices = screen(WHITE, [0.0, 0.2, 0.4, 1.0]);
        let (report, problems) = draw(&mut target, &text, &vertices, &[fog()], &[]);
        assert_eq!((report.stats.written, problems.len()), (4, 0));
        assert_eq!(pixel(&target), [left, left, left, 255], "{mask}");
    }
    // Of two writes the last one says which: `mov oFog.z, v2; mov oFog.w, v2` uses w, the other order z.
    for (masks, left) in [([".z", ".w"], 0), ([".w", ".z"], 153)] {
        let mut target = Target::new(2, 2).unwrap();
        let writes = masks.map(|mask| format!("mov oFog{mask}, v2\n")).concat();
        let text = format!("mov oPos, v0\nmov oD0, v1\n{writes}");
        draw(&mut target, &text, &screen(WHITE, [0.0, 0.2, 0.4, 1.0]), &[fog()], &[]);
        assert_eq!(pixel(&target), [left, left, left, 255], "{masks:?}");
    }
}

/// Texture × diffuse + specular, then fog; alpha is the texture's × diffuse's. In 255ths: (51, 102, 153, 204) ×
/// (1/2, 1/2, 1, 1/2) + (1/10, 1/5, 0) is (51, 102, 153, 102).
#[test]
fn colours_come_together() {
    let drawn = |fog: f32, state: &[(&str, Value)]| {
        let mut target = Target::new(2, 2).unwrap();
        target.clear([200, 100, 0, 255], 1.0);
        let text = "mov oPos, v0\nmov oD0, v1\nmov oD1, v2\nmov oFog.w, v2\n";
        let vertices = screen([0.5, 0.5, 1.0, 0.5], [0.1, 0.2, 0.0, fog]);
        let texture = row(&[[51, 102, 153, 204]]);
        let (report, problems) = textured(&mut target, text, &vertices, state, &[], texture);
        assert_eq!((report.stats.written, report.vertices, report.runs, problems), (4, 4, 4, vec![]));
        pixel(&target)
    };
    assert_eq!(drawn(2.0, &[]), [51, 102, 153, 102]);
    // From 1 to 3: nothing, half of each, and nothing but fog; no more of it at 9, where 4 × 51 - 3 × 153 is negative.
    let fog = [fog_of([1.0, 0.0, 0.2], 1, 3)];
    assert_eq!([0.0, 1.0].map(|at| drawn(at, &fog)), [[51, 102, 153, 102]; 2]);
    assert_eq!(drawn(2.0, &fog), [153, 51, 102, 102]);
    assert_eq!([3.0, 9.0].map(|at| drawn(at, &fog)), [[255, 0, 51, 102]; 2]);
    // At no distance there is none (pgraph, 2.7: the factor of NaN is 1).
    assert_eq!(drawn(f32::NAN, &fog), [51, 102, 153, 102]);
    // 2/5 of it, and 3/5 of (200, 100, 0, 255).
    assert_eq!(drawn(2.0, &[("alpha_blend", Value::Bool(true))]), [140, 101, 61, 194]);
}

/// Texels 0, 80, 160, 240 across. Coordinates are those of oT0.
#[test]
fn textures_are_read_as_the_state_says() {
    let read = |u: f32, state: &[(&str, Value)]| {
        let mut target = Target::new(2, 2).unwrap();
        let texture = row(&[0, 80, 160, 240].map(|red| [red, 0, 0, 255]));
        let text = "mov oPos, v0\nmov oD0, v1\nmov oT0, v2\n";
        textured(&mut target, text, &screen(WHITE, [u, 0.5, 0.0, 1.0]), state, &[], texture);
        pixel(&target)[0]
    };
    let word = |word: &str| Value::Text(word.into());
    let nearest = ("filter", word("nearest"));
    // Half way between two texels, and 1/8 and 3/8 beyond the edge.
    assert_eq!([read(0.25, &[]), read(0.25, std::slice::from_ref(&nearest))], [40, 80]);
    for (wrap, expected) in [("clamp", [240, 240]), ("repeat", [0, 80]), ("mirror", [240, 160])] {
        let state = [nearest.clone(), ("wrap", word(wrap))];
        assert_eq!([1.125, 1.375].map(|u| read(u, &state)), expected, "{wrap}");
    }
    assert_eq!(read(1.125, &[nearest]), 0);
}

/// 2^24 - 1 steps are 1. By default what is not farther passes, and its depth is stored.
#[test]
fn depths_are_those_of_24_bits() {
    let text = "mov oPos, v0\nmov oD0, v1\n";
    for (depth, state, expected) in [
        (0.25, None, (4, 0.25)),
        (0.5, None, (4, 0.5)),
        (0.75, None, (0, 0.5)),
        (0.25, Some(("depth_write", Value::Bool(false))), (4, 0.5)),
        (0.75, Some(("depth_compare", Value::Text("greater".into()))), (4, 0.75)),
    ] {
        let mut target = Target::new(2, 2).unwrap();
        target.clear([0; 4], 0.5);
        let vertices =
            screen(WHITE, WHITE).map(|[[x, y, _, w], v1, v2]| [[x, y, depth * 16_777_215.0, w], v1, v2]);
        let (report, _) = draw(&mut target, text, &vertices, state.as_slice(), &[]);
        assert_eq!((report.stats.written, target.depth().get(1, 1).unwrap()), expected, "{depth}");
    }
}

#[test]
fn outputs_carry_over_from_draw_to_draw_if_asked() {
    let mut target = Target::new(2, 2).unwrap();
    let vertices = screen([0.0, 1.0, 0.0, 1.0], WHITE);
    let (first, _) = draw(&mut target, "mov oPos, v0\nmov oD0, v1\n", &vertices, &[], &[]);
    assert_eq!(first.outputs[3].map(f32::from_bits), [0.0, 1.0, 0.0, 1.0]);
    assert_eq!(first.outputs[4].map(f32::from_bits), [0.0, 0.0, 0.0, 1.0]);
    let silent = "mov oPos, v0\n";
    draw(&mut target, silent, &vertices, &[], &first.outputs);
    assert_eq!(pixel(&target), [0, 0, 0, 255]);
    let carry = ("carry_over", Value::Bool(true));
    let (second, _) = draw(&mut target, silent, &vertices, &[carry], &first.outputs);
    assert_eq!(pixel(&target), [0, 255, 0, 255]);
    assert_eq!(second.outputs[3], first.outputs[3]);
}

/// What a draw leaves is what its last vertex wrote.
#[test]
fn the_last_vertex_counts() {
    let mut vertices = screen([0.0, 1.0, 0.0, 1.0], WHITE);
    vertices[3][1] = [0.25, 0.5, 0.75, 1.0];
    let (report, _) =
        draw(&mut Target::new(2, 2).unwrap(), "mov oPos, v0\nmov oD0, v1\n", &vertices, &[], &[]);
    assert_eq!(report.outputs[3].map(f32::from_bits), [0.25, 0.5, 0.75, 1.0]);
    assert_eq!(report.outputs[0].map(f32::from_bits), [2.0, 2.0, 0.0, 1.0]);
}

/// Draws of a scene share what was made of their programs: one that starts with other outputs, or in another mode, is another.
#[test]
fn draws_with_one_cache_differ_by_what_they_start_with() {
    let cache = Cache::default();
    let carry = [("carry_over", Value::Bool(true))];
    let vertices = screen(WHITE, WHITE);
    let drawn = |carried: &[[f32; 4]], state: &[(&str, Value)]| {
        let carried: Vec<_> = carried.iter().map(|output| output.map(f32::to_bits)).collect();
        let mut target = Target::new(2, 2).unwrap();
        with_cache(&mut target, "mov oPos, v0\n", &vertices, state, &carried, None, (HW, &cache));
        pixel(&target)
    };
    let start = [0.0, 0.0, 0.0, 1.0];
    let left = |diffuse: [f32; 4]| [start, start, start, diffuse];
    assert_eq!(drawn(&left([0.0, 1.0, 0.0, 1.0]), &carry), [0, 255, 0, 255]);
    assert_eq!(drawn(&left([1.0, 0.0, 0.0, 1.0]), &carry), [255, 0, 0, 255]);
    assert_eq!(drawn(&left([1.0, 0.0, 0.0, 1.0]), &[]), [0, 0, 0, 255]);
    let codes = |mode: &str| {
        let state = [("constants", Value::Text(mode.into()))];
        let mut target = Target::new(2, 2).unwrap();
        let text = "mov oPos, v0\nmov c5, v1\n";
        let (_, problems) = with_cache(&mut target, text, &vertices, &state, &[], None, (HW, &cache));
        problems.iter().map(|problem| problem.code.id).collect::<Vec<_>>()
    };
    assert_eq!([codes("writable"), codes("read-only")], [vec![], vec!["N0601"]]);
}

/// A power of 0 of 0: 1 on consoles, 0 in the emulator (spec section 6).
#[test]
fn draws_with_one_cache_differ_by_profile() {
    let cache = Cache::default();
    let blue = |profile| {
        let mut target = Target::new(2, 2).unwrap();
        let text = "mov oPos, v0\nlit oD0, v1\n";
        let vertices = screen([1.0, 0.0, 0.0, 0.0], WHITE);
        with_cache(&mut target, text, &vertices, &[], &[], None, (profile, &cache));
        pixel(&target)[2]
    };
    assert_eq!([blue(HW), blue(CPU), blue(HW)], [255, 0, 255]);
}

#[test]
fn colours_are_clamped_and_nan_is_one() {
    let mut target = Target::new(2, 2).unwrap();
    let vertices = screen([7.0, -1.0, f32::NAN, 1.0], WHITE);
    draw(&mut target, "mov oPos, v0\nmov oD0, v1\n", &vertices, &[], &[]);
    assert_eq!(pixel(&target), [255, 0, 255, 255]);
}

#[test]
fn positions_are_truncated_to_a_sixteenth() {
    // An edge at 0.5 + 1/17 truncates to 0.5, where it takes the centres of the left column; at 0.5 + 1/16 it does not.
    for (left, written) in [(0.5 + 1.0 / 17.0, 4), (0.5 + 1.0 / 16.0, 2)] {
        let mut target = Target::new(2, 2).unwrap();
        let vertices = screen(WHITE, WHITE).map(|[[x, y, z, w], v1, v2]| [[x.max(left), y, z, w], v1, v2]);
        let (report, _) = draw(&mut target, "mov oPos, v0\nmov oD0, v1\n", &vertices, &[], &[]);
        assert_eq!(report.stats.written, written);
    }
}

#[test]
fn modes_and_reads_out_of_range_are_reported() {
    let mut target = Target::new(2, 2).unwrap();
    let mode = ("constants", Value::Text("read-only".into()));
    let text = "mov oPos, v0\narl a0, v2\nmov c5, v1\nmov oD0, c[a0+100]\n";
    let (report, problems) =
        draw(&mut target, text, &screen(WHITE, [92.0; 4]), std::slice::from_ref(&mode), &[]);
    assert_eq!(problems.iter().map(|problem| problem.code.id).collect::<Vec<_>>(), ["N0601", "R0702"]);
    assert_eq!((pixel(&target), report.stats.written), ([0, 0, 0, 0], 4));
    // A look at the state alone reports neither, and an unknown choice is an error.
    assert_eq!(draw(&mut target, text, &[], &[mode], &[]).1, []);
    let wrong = ("range", Value::Text("everything".into()));
    assert_eq!(draw(&mut target, text, &[], std::slice::from_ref(&wrong), &[]).1[0].code.id, "R0103");
    // With such an error nothing runs.
    let (report, problems) = draw(&mut target, text, &screen(WHITE, WHITE), &[wrong], &[]);
    assert_eq!((report, problems.len()), (DrawReport::default(), 1));
    // So it is with a setting that there is not.
    let unknown = ("viewprot", Value::Int(1));
    let (report, problems) = draw(&mut target, text, &screen(WHITE, WHITE), &[unknown], &[]);
    let codes: Vec<_> = problems.iter().map(|problem| problem.code.id).collect();
    assert_eq!((report, codes), (DrawReport::default(), vec!["R0101"]));
}

#[test]
fn programs_may_leave_the_way_to_the_screen_to_the_driver() {
    let clip: [Vertex; 4] = [(-1.0, 1.0), (-1.0, -1.0), (1.0, 1.0), (1.0, -1.0)]
        .map(|(x, y)| [[x * 3.0, y * 3.0, 1.5, 3.0], [0.0, (y + 1.0) / 2.0, 0.0, 1.0], WHITE]);
    let text = "mov oPos, v0\nmov oD0, v1\n";
    let mut target = Target::new(2, 2).unwrap();
    let state = |positions: &str| [("positions", Value::Text(positions.into()))];
    let (report, problems) = draw(&mut target, text, &clip, &state("clip"), &[]);
    assert_eq!((report.stats.written, problems), (4, vec![]));
    // Up is up: centres lie at 3/4 and 1/4 of the height.
    assert_eq!(target.color().get(0, 0), Some([0, 191, 0, 255]));
    assert_eq!(target.color().get(0, 1), Some([0, 64, 0, 255]));
    assert_eq!(target.depth().get(0, 0), Some(0.5));
    // One that has come to the screen itself goes there twice, which is reported.
    let twice = format!("{text}mul oPos.xyz, r12, c58 + rcc r1.x, r12.w\nmad oPos.xyz, r12, r1.x, c59\n");
    let (_, problems) = draw(&mut target, &twice, &clip, &state("clip"), &[]);
    assert_eq!(problems.iter().map(|problem| problem.code.id).collect::<Vec<_>>(), ["N0604"]);
    // As pixels they lie elsewhere, and the likely error is reported.
    let (_, problems) = draw(&mut target, text, &clip, &state("screen"), &[]);
    assert_eq!(problems.iter().map(|problem| problem.code.id).collect::<Vec<_>>(), ["N0603"]);
}

/// Spec section 5: without a scene, clip space leads to pixels by the driver, by the program, or by its matrix.
#[test]
fn a_starter_leads_to_pixels() {
    let starter = |text: &str| {
        let assembled = GPU.assemble(&File::new("t", text), &TextOptions::default());
        assert!(assembled.ok(), "{text}{:?}", assembled.diagnostics);
        let starter = GPU.starter(&assembled.program, (640, 480));
        assert_eq!(starter.own_constants, [58, 59]);
        (starter.to_screen, starter.state)
    };
    assert_eq!(starter("mov oPos, v0"), (None, vec![("positions", "\"clip\"")]));
    assert_eq!(starter("mad oPos, v0, c58, v0"), (None, vec![]));
    assert_eq!(starter("mad oPos, v0, c59, v0"), (None, vec![]));
    assert_eq!(starter("mov oPos, v0\nmov oD0, c60"), (None, vec![("positions", "\"clip\"")]));
    let columns = [
        [320.0, 0.0, 0.0, 0.0],
        [0.0, -240.0, 0.0, 0.0],
        [0.0, 0.0, 16_777_215.0, 0.0],
        [320.0, 240.0, 0.0, 1.0],
    ];
    let divides = "rcc r0.x, v0.w\nmul oPos, v0, r0.x";
    assert_eq!(starter(divides), (Some(columns), vec![("viewport_constants", "false")]));
    assert_eq!(starter("rcc r0.x, v0.w\nmad oPos, v0, c58, r0.x"), (None, vec![]));
}

/// c58 is (width / 2, -height / 2, 2^24 - 1, 0) and c59 (width / 2, height / 2, 0, 0): the usual two slots lead from clip
/// space to pixels.
#[test]
fn the_driver_sets_the_constants_of_the_viewport() {
    let vertices: [Vertex; 4] = [(-1.0, 1.0), (-1.0, -1.0), (1.0, 1.0), (1.0, -1.0)]
        .map(|(x, y)| [[x * 2.0, y * 2.0, 1.0, 2.0], [(x + 1.0) / 2.0, (y + 1.0) / 2.0, 0.0, 1.0], WHITE]);
    let text =
        "mov oPos, v0\nmov oD0, v1\nmul oPos.xyz, r12, c58 + rcc r1.x, r12.w\nmad oPos.xyz, r12, r1.x, c59\n";
    let mut target = Target::new(4, 2).unwrap();
    let positions = [("positions", Value::Text("screen".into()))];
    let (report, problems) = draw(&mut target, text, &vertices, &positions, &[]);
    assert_eq!((report.stats.written, problems), (8, vec![]));
    // Centres lie at 1/8 and 7/8 of the width, at 3/4 and 1/4 of the height.
    let corners = [(0, 0), (3, 0), (0, 1), (3, 1)].map(|(x, y)| target.color().get(x, y).unwrap());
    assert_eq!(corners, [[32, 191, 0, 255], [223, 191, 0, 255], [32, 64, 0, 255], [223, 64, 0, 255]]);
    assert_eq!(target.depth().get(2, 1), Some(0.5));
}

#[test]
fn a_state_program_cannot_be_drawn() {
    let mut target = Target::new(2, 2).unwrap();
    let codes = |problems: &[Diagnostic]| problems.iter().map(|problem| problem.code.id).collect::<Vec<_>>();
    let text = "mov r0, v0\nmov c5, r0\n";
    let (report, problems) = draw(&mut target, text, &screen(WHITE, WHITE), &[], &[]);
    assert_eq!((report, codes(&problems)), (DrawReport::default(), vec!["N0605"]));
    // A look at the state is enough.
    let (_, problems) = draw(&mut target, text, &[], &[], &[]);
    assert_eq!(codes(&problems), ["N0605"]);
    let place = problems[0].span().unwrap();
    assert_eq!(&text[place.start as usize..place.end as usize], "mov c5, r0");
    // So is a vertex program that the draw launches as one.
    let state = [("program", Value::Text("state".into()))];
    let (_, problems) = draw(&mut target, "mov oPos, v0\n", &[], &state, &[]);
    assert_eq!(codes(&problems), ["N0605"]);
}
