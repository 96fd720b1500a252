//! What VERA's verbs work on: an assembly text, a PRG file, a raw binary, or a bus trace.

use crate::read::utf8;
use crate::registry::extension;
use gpuzoo_diag::{Diagnostic, FileId, Sources, Span, has_errors};
use gpuzoo_vera::Deviations;
use gpuzoo_vera::asm;
use gpuzoo_vera::trace::Trace;
use gpuzoo_vera::x16::{Config, Limits, X16};

/// How a program is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// 65C02 assembly text.
    Asm,
    /// A load address of two bytes, then the program.
    Prg,
    /// The program alone.
    Bin,
    /// A bus trace.
    Trace,
}

impl Form {
    /// The form that a file's name implies, or else its bytes.
    ///
    /// ```
    /// use gpuzoo::vera::program::Form;
    /// assert_eq!(Form::of("cube.s", b""), Form::Asm);
    /// assert_eq!(Form::of("t.txt", b"W 25 04\n"), Form::Trace);
    /// assert_eq!(Form::of("", &[0x01, 0x08, 0x60]), Form::Prg);
    /// ```
    pub fn of(name: &str, bytes: &[u8]) -> Form {
        match extension(name).to_ascii_lowercase().as_str() {
            "s" | "asm" | "a65" | "inc" => return Form::Asm,
            "prg" => return Form::Prg,
            "bin" => return Form::Bin,
            "trace" => return Form::Trace,
            _ => {}
        }
        match std::str::from_utf8(bytes) {
            Ok(text) if text.contains(|letter: char| letter.is_control() && !letter.is_whitespace()) => {
                Form::Prg
            }
            Ok(text) if known(text) => Form::Trace,
            Ok(_) => Form::Asm,
            Err(_) => Form::Prg,
        }
    }
}

/// True if a text is a bus trace: its first line that is not a comment is an access or a row.
pub fn known(text: &str) -> bool {
    let mut lines = text.lines().map(|line| line.split('#').next().unwrap_or("").trim());
    let first = lines.find(|line| !line.is_empty()).unwrap_or("");
    let mut words = first.split_whitespace();
    matches!(words.next(), Some("W" | "R" | "V" | "w" | "r" | "v")) && words.count() == 2
}

/// What was read.
#[derive(Clone, Debug)]
pub enum Input {
    /// Something that a CPU runs.
    Program(Program),
    /// Accesses alone.
    Trace(Trace),
}

/// Something that a CPU runs.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Program {
    /// The bytes.
    pub image: Image,
    /// What the assembler found, if it was a text.
    pub source: Option<asm::Program>,
}

/// Bytes and where they go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Image {
    /// A PRG file.
    Prg(Vec<u8>),
    /// A program without its address.
    Bin(u16, Vec<u8>),
}

/// Where raw binaries go by default: the start of BASIC's memory, as for PRG files.
pub const DEFAULT_ADDRESS: u16 = 0x0801;

pub use asm::Include;

/// Assembles a text, with VERA's registers predefined.
pub fn assemble<'a>(
    sources: &'a mut Sources,
    file: FileId,
    include: &'a mut Include<'a>,
) -> (asm::Program, Vec<Diagnostic>) {
    asm::assemble(sources, file, &asm::OPTIONS, include)
}

/// Reads an input; it is added to `sources`. With errors there is no program.
pub fn read<'a>(
    sources: &'a mut Sources,
    name: &str,
    bytes: &[u8],
    form: Option<Form>,
    address: Option<u16>,
    include: &'a mut Include<'a>,
) -> (Option<Input>, Vec<Diagnostic>) {
    let form = form.unwrap_or_else(|| Form::of(name, bytes));
    let text = match form {
        Form::Prg => return (Some(program(Image::Prg(bytes.to_vec()))), Vec::new()),
        Form::Bin => {
            let address = address.unwrap_or(DEFAULT_ADDRESS);
            return (Some(program(Image::Bin(address, bytes.to_vec()))), Vec::new());
        }
        Form::Asm | Form::Trace => utf8(sources, name, bytes),
    };
    let file = match text {
        Ok(file) => file,
        Err(problem) => return (None, vec![problem]),
    };
    if form == Form::Trace {
        let (trace, problems) = Trace::parse(sources.get(file));
        return (if problems.is_empty() { Some(Input::Trace(trace)) } else { None }, problems);
    }
    let (source, mut problems) = assemble(sources, file, include);
    if has_errors(&problems) {
        return (None, problems);
    }
    match source.prg() {
        Ok(prg) => (Some(Input::Program(Program { image: Image::Prg(prg), source: Some(source) })), problems),
        Err(problem) => {
            problems.push(problem);
            (None, problems)
        }
    }
}

fn program(image: Image) -> Input {
    Input::Program(Program { image, source: None })
}

/// The machine that a program runs on, and how far.
#[derive(Clone, Debug)]
pub struct Setup {
    /// VERA's deviations, banks of RAM, and the ROM.
    pub config: Config,
    /// Where to start, if not where the program says.
    pub start: Option<u16>,
    /// How far to run.
    pub limits: Limits,
}

impl Setup {
    /// A machine without ROM, the default limits.
    pub fn new(deviations: Deviations) -> Setup {
        let config = Config { deviations, ..Config::default() };
        Setup { config, start: None, limits: Limits::default() }
    }
}

/// Frames that a ROM gets to set itself up before a program is loaded: the KERNAL is done within two seconds.
const BOOT_FRAMES: u64 = 180;

impl Program {
    /// A machine with the program in it, about to start.
    ///
    /// # Errors
    /// What is wrong with the file, or with the machine.
    pub fn machine(&self, setup: &Setup) -> Result<X16, Diagnostic> {
        self.machine_from(setup, |_| {})
    }

    /// The same; `power_on` sees the machine before a ROM sets it up.
    ///
    /// # Errors
    /// What is wrong with the file, or with the machine.
    pub fn machine_from(&self, setup: &Setup, power_on: impl FnOnce(&mut X16)) -> Result<X16, Diagnostic> {
        let mut machine = X16::new(setup.config.clone())?;
        power_on(&mut machine);
        if setup.config.rom.is_some() {
            machine.run(&Limits::frames(BOOT_FRAMES));
        }
        match &self.image {
            Image::Prg(bytes) => machine.load_prg(bytes)?,
            Image::Bin(address, bytes) => machine.load_at(*address, bytes)?,
        };
        if let Some(start) = setup.start {
            machine.start_at(start);
        }
        Ok(machine)
    }

    /// The source line of an address.
    pub fn place(&self, address: u16) -> Option<Span> {
        Some(self.source.as_ref()?.line_at(address)?.span)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traces_are_told_from_other_texts() {
        assert!(known("# a comment\n\nW 25 04 # write\n"));
        assert!(!known("# frame   ISR\nf00_text16  0B\n") && !known("") && !known("W 25"));
    }
}
