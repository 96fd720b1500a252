//! The golden files of all machines, again and again: on many lines and on one.

use super::{Case, Found};
use gpuzoo::read::Form;
use gpuzoo::{Computer, GPUS, Machine, ShaderUnit, shader_units};
use gpuzoo_diag::Diagnostics;
use std::fs;
use std::path::{Path, PathBuf};

/// A text of so many problems.
type Text = Box<dyn Fn(usize) -> String + Sync>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files of a folder `err`, with their codes and texts.
fn files(folder: &str) -> Vec<(String, String, String)> {
    let entries = fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = entries.collect();
    paths.sort();
    let read = |path: PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let code = name.split('_').next().unwrap().to_owned();
        (name, code, fs::read_to_string(path).unwrap())
    };
    paths.into_iter().map(read).collect()
}

fn found(error: Diagnostics) -> Found {
    ((*error.sources).clone(), error.list)
}

/// A program of a shader unit, and if it is one, what is suspicious about it.
fn unit(unit: &'static dyn ShaderUnit, bytes: &[u8], form: Form) -> Found {
    match Machine::new(unit).read("p", bytes, &form.into(), None) {
        Ok(program) => {
            let problems = program.warnings().iter().cloned().chain(program.check()).collect();
            ((**program.sources()).clone(), problems)
        }
        Err(error) => found(error),
    }
}

pub fn computer() -> Computer {
    GPUS.iter().find_map(|gpu| Computer::of(*gpu).ok()).unwrap()
}

pub fn software(text: &str) -> Found {
    match computer().assemble("p.s", text) {
        Ok(software) => ((**software.sources()).clone(), software.warnings().to_vec()),
        Err(error) => found(error),
    }
}

/// The lines of a golden file without its comments.
fn code(text: &str) -> Vec<&str> {
    let leader = text.split_once("test:").map_or(";", |(leader, _)| leader.trim());
    text.lines().filter(|line| !line.trim_start().starts_with(leader) && !line.trim().is_empty()).collect()
}

/// The text again and again, or its first lines once and the rest again and again: on many lines, and on one.
fn layouts(text: &str) -> [Vec<Text>; 2] {
    let lines: Vec<String> = code(text).into_iter().map(str::to_owned).collect();
    let heads = || 0..lines.len().min(6);
    let layout = |head: usize, end: &str| -> Text {
        let (first, rest) = lines.split_at(head);
        let first: String = first.iter().map(|line| format!("{line}\n")).collect();
        let rest: String = rest.iter().map(|line| format!("{line}{end}")).collect();
        Box::new(move |times| format!("{first}{}", rest.repeat(times)))
    };
    ["\n", " "].map(|end| heads().map(|head| layout(head, end)).collect())
}

/// Of the layouts that show the code when repeated, the first; if none does, the first.
fn repeated(
    name: &str,
    code: &str,
    text: &str,
    read: impl Fn(&str) -> Found + Sync + Copy + 'static,
) -> Vec<Case> {
    let mut cases = Vec::new();
    for layouts in layouts(text) {
        let shows = |text: &Text| read(&text(2)).1.iter().any(|problem| problem.code.id == code);
        let at = layouts.iter().position(shows).unwrap_or(0);
        let layout = layouts.into_iter().nth(at);
        cases.extend(layout.map(|text| Case::new(name, code, text, read)));
    }
    cases
}

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for gpu in shader_units() {
        let id = gpu.about().id;
        for (name, code, text) in files(&format!("gpus/{id}/tests/err")) {
            if let Some(letters) = letters(&text) {
                let read = move |letters: &str| {
                    let bytes: Vec<u8> = letters.chars().map(|letter| u32::from(letter) as u8).collect();
                    unit(gpu, &bytes, Form::Bin)
                };
                let all = move |times| letters.repeat(times);
                cases.push(Case::new(format!("{id} {name}"), &code, all, read));
                continue;
            }
            let read = move |text: &str| unit(gpu, text.as_bytes(), Form::Asm);
            cases.extend(repeated(&format!("{id} {name}"), &code, &text, read));
        }
    }
    for (name, code, text) in files("crates/asm65/tests/asm/err") {
        cases.extend(repeated(&format!("asm65 {name}"), &code, &text, software));
    }
    cases
}

/// The bytes of a golden file that is a binary, each as the character with its number.
fn letters(text: &str) -> Option<String> {
    let mut lines = text.lines().filter_map(|line| line.split_once("bytes:")).peekable();
    lines.peek()?;
    let bytes = lines.flat_map(|(_, line)| line.split_whitespace()).map(|word| u8::from_str_radix(word, 16));
    Some(bytes.map(|byte| char::from(byte.unwrap())).collect())
}
