//! What a back end knows of the machine and of the shader's place in it.

use super::rules::{Kind, Rule, Source, rules};
use crate::codes::{CONSTANTS, NO_MACHINE, NO_PORT};
use crate::options::Options;
use crate::select::tables::Derived;
use crate::shader::{Shader, Variable};
use gpuzoo_diag::{Diagnostic, Span, counted};
use gpuzoo_ir::Inst;
use gpuzoo_isa::{FileKind, Isa, Mask, Reg, Stage};
use gpuzoo_machine::ShaderUnit;
use gpuzoo_machine::target::conventions::{Conventions, Port};
use gpuzoo_machine::target::sequence::Sequence;
use std::ops::Range;
use std::sync::Arc;

/// A value that is there when a program begins.
#[derive(Clone, Copy, Debug)]
pub struct Given {
    /// What the function calls it, if it knows it.
    pub inst: Option<Inst>,
    /// The register that it is in; none if programs declare one.
    pub reg: Option<Reg>,
    /// Its place among the program's inputs or uniforms.
    pub order: u16,
    /// True for a uniform.
    pub uniform: bool,
    /// How many components it has.
    pub components: u8,
    /// Components that are zeros, as a mask.
    pub zeros: u8,
    /// Components that must be left as they are.
    pub kept: u8,
}

/// A machine, and a shader that is compiled for it.
pub struct Machine<'a> {
    /// The machine.
    pub unit: &'a dyn ShaderUnit,
    /// Its instruction set.
    pub isa: &'static Isa,
    /// What its programs are made of.
    pub sequence: &'a dyn Sequence,
    /// Where they find what they take.
    pub conventions: &'a dyn Conventions,
    /// The shader.
    pub shader: &'a Shader,
    /// What its instructions compute.
    pub rules: Arc<Vec<Rule>>,
    /// The rules that only move components.
    pub copies: Vec<usize>,
    /// True if instructions that compute can write some components alone.
    pub masks: bool,
    /// The file of temporaries.
    pub temporary_file: u8,
    /// The rule that fills a register with values, if there is one.
    pub initializer: Option<usize>,
    /// A source that is a temporary as it stands.
    pub plain_source: Source,
    /// True if loads are done again for every use.
    pub reloads: bool,
    /// The constants that the program may use.
    pub constants: Range<u16>,
    /// The registers of the outputs, as [`Conventions::output`] says.
    pub outputs: Vec<Reg>,
    /// The registers of the inputs, as [`Conventions::input`] says.
    pub inputs: Vec<Reg>,
}

/// What a port is called in messages.
fn name(port: Port) -> String {
    match port {
        Port::Position => "the position".to_owned(),
        Port::Location(number) => format!("location {number}"),
        Port::PointSize => "the size of points".to_owned(),
        Port::Depth => "the depth".to_owned(),
    }
}

/// A few words for each port that there is.
fn offered(of: &dyn Fn(Port) -> Option<Reg>) -> String {
    let locations = (0..64).filter(|number| of(Port::Location(*number)).is_some()).count();
    let mut all: Vec<String> = [Port::Position, Port::PointSize, Port::Depth]
        .into_iter()
        .filter(|port| of(*port).is_some())
        .map(name)
        .collect();
    match locations {
        0 => {}
        1 => all.push("location 0".to_owned()),
        _ => all.push(format!("locations 0 to {}", locations - 1)),
    }
    all.join(", ")
}

/// The rules of each machine.
static RULES: Derived<Vec<Rule>> = Derived::new();

impl<'a> Machine<'a> {
    /// The machine for a shader.
    ///
    /// # Errors
    /// If the machine has no such stage, inputs or outputs, or not as many uniforms.
    pub fn new(
        unit: &'a dyn ShaderUnit,
        shader: &'a Shader,
        options: &Options,
    ) -> Result<Machine<'a>, Vec<Diagnostic>> {
        let machine = unit.about().name;
        let missing = |what: String, span: Span| vec![Diagnostic::error(&NO_MACHINE, what).at(span)];
        let (Some(sequence), Some(conventions)) = (unit.sequence(), unit.conventions()) else {
            return Err(missing(format!("{machine} has no programs of one instruction a slot"), shader.span));
        };
        if !conventions.stages().contains(&shader.stage) {
            let what = if shader.stage == Stage::Vertex { "vertex" } else { "fragment" };
            let problem = missing(format!("{machine} has no {what} programs"), shader.span);
            let help = "compile the other entry point: what happens to pixels is set up by the scene";
            return Err(problem.into_iter().map(|problem| problem.help(help)).collect());
        }
        let isa = unit.isa();
        let derived = RULES.of(isa, || Some(rules(isa, unit.about().profiles.len())));
        let rules = derived.unwrap_or_default();
        let copies: Vec<usize> = (0..rules.len()).filter(|rule| rules[*rule].is_copy()).collect();
        let masks = rules.iter().any(|rule| rule.kind == Kind::Each && !rule.is_copy() && rule.masked);
        let temporary_file = sequence.temporaries(shader.stage).first().map_or(0, |reg| reg.file);
        let initializer = copies
            .iter()
            .copied()
            .find(|rule| rules[*rule].sources.iter().all(|source| source.files.is_empty()));
        let plain_source = Source {
            operand: 0,
            offset: 0,
            consecutive: 1,
            files: copies
                .iter()
                .filter(|rule| {
                    rules[**rule]
                        .destination
                        .as_ref()
                        .is_some_and(|(_, files)| files.contains(&temporary_file))
                })
                .flat_map(|rule| &rules[*rule].sources)
                .filter(|source| source.files.contains(&temporary_file))
                .flat_map(|source| source.files.iter().copied())
                .collect(),
            values: None,
            swizzle: None,
            negate: false,
            tied: false,
        };
        let mut problems = Vec::new();
        let inputs = registers(&shader.inputs, "input", &mut problems, machine, &|port| {
            conventions.input(shader.stage, port)
        });
        let own = |port: Port| options.output(conventions, shader.stage, port);
        let outputs = registers(&shader.outputs, "output", &mut problems, machine, &own);
        let mut constants = conventions.constants(shader.stage);
        if let Some(first) = options.compile.constants_at {
            constants.start = first.min(constants.end);
        }
        let uniforms = shader.uniform_registers();
        if usize::from(uniforms) > constants.len() {
            let message = format!(
                "the uniforms take {}, {machine} has {}",
                counted(usize::from(uniforms), "register"),
                constants.len()
            );
            let mut problem = Diagnostic::error(&CONSTANTS, message);
            let beyond = |own: &&crate::shader::Uniform| usize::from(own.first + own.count) > constants.len();
            let last = shader.uniforms.iter().find(beyond).map_or(shader.span, |own| own.span);
            problem = problem.label(last, "there is no room for this one");
            problems.push(problem.help("leave out what is not read, and pack numbers into vectors"));
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        Ok(Machine {
            unit,
            isa,
            sequence,
            conventions,
            shader,
            rules,
            copies,
            masks,
            temporary_file,
            initializer,
            plain_source,
            reloads: false,
            constants,
            outputs,
            inputs,
        })
    }

    /// True for a rule that moves components between temporaries.
    pub fn moves(&self, rule: usize) -> bool {
        self.rules.get(rule).is_some_and(|rule| {
            let reads = rule.sources.iter().any(|source| source.files.contains(&self.temporary_file));
            let writes = rule.destination.iter().any(|(_, files)| files.contains(&self.temporary_file));
            rule.is_copy() && reads && writes
        })
    }

    /// The register of an output of the function; none if programs declare one.
    pub fn output_reg(&self, number: usize) -> Option<Reg> {
        let (port, _) = self.shader.function.outputs.get(number)?;
        self.outputs.get(usize::from(*port)).copied().filter(|_| self.sequence.declared().is_none())
    }

    /// True for an output whose components can be written one by one.
    pub fn output_is_joined(&self, number: usize) -> bool {
        self.output_reg(number).is_none_or(|reg| !matches!(self.isa.file(reg).kind, FileKind::Output(_)))
    }

    /// The constant of some literals, counted from the first ones behind the uniforms.
    pub fn literal_constant(&self, number: usize) -> Option<u16> {
        let at = usize::from(self.constants.start) + usize::from(self.shader.uniform_registers()) + number;
        u16::try_from(at).ok().filter(|at| self.constants.contains(at) && self.sequence.declared().is_none())
    }

    /// What is there when the program begins, if a function's input or uniform is.
    pub fn given(&self, inst: Inst) -> Option<Given> {
        let declared = self.sequence.declared().is_some();
        match inst {
            Inst::Input(number) => {
                let reg = self.inputs.get(usize::from(number))?;
                let components =
                    self.shader.inputs.get(usize::from(number)).map_or(Mask::ALL, |own| own.mask);
                let components = 8 - components.0.leading_zeros() as u8;
                Some(Given {
                    inst: Some(inst),
                    reg: Some(*reg).filter(|_| !declared),
                    order: reg.index,
                    uniform: false,
                    components: components.clamp(1, 4),
                    zeros: if declared { 15 & !self.declared_mask(reg.index, components) } else { 0 },
                    kept: if declared {
                        self.sequence.kept(self.shader.stage, usize::from(reg.index))
                    } else {
                        0
                    },
                })
            }
            Inst::Uniform(number) => {
                let index =
                    self.constants.start.checked_add(number).filter(|at| self.constants.contains(at))?;
                let components = 8 - self.shader.uniform_mask(number).0.leading_zeros() as u8;
                Some(Given {
                    inst: Some(inst),
                    reg: Some(Reg { file: self.sequence.constant_file(), index }).filter(|_| !declared),
                    order: number,
                    uniform: true,
                    components: components.clamp(1, 4),
                    zeros: if declared { 15 & !((1u8 << components.clamp(1, 4)) - 1) } else { 0 },
                    kept: 0,
                })
            }
            _ => None,
        }
    }

    /// The components of a declared input: a fragment's place has all four.
    fn declared_mask(&self, order: u16, components: u8) -> u8 {
        let whole = self.shader.stage == Stage::Fragment && order == 0;
        // Of a fragment's place, w is zero.
        if whole { 0b0111 } else { (1u8 << components.clamp(1, 4)) - 1 }
    }

    /// Everything that programs declare, in order; nothing where they do not.
    pub fn declared(&self) -> Vec<Given> {
        if self.sequence.declared().is_none() {
            return Vec::new();
        }
        let inputs =
            (0..).take(self.shader.inputs.len()).filter_map(|number| self.given(Inst::Input(number)));
        let uniforms =
            (0..self.shader.uniform_registers()).filter_map(|number| self.given(Inst::Uniform(number)));
        let mut all: Vec<Given> = inputs.chain(uniforms).collect();
        let most = all.iter().filter(|own| !own.uniform).map(|own| own.order + 1).max().unwrap_or(0).max(1);
        for order in 0..most {
            // Inputs that nothing names are there for those behind them, and a first one always is.
            if !all.iter().any(|own| !own.uniform && own.order == order) {
                let kept = self.sequence.kept(self.shader.stage, usize::from(order));
                all.push(Given {
                    inst: None,
                    reg: None,
                    order,
                    uniform: false,
                    components: 4,
                    zeros: 0,
                    kept,
                });
            }
        }
        all.sort_by_key(|own| (own.uniform, own.order));
        all
    }
}

/// The registers of all inputs or outputs.
fn registers(
    all: &[Variable],
    what: &str,
    problems: &mut Vec<Diagnostic>,
    machine: &str,
    of: &dyn Fn(Port) -> Option<Reg>,
) -> Vec<Reg> {
    let mut found = Vec::new();
    for variable in all {
        match of(variable.port) {
            Some(reg) => found.push(reg),
            None => {
                let message = format!("{machine} has no {what} for {}", name(variable.port));
                let problem = Diagnostic::error(&NO_PORT, message).at(variable.span);
                let offered = offered(of);
                let help = if offered.is_empty() {
                    "there is none in this stage".to_owned()
                } else {
                    format!("there are {offered}")
                };
                problems.push(problem.help(help));
                found.push(Reg::default());
            }
        }
    }
    found
}
