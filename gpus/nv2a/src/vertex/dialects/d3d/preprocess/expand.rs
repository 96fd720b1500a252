//! Macros, and what they expand to.

use super::map::Expansion;
use super::source::{Gap, Origin, Source, Token};
use crate::vertex::dialects::d3d::preprocess::{MAX_EXPANDED, MAX_NESTED, Preprocessor};
use crate::vertex::rules::{LIMIT, MACRO_USE};
use gpuzoo_diag::{Diagnostic, Span, counted};
use gpuzoo_isa::{Failed, TokenKind};
use std::rc::Rc;

/// A macro.
pub struct Macro {
    pub name: Rc<str>,
    /// Where it is defined.
    pub span: Span,
    /// Names of parameters; none for a macro that is used without parentheses.
    pub parameters: Option<Vec<Rc<str>>>,
    pub body: Vec<Token>,
}

impl Macro {
    /// True if it means the same as another one.
    pub fn same(&self, other: &Macro) -> bool {
        let texts = |tokens: &[Token]| tokens.iter().map(|token| token.text.clone()).collect::<Vec<_>>();
        self.parameters == other.parameters && texts(&self.body) == texts(&other.body)
    }

    fn parameter(&self, token: &Token) -> Option<usize> {
        self.parameters.as_ref()?.iter().position(|name| *name == token.text)
    }
}

/// Tokens that are being read: what a macro's name was replaced by, or an argument.
struct Frame {
    tokens: std::vec::IntoIter<Token>,
    /// The macro.
    name: Option<Rc<str>>,
}

/// What tokens are read from: the innermost frame with any left, and then the file.
struct Input<'s, 't> {
    frames: Vec<Frame>,
    source: Option<&'s mut Source<'t>>,
}

impl Input<'_, '_> {
    /// The next token of the frames. Those that end are left only when more is wanted, so that the macros they are of count as
    /// being expanded.
    fn pop(&mut self) -> Option<Token> {
        loop {
            match self.frames.last_mut()?.tokens.next() {
                Some(token) => return Some(token),
                None => self.frames.pop(),
            };
        }
    }

    fn next(&mut self) -> Option<Token> {
        if let Some(token) = self.pop() {
            return Some(token);
        }
        let source = self.source.as_deref_mut()?;
        while source.is_continuation() {
            source.advance();
        }
        let directive = source.next.first && source.word() == "#";
        let ends = matches!(source.next.kind, TokenKind::End | TokenKind::OpenComment) || directive;
        (!ends).then(|| source.take())
    }

    /// True if a parenthesis is next.
    fn opens(&self) -> bool {
        let next = self.frames.iter().rev().find_map(|frame| frame.tokens.as_slice().first());
        match (next, &self.source) {
            (Some(token), _) => token.is("("),
            (None, Some(source)) => source.is_before("("),
            (None, None) => false,
        }
    }
}

impl Preprocessor<'_> {
    /// What tokens expand to; a macro's arguments may go on in `source`. Macros in `hidden` are being expanded.
    pub(super) fn expand(
        &mut self,
        tokens: Vec<Token>,
        source: Option<&mut Source>,
        hidden: &[Rc<str>],
    ) -> Result<Vec<Token>, Failed> {
        let mut input = Input { frames: vec![Frame { tokens: tokens.into_iter(), name: None }], source };
        let mut out = Vec::new();
        while let Some(mut token) = input.pop() {
            let known =
                self.macros.get(&token.text).filter(|_| token.kind == TokenKind::Word && !token.fixed);
            let Some(of) = known.cloned() else {
                out.push(token);
                continue;
            };
            let names = input.frames.iter().filter_map(|frame| frame.name.as_ref());
            let active: Vec<Rc<str>> = names.chain(hidden).cloned().collect();
            if active.contains(&of.name) {
                token.fixed = true;
                out.push(token);
                continue;
            }
            let mut place = token.origin;
            let mut arguments = Vec::new();
            if let Some(parameters) = &of.parameters {
                if !input.opens() {
                    out.push(token);
                    continue;
                }
                let end;
                (arguments, end) = self.arguments(&mut input, &of, place)?;
                if end.expansion == place.expansion && end.span.file == place.span.file {
                    place.span = place.span.to(end.span);
                }
                // `M()` has one argument, which is empty, or none.
                if parameters.is_empty() && arguments.len() == 1 && arguments[0].is_empty() {
                    arguments.clear();
                }
                if arguments.len() != parameters.len() {
                    return self.wrong_count(&of, arguments.len(), place);
                }
            }
            self.nested(active.len() + 1, place)?;
            let id = self.out.expansion(Expansion { name: of.name.clone(), at: place });
            let body = self.substitute(&of, arguments, id, token.gap, &active, place)?;
            input.frames.push(Frame { tokens: body.into_iter(), name: Some(of.name.clone()) });
        }
        Ok(out)
    }

    /// Counts what macros expand to.
    fn count(&mut self, bytes: usize, place: Origin) -> Result<(), Failed> {
        self.expanded += bytes;
        if self.expanded <= MAX_EXPANDED {
            return Ok(());
        }
        let message = format!("macros expand to more than {} MiB", MAX_EXPANDED >> 20);
        let problem = Diagnostic::error(&LIMIT, message).label(self.out.outermost(place), "this is too much");
        self.fail(problem.help("does a macro double itself again and again?"))
    }

    /// What is between the parentheses that are next, and where they end.
    fn arguments(
        &mut self,
        input: &mut Input,
        of: &Macro,
        place: Origin,
    ) -> Result<(Vec<Vec<Token>>, Origin), Failed> {
        let mut arguments = Vec::new();
        let mut argument: Vec<Token> = Vec::new();
        let mut depth = 0usize;
        while let Some(token) = input.next() {
            self.count(token.text.len(), place)?;
            match &*token.text {
                "(" => depth += 1,
                ")" if depth == 1 => {
                    arguments.push(argument);
                    return Ok((arguments, token.origin));
                }
                ")" => depth -= 1,
                "," if depth == 1 => {
                    arguments.push(std::mem::take(&mut argument));
                    continue;
                }
                _ => {}
            }
            if depth > 1 || !token.is("(") {
                // Where an argument stood says nothing of where it goes.
                let gap = if token.gap == Gap::Line { Gap::Blank } else { token.gap };
                argument.push(Token { gap, ..token });
            }
        }
        let message = format!("the arguments of `{}` are not closed", of.name);
        let problem = Diagnostic::error(&MACRO_USE, message).label(self.out.outermost(place), "used here");
        self.fail(problem.help("write `)` behind the last one"))
    }

    fn wrong_count<T>(&mut self, of: &Macro, given: usize, place: Origin) -> Result<T, Failed> {
        let wanted = of.parameters.as_ref().map_or(0, Vec::len);
        let message = format!("`{}` takes {}, and gets {given}", of.name, counted(wanted, "argument"));
        let problem = Diagnostic::error(&MACRO_USE, message).label(self.out.outermost(place), "used here");
        self.fail(problem.label(of.span, "defined here").help("commas separate arguments"))
    }

    /// What an argument expands to.
    fn argument(
        &mut self,
        tokens: Vec<Token>,
        active: &[Rc<str>],
        place: Origin,
    ) -> Result<Vec<Token>, Failed> {
        self.nested(self.depth + 1, place)?;
        self.depth += 1;
        let expanded = self.expand(tokens, None, active);
        self.depth -= 1;
        expanded
    }

    fn nested(&mut self, depth: usize, place: Origin) -> Result<(), Failed> {
        if depth <= MAX_NESTED {
            return Ok(());
        }
        let message = format!("macros expand in each other more than {MAX_NESTED} deep");
        let place = self.out.outermost(place);
        self.fail(Diagnostic::error(&LIMIT, message).at(place))
    }

    /// A macro's body with arguments in the place of parameters.
    fn substitute(
        &mut self,
        of: &Macro,
        arguments: Vec<Vec<Token>>,
        id: u32,
        gap: Gap,
        active: &[Rc<str>],
        place: Origin,
    ) -> Result<Vec<Token>, Failed> {
        self.count(1, place)?;
        let mut expanded: Vec<Option<Vec<Token>>> = vec![None; arguments.len()];
        let mut out: Vec<Token> = Vec::with_capacity(of.body.len());
        let mut pasting = false;
        // Whether what is left of `##` has any tokens, and what is before it.
        let (mut made, mut gap_before) = (false, Gap::None);
        for (at, token) in of.body.iter().enumerate() {
            if token.is("##") {
                pasting = true;
                continue;
            }
            let pasted = pasting || of.body.get(at + 1).is_some_and(|next| next.is("##"));
            let start = out.len();
            let paste = pasting && made;
            if !pasting {
                gap_before = token.gap;
            }
            match of.parameter(token) {
                None => {
                    let origin = Origin { expansion: id, ..token.origin };
                    self.append(&mut out, &[Token { origin, ..token.clone() }], paste, place)?;
                    made = true;
                }
                Some(index) if pasted => {
                    self.append(&mut out, &arguments[index], paste, place)?;
                    made = paste || !arguments[index].is_empty();
                }
                Some(index) => {
                    let tokens = match expanded[index].take() {
                        Some(tokens) => tokens,
                        None => self.argument(arguments[index].clone(), active, place)?,
                    };
                    self.append(&mut out, &tokens, false, place)?;
                    expanded[index] = Some(tokens);
                }
            }
            // What is joined keeps the gap of what is left of it.
            if let Some(first) = out.get_mut(start).filter(|_| !paste) {
                first.gap = gap_before;
            }
            pasting = false;
        }
        if let Some(first) = out.first_mut() {
            first.gap = gap;
        }
        Ok(out)
    }

    /// Appends tokens; with `paste`, the first becomes one with the last that is there.
    fn append(
        &mut self,
        out: &mut Vec<Token>,
        tokens: &[Token],
        paste: bool,
        place: Origin,
    ) -> Result<(), Failed> {
        let mut rest = tokens;
        if let (true, Some(last), [first, others @ ..]) = (paste, out.last_mut(), tokens) {
            rest = others;
            self.count(last.text.len() + first.text.len(), place)?;
            last.text = format!("{}{}", last.text, first.text).into();
            last.fixed = false;
        }
        self.count(rest.iter().map(|token| token.text.len()).sum(), place)?;
        out.extend_from_slice(rest);
        Ok(())
    }
}
