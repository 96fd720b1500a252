//! Draws for a pipeline of the host's GPU: what they say of the machine (points 7 to 10, 24 and 25 of the specification, and section G4).

use crate::pipeline::{Scene, cleared, program, text};
use gpuzoo_ir::vec4;
use gpuzoo_machine::options::settings::{Table, Value};
use gpuzoo_machine::target::host::{DepthBits, Fragments, HostDraw};
use gpuzoo_machine::{Modes, ShaderUnit};
use gpuzoo_raster::{
    ColorRounding, Compare, DepthTest, Filter, MipFilter, Rounding, Sample, Sides, Snap, Wrap,
};
use gpuzoo_servaru::GPU;

fn host(scene: &Scene) -> Result<HostDraw, Vec<String>> {
    let draw = scene.with_draw(|draw| GPU.host_draw(&cleared(), draw));
    draw.map_err(|problems| problems.into_iter().map(|problem| problem.message).collect())
}

/// P9 is the position, P10 to P15 are the varyings; nine inputs, of which some are missing; depths are floats.
#[test]
fn what_a_vertex_program_leaves_goes_on_as_it_is() {
    let draw = host(&Scene::full(0.5, None)).unwrap();
    assert_eq!((draw.position.output, &*draw.position.text), (9, "value"));
    let varyings: Vec<(u16, &str)> =
        draw.varyings.iter().map(|passed| (passed.output, &*passed.text)).collect();
    assert_eq!(varyings, [10, 11, 12, 13, 14, 15].map(|output| (output, "value")));
    let mut inputs: Vec<u16> = draw.layout.attributes.iter().map(|attribute| attribute.input).collect();
    inputs.sort_unstable();
    assert_eq!((draw.layout.stride, inputs), (48, (0..9).collect()));
    assert_eq!((draw.modes, draw.start.len(), draw.depth), (Modes::default(), 0, DepthBits::Whole));
    assert_eq!(draw.unlike, [""; 0]);
    let constants = vec![vec4([1.0, 2.0, 3.0, 4.0]), vec4([5.0; 4])];
    assert_eq!(
        host(&Scene { vertex_constants: constants.clone(), ..Scene::full(0.5, None) }).unwrap().constants,
        constants
    );
}

/// Sections G1 and G4: s24.8, half away from zero; cut at the sides, in front and behind; colours cut off; tested with LESS.
#[test]
fn the_rules_and_the_state_are_the_machines() {
    let draw = host(&Scene::full(0.5, None)).unwrap();
    assert_eq!(draw.rules.snap, Snap { bits: 8, rounding: Rounding::NearestAway });
    let clip = draw.rules.clip;
    assert_eq!((clip.sides, clip.near, clip.far), (Sides::Cut, true, true));
    assert_eq!((draw.rules.sample, draw.rules.color), (Sample::Corner, ColorRounding::Truncate));
    assert_eq!(draw.state.depth, Some(DepthTest { compare: Compare::Less, write: true }));
    // What the ROP would do is nothing that the host need know.
    assert!(draw.state.rop.is_none());
    let state = Table::of(&[("sample", text("centre")), ("depth_test", Value::Bool(false))]);
    let draw = host(&Scene { state, ..Scene::full(0.5, None) }).unwrap();
    assert_eq!((draw.rules.sample, draw.state.depth), (Sample::Centre, None));
}

#[test]
fn four_units_read_as_the_scene_says() {
    let sampler = Table::of(&[("filter", text("nearest")), ("mip", text("linear")), ("wrap", text("clamp"))]);
    let state = Table::of(&[("sampler2", Value::Table(sampler))]);
    let units = host(&Scene { state, ..Scene::full(0.5, None) }).unwrap().units;
    assert_eq!(units.len(), 4);
    for (number, unit) in units.iter().enumerate() {
        let read = (unit.sampler.filter, unit.sampler.wrap, unit.mips);
        let expected = match number {
            2 => (Filter::Nearest, [Wrap::Clamp; 2], MipFilter::Linear),
            _ => (Filter::Linear, [Wrap::Repeat; 2], MipFilter::Ceiling),
        };
        // A unit without texture gives zeros.
        assert_eq!((read, unit.nothing), (expected, 0), "{number}");
    }
}

#[test]
fn fragments_find_their_varyings_and_their_place() {
    let Fragments::Fixed { declarations, body } = host(&Scene::full(0.5, None)).unwrap().fragments else {
        panic!("a program")
    };
    assert_eq!((&*declarations, body.trim()), ("", "return v0;"));
    // What `ZTS` tests counts, whatever else is written; only x of P10 is a depth.
    for (program, expected) in [
        ("MOV P9, 1", None),
        ("MOV P9, 1\nMOV P10.x, P0", Some(10)),
        ("MOV P9, 1\nMOV P10, P0", Some(10)),
        ("MOV P9, 1\nMOV P10.yzw, P0", None),
        ("MOV P9, 1\nZTS P0.x", Some(16)),
        ("ZTS P0.x\nMOV P10, 0", Some(16)),
    ] {
        let draw = host(&Scene::full(0.5, Some(program))).unwrap();
        let Fragments::Program { inputs, color, depth, corners } = draw.fragments else {
            panic!("{program}")
        };
        let inputs: Vec<(u16, &str)> = inputs.iter().map(|(input, text)| (*input, &**text)).collect();
        assert_eq!(inputs, [(0, "v0"), (1, "v1"), (2, "v2"), (3, "v3"), (4, "v4"), (5, "v5"), (8, "place")]);
        assert_eq!((color, depth, corners), (9, expected, None), "{program}");
    }
}

/// What fails on the machine, and what the host does not do.
#[test]
fn draws_that_are_refused() {
    let refused = |scene: &Scene| host(scene).unwrap_err();
    let fragment = Scene::full(0.5, Some("MOV P9, 1\nEXC"));
    assert_eq!(refused(&fragment), ["`EXC` at pc 1, word 0000000000000000"]);
    let vertex = Scene { vertex: program("MOV P9, P0\nEXC"), ..fragment };
    assert_eq!(refused(&vertex), ["`EXC` at pc 1, word 0000000000000000"; 2]);
    let of = |key: &str, value: Value| {
        refused(&Scene { state: Table::of(&[(key, value)]), ..Scene::full(0.5, None) })
    };
    assert_eq!(of("sampel", text("corner")), ["there is no setting `sampel` here"]);
    for target in ["Y8", "RGB16"] {
        assert_eq!(of("target", text(target)), ["the host's GPU has no target with fewer bits (`target`)"]);
    }
    let add = || Value::Table(Table::of(&[("equation", text("add")), ("dst", Value::Int(256))]));
    for key in ["blend", "blend_alpha"] {
        assert_eq!(of(key, add()), ["the host's GPU has no blending in integers (`blend`)"]);
    }
    let plain = Scene { state: Table::of(&[("target", text("ARGB32"))]), ..Scene::full(0.5, None) };
    assert!(host(&plain).is_ok());
}
