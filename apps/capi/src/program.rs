//! Programs: from texts, words and sources in shading languages, and what is known of them.

use crate::handles::{free, give, shared};
use crate::library::unit;
use crate::memory::{Options, elements, fill, options, place, store};
use crate::problems::{call_noting, call_with, gpuzoo_problems};
use crate::status::{Failure, call, gpuzoo_status};
use crate::text::{Kept, gpuzoo_text};
use gpuzoo::Program;
use gpuzoo::check::figures;
use gpuzoo::compile::{self, Level};
use gpuzoo::diag::Diagnostics;
use gpuzoo::isa::Stage;
use gpuzoo::machine::TextOptions;
use gpuzoo::read::Form;
use std::ffi::{c_char, c_void};

/// A program without errors. It never changes; any number of threads may use it.
pub struct gpuzoo_program {
    pub(crate) program: Program,
    machine: Kept,
}

/// Gives the bytes of a file that a text includes: `name` is what the text says, and `contents` gets the bytes, which must stay until the
/// function that was called returns. Another status than GPUZOO_OK says that there is no such file. It must return: nothing
/// may be thrown through the library.
pub type gpuzoo_include = Option<
    unsafe extern "C" fn(user: *mut c_void, name: gpuzoo_text, contents: *mut gpuzoo_text) -> gpuzoo_answer,
>;

/// What a function of the caller's returns: a gpuzoo_status, or any other number.
pub type gpuzoo_answer = i32;

/// How programs are read, disassembled and compiled. All zeros, but for the size, are what is usual, and so is NULL in place of it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct gpuzoo_program_options {
    /// The size of this structure; the caller sets it.
    pub struct_size: usize,
    /// What the bytes are: asm, bin, hex, json, wgsl, glsl, spv or cg; else the name or the bytes say it.
    pub form: gpuzoo_text,
    /// The assembly dialect, on machines that have several.
    pub dialect: gpuzoo_text,
    /// Where the program leaves positions, on machines whose assembler adds what leads to the screen: clip or screen, for example.
    pub positions: gpuzoo_text,
    /// Macros that are defined before the text, each as NAME or NAME=VALUE.
    pub defines: *const gpuzoo_text,
    /// How many.
    pub define_count: usize,
    /// Gives the files that the text includes; NULL if there are none.
    pub include: gpuzoo_include,
    /// Handed to it.
    pub user: *mut c_void,
    /// The entry point of a source in a shading language, where it has several.
    pub entry: gpuzoo_text,
    /// The stage of such a source, vertex or fragment, where it does not say.
    pub stage: gpuzoo_text,
    /// How hard the compiler tries: source, quick, usual or longest.
    pub level: gpuzoo_text,
    /// Of a disassembly: 1 keeps every bit of every word, 0 is for reading.
    pub exact: u32,
    /// Of a source: 1 allows the compiler what is right for usual numbers only.
    pub fast_math: u32,
    /// Of a source: 1 leaves positions in clip space.
    pub raw_position: u32,
}

// SAFETY: it begins with its size; texts, counts, numbers and pointers to functions, which may be null, are values of all zeros, and what
// the caller has put there is right.
unsafe impl Options for gpuzoo_program_options {}

/// Options with their texts read.
struct Chosen<'a> {
    own: gpuzoo_program_options,
    form: Option<&'a str>,
    dialect: Option<&'a str>,
    positions: Option<&'a str>,
    entry: Option<&'a str>,
    stage: Option<Stage>,
    level: Level,
    defines: Vec<&'a str>,
}

const LEVELS: [(&str, Level); 4] = [
    ("source", Level::Source),
    ("quick", Level::Quick),
    ("usual", Level::Usual),
    ("longest", Level::Longest),
];

impl<'a> Chosen<'a> {
    unsafe fn new(given: *const gpuzoo_program_options) -> Result<Chosen<'a>, Failure> {
        // SAFETY: the caller's pointers.
        unsafe {
            let own = options(given)?;
            let defines = elements(own.defines, own.define_count)?;
            let stage = match own.stage.name()? {
                None => None,
                Some("vertex") => Some(Stage::Vertex),
                Some("fragment") => Some(Stage::Fragment),
                Some(other) => {
                    return Err(Failure::argument(format!("there is no stage `{other}`: vertex, fragment")));
                }
            };
            let level = match own.level.name()? {
                None => Level::default(),
                Some(name) => {
                    let found = LEVELS.iter().find(|(known, _)| *known == name).map(|(_, level)| *level);
                    let known = LEVELS.map(|(name, _)| name).join(", ");
                    found.ok_or_else(|| Failure::argument(format!("there is no level `{name}`: {known}")))?
                }
            };
            Ok(Chosen {
                form: own.form.name()?,
                dialect: own.dialect.name()?,
                positions: own.positions.name()?,
                entry: own.entry.name()?,
                stage,
                level,
                defines: defines.iter().map(|text| text.text()).collect::<Result<_, _>>()?,
                own,
            })
        }
    }

    /// What they mean to the facade.
    fn with<T>(&self, body: impl FnOnce(&TextOptions) -> T) -> T {
        let include = |name: &str| {
            let asked = self.own.include.ok_or("no files are given")?;
            let name = gpuzoo_text { data: name.as_ptr().cast(), length: name.len() };
            let mut contents = gpuzoo_text { data: std::ptr::null(), length: 0 };
            // SAFETY: the caller's function, with what it is said to get.
            match unsafe { asked(self.own.user, name, &mut contents) } {
                // SAFETY: the caller says that the bytes stay.
                0 => match unsafe { contents.bytes() } {
                    Ok(bytes) => Ok(bytes.to_vec()),
                    Err(_) => Err("what was given for it is no text".to_owned()),
                },
                _ => Err("it is not there".to_owned()),
            }
        };
        body(&TextOptions {
            dialect: self.dialect,
            positions: self.positions,
            entry: self.entry,
            stage: self.stage,
            exact: self.own.exact != 0,
            defines: &self.defines,
            include: Some(&include),
            ..TextOptions::default()
        })
    }
}

fn given(program: Program) -> Result<*mut gpuzoo_program, Failure> {
    let machine = Kept::new(program.machine().about().id);
    give(gpuzoo_program { program, machine })
}

/// Reads a program of a machine: assembly text, a binary, words in hexadecimal or JSON, or a source in a shading language, which is
/// compiled. `name` is shown in problems, and its extension says what the bytes are if the options do not. `options` may be NULL, and
/// so may `problems`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_program_read(
    machine: gpuzoo_text,
    name: gpuzoo_text,
    data: *const c_void,
    size: usize,
    options: *const gpuzoo_program_options,
    program: *mut *mut gpuzoo_program,
    problems: *mut *mut gpuzoo_problems,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    unsafe {
        call_with(problems, || {
            place(program)?;
            let (machine, name, bytes) = (unit(machine)?, name.text()?, elements(data.cast::<u8>(), size)?);
            let chosen = Chosen::new(options)?;
            let gpu = gpuzoo::Registry::default().shader_unit(Some(machine.about().id), "")?;
            let form = chosen.form.map(|form| Form::named(gpu, form)).transpose()?;
            let form = form.or_else(|| Form::of_name(gpu, name));
            let read = chosen.with(|options| match form {
                Some(Form::Source(language)) => {
                    let options = compile::Options {
                        language: Some(language),
                        text: *options,
                        level: chosen.level,
                        fast_math: chosen.own.fast_math != 0,
                        raw_position: chosen.own.raw_position != 0,
                        ..compile::Options::default()
                    };
                    machine.compile(name, bytes, &options).map(|compiled| compiled.program().clone())
                }
                _ => machine.read(name, bytes, form, options),
            })?;
            store(program, given(read)?)
        })
    }
}

/// Assembles a text: gpuzoo_program_read with what is usual, for a text that is assembly.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_program_assemble(
    machine: gpuzoo_text,
    name: gpuzoo_text,
    text: gpuzoo_text,
    program: *mut *mut gpuzoo_program,
    problems: *mut *mut gpuzoo_problems,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    unsafe {
        call_with(problems, || {
            place(program)?;
            let read =
                unit(machine)?.read(name.text()?, text.bytes()?, Some(Form::Asm), &TextOptions::default())?;
            store(program, given(read)?)
        })
    }
}

/// Makes a program of the words of its binary, as they are in the machine's memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_program_load(
    machine: gpuzoo_text,
    words: *const u32,
    count: usize,
    program: *mut *mut gpuzoo_program,
    problems: *mut *mut gpuzoo_problems,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    unsafe {
        call_with(problems, || {
            place(program)?;
            store(program, given(unit(machine)?.load(elements(words, count)?)?)?)
        })
    }
}

/// Frees a program; kernels of it stay. NULL is nothing to free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_program_free(program: *mut gpuzoo_program) -> gpuzoo_status {
    call(|| free(program))
}

/// The id of its machine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_program_machine(
    program: *const gpuzoo_program,
    id: *mut gpuzoo_text,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    call(|| unsafe { store(id, shared(program)?.machine.view()) })
}

/// The words of its binary. `count` gets how many there are; without a buffer only that is given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_program_words(
    program: *const gpuzoo_program,
    buffer: *mut u32,
    capacity: usize,
    count: *mut usize,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    call(|| unsafe { fill(&shared(program)?.program.words(), buffer, capacity, count) })
}

/// A text that does the same. `length` gets its bytes, of which none is a zero byte; without a buffer only that is given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_program_disassemble(
    program: *const gpuzoo_program,
    options: *const gpuzoo_program_options,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    call(|| unsafe {
        let program = shared(program)?;
        let (text, _) = Chosen::new(options)?.with(|options| program.program.disassemble(options))?;
        fill(text.as_bytes(), buffer.cast(), capacity, length)
    })
}

/// What is suspicious about a program, as warnings and notes: NULL if nothing is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_program_check(
    program: *const gpuzoo_program,
    problems: *mut *mut gpuzoo_problems,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    unsafe {
        call_noting(problems, || {
            place(problems)?;
            let own = shared(program)?;
            let list = [own.program.warnings(), &own.program.check()].concat();
            let said = Diagnostics::new(list, own.program.sources().clone());
            Ok((!said.list.is_empty()).then(|| gpuzoo_problems::new(&said)))
        })
    }
}

/// How large a program is and what it costs, as JSON. `length` gets its bytes; without a buffer only that is given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_program_figures(
    program: *const gpuzoo_program,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    call(|| unsafe {
        let json = gpuzoo::diag::json::text(&figures(&shared(program)?.program));
        fill(json.as_bytes(), buffer.cast(), capacity, length)
    })
}
