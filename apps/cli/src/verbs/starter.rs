//! Shader programs that come without a scene.

use super::{parameters, refuse, room};
use crate::args;
use crate::io::{self, Input};
use crate::output;
use crate::session::{Session, Stop};
use gpuzoo::codes::{BAD_ARGUMENT, EXISTS, STARTER_SCENE};
use gpuzoo::diag::{Diagnostic, Severity, Sources};
use gpuzoo::machine::TextOptions;
use gpuzoo::machine::text::extension;
use gpuzoo::read::{self, Form};
use gpuzoo::render as facade_render;
use gpuzoo::scene::{Scene, Texts};
use gpuzoo::{ShaderUnit, registry};
use std::path::{Path, PathBuf};

/// The machine, if the input is a program of its shader units: its extension says so, or `--gpu` does and it is neither a job
/// nor a scene.
pub fn unit(
    args: &args::Render,
    input: &Input,
    session: &Session,
) -> Result<Option<&'static dyn ShaderUnit>, Stop> {
    let by_name = !session.registry.by_extension(&input.name).is_empty();
    let other = extension(&input.name).eq_ignore_ascii_case("toml")
        || input.bytes.trim_ascii_start().starts_with(b"{");
    if !by_name && (args.reading.gpu.is_none() || other) {
        return Ok(None);
    }
    Ok(session.registry.choose(args.reading.gpu.as_deref(), &input.name)?.shader_unit())
}

/// The scene that the program is drawn in, and a note that shows it; none if it was to be written, and nothing is to be
/// drawn.
pub fn scene(
    unit: &'static dyn ShaderUnit,
    args: &args::Render,
    input: Input,
    session: &mut Session,
) -> Result<Option<(Scene, Option<Diagnostic>)>, Stop> {
    refuse(
        &[(args.no_limits, "--no-limits"), (args.waves.is_some(), "--waves")],
        "is for jobs, and this is a program",
    )?;
    let Input { name, path, bytes } = input;
    room(&bytes, session)?;
    let form = args.reading.read.form(unit)?;
    let form = form.or_else(|| Form::of_name(unit, &name)).unwrap_or_else(|| Form::of_bytes(&bytes));
    // A scene names a file, and knows a source by the file's name.
    let is_text =
        form == Form::Asm || matches!(form, Form::Source(_)) && Form::of_name(unit, &name) == Some(form);
    refuse(
        &[(!is_text, &name)],
        "is not assembly text, and no source by its name, which a scene draws; `disassemble` makes a text",
    )?;
    let given = parameters::of_scene(session)?;
    parameters::check_scene(unit, session)?;
    if args.save_scene.is_some() {
        let why = "is not written into a scene: put it into the program's text";
        refuse(&[(!given.folders.is_empty(), "--include"), (!given.defines.is_empty(), "--define")], why)?;
        let of_picture = [
            (args.stats.is_some(), "--stats"),
            (args.view.is_some(), "--view"),
            (args.frame.is_some(), "--frame"),
        ];
        if args.output.is_none() {
            refuse(&of_picture, "is for the picture: give its file with `-o`")?;
        }
    }
    let profile = args.profile.as_deref();
    registry::profile(unit, profile)?;
    let size = args.size.as_ref().map(|text| {
        let file = session.argument("--size", text);
        facade_render::size(session.sources.get(file))
    });
    let size = size.transpose()?;
    // What is wrong with it, the scene says once more and at the same places.
    let mut sources = Sources::default();
    let defines: Vec<&str> = given.defines.iter().map(String::as_str).collect();
    let include = |wanted: &str| io::included(io::folder(&path), &given.folders, wanted);
    let of_sources = [
        (args.reading.read.entry.is_some(), "--entry"),
        (args.reading.read.host_constants, "--host-constants"),
    ];
    if !matches!(form, Form::Source(_)) {
        refuse(&of_sources, "is for sources in shading languages")?;
    }
    let (entry, host_constants) = (args.reading.read.entry.as_deref(), args.reading.read.host_constants);
    let options = TextOptions {
        include: Some(&include),
        defines: &defines,
        entry,
        host_constants,
        ..TextOptions::default()
    };
    let program = match read::read(unit, &mut sources, &name, &bytes, Some(form), &options) {
        Ok(program) => program,
        Err(problems) => {
            session.report_about(&sources, problems);
            return Err(Stop::Reported);
        }
    };
    if let Some(to) = &args.save_scene {
        let note = save(to, (&program, &options), &path, size, profile)?;
        session.report(note.into_iter().collect());
        if args.output.is_none() {
            return Ok(None);
        }
    }
    let own = file_name(&name);
    let (text, note) = facade_render::starter(&program, (&own, &options), size, profile);
    let scene = io::folder(&path).join("<default scene>");
    let folders = io::reach(&path, &given.folders);
    let read = |wanted: &Path| match wanted {
        _ if wanted == scene => Ok(text.clone().into_bytes()),
        _ if wanted == io::folder(&path).join(&own) => Ok(bytes.clone()),
        _ => io::named_file(&folders, wanted),
    };
    let texts = Texts { folders: &given.folders, defines: &defines, ..Texts::default() };
    let (scene, problems) = facade_render::load(
        &session.registry,
        &mut session.sources,
        &scene,
        &read,
        texts,
        session.budget.clone(),
    );
    session.require(problems)?;
    let scene = scene.ok_or(Stop::Reported)?;
    Ok(Some((scene, Some(note).filter(|_| args.save_scene.is_none()))))
}

fn file_name(name: &str) -> String {
    Path::new(name).file_name().map_or_else(|| name.to_owned(), |name| name.to_string_lossy().into_owned())
}

/// Writes the scene to a file, which must be new. The program in the file `from` has its name as it counts from there. There
/// is a note if that is another folder.
fn save(
    to: &Path,
    (program, options): (&gpuzoo::Program, &TextOptions),
    from: &Path,
    size: Option<(u32, u32)>,
    profile: Option<&str>,
) -> Result<Option<Diagnostic>, Stop> {
    let none = |why: &str| {
        let problem = Diagnostic::error(&BAD_ARGUMENT, format!("no scene could name the program: {why}"));
        Stop::from(problem.help("write it to a file with another name first"))
    };
    if !from.is_file() {
        return Err(none("it is not in a file"));
    }
    let named = match (std::path::absolute(from), from.file_name()) {
        (_, Some(name)) if io::folder(to) == io::folder(from) => PathBuf::from(name),
        (Ok(whole), _) if io::folder(to) != Path::new("") => whole,
        _ => from.to_owned(),
    };
    let named = named.to_str().ok_or_else(|| none("the name of its file is not UTF-8"))?;
    write_new(to, &facade_render::starter(program, (named, options), size, profile).0)?;
    let (to, from) = (io::folder(to), io::folder(from));
    Ok((to != from).then(|| {
        let message = "the scene names a program outside of its folder";
        let note = Diagnostic::new(Severity::Note, &STARTER_SCENE, message);
        note.help(format!("render it with `--allow-read {}`", io::or_here(from).display()))
    }))
}

/// Writes a file that must not be there yet.
pub fn write_new(path: &Path, text: &str) -> Result<(), Stop> {
    if path.exists() {
        let problem = Diagnostic::error(&EXISTS, format!("`{}` is there already", path.display()));
        return Err(problem.help("give another name, or move it away").into());
    }
    output::write(Some(path), false, text.as_bytes())
}
