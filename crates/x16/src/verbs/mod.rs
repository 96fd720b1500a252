//! The Commander X16 among the machines of gpuzoo: the answers to what the verbs ask of all of them ([`Gpu`], [`Computer`]).

mod compare;
mod files;
mod hot;
mod input;
mod program;
mod reference;
mod run;
mod screen;
mod session;
mod software;
mod state;
mod trace;
mod vectors;

pub use program::{DEFAULT_ADDRESS, Program};
pub use session::MachineSession;

use crate::rules::NO_ROWS;
use crate::{CODES, CardSource, Config, Date, Limits, MAX_RAM_BANKS, asm};
use gpuzoo_diag::{Diagnostic, File, FileId, Lexeme, Sources, Symbol};
use gpuzoo_machine::computer::{Computer, Include, Input, Software};
use gpuzoo_machine::options::arguments::{Arguments, BAD_ARGUMENT, Kind, Parameter, Verb};
use gpuzoo_machine::reference::Reference;
use gpuzoo_machine::vectors::VectorFiles;
use gpuzoo_machine::{About, Dump, FileForm, Gpu};
use gpuzoo_vera::trace::{Trace, known};
use gpuzoo_vera::{DEVIATION_NAMES, DEVIATIONS, Deviations, Profile, VRAM_BYTES};

/// Verbs that have a machine to run on.
const RUNS: &[Verb] =
    &[Verb::Check, Verb::Run, Verb::Trace, Verb::Debug, Verb::Record, Verb::Render, Verb::Diff];
/// Those of them that end by themselves.
const ENDS: &[Verb] = &[Verb::Check, Verb::Run, Verb::Trace, Verb::Record, Verb::Render, Verb::Diff];
/// Those of them that are for a program as a whole, rather than its pictures.
const GOES_ON: &[Verb] = &[Verb::Check, Verb::Run, Verb::Trace, Verb::Record, Verb::Diff];
/// Verbs that read a text.
const TEXTS: &[Verb] = &[
    Verb::Assemble,
    Verb::Disassemble,
    Verb::Format,
    Verb::Check,
    Verb::Run,
    Verb::Trace,
    Verb::Debug,
    Verb::Record,
    Verb::Render,
    Verb::Diff,
];
/// Those of them that make a program of it, and reading.
const LINKS: &[Verb] = &[
    Verb::Read,
    Verb::Assemble,
    Verb::Check,
    Verb::Run,
    Verb::Trace,
    Verb::Debug,
    Verb::Record,
    Verb::Render,
    Verb::Diff,
];
/// Verbs on which deviations have an effect.
const DEVIATES: &[Verb] = &[
    Verb::Check,
    Verb::Run,
    Verb::Trace,
    Verb::Debug,
    Verb::Record,
    Verb::Render,
    Verb::Vectors,
    Verb::Conform,
    Verb::Diff,
];

const ANY: Kind = Kind::Number { least: 0, most: u64::MAX };
const ANIMATION: Kind = Kind::Number { least: 1, most: screen::MAX_FRAMES as u64 };
const BANKS: Kind = Kind::Number { least: 1, most: MAX_RAM_BANKS as u64 };
const LAYERS: Kind = Kind::Number { least: 0, most: 1 };

static PARAMETERS: [Parameter; 35] = [
    Parameter::new("load-at", Kind::Address, &[Verb::Read], "where a raw binary goes; else $0801"),
    Parameter::new(
        "symbols",
        Kind::File,
        &[Verb::Read],
        "names, and lines of sources, for a program that cc65 has linked: labels (-Ln) or debug information (--dbgfile)",
    ),
    Parameter::new(
        "link",
        Kind::Source,
        LINKS,
        "another source of the program, or an object file of ca65, whose names it imports and exports; in the order in which they are linked",
    ),
    Parameter::new(
        "config",
        Kind::File,
        LINKS,
        "a linker configuration of ld65 (cl65's -C): where the program's segments lie, and in which files",
    ),
    Parameter::new(
        "define",
        Kind::Name,
        LINKS,
        "a constant that all sources of the program know: NAME=VALUE, or NAME for 0 (ca65's -D)",
    ),
    Parameter::new(
        "start",
        Kind::Address,
        RUNS,
        "where to start; else where the program's BASIC line says, or at its first byte",
    ),
    Parameter::new(
        "rom",
        Kind::File,
        RUNS,
        "an image of the Commander X16's ROM; else a few of its routines are emulated. Without a program it starts at power-on",
    )
    .starts(),
    Parameter::new(
        "files",
        Kind::Disk,
        RUNS,
        "a folder whose files are those of device 8, the SD card; `run`, `record` and `render` put there what the program writes",
    ),
    Parameter::new("ram-banks", BANKS, RUNS, "banks of RAM, 8 KB each; else 64"),
    Parameter::new(
        "random-memory",
        ANY,
        RUNS,
        "RAM and video memory hold random bytes of this seed at the start, as a real machine's may; else zeros",
    ),
    Parameter::new(
        "date",
        Kind::Name,
        RUNS,
        "what the clock shows at the start: 2026-07-31 or 2026-07-31T12:30:00; else the start of 2026",
    ),
    input::KEYS,
    input::JOYSTICK,
    input::MOUSE,
    input::INPUT_FILE,
    Parameter::new(
        "sdcard",
        Kind::FileOrDisk,
        RUNS,
        "the image of an SD card, or a folder whose files are on it; they stay as they are, whatever the program writes",
    ),
    Parameter::new("frames", ANY, GOES_ON, "frames to run at most; else 600"),
    Parameter::new(
        "frames",
        ANIMATION,
        &[Verb::Render],
        "frames of an animation from the start; else one picture, that of the end",
    ),
    Parameter::new("cycles", ANY, ENDS, "CPU cycles to run at most"),
    Parameter::new(
        "deviation",
        Kind::Choice(&DEVIATION_NAMES),
        DEVIATES,
        "a single deviation from the RTL, beside those of the profile; `gpuzoo list deviations` shows them",
    ),
    Parameter::new(
        "include",
        Kind::Folder,
        TEXTS,
        "where to look for included files, after the program's own folder",
    )
    .short('I'),
    Parameter::new(
        "stub",
        Kind::Choice(&["yes", "no"]),
        LINKS,
        "whether a BASIC line with SYS comes first; else as cl65 does for the segments that a text names",
    ),
    Parameter::new("listing", Kind::Output, &[Verb::Assemble], "also write a listing"),
    Parameter::new(
        "symbols",
        Kind::Output,
        &[Verb::Assemble],
        "also write the labels, as VICE and the X16 emulators read them",
    ),
    Parameter::new(
        "run",
        Kind::Flag,
        &[Verb::Check],
        "run the program, and look for misuse of the registers",
    ),
    Parameter::new(
        "state",
        Kind::Flag,
        &[Verb::Run],
        "show the device's state at the end, including what a program cannot read",
    ),
    hot::HOT,
    Parameter::new("only", Kind::Choice(&["vera"]), &[Verb::Trace], "only steps that reach VERA's registers"),
    input::WRITE_INPUT,
    state::LOAD,
    state::SAVE,
    Parameter::new("vram", Kind::Output, &[Verb::Run], "dump the video memory at the end"),
    Parameter::new(
        "sdcard-out",
        Kind::Output,
        &[Verb::Run],
        "write the SD card's image as the program leaves it",
    ),
    Parameter::new(
        "sound",
        Kind::Output,
        &[Verb::Render],
        "also write what VERA plays, as WAV; `-o FILE.wav` writes nothing else",
    ),
    Parameter::new("layer", LAYERS, &[Verb::Render], "the layer whose tiles are shown; else 0"),
];

static FORMS: [FileForm; 6] = [
    FileForm::new("asm", &["s", "asm", "a65", "inc"], "65C02 assembly text").read(),
    FileForm::new("prg", &["prg"], "a program file: its load address, then its bytes")
        .binary()
        .read()
        .written(),
    FileForm::new("bin", &["bin", "raw"], "the program's bytes alone").binary().read().written(),
    FileForm::new("trace", &["trace"], "a bus trace: what was written and read").read(),
    FileForm::new("listing", &["lst"], "the source with addresses and bytes").written(),
    FileForm::new("symbols", &["sym", "lbl"], "labels, as VICE and the X16 emulators read them").written(),
];

static ABOUT: About = About::new(
    "vera",
    "VERA FX",
    "video adapter of the Commander X16, with helpers for lines, polygons, affine maps, a cache and a multiplier",
)
.aliases(&["x16"])
.extensions(&["s", "asm", "prg", "trace"])
.forms(&FORMS)
.parameters(&PARAMETERS)
.sample(&[("main.s", include_str!("../sample/main.s"))])
.profiles(&Profile::DESCRIBED)
.codes(&CODES)
.views(&[
    ("vram", "its memory, a byte per pixel"),
    ("tiles", "its tiles"),
    ("sprites", "its sprites"),
    ("palette", "its palette"),
])
.facts(&[
    (
        "registers",
        "32 bytes at $9F20, some in banks that CTRL's DCSEL chooses; a name may have VERA_ before it",
    ),
    ("memory", "128 KB, through DATA0 and DATA1"),
    ("processor", "65C02 at 8 MHz, in a Commander X16; a few routines stand in for its ROM, or `--rom` gives one"),
])
.screen((gpuzoo_vera::WIDTH as u32, gpuzoo_vera::HEIGHT as u32));

/// The machine.
#[derive(Clone, Copy, Debug)]
pub struct CommanderX16;

/// The machine, for the registry.
pub static GPU: CommanderX16 = CommanderX16;

impl Gpu for CommanderX16 {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn computer(&'static self) -> Option<&'static dyn Computer> {
        Some(self)
    }

    fn reference(&self) -> Option<&dyn Reference> {
        Some(self)
    }

    fn vector_files(&self) -> Option<&dyn VectorFiles> {
        Some(self)
    }

    /// 131,072 bytes of video memory, or a bus trace with rows of it.
    fn dump(&self, name: &str, bytes: &[u8]) -> Option<Result<Dump, Vec<Diagnostic>>> {
        let dump = |bytes: &[u8]| Dump { bytes: bytes.to_vec(), columns: VRAM_COLUMNS };
        if bytes.len() == VRAM_BYTES {
            return Some(Ok(dump(bytes)));
        }
        let text = std::str::from_utf8(bytes).ok().filter(|text| known(text))?;
        let (trace, problems) = Trace::parse(&File::new(name, text));
        if !problems.is_empty() {
            return Some(Err(problems));
        }
        Some(trace.vram().map(|vram| dump(&vram[..])).ok_or_else(|| {
            let message = format!("`{name}` is a bus trace without rows of video memory");
            vec![Diagnostic::error(&NO_ROWS, message)]
        }))
    }
}

/// Columns of the picture of video memory: an address's low nine bits.
const VRAM_COLUMNS: usize = 512;

impl Computer for CommanderX16 {
    fn read(
        &self,
        sources: &mut Sources,
        input: Input,
        arguments: &Arguments,
    ) -> (Option<Box<dyn Software>>, Vec<Diagnostic>) {
        software::read(sources, input, arguments)
    }

    fn alone(&self) -> Option<Box<dyn Software>> {
        Some(Box::new(Program::none()))
    }

    fn lexemes(&self, text: &str) -> Vec<Lexeme> {
        asm::lexemes(text)
    }

    fn symbols(
        &self,
        sources: &mut Sources,
        files: &[FileId],
        arguments: &Arguments,
        include: &mut Include,
    ) -> Vec<Symbol> {
        software::symbols(sources, files, arguments, include)
    }
}

/// The problem of an argument that the machine cannot use.
fn unfit(message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(&BAD_ARGUMENT, message)
}

/// What the profile and the single deviations (`E9`) come to.
fn deviations(arguments: &Arguments) -> Result<Deviations, Diagnostic> {
    let profile = match arguments.profile.as_str() {
        "" => Profile::default(),
        name => Profile::find(name).ok_or_else(|| unfit(format!("there is no profile `{name}`")))?,
    };
    arguments.names("deviation").try_fold(profile.deviations(), |set, name| {
        let found = DEVIATIONS.iter().find(|(_, own, _)| own.eq_ignore_ascii_case(name));
        let deviation = found.ok_or_else(|| unfit(format!("there is no deviation `{name}`")))?.0;
        Ok(set.with(deviation))
    })
}

/// The machine that the arguments describe.
fn config(arguments: &Arguments) -> Result<Config, Diagnostic> {
    let usual = Config::default();
    let ram_banks = arguments.number("ram-banks").map_or(usual.ram_banks, |banks| banks as usize);
    let rom = arguments.file("rom").map(|(_, bytes)| bytes.to_vec());
    let random_memory = arguments.number("random-memory");
    let date = arguments.names("date").last().map(|text| {
        let wanted =
            "a date is written 2026-12-31, or with a time 2026-12-31T23:59:58, and is one of 2000 to 2099";
        Date::read(text).ok_or_else(|| unfit(format!("`{text}` is not a date")).help(wanted))
    });
    let image = arguments.file("sdcard").map(|(_, bytes)| CardSource::Image(bytes.to_vec()));
    let folder = || arguments.disk("sdcard").cloned().map(CardSource::Folder);
    Ok(Config {
        deviations: deviations(arguments)?,
        ram_banks,
        rom,
        random_memory,
        date: date.transpose()?.unwrap_or_default(),
        sd_card: image.or_else(folder),
    })
}

/// How far the arguments let a program run.
fn limits(arguments: &Arguments) -> Limits {
    match (arguments.number("frames"), arguments.number("cycles")) {
        (None, None) => Limits::default(),
        (frames, cycles) => Limits { frames, cycles },
    }
}

/// Where the arguments let a program start.
fn start(arguments: &Arguments) -> Option<u16> {
    arguments.number("start").and_then(|address| u16::try_from(address).ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpuzoo_vera::Deviation;

    #[test]
    fn deviations_add_to_the_profile() {
        let of = |profile, single| deviations(&Arguments::new(profile).set("deviation", single));
        let set = of("documented", "e2").unwrap();
        assert!(set.has(Deviation::LatePositionWrap) && set.has(Deviation::ScanlineIsLine));
        assert_eq!(of("hardware", "E2").err().map(|problem| problem.code.id), Some("G0108"));
        assert_eq!(of("", "E99").err().map(|problem| problem.code.id), Some("G0108"));
    }

    #[test]
    fn dumps_are_known() {
        let columns = |bytes: &[u8]| GPU.dump("x", bytes).map(|dump| dump.map(|dump| dump.columns).ok());
        assert_eq!(columns(&[0; VRAM_BYTES]), Some(Some(512)));
        assert_eq!(columns(b"V 00201 0700ff\n"), Some(Some(512)));
        assert_eq!(columns(&[0; 7]), None);
        assert_eq!((columns(b"W 23 00\n"), columns(b"W 23 00\nV 5\n")), (Some(None), Some(None)));
    }
}
