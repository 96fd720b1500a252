//! Macros become what they stand for.

use crate::front::cg::codes::{LIMIT, PREPROCESSOR};
use crate::front::cg::lexer::{Hidden, Kind, Token, tokens_at};
use crate::front::cg::preprocess::{Preprocessor, malformed};
use gpuzoo_diag::{Diagnostic, Span};
use gpuzoo_isa::Failed;
use std::rc::Rc;

/// How many tokens expansions may look at.
pub const MAX_EXPANDED: usize = 1 << 20;
/// How many expansions may be under way in each other.
pub const MAX_NESTED: usize = 64;

/// A macro.
#[derive(Debug)]
pub struct Macro {
    /// The names of its parameters; nothing for one that is used without parentheses.
    pub parameters: Option<Vec<Rc<str>>>,
    /// What it stands for.
    pub body: Vec<Token>,
}

impl Preprocessor<'_, '_> {
    /// Tokens with all macros replaced.
    pub fn expand(&mut self, mut tokens: Vec<Token>) -> Result<Vec<Token>, Failed> {
        tokens.reverse();
        let mut out = Vec::with_capacity(tokens.len());
        while let Some(token) = tokens.pop() {
            let known = (token.kind == Kind::Word).then(|| self.macros.get(&token.text).cloned()).flatten();
            let Some(of) = known.filter(|_| !token.is_hidden_from(&token.text)) else {
                out.push(token);
                continue;
            };
            if let Some(number) = self.number_here(&token) {
                out.push(number);
                continue;
            }
            let body = match &of.parameters {
                None => of.body.iter().map(|part| Token { span: token.span, ..part.clone() }).collect(),
                Some(_) if !tokens.last().is_some_and(|next| next.is("(")) => {
                    out.push(token);
                    continue;
                }
                Some(parameters) => {
                    let arguments = self.arguments(&token, parameters.len(), &mut tokens)?;
                    self.filled(&of.body, parameters, &arguments, token.span)?
                }
            };
            self.spend(body.len() + 1, token.span)?;
            let length = token.hidden.as_ref().map_or(0, |hidden| hidden.length) + 1;
            if length > MAX_NESTED {
                let message = format!("macros expand in one another more than {MAX_NESTED} deep");
                return self.fail(Diagnostic::error(&LIMIT, message).at(token.span));
            }
            let hidden = Rc::new(Hidden { name: token.text.clone(), next: token.hidden.clone(), length });
            tokens.extend(body.into_iter().rev().map(|part| {
                // What an argument's own macros made hides those, too; a token's longest list is enough to end.
                let own = part.hidden.as_ref().map_or(0, |hidden| hidden.length);
                let hidden = match &part.hidden {
                    Some(kept) if own >= length => {
                        let name = token.text.clone();
                        Rc::new(Hidden { name, next: Some(kept.clone()), length: own + 1 })
                    }
                    _ => hidden.clone(),
                };
                Token { hidden: Some(hidden), is_first: false, ..part }
            }));
        }
        Ok(out)
    }

    fn spend(&mut self, tokens: usize, span: Span) -> Result<(), Failed> {
        self.expanded += tokens;
        gpuzoo_diag::work::spend(tokens);
        if self.expanded > MAX_EXPANDED {
            let message = format!("macros expand to more than {MAX_EXPANDED} tokens");
            return self.fail(Diagnostic::error(&LIMIT, message).at(span));
        }
        Ok(())
    }

    /// Takes the arguments of a macro, with their parentheses.
    fn arguments(
        &mut self,
        name: &Token,
        wanted: usize,
        tokens: &mut Vec<Token>,
    ) -> Result<Vec<Vec<Token>>, Failed> {
        let open = tokens.pop();
        let (mut arguments, mut depth) = (vec![Vec::new()], 0);
        loop {
            let Some(token) = tokens.pop() else {
                let message = format!("the arguments of `{}` never end", name.text);
                let problem = Diagnostic::error(&PREPROCESSOR, message);
                let place = open.map_or(name.span, |open| open.span);
                return self.fail(problem.label(place, "expected the `)` of this"));
            };
            match &*token.text {
                ")" if depth == 0 => break,
                "," if depth == 0 => {
                    arguments.push(Vec::new());
                    continue;
                }
                "(" => depth += 1,
                ")" => depth -= 1,
                _ => {}
            }
            if let Some(last) = arguments.last_mut() {
                last.push(token);
            }
        }
        if wanted == 0 && arguments.len() == 1 && arguments.iter().all(Vec::is_empty) {
            arguments.clear();
        }
        if arguments.len() != wanted {
            let given = gpuzoo_diag::counted(arguments.len(), "argument");
            let problem = Diagnostic::error(&PREPROCESSOR, format!("`{}` is used with {given}", name.text));
            return self.fail(problem.label(name.span, format!("it has {wanted}")));
        }
        Ok(arguments)
    }

    /// A body with arguments in place of parameters.
    fn filled(
        &mut self,
        body: &[Token],
        parameters: &[Rc<str>],
        arguments: &[Vec<Token>],
        span: Span,
    ) -> Result<Vec<Token>, Failed> {
        let argument = |token: &Token| {
            let at = parameters.iter().position(|name| token.kind == Kind::Word && *name == token.text)?;
            arguments.get(at)
        };
        let mut expanded: Vec<Option<Vec<Token>>> = vec![None; parameters.len()];
        let mut out: Vec<Token> = Vec::new();
        let mut rest = body;
        let mut is_pasted = false;
        while let [first, behind @ ..] = rest {
            rest = behind;
            if first.is("##") {
                is_pasted = true;
                continue;
            }
            let joins_next = behind.first().is_some_and(|next| next.is("##"));
            let quoted = behind.first().filter(|_| first.is("#")).and_then(argument);
            let part: Vec<Token> = if let Some(quoted) = quoted {
                rest = behind.get(1..).unwrap_or_default();
                self.spend(quoted.iter().map(|token| token.text.len()).sum(), span)?;
                let words: Vec<&str> = quoted.iter().map(|token| &*token.text).collect();
                let text = format!("\"{}\"", words.join(" ").replace('"', "\\\""));
                vec![Token { kind: Kind::Text, text: text.into(), ..first.clone() }]
            } else if let Some(argument) = argument(first) {
                let at = parameters.iter().position(|name| *name == first.text).unwrap_or(0);
                if is_pasted || joins_next {
                    self.spend(argument.len(), span)?;
                    argument.clone()
                } else if let Some(Some(done)) = expanded.get(at) {
                    self.spend(done.len(), span)?;
                    done.clone()
                } else {
                    let done = self.deeper(argument, span)?;
                    if let Some(place) = expanded.get_mut(at) {
                        *place = Some(done.clone());
                    }
                    done
                }
            } else {
                vec![Token { span, ..first.clone() }]
            };
            let mut part = part.into_iter();
            if std::mem::take(&mut is_pasted)
                && let (Some(left), Some(right)) = (out.last().cloned(), part.next())
            {
                out.pop();
                out.push(self.pasted(&left, &right, span)?);
            }
            out.extend(part);
        }
        Ok(out)
    }

    /// An argument, expanded.
    fn deeper(&mut self, argument: &[Token], span: Span) -> Result<Vec<Token>, Failed> {
        self.spend(argument.len(), span)?;
        if self.depth >= MAX_NESTED {
            let message = format!("arguments of macros are nested more than {MAX_NESTED} deep");
            return self.fail(Diagnostic::error(&LIMIT, message).at(span));
        }
        self.depth += 1;
        let done = self.expand(argument.to_vec());
        self.depth -= 1;
        done
    }

    /// Two tokens as one.
    fn pasted(&mut self, left: &Token, right: &Token, span: Span) -> Result<Token, Failed> {
        self.spend(left.text.len() + right.text.len(), span)?;
        let text = format!("{}{}", left.text, right.text);
        match tokens_at(&text, span).as_slice() {
            [one] => Ok(Token { is_apart: left.is_apart, hidden: left.hidden.clone(), ..one.clone() }),
            _ => self.fail(malformed(span, &format!("`##` makes `{text}`, which is not one token"))),
        }
    }
}
