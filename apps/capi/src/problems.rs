//! Problems: what is wrong with an input, as data and as the command line shows it.

use crate::handles::{free, shared};
use crate::memory::{Options, fill, store, store_sized};
use crate::status::{Failure, call, gpuzoo_status, gpuzoo_status::*};
use crate::text::{Kept, gpuzoo_text};
use gpuzoo::Diagnostics;
use gpuzoo::diag::{Diagnostic, Severity, Sources};
use std::ffi::c_char;

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

    /// Of a call that cannot be right.
    pub(crate) fn of_message(message: &str) -> gpuzoo_problems {
        let texts = ["", message, "", ""].map(Kept::new);
        let one = Problem { severity: GPUZOO_ERROR, texts, line: 0, column: 0, start: 0, end: 0 };
        gpuzoo_problems { list: vec![one], text: Kept::new(&format!("error: {message}")) }
    }
}

use gpuzoo_severity::*;

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
