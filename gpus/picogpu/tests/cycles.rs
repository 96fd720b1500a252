//! The cycles of small draws, by the table of spec section 10.

use crate::pipeline::{FRAGMENT, VERTEX, job, run};
use gpuzoo_diag::File;
use gpuzoo_picogpu::{DOCUMENT, Part, assemble, program_dwords};
use serde_json::json;

/// Spec section 10: "a full batch of the smallest fragment shader (I = 26, P = 37) without depth takes 758 cycles", where 37
/// counts a one-instruction body of an `init` with four values.
#[test]
fn a_full_batch_takes_what_the_spec_says() {
    let text = "#fragmentShader #input r0.xyzw #output r1.xyzw finit r1 1.0 1.0 1.0 1.0";
    let program = assemble(&File::new("t", text), DOCUMENT).program;
    assert_eq!((program_dwords(&program).len(), program.slots.len()), (37, 26));
    let one_row = |width: f32| {
        let mut record = job(64, 1, &[[0.0, 0.0, 1.0], [width - 1.0, 0.0, 1.0], [0.0, 1.0, 1.0]]);
        record["draws"][0]["fs"] = text.into();
        record["draws"][0]["fs_uniforms"] = json!([]);
        let done = run(&record);
        assert_eq!(done.draws[0].triangles[0].fragments, width as u64);
        done
    };
    let (one, two) = (one_row(32.0), one_row(64.0));
    assert_eq!(two.draws[0].cycles - one.draws[0].cycles, 758);
    let parts = &two.draws[0].breakdown;
    assert_eq!(parts.of(Part::Gather), 2 * 33);
    assert_eq!(parts.of(Part::FragmentInputs), 2 * 153);
    assert_eq!(parts.of(Part::FragmentProgram), 2 * 37);
    assert_eq!(parts.of(Part::FragmentRun), 2 * 26);
    assert_eq!(parts.of(Part::FrontendOutputs), 2 * 161);
    assert_eq!(parts.of(Part::StageOutputs), 2 * 161);
    assert_eq!(parts.of(Part::Merge), 2 * 187 + 6);
    assert_eq!(parts.total(), two.draws[0].cycles);
    // 64 dwords of picture; programs and vertices of 6, 37 and 12.
    assert_eq!(two.breakdown.of(Part::Blit), 5 * (64 + 6 + 37 + 12) + 4 * 2);
    assert_eq!(two.breakdown.total(), two.cycles);
}

/// Spec section 10 line by line, for triangles of 10 fragments without depth. The vertices of one have C = 12 dwords,
/// before the program and after it; the vertex program has P = 6 and I = 3 (`lduni`, `initregs`, `trap`), and no uniforms.
/// For the fragments U = 4, A = 3 × 3 and D = 2 × 10 + 4 + 9 = 33.
#[test]
fn a_small_draw_takes_what_the_spec_says() {
    let program = |text| assemble(&File::new("t", text), DOCUMENT).program;
    let (vertex, fragment) = (program(VERTEX), program(FRAGMENT));
    assert_eq!((program_dwords(&vertex).len(), vertex.slots.len()), (6, 3));
    let (dwords, instructions) = (program_dwords(&fragment).len() as u64, fragment.slots.len() as u64);
    let shown = [[0.0, 0.0, 1.0], [3.0, 0.0, 1.0], [0.0, 3.0, 1.0]];
    for triangles in [1, 2] {
        let drawn = run(&job(4, 4, &shown.repeat(triangles as usize))).draws.remove(0);
        // A second triangle is ready before the first one's only batch is merged: it costs no more than its own batch,
        // and the programs are there.
        let expected = [
            // 5C, a handshake and ceil(C / 9) - 1 beats
            (Part::VertexFetch, 5 * 12 + 1 + 1),
            // 5P for each program
            (Part::ProgramFetch, 5 * 6 + 5 * dwords),
            // the request, 1 + 3 + C, and 3 + C of the way to the unit
            (Part::VertexInputs, (1 + 3 + 12) + (3 + 12)),
            // 1 + P of that way
            (Part::VertexProgram, 1 + 6),
            (Part::VertexRun, 3),
            // 1 + m twice
            (Part::VertexOutputs, 2 * (1 + 12)),
            // ceil(m / 12), ceil(A / 3)
            (Part::Setup, 1 + 3),
            (Part::Waiting, 0),
            // 1 + n, and 2 more for fewer than 32
            (Part::Gather, triangles * (1 + 10 + 2)),
            // the request, 1 + 3 + D, and 3 + D
            (Part::FragmentInputs, triangles * ((1 + 3 + 33) + (3 + 33))),
            (Part::FragmentProgram, triangles * dwords),
            (Part::FragmentRun, triangles * instructions),
            (Part::FrontendOutputs, triangles * (1 + 5 * 10)),
            (Part::StageOutputs, triangles * 161),
            // the hand-over, 1 + 9 fragments, for each batch, and the last fragment of all
            (Part::Merge, triangles * (1 + 9 * 6) + 6),
        ];
        for (part, cycles) in expected {
            assert_eq!(drawn.breakdown.of(part), cycles, "{part:?} of {triangles}");
        }
        assert_eq!(drawn.cycles, expected.iter().map(|(_, cycles)| cycles).sum::<u64>());
    }
}

/// Eleven triangles left of the picture: all that the draw does is to shade their vertices.
#[test]
fn triangles_without_fragments_cost_their_vertex_work() {
    let outside = [[-9.0, 0.0, 1.0], [-5.0, 0.0, 1.0], [-9.0, 3.0, 1.0]].repeat(11);
    let shown = [[0.0, 0.0, 1.0], [3.0, 0.0, 1.0], [0.0, 3.0, 1.0]];
    for (corners, fragments) in
        [(outside.clone(), 0), ([&shown[..], &outside].concat(), 10), ([&outside[..], &shown].concat(), 10)]
    {
        let drawn = run(&job(8, 8, &corners)).draws.remove(0);
        let parts = drawn.breakdown;
        assert_eq!(drawn.triangles.iter().map(|triangle| triangle.fragments).sum::<u64>(), fragments);
        assert_eq!((parts.of(Part::Waiting), parts.total()), (0, drawn.cycles));
    }
    // The first takes what the test above says. While one is shaded the next is fetched, and the vertex stage goes on
    // once the rasterizer has the vertices, with 3 beats to go: they hide the 2 beats of the hand-over and the first
    // cycle of the request. So each of the others takes 15 + 7 + 15 + 3 + 26 + 4 = 70 cycles.
    let parts = run(&job(8, 8, &outside)).draws[0].breakdown;
    let expected = [
        (Part::VertexFetch, 62),
        (Part::ProgramFetch, 5 * 6),
        (Part::VertexInputs, 31 + 10 * 30),
        (Part::VertexProgram, 11 * (1 + 6)),
        (Part::VertexRun, 11 * 3),
        (Part::VertexOutputs, 11 * 26),
        (Part::Setup, 11 * 4),
    ];
    assert_eq!(parts.parts().collect::<Vec<_>>().len(), expected.len());
    for (part, cycles) in expected {
        assert_eq!(parts.of(part), cycles, "{part:?}");
    }
}

/// A second draw with the same programs finds them in the frontend.
#[test]
fn programs_are_fetched_once() {
    let mut record = job(4, 4, &[[0.0, 0.0, 1.0], [3.0, 0.0, 1.0], [0.0, 3.0, 1.0]]);
    let draw = record["draws"][0].clone();
    record["draws"].as_array_mut().unwrap().push(draw);
    let done = run(&record);
    let fetch = |index: usize| done.draws[index].breakdown.of(Part::ProgramFetch);
    assert_eq!((fetch(0) > 0, fetch(1)), (true, 0));
    assert_eq!(done.draws[0].cycles - done.draws[1].cycles, fetch(0));
}
