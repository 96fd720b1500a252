//! The verbs: each reads, calls the facade, and writes.

mod assemble;
mod backend;
mod bench;
mod check;
mod compile;
mod conform;
#[cfg(feature = "dap")]
mod dap;
mod data;
mod debug;
mod diff;
mod explain;
mod format;
mod generate;
mod linked;
#[cfg(feature = "lsp")]
mod lsp;
mod manual;
mod new;
mod pack;
mod parameters;
mod render;
mod report;
mod run;
mod saved;
mod starter;
#[cfg(feature = "studio")]
mod studio;
mod subject;
#[cfg(feature = "tui")]
mod terminal;
mod trace;
mod translate;
mod vectors;
mod vertices;
mod why;

use crate::args::{Reading, Source, Verb};
use crate::io;
use crate::session::{Session, Stop};
use gpuzoo::codes::BAD_ARGUMENT;
#[cfg(any(feature = "dap", feature = "lsp"))]
use gpuzoo::codes::BROKEN_STREAM;
use gpuzoo::compile::Language;
use gpuzoo::computer::{Computer, Input, Software};
use gpuzoo::diag::{Code, Diagnostic, Span};
use gpuzoo::kind::{Kind, job_gpu};
use gpuzoo::machine::Include;
use gpuzoo::machine::text::extension;
use gpuzoo::options::ReadOptions;
use gpuzoo::read::{self, Form};
use gpuzoo::{Gpu, Program, ShaderUnit, registry};
use parameters::Own;
use std::path::{Path, PathBuf};

/// Carries out a verb.
pub fn run(verb: &Verb, session: &mut Session) -> Result<(), Stop> {
    if let Some((data, vertex)) = verb.data().filter(|(data, _)| data.emit_inputs.is_some()) {
        return run::template(data, vertex, session);
    }
    match verb {
        #[cfg(feature = "dap")]
        Verb::Dap(args) => dap::dap(args, session),
        #[cfg(feature = "lsp")]
        Verb::Lsp(args) => lsp::lsp(args, session),
        #[cfg(feature = "studio")]
        Verb::Studio(args) => studio::studio(args, session),
        Verb::Assemble(args) => assemble::assemble(args, session),
        Verb::Disassemble(args) => assemble::disassemble(args, session),
        Verb::Check(args) => check::check(args, session),
        Verb::Format(args) => format::format(args, session),
        Verb::Compile(args) => compile::compile(args, session),
        Verb::Pack(args) => pack::pack(args, session),
        Verb::Translate(args) => translate::translate(args, session),
        Verb::Run(args) => run::run(args, session),
        Verb::Trace(args) => trace::trace(args, session),
        Verb::Debug(args) => debug::debug(args, session),
        Verb::Why(args) => why::why(args, session),
        Verb::Record(args) => run::record(args, session),
        Verb::Render(args) => render::render(args, session),
        Verb::Explain(args) => explain::explain(args, session),
        Verb::Vectors(args) => vectors::vectors(args, session),
        Verb::Conform(args) => conform::conform(args, session),
        Verb::Diff(args) => diff::diff(args, session),
        Verb::Bench(args) => bench::bench(args, session),
        Verb::List(args) => explain::list(args, session),
        Verb::New(args) => new::new(args, session),
        Verb::Generate(args) => generate::generate(args, session),
    }
}

/// What runs the programs of a machine.
enum Runs {
    /// Shader units: programs over vertices and fragments.
    Units(&'static dyn ShaderUnit),
    /// A CPU that drives the machine.
    Computer(Computer),
}

/// What runs a verb's program. Without a machine nothing can be read, so that is reported before the input has to be
/// typed.
fn runs(source: &Source, session: &Session) -> Result<(&'static dyn Gpu, Runs), Stop> {
    let path = source.input.as_deref();
    if let Some(gpu) = parameters::started(source.reading.gpu.as_deref(), path, session) {
        return Ok((gpu, Runs::Computer(Computer::of(gpu)?)));
    }
    io::expect(path)?;
    let name = io::name(path, source.reading.stdin_name.as_deref());
    no_scene(&name, session)?;
    no_job(source, session)?;
    let gpu = session.registry.choose(source.reading.gpu.as_deref(), &name)?;
    Ok((
        gpu,
        match gpu.shader_unit() {
            Some(unit) => Runs::Units(unit),
            None => Runs::Computer(Computer::of(gpu)?),
        },
    ))
}

/// Refuses scenes, for verbs that take programs.
fn no_scene(name: &str, session: &Session) -> Result<(), Stop> {
    if Kind::of_name(&session.registry, name) != Some(Kind::Scene) {
        return Ok(());
    }
    let problem = Diagnostic::error(&BAD_ARGUMENT, format!("`{name}` is a scene, and this is for programs"));
    let problem = problem.help("`gpuzoo render` draws a scene, `gpuzoo check` checks it");
    Err(problem.help("`trace`, `why` and `debug` take `--pixel X,Y` and `--vertex N` of it").into())
}

/// The input, if it is a job: JSON with keys that jobs have.
fn as_job(source: &Source, session: &Session) -> Result<Option<io::Input>, Stop> {
    let (path, stdin_name) = (source.input.as_deref(), source.reading.stdin_name.as_deref());
    if !extension(&io::name(path, stdin_name)).eq_ignore_ascii_case("json") {
        return Ok(None);
    }
    let input = io::peek(path, stdin_name)?;
    let is_job = |text| job_gpu(&session.registry, text).is_some();
    let is_one = std::str::from_utf8(&input.bytes).is_ok_and(is_job);
    Ok(is_one.then_some(input))
}

/// Refuses jobs, for verbs that take programs.
fn no_job(source: &Source, session: &Session) -> Result<(), Stop> {
    let Some(io::Input { name, .. }) = as_job(source, session)? else { return Ok(()) };
    let problem = Diagnostic::error(&BAD_ARGUMENT, format!("`{name}` is a job, and this is for programs"));
    let problem = problem.help("`gpuzoo render` draws a job, `gpuzoo check` checks it");
    let problem = problem.help("`gpuzoo trace --pixel X,Y` and `--vertex N` show what its programs did");
    Err(problem
        .help("with the picture that it must give as `image` it is a record for `gpuzoo conform`")
        .into())
}

/// What an editor sent is no protocol.
#[cfg(any(feature = "dap", feature = "lsp"))]
fn no_message(error: &std::io::Error) -> Diagnostic {
    let problem = Diagnostic::error(&BROKEN_STREAM, format!("what the editor sent is no message: {error}"));
    problem.help("a message is `Content-Length: N`, an empty line, and N bytes of JSON")
}

/// Refuses arguments that would change nothing.
pub(super) fn refuse(arguments: &[(bool, &str)], why: &str) -> Result<(), Stop> {
    match arguments.iter().find(|(given, _)| *given) {
        Some((_, name)) => Err(Diagnostic::error(&BAD_ARGUMENT, format!("`{name}` {why}")).into()),
        None => Ok(()),
    }
}

/// Options of reading a shader program, with whether they are set; macros are for other texts, too.
fn of_shaders(read: &ReadOptions) -> [(bool, &'static str); 8] {
    [
        (read.dialect.is_some(), "--dialect"),
        (read.numbering.is_some(), "--numbering"),
        (read.entry.is_some(), "--entry"),
        (read.stage.is_some(), "--stage"),
        (read.host_constants, "--host-constants"),
        (read.position.is_some(), "--position"),
        (read.draw.is_some(), "--draw"),
        (read.launch.is_some(), "--launch"),
    ]
}

/// Refuses options of reading a program where there is none.
fn refuse_reading(reading: &Reading, why: &str) -> Result<(), Stop> {
    refuse(&[(reading.read.from.is_some(), "--from")], why)?;
    refuse(&of_shaders(&reading.read), why)
}

/// Gives the problems of a code their place, which is an argument's.
fn place(problems: Vec<Diagnostic>, code: &'static Code, span: Span) -> Vec<Diagnostic> {
    let place = |problem: Diagnostic| if problem.code == code { problem.at(span) } else { problem };
    problems.into_iter().map(place).collect()
}

/// Checks that there is memory to read a text or a program of some bytes.
fn room(bytes: &[u8], session: &Session) -> Result<(), Stop> {
    Ok(session.budget.ask_text(bytes.len()).map_err(|refusal| refusal.problem())?)
}

/// Reads the program of a verb for a machine that a CPU drives, and reports what is wrong with it.
fn software(
    computer: Computer,
    source: &Source,
    form: Option<&str>,
    own: &Own,
    session: &mut Session,
) -> Result<Software, Stop> {
    let why = format!("is for shader programs, and this is software of {}", computer.about().id);
    refuse(&of_shaders(&source.reading.read), &why)?;
    let (path, stdin_name) = (source.input.as_deref(), source.reading.stdin_name.as_deref());
    if parameters::started(Some(computer.about().id), path, session).is_some() {
        return Ok(computer.alone()?);
    }
    let io::Input { name, path, bytes } = io::read(path, stdin_name)?;
    room(&bytes, session)?;
    let reading = own.reading(&path)?;
    let include = source.reading.include(&path);
    let mut include = |file: &str| include(file);
    let input = Input { name: &name, bytes: &bytes, form, include: &mut include };
    match computer.read(input, &reading) {
        Ok(software) => {
            session.require_about(software.sources(), software.warnings().to_vec())?;
            Ok(software)
        }
        Err(problems) => {
            session.report_about(&problems.sources, problems.list);
            Err(Stop::Reported)
        }
    }
}

impl Reading {
    /// Reads a file that a program names: in the program's folder, or in one of those of `--include`.
    fn include(&self, program: &Path) -> Box<Include<'_>> {
        let folder = io::folder(program).to_owned();
        Box::new(move |file| io::included(&folder, &self.folders, file))
    }
}

/// A program that was read.
struct Loaded {
    name: String,
    /// The program, or what is wrong with it.
    read: Result<Program, Vec<Diagnostic>>,
}

impl Loaded {
    /// The program, once its warnings have been reported.
    fn program(self, session: &mut Session) -> Result<Program, Stop> {
        let (program, problems) = match self.read {
            Ok(program) => (Some(program.clone()), program.warnings().to_vec()),
            Err(problems) => (None, problems),
        };
        session.require(problems)?;
        program.ok_or(Stop::Reported)
    }

    /// The program, once its warnings and what is suspicious about it have been reported.
    fn checked(self, session: &mut Session) -> Result<Program, Stop> {
        let program = self.program(session)?;
        session.require(program.check())?;
        Ok(program)
    }
}

/// Reads the program of a verb for shader units. Programs that a log runs before its draw run in `profile`. `fallback` is the form where
/// neither the user nor the name says: it gets the bytes.
fn load(
    gpu: &'static dyn ShaderUnit,
    source: &Source,
    profile: Option<&str>,
    fallback: impl Fn(&[u8]) -> Form,
    session: &mut Session,
) -> Result<Loaded, Stop> {
    let Reading { stdin_name, folders, read, .. } = &source.reading;
    let form = read.form(gpu)?;
    let io::Input { name, path, bytes } = io::read(source.input.as_deref(), stdin_name.as_deref())?;
    let form = form.or_else(|| Form::of_name(gpu, &name)).unwrap_or_else(|| fallback(&bytes));
    form.ask(&session.budget, bytes.len()).map_err(|refusal| refusal.problem())?;
    let names = &gpu.about().text_options;
    if let Form::Source(language) = form {
        check_macros(language, folders, read)?;
    } else {
        let of_sources = [
            (read.entry.is_some(), "--entry"),
            (read.stage.is_some(), "--stage"),
            (read.host_constants, "--host-constants"),
        ];
        refuse(&of_sources, "is for sources in shading languages")?;
        let has_none = format!("is for sources with macros; programs of {} have none", gpu.about().id);
        refuse(&[(!folders.is_empty() && !names.macros, "--include")], &has_none)?;
    }
    if form != Form::Log {
        refuse(
            &[(read.draw.is_some(), "--draw"), (read.launch.is_some(), "--launch")],
            "is for logs of commands",
        )?;
    }
    let include = source.reading.include(&path);
    let (profile, budget) = (registry::profile(gpu, profile)?, session.budget.clone());
    let read = read.with_text(Some(&*include), profile, Some(&budget), |options| {
        form.check(gpu, options)?;
        Ok::<_, Diagnostic>(read::read(gpu, &mut session.sources, &name, &bytes, Some(form), options))
    })?;
    Ok(Loaded { name, read })
}

/// Refuses macros and included files for languages that have none.
fn check_macros(language: Language, folders: &[PathBuf], read: &ReadOptions) -> Result<(), Stop> {
    match language {
        Language::Wgsl | Language::SpirV => refuse(
            &[(!read.define.is_empty(), "--define"), (!folders.is_empty(), "--include")],
            "is for GLSL and Cg: WGSL and SPIR-V have no preprocessor",
        ),
        Language::Glsl => refuse(&[(!folders.is_empty(), "--include")], "is for Cg: GLSL includes no files"),
        Language::Cg => Ok(()),
    }
}
