//! The 65C02 assembler: what people write for ca65, made into PRG files for the Commander X16, and back.
//!
//! One file with what it includes is the whole program; there is no linker. What is read is ca65's language, with all
//! instructions of the W65C02S and the names of VERA's registers; `docs/assembler.md` says how much of it and what
//! differs.
//!
//! ```
//! use gpuzoo_diag::Sources;
//! use gpuzoo_vera::asm::{Options, assemble};
//!
//! let mut sources = Sources::default();
//! let file = sources.add("demo.s", "        lda #(2 << 1)\n        sta VERA_CTRL\n@wait:  bra @wait\n");
//! let (program, problems) = assemble(&mut sources, file, &Options::default(), &mut |_| Err("no files here".into()));
//! assert!(problems.is_empty());
//! assert_eq!(program.prg().unwrap(), [0x01, 0x08, 0xa9, 0x04, 0x8d, 0x25, 0x9f, 0x80, 0xfe]);
//! ```
//!
//! Reading goes once through the text, as in ca65: how long an instruction is follows from what is known when its line
//! is read. Values that are not known then are stored at the end, when every segment has its place.

mod assembler;
mod blocks;
mod data;
mod disassemble;
mod expr;
mod finish;
mod functions;
mod input;
mod lexer;
mod naming;
mod parse;
mod predefined;
mod program;
mod rules;
mod section;
mod statement;
mod symbols;
mod token;
mod words;

pub use disassemble::{Disassembly, disassemble, instruction};
pub use gpuzoo_65c02::{Extra, Mode, OPCODES, Opcode};
pub use program::{BASIC, Chunk, Line, Program, Symbol, sys_address};
pub use rules::CODES;

use assembler::Assembler;
use expr::Expr;
use gpuzoo_diag::{Diagnostic, FileId, Sources, Span};
use symbols::{GLOBAL, Owner};

/// Gives the bytes of a file that the program names, or a reason why not.
pub type Include<'a> = dyn FnMut(&str) -> Result<Vec<u8>, String> + 'a;

/// How to assemble.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Where the program begins without an `.org`. $0801, the start of BASIC, as `cl65 -t cx16 -C cx16-asm.cfg` has it.
    pub origin: u16,
    /// Whether `10 SYS 2061` is put in front, at $0801. `None`: if the program names the segment STARTUP, as programs
    /// for `cl65 -t cx16` do, and has no such line itself.
    pub stub: Option<bool>,
    /// Whether the names of VERA's registers, `CHROUT` and `SCREEN_MODE` are known. A program's own definition wins.
    pub predefined: bool,
    /// Whether text becomes PETSCII, as with `cl65 -t cx16`: `"Hi"` is $C8 $49. `.charmap` changes single characters.
    pub petscii: bool,
    /// Constants to define before the first line.
    pub defines: &'a [(String, i64)],
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options { origin: BASIC, stub: None, predefined: true, petscii: true, defines: &[] }
    }
}

/// Assembles a file and what it includes. The program is only whole if no diagnostic is an error.
///
/// Limits: 64 KB of bytes, 4,000,000 lines after expansion, 32 files and 128 expansions under way, 65,536 rounds of a
/// repetition, 256 open conditions, 1,000 errors, 1,000 warnings; `docs/assembler.md` has them all.
pub fn assemble<'a>(
    sources: &'a mut Sources,
    file: FileId,
    options: &'a Options<'a>,
    include: &'a mut Include<'a>,
) -> (Program, Vec<Diagnostic>) {
    let mut assembler = Assembler::new(sources, options, include);
    for (name, value) in options.defines {
        let name = assembler.names.intern(name);
        let span = Span { file, start: 0, end: 0 };
        // The same name twice: the first one counts.
        let _ = assembler.define(Owner::Scope(GLOBAL), name, span, Expr::Number(*value), false);
    }
    assembler.run(file);
    assembler.finish()
}
