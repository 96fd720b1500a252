//! Directives about names: scopes, enumerations, structures, imports and exports.

use crate::assembler::{Assembler, Block, Outcome};
use crate::expr::{Binary, Expr};
use crate::rules::{COUNT, DUPLICATE, TOO_DEEP, UNBALANCED};
use crate::symbols::Named;
use crate::symbols::{Owner, ScopeId};
use crate::token::{Kind, Mark, Name, Token};
use crate::words::Directive;
use gpuzoo_diag::Span;

/// The deepest scopes, and structures in structures.
const MAX_SCOPES: usize = 256;
const MAX_STRUCTURES: usize = 16;

impl Assembler<'_> {
    /// A new scope of a name, or of none.
    fn new_scope(&mut self, name: Option<(Name, Span)>, span: Span) -> Outcome<ScopeId> {
        if self.symbols.depth(self.symbols.scope) >= MAX_SCOPES {
            return Err(self.problem(&TOO_DEEP, span, "scopes are nested too deeply"));
        }
        match self.symbols.new_scope(name.map(|(name, _)| name)) {
            Some(scope) => {
                name.into_iter().for_each(|(_, at)| self.note(Named::Scope(scope), at));
                Ok(scope)
            }
            None => Err(self.problem(
                &DUPLICATE,
                name.map_or(span, |(_, at)| at),
                "there is a scope of this name already",
            )),
        }
    }

    /// `.proc name` and `.scope name`
    pub fn open_block(&mut self, directive: Directive, span: Span) -> Outcome<()> {
        let is_procedure = directive == Directive::Proc;
        let name = match self.peek().kind {
            Kind::End if !is_procedure => None,
            _ => Some(self.name("a name")?),
        };
        if self.accept(Mark::Colon) {
            self.name("an address size")?;
        }
        let here = self.sections.here();
        let mut failed = None;
        if let Some((name, at)) = name.filter(|_| is_procedure) {
            let owner = Owner::Scope(self.symbols.scope);
            failed = self.define(owner, name, at, here.clone(), true).err();
        }
        let outer = self.symbols.scope;
        // A block whose name is taken is still a block, so that its end has its beginning.
        let scope = match self.new_scope(name, span) {
            Ok(scope) => scope,
            Err(problem) if problem.code == &DUPLICATE => {
                failed.get_or_insert(problem);
                self.new_scope(None, span)?
            }
            Err(problem) => return Err(problem),
        };
        self.symbols.scope = scope;
        let end = if is_procedure { Directive::Endproc } else { Directive::Endscope };
        self.blocks.push(Block { span, end, scope, outer, start: here });
        failed.map_or(Ok(()), Err)
    }

    pub fn close_block(&mut self, directive: Directive, span: Span) -> Outcome<()> {
        match self.blocks.last() {
            Some(block) if block.end == directive => {}
            Some(block) => {
                let message = format!("`{}` where `{}` is needed", directive.word(), block.end.word());
                let problem = self.problem(&UNBALANCED, span, &message);
                return Err(Box::new(problem.label(block.span, "of this block")));
            }
            None => {
                let message = format!("`{}` without its beginning", directive.word());
                return Err(self.problem(&UNBALANCED, span, &message));
            }
        }
        if let Some(block) = self.blocks.pop() {
            let size = Expr::binary(Binary::Subtract, self.sections.here(), block.start);
            self.symbols.set_size(block.scope, size);
            self.symbols.scope = block.outer;
        }
        Ok(())
    }

    /// Reads the next line of a block that has no code. As in ca65, it may have conditions and macros. False at the end of
    /// everything.
    fn block_line(&mut self) -> bool {
        while self.next_line() {
            self.context = self.frames.last().map_or(0, |frame| frame.context);
            let outcome = match self.is_active() {
                true => self.expand_line().and_then(|()| self.block_statement()),
                false => self.skipped_line().map(|()| true),
            };
            match outcome {
                Ok(true) => {}
                Ok(false) => return true,
                Err(problem) => self.report(*problem),
            }
        }
        false
    }

    /// Follows a condition or a macro in a block that has no code; false for other lines.
    fn block_statement(&mut self) -> Outcome<bool> {
        let token = self.peek();
        match token.kind {
            Kind::End => Ok(true),
            Kind::Directive(directive) if directive.is_condition() => {
                self.next();
                self.condition(directive, token.span).map(|()| true)
            }
            Kind::Name(name) if self.macros.contains_key(&name) => self.call_macro(name).map(|()| true),
            _ => Ok(false),
        }
    }

    /// Reads a block that has no code, and goes on behind it.
    fn block(&mut self, end: Directive, span: Span, read: impl FnOnce(&mut Self) -> bool) -> Outcome<()> {
        let context = self.context;
        let line = std::mem::take(&mut self.line);
        let is_closed = read(self);
        let rest = self.end_of_line();
        self.line = line;
        self.at = self.line.len().saturating_sub(1);
        self.context = context;
        if !is_closed {
            return Err(self.problem(&UNBALANCED, span, &format!("there is no `{}`", end.word())));
        }
        rest
    }

    /// `.enum name`: names that count up, each a number more than the one before.
    pub fn enumeration(&mut self, span: Span) -> Outcome<()> {
        let name = match self.peek().kind {
            Kind::End => None,
            _ => Some(self.name("a name")?),
        };
        self.end_of_line()?;
        let outer = self.symbols.scope;
        let scope = match name {
            Some(_) => self.new_scope(name, span)?,
            None => outer,
        };
        // Values may use the names before them.
        self.symbols.scope = scope;
        let mut next = Expr::Number(0);
        let outcome = self.block(Directive::Endenum, span, |this| {
            while this.block_line() {
                if this.peek().kind == Kind::Directive(Directive::Endenum) {
                    this.next();
                    return true;
                }
                if let Err(problem) = this.enumerated(&mut next) {
                    this.report(*problem);
                }
            }
            false
        });
        self.symbols.scope = outer;
        outcome
    }

    /// A name of an enumeration, with the value of the next one.
    fn enumerated(&mut self, next: &mut Expr) -> Outcome<()> {
        let (name, at) = self.name("a name")?;
        if self.accept(Mark::Equal) || self.accept(Mark::Assign) {
            *next = self.expression()?.0;
        }
        let value = next.clone();
        // One sum for each name, of the expression that the list begins with: it may have a value only later.
        let sum = match &value {
            Expr::Binary(Binary::Add, both) => match both.1 {
                Expr::Number(number) => number.checked_add(1).map(|number| (both.0.clone(), number)),
                _ => None,
            },
            _ => None,
        };
        let (first, number) = sum.unwrap_or_else(|| (value.clone(), 1));
        *next = Expr::binary(Binary::Add, first, Expr::Number(number));
        self.end_of_line()?;
        self.define(Owner::Scope(self.symbols.scope), name, at, value, false).map(|_| ())
    }

    /// `.struct name` and `.union name`: names of offsets.
    pub fn structure(&mut self, directive: Directive, span: Span) -> Outcome<()> {
        let name = match self.peek().kind {
            Kind::End => None,
            _ => Some(self.name("a name")?),
        };
        self.end_of_line()?;
        let outer = self.symbols.scope;
        let scope = match name {
            Some(_) => self.new_scope(name, span)?,
            None => outer,
        };
        self.symbols.scope = scope;
        let mut size = 0;
        let outcome = self.block(end_of(directive), span, |this| {
            let read = this.members(directive, 0, 0);
            size = read.unwrap_or(0);
            read.is_some()
        });
        self.symbols.scope = outer;
        if scope != outer {
            self.symbols.set_size(scope, Expr::Number(size));
        }
        outcome
    }

    /// The members of a structure or union from an offset on; returns how many bytes they need, or nothing if it has no end.
    fn members(&mut self, kind: Directive, start: i64, depth: usize) -> Option<i64> {
        let is_union = kind == Directive::Union;
        let (mut at, mut size) = (start, 0);
        while self.block_line() {
            match self.member(kind, at, depth) {
                Ok(Member::End) => return Some(size),
                // As in ca65, the size stays what the members need.
                Ok(Member::Origin(origin)) => at = origin,
                Ok(Member::Bytes(bytes)) => {
                    // Structures of structures double; what is too large is reported where it is reserved.
                    size = if is_union { size.max(bytes) } else { size.saturating_add(bytes) };
                    at = at.saturating_add(if is_union { 0 } else { bytes });
                }
                Err(problem) => self.report(*problem),
            }
        }
        None
    }

    fn member(&mut self, kind: Directive, at: i64, depth: usize) -> Outcome<Member> {
        let mut member = None;
        if let Kind::Name(name) = self.peek().kind {
            let span = self.next().span;
            member =
                Some(self.define(Owner::Scope(self.symbols.scope), name, span, Expr::Number(at), false)?);
        }
        let token = self.next();
        let bytes = match token.kind {
            Kind::Directive(Directive::Byte) => self.counted(1)?,
            Kind::Directive(Directive::Word | Directive::Addr | Directive::Dbyt) => self.counted(2)?,
            Kind::Directive(Directive::Faraddr) => self.counted(3)?,
            Kind::Directive(Directive::Dword) => self.counted(4)?,
            Kind::Directive(Directive::Res) => self.counted(1)?,
            Kind::Directive(Directive::Tag) => self.size_of_scope()?.0,
            Kind::Directive(Directive::Org) => {
                let (origin, _) = self.constant()?;
                return Ok(Member::Origin(origin.clamp(0, 0xffff)));
            }
            Kind::Directive(inner @ (Directive::Struct | Directive::Union)) => {
                if depth >= MAX_STRUCTURES {
                    return Err(self.problem(&TOO_DEEP, token.span, "structures are nested too deeply"));
                }
                let outer = self.symbols.scope;
                let mut start = at;
                if let Kind::Name(name) = self.peek().kind {
                    let span = self.next().span;
                    self.symbols.scope = self.new_scope(Some((name, span)), span)?;
                    // As in ca65, offsets in a scope of its own begin there.
                    start = 0;
                }
                self.end_of_line()?;
                let size = self.members(inner, start, depth + 1).unwrap_or(0);
                if self.symbols.scope != outer {
                    self.symbols.set_size(self.symbols.scope, Expr::Number(size));
                }
                self.symbols.scope = outer;
                self.end_of_line()?;
                return Ok(Member::Bytes(size));
            }
            Kind::Directive(end) if end == end_of(kind) && member.is_none() => return Ok(Member::End),
            _ => return Err(self.unexpected(token, "a member such as `.byte` or `.word`")),
        };
        self.end_of_line()?;
        if let Some(member) = member {
            self.symbols.get_mut(member).size = Some(bytes);
        }
        Ok(Member::Bytes(bytes))
    }

    /// The bytes of `.word` or of `.word 3`.
    fn counted(&mut self, unit: i64) -> Outcome<i64> {
        if self.peek().kind == Kind::End {
            return Ok(unit);
        }
        let (count, at) = self.constant()?;
        if !(0..=0xff_ffff).contains(&count) {
            return Err(self.problem(&COUNT, at, &format!("{count} members are not possible")));
        }
        Ok(count * unit)
    }

    /// `.tag name` in a segment: room for a structure.
    pub fn tag(&mut self, span: Span) -> Outcome<()> {
        let (size, at) = self.size_of_scope()?;
        match usize::try_from(size) {
            Ok(size) if self.sections.reserve(size, 0) => Ok(()),
            Ok(_) => Err(self.too_long(span)),
            Err(_) => Err(self.problem(&COUNT, at, "the structure has no size")),
        }
    }

    /// The size of a scope, or of a structure's member, whose name is read.
    pub fn size_of_scope(&mut self) -> Outcome<(i64, Span)> {
        let (outer, name, span) = self.path()?;
        let scope = match outer {
            None => self.symbols.scope_from(self.symbols.scope, name),
            Some(outer) => self.symbols.child(outer, name),
        };
        let size = scope.and_then(|scope| self.symbols.scope(scope).size.clone());
        let member = || {
            let owner = outer.unwrap_or(self.symbols.scope);
            let symbol = self.symbols.find(Owner::Scope(owner), name)?;
            self.symbols.get(symbol).size.map(Expr::Number)
        };
        let size = size.or_else(member);
        let value = size.map(|size| self.value(&size));
        match value {
            Some(crate::expr::Value::Number(size)) => Ok((size, span)),
            _ => {
                let message = format!("the size of `{}` is not known", self.text(name));
                Err(self.problem(&crate::rules::NOT_CONSTANT, span, &message))
            }
        }
    }

    /// `.export`, `.import`, `.global` and their zero-page forms.
    pub fn exchange(&mut self, directive: Directive) -> Outcome<()> {
        use Directive::{Export, ExportZp, ForceImport, Global, GlobalZp, Import, ImportZp};
        loop {
            let first: Token = self.peek();
            let (name, span) = self.name("a name")?;
            let symbol = self.symbols.entry(Owner::Scope(self.symbols.scope), name, span, self.context);
            self.note(Named::Symbol(symbol), span);
            let mut is_zp = matches!(directive, ExportZp | ImportZp | GlobalZp);
            if self.accept(Mark::Colon) {
                let (size, _) = self.name("an address size")?;
                is_zp |= crate::data::is_zero_page_size(self.text(size));
            }
            // `.export name = value`
            if matches!(directive, Export | ExportZp)
                && matches!(self.peek().kind, Kind::Mark(Mark::Equal | Mark::Assign))
            {
                let is_label = self.next().is(Mark::Assign);
                let (value, _) = self.expression()?;
                self.define(Owner::Scope(self.symbols.scope), name, first.span, value, is_label)?;
            }
            self.symbols.get_mut(symbol).is_zp |= is_zp;
            match directive {
                Import | ImportZp => self.symbols.get_mut(symbol).import = Some(span),
                ForceImport => {
                    let entry = self.symbols.get_mut(symbol);
                    (entry.import, entry.is_used) = (Some(span), true);
                }
                Export | ExportZp => self.exports.push((symbol, span)),
                Global | GlobalZp => self.symbols.get_mut(symbol).global = Some(span),
                _ => {}
            }
            if !self.accept(Mark::Comma) {
                return Ok(());
            }
        }
    }
}

enum Member {
    Bytes(i64),
    Origin(i64),
    End,
}

fn end_of(directive: Directive) -> Directive {
    if directive == Directive::Union { Directive::Endunion } else { Directive::Endstruct }
}
