//! How the text of an assembly language is written.

use crate::number::plain_number;
use crate::operand::{MAX_OPERANDS, Operand, Reg};
use crate::setters::setters;
use crate::token::TokenKind;
use std::borrow::Cow;

/// What may be written beside instructions: a directive, or a macro that becomes instructions.
///
/// ```
/// use gpuzoo_isa::Statement;
/// const END: Statement = Statement::new("END", "END", "the program ends here");
/// assert_eq!((END.name, END.example), ("END", "END"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Statement {
    /// The word that it begins with.
    pub name: &'static str,
    /// How it is written.
    pub usage: &'static str,
    /// What it does.
    pub about: &'static str,
    /// One that can be read.
    pub example: &'static str,
}

impl Statement {
    /// A statement whose usage is its example.
    pub const fn new(name: &'static str, usage: &'static str, about: &'static str) -> Statement {
        Statement { name, usage, about, example: usage }
    }

    /// The kit's own directive.
    pub const WORD: Statement = Statement::new(
        ".word",
        ".word N…",
        "a slot's words as numbers, lowest first: for what no instruction is encoded as",
    )
    .example(".word 0");
}

setters! { Statement:
    /// This one can be read.
    example(example: &'static str) { example: example }
}

/// What ends an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The beginning of the next one.
    Next,
    /// The end of its line.
    Line,
    /// A semicolon.
    Semicolon,
    /// The end of its line, or a semicolon.
    LineOrSemicolon,
}

/// Which swizzles have a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letters {
    /// Four letters, always written.
    Four,
    /// One letter, which is read for all components, or four; none for `xyzw`.
    OneOrFour,
    /// One to four letters, of which the last repeats; none for `xyzw`.
    Repeating,
    /// As `Repeating`, but the printer drops every letter that repeats the one before it: nv2avshd's way, which does
    /// not say what was meant.
    Lossy,
}

/// In which case mnemonics are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// As the table has them.
    Table,
    /// In capitals.
    Upper,
    /// All letters small or all capital; capitals are printed.
    Either,
    /// In any case; small letters are printed, of registers, too.
    Any,
}

/// How an operand of which one component is read says which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalars {
    /// As any operand: its first component is read.
    Any,
    /// As any operand; the printer names one.
    Printed,
    /// It must name one.
    Named,
}

/// Another name of a register.
#[derive(Clone, Copy, Debug)]
pub struct Name {
    /// The name.
    pub text: &'static str,
    /// The register.
    pub reg: Reg,
    /// True if it names the register as a destination, false if as a source.
    pub writes: bool,
    /// True if the printer writes it.
    pub printed: bool,
}

impl Name {
    /// A name of a register as a source.
    pub const fn source(text: &'static str, reg: Reg) -> Name {
        Name { text, reg, writes: false, printed: false }
    }

    /// A name of a register as a destination.
    pub const fn destination(text: &'static str, reg: Reg) -> Name {
        Name { text, reg, writes: true, printed: false }
    }
}

setters! { Name:
    /// The printer writes it.
    printed() { printed: true }
}

/// A register file whose registers are written with brackets: `c[5]`, `v[OPOS]`, `c[A0+5]`.
#[derive(Clone, Copy, Debug)]
pub struct Indexed {
    /// The file.
    pub file: u8,
    /// What is before the brackets.
    pub prefix: &'static str,
    /// True if `c5` may be written, too.
    pub plain: bool,
    /// True if a number may be between the brackets.
    pub numbers: bool,
    /// Names that may be between the brackets.
    pub names: &'static [(&'static str, u16)],
    /// How the address register is written there, and so elsewhere: `A0` or `A0.x`; empty where there is none.
    pub address: &'static str,
    /// What is printed between the address register and a number: `+` or ` + `.
    pub plus: &'static str,
    /// True if a number must follow the address register.
    pub offset: bool,
    /// True if numbers may be negative, also without brackets: `c-38`.
    pub signed: bool,
    /// True if the printer uses brackets for all registers, false if only for relative ones.
    pub brackets: bool,
    /// True if what is between the brackets may be a sum of the address register and integer expressions.
    pub sums: bool,
}

/// How a text counts the registers of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbering {
    /// The file.
    pub file: u8,
    /// What it is called: `gl`.
    pub name: &'static str,
    /// What is added to a number to get the machine's.
    pub offset: i64,
    /// The least number.
    pub least: i64,
    /// The greatest number.
    pub greatest: i64,
}

impl Numbering {
    /// From a text's number to the machine's.
    pub fn to_machine(&self, number: i64) -> Option<u16> {
        (self.least..=self.greatest).contains(&number).then(|| (number + self.offset) as u16)
    }

    /// From the machine's number to a text's; none where the text has no number for it.
    pub fn from_machine(&self, index: u16) -> Option<i64> {
        Some(i64::from(index) - self.offset).filter(|number| (self.least..=self.greatest).contains(number))
    }
}

/// Another way to write an instruction than its row has.
#[derive(Clone, Copy)]
pub struct Form {
    /// The mnemonic.
    pub name: &'static str,
    /// The row's mnemonic.
    pub row: &'static str,
    /// The version of the language that it came with; empty for the first.
    pub since: &'static str,
    /// How many of the row's last parts are not written.
    pub implied: usize,
    /// From what was written to the row's operands.
    pub complete: fn(&mut [Operand; MAX_OPERANDS]),
}

impl std::fmt::Debug for Form {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Form({} without {} parts)", self.name, self.implied)
    }
}

/// The kind and length of the token that a text begins with; none where the kit's own rules hold.
pub type OwnToken = fn(&str) -> Option<(TokenKind, usize)>;

/// The habits of one assembly language.
#[derive(Clone, Copy, Debug)]
pub struct Syntax {
    /// Its name, where a machine has several.
    pub name: &'static str,
    /// In which case mnemonics are written.
    pub case: Case,
    /// True if instructions can be joined by `+`, to run in one slot.
    pub joins: bool,
    /// Other names of registers.
    pub names: &'static [Name],
    /// Files that are written with brackets.
    pub indexed: &'static [Indexed],
    /// How an operand of which one component is read says which.
    pub scalars: Scalars,
    /// True if a source may have a plus sign.
    pub plus_signs: bool,
    /// True if blanks may be before the dot of a mask or swizzle.
    pub loose_dots: bool,
    /// What begins a comment that runs to the end of the line, at least one; the first is written.
    pub line_comments: &'static [&'static str],
    /// The characters between tokens, the line feed among them.
    pub blanks: &'static str,
    /// True if a byte order mark may begin a text.
    pub byte_order_mark: bool,
    /// True if `/* */` comments exist; they nest, as in Rust.
    pub block_comments: bool,
    /// Directives of this language beside the kit's [`.word`](Statement::WORD).
    pub directives: &'static [Statement],
    /// Statements that become instructions.
    pub macros: &'static [Statement],
    /// True if operands have commas between them, false if blanks do.
    pub commas: bool,
    /// What ends an instruction.
    pub end: End,
    /// Which swizzles have a text.
    pub letters: Letters,
    /// The letters that name components.
    pub components: &'static str,
    /// True if a mask's letters may be in any order.
    pub mask_in_any_order: bool,
    /// True if the printer writes the mask of all components.
    pub full_masks: bool,
    /// The text of an empty mask, and of an operand that is not a register; none if neither has a text.
    pub nothing: Option<&'static str>,
    /// Register files with a second prefix.
    pub prefixes: &'static [(u8, &'static str)],
    /// Other ways to write instructions.
    pub forms: &'static [Form],
    /// The bits of a word of `.word`, 32 or 64.
    pub word_bits: u32,
    /// The kind and length of the token that a text begins with, where the language has tokens of its own.
    pub token: Option<OwnToken>,
    /// What is wrong with a word that is not a mnemonic here, and what to write: for what users of related languages
    /// try.
    pub elsewhere: fn(&str) -> Option<String>,
}

impl Syntax {
    /// Words between blanks, comments from `//` on.
    pub const PLAIN: Syntax = Syntax {
        name: "",
        case: Case::Table,
        joins: false,
        names: &[],
        indexed: &[],
        scalars: Scalars::Named,
        plus_signs: false,
        loose_dots: false,
        line_comments: &["//"],
        blanks: " \t\r\n\u{b}\u{c}",
        byte_order_mark: true,
        block_comments: false,
        directives: &[],
        macros: &[],
        commas: false,
        end: End::Next,
        letters: Letters::Four,
        components: "xyzwrgba",
        mask_in_any_order: false,
        full_masks: false,
        nothing: None,
        prefixes: &[],
        forms: &[],
        word_bits: 32,
        token: None,
        elsewhere: |_| None,
    };

    /// What begins a comment.
    pub fn comment(&self) -> &'static str {
        self.line_comments.first().copied().unwrap_or("//")
    }

    /// True if the address register's only component must be written: `A0.x`.
    pub(crate) fn address_component(&self) -> bool {
        self.indexed.iter().any(|index| index.address.contains('.'))
    }

    /// What separates two operands.
    pub fn separator(&self) -> &'static str {
        if self.commas { ", " } else { " " }
    }

    /// What an instruction's text ends with.
    pub fn end_mark(&self) -> &'static str {
        match self.end {
            End::LineOrSemicolon | End::Semicolon => ";",
            End::Next | End::Line => "",
        }
    }

    /// Appends a mnemonic as it is written.
    pub(crate) fn write(&self, name: &str, out: &mut String) {
        let start = out.len();
        out.push_str(name);
        match self.case {
            Case::Table => {}
            Case::Upper | Case::Either => out[start..].make_ascii_uppercase(),
            Case::Any => out[start..].make_ascii_lowercase(),
        }
    }

    /// A mnemonic as it is written.
    pub(crate) fn written(&self, name: &str) -> String {
        text(|out| self.write(name, out))
    }

    /// True if a word is a prefix or a name, in another case where the language does not mind.
    pub(crate) fn same(&self, name: &str, word: &str) -> bool {
        let any_case = matches!(self.case, Case::Any | Case::Either);
        word == name || any_case && word.eq_ignore_ascii_case(name)
    }

    /// The number in a word that is a prefix and digits without leading zeros.
    pub(crate) fn number(&self, prefix: &str, word: &str) -> Option<i64> {
        let (start, digits) = word.split_at_checked(prefix.len())?;
        plain_number(digits).filter(|_| self.same(prefix, start))
    }

    /// What a word is looked up as.
    pub(crate) fn folded<'w>(&self, word: &'w str) -> Cow<'w, str> {
        let has = |case: fn(&u8) -> bool| word.as_bytes().iter().any(case);
        match self.case {
            Case::Any => word.to_ascii_lowercase().into(),
            Case::Either if !(has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase)) => {
                word.to_ascii_uppercase().into()
            }
            _ => word.into(),
        }
    }

    /// The directives with the kit's own.
    pub fn all_directives(&self) -> impl Iterator<Item = &'static Statement> + Clone {
        self.directives.iter().chain([&Statement::WORD])
    }

    /// True for the name of a macro, in the case of the table.
    pub fn has_macro(&self, name: &str) -> bool {
        self.macros.iter().any(|own| own.name == name)
    }
}

/// The text that a function writes.
pub(crate) fn text(write: impl FnOnce(&mut String)) -> String {
    let mut text = String::new();
    write(&mut text);
    text
}
