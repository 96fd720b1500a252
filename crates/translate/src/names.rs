//! Texts that naga wrote, with the names of the program's own values and resources, and the comments that it drops.

use crate::shader::Shader;
use crate::words::{comment, reworded};
use naga::{Expression, Module};
use std::collections::HashMap;

/// Gives results of calls their names back, which naga's writers drop, puts the text of a slot above the first line that
/// defines one of its values, and what is said of the shader and of functions above these.
pub fn restore(text: &str, module: &Module, function: &str, shader: &Shader, texts: &[String]) -> String {
    let results = results(module, function);
    let slots = &shader.body.slots;
    let comments = comments(&shader.wgsl);
    let mut title = shader.wgsl.lines().next().filter(|line| line.starts_with("//"));
    let mut out = String::with_capacity(text.len() * 2);
    let (mut shown, mut inside) = (None, false);
    for line in text.split_inclusive('\n') {
        // Some drivers want the version before all else.
        if let Some(title) = title.take_if(|_| !line.starts_with("#version")) {
            out.push_str(title);
            out.push('\n');
        }
        if let Some(name) = defined_function(line) {
            inside = name == function;
            // naga puts a line below names that end in a digit.
            if let Some(comment) = comments.get(name).or_else(|| comments.get(name.trim_end_matches('_'))) {
                out.push_str(comment);
            }
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

/// The comments right above functions of a text in WGSL, by name.
fn comments(wgsl: &str) -> HashMap<&str, &str> {
    let mut comments = HashMap::new();
    let (mut start, mut end) = (0, 0);
    for line in wgsl.split_inclusive('\n') {
        let name = line.strip_prefix("fn ").and_then(|rest| rest.split('(').next());
        if let Some(name) = name.filter(|_| start < end) {
            comments.insert(name, &wgsl[start..end]);
        }
        let next = end + line.len();
        if !line.starts_with("//") {
            start = next;
        }
        end = next;
    }
    comments
}

/// The name of the function that a line in one of C's children begins to define.
fn defined_function(line: &str) -> Option<&str> {
    // Only definitions stand at the start of a line; declarations and macros end otherwise.
    let begins = line.starts_with(|letter: char| letter.is_ascii_alphabetic());
    let is_definition = begins && matches!(line.trim_end().chars().next_back(), Some('{' | '(' | ')'));
    let before = line.split('(').next().filter(|_| is_definition && line.contains('('))?;
    before.trim_end().rsplit([' ', '*', '&']).next().filter(|name| !name.is_empty())
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

/// A text without comments in which functions and types that naga adds have names that begin with something, as all others have.
pub fn prefixed(text: &str, prefix: &str, entry: Option<&str>) -> String {
    let declared = |line: &'_ str| {
        let of_type = line.strip_prefix("struct ").and_then(|rest| rest.split([' ', '{']).next());
        of_type.or_else(|| defined_function(line)).map(str::to_owned)
    };
    let names = text.lines().filter_map(declared);
    let names = names.filter(|name| !name.starts_with(prefix) && Some(name.as_str()) != entry);
    let names: HashMap<String, String> =
        names.map(|name| (name.clone(), format!("{prefix}{name}"))).collect();
    reworded(text, |word| names.get(word).map(String::as_str))
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
