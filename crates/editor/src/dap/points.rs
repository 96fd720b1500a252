//! Breakpoints: those that the client wants, and their places in the debuggers of the runs.

use crate::dap::message::{BAD_REQUEST, Problem};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The breakpoints that the client wants, and their places in the debuggers of the runs.
#[derive(Default)]
pub(crate) struct Breaks {
    /// The number that was given last.
    pub last: u64,
    /// Each kind is set as a whole.
    pub wanted: BTreeMap<Kind, Vec<Wanted>>,
    /// The breakpoints in the debuggers.
    pub placed: Vec<Placed>,
}

/// A kind of breakpoints, which is set as a whole.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// A source, as the client writes it. Placed breakpoints share the text.
    Source(Arc<str>),
    /// Labels of the program.
    Labels,
    /// Addresses of instructions.
    Instructions,
    /// Writes to registers and memory.
    Data,
    /// Events of a run.
    Events,
}

/// A breakpoint of the client's.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    /// Its number for the client.
    pub id: u64,
    /// The JSON that the client gave.
    pub own: Json,
    /// Without any all count.
    pub hits: Result<Option<Hits>, Problem>,
    /// The text that it prints instead of stopping.
    pub log: Option<String>,
    /// The number of times that it was met.
    pub met: u64,
}

/// Whether a hit counts: the how many-th it is, and the number that was given.
pub(crate) type Counts = fn(u64, u64) -> bool;

/// The hits of a breakpoint that count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hits {
    /// The comparison.
    pub counts: Counts,
    /// The number that hits are compared with.
    pub number: u64,
}

/// A breakpoint in a debugger.
pub(crate) struct Placed {
    /// The run of the debugger.
    pub run: usize,
    /// Its number in the debugger.
    pub number: u32,
    /// Its kind.
    pub kind: Kind,
    /// Its number for the client.
    pub id: u64,
}

/// Signs before the number of hits that count; a number alone is one hit.
const HITS: [(&str, Counts); 7] = [
    ("==", |met, number| met == number),
    (">=", |met, number| met >= number),
    ("<=", |met, number| met <= number),
    (">", |met, number| met > number),
    ("<", |met, number| met < number),
    ("%", |met, number| number > 0 && met.is_multiple_of(number)),
    ("", |met, number| met == number),
];

impl Hits {
    /// Reads which hits count; none for an empty text.
    pub fn read(text: &str) -> Result<Option<Hits>, Problem> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(None);
        }
        let (sign, counts) = HITS.iter().find(|(sign, _)| text.starts_with(sign)).unwrap_or(&HITS[6]);
        let number = text[sign.len()..].trim().parse();
        let help = "write `3` for the third hit, `>= 3`, `> 3`, `<= 3`, `< 3`, or `% 3` for every third";
        let unclear = format!("`{text}` says no hits that count");
        let number = number.map_err(|_| Problem::new(&BAD_REQUEST, unclear, help))?;
        Ok(Some(Hits { counts: *counts, number }))
    }
}
