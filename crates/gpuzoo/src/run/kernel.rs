//! A program that is ready to run.

mod pass;

pub(super) use pass::Pass;

use super::buffers::{Buffer, Sink, Target};
use super::constants::Constants;
use super::inputs::Inputs;
use super::outputs::Outputs;
use super::{Ran, Stream, Vertices, output_name, undefined_components};
use crate::Program;
use crate::codes::{
    BAD_ARGUMENT, CANCELLED, GIVEN_NOT_READ, MISSING_CONSTANT, MISSING_INPUT, MISSING_TEXTURE, NO_VERTICES,
    UNDEFINED_COMPONENTS,
};
use gpuzoo_diag::{Diagnostic, Diagnostics, Severity};
use gpuzoo_engine as engine;
use gpuzoo_ir::{Function, Inst, Vec4, passes};
use gpuzoo_isa::{FileKind, Lowered, Mask, Output, list};
use gpuzoo_machine::RunState;
use gpuzoo_machine::unit::draw::leaves_constants;
use gpuzoo_machine::unit::reach::ReachWatch;
use std::collections::BTreeSet;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};

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

/// Vertices that are run at a time: a run that is streamed is handed on, and a run is cancelled, after so many.
pub(super) const TOGETHER: usize = 4096;

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
                return Err(super::no_output(name, &self.names).into());
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

    /// Runs it for all vertices of `inputs`.
    ///
    /// # Errors
    /// `G0206` for an input or constant that the machine does not have, `G0207` and `G0208` for one that the program
    /// reads and `inputs` does not give, unless [`Inputs::zeros`] says that it need not, `G0223` if it was cancelled.
    pub fn run(&self, inputs: &Inputs) -> Result<Outputs, Diagnostics> {
        let (vertices, constants) = inputs.resolve(self)?;
        let mut columns = vec![vec![[0; 4]; vertices.count()]; self.names.len()];
        let targets = columns.iter_mut().map(|column| Target::new(column.as_flattened_mut(), 4, 4));
        let (count, sink) = (vertices.count(), Sink(targets.collect()));
        let (killed, ran) = self.run_to(count, &vertices, &constants.values, inputs.cancelled(), sink)?;
        Ok(Outputs::new(self, columns, killed, &ran))
    }

    /// As [`run`](Kernel::run), to buffers of the caller: those outputs that it names. Returns for each vertex whether
    /// it was killed, nothing for a program that does not kill; killed vertices' results are what the program had.
    ///
    /// ```
    /// use gpuzoo::{Buffer, Inputs};
    /// let kernel = gpuzoo::dreambox().assemble("copy.vu", "ld r0 0  st pos r0  st col r0")?.kernel("document")?;
    /// // x, y, z of each vertex, and one word for something else.
    /// let mut positions = [0.0; 8];
    /// let inputs = Inputs::new().set("in0", &[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]])?;
    /// kernel.run_into(&inputs, vec![Buffer::floats("pos", &mut positions, 4, 3)])?;
    /// assert_eq!(positions, [1.0, 2.0, 3.0, 0.0, 5.0, 6.0, 7.0, 0.0]);
    /// # Ok::<(), gpuzoo::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`run`](Kernel::run), `G0206` for an output that the program does not have, `G0222` for a buffer that is
    /// too small, or that is not the only one for its output.
    pub fn run_into(&self, inputs: &Inputs, buffers: Vec<Buffer>) -> Result<Vec<bool>, Diagnostics> {
        Ok(self.run_noting(inputs, buffers)?.0)
    }

    /// As [`run_into`](Kernel::run_into), with what else the run did.
    ///
    /// ```
    /// use gpuzoo::{Buffer, Inputs};
    /// let kernel = gpuzoo::nv2a().assemble("p.vsh", "vs.1.1\nmov oPos, v0")?.kernel("hw")?;
    /// let mut positions = [0.0; 4];
    /// let inputs = Inputs::new().set("v0", &[[1.0, 2.0, 3.0, 1.0]])?.zeros();
    /// let (killed, ran) = kernel.run_noting(&inputs, vec![Buffer::floats("oPos", &mut positions, 4, 4)])?;
    /// assert!(killed.is_empty() && ran.constants().is_empty());
    /// # Ok::<(), gpuzoo::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`run_into`](Kernel::run_into).
    pub fn run_noting(&self, inputs: &Inputs, buffers: Vec<Buffer>) -> Result<(Vec<bool>, Ran), Diagnostics> {
        let (vertices, constants) = inputs.resolve(self)?;
        let count = vertices.count();
        let sink = Sink(super::buffers::targets(&self.names, count, buffers)?);
        self.run_to(count, &vertices, &constants.values, inputs.cancelled(), sink)
    }

    /// As [`run`](Kernel::run), for `count` vertices in memory that only the caller knows: `inputs` are read by their
    /// [numbers](Kernel::input_numbers), `outputs` get results by their places among the [names](Kernel::output_names), and
    /// `constants` are those from number 0 on. What is not given reads as the caller's `inputs` have it, and as zeros;
    /// [`missing`](Kernel::missing) says what that is.
    ///
    /// ```
    /// use gpuzoo::engine::{Inputs, Outputs};
    /// /// Vertex 7 has x = 7.
    /// struct Numbers;
    /// impl Inputs for Numbers {
    ///     fn load(&self, _: u16, first: usize, [x, ..]: [&mut [u32]; 4]) {
    ///         x.iter_mut().zip(first..).for_each(|(x, vertex)| *x = (vertex as f32).to_bits());
    ///     }
    /// }
    /// /// The greatest result.
    /// struct Greatest<'a>(&'a std::sync::atomic::AtomicU32);
    /// impl Outputs for Greatest<'_> {
    ///     fn store(&mut self, _: usize, _: usize, [x, ..]: [&[u32]; 4]) {
    ///         x.iter().for_each(|x| drop(self.0.fetch_max(*x, std::sync::atomic::Ordering::Relaxed)));
    ///     }
    ///     fn split(self, _: usize) -> (Self, Self) {
    ///         (Greatest(self.0), self)
    ///     }
    /// }
    /// let kernel = gpuzoo::nv2a().assemble("p.vsh", "add oPos.x, v0, v0")?.kernel("hw")?;
    /// let greatest = Default::default();
    /// kernel.run_over(10_000, &Numbers, &[], Greatest(&greatest));
    /// assert_eq!(f32::from_bits(greatest.into_inner()), 2.0 * 9_999.0);
    /// # Ok::<(), gpuzoo::Diagnostics>(())
    /// ```
    pub fn run_over(
        &self,
        count: usize,
        inputs: &impl engine::Inputs,
        constants: &[Vec4],
        outputs: impl engine::Outputs,
    ) -> Ran {
        let mut pass = Pass::new(self, constants);
        pass.run_pieces(count, inputs, outputs, |_, _| true);
        pass.ran(constants)
    }

    fn run_to(
        &self,
        count: usize,
        vertices: &Vertices,
        constants: &[Vec4],
        cancelled: Option<&AtomicBool>,
        sink: Sink,
    ) -> Result<(Vec<bool>, Ran), Diagnostics> {
        let mut killed = Vec::new();
        let mut pass = Pass::new(self, constants);
        let mut stopped = None;
        pass.run_pieces(count, vertices, sink, |start, dead| {
            if self.kills {
                killed.extend(dead.iter().map(|dead| *dead != 0));
            }
            let cancelled = start < count && cancelled.is_some_and(|flag| flag.load(Ordering::Relaxed));
            stopped = cancelled.then_some(start);
            !cancelled
        });
        if let Some(start) = stopped {
            let message = format!("the run was cancelled after {start} of {count} vertices");
            return Err(Diagnostic::error(&CANCELLED, message).into());
        }
        Ok((killed, pass.ran(constants)))
    }

    /// Runs it for the vertices from `first` on, one after the other, without keeping their outputs. `each` gets the
    /// vertex's number and the outputs, in the order of [`output_names`](Kernel::output_names), or nothing for one that
    /// was killed, and says whether to go on.
    pub fn stream(
        &self,
        vertices: &Vertices,
        first: usize,
        constants: &[Vec4],
        each: impl FnMut(usize, Option<&[Vec4]>) -> ControlFlow<()>,
    ) -> Ran {
        let mut stream = self.begin(constants);
        stream.vertices(vertices, first, each);
        stream.end()
    }

    /// Begins a run over vertices that come piece by piece: a piece finds the constants that the one before left, and its
    /// vertices are counted on.
    ///
    /// ```
    /// use gpuzoo::run::{Column, Vertices};
    /// use std::ops::ControlFlow;
    /// let kernel = gpuzoo::nv2a().assemble("p.vsh", "mov oPos, v0")?.kernel("hw")?;
    /// let column = Column { input: 0, values: vec![0; 8].into(), stride: 4, components: 4 };
    /// let piece = Vertices::Columns { count: 2, columns: vec![column] };
    /// let mut numbers = Vec::new();
    /// let mut stream = kernel.begin(&[]);
    /// for _ in 0..2 {
    ///     stream.vertices(&piece, 0, |vertex, _| {
    ///         numbers.push(vertex);
    ///         ControlFlow::Continue(())
    ///     });
    /// }
    /// assert!(stream.end().remarks().is_empty());
    /// assert_eq!(numbers, [0, 1, 2, 3]);
    /// # Ok::<(), gpuzoo::Diagnostics>(())
    /// ```
    pub fn begin(&self, constants: &[Vec4]) -> Stream<'_> {
        Stream::new(Pass::new(self, constants), constants, self.names.len())
    }

    /// What is worth knowing before its outputs are trusted: inputs and constants that were not given, and output
    /// components that depend on nothing written. `given` are the numbers of constants.
    pub fn remarks(&self, vertices: &Vertices, given: &[u16]) -> Vec<Diagnostic> {
        let mut remarks = self.forbidden.clone();
        if vertices.count() == 0 {
            remarks.push(Diagnostic::warning(&NO_VERTICES, "there are no vertices to run the program on"));
        }
        remarks.extend(self.missing_inputs(vertices).map(|remark| remark.note("read as zeros")));
        let constants = self.missing_constants(given).map(|remark| remark.note("read as zeros"));
        let constants = constants.map(|remark| match self.set_by_draws(given) {
            Some(names) => remark.note(format!("draws set {names} themselves; a run does not")),
            None => remark,
        });
        let first = self.constants.iter().find(|index| !given.contains(index));
        let name = first.map(|first| self.names_of(FileKind::Constant, &[*first]).concat());
        let help = format!(
            "give constants with `--set {}=1,0,0,1` or `--constant-file FILE`",
            name.unwrap_or_default()
        );
        remarks.extend(constants.map(|remark| remark.help(help)));
        remarks.extend(self.missing_textures());
        if !self.undefined.is_empty() {
            let components: Vec<String> =
                self.undefined.iter().map(|(name, components)| format!("{name}.{components}")).collect();
            let names = list(components.iter().map(String::as_str));
            let message = format!("nothing gives {names} a value");
            let remark = Diagnostic::new(Severity::Note, &UNDEFINED_COMPONENTS, message);
            let note = "the start values of the registers are shown; the machine itself may give anything";
            remarks.push(remark.note(note));
        }
        remarks
    }

    /// What the machine's state does not allow the program.
    pub(crate) fn forbidden(&self) -> &[Diagnostic] {
        &self.forbidden
    }

    /// Errors about what it reads and is not given: inputs, and constants by number.
    ///
    /// ```
    /// use gpuzoo::run::Vertices;
    /// let kernel = gpuzoo::nv2a().assemble("p.vsh", "mov oPos, c0")?.kernel("hw")?;
    /// let missing = kernel.missing(&Vertices::nothing(), &[]);
    /// assert_eq!(missing[0].code.id, "G0208");
    /// assert!(kernel.missing(&Vertices::nothing(), kernel.constant_numbers()).is_empty());
    /// # Ok::<(), gpuzoo::Diagnostics>(())
    /// ```
    pub fn missing(&self, vertices: &Vertices, given: &[u16]) -> Vec<Diagnostic> {
        let missing = self.missing_inputs(vertices).into_iter().chain(self.missing_constants(given));
        let error = |problem: Diagnostic| {
            let problem = Diagnostic { severity: Severity::Error, ..problem };
            problem.help("give it, or ask for zeros in the place of what is missing (`zeros`)")
        };
        missing.map(error).collect()
    }

    /// A warning that names the inputs that it reads and `vertices` do not give.
    pub(super) fn missing_inputs(&self, vertices: &Vertices) -> Option<Diagnostic> {
        let missing: Vec<u16> = self.inputs.iter().copied().filter(|input| !vertices.gives(*input)).collect();
        let names = self.names_of(FileKind::Input, &missing);
        let names = list(names.iter().map(String::as_str));
        let message = format!("the program reads {names}, which the vertices do not give");
        let first = *missing.first()?;
        let name = self.names_of(FileKind::Input, &[first]).concat();
        Some(self.first_read(Diagnostic::warning(&MISSING_INPUT, message), &name, |inst| {
            *inst == Inst::Input(first)
        }))
    }

    /// A note that names the constants that it reads and that were not given.
    pub(super) fn missing_constants(&self, given: &[u16]) -> Option<Diagnostic> {
        let missing: Vec<u16> =
            self.constants.iter().copied().filter(|index| !given.contains(index)).collect();
        let names = self.names_of(FileKind::Constant, &missing);
        let names = list(names.iter().map(String::as_str));
        let were = if missing.len() == 1 { "was" } else { "were" };
        let message = format!("the program reads {names}, which {were} not given");
        let first = *missing.first()?;
        let name = self.names_of(FileKind::Constant, &[first]).concat();
        let problem = Diagnostic::new(Severity::Note, &MISSING_CONSTANT, message);
        Some(self.first_read(problem, &name, |inst| *inst == Inst::Uniform(first)))
    }

    /// A warning that it reads textures, which a run has none of.
    fn missing_textures(&self) -> Option<Diagnostic> {
        let unit = |inst: &Inst| if let Inst::Sample(unit, _) = inst { Some(*unit) } else { None };
        let units: BTreeSet<u8> = self.function.insts.iter().filter_map(unit).collect();
        let first = *units.first()?;
        let numbers: Vec<String> = units.iter().map(u8::to_string).collect();
        let names = match numbers.split_last() {
            Some((last, more)) if !more.is_empty() => format!("textures {} and {last}", more.join(", ")),
            _ => format!("texture {first}"),
        };
        let problem = Diagnostic::warning(
            &MISSING_TEXTURE,
            format!("the program reads {names}, and a run has no textures"),
        );
        let problem = self.first_read(problem, &format!("texture {first}"), |inst| unit(inst) == Some(first));
        Some(
            problem
                .note("read as zeros")
                .help("a scene gives textures: `gpuzoo render`, `gpuzoo why SCENE --pixel X,Y`"),
        )
    }

    /// The names of constants that it reads, that were not given, and that the machine's draws set.
    fn set_by_draws(&self, given: &[u16]) -> Option<String> {
        let (gpu, code) = (self.program.gpu(), self.program.code());
        let set = gpu.starter(code, gpu.about().screen).own_constants;
        let mine = self.constants.iter().filter(|index| set.contains(index) && !given.contains(index));
        let mine: Vec<u16> = mine.copied().collect();
        let names = self.names_of(FileKind::Constant, &mine);
        (!names.is_empty()).then(|| list(names.iter().map(String::as_str)))
    }

    /// With the line that reads an input, a constant or a texture first.
    fn first_read(&self, problem: Diagnostic, name: &str, what: impl Fn(&Inst) -> bool) -> Diagnostic {
        let slot = self.lowered.first_use(self.program.code(), what);
        let slot = slot.and_then(|slot| self.program.code().slots.get(slot));
        slot.map_or(problem.clone(), |slot| problem.label(slot.span, format!("{name} is read here")))
    }

    /// Notes about what is given by name and never read: columns of vertices, and constants.
    pub fn unread(&self, vertices: &Vertices, constants: &Constants) -> Vec<Diagnostic> {
        let note = |names: Vec<&str>| {
            let (are, them) = if names.len() == 1 { ("is", "it") } else { ("are", "them") };
            let names = list(names.iter().copied());
            let message = format!("{names} {are} given, and the program never reads {them}");
            Diagnostic::new(Severity::Note, &GIVEN_NOT_READ, message)
        };
        // A buffer is read as its layout says, whether a program reads all of it or not.
        let columns = match vertices {
            Vertices::Columns { columns, .. } => columns.as_slice(),
            Vertices::Buffer { .. } => &[],
        };
        let mut inputs: Vec<u16> = columns.iter().map(|column| column.input).collect();
        inputs.retain(|input| !self.inputs.contains(input));
        inputs.sort_unstable();
        inputs.dedup();
        let inputs = self.names_of(FileKind::Input, &inputs);
        // One that is given by name is read if one of its registers is.
        let any = self.function.insts.iter().any(|inst| matches!(inst, Inst::UniformAt { .. }));
        let read = |range: &Range<u16>| any || self.constants.iter().any(|index| range.contains(index));
        let mut constants: Vec<_> = constants.named.iter().filter(|(_, range)| !read(range)).collect();
        constants.sort_unstable_by_key(|(name, range)| (range.start, name));
        constants.dedup();
        let names = [
            inputs.iter().map(String::as_str).collect::<Vec<_>>(),
            constants.iter().map(|(name, _)| name.as_str()).collect(),
        ];
        names.into_iter().filter(|names| !names.is_empty()).map(note).collect()
    }
}
