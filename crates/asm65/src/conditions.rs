//! Conditions: `.if` and its kin, and what they skip.

use crate::assembler::{Assembler, Condition, Outcome};
use crate::expr::Sym;
use crate::input::Origin;
use crate::rules::{SCOPE, TOO_DEEP, UNBALANCED};
use crate::symbols::Named;
use crate::symbols::Owner;
use crate::token::{Kind, Mark};
use crate::words::Directive;
use gpuzoo_diag::{FileId, Span};

/// The most open conditions.
const MAX_CONDITIONS: usize = 256;

impl Assembler<'_> {
    /// A line that is skipped: only conditions are followed. As in ca65, their words count anywhere in a line.
    pub fn skipped_line(&mut self) -> Outcome<()> {
        self.expand_defines(None)?;
        self.skip()
    }

    /// A condition's word, and what it skips of its line.
    pub fn condition(&mut self, directive: Directive, span: Span) -> Outcome<()> {
        self.condition_word(directive, span)?;
        self.skip()
    }

    /// Skips words up to the end of the line, or up to a word behind which they count again.
    fn skip(&mut self) -> Outcome<()> {
        while !self.is_active() {
            let token = self.next();
            match token.kind {
                Kind::End => return Ok(()),
                Kind::Directive(directive) if directive.is_condition() => {
                    self.condition_word(directive, token.span)?;
                }
                _ => {}
            }
        }
        self.end_of_line()
    }

    fn condition_word(&mut self, directive: Directive, span: Span) -> Outcome<()> {
        use Directive::{Else, Elseif, Endif};
        let file = self.file();
        if !matches!(directive, Else | Elseif | Endif) {
            if !self.is_active() {
                self.open_condition(span, None)?;
                return if matches!(directive, Directive::Ifcpu(_)) { self.end_of_line() } else { Ok(()) };
            }
            let holds = self.test(directive);
            // A condition that cannot be read holds neither way; what it encloses is left out.
            let known = holds.as_ref().ok().copied();
            self.open_condition(span, known)?;
            return holds.map(|_| ());
        }
        let Some(condition) = self.conditions.last_mut() else {
            return Err(self.problem(&UNBALANCED, span, &format!("`{}` without `.if`", directive.word())));
        };
        if directive == Endif {
            self.conditions.pop();
            return self.end_of_line();
        }
        if condition.is_else {
            let open = condition.span;
            let message = format!("`{}` behind `.else`", directive.word());
            let problem = self.problem(&UNBALANCED, span, &message);
            return Err(Box::new(problem.label(open, "of this condition")));
        }
        condition.file = file;
        condition.is_else = directive == Else;
        condition.active = !condition.taken;
        let is_tested = directive == Elseif && !condition.taken;
        condition.taken = true;
        if directive == Else {
            return self.end_of_line();
        }
        if !is_tested {
            // The value of an `.elseif` behind a branch that was taken is not read.
            return Ok(());
        }
        let holds = self.token_functions().and_then(|()| self.test(Directive::If));
        if let Some(condition) = self.conditions.last_mut() {
            condition.active = holds.as_ref().is_ok_and(|&holds| holds);
            condition.taken = condition.active || holds.is_err();
        }
        holds.map(|_| ())
    }

    /// Opens a condition; `None` if it is itself skipped.
    fn open_condition(&mut self, span: Span, holds: Option<bool>) -> Outcome<()> {
        if self.conditions.len() >= MAX_CONDITIONS {
            return Err(self.problem(&TOO_DEEP, span, "conditions are nested too deeply"));
        }
        let active = holds == Some(true);
        let file = self.file();
        self.conditions.push(Condition { span, file, active, taken: holds != Some(false), is_else: false });
        Ok(())
    }

    /// The file that is read.
    fn file(&self) -> Option<FileId> {
        self.frames.iter().rev().find_map(|frame| match frame.origin {
            Origin::File { file, .. } => Some(file),
            _ => None,
        })
    }

    /// Whether the condition of the rest of the line holds.
    fn test(&mut self, directive: Directive) -> Outcome<bool> {
        let holds = match directive {
            // As in ca65, the rest of the line is skipped with what follows, or must be the end.
            Directive::Ifdef => return self.is_defined(),
            Directive::Ifndef => !self.is_defined()?,
            Directive::Ifref => self.is_referenced()?,
            Directive::Ifnref => !self.is_referenced()?,
            Directive::Ifblank | Directive::Ifnblank => {
                // As in ca65, braces are words.
                let is_blank = self.peek().kind == Kind::End;
                self.at = self.line.len().saturating_sub(1);
                is_blank == (directive == Directive::Ifblank)
            }
            Directive::Ifconst => {
                let (expr, _) = self.expression()?;
                self.is_constant(&expr)
            }
            Directive::Ifnconst => {
                let (expr, _) = self.expression()?;
                !self.is_constant(&expr)
            }
            Directive::Ifcpu(cpu) => self.cpu == cpu,
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

    fn ask(&mut self) -> Outcome<Option<Sym>> {
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
                    Some(scope) => self.symbols.find(Owner::Scope(scope), name),
                };
                found.into_iter().for_each(|symbol| self.note(Named::Symbol(symbol), span));
                Ok(found)
            }
            Err(problem) if problem.code == &SCOPE => {
                self.at = at;
                while matches!(self.peek().kind, Kind::Name(_) | Kind::Mark(Mark::Scope)) {
                    self.next();
                }
                Ok(None)
            }
            Err(problem) => Err(problem),
        }
    }
}
