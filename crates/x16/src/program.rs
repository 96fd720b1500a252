//! Programs as files: where they go, and where they start.

use crate::asm::{BASIC, BasicStart};
use crate::board::bus::IO;
use crate::rules::{PLACE, SHORT};
use gpuzoo_diag::{Diagnostic, counted};
use gpuzoo_stored::stored;
use std::ops::Range;

/// A program in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// The first address.
    pub address: u16,
    /// How many bytes it has.
    pub length: u16,
    /// Where it starts.
    pub start: u16,
    /// The start is what a BASIC line with SYS says; else it is the first address.
    pub has_basic_start: bool,
    /// BASIC has statements to run, behind SYS or without it: a ROM's BASIC gets the command RUN.
    pub is_basic: bool,
}

stored! { Loaded { address, length, start, has_basic_start, is_basic } }

/// Takes a PRG file apart: the load address and the rest.
///
/// # Errors
/// V0301 if there is no byte after the address.
///
/// ```
/// assert_eq!(gpuzoo_x16::split(&[0x01, 0x08, 0x60]), Ok((0x0801, [0x60].as_slice())));
/// ```
pub fn split(prg: &[u8]) -> Result<(u16, &[u8]), Diagnostic> {
    match prg {
        [low, high, program @ ..] if !program.is_empty() => Ok((u16::from_le_bytes([*low, *high]), program)),
        _ => {
            Err(Diagnostic::error(&SHORT, format!("the program file is {} long", counted(prg.len(), "byte")))
                .help("a PRG file is a load address of two bytes and a program"))
        }
    }
}

/// Checks that a program ends before the addresses do, wherever it is to go.
pub(crate) fn addressable(address: u16, program: &[u8]) -> Result<(), Diagnostic> {
    match usize::from(address) + program.len() {
        ..=0x1_0000 => Ok(()),
        _ => Err(misplaced(address, program).help("addresses end at $FFFF; is the file really a PRG?")),
    }
}

/// The problem of a program where none can be.
fn misplaced(address: u16, program: &[u8]) -> Diagnostic {
    let last = usize::from(address) + program.len() - 1;
    Diagnostic::error(&PLACE, format!("the program would be at ${address:04X} to ${last:04X}"))
}

/// Checks that a program fits, and finds its start.
pub(super) fn place(address: u16, program: &[u8]) -> Result<Loaded, Diagnostic> {
    if program.is_empty() {
        return Err(Diagnostic::error(&SHORT, "the program is empty"));
    }
    let room: Range<usize> = if address < IO { 2..usize::from(IO) } else { 0xa000..0xc000 };
    let end = usize::from(address) + program.len();
    if !room.contains(&usize::from(address)) || end > room.end {
        return Err(misplaced(address, program)
            .help("programs go to $0002 to $9EFF or to $A000 to $BFFF; is the file really a PRG?"));
    }
    let start = if address == BASIC { BasicStart::of(program) } else { BasicStart::MachineCode };
    let (sys, is_basic) = match start {
        BasicStart::MachineCode => (None, false),
        BasicStart::Sys { address, goes_on } => (Some(address), goes_on),
        BasicStart::Basic => (None, true),
    };
    let (start, has_basic_start) = (sys.unwrap_or(address), sys.is_some());
    Ok(Loaded { address, length: program.len() as u16, start, has_basic_start, is_basic })
}
