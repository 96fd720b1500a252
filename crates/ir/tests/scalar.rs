//! The graph of single numbers: what its nodes are, and that it computes what the function does.

use crate::common::{Noise, behaviour, function, ir, vectors};
use gpuzoo_ir::eval::Textures;
use gpuzoo_ir::scalar::{Graph, Id, Node, Options, ZERO};
use gpuzoo_ir::{Builder, Dot, Function, Op1, Op2, Op3, Pick, Vec4};
use proptest::prelude::*;

/// How many lanes a run has.
const LANES: usize = 3;

/// The outputs and whether the lane is killed, for each lane, as a back end computes them: a column of lanes for each node. `change` may give
/// a node's number other bits.
fn run(
    graph: &Graph,
    inputs: &[Vec<Vec4>; LANES],
    uniforms: &[Vec4],
    change: impl Fn(Id, u32) -> u32,
) -> [(Vec<Vec4>, bool); LANES] {
    let mut columns: Vec<[u32; LANES]> = Vec::new();
    let mut texels: Vec<[Vec4; LANES]> = Vec::new();
    let mut killed = [false; LANES];
    for (id, node) in (0..).zip(graph.nodes()) {
        let of = |ids: [Id; 4], lane: usize| ids.map(|id| columns[id as usize][lane]);
        let mut column = [0xdead_beef; LANES];
        let mut texel = [[0; 4]; LANES];
        match *node {
            Node::Sample { unit, at, .. } => {
                texel = std::array::from_fn(|lane| Noise.sample(unit, of(at, lane)));
            }
            Node::Texel(sample, component) => {
                column = texels[sample as usize].map(|texel| texel[usize::from(component)]);
            }
            Node::Kill(at) => {
                for (lane, killed) in killed.iter_mut().enumerate() {
                    *killed |= of(at, lane).iter().any(|bits| f32::from_bits(*bits) < 0.0);
                }
            }
            Node::Input { .. } => {
                column = std::array::from_fn(|lane| node.eval(|_| 0, &inputs[lane], &[]));
            }
            _ => node.eval_lanes(&mut column, |id| &columns[id as usize], uniforms),
        }
        columns.push(column.map(|bits| change(id, bits)));
        texels.push(texel);
    }
    std::array::from_fn(|lane| {
        let of = |ids: &[Id; 4]| ids.map(|id| columns[id as usize][lane]);
        (graph.outputs().iter().map(of).collect(), killed[lane])
    })
}

/// What the evaluator says of the same lanes.
fn expected(f: &Function, inputs: &[Vec<Vec4>; LANES], uniforms: &[Vec4]) -> [(Vec<Vec4>, bool); LANES] {
    std::array::from_fn(|lane| {
        let (outputs, killed) = behaviour(f, &inputs[lane], uniforms);
        (outputs.into_iter().map(|(_, value)| value).collect(), killed.is_some())
    })
}

fn graph(source: &str) -> Graph {
    Graph::new(&ir(source), &Options::default())
}

/// The place of a node in a graph.
#[track_caller]
fn id(graph: &Graph, node: Node) -> Id {
    graph.nodes().iter().position(|own| *own == node).expect("the node is there") as Id
}

#[test]
fn a_column_reads_uniforms_at_its_own_index_and_zeros_outside() {
    // uniform n is (10n + 1, 10n + 2, 10n + 3, 10n + 4); four are supplied, three are below the count.
    let uniforms: Vec<Vec4> = (0..4).map(|n| [1, 2, 3, 4].map(|component| 10 * n + component)).collect();
    let read = |base: i32, count: u16, component: u8, index: [i32; 6], supplied: usize| {
        let node = Node::UniformAt { index: 0, base, count, component };
        let (column, mut to) = (index.map(|index| index as u32), [7; 6]);
        node.eval_lanes(&mut to, |_| &column, &uniforms[..supplied]);
        let alone = column.map(|index| node.eval(|_| index, &[], &uniforms[..supplied]));
        assert_eq!(to, alone, "one by one it is the same");
        to
    };
    assert_eq!(read(0, 3, 0, [-1, 0, 1, 2, 3, 4], 4), [0, 1, 11, 21, 0, 0]);
    assert_eq!(read(1, 3, 2, [-1, 0, 1, 2, 3, -2], 4), [3, 13, 23, 0, 0, 0]);
    // Below the count, but not supplied.
    assert_eq!(read(0, 3, 3, [0, 1, 2, 3, -1, i32::MIN], 2), [4, 14, 0, 0, 0, 0]);
    // The sum does not wrap: i32::MAX + i32::MAX is -2 modulo 2^32, i32::MIN - 1 is i32::MAX.
    assert_eq!(
        read(i32::MAX, 3, 1, [i32::MAX, -i32::MAX, 1, i32::MIN, 0, -i32::MAX + 2], 4),
        [0, 2, 0, 0, 0, 22]
    );
    assert_eq!(read(i32::MIN, 3, 1, [i32::MIN, i32::MAX, -1, 0, 1, 2], 4), [0; 6]);
}

#[test]
fn equal_reads_of_a_texture_are_two() {
    // What the second sees may be less, since the kill is between them.
    let reads = graph(
        "v0 = input 0
         v1 = sample 3, v0
         v2 = kill v1
         v3 = sample 3, v0
         v4 = fadd v1, v3
         output 0 = v4",
    );
    let samples: Vec<Node> =
        reads.nodes().iter().filter(|node| matches!(node, Node::Sample { .. })).copied().collect();
    let [Node::Sample { unit: 3, at, .. }, Node::Sample { unit: 3, at: again, .. }] = samples[..] else {
        panic!("{samples:?}")
    };
    assert_eq!(at, again);
    let [first, second] = [0, 1].map(|number| id(&reads, samples[number]));
    // The texel of each is its own, and the kill is between the reads.
    for component in 0..4 {
        let [one, other] = [first, second].map(|sample| id(&reads, Node::Texel(sample, component)));
        let sum = id(&reads, Node::Map2(Op2::FAdd, [one, other]));
        assert_eq!(reads.outputs()[0][usize::from(component)], sum);
    }
    let kill = id(&reads, Node::Kill([0, 1, 2, 3].map(|component| first + 1 + component)));
    assert!(first < kill && kill < second);
}

#[test]
fn a_sampler_gets_the_coordinates_that_it_looks_at() {
    let f = ir("v0 = input 0\nv1 = sample 1, v0\nv2 = sample 2, v0\nv3 = fadd v1, v2\noutput 0 = v3");
    let coordinates = Some((|unit| if unit == 1 { 0b0011 } else { 0b1100 }) as fn(u8) -> u8);
    let reads = Graph::new(&f, &Options { coordinates, ..Options::default() });
    let [x, y, z, w] = [0, 1, 2, 3].map(|component| id(&reads, Node::Input { number: 0, component }));
    let at: Vec<[Id; 4]> = (reads.nodes().iter())
        .filter_map(|node| if let Node::Sample { at, .. } = node { Some(*at) } else { None })
        .collect();
    assert_eq!(at, [[x, y, ZERO, ZERO], [ZERO, ZERO, z, w]]);
}

#[test]
fn equal_nodes_are_one_and_constants_are_computed() {
    let f = graph(
        "v0 = input 0
         v1 = fmul v0, v0
         v2 = input 0
         v3 = fmul v2, v0
         v4 = const (2.0, 3.0, 4.0, 5.0)
         v5 = fadd v4, v4
         v6 = dot4 v4, v4
         output 0 = v5
         output 1 = v6",
    );
    let constants = |ids: [Id; 4]| ids.map(|id| f.node(id));
    assert_eq!(constants(f.outputs()[0]), [4.0f32, 6.0, 8.0, 10.0].map(|sum| Node::Const(sum.to_bits())));
    // 4 + 9 + 16 + 25
    assert_eq!(constants(f.outputs()[1]), [Node::Const(54.0f32.to_bits()); 4]);
    let both = graph("v0 = input 0\nv1 = fmul v0, v0\nv2 = fmul v0, v0\noutput 0 = v1\noutput 1 = v2");
    assert_eq!(both.outputs()[0], both.outputs()[1]);
    // The zero, four components and their squares.
    assert_eq!(both.nodes().len(), 9);
}

#[test]
fn products_of_what_is_the_same_in_all_lanes_are_apart() {
    let f = ir(
        "v0 = uniform 0\nv1 = input 0\nv2 = fmad v0, v0, v1\nv3 = fmad v1, v0, v0\noutput 0 = v2\noutput 1 = v3",
    );
    let own = Graph::new(&f, &Options::default());
    let [uniform, input] = [
        id(&own, Node::Uniform { number: 0, component: 0 }),
        id(&own, Node::Input { number: 0, component: 0 }),
    ];
    let product = id(&own, Node::Map2(Op2::FMul, [uniform; 2]));
    assert!(!own.varies(product) && own.varies(input) && !own.varies(uniform) && !own.varies(ZERO));
    assert_eq!(own.node(own.outputs()[0][0]), Node::Map2(Op2::FAdd, [product, input]));
    assert_eq!(own.node(own.outputs()[1][0]), Node::Map3(Op3::FMad, [input, uniform, uniform]));
    // An input that the caller calls invariant: then no sum varies, and nothing is apart.
    let own = Graph::new(&f, &Options { invariant: &[0], ..Options::default() });
    assert!((0..own.nodes().len()).all(|id| !own.varies(id as Id)));
    assert_eq!(own.node(own.outputs()[0][0]), Node::Map3(Op3::FMad, [uniform, uniform, input]));
    // Texels vary even where the coordinates do not, and so does what is computed from them.
    let own = graph("v0 = uniform 0\nv1 = sample 0, v0\nv2 = fneg v1\nv3 = kill v0\noutput 0 = v2");
    for (id, node) in (0..).zip(own.nodes()) {
        let varies = matches!(node, Node::Sample { .. } | Node::Texel(..) | Node::Map1(..) | Node::Kill(_));
        assert_eq!(own.varies(id), varies, "{node:?}");
    }
}

#[test]
fn uses_count_what_is_alive() {
    let own = graph(
        "v0 = input 0
         v1 = v0.xxxx
         v2 = kill v1
         v3 = fmul v0, v0
         v4 = v3.xxx0
         output 0 = v4",
    );
    let uses = own.uses();
    let [x, product] =
        [id(&own, Node::Input { number: 0, component: 0 }), id(&own, Node::Map2(Op2::FMul, [1, 1]))];
    let kill = id(&own, Node::Kill([x; 4]));
    // The kill reads x in all four components, and the product twice; three components of the output are the product.
    let all = [x, product, kill, ZERO].map(|id| uses[id as usize]);
    assert_eq!(all, [6, 3, 1, 1]);
}

/// Whether the bits of a NaN in component x of inputs 0, 1, 2 can be observed.
fn exact(source: &str) -> [bool; 3] {
    let inputs = "v0 = input 0\nv1 = input 1\nv2 = input 2\n";
    let own = graph(&format!("{inputs}{source}"));
    let exact = own.exact();
    [0, 1, 2].map(|number| {
        let id = own.nodes().iter().position(|node| *node == Node::Input { number, component: 0 });
        id.is_some_and(|id| exact[id])
    })
}

#[test]
fn which_nan_it_is_matters_where_something_sees_it() {
    // An output itself, and what moves bits into one.
    assert_eq!(exact("output 0 = v0"), [true, false, false]);
    assert_eq!(exact("v3 = fneg v0\noutput 0 = v3"), [true, false, false]);
    // A sum has one NaN whatever those of its terms are.
    assert_eq!(exact("v3 = fadd v0, v1\noutput 0 = v3"), [false; 3]);
    // So has a sum of what was moved.
    assert_eq!(exact("v3 = fneg v0\nv4 = fadd v3, v1\noutput 0 = v4"), [false; 3]);
    // Integers are bits, whatever becomes of them.
    assert_eq!(exact("v3 = iadd v0, v1\nv4 = fadd v3, v2\noutput 0 = v4"), [true, true, false]);
    // Of a choice the condition is bits; the other two are passed on.
    assert_eq!(exact("v3 = iselect v0, v1, v2\noutput 0 = v3"), [true; 3]);
    assert_eq!(exact("v3 = iselect v0, v1, v2\nv4 = fadd v3, v3\noutput 0 = v4"), [true, false, false]);
    assert_eq!(exact("v3 = iselect v1, v0, v2\nv4 = fadd v3, v3\noutput 0 = v4"), [false, true, false]);
    // A sampler sees the coordinates; a kill compares.
    assert_eq!(exact("v3 = sample 0, v0\nv4 = fadd v3, v3\noutput 0 = v4"), [true, false, false]);
    assert_eq!(exact("v3 = kill v0\nv4 = fadd v1, v1\noutput 0 = v4"), [false; 3]);
    // The number of a uniform is an integer.
    assert_eq!(exact("v3 = uniform[v1.x < 4]\noutput 0 = v3"), [false, true, false]);
    // What nothing reads sees nothing.
    assert_eq!(exact("v3 = iadd v0, v0\noutput 0 = v1"), [false, true, false]);
}

#[test]
fn one_instruction_of_a_sum_and_the_product_in_it() {
    let fused = |source: &str| {
        let mut own = graph(&format!("v0 = input 0\nv1 = input 1\nv2 = uniform 0\n{source}"));
        own.fuse();
        let uses = own.uses();
        let of = |kind: fn(&Node) -> bool| {
            own.nodes().iter().zip(&uses).filter(|(node, uses)| **uses > 0 && kind(node)).count()
        };
        let product = |node: &Node| matches!(node, Node::Map2(Op2::FMul, _));
        (of(|node| matches!(node, Node::Map3(Op3::FMad, _))), of(product))
    };
    // On either side of the sum.
    assert_eq!(fused("v3 = fmul v0, v1\nv4 = fadd v3, v1\nv5 = v4.x000\noutput 0 = v5"), (1, 0));
    assert_eq!(fused("v3 = fmul v0, v1\nv4 = fadd v1, v3\nv5 = v4.x000\noutput 0 = v5"), (1, 0));
    // Of two products one.
    assert_eq!(
        fused("v3 = fmul v0, v1\nv4 = fmul v1, v1\nv5 = fadd v3, v4\nv6 = v5.x000\noutput 0 = v6"),
        (1, 1)
    );
    // The product is read elsewhere, too, or is both terms.
    assert_eq!(fused("v3 = fmul v0, v1\nv4 = fadd v3, v1\nv5 = v4.x_00 | v3._x__\noutput 0 = v5"), (0, 1));
    assert_eq!(fused("v3 = fmul v0, v1\nv4 = fadd v3, v3\nv5 = v4.x000\noutput 0 = v5"), (0, 1));
    // It is computed once for all lanes.
    assert_eq!(fused("v3 = fmul v2, v2\nv4 = fadd v3, v1\nv5 = v4.x000\noutput 0 = v5"), (0, 1));
    // Another operation than a sum.
    assert_eq!(fused("v3 = fmul v0, v1\nv4 = fsub v3, v1\nv5 = v4.x000\noutput 0 = v5"), (0, 1));
}

#[test]
fn operands_are_replaced_where_they_are_listed() {
    let nodes = [
        (Node::Const(5), 0),
        (Node::Uniform { number: 1, component: 2 }, 0),
        (Node::Input { number: 1, component: 2 }, 0),
        (Node::UniformAt { index: 3, base: 4, count: 5, component: 1 }, 1),
        (Node::Map1(Op1::FNeg, 3), 1),
        (Node::Map2(Op2::FAdd, [3, 4]), 2),
        (Node::Map3(Op3::FMad, [3, 4, 5]), 3),
        (Node::Dot(Dot::Dot3, [[3, 4], [5, 6], [7, 8], [ZERO; 2]]), 6),
        (Node::Dot(Dot::Dot4, [[3, 4], [5, 6], [7, 8], [9, 10]]), 8),
        (Node::Sample { unit: 1, at: [3, 4, 5, 6], number: 2 }, 4),
        (Node::Texel(3, 1), 1),
        (Node::Kill([3, 4, 5, 6]), 4),
    ];
    for (node, count) in nodes {
        let operands = |node: Node| {
            let mut all = Vec::new();
            node.operands(|id| all.push(id));
            all
        };
        // In the order of the arguments.
        assert_eq!(operands(node), (3..3 + count).collect::<Vec<Id>>(), "{node:?}");
        let moved = node.map_operands(|id| id + 100);
        assert_eq!(operands(moved), (103..103 + count).collect::<Vec<Id>>(), "{node:?}");
        assert_eq!(moved.map_operands(|id| id - 100), node);
    }
}

#[test]
fn shuffles_that_change_nothing_are_their_operand() {
    for which in [Pick::A as fn(u8) -> Pick, Pick::B] {
        let own = [0, 1, 2, 3].map(which);
        let shuffled = |picks: [Pick; 4]| {
            let mut b = Builder::default();
            let (first, second) = (b.input(0), b.input(1));
            (b.shuffle(first, second, picks), if which(0) == Pick::A(0) { first } else { second })
        };
        let (result, operand) = shuffled(own);
        assert_eq!(result, operand);
        // Any other pick in any place changes something.
        for at in 0..4 {
            let others = [Pick::A(0), Pick::A(1), Pick::A(2), Pick::A(3)].into_iter().chain([
                Pick::B(0),
                Pick::B(1),
                Pick::B(2),
                Pick::B(3),
                Pick::Zero,
                Pick::One,
            ]);
            for other in others.filter(|other| *other != own[at]) {
                let mut picks = own;
                picks[at] = other;
                let (result, operand) = shuffled(picks);
                assert_ne!(result, operand, "{picks:?}");
            }
        }
    }
}

/// Three lanes of inputs.
fn lanes() -> impl Strategy<Value = [Vec<Vec4>; LANES]> {
    [vectors(3), vectors(3), vectors(3)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn graphs_compute_what_functions_do(f in function(30), inputs in lanes(), uniforms in vectors(6)) {
        let mut own = Graph::new(&f, &Options::default());
        let wanted = expected(&f, &inputs, &uniforms);
        prop_assert_eq!(&run(&own, &inputs, &uniforms, |_, bits| bits), &wanted, "{}", f);
        // Any NaN will do where it is not exact.
        let exact = own.exact();
        let another = |id: Id, bits: u32| {
            let inexact = f32::from_bits(bits).is_nan() && !exact[id as usize];
            if inexact { bits ^ 0x8000_5a5a } else { bits }
        };
        prop_assert_eq!(&run(&own, &inputs, &uniforms, another), &wanted, "{}", f);
        // The product rounds before the sum does.
        own.fuse();
        prop_assert_eq!(&run(&own, &inputs, &uniforms, |_, bits| bits), &wanted, "fused {}", f);
    }
}
