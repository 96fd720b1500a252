//! Problems: what is wrong with an input, as data and as the command line shows it; and calls that give some.

use crate::handles::{free, give, shared};
use crate::memory::{Options, fill, store, store_sized};
use crate::status::{Failure, call, gpuzoo_status, gpuzoo_status::*};
use crate::text::{Kept, gpuzoo_text};
use gpuzoo::Diagnostics;
use gpuzoo::diag::{Diagnostic, Severity, Sources};
use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What was found. It never changes; any number of threads may look at it.
pub struct gpuzoo_problems {
    list: Vec<Problem>,
    text: Kept,
}

struct Problem {
    severity: gpuzoo_severity,
    texts: [Kept; 4],
    line: usize,
    column: usize,
    start: usize,
    end: usize,
}

/// How bad a problem is.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpuzoo_severity {
    /// Worth knowing.
    GPUZOO_NOTE = 0,
    /// Probably a mistake.
    GPUZOO_WARNING = 1,
    /// The input is wrong.
    GPUZOO_ERROR = 2,
}

/// A problem. Its texts stay until the problems are freed.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct gpuzoo_problem {
    /// The size of this structure; the caller sets it.
    pub struct_size: usize,
    /// How bad it is: a gpuzoo_severity.
    pub severity: u32,
    /// Which kind of problem, such as A0103, on which `gpuzoo explain` has a page; empty for one of the call itself.
    pub code: gpuzoo_text,
    /// What is wrong, in a line.
    pub message: gpuzoo_text,
    /// What to do, a piece of advice a line; may be empty.
    pub help: gpuzoo_text,
    /// The name of the file that it is in; empty if it is in none.
    pub file: gpuzoo_text,
    /// The line, from 1; 0 without a place, and in a binary.
    pub line: usize,
    /// The column in bytes, from 1; 0 without a place, and in a binary.
    pub column: usize,
    /// The first byte in the file.
    pub start: usize,
    /// The byte behind the last one.
    pub end: usize,
}

// SAFETY: it begins with its size; every field may hold any bits.
unsafe impl Options for gpuzoo_problem {}

impl Problem {
    fn new(problem: &Diagnostic, sources: &Sources) -> Problem {
        let severity = match problem.severity {
            Severity::Note => GPUZOO_NOTE,
            Severity::Warning => GPUZOO_WARNING,
            Severity::Error => GPUZOO_ERROR,
        };
        let span = problem.span();
        let file = span.and_then(|span| sources.find(span.file));
        let place =
            file.zip(span).filter(|(file, _)| !file.is_binary()).map(|(file, span)| file.place(span.start));
        let range = file.and(span).map_or(0..0, |span| span.range());
        let name = file.map_or("", |file| file.name());
        Problem {
            severity,
            texts: [problem.code.id, &problem.message, &problem.help.join("\n"), name].map(Kept::new),
            line: place.map_or(0, |place| place.line),
            column: place.map_or(0, |place| place.column),
            start: range.start,
            end: range.end,
        }
    }
}

impl gpuzoo_problems {
    /// Of diagnostics, in their order.
    pub(crate) fn new(diagnostics: &Diagnostics) -> gpuzoo_problems {
        let list = diagnostics.list.iter().map(|problem| Problem::new(problem, &diagnostics.sources));
        gpuzoo_problems { list: list.collect(), text: Kept::new(&diagnostics.to_string()) }
    }

    /// The problems of a call that fails.
    fn of(failure: Failure) -> gpuzoo_problems {
        match failure {
            Failure::Here(_, message) => gpuzoo_problems::of_message(&message),
            Failure::Input(diagnostics) => gpuzoo_problems::new(&diagnostics),
        }
    }

    /// Of a call that cannot be right.
    fn of_message(message: &str) -> gpuzoo_problems {
        let texts = ["", message, "", ""].map(Kept::new);
        let one = Problem { severity: GPUZOO_ERROR, texts, line: 0, column: 0, start: 0, end: 0 };
        gpuzoo_problems { list: vec![one], text: Kept::new(&format!("error: {message}")) }
    }
}

use gpuzoo_severity::*;

/// Runs the body of an exported function with a place for problems, if the caller wants them: NULL where there are none.
pub(crate) unsafe fn call_with(
    problems: *mut *mut gpuzoo_problems,
    body: impl FnOnce() -> Result<(), Failure>,
) -> gpuzoo_status {
    // SAFETY: the caller's pointer.
    unsafe { call_noting(problems, || body().map(|()| None)) }
}

/// The same for a function that has something to say where all is well, too.
pub(crate) unsafe fn call_noting(
    problems: *mut *mut gpuzoo_problems,
    body: impl FnOnce() -> Result<Option<gpuzoo_problems>, Failure>,
) -> gpuzoo_status {
    let caught = catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|_| {
        Err(Failure::new(GPUZOO_ERR_INTERNAL, "a mistake in gpuzoo; please report it with what led to it"))
    });
    let (status, said) = match caught {
        Ok(said) => (GPUZOO_OK, said),
        Err(failure) => (failure.status(), (!problems.is_null()).then(|| gpuzoo_problems::of(failure))),
    };
    if problems.is_null() {
        return status;
    }
    let handle = said.and_then(|said| give(said).ok()).unwrap_or(std::ptr::null_mut());
    // SAFETY: it is not null, and the caller says that it is a place for a handle.
    unsafe { problems.write(handle) };
    status
}

/// How many there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_problems_count(
    problems: *const gpuzoo_problems,
    count: *mut usize,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    call(|| unsafe { store(count, shared(problems)?.list.len()) })
}

/// One of them, counted from 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_problems_get(
    problems: *const gpuzoo_problems,
    index: usize,
    problem: *mut gpuzoo_problem,
) -> gpuzoo_status {
    call(|| {
        let problems = shared(problems)?;
        let found = problems.list.get(index);
        let found = found
            .ok_or_else(|| Failure::new(GPUZOO_ERR_NOT_FOUND, format!("there is no problem {index}")))?;
        let [code, message, help, file] = [0, 1, 2, 3].map(|text: usize| found.texts[text].view());
        let Problem { severity, line, column, start, end, .. } = *found;
        let severity = severity as u32;
        let value =
            gpuzoo_problem { struct_size: 0, severity, code, message, help, file, line, column, start, end };
        // SAFETY: the caller's pointer.
        unsafe { store_sized(problem, value) }
    })
}

/// All of them as the command line shows them: with the lines that they are in, notes and advice.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_problems_text(
    problems: *const gpuzoo_problems,
    text: *mut gpuzoo_text,
) -> gpuzoo_status {
    // SAFETY: the caller's pointers.
    call(|| unsafe { store(text, shared(problems)?.text.view()) })
}

/// Frees them, and all texts that they gave. NULL is nothing to free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_problems_free(problems: *mut gpuzoo_problems) -> gpuzoo_status {
    call(|| free(problems))
}

/// What a kind of problem means, and how it is put right, in Markdown: the page of a code such as A0103. The length is that of the page;
/// without a buffer only it is given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpuzoo_explain(
    code: gpuzoo_text,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> gpuzoo_status {
    call(|| {
        // SAFETY: the caller's pointers.
        let code = unsafe { code.text() }?;
        let found = gpuzoo::Registry::default().code(code);
        let found =
            found.ok_or_else(|| Failure::new(GPUZOO_ERR_NOT_FOUND, format!("there is no code `{code}`")))?;
        // SAFETY: the caller's pointers.
        unsafe { fill(found.page.as_bytes(), buffer.cast(), capacity, length) }
    })
}
