//! Shader programs that come without a scene.

use super::{parameters, refuse};
use crate::args;
use crate::io::{self, Input};
use crate::output;
use crate::session::{Session, Stop};
use gpuzoo::codes::{BAD_ARGUMENT, EXISTS};
use gpuzoo::diag::{Diagnostic, Sources};
use gpuzoo::machine::TextOptions;
use gpuzoo::machine::text::extension;
use gpuzoo::read::{self, Form};
use gpuzoo::render as facade_render;
use gpuzoo::scene::{Scene, Texts};
use gpuzoo::{ShaderUnit, registry};
use std::path::Path;

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
    if !by_name && (args.gpu.is_none() || other) {
        return Ok(None);
    }
    Ok(session.registry.choose(args.gpu.as_deref(), &input.name)?.shader_unit())
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
    let Input { name, bytes } = input;
    let said = args.program_format.as_deref().map(|name| Form::named(unit, name)).transpose()?;
    let form = said.or_else(|| Form::of_name(unit, &name)).unwrap_or_else(|| Form::of_bytes(&bytes));
    refuse(
        &[(form != Form::Asm, &format!("`{name}`"))],
        "is not assembly text, which a scene draws; `disassemble` makes it",
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
    let include = |wanted: &str| io::included(folder(&name), &given.folders, wanted);
    let options = TextOptions { include: Some(&include), defines: &defines, ..TextOptions::default() };
    let program = match read::read(unit, &mut sources, &name, &bytes, Some(form), &options) {
        Ok(program) => program,
        Err(problems) => {
            session.report_about(&sources, problems);
            return Err(Stop::Reported);
        }
    };
    if let Some(path) = &args.save_scene {
        save(path, &program, &name, size, profile)?;
        if args.output.is_none() {
            return Ok(None);
        }
    }
    let own = file_name(&name);
    let (text, note) = facade_render::starter(&program, &own, size, profile);
    let path = folder(&name).join("<default scene>");
    let read = |wanted: &Path| match wanted {
        _ if wanted == path => Ok(text.clone().into_bytes()),
        _ if wanted == folder(&name).join(&own) => Ok(bytes.clone()),
        _ => io::file(wanted),
    };
    let texts = Texts { folders: &given.folders, defines: &defines };
    let (scene, problems) = facade_render::load(&session.registry, &mut session.sources, &path, &read, texts);
    session.require(problems)?;
    let scene = scene.ok_or(Stop::Reported)?;
    Ok(Some((scene, Some(note).filter(|_| args.save_scene.is_none()))))
}

fn folder(name: &str) -> &Path {
    Path::new(name).parent().unwrap_or(Path::new(""))
}

fn file_name(name: &str) -> String {
    Path::new(name).file_name().map_or_else(|| name.to_owned(), |name| name.to_string_lossy().into_owned())
}

/// Writes the scene to a file, which must be new. The program has its name as it counts from there.
fn save(
    path: &Path,
    program: &gpuzoo::Program,
    name: &str,
    size: Option<(u32, u32)>,
    profile: Option<&str>,
) -> Result<(), Stop> {
    if !Path::new(name).is_file() {
        let problem = Diagnostic::error(&BAD_ARGUMENT, "the program is in no file that a scene could name");
        return Err(problem.help("write it to a file first").into());
    }
    let own = path.parent().unwrap_or(Path::new(""));
    let named = match std::path::absolute(name) {
        _ if own == folder(name) => file_name(name),
        Ok(whole) if own != Path::new("") => whole.to_string_lossy().into_owned(),
        _ => name.to_owned(),
    };
    write_new(path, &facade_render::starter(program, &named, size, profile).0)
}

/// Writes a file that must not be there yet.
pub fn write_new(path: &Path, text: &str) -> Result<(), Stop> {
    if path.exists() {
        let problem = Diagnostic::error(&EXISTS, format!("`{}` is there already", path.display()));
        return Err(problem.help("give another name, or move it away").into());
    }
    output::write(Some(path), false, text.as_bytes())
}
