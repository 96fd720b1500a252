//! What is run: programs and their runs, at random, directed, or given.

use super::vectors_of;
use crate::Program;
use crate::run::Vertices;
use gpuzoo_diag::{Diagnostic, Span};
use gpuzoo_ir::eval::{NoTextures, Run};
use gpuzoo_ir::{Function, Vec4};
use gpuzoo_isa::{Inst, Isa, Op, Profile, Slot, numbers};
use gpuzoo_machine::ShaderUnit;
use gpuzoo_machine::unit::draw::write_constants;
use gpuzoo_machine::vectors::stimulus::{EDGES, ProgramVectors, Stimulus, Temporaries};

/// A program, and what it is run with.
#[derive(Clone, Debug)]
pub struct Made {
    /// What it is called in its records.
    pub name: String,
    /// The program.
    pub program: gpuzoo_isa::Program,
    /// Its runs.
    pub runs: Vec<Stimulus>,
}

/// How many random programs there are, and what they are like.
#[derive(Clone, Copy, Debug)]
pub struct Random {
    /// The same programs for the same seed, everywhere; and the first of many are those of few.
    pub seed: u64,
    /// How many programs.
    pub count: u64,
    /// How many slots each has, besides those that fill registers and leave results: at most [`Random::MOST_LENGTH`].
    pub length: usize,
    /// How often each is run.
    pub runs: usize,
}

impl Random {
    /// The most slots of a body. With what is around it the program fits every machine.
    pub const MOST_LENGTH: usize = 32;
    /// The most runs of a program.
    pub const MOST_RUNS: usize = 1 << 16;
}

impl Default for Random {
    fn default() -> Random {
        Random { seed: 0, count: 100, length: 8, runs: 1 }
    }
}

/// Programs of random instructions. Each begins with one of the next row of the table, so that as many programs as there are
/// rows cover all.
///
/// # Errors
/// `C0105` for a machine without records of programs.
pub fn random(
    gpu: &'static dyn ShaderUnit,
    options: &Random,
) -> Result<impl Iterator<Item = Made>, Diagnostic> {
    let (vectors, isa) = (vectors_of(gpu)?, gpu.isa());
    let rows: Vec<&'static Op> = isa.ops().filter(|op| !op.internal).collect();
    let Random { seed, count, length, runs } = *options;
    let (length, runs) = (length.clamp(1, Random::MOST_LENGTH), runs.clamp(1, Random::MOST_RUNS));
    Ok((0..count).map(move |number| {
        // Each has a sequence of its own, whose beginning depends on all bits of both numbers.
        let mut pick = numbers(mixed(seed) ^ number);
        let mut body: Vec<Slot> = Vec::new();
        let mut next = rows.get((number % rows.len().max(1) as u64) as usize).copied();
        while let Some(op) = next {
            body.extend(slot(isa, vectors, op, &body, &mut pick));
            next = (body.len() < length).then(|| rows[pick(rows.len() as u32) as usize]);
        }
        let program = vectors.around(&body, &Temporaries::of(isa, &body));
        let function = function(gpu, &program);
        let constants = values(vectors.counts()[1], &mut pick);
        let run = |_| given(&function, values(vectors.counts()[0], &mut pick), constants.clone());
        Made { name: format!("seed {seed}, program {number}"), runs: (0..runs).map(run).collect(), program }
    }))
}

/// The seed as the middle of a sequence that begins at it.
fn mixed(seed: u64) -> u64 {
    let mut pick = numbers(seed);
    (0..4).fold(0, |mixed, _| mixed << 16 | u64::from(pick(1 << 16)))
}

/// A slot with an instruction of a row, or of another one if the machine takes none of this.
fn slot(
    isa: &'static Isa,
    vectors: &dyn ProgramVectors,
    op: &'static Op,
    before: &[Slot],
    pick: &mut dyn FnMut(u32) -> u32,
) -> Option<Slot> {
    let mut tries = (0..64).map(|number| {
        let rows = isa.ops().filter(|op| !op.internal).count();
        let other = |pick: &mut dyn FnMut(u32) -> u32| {
            isa.ops().filter(|op| !op.internal).nth(pick(rows as u32) as usize)
        };
        let op = if number < 16 { op } else { other(pick).unwrap_or(op) };
        isa.random_slot(op, pick)
    });
    tries.find(|slot| slot.insts().all(|inst| vectors.takes(before, inst)))
}

/// What a program means for the machine as it is at first.
fn function(gpu: &dyn ShaderUnit, program: &gpuzoo_isa::Program) -> Function {
    gpu.lower(program, &Profile::default().into()).0.function
}

/// As much of some values as a program reads.
fn given(function: &Function, mut inputs: Vec<Vec4>, mut constants: Vec<Vec4>) -> Stimulus {
    inputs.truncate(function.input_count());
    constants.truncate(function.uniform_count());
    Stimulus { inputs, constants }
}

/// Numbers of all sorts: small ones with few digits in most components, edges in some, any bits in others.
fn values(count: usize, pick: &mut dyn FnMut(u32) -> u32) -> Vec<Vec4> {
    let mut component = || match pick(8) {
        0 => EDGES[pick(EDGES.len() as u32) as usize],
        1 => pick(1 << 16) << 16 | pick(1 << 16),
        _ => ((pick(1 << 12) as f32 - 2048.0) / 128.0).to_bits(),
    };
    (0..count).map(|_| [(); 4].map(|()| component())).collect()
}

/// Each row of the instruction table: on all pairs of [`EDGES`], and in each form that its operands can have.
///
/// # Errors
/// `C0105` for a machine without records of programs.
pub fn directed(gpu: &'static dyn ShaderUnit) -> Result<impl Iterator<Item = Made>, Diagnostic> {
    let vectors = vectors_of(gpu)?;
    let rows = gpu.isa().ops().filter(|op| !op.internal);
    Ok(rows.flat_map(move |op| {
        let isa = gpu.isa();
        let taken = move |inst: &Inst| vectors.takes(&[], inst);
        let example = Some(isa.example(op)).filter(taken);
        let edges = example.map(|inst| on_edges(gpu, vectors, &inst));
        let mut pick = numbers(u64::from(op.code));
        let forms = isa.variations(op).into_iter().filter(taken).enumerate();
        let forms = forms.map(move |(number, inst)| {
            let (program, function) = alone(gpu, vectors, &inst);
            let [inputs, constants] = vectors.counts().map(|count| values(count, &mut pick));
            let runs = vec![given(&function, inputs, constants)];
            Made { name: format!("{}, form {number}", op.name), program, runs }
        });
        edges.into_iter().chain(forms)
    }))
}

/// An instruction in a program of its own.
fn alone(gpu: &dyn ShaderUnit, vectors: &dyn ProgramVectors, inst: &Inst) -> (gpuzoo_isa::Program, Function) {
    let isa = gpu.isa();
    let body = [isa.slot(isa.encode(inst), Span::default())];
    let program = vectors.around(&body, &Temporaries::of(isa, &body));
    let function = function(gpu, &program);
    (program, function)
}

/// An instruction on edges: each of one operand, all pairs of two, with each of the others beside some pairs.
fn on_edges(gpu: &dyn ShaderUnit, vectors: &dyn ProgramVectors, inst: &Inst) -> Made {
    let (program, function) = alone(gpu, vectors, inst);
    let operands = function.input_count() + function.uniform_count();
    // A scalar operand has one component only, so that no pair may be in another alone.
    let each = if inst.op.parts.iter().any(|part| part.scalar) { 1 } else { 4 };
    let edges = EDGES.len();
    let cases = if operands < 2 { edges } else { edges * edges };
    let edge = |operand: usize, case: usize| match operand {
        0 => EDGES[case % edges],
        1 => EDGES[case / edges % edges],
        more => EDGES[(case * (2 * more + 1) + case / edges) % edges],
    };
    let run = |number: usize| {
        let value = |operand: usize| [0, 1, 2, 3].map(|component| edge(operand, number * each + component));
        let inputs = (0..function.input_count()).map(value).collect();
        let constants = (function.input_count()..operands).map(value).collect();
        Stimulus { inputs, constants }
    };
    let runs = (0..cases.div_ceil(each)).map(run).collect();
    Made { name: format!("{}, edges", inst.op.name), program, runs }
}

/// A program and its vertices, or fragments. What one of them leaves in constants, the next one finds, and so do later calls
/// with the same `constants`.
pub fn of_vertices(
    name: &str,
    program: &Program,
    profile: Profile,
    vertices: &Vertices,
    constants: &mut Vec<Vec4>,
) -> Made {
    let function = program.gpu().lower(program.code(), &profile.into()).0.function;
    let fetch = |vertex, inputs: &mut [Vec4]| vertices.fetch(vertex, inputs);
    let runs = runs(&function, 0..vertices.count(), fetch, constants);
    Made { name: name.to_owned(), program: program.code().clone(), runs }
}

/// Runs of vertices in their order.
pub(super) fn runs(
    function: &Function,
    vertices: impl Iterator<Item = usize>,
    fetch: impl Fn(usize, &mut [Vec4]),
    constants: &mut Vec<Vec4>,
) -> Vec<Stimulus> {
    let leaves = gpuzoo_machine::unit::draw::leaves_constants(function);
    let mut run = Run::default();
    let one = |vertex| {
        let mut inputs = vec![[0; 4]; function.input_count()];
        fetch(vertex, &mut inputs);
        let stimulus = given(function, inputs, constants.to_vec());
        if leaves {
            run.run(function, &stimulus.inputs, constants, &NoTextures);
            write_constants(function, &run, constants);
        }
        stimulus
    };
    vertices.map(one).collect()
}
