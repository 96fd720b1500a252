//! What the verbs work on: an assembly text, a PRG file, a raw binary, or a bus trace.

use super::{config, deviations, limits, run, screen, session, start, trace, unfit};
use crate::asm;
use crate::trace::{Trace, known};
use crate::x16::rules::NO_PROGRAM;
use crate::x16::{Limits, X16, split};
use gpuzoo_diag::{Diagnostic, Sources, Span, has_errors};
use gpuzoo_machine::arguments::Arguments;
use gpuzoo_machine::computer::{Input, Report, Screen, ScreenOptions, Software, TraceOptions};
use gpuzoo_machine::session::Session;
use gpuzoo_machine::text::{extension, utf8};

/// The name of the form that a file's name implies, or else its bytes.
fn form(name: &str, bytes: &[u8]) -> &'static str {
    let extension = extension(name);
    let named = super::FORMS.iter().filter(|form| form.is_read);
    let mut named =
        named.filter(|form| form.extensions.iter().any(|own| own.eq_ignore_ascii_case(extension)));
    if let Some(form) = named.next() {
        return form.name;
    }
    match std::str::from_utf8(bytes) {
        Ok(text) if text.contains(|letter: char| letter.is_control() && !letter.is_whitespace()) => "prg",
        Ok(text) if known(text) => "trace",
        Ok(_) => "asm",
        Err(_) => "prg",
    }
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

/// Reads an input; a text is added to `sources`. With errors there is nothing.
pub fn read(
    sources: &mut Sources,
    input: Input,
    arguments: &Arguments,
) -> (Option<Box<dyn Software>>, Vec<Diagnostic>) {
    let Input { name, bytes, .. } = input;
    let program = |image| -> Option<Box<dyn Software>> { Some(Box::new(Program { image, source: None })) };
    let form = input.form.unwrap_or_else(|| form(name, bytes));
    match form {
        "prg" => return (program(Image::Prg(bytes.to_vec())), Vec::new()),
        "bin" => {
            let address = arguments.number("load-at").and_then(|address| u16::try_from(address).ok());
            let address = address.unwrap_or(DEFAULT_ADDRESS);
            return (program(Image::Bin(address, bytes.to_vec())), Vec::new());
        }
        _ => {}
    }
    let file = match utf8(sources, name, bytes) {
        Ok(file) => file,
        Err(problem) => return (None, vec![problem]),
    };
    if form == "trace" {
        let (trace, problems) = Trace::parse(sources.get(file));
        return (problems.is_empty().then(|| Box::new(trace) as Box<dyn Software>), problems);
    }
    let (source, mut problems) = asm::assemble(sources, file, &asm::OPTIONS, input.include);
    if has_errors(&problems) {
        return (None, problems);
    }
    match source.prg() {
        Ok(prg) => {
            let program = Program { image: Image::Prg(prg), source: Some(source) };
            (Some(Box::new(program)), problems)
        }
        Err(problem) => {
            problems.push(problem);
            (None, problems)
        }
    }
}

/// Frames that a ROM gets to set itself up before a program is loaded: the KERNAL is done within two seconds.
const BOOT_FRAMES: u64 = 180;

impl Program {
    /// A machine as the arguments describe it, with the program in it, about to start.
    ///
    /// # Errors
    /// What is wrong with the file, or with the machine.
    pub fn machine(&self, arguments: &Arguments) -> Result<X16, Diagnostic> {
        self.machine_from(arguments, |_| {})
    }

    /// The same; `power_on` sees the machine before a ROM sets it up.
    pub(super) fn machine_from(
        &self,
        arguments: &Arguments,
        power_on: impl FnOnce(&mut X16),
    ) -> Result<X16, Diagnostic> {
        let config = config(arguments)?;
        let boots = config.rom.is_some();
        let mut machine = X16::new(config)?;
        power_on(&mut machine);
        if boots {
            machine.run(&Limits::frames(BOOT_FRAMES));
        }
        match &self.image {
            Image::Prg(bytes) => machine.load_prg(bytes)?,
            Image::Bin(address, bytes) => machine.load_at(*address, bytes)?,
        };
        if let Some(start) = start(arguments) {
            machine.start_at(start);
        }
        Ok(machine)
    }

    /// The source line of an address.
    pub fn place(&self, address: u16) -> Option<Span> {
        Some(self.source.as_ref()?.line_at(address)?.span)
    }

    /// The bytes, and where they go.
    pub(super) fn bytes(&self) -> Result<(u16, &[u8]), Diagnostic> {
        match &self.image {
            Image::Bin(address, bytes) => Ok((*address, bytes)),
            Image::Prg(bytes) => split(bytes),
        }
    }
}

impl Software for Program {
    fn emit(&self, form: &str, sources: &Sources) -> Result<Vec<u8>, Diagnostic> {
        let (address, bytes) = self.bytes()?;
        match (form, &self.source) {
            ("prg", _) => Ok([&address.to_le_bytes()[..], bytes].concat()),
            ("bin", _) => Ok(bytes.to_vec()),
            ("listing", Some(source)) => Ok(source.listing(sources).into_bytes()),
            ("symbols", Some(source)) => Ok(source.symbol_text().into_bytes()),
            _ => Err(Diagnostic::error(&NO_PROGRAM, format!("there is no text to make a {form} from"))),
        }
    }

    fn disassemble(&self) -> Result<String, Diagnostic> {
        let (address, bytes) = self.bytes()?;
        Ok(asm::disassemble(bytes, address, &asm::Disassembly::default()))
    }

    fn check(&self, arguments: &Arguments, sources: &Sources) -> Result<Report, Diagnostic> {
        run::check(self, arguments, sources)
    }

    fn run(&self, arguments: &Arguments) -> Result<Report, Diagnostic> {
        run::run(self, arguments)
    }

    fn record(&self, arguments: &Arguments) -> Result<Report, Diagnostic> {
        run::record(self, arguments)
    }

    fn trace<'a>(
        &'a self,
        arguments: &Arguments,
        options: &TraceOptions<'a>,
    ) -> Result<Box<dyn Iterator<Item = String> + 'a>, Diagnostic> {
        let machine = self.machine(arguments)?;
        Ok(Box::new(trace::Steps::new(self, machine, limits(arguments), *options)))
    }

    fn session(&self, arguments: &Arguments) -> Result<Box<dyn Session>, Diagnostic> {
        Ok(Box::new(session::MachineSession::of(self, self.machine(arguments)?)))
    }

    fn screen(&self, arguments: &Arguments, options: &ScreenOptions) -> Result<Box<dyn Screen>, Diagnostic> {
        screen::of_program(self, arguments, options)
    }
}

fn no_program(what: &str) -> Diagnostic {
    Diagnostic::error(&NO_PROGRAM, format!("a bus trace has no program to {what}"))
}

/// A trace has no CPU: of the machine only the device is there.
fn only_device(arguments: &Arguments) -> Result<(), Diagnostic> {
    let is_device = |name: &str| ["deviation", "state", "layer", "frames"].contains(&name);
    match arguments.given().find(|(name, _)| !is_device(name)) {
        Some((name, _)) => Err(unfit(format!("`--{name}` is for programs, and this is a bus trace"))),
        None => Ok(()),
    }
}

impl Software for Trace {
    fn emit(&self, _: &str, _: &Sources) -> Result<Vec<u8>, Diagnostic> {
        Err(no_program("assemble"))
    }

    fn disassemble(&self) -> Result<String, Diagnostic> {
        Err(no_program("disassemble"))
    }

    fn check(&self, _: &Arguments, _: &Sources) -> Result<Report, Diagnostic> {
        Err(no_program("check"))
    }

    fn run(&self, arguments: &Arguments) -> Result<Report, Diagnostic> {
        only_device(arguments)?;
        let replayed = run::replay(self, deviations(arguments)?);
        Ok(replayed.report(arguments.flag("state")))
    }

    fn record(&self, _: &Arguments) -> Result<Report, Diagnostic> {
        Err(no_program("record"))
    }

    fn trace<'a>(
        &'a self,
        _: &Arguments,
        _: &TraceOptions<'a>,
    ) -> Result<Box<dyn Iterator<Item = String> + 'a>, Diagnostic> {
        Err(no_program("trace"))
    }

    fn session(&self, _: &Arguments) -> Result<Box<dyn Session>, Diagnostic> {
        Err(no_program("step through"))
    }

    fn screen(&self, arguments: &Arguments, options: &ScreenOptions) -> Result<Box<dyn Screen>, Diagnostic> {
        only_device(arguments)?;
        screen::of_trace(self, arguments, options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_follow_from_the_name_or_else_the_bytes() {
        for (name, bytes, expected) in [
            ("cube.s", &b""[..], "asm"),
            ("x.INC", b"", "asm"),
            ("x.raw", b"", "bin"),
            ("t.txt", b"W 25 04\n", "trace"),
            ("", &[0x01, 0x08, 0x60], "prg"),
            ("", b" lda #1\n", "asm"),
            ("", &[0xff, 0xfe], "prg"),
        ] {
            assert_eq!(form(name, bytes), expected, "{name} {bytes:?}");
        }
    }

    #[test]
    fn a_trace_is_no_program() {
        let (trace, _) = read(
            &mut Sources::default(),
            Input { name: "t.trace", bytes: b"W 25 04\n", form: None, include: &mut |_| Err(String::new()) },
            &Arguments::default(),
        );
        let trace = trace.unwrap();
        assert_eq!(trace.disassemble().err().map(|problem| problem.code.id), Some("V0310"));
        let rom = Arguments::default().set("rom", vec![0]);
        assert_eq!(trace.run(&rom).err().map(|problem| problem.code.id), Some("V0309"));
        assert!(trace.run(&Arguments::default()).is_ok());
    }
}
