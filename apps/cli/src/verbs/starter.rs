//! Shader programs that come without a scene.

use super::{parameters, refuse};
use crate::args;
use crate::io::{self, Input};
use crate::output;
use crate::session::{Session, Stop};
use gpuzoo::ShaderUnit;
use gpuzoo::codes::{BAD_ARGUMENT, EXISTS};
use gpuzoo::diag::{Diagnostic, Sources};
use gpuzoo::machine::TextOptions;
use gpuzoo::machine::text::extension;
use gpuzoo::read::{self, Form};
use gpuzoo::render as facade_render;
use gpuzoo::scene::{Scene, Texts};
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
    if !by_name && (args.gpu.is_none() || other) {
        return Ok(None);
    }
    Ok(session.registry.choose(args.gpu.as_deref(), &input.name)?.shader_unit())
}

/// The scene that the program is drawn in; none if it was to be written, and nothing is to be drawn.
pub fn scene(
    unit: &'static dyn ShaderUnit,
    args: &args::Render,
    input: Input,
    session: &mut Session,
) -> Result<Option<Scene>, Stop> {
    refuse(
        &[(args.no_limits, "--no-limits"), (args.waves.is_some(), "--waves")],
        "is for jobs, and this is a program",
    )?;
    let Input { name, bytes } = input;
    let form = Form::of_name(unit, &name).unwrap_or_else(|| Form::of_bytes(&bytes));
    refuse(
        &[(form != Form::Asm, &format!("`{name}`"))],
        "is not assembly text, which a scene draws; `disassemble` makes it",
    )?;
    // What is wrong with it, the scene says once more and at the same places.
    let mut sources = Sources::default();
    let given = parameters::of_scene(session)?;
    let defines: Vec<&str> = given.defines.iter().map(String::as_str).collect();
    let include = |wanted: &str| {
        let folders = std::iter::once(folder(&name)).chain(given.folders.iter().map(PathBuf::as_path));
        let paths: Vec<PathBuf> = folders.map(|folder| folder.join(wanted)).collect();
        io::first_file(&paths).map_err(|error| error.to_string())
    };
    let options = TextOptions { include: Some(&include), defines: &defines, ..TextOptions::default() };
    let program = match read::read(unit, &mut sources, &name, &bytes, Some(form), &options) {
        Ok(program) => program,
        Err(problems) => {
            session.report_about(&sources, problems);
            return Err(Stop::Reported);
        }
    };
    let size = match &args.size {
        Some(text) => {
            let file = session.sources.add("--size", text);
            Some(facade_render::size(session.sources.get(file))?)
        }
        None => None,
    };
    if let Some(path) = &args.save_scene {
        save(path, &program, &name, size)?;
        if args.output.is_none() {
            return Ok(None);
        }
    }
    let own = file_name(&name);
    let (text, note) = facade_render::starter(&program, &own, size);
    if args.save_scene.is_none() {
        session.report(vec![note]);
    }
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
    parameters::check_scene(scene.gpu, session)?;
    Ok(Some(scene))
}

fn folder(name: &str) -> &Path {
    Path::new(name).parent().unwrap_or(Path::new(""))
}

fn file_name(name: &str) -> String {
    Path::new(name).file_name().map_or_else(|| name.to_owned(), |name| name.to_string_lossy().into_owned())
}

/// Writes the scene to a file, which must be new. The program has its name as it counts from there.
fn save(path: &Path, program: &gpuzoo::Program, name: &str, size: Option<(u32, u32)>) -> Result<(), Stop> {
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
    write_new(path, &facade_render::starter(program, &named, size).0)
}

/// Writes a file that must not be there yet.
pub fn write_new(path: &Path, text: &str) -> Result<(), Stop> {
    if path.exists() {
        let problem = Diagnostic::error(&EXISTS, format!("`{}` is there already", path.display()));
        return Err(problem.help("give another name, or move it away").into());
    }
    output::write(Some(path), false, text.as_bytes())
}
