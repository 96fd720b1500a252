//! Macros and repetitions.

use crate::assembler::{Assembler, Outcome};
use crate::input::{self, Macro, Origin};
use crate::rules::{MACRO, TOO_MANY_LINES};
use crate::symbols::Named;
use crate::token::{Kind, Mark, Name, Token};
use crate::words::Directive;
use gpuzoo_diag::{Span, counted};
use hashbrown::HashMap;
use std::rc::Rc;

/// The most rounds of a repetition.
const MAX_ROUNDS: i64 = 1 << 16;
/// The most parameters of a macro.
const MAX_PARAMETERS: usize = 64;

impl Assembler<'_> {
    /// Names of parameters, separated by commas.
    pub fn parameters(&mut self, span: Span) -> Outcome<Vec<Name>> {
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
        let mut body = self.collect(Directive::Endmacro, None, span)?;
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
            kept.tokens.extend_from_slice(line);
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
            // ca65 leaves the macro behind the last round or behind the file's end.
            Some(at) if at + 1 < self.frames.len() => {
                let message = "`.exitmacro` is not possible in a `.repeat` or a file inside of the macro";
                Err(self.problem(&MACRO, span, message))
            }
            Some(at) => {
                let open = self.frames.get(at).map_or(0, |frame| frame.conditions);
                self.conditions.truncate(open);
                self.frames.truncate(at);
                Ok(())
            }
            None => Err(self.problem(&MACRO, span, "`.exitmacro` is allowed in a macro only")),
        }
    }

    /// `.delmacro name`
    pub fn delete_macro(&mut self) -> Outcome<()> {
        let (name, at) = self.name("the name of a macro")?;
        let Some(known) = self.macros.get(&name) else {
            let message = format!("there is no macro `{}`", self.text(name));
            return Err(self.problem(&MACRO, at, &message));
        };
        let is_open =
            |frame: &input::Frame| matches!(&frame.origin, Origin::Macro { of, .. } if Rc::ptr_eq(of, known));
        if self.frames.iter().any(is_open) {
            return Err(self.problem(&MACRO, at, "a macro cannot be deleted while it is used"));
        }
        self.macros.remove(&name);
        Ok(())
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
        let body = self.collect(Directive::Endrepeat, Some(Directive::Repeat), span)?;
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
