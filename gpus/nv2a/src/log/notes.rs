//! Remarks about a log: each kind once, with its first place and a count.

use super::methods::END;
use crate::vertex::rules::{HIDDEN_READ, LOG_CONSTANTS, LOG_LINE, LOG_METHOD, LOG_PROGRAM};
use gpuzoo_diag::{Code, Diagnostic, File, Severity, counted};
use std::collections::BTreeMap;
use std::ops::Range;

/// The most unknown methods that are named.
const MOST_NAMED: usize = 8;

/// A kind of remark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Lines that cannot be read.
    Broken,
    /// A method that has an effect, and is not modelled.
    NotModelled(u32),
    /// A method whose parameters the log leaves out.
    LeftOut(u32),
    /// Programs that ran before, and that the log does not have, with the help.
    NoProgram(&'static str),
    /// Constants that programs read, and that the log does not set before.
    Unset,
    /// Reads that the machine's modes forbid.
    Hidden,
    /// Constants that a draw with vertices in memory writes.
    Lost,
}

struct Noted {
    kind: Kind,
    place: Range<usize>,
    count: u64,
    /// Of the first one.
    message: String,
}

/// All remarks.
#[derive(Default)]
pub struct Notes {
    list: Vec<Noted>,
    /// Methods that no source names, each with its first place and how often it is there.
    unknown: BTreeMap<u32, (Range<usize>, u64)>,
}

impl Notes {
    /// Notes one more of a kind; `message` tells of the first.
    pub fn add(&mut self, kind: Kind, place: &Range<usize>, message: impl FnOnce() -> String) {
        match self.list.iter_mut().find(|noted| noted.kind == kind) {
            Some(noted) => noted.count += 1,
            None => self.list.push(Noted { kind, place: place.clone(), count: 1, message: message() }),
        }
    }

    /// Notes a command of a method that no source names. Beyond the class's last method all count as one.
    pub fn unknown(&mut self, method: u32, place: &Range<usize>) {
        self.unknown.entry(method.min(END)).or_insert((place.clone(), 0)).1 += 1;
    }

    /// The remarks, in the order in which they came up.
    pub fn remarks(&self, file: &File) -> Vec<Diagnostic> {
        let mut remarks: Vec<Diagnostic> = self.list.iter().map(|noted| noted.remark(file)).collect();
        if let Some((place, _)) = self.unknown.values().min_by_key(|(place, _)| place.start) {
            let message = match self.unknown.len() {
                1 => "a method of class 0x97 is not known".to_owned(),
                count => format!("{count} methods of class 0x97 are not known"),
            };
            let named = self.unknown.iter().take(MOST_NAMED).map(|(method, (place, count))| {
                let line = file.place(file.span(place.clone()).start).line;
                let name = if *method == END { "above 0x1ffc".to_owned() } else { format!("{method:#06x}") };
                format!("{name} ({}, line {line})", counted(*count, "time"))
            });
            let mut named: Vec<String> = named.collect();
            let more = self.unknown.len().saturating_sub(MOST_NAMED);
            if more > 0 {
                named.push(format!("{more} more"));
            }
            let note = Diagnostic::new(Severity::Note, &LOG_METHOD, message);
            let note = note.label(file.span(place.clone()), "the first one");
            remarks.push(
                note.help(format!("whether the result depends on them is not known: {}", named.join(", "))),
            );
        }
        remarks
    }
}

impl Noted {
    fn remark(&self, file: &File) -> Diagnostic {
        let (code, help): (&'static Code, &str) = match self.kind {
            Kind::Broken => (&LOG_LINE, ""),
            Kind::NotModelled(_) | Kind::LeftOut(_) => (&LOG_METHOD, "the result may depend on it"),
            Kind::NoProgram(help) => (&LOG_PROGRAM, help),
            Kind::Hidden => (&HIDDEN_READ, ""),
            Kind::Unset => (&LOG_CONSTANTS, "let the log begin earlier"),
            Kind::Lost => (&LOG_CONSTANTS, "what they are afterwards is not known: set them with `-C`"),
        };
        let message = match self.kind {
            Kind::Broken => format!("{} cannot be read", counted(self.count, "line")),
            _ => self.message.clone(),
        };
        let first = match (self.kind, self.count) {
            (Kind::Broken, _) => "the first one".to_owned(),
            (_, 1) => String::new(),
            (_, count) => format!("the first of {count}"),
        };
        let remark = Diagnostic::warning(code, message).label(file.span(self.place.clone()), first);
        if help.is_empty() { remark } else { remark.help(help) }
    }
}
