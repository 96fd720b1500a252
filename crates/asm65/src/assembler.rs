//! The assembler's state, its main loop, and how it reports.

use crate::config::{self, Config};
use crate::evaluate::{Evaluator, MAX_LONG_STEPS};
use crate::expr::Piece;
use crate::expr::Sym;
use crate::expr::{Expr, Value};
use crate::input::{self, Body, Context, Define, Frame, MAX_LINES, MAX_NAMES, Macro, Origin};
use crate::lexer::Dialect;
use crate::petscii;
use crate::rules::{TOO_DEEP, TOO_LONG, TOO_MANY_ERRORS, TOO_MANY_LINES, UNBALANCED};
use crate::section::Sections;
use crate::symbols::{Named, ScopeId, Symbols};
use crate::token::{Interner, Kind, Mark, Name, Token};
use crate::words::{Cpu, Directive};
use crate::{Include, Options};
use gpuzoo_diag::{Code, Diagnostic, FileId, Severity, Sources, Span};
use hashbrown::{HashMap, HashSet};
use std::rc::Rc;

/// Errors after which assembling stops, and how many warnings and notes are kept.
const MAX_ERRORS: usize = 1000;

/// A failed statement has one error.
pub(crate) type Outcome<T> = Result<T, Box<Diagnostic>>;

/// How a value is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    Byte,
    Word,
    /// High byte first.
    BigWord,
    /// Three bytes.
    Far,
    Long,
    /// The distance from the next instruction, which is so many bytes after this one.
    Branch,
}

/// Bytes in a segment that only reserves memory.
pub(crate) struct Reserving {
    pub piece: Piece,
    pub offset: usize,
    pub length: usize,
    pub span: Span,
    pub context: u32,
}

/// A value that is stored when everything is known.
pub(crate) struct Fixup {
    pub piece: Piece,
    pub offset: usize,
    pub field: Field,
    pub expr: Expr,
    pub span: Span,
    pub context: u32,
}

/// An `.assert` that is checked at the end.
pub(crate) struct Assertion {
    pub expr: Expr,
    pub span: Span,
    pub context: u32,
    pub message: String,
    pub severity: Severity,
}

/// Bytes and the statement that made them.
pub(crate) struct Record {
    pub piece: Piece,
    pub offset: usize,
    pub length: usize,
    pub span: Span,
    pub context: u32,
}

/// A routine that a table has.
pub(crate) struct Called {
    pub table: u8,
    pub priority: u8,
    pub symbol: Sym,
}

/// An `.if` that is open.
pub(crate) struct Condition {
    pub span: Span,
    /// The file that has its latest word.
    pub file: Option<FileId>,
    /// The text here counts.
    pub active: bool,
    /// A branch was taken, or none is to be.
    pub taken: bool,
    pub is_else: bool,
}

/// A `.proc` or `.scope` that is open.
pub(crate) struct Block {
    pub span: Span,
    pub end: Directive,
    pub scope: ScopeId,
    pub outer: ScopeId,
    pub start: Expr,
}

pub(crate) struct Assembler<'a> {
    pub sources: &'a mut Sources,
    pub options: &'a Options<'a>,
    pub read: &'a mut Include<'a>,
    pub names: Interner,
    pub frames: Vec<Frame>,
    /// The statement's line and how far it has been read.
    pub line: Vec<Token>,
    pub at: usize,
    pub contexts: Vec<Context>,
    pub context: u32,
    pub symbols: Symbols,
    pub sections: Sections,
    pub unnamed: Vec<Expr>,
    /// The first unnamed label of the source that is read.
    pub first_unnamed: usize,
    /// Uses of unnamed labels that were still to come: which, where, in what expansion.
    pub unnamed_uses: Vec<(usize, Span, u32)>,
    pub macros: HashMap<Name, Rc<Macro>>,
    pub defines: HashMap<Name, Rc<Define>>,
    pub conditions: Vec<Condition>,
    pub blocks: Vec<Block>,
    pub charmap: [u8; 256],
    pub cpu: Cpu,
    /// CPUs that `.pushcpu` remembers.
    pub cpus: Vec<Cpu>,
    pub dialect: Dialect,
    pub labels_without_colons: bool,
    pub force_range: bool,
    pub fixups: Vec<Fixup>,
    pub assertions: Vec<Assertion>,
    pub records: Vec<Record>,
    /// Bytes that are not in the program's file.
    pub reserving: Vec<Reserving>,
    pub exports: Vec<(Sym, Span)>,
    /// Routines that tables have.
    pub called: Vec<Called>,
    /// The linker configuration, if there is one, and what it defines.
    pub config: Option<Rc<Config>>,
    pub layout: HashMap<String, i64>,
    /// What stands in for the linker's library.
    pub library: Vec<Piece>,
    /// The outermost scopes of sources that import whatever they do not define.
    pub autoimports: HashSet<ScopeId>,
    /// Sources that were begun.
    pub units: usize,
    pub files: HashMap<String, FileId>,
    pub locals: u32,
    pub depth: u32,
    pub operators: usize,
    lines: usize,
    tokens: usize,
    /// Bytes of files, each time they are read.
    pub text: usize,
    pub problems: Vec<Diagnostic>,
    errors: usize,
    warnings: usize,
    stopped: bool,
    /// A file that was to be included, or the configuration, could not be read.
    pub incomplete: bool,
    /// Where names stand, if that is asked for.
    pub uses: Option<Vec<(Named, Span)>>,
}

impl<'a> Assembler<'a> {
    pub fn new(
        sources: &'a mut Sources,
        options: &'a Options<'a>,
        read: &'a mut Include<'a>,
    ) -> Assembler<'a> {
        // A library is that of a target, whose layout it counts on.
        let is_library = |bytes: &[u8]| crate::object::is_library(bytes);
        let has_library = options.objects.iter().any(|(_, bytes)| is_library(bytes));
        let layout = || has_library.then(|| sources.add("cx16.cfg", config::CX16));
        let file = options.config.or_else(layout);
        let (config, problems) = file.map(|file| config::read(sources, file)).unwrap_or_default();
        // Of a wrong one nothing else is said.
        let is_broken = !problems.is_empty();
        let config = file.filter(|_| !is_broken).map(|_| Rc::new(config));
        Assembler {
            sources,
            options,
            read,
            names: Interner::default(),
            frames: Vec::new(),
            line: Vec::new(),
            at: 0,
            contexts: vec![Context { call: Span::default(), definition: None, parent: 0 }],
            context: 0,
            symbols: Symbols::new(),
            sections: Sections::new(config.as_deref()),
            unnamed: Vec::new(),
            first_unnamed: 0,
            unnamed_uses: Vec::new(),
            macros: HashMap::default(),
            defines: HashMap::default(),
            conditions: Vec::new(),
            blocks: Vec::new(),
            charmap: petscii::charmap(options.petscii),
            cpu: Cpu::default(),
            cpus: Vec::new(),
            dialect: Dialect::default(),
            labels_without_colons: false,
            force_range: false,
            fixups: Vec::new(),
            assertions: Vec::new(),
            records: Vec::new(),
            reserving: Vec::new(),
            exports: Vec::new(),
            called: Vec::new(),
            config,
            layout: HashMap::new(),
            library: Vec::new(),
            autoimports: HashSet::default(),
            units: 0,
            files: HashMap::new(),
            locals: 0,
            depth: 0,
            operators: 0,
            lines: 0,
            tokens: 0,
            text: 0,
            problems,
            errors: 0,
            warnings: 0,
            stopped: false,
            incomplete: is_broken,
            uses: None,
        }
    }

    /// Reads a file and all that it leads to.
    pub fn run(&mut self, file: FileId) {
        self.push_file(file);
        while !self.stopped && self.next_line() {
            self.context = self.frames.last().map_or(0, |frame| frame.context);
            if !self.is_active() {
                if let Err(problem) = self.skipped_line() {
                    self.report(*problem);
                }
                continue;
            }
            let before = self.sections.end();
            if let Err(problem) = self.expanded_line() {
                self.report(*problem);
            }
            self.record(before);
        }
        if !self.stopped {
            self.check_closed();
        }
    }

    fn expanded_line(&mut self) -> Outcome<()> {
        self.expand_line()?;
        self.statement()
    }

    /// Replaces in the line the words that are defined as others, and works out the functions that make words.
    pub fn expand_line(&mut self) -> Outcome<()> {
        if !self.defines.is_empty() {
            self.expand_defines(self.defined_word())?;
        }
        self.token_functions()
    }

    /// Counts work on tokens, of which there may be only so much; the next line reports it.
    pub fn charge(&mut self, tokens: usize) {
        self.tokens += tokens;
    }

    /// Remembers which bytes the line made.
    fn record(&mut self, (piece, offset): (Piece, usize)) {
        let (now, end) = self.sections.end();
        if now != piece || end <= offset {
            return;
        }
        let span = self.line_span();
        self.records.push(Record { piece, offset, length: end - offset, span, context: self.context });
    }

    /// The text of the present line, from its first to its last word.
    fn line_span(&self) -> Span {
        let Some(end) = self.line.last().map(|token| token.span) else { return Span::default() };
        let own =
            || self.line.iter().filter(|token| token.span.file == end.file && token.span.start < end.start);
        let first = own().map(|token| token.span.start).min().unwrap_or(end.start);
        Span { file: end.file, start: first, end: end.start }
    }

    /// Reads the next line of what is being read; false at the end of everything.
    pub fn next_line(&mut self) -> bool {
        loop {
            self.line.clear();
            self.at = 0;
            let Some(frame) = self.frames.last_mut() else { return false };
            if frame.next_line(&mut self.names, self.dialect, &mut self.line) {
                self.count_line(self.line.len());
                return !self.stopped;
            }
            self.pop_frame();
        }
    }

    fn count_line(&mut self, tokens: usize) {
        self.lines += 1;
        self.tokens += tokens;
        let span = self.line.first().map(|token| token.span).unwrap_or_default();
        if tokens > input::MAX_TOKENS {
            let message = "the line is too long: with its macros it has more than 65,536 words";
            let problem = self.problem(&TOO_MANY_LINES, span, message);
            self.stop(problem.help("write it as several lines"));
        } else if self.lines == MAX_LINES || self.tokens > input::MAX_ALL_TOKENS {
            let message = "the program is too long: with its macros and repetitions it has more than 4,000,000 lines or 67,108,864 words";
            let problem = self.problem(&TOO_MANY_LINES, span, message);
            self.stop(problem.help("look for a macro or a `.repeat` that repeats more than is meant"));
        } else if self.names.bytes > MAX_NAMES {
            let message = "the program has more than 64 MiB of names";
            let problem = self.problem(&TOO_MANY_LINES, span, message);
            self.stop(problem.help("look for an `.ident` in a macro or a `.repeat`"));
        } else if self.symbols.long_steps() > MAX_LONG_STEPS {
            let message = "names without a value lead through others more than 4,194,304 times";
            let problem = self.problem(&TOO_MANY_LINES, span, message);
            self.stop(problem.help("define the last name of such a chain above those that are made of it"));
        }
    }

    fn pop_frame(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        // As in ca65, conditions may be opened or closed by a macro for those who use it, but end with their file.
        let Origin::File { file: ended, .. } = frame.origin else { return };
        while let Some(open) = self.conditions.pop_if(|open| open.file == Some(ended)) {
            let problem = self.problem(&UNBALANCED, open.span, "this condition has no `.endif`");
            self.report(*problem);
        }
    }

    fn check_closed(&mut self) {
        while let Some(block) = self.blocks.pop() {
            let message = format!("this block has no `{}`", block.end.word());
            let problem = self.problem(&UNBALANCED, block.span, &message);
            self.report(*problem);
        }
    }

    /// Reads lines of the present source up to a directive, which is left out; `opening` ones nest. As in ca65, words that are
    /// defined are replaced, and the directives count anywhere in a line.
    pub fn collect(&mut self, end: Directive, opening: Option<Directive>, span: Span) -> Outcome<Body> {
        let mut body = Body::default();
        let mut line = Vec::new();
        let mut depth = 0;
        loop {
            line.clear();
            let Some(frame) = self.frames.last_mut() else { break };
            if self.stopped || !frame.next_line(&mut self.names, self.dialect, &mut line) {
                break;
            }
            self.count_line(line.len());
            if body.tokens.len() + line.len() > input::MAX_BODY_TOKENS {
                self.stop(*self.problem(&TOO_MANY_LINES, span, "the block is too long"));
            }
            if self.stopped {
                break;
            }
            if let Err(problem) = self.expand(&mut line, None) {
                self.report(*problem);
            }
            for (index, token) in line.iter().enumerate() {
                match token.kind {
                    Kind::Directive(directive) if directive == end && depth == 0 => {
                        let is_alone = index == 0 && line.get(1).is_none_or(|next| next.kind == Kind::End);
                        if is_alone {
                            return Ok(body);
                        }
                        let message = format!("`{}` is not alone in its line", end.word());
                        let problem = self.problem(&UNBALANCED, token.span, &message);
                        return Err(Box::new(problem.help("write it on a line of its own")));
                    }
                    Kind::Directive(directive) if directive == end => depth -= 1,
                    Kind::Directive(directive) if Some(directive) == opening => depth += 1,
                    _ => {}
                }
            }
            body.tokens.append(&mut line);
            body.ends.push(body.tokens.len());
        }
        Err(self.problem(&UNBALANCED, span, &format!("there is no `{}`", end.word())))
    }

    /// Reads on in a file.
    pub fn push_file(&mut self, file: FileId) {
        let text: Rc<str> = self.sources.find(file).map_or("", |file| file.text()).into();
        self.push_frame(Origin::File { file, text, at: 0 });
    }

    fn push_frame(&mut self, origin: Origin) {
        let conditions = self.conditions.len();
        self.frames.push(Frame { origin, context: self.context, conditions });
    }

    /// Reads on in an expansion.
    pub fn push_expansion(&mut self, origin: Origin, call: Span, definition: Option<Span>) -> Outcome<()> {
        let open = self.frames.iter().filter(|frame| !matches!(frame.origin, Origin::File { .. })).count();
        if open >= input::MAX_EXPANSIONS {
            return Err(self.problem(&TOO_DEEP, call, "macros and repetitions are nested too deeply"));
        }
        self.contexts.push(Context { call, definition, parent: self.context });
        let outer = std::mem::replace(&mut self.context, self.contexts.len() as u32 - 1);
        self.push_frame(origin);
        self.context = outer;
        Ok(())
    }

    pub fn is_active(&self) -> bool {
        self.conditions.last().is_none_or(|condition| condition.active)
    }

    /// Ends everything, without a message.
    pub fn end(&mut self) {
        while !self.frames.is_empty() {
            self.pop_frame();
        }
    }

    fn stop(&mut self, problem: Diagnostic) {
        if !self.stopped {
            self.stopped = true;
            self.problems.push(self.with_context(problem, self.context));
        }
    }

    pub fn problem(&self, code: &'static Code, span: Span, message: &str) -> Box<Diagnostic> {
        Box::new(Diagnostic::error(code, message).label(span, ""))
    }

    /// Takes a diagnostic of the present place.
    pub fn report(&mut self, problem: Diagnostic) {
        self.report_in(problem, self.context);
    }

    /// Takes a diagnostic of an expansion.
    pub fn report_in(&mut self, problem: Diagnostic, context: u32) {
        if self.stopped {
            return;
        }
        let problem = self.with_context(problem, context);
        let is_last = problem.code == &TOO_LONG;
        let span = problem.span();
        if problem.severity == Severity::Error {
            self.errors += 1;
        } else {
            self.warnings += 1;
        }
        if self.warnings > MAX_ERRORS && problem.severity != Severity::Error {
            return;
        }
        self.problems.push(problem);
        if self.warnings == MAX_ERRORS {
            self.warnings += 1;
            let problem = Diagnostic::warning(&TOO_MANY_ERRORS, "too many warnings; the rest is left out");
            self.problems.push(span.into_iter().fold(problem, |problem, span| problem.label(span, "")));
        }
        if self.errors >= MAX_ERRORS {
            let problem = Diagnostic::error(&TOO_MANY_ERRORS, "too many errors; the rest is left out");
            self.problems.push(span.into_iter().fold(problem, |problem, span| problem.label(span, "")));
        }
        self.stopped |= is_last || self.errors >= MAX_ERRORS;
    }

    /// Says which macros led to the place, the innermost ones.
    fn with_context(&self, mut problem: Diagnostic, context: u32) -> Diagnostic {
        let mut next = context;
        for _ in 0..3 {
            let Some(context) = self.contexts.get(next as usize).filter(|_| next != 0) else { break };
            if let Some(definition) = context.definition {
                problem = problem.label(context.call, "expanded here").label(definition, "in this macro");
            }
            next = context.parent;
        }
        problem
    }

    pub fn peek(&self) -> Token {
        self.line.get(self.at).or(self.line.last()).copied().unwrap_or(Token {
            kind: Kind::End,
            span: Span::default(),
            blank: false,
        })
    }

    pub fn peek_second(&self) -> Kind {
        self.line.get(self.at + 1).map_or(Kind::End, |token| token.kind)
    }

    /// The next token; the end stays the end.
    pub fn next(&mut self) -> Token {
        let token = self.peek();
        if token.kind != Kind::End {
            self.at += 1;
        }
        token
    }

    /// Takes a sign if it is next.
    pub fn accept(&mut self, mark: Mark) -> bool {
        let is_next = self.peek().is(mark);
        if is_next {
            self.at += 1;
        }
        is_next
    }

    /// What an expression is worth now.
    pub fn value(&self, expr: &Expr) -> Value {
        match *expr {
            Expr::Number(number) => Value::Number(number),
            _ => Evaluator::early(&self.symbols, &self.sections, &self.unnamed).value(expr),
        }
    }

    pub fn text(&self, name: Name) -> &str {
        self.names.text(name)
    }
}
