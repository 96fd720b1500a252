//! Directives that make bytes or say where they go, and the choice among all directives.

use crate::assembler::{Assembler, Assertion, Field, Outcome};
use crate::expr::Expr;
use crate::input::{MAX_TEXT, Origin};
use crate::rules::{
    COUNT, CPU, FAILED, FEATURE, INCLUDE, SEGMENT, TOO_DEEP, TOO_MANY_LINES, UNBALANCED, UNEXPECTED, WARNED,
};
use crate::section::{Class, MAX_BYTES, MAX_SEGMENTS};
use crate::symbols::Named;
use crate::token::{Kind, Mark};
use crate::words::{Cpu, Directive};
use gpuzoo_diag::{Diagnostic, FileId, Severity, Span, counted, suggest};

/// What `.feature` takes.
const FEATURES: &[&str] = &[
    "addrsize",
    "c_comments",
    "string_escapes",
    "underline_in_numbers",
    "labels_without_colons",
    "pc_assignment",
    "force_range",
];

/// The most CPUs that `.pushcpu` remembers.
const MAX_CPUS: usize = 256;

impl Assembler<'_> {
    /// A directive; its word has been read.
    pub fn directive(&mut self, directive: Directive, span: Span) -> Outcome<()> {
        use Directive::*;
        match directive {
            Byte => self.values(Field::Byte, span),
            Word | Addr => self.values(Field::Word, span),
            Dbyt => self.values(Field::BigWord, span),
            Dword => self.values(Field::Long, span),
            Faraddr => self.values(Field::Far, span),
            Lobytes => self.halves(crate::expr::Unary::LoByte, span),
            Hibytes => self.halves(crate::expr::Unary::HiByte, span),
            Asciiz => self.asciiz(span),
            Literal => self.literal(span),
            Res => self.res(span),
            Align => self.align(span),
            Incbin => self.incbin(span),
            Charmap => self.map_character(),
            Org => self.set_address(),
            Reloc => {
                self.sections.reloc();
                Ok(())
            }
            Segment => {
                let (name, at) = self.string()?;
                self.enter_segment(&name, at)
            }
            Code => self.enter_segment("CODE", span),
            Data => self.enter_segment("DATA", span),
            Rodata => self.enter_segment("RODATA", span),
            Bss => self.enter_segment("BSS", span),
            Zeropage => self.enter_segment("ZEROPAGE", span),
            Pushseg if self.sections.push() => Ok(()),
            Pushseg => Err(self.problem(&TOO_DEEP, span, "too many segments are remembered")),
            Popseg if self.sections.pop() => Ok(()),
            Popseg => Err(self.problem(&UNBALANCED, span, "no segment is remembered")),
            Proc | Scope => self.open_block(directive, span),
            Endproc | Endscope => self.close_block(directive, span),
            Enum => self.enumeration(span),
            Struct | Union => self.structure(directive, span),
            Tag => self.tag(span),
            Export | ExportZp | Import | ImportZp | ForceImport | Global | GlobalZp => {
                self.exchange(directive)
            }
            Constructor | Destructor | Interruptor | Condes => self.called(directive),
            Define => self.define_words(span),
            Undefine => self.undefine(),
            Include => self.include_file(span),
            Macpack => self.macro_pack(),
            Macro => self.define_macro(span),
            Delmacro => self.delete_macro(),
            Exitmacro => self.exit_macro(span),
            Repeat => self.repeat(span),
            _ if directive.is_condition() => self.condition(directive, span),
            End => {
                self.end();
                Ok(())
            }
            Assert => self.assertion(),
            Error | Warning | Out => self.message(directive, span),
            Feature => self.feature(),
            Setcpu => self.set_cpu(),
            SelectCpu(cpu) => {
                self.cpu = cpu;
                Ok(())
            }
            Pushcpu if self.cpus.len() >= MAX_CPUS => {
                Err(self.problem(&TOO_DEEP, span, "too many CPUs are remembered"))
            }
            Pushcpu => {
                self.cpus.push(self.cpu);
                Ok(())
            }
            Popcpu => match self.cpus.pop() {
                Some(cpu) => {
                    self.cpu = cpu;
                    Ok(())
                }
                None => Err(self.problem(&UNBALANCED, span, "no CPU is remembered")),
            },
            OtherCpu => Err(self.problem(&CPU, span, "only the 65C02 is supported")),
            Cpu65816 => {
                Err(self.problem(&CPU, span, "this is for the 65816, and only the 65C02 is supported"))
            }
            Autoimport => {
                // Without a word it is turned on.
                let is_on = self.peek().kind == Kind::End || self.switch()?;
                self.autoimport(is_on);
                Ok(())
            }
            Linecont => {
                self.dialect.continuation = self.switch()?;
                Ok(())
            }
            Ignored => {
                self.at = self.line.len().saturating_sub(1);
                Ok(())
            }
            Endmacro | Endrepeat | Endenum | Endstruct | Endunion => {
                let message = format!("`{}` without its beginning", directive.word());
                Err(self.problem(&UNBALANCED, span, &message))
            }
            Local => Err(self.problem(&UNEXPECTED, span, "`.local` is allowed in a macro only")),
            _ => {
                let message = format!("`{}` is not a statement", directive.word());
                Err(self.problem(&UNEXPECTED, span, &message))
            }
        }
    }

    /// `.setcpu "65C02"`
    fn set_cpu(&mut self) -> Outcome<()> {
        let (name, at) = self.string()?;
        self.cpu = match name.to_ascii_lowercase().as_str() {
            "6502" => Cpu::P6502,
            "65sc02" => Cpu::P65SC02,
            "65c02" => Cpu::P65C02,
            "w65c02" | "w65c02s" => Cpu::W65C02,
            _ => {
                let message = match name.contains("816") {
                    true => format!("`{name}` is the 65816, and only the 65C02 is supported"),
                    false => format!("the CPU `{name}` is not supported"),
                };
                return Err(Box::new(self.problem(&CPU, at, &message).help("write `.setcpu \"65C02\"`")));
            }
        };
        Ok(())
    }

    /// `.byte 1, "text"` and the like: one or more values.
    fn values(&mut self, field: Field, span: Span) -> Outcome<()> {
        loop {
            let token = self.peek();
            match token.kind {
                Kind::Text(text) if field == Field::Byte => {
                    self.next();
                    let bytes = self.mapped(text);
                    self.emit(&bytes, token.span)?;
                }
                Kind::End => return Err(self.unexpected(span_of(token, span), "a value")),
                _ => {
                    let (expr, at) = self.expression()?;
                    // A wrong value is reported, and the next ones are still read.
                    if let Err(problem) = self.store(field, expr, at) {
                        if problem.code != &crate::rules::RANGE {
                            return Err(problem);
                        }
                        self.report(*problem);
                    }
                }
            }
            if !self.accept(Mark::Comma) {
                return Ok(());
            }
        }
    }

    /// `.lobytes` and `.hibytes`.
    fn halves(&mut self, half: crate::expr::Unary, _span: Span) -> Outcome<()> {
        loop {
            let (expr, at) = self.expression()?;
            self.store(Field::Byte, Expr::unary(half, expr), at)?;
            if !self.accept(Mark::Comma) {
                return Ok(());
            }
        }
    }

    /// `.literal`: as `.byte`, with the text as it is written.
    fn literal(&mut self, span: Span) -> Outcome<()> {
        let plain = std::array::from_fn(|byte| byte as u8);
        let charmap = std::mem::replace(&mut self.charmap, plain);
        let outcome = self.values(Field::Byte, span);
        self.charmap = charmap;
        outcome
    }

    fn asciiz(&mut self, span: Span) -> Outcome<()> {
        loop {
            let token = self.next();
            let Kind::Text(text) = token.kind else { return Err(self.unexpected(token, "a string")) };
            let bytes = self.mapped(text);
            self.emit(&bytes, token.span)?;
            if !self.accept(Mark::Comma) {
                return self.emit(&[0], span);
            }
        }
    }

    fn fill(&mut self) -> Outcome<Option<u8>> {
        if !self.accept(Mark::Comma) {
            return Ok(None);
        }
        let (value, at) = self.constant()?;
        match u8::try_from(value) {
            Ok(fill) => Ok(Some(fill)),
            Err(_) => {
                Err(self.problem(&crate::rules::RANGE, at, &format!("{value} does not fit into a byte")))
            }
        }
    }

    fn res(&mut self, span: Span) -> Outcome<()> {
        let (count, at) = self.constant()?;
        let fill = self.fill()?;
        if !(0..=MAX_BYTES as i64).contains(&count) {
            return Err(self.problem(&COUNT, at, &format!("{count} bytes cannot be reserved")));
        }
        let holds_none = matches!(self.sections.segment().class, Class::ZeroPage | Class::Bss);
        if holds_none && fill.is_some_and(|fill| fill != 0) {
            return self.emit(&[1], span);
        }
        if self.sections.reserve(count as usize, fill.unwrap_or(0)) {
            Ok(())
        } else {
            Err(self.too_long(span))
        }
    }

    fn align(&mut self, span: Span) -> Outcome<()> {
        let (align, at) = self.constant()?;
        let fill = self.fill()?.unwrap_or(0);
        if !(1..=0x8000).contains(&align) {
            return Err(self.problem(&COUNT, at, &format!("{align} is not an alignment, 1 to 32768")));
        }
        if self.sections.align(align, fill) { Ok(()) } else { Err(self.too_long(span)) }
    }

    fn incbin(&mut self, span: Span) -> Outcome<()> {
        let (name, at) = self.string()?;
        let mut folders = self.folders();
        // As in ca65, the name as it is comes first here.
        folders.rotate_right(1);
        let (_, bytes) = self.read_file(&name, &folders, at)?;
        self.count_text(bytes.len(), at)?;
        let mut range = [0, bytes.len() as i64];
        for place in &mut range {
            if self.accept(Mark::Comma) {
                *place = self.constant()?.0;
                continue;
            }
            break;
        }
        let [offset, length] = range;
        let length = length.min((bytes.len() as i64).saturating_sub(offset).max(0));
        let part = usize::try_from(offset)
            .ok()
            .zip(usize::try_from(length).ok())
            .and_then(|(offset, length)| bytes.get(offset..offset.checked_add(length)?));
        match part {
            Some(part) => self.emit(part, span),
            None => Err(self.problem(
                &COUNT,
                span,
                &format!("the file has only {}", counted(bytes.len(), "byte")),
            )),
        }
    }

    fn map_character(&mut self) -> Outcome<()> {
        let (from, at) = self.constant()?;
        self.expect(Mark::Comma, "`,`")?;
        let (to, _) = self.constant()?;
        match (u8::try_from(from), u8::try_from(to)) {
            (Ok(from), Ok(to)) => {
                self.charmap[usize::from(from)] = to;
                Ok(())
            }
            _ => Err(self.problem(&crate::rules::RANGE, at, "character codes are 0 to 255")),
        }
    }

    /// `.org`, or `* =`.
    pub fn set_address(&mut self) -> Outcome<()> {
        let (address, at) = self.constant()?;
        if !(0..=0xffff).contains(&address) {
            let message = format!("{address} is not an address, $0000 to $FFFF");
            return Err(self.problem(&crate::rules::RANGE, at, &message));
        }
        self.sections.org(address);
        Ok(())
    }

    fn enter_segment(&mut self, name: &str, span: Span) -> Outcome<()> {
        let mut is_zero_page = false;
        if self.accept(Mark::Colon) {
            let (size, _) = self.name("an address size")?;
            is_zero_page = is_zero_page_size(self.text(size));
        }
        let is_word =
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let is_bank =
            self.options.config.is_none() && (name.starts_with("BANKRAM") || name.starts_with("BRAM"));
        if !is_word || is_bank || name.len() > 60 {
            let message = format!("the segment `{}` cannot be made", name);
            let problem = self.problem(&SEGMENT, span, &message);
            return Err(match is_bank {
                true => Box::new(problem.help("`--config` says in which file and where it lies")),
                false => problem,
            });
        }
        if self.sections.segments.len() >= MAX_SEGMENTS {
            let message = format!("a program may have {MAX_SEGMENTS} segments");
            return Err(self.problem(&SEGMENT, span, &message));
        }
        let known = || self.sections.segments.iter().map(|segment| segment.name.as_str());
        // One of the program's own is fine, unless it looks like a slip.
        if self.config.is_none()
            && known().all(|known| known != name)
            && let Some(near) = suggest::nearest(name, known())
        {
            let message = format!("there is no segment {name}: one of this name is made, behind the others");
            let problem = Diagnostic::warning(&SEGMENT, message).label(span, "");
            self.report(problem.help(format!("did you mean `{near}`?")));
        }
        self.sections.enter(name, is_zero_page, span);
        Ok(())
    }

    /// `+` or `on`, `-` or `off`.
    fn switch(&mut self) -> Outcome<bool> {
        let token = self.next();
        let word = match token.kind {
            Kind::Name(name) => self.text(name).to_ascii_lowercase(),
            _ => String::new(),
        };
        match (token.kind, word.as_str()) {
            (Kind::Mark(Mark::Plus), _) | (_, "on") => Ok(true),
            (Kind::Mark(Mark::Minus), _) | (_, "off") => Ok(false),
            _ => Err(self.unexpected(token, "`+` or `-`")),
        }
    }

    fn include_file(&mut self, span: Span) -> Outcome<()> {
        let (name, at) = self.string()?;
        self.end_of_line()?;
        let open = self.frames.iter().filter(|frame| matches!(frame.origin, Origin::File { .. })).count();
        if open >= crate::input::MAX_FILES {
            return Err(self.problem(&TOO_DEEP, span, "files include one another too deeply"));
        }
        let included = self.included(&name, at);
        self.incomplete |= included.is_err();
        let file = included?;
        self.note(Named::File(file), at);
        let length = self.sources.find(file).map_or(0, |file| file.text().len());
        self.count_text(length, at)?;
        self.push_file(file);
        Ok(())
    }

    /// Where files are looked for, as in ca65: in the folders of the files that include, the innermost first, then
    /// where the name says.
    fn folders(&self) -> Vec<String> {
        // The first source is named from elsewhere: its folder is where names are looked for at last.
        let own = usize::from(self.units == 1);
        let files = self.frames.iter().skip(own).rev().filter_map(|frame| match frame.origin {
            Origin::File { file, .. } => self.sources.find(file),
            _ => None,
        });
        let folder = |name: &str| name.rsplit_once('/').map(|(folder, _)| format!("{folder}/"));
        let mut folders: Vec<String> = files.filter_map(|file| folder(file.name())).collect();
        folders.dedup();
        folders.push(String::new());
        folders
    }

    /// The first file of a name in the folders, with its whole name.
    fn read_file(&mut self, name: &str, folders: &[String], span: Span) -> Outcome<(String, Vec<u8>)> {
        let mut reason = String::new();
        for folder in folders {
            let name = format!("{folder}{name}");
            match (self.read)(&name) {
                Ok(bytes) => return Ok((name, bytes)),
                Err(error) if folder.is_empty() => reason = error,
                Err(_) => {}
            }
        }
        let problem = self.problem(&INCLUDE, span, &format!("`{name}` cannot be read: {reason}"));
        let help = "`--include DIR` names a folder to look in; cc65's own files are in its folder `asminc`";
        Err(if name.ends_with(".inc") { Box::new(problem.help(help)) } else { problem })
    }

    /// A file to include, which is read once.
    fn included(&mut self, name: &str, span: Span) -> Outcome<FileId> {
        let mut folders = self.folders();
        let known = folders
            .iter()
            .enumerate()
            .find_map(|(at, folder)| self.files.get(&format!("{folder}{name}")).map(|file| (at, *file)));
        // One that lies further in comes first.
        folders.truncate(known.map_or(folders.len(), |(at, _)| at));
        let (name, bytes) = match (self.read_file(name, &folders, span), known) {
            (Err(_), Some((_, file))) => return Ok(file),
            (read, _) => read?,
        };
        let Ok(text) = String::from_utf8(bytes) else {
            return Err(self.problem(&INCLUDE, span, &format!("`{name}` is not text")));
        };
        if text.len() > gpuzoo_diag::MAX_SOURCE_BYTES {
            return Err(self.problem(&INCLUDE, span, "the file is larger than 64 MiB"));
        }
        let file = self.sources.add(&name, &text);
        self.files.insert(name, file);
        Ok(file)
    }

    fn count_text(&mut self, length: usize, span: Span) -> Outcome<()> {
        self.text = self.text.saturating_add(length);
        if self.text <= MAX_TEXT {
            return Ok(());
        }
        Err(self.problem(&TOO_MANY_LINES, span, "the files have more than 1 GiB altogether"))
    }

    fn assertion(&mut self) -> Outcome<()> {
        let (expr, span) = self.expression()?;
        let mut severity = Severity::Error;
        let mut message = "the assertion does not hold".to_owned();
        if self.accept(Mark::Comma) {
            let token = self.next();
            let action = match token.kind {
                Kind::Name(name) => self.text(name).to_ascii_lowercase(),
                Kind::Directive(Directive::Error) => "error".to_owned(),
                Kind::Directive(Directive::Warning) => "warning".to_owned(),
                _ => return Err(self.unexpected(token, "`error` or `warning`")),
            };
            severity = match action.as_str() {
                "error" | "lderror" => Severity::Error,
                "warning" | "ldwarning" => Severity::Warning,
                _ => return Err(self.unexpected(token, "`error` or `warning`")),
            };
            if self.accept(Mark::Comma) {
                message = self.string()?.0;
            }
        }
        self.assertions.push(Assertion { expr, span, context: self.context, message, severity });
        Ok(())
    }

    fn message(&mut self, directive: Directive, span: Span) -> Outcome<()> {
        let (text, _) = self.string()?;
        let problem = match directive {
            Directive::Error => Diagnostic::error(&FAILED, text),
            Directive::Warning => Diagnostic::warning(&WARNED, text),
            _ => Diagnostic::new(Severity::Note, &WARNED, text),
        };
        self.report(problem.label(span, ""));
        Ok(())
    }

    fn feature(&mut self) -> Outcome<()> {
        loop {
            let (name, span) = self.name("a feature")?;
            let word = self.text(name).to_ascii_lowercase();
            let on = match self.peek().kind {
                Kind::Mark(Mark::Minus) => {
                    self.next();
                    false
                }
                Kind::Mark(Mark::Plus) => {
                    self.next();
                    true
                }
                _ => true,
            };
            match word.as_str() {
                "c_comments" => self.dialect.c_comments = on,
                "string_escapes" => self.dialect.string_escapes = on,
                "underline_in_numbers" => self.dialect.underlines = on,
                "labels_without_colons" => self.labels_without_colons = on,
                "force_range" => self.force_range = on,
                // Always there.
                "pc_assignment" | "addrsize" => {}
                _ => {
                    let message = format!("the feature `{}` is not known and left out", &word);
                    let mut problem = Diagnostic::warning(&FEATURE, message).label(span, "");
                    if let Some(near) = suggest::nearest(&word, FEATURES.iter().copied()) {
                        problem = problem.help(format!("did you mean `{near}`?"));
                    }
                    self.report(problem);
                }
            }
            if !self.accept(Mark::Comma) {
                return Ok(());
            }
        }
    }
}

/// Whether a word of ca65's for the size of addresses is that of the zero page.
pub(crate) fn is_zero_page_size(word: &str) -> bool {
    matches!(word.to_ascii_lowercase().as_str(), "zp" | "zeropage" | "direct")
}

/// The end of a line without a value is reported at the directive's end.
fn span_of(mut token: crate::token::Token, span: Span) -> crate::token::Token {
    token.span = span.after();
    token
}
