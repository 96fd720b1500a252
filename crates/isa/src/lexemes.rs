//! What the words of a text are, whether or not it can be assembled.

use crate::isa::Isa;
use crate::lexer::Lexer;
use crate::operand::Swizzle;
use crate::parser::candidates;
use crate::syntax::{End, Syntax};
use crate::token::{Token, TokenKind};
use gpuzoo_diag::{Lexeme, Role};
use std::collections::HashSet;

impl Isa {
    /// The words of a text that is written in a language.
    ///
    /// ```
    /// use gpuzoo_diag::Role;
    /// # use gpuzoo_isa::{FileKind, Half, Isa, Field, Op, RegFile, Room, Bits, Syntax};
    /// # static ADD: &[Op] = &[Op::new(0, "add", &[], |_, _| {})];
    /// # static HALVES: &[Half] = &[Half { ops: ADD, opcode: Field::new("opcode", 0, 6, ""), undefined: "" }];
    /// # static FILES: &[RegFile] = &[RegFile::new("register", "r", 16, FileKind::Temporary([0; 4]))];
    /// # static ISA: Isa = Isa { halves: HALVES, other_fields: &[], files: FILES, slot_words: 1, room: Room::Unknown,
    /// #     last: None, filler: Bits { words: [0; 5] }, syntax: &Syntax::PLAIN, address: None };
    /// let text = "add r1 7 // one more";
    /// let words: Vec<_> = ISA.lexemes(&Syntax::PLAIN, text).iter().map(|own| (own.role, own.text(text))).collect();
    /// assert_eq!(words[..3], [(Role::Mnemonic, "add"), (Role::Register, "r1"), (Role::Number, "7")]);
    /// assert_eq!(words[3], (Role::Comment, "// one more"));
    /// ```
    pub fn lexemes(&self, syntax: &Syntax, text: &str) -> Vec<Lexeme> {
        let words = Words::new(self, syntax);
        let mut lexer = Lexer::new(text, syntax);
        let mut all: Vec<Lexeme> = Vec::new();
        let mut ended = true;
        loop {
            let token = lexer.next_piece();
            if token.kind == TokenKind::End {
                return all;
            }
            let lexeme = words.lexeme(text, token, &all);
            let glued = all.pop_if(|last| words.joins(text, last, &lexeme));
            let mut lexeme = match glued {
                Some(mark) => words.named(text, Lexeme { start: mark.start, begins: mark.begins, ..lexeme }),
                None => Lexeme { begins: words.begins(text, token, &lexeme, ended), ..lexeme },
            };
            if token.kind == TokenKind::OpenComment {
                lexeme.end = text.len();
                lexer.skip_all();
            }
            // A line that names what language this is has no end mark.
            let is_header = |own: &Lexeme| own.begins && own.text(text).starts_with("!!");
            if lexeme.role != Role::Comment {
                ended = lexeme.text(text) == ";" || is_header(&lexeme);
            }
            all.push(lexeme);
        }
    }
}

/// The words that a language has.
struct Words<'a> {
    isa: &'a Isa,
    syntax: &'a Syntax,
    mnemonics: HashSet<String>,
    statements: HashSet<String>,
}

impl<'a> Words<'a> {
    fn new(isa: &'a Isa, syntax: &'a Syntax) -> Words<'a> {
        let macros = syntax.macros.iter().map(|own| syntax.written(own.name));
        let mnemonics = candidates(isa, syntax).map(|(name, _)| syntax.written(name)).chain(macros);
        let statements = syntax.all_directives().map(|own| own.name.to_owned());
        Words { isa, syntax, mnemonics: mnemonics.collect(), statements: statements.collect() }
    }

    fn lexeme(&self, text: &str, token: Token, before: &[Lexeme]) -> Lexeme {
        let Token { start, end, .. } = token;
        let word = &text[start..end];
        let behind_dot = || {
            let dot = before.last().is_some_and(|last| last.end == start && last.text(text) == ".");
            let more = before.last().is_some_and(|last| last.role == Role::Components);
            (dot || more && self.syntax.token.is_some())
                && word.chars().all(|own| self.syntax.components.contains(own.to_ascii_lowercase()))
        };
        let role = match token.kind {
            TokenKind::Comment | TokenKind::OpenComment => Role::Comment,
            TokenKind::Number => Role::Number,
            TokenKind::Directive if self.statements.contains(word) => Role::Directive,
            TokenKind::Directive if Swizzle::from_letters(&word[1..].to_ascii_lowercase()).is_some() => {
                Role::Components
            }
            TokenKind::Directive if word.starts_with('#') => Role::Directive,
            TokenKind::Directive => Role::Components,
            TokenKind::Word if behind_dot() => Role::Components,
            TokenKind::Word => self.role(word),
            TokenKind::Junk | TokenKind::End => Role::Mark,
        };
        Lexeme { role, start, end, begins: false }
    }

    fn role(&self, word: &str) -> Role {
        if self.mnemonics.contains(&*self.syntax.folded(word)) || self.mnemonics.contains(word) {
            return Role::Mnemonic;
        }
        let is_statement =
            |own: &String| own.eq_ignore_ascii_case(word) || own.ends_with('_') && word.starts_with(own);
        if self.statements.iter().any(is_statement) {
            return Role::Directive;
        }
        if self.is_register(word) { Role::Register } else { Role::Name }
    }

    fn is_register(&self, word: &str) -> bool {
        let prefixed = |prefix: &str| !prefix.is_empty() && self.syntax.number(prefix, word).is_some();
        let same = |name: &str| self.syntax.same(name, word);
        self.isa.files.iter().filter(|file| !file.internal).any(|file| {
            prefixed(file.prefix) || file.real_names().any(same) || file.names.is_empty() && same(file.prefix)
        }) || self.syntax.names.iter().any(|name| same(name.text))
            || self.syntax.prefixes.iter().any(|(_, prefix)| prefixed(prefix))
            || self.syntax.indexed.iter().any(|own| {
                let address = own.address.split('.').next().unwrap_or("");
                same(own.prefix)
                    || prefixed(own.prefix)
                    || same(address)
                    || own.names.iter().any(|(name, _)| same(name))
            })
    }

    /// Whether a mark and the word behind it are one: `#light`, `%norm3`, `!!VP1.0`.
    fn joins(&self, text: &str, last: &Lexeme, next: &Lexeme) -> bool {
        let mark = last.text(text);
        let name = matches!(mark, "#" | "%")
            && matches!(next.role, Role::Name | Role::Mnemonic | Role::Register | Role::Directive);
        let header = mark.starts_with('!') && last.begins && next.role != Role::Comment;
        last.end == next.start && (name && last.role == Role::Mark || header)
    }

    /// What a mark and a word are together.
    fn named(&self, text: &str, whole: Lexeme) -> Lexeme {
        let word = whole.text(text);
        let role = match word {
            _ if word.starts_with('!') || self.statements.contains(word) => Role::Directive,
            _ if self.mnemonics.contains(&*self.syntax.folded(word)) || word.starts_with('%') => {
                Role::Mnemonic
            }
            _ => Role::Name,
        };
        Lexeme { role, ..whole }
    }

    /// Whether a token begins a statement, if the one before has `ended`.
    fn begins(&self, text: &str, token: Token, lexeme: &Lexeme, ended: bool) -> bool {
        let first = token.first && lexeme.role != Role::Comment;
        match self.syntax.end {
            End::Line => first && lexeme.text(text) != "+",
            End::Semicolon => ended && lexeme.role != Role::Comment,
            End::LineOrSemicolon => first || ended && lexeme.role != Role::Comment,
            End::Next if self.syntax.commas => first && lexeme.text(text) != "+",
            End::Next => matches!(lexeme.role, Role::Mnemonic | Role::Directive),
        }
    }
}
