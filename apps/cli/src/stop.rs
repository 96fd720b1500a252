//! Early ends of verbs.

use gpuzoo::diag::Diagnostic;

/// Why a verb ends early.
#[derive(Debug)]
pub enum Stop {
    /// Something is wrong; it has not been reported yet.
    Problem(Box<Diagnostic>),
    /// Something is wrong; it has been reported.
    Reported,
    /// The reader of our output has closed it. That is not an error.
    ClosedPipe,
}

/// The code of the problem that stopped a verb, for tests.
#[cfg(test)]
pub fn code<T>(result: Result<T, Stop>) -> Option<&'static str> {
    match result {
        Err(Stop::Problem(problem)) => Some(problem.code.id),
        _ => None,
    }
}

impl From<Diagnostic> for Stop {
    fn from(problem: Diagnostic) -> Stop {
        Stop::Problem(Box::new(problem))
    }
}
