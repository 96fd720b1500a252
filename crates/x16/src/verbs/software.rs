//! Inputs of the verbs, and the work of each verb on them: an assembly text, a PRG file, a raw binary, or a bus trace.

use super::{DEFAULT_ADDRESS, Program, compare, deviations, input, run, screen, trace, unfit};
use crate::asm;
use crate::rules::NO_PROGRAM;
use gpuzoo_diag::{Diagnostic, FileId, Sources, Symbol, has_errors};
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

/// The longest bus trace in bytes: a line for each operation that a trace may have, and more.
const LONGEST_TRACE: usize = 1 << 30;

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
