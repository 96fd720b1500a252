//! Draws for the host's GPU: what the shaders of a pipeline get is what the draw path has (spec sections 4, 5 and 8), and what the host
//! does not have is refused. Pictures are compared where there is a GPU (`gpuzoo`'s `host` tests).

use gpuzoo_diag::{Diagnostic, File};
use gpuzoo_ir::{Vec4, vec4};
use gpuzoo_machine::limits::budget::Budget;
use gpuzoo_machine::options::settings::{Setting, Table, Value};
use gpuzoo_machine::target::host::{DepthBits, Fragments, HostDraw};
use gpuzoo_machine::unit::cache::Cache;
use gpuzoo_machine::unit::draw::Draw;
use gpuzoo_machine::{ShaderUnit, TextOptions};
use gpuzoo_nv2a::{GPU, HW};
use gpuzoo_raster::{Filter, MipFilter, Placement, Rounding, Target, Topology, Wrap};

/// A draw of a program in a state, on 8 × 6 pixels, with these constants.
fn drawn(text: &str, state: &[(&str, Value)], constants: &[Vec4]) -> Result<HostDraw, Vec<Diagnostic>> {
    let assembled = GPU.assemble(&File::new("t.vsh", text), &TextOptions::default());
    assert!(assembled.ok(), "{text}: {:?}", assembled.diagnostics);
    let draw = Draw {
        vertex: &assembled.program,
        fragment: None,
        profile: HW,
        vertices: &[],
        layout: &GPU.default_layout(),
        indices: None,
        topology: Topology::TriangleStrip,
        constants,
        fragment_constants: &[],
        carried: &[],
        textures: &[None],
        state: &Table::of(state),
        cache: &Cache::default(),
        budget: &Budget::default(),
    };
    GPU.host_draw(&Target::new(8, 6).unwrap(), &draw)
}

fn word(word: &str) -> Value {
    Value::Text(word.into())
}

fn floats(numbers: [f64; 3]) -> Value {
    let float = |number| Setting { span: Default::default(), value: Value::Float(number) };
    Value::List(numbers.map(float).to_vec())
}

const PLAIN: &str = "mov oPos, v0\nmov oD0, v3\n";

/// Texture coordinates, diffuse and specular colour, fog; the position before them.
#[test]
fn what_is_interpolated() {
    let draw = drawn(PLAIN, &[], &[]).unwrap();
    assert_eq!(draw.varyings.iter().map(|varying| varying.output).collect::<Vec<_>>(), [9, 3, 4, 5]);
    assert_eq!((draw.position.output, draw.varyings[0].text.as_str()), (0, "value"));
    // A NaN is 1, all else is clamped.
    for color in &draw.varyings[1..3] {
        assert!(
            color.text.contains("clamp(value, vec4f(), vec4f(1.0)), vec4f(1.0), value != value"),
            "{}",
            color.text
        );
    }
    // The first component that the last write of oFog enables.
    for (writes, component) in [
        ("", 0),
        ("mov oFog, v0\n", 0),
        ("mov oFog.y, v0\n", 1),
        ("mov oFog.zw, v0\n", 2),
        ("mov oFog.w, v0\n", 3),
        ("mov oFog.z, v0\nmov oFog.w, v0\n", 3),
        ("mov oFog.w, v0\nmov oFog.z, v0\n", 2),
    ] {
        let draw = drawn(&format!("{PLAIN}{writes}"), &[], &[]).unwrap();
        assert_eq!(draw.varyings[3].text, format!("vec4f(value[{component}])"), "{writes}");
    }
    assert_eq!((draw.start, draw.depth, draw.unlike), (vec![], DepthBits::Whole, vec![]));
    assert_eq!(draw.layout.stride, GPU.default_layout().stride);
}

/// Depths in pixels are steps of 2^-24, less one; in clip space they are from 0 to 1. |w| is kept from 2^-64 to 2^64.
#[test]
fn positions_are_those_of_the_draw_path() {
    for (positions, steps, placed) in [("screen", "16777215.0", true), ("clip", "1.0", false)] {
        let draw = drawn(PLAIN, &[("positions", word(positions))], &[]).unwrap();
        assert!(draw.position.text.contains(&format!("value.z / {steps},")), "{}", draw.position.text);
        assert_eq!(draw.rules.placement == Placement::Screen, placed, "{positions}");
        assert_eq!((draw.rules.snap.bits, draw.rules.snap.rounding), (4, Rounding::Truncate));
        let limits = [2f64.powi(-64), 2f64.powi(64)];
        let [least, most] = limits.map(|limit| limit.to_string());
        let numbers =
            draw.position.text.split(|letter: char| !(letter.is_ascii_digit() || ".e-".contains(letter)));
        let found: Vec<f64> = numbers.filter_map(|number| number.parse().ok()).collect();
        assert!(
            limits.iter().all(|limit| found.contains(limit)),
            "{least} to {most}: {}",
            draw.position.text
        );
    }
    assert_eq!(drawn(PLAIN, &[], &[]).unwrap().rules.placement, Placement::Screen);
}

/// c58 and c59 are the driver's, half of 8 and 6 pixels; the others are the scene's, as all are without `viewport_constants`.
#[test]
fn constants_are_the_drivers_and_the_scenes() {
    let given: Vec<Vec4> = (0..62).map(|index| vec4([index as f32; 4])).collect();
    let viewport = [vec4([4.0, -3.0, 16_777_215.0, 0.0]), vec4([4.0, 3.0, 0.0, 0.0])];
    let constants = drawn(PLAIN, &[], &given).unwrap().constants;
    assert_eq!(constants, [&given[..58], &viewport, &given[60..]].concat());
    let constants = drawn(PLAIN, &[], &[]).unwrap().constants;
    assert_eq!(constants, [&[[0; 4]; 58][..], &viewport].concat());
    let own = [("viewport_constants", Value::Bool(false))];
    assert_eq!(drawn(PLAIN, &own, &given).unwrap().constants, given);
}

/// Texel × diffuse + specular, with the texel's alpha × the diffuse one's, and fog between where there is some.
#[test]
fn fragments_do_what_stands_for_the_combiners() {
    let fixed = |state: &[(&str, Value)]| match drawn(PLAIN, state, &[]).unwrap().fragments {
        Fragments::Fixed { declarations, body } => (declarations, body),
        Fragments::Program { .. } => panic!("there are no fragment programs"),
    };
    let (declarations, body) = fixed(&[]);
    let lit = "    let lit = texel0(v0.xy) * v1;\n    let color = lit.rgb + v2.rgb;\n";
    assert_eq!((declarations.as_str(), body), ("", format!("{lit}    return vec4f(color, lit.a);\n")));
    let fog = Table::of(&[
        ("color", floats([0.5, 0.25, 1.0])),
        ("start", Value::Int(2)),
        ("end", Value::Float(7.5)),
    ]);
    let (declarations, body) = fixed(&[("fog", Value::Table(fog))]);
    assert_eq!(body, format!("{lit}    return vec4f(mix_fog(color, v3.x), lit.a);\n"));
    for part in
        ["vec2f(2.0, 7.5)", "vec3f(0.5, 0.25, 1.0)", "fn mix_fog(near: vec3f, coordinate: f32) -> vec3f {"]
    {
        assert_eq!(declarations.matches(part).count(), 1, "{part}: {declarations}");
    }
}

/// One texture, of which the largest level is read; without one a texel is white.
#[test]
fn the_texture_is_read_as_the_state_says() {
    let unit = |state: &[(&str, Value)]| {
        let draw = drawn(PLAIN, state, &[]).unwrap();
        let [unit] = &draw.units[..] else { panic!("{:?}", draw.units) };
        assert_eq!((unit.mips, unit.nothing), (MipFilter::Base, 255));
        (unit.sampler.filter, unit.sampler.wrap)
    };
    assert_eq!(unit(&[]), (Filter::Linear, [Wrap::Repeat; 2]));
    assert_eq!(
        unit(&[("filter", word("nearest")), ("wrap", word("mirror"))]),
        (Filter::Nearest, [Wrap::Mirror; 2])
    );
}

#[test]
fn states_that_are_wrong_or_not_the_hosts_are_refused() {
    let codes = |state: &[(&str, Value)]| {
        let problems = drawn(PLAIN, state, &[]).err();
        problems.map(|problems| problems.iter().map(|problem| problem.code.id).collect::<Vec<_>>())
    };
    assert_eq!(codes(&[("carry_over", Value::Bool(true))]), Some(vec!["R0801"]));
    assert_eq!(codes(&[("carry_over", Value::Bool(false))]), None);
    for wrong in [("range", word("everything")), ("cull", word("up")), ("carry_over", word("yes"))] {
        let codes = codes(std::slice::from_ref(&wrong)).unwrap_or_default();
        assert!(!codes.is_empty() && !codes.contains(&"R0801"), "{}: {codes:?}", wrong.0);
    }
    // The modes are the state's.
    let draw = drawn(PLAIN, &[("range", word("user")), ("constants", word("read-only"))], &[]).unwrap();
    assert_eq!([0, 1, 2].map(|mode| draw.modes.choice(mode)), [1, 1, 0]);
}
