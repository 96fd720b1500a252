//! What became of the records of a file.

use super::{MAX_MALFORMED, Options, picture};
use crate::paint::{Ink, Paint};
use gpuzoo_diag::{Diagnostic, File, printable};
use gpuzoo_machine::limits::budget::Resource;
use gpuzoo_machine::text::stem;
use gpuzoo_machine::vectors::{Checked, Difference, VectorFile, VectorFiles};
use serde::Serialize;
use std::fmt::Write;

/// Of a record this many differences are kept: a picture may have a million.
pub const MAX_DIFFERENCES: usize = 1000;

/// What became of a file's records.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The file.
    pub name: String,
    /// The kinds of its records, in the order of their first appearance.
    pub kinds: Vec<&'static str>,
    /// Records in which everything is as they say.
    pub passed: usize,
    /// Records in which something differs.
    pub failed: usize,
    /// Records that could not be used.
    pub malformed: usize,
    /// Records that were run with the results of another file.
    pub elsewhere: usize,
    /// How many things were compared: components, words, verdicts.
    pub compared: usize,
    /// Differences between sources that the file meets, for machines that have such a list.
    pub meets: Vec<&'static str>,
    /// Records, in the order of the file: all with [`Options::every`], else those that failed, the first that are shown.
    pub records: Vec<Record>,
    /// How many failed records are shown.
    pub shown: usize,
    /// What is wrong with records that could not be used.
    pub diagnostics: Vec<Diagnostic>,
}

/// A record, and what became of it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Record {
    /// Its line, from 1; of a file that is one vector that of the first difference.
    pub line: usize,
    /// Its kind; empty if that is not known.
    pub kind: &'static str,
    /// What it calls itself.
    pub name: String,
    /// How many things were compared.
    pub compared: usize,
    /// What came out.
    pub outcome: Outcome,
}

/// What came out of a record.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// All is as it says.
    Passed,
    /// Something differs: so many things, and the first 1,000 of them.
    Failed(usize, Vec<Difference>),
    /// It could not be used, and why.
    Unusable(String),
    /// It was run with the results of another file.
    Elsewhere,
}

impl Report {
    /// Of a file that cannot be read as vectors.
    pub fn unread(name: String, problem: Diagnostic, options: &Options) -> Report {
        let mut report = Report { name, shown: options.failures, ..Report::default() };
        report.unusable(1, problem, options);
        report
    }

    /// Counts a record that was compared.
    pub(super) fn count(&mut self, kind: &'static str, line: usize, checked: Checked, options: &Options) {
        if !self.kinds.contains(&kind) {
            self.kinds.push(kind);
        }
        let Checked { name, compared, differences, .. } = checked;
        let count = differences.len();
        self.note(Record { line, kind, name, compared, outcome: outcome(count, differences) }, options);
    }

    /// Counts a record whose results are in another file.
    pub(super) fn elsewhere(&mut self, kind: &'static str, line: usize, options: &Options) {
        let name = String::new();
        self.note(Record { line, kind, name, compared: 0, outcome: Outcome::Elsewhere }, options);
    }

    /// Counts a record that cannot be used. The first ones are reported.
    pub(super) fn unusable(&mut self, line: usize, problem: Diagnostic, options: &Options) {
        let outcome = unusable(&problem);
        self.note(Record { line, kind: "", name: String::new(), compared: 0, outcome }, options);
        if self.malformed <= MAX_MALFORMED {
            self.diagnostics.push(problem);
        }
    }

    /// A file that is one vector counts as one record.
    pub(super) fn of_whole(&mut self, own: &dyn VectorFiles, file: &File, options: &Options) {
        let vector = VectorFile {
            file,
            stem: stem(file.name()),
            beside: options.files,
            picture: &|bytes| picture(bytes, options.budget),
            most: options.failures.max(if options.every { MAX_DIFFERENCES } else { 0 }),
        };
        let checked = own.check(&vector, options.arguments);
        self.kinds.push(checked.kind);
        self.meets = checked.meets;
        self.diagnostics = checked.problems;
        let more = self.diagnostics.len().saturating_sub(MAX_MALFORMED);
        self.diagnostics.truncate(MAX_MALFORMED);
        if let Some(last) = self.diagnostics.last_mut().filter(|_| more > 0) {
            last.notes.push(format!("{more} more are not shown"));
        }
        let Checked { name, compared, differences, .. } = checked.checked;
        let outcome = match self.diagnostics.first() {
            Some(problem) => unusable(problem),
            None => outcome(checked.count, differences),
        };
        self.note(
            Record { line: checked.line.unwrap_or(1), kind: checked.kind, name, compared, outcome },
            options,
        );
    }

    fn note(&mut self, record: Record, options: &Options) {
        self.compared += record.compared;
        let is_failed = match &record.outcome {
            Outcome::Passed => {
                self.passed += 1;
                false
            }
            Outcome::Failed(..) => {
                self.failed += 1;
                true
            }
            Outcome::Unusable(_) => {
                self.malformed += 1;
                false
            }
            Outcome::Elsewhere => {
                self.elsewhere += 1;
                false
            }
        };
        if options.every {
            // Without room for all there is no report, and that is said once.
            let spent = options.budget.spend(Resource::Memory, record.bytes());
            match spent {
                Ok(()) => self.records.push(record),
                Err(refusal) if self.records.len() + 1 == self.total() + self.elsewhere => {
                    self.diagnostics.push(refusal.problem());
                }
                Err(_) => {}
            }
        } else if is_failed && self.failed <= options.failures {
            self.records.push(record);
        }
    }

    /// True if every record passed.
    pub fn ok(&self) -> bool {
        self.failed == 0 && self.malformed == 0
    }

    /// The failed records that are shown, with their differences.
    pub fn failures(&self) -> impl Iterator<Item = (&Record, &[Difference])> {
        let failures = self.records.iter().filter_map(|record| match &record.outcome {
            Outcome::Failed(_, differences) => Some((record, differences.as_slice())),
            _ => None,
        });
        failures.take(self.shown)
    }

    /// A line about the file, then one for each difference: where, expected, got, and how many floats apart.
    pub fn text(&self, paint: Paint) -> String {
        let passed = format!("{}/{} passed", self.passed, self.total());
        let ink = if self.ok() { Ink::Good } else { Ink::Bad };
        let mut text =
            format!("{}  {}  {}", printable(&self.name), self.kinds.join("+"), paint.ink(ink, passed));
        let _ = write!(text, " ({} compared)", self.compared);
        if self.failed > 0 {
            let _ = write!(text, ", {} failed", self.failed);
        }
        if self.malformed > 0 {
            let _ = write!(text, ", {} unusable", self.malformed);
        }
        if self.elsewhere > 0 {
            let _ = write!(text, ", {} compared with the results of another file", self.elsewhere);
        }
        if !self.meets.is_empty() {
            let _ = write!(text, ", meets {}", self.meets.join(" "));
        }
        text.push('\n');
        for (record, differences) in self.failures() {
            let _ = writeln!(text, "  line {} {}", record.line, printable(&record.name));
            for difference in differences {
                let _ = writeln!(text, "    {}", line(difference));
            }
        }
        let more = self.failed - self.failures().count();
        if more > 0 && self.shown > 0 {
            let _ = writeln!(text, "  and {more} more");
        }
        text
    }

    pub(super) fn total(&self) -> usize {
        self.passed + self.failed + self.malformed
    }

    /// The same for scripts.
    pub fn json(&self) -> Summary<'_> {
        let failure = |(record, differences)| {
            let Record { line, kind, name, .. }: &Record = record;
            Failure { line: *line, kind, name, differences }
        };
        Summary {
            file: &self.name,
            kinds: &self.kinds,
            passed: self.passed,
            failed: self.failed,
            malformed: self.malformed,
            elsewhere: self.elsewhere,
            compared: self.compared,
            meets: &self.meets,
            failures: self.failures().map(failure).collect(),
        }
    }
}

/// The outcome of a file, for scripts.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Summary<'a> {
    /// The file's name.
    pub file: &'a str,
    /// The kinds of its records, in the order of their first appearance.
    pub kinds: &'a [&'static str],
    /// The number of records in which everything is as they say.
    pub passed: usize,
    /// The number of records in which something differs.
    pub failed: usize,
    /// The number of records that could not be used.
    pub malformed: usize,
    /// The number of records that were run with the results of another file.
    pub elsewhere: usize,
    /// The number of things that were compared: components, words, verdicts.
    pub compared: usize,
    /// Differences between sources that the file meets, for machines that have such a list.
    pub meets: &'a [&'static str],
    /// The failed records that are shown.
    pub failures: Vec<Failure<'a>>,
}

/// A record that failed, for scripts.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Failure<'a> {
    /// Its line, from 1; of a file that is one vector that of the first difference.
    pub line: usize,
    /// Its kind.
    pub kind: &'static str,
    /// Its name, if it has one.
    pub name: &'a str,
    /// The differences, the first 1,000 of them.
    pub differences: &'a [Difference],
}

impl Record {
    /// How much memory it takes, at most.
    fn bytes(&self) -> u64 {
        let of = |difference: &Difference| {
            size_of::<Difference>()
                + difference.place.len()
                + difference.expected.len()
                + difference.got.len()
        };
        let more = match &self.outcome {
            Outcome::Failed(_, differences) => differences.iter().map(of).sum(),
            Outcome::Unusable(why) => why.len(),
            Outcome::Passed | Outcome::Elsewhere => 0,
        };
        (size_of::<Record>() + self.name.len() + more) as u64
    }
}

/// Why a record cannot be used: the message of the problem, and what it says of its place.
fn unusable(problem: &Diagnostic) -> Outcome {
    let label = problem.labels.first().map_or("", |label| label.text.as_str());
    let why =
        if label.is_empty() { problem.message.clone() } else { format!("{}: {label}", problem.message) };
    Outcome::Unusable(why)
}

/// What differs, of `count` things.
fn outcome(count: usize, mut differences: Vec<Difference>) -> Outcome {
    if count == 0 {
        return Outcome::Passed;
    }
    differences.truncate(MAX_DIFFERENCES);
    Outcome::Failed(count, differences)
}

/// A difference in words.
pub(super) fn line(difference: &Difference) -> String {
    let Difference { place, expected, got, ulp } = difference;
    let [place, expected, got] = [place, expected, got].map(|text| printable(text));
    let text = format!("{place}: expected {expected}, got {got}");
    ulp.map_or(text.clone(), |ulp| format!("{text}, {ulp} ulp apart"))
}
