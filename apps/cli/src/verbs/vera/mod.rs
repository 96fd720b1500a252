//! The verbs for VERA, which is not a shader unit: a 65C02 drives it.

pub mod assemble;
pub mod conform;
pub mod diff;
pub mod render;
pub mod run;

use crate::args::{self, Board, ProgramFormat, Source};
use crate::io::{self, Input};
use crate::session::{Session, Stop};
use gpuzoo::codes::BAD_ARGUMENT;
use gpuzoo::diag::Diagnostic;
use gpuzoo::vera;
use gpuzoo::vera::device::x16::{Config, Limits};
use gpuzoo::vera::program::{self, Form, Setup};
use std::path::{Path, PathBuf};

/// True if the program is one for VERA.
pub fn meant(source: &Source) -> bool {
    vera::meant(source.gpu.as_deref(), &io::name(source.input.as_deref(), source.stdin_name.as_deref()))
}

/// True if VERA is to show the picture.
pub fn renders(args: &args::Render) -> bool {
    vera::meant(args.gpu.as_deref(), &io::name(args.scene.as_deref(), args.stdin_name.as_deref()))
}

/// The machine that the arguments describe.
fn setup(profile: Option<&str>, board: &Board) -> Result<Setup, Stop> {
    let deviations = vera::deviations(profile, &board.deviation)?;
    let rom = board.rom.as_deref().map(|path| io::read(Some(path), None)).transpose()?;
    let usual = Config::default();
    let ram_banks = board.ram_banks.unwrap_or(usual.ram_banks);
    let config = Config { deviations, ram_banks, rom: rom.map(|input| input.bytes) };
    let limits = match (board.frames, board.cycles) {
        (None, None) => Limits::default(),
        (frames, cycles) => Limits { frames, cycles },
    };
    Ok(Setup { config, start: board.start, limits })
}

/// Refuses arguments of VERA's machine for other machines: they would change nothing.
pub fn only_for_vera(board: &Board, others: &[(bool, &'static str)]) -> Result<(), Stop> {
    let other = || others.iter().find(|(given, _)| *given).map(|(_, name)| *name);
    match board.given().or_else(other) {
        Some(name) => {
            Err(Diagnostic::error(&BAD_ARGUMENT, format!("`{name}` is for VERA's programs")).into())
        }
        None => Ok(()),
    }
}

/// Reads a file that a program names: in the program's folder, or in one of the others.
fn include(program: &str, folders: &[PathBuf]) -> impl FnMut(&str) -> Result<Vec<u8>, String> {
    let own = Path::new(program).parent().unwrap_or(Path::new("")).to_owned();
    let folders: Vec<PathBuf> = [own].into_iter().chain(folders.iter().cloned()).collect();
    move |wanted| {
        let mut reason = String::new();
        for folder in &folders {
            match std::fs::read(folder.join(wanted)) {
                Ok(bytes) => return Ok(bytes),
                Err(error) if reason.is_empty() => reason = error.to_string(),
                Err(_) => {}
            }
        }
        Err(reason)
    }
}

/// The form that was said.
fn form(format: Option<ProgramFormat>) -> Result<Option<Form>, Stop> {
    Ok(Some(match format {
        None => return Ok(None),
        Some(ProgramFormat::Asm) => Form::Asm,
        Some(ProgramFormat::Prg) => Form::Prg,
        Some(ProgramFormat::Bin) => Form::Bin,
        Some(ProgramFormat::Trace) => Form::Trace,
        Some(ProgramFormat::Hex | ProgramFormat::Json) => {
            let problem = Diagnostic::error(&BAD_ARGUMENT, "VERA's programs have no such form");
            return Err(problem.help("forms are asm, prg, bin and trace").into());
        }
    }))
}

/// Reads the program or trace of a verb, and reports what is wrong with it.
fn read(
    path: Option<&Path>,
    stdin_name: Option<&str>,
    format: Option<ProgramFormat>,
    load_at: Option<u16>,
    folders: &[PathBuf],
    session: &mut Session,
) -> Result<program::Input, Stop> {
    let form = form(format)?;
    let Input { name, bytes } = io::read(path, stdin_name)?;
    let mut include = include(&name, folders);
    let (input, problems) = program::read(&mut session.sources, &name, &bytes, form, load_at, &mut include);
    session.require(problems)?;
    input.ok_or(Stop::Reported)
}

/// As [`read`], for the verbs that have a machine.
fn input(
    source: &Source,
    format: Option<ProgramFormat>,
    board: &Board,
    session: &mut Session,
) -> Result<program::Input, Stop> {
    let (path, stdin_name) = (source.input.as_deref(), source.stdin_name.as_deref());
    read(path, stdin_name, format, board.load_at, &board.include, session)
}

/// A program; a trace is an error, since `what` needs a CPU.
fn only_program(input: program::Input, what: &str) -> Result<program::Program, Stop> {
    match input {
        program::Input::Program(program) => Ok(program),
        program::Input::Trace(_) => {
            let message = format!("a bus trace has no program to {what}");
            Err(Diagnostic::error(&BAD_ARGUMENT, message).into())
        }
    }
}
