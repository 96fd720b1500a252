//! A program that is ready to run.

mod pass;
mod remarks;
mod runs;

pub(super) use pass::{Pass, TOGETHER};

use super::registers::{no_output, output_name};
use super::undefined_components;
use crate::codes::BAD_ARGUMENT;
use crate::{Program, State};
use gpuzoo_diag::{Diagnostic, Diagnostics, has_errors};
use gpuzoo_ir::{Function, Inst, passes};
use gpuzoo_isa::{FileKind, Lowered, Mask, Output};
use gpuzoo_machine::RunState;
use gpuzoo_machine::unit::draw::leaves_constants;
use gpuzoo_machine::unit::reach::ReachWatch;

/// A program for a machine in a certain state, compiled, to be run any number of times, from any thread.
///
/// ```
/// use gpuzoo::Inputs;
/// let kernel = gpuzoo::nv2a().assemble("double.vsh", "add oPos, v0, v0")?.kernel("hw")?;
/// let outputs = kernel.run(&Inputs::new().set("v0", &[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]])?)?;
/// assert_eq!(outputs["oPos"], [[2.0, 4.0, 6.0, 8.0], [10.0, 12.0, 14.0, 16.0]]);
/// # Ok::<(), gpuzoo::Diagnostics>(())
/// ```
#[derive(Debug)]
pub struct Kernel {
    program: Program,
    lowered: Lowered,
    /// What runs: the function of `lowered`, optimized.
    pub(super) function: Function,
    /// None where the engine cannot: the evaluator runs programs that are too large for it, and those that write
    /// constants, whose vertices wait for one another.
    engine: Option<gpuzoo_engine::Kernel>,
    names: Vec<String>,
    /// For each of the function's outputs, which are in the order of their numbers, which of the names it has.
    places: Vec<usize>,
    pub(super) inputs: Vec<u16>,
    pub(super) constants: Vec<u16>,
    undefined: Vec<(String, Mask)>,
    kills: bool,
    forbidden: Vec<Diagnostic>,
    watch: ReachWatch,
}

impl Program {
    /// Makes it ready to run in a state of the machine; a profile alone will do.
    ///
    /// ```
    /// let program = gpuzoo::nv2a().assemble("p.vsh", "mov oPos, v0")?;
    /// assert_eq!(program.kernel("hww").unwrap_err().list[0].code.id, "G0103");
    /// assert!(program.kernel("hw").is_ok());
    /// # Ok::<(), gpuzoo::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// `G0103` for an unknown profile, `R0701` for an unknown mode, `G0206` for an unknown output, `G0218` for a machine
    /// whose outputs do not persist; what the machine does not allow the program.
    pub fn kernel<'a>(&self, state: impl Into<State<'a>>) -> Result<Kernel, Diagnostics> {
        let resolved = self.resolved(state.into())?;
        let kernel = self.kernel_in(&resolved.state());
        match has_errors(kernel.forbidden()) {
            true => Err(Diagnostics::new(kernel.forbidden().to_vec(), self.sources().clone())),
            false => Ok(kernel),
        }
    }

    /// The [kernel](Program::kernel) of a state that has been looked up; what is not allowed is among the kernel's
    /// [remarks](Kernel::remarks).
    pub fn kernel_in(&self, state: &RunState) -> Kernel {
        Kernel::new(self.clone(), state)
    }
}

impl Kernel {
    /// Lowers, optimizes and compiles a program for a machine in a certain state, which has been looked up.
    pub(crate) fn new(program: Program, run_state: &RunState) -> Kernel {
        let (gpu, isa) = (program.gpu(), program.isa());
        let (lowered, forbidden) = gpu.lower(program.code(), run_state);
        let name = |index: u16| output_name(isa, index);
        let undefined = undefined_components(isa, &lowered);
        let undefined = undefined.into_iter().map(|(index, components)| (name(index), components)).collect();
        let (function, watch) = ReachWatch::new(&lowered);
        Kernel::of(program, lowered, &function, undefined, forbidden, watch)
    }

    fn of(
        program: Program,
        lowered: Lowered,
        function: &Function,
        undefined: Vec<(String, Mask)>,
        forbidden: Vec<Diagnostic>,
        watch: ReachWatch,
    ) -> Kernel {
        let name = |index: u16| output_name(program.isa(), index);
        let function = passes::optimize(function);
        let own = |(number, _): &(u16, _)| match Output::of(*number) {
            Output::Register(index) => Some(name(index)),
            _ => None,
        };
        let names: Vec<String> = function.outputs.iter().filter_map(own).collect();
        let places = (0..names.len()).collect();
        let used = |which: fn(&Inst) -> Option<u16>| {
            let mut used: Vec<u16> = function.insts.iter().filter_map(which).collect();
            used.sort_unstable();
            used.dedup();
            used
        };
        let inputs = used(|inst| if let Inst::Input(index) = inst { Some(*index) } else { None });
        let constants = used(|inst| if let Inst::Uniform(index) = inst { Some(*index) } else { None });
        let kills = function.insts.iter().any(|inst| matches!(inst, Inst::Kill(_)));
        let engine = (!leaves_constants(&function)).then(|| gpuzoo_engine::Kernel::compile(&function).ok());
        let engine = engine.flatten();
        Kernel {
            program,
            lowered,
            function,
            engine,
            names,
            places,
            inputs,
            constants,
            undefined,
            kills,
            forbidden,
            watch,
        }
    }

    /// The same with these outputs alone, in this order: what only others need is not computed.
    ///
    /// ```
    /// let kernel = gpuzoo::nv2a().assemble("p.vsh", "mov oPos, v0\nmov oD0, v3")?.kernel("hw")?;
    /// assert_eq!(kernel.only(&["oD0", "oPos"])?.output_names(), ["oD0", "oPos"]);
    /// assert_eq!(kernel.only(&["oD9"]).unwrap_err().list[0].code.id, "G0206");
    /// # Ok::<(), gpuzoo::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// `G0206` for an output that the program does not have, `G0108` for one that is named twice.
    pub fn only(&self, names: &[&str]) -> Result<Kernel, Diagnostics> {
        // For each name its place among the function's outputs.
        let mut chosen: Vec<usize> = Vec::new();
        for name in names {
            let Some(at) = self.names.iter().position(|known| known == name) else {
                return Err(no_output(name, &self.names).into());
            };
            let place = self.places.iter().position(|name| *name == at).unwrap_or(at);
            if chosen.contains(&place) {
                let message = format!("the output `{name}` is named twice");
                return Err(Diagnostic::error(&BAD_ARGUMENT, message).into());
            }
            chosen.push(place);
        }
        let mut function = self.function.clone();
        let mut at = 0..;
        // Behind its own there are constants that it leaves, and what is watched.
        let own = self.names.len();
        function.outputs.retain(|_| at.next().is_some_and(|at| at >= own || chosen.contains(&at)));
        let undefined = self.undefined.iter().filter(|(name, _)| names.contains(&name.as_str()));
        let (undefined, forbidden) = (undefined.cloned().collect(), self.forbidden.clone());
        let kernel = Kernel::of(
            self.program.clone(),
            self.lowered.clone(),
            &function,
            undefined,
            forbidden,
            self.watch.clone(),
        );
        let mut places: Vec<usize> = (0..chosen.len()).collect();
        places.sort_unstable_by_key(|name| chosen[*name]);
        Ok(Kernel { names: names.iter().map(|name| (*name).to_owned()).collect(), places, ..kernel })
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The names of its outputs, in the order in which they come.
    pub fn output_names(&self) -> &[String] {
        &self.names
    }

    /// The names of the inputs that its outputs depend on.
    pub fn input_names(&self) -> Vec<String> {
        self.names_of(FileKind::Input, &self.inputs)
    }

    /// The machine's numbers of these inputs, in the same order.
    pub fn input_numbers(&self) -> &[u16] {
        &self.inputs
    }

    /// The names of the constants that its outputs depend on, where their numbers are fixed: as the program's text names or
    /// counts them. A matrix of which all rows are read is one name.
    pub fn constant_names(&self) -> Vec<String> {
        self.names_of(FileKind::Constant, &self.constants)
    }

    /// The machine's numbers of the constants that its outputs depend on, where they are fixed.
    pub fn constant_numbers(&self) -> &[u16] {
        &self.constants
    }

    pub(super) fn names_of(&self, kind: FileKind, indices: &[u16]) -> Vec<String> {
        if kind == FileKind::Constant {
            return self.program.code().constant_names(self.program.isa(), indices);
        }
        let file = self.program.file(|own| own == kind);
        indices.iter().map(|index| file.map_or(String::new(), |file| file.reg_name(*index))).collect()
    }

    /// True if it may kill what it runs for.
    pub fn kills(&self) -> bool {
        self.kills
    }

    /// What the machine's state does not allow the program.
    pub(crate) fn forbidden(&self) -> &[Diagnostic] {
        &self.forbidden
    }
}
