//! The kit that an instruction set is written with.
//!
//! An [`Isa`] is tables and nothing else. Its **rows** ([`Op`]) say of each instruction its opcode, its mnemonic, its
//! [`Format`], its documentation and its *lowering function*, which is its only meaning. A format is a list of
//! [`Part`]s: what is written (`r3`, a number, a name, a swizzle, a mask), which operand it belongs to and which
//! [`Field`] of bits it fills. Parser, printer, encoder, decoder and `explain` are one loop each over that list, so
//! they cannot disagree:
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
//! A program is a list of [`Slot`]s. A slot keeps its bits beside the decoded instruction, because bits that the
//! machine ignores must survive: whatever bits go in, `disassemble` prints a text that assembles to the same bits
//! ([`Isa::print_slot`] falls back to `.word`). [`Bits`] has room for 160 bits, so a slot may be one word, two, four,
//! or a word and four immediates, and slots of one program may differ in length ([`Slot::words`]).
//!
//! What a machine does differently (a 64-slot limit, an `end` that is appended) is code in its own crate, around
//! [`parse`] and [`Isa::lower`].
#![forbid(unsafe_code)]

mod bits;
pub mod codes;
mod explain;
mod interface;
mod isa;
mod lexer;
mod lower;
pub mod number;
mod operand;
mod parser;
mod printer;
mod program;
mod syntax;

pub use bits::{Bits, MAX_WORDS};
pub use explain::FieldValue;
pub use interface::{Interface, Port, Stage};
pub use isa::{Custom, Field, FileKind, Format, Index, Isa, NO_NAME, Op, Part, PartKind, RegFile, Role};
pub use lexer::{Lexer, Token, TokenKind};
pub use lower::{Lower, Lowered, RelativeRead, Step, UNIFORM_OUTPUT, UndefinedRead};
pub use operand::{Immediates, LANES, Mask, Operand, Reg, Swizzle, lane};
pub use parser::{MAX_ERRORS, Parsed, list, parse};
pub use program::{Assembled, Constant, Inst, MAX_OPERANDS, Program, Slot};
pub use syntax::Syntax;
