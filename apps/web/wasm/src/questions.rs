//! Questions about programs: words with their fields, costs, the IR, pages, compiled and translated programs.

use crate::files::Files;
use crate::{Answer, text};
use gpuzoo::emit::{Emit, Options, emit};
use gpuzoo::machine::{RunState, TextOptions};
use gpuzoo::{Program, Registry, State, check, explain, registry, translate};
use serde_json::{Value as Json, json};
use std::path::Path;

pub fn answer(registry: &Registry, files: &Files, op: &str, about: &Json) -> Answer {
    let gpu = about["gpu"].as_str();
    let of = || program(registry, files, text(about, "program")?, gpu);
    match op {
        "words" => words(&of()?),
        "check" => Ok(check::figures(&of()?).json()),
        "emit" => {
            let program = of()?;
            let form = Emit::named(program.gpu(), text(about, "form")?).map_err(said)?;
            let options = Options {
                name: "program",
                profile: registry::profile(program.gpu(), about["profile"].as_str()).map_err(said)?,
                optimize: about["optimize"] == true,
            };
            let bytes = emit(&program, form, &options).map_err(said)?;
            Ok(json!({ "text": String::from_utf8_lossy(&bytes) }))
        }
        "explain" => {
            let words: Vec<&str> = text(about, "what")?.split_whitespace().collect();
            let page =
                explain::explain(registry, gpu.and_then(|id| registry.by_id(id)), &words).map_err(said)?;
            Ok(json!({ "text": page.text() }))
        }
        "translate" => {
            let program = of()?;
            let target = translate::target(text(about, "to")?).map_err(said)?;
            let options = translate::Options {
                target,
                shape: program.shape(&state(&program, None)?),
                ..translate::Options::default()
            };
            let made = program.translate(State::new(), &options).map_err(|problems| problems.to_string())?;
            Ok(json!({ "text": String::from_utf8_lossy(&made.bytes()) }))
        }
        _ => Err(format!("there is no operation `{op}`")),
    }
}

fn said(problem: gpuzoo::diag::Diagnostic) -> String {
    problem.message.to_string()
}

/// Reads a program, from assembly text or a shading language.
pub fn program(registry: &Registry, files: &Files, name: &str, gpu: Option<&str>) -> Result<Program, String> {
    let by_name = !registry.by_extension(name).is_empty();
    let unit = registry.shader_unit(gpu.filter(|_| !by_name), name).map_err(said)?;
    let machine = gpuzoo::Machine::new(unit);
    let bytes = files.read(Path::new(name)).map_err(|error| error.to_string())?;
    let include = |wanted: &str| files.include(wanted);
    let options = TextOptions { include: Some(&include), ..TextOptions::default() };
    machine.read(name, &bytes, None, &options).map_err(|problems| problems.to_string())
}

/// Each slot: its line, its words, its fields.
fn words(program: &Program) -> Answer {
    let options =
        Options { name: "", profile: registry::profile(program.gpu(), None).map_err(said)?, optimize: false };
    let listing: Json =
        serde_json::from_slice(&emit(program, Emit::Json, &options).map_err(said)?).unwrap_or_default();
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
        json!({ "line": line, "words": words["words"], "text": words["text"], "fields": fields.collect::<Json>() })
    });
    Ok(json!({ "slots": slots.collect::<Json>() }))
}

/// The state in which a program runs: a profile, and the modes that its text chooses.
pub fn state(program: &Program, profile: Option<&str>) -> Result<RunState<'static>, String> {
    let profile = registry::profile(program.gpu(), profile).map_err(said)?;
    Ok(RunState { profile, modes: program.modes(), ..RunState::default() })
}
