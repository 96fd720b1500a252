//! Problems together with the sources that they are about.

use crate::{Code, Diagnostic, Sources, render};
use std::collections::HashMap;
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

/// The most diagnostics of one code that are shown of what is reported together.
pub const MAX_OF_CODE: usize = 1000;

/// Of many diagnostics of one code the first [`MAX_OF_CODE`], of which the last says how many more there are. Whatever reads or
/// checks an input, no mistake that it has everywhere makes messages without end.
///
/// ```
/// use gpuzoo_diag::{Code, Diagnostic, MAX_OF_CODE, capped};
///
/// static ODD: Code = Code::new("X0101", "odd number", "Only even numbers work here.");
/// let capped = capped(vec![Diagnostic::error(&ODD, "3 is odd"); MAX_OF_CODE + 5]);
/// assert_eq!(capped.len(), MAX_OF_CODE);
/// assert_eq!(capped.last().unwrap().notes, ["5 more of X0101 are not shown"]);
/// ```
pub fn capped(list: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if list.len() <= MAX_OF_CODE {
        return list;
    }
    let mut counts: HashMap<&str, usize> = HashMap::new();
    list.iter().for_each(|problem| *counts.entry(problem.code.id).or_default() += 1);
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let kept = list.into_iter().filter_map(|mut problem| {
        let seen = seen.entry(problem.code.id).or_default();
        *seen += 1;
        let more = counts[problem.code.id] - MAX_OF_CODE.min(counts[problem.code.id]);
        if *seen == MAX_OF_CODE && more > 0 {
            problem.notes.push(format!("{more} more of {} are not shown", problem.code.id));
        }
        (*seen <= MAX_OF_CODE).then_some(problem)
    });
    kept.collect()
}

/// A problem without a place.
impl From<Diagnostic> for Diagnostics {
    fn from(problem: Diagnostic) -> Diagnostics {
        Diagnostics { list: vec![problem], ..Diagnostics::default() }
    }
}

impl std::fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(
            render::human(&self.sources, &capped(self.list.clone()), &render::Style::plain()).trim_end(),
        )
    }
}

impl std::error::Error for Diagnostics {}
