//! The verb `debug`: commands in, texts out. What a run is and where it stops is [`Debugger`]'s.
//!
//! ```
//! use gpuzoo::debugger::{Console, Run};
//! use gpuzoo::diag::{File, Sources};
//! use gpuzoo::paint::Paint;
//! use gpuzoo::{machine::RunState, run::Vertices, trace::trace};
//!
//! let program = gpuzoo::dreambox().assemble("double.vu", "ld r0 0  add r0 r0  st pos r0")?;
//! let run = trace(&program, &RunState::default(), &Vertices::nothing(), 0, &[], &[]);
//! let sources = Sources::default();
//! let mut console = Console::new(vec![Run::of_trace(run)], sources, false, Paint::PLAIN);
//! let line = File::new("command", "poke r0.x = 2.5");
//! console.obey(&line, line.whole().range())?;
//! let line = File::new("command", "print r0.x == 2.5");
//! assert_eq!(console.obey(&line, line.whole().range())?.text, "r0.x == 2.5 is true\n");
//! # Ok::<(), gpuzoo::Diagnostics>(())
//! ```

mod batch;
pub mod command;
mod face;
mod lanes;
mod remember;
pub mod saved;
mod show;
mod target;

pub use batch::{Batch, MOST_LANES};

use crate::paint::{Ink, Paint};
use crate::trace::Trace;
use crate::why::{Answer, Explanation};
use command::{COMMANDS, Command, EVENTS, Target, Watch};
use gpuzoo_debug::{Debugger, Expression, Halt, Subject, Unclear, influence};
use gpuzoo_diag::{Diagnostic, File, Sources, counted};
use gpuzoo_isa::{Mask, Reg};
use gpuzoo_machine::session::{Address, Cell, Condition, Picture, Session, Value};
use std::fmt::Write;
use std::ops::Range;
use std::sync::Arc;

gpuzoo_diag::codes! {
    NO_SUCH_COMMAND = "G0301", "no such command of the debugger",
        "A line of a script, or one that is typed, is a command of `gpuzoo debug` with what belongs to it; `help` shows all. What is behind \
         a `#` is a comment.";
    BAD_COMMAND = "G0302", "command of the debugger that cannot be understood",
        "Something is missing behind the command, or something is there that cannot follow it. The message says what was expected.";
    NOT_IN_THE_RUN = "G0303", "nothing of this name in the run",
        "The run that is debugged has no such register, memory, label, slot or line, or not there. `registers all` shows its registers.";
    CANNOT_POKE = "G0304", "value that cannot be set",
        "Registers, RAM, video memory and the registers of a device can be set, each to what there is room for. ROM cannot, nor what the \
         machine counts by itself.";
}

/// The most steps that a command goes through, if nothing else is said: some seconds of the fastest machine.
pub const MOST_STEPS: u64 = 1 << 27;

/// A run that is debugged.
pub struct Run {
    /// Whose it is: `vertex 3`.
    pub name: String,
    debugger: Debugger,
    /// What is known of a shader's run besides.
    trace: Option<Trace>,
    /// The pokes that count, in the order of their positions, as they were typed.
    pokes: Vec<(u64, String)>,
    /// The breakpoints, each with its number, as they were typed.
    typed: Vec<(u32, String)>,
    /// The picture that it has a part in.
    picture: Option<Arc<Picture>>,
}

impl Run {
    /// Of a vertex or a fragment.
    pub fn of_trace(trace: Trace) -> Run {
        let debugger = Debugger::new(Box::new(trace.session.clone()));
        Run { trace: Some(trace.clone()), ..Run::of(trace.subject.text(), debugger) }
    }

    /// The same from another position on.
    #[must_use]
    pub fn at(mut self, position: u64) -> Run {
        self.debugger.session().seek(position);
        self
    }

    /// Another lane's in the place of this one, from its start; breakpoints stay.
    fn replace(&mut self, trace: Trace) {
        self.name = trace.subject.text();
        self.debugger.replace(Box::new(trace.session.clone()));
        self.pokes.clear();
        self.trace = Some(trace);
    }

    /// What another lane of the same batch is called.
    fn lane_name(&self, lane: usize) -> String {
        self.trace.as_ref().map_or_else(String::new, |trace| trace.subject.numbered(lane).text())
    }

    /// Of any other session.
    pub fn of_session(name: &str, session: Box<dyn Session>) -> Run {
        Run::of(name.to_owned(), Debugger::new(session))
    }

    fn of(name: String, debugger: Debugger) -> Run {
        Run { name, debugger, trace: None, pokes: Vec::new(), typed: Vec::new(), picture: None }
    }

    /// With the picture that it has a part in.
    #[must_use]
    pub fn in_picture(mut self, picture: Arc<Picture>) -> Run {
        self.picture = Some(picture);
        self
    }
}

/// What a command printed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    /// Lines, each with its end.
    pub text: String,
    /// True if there are to be no more commands.
    pub done: bool,
    /// A file to write, if one is to be: its name, and the commands that lead to here.
    pub save: Option<(String, Vec<String>)>,
    /// Why a run stopped; of other commands [`Halt::Limit`] alone, where they went as far as one goes.
    pub halt: Option<Halt>,
    /// What is left of a command that went as far as one goes; it can be [carried on](Console::carry_on).
    pub rest: Option<Command>,
}

/// Carries out commands.
pub struct Console {
    runs: Vec<Run>,
    current: usize,
    /// The vertices of which one is the run, and which.
    batch: Option<Batch>,
    lane: usize,
    /// Each with its number, counted together with breakpoints.
    watches: Vec<Watch>,
    sources: Arc<Sources>,
    bits: bool,
    paint: Paint,
    most: u64,
    /// Why the command that is carried out stopped, if it went somewhere.
    halt: Option<Halt>,
}

impl Console {
    /// Over some runs, of which the first is shown first. `sources` has the texts of their programs.
    pub fn new(runs: Vec<Run>, sources: impl Into<Arc<Sources>>, bits: bool, paint: Paint) -> Console {
        let (current, batch, lane, watches) = (0, None, 0, Vec::new());
        Console {
            runs,
            current,
            batch,
            lane,
            watches,
            sources: sources.into(),
            bits,
            paint,
            most: MOST_STEPS,
            halt: None,
        }
    }

    fn run(&mut self) -> Option<&mut Run> {
        self.runs.get_mut(self.current)
    }

    /// The names of the runs, in the order of their numbers.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.runs.iter().map(|run| run.name.as_str())
    }

    /// The number of the run that commands are about.
    pub fn current(&self) -> usize {
        self.current
    }

    /// Another run, as the command `use` chooses it: its debugger, or none if there is no run of this number.
    pub fn choose(&mut self, number: usize) -> Option<&mut Debugger> {
        let run = self.runs.get_mut(number)?;
        self.current = number;
        Some(&mut run.debugger)
    }

    /// The texts of the runs' programs.
    pub fn sources(&self) -> &Arc<Sources> {
        &self.sources
    }

    /// Where the run is at first.
    pub fn greeting(&mut self) -> String {
        let Some(run) = self.run() else { return "there is no run\n".to_owned() };
        let name = run.name.clone();
        let others = self.count() - 1;
        let others = if others > 0 { format!(", and {others} more: `runs`") } else { String::new() };
        let (compared, place) = (self.compared(), self.place());
        format!("{}{others}\n{compared}{place}", self.paint.ink(Ink::Head, name))
    }

    /// Carries out the command of a line, which is a part of a file.
    ///
    /// # Errors
    /// `G0301` to `G0304`. A run to a breakpoint whose expression has no value there has stopped there, and of several bytes that are
    /// poked those before the one that cannot be are set; else everything is as it was.
    pub fn obey(&mut self, file: &File, line: Range<usize>) -> Result<Reply, Diagnostic> {
        let Some(command) = command::read(file, line.clone())? else { return Ok(Reply::default()) };
        self.carry_on(command).map_err(|problem| {
            let text = &file.text()[line.clone()];
            let start = line.start + text.len() - text.trim_start().len();
            let end = start.max(line.start + text.trim_end().len());
            problem.label(file.span(start..end), "")
        })
    }

    /// Carries out a command that stands in no text.
    ///
    /// # Errors
    /// As for [`obey`](Console::obey), without a place.
    pub fn carry_on(&mut self, command: Command) -> Result<Reply, Diagnostic> {
        if self.run().is_none() {
            return Err(Diagnostic::error(&NOT_IN_THE_RUN, "there is no run"));
        }
        let done = command == Command::Quit;
        let save = match &command {
            Command::Save(path) => Some((path.clone(), self.commands())),
            _ => None,
        };
        let noted = self.noted(&command);
        let start = self.session().position();
        self.halt = None;
        let text = self.carry_out(command.clone()).map_err(Refused::problem)?;
        self.note(noted);
        let rest = (self.halt == Some(Halt::Limit)).then(|| match command {
            Command::Step(count) => Command::Goto(start.saturating_add(count)),
            other => other,
        });
        Ok(Reply { text, done, save, halt: self.halt, rest })
    }

    fn carry_out(&mut self, command: Command) -> Result<String, Refused> {
        match command {
            Command::Step(count) => Ok(self.walk(count, true)),
            Command::Back(count) => Ok(self.walk(count, false)),
            Command::Run(target) => self.go(target, true),
            Command::RunBack(target) => self.go(target, false),
            Command::Goto(step) => {
                let furthest = self.session().position().saturating_add(self.most);
                let reached = self.seek(step);
                let is_reached = reached == step;
                self.halt = (!is_reached && reached == furthest).then_some(Halt::Limit);
                let short = if is_reached { String::new() } else { format!("step {step} is not reached\n") };
                Ok(short + &self.here())
            }
            Command::Break(target, only_if, _) => {
                let conditions = self.conditions(&target)?;
                if let Some(expression) = &only_if {
                    expression.value(self.session())?;
                }
                let Some(run) = self.run() else { return Ok(String::new()) };
                let add = |condition| run.debugger.add(condition, only_if.as_deref().cloned());
                let numbers = conditions.into_iter().map(add);
                Ok(numbers.map(|number| format!("breakpoint {number}\n")).collect())
            }
            Command::Breaks => Ok(self.breaks()),
            Command::Delete(number) => self.delete(number),
            Command::Print(watch) => self.shown(&watch),
            Command::Watch(watch) => {
                let text = self.shown(&watch)?;
                self.watches.push(watch);
                Ok(text)
            }
            Command::Poke(place, numbers, _) => self.poke(&place, &numbers).map(|()| self.here()),
            Command::Why(expression) => self.why(&expression),
            Command::Influence(expression) => self.influence(&expression),
            Command::List(around) => Ok(self.list(around)),
            Command::Registers(all) => Ok(self.registers(all)),
            Command::Last => Ok(self.last()),
            Command::Runs(None) => Ok(self.list_of_runs()),
            Command::Runs(Some(watch)) => self.values(&watch),
            Command::Use(which) => self.change_to(which),
            Command::Help => Ok(help()),
            Command::Save(_) | Command::Quit => Ok(String::new()),
        }
    }

    /// The session of the run.
    fn session(&mut self) -> &mut dyn Session {
        // There is one: `obey` has looked.
        let current = self.current.min(self.runs.len().saturating_sub(1));
        self.runs[current].debugger.session()
    }

    /// Goes to a position, as far as a command goes; returns where that is.
    fn seek(&mut self, position: u64) -> u64 {
        let most = self.most;
        let session = self.session();
        let furthest = session.position().saturating_add(most);
        session.seek(position.min(furthest))
    }

    fn walk(&mut self, count: u64, forward: bool) -> String {
        let start = self.session().position();
        let end = if forward { start.saturating_add(count) } else { start.saturating_sub(count) };
        let reached = self.seek(end);
        let is_cut = reached < end && reached == start.saturating_add(self.most);
        self.halt = is_cut.then_some(Halt::Limit);
        let cut = if is_cut { Self::stopped(self.most) } else { String::new() };
        match forward && reached != start {
            true => cut + &self.last() + &self.here(),
            false => self.here(),
        }
    }

    /// That a command has gone as far as it goes.
    fn stopped(steps: u64) -> String {
        format!("stopped after {}\n", counted(steps as usize, "step"))
    }

    fn go(&mut self, target: Option<Target>, forward: bool) -> Result<String, Refused> {
        let to = target.as_ref().map_or(Ok(Vec::new()), |target| self.conditions(target))?;
        let most = self.most;
        let Some(run) = self.run() else { return Ok(String::new()) };
        run.debugger.compare_in_time_of(most);
        let before = run.debugger.session().position();
        let halt = match forward {
            true => run.debugger.run(&to, most),
            false => run.debugger.run_back(&to, most),
        };
        let halt = halt?;
        self.halt = Some(halt);
        let Some(run) = self.run() else { return Ok(String::new()) };
        let mut text = match halt {
            Halt::Breakpoint(number) => format!("breakpoint {number}\n"),
            Halt::Met(_) => String::new(),
            Halt::End if target.is_some() => "not met up to the end\n".to_owned(),
            Halt::Start if target.is_some() => "not met down to the start\n".to_owned(),
            Halt::End | Halt::Start => String::new(),
            Halt::Limit => Self::stopped(run.debugger.session().position().abs_diff(before)),
        };
        let is_of_step = |condition: &Condition| !matches!(condition, Condition::At(_) | Condition::Step(_));
        let stopped_by = match halt {
            Halt::Met(met) => to.get(met).cloned(),
            Halt::Breakpoint(number) => {
                let mut all = run.debugger.breakpoints().iter();
                all.find(|breakpoint| breakpoint.number == number)
                    .map(|breakpoint| breakpoint.condition.clone())
            }
            _ => None,
        };
        if stopped_by.as_ref().is_some_and(is_of_step) {
            text += &self.last();
        }
        Ok(text + &self.here())
    }

    /// What a run to a target waits for: one of several things.
    fn conditions(&mut self, target: &Target) -> Result<Vec<Condition>, Refused> {
        let sources = self.sources.clone();
        target.conditions(self.session(), &sources)
    }

    fn delete(&mut self, number: u32) -> Result<String, Refused> {
        let removed = self.run().is_some_and(|run| run.debugger.remove(number));
        match removed {
            true => Ok(String::new()),
            false => Err(Refused(&NOT_IN_THE_RUN, format!("there is no breakpoint {number}"))),
        }
    }

    /// Gives a register or memory another value here, as the command `poke` does.
    ///
    /// # Errors
    /// If it is not there, or cannot be set to this.
    pub fn poke(&mut self, place: &Expression, numbers: &[(f32, Option<u64>)]) -> Result<(), Refused> {
        let refuse = |why: String| Err(Refused(&CANNOT_POKE, why));
        let number =
            |at: usize| numbers.get(if numbers.len() == 1 { 0 } else { at }).copied().unwrap_or_default();
        let fits = |count: usize| numbers.len() == 1 || numbers.len() == count;
        let session = self.session();
        match place.subject(session)? {
            Subject::Memory(space, range) => {
                // More numbers than addresses go to those behind.
                let count =
                    range.clone().count().max(if range.clone().count() == 1 { numbers.len() } else { 0 });
                if !fits(count) {
                    return refuse(format!(
                        "{} cannot go to {}",
                        counted(numbers.len(), "number"),
                        counted(count, "byte")
                    ));
                }
                for (offset, at) in (*range.start()..).take(count).enumerate() {
                    let cell = Cell::Memory(Address { space, bank: None, at });
                    let byte = number(offset).1.and_then(|integer| u8::try_from(integer).ok());
                    if !byte.is_some_and(|byte| session.poke(&cell, Mask(1), Value::integer(byte, 8))) {
                        return refuse(format!("`{space}[${at:04X}]` cannot be set to this"));
                    }
                }
            }
            Subject::Register(name, _) if session.shader().is_some() && !session.reports(&name) => {
                return refuse(is_variable(&name));
            }
            Subject::Register(name, components) => {
                let position = session.position();
                let state = session.state(position).unwrap_or_default();
                let register = state.iter().find(|register| register.name == name);
                let cell = Cell::Register(name.clone());
                let done = match register.map(|register| (register.value, register.components)) {
                    Some((Value::Vec4(mut bits, integers), has)) => {
                        let all: Vec<u8> = (0..4).filter(|at| has.has(*at)).collect();
                        let all = if components.is_empty() { &all } else { &components };
                        if !fits(all.len()) {
                            let (given, all) =
                                (counted(numbers.len(), "number"), counted(all.len(), "component"));
                            return refuse(format!("{given} cannot go to {all}"));
                        }
                        for (at, component) in all.iter().enumerate() {
                            let own = match integers.has(component & 3) {
                                true => integer_bits(number(at)),
                                false => Some(number(at).0.to_bits()),
                            };
                            let Some(own) = own else {
                                let letter = gpuzoo_isa::COMPONENTS[usize::from(component & 3)];
                                let name = format!("`{name}.{letter}`");
                                return refuse(format!(
                                    "{name} is an integer of 32 bits, and this is not one"
                                ));
                            };
                            bits[usize::from(component & 3)] = own;
                        }
                        session.poke(&cell, mask(all), Value::Vec4(bits, integers))
                    }
                    Some((Value::Integer { bits, .. }, _)) => {
                        let integer = number(0).1.filter(|_| numbers.len() == 1);
                        let integer =
                            integer.filter(|integer| integer.checked_shr(bits.into()).unwrap_or(0) == 0);
                        integer.is_some_and(|integer| {
                            session.poke(&cell, Mask(1), Value::integer(integer, bits))
                        })
                    }
                    None => false,
                };
                if !done {
                    return refuse(format!("`{name}` cannot be set to this"));
                }
            }
        }
        Ok(())
    }

    /// The trace of the run as it is now, and a register of it with its components.
    fn asked(&mut self, expression: &Expression) -> Result<(Trace, Reg, Mask, usize), Refused> {
        let subject = expression.subject(self.session())?;
        let Some(run) = self.run() else { return Err(Refused(&NOT_IN_THE_RUN, String::new())) };
        let session = run.debugger.session();
        let position = session.position() as usize;
        let shader = session.shader().cloned().zip(run.trace.clone());
        let Some(((session, trace), (name, components))) = shader.zip(match subject {
            Subject::Register(name, components) => Some((name, components)),
            Subject::Memory(..) => None,
        }) else {
            let why = "where values come from is known of shader programs".to_owned();
            return Err(Refused(&NOT_IN_THE_RUN, why));
        };
        let trace = Trace { session, ..trace };
        let reg = trace.session.registers().find(|(_, known)| **known == name).map(|(reg, _)| reg);
        let reg = reg.ok_or_else(|| Refused(&NOT_IN_THE_RUN, is_variable(&name)))?;
        let components = Mask(mask(&components).0 & trace.isa.components(reg).0);
        Ok((trace, reg, components, position))
    }

    /// The text that the command `why` answers.
    ///
    /// # Errors
    /// If the run has no such register, or is not a shader's.
    pub fn why(&mut self, expression: &Expression) -> Result<String, Refused> {
        let (trace, reg, components, position) = self.asked(expression)?;
        Ok(Answer::of(&trace, reg, components, position).text(&self.sources, self.bits, self.paint))
    }

    /// What the command `why` answers, as data.
    ///
    /// # Errors
    /// If the run has no such register, or is not a shader's.
    pub fn ancestry(&mut self, expression: &Expression) -> Result<Explanation, Refused> {
        let (trace, reg, components, position) = self.asked(expression)?;
        Ok(Answer::of(&trace, reg, components, position).json(self.bits))
    }

    fn influence(&mut self, expression: &Expression) -> Result<String, Refused> {
        let (trace, reg, components, position) = self.asked(expression)?;
        let found = influence(trace.isa, &trace.session, reg, components, position);
        let places: Vec<_> = trace.session.places().collect();
        let mut text = String::new();
        for one in &found {
            let after = trace.session.steps()[one.step].changes.iter().find(|change| change.reg == one.reg);
            let after = after.map_or(([0; 4], Mask(0)), |change| (change.after, change.integers[1]));
            let name = trace.session.name(one.reg);
            let value = crate::why::named(&name, one.components, after, self.bits);
            let place = places[one.step];
            let _ = writeln!(text, "{:>4}  {:<36}  {value}", place.at, place.text);
        }
        if found.is_empty() {
            text += "nothing from here on is computed from it\n";
        }
        Ok(text)
    }
}

/// Why something is not done: the code, and what is wrong.
#[derive(Clone, Debug)]
pub struct Refused(pub &'static gpuzoo_diag::Code, pub String);

impl Refused {
    /// It as a diagnostic without a place, with what to do.
    pub fn problem(self) -> Diagnostic {
        let Refused(code, message) = self;
        let help = match code.id {
            id if id == CANNOT_POKE.id => "`print` shows what a place holds; bytes are 0 to 255",
            _ => "`registers all`, `list` and `runs` show what there is",
        };
        Diagnostic::error(code, message).help(help)
    }
}

impl From<Unclear> for Refused {
    fn from(unclear: Unclear) -> Refused {
        Refused(&NOT_IN_THE_RUN, unclear.message)
    }
}

/// Why a run does not stop at writes to a register: they are no events.
pub fn not_reported(name: &str) -> Refused {
    let why = "it goes on by itself, or is a variable that a register holds";
    Refused(&NOT_IN_THE_RUN, format!("writes to `{name}` do not stop a run: {why}"))
}

/// Why something is not done with a variable of the source.
fn is_variable(name: &str) -> String {
    format!("`{name}` is a variable; this takes the register that holds it")
}

/// Components by their numbers; none are all.
pub fn mask(components: &[u8]) -> Mask {
    match components {
        [] => Mask::ALL,
        some => Mask(some.iter().fold(0, |mask, component| mask | 1 << (component & 3))),
    }
}

fn help() -> String {
    let mut text = String::new();
    for (names, follows, about) in COMMANDS {
        let written = format!("{} {follows}", names.join(", "));
        let _ = writeln!(text, "{written:<34}  {about}");
    }
    text += "\nTARGET is a slot, an address or a label, `line N`, `write PLACE`, or one of these:\n";
    for (name, _, about) in EVENTS {
        let _ = writeln!(text, "{name:<34}  {about}");
    }
    text += "\nCAST is x, f, d, u, b or c: bits, floats, signed, unsigned, binary, a color\n";
    text
}

/// The bits of a number that is a signed or unsigned integer of 32 bits.
fn integer_bits((float, integer): (f32, Option<u64>)) -> Option<u32> {
    match integer {
        Some(integer) => u32::try_from(integer).ok(),
        // A negative one is there as a float alone, which is exact up to here.
        None => {
            let is_exact = float.fract() == 0.0 && float.abs() <= 16_777_216.0;
            is_exact.then_some((float as i32).cast_unsigned())
        }
    }
}

#[cfg(all(test, feature = "vera", feature = "dreambox"))]
mod tests;
