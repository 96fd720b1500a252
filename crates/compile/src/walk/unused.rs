//! Warnings of what a source declares and does not use.

use super::codes;
use crate::shader::Shader;
use gpuzoo_diag::{Diagnostic, Span};
use gpuzoo_ir::Inst;
use gpuzoo_machine::target::conventions::Port;
use naga::Module;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// The most warnings of inputs, and of outputs, one by one.
const MOST_WARNINGS: usize = 16;

/// The first of some warnings that are alike, with one for the others.
pub(super) fn first_of(mut warnings: Vec<Diagnostic>, message: impl Fn(usize) -> String) -> Vec<Diagnostic> {
    let others = warnings.len().saturating_sub(MOST_WARNINGS);
    if others > 1 {
        warnings.truncate(MOST_WARNINGS + 1);
        if let Some(last) = warnings.last_mut() {
            last.message = message(others);
        }
    }
    warnings
}

/// Warnings of what is declared and not read: one for each input, and one for all such members of a struct or block.
pub(super) fn unused(module: &Module, shader: &Shader) -> Vec<Diagnostic> {
    let mut inputs: HashSet<u16> = HashSet::default();
    let mut read: Vec<bool> = vec![false; usize::from(shader.uniform_registers())];
    for inst in &shader.function.insts {
        match inst {
            Inst::Input(number) => drop(inputs.insert(*number)),
            Inst::Uniform(number) => {
                read.get_mut(usize::from(*number)).into_iter().for_each(|read| *read = true)
            }
            Inst::UniformAt { count, base, .. } => {
                let last = usize::from(*count).min(read.len());
                let first = usize::try_from(*base).unwrap_or(0).min(last);
                read[first..last].fill(true);
            }
            _ => {}
        }
    }
    let mut problems = Vec::new();
    for (number, input) in (0u16..).zip(&shader.inputs) {
        // A struct for both stages has a position.
        if input.port != Port::Position && !inputs.contains(&number) {
            problems.extend(unread("input", &[(input.name.clone(), input.span)]));
        }
    }
    let mut problems = first_of(problems, |others| format!("nothing is computed from {others} more inputs"));
    // Elements of an array count as one, whatever their numbers.
    let mut uniforms: Vec<(String, bool, Span)> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::default();
    for uniform in &shader.uniforms {
        let range = usize::from(uniform.first)..usize::from(uniform.first + uniform.count);
        let is_read = read.get(range).is_some_and(|range| range.contains(&true));
        let name = without_numbers(&uniform.name);
        let at = *known.entry(name.clone()).or_insert(uniforms.len());
        match uniforms.get_mut(at) {
            Some((_, any, _)) => *any |= is_read,
            None => uniforms.push((name, is_read, uniform.span)),
        }
    }
    let globals: HashSet<&str> =
        module.global_variables.iter().filter_map(|(_, global)| global.name.as_deref()).collect();
    let mut blocks: Vec<Vec<(String, Span)>> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::default();
    for (name, _, span) in uniforms.into_iter().filter(|(_, is_read, _)| !is_read) {
        let block = match name.rsplit_once('.') {
            Some((block, _)) => block,
            None if globals.contains(name.as_str()) => &name,
            // A block without a name.
            None => "",
        };
        let at = *places.entry(block.to_owned()).or_insert(blocks.len());
        match blocks.get_mut(at) {
            Some(block) => block.push((name, span)),
            None => blocks.push(vec![(name, span)]),
        }
    }
    problems.extend(blocks.iter().filter_map(|block| unread("uniform", block)));
    problems
}

/// A uniform's name for all elements of its arrays: `lights[i].color`.
fn without_numbers(name: &str) -> String {
    let mut parts = name.split('[');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |whole, part| whole + "[i]" + part.split_once(']').map_or("", |(_, rest)| rest))
}

/// The most names, and places, of one warning.
const MOST_NAMES: usize = 4;

/// The warning of what is not read, if there is anything.
pub(super) fn unread(what: &str, all: &[(String, Span)]) -> Option<Diagnostic> {
    let (_, first) = all.first()?;
    let names: Vec<String> = all.iter().take(MOST_NAMES).map(|(name, _)| format!("`{name}`")).collect();
    let names = match (all.len().saturating_sub(MOST_NAMES), names.split_last()) {
        (0, Some((last, [_, ..]))) => format!("{} and {last}", names[..names.len() - 1].join(", ")),
        (0, _) => names.join(""),
        (more, _) => format!("{} and {more} more", names.join(", ")),
    };
    let plural = if all.len() > 1 { "s" } else { "" };
    let message = format!("nothing is computed from the {what}{plural} {names}");
    let problem = Diagnostic::warning(&codes::UNUSED, message).at(*first);
    let others = all.iter().take(MOST_NAMES).skip(1).filter(|(_, span)| span != first);
    let problem = others.fold(problem, |problem, (_, span)| problem.label(*span, "nor from this"));
    let this = if all.len() > 1 { "them" } else { "it" };
    Some(match what {
        "uniform" => problem.help(format!("leave {this} out, or compute something from {this}")),
        _ => problem.help("leave it out"),
    })
}
