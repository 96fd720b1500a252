//! Tokens, and the names that they carry.

use crate::words::{DIRECTIVES, Directive};
use gpuzoo_65c02::{Mode, OPCODES};
use gpuzoo_diag::Span;
use hashbrown::HashMap;
use std::sync::LazyLock;

/// A word, interned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Name(pub u32);

/// A mnemonic: an index into [`MNEMONICS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mnemonic(pub u8);

/// Signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Plus,
    Minus,
    Star,
    Slash,
    And,
    Pipe,
    Caret,
    Tilde,
    Bang,
    AndAnd,
    OrOr,
    Equal,
    Unequal,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    ShiftLeft,
    ShiftRight,
    Open,
    Close,
    OpenBracket,
    CloseBracket,
    OpenBrace,
    CloseBrace,
    Comma,
    Hash,
    Colon,
    /// `::`
    Scope,
    /// `:=`
    Assign,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A word that is not a register.
    Name(Name),
    /// `@name`, with the `@`.
    Cheap(Name),
    /// `.name`
    Directive(Directive),
    /// An unknown `.name`.
    Unknown(Name),
    /// `a`, `x`, `y`, in lower case.
    Register(u8),
    /// `a:` or `z:`, the letter in lower case.
    Prefix(u8),
    /// A number.
    Number(i64),
    /// `'c'`
    Character(u8),
    /// A string without its quotes.
    Text(Name),
    /// `:+` is 1, `:--` is -2.
    Unnamed(i32),
    /// A sign.
    Mark(Mark),
    /// What means nothing; it is reported where it is met.
    Junk(Junk),
    /// The end of the line.
    End,
}

/// Why something is not a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Junk {
    Character,
    Number,
    TooLarge,
    OpenText,
    OpenCharacter,
    OpenComment,
}

/// A token with its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub kind: Kind,
    pub span: Span,
    /// True if there are blanks before it, also at the beginning of a line.
    pub blank: bool,
}

impl Token {
    pub fn is(&self, mark: Mark) -> bool {
        self.kind == Kind::Mark(mark)
    }
}

/// A mnemonic and its opcodes by mode.
pub(crate) struct Forms {
    pub name: &'static str,
    /// By the index of the mode.
    pub codes: [Option<u8>; 16],
}

impl Forms {
    pub fn code(&self, mode: Mode) -> Option<u8> {
        self.codes.get(mode as usize).copied().flatten()
    }

    /// The modes it has.
    pub fn modes(&self) -> impl Iterator<Item = Mode> {
        Mode::ALL.into_iter().filter(|&mode| self.code(mode).is_some())
    }
}

/// All mnemonics, in the order of their first opcodes.
pub(crate) static MNEMONICS: LazyLock<Vec<Forms>> = LazyLock::new(|| {
    let mut all: Vec<Forms> = Vec::new();
    for op in OPCODES.iter().filter(|op| op.documented) {
        let at = match all.iter().position(|forms| forms.name == op.mnemonic) {
            Some(at) => at,
            None => {
                all.push(Forms { name: op.mnemonic, codes: [None; 16] });
                all.len() - 1
            }
        };
        all[at].codes[op.mode as usize] = Some(op.code);
    }
    // The names that ca65 has for `inc a` and `dec a`, too.
    for (name, of) in [("ina", "inc"), ("dea", "dec")] {
        let code = all.iter().find(|forms| forms.name == of).and_then(|forms| forms.code(Mode::Accumulator));
        let mut codes = [None; 16];
        codes[Mode::Implied as usize] = code;
        all.push(Forms { name, codes });
    }
    all
});

struct Entry {
    text: Box<str>,
    mnemonic: Option<Mnemonic>,
}

/// The interned words of an assembly.
#[derive(Default)]
pub(crate) struct Interner {
    /// The length of all words.
    pub bytes: usize,
    map: HashMap<Box<str>, Name>,
    entries: Vec<Entry>,
    /// Words with a dot, as written.
    directives: HashMap<Box<str>, Kind>,
}

impl Interner {
    pub fn intern(&mut self, text: &str) -> Name {
        if let Some(&name) = self.map.get(text) {
            return name;
        }
        let name = Name(self.entries.len() as u32);
        let is_short = text.len() <= 4;
        let found = is_short
            .then(|| MNEMONICS.iter().position(|forms| forms.name.eq_ignore_ascii_case(text)))
            .flatten();
        self.bytes += text.len();
        self.entries.push(Entry { text: text.into(), mnemonic: found.map(|at| Mnemonic(at as u8)) });
        self.map.insert(text.into(), name);
        name
    }

    pub fn text(&self, name: Name) -> &str {
        self.entries.get(name.0 as usize).map_or("", |entry| &entry.text)
    }

    pub fn mnemonic(&self, name: Name) -> Option<Mnemonic> {
        self.entries.get(name.0 as usize)?.mnemonic
    }

    /// The token of a word with a dot.
    pub fn directive(&mut self, text: &str) -> Kind {
        if let Some(&kind) = self.directives.get(text) {
            return kind;
        }
        let lower = text.to_ascii_lowercase();
        let kind = match DIRECTIVES.iter().find(|(word, _)| *word == lower) {
            Some(&(_, directive)) => Kind::Directive(directive),
            None => Kind::Unknown(self.intern(text)),
        };
        self.directives.insert(text.into(), kind);
        kind
    }
}
