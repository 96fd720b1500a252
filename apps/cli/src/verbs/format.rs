//! `fmt`: lays out assembly texts.

use super::{parameters, room};
use crate::args::{self, Given};
use crate::io::{self, Input};
use crate::output::{self, Output};
use crate::session::{Session, Stop};
use gpuzoo::codes::{NO_TEXT, NOT_FORMATTED, NOTHING_TO_CHECK};
use gpuzoo::computer::parameter;
use gpuzoo::diag::Diagnostic;
use gpuzoo::kind::Kind;
use gpuzoo::machine::Profile;
use gpuzoo::machine::options::arguments::Verb;
use gpuzoo::{Gpu, format, read, registry};
use std::path::{Path, PathBuf};

/// A text to lay out.
struct Target {
    /// None for standard input.
    path: Option<PathBuf>,
    gpu: &'static dyn Gpu,
}

/// Lays out all texts. With an error in one of them, none is replaced.
pub fn format(args: &args::Format, session: &mut Session) -> Result<(), Stop> {
    io::one_standard_input(args.input.iter().map(PathBuf::as_path))?;
    let targets = targets(args, session)?;
    let takes = |target: &Target, given: &Given| parameter(target.gpu, Verb::Format, given.name).is_ok();
    let is_unused = |given: &Given| !targets.iter().any(|target| takes(target, given));
    if let (Some(first), true) = (targets.first(), session.given.iter().any(is_unused)) {
        // It says why.
        parameters::own(first.gpu, Verb::Format, None, None, session)?;
    }
    let all = session.given.clone();
    let mut done = Ok(());
    for target in &targets {
        session.given.retain(|given| takes(target, given));
        let one = one(target, args, session);
        session.given.clone_from(&all);
        match one {
            Err(stop @ (Stop::Problem(_) | Stop::Reported)) if targets.len() > 1 => {
                session.settle(stop);
                done = Err(Stop::Reported);
            }
            one => one?,
        }
    }
    done
}

/// What was named, and what lies in the folders that were.
fn targets(args: &args::Format, session: &mut Session) -> Result<Vec<Target>, Stop> {
    let gpu = args.reading.gpu.as_deref();
    let mut targets = Vec::new();
    for path in
        args.input.iter().map(|path| Some(path.as_path())).chain(args.input.is_empty().then_some(None))
    {
        match path.filter(|path| !io::is_standard(path)) {
            Some(folder) if folder.is_dir() => {
                let before = targets.len();
                in_folder(folder, session, &mut targets)?;
                if targets.len() == before {
                    let message = format!("nothing in `{}` can be laid out", folder.display());
                    return Err(Diagnostic::error(&NOTHING_TO_CHECK, message).into());
                }
            }
            file => {
                io::expect(path)?;
                let name = io::name(path, args.reading.stdin_name.as_deref());
                if Kind::of_name(&session.registry, &name) == Some(Kind::Scene) {
                    return Err(no_text(&name).into());
                }
                file.map_or(Ok(()), io::find)?;
                targets.push(Target {
                    path: file.map(Path::to_owned),
                    gpu: session.registry.choose(gpu, &name)?,
                });
            }
        }
    }
    Ok(targets)
}

/// The texts of a folder, by their extensions.
fn in_folder(folder: &Path, session: &mut Session, targets: &mut Vec<Target>) -> Result<(), Stop> {
    for path in io::of_folder(folder, session)? {
        let name = path.display().to_string();
        let is_program = Kind::of_found(&session.registry, &name, || None) == Some(Kind::Program);
        if let ([gpu], true) = (&session.registry.by_extension(&name)[..], is_program)
            && format::is_text(*gpu, &name, &[])
        {
            targets.push(Target { path: Some(path), gpu: *gpu });
        }
    }
    Ok(())
}

fn no_text(name: &str) -> Diagnostic {
    Diagnostic::error(&NO_TEXT, format!("`{name}` is not an assembly text"))
        .help("assembly texts are laid out; `gpuzoo disassemble` makes one of a binary program")
}

/// Lays out one text.
fn one(target: &Target, args: &args::Format, session: &mut Session) -> Result<(), Stop> {
    let Target { path, gpu } = target;
    parameters::own(*gpu, Verb::Format, None, None, session)?;
    let Input { name, path: place, bytes } = io::read(path.as_deref(), args.reading.stdin_name.as_deref())?;
    if !format::is_text(*gpu, &name, &bytes) {
        return Err(no_text(&name).into());
    }
    room(&bytes, session)?;
    let file = read::text(&mut session.sources, &name, &bytes)?;
    // The byte order mark of a text belongs to its layout, not to what it says.
    let text = String::from_utf8(bytes).unwrap_or_default();
    let read = args.reading.read.for_machine(gpu.about());
    let include = args.reading.include(&place);
    let done = read.with_text(Some(&*include), Profile::default(), None, |options| {
        registry::check_text_options(*gpu, options)?;
        Ok::<_, Diagnostic>(format::checked(*gpu, &name, &text, options))
    })?;
    let done = match done {
        Ok(done) => done,
        Err(problems) => {
            session.report_about(&problems.sources, problems.list);
            return Err(Stop::Reported);
        }
    };
    if args.check {
        if done == text {
            return Ok(());
        }
        // The sources have the text without its mark.
        let [new, old] = [&done, &text].map(|text| text.trim_start_matches('\u{feff}'));
        let same =
            new.split_inclusive('\n').zip(old.split_inclusive('\n')).take_while(|(new, old)| new == old);
        let start: usize = same.map(|(_, line)| line.len()).sum();
        let problem = Diagnostic::error(&NOT_FORMATTED, format!("`{name}` is not laid out"));
        let place = session.sources.get(file).span(start..start);
        let problem = problem.label(place, "this line would change first");
        return Err(problem.help(format!("`gpuzoo fmt {name}` lays it out")).into());
    }
    match path {
        None => output::write(None, false, done.as_bytes()),
        Some(_) if done == text => Ok(()),
        Some(path) => {
            let mut output = Output::over(path)?;
            output.write(done.as_bytes())?;
            output.finish()
        }
    }
}
