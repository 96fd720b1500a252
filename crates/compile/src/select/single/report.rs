//! What is said when there is no program.

use super::components::Components;
use super::cover::Lacking;
use super::draft::{Draft, Vreg};
use super::emit::Stuck;
use super::live::Live;
use super::machine::Machine;
use crate::codes::{ABSENT, COMPUTED_INDEX, CONSTANTS, INFINITE, TEMPORARIES, TOO_LONG, UNPROVEN};
use crate::graph::lanes::Lane;
use crate::options::Built;
use gpuzoo_diag::{Diagnostic, Span, counted};
use gpuzoo_ir::{Function, Inst, Origin, Value};
use gpuzoo_isa::Stage;
use std::collections::BTreeMap;

/// The most places that a message shows.
const MOST_LABELS: usize = 3;

fn place(machine: &Machine, origin: Origin) -> Span {
    machine.shader.origin(origin).map_or(machine.shader.span, |origin| origin.span)
}

/// Uniforms that are chosen at run time.
pub fn refuse_indices(machine: &Machine) -> Result<(), Vec<Diagnostic>> {
    let function = &machine.shader.function;
    let all = function.insts.iter().zip(&function.origins);
    let computed = all.filter(|(inst, _)| matches!(inst, Inst::UniformAt { .. }));
    let problems: Vec<Diagnostic> = computed
        .map(|(_, origin)| {
            let message = format!("{} cannot choose a uniform at run time", machine.unit.about().name);
            let problem = Diagnostic::error(&COMPUTED_INDEX, message)
                .label(place(machine, *origin), "the index is not known");
            problem.help("use indices that are known, or choose between a few values with `select`")
        })
        .collect();
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// Ends and texture reads in vertex programs, which no machine has there.
pub fn refuse_effects(machine: &Machine) -> Result<(), Vec<Diagnostic>> {
    let function = &machine.shader.function;
    let is_one = |inst: &Inst| matches!(inst, Inst::Sample(..) | Inst::Kill(_));
    let found = (0..).map(Value).zip(&function.insts).find(|(_, inst)| is_one(inst));
    match found.filter(|_| machine.shader.stage == Stage::Vertex) {
        Some((value, _)) => Err(vec![lacking(machine, function, Lacking(value))]),
        None => Ok(()),
    }
}

/// The nearest thing that works for something that does not.
fn nearest(machine: &Machine, inst: Inst) -> (String, String) {
    let vertex = machine.shader.stage == Stage::Vertex;
    match inst {
        Inst::Sample(..) if vertex => {
            ("read textures for vertices".to_owned(), "read them in the fragment program".to_owned())
        }
        Inst::Kill(_) if vertex => {
            let help = "a vertex whose position has w 0, or lies behind the viewer, is not seen";
            ("end a vertex".to_owned(), help.to_owned())
        }
        Inst::Sample(..) => (
            "read textures".to_owned(),
            match machine.rules.iter().any(|rule| !rule.fixed.is_empty()) {
                true => "there are four texture units, 0 to 3".to_owned(),
                false => "put the picture's numbers into vertices, or compute them".to_owned(),
            },
        ),
        Inst::Kill(_) => {
            ("end a fragment".to_owned(), "let the fragment have the colour that is there already".to_owned())
        }
        Inst::Map1(op, _) => {
            (format!("do `{}`", op.name()), "compute it in another way, or before the draw".to_owned())
        }
        Inst::Map2(op, _) => {
            (format!("do `{}`", op.name()), "compute it in another way, or before the draw".to_owned())
        }
        Inst::Map3(op, _) => {
            (format!("do `{}`", op.name()), "compute it in another way, or before the draw".to_owned())
        }
        _ => {
            let stage = if vertex { "a vertex program" } else { "a fragment program" };
            (
                format!("do this in {stage}"),
                "compute it before the draw, and hand it over as a uniform".to_owned(),
            )
        }
    }
}

/// An operation that no instruction does.
pub fn lacking(machine: &Machine, function: &Function, Lacking(value): Lacking) -> Diagnostic {
    let origin = function.origins.get(value.index()).copied().flatten();
    let inst = function.insts.get(value.index()).copied().unwrap_or(Inst::Const([0; 4]));
    let (what, help) = nearest(machine, inst);
    let message = format!("{} cannot {what}", machine.unit.about().name);
    Diagnostic::error(&ABSENT, message).at(place(machine, origin)).help(help)
}

/// Something that could not be brought where it is needed.
pub fn stuck(machine: &Machine, components: &Components, stuck: Stuck) -> Diagnostic {
    match stuck {
        Stuck::Constants(needed) => {
            let uniforms = usize::from(machine.shader.uniform_registers());
            let message = format!(
                "the uniforms take {} and numbers at least {needed} more, {} has {}",
                counted(uniforms, "register"),
                machine.unit.about().name,
                machine.constants.len()
            );
            let last = machine.shader.uniforms.last().map_or(machine.shader.span, |own| own.span);
            let problem = Diagnostic::error(&CONSTANTS, message).at(last);
            problem.help("leave out uniforms that nothing reads, or pack numbers into vectors")
        }
        Stuck::Component(lane) => match lane {
            Lane::Of(value, _) => lacking(machine, &components.function, Lacking(value)),
            Lane::Bits(_) => unproven(machine),
        },
    }
}

/// Too few registers: what is held where the most is.
pub fn registers(machine: &Machine, draft: &Draft, live: &Live, failed: Vreg) -> Diagnostic {
    let held = |time: usize| (0..draft.vregs.len()).filter(|vreg| live.held(*vreg, time) != 0).count();
    let (first, last) = live.whole(failed);
    let times = first.max(0) as usize..=(last.max(0) as usize).min(draft.steps.len().saturating_sub(1));
    let counts = live.counts(draft.steps.len(), |_| true);
    let peak = times.max_by_key(|time| counts.get(*time)).unwrap_or(0);
    let count = machine.sequence.temporaries(machine.shader.stage).len();
    let message = format!(
        "{} at once, {} has {}",
        counted(held(peak), "value"),
        machine.unit.about().name,
        counted(count, "register")
    );
    let here = draft.steps.get(peak).map_or(machine.shader.span, |step| place(machine, step.origin));
    let mut problem = Diagnostic::error(&TEMPORARIES, message).label(here, "here");
    let written = |vreg: Vreg| {
        let step = draft.steps.iter().find(|step| step.target == Some(vreg))?;
        machine.shader.origin(step.origin)
    };
    let mut spans: Vec<Span> = vec![here];
    for origin in (0..draft.vregs.len()).filter(|vreg| live.held(*vreg, peak) != 0).filter_map(written) {
        if !spans.contains(&origin.span) && spans.len() <= MOST_LABELS {
            spans.push(origin.span);
            let name = origin.variable.as_ref();
            problem = problem.label(
                origin.span,
                name.map_or("still needed".to_owned(), |name| format!("`{name}` is still needed")),
            );
        }
    }
    problem.help("use values soon after they are computed, or compute them where they are used")
}

/// Too many instructions: the lines that cost the most.
pub fn too_long(machine: &Machine, built: &Built, size: usize, most: usize) -> Diagnostic {
    let words = matches!(machine.isa.room, gpuzoo_isa::Room::Words(_));
    let what = if words { "word" } else { "instruction" };
    let message = format!(
        "the program has {}, {} holds {most}: {} too many",
        counted(size, what),
        machine.unit.about().name,
        size - most
    );
    let mut lines: BTreeMap<(u32, u32), (Span, usize)> = BTreeMap::new();
    for line in &built.lines {
        let cost = built
            .program
            .slots
            .get(line.slot)
            .map_or(1, |slot| if words { slot.words(machine.isa).len() } else { 1 });
        lines.entry((line.span.start, line.span.end)).or_insert((line.span, 0)).1 += cost;
    }
    let mut lines: Vec<(Span, usize)> = lines.into_values().collect();
    lines.sort_by_key(|(_, cost)| usize::MAX - cost);
    let problem = Diagnostic::error(&TOO_LONG, message);
    let costly = lines.into_iter().take(MOST_LABELS);
    let problem = costly
        .fold(problem, |problem, (span, cost)| problem.label(span, format!("costs {}", counted(cost, what))));
    problem.help("compute what is the same for the whole draw before it, and hand it over as a uniform")
}

/// A program of so many instructions at least that none was put into an order.
pub fn far_too_long(machine: &Machine, least: usize, most: usize) -> Diagnostic {
    let message = format!(
        "the program has at least {}, {} holds {most}: {} too many",
        counted(least, "instruction"),
        machine.unit.about().name,
        least.saturating_sub(most)
    );
    let problem = Diagnostic::error(&TOO_LONG, message).at(machine.shader.span);
    problem.help("compute what is the same for the whole draw before it, and hand it over as a uniform")
}

/// A program whose choices by arithmetic let through what is not chosen.
pub fn infinite(machine: &Machine) -> Diagnostic {
    let name = machine.unit.about().name;
    let message = format!("a value that is not chosen can be infinite, and {name} would add it all the same");
    let problem = Diagnostic::error(&INFINITE, message).at(machine.shader.span);
    problem.help("limit the operands of what is not always computed, with `min`, `max` or `clamp`")
}

/// A program that was not right.
pub fn unproven(machine: &Machine) -> Diagnostic {
    let message =
        format!("the program for {} gives other results than the source", machine.unit.about().name);
    let problem = Diagnostic::error(&UNPROVEN, message).at(machine.shader.span);
    problem.note("this is a fault of gpuzoo; the program was thrown away")
}
