//! What a draw gives its programs, against what they read.

use crate::constants::Constants;
use crate::scene::{DrawCall, Scene, Unit};
use gpuzoo_diag::{Diagnostic, Severity, Span};
use gpuzoo_ir::{Function, Inst, passes};
use gpuzoo_isa::{FileKind, Isa, Program, Reg, list};
use gpuzoo_machine::RunState;
use gpuzoo_raster::Target;
use std::collections::BTreeSet;

gpuzoo_diag::codes! {
    NOT_GIVEN = "R0323", "program reads what the draw does not give",
        "An input, a constant or a texture that the program reads, and that the draw says nothing about, is zeros: positions and \
         colours that are multiplied by it become 0, and the picture is black or empty. Give it in `[draw.input]`, \
         `[draw.constants]` or `textures`.";
    NOT_READ = "R0324", "constant that is given and never read",
        "The draw gives a constant, and its program reads it nowhere: another number may be meant.";
}

/// Where a draw says what it gives.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Places {
    pub draw: Span,
    pub input: Span,
    pub constants: Option<Span>,
    pub textures: Option<Span>,
}

/// What a function reads.
#[derive(Default)]
struct Used {
    inputs: BTreeSet<u16>,
    constants: BTreeSet<u16>,
    textures: BTreeSet<u8>,
    /// It reads constants at computed places, so that nobody knows which.
    any_constant: bool,
}

impl Used {
    fn of(function: &Function) -> Used {
        let mut used = Used::default();
        for inst in &passes::optimize(function).insts {
            match inst {
                Inst::Input(index) => drop(used.inputs.insert(*index)),
                Inst::Uniform(index) => drop(used.constants.insert(*index)),
                Inst::Sample(unit, _) => drop(used.textures.insert(*unit)),
                Inst::UniformAt { .. } => used.any_constant = true,
                _ => {}
            }
        }
        used
    }
}

/// Reports what the programs of a scene's draws read and are not given, and constants that are given and not read.
pub(crate) fn check(scene: &Scene, problems: &mut Vec<Diagnostic>) {
    for draw in scene.draws() {
        vertex(scene, draw, problems);
        if let Some(program) = &draw.fragment {
            fragment(scene, draw, program, problems);
        }
    }
}

fn vertex(scene: &Scene, draw: &DrawCall, problems: &mut Vec<Diagnostic>) {
    let isa = scene.gpu.isa();
    // The size does not matter to what is read; a machine may set some constants itself, and what it sets is not 0.
    let Ok(target) = Target::new(16, 16) else { return };
    let (lowered, own) = scene.vertex_stage(draw, &target);
    let used = Used::of(&lowered.function);
    let is_own = |index: &u16| own.get(usize::from(*index)).is_some_and(|value| *value != [0; 4]);
    let inputs: Vec<u16> = draw.layout.attributes.iter().map(|attribute| attribute.input).collect();
    let missing: Vec<u16> = used.inputs.iter().copied().filter(|index| !inputs.contains(index)).collect();
    let program = &draw.program;
    problems.extend(not_given(isa, program, FileKind::Input, &missing, Some(draw.places.input), draw));
    let given = |index: &u16| draw.constants.gives(*index) || is_own(index);
    constants(isa, program, &used, &draw.constants, &given, draw, problems);
    // A fragment program without constants of its own reads the same ones.
    let fragment = draw.fragment.as_ref().filter(|_| draw.fragment_constants.is_none());
    let fragment = fragment
        .map(|program| Used::of(&scene.gpu.lower(program, &RunState::from(scene.profile)).0.function));
    let reads = |index: &u16| {
        let by = |used: &Used| used.any_constant || used.constants.contains(index);
        by(&used) || fragment.as_ref().is_some_and(by)
    };
    problems.extend(draw.constants.not_read(reads));
}

fn fragment(scene: &Scene, draw: &DrawCall, program: &Program, problems: &mut Vec<Diagnostic>) {
    let isa = scene.gpu.isa();
    let lowered = scene.gpu.lower(program, &RunState::from(scene.profile)).0;
    let used = Used::of(&lowered.function);
    let from = draw.fragment_constants.as_ref().unwrap_or(&draw.constants);
    let sets = |index: &u16| scene.gpu.fragment_programs().is_some_and(|own| own.sets(*index));
    constants(isa, program, &used, from, &|index| from.gives(*index) || sets(index), draw, problems);
    if let Some(own) = &draw.fragment_constants {
        let reads = |index: &u16| used.any_constant || used.constants.contains(index);
        problems.extend(own.not_read(reads));
    }
    let has = |unit: &u8| !matches!(draw.units.get(usize::from(*unit)), None | Some(Unit::Nothing));
    let missing: Vec<String> =
        used.textures.iter().filter(|unit| !has(unit)).map(|unit| format!("texture {unit}")).collect();
    if !missing.is_empty() {
        let names = missing.join(", ");
        let message = format!("the fragment program reads {names}, which the draw does not give");
        let problem = Diagnostic::warning(&NOT_GIVEN, message);
        let at = draw.places.textures.unwrap_or(draw.places.draw);
        problems.push(problem.label(at, "not given here").note("it reads as zeros"));
    }
}

/// Constants that a program reads, that have no value in it, and that the draw does not give.
fn constants(
    isa: &Isa,
    program: &Program,
    used: &Used,
    from: &Constants,
    given: &dyn Fn(&u16) -> bool,
    draw: &DrawCall,
    problems: &mut Vec<Diagnostic>,
) {
    // A name alone is no value.
    let own = |index: u16| {
        let mut valued = program.constants.iter().filter(|own| is_constant(isa, own.reg));
        valued.any(|own| (own.reg.index..).zip(&own.values).any(|(known, _)| known == index))
    };
    let missing: Vec<u16> =
        used.constants.iter().copied().filter(|index| !given(index) && !own(*index)).collect();
    let at = from.span().or(draw.places.constants);
    problems.extend(not_given(isa, program, FileKind::Constant, &missing, at, draw));
}

fn is_constant(isa: &Isa, reg: Reg) -> bool {
    isa.files.get(usize::from(reg.file)).is_some_and(|file| file.kind == FileKind::Constant)
}

/// The problem of registers that a program reads and a draw does not give.
fn not_given(
    isa: &Isa,
    program: &Program,
    kind: FileKind,
    missing: &[u16],
    at: Option<Span>,
    draw: &DrawCall,
) -> Option<Diagnostic> {
    let (number, file) = isa.files.iter().enumerate().find(|(_, file)| file.kind == kind)?;
    let first = *missing.first()?;
    let names = match kind {
        FileKind::Constant => program.constant_names(isa, missing),
        _ => missing.iter().map(|index| file.reg_name(*index)).collect(),
    };
    let read_first = names.first().cloned().unwrap_or_default();
    let names = list(names.iter().map(String::as_str));
    let message = format!("the program reads {names}, which the draw does not give");
    let mut problem = Diagnostic::warning(&NOT_GIVEN, message);
    problem = problem.label(at.unwrap_or(draw.places.draw), "not given here");
    let reads = |reg: Reg| usize::from(reg.file) == number && reg.index == first;
    let mut slots = program.slots.iter();
    let reading = slots.find(|slot| slot.insts().any(|inst| inst.operands.iter().any(|own| reads(own.reg))));
    if let Some(slot) = reading {
        problem = problem.label(slot.span, format!("{read_first} is read here"));
    }
    Some(problem.note("what is not given reads as zeros"))
}

/// The problem of a constant that is given and not read.
pub(crate) fn not_read(name: &str, span: Span) -> Diagnostic {
    let message = format!("`{name}` is given, and the program never reads it");
    Diagnostic::new(Severity::Note, &NOT_READ, message).label(span, "")
}
