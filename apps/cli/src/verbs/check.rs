//! `check`: what is wrong with programs, scenes and jobs, and what programs cost.

use super::parameters::{self, Own};
use super::{load, refuse, render, software};
use crate::args::{self, Given, Source, TextFormat};
use crate::io;
use crate::output::{self, Output};
use crate::session::{Session, Stop, Tally};
use gpuzoo::codes::NOTHING_TO_CHECK;
use gpuzoo::computer::{Computer, parameter};
use gpuzoo::diag::Diagnostic;
use gpuzoo::kind::{Kind, job_gpu};
use gpuzoo::machine::arguments::Verb;
use gpuzoo::machine::text::extension;
use gpuzoo::read::{self, Form};
use gpuzoo::render as facade_render;
use gpuzoo::{Gpu, ShaderUnit, check as facade_check};
use serde_json::{Value as Json, json};
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
}

/// What there is to say of one that was read.
struct Figures {
    text: String,
    json: Json,
}

/// Mistakes, size and costs.
pub fn check(args: &args::Check, session: &mut Session) -> Result<(), Stop> {
    let named: Vec<&PathBuf> = args.source.input.iter().chain(&args.more).collect();
    io::one_standard_input(named.iter().map(|path| path.as_path()))?;
    let mut found = Found::default();
    for path in &named {
        match !io::is_standard(path) && path.is_dir() {
            true => found.folder(path, args, session)?,
            false => found.targets.push(named_target(Some(path), args, session)?),
        }
    }
    if named.is_empty() {
        found.targets.push(named_target(None, args, session)?);
    }
    refuse_unused(&found.targets, args, session)?;
    match (&found.targets[..], found.in_folders) {
        ([target], false) => {
            let figures = one(target, true, args, session)?;
            let text = match args.format {
                TextFormat::Text => figures.text,
                TextFormat::Json => format!("{}\n", figures.json),
            };
            output::write(None, false, text.as_bytes())
        }
        _ => several(&found, args, session),
    }
}

/// All that is to be checked.
#[derive(Default)]
struct Found {
    targets: Vec<Target>,
    in_folders: bool,
    /// Files in folders that are nothing to check.
    skipped: usize,
    /// Those of them that could be scenes and jobs by their names.
    doubtful: Vec<String>,
}

impl Found {
    /// What lies in a folder.
    fn folder(&mut self, folder: &Path, args: &args::Check, session: &Session) -> Result<(), Stop> {
        let why = "is for single files; in a folder extensions say whose a program is";
        refuse(&[(args.source.gpu.is_some(), "--gpu")], why)?;
        self.in_folders = true;
        let before = self.targets.len();
        for path in io::of_folder(folder)? {
            let name = path.display().to_string();
            let text = || String::from_utf8(io::file(&path).ok()?).ok();
            let what = match Kind::of_found(&session.registry, &name, text) {
                Some(Kind::Program) => Some(What::of(session.registry.choose(None, &name)?)?),
                Some(Kind::Scene) => Some(What::Scene),
                Some(Kind::Job) => text().and_then(|text| job_gpu(&session.registry, &text)).map(What::Job),
                _ => None,
            };
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
    let Source { gpu, stdin_name, .. } = &args.source;
    let (gpu, stdin_name) = (gpu.as_deref(), stdin_name.as_deref());
    let name = io::name(path, stdin_name);
    let what = if Kind::of_name(&session.registry, &name) == Some(Kind::Scene) {
        refuse(&[(gpu.is_some(), "--gpu")], "is for programs and jobs; a scene says its machine itself")?;
        What::Scene
    } else if extension(&name).eq_ignore_ascii_case("json")
        && let Ok(text) = std::str::from_utf8(&io::peek(path, stdin_name)?.bytes)
        && let Some(own) = job_gpu(&session.registry, text)
    {
        What::Job(gpu.map_or(Ok(own), |id| facade_render::job_gpu(&session.registry, Some(id)))?)
    } else {
        What::of(session.registry.choose(gpu, &name)?)?
    };
    Ok(Target { path: path.map(Path::to_owned), name, what })
}

/// Refuses options that none of the files takes. Of several files, those count to which an option applies.
fn refuse_unused(targets: &[Target], args: &args::Check, session: &Session) -> Result<(), Stop> {
    let runs = targets.iter().any(|target| matches!(target.what, What::Computer(_)));
    refuse(&[(args.profile.is_some() && !runs, "--profile")], "is for checks that run a program")?;
    let programs: Vec<_> = targets.iter().filter_map(|target| target.what.gpu()).collect();
    let scenes = targets.iter().any(|target| matches!(target.what, What::Scene));
    let mut unused = session.given.iter().filter(|given| !(scenes && parameters::is_for_scenes(given)));
    let Some(first) = programs.first() else {
        let given = unused.next().map(|given| format!("--{}", given.name));
        let options = [
            (args.source.dialect.is_some(), "--dialect"),
            (args.source.numbering.is_some(), "--numbering"),
            (args.program_format.is_some(), "--program-format"),
            (given.is_some(), given.as_deref().unwrap_or_default()),
        ];
        return refuse(&options, "is for programs, and there are none");
    };
    match unused.all(|given| programs.iter().any(|gpu| takes(*gpu, given))) {
        true => Ok(()),
        // It says why.
        false => parameters::own(*first, Verb::Check, None, None, session).map(drop),
    }
}

fn takes(gpu: &dyn Gpu, given: &Given) -> bool {
    [Verb::Check, Verb::Read].iter().any(|verb| parameter(gpu, *verb, given.name).is_ok())
}

/// The options that a machine takes, of those given.
fn own(
    gpu: &'static dyn Gpu,
    target: &Target,
    args: &args::Check,
    session: &mut Session,
) -> Result<Own, Stop> {
    let profile = args.profile.as_deref().filter(|_| gpu.shader_unit().is_none());
    let all = session.given.clone();
    session.given.retain(|given| takes(gpu, given));
    let own = parameters::own(gpu, Verb::Check, profile, target.path.as_deref(), session);
    session.given = all;
    own
}

/// Checks one, and reports what is wrong with it. If it is `alone`, all that was given must be for it.
fn one(target: &Target, alone: bool, args: &args::Check, session: &mut Session) -> Result<Figures, Stop> {
    let source = Source { input: target.path.clone(), ..args.source.clone() };
    let format = args.program_format.as_deref();
    match target.what {
        What::Unit(unit) => {
            let own = own(unit, target, args, session)?;
            let program = load(unit, &source, format, Form::of_bytes, &own, session)?.program(session)?;
            session.report(program.check());
            let figures = facade_check::figures(&program);
            Ok(Figures { text: figures.text(), json: figures.json() })
        }
        What::Computer(computer) => {
            let own = own(computer.gpu(), target, args, session)?;
            let program = software(computer, &source, format, &own, session)?;
            let report = program.check(&own.arguments)?;
            session.report_about(program.sources(), report.remarks.clone());
            own.write_files(&report)?;
            Ok(Figures { text: report.text, json: report.json })
        }
        What::Scene => {
            let input = io::read(target.path.as_deref(), source.stdin_name.as_deref())?;
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
            Ok(Figures { text: figures.text(), json: figures.json() })
        }
        What::Job(gpu) => {
            let input = io::read(target.path.as_deref(), source.stdin_name.as_deref())?;
            let file = read::text(&mut session.sources, &input.name, &input.bytes)?;
            session.require(facade_render::check_job(gpu, session.sources.get(file))?)?;
            let id = gpu.about().id;
            Ok(Figures { text: format!("a job for {id}\n"), json: json!({ "gpu": id }) })
        }
    }
}

/// Checks all of several, whatever is wrong with some, and sums up.
fn several(found: &Found, args: &args::Check, session: &mut Session) -> Result<(), Stop> {
    let mut output = Output::open(None, false)?;
    let mut records = Vec::new();
    for target in &found.targets {
        let before = session.found();
        let figures = match one(target, false, args, session) {
            Ok(figures) => Some(figures),
            Err(Stop::ClosedPipe) => return Err(Stop::ClosedPipe),
            Err(stop) => {
                session.settle(stop);
                None
            }
        };
        let own = session.found().since(before);
        match args.format {
            TextFormat::Text => {
                let text =
                    figures.map_or_else(|| format!("{}\n", counted(own.errors, "error")), |own| own.text);
                let lines: String = text.lines().map(|line| format!("  {line}\n")).collect();
                output.write(format!("{}\n{lines}", target.name).as_bytes())?;
                output.flush()?;
            }
            TextFormat::Json => records.push(record(target, own, figures)),
        }
    }
    let (Tally { errors, warnings }, skipped) = (session.told(), found.skipped);
    let text = match args.format {
        TextFormat::Text => {
            let mut text = counted(found.targets.len(), "file");
            text += &format!(": {}, {}", counted(errors, "error"), counted(warnings, "warning"));
            if skipped > 0 {
                text += &format!("; {} left out", counted(skipped, "other file"));
                if !found.doubtful.is_empty() {
                    text += &format!(", among them {}", found.doubtful.join(", "));
                }
            }
            text + "\n"
        }
        TextFormat::Json => {
            let sum = json!({
                "files": records,
                "errors": errors,
                "warnings": warnings,
                "left_out": skipped,
                "neither_scenes_nor_jobs": found.doubtful,
            });
            format!("{sum}\n")
        }
    };
    output.write(text.as_bytes())?;
    output.finish()
}

/// One of several, for scripts. What other files have, too, counts for each.
fn record(target: &Target, own: Tally, figures: Option<Figures>) -> Json {
    let kind = match target.what {
        What::Unit(_) | What::Computer(_) => "program",
        What::Scene => "scene",
        What::Job(_) => "job",
    };
    json!({
        "file": target.name,
        "kind": kind,
        "errors": own.errors,
        "warnings": own.warnings,
        "figures": figures.map(|figures| figures.json),
    })
}

fn counted(number: usize, what: &str) -> String {
    if number == 0 { format!("no {what}s") } else { gpuzoo::diag::counted(number, what) }
}
