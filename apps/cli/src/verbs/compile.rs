//! `compile`.

use super::{Runs, refuse, room, runs};
use crate::args::{self, Position};
use crate::io;
use crate::output;
use crate::session::{Session, Stop};
use gpuzoo::ShaderUnit;
use gpuzoo::codes::BAD_ARGUMENT;
use gpuzoo::compile::{Language, Level, Options, compile as compiled};
use gpuzoo::diag::{Diagnostic, json};
use gpuzoo::emit::{Emit, emit};
use gpuzoo::machine::text::{extension, stem};
use gpuzoo::machine::{Profile, TextOptions};
use gpuzoo::read::Form;

/// A source as a program.
pub fn compile(args: &args::Compile, session: &mut Session) -> Result<(), Stop> {
    let gpu = match runs(&args.source, session)? {
        (_, Runs::Units(unit)) => unit,
        (gpu, Runs::Computer(_)) => session.registry.shader_unit(Some(gpu.about().id), "")?,
    };
    let reading = &args.source.reading;
    refuse(
        &[(reading.dialect.is_some(), "--dialect"), (reading.numbering.is_some(), "--numbering")],
        "is for assembly text",
    )?;
    let language = args.program_format.as_deref().map(|name| language(gpu, name)).transpose()?;
    let outputs: Vec<(&str, &str)> = args.map.iter().map(|map| pair(map)).collect::<Result<_, _>>()?;
    let io::Input { name, path, bytes } =
        io::read(args.source.input.as_deref(), reading.stdin_name.as_deref())?;
    room(&bytes, session)?;
    match language.or(Language::of(&name).map(|(language, _)| language)) {
        Some(Language::Wgsl | Language::SpirV) => refuse(
            &[(!args.defines.is_empty(), "--define"), (!args.folders.is_empty(), "--include")],
            "is for GLSL and Cg: WGSL and SPIR-V have no preprocessor",
        )?,
        Some(Language::Glsl) => {
            refuse(&[(!args.folders.is_empty(), "--include")], "is for Cg: GLSL includes no files")?
        }
        Some(Language::Cg) | None => (),
    }
    let defines: Vec<&str> = args.defines.iter().map(String::as_str).collect();
    let folder = io::folder(&path).to_owned();
    let include = |wanted: &str| io::included(&folder, &args.folders, wanted);
    let text = TextOptions {
        entry: reading.entry.as_deref(),
        stage: reading.stage.map(Into::into),
        host_constants: reading.host_constants,
        defines: &defines,
        include: Some(&include),
        ..TextOptions::default()
    };
    let options = Options {
        language,
        text,
        level: [Level::Source, Level::Quick, Level::Usual, Level::Longest][usize::from(args.level.min(3))],
        fast_math: args.fast_math,
        raw_position: args.position == Position::Raw,
        constants_at: args.constants_at,
        outputs: &outputs,
    };
    let program = match compiled(gpu, &mut session.sources, &name, &bytes, &options) {
        Ok(program) => program,
        Err(problems) => {
            session.require(problems)?;
            return Err(Stop::Reported);
        }
    };
    session.require(program.warnings().to_vec())?;
    let file = args.output.as_deref().map(|path| path.to_string_lossy()).unwrap_or_default();
    let form = match args.emit.as_deref() {
        Some(name) => Emit::named(gpu, name)?,
        None if extension(&file).is_empty() => Emit::Asm,
        None => Emit::of_file(gpu, &file)?,
    };
    let name = args.name.clone().unwrap_or_else(|| stem(&name).to_owned());
    let bytes = match form {
        Emit::Asm => program.text(&session.sources).into_bytes(),
        Emit::Json => (json::pretty(&program.json(&session.sources)) + "\n").into_bytes(),
        Emit::Ir => program.shader().function.to_string().into_bytes(),
        _ => emit(
            program.program(),
            form,
            &gpuzoo::emit::Options { name: &name, profile: Profile::default(), optimize: false },
        )?,
    };
    output::write(args.output.as_deref(), form.is_binary(), &bytes)?;
    if args.explain {
        session.remark(&program.explain(&session.sources));
    }
    Ok(())
}

fn language(gpu: &dyn ShaderUnit, name: &str) -> Result<Language, Diagnostic> {
    match Form::named(gpu, name)? {
        Form::Source(language) => Ok(language),
        _ => {
            let names: Vec<&str> = Language::ALL.iter().map(|(own, ..)| *own).collect();
            let problem = Diagnostic::error(&BAD_ARGUMENT, format!("`{name}` is no shading language"));
            Err(problem.help(format!("there are {}", names.join(", "))))
        }
    }
}

fn pair(map: &str) -> Result<(&str, &str), Diagnostic> {
    map.split_once('=').ok_or_else(|| {
        let problem = Diagnostic::error(&BAD_ARGUMENT, format!("`--map {map}` does not say a register"));
        problem.help("write `--map OUTPUT=REGISTER`: `--map 2=oT1`")
    })
}
