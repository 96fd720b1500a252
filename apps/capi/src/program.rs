//! Programs: from texts, words and sources in shading languages, and what is known of them.

use crate::handles::{free, give, shared};
use crate::library::unit;
use crate::memory::{Options, elements, fill, options, place, store};
use crate::options::{by_name, gpuzoo_option};
use crate::problems::{call_noting, call_with, gpuzoo_problems};
use crate::status::{Failure, call, gpuzoo_status};
use crate::text::{Kept, gpuzoo_text};
use gpuzoo::check::figures;
use gpuzoo::diag::Diagnostics;
use gpuzoo::options::{CompileOptions, DisassembleOptions, ReadOptions};
use gpuzoo::read::Form;
use gpuzoo::{Program, Registry};
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

/// Options of a program: how it is read or disassembled. All zeros except the size are the defaults, and so is NULL instead of the structure.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct gpuzoo_program_options {
    /// The size of this structure; the caller sets it.
    pub struct_size: usize,
    /// The options.
    pub options: *const gpuzoo_option,
    /// Count of the options.
    pub option_count: usize,
    /// Gives the files that the text includes; NULL if there are none.
    pub include: gpuzoo_include,
    /// Handed to it.
    pub user: *mut c_void,
}

// SAFETY: it begins with its size; counts and pointers, to functions too, which may be null, are values of all zeros, and what the caller has
// put there is right.
unsafe impl Options for gpuzoo_program_options {}

impl gpuzoo_program_options {
    /// The bytes of a file that a text includes.
    fn included(&self, name: &str) -> Result<Vec<u8>, String> {
        let asked = self.include.ok_or("no files are given")?;
        let name = gpuzoo_text { data: name.as_ptr().cast(), length: name.len() };
        let mut contents = gpuzoo_text { data: std::ptr::null(), length: 0 };
        // SAFETY: the caller's function, with the arguments of its type.
        match unsafe { asked(self.user, name, &mut contents) } {
            // SAFETY: the caller says that the bytes stay.
            0 => match unsafe { contents.bytes() } {
                Ok(bytes) => Ok(bytes.to_vec()),
                Err(_) => Err("its contents are not a text".to_owned()),
            },
            _ => Err("it is not there".to_owned()),
        }
    }
}

fn kept(program: Program) -> Result<*mut gpuzoo_program, Failure> {
    let machine = Kept::new(program.machine().about().id);
    give(gpuzoo_program { program, machine })
}

/// Reads a program of a machine: assembly text, a binary, words in hexadecimal or JSON, or a source in a shading language, which is
/// compiled. `name` is shown in problems, and its extension says what the bytes are if the options do not. The options are those of
/// reading, and for a source those of compiling, too. `options` may be NULL, and so may `problems`.
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
            let structure = self::options(options)?;
            let mut options = by_name(structure.options, structure.option_count)?;
            let read: ReadOptions = options.take()?;
            let gpu = Registry::default().shader_unit(Some(machine.about().id), "")?;
            let form = read.form(gpu)?.or_else(|| Form::of_name(gpu, name));
            let include = |name: &str| structure.included(name);
            let made = match form {
                Some(Form::Source(_)) => {
                    let compile: CompileOptions = options.take()?;
                    options.finish()?;
                    let compiled = machine.compile(name, bytes, &read, &compile, Some(&include))?;
                    compiled.program().clone()
                }
                _ => {
                    options.finish()?;
                    machine.read(name, bytes, &read, Some(&include))?
                }
            };
            store(program, kept(made)?)
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
            let read = unit(machine)?.read(name.text()?, text.bytes()?, &Form::Asm.into(), None)?;
            store(program, kept(read)?)
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
            store(program, kept(unit(machine)?.load(elements(words, count)?)?)?)
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

/// A text that does the same. The options are those of disassembling; `options` may be NULL, and so may `problems`. `length` gets the
/// text's bytes, of which none is a zero byte; without a buffer only that is given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_program_disassemble(
    program: *const gpuzoo_program,
    options: *const gpuzoo_program_options,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
    problems: *mut *mut gpuzoo_problems,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    unsafe {
        call_with(problems, || {
            let (program, structure) = (shared(program)?, self::options(options)?);
            let mut options = by_name(structure.options, structure.option_count)?;
            let text: DisassembleOptions = options.take()?;
            options.finish()?;
            let (text, _) = program.program.disassemble(&text.text())?;
            fill(text.as_bytes(), buffer.cast(), capacity, length)
        })
    }
}

/// Makes a program that computes the same bits in fewer slots, where there is one. That it does is proven, and both are run on so many
/// vectors besides; 0 is the usual number. `problems` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_program_optimize(
    program: *const gpuzoo_program,
    vectors: u64,
    shorter: *mut *mut gpuzoo_program,
    problems: *mut *mut gpuzoo_problems,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    unsafe {
        call_with(problems, || {
            place(shorter)?;
            let handle = shared(program)?;
            let packed = match vectors {
                0 => handle.program.pack(),
                vectors => handle.program.pack_and_run(vectors),
            };
            let packed = packed
                .map_err(|problem| Diagnostics::new(vec![problem], handle.program.sources().clone()))?;
            store(shorter, kept(packed.program)?)
        })
    }
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
            let handle = shared(program)?;
            let list = [handle.program.warnings(), &handle.program.check()].concat();
            let problems = Diagnostics::new(list, handle.program.sources().clone());
            Ok((!problems.list.is_empty()).then(|| gpuzoo_problems::new(&problems)))
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
