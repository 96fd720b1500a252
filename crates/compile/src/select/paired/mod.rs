//! The back end for machines whose slots have two halves.
//!
//! A function is taken apart into terms, one for each component that is needed, in the machine's own operations
//! (`select`). Terms that are computed alike become instructions, and what an instruction cannot read where it is, is copied
//! (`plan`); they become the [graph](crate::graph) for which a schedule is [searched](crate::schedule::search) (`emit`). There are several
//! plans, and the shortest program is taken. It is proven to compute what its plan says, bit for bit, in every profile.

mod bound;
mod bundle;
mod conflicts;
mod emit;
mod plan;
mod report;
mod select;
mod tangles;
mod terms;
mod webs;

use crate::codes::{ABSENT, CONSTANTS, NO_MACHINE, NO_PORT, UNPROVEN};
use crate::graph::Code;
use crate::graph::proof::difference_from;
use crate::graph::reference::reference;
use crate::graph::shape::Shape;
use crate::options::{Built, Level, Options};
use crate::schedule::problem::Problem;
use crate::schedule::search::{Effort, Found, Search, complete, search};
use crate::schedule::{Order, Schedule, schedule};
use crate::select::expand::{Operation, expand};
use crate::select::tables::Derived;
use crate::shader::{Shader, Variable};
use emit::{Emitted, emit};
use gpuzoo_diag::{Diagnostic, Span};
use gpuzoo_ir::{Inst, Op1, Op2, Op3, passes};
use gpuzoo_isa::{Constant, FileKind, Isa, Mask, Profile, Program, Reg};
use gpuzoo_machine::ShaderUnit;
use gpuzoo_machine::target::conventions::{Conventions, Port};
use gpuzoo_machine::target::slots::Slots;
use gpuzoo_machine::unit::PositionSpace;
use plan::{Output, Plan, Shapes};
use select::{Absent, Choice, Places, select};
use std::ops::Range;
use std::sync::Arc;
use terms::{Made, Operand, Term, Terms};

/// A machine, as this back end sees it.
struct Machine<'a> {
    unit: &'a dyn ShaderUnit,
    isa: &'static Isa,
    slots: &'a dyn Slots,
    conventions: &'a dyn Conventions,
    shapes: Arc<Shapes>,
}

/// The shapes of each machine's instructions.
static SHAPES: Derived<Shapes> = Derived::new();

impl<'a> Machine<'a> {
    fn new(unit: &'a dyn ShaderUnit, shader: &Shader) -> Result<Machine<'a>, Vec<Diagnostic>> {
        let refused = || {
            let message = format!("{} cannot be compiled for", unit.about().id);
            vec![Diagnostic::error(&NO_MACHINE, message).at(shader.span)]
        };
        let (isa, slots) = (unit.isa(), unit.slots().ok_or_else(refused)?);
        let conventions = unit.conventions().ok_or_else(refused)?;
        if !conventions.stages().contains(&shader.stage) {
            let message = format!("{} has no programs for this stage", unit.about().id);
            return Err(vec![Diagnostic::error(&NO_MACHINE, message).at(shader.span)]);
        }
        let profiles = unit.about().profiles.len();
        let shape = |(name, sources): &(&'static str, usize)| {
            Some((*name, Shape::of(isa, slots, name, *sources, profiles)?))
        };
        let shapes = SHAPES.of(isa, || INSTRUCTIONS.iter().map(shape).collect()).ok_or_else(refused)?;
        Ok(Machine { unit, isa, slots, conventions, shapes })
    }
}

/// The instructions that are selected, and how many sources they have.
const INSTRUCTIONS: &[(&str, usize)] = &[
    ("mov", 1),
    ("mul", 2),
    ("add", 2),
    ("mad", 3),
    ("max", 2),
    ("min", 2),
    ("slt", 2),
    ("sge", 2),
    ("dp3", 2),
    ("dph", 2),
    ("dp4", 2),
    ("rcp", 1),
    ("rcc", 1),
    ("rsq", 1),
    ("expp", 1),
    ("logp", 1),
    ("lit", 1),
    ("arl", 1),
];

/// The operations that [`select`] knows.
fn has(operation: Operation) -> bool {
    match operation {
        Operation::One(op) => {
            matches!(
                op,
                Op1::FNeg | Op1::FAbs | Op1::FSqrt | Op1::FExp2 | Op1::FLog2 | Op1::FFloor | Op1::ITrunc
            )
        }
        Operation::Two(op) => {
            use Op2::{FAdd, FDiv, FMax, FMin, FMul, FSge, FSlt, FSub};
            matches!(op, FAdd | FSub | FMul | FDiv | FMin | FMax | FSlt | FSge)
        }
        Operation::Three(op) => matches!(op, Op3::FMad | Op3::ISelect),
    }
}

/// The program of a shader.
///
/// # Errors
/// What cannot be compiled, with a place and a reason.
pub fn build(unit: &dyn ShaderUnit, shader: &Shader, options: &Options) -> Result<Built, Vec<Diagnostic>> {
    build_at(unit, shader, options, false)
}

/// `all_plans` are tried on the highest level, and where else nothing fits.
fn build_at(
    unit: &dyn ShaderUnit,
    shader: &Shader,
    options: &Options,
    all_plans: bool,
) -> Result<Built, Vec<Diagnostic>> {
    let machine = Machine::new(unit, shader)?;
    let ports = Ports::new(&machine, shader, options)?;
    let function = passes::optimize(&expand(&shader.function, &has));
    let kill = shader.function.insts.iter().position(|inst| inst.has_effect());
    if let Some(at) = kill {
        let span = shader.origin(shader.function.origins[at]).map_or(shader.span, |origin| origin.span);
        let message = format!("nothing can be discarded on {}", unit.about().id);
        let problem = Diagnostic::error(&ABSENT, message).at(span);
        return Err(vec![problem.help("a vertex with a position behind the eye is not drawn")]);
    }
    let work = Work { machine: &machine, shader, options, ports, function, all_plans };
    let candidates = work.candidates()?;
    let most = machine.isa.most_slots();
    let least = work.least_slots(&candidates);
    // No order of more slots than fit is looked for.
    let found = if least <= most { work.search(&candidates) } else { None };
    let Some((found, bound)) = found.filter(|(found, _)| found.slots.len() <= most) else {
        if least > HOPELESS * most {
            return Err(vec![work.far_too_long(least)]);
        }
        // A program that nearly fits is worth a longer search; of the others one candidate is scheduled, for the message.
        let near = most + most / 4;
        let candidates = if least < near { candidates } else { work.least_long(candidates) };
        let short = work.shortest(&candidates);
        let is_near = short.as_ref().is_some_and(|(_, schedule)| schedule.len() < near);
        if is_near && options.compile.level < Level::Longest && !all_plans {
            return build_at(unit, shader, options, true);
        }
        return Err(match short {
            Some((form, schedule)) if schedule.len() > most => {
                vec![work.too_long(&schedule, &candidates[form])]
            }
            _ => work.too_large(&candidates),
        });
    };
    let chosen = &candidates[found.form];
    let slots = machine.slots.with_slots(&Program::default(), found.slots.clone());
    let mut program = Program {
        constants: work.constants(&chosen.literals),
        interface: Some(gpuzoo_isa::Interface::default()),
        span: shader.span,
        ..slots
    };
    work.verify(&chosen.code, &program)?;
    let (lines, homes) = work.debug(&found, chosen, &program);
    program.homes = homes;
    Ok(Built { program, lines, bound: Some(bound) })
}

/// A function of more operations is a long one.
const LONG: usize = 100;

/// Further orders for plans that have given nothing shorter than others, but of long programs.
const MORE: u64 = 174;

/// Instructions of which the best plan makes a slot: of four components one, and two share the slot. Of programs with more it
/// makes none that fits.
const MERGED: usize = 8;

/// A program of at least so many times the machine's slots is not scheduled: no order is short enough.
const HOPELESS: usize = 2;

/// So many inputs and outputs without a register are reported one by one.
const MOST_MISSING: usize = 16;

/// What branch and bound may place on the highest level.
const PLACED: usize = 4_000_000;

/// The registers of a shader's inputs, outputs and uniforms.
struct Ports {
    inputs: Vec<Reg>,
    outputs: Vec<Reg>,
    constants: Range<u16>,
    constant: Reg,
    /// The constants that lead from clip space to pixels, if the position is to go there.
    viewport: Option<[Reg; 2]>,
}

impl Ports {
    fn new(machine: &Machine, shader: &Shader, options: &Options) -> Result<Ports, Vec<Diagnostic>> {
        let (isa, conventions) = (machine.isa, machine.conventions);
        let mut problems = Vec::new();
        let mut missing = |variable: &Variable, what: &str, all: String| {
            let message = format!("`{}` has no register: there is no such {what}", variable.name);
            let problem = Diagnostic::error(&NO_PORT, message).label(variable.span, "declared here");
            problems.push(problem.help(format!("the {what}s of this machine are {all}")));
        };
        let locations = |is_output: bool| {
            let known = |port| match is_output {
                true => conventions.output(shader.stage, port),
                false => conventions.input(shader.stage, port),
            };
            let all = (0..64).filter_map(|number| Some((number, known(Port::Location(number))?)));
            let all: Vec<String> =
                all.map(|(number, reg)| format!("{number} ({})", isa.reg_name(reg))).collect();
            format!("locations {}", all.join(", "))
        };
        let mut inputs = Vec::new();
        for variable in &shader.inputs {
            match conventions.input(shader.stage, variable.port) {
                Some(reg) => inputs.push(reg),
                None => missing(variable, "input", locations(false)),
            }
        }
        let mut outputs = Vec::new();
        for variable in &shader.outputs {
            match options.output(conventions, shader.stage, variable.port) {
                Some(reg) => outputs.push(reg),
                None => missing(variable, "output", locations(true)),
            }
        }
        for (variable, reg) in shader.outputs.iter().zip(&outputs) {
            let components = variable.mask.0.count_ones();
            if machine.slots.keeps_order(*reg) && components > 1 {
                let reg = isa.reg_name(*reg);
                let message = format!("`{}` has {components} components, and {reg} takes one", variable.name);
                let problem = Diagnostic::error(&NO_PORT, message).label(variable.span, "declared here");
                problems.push(problem.help(format!(
                    "make it a float, or choose another register with `--bind-output`: the outputs of this machine are {}",
                    locations(true)
                )));
            }
        }
        let usual = conventions.constants(shader.stage);
        let constants = options.compile.constants_at.unwrap_or(usual.start)..usual.end;
        let constant = isa.regs(|kind| kind == FileKind::Constant).next();
        if !problems.is_empty() {
            let more = problems.len().saturating_sub(MOST_MISSING);
            problems.truncate(MOST_MISSING);
            if more > 0
                && let Some(last) = problems.pop()
            {
                problems.push(last.note(format!("{more} more inputs and outputs have none")));
            }
            return Err(problems);
        }
        let is_clip = shader.clip_space && options.position == PositionSpace::Screen;
        let viewport = conventions.viewport().filter(|_| is_clip);
        let constant = constant.unwrap_or_default();
        let ports = Ports { inputs, outputs, constants, constant, viewport };
        match ports.room(shader, 0) {
            Some(problem) => Err(vec![problem]),
            None => Ok(ports),
        }
    }

    /// The register of a uniform.
    fn uniform(&self, number: u16) -> Reg {
        Reg { index: self.constants.start.saturating_add(number), ..self.constant }
    }

    /// What is wrong if uniforms and so many literals have no room.
    fn room(&self, shader: &Shader, literals: usize) -> Option<Diagnostic> {
        let uniforms = usize::from(shader.uniform_registers());
        let room = self.constants.len();
        let used = usize::from(self.constants.start)..usize::from(self.constants.start) + uniforms + literals;
        if let Some(reg) = self.viewport.into_iter().flatten().find(|reg| used.contains(&reg.index.into())) {
            let message = format!("c{} leads to the screen, and uniforms would take it", reg.index);
            let problem = Diagnostic::error(&CONSTANTS, message).at(shader.span);
            return Some(problem.help("let the constants begin elsewhere, or leave positions in clip space"));
        }
        if uniforms + literals <= room {
            return None;
        }
        let (first, over) = (self.constants.start, uniforms + literals - room);
        let message = format!("{over} more constants are needed than there are");
        let mut problem = Diagnostic::error(&CONSTANTS, message);
        let largest = shader.uniforms.iter().max_by_key(|uniform| uniform.count);
        problem = match largest {
            Some(uniform) => {
                problem.label(uniform.span, format!("`{}` takes {}", uniform.name, uniform.count))
            }
            None => problem.at(shader.span),
        };
        Some(problem.note(format!(
            "uniforms take {uniforms}, numbers of the source {literals}; from c{first} on there are {room}"
        )))
    }
}

/// What is known of a compilation.
struct Work<'a> {
    machine: &'a Machine<'a>,
    shader: &'a Shader,
    options: &'a Options,
    ports: Ports,
    function: gpuzoo_ir::Function,
    /// As many plans are tried as on the highest level.
    all_plans: bool,
}

impl Work<'_> {
    /// The source text of an instruction of the function.
    fn span(&self, inst: u32) -> Span {
        let origin = self.function.origins.get(inst as usize).copied().flatten();
        let span = self.shader.origin(origin).map(|origin| origin.span);
        let output = || {
            let at = (inst as usize).checked_sub(self.function.insts.len())?;
            let (number, _) = self.function.outputs.get(at)?;
            Some(self.shader.outputs.get(usize::from(*number))?.span)
        };
        // What leads to the screen comes from no operation of the source.
        let position =
            || self.shader.outputs.iter().find(|own| own.port == Port::Position).map(|own| own.span);
        span.or_else(output).or_else(position).unwrap_or(self.shader.span)
    }

    /// The variable that an instruction's result is for.
    fn variable(&self, inst: u32) -> Option<&str> {
        let origin = self.function.origins.get(inst as usize).copied().flatten();
        self.shader.origin(origin)?.variable.as_deref()
    }

    /// Plans as graphs, without repetitions.
    fn candidates(&self) -> Result<Vec<Emitted>, Vec<Diagnostic>> {
        // Of long programs fewer plans are tried, so that none takes much time.
        let usual = if self.function.insts.len() > LONG { 1 } else { 3 };
        let (lits, merges, seeds): (&[bool], &[bool], u64) = match self.options.compile.level {
            _ if self.all_plans => (&[true, false], &[true, false], 12),
            Level::Source => (&[true], &[false], 1),
            Level::Quick => (&[true], &[true], 1),
            Level::Usual => (&[true, false], &[true, false], usual),
            Level::Longest => (&[true, false], &[true, false], 12),
        };
        let (isa, shapes) = (self.machine.isa, &self.machine.shapes);
        let first = self.ports.constants.start.saturating_add(self.shader.uniform_registers());
        let mut all: Vec<Emitted> = Vec::new();
        let mut known: Option<Terms> = None;
        let mut least = usize::MAX;
        for &lit in lits {
            let choice = Choice { fast_math: self.options.compile.fast_math, lit };
            let (terms, outputs) = self.terms(choice)?;
            if known.as_ref() == Some(&terms) {
                continue;
            }
            let own = bound::least_slots(isa, shapes, &terms, &outputs);
            least = least.min(own);
            if own > HOPELESS * isa.most_slots() {
                known = Some(terms);
                continue;
            }
            for &merges in merges {
                let merged = if merges { MERGED * isa.most_slots() } else { 0 };
                let plan = Plan::new(&terms, &outputs, shapes, merged);
                for seed in 0..seeds {
                    let plan = plan.as_ref().and_then(|plan| plan.resolved(seed));
                    let emitted =
                        plan.and_then(|plan| emit(isa, &plan, shapes, first, &|inst| self.span(inst)));
                    all.extend(emitted.filter(|own| !all.iter().any(|known| known.code == own.code)));
                }
            }
            known = Some(terms);
        }
        if all.is_empty() && least > HOPELESS * isa.most_slots() && least != usize::MAX {
            return Err(vec![self.far_too_long(least)]);
        }
        let fits = |emitted: &Emitted| self.ports.room(self.shader, emitted.literals.len()).is_none();
        if let Some(first) = all.first()
            && !all.iter().any(fits)
        {
            return Err(self.ports.room(self.shader, first.literals.len()).into_iter().collect());
        }
        all.retain(fits);
        Ok(all)
    }

    /// What the outputs get.
    fn terms(&self, choice: Choice) -> Result<(Terms, Vec<Output>), Vec<Diagnostic>> {
        let input = |number: u16| self.ports.inputs.get(usize::from(number)).copied().unwrap_or_default();
        let uniform = |number: u16| self.ports.uniform(number);
        let places = Places { input: &input, uniform: &uniform };
        let wanted = |output: u16| self.shader.outputs.get(usize::from(output)).map_or(0, |own| own.mask.0);
        let selected = select(&self.function, &wanted, &places, choice);
        let (mut terms, lanes) = selected.map_err(|Absent(value)| vec![self.absent(value)])?;
        let mut outputs = Vec::new();
        for ((number, _), lanes) in self.function.outputs.iter().zip(lanes) {
            let Some(variable) = self.shader.outputs.get(usize::from(*number)) else { continue };
            let Some(reg) = self.ports.outputs.get(usize::from(*number)).copied() else { continue };
            let lanes = match self.ports.viewport.filter(|_| variable.port == Port::Position) {
                Some(viewport) => to_screen(&mut terms, lanes, viewport, self.function.insts.len() as u32),
                None => lanes,
            };
            let lanes = match self.machine.slots.keeps_order(reg) {
                // Only the first component that is written counts.
                true => {
                    let first = lanes.iter().position(Option::is_some);
                    let mut only = [None; 4];
                    first.into_iter().for_each(|first| only[first] = lanes[first]);
                    only
                }
                false => lanes,
            };
            outputs.push((reg, lanes));
        }
        Ok((terms, outputs))
    }

    fn absent(&self, value: gpuzoo_ir::Value) -> Diagnostic {
        let (name, help) = match self.function.insts[value.index()] {
            Inst::Sample(..) => {
                ("a texture cannot be read".to_owned(), "a vertex program gets numbers from its inputs alone")
            }
            Inst::Map1(op, _) => (format!("`{}` has no instructions", op.name()), "compute with floats"),
            Inst::Map2(op, _) => (format!("`{}` has no instructions", op.name()), "compute with floats"),
            Inst::Map3(op, _) => (format!("`{}` has no instructions", op.name()), "compute with floats"),
            _ => ("this has no instructions".to_owned(), "numbers below c0 cannot be read"),
        };
        let problem = Diagnostic::error(&ABSENT, format!("{name} on {}", self.machine.unit.about().id));
        problem.at(self.span(value.0)).help(help)
    }

    /// The shortest program of all candidates that fits into the machine, and its bound.
    fn search(&self, candidates: &[Emitted]) -> Option<(Found, (usize, &'static str))> {
        let (isa, slots) = (self.machine.isa, self.machine.slots);
        let codes: Vec<&Code> = candidates.iter().map(|own| &own.code).collect();
        if self.options.compile.level == Level::Source && !self.all_plans {
            let code = codes.first()?;
            let problem = Problem::new(isa, slots, code);
            let alone = |at: usize| if problem.halves[at][0] { [Some(at), None] } else { [None, Some(at)] };
            let schedule = (0..code.nodes.len()).map(alone).collect();
            // Where that order has no room, another one is better than none.
            if let Some(found) = complete(isa, slots, &problem, schedule) {
                let count = found.slots.len();
                return Some((found, (count, "the order of the source")));
            }
        }
        // Long programs get fewer orders, so that none takes much time.
        let most = codes.iter().map(|code| code.nodes.len()).max().unwrap_or(0).max(1) as u64;
        let orders = match self.options.compile.level {
            Level::Source | Level::Quick | Level::Usual if self.all_plans => 12,
            Level::Source | Level::Quick => 4,
            Level::Usual if most > LONG as u64 => 8,
            Level::Usual => (400_000 / (most * most)).clamp(8, 60),
            Level::Longest => (40_000 / most).clamp(100, 1_000),
        };
        let placed = if self.options.compile.level == Level::Longest { PLACED } else { 0 };
        let more = if most > LONG as u64 { 0 } else { MORE };
        let effort = Effort { orders, more, placed };
        let Search { found, bound } = search(isa, slots, &codes, isa.most_slots(), effort);
        let found = found?;
        let own = Problem::new(isa, slots, codes[found.form]).limit();
        let limit = if bound > own.0 { (bound, "all orders of the operations were tried") } else { own };
        Some((found, limit))
    }

    /// Lower bound of the slots of all candidates; 0 without any.
    fn least_slots(&self, candidates: &[Emitted]) -> usize {
        candidates.iter().map(|emitted| self.bound(emitted)).min().unwrap_or(0)
    }

    /// Lower bound of a candidate's slots.
    fn bound(&self, emitted: &Emitted) -> usize {
        Problem::new(self.machine.isa, self.machine.slots, &emitted.code).bound()
    }

    /// The candidate with the smallest bound, alone.
    fn least_long(&self, candidates: Vec<Emitted>) -> Vec<Emitted> {
        candidates.into_iter().min_by_key(|emitted| self.bound(emitted)).into_iter().collect()
    }

    /// The shortest schedule of all candidates in one order, whether or not there are registers for it.
    fn shortest(&self, candidates: &[Emitted]) -> Option<(usize, Schedule)> {
        let (isa, slots) = (self.machine.isa, self.machine.slots);
        let schedule = |emitted: &Emitted| {
            let problem = Problem::new(isa, slots, &emitted.code);
            schedule(&problem, &Order::new(&problem, 0, true), usize::MAX)
        };
        let all =
            candidates.iter().enumerate().filter_map(|(form, emitted)| Some((form, schedule(emitted)?)));
        all.min_by_key(|(_, schedule)| schedule.len())
    }

    /// The constants that come with the program.
    fn constants(&self, literals: &[[u32; 4]]) -> Vec<Constant> {
        let uniforms = self.shader.uniforms.iter();
        let mut all: Vec<Constant> =
            uniforms.flat_map(|own| own.constants(self.ports.uniform(own.first))).collect();
        if !literals.is_empty() {
            all.push(Constant {
                name: None,
                reg: self.ports.uniform(self.shader.uniform_registers()),
                count: literals.len() as u16,
                mask: Mask::ALL,
                values: literals.to_vec(),
                matrix: None,
                span: self.shader.span,
            });
        }
        all
    }

    /// Whether a program computes what a graph says.
    fn verify(&self, code: &Code, program: &Program) -> Result<(), Vec<Diagnostic>> {
        let Machine { unit, isa, slots, .. } = *self.machine;
        let profiles = 0..unit.about().profiles.len();
        let functions: Option<Vec<_>> =
            profiles.map(|profile| reference(isa, slots, code, Profile(profile as u8))).collect();
        let apart = match &functions {
            Some(functions) => difference_from(unit, functions, program),
            None => {
                return Err(vec![
                    Diagnostic::error(&UNPROVEN, "the graph has no meaning").at(self.shader.span),
                ]);
            }
        };
        match apart {
            None => Ok(()),
            Some(difference) => {
                let message = format!("the program is not proven: {difference:?}");
                Err(vec![Diagnostic::error(&UNPROVEN, message).at(self.shader.span)])
            }
        }
    }
}

/// A position in clip space as one in pixels, which keeps its w: scaled, divided by w, and moved.
fn to_screen(
    terms: &mut Terms,
    lanes: [Option<Operand>; 4],
    viewport: [Reg; 2],
    insts: u32,
) -> [Option<Operand>; 4] {
    let Some(w) = lanes[3] else { return lanes };
    let made = |lane: u8, role: u32| Made { inst: insts + (1 << 16), role, lane };
    let result = |terms: &mut Terms, name, from: Vec<Operand>, lane| {
        terms.add(Term::Result { name, component: 0, from, copy: 0 }, made(lane, 0))
    };
    // What is not seen in perspective needs no division.
    let is_one = terms.known(w) == Some(1.0);
    let inverse = if is_one { w } else { result(terms, "rcc", vec![w], 3) };
    let mut screen = lanes;
    for lane in 0..3u8 {
        let Some(own) = lanes[usize::from(lane)] else { continue };
        let [scale, offset] = viewport.map(|reg| terms.add(Term::Constant(reg, lane), made(lane, 0)));
        if is_one {
            screen[usize::from(lane)] = Some(result(terms, "mad", vec![own, scale, offset], lane));
            continue;
        }
        let scaled = result(terms, "mul", vec![own, scale], lane);
        screen[usize::from(lane)] = Some(result(terms, "mad", vec![scaled, inverse, offset], lane));
    }
    screen
}
