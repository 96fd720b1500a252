//! The draw path, against the rules of spec sections 4, 5 and 8, on targets small enough to count pixels by hand.

use gpuzoo_diag::{Diagnostic, File, Span};
use gpuzoo_machine::TextOptions;
use gpuzoo_machine::budget::Budget;
use gpuzoo_machine::cache::Cache;
use gpuzoo_machine::draw::{Draw, DrawReport};
use gpuzoo_machine::layout::{Attribute, Layout};
use gpuzoo_machine::settings::{Setting, Table, Value};
use gpuzoo_machine::{Gpu, ShaderUnit};
use gpuzoo_nv2a::{GPU, HW};
use gpuzoo_raster::{Target, Topology};

/// v0 to v2, four floats each. Positions are pixels.
type Vertex = [[f32; 4]; 3];

const WHITE: [f32; 4] = [1.0; 4];

/// Fog in black, none at 0 and all at 1.
fn fog() -> (&'static str, Value) {
    let black = vec![Setting { span: Span::default(), value: Value::Float(0.0) }; 3];
    (
        "fog",
        Value::Table(Table::of(&[
            ("color", Value::List(black)),
            ("start", Value::Int(0)),
            ("end", Value::Int(1)),
        ])),
    )
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
        profile: HW,
        vertices: &bytes,
        layout: &layout,
        indices: None,
        topology: Topology::TriangleStrip,
        constants: &[],
        fragment_constants: &[],
        carried,
        textures: &[],
        state: &state,
        cache: &Cache::default(),
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
    assert_eq!(draw(&mut target, text, &[], &[wrong], &[]).1[0].code.id, "R0103");
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
