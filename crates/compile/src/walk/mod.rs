//! From a `naga::Module` to a straight line: a partial evaluation.
//!
//! The walk runs an entry point with what it knows. Calls are entered, loops are run as long as their conditions are known, variables
//! are lists of numbers that change hands; only what depends on inputs and uniforms becomes an operation. Where a condition
//! is not known, both ways are walked, and what they leave different is joined by choices. So inlining, unrolling, folding, and
//! the removal of memory and of branches are one thing.

mod access;
pub mod codes;
mod emit;
mod expression;
mod flow;
mod integer;
mod interface;
mod math;
mod memory;
mod number;
mod range;
pub(crate) mod types;
mod unused;

pub use interface::Selection;

use crate::front::glsl::combined_samplers;
use crate::shader::{Shader, Uniform, Variable};
use emit::Emit;
use gpuzoo_diag::{Code, Diagnostic, Span, has_errors};
use gpuzoo_ir::{Inst, passes};
use gpuzoo_isa::Stage;
use interface::{Absent, Global};
use memory::{Place, State};
use naga::valid::{FunctionInfo, ModuleInfo};
use naga::{Expression, Function, Handle, Module};
use number::{Number, Numbers};
use rustc_hash::FxHashMap as HashMap;
use std::cell::RefCell;
use std::rc::Rc;
use types::Shape;

/// The most steps of a walk: statements and expressions, each turn of a loop anew.
const MOST_STEPS: usize = 1 << 20;

/// How many numbers are read in the time of a step.
const READ_IN_STEP: usize = 64;

/// How many numbers are kept for a step. All that is kept by a walk is 2^24 numbers at most.
const KEPT_IN_STEP: usize = 16;

/// The deepest calls, and the deepest expressions of constants.
const MOST_DEPTH: usize = 64;

/// Where a piece of a module's text is in its sources; with a name, where that stands in it.
pub type Spans<'a> = dyn Fn(naga::Span, Option<&str>) -> Span + 'a;

/// What stops a walk. Boxed, because results are handed on everywhere.
type Stopped = Box<Diagnostic>;

/// The result of a step.
type Step<T> = Result<T, Stopped>;

/// What an expression is.
#[derive(Clone, Debug, PartialEq)]
enum Operand {
    /// Numbers, in the order of the type.
    Numbers(Numbers),
    /// A pointer.
    Pointer(Place),
    /// A texture, by unit.
    Texture(u8),
    /// A sampler.
    Sampler,
}

/// A function that is being walked.
struct Frame<'a> {
    function: &'a Function,
    info: &'a FunctionInfo,
    /// What its expressions are, as far as it has come.
    values: HashMap<Handle<Expression>, Operand>,
    arguments: Vec<Operand>,
    /// The first of its local variables.
    locals: usize,
}

/// The walk.
struct Walk<'a> {
    module: &'a Module,
    info: &'a ModuleInfo,
    spans: &'a Spans<'a>,
    /// Their results, by the bytes of naga's text.
    places: HashMap<(usize, usize), Span>,
    stage: Stage,
    emit: Emit,
    globals: HashMap<Handle<naga::GlobalVariable>, Global>,
    /// Shapes of the module's types, and where the members of its structs begin, once they were asked for.
    shapes: RefCell<HashMap<Handle<naga::Type>, Rc<Shape>>>,
    members: RefCell<HashMap<Handle<naga::Type>, Rc<[usize]>>>,
    inputs: Vec<Variable>,
    absent: Vec<Absent>,
    uniforms: Vec<Uniform>,
    /// Textures that the entry point reads, in the order of their units.
    textures: Vec<Handle<naga::GlobalVariable>>,
    /// Names of the results, if only the way to them has any.
    returned: Vec<Option<&'a str>>,
    /// The first registers of uniforms that say so themselves, by binding.
    said: &'a [(u32, u16)],
    /// Of each uniform global, the register and the component of each number.
    registers: Vec<Rc<[(u16, u8)]>>,
    /// 1 where this part of the program is reached. Only kills ask; in programs without, it is not kept.
    path: Number,
    kills: bool,
    /// Paths that have left what the walk is in.
    exits: Vec<flow::Exit>,
    /// How many unknown conditions the walk is under.
    unknown: usize,
    steps: usize,
    depth: usize,
    calls: usize,
    problems: Vec<Diagnostic>,
    /// Warnings of outputs that are not written.
    unwritten: Vec<Diagnostic>,
}

/// Walks an entry point of a module that naga has validated.
///
/// # Errors
/// Diagnostics with codes of [`codes::CODES`], for what no straight line can say. The warnings of a walk that succeeds come with its result.
pub fn walk(
    module: &Module,
    info: &ModuleInfo,
    selection: &Selection,
    spans: &Spans,
    whole: Span,
) -> Result<(Shader, Vec<Diagnostic>), Vec<Diagnostic>> {
    let (number, entry) = interface::entry(module, selection, whole).map_err(|problem| vec![problem])?;
    let mut walk = Walk {
        module,
        info,
        spans,
        places: HashMap::default(),
        stage: Stage::default(),
        emit: Emit::default(),
        globals: HashMap::default(),
        shapes: RefCell::default(),
        members: RefCell::default(),
        inputs: Vec::new(),
        absent: Vec::new(),
        uniforms: Vec::new(),
        textures: Vec::new(),
        returned: Vec::new(),
        said: &selection.registers,
        registers: Vec::new(),
        path: Number::Bool(true),
        kills: flow::kills(module),
        exits: Vec::new(),
        unknown: 0,
        steps: 0,
        depth: 0,
        calls: 0,
        problems: Vec::new(),
        unwritten: Vec::new(),
    };
    walk.emit.at(whole);
    let result = walk.entry(entry, info.get_entry_point(number));
    let Walk { emit, inputs, absent, uniforms, textures, mut problems, unwritten, .. } = walk;
    problems
        .extend(unused::first_of(unwritten, |others| format!("nothing is written to {others} more outputs")));
    let (stage, outputs) = match result {
        Ok(done) => done,
        Err(problem) => {
            // What stopped at a number that is not known may have stopped at one of these.
            if [&codes::BITS, &codes::INDEX, &codes::LOOP].iter().any(|code| code.id == problem.code.id) {
                problems.extend(absent.into_iter().map(|own| own.problem));
            }
            problems.push(*problem);
            return Err(problems);
        }
    };
    let function = passes::optimize(&emit.function);
    problems.extend(absent.into_iter().filter_map(|Absent { number, problem, unread }| {
        let is_read = function.insts.contains(&Inst::Input(number));
        if is_read { Some(problem) } else { unread }
    }));
    if has_errors(&problems) {
        return Err(problems);
    }
    let shader = Shader {
        stage,
        function,
        origins: emit.origins,
        inputs,
        outputs,
        uniforms,
        textures: textures.into_iter().map(|own| texture(module, own)).collect(),
        clip_space: selection.clip_space,
        span: whole,
    };
    problems.extend(unused::unused(module, &shader));
    Ok((shader, problems))
}

/// What a texture is called.
fn texture(module: &Module, own: Handle<naga::GlobalVariable>) -> String {
    combined_samplers::name_of(module, module.global_variables[own].name.as_deref().unwrap_or("?"))
}

impl Operand {
    /// How many numbers, or vectors of a pointer's shape, it consists of.
    fn len(&self) -> usize {
        match self {
            Operand::Numbers(numbers) => numbers.len(),
            Operand::Pointer(place) => place.shape.vectors.len(),
            Operand::Texture(_) | Operand::Sampler => 0,
        }
    }
}

impl<'a> Walk<'a> {
    /// A problem that ends the walk, where it is now.
    fn stop<T>(&self, code: &'static Code, message: impl Into<String>, help: impl Into<String>) -> Step<T> {
        Err(Box::new(Diagnostic::error(code, message).at(self.emit.span()).help(help)))
    }

    /// Counts a step.
    fn step(&mut self) -> Step<()> {
        self.steps(1)
    }

    /// Counts the steps of keeping numbers.
    fn keep(&mut self, numbers: usize) -> Step<()> {
        self.steps(numbers / KEPT_IN_STEP)
    }

    fn steps(&mut self, count: usize) -> Step<()> {
        self.steps = self.steps.saturating_add(count);
        if self.steps > MOST_STEPS || self.emit.is_full() {
            return self.stop(
                &codes::TOO_LARGE,
                "the program is too large to be compiled",
                format!(
                    "all loops are unrolled and all calls are entered; there may be {MOST_STEPS} steps and {} operations",
                    emit::MOST_OPERATIONS
                ),
            );
        }
        Ok(())
    }

    /// The text that something comes from; what has none is the statement that it is in.
    fn at(&mut self, span: naga::Span) {
        if let Some(range) = span.to_range() {
            // Loops come to the same text again and again.
            let spans = self.spans;
            let place = *self.places.entry((range.start, range.end)).or_insert_with(|| spans(span, None));
            self.emit.at(place);
        }
    }

    /// The text where a name of a type's member stands.
    fn at_member(&mut self, ty: Handle<naga::Type>, name: &str) {
        let span = self.module.types.get_span(ty);
        if span.is_defined() {
            let span = (self.spans)(span, Some(name));
            self.emit.at(span);
        }
    }

    /// Runs a function: its result, and all variables afterwards.
    fn call(
        &mut self,
        function: &'a Function,
        info: &'a FunctionInfo,
        arguments: Vec<Operand>,
        mut state: State,
    ) -> Step<(Option<Numbers>, State)> {
        self.calls += 1;
        if self.calls > MOST_DEPTH {
            return self.stop(
                &codes::TOO_LARGE,
                "calls are nested too deeply",
                format!("there may be {MOST_DEPTH} at once"),
            );
        }
        let locals = state.len();
        let mut frame = Frame { function, info, values: HashMap::default(), arguments, locals };
        for (handle, local) in function.local_variables.iter() {
            self.at(function.local_variables.get_span(handle));
            let shape = self.shape(local.ty)?;
            let numbers = match local.init {
                Some(init) => self.numbers(&mut frame, &state, init)?,
                None => vec![Number::Nothing; shape.len()],
            };
            self.keep(numbers.len())?;
            state.add(numbers);
        }
        let outside = std::mem::take(&mut self.exits);
        let unknown = self.unknown;
        self.unknown += usize::from(!outside.is_empty());
        let end = self.block(&mut frame, &function.body, state);
        self.unknown = unknown;
        let exits = std::mem::replace(&mut self.exits, outside);
        let (result, mut state) = self.returned(end?, exits)?;
        state.truncate(locals);
        self.calls -= 1;
        Ok((result, state))
    }

    /// The shape of a type that variables have.
    fn shape(&self, ty: Handle<naga::Type>) -> Step<Rc<Shape>> {
        if let Some(shape) = self.shapes.borrow().get(&ty) {
            return Ok(shape.clone());
        }
        let shape = self.shape_of(&self.module.types[ty].inner)?;
        self.shapes.borrow_mut().insert(ty, shape.clone());
        Ok(shape)
    }

    /// The same for what may have no name.
    fn shape_of(&self, inner: &naga::TypeInner) -> Step<Rc<Shape>> {
        match Shape::of_inner(self.module, inner) {
            Some(shape) => Ok(Rc::new(shape)),
            _ => self.stop(
                &codes::TYPE,
                "no machine has values of this type",
                "use numbers, vectors, matrices, structs and arrays of 32-bit floats, integers and conditions",
            ),
        }
    }
}
