//! Questions about programs: words with their fields, costs, the IR, pages, translated programs.

use crate::files::Files;
use crate::memory::Bytes;
use crate::objects::{Objects, closed, number};
use crate::request::{Answer, Problem, Reply, Request};
use crate::{picture, runs};
use gpuzoo::diag::{Diagnostics, Span, json};
use gpuzoo::emit::{Emit, Options, emit};
use gpuzoo::options::{DisassembleOptions, ReadOptions, StateOptions, TranslateOptions};
use gpuzoo::{Program, Registry, check, explain, registry, translate};
use serde_json::{Value as Json, json};
use std::collections::HashMap;
use std::path::Path;

/// Answers a question; nothing for an operation that is none.
pub fn answer(
    registry: &Registry,
    files: &Files,
    objects: &mut Objects,
    op: &str,
    request: Request,
) -> Option<Answer> {
    Some(match op {
        "machines" => Ok(machines(registry).into()),
        "hot" => hot(registry, files, request),
        "explain" => explained(registry, request),
        "words" | "check" | "emit" | "disassemble" | "translate" | "rows" | "optimize" => {
            of_program(registry, files, objects, op, request)
        }
        _ => return None,
    })
}

/// Answers a question about a program that was opened, or about one in a file, which `options` say how to read.
fn of_program(
    registry: &Registry,
    files: &Files,
    objects: &mut Objects,
    op: &str,
    request: Request,
) -> Answer {
    let mut options = request.options()?;
    // The question's come first: a dialect is that of the text that is written.
    let disassemble: DisassembleOptions = match op {
        "disassemble" => options.take()?,
        _ => DisassembleOptions::default(),
    };
    let translate: TranslateOptions = match op {
        "translate" => options.take()?,
        _ => TranslateOptions::default(),
    };
    let state: StateOptions = match op {
        "translate" | "rows" => options.take()?,
        _ => StateOptions::default(),
    };
    let program = match request.about["id"].is_null() {
        true => {
            let read = options.take()?;
            options.finish()?;
            program(registry, files, request.text("program")?, request.maybe("gpu"), &read)?
        }
        false => {
            options.finish()?;
            objects.program(number(request)?).ok_or_else(closed)?.program.clone()
        }
    };
    match op {
        "words" => words(&program),
        "check" => Ok(checked(&program).into()),
        "emit" => emitted(&program, request),
        "disassemble" => Ok(json!({ "text": program.disassemble(&disassemble.text())?.0 }).into()),
        "translate" => translated(&program, &state, &translate),
        "rows" => runs::rows(&program, &state, request),
        _ => runs::optimize(objects, &program),
    }
}

/// A page of the reference.
fn explained(registry: &Registry, request: Request) -> Answer {
    let words: Vec<&str> = request.text("what")?.split_whitespace().collect();
    let gpu = request.maybe("gpu").and_then(|id| registry.by_id(id));
    let page = explain::explain(registry, gpu, &words)?;
    Ok(json!({ "text": page.text() }).into())
}

/// What there is: of each machine its names, profiles and views.
fn machines(registry: &Registry) -> Json {
    let about = registry.gpus().iter().map(|gpu| {
        let about = gpu.about();
        json!({
            "id": about.id,
            "name": about.name,
            "summary": about.summary,
            "extensions": about.extensions,
            "profiles": about.profiles.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
            "isComputer": gpu.shader_unit().is_none(),
        })
    });
    about.collect()
}

/// Figures, and what is suspicious.
fn checked(program: &Program) -> Json {
    let problems: Vec<_> = program.warnings().iter().cloned().chain(program.check()).collect();
    let list = serde_json::to_value(json::problems(program.sources(), &problems)).unwrap_or_default();
    let figures = check::figures(program);
    let text = Diagnostics::new(problems, program.sources().clone()).to_string();
    json!({
        "figures": figures,
        "diagnostics": list,
        "text": format!("{}{}{text}", figures.text(), if text.is_empty() { "" } else { "\n" }),
    })
}

/// A program in one of its forms: as text, and as bytes.
fn emitted(program: &Program, request: Request) -> Answer {
    let form = Emit::named(program.gpu(), request.text("form")?)?;
    let options = Options {
        name: request.maybe("name").unwrap_or("program"),
        profile: registry::profile(program.gpu(), request.maybe("profile"))?,
    };
    let bytes = emit(program, form, &options)?;
    let text = if form.is_binary() { Json::Null } else { String::from_utf8_lossy(&bytes).into() };
    Ok(Reply { value: json!({ "text": text }), bytes: Bytes::Raw(bytes) })
}

/// A shader of the host: as text, as bytes, and what it needs.
fn translated(program: &Program, state: &StateOptions, options: &TranslateOptions) -> Answer {
    let made = program.translate(state.state(), options)?;
    let value = json!({
        "text": made.text(),
        "reflection": made.reflection(),
        "explanation": translate::explain(&made),
        "shape": made.shape().name(),
    });
    Ok(Reply { value, bytes: Bytes::Raw(made.bytes()) })
}

/// Reads a program, from assembly text or a shading language.
pub fn program(
    registry: &Registry,
    files: &Files,
    name: &str,
    gpu: Option<&str>,
    options: &ReadOptions,
) -> Result<Program, Problem> {
    let by_name = !registry.by_extension(name).is_empty();
    let unit = registry.shader_unit(gpu.filter(|_| !by_name), name)?;
    let machine = gpuzoo::Machine::new(unit);
    let bytes = files.read(Path::new(name)).map_err(|error| error.to_string())?;
    let include = |wanted: &str| files.include(wanted);
    Ok(machine.read(name, &bytes, options, Some(&include))?)
}

/// How many frames of a program of a CPU are counted, if nobody says.
const FRAMES: u64 = 60;

/// Where the cycles of a program of a CPU go, and its lines.
fn hot(registry: &Registry, files: &Files, request: Request) -> Answer {
    let (software, arguments) =
        picture::software(registry, files, request.text("program")?, request.maybe("profile"))?;
    let frames = request.number::<u32>("frames")?.map_or(FRAMES, u64::from);
    let mut hot = software.run(&arguments.set("frames", frames).with("hot"))?.json["hot"].take();
    let placed: HashMap<u16, Span> =
        software.placed().into_iter().map(|placed| (placed.address, placed.span)).collect();
    let place = |address: u16| {
        let span = placed.get(&address)?;
        let file = software.sources().find(span.file)?;
        Some((file.name().to_owned(), file.place(span.start).line))
    };
    for kind in ["routines", "instructions"] {
        for one in hot[kind].as_array_mut().into_iter().flatten() {
            let address = one["address"].as_u64().and_then(|address| u16::try_from(address).ok());
            if let Some((file, line)) = address.and_then(place) {
                (one["file"], one["line"]) = (file.into(), line.into());
            }
        }
    }
    Ok(hot.into())
}

/// Each slot: its line, its words, its fields, the instruction of each of its halves, and how long it takes.
fn words(program: &Program) -> Answer {
    let options = Options { name: "", profile: registry::profile(program.gpu(), None)? };
    let listing: Json = serde_json::from_slice(&emit(program, Emit::Json, &options)?).unwrap_or_default();
    let listing = listing["slots"].as_array().cloned().unwrap_or_default();
    let sources = program.sources();
    let slots = program.code().slots.iter().zip(&listing).map(|(slot, words)| {
        let file = sources.find(slot.span.file).filter(|file| !file.is_binary());
        let line = file.map(|file| file.place(slot.span.start).line);
        let fields = program.isa().explain(&slot.bits).into_iter().map(|value| {
            json!({
                "name": value.field.name, "bits": value.field.range(), "low": value.field.lo, "width": value.field.width,
                "value": value.value, "meaning": value.meaning,
            })
        });
        let halves = [&slot.inst, &slot.paired].into_iter().take(program.isa().halves.len());
        json!({
            "line": line, "words": words["words"], "text": words["text"], "fields": fields.collect::<Json>(),
            "ops": halves.map(|inst| inst.as_ref().map(|inst| inst.op.name)).collect::<Json>(),
            "cycles": program.gpu().cycles(slot),
        })
    });
    let halves = program.isa().halves.iter().map(|half| half.opcode.name);
    Ok(json!({ "halves": halves.collect::<Json>(), "slots": slots.collect::<Json>() }).into())
}
