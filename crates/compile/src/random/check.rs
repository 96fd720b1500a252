//! One program through the compiler, on machines and levels, compared with what it means.

use super::number::Number;
use super::tree::Program;
use super::{MATRIX, UNIFORMS, V, VECTORS};
use crate::codes::UNPROVEN;
use crate::front::catch_panic::unbroken;
use crate::front::{Language, Reading, read};
use crate::options::{CompileOptions, Level, Options};
use crate::select::on;
use crate::shader::Shader;
use gpuzoo_diag::{Diagnostic, Severity, Sources, Span};
use gpuzoo_ir::eval::{NoTextures, Run};
use gpuzoo_ir::{Dot, Function, Inst, Op2, Vec4, vec4};
use gpuzoo_isa::{Profile, Stage};
use gpuzoo_machine::ShaderUnit;
use gpuzoo_machine::target::conventions::Port;
use gpuzoo_machine::unit::PositionSpace;
use std::fmt;

/// The slots of a program on a machine, or the code of the refusal.
pub type Fit = Result<usize, &'static str>;

/// A program without a fault.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The code of why the source was refused.
    pub refused: Option<&'static str>,
    /// Its slots or refusals on each machine, at each level.
    pub fits: Vec<Vec<Fit>>,
    /// Inputs whose results were compared. For others a machine may have another result: rounding decides a
    /// condition, or a number is too large.
    pub compared: usize,
}

/// A fault of the compiler.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The kind.
    pub kind: FaultKind,
    /// The machine and the level, if it is not a fault of reading the source.
    pub machine: Option<(&'static str, Level)>,
    /// A description, with the inputs, what was expected and what was computed.
    pub details: String,
}

/// Kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaultKind {
    /// The compiler panics.
    Panic,
    /// The straight line that the source was read as computes something else.
    Reading,
    /// The compiler found its program to be wrong.
    Unproven,
    /// A machine's program computes something else.
    Program,
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?}", self.kind)?;
        if let Some((machine, level)) = self.machine {
            write!(out, " on {machine}, {level:?}")?;
        }
        write!(out, ": {}", self.details)
    }
}

impl Fault {
    fn new(kind: FaultKind, details: String) -> Fault {
        Fault { kind, machine: None, details }
    }

    /// True for a fault of the same kind in the same place.
    pub fn is_like(&self, other: &Fault) -> bool {
        self.kind == other.kind && self.machine == other.machine
    }
}

/// Compares what a program means with what it is read as, and with what machines' programs compute, at each of some
/// levels and in every profile.
///
/// # Errors
/// The first fault. Programs that are refused, or too large for a machine, are none.
pub fn check(
    program: &Program,
    language: Language,
    machines: &[&dyn ShaderUnit],
    levels: &[Level],
) -> Result<Checked, Fault> {
    let expected = VECTORS.map(|inputs| program.run(inputs).ok());
    let compared = expected.iter().flatten().count();
    let panicked = || Fault::new(FaultKind::Panic, "the source is read".to_owned());
    let shader = match unbroken(|| read_source(program, language)).ok_or_else(panicked)? {
        Ok(shader) => shader,
        Err(code) => {
            return Ok(Checked { refused: Some(code), fits: Vec::new(), compared: 0 });
        }
    };
    let uniforms = uniforms(&shader);
    for (inputs, expected) in VECTORS.into_iter().zip(&expected) {
        let Some(expected) = expected else { continue };
        let mut run = Run::default();
        run.run(&shader.function, &inputs_of(&shader, language, inputs), &uniforms, &NoTextures);
        let result = shader.function.outputs.first().map(|(_, value)| run.value(*value).map(f32::from_bits));
        if !result.is_some_and(|result| is_near(expected, result)) {
            let details = format!("{}\n{}", difference(inputs, expected, result), shader.function);
            return Err(Fault::new(FaultKind::Reading, details));
        }
    }
    let mut fits = Vec::new();
    for unit in machines {
        let mut all = Vec::new();
        for level in levels {
            let machine = Some((unit.about().id, *level));
            let case = Case { unit: *unit, shader: &shader, language, level: *level };
            let fit = unbroken(|| case.check(&expected, &uniforms));
            let fit = fit.unwrap_or_else(|| Err(Fault::new(FaultKind::Panic, "the back end".to_owned())));
            all.push(fit.map_err(|fault| Fault { machine, ..fault })?);
        }
        fits.push(all);
    }
    Ok(Checked { refused: None, fits, compared })
}

/// The straight line of a program, or the code of why it is refused.
fn read_source(program: &Program, language: Language) -> Result<Shader, &'static str> {
    let source = program.source(language);
    let mut sources = Sources::default();
    let file = sources.add("random", &String::from_utf8_lossy(&source));
    let reading = Reading { stage: Some(Stage::Vertex), ..Reading::of(language) };
    match read(&mut sources, file, &source, &reading) {
        Ok((shader, _)) => Ok(shader),
        Err(problems) => Err(first_error(&problems).map_or("K", |problem| problem.code.id)),
    }
}

fn first_error(problems: &[Diagnostic]) -> Option<&Diagnostic> {
    problems.iter().find(|problem| problem.severity == Severity::Error)
}

/// Why a source is refused, for a message.
pub fn refusal(program: &Program, language: Language) -> Option<String> {
    let source = program.source(language);
    let mut sources = Sources::default();
    let file = sources.add("random", &String::from_utf8_lossy(&source));
    let reading = Reading { stage: Some(Stage::Vertex), ..Reading::of(language) };
    let problems = read(&mut sources, file, &source, &reading).err()?;
    first_error(&problems).map(|problem| format!("{}: {}", problem.code.id, problem.message))
}

/// The registers of the uniforms that a shader has.
fn uniforms(shader: &Shader) -> Vec<Vec4> {
    let mut registers = vec![[0; 4]; usize::from(shader.uniform_registers())];
    for uniform in &shader.uniforms {
        let values: &[V] = if uniform.name.rsplit('.').next() == Some("m") { &MATRIX } else { &UNIFORMS };
        let first = usize::from(uniform.first);
        for (register, value) in registers.iter_mut().skip(first).zip(values) {
            *register = vec4(*value);
        }
    }
    registers
}

/// The inputs in the shader's order: it may lack some.
fn inputs_of(shader: &Shader, language: Language, inputs: [V; 2]) -> Vec<Vec4> {
    let number = |port: Port, name: &str| match (language, port) {
        (Language::Cg, _) => usize::from(name.ends_with('b')),
        (_, Port::Location(number)) => usize::from(number),
        _ => 0,
    };
    shader.inputs.iter().map(|variable| vec4(inputs[number(variable.port, &variable.name)])).collect()
}

fn is_near(expected: &[Number; 4], result: [f32; 4]) -> bool {
    expected.iter().zip(result).all(|(expected, result)| expected.is_near(result))
}

fn difference(inputs: [V; 2], expected: &[Number; 4], result: Option<[f32; 4]>) -> String {
    let expected = expected.map(|number| number.value);
    let result = result.map_or("nothing".to_owned(), |result| format!("{result:?}"));
    format!("inputs {inputs:?}: {expected:?} expected, {result} computed")
}

/// A program for a machine at a level.
struct Case<'a> {
    unit: &'a dyn ShaderUnit,
    shader: &'a Shader,
    language: Language,
    level: Level,
}

impl Case<'_> {
    /// Builds it, reads its words again as if they came from a file, and runs them in every profile.
    fn check(
        &self,
        expected: &[Option<[Number; 4]>; VECTORS.len()],
        uniforms: &[Vec4],
    ) -> Result<Fit, Fault> {
        let Case { unit, shader, language, level } = *self;
        let fault = |details: String| Fault::new(FaultKind::Program, details);
        // In clip space, since a screen has its own numbers.
        let options = Options {
            compile: CompileOptions { level, ..CompileOptions::default() },
            position: PositionSpace::Clip,
            ..Options::default()
        };
        let built = match on(unit, shader, &options) {
            Ok(built) => built,
            Err(problems) => {
                return match problems.first() {
                    Some(problem) if problem.code == &UNPROVEN => {
                        Err(Fault::new(FaultKind::Unproven, problem.message.clone()))
                    }
                    Some(problem) => Ok(Err(problem.code.id)),
                    None => Err(fault("refused without a reason".to_owned())),
                };
            }
        };
        let words = unit.save(&built.program);
        let loaded = unit.load(&words, Span::default());
        if let Some(problem) = first_error(&loaded.diagnostics) {
            return Err(fault(format!("{}: {}", problem.code.id, problem.message)));
        }
        let (Some(conventions), Some(output)) = (unit.conventions(), shader.outputs.first()) else {
            return Err(fault("no output".to_owned()));
        };
        let mut constants = vec![[0; 4]; 256];
        let first = usize::from(conventions.constants(shader.stage).start);
        let registers = uniforms.iter().enumerate().map(|(at, value)| (first + at, *value));
        let literals = built.program.defined().map(|(number, value)| (usize::from(number), value));
        for (number, value) in registers.chain(literals) {
            if let Some(constant) = constants.get_mut(number) {
                *constant = value;
            }
        }
        for profile in 0..unit.about().profiles.len() {
            let (lowered, _) = unit.lower(&loaded.program, &Profile(profile as u8).into());
            let register = conventions.output(shader.stage, output.port).map(|reg| reg.index);
            let outputs = &lowered.function.outputs;
            let Some((_, position)) = outputs.iter().find(|(number, _)| Some(*number) == register) else {
                return Err(fault("the position is not written".to_owned()));
            };
            for (inputs, expected) in VECTORS.into_iter().zip(expected) {
                let Some(expected) = expected else { continue };
                let mut attributes = vec![[0; 4]; 16];
                for (variable, value) in shader.inputs.iter().zip(inputs_of(shader, language, inputs)) {
                    let reg = conventions.input(shader.stage, variable.port);
                    if let Some(attribute) = reg.and_then(|reg| attributes.get_mut(usize::from(reg.index))) {
                        *attribute = value;
                    }
                }
                let result = |function: &Function| {
                    let mut run = Run::default();
                    run.run(function, &attributes, &constants, &NoTextures);
                    run.value(*position).map(f32::from_bits)
                };
                let is_right = |result: [f32; 4]| is_near(expected, result);
                let computed = result(&lowered.function);
                if !is_right(computed) && !is_right(result(&with_plain_zeros(&lowered.function))) {
                    return Err(fault(format!(
                        "profile {profile}, {}\n{}\n{}",
                        difference(inputs, expected, Some(computed)),
                        unit.disassemble(&built.program, &gpuzoo_machine::TextOptions::default()).0,
                        shader.function
                    )));
                }
            }
        }
        Ok(Ok(built.program.slots.len()))
    }
}

/// A machine's program with zeros that differ in nothing: products in which a zero wins over infinities and NaN, and
/// comparisons to which -0 is 0. A result that is right with these and wrong without is no fault of the compiler's:
/// `docs/compile.md` states both under "Guards". The Xbox orders zeros, and the emulator of its second profile, which
/// has NaN for a product of zero and infinity, does so too.
fn with_plain_zeros(function: &Function) -> Function {
    let mut plain = function.clone();
    for inst in &mut plain.insts {
        match inst {
            Inst::Map2(op @ Op2::FMulFinite, _) => *op = Op2::FMulTrunc,
            Inst::Map2(op @ (Op2::FSltTotal | Op2::FSltZeros), _) => *op = Op2::FSlt,
            Inst::Dot(op @ Dot::Dot3Finite, _) => *op = Dot::Dot3Trunc,
            Inst::Dot(op @ Dot::Dot4Finite, _) => *op = Dot::Dot4Trunc,
            _ => {}
        }
    }
    plain
}
