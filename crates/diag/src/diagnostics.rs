//! Problems together with the sources that they are about.

use crate::{Code, Diagnostic, Sources, render};
use std::sync::Arc;

/// The error of a function that reads texts of its own: what is wrong, and the sources, so that it can be shown.
///
/// Its text is what the command line prints, without colours:
///
/// ```
/// use gpuzoo_diag::{Code, Diagnostic, Diagnostics, Sources};
///
/// static ODD: Code = Code::new("X0101", "odd number", "Only even numbers work here.");
/// let mut sources = Sources::default();
/// let file = sources.add("n.txt", "3\n");
/// let span = sources.get(file).span(0..1);
/// let error = Diagnostics::new(vec![Diagnostic::error(&ODD, "3 is odd").at(span)], sources);
/// assert!(error.has(&ODD));
/// assert!(error.to_string().starts_with("error[X0101]: 3 is odd"));
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Diagnostics {
    /// What was found, in order.
    pub list: Vec<Diagnostic>,
    /// What their spans lie in.
    pub sources: Arc<Sources>,
}

impl Diagnostics {
    /// Problems in sources.
    pub fn new(list: Vec<Diagnostic>, sources: impl Into<Arc<Sources>>) -> Diagnostics {
        Diagnostics { list, sources: sources.into() }
    }

    /// True if one of them is of this kind.
    pub fn has(&self, code: &Code) -> bool {
        self.list.iter().any(|problem| problem.code == code)
    }
}

/// A problem without a place.
impl From<Diagnostic> for Diagnostics {
    fn from(problem: Diagnostic) -> Diagnostics {
        Diagnostics { list: vec![problem], ..Diagnostics::default() }
    }
}

impl std::fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(render::human(&self.sources, &self.list, &render::Style::plain()).trim_end())
    }
}

impl std::error::Error for Diagnostics {}
