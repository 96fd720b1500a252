//! The kit that an instruction set is written with.
//!
//! An [`Isa`] is tables. Its **rows** ([`Op`]) say of each instruction its opcode, its mnemonic, its operands, its
//! documentation and its *lowering function*, which is its only meaning. An operand is a [`Part`]: what may be there
//! (registers of which files, values, nothing), how it is written, and which [`Field`]s of bits it fills. Parser,
//! printer, encoder, decoder, `explain`, the reference pages and the generator of random programs are one loop each
//! over that list, so they cannot disagree:
//!
//! ```text
//!             parser                encode
//!   text ───────────────▶ Inst ───────────────▶ Bits
//!        ◀───────────────   │  ◀───────────────
//!             printer       │       decode
//!                           ▼ lower (the row's function)
//!                          IR
//! ```
//!
//! What a table cannot say is a function in it, for one operand or one row: how a number is read ([`Values`]), what the
//! machine makes of an operand's bits ([`Part::adjust`]), which of two rows a word is ([`Op::when`]). What a language has
//! beside instructions (directives, macros) is a [`Language`].
//!
//! A program is a list of [`Slot`]s. A slot keeps its bits beside the decoded instruction, because bits that the
//! machine ignores must survive: whatever bits go in, [`Isa::print_slot`] prints a text that assembles to the same bits,
//! and falls back to `.word`. [`Isa::print_readable`] says what they mean, whatever they do not use. [`Bits`] has room for 160 bits, so a slot may be one word, two, four,
//! or a word and four values, and slots of one program may differ in length ([`Slot::words`]).
//!
//! A machine's *constant* registers are the *uniforms* of the IR function that a program becomes: the IR's own constants
//! are literal values.
#![forbid(unsafe_code)]

mod bits;
mod codec;
pub mod codes;
mod components;
mod cursor;
mod describe;
mod explain;
mod expression;
mod files;
mod interface;
mod isa;
mod item;
mod language;
mod lexemes;
mod lexer;
mod lints;
mod live;
mod lower;
mod lowered;
mod matrices;
mod meaning;
mod naming;
pub mod number;
mod op;
mod operand;
mod operands;
mod parser;
mod part;
mod printer;
mod program;
mod registers;
mod sample;
mod setters;
mod statements;
mod syntax;
mod token;
mod typing;

pub use bits::{Bits, MAX_WORDS};
pub use cursor::{Cursor, Failed, MAX_ERRORS};
pub use describe::Described;
pub use explain::FieldValue;
pub use expression::MAX_NESTING;
pub use files::{FileKind, NO_NAME, RegFile};
pub use interface::{Interface, Port, Stage};
pub use isa::{Half, Isa, MOST_SLOTS, Room};
pub use item::{Item, Named, Parsed, Written};
pub use language::{Language, Plain};
pub use lexer::Lexer;
pub use lower::{Lower, Profile};
pub use lowered::{Lowered, Output, Poke, Poked, RegRead, RelativeRead, Step, UndefinedRead};
pub use matrices::{MatrixOrder, MatrixUses};
pub use op::{Inst, Op};
pub use operand::{COMPONENTS, Immediates, MAX_OPERANDS, Mask, Operand, Reg, Swizzle, component};
pub use parser::{Parser, list};
pub use part::{Choice, Field, Kind, Map, Part, Role, SwizzleCode, ValuePlace, Values};
pub use printer::{Printer, other_words, slots_in_words};
pub use program::{Assembled, Constant, Home, Program, Slot};
pub use sample::numbers;
pub use statements::parse;
pub use syntax::{Case, End, Form, Indexed, Letters, Name, Numbering, OwnToken, Scalars, Statement, Syntax};
pub use token::{Token, TokenKind};

/// The example of the package's page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
