use super::*;
use crate::unit::layout::{Attribute, VertexFormat};
use gpuzoo_ir::{Builder, Op2};

static BYTE: VertexFormat =
    crate::vertex_format!("byte", 1, |bytes| [f32::from(bytes[0]).to_bits(), 1, 2, 3], |_| [0; 16], "");

/// output 0 = (input 0 + input 3) × uniform 2, and uniform 2 becomes the sum if `writes`.
fn function(writes: bool) -> Function {
    let mut b = Builder::default();
    let (x, y, scale) = (b.input(0), b.input(3), b.uniform(2));
    let sum = b.map2(Op2::FAdd, x, y);
    let product = b.map2(Op2::FMul, sum, scale);
    b.output(0, product);
    if writes {
        b.output(Output::Constant(2).number(), sum);
    }
    b.finish()
}

#[test]
fn a_vertex_finds_what_the_one_before_wrote() {
    let given: Vec<Vec4> = (0..4).map(|index| [(index as f32).to_bits(); 4]).collect();
    // Inputs 0 and 3 of vertex n are n and 10, so that uniform 2 is n + 10 after it.
    let fetch = |vertex: usize, inputs: &mut [Vec4]| {
        inputs[0] = [(vertex as f32).to_bits(); 4];
        inputs[3] = [10.0_f32.to_bits(); 4];
    };
    for (writes, expected) in [(true, [2.0, 10.0, 16.0, 12.0, 12.0, 2.0]), (false, [2.0; 6])] {
        let mut constants = VertexConstants::new(&function(writes), &given);
        let found = [0, 1, 7, 3, 3, 0].map(|vertex| constants.before(vertex, fetch)[2][0]);
        assert_eq!(found, expected.map(|value: f32| value.to_bits()));
    }
}

fn layouts() -> [Layout; 3] {
    let attribute = |input, offset| Attribute { input, offset, format: &BYTE };
    [
        Layout { stride: 3, attributes: vec![attribute(0, 1), attribute(3, 2)] },
        // The last one counts; what reaches beyond the buffer reads as zeros; input 3 is missing.
        Layout { stride: 1, attributes: vec![attribute(0, 0), attribute(0, 4)] },
        Layout { stride: 0, attributes: vec![attribute(0, 0)] },
    ]
}

/// Of each part the number of its first vertex, and the vectors of its vertices.
type Parts = Vec<(usize, Vec<Vec<Vec4>>)>;

/// What a program gives for all of a draw, done in parts of `most` uses: the outputs of each use of each part, with the
/// number of the part's first use; and how many runs there were.
fn run(program: &VertexProgram, uses: &Uses, constants: &[Vec4], most: usize) -> (Parts, u64) {
    let (mut all, mut runs) = (Vec::new(), 0);
    let each = |part: &VertexRuns| {
        let output = |vertex| part.output(vertex).map(<[Vec4]>::to_vec);
        let outputs: Vec<Vec<Vec4>> = (0..part.vertices()).filter_map(output).collect();
        // The rasterizer gets the same ones.
        let given: Vec<_> = part.outputs().map(<[Vec4]>::to_vec).collect();
        let drawn: Vec<_> = match part.primitives().indices {
            Some(indices) => indices.iter().filter_map(|run| given.get(*run as usize).cloned()).collect(),
            None => given,
        };
        assert_eq!(drawn, outputs);
        // The number of the first primitive, by the vertices before it: of strips those that are shared make it.
        let number = match part.primitives().topology {
            Topology::TriangleList => part.first() / 3,
            Topology::LineList => part.first() / 2,
            Topology::TriangleStrip | Topology::LineStrip => part.first(),
        };
        assert_eq!(part.primitives().first, number);
        all.push((part.first(), outputs));
        runs += part.runs();
        assert_eq!(part.output(part.vertices()), None);
        Ok(())
    };
    program.run_parts(uses, constants, &Budget::default(), most, each).unwrap();
    (all, runs)
}

fn uses<'a>(layout: &'a Layout, buffer: &'a [u8], indices: Option<&'a [u32]>) -> Uses<'a> {
    Uses { layout, buffer, indices, topology: Topology::TriangleList }
}

#[test]
fn the_engine_reads_what_fetch_reads() {
    let constants: Vec<Vec4> = (1..4).map(|index| [(index as f32).to_bits(); 4]).collect();
    let buffer: Vec<u8> = (0..=255).cycle().take(2_000).collect();
    for layout in &layouts() {
        for length in [0, 1, 7, 1_000, 2_000] {
            for writes in [false, true] {
                let program = VertexProgram::new(&function(writes));
                assert_eq!(program.kernel.is_none(), writes);
                let uses = uses(layout, &buffer[..length], None);
                let count = layout.vertex_count(length);
                let (got, runs) = run(&program, &uses, &constants, PART);
                let mut expected = Vec::new();
                program.in_order(&uses, 0..count, &constants, &mut expected);
                let width = program.function.outputs.len();
                assert_eq!(got[0].1.concat(), expected);
                assert_eq!((expected.len(), runs), (count * width, count as u64));
            }
        }
    }
    // Vertex 1 has 4 and 5, and the uniform is 3; or 1 + 1, which vertex 0 wrote.
    let second = |writes: bool| {
        let program = VertexProgram::new(&function(writes));
        let layout = &layouts()[0];
        run(&program, &uses(layout, &[0, 1, 1, 0, 4, 5], None), &constants, PART).0[0].1[1][0][0]
    };
    assert_eq!(second(false), 27.0_f32.to_bits());
    assert_eq!(second(true), 18.0_f32.to_bits());
}

#[test]
fn a_vertex_runs_once_unless_it_leaves_something_for_the_next() {
    let constants: Vec<Vec4> = (1..4).map(|index| [(index as f32).to_bits(); 4]).collect();
    let (layout, buffer) = (&layouts()[0], [0, 1, 1, 0, 4, 5, 0, 6, 7]);
    let vertex = |index: u32| &buffer[index as usize * 3..][..3];
    for indices in [&[2, 0, 0, 1, 2, 2, 0][..], &[], &[1], &[9, 1, u32::MAX, 1, 3]] {
        let known: Vec<u32> = indices.iter().copied().filter(|index| *index < 3).collect();
        let written_out: Vec<u8> = known.iter().flat_map(|index| vertex(*index)).copied().collect();
        let last = known.iter().max().map_or(0, |last| u64::from(*last) + 1);
        for writes in [false, true] {
            let program = VertexProgram::new(&function(writes));
            let (expected, _) = run(&program, &uses(layout, &written_out, None), &constants, PART);
            let (got, runs) = run(&program, &uses(layout, &buffer, Some(indices)), &constants, PART);
            assert_eq!(runs, if writes { known.len() as u64 } else { last });
            assert_eq!(got[0].1, expected[0].1, "{indices:?}");
        }
    }
}

/// Parts give, use after use, what the whole gives; those of strips begin with the vertices that they share.
#[test]
fn parts_are_the_whole() {
    let layout = &Layout { stride: 1, ..layouts()[0].clone() };
    let constants: Vec<Vec4> = (1..4).map(|index| [(index as f32).to_bits(); 4]).collect();
    let buffer: Vec<u8> = (0..100).collect();
    // A grid's rows, one after the other; and jumps over the whole buffer, which are not worth parts.
    let near: Vec<u32> = (0..90).map(|use_| use_ / 3 + use_ % 3 * 2).collect();
    let far: Vec<u32> = (0..90).map(|use_| use_ * 37 % 100).collect();
    let invalid: Vec<u32> = near.iter().map(|index| if index % 9 == 5 { 200 } else { *index }).collect();
    let program = VertexProgram::new(&function(false));
    for topology in [Topology::TriangleList, Topology::TriangleStrip, Topology::LineList, Topology::LineStrip]
    {
        for (indices, parts) in [(None, 9), (Some(&near), 8), (Some(&invalid), 8), (Some(&far), 1)] {
            let uses = Uses { layout, buffer: &buffer, indices: indices.map(|all| &all[..]), topology };
            let (whole, _) = run(&program, &uses, &constants, PART);
            let (got, runs) = run(&program, &uses, &constants, 12);
            assert_eq!(got.len(), parts, "{topology:?} {indices:?}");
            assert!(runs <= 200);
            let mut joined: Vec<Vec<Vec4>> = Vec::new();
            let invalid_before = |end: usize| {
                indices.map_or(0, |all| all[..end].iter().filter(|index| **index == 200).count())
            };
            for (first, outputs) in got {
                assert_eq!(first % 12, 0);
                joined.truncate(first - invalid_before(first));
                joined.extend(outputs);
            }
            assert_eq!(joined, whole[0].1);
        }
    }
}

/// Vertices before the one that is asked for run once, unless it comes before the last one that was asked for.
#[test]
fn what_has_run_for_a_vertex_does_not_run_again() {
    let given = vec![[0; 4]; 4];
    let function = function(true);
    let mut constants = VertexConstants::new(&function, &given);
    let mut fetched = |vertex: usize| {
        let mut all = Vec::new();
        constants.before(vertex, |before, _| all.push(before));
        all
    };
    assert_eq!(fetched(3), [0, 1, 2]);
    assert_eq!(fetched(3), [0; 0]);
    assert_eq!(fetched(5), [3, 4]);
    assert_eq!(fetched(2), [0, 1]);
    assert_eq!(fetched(0), [0; 0]);
}

/// Of any number, whether there are so many constants, fewer or more.
#[test]
fn a_constant_that_is_written_is_there_afterwards() {
    let function = function(true);
    let mut run = Run::default();
    let two = [2.0_f32.to_bits(); 4];
    run.run(&function, &[two, [0; 4], [0; 4], two], &[], &NoTextures);
    let four = [4.0_f32.to_bits(); 4];
    for count in 0..5 {
        let mut constants = vec![[7; 4]; count];
        write_constants(&function, &run, &mut constants);
        let mut expected = vec![[7; 4]; count];
        expected.resize(count.max(3), [0; 4]);
        expected[2] = four;
        assert_eq!(constants, expected);
    }
}

/// 16 bytes for each run, of the largest part.
#[test]
fn results_take_memory() {
    let layout = &Layout { stride: 1, ..layouts()[0].clone() };
    let buffer = [0; 10];
    let constants = vec![[0; 4]; 3];
    for writes in [false, true] {
        let program = VertexProgram::new(&function(writes));
        let width = program.function.outputs.len();
        assert_eq!(width, if writes { 2 } else { 1 });
        let needs = (10 * width * size_of::<Vec4>()) as u64;
        let with = |bytes: u64| {
            let budget = Budget::default().with(crate::limits::budget::Resource::Memory, bytes);
            let uses = uses(layout, &buffer, None);
            program.run_parts(&uses, &constants, &budget, PART, |_| Ok(())).is_ok()
        };
        assert!(with(needs) && !with(needs - 1), "{writes}");
    }
}
