//! Where a linker configuration puts things: addresses for the segments, and the files that are made of them.
//!
//! As in ld65, areas are filled in the order in which they are written, each with its segments in the order of `SEGMENTS`, and each file gets the
//! bytes of its areas. What ld65 takes from cc65's library for the target `cx16`, the load address and the BASIC line, is made here.

use crate::assembler::Assembler;
use crate::basic::BASIC;
use crate::config::{Amount, Begin, Config, Entry, Use, value};
use crate::evaluate::Evaluator;
use crate::expr::Sym;
use crate::expr::{Expr, Value};
use crate::program::{Chunk, OutputFile};
use crate::rules::{CONFIG, DUPLICATE, SEGMENT, UNDEFINED};
use crate::section::STUB;
use gpuzoo_diag::{Diagnostic, Span, counted};
use hashbrown::HashMap;

/// The most names of a configuration that one leads to after the other.
const MAX_NAMES: usize = 64;
/// The largest area: all banks of the Commander's RAM.
const MAX_AREA: i64 = 1 << 21;
/// The most bytes of all files: more than cartridges and all banks take together.
const MAX_FILES: i64 = 1 << 24;

/// Segments that ca65 has in every object.
const ALWAYS: [&str; 5] = ["CODE", "RODATA", "BSS", "DATA", "ZEROPAGE"];
/// What cc65's library has for a configuration that imports them: the load address and the BASIC line.
const LOAD_ADDRESS: &str = "__LOADADDR__";
const BASIC_LINE: &str = "__EXEHDR__";

/// Where everything is.
#[derive(Default)]
pub(crate) struct Plan {
    areas: Vec<Filled>,
    /// What the layout defines: `__MAIN_START__`, `__CODE_RUN__`.
    pub names: HashMap<String, i64>,
}

/// An area, and what is in it.
struct Filled {
    start: i64,
    size: i64,
    /// How much of it is used.
    level: i64,
    segments: Vec<Item>,
}

struct Item {
    segment: usize,
    address: i64,
    size: i64,
    is_written: bool,
    /// What is in its place where it is not written.
    fill_value: u8,
}

impl Assembler<'_> {
    /// Gives every segment its place.
    pub fn place(&mut self, config: &Config) -> Plan {
        self.add_library(config);
        let mut plan = Plan::default();
        for (at, area) in config.areas.iter().enumerate() {
            let start = self.amount(&area.start, config, &plan);
            plan.names.insert(format!("__{}_START__", area.name), start);
            let size = self.amount(&area.size, config, &plan);
            if !(0..=MAX_AREA).contains(&size) {
                let message = format!("the area {} has {size} bytes", area.name);
                self.misplaced(Diagnostic::error(&CONFIG, message).at(area.span));
            }
            let mut filled = Filled { start, size: size.clamp(0, MAX_AREA), level: 0, segments: Vec::new() };
            let mut next = start;
            for entry in config.entries.iter().filter(|entry| entry.run == at || entry.load == at) {
                let known = self.sections.segments.iter().position(|segment| segment.name == entry.name);
                let Some(segment) = known else { continue };
                let own = &self.sections.segments[segment];
                if !own.named && !ALWAYS.contains(&entry.name.as_str()) {
                    continue;
                }
                next = self.begin_of(entry, at, start, next);
                let size = if entry.run == at {
                    self.sections.lay(segment, next) - next
                } else {
                    self.sections.length(segment, next)
                };
                let is_written = entry.load == at && entry.kind == Use::Bytes;
                let of_area = config.areas.get(entry.load).map_or(0, |area| area.fill_value);
                let fill_value = entry.fill_value.unwrap_or(of_area);
                filled.segments.push(Item { segment, address: next, size, is_written, fill_value });
                let mut define = |what: &str, value| {
                    plan.names.insert(format!("__{}_{what}__", entry.name), value);
                };
                if entry.run == at {
                    define("RUN", next);
                }
                if entry.load == at {
                    define("LOAD", next);
                }
                define("SIZE", size);
                next += size;
                let over = next - start - filled.size;
                if over > 0 && next - start > filled.level && filled.level <= filled.size {
                    let message = format!(
                        "the segment {} is too large for the area {}, by {}",
                        entry.name,
                        area.name,
                        counted(over as usize, "byte")
                    );
                    let problem = Diagnostic::error(&SEGMENT, message);
                    let own = self.sections.segments[segment].span;
                    self.misplaced(own.into_iter().chain([entry.span]).fold(problem, Diagnostic::at));
                }
                filled.level = filled.level.max(next - start);
            }
            for (what, value) in [("SIZE", filled.size), ("LAST", start + filled.level)] {
                // In cx16.cfg an area and a segment are called BSS: the segment's size is meant.
                plan.names.entry(format!("__{}_{what}__", area.name)).or_insert(value);
            }
            plan.areas.push(filled);
        }
        let written = config.areas.iter().zip(&plan.areas).filter(|(area, _)| area.file.is_some());
        let bytes = written
            .map(|(area, filled)| if area.fill { filled.size.max(filled.level) } else { filled.level });
        if bytes.fold(0, i64::saturating_add) > MAX_FILES {
            let problem = Diagnostic::error(&CONFIG, "the areas have more than 16 MiB in files");
            let largest = config.areas.iter().zip(&plan.areas).max_by_key(|(_, filled)| filled.size);
            let problem = largest.map_or(problem.clone(), |(area, _)| problem.at(area.span));
            self.misplaced(problem.help("make the areas smaller, or leave out `fill = yes`"));
            plan.areas.clear();
        }
        self.unplaced(config);
        for symbol in &config.symbols {
            if symbol.value.is_some() && !symbol.is_weak && self.exported_name(&symbol.name).is_some() {
                let message =
                    format!("`{}` is defined by the configuration and exported by the program", symbol.name);
                let problem = Diagnostic::error(&DUPLICATE, message).at(symbol.span);
                self.misplaced(problem.help("with `type = weak` the program's definition counts"));
            }
            match &symbol.value {
                Some(value) if !plan.names.contains_key(&symbol.name) => {
                    let value = self.amount(value, config, &plan);
                    plan.names.insert(symbol.name.clone(), value);
                }
                None if !self.has_import(&symbol.name) => {
                    let message =
                        format!("`{}` is imported by the configuration and not exported", symbol.name);
                    self.misplaced(Diagnostic::error(&UNDEFINED, message).at(symbol.span));
                }
                _ => {}
            }
        }
        plan
    }

    fn has_import(&self, name: &str) -> bool {
        [LOAD_ADDRESS, BASIC_LINE].contains(&name) || self.exported_name(name).is_some()
    }

    /// What the library adds to a program: the load address, and the BASIC line if the options or the configuration ask for it.
    fn add_library(&mut self, config: &Config) {
        let find = |this: &Self, name: &str| {
            this.sections
                .segments
                .iter()
                .position(|segment| segment.name == name && config.entry(name).is_some())
        };
        let stub = self.options.stub.unwrap_or_else(|| config.imports(BASIC_LINE));
        let wanted = [
            (config.imports(LOAD_ADDRESS), "LOADADDR", LOAD_ADDRESS, &[0, 0][..]),
            (stub, "EXEHDR", BASIC_LINE, &STUB[..]),
        ];
        for (is_wanted, name, export, bytes) in wanted {
            if !is_wanted || self.exported_name(export).is_some() {
                continue;
            }
            match find(self, name) {
                // What the program itself has there counts.
                Some(at) if self.sections.length(at, 0) > 0 => {}
                Some(at) => {
                    self.sections.segments[at].named = true;
                    let piece = self.sections.append(at, bytes);
                    self.library.push(piece);
                }
                None => {
                    let message = format!("the configuration has no segment {name}");
                    let span = config.entries.first().map_or(Span::default(), |entry| entry.span);
                    let problem = Diagnostic::error(&SEGMENT, message).at(span);
                    self.misplaced(match name {
                        "EXEHDR" => problem.help("the BASIC line goes there; `--stub no` leaves it out"),
                        _ => problem,
                    });
                }
            }
        }
    }

    /// Where a segment begins in an area.
    fn begin_of(&mut self, entry: &Entry, area: usize, start: i64, next: i64) -> i64 {
        let aligned = |by: i64| next + (-next).rem_euclid(by);
        let wanted = match entry.begin {
            _ if entry.run != area => return aligned(entry.align_load),
            Begin::Next => return next,
            Begin::Align(by) => return aligned(by),
            Begin::Start(address) => address,
            Begin::Offset(offset) => start + offset,
        };
        if wanted < next {
            let message = format!(
                "the segment {} begins at ${wanted:04X}, where others lie up to ${:04X}",
                entry.name,
                next - 1
            );
            self.misplaced(Diagnostic::error(&SEGMENT, message).at(entry.span));
        }
        wanted.max(next)
    }

    /// Segments of the program that the configuration does not have.
    fn unplaced(&mut self, config: &Config) {
        let unknown = |this: &Self, at: usize| {
            let segment = &this.sections.segments[at];
            let is_used = segment.named || this.sections.length(at, 0) > 0;
            (is_used && config.entry(&segment.name).is_none()).then(|| (segment.name.clone(), segment.span))
        };
        for at in 0..self.sections.segments.len() {
            let Some((name, span)) = unknown(self, at) else { continue };
            let mut problem = Diagnostic::error(&SEGMENT, format!("the configuration has no segment {name}"));
            let span = span.or_else(|| config.entries.first().map(|entry| entry.span));
            problem = span.into_iter().fold(problem, Diagnostic::at);
            let known = config.entries.iter().map(|entry| entry.name.as_str());
            if let Some(near) = gpuzoo_diag::suggest::nearest(&name, known) {
                problem = problem.help(format!("did you mean `{near}`?"));
            }
            self.misplaced(problem.help("`SEGMENTS` says for each segment in which area of memory it lies"));
        }
    }

    fn misplaced(&mut self, problem: Diagnostic) {
        self.report_in(problem, 0);
    }

    /// What a value of the configuration is worth. One that is not known is reported, and 0.
    fn amount(&mut self, amount: &Amount, config: &Config, plan: &Plan) -> i64 {
        let mut unknown: Option<(String, Span)> = None;
        let mut known = HashMap::new();
        let found = value(amount, &mut |name, span| {
            let found = self.configured(name, config, plan, 0, &mut known);
            if found.is_none() {
                unknown = Some((name.to_owned(), span));
            }
            found
        });
        if let Some((name, span)) = unknown {
            let message = format!("`{name}` has no value here");
            let help = "a name is defined by `SYMBOLS`, by the program, or by areas and segments above";
            self.misplaced(Diagnostic::error(&CONFIG, message).at(span).help(help));
        } else if found.is_none() {
            self.misplaced(Diagnostic::error(&CONFIG, "the divisor is 0"));
        }
        found.unwrap_or(0)
    }

    /// The value of a name in the configuration. Each is worked out once; `known` are those that were, and those that are about to
    /// be: one that needs itself has none.
    fn configured(
        &self,
        name: &str,
        config: &Config,
        plan: &Plan,
        depth: usize,
        known: &mut HashMap<String, Option<i64>>,
    ) -> Option<i64> {
        if let Some(found) = known.get(name) {
            return *found;
        }
        if depth > MAX_NAMES {
            return None;
        }
        known.insert(name.to_owned(), None);
        let of_layout = plan.names.get(name).copied();
        let of_program = || {
            let symbol = self.exported_name(name)?;
            match Evaluator::last(&self.symbols, &self.sections, &self.unnamed).value(&Expr::Symbol(symbol)) {
                Value::Number(number) => Some(number),
                _ => None,
            }
        };
        let mut of_config = || {
            let symbol = config.symbols.iter().find(|symbol| symbol.name == name)?;
            value(symbol.value.as_ref()?, &mut |name, _| {
                self.configured(name, config, plan, depth + 1, known)
            })
        };
        let found = of_layout.or_else(of_program).or_else(&mut of_config);
        known.insert(name.to_owned(), found);
        found
    }

    /// What the program exports under a name.
    fn exported_name(&self, name: &str) -> Option<Sym> {
        let exported = self.exports.iter().map(|(symbol, _)| *symbol);
        exported.into_iter().find(|&symbol| self.text(self.symbols.get(symbol).name) == name)
    }

    /// Puts into the library's parts what depends on where they lie.
    pub fn settle_library(&mut self) {
        for piece in std::mem::take(&mut self.library) {
            let base = self.sections.base(piece).unwrap_or(0);
            let digits = format!("{:04}", base + STUB.len() as i64);
            let next = (base + STUB.len() as i64 - 2) as u16;
            let put: Vec<(usize, u8)> = match self.sections.segment_of(piece).name.as_str() {
                "EXEHDR" => {
                    let link = next.to_le_bytes().into_iter().enumerate();
                    link.chain(digits.bytes().take(4).enumerate().map(|(at, digit)| (at + 5, digit)))
                        .collect()
                }
                _ => ((base + 2) as u16).to_le_bytes().into_iter().enumerate().collect(),
            };
            for (at, byte) in put {
                if let Some(place) = self.sections.byte_mut(piece, at) {
                    *place = byte;
                }
            }
        }
    }

    /// The files of the configuration, the main one first, and what of its bytes lies where. The main file is the
    /// program's own, `%O`, or
    /// else the first one.
    pub fn files(&self, config: &Config, plan: &Plan) -> (Vec<OutputFile>, Vec<Chunk>, bool) {
        let mut files: Vec<OutputFile> = Vec::new();
        let mut chunks: Vec<(i64, Vec<u8>)> = Vec::new();
        let mut starts: Vec<(i64, i64)> = Vec::new();
        let main = config.files.iter().position(|(name, _)| name == "%O").unwrap_or(0);
        for (number, (name, span)) in config.files.iter().enumerate() {
            let is_main = number == main;
            let mut bytes = Vec::new();
            let areas = config.areas.iter().zip(&plan.areas).filter(|(area, _)| area.file == Some(number));
            for (area, filled) in areas {
                let mut at = filled.start;
                let fill = |bytes: &mut Vec<u8>, count: i64, value: u8| {
                    bytes.resize(bytes.len() + usize::try_from(count).unwrap_or(0), value);
                };
                if is_main {
                    starts.push((filled.start, filled.size));
                }
                for item in &filled.segments {
                    if item.is_written || area.fill {
                        fill(&mut bytes, item.address - at, area.fill_value);
                    }
                    if item.is_written {
                        let own = self.sections.bytes(item.segment);
                        bytes.extend_from_slice(&own);
                        if is_main && !own.is_empty() {
                            chunks.push((item.address, own));
                        }
                    } else if area.fill {
                        fill(&mut bytes, item.size, item.fill_value);
                    }
                    at = item.address + item.size;
                }
                if area.fill {
                    fill(&mut bytes, filled.size - filled.level, area.fill_value);
                }
            }
            let file = OutputFile { name: name.clone(), span: *span, bytes };
            if is_main { files.insert(0, file) } else { files.push(file) }
        }
        // Two bytes in front of the rest that say where it goes.
        let has_address = files.first().is_some_and(|file| has_load_address(&starts, &file.bytes));
        if has_address && let Some(at) = chunks.iter().position(|(address, _)| *address == starts[0].0) {
            let (address, bytes) = &mut chunks[at];
            *address += 2;
            bytes.drain(..bytes.len().min(2));
        }
        chunks.retain(|(_, bytes)| !bytes.is_empty());
        chunks.sort_by_key(|(address, _)| *address);
        let mut own: Vec<Chunk> = Vec::new();
        for (address, bytes) in chunks {
            let end = own.last().map_or(0, |last| i64::from(last.address) + last.bytes.len() as i64);
            let fits = (end..0x1_0000).contains(&address) && address + bytes.len() as i64 <= 0x1_0000;
            match own.last_mut().filter(|_| address == end) {
                // Of banks that lie over one another the first one is seen.
                _ if !fits => {}
                Some(last) => last.bytes.extend_from_slice(&bytes),
                None => own.push(Chunk { address: address as u16, bytes }),
            }
        }
        (files, own, has_address)
    }
}

/// Whether a file begins with the address that the rest of it is loaded to: in an area for that alone, as in
/// cx16.cfg, or in front of a BASIC
/// program. `areas` are the addresses and sizes of the areas in the file.
fn has_load_address(areas: &[(i64, i64)], bytes: &[u8]) -> bool {
    let next = match *areas {
        [(first, 2), (next, _), ..] if first + 2 == next => next,
        [(first, _), ..] if first + 2 == i64::from(BASIC) => first + 2,
        _ => return false,
    };
    bytes.get(..2) == Some(&(next as u16).to_le_bytes())
}
