//! Kernels: programs that are compiled for a state of the machine, and their runs over the caller's memory.

use crate::handles::{free, give, shared};
use crate::memory::{Options, elements, elements_mut, options, place, store};
use crate::options::{by_name, gpuzoo_option};
use crate::problems::{call_noting, call_with, gpuzoo_problems};
use crate::program::gpuzoo_program;
use crate::status::{Failure, call, gpuzoo_status, gpuzoo_status::*};
use crate::strided::{Column, Given, Taken};
use crate::text::{Kept, gpuzoo_text};
use gpuzoo::isa::{FileKind, RegFile};
use gpuzoo::options::StateOptions;
use gpuzoo::run::constants::{self, Constants};
use gpuzoo::run::{self, Vertices};
use gpuzoo::{Diagnostics, Kernel, State};
use std::ffi::c_void;

/// A program that is compiled for one profile and state. It never changes; any number of threads may run it at a time.
pub struct gpuzoo_kernel {
    pub(crate) kernel: Kernel,
    pub(crate) state: Owned,
    names: [Vec<Kept>; 3],
    /// What the program itself gives, and which numbers those are.
    constants: Constants,
}

/// What an output holds before the program, on machines whose outputs persist.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct gpuzoo_start {
    /// The output's name.
    pub name: gpuzoo_text,
    /// Its components.
    pub value: [f32; 4],
}

/// In which state of the machine a kernel runs. All zeros, but for the size, are what is usual, and so is NULL in place of it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct gpuzoo_kernel_options {
    /// The size of this structure; the caller sets it.
    pub struct_size: usize,
    /// The options of the state, such as the profile.
    pub options: *const gpuzoo_option,
    /// Count of the options.
    pub option_count: usize,
    /// What outputs hold before the program.
    pub starts: *const gpuzoo_start,
    /// How many.
    pub start_count: usize,
    /// The outputs that are wanted, in this order; what only others need is not computed. All, if there are none.
    pub only: *const gpuzoo_text,
    /// How many.
    pub only_count: usize,
}

// SAFETY: it begins with its size; texts, counts and pointers may hold any bits.
unsafe impl Options for gpuzoo_kernel_options {}

/// A state whose names are kept.
pub(crate) struct Owned {
    options: StateOptions,
    starts: Vec<(String, [u32; 4])>,
}

impl Owned {
    unsafe fn new(own: &gpuzoo_kernel_options) -> Result<Owned, Failure> {
        // SAFETY: the caller's pointers.
        unsafe {
            let mut named = by_name(own.options, own.option_count)?;
            let options = named.take()?;
            named.finish()?;
            let start =
                |start: &gpuzoo_start| Ok((start.name.text()?.to_owned(), start.value.map(f32::to_bits)));
            let starts = elements(own.starts, own.start_count)?.iter().map(start);
            Ok(Owned { options, starts: starts.collect::<Result<_, Failure>>()? })
        }
    }

    pub fn state(&self) -> State<'_> {
        self.starts.iter().fold(self.options.state(), |state, (name, value)| state.output(name, *value))
    }
}

/// What names of a kernel are of.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpuzoo_kind {
    /// Inputs that its outputs depend on.
    GPUZOO_INPUTS = 0,
    /// Its outputs.
    GPUZOO_OUTPUTS = 1,
    /// Constants that its outputs depend on.
    GPUZOO_CONSTANTS = 2,
}

/// Makes a program ready to run. `options` may be NULL, and so may `problems`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_kernel_open(
    program: *const gpuzoo_program,
    options: *const gpuzoo_kernel_options,
    kernel: *mut *mut gpuzoo_kernel,
    problems: *mut *mut gpuzoo_problems,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    unsafe {
        call_with(problems, || {
            place(kernel)?;
            let own = self::options(options)?;
            let state = Owned::new(&own)?;
            let program = &shared(program)?.program;
            let mut compiled = program.kernel(state.state())?;
            let only = elements(own.only, own.only_count)?.iter().map(|name| name.text());
            let only = only.collect::<Result<Vec<_>, _>>()?;
            if !only.is_empty() {
                compiled = compiled.only(&only)?;
            }
            let kept = |names: &[String]| names.iter().map(|name| Kept::new(name)).collect();
            let names = [
                kept(&compiled.input_names()),
                kept(compiled.output_names()),
                kept(&compiled.constant_names()),
            ];
            let constants = Constants::of_program(program.code());
            store(kernel, give(gpuzoo_kernel { kernel: compiled, state, names, constants })?)
        })
    }
}

/// Frees a kernel. NULL is nothing to free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_kernel_free(kernel: *mut gpuzoo_kernel) -> gpuzoo_status {
    call(|| free(kernel))
}

/// The name of an input, output or constant, counted from 0; `kind` is a gpuzoo_kind. It stays until the kernel is freed.
/// GPUZOO_ERR_NOT_FOUND is behind the last one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_kernel_name(
    kernel: *const gpuzoo_kernel,
    kind: u32,
    index: usize,
    name: *mut gpuzoo_text,
) -> gpuzoo_status {
    call(|| {
        let kernel = shared(kernel)?;
        let names = kernel
            .names
            .get(kind as usize)
            .ok_or_else(|| Failure::argument("there is no such gpuzoo_kind"))?;
        let found = names.get(index);
        let found =
            found.ok_or_else(|| Failure::new(GPUZOO_ERR_NOT_FOUND, format!("there is no name {index}")))?;
        // SAFETY: the caller's pointer.
        unsafe { store(name, found.view()) }
    })
}

/// An input of a run: values of all vertices, where they lie. They are floats, or whatever bits the machine takes for them, in the
/// processor's byte order; they need not be aligned.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct gpuzoo_input {
    /// The input's name.
    pub name: gpuzoo_text,
    /// The first vertex's value.
    pub data: *const c_void,
    /// The bytes that there are from `data` on.
    pub size: usize,
    /// Bytes from one vertex to the next.
    pub stride: usize,
    /// Components of each vertex, 1 to 4; missing ones are those of (0, 0, 0, 1).
    pub components: usize,
}

/// An output of a run: where values go. What lies between the vertices stays as it is.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct gpuzoo_output {
    /// The output's name.
    pub name: gpuzoo_text,
    /// Where the first vertex's value goes.
    pub data: *mut c_void,
    /// The bytes that there are from `data` on.
    pub size: usize,
    /// Bytes from one vertex to the next.
    pub stride: usize,
    /// Components that are wanted of each vertex, from x on, 1 to 4.
    pub components: usize,
}

/// Constants of a run that follow each other: four floats each, or whatever bits the machine takes for them.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct gpuzoo_constants {
    /// The first one's name, as the program's text has it, or the machine's.
    pub name: gpuzoo_text,
    /// Its components, and those of the others.
    pub values: *const f32,
    /// How many constants.
    pub count: usize,
}

/// In gpuzoo_run's flags: what the program reads and is not given reads as zeros, which else is GPUZOO_ERR_INPUT.
pub const GPUZOO_RUN_ZEROS: u32 = 1;
/// In gpuzoo_run's flags: notes about the run come as problems, even where the status is GPUZOO_OK: what was killed, constants that the
/// program has changed, and those that it sought where there are none.
pub const GPUZOO_RUN_REMARKS: u32 = 2;

/// A run. Inputs and outputs may lie between each other, in one array of records with one stride; no byte may be an output and something
/// else.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct gpuzoo_run {
    /// The size of this structure; the caller sets it.
    pub struct_size: usize,
    /// How many vertices.
    pub count: usize,
    /// The inputs.
    pub inputs: *const gpuzoo_input,
    /// How many.
    pub input_count: usize,
    /// The outputs that are wanted.
    pub outputs: *const gpuzoo_output,
    /// How many.
    pub output_count: usize,
    /// The constants; later ones replace earlier ones, and those of the program's text. They may differ from run to run: nothing is
    /// compiled for them.
    pub constants: *const gpuzoo_constants,
    /// How many such ranges.
    pub constant_count: usize,
    /// A byte for each vertex that becomes 1 if the program kills it, else 0; NULL if nobody wants to know.
    pub killed: *mut u8,
    /// How many bytes there are.
    pub killed_size: usize,
    /// GPUZOO_RUN_ZEROS and GPUZOO_RUN_REMARKS, or 0.
    pub flags: u32,
}

// SAFETY: it begins with its size; counts, numbers and pointers may hold any bits.
unsafe impl Options for gpuzoo_run {}

/// A run with its names looked up.
pub(crate) struct Resolved {
    pub run: gpuzoo_run,
    pub inputs: Vec<(u16, Column)>,
    pub constants: Constants,
}

impl Resolved {
    /// # Safety
    /// The caller's pointers.
    pub unsafe fn new(kernel: &gpuzoo_kernel, run: *const gpuzoo_run) -> Result<Resolved, Failure> {
        if run.is_null() {
            return Err(Failure::argument("the run is NULL"));
        }
        // SAFETY: the caller's.
        let (run, inputs, given) = unsafe {
            let run = options(run)?;
            (run, elements(run.inputs, run.input_count)?, elements(run.constants, run.constant_count)?)
        };
        let mut columns: Vec<(u16, Column)> = Vec::with_capacity(inputs.len());
        for input in inputs {
            // SAFETY: the caller's.
            let name = unsafe { input.name.text() }?;
            let number = input_number(kernel, name)?;
            if columns.iter().any(|(known, _)| *known == number) {
                return Err(Failure::argument(format!("the input `{name}` is given twice")));
            }
            let at = (input.data.cast_mut().cast(), input.size);
            let column = Column::new(name, at, input.stride, input.components, run.count)?;
            columns.push((number, column));
        }
        let program = kernel.kernel.program();
        let mut constants = kernel.constants.clone();
        let most = constants_of(program).map_or(0, |file| usize::from(file.count));
        for range in given {
            // SAFETY: the caller's.
            let (name, values) =
                unsafe { (range.name.text()?, elements(range.values.cast::<[u32; 4]>(), range.count)?) };
            let first = constants::find(program, name)?;
            if usize::from(first) + values.len() > most {
                let message = format!(
                    "`{name}` and what follows are {} constants, and the machine has {most}",
                    values.len()
                );
                return Err(Failure::argument(message));
            }
            (first..).zip(values).for_each(|(number, value)| constants.set(number, *value));
        }
        Ok(Resolved { run, inputs: columns, constants })
    }
}

fn constants_of(program: &gpuzoo::Program) -> Option<&'static RegFile> {
    program.isa().files.iter().find(|file| file.kind == FileKind::Constant)
}

/// The number of an input: the kernel's own are found at once, others as the facade finds them.
fn input_number(kernel: &gpuzoo_kernel, name: &str) -> Result<u16, Failure> {
    let file = kernel.kernel.program().isa().files.iter().find(|file| file.kind == FileKind::Input);
    let found = file.and_then(|file| run::register(file, name));
    found.ok_or_else(|| {
        let known: Vec<String> = kernel.kernel.input_names();
        let message = format!("there is no input `{name}`");
        let problem = gpuzoo::diag::Diagnostic::error(&gpuzoo::codes::UNKNOWN_REGISTER, message);
        problem.help(format!("the program reads {}", known.join(", "))).into()
    })
}

/// Runs a kernel over vertices in the caller's memory. Nothing of it is copied as a whole, and nothing is kept. Several threads of the
/// library's may take part. `problems` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_kernel_run(
    kernel: *const gpuzoo_kernel,
    run: *const gpuzoo_run,
    problems: *mut *mut gpuzoo_problems,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    unsafe {
        call_noting(problems, || {
            let own = shared(kernel)?;
            let Resolved { run, inputs, constants } = Resolved::new(&own, run)?;
            let kernel = &own.kernel;
            let names = kernel.output_names();
            let mut columns: Vec<Option<Column>> = vec![None; names.len()];
            for output in elements(run.outputs, run.output_count)? {
                let name = output.name.text()?;
                let at = names.iter().position(|known| known == name);
                let at = at.ok_or_else(|| {
                    let problem = kernel.only(&[name]).err().unwrap_or_default();
                    Failure::Input(problem)
                })?;
                let place = (output.data.cast(), output.size);
                let column = Column::new(name, place, output.stride, output.components, run.count)?;
                let others = inputs.iter().map(|(_, column)| column).chain(columns.iter().flatten());
                if columns[at].is_some() || others.clone().any(|other| column.overlaps(other, run.count)) {
                    let message =
                        format!("the output `{name}` overlaps an input or another output, or is given twice");
                    return Err(Failure::argument(message));
                }
                columns[at] = Some(column);
            }
            if !run.killed.is_null() {
                if run.killed_size < run.count {
                    return Err(Failure::argument("`killed` has not a byte for each vertex"));
                }
                elements_mut(run.killed, run.count)?.fill(0);
            }
            // Without anything that memory bounds, a count of any size would be run.
            if columns.iter().all(Option::is_none)
                && run.killed.is_null()
                && run.flags & GPUZOO_RUN_REMARKS == 0
            {
                return Err(Failure::argument("a run without outputs gives nothing"));
            }
            if run.flags & !(GPUZOO_RUN_ZEROS | GPUZOO_RUN_REMARKS) != 0 {
                return Err(Failure::argument("there are other flags than this version knows"));
            }
            if run.flags & GPUZOO_RUN_ZEROS == 0 {
                missing(kernel, &inputs, &constants)?;
            }
            let taken = Taken { columns: &columns, killed: run.killed, first: 0 };
            let ran = kernel.run_over(run.count, &Given(&inputs), &constants.values, taken);
            if run.flags & GPUZOO_RUN_REMARKS == 0 {
                return Ok(None);
            }
            let remarks = Diagnostics::new(ran.remarks(), kernel.program().sources().clone());
            Ok((!remarks.list.is_empty()).then(|| gpuzoo_problems::new(&remarks)))
        })
    }
}

/// Fails for what is read and not given.
fn missing(kernel: &Kernel, inputs: &[(u16, Column)], constants: &Constants) -> Result<(), Failure> {
    let has_all = kernel.input_numbers().iter().all(|number| inputs.iter().any(|(known, _)| known == number))
        && kernel.constant_numbers().iter().all(|number| constants.given.contains(number));
    if has_all {
        return Ok(());
    }
    let column = |(input, _): &(u16, Column)| run::Column {
        input: *input,
        values: Vec::new().into(),
        stride: 4,
        components: 4,
    };
    let vertices = Vertices::Columns { count: 0, columns: inputs.iter().map(column).collect() };
    let problems = kernel.missing(&vertices, &constants.given);
    Err(Diagnostics::new(problems, kernel.program().sources().clone()).into())
}
