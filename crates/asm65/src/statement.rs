//! Statements: labels, assignments, instructions.

use crate::assembler::{Assembler, Field, Fixup, Outcome, Reserving};
use crate::expr::Sym;
use crate::expr::{Expr, Size, Value};
use crate::rules::{
    ADDRESSING_MODE, BRANCH, CIRCULAR, CPU, DIVISION, DUPLICATE, NOT_CONSTANT, RANGE, TOO_LONG,
    UNKNOWN_DIRECTIVE, UNKNOWN_INSTRUCTION,
};
use crate::section::Class;
use crate::symbols::Named;
use crate::symbols::Owner;
use crate::token::{Forms, Kind, MNEMONICS, Mark, Mnemonic, Name, Token};
use crate::words::{DIRECTIVES, Directive};
use gpuzoo_65c02::Mode;
use gpuzoo_diag::{Diagnostic, Span, suggest};

/// Instructions that only the 65816 has.
const OF_65816: [&str; 31] = [
    "brl", "cop", "jml", "jsl", "mvn", "mvp", "pea", "pei", "per", "phb", "phd", "phk", "plb", "pld", "rep",
    "rtl", "sep", "tcd", "tcs", "tdc", "tsc", "txy", "tyx", "wdm", "xba", "xce", "swa", "tad", "tas", "tda",
    "tsa",
];

/// An operand as it is written.
enum Operand {
    None,
    Accumulator,
    Immediate(Expr, Span),
    /// With the modes for a short and a long address.
    Address(Expr, Span, Mode, Option<Mode>),
    /// Of `bbr` and `bbs`.
    Two(Expr, Span, Expr, Span),
}

impl Assembler<'_> {
    /// The line that was read.
    pub fn statement(&mut self) -> Outcome<()> {
        loop {
            let token = self.peek();
            match token.kind {
                Kind::End => return Ok(()),
                Kind::Mark(Mark::Colon) => {
                    self.next();
                    let here = self.sections.here();
                    self.unnamed.push(here);
                }
                Kind::Name(name) => {
                    let defines =
                        matches!(self.peek_second(), Kind::Mark(Mark::Colon | Mark::Assign | Mark::Equal));
                    if !defines && self.macros.contains_key(&name) {
                        return self.call_macro(name);
                    }
                    if let Some(mnemonic) = self.names.mnemonic(name) {
                        self.next();
                        self.instruction(mnemonic, token.span)?;
                        return self.end_of_line();
                    }
                    if self.definition(token)? {
                        return self.end_of_line();
                    }
                }
                Kind::Cheap(_) | Kind::Mark(Mark::Scope) => {
                    if self.definition(token)? {
                        return self.end_of_line();
                    }
                }
                Kind::Directive(directive) => {
                    self.next();
                    self.directive(directive, token.span)?;
                    return self.end_of_line();
                }
                Kind::Unknown(name) => return Err(self.unknown_directive(name, token.span)),
                Kind::Mark(Mark::Star) if self.peek_second() == Kind::Mark(Mark::Equal) => {
                    self.next();
                    self.next();
                    self.set_address()?;
                    return self.end_of_line();
                }
                Kind::Register(_) | Kind::Prefix(_) => {
                    let problem = self.unexpected(token, "an instruction, a directive or a label");
                    return Err(Box::new(
                        problem.help("`a`, `x`, `y` and `z:` are reserved and name no label"),
                    ));
                }
                _ => return Err(self.unexpected(token, "an instruction, a directive or a label")),
            }
        }
    }

    pub fn unknown_directive(&self, name: Name, span: Span) -> Box<Diagnostic> {
        let word = self.text(name);
        let mut problem = *self.problem(&UNKNOWN_DIRECTIVE, span, &format!("unknown directive `{}`", word));
        if let Some(near) = suggest::nearest(word, DIRECTIVES.iter().map(|(word, _)| *word)) {
            problem = problem.help(format!("did you mean `{near}`?"));
        }
        Box::new(problem)
    }

    /// `name:`, `name = value`, `name := value`, `name .set value`. True if the line must end behind it.
    fn definition(&mut self, first: Token) -> Outcome<bool> {
        let is_plain = matches!(first.kind, Kind::Name(_)) && self.peek_second() != Kind::Mark(Mark::Scope);
        let (owner, name, span) = match first.kind {
            Kind::Cheap(name) => {
                self.next();
                (self.cheap_owner(), name, first.span)
            }
            _ => {
                let (scope, name, span) = self.path()?;
                (Owner::Scope(scope.unwrap_or(self.symbols.scope)), name, span)
            }
        };
        let after = self.peek();
        match after.kind {
            Kind::Mark(Mark::Colon) => {
                self.next();
            }
            Kind::Mark(Mark::Equal | Mark::Assign) => {
                self.next();
                let (expr, _) = self.expression()?;
                self.define(owner, name, span, expr, after.is(Mark::Assign))?;
                return Ok(true);
            }
            Kind::Directive(Directive::Set) => {
                self.next();
                let (expr, at) = self.expression()?;
                let value = match self.value(&self.with_predefined(expr)) {
                    Value::Number(number) => Expr::Number(number),
                    Value::Place(piece, offset) => Expr::Place(piece, offset),
                    _ => return Err(self.problem(&NOT_CONSTANT, at, "this value is not known yet")),
                };
                let symbol = self.symbols.entry(owner, name, span, self.context);
                self.note(Named::Symbol(symbol), span);
                let is_fresh = self.symbols.definition(symbol).is_none();
                if !is_fresh && !self.symbols.get(symbol).is_variable {
                    return Err(self.duplicate(symbol, span));
                }
                let entry = self.symbols.get_mut(symbol);
                entry.is_variable = true;
                entry.is_own = true;
                self.symbols.define(symbol, value);
                self.ends_locals(owner, symbol);
                return Ok(true);
            }
            _ if is_plain && (!self.labels_without_colons || first.blank) => {
                return Err(self.unknown_instruction(name, span, after));
            }
            _ if !is_plain && !matches!(first.kind, Kind::Cheap(_)) => {
                return Err(self.unexpected(after, "`:` or `=`"));
            }
            _ if !self.labels_without_colons => return Err(self.unexpected(after, "`:` behind the label")),
            _ => {}
        }
        let here = self.sections.here();
        self.define(owner, name, span, here, true)?;
        Ok(false)
    }

    fn unknown_instruction(&self, name: Name, span: Span, after: Token) -> Box<Diagnostic> {
        let word = self.text(name);
        if OF_65816.iter().any(|own| own.eq_ignore_ascii_case(word)) {
            let message = format!("`{word}` is an instruction of the 65816, and only the 65C02 is supported");
            return self.problem(&CPU, span, &message);
        }
        let mut problem =
            *self.problem(&UNKNOWN_INSTRUCTION, span, &format!("unknown instruction `{}`", word));
        let macros = self.macros.keys().take(1000).map(|&name| self.text(name));
        let near = suggest::nearest(word, MNEMONICS.iter().map(|forms| forms.name).chain(macros));
        let is_operand = after.kind == Kind::End;
        if let Some(near) = near.filter(|near| !is_operand || near.len() == word.len()) {
            problem = problem.help(format!("did you mean `{near}`?"));
        }
        Box::new(
            problem
                .help("a label needs a colon, a constant an equals sign, and a macro comes before its use"),
        )
    }

    fn duplicate(&self, symbol: Sym, span: Span) -> Box<Diagnostic> {
        let entry = self.symbols.get(symbol);
        let message = format!("`{}` is defined already", self.text(entry.name));
        Box::new(self.problem(&DUPLICATE, span, &message).label(entry.span, "here"))
    }

    /// Gives a name its meaning.
    pub fn define(
        &mut self,
        owner: Owner,
        name: Name,
        span: Span,
        value: Expr,
        is_label: bool,
    ) -> Outcome<Sym> {
        let value = match value {
            Expr::Unary(..) | Expr::Binary(..) | Expr::Symbol(_) => match self.value(&value) {
                Value::Number(number) => Expr::Number(number),
                _ => value,
            },
            known => known,
        };
        let symbol = self.symbols.entry(owner, name, span, self.context);
        self.note(Named::Symbol(symbol), span);
        if self.symbols.definition(symbol).is_some() {
            self.ends_locals(owner, symbol);
            return Err(self.duplicate(symbol, span));
        }
        let context = self.context;
        let entry = self.symbols.get_mut(symbol);
        entry.is_label = is_label;
        entry.is_own = true;
        entry.span = span;
        entry.context = context;
        self.symbols.define(symbol, value);
        self.ends_locals(owner, symbol);
        Ok(symbol)
    }

    /// Every definition but that of a cheap local begins new ones.
    fn ends_locals(&mut self, owner: Owner, symbol: Sym) {
        if matches!(owner, Owner::Scope(_)) {
            self.symbols.last_label = Some(symbol);
        }
    }

    fn instruction(&mut self, mnemonic: Mnemonic, span: Span) -> Outcome<()> {
        let Some(forms) = MNEMONICS.get(usize::from(mnemonic.0)) else { return Ok(()) };
        let prefix = match self.peek().kind {
            Kind::Prefix(letter) => {
                self.next();
                Some(letter)
            }
            _ => None,
        };
        let operand = self.operand(forms)?;
        let whole = span.to(self
            .line
            .get(self.at.wrapping_sub(1))
            .map_or(span, |last| if last.span.file == span.file { last.span } else { span }));
        match operand {
            Operand::None | Operand::Accumulator => {
                let accumulator = forms.code(Mode::Accumulator);
                let implied = forms.code(Mode::Implied).filter(|_| matches!(operand, Operand::None));
                let Some(code) = implied.or(accumulator) else { return Err(self.no_mode(forms, whole)) };
                self.emit(&[code], span)
            }
            Operand::Immediate(expr, at) => {
                let Some(code) = forms.code(Mode::Immediate) else { return Err(self.no_mode(forms, whole)) };
                self.emit(&[code], span)?;
                self.store(Field::Byte, expr, at)
            }
            Operand::Two(first, first_at, second, second_at) => {
                let Some(code) = forms.code(Mode::ZpRelative) else { return Err(self.no_mode(forms, whole)) };
                self.emit(&[code], span)?;
                self.store(Field::Byte, first, first_at)?;
                self.store(Field::Branch, second, second_at)
            }
            Operand::Address(expr, at, Mode::Relative, _) => {
                let Some(code) = forms.code(Mode::Relative) else { return Err(self.no_mode(forms, whole)) };
                self.emit(&[code], span)?;
                self.store(Field::Branch, expr, at)
            }
            Operand::Address(expr, at, short, long) => {
                let short = forms.code(short).filter(|_| prefix != Some(b'a'));
                let long = long.and_then(|mode| forms.code(mode)).filter(|_| prefix != Some(b'z'));
                self.addressed(forms, (expr, at), short, long, (span, whole))
            }
        }
    }

    /// An instruction with an address in one byte or in two.
    fn addressed(
        &mut self,
        forms: &Forms,
        (expr, at): (Expr, Span),
        short: Option<u8>,
        long: Option<u8>,
        (span, whole): (Span, Span),
    ) -> Outcome<()> {
        let (code, field) = match (short, long) {
            (None, None) => return Err(self.no_mode(forms, whole)),
            (None, Some(long)) => (long, Field::Word),
            (Some(short), None) => {
                if self.size(&expr) == Size::Abs && !matches!(self.value(&expr), Value::Number(_)) {
                    let problem = self.no_mode(forms, whole);
                    return Err(Box::new(problem.note("this operand is not known to lie in the zero page")));
                }
                (short, Field::Byte)
            }
            (Some(short), Some(long)) => match self.size(&expr) {
                Size::Zp => (short, Field::Byte),
                Size::Abs => (long, Field::Word),
                Size::Unknown => {
                    self.guess(&expr, at);
                    (long, Field::Word)
                }
            },
        };
        self.emit(&[code], span)?;
        self.store(field, expr, at)
    }

    /// Remembers that a name was taken for a 16-bit address.
    fn guess(&mut self, expr: &Expr, at: Span) {
        if let Expr::Symbol(symbol) = *expr {
            let context = self.context;
            self.symbols.get_mut(symbol).guessed.get_or_insert((at, context));
        }
    }

    fn no_mode(&self, forms: &Forms, span: Span) -> Box<Diagnostic> {
        let shapes: Vec<String> = forms.modes().map(|mode| shape(forms.name, mode)).collect();
        let message = format!("`{}` has no such addressing mode", forms.name);
        Box::new(self.problem(&ADDRESSING_MODE, span, &message).help(format!("it has {}", shapes.join(", "))))
    }

    fn operand(&mut self, forms: &Forms) -> Outcome<Operand> {
        let token = self.peek();
        match token.kind {
            Kind::End => Ok(Operand::None),
            _ if forms.modes().all(|mode| mode == Mode::Implied) => {
                Err(self.unexpected(token, "the end of the line"))
            }
            Kind::Mark(Mark::Hash) => {
                self.next();
                let (expr, span) = self.expression()?;
                Ok(Operand::Immediate(expr, span))
            }
            Kind::Register(b'a') => {
                self.next();
                Ok(Operand::Accumulator)
            }
            Kind::Mark(Mark::Open) => {
                self.next();
                let (expr, span) = self.expression()?;
                if self.accept(Mark::Comma) {
                    self.register(b'x')?;
                    self.expect(Mark::Close, "`)`")?;
                    return Ok(Operand::Address(expr, span, Mode::ZpXIndirect, Some(Mode::AbsXIndirect)));
                }
                self.expect(Mark::Close, "`)`")?;
                if self.accept(Mark::Comma) {
                    self.register(b'y')?;
                    return Ok(Operand::Address(expr, span, Mode::ZpIndirectY, None));
                }
                Ok(Operand::Address(expr, span, Mode::ZpIndirect, Some(Mode::AbsIndirect)))
            }
            _ => {
                let (expr, span) = self.expression()?;
                if forms.code(Mode::Relative).is_some() {
                    return Ok(Operand::Address(expr, span, Mode::Relative, None));
                }
                if !self.accept(Mark::Comma) {
                    return Ok(Operand::Address(expr, span, Mode::Zp, Some(Mode::Abs)));
                }
                if forms.code(Mode::ZpRelative).is_some() {
                    let (target, target_span) = self.expression()?;
                    return Ok(Operand::Two(expr, span, target, target_span));
                }
                let token = self.next();
                match token.kind {
                    Kind::Register(b'x') => Ok(Operand::Address(expr, span, Mode::ZpX, Some(Mode::AbsX))),
                    Kind::Register(b'y') => Ok(Operand::Address(expr, span, Mode::ZpY, Some(Mode::AbsY))),
                    _ => Err(self.unexpected(token, "`x` or `y`")),
                }
            }
        }
    }

    fn register(&mut self, letter: u8) -> Outcome<()> {
        let token = self.next();
        if token.kind == Kind::Register(letter) {
            return Ok(());
        }
        Err(self.unexpected(token, if letter == b'x' { "`x`" } else { "`y`" }))
    }

    /// Adds bytes to the present segment.
    pub fn emit(&mut self, bytes: &[u8], span: Span) -> Outcome<()> {
        if matches!(self.sections.segment().class, Class::ZeroPage | Class::Bss) {
            // As cc65's linker has it: zeros take their room, and others are warned of when they are known.
            let (piece, offset) = self.sections.end();
            self.reserving.push(Reserving {
                piece,
                offset,
                length: bytes.len(),
                span,
                context: self.context,
            });
        }
        if self.sections.emit(bytes) { Ok(()) } else { Err(self.too_long(span)) }
    }

    pub fn too_long(&self, span: Span) -> Box<Diagnostic> {
        self.problem(&TOO_LONG, span, "the program does not fit: here it goes beyond $FFFF or 65,536 bytes")
    }

    /// Adds a value, now or when it is known.
    pub fn store(&mut self, field: Field, expr: Expr, span: Span) -> Outcome<()> {
        let bytes: &[u8] = match field {
            Field::Byte | Field::Branch => &[0],
            Field::Word | Field::BigWord => &[0; 2],
            Field::Far => &[0; 3],
            Field::Long => &[0; 4],
        };
        let (piece, offset) = self.sections.end();
        if let Expr::Number(number) = expr
            && field != Field::Branch
        {
            // The bytes are there even if they are wrong, so that what follows keeps its place.
            let encoded = self.encode(field, number, span);
            let (bytes, length) = *encoded.as_ref().unwrap_or(&([0; 4], bytes.len()));
            self.emit(bytes.get(..length).unwrap_or(&[]), span)?;
            return encoded.map(|_| ());
        }
        self.emit(bytes, span)?;
        let fixup = Fixup { piece, offset, field, expr, span, context: self.context };
        let is_near = matches!(fixup.expr, Expr::Place(target, _) if target == piece);
        if field == Field::Branch && is_near {
            return self.resolve(&fixup, self.value(&fixup.expr), Value::Place(piece, offset as i64 + 1));
        }
        self.fixups.push(fixup);
        Ok(())
    }

    /// Puts a value into its place. `next` is the place of the next instruction.
    pub fn resolve(&mut self, fixup: &Fixup, value: Value, next: Value) -> Outcome<()> {
        let number = match (value, next) {
            (Value::DivisionByZero, _) => {
                return Err(self.problem(&DIVISION, fixup.span, "the divisor is 0"));
            }
            (Value::Circular, _) => {
                return Err(self.problem(&CIRCULAR, fixup.span, "the value needs itself"));
            }
            (Value::Number(target), Value::Number(next)) if fixup.field == Field::Branch => {
                target.saturating_sub(next)
            }
            (Value::Place(_, target), Value::Place(_, next)) if fixup.field == Field::Branch => {
                target.saturating_sub(next)
            }
            (Value::Number(number), _) => number,
            _ => return Ok(()),
        };
        let (bytes, length) = self.encode(fixup.field, number, fixup.span)?;
        for (index, byte) in bytes.iter().take(length).enumerate() {
            if let Some(place) = self.sections.byte_mut(fixup.piece, fixup.offset + index) {
                *place = *byte;
            }
        }
        Ok(())
    }

    fn encode(&self, field: Field, value: i64, span: Span) -> Outcome<([u8; 4], usize)> {
        let [a, b, c, d, ..] = value.to_le_bytes();
        if self.force_range && field != Field::Branch {
            return Ok(match field {
                Field::Byte => ([a, 0, 0, 0], 1),
                Field::Word => ([a, b, 0, 0], 2),
                Field::BigWord => ([b, a, 0, 0], 2),
                Field::Far => ([a, b, c, 0], 3),
                _ => ([a, b, c, d], 4),
            });
        }
        let limit = |range: std::ops::RangeInclusive<i64>, bytes: [u8; 4], length| {
            if range.contains(&value) { Ok((bytes, length)) } else { Err(()) }
        };
        let outcome = match field {
            Field::Byte => limit(0..=0xff, [a, 0, 0, 0], 1),
            Field::Word => limit(0..=0xffff, [a, b, 0, 0], 2),
            Field::BigWord => limit(0..=0xffff, [b, a, 0, 0], 2),
            Field::Far => limit(0..=0xff_ffff, [a, b, c, 0], 3),
            Field::Long => limit(0..=0xffff_ffff, [a, b, c, d], 4),
            Field::Branch => limit(-128..=127, [a, 0, 0, 0], 1),
        };
        outcome.map_err(|()| match field {
            Field::Branch => Box::new(
                self.problem(
                    &BRANCH,
                    span,
                    &format!("the target is {value} bytes away, {} too far", excess(value)),
                )
                .help("a branch reaches -128 to 127 bytes from the next instruction; branch over a `jmp`"),
            ),
            Field::Byte => {
                let problem = self.problem(&RANGE, span, &format!("{value} does not fit into a byte"));
                Box::new(problem.help("`<` takes the low byte and `>` the high byte of a value"))
            }
            Field::Far => self.problem(&RANGE, span, &format!("{value} does not fit into three bytes")),
            Field::Long => self.problem(&RANGE, span, &format!("{value} does not fit into four bytes")),
            _ => self.problem(&RANGE, span, &format!("{value} does not fit into a word, 0 to 65535")),
        })
    }
}

fn excess(distance: i64) -> i64 {
    if distance < 0 { -128 - distance } else { distance - 127 }
}

/// How an instruction of a mode is written.
fn shape(name: &str, mode: Mode) -> String {
    let operand = match mode {
        Mode::Implied => return format!("`{name}`"),
        Mode::Accumulator => "a",
        Mode::Immediate => "#byte",
        Mode::Zp => "zp",
        Mode::ZpX => "zp,x",
        Mode::ZpY => "zp,y",
        Mode::ZpIndirect => "(zp)",
        Mode::ZpXIndirect => "(zp,x)",
        Mode::ZpIndirectY => "(zp),y",
        Mode::Abs => "address",
        Mode::AbsX => "address,x",
        Mode::AbsY => "address,y",
        Mode::AbsIndirect => "(address)",
        Mode::AbsXIndirect => "(address,x)",
        Mode::Relative => "target",
        Mode::ZpRelative => "zp,target",
    };
    format!("`{name} {operand}`")
}
