//! Conformance data of rasterizers and samplers that are not ours; `tests/data` holds the files.

use crate::common::{counts, screen_rules};
use gpuzoo_raster::*;
use serde_json::Value;

fn records(text: &str) -> impl Iterator<Item = Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a record a line"))
}

/// Triangles in 24.8 fixed point by the top-left rule with samples at the corners of pixels, on 64 × 64 pixels: whether
/// the winding drops them, and the spans of the rows.
#[test]
fn triangles_24_8() {
    let rules = Rules {
        sample: Sample::Corner,
        snap: Snap { bits: 8, rounding: Rounding::NearestAway },
        ..screen_rules()
    };
    let mut count = 0;
    for record in records(include_str!("../data/triangles_24_8.jsonl")) {
        let corner = |i: usize| [0, 1].map(|axis| record["tri"][i][axis].as_i64().unwrap() as f32 / 256.0);
        let positions: Vec<_> = (0..3).map(corner).map(|[x, y]| [x, y, 0.5, 1.0]).collect();
        let mut target = Target::new(64, 64).unwrap();
        let state = State { cull: Cull::Back, front: Winding::Clockwise, ..State::sized(64, 64) };
        let vertices = Vertices::new(&positions, &[], 0).unwrap();
        let triangle = Primitives::all(Topology::TriangleList);
        let stats = draw(&mut target, &rules, &state, vertices, triangle, &crate::common::white());
        assert_eq!(stats.culled == 1, record["culled"].as_bool().unwrap(), "{record}");
        let mut expected = vec![[0; 4]; 64 * 64];
        for span in record["spans"].as_array().unwrap() {
            let [y, first, last] = [0, 1, 2].map(|i| span[i].as_u64().unwrap() as usize);
            expected[y * 64 + first..=y * 64 + last].fill([255; 4]);
        }
        assert_eq!(target.color().pixels(), expected, "{record}");
        count += 1;
    }
    assert_eq!(count, 200);
    // The same triangle list at once gives each its own winding, too.
    let (_, stats) = counts(&rules, Topology::TriangleList, &[[0.0, 0.0], [8.0, 0.0], [0.0, 8.0]], [64, 64]);
    assert_eq!(stats.fragments, 8 * 9 / 2);
}

fn single(value: &Value) -> f32 {
    f32::from_bits(u32::from_str_radix(value.as_str().unwrap(), 16).unwrap())
}

/// Texture reads by the rules of GL, nearest and linear, with all three wrap modes.
#[test]
fn sampling() {
    let text = include_str!("../data/sampling.jsonl");
    let first = records(text).next().unwrap();
    let components: Vec<f32> = first["data"].as_array().unwrap().iter().map(single).collect();
    let texels = Texels::Float(components.as_chunks::<4>().0.to_vec());
    let texture = Texture::from(Level::new(8, 8, texels).unwrap());
    let mut counted = [0; 2];
    for record in records(text).filter(|record| record["op"] == "TEX") {
        let wrap = match record["wrap"].as_str().unwrap() {
            "repeat" => Wrap::Repeat,
            "clamp" => Wrap::Clamp,
            "mirror" => Wrap::Mirror,
            other => panic!("{other}"),
        };
        let filter = if record["filter"] == "nearest" { Filter::Nearest } else { Filter::Linear };
        let at = [single(&record["coord"][0]), single(&record["coord"][1])];
        let got = Sampler { filter, wrap: [wrap; 2] }.sample(&texture, at);
        let tolerance = record["tol"].as_f64().unwrap();
        for component in 0..4 {
            let expected = single(&record["out"][component]);
            let off = f64::from(got[component] - expected).abs();
            assert!(
                off <= tolerance,
                "{record}: component {component} is {} and should be {expected}",
                got[component]
            );
        }
        counted[usize::from(filter == Filter::Linear)] += 1;
    }
    assert_eq!(counted, [192, 180]);
}
