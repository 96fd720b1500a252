//! The minimum that older interfaces promise, as optional checks: Servaru-I "loosely targets DX 8.1 SM 1.4 / OpenGL 1.3 with
//! ARB shader", and has no limits of its own (spec sections C and E).

use crate::encoding::number;
use crate::meaning::{different, reads_texture};
use crate::ops::KIL;
use crate::regs::{END_OUTPUT, P, R, T, U};
use crate::rules::OVER_LIMIT;
use gpuzoo_diag::{Diagnostic, Span};
use gpuzoo_isa::{Inst, Program, Reg, Stage};
use std::collections::HashSet;

/// An interface's minimum for each stage that it has.
#[derive(Debug)]
pub struct Limits {
    /// Its name: `ps_1_4`.
    pub name: &'static str,
    about: &'static str,
    vertex: Option<Minimum>,
    fragment: Option<Minimum>,
}

/// What a program may use.
#[derive(Debug)]
struct Minimum {
    /// What there may be of it in a program.
    program: &'static [(Measure, usize)],
    /// How many different registers of a file one instruction reads. Three temporaries are allowed, which no instruction exceeds.
    ports: &'static [(u8, &'static str, usize)],
}

/// What is counted in a program.
#[derive(Clone, Copy, Debug)]
enum Measure {
    Instructions,
    Arithmetic,
    Textures,
    /// Phases, each of texture reads and then arithmetic, and the most of both in a phase.
    Phases,
    TexturesOfPhase,
    ArithmeticOfPhase,
    Indirections,
    Temporaries,
    Uniforms,
}
use Measure::*;

/// All of them.
pub static ALL: [Limits; 3] = [
    Limits {
        name: "ps_1_4",
        about: "the minimum of DirectX 8.1's pixel shaders",
        vertex: None,
        fragment: Some(Minimum {
            #[rustfmt::skip]
            program: &[
                (Instructions, 28), (Phases, 2), (TexturesOfPhase, 6), (ArithmeticOfPhase, 8), (Temporaries, 6), (Uniforms, 8),
            ],
            ports: &[(U, "uniforms", 2), (P, "inputs", 1)],
        }),
    },
    Limits {
        name: "vs_1_1",
        about: "the minimum of DirectX 8.1's vertex shaders",
        vertex: Some(Minimum {
            program: &[(Instructions, 128), (Temporaries, 12), (Uniforms, 96)],
            ports: &[(U, "uniforms", 1), (P, "inputs", 1)],
        }),
        fragment: None,
    },
    Limits {
        name: "arb",
        about: "the minimum of ARB_vertex_program and ARB_fragment_program",
        vertex: Some(Minimum {
            program: &[(Instructions, 128), (Temporaries, 12), (Uniforms, 96)],
            ports: &[],
        }),
        fragment: Some(Minimum {
            #[rustfmt::skip]
            program: &[
                (Instructions, 72), (Arithmetic, 48), (Textures, 24), (Indirections, 4), (Temporaries, 16), (Uniforms, 24),
            ],
            ports: &[],
        }),
    },
];

impl Measure {
    /// How much of it there is, and what it is called.
    fn of(self, insts: &[&Inst]) -> (usize, &'static str) {
        let textures = || insts.iter().filter(|inst| is_texture(inst)).count();
        match self {
            Instructions => (insts.len(), "instructions"),
            Arithmetic => (insts.len() - textures(), "arithmetic instructions"),
            Textures => (textures(), "texture instructions"),
            Phases => (phases(insts)[0], "phases"),
            TexturesOfPhase => (phases(insts)[1], "texture instructions in a phase"),
            ArithmeticOfPhase => (phases(insts)[2], "arithmetic instructions in a phase"),
            Indirections => (indirections(insts), "dependent texture reads in a row"),
            Temporaries => (temporaries(insts), "temporaries"),
            Uniforms => (uniforms(insts), "uniforms and numbers"),
        }
    }
}

/// True for what counts as a texture instruction: reads, and `KIL`, which is one in both fragment interfaces.
fn is_texture(inst: &Inst) -> bool {
    reads_texture(inst) || inst.op.code == KIL
}

impl Limits {
    /// As a choice of a mode.
    pub(crate) const fn choice(&self) -> (&'static str, &'static str) {
        (self.name, self.about)
    }

    /// The limits of a name.
    pub fn find(name: &str) -> Option<&'static Limits> {
        ALL.iter().find(|limits| limits.name == name)
    }

    /// Where a program of a stage is beyond them; `place` is where they are asked for.
    pub fn check(&self, program: &Program, stage: Stage, place: Span) -> Vec<Diagnostic> {
        let (minimum, what) = match stage {
            Stage::Vertex => (&self.vertex, "vertex"),
            Stage::Fragment => (&self.fragment, "fragment"),
        };
        let over = |message: String| Diagnostic::warning(&OVER_LIMIT, message);
        let Some(minimum) = minimum else {
            return vec![over(format!("{} has no {what} programs", self.name)).at(place)];
        };
        let insts: Vec<&Inst> = program.slots.iter().filter_map(|slot| slot.inst.as_ref()).collect();
        let counted = minimum.program.iter().filter_map(|(measure, most)| {
            let (count, what) = measure.of(&insts);
            let message = format!("{} promises {most} {what}, the program has {count}", self.name);
            (count > *most).then(|| over(message).at(place))
        });
        let slots = program.slots.iter().filter_map(|slot| Some((slot.span, slot.inst.as_ref()?)));
        let read = slots.flat_map(|(span, inst)| {
            minimum.ports.iter().filter_map(move |(file, what, most)| {
                let count = different(inst, *file).len();
                let message = format!("{count} {what} in an instruction, where {} reads {most}", self.name);
                (count > *most).then(|| over(message).at(span).label(place, "asked for here"))
            })
        });
        counted.chain(read).collect()
    }
}

/// How many phases there are, and the most texture and arithmetic instructions of one. A phase ends where a texture
/// instruction follows an arithmetic one.
fn phases(insts: &[&Inst]) -> [usize; 3] {
    let (mut count, mut most) = (usize::from(!insts.is_empty()), [0, 0]);
    let mut here = [0, 0];
    for inst in insts {
        let kind = usize::from(!is_texture(inst));
        if kind == 0 && here[1] > 0 {
            (count, here) = (count + 1, [0, 0]);
        }
        here[kind] += 1;
        most[kind] = most[kind].max(here[kind]);
    }
    [count, most[0], most[1]]
}

/// The length of the longest chain as `ARB_fragment_program` counts it: a texture instruction begins a new link if it reads
/// what was written since the last one began, or writes what arithmetic has read or written since.
fn indirections(insts: &[&Inst]) -> usize {
    let (mut links, mut written, mut touched) = (1, HashSet::new(), HashSet::new());
    for inst in insts {
        let reads: Vec<Reg> = registers(inst).collect();
        let writes = destination(inst);
        if is_texture(inst) {
            let dependent = reads.iter().any(|reg| written.contains(reg));
            if dependent || writes.is_some_and(|reg| touched.contains(&reg)) {
                links += 1;
                written.clear();
                touched.clear();
            }
        } else {
            touched.extend(reads);
            touched.extend(writes);
        }
        written.extend(writes);
    }
    links
}

/// The registers that an instruction reads.
fn registers(inst: &Inst) -> impl Iterator<Item = Reg> {
    let regs = inst.reads().filter(|(_, operand)| operand.immediates.is_empty());
    regs.map(|(_, operand)| operand.reg).filter(|reg| reg.file != T)
}

/// The register that an instruction writes.
fn destination(inst: &Inst) -> Option<Reg> {
    inst.writes().find(|(_, operand)| !operand.is_nothing()).map(|(_, operand)| operand.reg)
}

/// The temporaries that a program uses; shared registers above the outputs are temporaries, too.
fn temporaries(insts: &[&Inst]) -> usize {
    let written = insts.iter().filter_map(|inst| destination(inst));
    let all: HashSet<Reg> = insts.iter().copied().flat_map(registers).chain(written).collect();
    let temporary = |reg: &&Reg| reg.file == R || reg.file == P && reg.index >= END_OUTPUT;
    all.iter().filter(temporary).count()
}

/// The uniforms and the different numbers that a program uses.
fn uniforms(insts: &[&Inst]) -> usize {
    let uniforms = insts.iter().copied().flat_map(registers).filter(|reg| reg.file == U);
    let operands = insts.iter().flat_map(|inst| inst.reads());
    let numbers: HashSet<u16> = operands.filter_map(|(_, operand)| number(operand)).collect();
    uniforms.collect::<HashSet<Reg>>().len() + numbers.len()
}
