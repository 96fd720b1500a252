//! The verb `conform`: records of what a machine, or a copy of it, does, against what gpuzoo does.
//!
//! A file is JSON Lines, or one JSON value on many lines. Each record's kind is recognized by its content: a machine
//! lists the kinds that it has ([`VectorKind`]), and its documentation shows them. What came out is a [`Report`]; `junit` writes
//! several as an XML file that build servers read.

pub mod junit;
pub mod replay;
mod report;

pub use report::{Failure, Outcome, Record, Report, Summary};

use crate::codes::{BAD_RECORD, MALFORMED_RECORD, NO_VECTORS, TOO_LARGE, UNKNOWN_KIND};
use crate::computer::check_arguments;
use crate::registry;
use gpuzoo_diag::{Diagnostic, File, FileId, Sources, Span};
use gpuzoo_isa::list;
use gpuzoo_machine::limits::budget::Budget;
use gpuzoo_machine::options::arguments::Verb;
use gpuzoo_machine::text::{stem, utf8};
use gpuzoo_machine::vectors::{self, Checked, VectorFiles, VectorKind, shape};
use gpuzoo_machine::{Arguments, Gpu, Profile};
use serde_json::Value as Json;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// The largest vector file: 1 GiB.
pub const MAX_BYTES: usize = 1 << 30;

/// Of a file's malformed records this many are reported one by one.
pub const MAX_MALFORMED: usize = 20;

/// Records that are in two files: what is run in one, what comes out in the other. They find each other by name.
#[derive(Clone, Debug, Default)]
pub struct Companions {
    /// By kind and name.
    records: HashMap<(&'static str, String), Json>,
    /// Kind and name of those that have results elsewhere.
    completed: HashSet<(&'static str, String)>,
}

impl Companions {
    /// True if the machine has records in two files, so that all files must be [noted](Companions::note) before the
    /// first one is checked.
    pub fn needed(gpu: &dyn Gpu) -> bool {
        gpu.about().vectors.iter().any(|kind| kind.completes.is_some())
    }

    /// Notes the records of a file.
    pub fn note(&mut self, gpu: &dyn Gpu, file: &File) {
        for (_, range) in records(file.text()) {
            let Ok(record) = vectors::parse(&file.text()[range]) else { continue };
            let (Some(kind), Some(name)) = (kind_of(gpu, &record), record["name"].as_str()) else { continue };
            let name = name.to_owned();
            match kind.completes {
                Some(other) => drop(self.completed.insert((other, name))),
                None => drop(self.records.insert((kind.name, name), record)),
            }
        }
    }
}

/// What helps where a text has no records.
const RECORDS: &str = "records are JSON objects, one a line; `gpuzoo vectors` writes some";

/// Files in a vector file's folder, by the name that its records give them.
pub type Files = HashMap<String, Vec<u8>>;

/// The names of the files in its folder that belong to a vector file, or that its records need: names alone, which cannot lead to another
/// folder.
pub fn files(gpu: &dyn Gpu, file: &File) -> Vec<String> {
    if let Some(own) = whole(gpu, file) {
        return own.beside(stem(file.name()));
    }
    let mut names = Vec::new();
    if gpu.about().vectors.iter().all(|kind| kind.files.is_empty()) {
        return names;
    }
    for (_, range) in records(file.text()) {
        let Ok(record) = vectors::parse(&file.text()[range]) else { continue };
        let Some(kind) = kind_of(gpu, &record) else { continue };
        let named = kind.files.iter().filter_map(|member| record[*member].as_str());
        let plain = |name: &&str| !name.contains(['/', '\\', ':']) && !matches!(*name, "" | "." | "..");
        names.extend(named.filter(plain).map(str::to_owned));
    }
    names
}

/// Puts the bytes of the files that `record` names in place of their names.
fn attach(kind: &VectorKind, record: &mut Json, files: &Files) -> Result<(), String> {
    for member in kind.files {
        let Some(name) = record[*member].as_str() else { continue };
        let bytes = files.get(name).ok_or_else(|| format!("the file `{name}` is not in its folder"))?;
        record[*member] = vectors::hexadecimal(bytes).into();
    }
    Ok(())
}

/// How to check.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// The numeric profile, and what the machine's own vector files can be given.
    pub arguments: &'a Arguments,
    /// Records of all files, for machines that [need](Companions::needed) them.
    pub companions: &'a Companions,
    /// The files that records [name](files).
    pub files: &'a Files,
    /// How many failed records to show.
    pub failures: usize,
    /// Keeps every record, passed ones too: see [`Report::records`].
    pub every: bool,
    /// What pictures among the vectors may use.
    pub budget: &'a Budget,
}

/// Adds a vector file to `sources`.
///
/// # Errors
/// `A0115` at the first byte that is not UTF-8, `G0211` for more than 1 GiB.
pub fn read(sources: &mut Sources, name: &str, bytes: &[u8]) -> Result<FileId, Diagnostic> {
    if bytes.len() <= MAX_BYTES {
        return utf8(sources, name, bytes)
            .map_err(|problem| Diagnostic { help: Vec::new(), ..problem }.help(RECORDS));
    }
    let file = sources.add_binary(name);
    let problem = Diagnostic::error(&TOO_LARGE, format!("the file has {} bytes", bytes.len()));
    let problem = problem.label(Span { file, start: 0, end: 0 }, "");
    Err(problem.help("a vector file may have up to 1 GiB; split it at any line"))
}

/// The lines of a text with something in them: number and byte range. A text that is one JSON value, however many lines
/// it has, is one record.
fn records(text: &str) -> impl Iterator<Item = (usize, Range<usize>)> {
    let base = text.as_ptr() as usize;
    let several = text.lines().filter(|line| !line.trim().is_empty()).nth(1).is_some();
    // In a file of records the second one is an error at once.
    let whole = several && serde_json::from_str::<Json>(text).is_ok();
    let single = whole.then(|| (1, 0..text.trim_end().len()));
    let lines = (if whole { "" } else { text }).lines().enumerate();
    let lines = lines.filter(|(_, line)| !line.trim().is_empty()).map(move |(index, line)| {
        let start = line.as_ptr() as usize - base;
        (index + 1, start..start + line.len())
    });
    single.into_iter().chain(lines)
}

fn kind_of(gpu: &dyn Gpu, record: &Json) -> Option<&'static VectorKind> {
    gpu.about().vectors.iter().find(|kind| (kind.matches)(record))
}

/// The kind that a record would be of with a few members more, and those.
fn nearly(gpu: &dyn Gpu, record: &Json) -> Option<(&'static VectorKind, Vec<&'static str>)> {
    let kinds = gpu.about().vectors.iter().filter_map(|kind| {
        let required = kind.members.iter().filter(|member| member.required).map(|member| member.name);
        let (there, missing): (Vec<_>, Vec<_>) = required.partition(|name| record.get(name).is_some());
        (!missing.is_empty() && there.len() > missing.len()).then_some((kind, missing))
    });
    kinds.min_by_key(|(_, missing)| missing.len())
}

/// What checks a file that is one vector as a whole; none for a file of records.
fn whole<'g>(gpu: &'g dyn Gpu, file: &File) -> Option<&'g dyn VectorFiles> {
    let own = gpu.vector_files()?;
    (gpu.about().vectors.is_empty() || own.known(file.text())).then_some(own)
}

/// True for the name of a file that belongs to vector files in its folder and is not one itself.
pub fn is_beside(gpu: &dyn Gpu, name: &str) -> bool {
    gpu.vector_files().is_some_and(|own| own.is_beside(name))
}

/// True if a text is a vector file of the machine: a vector as a whole, or one of its first records is of a kind that the machine knows. One
/// that was damaged on the way does not make it another kind of file.
pub fn known(gpu: &dyn Gpu, text: &str) -> bool {
    if gpu.vector_files().is_some_and(|own| own.known(text)) {
        return true;
    }
    let mut first = records(text).take(16).filter_map(|(_, range)| vectors::parse(&text[range]).ok());
    first.any(|record| kind_of(gpu, &record).is_some())
}

/// Checks every record of a file. `progress` gets the number of bytes that are done. What is wrong
/// with the arguments, a profile that the machine does not have for example, is in the report.
pub fn check(gpu: &dyn Gpu, file: &File, options: &Options, mut progress: impl FnMut(usize)) -> Report {
    let mut report = Report { name: file.name().to_owned(), shown: options.failures, ..Report::default() };
    let profile = check_arguments(gpu, Verb::Conform, options.arguments).and_then(|()| {
        let name = Some(options.arguments.profile.as_str()).filter(|name| !name.is_empty());
        registry::profile(gpu, name)
    });
    let profile = match profile {
        Ok(profile) => profile,
        Err(problem) => {
            report.unusable(1, problem, options);
            return report;
        }
    };
    if let Some(own) = whole(gpu, file) {
        report.of_whole(own, file, options);
        progress(file.text().len());
        return report;
    }
    // Of a file of another sort one record says enough.
    let most = if known(gpu, file.text()) { usize::MAX } else { 1 };
    let mut shared = Shared::new();
    for (line, range) in records(file.text()).take(most) {
        progress(range.end);
        match one(gpu, file, range, profile, options, &mut shared) {
            Ok((kind, Some(checked))) => report.count(kind.name, line, checked, options),
            Ok((kind, None)) => report.elsewhere(kind.name, line, options),
            Err(problem) => report.unusable(line, problem, options),
        }
    }
    if report.passed + report.failed + report.malformed + report.elsewhere == 0 {
        let problem = Diagnostic::error(&NO_VECTORS, format!("`{}` holds no records", file.name()));
        report.unusable(1, problem.label(file.span(0..0), "").help(RECORDS), options);
    }
    report
}

/// Records that others of the file name ([`VectorKind::uses`]), by kind and name.
type Shared = HashMap<(&'static str, String), Json>;

/// True for a kind of records that those of another kind name.
fn is_used(gpu: &dyn Gpu, kind: &VectorKind) -> bool {
    gpu.about().vectors.iter().filter_map(|user| user.uses).any(|uses| uses.kind == kind.name)
}

/// Keeps a record that others may name.
fn remember(gpu: &dyn Gpu, kind: &VectorKind, record: &Json, shared: &mut Shared) {
    let mut uses = gpu.about().vectors.iter().filter_map(|user| user.uses);
    if let Some(uses) = uses.find(|uses| uses.kind == kind.name)
        && let Some(name) = record[uses.name].as_str()
    {
        shared.insert((uses.kind, name.to_owned()), record.clone());
    }
}

/// Puts the record that `record` names in place of the name.
fn resolve(kind: &VectorKind, record: &mut Json, shared: &Shared) -> Result<(), String> {
    let Some(uses) = kind.uses else { return Ok(()) };
    let name = record[uses.member].as_str().unwrap_or("").to_owned();
    let missing = || format!("no `{}` record named `{name}` comes before it", uses.kind);
    let found = shared.get(&(uses.kind, name.clone())).ok_or_else(missing)?;
    record[uses.member] = found.clone();
    Ok(())
}

fn one(
    gpu: &dyn Gpu,
    file: &File,
    range: Range<usize>,
    profile: Profile,
    options: &Options,
    shared: &mut Shared,
) -> Result<(&'static VectorKind, Option<Checked>), Diagnostic> {
    let span = file.span(range.clone());
    let (kind, record) = complete(gpu, file, range, options, shared)?;
    let Some(record) = record else { return Ok((kind, None)) };
    match (kind.check)(&record, profile) {
        // What other records use need say nothing more, and what leaves all open says so.
        Ok(checked) if checked.compared + checked.open == 0 && !is_used(gpu, kind) => {
            let message = format!("this `{}` record has nothing to compare with", kind.name);
            let problem = Diagnostic::error(&BAD_RECORD, message).label(span, "");
            Err(problem.help("say what is expected: without results any machine would pass"))
        }
        Ok(checked) => Ok((kind, Some(checked))),
        Err(reason) => {
            let message = format!("this `{}` record cannot be used: {reason}", kind.name);
            Err(Diagnostic::error(&BAD_RECORD, message).label(span, ""))
        }
    }
}

/// A record with all that belongs to it; none if its results are elsewhere.
fn complete(
    gpu: &dyn Gpu,
    file: &File,
    range: Range<usize>,
    options: &Options,
    shared: &mut Shared,
) -> Result<(&'static VectorKind, Option<Json>), Diagnostic> {
    let span = file.span(range);
    let mut record: Json = vectors::parse(file.slice(span)).map_err(|error| {
        // The parser's own text ends with a line and column of this record, which the span says better.
        let text = error.to_string();
        let reason = text.split(" at line ").next().unwrap_or("").to_owned();
        let at = (span.start as usize + error.column().saturating_sub(1)).min(span.end as usize);
        // The parser counts bytes, and may stop within a character.
        let at = file.text().floor_char_boundary(at);
        let problem = Diagnostic::error(&MALFORMED_RECORD, "this line is not a JSON record");
        problem.label(file.span(at..at), reason).help(RECORDS)
    })?;
    let kind = kind_of(gpu, &record).ok_or_else(|| {
        let about = gpu.about();
        let problem = Diagnostic::error(&UNKNOWN_KIND, format!("{} has no records of this kind", about.id));
        let names: Vec<&str> =
            record.as_object().into_iter().flatten().map(|(name, _)| name.as_str()).take(12).collect();
        let problem = match names.len() {
            0 => problem.label(span, "not an object with names in it"),
            _ => problem.label(span, format!("it has {}", list(names.into_iter()))),
        };
        let others = crate::GPUS.iter().filter(|other| kind_of(**other, &record).is_some());
        let others: Vec<String> = others.map(|other| format!("`--gpu {}`", other.about().id)).collect();
        let problem = match others.len() {
            0 => problem,
            _ => problem.help(format!("{} has such records", others.join(" or "))),
        };
        let problem = match nearly(gpu, &record) {
            Some((kind, missing)) if others.is_empty() => {
                problem.help(format!("a `{}` record has {}, too", kind.name, list(missing.into_iter())))
            }
            _ => problem,
        };
        problem.help(format!("kinds are {}", list(about.vectors.iter().map(|kind| kind.name))))
    })?;
    let Companions { records, completed } = options.companions;
    let name = record["name"].as_str().unwrap_or("").to_owned();
    if completed.contains(&(kind.name, name.clone())) {
        return Ok((kind, None));
    }
    remember(gpu, kind, &record, shared);
    let outcome = shape::check(kind.members, &record).and_then(|()| match kind.completes {
        None => {
            resolve(kind, &mut record, shared)?;
            attach(kind, &mut record, options.files)?;
            Ok(record)
        }
        Some(other) => match records.get(&(other, name.clone())) {
            Some(base) => Ok(vectors::completed(base, &record)),
            None => Err(format!("no `{other}` record named `{name}` is in the files given")),
        },
    });
    outcome.map(|record| (kind, Some(record))).map_err(|reason| {
        let message = format!("this `{}` record cannot be used: {reason}", kind.name);
        Diagnostic::error(&BAD_RECORD, message).label(span, "")
    })
}

/// Reads a picture for a machine.
#[cfg(feature = "render")]
fn picture(bytes: &[u8], budget: &Budget) -> Result<gpuzoo_raster::Image, String> {
    gpuzoo_scene::picture(bytes, budget).map_err(|error| error.to_string())
}

#[cfg(not(feature = "render"))]
fn picture(_: &[u8], _: &Budget) -> Result<gpuzoo_raster::Image, String> {
    Err("this build cannot read pictures (feature `render`)".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::Paint;
    use crate::registry::unit;

    fn checked(text: &str) -> Report {
        checked_under("", text)
    }

    fn checked_under(profile: &str, text: &str) -> Report {
        let (companions, files) = (Companions::default(), Files::default());
        let arguments = Arguments::new(profile);
        let options = Options {
            arguments: &arguments,
            companions: &companions,
            files: &files,
            failures: 1,
            every: false,
            budget: &Budget::default(),
        };
        check(unit(), &File::new("v.jsonl", text), &options, |_| {})
    }

    #[test]
    fn files_have_a_limit() {
        // Zeros that are never touched take no memory.
        let bytes = vec![0; MAX_BYTES + 1];
        let mut sources = Sources::default();
        assert_eq!(read(&mut sources, "v.jsonl", &bytes).unwrap_err().code.id, "G0211");
        assert!(read(&mut sources, "v.jsonl", b"{}").is_ok());
    }

    #[test]
    fn a_profile_is_looked_up_once() {
        let record = "{\"text\":\"end\",\"word\":\"0000003f\"}\n";
        assert!(checked_under(unit().about().profiles[0].0, record).ok());
        let report = checked_under("x", record);
        assert_eq!((report.ok(), report.diagnostics[0].code.id), (false, "G0103"));
    }

    #[test]
    fn a_place_is_between_characters() {
        let report = checked("{\"word\": \"\u{fffd}");
        assert_eq!(report.diagnostics[0].code.id, "C0101");
        assert_eq!(report.diagnostics[0].span().map(|span| span.range()), Some(10..10));
    }

    #[test]
    fn records_are_counted() {
        let report = checked(concat!(
            "{\"text\":\"end\",\"word\":\"0000003f\"}\n\n",
            "{\"text\":\"end\",\"word\":\"0000003e\"}\n",
            "{\"text\":\"end\",\"word\":\"0000003d\"}\n",
            "{\"text\":\"end\",\"words\":[\"0000003f\",\"0000003f\"]}\n",
        ));
        assert_eq!((report.passed, report.failed, report.malformed, report.compared), (2, 2, 0, 4));
        assert_eq!(report.kinds, ["encode", "assemble"]);
        assert!(!report.ok());
        assert_eq!(
            report.text(Paint::PLAIN),
            "v.jsonl  encode+assemble  2/4 passed (4 compared), 2 failed\n  line 3 end\n    \
             word: expected 0000003e, got 0000003f\n  and 1 more\n"
        );
        assert_eq!(report.json().failures[0].line, 3);
    }

    #[test]
    fn records_that_cannot_be_used_are_shown_where_they_stand() {
        for (text, code, at) in [
            ("", "C0104", 0),
            ("\n{\"a\":}\n", "C0101", 6),
            ("{\"a\":1}\n", "C0103", 0),
            ("3\n", "C0103", 0),
            ("{\"text\":\"end\",\"word\":\"xyz\"}\n", "C0102", 0),
        ] {
            let report = checked(text);
            assert_eq!((report.malformed, report.ok()), (1, false), "{text}");
            let problem = &report.diagnostics[0];
            assert_eq!((problem.code.id, problem.span().unwrap().start), (code, at), "{text}");
        }
        let good = "{\"text\":\"end\",\"word\":\"0000003f\"}\n";
        let report = checked(&format!("{good}{}", "[]\n".repeat(1000)));
        assert_eq!((report.malformed, report.diagnostics.len()), (1000, MAX_MALFORMED));
        assert_eq!(checked(&"[]\n".repeat(1000)).malformed, 1);
    }

    #[test]
    fn one_value_on_many_lines_is_a_record() {
        let report = checked("{\n  \"text\": \"end\",\n  \"word\": \"0000003f\"\n}\n");
        assert_eq!((report.passed, report.malformed), (1, 0));
        assert_eq!(checked("{\n  \"text\": \"end\"\n").malformed, 1);
    }

    #[test]
    fn a_file_is_known_by_its_first_records() {
        assert!(known(unit(), "\n{\"text\":\"end\",\"word\":\"0\"}\n???"));
        assert!(known(unit(), "{\"text\":\"end\",\"work\":\"0\"}\n{\"text\":\"end\",\"word\":\"0\"}"));
        for text in ["", "???", "{}", "[1]"] {
            assert!(!known(unit(), text), "{text}");
        }
    }
}
