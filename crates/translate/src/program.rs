//! What is translated: a function, and what its inputs, outputs and values are called.

use crate::codes::STATE;
use crate::words::result;
use gpuzoo_diag::{Diagnostic, Span, has_errors};
use gpuzoo_ir::{Function, Inst, Pick, Value, passes};
use gpuzoo_isa::{Constant, FileKind, Lowered, Mask, Output as Number, Program as Code, Reg, Stage};
use gpuzoo_machine::target::conventions::{LOCATIONS, Port, Positions};
use gpuzoo_machine::{RunState, ShaderUnit};
use std::collections::HashSet;

/// A program of any machine, ready to be written in another language.
#[derive(Clone, Debug)]
pub struct Program {
    /// The machine's name.
    pub machine: &'static str,
    /// The profile that it was lowered for.
    pub profile: String,
    /// The stage that it is for.
    pub stage: Stage,
    /// How it leaves positions.
    pub positions: Positions,
    /// A fragment's place has depth and 1/w behind the pixel's column and row.
    pub place_has_depth: bool,
    /// How many locations the machine's outputs have; what has none comes behind them.
    pub locations: u16,
    /// What it computes.
    pub function: Function,
    /// The inputs that its outputs depend on, by number.
    pub inputs: Vec<Input>,
    /// The outputs, in the order of [`Function::outputs`].
    pub outputs: Vec<Output>,
    /// How many constants the host must provide: one more than the highest that can be read.
    pub constants: usize,
    /// The letters that the machine has for its constants.
    pub constant: String,
    /// Those of them to which the program gives values or names: literals and uniforms of a source, definitions of a text.
    pub given: Vec<Constant>,
    /// What the host computes of the constants before the program runs.
    pub host: Option<HostConstants>,
    /// The textures that it reads.
    pub samples: Vec<Sample>,
    /// The text of each slot.
    pub slots: Vec<String>,
    /// Where each slot is written.
    pub spans: Vec<Span>,
    /// Where the whole program is written.
    pub span: Span,
    /// The constants that it writes, and where it does.
    pub written: Vec<(u16, Span)>,
    /// For each component of a value what it is called: a register, where it was written to one.
    pub names: Vec<[Option<String>; 4]>,
}

/// Constants that the host computes from others, for the reflection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostConstants {
    /// Their numbers.
    pub numbers: Vec<u16>,
    /// A C function that computes them.
    pub code: String,
}

/// An input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Its number.
    pub number: u16,
    /// The register.
    pub name: String,
    /// Where the pipeline has it.
    pub port: Option<Port>,
}

/// An output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The register.
    pub name: String,
    /// Where the pipeline has it.
    pub port: Option<Port>,
    /// False if the program writes none of its components, so that it has what it starts with.
    pub written: bool,
    /// It is a constant that the program leaves for the runs that follow.
    pub constant: Option<u16>,
}

impl Output {
    /// What it is called in the struct of results of a [function](crate::Shape::Function).
    pub fn field(&self) -> String {
        result(&self.name)
    }
}

/// A kind of texture read: the number of an IR sample, and what that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The number in [`Inst::Sample`].
    pub number: u8,
    /// The texture unit.
    pub unit: usize,
    /// How it is read.
    pub read: gpuzoo_machine::TextureRead,
}

impl Program {
    /// A program in a state of its machine.
    ///
    /// # Errors
    /// What the state forbids the program.
    pub fn of(gpu: &dyn ShaderUnit, code: &Code, state: &RunState) -> Result<Program, Vec<Diagnostic>> {
        let (lowered, problems) = gpu.lower(code, state);
        if has_errors(&problems) {
            return Err(problems);
        }
        let mut function = lowered.function.clone();
        for (reg, value) in &lowered.constant_writes {
            let number = Number::Constant(reg.index).number();
            if function.outputs.iter().all(|(known, _)| *known != number) {
                function.outputs.push((number, *value));
            }
        }
        function.outputs.sort_by_key(|(number, _)| *number);
        function.outputs.retain(|(number, _)| !matches!(Number::of(*number), Number::Watch(_)));
        let isa = gpu.isa();
        let stage = lowered.stage;
        let file = |wanted: fn(FileKind) -> bool| isa.files.iter().find(|file| wanted(file.kind));
        let input_file = file(|kind| kind == FileKind::Input);
        let output_file = file(|kind| matches!(kind, FileKind::Output(_)));
        let live = live(&function);
        let mut inputs: Vec<u16> = live
            .iter()
            .filter_map(|value| match function.insts[*value] {
                Inst::Input(number) => Some(number),
                _ => None,
            })
            .collect();
        inputs.sort_unstable();
        inputs.dedup();
        let inputs = inputs.into_iter().map(|number| Input {
            number,
            name: input_file.map_or_else(|| format!("in{number}"), |file| file.reg_name(number)),
            port: input_port(gpu, stage, number),
        });
        let mut outputs = Vec::new();
        for (number, _) in &function.outputs {
            let named = |number: u16| {
                output_file.map_or_else(|| format!("out{number}"), |file| file.reg_name(number))
            };
            outputs.push(match Number::of(*number) {
                Number::Register(number) => {
                    let port = gpu.conventions().and_then(|conventions| conventions.port(stage, number));
                    let unwritten = |(reg, mask): &(Reg, Mask)| reg.index == number && *mask == Mask::ALL;
                    let written = !lowered.unwritten_outputs.iter().any(unwritten);
                    Output { name: named(number), port, written, constant: None }
                }
                Number::Constant(number) => {
                    let file = file(|kind| kind == FileKind::Constant);
                    let name = file.map_or_else(|| format!("c{number}"), |file| file.reg_name(number));
                    Output { name, port: None, written: true, constant: Some(number) }
                }
                // Those are not among them.
                Number::Watch(_) => continue,
            });
        }
        let samples = samples(gpu, &function, &live);
        let constants = live.iter().filter_map(|value| match function.insts[*value] {
            Inst::Uniform(number) => Some(usize::from(number) + 1),
            Inst::UniformAt { count, .. } => Some(usize::from(count)),
            _ => None,
        });
        let count = constants.max().unwrap_or(0);
        let slot = |slot: &gpuzoo_isa::Slot| {
            let mut text = String::new();
            isa.print_slot(slot, &mut text);
            text
        };
        let profile = gpu.about().named_profiles().find(|(_, own)| *own == state.profile);
        let positions = gpu.conventions().map(|conventions| conventions.positions()).unwrap_or_default();
        Ok(Program {
            machine: gpu.about().name,
            profile: profile.map(|(name, _)| name.to_owned()).unwrap_or_default(),
            stage,
            positions,
            // A pipeline that divides positions by w and does nothing else has neither for fragments.
            place_has_depth: positions != Positions::PixelsTimesW,
            locations: locations(gpu, stage),
            inputs: inputs.collect(),
            outputs,
            host: None,
            given: code.constants.iter().filter(|own| usize::from(own.reg.index) < count).cloned().collect(),
            constants: count,
            constant: letters(file(|kind| kind == FileKind::Constant).map_or("c", |file| file.prefix)),
            samples,
            slots: code.slots.iter().map(slot).collect(),
            spans: code.slots.iter().map(|slot| slot.span).collect(),
            span: code.span,
            written: written(gpu, &lowered, code),
            names: names(gpu, &lowered, &function),
            function,
        })
    }

    /// Where an instruction of the program is written; the whole program if it comes from none.
    pub(crate) fn place(&self, wanted: impl Fn(&Inst) -> bool) -> Span {
        let at = self.function.insts.iter().position(wanted);
        let slot = at.and_then(|at| self.function.origins.get(at).copied().flatten());
        slot.and_then(|slot| self.spans.get(slot as usize)).copied().unwrap_or(self.span)
    }

    /// The constants that runs leave for others: nothing for most programs.
    ///
    /// # Errors
    /// `T0102` for a program that leaves some: only a form that runs one vertex after the other can express that.
    pub fn refuse_state(&self, form: &str) -> Result<(), Diagnostic> {
        let Some(left) = self.outputs.iter().find(|output| output.constant.is_some()) else { return Ok(()) };
        let message =
            format!("the program writes `{}`, and {form} cannot hand it on to the next run", left.name);
        let span = self.written.iter().find(|(number, _)| Some(*number) == left.constant);
        Err(Diagnostic::error(&STATE, message)
            .at(span.map_or(self.span, |(_, span)| *span))
            .help("the forms `compute` and `function` give it back as an output of each run"))
    }
}

/// The letters of a text, of which there must be some.
fn letters(text: &str) -> String {
    let letters: String = text.chars().filter(char::is_ascii_alphabetic).collect();
    if letters.is_empty() { "c".to_owned() } else { letters }
}

/// How many locations a machine's outputs have.
fn locations(gpu: &dyn ShaderUnit, stage: Stage) -> u16 {
    let Some(conventions) = gpu.conventions() else { return 0 };
    let has = |location: &u16| conventions.output(stage, Port::Location(*location)).is_some();
    (0..LOCATIONS).take_while(has).count() as u16
}

/// Where the pipeline has an input.
fn input_port(gpu: &dyn ShaderUnit, stage: Stage, number: u16) -> Option<Port> {
    let conventions = gpu.conventions()?;
    let mut all = std::iter::once(Port::Position).chain((0..LOCATIONS).map(Port::Location));
    all.find(|port| conventions.input(stage, *port).is_some_and(|reg| reg.index == number))
}

/// The instructions that outputs and kills depend on, in order.
fn live(function: &Function) -> Vec<usize> {
    let masks = passes::demand(function);
    let used = |(inst, mask): (&Inst, &u8)| *mask != 0 || inst.has_effect();
    let all = function.insts.iter().zip(&masks).enumerate();
    all.filter(|(_, pair)| used(*pair)).map(|(index, _)| index).collect()
}

fn samples(gpu: &dyn ShaderUnit, function: &Function, live: &[usize]) -> Vec<Sample> {
    let numbers: HashSet<u8> = live
        .iter()
        .filter_map(|value| match function.insts[*value] {
            Inst::Sample(number, _) => Some(number),
            _ => None,
        })
        .collect();
    let mut numbers: Vec<u8> = numbers.into_iter().collect();
    numbers.sort_unstable();
    let programs = gpu.fragment_programs();
    let of = |number: u8| Sample {
        number,
        unit: programs.map_or(usize::from(number), |programs| programs.unit(number)),
        read: programs.map(|programs| programs.read(number)).unwrap_or_default(),
    };
    numbers.into_iter().map(of).collect()
}

/// The constants that a program writes, and where.
fn written(gpu: &dyn ShaderUnit, lowered: &Lowered, code: &Code) -> Vec<(u16, Span)> {
    let isa = gpu.isa();
    let is_constant =
        |reg: &Reg| isa.files.get(usize::from(reg.file)).is_some_and(|file| file.kind == FileKind::Constant);
    let writes = lowered.steps.iter().flat_map(|step| step.writes.iter().map(|(reg, ..)| (reg, step.slot)));
    let written = writes.filter(|(reg, _)| is_constant(reg));
    written.filter_map(|(reg, slot)| Some((reg.index, code.slots.get(slot)?.span))).collect()
}

/// For each component of a value the register and the slot that it was written to first.
fn names(gpu: &dyn ShaderUnit, lowered: &Lowered, function: &Function) -> Vec<[Option<String>; 4]> {
    const NONE: [Option<String>; 4] = [None, None, None, None];
    let mut names = vec![NONE; function.insts.len()];
    for step in &lowered.steps {
        for (reg, value, mask) in &step.writes {
            let name = format!("{}_{}", gpu.isa().reg_name(*reg), step.slot);
            for component in (0..4u8).filter(|component| mask.has(*component)) {
                let Some((value, component)) = source(function, *value, component) else { continue };
                names[value.index()][usize::from(component)].get_or_insert_with(|| name.clone());
            }
        }
    }
    names
}

/// Where a component comes from behind shuffles; none for 0 and 1.
pub(crate) fn source(function: &Function, mut value: Value, mut component: u8) -> Option<(Value, u8)> {
    loop {
        match function.insts[value.index()] {
            Inst::Shuffle([a, b], picks) => match picks[usize::from(component & 3)] {
                Pick::A(from) => (value, component) = (a, from),
                Pick::B(from) => (value, component) = (b, from),
                Pick::Zero | Pick::One => return None,
            },
            Inst::Kill(a) => value = a,
            _ => return Some((value, component)),
        }
    }
}
