//! From tokens to declarations and words, with recovery, so that every mistake is reported at once (spec section 2.2).

mod operands;

use crate::ISA;
use crate::encoding::{OP, encode};
use crate::ops::{FCROSS2, FMAD, is_internal, rows};
use crate::rules::*;
use crate::syntax::{DIRECTIVES, HEADER, Kind, Lexer, Token, WORD};
use gpuzoo_diag::{Diagnostic, File, MAX_SOURCE_BYTES, Severity, Span, suggest};
use gpuzoo_isa::codes::*;
use gpuzoo_isa::{Inst, Interface, MAX_ERRORS, MAX_OPERANDS, Op, Operand, PartKind, Port, Role, Stage, list};

/// A text, read.
#[derive(Debug, Default)]
pub struct Source {
    /// What it declares.
    pub interface: Interface,
    /// Where it says which shader it is.
    pub stage: Option<Span>,
    /// The store command, if it is given as it stands.
    pub header: Option<(Vec<u32>, Span)>,
    /// The words of its own instructions, each with the place of its statement.
    pub words: Vec<(u32, Span)>,
    /// Where its directives end.
    pub directives_end: Span,
    /// What is wrong.
    pub problems: Vec<Diagnostic>,
}

/// Reads a text; `reference` is true to read it as the reference assembler does.
pub fn read(file: &File, reference: bool) -> Source {
    let mut source = Source { directives_end: file.span(0..0), ..Source::default() };
    let size = file.text().len();
    if size > MAX_SOURCE_BYTES {
        let problem = Diagnostic::error(&SOURCE_TOO_LARGE, format!("the source has {size} bytes"));
        source.problems.push(problem.label(file.span(0..0), "").help("a source may have up to 64 MiB"));
        return source;
    }
    let mut lexer = Lexer::new(file.text(), reference);
    let token = lexer.next_token();
    let (errors, out_of_range) = (0, 0);
    let mut reader =
        Reader { file, lexer, token, previous_end: 0, last: None, reference, errors, out_of_range, source };
    reader.run();
    reader.source
}

/// A failed statement; the problem has been reported.
struct Failed;

struct Reader<'a> {
    file: &'a File,
    lexer: Lexer<'a>,
    token: Token,
    previous_end: usize,
    /// The instruction just read.
    last: Option<&'static Op>,
    reference: bool,
    errors: usize,
    /// Numbers so far that do not fit.
    out_of_range: usize,
    source: Source,
}

impl<'a> Reader<'a> {
    fn run(&mut self) {
        while self.token.kind != Kind::End {
            if self.errors >= MAX_ERRORS {
                let problem = Diagnostic::error(&TOO_MANY_ERRORS, "too many errors; the rest was not read");
                self.report(problem.label(self.span(), "reading stopped here"));
                return;
            }
            let before = self.token.start;
            if self.statement().is_err() {
                self.last = None;
                if self.token.start == before {
                    self.advance();
                }
                self.recover();
            }
        }
    }

    fn statement(&mut self) -> Result<(), Failed> {
        match self.token.kind {
            Kind::Directive => self.directive(),
            Kind::Raw => self.raw(),
            Kind::Mnemonic => self.instruction(),
            _ => Err(self.stray()),
        }
    }

    /// To what begins a statement, or to the next line.
    fn recover(&mut self) {
        let operand =
            |kind| matches!(kind, Kind::Register | Kind::Int | Kind::Float | Kind::Component | Kind::Dot);
        loop {
            match self.token.kind {
                Kind::End | Kind::Directive | Kind::Raw | Kind::Mnemonic => return,
                kind if self.token.first && !operand(kind) => return,
                _ => self.advance(),
            }
        }
    }

    fn directive(&mut self) -> Result<(), Failed> {
        let start = self.token.start;
        let (name, span) = (self.text(), self.span());
        if !DIRECTIVES.contains(&name) {
            return Err(self.unknown_directive(name, span));
        }
        if self.source.header.is_some() || !self.source.words.is_empty() {
            let problem =
                Diagnostic::error(&LATE_DIRECTIVE, format!("`{name}` must stand before the instructions"));
            self.report(problem.label(span, "").help("move it to the top"));
        }
        self.advance();
        match PortKind::of(name) {
            Some(kind) => self.port(kind, start)?,
            None if name == "#undefinedRegs" => {
                if std::mem::replace(&mut self.source.interface.undefined_registers, true) {
                    let problem =
                        Diagnostic::error(&SECOND_UNDEFINED, "`#undefinedRegs` stands here a second time");
                    self.report(problem.label(span, "").fix("leave it out", span, ""));
                }
            }
            None => {
                if let Some(first) = self.source.stage {
                    let problem = Diagnostic::error(&SECOND_STAGE, "the shader type is given a second time");
                    self.report(problem.label(span, "").label(first, "first given here"));
                } else {
                    let vertex = name == "#vertexShader";
                    self.source.interface.stage = if vertex { Stage::Vertex } else { Stage::Fragment };
                    self.source.stage = Some(span);
                }
            }
        }
        if self.source.words.is_empty() {
            self.source.directives_end = self.file.span(self.previous_end..self.previous_end);
        }
        self.last = None;
        Ok(())
    }

    fn port(&mut self, kind: PortKind, start: usize) -> Result<(), Failed> {
        let reg = self.register(&format!("#{}", kind.name()))?;
        let mask_start = self.token.start;
        if self.token.kind != Kind::Dot {
            let problem =
                Diagnostic::error(&BAD_IO_MASK, format!("the {} needs its components", kind.name()));
            let at = self.file.span(self.previous_end..self.previous_end);
            let help = format!("for example `r{}.xyzw`", reg.index);
            return Err(self.fail(problem.label(at, "expected here").help(help)));
        }
        let (mask, in_order) = self.mask()?;
        let mask_span = self.since(mask_start);
        let components = mask.0.count_ones() as u8;
        let gap = mask.0 & (mask.0 + 1) != 0;
        if gap || !in_order && !self.reference {
            let right = &"xyzw"[..components as usize];
            let problem = Diagnostic::error(&BAD_IO_MASK, "components must be x, xy, xyz or xyzw");
            let problem = problem.label(mask_span, if gap { "has a gap" } else { "not in order" });
            self.report(problem.fix(format!("write `.{right}`"), mask_span, format!(".{right}")));
            if gap {
                return Ok(());
            }
        }
        let port = Port { reg, components, span: self.since(start) };
        let reported = self.source.problems.len();
        declare(&mut self.source.interface, kind, port, self.reference, &mut self.source.problems);
        self.errors += self.source.problems.len() - reported;
        Ok(())
    }

    /// `.word` or `.header`.
    fn raw(&mut self) -> Result<(), Failed> {
        let (start, name, span) = (self.token.start, self.text(), self.span());
        self.advance();
        let mut words = Vec::new();
        while let Kind::Int | Kind::Hex | Kind::Float | Kind::BadNumber = self.token.kind {
            words.push(self.word()?);
        }
        let whole = self.since(start);
        if name == WORD {
            if words.is_empty() {
                let problem = Diagnostic::error(&EXPECTED_NUMBER, "expected the words' values");
                let at = self.file.span(self.previous_end..self.previous_end);
                let problem = problem.label(at, "").label(span, "of this");
                return Err(self.fail(problem.help("for example `.word 0x0000001f`")));
            }
            self.source.words.extend(words.into_iter().map(|word| (word, whole)));
        } else {
            let empty = self.source.words.is_empty() && self.source.interface == Interface::default();
            if !empty || self.source.stage.is_some() || self.source.header.is_some() {
                let problem =
                    Diagnostic::error(&LATE_DIRECTIVE, format!("`{HEADER}` must be the first statement"));
                return Err(self.fail(problem.label(span, "").help("it stands in place of all directives")));
            }
            let count = words.len();
            // Whatever is wrong with it, nothing is added to the words that follow.
            self.source.header = Some((words, whole));
            if count != crate::header::COMMAND_DWORDS {
                let message = format!("a store command has three dwords, not {count}");
                return Err(self.fail(Diagnostic::error(&STORE_COMMAND, message).label(whole, "")));
            }
        }
        self.last = None;
        Ok(())
    }

    /// The value of a word of `.word`.
    fn word(&mut self) -> Result<u32, Failed> {
        let (text, span) = (self.text(), self.span());
        let value = match text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => text.parse().ok(),
        };
        let Some(value) = value.and_then(|value| u32::try_from(value).ok()) else {
            let problem = Diagnostic::error(&OUT_OF_RANGE, format!("`{text}` is not the value of a word"));
            return Err(self.fail(problem.label(span, "").help("write 0 to 4294967295 or 0x0 to 0xffffffff")));
        };
        self.advance();
        Ok(value)
    }

    fn instruction(&mut self) -> Result<(), Failed> {
        let (start, name, span) = (self.token.start, self.text(), self.span());
        let plain =
            rows(name).find(|op| !op.format.parts.iter().any(|part| part.kind == PartKind::Immediates));
        let with_values =
            rows(name).find(|op| op.format.parts.iter().any(|part| part.kind == PartKind::Immediates));
        let Some(mut op) = plain.or(with_values) else { return Err(self.stray()) };
        if is_internal(op) && self.source.header.is_none() {
            self.advance();
            let problem =
                Diagnostic::error(&UNKNOWN_MNEMONIC, format!("`{name}` is no instruction for programs"));
            return Err(self.fail(problem.label(span, "").note("the assembler puts it where it belongs")));
        }
        self.advance();
        let mut operands = [Operand::default(); MAX_OPERANDS];
        if !op.format.parts.is_empty() {
            operands[0].reg = self.register(name)?;
            if self.token.kind == Kind::Dot {
                operands[0].mask = self.write_mask(op)?;
            }
            let sources = op.format.parts.iter().filter(|part| part.role == Role::Read);
            let sources = sources.filter(|part| part.kind == PartKind::Reg).count();
            let mut values = with_values.filter(|_| plain.is_none());
            for index in 1..=sources {
                let number = matches!(self.token.kind, Kind::Int | Kind::Float | Kind::Hex | Kind::BadNumber);
                if index == 2 && number && with_values.is_some() {
                    values = with_values;
                    break;
                }
                if index == 2 && self.takes_one_source(op) && self.token.kind != Kind::Register && !number {
                    // The document prints `fmax dst src`: the destination is the first source.
                    self.refuse(span, "one source")?;
                    operands[2].reg = operands[1].reg;
                    operands[1].reg = operands[0].reg;
                    break;
                }
                operands[index].reg = self.register(name)?;
            }
            if let Some(row) = values {
                op = row;
                operands[sources.min(1) + 1].immediates = self.values(op, sources > 0)?;
            }
            if op.format.parts.iter().any(|part| part.kind == PartKind::Swizzle) {
                operands[1].swizzle = self.swizzle()?;
            }
        }
        let inst = Inst { op, operands };
        let mut bits = encode(Some(&inst), None);
        if self.reference && op.code == FMAD {
            // The layout is the ternary one all the same (spec section 3, row 1).
            bits.set(OP.lo, OP.width, u32::from(FCROSS2));
        }
        let len = 1 + operands.iter().map(|operand| operand.immediates.len()).sum::<usize>();
        let whole = self.since(start);
        self.source.words.extend(bits.words[..len].iter().map(|word| (*word, whole)));
        self.last = Some(op);
        Ok(())
    }

    fn takes_one_source(&self, op: &Op) -> bool {
        matches!(op.name, "fmax" | "fmin" | "imax" | "imin")
    }

    /// Fails where the reference assembler does and the document does not.
    fn refuse(&mut self, span: Span, what: &str) -> Result<(), Failed> {
        if !self.reference {
            return Ok(());
        }
        let problem =
            Diagnostic::error(&REFERENCE_REFUSES, format!("the reference assembler does not read {what}"));
        Err(self.fail(problem.label(span, "")))
    }

    /// What begins no statement.
    fn stray(&mut self) -> Failed {
        let (kind, span) = (self.token.kind, self.span());
        let text = self.word_at();
        let span = self.file.span(span.start as usize..span.start as usize + text.len());
        let operand = matches!(kind, Kind::Register | Kind::Int | Kind::Float | Kind::Hex | Kind::BadNumber);
        let shown = text.escape_debug().to_string();
        let problem = match (kind, self.last) {
            (Kind::Dot | Kind::Component, Some(op)) => {
                let problem = Diagnostic::error(&NO_MASK_HERE, format!("`{}` takes no lanes here", op.name));
                problem.label(self.span(), "").help("sources are read lane by lane; use `swizzle` first")
            }
            (_, Some(op)) if operand => {
                let problem =
                    Diagnostic::error(&TOO_MANY_OPERANDS, format!("`{}` takes no further operand", op.name));
                let usage = crate::print::usage(op);
                problem.label(span, "one too many").help(format!("it is written `{usage}`"))
            }
            (Kind::Junk, _) => self.junk(text, span),
            (Kind::Dot, _) => {
                let problem = Diagnostic::error(&UNKNOWN_DIRECTIVE, format!("`{shown}` begins no statement"));
                problem.label(span, "").help(format!("directives are {}", list(known_directives())))
            }
            _ => {
                let problem =
                    Diagnostic::error(&UNKNOWN_MNEMONIC, format!("there is no instruction `{shown}`"));
                let problem = problem.label(span, "not a mnemonic");
                let lower = text.to_ascii_lowercase();
                let names = || ISA.ops.iter().filter(|op| !is_internal(op)).map(|op| op.name);
                match suggest::nearest(&lower, names()) {
                    Some(near) => problem.fix(format!("did you mean `{near}`?"), span, near),
                    None => problem,
                }
            }
        };
        self.advance();
        self.fail(problem)
    }

    fn junk(&mut self, text: &str, span: Span) -> Diagnostic {
        let shown = text.escape_debug();
        let problem =
            Diagnostic::error(&STRAY_CHARACTER, format!("`{shown}` means nothing here")).label(span, "");
        let rest = self.file.text()[self.token.end..].lines().next().unwrap_or("").trim();
        match text {
            "," => problem.help("operands are separated by blanks alone").fix("leave it out", span, ""),
            ";" if rest.is_empty() => {
                problem.help("instructions need no end mark").fix("leave it out", span, "")
            }
            ";" | "/" => {
                self.lexer.skip_line();
                problem.help("comments begin with `//`").note("the rest of the line was not read")
            }
            _ => problem,
        }
    }

    fn unknown_directive(&mut self, name: &str, span: Span) -> Failed {
        let mut problem =
            Diagnostic::error(&UNKNOWN_DIRECTIVE, format!("there is no directive `{name}`")).label(span, "");
        match suggest::nearest(name, known_directives()) {
            Some(near) => problem = problem.fix(format!("did you mean `{near}`?"), span, near),
            None if name == "#" => {
                problem = problem.help("comments begin with `//`").fix("make it a comment", span, "//")
            }
            None => problem = problem.help(format!("directives are {}", list(known_directives()))),
        }
        self.lexer.skip_line();
        self.advance();
        self.fail(problem)
    }

    /// The token and the letters and digits that stick to it, for messages.
    fn word_at(&self) -> &'a str {
        let rest = &self.file.text()[self.token.start..];
        let word = rest.find(|next: char| !next.is_ascii_alphanumeric() && next != '_').unwrap_or(rest.len());
        &rest[..word.max(self.token.end - self.token.start)]
    }

    fn advance(&mut self) {
        self.previous_end = self.token.end;
        self.token = self.lexer.next_token();
    }

    fn text(&self) -> &'a str {
        &self.file.text()[self.token.start..self.token.end]
    }

    fn span(&self) -> Span {
        self.file.span(self.token.start..self.token.end)
    }

    /// From `start` to the end of the token before.
    fn since(&self, start: usize) -> Span {
        self.file.span(start..self.previous_end.max(start))
    }

    fn report(&mut self, problem: Diagnostic) {
        self.errors += usize::from(problem.severity == Severity::Error);
        self.source.problems.push(problem);
    }

    fn fail(&mut self, problem: Diagnostic) -> Failed {
        self.report(problem);
        Failed
    }
}

fn known_directives() -> impl Iterator<Item = &'static str> + Clone {
    DIRECTIVES.iter().copied().chain([WORD, HEADER])
}
