//! `check`: what is wrong with programs, scenes and jobs, and what programs cost.

use super::parameters::{self, Own};
use super::{load, refuse, refuse_reading, render, report, room, software};
use crate::args::{self, Given, MACROS, Reading, Source, TextFormat};
use crate::io;
use crate::output::{self, Output};
use crate::session::{Session, Stop, Tally};
use gpuzoo::codes::{BAD_ARGUMENT, NOTHING_TO_CHECK};
use gpuzoo::computer::{Computer, parameter};
use gpuzoo::diag::{Diagnostic, json, printable, printable_json};
use gpuzoo::kind::{Kind, job_gpu};
use gpuzoo::machine::options::arguments::Verb;
use gpuzoo::machine::text::extension;
use gpuzoo::machine::unit::job::JobOptions;
use gpuzoo::options::ReadOptions;
use gpuzoo::read::{self, Form};
use gpuzoo::{
    Gpu, Program, ShaderUnit, check as facade_check, job, registry, render as facade_render,
    report as facade_report,
};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// What is checked.
struct Target {
    /// None for standard input.
    path: Option<PathBuf>,
    name: String,
    what: What,
}

/// What a file is, and whose.
enum What {
    Unit(&'static dyn ShaderUnit),
    Computer(Computer),
    Scene,
    Job(&'static dyn Gpu),
}

impl What {
    fn of(gpu: &'static dyn Gpu) -> Result<What, Stop> {
        Ok(match gpu.shader_unit() {
            Some(unit) => What::Unit(unit),
            None => What::Computer(Computer::of(gpu)?),
        })
    }

    /// The machine, if it is a program.
    fn gpu(&self) -> Option<&'static dyn Gpu> {
        match self {
            What::Unit(unit) => Some(*unit),
            What::Computer(computer) => Some(computer.gpu()),
            What::Scene | What::Job(_) => None,
        }
    }

    /// The machine, if a profile matters to what is checked: a job's programs are read and a CPU's may be run with it.
    fn profiled(&self) -> Option<&'static dyn Gpu> {
        match self {
            What::Computer(computer) => Some(computer.gpu()),
            What::Job(gpu) => Some(*gpu),
            What::Unit(_) | What::Scene => None,
        }
    }
}

/// What there is to say of one that was read.
struct Figures {
    text: String,
    facts: Facts,
    /// The program, if it is one of shader units.
    program: Option<Program>,
}

/// The figures of what was checked, for scripts.
#[derive(Serialize)]
#[serde(untagged)]
enum Facts {
    /// A program of a shader unit.
    Program(facade_check::Figures),
    /// A program of a whole machine, as the machine says it.
    Software(serde_json::Value),
    /// A scene.
    Scene(facade_check::SceneFigures),
    /// A job, and the id of its machine.
    Job { gpu: &'static str },
}

/// One of several that were checked, for scripts.
#[derive(Serialize)]
struct Checked<'a> {
    /// The file's name.
    file: &'a str,
    /// `program`, `scene` or `job`.
    kind: &'static str,
    errors: usize,
    warnings: usize,
    /// None for what could not be read.
    figures: Option<Facts>,
}

/// All that were checked, for scripts.
#[derive(Serialize)]
struct Sums<'a> {
    files: Vec<Checked<'a>>,
    errors: usize,
    warnings: usize,
    /// The number of other files.
    left_out: usize,
    /// The names of those among them that may have been meant.
    neither_scenes_nor_jobs: &'a [String],
}

/// Mistakes, size and costs.
pub fn check(args: &args::Check, session: &mut Session) -> Result<(), Stop> {
    let named = &args.input;
    io::one_standard_input(named.iter().map(|path| path.as_path()))?;
    let mut found = Found { may_be_several: named.len() > 1, ..Found::default() };
    for path in named {
        let looked_at = match !io::is_standard(path) && path.is_dir() {
            true => found.folder(path, args, session),
            false => named_target(Some(path), args, session).map(|target| found.targets.push(target)),
        };
        match looked_at {
            // What else was named is checked all the same.
            Err(Stop::Problem(problem)) if named.len() > 1 && problem.code != &BAD_ARGUMENT => {
                session.report(vec![*problem]);
            }
            looked_at => looked_at?,
        }
    }
    if named.is_empty() {
        found.targets.push(named_target(None, args, session)?);
    }
    refuse_unused(&found, args, session)?;
    match (&found.targets[..], found.may_be_several) {
        ([target], false) => {
            report::begin(&args.page, true, session)?;
            let checked = one(target, &found, args, session);
            if matches!(checked, Ok(_) | Err(Stop::Reported)) {
                page_of_one(target, checked.as_ref().ok(), args, session)?;
            }
            let figures = match checked {
                // Files are put in place if a verb succeeds, and this one has: it has found the errors.
                Err(Stop::Reported) if args.page.report.is_some() => return Ok(()),
                checked => checked?,
            };
            let text = match args.format {
                TextFormat::Text => figures.text,
                TextFormat::Json => json::text(&figures.facts) + "\n",
            };
            output::write(None, false, text.as_bytes())
        }
        _ => {
            report::begin(&args.page, false, session)?;
            several(&found, args, session)
        }
    }
}

/// The page of one file.
fn page_of_one(
    target: &Target,
    figures: Option<&Figures>,
    args: &args::Check,
    session: &mut Session,
) -> Result<(), Stop> {
    let machine = target.what.gpu().map(|gpu| gpu.about().name);
    let Tally { errors, warnings } = session.shown();
    report::write(
        &args.page,
        || facade_report::page("check", &target.name, machine),
        session,
        |page, _| {
            page.fact("found", &format!("{}, {}", counted(errors, "error"), counted(warnings, "warning")));
            match figures {
                Some(Figures { program: Some(program), .. }) => {
                    page.section("The program", |html| facade_report::program(html, program));
                }
                Some(figures) => {
                    page.section("Figures", |html| facade_report::printed(html, &figures.text));
                }
                None => {}
            }
            Ok(())
        },
    )
}

/// All that is to be checked.
#[derive(Default)]
struct Found {
    targets: Vec<Target>,
    /// There is a folder, or there are several names.
    may_be_several: bool,
    /// Files in folders that are nothing to check.
    skipped: usize,
    /// Those of them that could be scenes and jobs by their names.
    doubtful: Vec<String>,
}

impl Found {
    /// What lies in a folder.
    fn folder(&mut self, folder: &Path, args: &args::Check, session: &mut Session) -> Result<(), Stop> {
        let why = "is for single files; in a folder extensions say whose a program is";
        refuse(&[(args.reading.gpu.is_some(), "--gpu")], why)?;
        self.may_be_several = true;
        let before = self.targets.len();
        for path in io::of_folder(folder, session)? {
            let name = path.display().to_string();
            let mut unreadable = None;
            let mut text = || {
                let read = io::file(&path).and_then(|bytes| {
                    session.budget.ask_text(bytes.len())?;
                    Ok(bytes)
                });
                match read {
                    Ok(bytes) => String::from_utf8(bytes).ok(),
                    Err(error) => {
                        unreadable = Some(io::unreadable(&name, &error));
                        None
                    }
                }
            };
            let what = match Kind::of_found(&session.registry, &name, &mut text) {
                Some(Kind::Program) => Some(What::of(session.registry.choose(None, &name)?)?),
                Some(Kind::Scene) => Some(What::Scene),
                Some(Kind::Job) => text().and_then(|text| job_gpu(&session.registry, &text)).map(What::Job),
                _ => None,
            };
            if let Some(problem) = unreadable {
                session.report(vec![problem]);
            }
            let Some(what) = what else {
                self.skipped += 1;
                if ["toml", "json"].iter().any(|own| extension(&name).eq_ignore_ascii_case(own)) {
                    self.doubtful.push(name);
                }
                continue;
            };
            self.targets.push(Target { path: Some(path), name, what });
        }
        if self.targets.len() > before {
            return Ok(());
        }
        let message = format!("nothing in `{}` can be checked", folder.display());
        let all = session.registry.gpus().iter().flat_map(|gpu| gpu.about().extensions);
        let all: Vec<String> = all.map(|extension| format!(".{extension}")).collect();
        let problem = Diagnostic::error(&NOTHING_TO_CHECK, message);
        let problem = problem.help(format!("programs are {}", all.join(", ")));
        Err(problem.help("scenes are .toml files that name a `gpu`, jobs are .json files").into())
    }
}

/// What a file is that was named, or standard input.
fn named_target(path: Option<&Path>, args: &args::Check, session: &Session) -> Result<Target, Stop> {
    io::expect(path)?;
    let Reading { gpu, stdin_name, .. } = &args.reading;
    let (gpu, stdin_name) = (gpu.as_deref(), stdin_name.as_deref());
    let name = io::name(path, stdin_name);
    let what = if Kind::of_name(&session.registry, &name) == Some(Kind::Scene) {
        refuse(&[(gpu.is_some(), "--gpu")], "is for programs and jobs; a scene says its machine itself")?;
        What::Scene
    } else if extension(&name).eq_ignore_ascii_case("json")
        && let bytes = io::peek(path, stdin_name)?.bytes
        && let () = room(&bytes, session)?
        && let Ok(text) = std::str::from_utf8(&bytes)
        && let Some(own) = job_gpu(&session.registry, text)
    {
        What::Job(gpu.map_or(Ok(own), |id| job::machine(&session.registry, Some(id)))?)
    } else {
        match (session.registry.choose(gpu, &name), path.filter(|path| !io::is_standard(path))) {
            (Ok(gpu), _) => What::of(gpu)?,
            (Err(problem), None) => return Err(problem.into()),
            (Err(problem), Some(path)) => {
                // Whose a file is that does not exist is not the question.
                io::find(path)?;
                return Err(problem.into());
            }
        }
    };
    Ok(Target { path: path.map(Path::to_owned), name, what })
}

/// Refuses options that none of the files takes. Of several files, those count to which an option applies.
fn refuse_unused(found: &Found, args: &args::Check, session: &Session) -> Result<(), Stop> {
    let targets = &found.targets;
    let profiled = targets.iter().any(|target| target.what.profiled().is_some());
    let why = "is for jobs, and for checks that run a program";
    refuse(&[(args.profile.is_some() && !profiled, "--profile")], why)?;
    let programs: Vec<_> = targets.iter().filter_map(|target| target.what.gpu()).collect();
    let scenes = targets.iter().any(|target| matches!(target.what, What::Scene));
    let mut unused = session.given.iter().filter(|given| !(scenes && parameters::is_for_scenes(given)));
    let Some(first) = programs.first() else {
        let given = unused.next().map(|given| format!("--{}", given.name));
        let why = "is for programs, and there are none";
        refuse_reading(&args.reading, why)?;
        return refuse(&[(given.is_some(), given.as_deref().unwrap_or_default())], why);
    };
    match unused.all(|given| programs.iter().any(|gpu| takes(*gpu, given))) {
        true => Ok(()),
        // It says why.
        false => parameters::own(*first, Verb::Check, None, None, session).map(drop),
    }
}

fn takes(gpu: &dyn Gpu, given: &Given) -> bool {
    if parameters::is_for_scenes(given) && gpu.about().text_options.macros {
        return true;
    }
    [Verb::Check, Verb::Read].iter().any(|verb| parameter(gpu, *verb, given.name).is_ok())
}

/// Whether an option counts for a machine: for those that have what it names, or, if none of them has, for all, so that what
/// uses it says why it cannot be.
fn counts(
    gpu: &'static dyn Gpu,
    mut all: impl Iterator<Item = &'static dyn Gpu>,
    has: impl Fn(&'static dyn Gpu) -> bool,
) -> bool {
    has(gpu) || !all.any(has)
}

/// The program of a target, and how it is written.
fn written(target: &Target, gpu: &'static dyn Gpu, found: &Found, args: &args::Check) -> Source {
    let machines = || found.targets.iter().filter_map(|target| target.what.gpu());
    let only = |option: &Option<String>, has: &dyn Fn(&'static dyn Gpu, &str) -> bool| {
        option.clone().filter(|name| counts(gpu, machines(), |gpu| has(gpu, name)))
    };
    let read = &args.reading.read;
    let read = ReadOptions {
        dialect: only(&read.dialect, &|gpu, _| !gpu.about().text_options.dialects.is_empty()),
        numbering: only(&read.numbering, &|gpu, _| !gpu.about().text_options.numberings.is_empty()),
        from: only(&read.from, &|gpu, name| match gpu.shader_unit() {
            Some(_) => Form::named(gpu, name).is_ok(),
            None => gpu.about().forms.iter().any(|form| form.is_read && form.name == name),
        }),
        ..read.clone()
    };
    let has_macros = |gpu: &'static dyn Gpu| {
        let about = gpu.about();
        about.text_options.macros || about.parameters.iter().any(|parameter| parameter.name == MACROS)
    };
    let mut reading = Reading { read, ..args.reading.clone() };
    if !counts(gpu, machines(), has_macros) {
        reading.folders.clear();
        reading.read.define.clear();
    }
    if !counts(gpu, machines(), |gpu| gpu.about().text_options.positions) {
        reading.read.position = None;
    }
    Source { input: target.path.clone(), reading }
}

/// The profile that was asked for, if it counts for a machine.
fn profile<'a>(gpu: &'static dyn Gpu, found: &Found, args: &'a args::Check) -> Option<&'a str> {
    let machines = found.targets.iter().filter_map(|target| target.what.profiled());
    let has = |name: &str| counts(gpu, machines, |gpu| gpu.about().profile(name).is_some());
    args.profile.as_deref().filter(|name| has(name))
}

/// The options that a machine takes, of those given.
fn own(
    gpu: &'static dyn Gpu,
    target: &Target,
    found: &Found,
    args: &args::Check,
    session: &mut Session,
) -> Result<Own, Stop> {
    let profile = target.what.profiled().and_then(|gpu| profile(gpu, found, args));
    let all = session.given.clone();
    session.given.retain(|given| takes(gpu, given));
    let own = parameters::own(gpu, Verb::Check, profile, target.path.as_deref(), session);
    session.given = all;
    own
}

/// Checks one of what was found, and reports what is wrong with it. If it is the only one, all that was given must be for it.
fn one(target: &Target, found: &Found, args: &args::Check, session: &mut Session) -> Result<Figures, Stop> {
    let alone = !found.may_be_several;
    let input = || io::read(target.path.as_deref(), args.reading.stdin_name.as_deref());
    match target.what {
        What::Unit(unit) => {
            own(unit, target, found, args, session)?;
            let source = written(target, unit, found, args);
            let program = load(unit, &source, None, Form::of_bytes, session)?.program(session)?;
            session.report(program.check());
            let figures = facade_check::figures(&program);
            Ok(Figures { text: figures.text(), facts: Facts::Program(figures), program: Some(program) })
        }
        What::Computer(computer) => {
            let own = own(computer.gpu(), target, found, args, session)?;
            let source = written(target, computer.gpu(), found, args);
            let form = source.reading.read.from.as_deref();
            let program = software(computer, &source, form, &own, session)?;
            let checked = program.check(&own.arguments)?;
            session.report_about(program.sources(), checked.remarks.clone());
            own.write_files(&checked)?;
            Ok(Figures { text: checked.text, facts: Facts::Software(checked.json), program: None })
        }
        What::Scene => {
            let input = input()?;
            let all = session.given.clone();
            session.given.retain(parameters::is_for_scenes);
            let scene = render::any_scene(input, session);
            session.given = all;
            let scene = scene?;
            if alone {
                parameters::check_scene(scene.gpu, session)?;
            }
            session.report(facade_render::check(&scene));
            let figures = facade_check::SceneFigures::of(&scene);
            Ok(Figures { text: figures.text(), facts: Facts::Scene(figures), program: None })
        }
        What::Job(gpu) => {
            let input = input()?;
            let profile = profile(gpu, found, args);
            let profile = profile.map(|name| registry::profile(gpu, Some(name))).transpose()?;
            let options = JobOptions { profile, budget: session.budget.clone(), ..JobOptions::default() };
            room(&input.bytes, session)?;
            let file = read::text(&mut session.sources, &input.name, &input.bytes)?;
            session.require(job::check(gpu, session.sources.get(file), &options)?)?;
            let id = gpu.about().id;
            Ok(Figures { text: format!("a job for {id}\n"), facts: Facts::Job { gpu: id }, program: None })
        }
    }
}

/// Checks all of several, whatever is wrong with some, and sums up.
fn several(found: &Found, args: &args::Check, session: &mut Session) -> Result<(), Stop> {
    let mut output = Output::open(None, false)?;
    let (mut records, mut rows) = (Vec::new(), Vec::new());
    for target in &found.targets {
        let before = session.found();
        // Nothing of it is kept but its figures.
        let budget = session.budget.clone();
        let checked = budget.borrow(|| {
            session.apart(|session| match one(target, found, args, session) {
                Ok(figures) => Ok(Some(figures)),
                Err(Stop::ClosedPipe) => Err(Stop::ClosedPipe),
                Err(stop) => {
                    session.settle(stop);
                    Ok(None)
                }
            })
        });
        let figures = checked?;
        let own = session.found().since(before);
        if args.page.report.is_some() {
            let text = figures.as_ref().map_or(String::new(), |figures| figures.text.clone());
            rows.push((target.name.clone(), own.errors, own.warnings, text));
        }
        match args.format {
            TextFormat::Text => {
                let text =
                    figures.map_or_else(|| format!("{}\n", counted(own.errors, "error")), |own| own.text);
                let lines: String = text.lines().map(|line| format!("  {line}\n")).collect();
                output.write(format!("{}\n{lines}", printable(&target.name)).as_bytes())?;
                output.flush()?;
            }
            TextFormat::Json => records.push(record(target, own, figures)),
        }
    }
    let (Tally { errors, warnings }, skipped) = (session.shown(), found.skipped);
    let text = match args.format {
        TextFormat::Text => {
            let mut text = counted(found.targets.len(), "file");
            text += &format!(": {}, {}", counted(errors, "error"), counted(warnings, "warning"));
            if skipped > 0 {
                text += &format!("; {} left out", counted(skipped, "other file"));
                if !found.doubtful.is_empty() {
                    text += &format!(", among them {}", printable(&found.doubtful.join(", ")));
                }
            }
            text + "\n"
        }
        TextFormat::Json => {
            let (left_out, neither_scenes_nor_jobs) = (skipped, &found.doubtful);
            let sum = Sums { files: records, errors, warnings, left_out, neither_scenes_nor_jobs };
            format!("{}\n", printable_json(&json::text(&sum)))
        }
    };
    output.write(text.as_bytes())?;
    output.finish()?;
    let name = args.input.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(" ");
    report::write(
        &args.page,
        || facade_report::page("check", &name, None),
        session,
        |page, _| {
            page.section("Files", |html| facade_report::checked(html, &rows));
            Ok(())
        },
    )
}

/// One of several, for scripts. What other files have, too, counts for each.
fn record<'a>(target: &'a Target, own: Tally, figures: Option<Figures>) -> Checked<'a> {
    let kind = match target.what {
        What::Unit(_) | What::Computer(_) => "program",
        What::Scene => "scene",
        What::Job(_) => "job",
    };
    let figures = figures.map(|figures| figures.facts);
    Checked { file: &target.name, kind, errors: own.errors, warnings: own.warnings, figures }
}

fn counted(number: usize, what: &str) -> String {
    if number == 0 { format!("no {what}s") } else { gpuzoo::diag::counted(number, what) }
}
