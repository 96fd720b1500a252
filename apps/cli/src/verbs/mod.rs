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

use crate::args::{Source, Verb};
use crate::io;
use crate::session::{Session, Stop};
use gpuzoo::codes::BAD_ARGUMENT;
#[cfg(any(feature = "dap", feature = "lsp"))]
use gpuzoo::codes::BROKEN_STREAM;
use gpuzoo::computer::{Computer, Input, Software};
use gpuzoo::diag::{Code, Diagnostic, Span};
use gpuzoo::kind::{Kind, job_gpu};
use gpuzoo::machine::TextOptions;
use gpuzoo::machine::text::extension;
use gpuzoo::machine::unit::logged::Call;
use gpuzoo::read::{self, Form};
use gpuzoo::{Gpu, Program, ShaderUnit, registry};
use parameters::Own;
use std::path::Path;

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
    format: Option<&str>,
    own: &Own,
    session: &mut Session,
) -> Result<Software, Stop> {
    let ways = [
        (source.reading.dialect.is_some(), "--dialect"),
        (source.reading.numbering.is_some(), "--numbering"),
    ];
    refuse(&ways, &format!("is not for {}: its programs are written in one way", computer.about().id))?;
    software_of(computer, source.input.as_deref(), source.reading.stdin_name.as_deref(), format, own, session)
}

/// As [`software`], for verbs whose input may be something else, too.
fn software_of(
    computer: Computer,
    path: Option<&Path>,
    stdin_name: Option<&str>,
    format: Option<&str>,
    own: &Own,
    session: &mut Session,
) -> Result<Software, Stop> {
    if parameters::started(Some(computer.about().id), path, session).is_some() {
        return Ok(computer.alone()?);
    }
    let io::Input { name, path, bytes } = io::read(path, stdin_name)?;
    room(&bytes, session)?;
    let reading = own.reading(&path)?;
    let include = own.include(&path);
    let mut include = |wanted: &str| include(wanted);
    let input = Input { name: &name, bytes: &bytes, form: format, include: &mut include };
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

/// The draw or launch of a log that `--draw` or `--launch` names.
fn call(own: &Own) -> Result<Option<Call>, Stop> {
    let [draw, launch] = ["draw", "launch"].map(|name| own.arguments.number(name));
    refuse(
        &[(draw.is_some() && launch.is_some(), "--launch")],
        "and `--draw` name one run: use one of them",
    )?;
    Ok(draw.map(Call::Draw).or(launch.map(Call::Launch)))
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

/// Reads the program of a verb for shader units. `format` is its form and the profile that it runs in; `fallback` is
/// the form where
/// neither the user nor the name says: it gets the bytes.
fn load(
    gpu: &'static dyn ShaderUnit,
    source: &Source,
    (format, profile): (Option<&str>, Option<&str>),
    fallback: impl Fn(&[u8]) -> Form,
    own: &Own,
    session: &mut Session,
) -> Result<Loaded, Stop> {
    let said = format.map(|name| Form::named(gpu, name)).transpose()?;
    let io::Input { name, path, bytes } =
        io::read(source.input.as_deref(), source.reading.stdin_name.as_deref())?;
    let form = said.or_else(|| Form::of_name(gpu, &name)).unwrap_or_else(|| fallback(&bytes));
    form.ask(&session.budget, bytes.len()).map_err(|refusal| refusal.problem())?;
    if !matches!(form, Form::Source(_)) {
        let of_sources = [
            (source.reading.entry.is_some(), "--entry"),
            (source.reading.stage.is_some(), "--stage"),
            (source.reading.host_constants, "--host-constants"),
        ];
        refuse(&of_sources, "is for sources in shading languages")?;
    }
    if form != Form::Log {
        let named = |name| own.arguments.number(name).is_some();
        refuse(&[(named("draw"), "--draw"), (named("launch"), "--launch")], "is for logs of commands")?;
    }
    let call = call(own)?;
    let (dialect, numbering) = (source.reading.dialect.as_deref(), source.reading.numbering.as_deref());
    let (include, defines) = (own.include(&path), own.arguments.names("define").collect::<Vec<_>>());
    let include = Some(&*include);
    // A source is compiled for the place that is asked for; of texts only some machines have a choice.
    let is_source = matches!(form, Form::Source(_));
    let has_choice = is_source || !gpu.about().text_options.positions.is_empty();
    let positions = own.arguments.names("positions").last().filter(|_| has_choice);
    let profile = registry::profile(gpu, profile)?;
    let budget = session.budget.clone();
    let options = TextOptions {
        dialect,
        numbering,
        positions,
        include,
        defines: &defines,
        call,
        profile,
        budget: Some(&budget),
        entry: source.reading.entry.as_deref(),
        stage: source.reading.stage.map(Into::into),
        host_constants: source.reading.host_constants,
        ..TextOptions::default()
    };
    form.check(gpu, &options)?;
    let read = read::read(gpu, &mut session.sources, &name, &bytes, Some(form), &options);
    Ok(Loaded { name, read })
}
