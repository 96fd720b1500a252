//! Conditions, macros, repetitions and `.define`.

use crate::assembler::{Assembler, Condition, Outcome};
use crate::input::{self, Define, Macro, Origin};
use crate::rules::{MACRO, TOO_DEEP, TOO_MANY_LINES, UNBALANCED};
use crate::token::{Kind, Mark, Name, Token};
use crate::uses::Named;
use crate::words::Directive;
use gpuzoo_diag::{Span, counted};
use hashbrown::HashMap;
use std::rc::Rc;

/// The most open conditions.
const MAX_CONDITIONS: usize = 256;
/// The most rounds of a repetition.
const MAX_ROUNDS: i64 = 1 << 16;
/// The most parameters of a macro.
const MAX_PARAMETERS: usize = 64;

impl Assembler<'_> {
    /// A line that does not count: only conditions are followed.
    pub fn skipped_line(&mut self) -> Outcome<()> {
        use Directive::{Else, Elseif, Endif, If, Ifblank, Ifconst, Ifdef, Ifnblank, Ifndef, Ifnref, Ifref};
        let token = self.peek();
        let Kind::Directive(directive) = token.kind else { return Ok(()) };
        match directive {
            If | Ifdef | Ifndef | Ifblank | Ifnblank | Ifconst | Ifref | Ifnref => {
                self.open_condition(token.span, None)
            }
            Else | Elseif | Endif => {
                self.next();
                // `.define`s count in `.elseif`, as in other lines.
                if directive == Elseif {
                    self.expand_defines()?;
                }
                self.condition(directive, token.span)
            }
            _ => Ok(()),
        }
    }

    /// Opens a condition; `None` if the text around does not count.
    fn open_condition(&mut self, span: Span, holds: Option<bool>) -> Outcome<()> {
        if self.conditions.len() >= MAX_CONDITIONS {
            return Err(self.problem(&TOO_DEEP, span, "conditions are nested too deeply"));
        }
        let active = holds == Some(true);
        self.conditions.push(Condition { span, active, taken: holds != Some(false), is_else: false });
        Ok(())
    }

    pub fn condition(&mut self, directive: Directive, span: Span) -> Outcome<()> {
        use Directive::{Else, Elseif, Endif};
        if !matches!(directive, Else | Elseif | Endif) {
            let holds = self.test(directive);
            // A condition that cannot be read holds neither way; what it encloses is left out.
            let known = holds.as_ref().ok().copied();
            self.open_condition(span, known)?;
            return holds.map(|_| ());
        }
        let opened = self.frames.last().map_or(0, |frame| frame.conditions);
        let word = directive.word();
        if self.conditions.len() <= opened {
            return Err(self.problem(&UNBALANCED, span, &format!("`{word}` without `.if`")));
        }
        if directive == Endif {
            self.conditions.pop();
            return self.end_of_line();
        }
        let Some(condition) = self.conditions.last_mut() else { return Ok(()) };
        if condition.is_else {
            let open = condition.span;
            let problem = self.problem(&UNBALANCED, span, &format!("`{word}` behind `.else`"));
            return Err(Box::new(problem.label(open, "of this condition")));
        }
        condition.is_else = directive == Else;
        condition.active = !condition.taken;
        if condition.taken {
            // What an `.elseif` that does not count asks is not looked at.
            self.at = self.line.len().saturating_sub(1);
            return Ok(());
        }
        condition.taken = true;
        if directive == Else {
            return self.end_of_line();
        }
        let holds = self.test(Directive::If);
        if let Some(condition) = self.conditions.last_mut() {
            condition.active = holds.as_ref().is_ok_and(|&holds| holds);
            condition.taken = condition.active || holds.is_err();
        }
        holds.map(|_| ())
    }

    /// Whether the rest of the line holds.
    fn test(&mut self, directive: Directive) -> Outcome<bool> {
        let holds = match directive {
            Directive::Ifdef => self.is_defined()?,
            Directive::Ifndef => !self.is_defined()?,
            Directive::Ifref => self.is_referenced()?,
            Directive::Ifnref => !self.is_referenced()?,
            Directive::Ifblank | Directive::Ifnblank => {
                let rest = self.line.get(self.at..).unwrap_or(&[]);
                let is_brace = |token: &Token| {
                    token.is(Mark::OpenBrace) || token.is(Mark::CloseBrace) || token.kind == Kind::End
                };
                let is_blank = rest.iter().all(is_brace);
                self.at = self.line.len().saturating_sub(1);
                is_blank == (directive == Directive::Ifblank)
            }
            Directive::Ifconst => {
                let (expr, _) = self.expression()?;
                self.is_constant(&expr)
            }
            _ => self.constant()?.0 != 0,
        };
        self.end_of_line()?;
        Ok(holds)
    }

    /// Whether a name, which is read, has a meaning so far. The name is not made by asking.
    pub fn is_defined(&mut self) -> Outcome<bool> {
        Ok(self.ask()?.is_some_and(|symbol| {
            self.symbols.definition(symbol).is_some() || self.symbols.get(symbol).import.is_some()
        }))
    }

    fn is_referenced(&mut self) -> Outcome<bool> {
        Ok(self.ask()?.is_some_and(|symbol| self.symbols.get(symbol).is_used))
    }

    fn ask(&mut self) -> Outcome<Option<crate::symbols::Sym>> {
        let token = self.peek();
        if let Kind::Cheap(name) = token.kind {
            self.next();
            return Ok(self.symbols.find(self.cheap_owner(), name));
        }
        // Inside of a path, a scope that is not there is not an error here.
        let at = self.at;
        match self.path() {
            Ok((scope, name, span)) => {
                let found = match scope {
                    None => self.symbols.find_from(self.symbols.scope, name),
                    Some(scope) => self.symbols.find(crate::symbols::Owner::Scope(scope), name),
                };
                found.into_iter().for_each(|symbol| self.note(Named::Symbol(symbol), span));
                Ok(found)
            }
            Err(problem) if problem.code == &crate::rules::SCOPE => {
                self.at = at;
                while matches!(self.peek().kind, Kind::Name(_) | Kind::Mark(Mark::Scope)) {
                    self.next();
                }
                Ok(None)
            }
            Err(problem) => Err(problem),
        }
    }

    /// `.define name text`, `.define name(a, b) text`
    pub fn define_text(&mut self, span: Span) -> Outcome<()> {
        let (name, at) = self.name("a name to define")?;
        let mut parameters = Vec::new();
        if self.peek().is(Mark::Open) && !self.peek().blank {
            self.next();
            parameters = self.parameters(span)?;
            self.expect(Mark::Close, "`)`")?;
        }
        let end = self.line.len().saturating_sub(1);
        let body = self.line.get(self.at..end).unwrap_or(&[]).to_vec();
        self.at = end;
        self.note(Named::Define(name), at);
        self.defines.insert(name, Rc::new(Define { parameters, body }));
        Ok(())
    }

    fn parameters(&mut self, span: Span) -> Outcome<Vec<Name>> {
        let mut parameters = Vec::new();
        if !matches!(self.peek().kind, Kind::Name(_) | Kind::Register(_)) {
            return Ok(parameters);
        }
        loop {
            let (name, at) = self.name("a parameter's name")?;
            if parameters.contains(&name) {
                return Err(self.problem(&MACRO, at, "there is a parameter of this name already"));
            }
            parameters.push(name);
            if parameters.len() > MAX_PARAMETERS {
                return Err(self.problem(&MACRO, span, "a macro may have 64 parameters"));
            }
            if !self.accept(Mark::Comma) {
                return Ok(parameters);
            }
        }
    }

    /// `.macro name a, b` and the lines up to its end.
    pub fn define_macro(&mut self, span: Span) -> Outcome<()> {
        let head = self.macro_head(span);
        // The lines are read even if the head is wrong: they are not statements.
        let mut body = self.collect(Directive::Endmacro, &[], span)?;
        let (name, at, parameters) = head?;
        let nested = body.tokens.iter().find(|token| token.kind == Kind::Directive(Directive::Macro));
        if let Some(nested) = nested {
            return Err(self.problem(&MACRO, nested.span, "a macro is not defined inside of a macro"));
        }
        let mut locals = Vec::new();
        let mut kept = input::Body::default();
        let mut start = 0;
        for end in std::mem::take(&mut body.ends) {
            let line = body.tokens.get(start..end).unwrap_or(&[]);
            start = end;
            if line.first().is_some_and(|token| token.kind == Kind::Directive(Directive::Local)) {
                locals.extend(line.iter().filter_map(|token| match token.kind {
                    Kind::Name(name) | Kind::Cheap(name) => Some(name),
                    _ => None,
                }));
                continue;
            }
            // As in ca65, what a `.define` above stands for may be parameters.
            let mut line = line.to_vec();
            if !Self::is_about_defines(&line) {
                let made = input::expand_defines(&mut line, &self.defines)
                    .map_err(|(span, message)| self.problem(&crate::rules::TOO_DEEP, span, message))?;
                self.charge(made);
            }
            kept.tokens.extend_from_slice(&line);
            kept.ends.push(kept.tokens.len());
        }
        if let Some(known) = self.macros.get(&name) {
            let message = format!("the macro `{}` is defined already", self.text(name));
            return Err(Box::new(self.problem(&MACRO, at, &message).label(known.span, "here")));
        }
        self.note(Named::Macro(name), at);
        self.macros.insert(name, Rc::new(Macro { parameters, locals, body: kept, span: at }));
        Ok(())
    }

    fn macro_head(&mut self, span: Span) -> Outcome<(Name, Span, Vec<Name>)> {
        let (name, at) = self.name("the macro's name")?;
        if self.names.mnemonic(name).is_some() {
            return Err(self.problem(&MACRO, at, "this is the name of an instruction"));
        }
        let is_bracketed = self.accept(Mark::Open);
        let parameters = self.parameters(span)?;
        if is_bracketed {
            self.expect(Mark::Close, "`)`")?;
        }
        self.end_of_line()?;
        Ok((name, at, parameters))
    }

    pub fn call_macro(&mut self, name: Name) -> Outcome<()> {
        let call = self.next();
        let Some(of) = self.macros.get(&name).cloned() else { return Ok(()) };
        self.note(Named::Macro(name), call.span);
        let mut arguments: Vec<Vec<Token>> = Vec::new();
        let mut at = self.at;
        loop {
            let (argument, next) = input::argument(&self.line, at);
            arguments.push(argument.to_vec());
            at = next;
            match self.line.get(at) {
                Some(token) if token.is(Mark::Comma) => at += 1,
                Some(token) if token.kind != Kind::End => {
                    return Err(self.unexpected(*token, "`,` between arguments"));
                }
                _ => break,
            }
        }
        if let [only] = arguments.as_slice()
            && only.is_empty()
        {
            arguments.clear();
        }
        if arguments.len() > of.parameters.len() {
            let message = format!(
                "`{}` takes {}, not {}",
                self.text(name),
                counted(of.parameters.len(), "argument"),
                arguments.len()
            );
            let extra = arguments.get(of.parameters.len()).and_then(|argument| argument.first());
            let span = extra.map_or(call.span, |token| token.span);
            return Err(Box::new(self.problem(&MACRO, span, &message).label(of.span, "this macro")));
        }
        if self.locals as usize + of.locals.len() > input::MAX_LOCALS {
            return Err(self.problem(&TOO_MANY_LINES, call.span, "the macros have too many local names"));
        }
        let mut locals = HashMap::default();
        for &old in &of.locals {
            self.locals += 1;
            let fresh = format!("{}.{}", self.text(old), self.locals);
            locals.insert(old, self.names.intern(&fresh));
        }
        let definition = Some(of.span);
        self.push_expansion(Origin::Macro { of, line: 0, arguments, locals }, call.span, definition)
    }

    pub fn exit_macro(&mut self, span: Span) -> Outcome<()> {
        let inside = self.frames.iter().rposition(|frame| matches!(frame.origin, Origin::Macro { .. }));
        match inside {
            Some(at) => {
                let open = self.frames.get(at).map_or(0, |frame| frame.conditions);
                self.conditions.truncate(open);
                self.frames.truncate(at);
                Ok(())
            }
            None => Err(self.problem(&MACRO, span, "`.exitmacro` is allowed in a macro only")),
        }
    }

    /// How many arguments the present macro was given.
    pub fn argument_count(&self) -> Option<usize> {
        self.frames.iter().rev().find_map(|frame| match &frame.origin {
            Origin::Macro { arguments, .. } => Some(arguments.len()),
            _ => None,
        })
    }

    /// `.repeat count, variable`
    pub fn repeat(&mut self, span: Span) -> Outcome<()> {
        let head = self.repeat_head();
        let body = self.collect(Directive::Endrepeat, &[Directive::Repeat], span)?;
        let (rounds, at, variable) = head?;
        if rounds > MAX_ROUNDS {
            return Err(self.problem(&TOO_MANY_LINES, at, "a repetition may have 65,536 rounds"));
        }
        if rounds < 0 {
            return Err(self.problem(&crate::rules::COUNT, at, "the count is negative"));
        }
        let origin = Origin::Repeat { body: Rc::new(body), line: 0, round: 0, rounds, variable };
        self.push_expansion(origin, span, None)
    }

    fn repeat_head(&mut self) -> Outcome<(i64, Span, Option<Name>)> {
        let (rounds, at) = self.constant()?;
        let variable = if self.accept(Mark::Comma) { Some(self.name("a name")?.0) } else { None };
        self.end_of_line()?;
        Ok((rounds, at, variable))
    }
}
