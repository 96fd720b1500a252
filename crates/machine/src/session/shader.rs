//! Sessions of shader programs: one run, in which any state is a look-up.

use super::{Cell, Change, Event, History, Instruction, Name, Place, Read, Register, Session, Value};
use crate::session::trace::{TraceStep, steps_of};
use gpuzoo_diag::Span;
use gpuzoo_ir::eval::{NoTextures, Run};
use gpuzoo_ir::{self as ir, Inst, Vec4};
use gpuzoo_isa::{Constant, FileKind, Home, Isa, Lowered, Mask, Poke, Program, Reg, RegRead, Step};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// The group of what a source calls its variables and uniforms.
pub const VARIABLES: &str = "Variables";

/// A vertex's or a fragment's run of a program. It ends at the kill that takes effect, or with the program. A step is an
/// instruction: a slot with two of them is two steps, of which both read what there was before the first.
/// The default is one without steps.
#[derive(Clone, Debug, Default)]
pub struct ShaderSession {
    /// What is run, to run it again; none for the default.
    origin: Option<Origin>,
    steps: Vec<TraceStep>,
    /// For each step, what else there is to tell.
    notes: Vec<Notes>,
    /// In the order of files and numbers.
    registers: Vec<Past>,
    dataflow: Arc<Dataflow>,
    killed: bool,
    position: usize,
}

/// A program, and how it is run.
#[derive(Clone)]
struct Origin {
    isa: &'static Isa,
    program: Arc<Program>,
    run: Arc<dyn Fn(&Program) -> Dataflow + Send + Sync>,
}

impl std::fmt::Debug for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Origin").field("program", &self.program).finish_non_exhaustive()
    }
}

/// How the values of a run were computed: the program as IR, and what each of its values was.
#[derive(Debug, Default)]
pub struct Dataflow {
    lowered: Lowered,
    values: Vec<Vec4>,
    /// For each value the components that are integers.
    integers: Vec<Mask>,
    killed: Option<usize>,
}

impl Dataflow {
    /// Of a run that gave these values. `killed` is the slot that killed it, if one did.
    pub fn new(lowered: Lowered, killed: Option<usize>, value_of: impl Fn(ir::Value) -> Vec4) -> Dataflow {
        let count = lowered.function.insts.len();
        let values = (0..count).map(|index| value_of(ir::Value(index as u32))).collect();
        let integers = lowered.integers();
        Dataflow { lowered, values, integers, killed }
    }

    /// Runs a program without textures by the evaluator.
    pub fn run(lowered: Lowered, inputs: &[Vec4], uniforms: &[Vec4]) -> Dataflow {
        let mut run = Run::default();
        run.run(&lowered.function, inputs, uniforms, &NoTextures);
        let origin = |kill: ir::Value| lowered.function.origins.get(kill.index()).copied().flatten();
        let killed = run.killed().map(|kill| origin(kill).map_or(usize::MAX, |slot| slot as usize));
        Dataflow::new(lowered, killed, |value| run.value(value))
    }

    /// The program as it was run.
    pub fn lowered(&self) -> &Lowered {
        &self.lowered
    }

    /// What a value of the program's function was; zeros for one that it does not have.
    pub fn value(&self, value: ir::Value) -> Vec4 {
        self.values.get(value.index()).copied().unwrap_or_default()
    }

    /// The components of a value that are integers; the others are floats.
    pub fn integers(&self, value: ir::Value) -> Mask {
        self.integers.get(value.index()).copied().unwrap_or(Mask(0))
    }

    /// What a slot read, in order.
    pub fn reads(&self, slot: usize) -> &[RegRead] {
        of_slot(&self.lowered.reads, slot, |read| read.slot)
    }

    /// The first step of the slot that a step belongs to: what any of its steps reads is what there was before that one.
    pub fn first_step(&self, step: usize) -> usize {
        self.lowered.steps.get(step).map_or(step, |known| step.saturating_sub(usize::from(known.part)))
    }

    /// The register that a read of a slot got. None for one at a computed number that finds none: it gives zeros.
    pub fn found(&self, read: &RegRead) -> Option<Reg> {
        found(&self.lowered, read, |value| self.value(value)).ok()
    }
}

/// The register that a read gets, or the number that it would have, if there is none.
fn found(lowered: &Lowered, read: &RegRead, value_of: impl Fn(ir::Value) -> Vec4) -> Result<Reg, i64> {
    let Some(index) = read.index else { return Ok(read.reg) };
    let number = i64::from(read.reg.index) + i64::from(value_of(index)[0] as i32);
    match reaches(lowered, read, number) {
        true => Ok(Reg { index: number as u16, ..read.reg }),
        false => Err(number),
    }
}

#[derive(Clone, Debug)]
struct Notes {
    place: Place,
    reads: Vec<(Reg, Mask, ir::Value)>,
    events: Vec<Event>,
}

/// Four components, and those that are integers.
type Typed = (Vec4, Mask);

/// What a register held: from which step on, its value, and the components written up to then.
#[derive(Clone, Debug)]
struct Past {
    reg: Reg,
    name: Name,
    values: Vec<(usize, Typed, Mask)>,
}

impl ShaderSession {
    /// The session of a program, which `run` runs: now, and again with the pokes of [`Session::poke`] among
    /// [`Program::pokes`].
    pub fn new(
        isa: &'static Isa,
        program: &Program,
        run: impl Fn(&Program) -> Dataflow + Send + Sync + 'static,
    ) -> ShaderSession {
        ShaderSession::of(Origin { isa, program: Arc::new(program.clone()), run: Arc::new(run) })
    }

    fn of(origin: Origin) -> ShaderSession {
        let (isa, program) = (origin.isa, &*origin.program);
        let dataflow = (origin.run)(program);
        let (lowered, killed) = (&dataflow.lowered, dataflow.killed);
        let value_of = |value| dataflow.value(value);
        let mut steps = steps_of(lowered, value_of);
        // What was killed has stopped there.
        if let Some(last) = killed.and_then(|slot| steps.iter().rposition(|step| step.slot == slot)) {
            steps.truncate(last + 1);
        }
        let arisen = Arisen::in_run(lowered, &value_of);
        let last = steps.len().saturating_sub(1);
        let notes = lowered.steps.iter().take(steps.len()).enumerate().map(|(number, step)| {
            let mut events = Vec::new();
            let reads = reads(isa, program, lowered, step, &value_of, &mut events);
            for &(reg, value, mask) in &step.writes {
                let name = || register_name(isa, program, reg);
                let [nan, infinite] = arisen.of(lowered, value, step.slot);
                let both =
                    |components: Mask| Some(Mask(components.0 & mask.0)).filter(|both| !both.is_empty());
                events.extend(both(nan).map(|components| Event::NotANumber { register: name(), components }));
                events.extend(
                    both(infinite).map(|components| Event::Infinite { register: name(), components }),
                );
                events.push(Event::RegisterWrite { register: name(), components: mask });
            }
            let origins = lowered.function.origins.iter().zip(&lowered.function.insts);
            let own = origins.filter(|(origin, _)| **origin == Some(step.slot as u32));
            events.extend(own.filter_map(|(_, inst)| match inst {
                Inst::Sample(number, _) => Some(Event::TextureRead { number: *number }),
                _ => None,
            }));
            if killed.is_some() && number == last {
                events.push(Event::Killed);
            }
            Notes { place: place(isa, program, step.slot, step.part), reads, events }
        });
        let notes: Vec<Notes> = notes.collect();
        let registers = pasts(isa, program, &dataflow, &steps, &notes);
        let killed = killed.is_some();
        let dataflow = Arc::new(dataflow);
        ShaderSession { origin: Some(origin), steps, notes, registers, dataflow, killed, position: 0 }
    }

    /// How its values were computed.
    pub fn dataflow(&self) -> &Dataflow {
        &self.dataflow
    }

    /// What each step wrote, by registers.
    pub fn steps(&self) -> &[TraceStep] {
        &self.steps
    }

    /// What comes next before each step.
    pub fn places(&self) -> impl Iterator<Item = &Place> {
        self.notes.iter().map(|notes| &notes.place)
    }

    /// True if the last step killed the run.
    pub fn killed(&self) -> bool {
        self.killed
    }

    /// The registers that are written or read, with what they are called.
    pub fn registers(&self) -> impl Iterator<Item = (Reg, &Name)> {
        self.registers.iter().map(|past| (past.reg, &past.name))
    }

    /// What a register that is written or read is called.
    pub fn name(&self, reg: Reg) -> Name {
        let at = self.registers.binary_search_by_key(&reg, |past| past.reg);
        at.map_or_else(|_| Name::default(), |at| self.registers[at].name.clone())
    }

    /// Adds the variables of the source that the program was compiled from: its uniforms, and where registers hold them after
    /// so many steps, the others.
    fn variables(&self, step: usize, state: &mut Vec<Register>) {
        let Some(origin) = self.origin.as_ref().filter(|origin| !origin.program.homes.is_empty()) else {
            return;
        };
        for constant in &origin.program.constants {
            self.uniform(constant, state);
        }
        let end = origin.program.slots.len();
        let (slot, part) =
            self.notes.get(step).map_or((end, 0), |notes| (notes.place.at as usize, notes.place.part));
        // Between the halves of a slot, the first may have written where the second still reads what was there.
        let is_there = |home: &&Home| home.from <= slot && slot + usize::from(part > 0) <= home.to;
        for home in origin.program.homes.iter().filter(is_there) {
            let name = self.name(home.reg);
            let Some(register) = state.iter().find(|own| own.name == name) else { continue };
            let Value::Vec4(bits, types) = register.value else { continue };
            let value = home.components.map(|from| from.map_or(0, |from| bits[usize::from(from & 3)]));
            let mask = |such: &dyn Fn(usize) -> bool| {
                Mask((0..4).filter(|at| such(*at)).fold(0, |mask, at| mask | 1 << at))
            };
            let written = mask(&|at| home.components[at].is_some());
            let integers = mask(&|at| home.components[at].is_some_and(|from| types.has(from & 3)));
            let name = home.variable.clone().into();
            let value = Value::Vec4(value, integers);
            state.push(Register { name, value, components: Mask::ALL, written, group: VARIABLES });
        }
    }

    /// From which slot to which a register holds a variable of the source, in their order; empty if there is no such
    /// variable.
    pub fn held(&self, variable: &str) -> Vec<RangeInclusive<usize>> {
        let homes = self.origin.iter().flat_map(|origin| &origin.program.homes);
        let own = homes.filter(|home| home.variable.eq_ignore_ascii_case(variable));
        let mut held: Vec<_> = own.map(|home| home.from..=home.to).collect();
        held.sort_by_key(|slots| (*slots.start(), *slots.end()));
        held.dedup();
        held
    }

    /// Adds a constant that has a name, if the run reads it: each of several registers by its number.
    fn uniform(&self, constant: &Constant, state: &mut Vec<Register>) {
        let Some(name) = &constant.name else { return };
        for at in 0..constant.count {
            let reg = Reg { index: constant.reg.index.saturating_add(at), ..constant.reg };
            let own = self.name(reg);
            let Some(register) = state.iter().find(|known| known.name == own) else { continue };
            let Value::Vec4(bits, types) = register.value else { continue };
            let (mut value, mut integers) = ([0; 4], Mask(0));
            let places = (0..4u8).filter(|place| constant.mask.has(*place));
            for ((at, to), from) in (0..).zip(&mut value).zip(places.clone()) {
                *to = bits[usize::from(from)];
                integers.0 |= u8::from(types.has(from)) << at;
            }
            let name = if constant.count == 1 { name.clone() } else { format!("{name}[{at}]") };
            let written = Mask((1 << places.count()) - 1);
            let value = Value::Vec4(value, integers);
            let components = Mask::ALL;
            state.push(Register { name: name.into(), value, components, written, group: VARIABLES });
        }
    }

    /// A value as a register holds it, whose file may say what it is.
    fn held_in(&self, reg: Reg, (bits, integers): Typed) -> Value {
        let isa = self.origin.as_ref().map(|origin| origin.isa);
        Value::Vec4(bits, isa.map_or(integers, |isa| isa.integers(reg, integers)))
    }

    fn cell(&self, reg: Reg) -> Cell {
        Cell::Register(self.name(reg))
    }

    fn notes(&self, step: u64) -> Option<&Notes> {
        self.notes.get(usize::try_from(step).ok()?)
    }
}

fn register_name(isa: &Isa, program: &Program, reg: Reg) -> Name {
    program.reg_name(isa, reg).into()
}

fn place(isa: &Isa, program: &Program, slot: usize, part: u8) -> Place {
    let mut text = String::new();
    let found = program.slots.get(slot);
    if let Some(found) = found {
        isa.print_part(found, part, program.numbering, &mut text);
    }
    Place { at: slot as u64, part, span: found.map(|slot| slot.span), text }
}

/// What belongs to a slot, of a list in the order of slots.
fn of_slot<T>(all: &[T], slot: usize, slot_of: impl Fn(&T) -> usize) -> &[T] {
    let start = all.partition_point(|one| slot_of(one) < slot);
    let end = all.partition_point(|one| slot_of(one) <= slot);
    all.get(start..end).unwrap_or_default()
}

/// What a step read, each register once; undefined and unreachable things go to `events`.
fn reads(
    isa: &Isa,
    program: &Program,
    lowered: &Lowered,
    &Step { slot, part, .. }: &Step,
    value_of: &impl Fn(ir::Value) -> Vec4,
    events: &mut Vec<Event>,
) -> Vec<(Reg, Mask, ir::Value)> {
    let mut all: Vec<(Reg, Mask, ir::Value)> = Vec::new();
    for read in of_slot(&lowered.reads, slot, |read| read.slot).iter().filter(|read| read.part == part) {
        let reg = match found(lowered, read, value_of) {
            Ok(reg) => reg,
            Err(number) => {
                let event = Event::OutOfReach {
                    register: register_name(isa, program, read.reg),
                    number: program.number(read.reg.file, number),
                };
                if !events.contains(&event) {
                    events.push(event);
                }
                continue;
            }
        };
        match all.iter_mut().find(|(known, ..)| *known == reg) {
            Some((_, components, _)) => components.0 |= read.components.0,
            None => all.push((reg, read.components, read.value)),
        }
    }
    let mut undefined: Vec<(Reg, Mask)> = Vec::new();
    let unwritten = of_slot(&lowered.undefined_reads, slot, |read| read.slot);
    for read in unwritten.iter().filter(|read| read.part == part) {
        match undefined.iter_mut().find(|(known, _)| *known == read.reg) {
            Some((_, components)) => components.0 |= read.components.0,
            None => undefined.push((read.reg, read.components)),
        }
    }
    let undefined = undefined.into_iter();
    events.extend(undefined.map(|(reg, components)| Event::UndefinedRead {
        register: register_name(isa, program, reg),
        components,
    }));
    all
}

/// True if a read at a computed number finds a register.
fn reaches(lowered: &Lowered, read: &RegRead, number: i64) -> bool {
    let mut all = of_slot(&lowered.relative_reads, read.slot, |relative| relative.slot).iter();
    let same = all.find(|relative| relative.base == read.reg && Some(relative.index) == read.index);
    same.is_some_and(|same| (i64::from(same.reach.start)..i64::from(same.reach.end)).contains(&number))
}

/// All registers that are written or read, with what they held.
fn pasts(isa: &Isa, program: &Program, flow: &Dataflow, steps: &[TraceStep], notes: &[Notes]) -> Vec<Past> {
    let lowered = &flow.lowered;
    let typed = |value: ir::Value| (flow.value(value), flow.integers(value));
    let initial = lowered.initial.iter().map(|&(reg, value)| (reg, typed(value)));
    let read = notes.iter().flat_map(|notes| &notes.reads).map(|&(reg, _, value)| (reg, typed(value)));
    let past = |(reg, value)| Past {
        reg,
        name: register_name(isa, program, reg),
        values: vec![(0, value, Mask(0))],
    };
    let mut pasts: Vec<Past> = initial.chain(read).map(past).collect();
    // Of a register that is among both, the first value is the one before the first slot.
    pasts.sort_by_key(|past| past.reg);
    pasts.dedup_by_key(|past| past.reg);
    for poked in &lowered.pokes {
        if let Err(at) = pasts.binary_search_by_key(&poked.reg, |past| past.reg) {
            let name = register_name(isa, program, poked.reg);
            pasts.insert(at, Past { reg: poked.reg, name, values: Vec::new() });
        }
    }
    let mut hold = |reg: Reg, from: usize, value: Typed, components: Mask| {
        let Ok(at) = pasts.binary_search_by_key(&reg, |past| past.reg) else { return };
        let values = &mut pasts[at].values;
        let written = values.last().map_or(0, |(_, _, written)| written.0) | components.0;
        values.push((from, value, Mask(written)));
    };
    for index in 0..=steps.len() {
        for poked in lowered.pokes.iter().filter(|poked| poked.step == index) {
            hold(poked.reg, index, typed(poked.value), poked.components);
        }
        for change in steps.get(index).map(|step| step.changes.as_slice()).unwrap_or_default() {
            hold(change.reg, index + 1, (change.after, change.integers[1]), change.components);
        }
    }
    pasts
}

/// What is odd about bits: they are not a number, or infinite.
const ODD: [fn(u32) -> bool; 2] =
    [|bits| f32::from_bits(bits).is_nan(), |bits| f32::from_bits(bits).is_infinite()];

/// For each value of a run, the components in which its own slot made NaN of numbers, and infinities of what is finite.
struct Arisen(Vec<[Mask; 2]>);

impl Arisen {
    fn in_run(lowered: &Lowered, value_of: &impl Fn(ir::Value) -> Vec4) -> Arisen {
        let origins = &lowered.function.origins;
        let mut arisen = Arisen(Vec::with_capacity(lowered.function.insts.len()));
        for (index, inst) in lowered.function.insts.iter().enumerate() {
            let value = value_of(ir::Value(index as u32));
            let mut masks = [Mask(0); 2];
            for (kind, component) in (0..2).flat_map(|kind| (0..4).map(move |component| (kind, component))) {
                if ODD[kind](value[component]) {
                    let (mut read, mut moved) = (false, false);
                    inst.reads(1 << component, |operand, components| {
                        let from = value_of(operand);
                        let odd = (0..4).filter(|at| ODD[kind](from[*at])).fold(0, |odd, at| odd | 1 << at);
                        read |= odd & components != 0;
                        let is_own = origins.get(operand.index()) == origins.get(index);
                        let before = arisen.0.get(operand.index()).filter(|_| is_own);
                        moved |= before.is_some_and(|before| before[kind].0 & odd & components != 0);
                    });
                    if computes(inst) && !read || moved {
                        masks[kind].0 |= 1 << component;
                    }
                }
            }
            arisen.0.push(masks);
        }
        arisen
    }

    /// Of a value that a slot writes; none of one that it only moves.
    fn of(&self, lowered: &Lowered, value: ir::Value, slot: usize) -> [Mask; 2] {
        let own = lowered.function.origins.get(value.index()) == Some(&Some(slot as u32));
        self.0.get(value.index()).filter(|_| own).copied().unwrap_or([Mask(0); 2])
    }
}

/// True for arithmetic with floats; integers may look like NaN, and are not.
fn computes(inst: &Inst) -> bool {
    match inst {
        Inst::Map1(op, _) => op.name().starts_with('f'),
        Inst::Map2(op, _) => op.name().starts_with('f'),
        Inst::Map3(op, _) => op.name().starts_with('f'),
        Inst::Dot(..) => true,
        _ => false,
    }
}

impl Session for ShaderSession {
    fn position(&self) -> u64 {
        self.position as u64
    }

    fn total(&self) -> Option<u64> {
        Some(self.steps.len() as u64)
    }

    /// All of a run is kept; a program's length bounds it.
    fn history(&self) -> History {
        let values: usize = self.registers.iter().map(|past| size_of_val(past.values.as_slice())).sum();
        let steps = self.steps.iter().map(|step| size_of_val(step.changes.as_slice()));
        let notes = self.notes.iter().map(|notes| {
            size_of_val(notes.reads.as_slice())
                + size_of_val(notes.events.as_slice())
                + notes.place.text.len()
        });
        let own = size_of_val(self.steps.as_slice())
            + size_of_val(self.notes.as_slice())
            + size_of_val(self.dataflow.values.as_slice());
        History { oldest: 0, rerun: 0, bytes: own + values + steps.sum::<usize>() + notes.sum::<usize>() }
    }

    fn step(&mut self) -> bool {
        let goes = self.position < self.steps.len();
        self.position += usize::from(goes);
        goes
    }

    fn back(&mut self) -> bool {
        let goes = self.position > 0;
        self.position -= usize::from(goes);
        goes
    }

    fn seek(&mut self, position: u64) -> u64 {
        self.position = usize::try_from(position).unwrap_or(usize::MAX).min(self.steps.len());
        self.position as u64
    }

    fn shader(&self) -> Option<&ShaderSession> {
        Some(self)
    }

    fn lines(&self) -> Vec<(u64, Span)> {
        let slots = self.origin.iter().flat_map(|origin| &origin.program.slots);
        (0..).zip(slots).map(|(at, slot)| (at, slot.span)).collect()
    }

    /// All of the program's slots, those behind a kill too.
    fn listing(&self, range: std::ops::Range<u64>, _at: u64) -> Vec<Instruction> {
        let Some(Origin { isa, program, .. }) = &self.origin else { return Vec::new() };
        let slots = program.slots.iter().enumerate().filter(|(at, _)| range.contains(&(*at as u64)));
        let instructions = slots.flat_map(|(at, slot)| {
            let words = slot.bits.words.iter().take(isa.slot_words);
            let bytes: Vec<u8> = words.flat_map(|word| word.to_le_bytes()).collect();
            (0..=u8::from(slot.paired.is_some())).map(move |part| Instruction {
                place: place(isa, program, at, part),
                bytes: if part == 0 { bytes.clone() } else { Vec::new() },
            })
        });
        instructions.collect()
    }

    /// Of any register, those that the run neither reads nor writes included. All four fragments of a quad are poked.
    fn poke(&mut self, cell: &Cell, components: Mask, value: Value) -> bool {
        let (Some(origin), Cell::Register(name), Value::Vec4(bits, integers)) = (&self.origin, cell, value)
        else {
            return false;
        };
        let mut named = origin.isa.regs(|_| true);
        let Some(reg) = named.find(|reg| origin.program.reg_name(origin.isa, *reg) == *name) else {
            return false;
        };
        let mut program = (*origin.program).clone();
        // Of what was poked here, this replaces what it covers.
        program.pokes.retain(|poke| {
            let covered = poke.reg == reg && poke.components.without(components).is_empty();
            poke.step < self.position || poke.step == self.position && !covered
        });
        program.pokes.push(Poke { step: self.position, reg, components, bits, integers });
        let again = ShaderSession::of(Origin { program: Arc::new(program), ..origin.clone() });
        *self = ShaderSession { position: self.position, ..again };
        true
    }

    /// Variables are where their registers are, whose writes are events.
    fn reports(&self, register: &str) -> bool {
        self.registers.iter().any(|past| past.name == register)
    }

    fn place(&mut self, step: u64) -> Option<Place> {
        self.notes(step).map(|notes| notes.place.clone())
    }

    fn state(&mut self, step: u64) -> Option<Vec<Register>> {
        let step = usize::try_from(step).ok().filter(|step| *step <= self.steps.len())?;
        let at = |past: &Past| {
            let after = past.values.partition_point(|(from, ..)| *from <= step);
            let (_, value, written) = *past.values.get(after.checked_sub(1)?)?;
            let group = self.origin.as_ref().map_or("", |origin| match origin.isa.file(past.reg).kind {
                FileKind::Input => "Inputs",
                FileKind::Constant => "Constants",
                FileKind::Temporary(_) => "Temporaries",
                FileKind::Output(_) => "Outputs",
            });
            let components = self.origin.as_ref().map_or(Mask::ALL, |origin| origin.isa.components(past.reg));
            let value = self.held_in(past.reg, value);
            Some(Register { name: past.name.clone(), value, components, written, group })
        };
        let mut state: Vec<Register> = self.registers.iter().filter_map(at).collect();
        self.variables(step, &mut state);
        Some(state)
    }

    fn changes(&mut self, step: u64) -> Option<Vec<Change>> {
        let step = self.steps.get(usize::try_from(step).ok()?)?;
        let changes = step.changes.iter().map(|change| Change {
            cell: self.cell(change.reg),
            components: change.components,
            before: self.held_in(change.reg, (change.before, change.integers[0])),
            after: self.held_in(change.reg, (change.after, change.integers[1])),
        });
        Some(changes.collect())
    }

    fn reads(&mut self, step: u64) -> Option<Vec<Read>> {
        let reads = self.notes(step)?.reads.iter().map(|&(reg, components, value)| Read {
            cell: self.cell(reg),
            components,
            value: self.held_in(reg, (self.dataflow.value(value), self.dataflow.integers(value))),
        });
        Some(reads.collect())
    }

    fn events(&mut self, step: u64) -> Option<Vec<Event>> {
        self.notes(step).map(|notes| notes.events.clone())
    }
}
