//! The end: addresses are given, names are looked up, values stored, and the program is made.

use crate::assembler::{Assembler, Field, Record, Reserving};
use crate::evaluate::Evaluator;
use crate::expr::Sym;
use crate::expr::{Expr, Value};
use crate::input::MAX_NAMES;
use crate::names;
use crate::place::Plan;
use crate::program::{Chunk, Line, OutputFile, Program, Symbol, basic_start};
use crate::rules::{FAILED, GUESSED, LOST, OVERLAP, SEGMENT, TOO_MANY_LINES, UNDEFINED, WARNED};
use crate::symbols::Owner;
use gpuzoo_diag::{Diagnostic, Severity, Span, suggest};

/// With how many others an undefined name is compared for a suggestion.
const MAX_CANDIDATES: usize = 4000;
/// The most parts that lie over others of which each is reported.
const MAX_OVERLAPS: usize = 20;
impl Assembler<'_> {
    /// Makes the program of what was read.
    pub fn finish(mut self) -> (Program, Vec<Diagnostic>) {
        self.make_tables();
        self.link();
        let plan = self.lay_out();
        self.define_rest();
        self.store_rest();
        self.find_lost();
        self.settle_library();
        let program = self.program(&plan);
        let mut problems = self.problems;
        problems.sort_by_key(|problem| problem.span().map(|span| (span.file.0, span.start)));
        (program, problems)
    }

    /// Gives everything its address, as the configuration says or else the options.
    pub fn lay_out(&mut self) -> Plan {
        if let Some(config) = self.config.clone() {
            let mut plan = self.place(&config);
            self.layout = std::mem::take(&mut plan.names);
            return plan;
        }
        self.sections.lay_out(self.options);
        let (first, last) = self.options.zero_page;
        let excess = self.sections.zero_page_excess(last);
        if excess > 0 {
            let message = format!("the zero page from ${first:02X} to ${last:02X} is too small by {excess}");
            // What is the first to go beyond its end.
            let is_beyond = |record: &&Record| {
                let end = record.offset as i64 + record.length as i64;
                let base =
                    self.sections.base(record.piece).filter(|_| self.sections.is_zero_page(record.piece));
                base.is_some_and(|base| base + end > i64::from(last) + 1)
            };
            let beyond =
                self.records.iter().filter(is_beyond).min_by_key(|record| {
                    self.sections.base(record.piece).unwrap_or(0) + record.offset as i64
                });
            let span = beyond.map(|record| record.span).unwrap_or_default();
            self.report_in(Diagnostic::error(&SEGMENT, message).label(span, "this goes beyond its end"), 0);
        }
        if let Some(end) = self.sections.bss_excess(self.options.memory_end) {
            let message = format!("the memory reserved in BSS ends at ${:04X}", end - 1);
            let span = self.records.last().map(|record| record.span).unwrap_or_default();
            let problem = Diagnostic::error(&SEGMENT, message).label(span, "in this program");
            let last = self.options.memory_end.saturating_sub(1);
            self.report_in(
                problem.note(format!("a program's memory ends at ${last:04X}, before the I/O")),
                0,
            );
        }
        Plan::default()
    }

    /// Names that have no definition of their own: those of scopes around, of the layout, of the assembler; others are
    /// reported, unless they may be in a file that could not be read.
    pub fn define_rest(&mut self) {
        let mut needed: Vec<Sym> = Vec::new();
        for (symbol, entry) in self.symbols.all() {
            if self.symbols.definition(symbol).is_none() && entry.is_used {
                needed.push(symbol);
            }
        }
        let exported: Vec<Sym> = self.exports.iter().map(|(symbol, _)| *symbol).collect();
        needed.extend(exported.into_iter().filter(|&symbol| {
            self.symbols.definition(symbol).is_none() && !self.symbols.get(symbol).is_used
        }));
        let mut reported = 0;
        for symbol in needed {
            if let Some(outer) = self.symbols.outer_definition(symbol) {
                self.symbols.define(symbol, Expr::Symbol(outer));
            } else if let Some(value) = self.layout_name(symbol).or_else(|| self.predefined(symbol)) {
                self.symbols.define(symbol, Expr::Number(value));
            } else if !self.incomplete {
                let problem = self.undefined(symbol, reported < suggest::MAX_SEARCHES);
                let context = self.symbols.get(symbol).context;
                reported += 1;
                self.report_in(problem, context);
            }
        }
    }

    /// `__BSS_RUN__`, `__ONCE_SIZE__` and the like, as the linker defines them.
    fn layout_name(&self, symbol: Sym) -> Option<i64> {
        let name = self.text(self.symbols.get(symbol).name);
        if self.config.is_some() {
            return self.layout.get(name).copied();
        }
        let text = name.strip_prefix("__")?.strip_suffix("__")?;
        let (segment, what) = text.rsplit_once('_')?;
        let segment = self.sections.segments.iter().find(|known| known.name == segment)?;
        let (start, end) = segment.range;
        match what {
            "RUN" | "LOAD" => Some(start),
            "SIZE" => Some(end - start),
            _ => None,
        }
    }

    fn undefined(&self, symbol: Sym, with_suggestion: bool) -> Diagnostic {
        let entry = self.symbols.get(symbol);
        let word = self.text(entry.name);
        let message = format!("`{word}` is not defined");
        let span = entry.import.unwrap_or(entry.span);
        let mut problem = Diagnostic::error(&UNDEFINED, message).label(span, "");
        if entry.import.is_some() {
            problem = match self.units {
                1 => problem.note("of a program of several sources all must be given, and this is one"),
                _ => problem.note("none of the program's sources exports it"),
            };
        }
        if matches!(entry.owner, Owner::Label(_) | Owner::Nothing(_)) {
            problem = problem.note("a cheap local belongs to the ordinary label or constant above it");
        }
        let mut routines = self.options.routines.iter();
        if let Some((address, name)) = routines.find(|(_, name)| name.eq_ignore_ascii_case(word)) {
            problem = problem.help(format!("the ROM's {name} is `{word} = ${address:04x}`"));
        } else if with_suggestion {
            let own: Vec<&str> = self
                .symbols
                .all()
                .filter(|(other, _)| self.symbols.definition(*other).is_some())
                .map(|(_, entry)| self.text(entry.name))
                .take(MAX_CANDIDATES)
                .collect();
            let more: Vec<String> = names::suggestions(self.options.names).collect();
            let all = own.into_iter().chain(more.iter().map(String::as_str));
            if let Some(near) = suggest::nearest(word, all.filter(|other| *other != word)) {
                problem = problem.help(format!("did you mean `{near}`?"));
            }
        }
        problem
    }

    /// Stores what could not be stored while reading, and checks the assertions.
    fn store_rest(&mut self) {
        let fixups = std::mem::take(&mut self.fixups);
        let assertions = std::mem::take(&mut self.assertions);
        let mut evaluator = Evaluator::last(&self.symbols, &self.sections, &self.unnamed);
        let values: Vec<(Value, Value)> = fixups
            .iter()
            .map(|fixup| {
                let after = match fixup.field {
                    Field::Branch => {
                        evaluator.value(&self.sections.place(fixup.piece, fixup.offset as i64 + 1))
                    }
                    _ => Value::Unknown,
                };
                (evaluator.value(&fixup.expr), after)
            })
            .collect();
        let checks: Vec<Value> =
            assertions.iter().map(|assertion| evaluator.value(&assertion.expr)).collect();
        let mut guessed: Vec<(Span, u32, Sym)> = Vec::new();
        for (symbol, entry) in self.symbols.all() {
            if let Some((span, context)) = entry.guessed
                && evaluator.size(&Expr::Symbol(symbol)) == crate::expr::Size::Zp
            {
                guessed.push((span, context, symbol));
            }
        }
        for (fixup, (value, next)) in fixups.iter().zip(values) {
            if let Err(problem) = self.resolve(fixup, value, next) {
                self.report_in(*problem, fixup.context);
            }
        }
        for (assertion, value) in assertions.into_iter().zip(checks) {
            if matches!(value, Value::Number(number) if number != 0) {
                continue;
            }
            // A name in it that is not defined has been reported.
            if value == Value::Unknown {
                continue;
            }
            let code = if assertion.severity == Severity::Error { &FAILED } else { &WARNED };
            let problem = Diagnostic::new(assertion.severity, code, assertion.message);
            self.report_in(problem.label(assertion.span, ""), assertion.context);
        }
        for (span, context, symbol) in guessed {
            let entry = self.symbols.get(symbol);
            let message =
                format!("`{}` lies in the zero page, but was not known here yet", self.text(entry.name));
            let problem = Diagnostic::warning(&GUESSED, message).label(span, "a 16-bit address was assumed");
            let problem = match entry.import {
                Some(_) => problem.help("import it with `.importzp`, or write `z:` in front of the operand"),
                None => problem.help("define it above, or write `z:` in front of the operand"),
            };
            self.report_in(problem, context);
        }
    }

    /// Bytes that a segment should hold which holds none.
    fn find_lost(&mut self) {
        for Reserving { piece, offset, length, span, context } in std::mem::take(&mut self.reserving) {
            let sections = &mut self.sections;
            let bytes = (offset..offset + length).filter_map(|at| sections.byte_mut(piece, at).copied());
            if bytes.fold(0, |any, byte| any | byte) != 0 {
                let message = format!("the segment {} holds no bytes", sections.segment_of(piece).name);
                let problem =
                    Diagnostic::warning(&LOST, message).label(span, "left out of the program's file");
                let help = "reserve them with `.res` and write them at the start, or go back with `.code`";
                self.report_in(problem.help(help), context);
            }
        }
    }

    fn program(&mut self, plan: &Plan) -> Program {
        if let Some(config) = self.config.clone() {
            let (files, chunks, has_address) = self.files(&config, plan);
            return self.program_of(chunks, files, has_address);
        }
        let mut chunks: Vec<Chunk> = Vec::new();
        let mut overlaps: Vec<i64> = Vec::new();
        let mut beyond = 0;
        for (address, bytes) in self.sections.output() {
            beyond = beyond.max(address + bytes.len() as i64);
            let end = chunks.last().map(|last| i64::from(last.address) + last.bytes.len() as i64);
            match (chunks.last_mut(), end) {
                (Some(_), Some(end)) if address < end => overlaps.push(address),
                (Some(last), Some(end)) if address == end => last.bytes.extend_from_slice(bytes),
                _ => chunks.push(Chunk { address: address as u16, bytes: bytes.to_vec() }),
            }
        }
        let place = |this: &Self, address: i64| {
            let at = |record: &&crate::assembler::Record| {
                this.sections.base(record.piece).map(|base| base + record.offset as i64) == Some(address)
            };
            this.records.iter().rfind(at).map(|record| record.span).unwrap_or_default()
        };
        for (index, &address) in overlaps.iter().enumerate().take(MAX_OVERLAPS) {
            let span = place(self, address);
            let message = format!("what begins at ${address:04x} lies over other bytes of the program");
            let mut problem = Diagnostic::error(&OVERLAP, message).label(span, "");
            if index + 1 == MAX_OVERLAPS && overlaps.len() > MAX_OVERLAPS {
                problem = problem.note(format!("{} more are not shown", overlaps.len() - MAX_OVERLAPS));
            }
            self.report_in(problem, 0);
        }
        if beyond > 0x1_0000 {
            let span = self.records.last().map(|record| record.span).unwrap_or_default();
            let problem = self.too_long(span);
            self.report_in(*problem, 0);
        }
        self.program_of(chunks, Vec::new(), false)
    }

    fn program_of(&mut self, chunks: Vec<Chunk>, files: Vec<OutputFile>, has_address: bool) -> Program {
        let start = basic_start(&chunks).or(chunks.first().map(|chunk| chunk.address));
        let lines = self.lines();
        let symbols = self.symbols_of_program();
        Program { start: start.unwrap_or(self.options.origin), chunks, lines, symbols, files, has_address }
    }

    fn lines(&self) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::with_capacity(self.records.len());
        for record in &self.records {
            let base = self.sections.base(record.piece).unwrap_or(0);
            let mut context = record.context;
            let mut call = None;
            while let Some(expansion) = self.contexts.get(context as usize).filter(|_| context != 0) {
                call = expansion.definition.map_or(call, |_| Some(expansion.call));
                context = expansion.parent;
            }
            let address = base + record.offset as i64;
            let length = record.length.min(0xffff);
            lines.push(Line { address: address as u16, length: length as u16, span: record.span, call });
        }
        lines.sort_by_key(|line| line.address);
        lines
    }

    fn symbols_of_program(&mut self) -> Vec<Symbol> {
        let mut evaluator = Evaluator::last(&self.symbols, &self.sections, &self.unnamed);
        let mut symbols = Vec::new();
        let (mut length, mut too_long) = (0, None);
        for (symbol, entry) in self.symbols.all() {
            if !entry.is_own {
                continue;
            }
            if let Value::Number(value) = evaluator.value(&Expr::Symbol(symbol)) {
                let name = self.full_name(symbol);
                length += name.len();
                if length > MAX_NAMES {
                    too_long = Some((entry.span, entry.context));
                    break;
                }
                symbols.push(Symbol { name, value, is_label: entry.is_label, span: entry.span });
            }
        }
        if let Some((span, context)) = too_long {
            let message = "the names with their scopes are longer than 64 MiB altogether";
            self.report_in(*self.problem(&TOO_MANY_LINES, span, message), context);
        }
        symbols
    }

    /// `outer::name`, `label@local`.
    fn full_name(&self, symbol: Sym) -> String {
        let entry = self.symbols.get(symbol);
        let name = self.text(entry.name);
        let mut scope = match entry.owner {
            Owner::Scope(scope) => Some(scope),
            Owner::Nothing(_) => return name.to_owned(),
            Owner::Label(label) => return format!("{}{name}", self.full_name(label)),
        };
        let mut full = name.to_owned();
        while let Some(id) = scope {
            let scope_of = self.symbols.scope(id);
            if let Some(name) = scope_of.name {
                full = format!("{}::{full}", self.text(name));
            }
            scope = scope_of.parent;
        }
        full
    }
}
