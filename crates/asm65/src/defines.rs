//! `.define`: words that stand for others. As in ca65, they are replaced wherever a word is read: in what conditions skip, and in the
//! bodies of macros and repetitions while these are collected.

use crate::assembler::{Assembler, Outcome};
use crate::input::{Define, MAX_TOKENS};
use crate::rules::{MACRO, TOO_DEEP};
use crate::symbols::Named;
use crate::token::{Kind, Mark, Name, Token};
use crate::words::Directive;
use gpuzoo_diag::{Code, Span, counted};
use hashbrown::HashMap;
use std::rc::Rc;

/// The most arguments of arguments of `.define`s.
const MAX_DEPTH: usize = 64;
/// The most words that are read and made for one line: words may double from one `.define` to the next, and then come to nothing.
const MAX_WORK: usize = 16 * MAX_TOKENS;

type Defines = HashMap<Name, Rc<Define>>;

/// Why words cannot be replaced.
struct Fault {
    code: &'static Code,
    span: Span,
    message: String,
}

/// Words that are being replaced.
struct Expansion<'a> {
    defines: &'a Defines,
    /// Words still to be read, the next one last.
    input: Vec<Token>,
    /// Words that were read or made.
    work: usize,
}

impl Expansion<'_> {
    /// Reads a word that stands for itself.
    fn next(&mut self, depth: usize) -> Result<Token, Fault> {
        let defines = self.defines;
        loop {
            let Some(token) = self.input.pop() else {
                return Ok(Token { kind: Kind::End, span: Span::default(), blank: false });
            };
            self.work += 1;
            let define = match token.kind {
                Kind::Name(name) => defines.get(&name),
                _ => None,
            };
            let Some(define) = define else { return Ok(token) };
            let arguments = self.arguments(define, token, depth)?;
            let length = |word: &Token| parameter(define, word).map_or(1, |index| arguments[index].len());
            let made: usize = define.body.iter().map(length).sum();
            self.work += made;
            if self.work > MAX_WORK || self.input.len() + made > 2 * MAX_TOKENS {
                return Err(Fault {
                    code: &TOO_DEEP,
                    span: token.span,
                    message: "the line is too long after its `.define`s are replaced".to_owned(),
                });
            }
            for (index, word) in define.body.iter().enumerate().rev() {
                match parameter(define, word) {
                    Some(parameter) => self.input.extend(arguments[parameter].iter().rev()),
                    // A problem is shown at the use.
                    None => {
                        let blank = token.blank && index == 0 || word.blank;
                        self.input.push(Token { span: token.span, blank, ..*word });
                    }
                }
            }
        }
    }

    /// Reads as many arguments as a definition has parameters.
    fn arguments(&mut self, define: &Define, name: Token, depth: usize) -> Result<Vec<Vec<Token>>, Fault> {
        let mut arguments = Vec::new();
        if define.parameters.is_empty() {
            return Ok(arguments);
        }
        let fault = |code, message: &str| Fault { code, span: name.span, message: message.to_owned() };
        if depth >= MAX_DEPTH {
            return Err(fault(&TOO_DEEP, "arguments of `.define`s are nested too deeply"));
        }
        let mut token = self.next(depth + 1)?;
        for index in 0..define.parameters.len() {
            if index > 0 {
                if !token.is(Mark::Comma) {
                    let count = counted(define.parameters.len(), "argument");
                    return Err(fault(&MACRO, &format!("this `.define` takes {count}, not {index}")));
                }
                token = self.next(depth + 1)?;
            }
            let is_braced = token.is(Mark::OpenBrace);
            if is_braced {
                token = self.next(depth + 1)?;
            }
            let end = if is_braced { Mark::CloseBrace } else { Mark::Comma };
            let mut argument = Vec::new();
            while token.kind != Kind::End && !token.is(end) {
                argument.push(token);
                token = self.next(depth + 1)?;
            }
            if argument.is_empty() {
                return Err(fault(&MACRO, &format!("argument {} of this `.define` is empty", index + 1)));
            }
            if is_braced {
                if token.kind == Kind::End {
                    return Err(fault(&MACRO, "an argument of this `.define` has no `}`"));
                }
                token = self.next(depth + 1)?;
            }
            arguments.push(argument);
        }
        self.input.push(token);
        Ok(arguments)
    }
}

fn parameter(define: &Define, word: &Token) -> Option<usize> {
    let Kind::Name(name) = word.kind else { return None };
    define.parameters.iter().position(|&parameter| parameter == name)
}

impl Assembler<'_> {
    /// Replaces `.define`d words of the line, except that of an index.
    pub fn expand_defines(&mut self, except: Option<usize>) -> Outcome<()> {
        let mut line = std::mem::take(&mut self.line);
        let outcome = self.expand(&mut line, except);
        self.line = line;
        outcome
    }

    /// Replaces `.define`d words in a line, except that of an index.
    pub fn expand(&mut self, line: &mut Vec<Token>, except: Option<usize>) -> Outcome<()> {
        let is_one = |&(index, token): &(usize, &Token)| {
            let Kind::Name(name) = token.kind else { return false };
            except != Some(index) && self.defines.contains_key(&name)
        };
        let Some((first, _)) = line.iter().enumerate().find(is_one) else { return Ok(()) };
        if let Some(uses) = &mut self.uses {
            let defines = &self.defines;
            uses.extend(line.iter().enumerate().filter_map(|(index, token)| match token.kind {
                Kind::Name(name) if except != Some(index) && defines.contains_key(&name) => {
                    Some((Named::Define(name), token.span))
                }
                _ => None,
            }));
        }
        let start = except.map_or(first, |index| first.max(index + 1));
        let input = line.iter().skip(start).rev().copied().collect();
        let mut expansion = Expansion { defines: &self.defines, input, work: 0 };
        let mut made = Vec::with_capacity(line.len() - start + 8);
        let outcome = loop {
            match expansion.next(0) {
                Ok(token) => {
                    made.push(token);
                    if token.kind == Kind::End {
                        break Ok(());
                    }
                    if made.len() > MAX_TOKENS {
                        let message = "the line is too long after its `.define`s are replaced".to_owned();
                        break Err(Fault { code: &TOO_DEEP, span: token.span, message });
                    }
                }
                Err(fault) => break Err(fault),
            }
        };
        let work = expansion.work;
        self.charge(work);
        outcome.map_err(|fault| self.problem(fault.code, fault.span, &fault.message))?;
        line.truncate(start);
        line.append(&mut made);
        Ok(())
    }

    /// The index of the word in the line that a `.define` or `.undefine` is about: it stands for itself.
    pub fn defined_word(&self) -> Option<usize> {
        let is_one =
            |token: &Token| matches!(token.kind, Kind::Directive(Directive::Define | Directive::Undefine));
        let at = self.line.iter().position(is_one)?;
        let is_statement = match at.checked_sub(1).and_then(|before| self.line.get(before)) {
            None => true,
            Some(before) => before.is(Mark::Colon) || at == 1 && self.labels_without_colons && !before.blank,
        };
        is_statement.then_some(at + 1)
    }

    /// `.define name words`, `.define name(a, b) words`
    pub fn define_words(&mut self, span: Span) -> Outcome<()> {
        let (name, at) = self.name("a name to define")?;
        if self.names.mnemonic(name).is_some() {
            return Err(self.problem(&MACRO, at, "this is the name of an instruction"));
        }
        let earlier = self.defines.get(&name).map(|define| define.span);
        if let Some(earlier) = earlier.or(self.macros.get(&name).map(|known| known.span)) {
            let message = format!("`{}` is defined already", self.text(name));
            let problem = self.problem(&MACRO, at, &message).label(earlier, "here");
            return Err(Box::new(problem.help(format!("`.undefine {}` ends a `.define`", self.text(name)))));
        }
        let is_itself = |token: &&Token| token.kind == Kind::Name(name);
        if let Some(token) = self.line.get(self.at..).unwrap_or(&[]).iter().find(is_itself) {
            return Err(self.problem(&TOO_DEEP, token.span, "a `.define` leads to itself"));
        }
        let mut parameters = Vec::new();
        if self.peek().is(Mark::Open) {
            self.next();
            let list = self.parameters(span).and_then(|list| self.expect(Mark::Close, "`)`").map(|_| list));
            let help = "parentheses behind the name hold parameters: write `NAME = VALUE`, or the value without them";
            parameters = list.map_err(|problem| Box::new(problem.help(help)))?;
        }
        let end = self.line.len().saturating_sub(1);
        let body = self.line.get(self.at..end).unwrap_or(&[]).to_vec();
        self.at = end;
        self.note(Named::Define(name), at);
        self.defines.insert(name, Rc::new(Define { parameters, body, span: at }));
        Ok(())
    }

    /// `.undefine name`
    pub fn undefine(&mut self) -> Outcome<()> {
        let (name, at) = self.name("the name of a `.define`")?;
        self.note(Named::Define(name), at);
        match self.defines.remove(&name) {
            Some(_) => Ok(()),
            None => {
                let message = format!("there is no `.define` of `{}`", self.text(name));
                Err(self.problem(&MACRO, at, &message))
            }
        }
    }
}
