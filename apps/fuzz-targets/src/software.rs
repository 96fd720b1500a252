//! Programs of VERA's 65C02: texts, program files, bytes, and bus traces.

use crate::bytes::{Bytes, choice};
use crate::sound::{all, ok, sound};
use gpuzoo::Arguments;
use gpuzoo::computer::{Computer, Input, ScreenOptions, Software};
use gpuzoo::excerpt::Excerpt;
use gpuzoo::machine::computer::disk::Disk;
use gpuzoo_asm65::{Disassembly, Options, assemble, assemble_all, disassemble};
use gpuzoo_diag::{Sources, has_errors};
use gpuzoo_x16::asm::OPTIONS;
use gpuzoo_x16::{Config, Date, Input as Typed, Limits, MAX_CHANGES, MAX_EVENTS, Unread, X16};

/// Cycles that a program may take: enough for a few calls, and not for a frame.
const CYCLES: u64 = 2000;

/// Files that a text can name, and the text itself.
fn include(text: &[u8], name: &str) -> Result<Vec<u8>, String> {
    match name {
        "self.inc" => Ok(text.to_vec()),
        "part.inc" => Ok(b"PART = 7\n .byte PART\n.macro two\n nop\n nop\n.endmacro\n".to_vec()),
        "data.bin" => Ok(vec![1, 2, 3, 4, 5]),
        _ => Err("there is no such file".to_owned()),
    }
}

fn read(bytes: &[u8], form: &str) -> Option<Software> {
    let mut include = |name: &str| include(bytes, name);
    let input = Input { name: "x", bytes, form: Some(form), include: &mut include };
    let software = all(Computer::new(&gpuzoo_x16::GPU).read(input, &Arguments::default()))?;
    sound(software.sources(), software.warnings());
    Some(software)
}

/// A program in assembly language.
pub(crate) fn text(bytes: &[u8]) {
    let mut sources = Sources::default();
    let file = sources.add("x.s", &String::from_utf8_lossy(bytes));
    let (program, problems) = assemble(&mut sources, file, &OPTIONS, &mut |name| include(bytes, name));
    sound(&sources, &problems);
    // What there is of a program with errors is listed, too.
    drop(program.listing(&sources) + &program.symbol_text());
    if has_errors(&problems) {
        return;
    }
    let Some(program) = read(bytes, "asm") else { return };
    for form in ["listing", "symbols"] {
        ok(program.sources(), program.emit(form));
    }
    ok(program.sources(), program.check(&Arguments::default()));
    same_bytes(&program);
}

/// A program's disassembly assembles to its bytes.
fn same_bytes(program: &Software) {
    let Some(bytes) = ok(program.sources(), program.emit("prg")) else { return };
    let Some(text) = ok(program.sources(), program.disassemble()) else { return };
    let again = read(text.as_bytes(), "asm").unwrap_or_else(|| panic!("{text}"));
    let again = ok(again.sources(), again.emit("prg")).unwrap_or_else(|| panic!("{text}"));
    assert_eq!(again, bytes, "{text}");
}

/// A program file: it is run, recorded, stepped and shown.
pub(crate) fn prg(bytes: &[u8]) {
    let Some(program) = read(bytes, "prg") else { return };
    same_bytes(&program);
    runs(&program);
}

fn runs(program: &Software) {
    let sources = program.sources();
    let cycles = Arguments::new("").set("cycles", CYCLES);
    ok(sources, program.check(&cycles.clone().with("run")));
    ok(sources, program.run(&cycles));
    ok(sources, program.record(&cycles));
    let excerpt = Excerpt { skip: 3, steps: 5, json: true, ..Excerpt::default() };
    ok(sources, program.trace(&cycles, &excerpt).map(|steps| steps.count()));
    if let Some(mut session) = ok(sources, program.session(&Arguments::default())) {
        session.step();
    }
    let first = ScreenOptions { frame: Some(0), view: Some("vram"), ..ScreenOptions::default() };
    if let Some(screen) = ok(sources, program.screen(&cycles, &first)) {
        drop(screen.image());
    }
}

/// Names and lines for a program that is linked; a source of the C text is gone.
pub(crate) fn symbols(bytes: &[u8]) {
    // Another text than the files name, with as many lines.
    let source = " nop
"
    .repeat(30);
    let mut include = |name: &str| match name {
        "main.s" | "fill.s" => Ok(source.as_bytes().to_vec()),
        _ => Err("there is no such file".to_owned()),
    };
    let mut prg = vec![0xea; 49];
    prg[..2].copy_from_slice(&[0x01, 0x08]);
    prg.push(0x60);
    let input = Input { name: "demo.prg", bytes: &prg, form: Some("prg"), include: &mut include };
    let arguments = Arguments::default().set("symbols", bytes.to_vec());
    let Some(program) = all(Computer::new(&gpuzoo_x16::GPU).read(input, &arguments)) else { return };
    sound(program.sources(), program.warnings());
    for form in ["listing", "symbols"] {
        ok(program.sources(), program.emit(form));
    }
    same_bytes(&program);
    runs(&program);
    if let Some(session) = ok(program.sources(), program.session(&Arguments::default())) {
        let lines = session.lines();
        assert!(lines.is_sorted_by_key(|(address, _)| *address), "{lines:?}");
        for (_, span) in lines {
            assert!(
                program.sources().find(span.file).is_some_and(|file| file.text().get(span.range()).is_some())
            );
        }
    }
}

/// Any bytes as an object of ca65, linked with a text that has what it may need.
pub(crate) fn object(bytes: &[u8]) {
    const MAIN: &str = " .import clear, shift\n .export start\n .segment \"CODE\"\nstart: jsr clear\n jmp shift\ncolour = $61\n .export colour\n";
    let (bytes, choice) = choice(bytes);
    let mut sources = Sources::default();
    let [main, file] = [sources.add("main.s", MAIN), sources.add("lib.o", "")];
    let objects = [(file, bytes)];
    let options = Options {
        stub: [None, Some(true), Some(false)][choice % 3],
        objects: &objects,
        ..Options::default()
    };
    let (program, problems) =
        assemble_all(&mut sources, &[main, file], &options, &mut |_| Err("it names no file".to_owned()));
    sound(&sources, &problems);
    drop(program.listing(&sources) + &program.symbol_text());
    assert!(has_errors(&problems) || program.prg().is_ok());
}

/// Any text as a linker configuration, for a program with code in several segments.
pub(crate) fn config(bytes: &[u8]) {
    const MAIN: &str = " .segment \"CODE\"\nstart: rts\n .rodata\n .byte 1,2\n .bss\n .res 4\n .zeropage\n .res 1\n .export start\n";
    let mut sources = Sources::default();
    let [config, main] = [sources.add("x.cfg", &String::from_utf8_lossy(bytes)), sources.add("main.s", MAIN)];
    let options = Options { config: Some(config), ..Options::default() };
    let (program, problems) =
        assemble_all(&mut sources, &[main], &options, &mut |_| Err("it names no file".to_owned()));
    sound(&sources, &problems);
    drop(program.listing(&sources) + &program.symbol_text());
}

/// What a user does while a program runs, as a file and as options, and a date.
pub(crate) fn input(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let in_text = |unread: &Unread| assert!(text.get(unread.place.clone()).is_some(), "{unread:?}");
    match Typed::read(&text) {
        Ok(input) => {
            assert!(
                input.events().is_sorted_by_key(|(cycle, _)| *cycle) && input.events().len() <= MAX_EVENTS
            );
            // Those who hold controllers are 1 to 4, and all can be written.
            assert_eq!(Typed::read(&input.text()), Ok(input));
        }
        Err(problems) => problems.iter().for_each(in_text),
    }
    for read in [Typed::typed(&text), Typed::played(1, &text), Typed::moved(&text)] {
        match read {
            Ok(input) => assert!(input.events().is_sorted_by_key(|(cycle, _)| *cycle)),
            Err(unread) => in_text(&unread),
        }
    }
    if let Some(date) = Date::read(&text) {
        assert_eq!(Date::read(&date.to_string()), Some(date));
        assert_eq!(date.after(0), date);
    }
}

/// Bytes at any address: disassembling and assembling gives them back.
pub(crate) fn bytes(bytes: &[u8]) {
    let mut choices = Bytes::new(bytes);
    let (origin, addresses) = (choices.word() as u16, choices.bool());
    let data = choices.rest();
    let room = (0x1_0000 - usize::from(origin)).min(data.len());
    let text = disassemble(data, origin, &Disassembly { addresses }, &mut ());
    let mut sources = Sources::default();
    let file = sources.add("x.s", &text);
    let options = Options { petscii: false, ..Options::default() };
    let (program, problems) =
        assemble(&mut sources, file, &options, &mut |_| Err("it names no file".to_owned()));
    assert!(!has_errors(&problems), "{text}\n{problems:?}");
    assert_eq!(program.binary(), &data[..room], "{text}");
}

/// A bus trace, and what can be done with it like with a program.
pub(crate) fn trace(bytes: &[u8]) {
    let (bytes, _) = choice(bytes);
    let Some(trace) = read(bytes, "trace") else { return };
    runs(&trace);
}

/// Routines of the KERNAL that have to do with files.
const ROUTINES: [u16; 24] = [
    0xfeb1, 0xfeba, 0xff44, 0xff4a, 0xff59, 0xff5c, 0xff93, 0xff96, 0xffa5, 0xffa8, 0xffab, 0xffae, 0xffb1,
    0xffb4, 0xffb7, 0xffba, 0xffbd, 0xffc0, 0xffc3, 0xffc6, 0xffc9, 0xffcc, 0xffcf, 0xffe7,
];
/// Calls of the KERNAL's routines in any order, and names that are opened: files stay in their folder, and the same calls do the same.
pub(crate) fn disk(bytes: &[u8]) {
    let disk = Disk::of([("A.BIN", vec![1, 2, 3]), ("DIR/B", vec![4; 600]), (".HIDDEN", vec![])]);
    let mut machine = X16::new(Config::default()).expect("a machine");
    // JSR and STP.
    machine.load_at(0x0801, &[0x20, 0, 0, 0xdb]).expect("it fits");
    machine.insert(disk).expect("there is no ROM");
    let mut again = machine.clone();
    talk(&mut machine, bytes);
    talk(&mut again, bytes);
    assert!(machine == again);
    let changes = machine.changes();
    assert!(changes.len() <= MAX_CHANGES);
    for part in changes.iter().flat_map(|change| &change.path) {
        let is_plain = !matches!(&**part, "" | "." | "..") && !part.contains(['/', '\\', ':', '\0']);
        assert!(is_plain, "{part:?}");
    }
}

fn talk(machine: &mut X16, bytes: &[u8]) {
    let mut choices = Bytes::new(bytes);
    let mut call = |routine: u16, a: u8, x: u8, y: u8| {
        let [low, high] = routine.to_le_bytes();
        machine.poke(0x0802, low);
        machine.poke(0x0803, high);
        machine.start_at(0x0801);
        let cpu = machine.cpu_mut();
        (cpu.a, cpu.x, cpu.y) = (a, x, y);
        machine.run(&Limits::cycles(100));
    };
    while !choices.is_empty() {
        let choice = choices.below(ROUTINES.len() + 4);
        if let Some(routine) = ROUTINES.get(choice) {
            // MCIOUT and BSAVE read from an address that they get, where there is nothing but zeros.
            call(*routine, choices.byte(), choices.byte(), choices.byte());
            continue;
        }
        // LISTEN, SECOND, the name, UNLISTEN.
        let channel = choices.below(16) as u8;
        call(0xffb1, 8, 0, 0);
        call(0xff93, 0xf0 | channel, 0, 0);
        for _ in 0..choices.below(48) {
            call(0xffa8, choices.byte(), 0, 0);
        }
        call(0xffae, 0, 0, 0);
        // LOAD of a name, or bytes for the channel.
        match choices.bool() {
            true => {
                // Of zeros: the name is what bytes may be anywhere.
                call(0xffbd, 4, 0, 0x40);
                call(0xffba, 1, 8, choices.byte() & 3);
                call(0xffd5, choices.byte() & 3, 0, 0x50);
            }
            false => {
                call(0xffb1, 8, 0, 0);
                call(0xff93, 0x60 | channel, 0, 0);
                call(0xffa8, choices.byte(), 0, 0);
                call(0xffae, 0, 0, 0);
            }
        }
    }
}
