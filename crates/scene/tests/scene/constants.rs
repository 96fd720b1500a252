//! What the machine's constants hold, by hand.

use crate::common::{load, scene};

/// Constants of the small scene with these lines in its draw.
fn constants(lines: &str, frame: u32) -> Vec<[f32; 4]> {
    let text = scene()
        .replace(
            "[program",
            "animation = { frames = 2 }\n[camera]\neye = [0, 0, 2]\nfov = 90\nnear = 1\nfar = 3\n[program",
        )
        .replace("mesh = \"quad\"\n", &format!("mesh = \"quad\"\n{lines}\n"));
    let scene = load(&text).clean();
    let mut problems = Vec::new();
    let constants = scene.constants(&scene.draws()[0], frame, &mut problems);
    assert!(problems.is_empty(), "{problems:?}");
    constants.into_iter().map(|vector| vector.map(f32::from_bits)).collect()
}

#[test]
fn matrices_are_columns() {
    let model = "model = [{ translate = [1, 0, 0] }]\nconstants = { c0 = { matrix = \"model_view_projection\" }, c4 = { matrix = { transpose = \"model_view\" } } }";
    let c = constants(model, 0);
    assert_eq!(c.len(), 16);
    // Focal length 1, depth (3 z' + 3) / (1 - 3) with z' = z - 2, w = -z'.
    let expected = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, -1.5, -1.0], [1.0, 0.0, 1.5, 2.0]];
    for (column, expected) in c.iter().zip(expected) {
        assert!(column.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{c:?}");
    }
    assert_eq!(
        c[4..8],
        [[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, -2.0], [0.0, 0.0, 0.0, 1.0]]
    );
    assert_eq!(c[8..], [[0.0; 4]; 8]);
}

/// A draw's value replaces what the program's text defines, also if it is zero. (c5 of Direct3D is the machine's c101.)
#[test]
fn definitions_hold_where_a_draw_gives_nothing() {
    let drawn = |constants: &str| {
        let text = format!(
            "gpu = \"nv2a\"\nsize = [2, 2]\n[program.p]\nsource = '''\nvs.1.1\n#pragma screenspace\ndef c5, 1, 1, 1, 1\nmov oPos, v0\n\
             mov oD0, c5\n'''\n[mesh.m]\nshape = \"plane\"\nsize = [2, 2]\n[[draw]]\nprogram = \"p\"\nmesh = \"m\"\n\
             model = [{{ rotate = 90, axis = [1, 0, 0] }}]\nstate = {{ positions = \"clip\" }}\n\
             input = {{ v0 = \"position\" }}\nconstants = {{ {constants} }}\n"
        );
        let scene = load(&text).clean();
        scene.constants(&scene.draws()[0], 0, &mut Vec::new())[101].map(f32::from_bits)
    };
    assert_eq!(drawn(""), [1.0; 4]);
    assert_eq!(drawn("c5 = [0, 0, 0, 0]"), [0.0; 4]);
    assert_eq!(drawn("c5 = [0, 2, 0, 0]"), [0.0, 2.0, 0.0, 0.0]);
}

#[test]
fn vectors_numbers_and_colours() {
    let c = constants(
        "constants = { c0 = [1, \"t\", \"frame\", 4], c1 = \"10*t\", c2 = \"#ff0033\", c3 = [[1, 2, 3, 4], [5, 6, 7, 8]], c15 = 9 }",
        1,
    );
    assert_eq!(c[0], [1.0, 0.5, 1.0, 4.0]);
    assert_eq!(c[1], [5.0; 4]);
    assert_eq!(c[2], [1.0, 0.0, 0.2, 1.0]);
    assert_eq!(c[3..5], [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]);
    assert_eq!(c[15], [9.0; 4]);
}

#[test]
fn directions_and_points_in_spaces() {
    let c = constants(
        "model = [{ rotate = 90, axis = [0, 0, 1] }, { translate = [0, 0, 5] }]\n\
         constants = { c0 = { direction = [0, 3, 4] }, c1 = { direction = [0, 2, 0], space = \"model\" }, \
         c2 = { point = [1, 2, 3], space = \"view\" }, c3 = { point = [0, 1, 5], space = \"model\" } }",
        0,
    );
    assert_eq!(c[0], [0.0, 0.6, 0.8, 0.0]);
    // Up in the world is the x axis of a model that was turned counter-clockwise.
    assert_eq!(c[1], [1.0, 0.0, 0.0, 0.0]);
    assert_eq!(c[2], [1.0, 2.0, 1.0, 1.0]);
    assert_eq!(c[3], [1.0, 0.0, 0.0, 1.0]);
}

#[test]
fn a_draw_may_have_its_own_camera() {
    let c = constants(
        "camera = { eye = [0, 0, 7], orthographic = 2, near = 0, far = 10, aspect = 3 }\nconstants = { c0 = { matrix = \"view\" }, c4 = { matrix = \"projection\" } }",
        0,
    );
    assert_eq!(c[3], [0.0, 0.0, -7.0, 1.0]);
    assert_eq!([c[4][0], c[5][1]], [1.0 / 3.0, 1.0]);
}

#[test]
fn what_is_not_finite_is_reported_in_its_frame() {
    let text = scene()
        .replace("[program", "animation = { frames = 2 }\n[program")
        .replace("mesh = \"quad\"\n", "mesh = \"quad\"\nconstants = { c3 = \"1/(1-frame)\" }\n");
    let scene = load(&text).clean();
    assert!(scene.frame(0).unwrap().problems.is_empty());
    let problems = scene.frame(1).unwrap().problems;
    assert_eq!((problems.len(), problems[0].code.id), (1, "R0308"));
    assert!(problems[0].message.contains("frame 1"));
}
