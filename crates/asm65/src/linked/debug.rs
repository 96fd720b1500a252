//! ld65's debug information, version 2: files, lines, the spans of bytes that they made, segments, scopes, symbols.
//!
//! What is read of it is as ld65 2.19 writes it for programs in assembly language and in C. Words and fields that are not known are left
//! out, so that those of a later minor version do no harm.

use super::layout::{Kind, Layout};
use super::record::Record;
use super::{Linked, MOST_PROBLEMS, lines};
use crate::Include;
use crate::program::{Program, Symbol};
use crate::rules::{NO_SOURCE, NOT_SYMBOLS, OTHER_PROGRAM};
use gpuzoo_diag::{Diagnostic, File, FileId, Sources, Span, counted};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The version of the format.
const VERSION: u32 = 2;
/// The most bytes of all names together with their scopes.
const MOST_NAMES: usize = 1 << 26;
/// The deepest scope, and the longest name with its scopes, in bytes.
const DEEPEST: usize = 256;
const LONGEST: usize = 4096;
/// Names that a message shows.
const MOST_SHOWN: usize = 8;

/// Sources by id, each with where its lines are.
type Texts = BTreeMap<u32, (FileId, Vec<Range<usize>>)>;

/// All that the file says, by id.
#[derive(Default)]
struct Information<'a> {
    files: BTreeMap<u32, Source<'a>>,
    lines: BTreeMap<u32, Line>,
    spans: BTreeMap<u32, Bytes>,
    segments: BTreeMap<u32, Segment<'a>>,
    scopes: BTreeMap<u32, Scope<'a>>,
    modules: BTreeMap<u32, Module<'a>>,
    symbols: BTreeMap<u32, Named<'a>>,
}

struct Source<'a> {
    name: &'a str,
    size: u32,
    modules: Vec<u32>,
    at: Span,
}

struct Line {
    file: u32,
    number: u32,
    kind: Kind,
    spans: Vec<u32>,
    at: Span,
}

#[derive(Clone, Copy)]
struct Bytes {
    segment: u32,
    start: u32,
    size: u32,
}

struct Segment<'a> {
    name: &'a str,
    start: u32,
    size: u32,
    /// The file that holds it, and where in that.
    output: Option<(&'a str, u32)>,
    at: Span,
}

struct Scope<'a> {
    name: &'a str,
    module: u32,
    parent: Option<u32>,
}

struct Module<'a> {
    name: &'a str,
    is_library: bool,
}

struct Named<'a> {
    name: &'a str,
    value: u32,
    is_label: bool,
    segment: Option<u32>,
    scope: Option<u32>,
    /// Of a cheap local: the label before it.
    parent: Option<u32>,
    line: Option<u32>,
    at: Span,
}

/// The file's own name, without folders of any system.
fn base(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

/// Reads it, and adds names and lines to a program.
pub(super) fn read(
    sources: &mut Sources,
    file: FileId,
    linked: &Linked,
    include: &mut Include,
    program: &mut Program,
    problems: &mut Vec<Diagnostic>,
) {
    // Sources are added while the text is still in use.
    let text = sources.get(file).clone();
    let information = Information::read(&text, problems);
    if !problems.is_empty() {
        return;
    }
    let elsewhere = information.elsewhere(linked, problems);
    let (texts, missing) = information.texts(sources, include, problems);
    match information.layout(&elsewhere, &texts, sources) {
        Ok(layout) => {
            problems.extend(information.without_lines(&missing, &elsewhere, &layout));
            program.lines = layout.lines();
        }
        Err(problem) => problems.push(problem),
    }
    match information.names(&elsewhere, &texts, sources) {
        Ok(symbols) => program.symbols = symbols,
        Err(problem) => problems.push(problem),
    }
}

impl<'a> Information<'a> {
    fn read(file: &'a File, problems: &mut Vec<Diagnostic>) -> Information<'a> {
        let mut information = Information::default();
        for range in lines(file.text()) {
            if file.text()[range.clone()].trim().is_empty() {
                continue;
            }
            let record = Record::read(file, range);
            if let Err(problem) = record.and_then(|record| information.add(&record)) {
                problems.push(problem);
                if problems.len() == MOST_PROBLEMS {
                    break;
                }
            }
        }
        information
    }

    fn add(&mut self, record: &Record<'a>) -> Result<(), Diagnostic> {
        let at = record.span();
        match record.what {
            "version" => match record.number("major")? {
                VERSION => {}
                other => {
                    let message =
                        format!("this is version {other} of the format, and version {VERSION} is read");
                    return Err(record.wrong(message));
                }
            },
            "file" => {
                let source = Source {
                    name: record.name()?,
                    size: record.number("size")?,
                    modules: record.numbers("mod")?,
                    at,
                };
                self.files.insert(record.number("id")?, source);
            }
            "line" => {
                let kind = match record.some("type")?.unwrap_or(0) {
                    0 => Kind::Own,
                    1 => Kind::C,
                    _ => Kind::Macro(record.some("count")?.unwrap_or(0)),
                };
                let (file, number) = (record.number("file")?, record.number("line")?);
                let line = Line { file, number, kind, spans: record.numbers("span")?, at };
                self.lines.insert(record.number("id")?, line);
            }
            "span" => {
                let (segment, start) = (record.number("seg")?, record.number("start")?);
                self.spans
                    .insert(record.number("id")?, Bytes { segment, start, size: record.number("size")? });
            }
            "seg" => {
                let output =
                    record.text("oname").map(|name| Ok((name, record.number("ooffs")?))).transpose()?;
                let (name, start) = (record.name()?, record.number("start")?);
                let segment = Segment { name, start, size: record.number("size")?, output, at };
                self.segments.insert(record.number("id")?, segment);
            }
            "scope" => {
                let scope = Scope {
                    name: record.name()?,
                    module: record.number("mod")?,
                    parent: record.some("parent")?,
                };
                self.scopes.insert(record.number("id")?, scope);
            }
            "mod" => {
                let module = Module { name: record.name()?, is_library: record.some("lib")?.is_some() };
                self.modules.insert(record.number("id")?, module);
            }
            // An import is the export of another module.
            "sym" if record.text("type") != Some("imp") => {
                let symbol = Named {
                    name: record.name()?,
                    value: record.number("val")?,
                    is_label: record.text("type") == Some("lab"),
                    segment: record.some("seg")?,
                    scope: record.some("scope")?,
                    parent: record.some("parent")?,
                    line: record.numbers("def")?.first().copied(),
                    at,
                };
                self.symbols.insert(record.number("id")?, symbol);
            }
            _ => {}
        }
        Ok(())
    }

    /// The segments that are in other files than the program, which is warned of; and of what does not fit the program.
    fn elsewhere(&self, linked: &Linked, problems: &mut Vec<Diagnostic>) -> BTreeSet<u32> {
        let own = base(linked.name);
        let written = |segment: &&Segment| segment.size > 0 && segment.output.is_some();
        let outputs = || self.segments.values().filter(written).filter_map(|segment| segment.output);
        let named =
            outputs().find(|(name, _)| base(name) == own).or_else(|| outputs().min_by_key(|(_, at)| *at));
        let Some((output, _)) = named else { return BTreeSet::new() };
        let is_own = |segment: &Segment| segment.output.is_none_or(|(name, _)| name == output);
        let end = linked.address as usize + linked.bytes.len();
        let here = |segment: &&Segment| {
            let (start, size) = (segment.start as usize, segment.size as usize);
            start >= usize::from(linked.address) && start + size <= end
        };
        let mut own_segments = self.segments.values().filter(written).filter(|segment| is_own(segment));
        let length = own_segments
            .clone()
            .filter_map(|segment| Some(segment.output?.1 as usize + segment.size as usize));
        // A program file has its address before its bytes.
        let longer = length.max().filter(|length| *length > linked.bytes.len() + 2);
        let other = match longer {
            Some(length) => Some(format!("it says that the program has {}", counted(length, "byte"))),
            None if !own_segments.any(|segment| here(&segment)) => {
                Some("no segment lies where the program does".to_owned())
            }
            None => None,
        };
        if let Some((message, segment)) = other.zip(self.segments.values().find(|segment| is_own(segment))) {
            let found = format!(
                "`{}` has {} from ${:04X} on",
                linked.name,
                counted(linked.bytes.len(), "byte"),
                linked.address
            );
            let problem = Diagnostic::warning(&OTHER_PROGRAM, message).label(segment.at, "").note(found);
            problems.push(problem.help("link the program again, and take the file that is written then"));
        }
        let others = self.segments.iter().filter(|(_, segment)| !is_own(segment) && segment.size > 0);
        if let Some((_, first)) = others.clone().next() {
            let names: Vec<&str> = others.clone().map(|(_, segment)| segment.name).take(MOST_SHOWN).collect();
            let message = format!("names and lines of {} are left out", counted(others.count(), "segment"));
            let problem = Diagnostic::warning(&OTHER_PROGRAM, message).label(first.at, "");
            problems.push(problem.note(format!("not in `{output}`: {}", names.join(", "))));
        }
        let others = self.segments.iter().filter(|(_, segment)| !is_own(segment));
        others.map(|(id, _)| *id).collect()
    }

    /// The sources, and those that are not there, each with the reason; but for those of libraries.
    fn texts(
        &self,
        sources: &mut Sources,
        include: &mut Include,
        problems: &mut Vec<Diagnostic>,
    ) -> (Texts, BTreeMap<u32, String>) {
        // Each with the last of its lines that made bytes.
        let mut used: BTreeMap<u32, u32> = BTreeMap::new();
        for line in self.lines.values().filter(|line| !line.spans.is_empty()) {
            let last = used.entry(line.file).or_default();
            *last = line.number.max(*last);
        }
        let mut texts = Texts::new();
        let mut missing = BTreeMap::new();
        for (id, source) in &self.files {
            let Some(last) = used.get(id) else { continue };
            let read = include(source.name).or_else(|reason| match base(source.name) {
                // Built elsewhere: the file itself may lie here.
                own if own != source.name => include(own).map_err(|_| reason),
                _ => Err(reason),
            });
            let text = read
                .and_then(|bytes| String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned()));
            match text {
                Ok(text) => {
                    let ranges: Vec<_> = lines(&text).collect();
                    let is_changed = text.len() != source.size as usize || *last as usize > ranges.len();
                    texts.insert(*id, (sources.add(source.name, &text), ranges));
                    if is_changed {
                        let message = format!("`{}` has changed since it was assembled", source.name);
                        let found = format!("it has {}", counted(text.len(), "byte"));
                        let problem =
                            Diagnostic::warning(&NO_SOURCE, message).label(source.at, "").note(found);
                        problems.push(
                            problem.help("its lines may be others: assemble and link the program again"),
                        );
                    }
                }
                Err(reason) => {
                    let of_library = |id: &u32| self.modules.get(id).is_some_and(|module| module.is_library);
                    if source.modules.is_empty() || !source.modules.iter().all(of_library) {
                        missing.insert(*id, reason);
                    }
                }
            }
        }
        (texts, missing)
    }

    /// Warns of sources that are not there, if no other source has the line of a byte that they made: what a C compiler wrote is
    /// gone, and the C text is there.
    fn without_lines(
        &self,
        missing: &BTreeMap<u32, String>,
        elsewhere: &BTreeSet<u32>,
        layout: &Layout,
    ) -> Option<Diagnostic> {
        let has_none = |id: &u32| {
            let bytes =
                self.spans.get(id).filter(|bytes| bytes.size > 0 && !elsewhere.contains(&bytes.segment));
            let start =
                bytes.and_then(|bytes| self.segments.get(&bytes.segment)?.start.checked_add(bytes.start));
            start.is_some_and(|start| !layout.has(start))
        };
        let lines = self.lines.values().filter(|line| missing.contains_key(&line.file));
        let files: BTreeSet<u32> =
            lines.filter(|line| line.spans.iter().any(has_none)).map(|line| line.file).collect();
        let first = self.files.get(files.first()?)?;
        let reason = missing.get(files.first()?).cloned().unwrap_or_default();
        let names = files.iter().filter_map(|id| self.files.get(id)).map(|source| source.name);
        let names: Vec<&str> = names.take(MOST_SHOWN).collect();
        let message = format!("{} cannot be read", counted(files.len(), "source"));
        let problem = Diagnostic::warning(&NO_SOURCE, message).label(first.at, reason);
        let problem = problem.note(format!("without lines: {}", names.join(", ")));
        Some(problem.help("`--include FOLDER` says where they are"))
    }

    /// What each byte comes from.
    fn layout(
        &self,
        elsewhere: &BTreeSet<u32>,
        texts: &Texts,
        sources: &Sources,
    ) -> Result<Layout, Diagnostic> {
        let mut layout = Layout::new();
        for line in self.lines.values() {
            let Some(span) = line.text(texts, sources) else { continue };
            for id in &line.spans {
                let Some(bytes) = self.spans.get(id).filter(|bytes| !elsewhere.contains(&bytes.segment))
                else {
                    continue;
                };
                let Some(segment) = self.segments.get(&bytes.segment) else { continue };
                let start = segment.start.saturating_add(bytes.start);
                if !layout.add(start..start.saturating_add(bytes.size), line.kind, span) {
                    let message = "the lines are said to have made more than 16,777,216 bytes";
                    return Err(Diagnostic::error(&NOT_SYMBOLS, message).label(line.at, ""));
                }
            }
        }
        Ok(layout)
    }

    /// The names with their scopes. Of names that several modules have, the module's comes first, like a scope.
    fn names(
        &self,
        elsewhere: &BTreeSet<u32>,
        texts: &Texts,
        sources: &Sources,
    ) -> Result<Vec<Symbol>, Diagnostic> {
        let mut room = MOST_NAMES;
        let mut whole = BTreeMap::new();
        for (id, symbol) in &self.symbols {
            if symbol.segment.is_some_and(|segment| elsewhere.contains(&segment)) {
                continue;
            }
            let name = self.whole_name(symbol);
            room = room.checked_sub(name.as_ref().map_or(0, |(_, name)| name.len())).ok_or_else(|| {
                let message = "the names have more than 64 MiB with their scopes";
                Diagnostic::error(&NOT_SYMBOLS, message).label(symbol.at, "")
            })?;
            let Some(name) = name else {
                let message = format!(
                    "the name lies in more than {DEEPEST} scopes, or has more than {LONGEST} bytes with them"
                );
                return Err(Diagnostic::error(&NOT_SYMBOLS, message).label(symbol.at, ""));
            };
            whole.insert(*id, name);
        }
        let mut values: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
        for (id, (_, name)) in &whole {
            values.entry(name).or_default().insert(self.symbols[id].value);
        }
        let symbols = whole.iter().map(|(id, (module, name))| {
            let symbol = &self.symbols[id];
            let module = self.modules.get(module).filter(|_| values[name.as_str()].len() > 1);
            let name = match module {
                Some(module) => format!("{}::{name}", stem(module.name)),
                None => name.clone(),
            };
            let line = symbol.line.and_then(|line| self.lines.get(&line));
            let span = line.and_then(|line| line.text(texts, sources)).unwrap_or(symbol.at);
            Symbol { name, value: symbol.value.into(), is_label: symbol.is_label, span }
        });
        Ok(symbols.collect())
    }

    /// A name with its scopes, and its module: `draw::loop`, `draw@loop`. None if there are too many of them.
    fn whole_name(&self, symbol: &Named) -> Option<(u32, String)> {
        let mut name = joined("", "", symbol.name)?;
        let mut label = symbol;
        let mut steps = 0..DEEPEST;
        while let Some(parent) = label.parent.and_then(|parent| self.symbols.get(&parent)) {
            steps.next()?;
            name = joined(parent.name, "", &name)?;
            label = parent;
        }
        let mut scope = label.scope.and_then(|scope| self.scopes.get(&scope));
        let mut module = u32::MAX;
        while let Some(own) = scope {
            steps.next()?;
            if !own.name.is_empty() {
                name = joined(own.name, "::", &name)?;
            }
            module = own.module;
            scope = own.parent.and_then(|parent| self.scopes.get(&parent));
        }
        Some((module, name))
    }
}

impl Line {
    /// Its text in the source, without the blanks around it.
    fn text(&self, texts: &Texts, sources: &Sources) -> Option<Span> {
        let (file, ranges) = texts.get(&self.file)?;
        let range = ranges.get((self.number as usize).checked_sub(1)?)?;
        let file = sources.get(*file);
        let line = &file.text()[range.clone()];
        let start = range.start + line.len() - line.trim_start().len();
        Some(file.span(start..start + line.trim().len()))
    }
}

/// Two parts of a name; none if it is too long.
fn joined(front: &str, between: &str, name: &str) -> Option<String> {
    (front.len() + between.len() + name.len() <= LONGEST).then(|| format!("{front}{between}{name}"))
}

/// A module's name without its extension.
fn stem(name: &str) -> &str {
    base(name).split('.').next().unwrap_or(name)
}
