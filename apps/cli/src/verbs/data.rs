//! Program, vertices and constants: what `run` and `trace` work on.

use super::{load, refuse, room};
use crate::args::{self, ComponentOrder, VertexFormat};
use crate::io;
use crate::session::{Session, Stop};
use gpuzoo::codes::BAD_ARGUMENT;
use gpuzoo::diag::Diagnostic;
use gpuzoo::ir::Vec4;
use gpuzoo::isa::Reg;
use gpuzoo::machine::text::extension;
use gpuzoo::machine::unit::layout::Layout;
use gpuzoo::machine::unit::run_state::{self, RunState};
use gpuzoo::machine::{Modes, Profile};
use gpuzoo::options::Assignment;
use gpuzoo::read::{self, Form};
use gpuzoo::run::constants::Constants;
use gpuzoo::run::{Names, Pieces, has_all_inputs, npy, raw};
use gpuzoo::{Gpu, Program, ShaderUnit, registry};
use indicatif::{ProgressBar, ProgressDrawTarget};
use std::io::{Cursor, Read};
use std::path::Path;

/// All that a program needs to run, but for the vertices.
pub struct Ready {
    pub program: Program,
    pub profile: Profile,
    pub constants: Constants,
    /// What tables of other tools call its inputs and constants.
    pub names: Names,
    pub modes: Modes,
    /// What outputs hold before the program.
    pub outputs: Vec<(Reg, Vec4)>,
}

impl Ready {
    /// The state of the machine.
    pub fn run_state(&self) -> RunState<'_> {
        RunState { profile: self.profile, modes: self.modes, start: &self.outputs }
    }
}

/// Reads everything but the vertices, and reports what is wrong with it.
pub fn ready(gpu: &'static dyn ShaderUnit, args: &args::Data, session: &mut Session) -> Result<Ready, Stop> {
    let program = args.source.input.as_deref().into_iter();
    let files =
        program.chain(args.vertices.as_deref()).chain(args.constant_files.iter().map(|path| path.as_path()));
    io::one_standard_input(files)?;
    let profile = args.state.profile.as_deref();
    let loaded = load(gpu, &args.source, profile, Form::of_bytes, session)?;
    let profile = registry::profile(gpu, profile)?;
    let outputs = outputs(gpu, args, session)?;
    let program = loaded.checked(session)?;
    let modes = modes(gpu, program.modes(), args, session)?;
    let names = names(&program, args, session)?;
    let constants = constants(&program, &names, args, session)?;
    if args.vertices.is_none() {
        refuse(
            &[(names.has_inputs(), "--rename")],
            "names an attribute, and there are no vertices: name their file",
        )?;
        let given = [
            (args.vertex_format.is_some(), "--vertices-from"),
            (args.layout.is_some(), "--layout"),
            (args.stride.is_some(), "--stride"),
        ];
        refuse(&given, "says how vertices are read, and there are none: name their file")?;
    }
    Ok(Ready { program, profile, constants, names, modes, outputs })
}

/// The constants of a program in another profile: those of a log are left by programs that run before it.
pub fn constants_in(
    gpu: &'static dyn ShaderUnit,
    args: &args::Data,
    (ready, profile): (&Ready, &str),
    session: &mut Session,
) -> Result<Constants, Stop> {
    if ready.program.vertices().is_none() {
        return Ok(ready.constants.clone());
    }
    let path = args.source.input.as_deref();
    refuse(
        &[(path.is_none_or(io::is_standard), "-")],
        "can be read once, and a log is read for each profile: name a file",
    )?;
    match load(gpu, &args.source, Some(profile), Form::of_bytes, session)?.read {
        Ok(program) => constants(&program, &ready.names, args, session),
        Err(problems) => {
            session.require(problems)?;
            Err(Stop::Reported)
        }
    }
}

/// Modes beside those that the program brings.
fn modes(
    gpu: &dyn ShaderUnit,
    mut modes: Modes,
    args: &args::Data,
    session: &mut Session,
) -> Result<Modes, Stop> {
    for Assignment { name, value } in &args.state.modes {
        let text = format!("{name}={value}");
        let file = session.argument("--mode", &text);
        let known = gpu.about().modes;
        let mode = run_state::mode(known, name, value);
        let end = if known.iter().any(|mode| mode.name == name) { text.len() } else { name.len() };
        let (mode, choice) = mode.map_err(|problem| problem.at(session.sources.get(file).span(0..end)))?;
        modes.set(mode, choice);
    }
    Ok(modes)
}

fn outputs(gpu: &dyn ShaderUnit, args: &args::Data, session: &mut Session) -> Result<Vec<(Reg, Vec4)>, Stop> {
    let mut outputs = Vec::new();
    for text in &args.output_starts {
        let file = session.argument("--output-start", text);
        outputs.push(Constants::output(gpu, session.sources.get(file))?);
    }
    Ok(outputs)
}

/// What tables of other tools call inputs and constants.
fn names(program: &Program, args: &args::Data, session: &mut Session) -> Result<Names, Stop> {
    let mut names = Names::default();
    for text in &args.names {
        let file = session.argument("--rename", text);
        names.add(program, session.sources.get(file))?;
    }
    Ok(names)
}

/// The program's own constants, then those beside the vertices, then those of files, then those of arguments.
fn constants(
    program: &Program,
    names: &Names,
    args: &args::Data,
    session: &mut Session,
) -> Result<Constants, Stop> {
    let mut constants = program.constants();
    let may_be_json = args.vertex_format.is_none_or(|format| format == VertexFormat::Json);
    let vertices = args.vertices.as_deref().filter(|path| may_be_json && !io::is_standard(path));
    if let Some(path) = vertices
        && has_all_inputs(&io::open(path)?.head)
    {
        let io::Input { name, bytes, .. } = io::read(vertices, None)?;
        room(&bytes, session)?;
        let file = read::text(&mut session.sources, &name, &bytes)?;
        let mut own = Constants::default();
        own.json(program, session.sources.get(file))?;
        constants.merge(&own);
    }
    for path in &args.constant_files {
        let io::Input { name, bytes, .. } = io::read(Some(path), None)?;
        let mut own = Constants::default();
        if is_raw(&name, &bytes) {
            let file = session.sources.add_binary(&name);
            own.raw(program.isa(), &bytes, session.sources.get(file).whole())?;
        } else {
            room(&bytes, session)?;
            let file = read::text(&mut session.sources, &name, &bytes)?;
            let file = session.sources.get(file);
            if is_json(&name, &bytes) {
                own.json(program, file)?;
            } else {
                let problems = own.csv(program, file, names);
                session.require(problems)?;
            }
        }
        if args.component_order == ComponentOrder::Wzyx {
            own.reverse_components();
        }
        constants.merge(&own);
    }
    if let Some(problem) = names.without_variable(&constants.named) {
        return Err(problem.into());
    }
    for argument in &args.constants {
        let file = session.argument("--const", argument);
        constants.argument(program, session.sources.get(file))?;
    }
    Ok(constants)
}

fn is_json(name: &str, bytes: &[u8]) -> bool {
    match extension(name).to_ascii_lowercase().as_str() {
        "json" | "jsonl" => true,
        "csv" | "tsv" => false,
        _ => bytes.trim_ascii_start().starts_with(b"{") || bytes.trim_ascii_start().starts_with(b"["),
    }
}

/// Bytes of memory rather than text, as the name implies or the bytes look.
fn is_raw(name: &str, bytes: &[u8]) -> bool {
    match extension(name).to_ascii_lowercase().as_str() {
        "json" | "jsonl" | "csv" | "tsv" => false,
        "bin" | "raw" => true,
        // The bytes may be the beginning of a file, which ends anywhere.
        _ => bytes.contains(&0) || std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_some()),
    }
}

/// A mesh has no inputs of a program: a scene says which attribute is which.
fn refuse_mesh(name: &str) -> Result<(), Stop> {
    if !["obj", "gltf", "glb"].contains(&extension(name).to_ascii_lowercase().as_str()) {
        return Ok(());
    }
    let message = format!("`{name}` is a mesh, and vertices are CSV, JSON, raw bytes or an array");
    let problem = Diagnostic::error(&BAD_ARGUMENT, message);
    let problem = problem.help("draw it: a scene's `[mesh.NAME]` takes it as `file`, and `[draw.input]` says which attribute an input is");
    Err(problem
        .help("`gpuzoo trace SCENE --pixel X,Y` then shows what the program does for its vertices")
        .into())
}

/// How vertices are written: as the user says, as a layout or the name implies, or as the bytes look.
fn format_of(args: &args::Data, name: &str, bytes: &[u8]) -> VertexFormat {
    let extension = extension(name).to_ascii_lowercase();
    match (args.vertex_format, extension.as_str()) {
        (Some(format), _) => format,
        (None, "npy") => VertexFormat::Npy,
        (None, _) if args.layout.is_some() || args.stride.is_some() => VertexFormat::Raw,
        (None, "csv" | "tsv") => VertexFormat::Csv,
        (None, "bin" | "raw" | "vb") => VertexFormat::Raw,
        _ if bytes.starts_with(npy::MAGIC) => VertexFormat::Npy,
        _ if is_json(name, bytes) => VertexFormat::Json,
        _ if is_raw(name, bytes) => VertexFormat::Raw,
        _ => VertexFormat::Csv,
    }
}

/// The vertices, piece by piece; `bar` says how far they were read, where their length is known.
pub fn pieces(
    gpu: &'static dyn ShaderUnit,
    args: &args::Data,
    (path, names): (&Path, &Names),
    bar: &ProgressBar,
    session: &mut Session,
) -> Result<Pieces<'static>, Stop> {
    let name = io::name(Some(path), None);
    refuse_mesh(&name)?;
    let io::Opened { head, rest, length } = io::open(path)?;
    match length {
        Some(length) => bar.set_length(length),
        None => bar.set_draw_target(ProgressDrawTarget::hidden()),
    }
    let rest = bar.wrap_read(rest);
    let format = format_of(args, &name, &head);
    let is_mapped = names.has_inputs() && format != VertexFormat::Csv;
    refuse(&[(is_mapped, "--rename")], "names an attribute of a table, and these vertices are none")?;
    let has_more = io::is_standard(path) && format == VertexFormat::Json && has_all_inputs(&head);
    refuse(&[(has_more, "-")], "has constants beside the vertices: name it as a file")?;
    let given = args.layout.as_ref().map(|text| session.argument("--layout", text));
    let given = given.map(|file| session.sources.get(file));
    let given = given.map(|file| Ok::<_, Diagnostic>((raw::layout(gpu, file, args.stride)?, file.whole())));
    let given = given.transpose()?;
    let is_array = format == VertexFormat::Npy;
    refuse(
        &[(is_array && args.stride.is_some(), "--stride")],
        "is for raw vertices; an array says it itself",
    )?;
    let file = session.sources.add_binary(&name);
    let whole = session.sources.get(file).whole();
    let header = if is_array { Some(npy::Header::read(&head, file)?) } else { None };
    let mut head = Cursor::new(head);
    head.set_position(header.map_or(0, |header| header.length as u64));
    let read = head.chain(rest);
    Ok(match (format, header) {
        (VertexFormat::Json, _) => Pieces::json(gpu, &name, read, &session.budget),
        (VertexFormat::Csv, _) => Pieces::csv(gpu, &name, read).named(names),
        (_, Some(header)) => {
            let (layout, span) = given.map_or((None, whole), |(layout, span)| (Some(layout), span));
            Pieces::npy(gpu, header, layout, span, read)?
        }
        (_, None) => {
            let (layout, span) = given.unwrap_or_else(|| {
                let layout = gpu.default_layout();
                (Layout { stride: args.stride.unwrap_or(layout.stride), ..layout }, whole)
            });
            Pieces::raw(gpu, layout, span, read, length)
        }
    })
}

/// Refuses what only programs over vertices take: it would change nothing.
pub fn refuse_data(gpu: &dyn Gpu, args: &args::Data) -> Result<(), Stop> {
    let why = format!("is for programs over vertices; {} has none", gpu.about().id);
    refuse(&[(args.bits, "--bits")], &why)?;
    refuse_given(args, &why)
}

/// Refuses vertices, constants and what says how they are read.
pub fn refuse_given(args: &args::Data, why: &str) -> Result<(), Stop> {
    let given = [
        (args.component_order != ComponentOrder::default(), "--component-order"),
        (args.vertex_format.is_some(), "--vertices-from"),
        (args.layout.is_some(), "--layout"),
        (args.stride.is_some(), "--stride"),
        (!args.constants.is_empty(), "--const"),
        (!args.constant_files.is_empty(), "--constant-file"),
        (!args.names.is_empty(), "--rename"),
        (!args.state.modes.is_empty(), "--mode"),
        (!args.output_starts.is_empty(), "--output-start"),
        (args.emit_inputs.is_some(), "--emit-inputs"),
    ];
    refuse(&given, why)?;
    match &args.vertices {
        None => Ok(()),
        Some(path) => refuse(&[(true, &path.display().to_string())], why),
    }
}
