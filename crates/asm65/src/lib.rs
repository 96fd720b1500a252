//! A 65C02 assembler in ca65's language, and a disassembler whose text assembles to the same bytes.
//!
//! A program is one file with what it includes, or [several](assemble_all), which export names to each other. What is read is all
//! instructions of the W65C02S, and ca65's everyday directives, macros and scopes; the manual, `docs/assembler.md` in gpuzoo's
//! repository, says how much of it and what differs.
//!
//! ```
//! use gpuzoo_asm65::{Disassembly, Options, assemble, disassemble};
//! use gpuzoo_diag::Sources;
//!
//! let mut sources = Sources::default();
//! let text = "        ldx #10\nloop:   dex\n        bne loop\n        rts\n";
//! let file = sources.add("count.s", text);
//! let (program, problems) =
//!     assemble(&mut sources, file, &Options::default(), &mut |_| Err("there are no other files".into()));
//! assert!(problems.is_empty());
//!
//! // A PRG file is a load address and bytes.
//! assert_eq!(program.prg().unwrap(), [0x01, 0x08, 0xa2, 10, 0xca, 0xd0, 0xfd, 0x60]);
//! assert_eq!(program.symbol("loop").unwrap().value, 0x0803);
//! let listing = program.listing(&sources);
//! assert!(listing.contains("0803  ca                        loop:   dex\n"), "{listing}");
//!
//! let back = disassemble(&program.binary(), 0x0801, &Disassembly::default(), &mut ());
//! assert!(back.ends_with("L0803:\n    dex\n    bne L0803\n    rts\n"), "{back}");
//! ```
//!
//! Reading goes once through the text, as in ca65: how long an instruction is follows from what is known when its line
//! is read. Values that are not known then are stored at the end, when every segment has its place.
//!
//! The default layout is that of cc65's target `cx16`, the Commander X16. Other machines differ by the fields of
//! [`Options`]; their names for addresses are tables given to the assembler ([`Predefined`]), and what they know of
//! addresses in a disassembly is behind [`Names`].
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod assembler;
mod basic;
mod blocks;
mod conditions;
mod config;
mod data;
mod defines;
mod describe;
mod disassemble;
mod evaluate;
mod expr;
mod finish;
mod functions;
mod input;
mod lexemes;
mod lexer;
mod linked;
mod macpack;
mod names;
mod naming;
mod object;
mod parse;
mod petscii;
mod place;
mod program;
mod rules;
mod section;
mod statement;
mod symbols;
mod tables;
mod token;
mod units;
mod uses;
mod words;

pub use basic::{BASIC, BasicStart, sys_address};
pub use describe::{Described, directives};
pub use disassemble::{Disassembly, disassemble, instruction};
pub use lexemes::lexemes;
pub use linked::{Labels, Linked, linked};
pub use names::{Instruction, Names, Predefined};
pub use object::is_object;
pub use program::{Chunk, Line, OutputFile, Program, Symbol};
pub use rules::CODES;

use assembler::Assembler;
use gpuzoo_diag::{Diagnostic, FileId, Sources};

/// Gives the bytes of a file that the program names, or a reason why not.
pub type Include<'a> = dyn FnMut(&str) -> Result<Vec<u8>, String> + 'a;

/// How to assemble.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Where the program begins without an `.org`. $0801, the start of BASIC, as `cl65 -t cx16 -C cx16-asm.cfg` has it.
    pub origin: u16,
    /// Whether a BASIC line `SYS 2061` is put in front, at $0801. `None`: if the program names the segment STARTUP or ONCE, as
    /// programs for `cl65 -t cx16` do, and has no such line itself.
    pub stub: Option<bool>,
    /// The first and the last address of ZEROPAGE: what a program has of the zero page for itself.
    pub zero_page: (u8, u8),
    /// The first address that is not memory: BSS ends before it.
    pub memory_end: u16,
    /// Names that are known without a definition. A program's own wins.
    pub names: &'a [Predefined<'a>],
    /// Routines of the machine's ROM with their addresses. A program defines those that it calls; of one that it does not define, its address is
    /// said.
    pub routines: &'a [(u16, &'a str)],
    /// Whether text becomes PETSCII, as with `cl65 -t cx16`: `"Hi"` is $C8 $49. `.charmap` changes single characters.
    pub petscii: bool,
    /// Constants to define before the first line.
    pub defines: &'a [(String, i64)],
    /// A configuration of ld65, a text among the sources, which says where things lie instead of this.
    pub config: Option<FileId>,
    /// Which of the program's files are [objects](is_object) of ca65 or libraries of them, and their bytes. With a library and without a
    /// `config`, things lie as plain `cl65 -t cx16` puts them.
    pub objects: &'a [(FileId, &'a [u8])],
}

impl Options<'_> {
    /// The layout and the characters of `cl65 -t cx16 -C cx16-asm.cfg`; no predefined names.
    pub const CX16: Self = Options {
        origin: BASIC,
        stub: None,
        zero_page: (0x22, 0x7f),
        memory_end: 0x9f00,
        names: &[],
        routines: &[],
        petscii: true,
        defines: &[],
        config: None,
        objects: &[],
    };
}

impl Default for Options<'_> {
    /// [`Options::CX16`].
    fn default() -> Self {
        Self::CX16
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
    assemble_all(sources, &[file], options, include)
}

/// Assembles a program of several files. Each is read as if it were alone: names, macros and settings are its own, but for
/// names that one `.export`s and another `.import`s (`.global` is either), and may be an object file of ca65 ([`Options::objects`]). In each segment the bytes of the first come first, and so on.
///
/// ```
/// use gpuzoo_asm65::{Options, assemble_all};
/// use gpuzoo_diag::Sources;
/// let mut sources = Sources::default();
/// let main = sources.add("main.s", " .import beep\n jsr beep\nend: rts\n");
/// let sound = sources.add("sound.s", " .export beep\nbeep: bra end\nend: rts\n");
/// let (program, problems) =
///     assemble_all(&mut sources, &[main, sound], &Options::default(), &mut |_| Err("there are no other files".into()));
/// assert!(problems.is_empty());
/// assert_eq!(program.binary(), [0x20, 0x05, 0x08, 0x60, 0x80, 0x00, 0x60]);
/// ```
pub fn assemble_all<'a>(
    sources: &'a mut Sources,
    files: &[FileId],
    options: &'a Options<'a>,
    include: &'a mut Include<'a>,
) -> (Program, Vec<Diagnostic>) {
    let mut assembler = Assembler::new(sources, options, include);
    for file in files {
        match options.objects.iter().find(|(object, _)| object == file) {
            Some((_, bytes)) => assembler.object(*file, bytes),
            None => assembler.unit(*file),
        }
    }
    assembler.finish()
}

/// The names of a program's files and of what they include, each with its places, whether or not it can be assembled. What is left out by a
/// condition is not read, and places that only a `.define` brings in are not written there.
///
/// ```
/// use gpuzoo_asm65::{Options, symbols};
/// use gpuzoo_diag::Sources;
/// let mut sources = Sources::default();
/// let file = sources.add("count.s", "        ldx #10\nloop:   dex\n        bne loop\n");
/// let found = symbols(&mut sources, &[file], &Options::default(), &mut |_| Err("there are no other files".into()));
/// assert_eq!((found[0].name.as_str(), found[0].about.as_str()), ("loop", "$0803"));
/// assert_eq!(found[0].places().map(|span| span.start).collect::<Vec<_>>(), [16, 40]);
/// ```
pub fn symbols<'a>(
    sources: &'a mut Sources,
    files: &[FileId],
    options: &'a Options<'a>,
    include: &'a mut Include<'a>,
) -> Vec<gpuzoo_diag::Symbol> {
    let mut assembler = Assembler::new(sources, options, include);
    assembler.uses = Some(Vec::new());
    files.iter().for_each(|file| assembler.unit(*file));
    assembler.named()
}

/// The example of the package's page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
