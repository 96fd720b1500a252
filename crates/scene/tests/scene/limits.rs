//! What scenes use of a budget.

use crate::common::{Files, scene};
use gpuzoo_machine::limits::budget::{Budget, Resource};
use gpuzoo_scene::Samples;

/// What is reported about a scene that may use so much of something.
fn reported(text: &str, resource: Resource, limit: u64) -> Vec<String> {
    let loaded = Files::default().within(text, Budget::default().with(resource, limit));
    // That nothing is drawn is no matter here.
    let other = loaded.reported().into_iter().filter(|(code, _)| *code != "R0318");
    other.map(|(code, marked)| format!("{code} {marked}")).collect()
}

#[test]
fn a_shape_uses_the_vertices_of_its_nets() {
    for (lines, vertices) in [
        // A net of 3 columns and 2 rows has 4 x 3 vertices; a cube has six, a teapot 32 patches.
        ("shape = \"plane\"\ncolumns = 3\nrows = 2", 12),
        ("shape = \"plane\"", 4),
        ("shape = \"heightfield\"\ncolumns = 5\nrows = 1", 12),
        ("shape = \"sphere\"\ncolumns = 7\nrows = 4", 40),
        ("shape = \"torus\"\ncolumns = 9\nrows = 4", 50),
        ("shape = \"torus_knot\"\ncolumns = 19\nrows = 4", 100),
        ("shape = \"cube\"\ndivisions = 2", 54),
        ("shape = \"teapot\"\ndivisions = 3", 512),
    ] {
        let text = format!("gpu = \"dreambox\"\nsize = [4, 4]\n[mesh.m]\n{lines}\n");
        assert_eq!(reported(&text, Resource::Vertices, vertices), [""; 0], "{lines}");
        let refused = reported(&text, Resource::Vertices, vertices - 1);
        assert_eq!(refused, ["R0703 [mesh.m]"], "{lines}");
    }
}

#[test]
fn edges_take_memory_where_they_are_drawn() {
    // 64 x 64 quads are 24576 indices: 32 bytes for each of those, 786 432 in all, are asked for to find the edges. The mesh
    // itself takes 64 bytes for each of 4225 vertices and four for each index, 368 704.
    let text = scene()
        .replace(
            "position = [[-1, 1], [-1, -1], [1, 1], [1, -1]]\ntexcoord = [[0, 0], [0, 1], [1, 0], [1, 1]]\ntopology = \"triangle_strip\"",
            "shape = \"plane\"\ncolumns = 64\nrows = 64",
        );
    assert!(text.contains("rows = 64"));
    assert_eq!(reported(&text, Resource::Memory, 1_100_000), [""; 0]);
    let wireframe = text.replace("mesh = \"quad\"", "mesh = \"quad\"\nwireframe = true");
    assert_eq!(reported(&wireframe, Resource::Memory, 1_100_000), ["R0703 \"quad\""]);
    assert_eq!(reported(&wireframe, Resource::Memory, 4_000_000), [""; 0]);
}

#[test]
fn a_picture_of_several_samples_uses_the_pixels_of_all() {
    for (samples, pixels) in [(Samples::One, 12), (Samples::Four, 12 * 4), (Samples::Sixteen, 12 * 16)] {
        let drawn = |limit: u64| {
            let budget = Budget::default().with(Resource::Pixels, limit);
            let text = "gpu = \"dreambox\"\nsize = [4, 3]\n";
            Files::default().within(text, budget).scene.unwrap().frame_sampled(0, samples).is_ok()
        };
        assert!(drawn(pixels) && !drawn(pixels - 1), "{samples:?}");
    }
    // A target has one sample for a pixel: 2 x 2 more.
    let text = "gpu = \"dreambox\"\nsize = [4, 3]\n[target.t]\nsize = [2, 2]\n";
    let drawn = |limit: u64| {
        let budget = Budget::default().with(Resource::Pixels, limit);
        Files::default().within(text, budget).scene.unwrap().frame_sampled(0, Samples::Four).is_ok()
    };
    assert!(drawn(52) && !drawn(51));
}
