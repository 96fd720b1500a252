//! A program that the verbs work on, and the machine that it runs on.

use super::{config, input, start, state, unfit};
use crate::rules::NO_PROGRAM;
use crate::{CYCLES_PER_FRAME, Limits, X16, addressable, asm, split};
use gpuzoo_diag::{Diagnostic, FileId, Sources, Span, has_errors};
use gpuzoo_machine::options::arguments::Arguments;
use gpuzoo_machine::text;

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
    /// Symbols and lines of the assembler, if it was a source, or of the files that a linker wrote.
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

/// Default address of raw binaries: the start of BASIC's memory, as for PRG files.
pub const DEFAULT_ADDRESS: u16 = 0x0801;

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

    /// A machine as the arguments describe it, with the program in it, about to start.
    ///
    /// # Errors
    /// Problems of the file, or of the machine.
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
