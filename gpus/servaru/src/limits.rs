//! The minimum that older interfaces promise, as optional checks: Servaru-I "loosely targets DX 8.1 SM 1.4 / OpenGL 1.3 with
//! ARB shader", and has no limits of its own (spec sections C and E).

use crate::encoding::number;
use crate::meaning::different;
use crate::ops::{KIL, TEX, TXF};
use crate::regs::{P, R, T, U};
use crate::rules::OVER_LIMIT;
use gpuzoo_diag::{Diagnostic, Span};
use gpuzoo_isa::{Inst, Program, Reg, Stage};
use std::collections::HashSet;

/// An interface's minimum for each stage that it has.
#[derive(Debug)]
pub struct Limits {
    /// Its name: `ps_1_4`.
    pub name: &'static str,
    vertex: Option<Minimum>,
    fragment: Option<Minimum>,
}

/// What a program may use. `usize::MAX` where nothing is said.
#[derive(Debug)]
struct Minimum {
    instructions: usize,
    arithmetic: usize,
    textures: usize,
    /// Phases, each of texture reads and then arithmetic, and how many of both a phase has.
    phases: [usize; 3],
    /// Chains of texture reads of which each takes its coordinates from the one before.
    indirections: usize,
    temporaries: usize,
    uniforms: usize,
    /// Different uniforms, temporaries and inputs that one instruction reads.
    ports: [usize; 3],
}

const NONE: usize = usize::MAX;

const ANYTHING: Minimum = Minimum {
    instructions: NONE,
    arithmetic: NONE,
    textures: NONE,
    phases: [NONE; 3],
    indirections: NONE,
    temporaries: NONE,
    uniforms: NONE,
    ports: [NONE; 3],
};

/// All of them.
pub static ALL: [Limits; 3] = [
    Limits {
        name: "ps_1_4",
        vertex: None,
        fragment: Some(Minimum {
            instructions: 28,
            phases: [2, 6, 8],
            temporaries: 6,
            uniforms: 8,
            ports: [2, 3, 1],
            ..ANYTHING
        }),
    },
    Limits {
        name: "vs_1_1",
        vertex: Some(Minimum {
            instructions: 128,
            temporaries: 12,
            uniforms: 96,
            ports: [1, 3, 1],
            ..ANYTHING
        }),
        fragment: None,
    },
    Limits {
        name: "arb",
        vertex: Some(Minimum { instructions: 128, temporaries: 12, uniforms: 96, ..ANYTHING }),
        fragment: Some(Minimum {
            instructions: 72,
            arithmetic: 48,
            textures: 24,
            indirections: 4,
            temporaries: 16,
            uniforms: 24,
            ..ANYTHING
        }),
    },
];

/// True for what counts as a texture instruction: reads, and `KIL`, which is one in both fragment interfaces.
fn is_texture(inst: &Inst) -> bool {
    (TEX..=TXF).contains(&inst.op.code) || inst.op.code == KIL
}

impl Limits {
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
        let textures = insts.iter().filter(|inst| is_texture(inst)).count();
        let (phases, reads, arithmetic) = phases(&insts);
        let used = Used::of(&insts);
        let [most_phases, most_reads, most_arithmetic] = minimum.phases;
        let table = [
            (insts.len(), minimum.instructions, "instructions"),
            (insts.len() - textures, minimum.arithmetic, "arithmetic instructions"),
            (textures, minimum.textures, "texture instructions"),
            (phases, most_phases, "phases"),
            (reads, most_reads, "texture instructions in a phase"),
            (arithmetic, most_arithmetic, "arithmetic instructions in a phase"),
            (indirections(&insts), minimum.indirections, "dependent texture reads in a row"),
            (used.temporaries, minimum.temporaries, "temporaries"),
            (used.uniforms, minimum.uniforms, "uniforms and numbers"),
        ];
        let counted = table.into_iter().filter(|(count, most, _)| count > most).map(|(count, most, what)| {
            over(format!("{} promises {most} {what}, the program has {count}", self.name)).at(place)
        });
        let [uniforms, temporaries, inputs] = minimum.ports;
        let ports = [(U, uniforms, "uniforms"), (R, temporaries, "temporaries"), (P, inputs, "inputs")];
        let slots = program.slots.iter().filter_map(|slot| Some((slot.span, slot.inst.as_ref()?)));
        let read = slots.flat_map(|(span, inst)| {
            ports.into_iter().filter_map(move |(file, most, what)| {
                let count = different(inst, file).len();
                let message = format!("{count} {what} in an instruction, where {} reads {most}", self.name);
                (count > most).then(|| over(message).at(span).label(place, "asked for here"))
            })
        });
        counted.chain(read).collect()
    }
}

/// How many phases there are, and the most texture and arithmetic instructions of one. A phase ends where a texture
/// instruction follows an arithmetic one.
fn phases(insts: &[&Inst]) -> (usize, usize, usize) {
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
    (count, most[0], most[1])
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

/// How much of each kind a program uses.
struct Used {
    temporaries: usize,
    uniforms: usize,
}

impl Used {
    /// Shared registers above the outputs are temporaries, too.
    fn of(insts: &[&Inst]) -> Used {
        let mut all: HashSet<Reg> = insts.iter().copied().flat_map(registers).collect();
        all.extend(insts.iter().filter_map(|inst| destination(inst)));
        let operands = insts.iter().flat_map(|inst| inst.reads());
        let numbers: HashSet<u16> = operands.filter_map(|(_, operand)| number(operand)).collect();
        let temporary = |reg: &&Reg| reg.file == R || reg.file == P && reg.index >= crate::regs::END_OUTPUT;
        let uniforms = all.iter().filter(|reg| reg.file == U).count() + numbers.len();
        Used { temporaries: all.iter().filter(temporary).count(), uniforms }
    }
}
