//! What the verbs work on: an assembly text, a PRG file, a raw binary, or a bus trace.

use super::{MachineSession, compare, config, deviations, input, run, screen, start, state, trace, unfit};
use crate::rules::NO_PROGRAM;
use crate::{CYCLES_PER_FRAME, Limits, X16, addressable, asm, split};
use gpuzoo_diag::{Diagnostic, FileId, Sources, Span, Symbol, has_errors};
use gpuzoo_machine::computer::{
    CompareOptions, Comparison, Input, NamedFile, Placed, Report, Screen, ScreenOptions, Software, Steps,
    TraceOptions,
};
use gpuzoo_machine::options::arguments::Arguments;
use gpuzoo_machine::session::Session;
use gpuzoo_machine::text::{self, extension};
use gpuzoo_vera::rules::TOO_LONG;
use gpuzoo_vera::trace::{Trace, known};

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
        // It is linked as a text is.
        _ if gpuzoo_asm65::is_object(bytes) => "asm",
        Ok(text) if text.contains(|letter: char| letter.is_control() && !letter.is_whitespace()) => "prg",
        Ok(text) if known(text) => "trace",
        Ok(_) => "asm",
        Err(_) => "prg",
    }
}

/// Something that a CPU runs.
///
/// ```
/// use gpuzoo_diag::Sources;
/// use gpuzoo_machine::Arguments;
/// use gpuzoo_machine::session::Session;
/// use gpuzoo_x16::Program;
///
/// let mut sources = Sources::default();
/// let file = sources.add("t.s", " lda #1\n sta VERA_DC_VIDEO\n rts\n");
/// let (program, problems) = Program::assemble(&mut sources, file, &mut |_| Err("no files".to_owned()));
/// assert!(problems.is_empty());
/// let mut session = program.unwrap().session(&Arguments::new("rtl"))?;
/// assert!(session.step() && session.step());
/// assert_eq!(session.machine().vera().peek(9), 1);
/// # Ok::<(), gpuzoo_diag::Diagnostic>(())
/// ```
#[derive(Clone, Debug)]
pub struct Program {
    pub(super) image: Image,
    /// What the assembler found, if it was a text, or what a linker wrote beside it.
    pub(super) source: Option<asm::Program>,
    /// Its names by address.
    pub(super) labels: asm::Labels,
}

/// Bytes and where they go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Image {
    /// A PRG file, or why a text makes none.
    Prg(Result<Vec<u8>, Diagnostic>),
    /// A program without its address.
    Bin(u16, Vec<u8>),
    /// No program: a ROM starts.
    None,
}

/// The longest bus trace in bytes: a line for each operation that a trace may have, and more.
const LONGEST_TRACE: usize = 1 << 30;

/// Where raw binaries go by default: the start of BASIC's memory, as for PRG files.
pub const DEFAULT_ADDRESS: u16 = 0x0801;

/// Reads an input; a text is added to `sources`. With errors there is nothing.
pub fn read(
    sources: &mut Sources,
    input: Input,
    arguments: &Arguments,
) -> (Option<Box<dyn Software>>, Vec<Diagnostic>) {
    let Input { name, bytes, .. } = input;
    let form = input.form.unwrap_or_else(|| form(name, bytes));
    let address = arguments.number("load-at").and_then(|address| u16::try_from(address).ok());
    if address.is_some() && form != "bin" {
        let problem = unfit(format!("`--load-at` is for raw binaries, and this is the form {form}"));
        return (None, vec![problem]);
    }
    let given = OF_TEXTS.into_iter().find(|name| arguments.given().any(|(given, _)| given == *name));
    if let Some(name) = given.filter(|_| form != "asm") {
        let problem = unfit(format!("`--{name}` is for assembly texts, and this is the form {form}"));
        return (None, vec![problem]);
    }
    let problems = input::problems(arguments, sources);
    if !problems.is_empty() {
        return (None, problems);
    }
    let boxed = |program: Program| -> Option<Box<dyn Software>> { Some(Box::new(program)) };
    let symbols = arguments.file("symbols");
    let program = match form {
        "prg" => Some(Program::prg(bytes)),
        "bin" => Some(Program::bin(address.unwrap_or(DEFAULT_ADDRESS), bytes)),
        _ => None,
    };
    if let Some(mut program) = program {
        let problems = symbols.map(|symbols| program.name(sources, name, symbols, input.include));
        let problems = problems.unwrap_or_default();
        return (if has_errors(&problems) { None } else { boxed(program) }, problems);
    }
    if symbols.is_some() {
        let problem =
            unfit(format!("`--symbols` is for programs that are linked, and this is the form {form}"));
        return (None, vec![problem.help("a text has its own names, and a bus trace has no program")]);
    }
    if form == "trace" {
        return read_trace(sources, name, bytes);
    }
    let texts = std::iter::once((name, bytes)).chain(arguments.sources("link"));
    let mut objects = Vec::new();
    let files = texts.map(|(name, bytes)| {
        if !gpuzoo_asm65::is_object(bytes) {
            return text::read(sources, name, bytes);
        }
        let file = sources.add(name, "");
        objects.push((file, bytes));
        Ok(file)
    });
    let files = match files.collect::<Result<Vec<_>, _>>() {
        Ok(files) => files,
        Err(problem) => return (None, vec![problem]),
    };
    let assembled = with_options(sources, arguments, |sources, options| {
        let options = asm::Options { objects: &objects, ..*options };
        Program::assemble_with(&options, sources, &files, input.include)
    });
    match assembled {
        Ok((program, problems)) => (program.and_then(boxed), problems),
        Err(problem) => (None, vec![problem]),
    }
}

/// What can be said of assembly texts only.
const OF_TEXTS: [&str; 4] = ["stub", "link", "config", "define"];

/// The names of a program's texts.
pub fn symbols(
    sources: &mut Sources,
    files: &[FileId],
    arguments: &Arguments,
    include: &mut asm::Include,
) -> Vec<Symbol> {
    with_options(sources, arguments, |sources, options| asm::symbols(sources, files, options, include))
        .unwrap_or_default()
}

/// Calls something with how the arguments let texts be assembled.
fn with_options<T>(
    sources: &mut Sources,
    arguments: &Arguments,
    call: impl FnOnce(&mut Sources, &asm::Options) -> T,
) -> Result<T, Diagnostic> {
    let stub = arguments.names("stub").last().map(|choice| choice.eq_ignore_ascii_case("yes"));
    let defines = arguments.names("define").map(constant).collect::<Result<Vec<_>, _>>()?;
    let config =
        arguments.file("config").map(|(name, bytes)| text::read(sources, name, bytes)).transpose()?;
    Ok(call(sources, &asm::Options { stub, defines: &defines, config, ..asm::OPTIONS }))
}

/// `NAME=VALUE`, or `NAME`.
fn constant(text: &str) -> Result<(String, i64), Diagnostic> {
    let (name, value) = text.split_once('=').unwrap_or((text, "0"));
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && name.bytes().next().is_some_and(|first| !first.is_ascii_digit());
    let number = match (value.strip_prefix('$').or(value.strip_prefix("0x")), value.strip_prefix('%')) {
        (Some(digits), _) => u32::from_str_radix(digits, 16).ok(),
        (_, Some(digits)) => u32::from_str_radix(digits, 2).ok(),
        _ => value.parse().ok(),
    };
    match number.filter(|_| is_name) {
        Some(number) => Ok((name.to_owned(), number.into())),
        None => Err(unfit(format!("`--define {text}` is not a constant"))
            .help("a constant is NAME=VALUE, the value decimal, $ and hexadecimal or % and binary digits, up to 32 bits")),
    }
}

fn read_trace(
    sources: &mut Sources,
    name: &str,
    bytes: &[u8],
) -> (Option<Box<dyn Software>>, Vec<Diagnostic>) {
    if bytes.len() > LONGEST_TRACE {
        let message = format!("the trace has {} bytes", bytes.len());
        let problem = Diagnostic::error(&TOO_LONG, message).help("it may have 1 GiB");
        return (None, vec![problem]);
    }
    let file = match text::utf8(sources, name, bytes) {
        Ok(file) => file,
        Err(problem) => return (None, vec![problem]),
    };
    let (trace, problems) = Trace::parse(sources.get(file));
    (problems.is_empty().then(|| Box::new(Replay(trace)) as Box<dyn Software>), problems)
}

/// Frames that a ROM gets to set itself up before a program is loaded, or what the user does begins: the KERNAL is done within two seconds.
const BOOT_FRAMES: u64 = 180;

impl Program {
    /// From a text with the device's registers predefined. With errors there is none.
    pub fn assemble(
        sources: &mut Sources,
        file: FileId,
        include: &mut asm::Include,
    ) -> (Option<Program>, Vec<Diagnostic>) {
        Program::assemble_with(&asm::OPTIONS, sources, &[file], include)
    }

    /// From the texts of a program, with options.
    pub fn assemble_with(
        options: &asm::Options,
        sources: &mut Sources,
        files: &[FileId],
        include: &mut asm::Include,
    ) -> (Option<Program>, Vec<Diagnostic>) {
        let (source, problems) = asm::assemble_all(sources, files, options, include);
        let (image, labels) = (Image::Prg(source.prg()), source.labels());
        let program = Program { image, source: Some(source), labels };
        ((!has_errors(&problems)).then_some(program), problems)
    }

    /// From a program file: the load address, two bytes, and the program.
    pub fn prg(bytes: &[u8]) -> Program {
        Program { image: Image::Prg(Ok(bytes.to_vec())), source: None, labels: asm::Labels::default() }
    }

    /// From bytes that go to an address.
    pub fn bin(address: u16, bytes: &[u8]) -> Program {
        Program { image: Image::Bin(address, bytes.to_vec()), source: None, labels: asm::Labels::default() }
    }

    /// No program, for a machine whose ROM starts at power-on.
    pub fn none() -> Program {
        Program { image: Image::None, source: None, labels: asm::Labels::default() }
    }

    /// Takes names, and the lines of sources, from what its linker wrote: a file with a name for messages, and its bytes. Both texts
    /// and sources are added to `sources`. With errors there are none.
    pub fn name(
        &mut self,
        sources: &mut Sources,
        program: &str,
        (name, bytes): (&str, &[u8]),
        include: &mut asm::Include,
    ) -> Vec<Diagnostic> {
        let file = match text::read(sources, name, bytes) {
            Ok(file) => file,
            Err(problem) => return vec![problem],
        };
        let linked = match self.bytes() {
            Ok((address, bytes)) => asm::Linked { name: program, address, bytes },
            Err(problem) => return vec![problem],
        };
        let (source, problems) = asm::linked(sources, file, &linked, include);
        if !has_errors(&problems) {
            self.labels = source.labels();
            self.source = Some(source);
        }
        problems
    }

    /// A run that goes forward and back.
    ///
    /// # Errors
    /// As for [`machine`](Program::machine).
    pub fn session(&self, arguments: &Arguments) -> Result<MachineSession, Diagnostic> {
        Ok(MachineSession::of(self, self.machine(arguments)?))
    }

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
        let (config, input) = (config(arguments)?, input::input(arguments)?);
        let boots = config.rom.is_some();
        let mut machine = X16::new(config)?;
        if state::is_wanted(arguments) {
            machine.expect_state();
        }
        power_on(&mut machine);
        let state = state::given(arguments)?;
        let insert = |machine: &mut X16| match arguments.disk("files") {
            Some(disk) => machine.insert(disk.clone()),
            None => Ok(()),
        };
        if self.is_rom() {
            if !boots {
                let problem = Diagnostic::error(&NO_PROGRAM, "there is neither a program nor a ROM");
                return Err(problem.help("give an image of the Commander's ROM with `--rom`"));
            }
            if start(arguments).is_some() {
                return Err(unfit("`--start` is for a program; a ROM starts at its reset vector"));
            }
            insert(&mut machine)?;
            return match state {
                Some(state) => state::from(machine, state, &input),
                None => {
                    machine.give_later(BOOT_FRAMES * CYCLES_PER_FRAME, &input);
                    Ok(machine)
                }
            };
        }
        // A program is started instead of what the KERNAL would find on the disk, so that the disk comes later.
        if boots && state.is_none() {
            machine.run(&Limits::frames(BOOT_FRAMES));
        }
        insert(&mut machine)?;
        let (address, bytes) = self.bytes()?;
        // Of a machine that goes on from a state, the start does not matter.
        let start = start(arguments).or(state.is_some().then_some(address));
        machine.load_and_start(address, bytes, start)?;
        if let Some(state) = state {
            return state::from(machine, state, &input);
        }
        machine.give(&input);
        Ok(machine)
    }

    /// There is no program: a ROM starts by itself.
    pub(super) fn is_rom(&self) -> bool {
        self.image == Image::None
    }

    /// Whether an address is among its bytes.
    pub(super) fn has(&self, address: u16) -> bool {
        let is_own = |(start, bytes): (u16, &[u8])| usize::from(address.wrapping_sub(start)) < bytes.len();
        self.place(address).is_some() || self.bytes().is_ok_and(is_own)
    }

    /// The source line of an address.
    pub fn place(&self, address: u16) -> Option<Span> {
        Some(self.source.as_ref()?.line_at(address)?.span)
    }

    /// The bytes, and where they go.
    pub(super) fn bytes(&self) -> Result<(u16, &[u8]), Diagnostic> {
        let (address, bytes) = match &self.image {
            Image::Bin(address, bytes) => (*address, &bytes[..]),
            Image::Prg(bytes) => split(bytes.as_ref().map_err(Clone::clone)?)?,
            Image::None => return Err(Diagnostic::error(&NO_PROGRAM, "there is a ROM, and no program")),
        };
        addressable(address, bytes)?;
        Ok((address, bytes))
    }
}

impl Software for Program {
    fn emit(&self, form: &str, sources: &Sources) -> Result<Vec<u8>, Diagnostic> {
        let bytes = || self.bytes();
        // What a linker configuration makes is written as it is: it says itself whether an address comes first.
        let linked = self.source.as_ref().and_then(|source| source.files.first());
        match (form, &self.source) {
            ("prg" | "bin", _) if linked.is_some_and(|file| !file.bytes.is_empty()) => {
                Ok(linked.map(|file| file.bytes.clone()).unwrap_or_default())
            }
            ("prg", _) => bytes().map(|(address, bytes)| [&address.to_le_bytes()[..], bytes].concat()),
            ("bin", _) => bytes().map(|(_, bytes)| bytes.to_vec()),
            ("listing", Some(source)) => Ok(source.listing(sources).into_bytes()),
            ("symbols", Some(source)) => Ok(source.symbol_text().into_bytes()),
            _ => Err(Diagnostic::error(&NO_PROGRAM, format!("there is no text to make a {form} from"))),
        }
    }

    fn files(&self) -> Vec<NamedFile<'_>> {
        let files = self.source.iter().flat_map(|source| &source.files);
        files.map(|file| NamedFile { name: file.name_parts(), span: file.span, bytes: &file.bytes }).collect()
    }

    fn placed(&self) -> Vec<Placed> {
        let Some(source) = &self.source else { return Vec::new() };
        let placed = source.lines.iter().map(|line| {
            let address = usize::from(line.address);
            let bytes = (address..address + usize::from(line.length))
                .map_while(|at| source.byte(u16::try_from(at).ok()?));
            Placed { span: line.call.unwrap_or(line.span), address: line.address, bytes: bytes.collect() }
        });
        placed.collect()
    }

    fn disassemble(&self) -> Result<String, Diagnostic> {
        let (address, bytes) = self.bytes()?;
        let options = asm::Disassembly::default();
        Ok(match &self.source {
            Some(program) => asm::disassemble_with(program, bytes, address, &options),
            None => asm::disassemble(bytes, address, &options),
        })
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
    ) -> Result<Box<dyn Steps + 'a>, Diagnostic> {
        let machine = self.machine(arguments)?;
        Ok(Box::new(trace::Steps::new(self, machine, arguments, options.clone())))
    }

    fn compare(&self, arguments: &Arguments, options: &CompareOptions) -> Result<Comparison, Diagnostic> {
        compare::of_program(self, arguments, options)
    }

    fn session(&self, arguments: &Arguments) -> Result<Box<dyn Session>, Diagnostic> {
        Ok(Box::new(Program::session(self, arguments)?))
    }

    fn screen(&self, arguments: &Arguments, options: &ScreenOptions) -> Result<Box<dyn Screen>, Diagnostic> {
        screen::of_program(self, arguments, options)
    }
}

fn no_program(what: &str) -> Diagnostic {
    Diagnostic::error(&NO_PROGRAM, format!("a bus trace has no program to {what}"))
}

/// A trace has no CPU: of the machine only the device is there.
fn only(known: &[&str], arguments: &Arguments) -> Result<(), Diagnostic> {
    match arguments.given().find(|(name, _)| !known.contains(name)) {
        Some((name, _)) => Err(unfit(format!("`--{name}` is for programs, and this is a bus trace"))),
        None => Ok(()),
    }
}

/// A bus trace as what the verbs run.
struct Replay(Trace);

impl Software for Replay {
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
        only(&["deviation", "state", "vram"], arguments)?;
        let replayed = run::replay(&self.0, deviations(arguments)?);
        Ok(replayed.report(arguments.flag("state")))
    }

    fn record(&self, _: &Arguments) -> Result<Report, Diagnostic> {
        Err(no_program("record"))
    }

    fn trace<'a>(&'a self, _: &Arguments, _: &TraceOptions<'a>) -> Result<Box<dyn Steps + 'a>, Diagnostic> {
        Err(no_program("trace"))
    }

    fn compare(&self, _: &Arguments, _: &CompareOptions) -> Result<Comparison, Diagnostic> {
        Err(no_program("run under two profiles"))
    }

    fn session(&self, _: &Arguments) -> Result<Box<dyn Session>, Diagnostic> {
        Err(no_program("step through"))
    }

    fn screen(&self, arguments: &Arguments, options: &ScreenOptions) -> Result<Box<dyn Screen>, Diagnostic> {
        only(&["deviation", "layer", "frames", "sound"], arguments)?;
        screen::of_trace(&self.0, arguments, options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpuzoo_machine::options::arguments::Value;

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
            ("lib.o", b"Uzna\x11\0", "asm"),
        ] {
            assert_eq!(form(name, bytes), expected, "{name} {bytes:?}");
        }
    }

    /// The disassembler would leave out what is behind the last address.
    #[test]
    fn programs_end_before_the_addresses_do() {
        let codes = |program: Program| {
            let written = program.emit("prg", &Sources::default()).map(|_| ());
            [written, program.disassemble().map(|_| ())].map(|done| done.map_err(|problem| problem.code.id))
        };
        assert_eq!(codes(Program::prg(&[0xff, 0xff, 0x60])), [Ok(()), Ok(())]);
        assert_eq!(codes(Program::prg(&[0xff, 0xff, 0x60, 0])), [Err("V0302"), Err("V0302")]);
        assert_eq!(codes(Program::bin(0xfffe, &[0x60, 0, 0])), [Err("V0302"), Err("V0302")]);
    }

    /// An object is linked where it is named; what is none, and what cannot be read, is said of it.
    #[test]
    fn objects_are_linked() {
        let linked = |object: &[u8]| {
            let arguments =
                Arguments::default().set("link", Value::File("lib.o".to_owned(), object.to_vec()));
            let mut sources = Sources::default();
            let input =
                Input { name: "main.s", bytes: b" rts\n", form: None, include: &mut |_| Err(String::new()) };
            let (program, problems) = read(&mut sources, input, &arguments);
            (program.is_some(), problems.into_iter().map(|problem| problem.code.id).collect::<Vec<_>>())
        };
        // A header whose eleven parts are one empty list.
        let part = [96u32.to_le_bytes(), 1u32.to_le_bytes()].concat();
        let empty = [&b"Uzna\x11\0\0\0"[..], &part.repeat(11), &[0]].concat();
        assert_eq!(linked(&empty), (true, Vec::new()));
        assert_eq!(linked(&empty[..50]), (false, vec!["V0236"]));
    }

    #[test]
    fn a_trace_is_no_program() {
        let (trace, _) = read(
            &mut Sources::default(),
            Input { name: "t.trace", bytes: b"W 25 04\n", form: None, include: &mut |_| Err(String::new()) },
            &Arguments::default(),
        );
        let trace = trace.unwrap();
        assert_eq!(trace.disassemble().err().map(|problem| problem.code.id), Some("V0309"));
        for other in [Arguments::default().set("rom", vec![0]), Arguments::default().set("frames", 3)] {
            assert_eq!(trace.run(&other).err().map(|problem| problem.code.id), Some("G0108"));
        }
        let three = Arguments::default().set("frames", 3);
        assert_eq!(
            trace.screen(&three, &ScreenOptions::default()).map(|screen| screen.count()).ok(),
            Some(3)
        );
        assert!(trace.run(&Arguments::default()).is_ok());
    }
}
