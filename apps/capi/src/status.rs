//! Statuses of functions, reasons for failures, and the path from a function of C to Rust and back.

use gpuzoo::Diagnostics;
use gpuzoo::diag::{Diagnostic, Sources};
use gpuzoo_status::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// What a function returns. Whatever it is, no function leaves an object half changed: what failed has done nothing, but for
/// GPUZOO_ERR_INTERNAL.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpuzoo_status {
    /// All is well.
    GPUZOO_OK = 0,
    /// The input is wrong: a text with errors, a name that there is not, words that are no program. The problems say what and where.
    GPUZOO_ERR_INPUT = 1,
    /// An argument is wrong: a null pointer, a stride of 0, a size that is too small, a structure without its size.
    GPUZOO_ERR_ARGUMENT = 2,
    /// A buffer has not enough room; the length says how much is needed.
    GPUZOO_ERR_SPACE = 3,
    /// A handle is NULL, of another kind of object, of one that was freed, or none at all.
    GPUZOO_ERR_HANDLE = 4,
    /// Another thread is using an object that only one may use at a time, or that is to be freed.
    GPUZOO_ERR_BUSY = 5,
    /// There is nothing of this number or name.
    GPUZOO_ERR_NOT_FOUND = 6,
    /// There is not enough memory, or there are too many objects.
    GPUZOO_ERR_MEMORY = 7,
    /// A mistake in gpuzoo. An object that the function could have changed is gone, and its handle is one of nothing.
    GPUZOO_ERR_INTERNAL = 8,
}

/// Why a function fails.
pub(crate) enum Failure {
    /// By what is known here, in a sentence.
    Here(gpuzoo_status, String),
    /// By what the facade says of the input.
    Input(Diagnostics),
}

impl Failure {
    pub fn new(status: gpuzoo_status, message: impl Into<String>) -> Failure {
        Failure::Here(status, message.into())
    }

    /// Of an argument.
    #[cold]
    pub fn argument(message: impl Into<String>) -> Failure {
        Failure::new(GPUZOO_ERR_ARGUMENT, message)
    }

    pub fn status(&self) -> gpuzoo_status {
        match self {
            Failure::Here(status, _) => *status,
            Failure::Input(_) => GPUZOO_ERR_INPUT,
        }
    }
}

impl From<Diagnostics> for Failure {
    fn from(diagnostics: Diagnostics) -> Failure {
        Failure::Input(diagnostics)
    }
}

impl From<Diagnostic> for Failure {
    fn from(problem: Diagnostic) -> Failure {
        Failure::Input(problem.into())
    }
}

impl From<Vec<Diagnostic>> for Failure {
    fn from(problems: Vec<Diagnostic>) -> Failure {
        Failure::Input(Diagnostics::new(problems, Arc::<Sources>::default()))
    }
}

/// Runs the body of an exported function.
#[inline]
pub(crate) fn call(body: impl FnOnce() -> Result<(), Failure>) -> gpuzoo_status {
    // What a body has half changed when it panics is behind a handle, which is then one of nothing.
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => GPUZOO_OK,
        Ok(Err(failure)) => failure.status(),
        Err(_) => GPUZOO_ERR_INTERNAL,
    }
}
