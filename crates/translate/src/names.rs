//! Texts that naga wrote, with the names of the program's own values and the machine's instructions as comments.

use crate::body::comment;
use naga::{Expression, Module};
use std::collections::HashMap;

/// Gives results of calls their names back, which naga's writers drop, and puts the text of a slot above the first line that
/// defines one of its values.
pub fn restore(
    text: &str,
    module: &Module,
    function: &str,
    slots: &HashMap<String, usize>,
    texts: &[String],
) -> String {
    let results = results(module, function);
    let mut out = String::with_capacity(text.len() * 2);
    let (mut shown, mut inside) = (None, false);
    let call = format!("{function}(");
    for line in text.split_inclusive('\n') {
        // Only definitions stand at the start of a line.
        if line.starts_with(|letter: char| letter.is_ascii_alphabetic()) && line.contains(&call) {
            inside = true;
        }
        if !inside {
            out.push_str(line);
            continue;
        }
        inside = line.trim_end() != "}";
        let line = renamed(line, &results);
        let defined = line.split_once(" = ").and_then(|(before, _)| before.rsplit([' ', '\t']).next());
        if let Some(slot) =
            defined.and_then(|name| slots.get(name)).copied().filter(|slot| Some(*slot) != shown)
        {
            let indent = &line[..line.len() - line.trim_start().len()];
            if let Some(own) = texts.get(slot) {
                out.push_str(&format!("{indent}// {slot}: {}\n", comment(own)));
            }
            shown = Some(slot);
        }
        out.push_str(&line);
    }
    out
}

/// The numbers of calls' results in the program's function, with their names.
fn results<'m>(module: &'m Module, function: &str) -> HashMap<usize, &'m str> {
    let program = module.functions.iter().find(|(_, own)| own.name.as_deref() == Some(function));
    let Some((_, program)) = program else { return HashMap::new() };
    let is_call = |handle| matches!(program.expressions[handle], Expression::CallResult(_));
    let named = program.named_expressions.iter().filter(|(handle, _)| is_call(**handle));
    named.map(|(handle, name)| (handle.index(), name.as_str())).collect()
}

/// A line in which `_e12` has the name of result 12.
fn renamed(line: &str, results: &HashMap<usize, &str>) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find("_e") {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let digits = from[2..].bytes().take_while(u8::is_ascii_digit).count();
        let end = 2 + digits;
        let word = |letter: Option<char>| {
            letter.is_some_and(|letter| letter.is_ascii_alphanumeric() || letter == '_')
        };
        let alone = !word(out.chars().next_back()) && !word(from[end..].chars().next());
        let name = from[2..end].parse().ok().and_then(|number: usize| results.get(&number));
        match name.filter(|_| alone) {
            Some(name) => out.push_str(name),
            None => out.push_str(&from[..end]),
        }
        rest = &from[end..];
    }
    out + rest
}

/// HLSL with a register for each sampler. naga's writer takes them from a heap that only Direct3D 12 has.
pub fn plain_samplers(text: &str, group: u32) -> String {
    let heap = format!(" = nagaSamplerHeap[nagaGroup{group}SamplerIndexArray[");
    let indices = format!("StructuredBuffer<uint> nagaGroup{group}SamplerIndexArray");
    let space = if group == 0 { String::new() } else { format!(", space{group}") };
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let sampler = line.strip_prefix("static const SamplerState ").and_then(|rest| {
            let (name, place) = rest.split_once(&heap)?;
            Some((name, place.split(']').next()?))
        });
        match sampler {
            Some((name, place)) => {
                out.push_str(&format!("SamplerState {name} : register(s{place}{space});\n"))
            }
            None if HEAP.iter().any(|heap| line.starts_with(heap)) || line.starts_with(&indices) => {}
            None => out.push_str(line),
        }
    }
    out
}

/// How the lines begin that declare the heap.
const HEAP: [&str; 2] = ["SamplerState nagaSamplerHeap", "SamplerComparisonState nagaComparisonSamplerHeap"];
