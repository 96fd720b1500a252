//! What is said of draws that wrote no pixel.

use crate::common::{COPY, load, scene};
use gpuzoo_diag::{Code, Diagnostic};
use gpuzoo_scene::Scene;

static LOST: Code = Code::new("T0101", "nothing was drawn", "");

/// What is added to a diagnostic about a draw: the texts of labels, notes and help.
fn said(scene: &Scene, draws: &[usize]) -> Vec<Vec<String>> {
    let frame = scene.frame(0).unwrap();
    let lost = draws.iter().map(|number| (*number, Diagnostic::error(&LOST, format!("draw {number}"))));
    let all = scene.first_lost(0, &frame.reports, lost.collect());
    let texts = |problem: &Diagnostic| {
        let labels = problem.labels.iter().map(|label| label.text.clone());
        labels.chain(problem.notes.iter().cloned()).chain(problem.help.iter().cloned()).collect()
    };
    assert!(all.iter().zip(draws).all(|(problem, number)| problem.message == format!("draw {number}")));
    all.iter().map(texts).collect()
}

/// The small scene with one triangle in place of its rectangle.
fn triangle(positions: &str) -> Scene {
    let text = scene()
        .replace("[[-1, 1], [-1, -1], [1, 1], [1, -1]]", positions)
        .replace("[[0, 0], [0, 1], [1, 0], [1, 1]]", "[[0, 0], [0, 1], [1, 0]]")
        .replace("triangle_strip", "triangles");
    load(&text).clean()
}

#[test]
fn of_a_draw_without_fragments_the_first_primitive_is_shown() {
    // To the right of the picture, which ends at x = 1.
    let beside = triangle("[[3, 1], [3, -1], [5.5, 1]]");
    assert_eq!(
        said(&beside, &[0]),
        [[
            "`pos` is written here last",
            "in `pos` the first primitive has (3, 1, 0, 1), (3, -1, 0, 1), (5.5, 1, 0, 1)"
        ]]
    );
    // All corners in one place.
    let point = triangle("[[0.5, 1], [0.5, 1], [0.5, 1]]");
    assert_eq!(
        said(&point, &[0]),
        [["`pos` is written here last", "in `pos` the first primitive has (0.5, 1, 0, 1) each"]]
    );
    assert!(said(&beside, &[]).is_empty());
    // There is no such draw.
    assert_eq!(said(&beside, &[7]), [[""; 0]]);
}

#[test]
fn of_a_draw_without_primitives_nothing_is_known() {
    // Two corners are no triangle.
    let text = scene()
        .replace("[[-1, 1], [-1, -1], [1, 1], [1, -1]]", "[[3, 1], [3, -1]]")
        .replace("[[0, 0], [0, 1], [1, 0], [1, 1]]", "[[0, 0], [0, 1]]")
        .replace("triangle_strip", "triangles");
    let scene = load(&text).clean();
    assert_eq!(scene.frame(0).unwrap().reports[0].stats.primitives, 0);
    assert_eq!(said(&scene, &[0]), [[""; 0]]);
}

#[test]
fn of_a_draw_with_fragments_the_first_one_is_shown() {
    // A rectangle at depth 0.5 behind one at 0.25; the left column of the picture is free.
    let draw = |mesh: &str, depth: &str| {
        format!(
            "[[draw]]\nprogram = \"copy\"\nmesh = \"{mesh}\"\nmodel = [{{ translate = [0, 0, {depth}] }}]\n\
             constants = {{ c0 = {{ matrix = \"model\" }} }}\n\
             state = {{ depth_compare = \"less\", depth_write = true }}\n\
             input = {{ in0 = \"position\", in1 = \"texcoord\", in2 = \"color\" }}\n"
        )
    };
    let program = COPY.replace("ld r0 0 st", "ldc r4 0 ldc r5 1 ldc r6 2 ldc r7 3 ld r0 0 mulm r0 r4 st");
    let text = scene().replace(COPY, &program);
    let (first, _) = text.split_once("[[draw]]").unwrap();
    let text = format!(
        "{first}[mesh.right]\nposition = [[-0.5, 1], [-0.5, -1], [1, 1], [1, -1]]\ntopology = \"triangle_strip\"\n{}{}{}",
        draw("quad", "0.25"),
        draw("right", "0.5"),
        draw("quad", "0.75")
    );
    let scene = load(&text).clean();
    let hidden = |x: u32, depth: &str| {
        vec![
            format!("at pixel {x},0 its depth is {depth}, and 0.25 was there before"),
            format!("`gpuzoo trace SCENE --pixel {x},0 --all` shows how it came there"),
        ]
    };
    assert_eq!(said(&scene, &[1, 2]), [hidden(1, "0.5"), hidden(0, "0.75")]);
    assert_eq!(said(&scene, &[2]), [hidden(0, "0.75")]);
}
