//! Proof that two programs compute the same bits.
//!
//! Both are lowered, in every profile, to graphs of operations on single numbers. Where each output of one is the same
//! expression as that of the other, no input can tell them apart: nothing is assumed of what operations do.

use gpuzoo_ir::scalar::{Graph, Id, Node, Options};
use gpuzoo_ir::{Function, Vec4, eval};
use gpuzoo_isa::{Lowered, Profile, Program, numbers};
use gpuzoo_machine::ShaderUnit;
use rustc_hash::FxHashMap as HashMap;

/// How two programs differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// In which profile.
    pub profile: Profile,
    /// The output, as [`Output`](gpuzoo_isa::Output) numbers it; none if they do not write the same ones.
    pub output: Option<u16>,
    /// True if inputs were found for which they differ; else it is only not proven that they do not.
    pub seen: bool,
}

/// Vectors that a program is run with besides the proof, where nothing else is asked for.
pub const VECTORS: u64 = 64;

/// Where two programs may differ. None if every output component is the same expression in both, in each profile, and runs on edge
/// values and random ones, `vectors` of them, give the same bits.
pub fn difference(unit: &dyn ShaderUnit, one: &Program, other: &Program, vectors: u64) -> Option<Difference> {
    let profiles = unit.about().profiles.len();
    (0..profiles).map(|profile| Profile(profile as u8)).find_map(|profile| {
        let [one, other] = [one, other].map(|program| unit.lower(program, &profile.into()).0);
        let found = |output, seen| Some(Difference { profile, output, seen });
        if written(&one) != written(&other) {
            return found(None, true);
        }
        let apart = runs_apart(&one.function, &other.function, vectors);
        if apart.is_some() {
            return found(apart, true);
        }
        let unproven = expressions_apart(&one.function, &other.function);
        if unproven.is_some() { found(unproven, false) } else { None }
    })
}

/// How a program differs from what it is to compute: a function in each profile, whose outputs are numbered as registers are.
pub fn difference_from(
    unit: &dyn ShaderUnit,
    functions: &[Function],
    program: &Program,
) -> Option<Difference> {
    (0..).map(Profile).zip(functions).find_map(|(profile, function)| {
        let own = unit.lower(program, &profile.into()).0.function;
        let unproven = expressions_apart(function, &own)?;
        // What is proven needs no runs; else they may show a difference.
        let seen = runs_apart(function, &own, VECTORS);
        Some(Difference { profile, output: seen.or(Some(unproven)), seen: seen.is_some() })
    })
}

/// True if every output component is the same expression in both programs, in each profile, and what they do besides is the same.
pub fn is_proven(unit: &dyn ShaderUnit, one: &Program, other: &Program) -> bool {
    let profiles = unit.about().profiles.len();
    (0..profiles).map(|profile| Profile(profile as u8)).all(|profile| {
        let [one, other] = [one, other].map(|program| unit.lower(program, &profile.into()).0);
        written(&one) == written(&other) && expressions_apart(&one.function, &other.function).is_none()
    })
}

/// The outputs there are, and what is left unwritten of each.
fn written(lowered: &Lowered) -> (Vec<u16>, Vec<(gpuzoo_isa::Reg, gpuzoo_isa::Mask)>) {
    let outputs = lowered.function.outputs.iter().map(|(number, _)| *number).collect();
    (outputs, lowered.unwritten_outputs.clone())
}

/// For each node of a graph a number that stands for its expression, in all graphs that are numbered with a table. The order of what is
/// added or multiplied does not count.
pub fn expressions(graph: &Graph, table: &mut HashMap<Node, Id>) -> Vec<Id> {
    let mut all: Vec<Id> = Vec::with_capacity(graph.nodes().len());
    for node in graph.nodes() {
        let node = match node.map_operands(|operand| all[operand as usize]) {
            Node::Map2(op, [a, b]) if op.commutes() => Node::Map2(op, [a.min(b), a.max(b)]),
            node => node,
        };
        let next = table.len() as Id;
        all.push(*table.entry(node).or_insert(next));
    }
    all
}

/// The first output that is not the same expression in both.
fn expressions_apart(one: &Function, other: &Function) -> Option<u16> {
    let graphs = [one, other].map(|function| Graph::new(function, &Options::default()));
    let mut table = HashMap::default();
    let [first, second] = graphs.each_ref().map(|graph| expressions(graph, &mut table));
    // Kills, and reads of textures, which samplers may count.
    let effects = |graph: &Graph, ids: &[Id]| -> Vec<Id> {
        let has_effect = |node: &Node| matches!(node, Node::Kill(_) | Node::Sample { .. });
        graph.nodes().iter().zip(ids).filter(|(node, _)| has_effect(node)).map(|(_, id)| *id).collect()
    };
    let [one_graph, other_graph] = &graphs;
    if effects(one_graph, &first) != effects(other_graph, &second) {
        return one.outputs.first().map(|(number, _)| *number).or(Some(0));
    }
    let pairs = one_graph.outputs().iter().zip(other_graph.outputs());
    let mut pairs = one.outputs.iter().zip(pairs);
    let apart = pairs.find(|(_, (one, other))| {
        one.iter().zip(*other).any(|(one, other)| first[*one as usize] != second[*other as usize])
    });
    apart.map(|((number, _), _)| *number)
}

/// Numbers at which operations change their ways.
const EDGES: [f32; 12] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
    f32::MIN_POSITIVE,
    1e-40,
    f32::MAX,
    16_777_216.0,
];

/// The first output that some run shows to differ.
fn runs_apart(one: &Function, other: &Function, vectors: u64) -> Option<u16> {
    let inputs = one.input_count().max(other.input_count());
    let uniforms = one.uniform_count().max(other.uniform_count());
    (0..vectors).find_map(|seed| {
        let mut number = numbers(seed);
        let mut component = || match number(4) {
            0 => EDGES[number(EDGES.len() as u32) as usize].to_bits(),
            1 => number(u32::MAX),
            // Numbers of a size that shaders see.
            _ => (number(2_000) as f32 / 100.0 - 10.0).to_bits(),
        };
        let mut vectors =
            |count: usize| (0..count).map(|_| [0; 4].map(|_: u32| component())).collect::<Vec<Vec4>>();
        let (inputs, uniforms) = (vectors(inputs), vectors(uniforms));
        let [first, second] = [one, other].map(|function| eval::outputs(function, &inputs, &uniforms));
        let apart = first.iter().zip(&second).position(|(first, second)| first != second)?;
        one.outputs.get(apart).map(|(number, _)| *number)
    })
}
