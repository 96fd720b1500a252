//! The back end for machines with one instruction a slot.
//!
//! A shader's function is brought into operations that the machine's instructions do exactly (`legal`), and covered by
//! instructions (`cover`), whose meanings are read off their own lowering (`rules`). In some order these are given registers
//! without number or limit, and what brings components from where they are to where they are read (`emit`). Then copies are left
//! out where both ends can be one register (`allocate`), and what is left gets the machine's registers, component by
//! component (`live`). Orders and choices are tried until a number of them gives nothing shorter; each program is run against
//! the function before it is believed (`check`).

mod allocate;
mod check;
mod components;
mod cover;
mod draft;
mod emit;
mod fetch;
mod finish;
mod gather;
mod legal;
mod live;
mod machine;
mod merge;
mod order;
mod places;
mod report;
mod rules;

use crate::options::{Built, Level, Options};
use crate::shader::Shader;
use allocate::Homes;
use check::{References, Verdict};
use components::Components;
use cover::{Cover, Wanted};
use draft::{Draft, Vreg};
use emit::{Emitter, Stuck};
use finish::Body;
use gpuzoo_diag::Diagnostic;
use gpuzoo_ir::Function;
use gpuzoo_isa::{Interface, Program, Room, numbers};
use gpuzoo_machine::ShaderUnit;
use live::Live;
use machine::Machine;

/// Orders that are tried, by how hard the back end tries.
fn tries(level: Level) -> u64 {
    match level {
        Level::Source | Level::Quick => 1,
        Level::Usual => 100,
        Level::Longest => 1_000,
    }
}

/// Tries without anything better, after which no more are made.
const PATIENCE: u64 = 40;

/// Pairs of values that all tries together look at.
const WORK: u64 = 250_000;

/// A program, and what it costs.
struct Found {
    /// Instructions, words, and cycles or whatever the machine counts.
    cost: [u64; 3],
    draft: Draft,
    homes: Homes,
    live: Live,
    body: Body,
}

/// More than so many times a machine's registers are not held at once, even if four values share one and some are copies.
const HELD: usize = 8;

/// Why an order gives no program.
enum Failed {
    /// There was no way to bring something where it is needed.
    Stuck(Stuck),
    /// There was no register for one of a draft's.
    Registers(Box<(Draft, Live, Vreg)>),
    /// An instruction cannot be said.
    Unsaid,
    /// It is not right.
    Unproven,
    /// A side that is not taken makes the result infinite.
    Infinite,
}

/// Compiles a shader for a machine with one instruction a slot.
///
/// # Errors
/// Diagnostics with the codes of [`codes`](crate::codes): what the machine lacks, or what there is too much of.
pub fn build(unit: &dyn ShaderUnit, shader: &Shader, options: &Options) -> Result<Built, Vec<Diagnostic>> {
    let mut machine = Machine::new(unit, shader, options)?;
    if gpuzoo_ir::verify::verify(&shader.function).is_err() {
        return Err(vec![report::unproven(&machine)]);
    }
    report::refuse_indices(&machine)?;
    report::refuse_effects(&machine)?;
    let exact_choices = legal::with_exact_choices(&machine, &shader.function, options.compile.fast_math);
    let mut functions = vec![legal::legal(&machine, &shader.function, options.compile.fast_math)];
    // Equal operations as one are fewer, but their operands may have to be brought together.
    if options.compile.level > Level::Quick
        && let Some(merged) = merge::merged(&shader.function)
    {
        functions.push(legal::legal(&machine, &merged, options.compile.fast_math));
    }
    let mut best: Option<Found> = None;
    let (mut least, mut failed) = (usize::MAX, None);
    for function in &functions {
        let components = Components::new(function);
        let mut failure: Option<Failed> = None;
        let bound = search(
            &mut machine,
            options.compile.level,
            &components,
            &exact_choices,
            &mut best,
            &mut failure,
        )?;
        least = least.min(bound);
        failed = failed.or_else(|| Some((failure?, components)));
    }
    if best.is_none() && least > HOPELESS * room(&machine) {
        return Err(vec![report::far_too_long(&machine, least, room(&machine))]);
    }
    let Some(Found { draft, homes, live, body, .. }) = best else {
        return Err(vec![match failed {
            Some((Failed::Stuck(stuck), components)) => report::stuck(&machine, &components, stuck),
            Some((Failed::Registers(held), _)) => report::registers(&machine, &held.0, &held.1, held.2),
            Some((Failed::Infinite, _)) => report::infinite(&machine),
            Some((Failed::Unsaid | Failed::Unproven, _)) | None => report::unproven(&machine),
        }]);
    };
    let built = body.finish(&machine, &draft, &homes, &live);
    let words = built.program.words(machine.isa).len();
    let (size, most) = match machine.isa.room {
        Room::Slots(most) => (built.program.slots.len(), most),
        Room::Words(most) => (words, most),
        Room::Unknown => (built.program.slots.len(), gpuzoo_isa::MOST_SLOTS),
    };
    if size > most {
        return Err(vec![report::too_long(&machine, &built, size, most)]);
    }
    Ok(built)
}

/// A program of more than so many times what the machine holds is not put into an order: none is short enough.
const HOPELESS: usize = 2;

/// How many instructions, or words, of which each instruction has at least one, the machine holds.
fn room(machine: &Machine) -> usize {
    match machine.isa.room {
        Room::Slots(most) | Room::Words(most) => most,
        Room::Unknown => gpuzoo_isa::MOST_SLOTS,
    }
}

/// Looks for a shorter program of a function; gives the number of instructions that none of those that it tries is below.
fn search(
    machine: &mut Machine,
    level: Level,
    components: &Components,
    exact_choices: &Function,
    best: &mut Option<Found>,
    failure: &mut Option<Failed>,
) -> Result<usize, Vec<Diagnostic>> {
    let outputs = wanted(machine, components);
    let mut least = usize::MAX;
    for wide in [false, true] {
        let cover = Cover::new(machine, components, &outputs, wide)
            .map_err(|lacking| vec![report::lacking(machine, &components.function, lacking)])?;
        let mut search = Search { machine: &mut *machine, components, outputs: &outputs, cover: &cover };
        let instructions = search.least();
        least = least.min(instructions);
        if instructions <= HOPELESS * room(search.machine) {
            let references = References { function: &components.function, exact_choices };
            search.run(level, &references, best, failure);
        }
        if level <= Level::Quick {
            break;
        }
    }
    Ok(least)
}

/// The search for the best order of a cover's instructions.
struct Search<'a, 'm> {
    machine: &'a mut Machine<'m>,
    components: &'a Components,
    outputs: &'a [Wanted],
    cover: &'a Cover,
}

impl Search<'_, '_> {
    /// The least number of instructions: every tile is one, and so is what writes an output that no other instruction can.
    fn least(&self) -> usize {
        let stored = (0..self.outputs.len()).filter(|output| !self.machine.output_is_joined(*output)).count();
        self.cover.tiles.len() + stored
    }

    /// Tries orders; keeps what is best, and why the first one failed that did.
    fn run(
        &mut self,
        level: Level,
        references: &References,
        best: &mut Option<Found>,
        failure: &mut Option<Failed>,
    ) {
        let (tiles, least) = (self.cover.tiles.len(), self.least());
        // Each try looks at all pairs of values.
        let count = tries(level).min(WORK / (1 + (tiles as u64).saturating_pow(2))).max(1);
        // What cannot fit is only to be told how long it is.
        let count = if least > room(self.machine) { 1 } else { count };
        let mut waited = 0;
        for seed in 0..count * 2 {
            // What does not fit with loads that are kept may fit with loads that are done again.
            self.machine.reloads = seed >= count;
            if self.machine.reloads && best.is_some()
                || best.as_ref().is_some_and(|best| best.cost[0] <= least as u64)
            {
                break;
            }
            waited += 1;
            if waited > PATIENCE && best.is_some() {
                break;
            }
            let items = order::items(self.cover, self.outputs, level, seed % count);
            match self.attempt(&items, seed % count) {
                Ok(found) if best.as_ref().is_some_and(|best| found.cost >= best.cost) => {}
                Ok(found) => match check::verdict(self.machine, references, self.outputs, &found.body) {
                    Verdict::Right => (*best, waited) = (Some(found), 0),
                    Verdict::Wrong => *failure = failure.take().or(Some(Failed::Unproven)),
                    Verdict::Infinite => *failure = failure.take().or(Some(Failed::Infinite)),
                },
                Err(own) => *failure = failure.take().or(Some(own)),
            }
        }
        self.machine.reloads = false;
    }

    /// One program, from one order.
    fn attempt(&self, items: &[emit::Item], seed: u64) -> Result<Found, Failed> {
        let Search { machine, components, outputs, cover } = self;
        let emitter = Emitter::new(machine, components, cover, outputs, Box::new(numbers(seed)));
        let mut draft = emitter.emit(items).map_err(Failed::Stuck)?;
        let mut live = Live::new(&draft, &machine.rules);
        let regs = machine.sequence.temporaries(machine.shader.stage).len();
        if let Some(vreg) = live.crowded(&draft, HELD * regs) {
            return Err(Failed::Registers(Box::new((draft, live, vreg))));
        }
        let mut homes = Homes::new(&draft, live.conflicts(&draft));
        let mut copies: Vec<usize> =
            (0..draft.steps.len()).filter(|step| draft.steps[*step].in_place_copy).collect();
        order::shuffle(&mut copies, seed);
        homes.coalesce(&draft, machine, &copies);
        if let Err(vreg) = homes.allocate(&mut draft, &mut live, machine) {
            return Err(Failed::Registers(Box::new((draft, live, vreg))));
        }
        let body = Body::new(machine, &draft, &homes).ok_or(Failed::Unsaid)?;
        let slots = body.slots.iter().map(|(_, slot)| *slot);
        let words: usize = slots.clone().map(|slot| slot.words(machine.isa).len()).sum();
        let interface = Interface { stage: machine.shader.stage, ..Interface::default() };
        let program = Program { slots: slots.collect(), interface: Some(interface), ..Program::default() };
        let cycles = machine.unit.costs(&program).iter().map(|cost| cost.per_run).sum();
        let cost = [body.slots.len() as u64, words as u64, cycles];
        Ok(Found { cost, draft, homes, live, body })
    }
}

/// The components of the outputs that count.
fn wanted(machine: &Machine, components: &Components) -> Vec<Wanted> {
    let outputs = components.function.outputs.iter().map(|(number, value)| {
        let mask = machine.shader.outputs.get(usize::from(*number)).map(|own| own.mask);
        let lanes = components.of(*value);
        [0, 1, 2, 3].map(|place: u8| {
            Some(lanes[usize::from(place)]).filter(|_| mask.is_none_or(|mask| mask.has(place)))
        })
    });
    outputs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shader::Variable;
    use gpuzoo_diag::{File, Span};
    use gpuzoo_ir::text::parse;
    use gpuzoo_isa::Mask;
    use gpuzoo_machine::target::conventions::Port;

    fn shader(text: &str) -> Shader {
        let variable = |port| Variable { port, name: "v".into(), mask: Mask::ALL, span: Span::default() };
        let (inputs, outputs) = (vec![variable(Port::Location(0))], vec![variable(Port::Position)]);
        Shader { function: parse(&File::new("t", text)).0, inputs, outputs, ..Shader::default() }
    }

    /// A sum of products is no choice: where a guard is false, what it guards leaves NaN. The comparison finds that.
    #[test]
    fn a_product_that_does_not_guard_is_thrown_away() {
        let unit = &gpuzoo_dreambox::GPU;
        let guarded = |choice: &str| {
            format!(
                "v0 = input 0\nv1 = const (0.0, 0.0, 0.0, 0.0)\nv2 = const (1.0, 1.0, 1.0, 1.0)\nv3 = fslt v1, v0\n\
                 v4 = fdiv v2, v0\n{choice}\noutput 0 = v8\n"
            )
        };
        let exact = guarded("v8 = iselect v3, v0, v4");
        let products = guarded("v5 = fmul v3, v4\nv6 = fsub v2, v3\nv7 = fmul v6, v0\nv8 = fadd v5, v7");
        for (text, is_right) in [(&exact, true), (&products, false)] {
            let shader = shader(text);
            let mut machine = Machine::new(unit, &shader, &Options::default()).unwrap();
            let function = legal::legal(&machine, &machine.shader.function, false);
            let components = Components::new(&function);
            let outputs = wanted(&machine, &components);
            let cover = Cover::new(&machine, &components, &outputs, false).ok().unwrap();
            let mut search =
                Search { machine: &mut machine, components: &components, outputs: &outputs, cover: &cover };
            let exact_choices = parse(&File::new("t", &exact)).0;
            let references = References { function: &function, exact_choices: &exact_choices };
            let (mut best, mut failure) = (None, None);
            search.run(Level::Quick, &references, &mut best, &mut failure);
            assert_eq!(best.is_some(), is_right);
            assert_eq!(matches!(failure, Some(Failed::Infinite)), !is_right);
            assert_eq!(report::infinite(search.machine).code.id, "K0309");
        }
    }

    /// A program is run against the function before it is believed: one of another function is found out.
    #[test]
    fn a_wrong_program_is_thrown_away() {
        let unit = &gpuzoo_servaru::GPU;
        let (right, wrong) = (
            "v0 = input 0\nv1 = fadd v0, v0\noutput 0 = v1\n",
            "v0 = input 0\nv1 = fmul v0, v0\noutput 0 = v1\n",
        );
        let shader = shader(right);
        let mut machine = Machine::new(unit, &shader, &Options::default()).unwrap();
        let function = legal::legal(&machine, &machine.shader.function, false);
        let components = Components::new(&function);
        let outputs = wanted(&machine, &components);
        let cover = Cover::new(&machine, &components, &outputs, false).ok().unwrap();
        let mut search =
            Search { machine: &mut machine, components: &components, outputs: &outputs, cover: &cover };
        for (text, is_right) in [(right, true), (wrong, false)] {
            let (mut best, mut failure) = (None, None);
            let function = parse(&File::new("t", text)).0;
            let references = References { function: &function, exact_choices: &function };
            search.run(Level::Quick, &references, &mut best, &mut failure);
            assert_eq!(best.is_some(), is_right);
            assert_eq!(matches!(failure, Some(Failed::Unproven)), !is_right);
        }
        let problem = report::unproven(&machine);
        assert_eq!((problem.code.id, problem.code), ("K0307", &crate::codes::UNPROVEN));
    }
}
