//! `cargo xtask tidy`: the invariants of the house (docs/architecture.md), checked on the sources.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Crates that may name GPUs: the facade and what is for the developers alone.
const MAY_NAME_GPUS: [&str; 1] = ["crates/gpuzoo"];

/// Crates that may read files and print.
const MAY_DO_IO: [&str; 4] = ["crates/scene", "crates/golden", "apps/", "xtask"];

/// Files of other crates that may read the environment, and only that.
const MAY_READ_ENVIRONMENT: [&str; 1] = ["crates/engine/src/level.rs"];

/// Crates that may hold `unsafe`, each block with its reason.
const MAY_BE_UNSAFE: [&str; 2] = ["crates/engine", "apps/capi"];

/// Dependencies that only these crates may have.
const ONLY_IN: [(&str, &[&str]); 6] = [
    ("naga", &["crates/translate"]),
    ("pyo3", &["apps/py"]),
    ("clap", &["apps/cli"]),
    ("indicatif", &["apps/cli", "xtask"]),
    ("wasm-bindgen", &["apps/web"]),
    ("toml", &["crates/scene", "xtask"]),
];

/// Lines of a source file.
const LONGEST_FILE: usize = 650;

/// Bytes of test data: vectors, pictures, meshes.
const MOST_DATA: u64 = 8 << 20;

/// Prints what is untidy.
pub fn run(_: &[String]) -> ExitCode {
    let problems = problems();
    problems.iter().for_each(|problem| eprintln!("{problem}"));
    println!("tidy: {} problems", problems.len());
    if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A tracked file: its path from the root, and its text if it is one.
struct Tracked {
    path: String,
    text: String,
}

fn problems() -> Vec<String> {
    let root = crate::root();
    let mut files = Vec::new();
    walk(&root, &mut files);
    let sources: Vec<Tracked> = files
        .iter()
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "rs" || extension == "toml" || extension == "md")
        })
        .map(|path| Tracked {
            path: path.strip_prefix(&root).unwrap_or(path).to_string_lossy().replace('\\', "/"),
            text: std::fs::read_to_string(path).unwrap_or_default(),
        })
        .collect();
    let mut problems = Vec::new();
    let gpus = gpus(&sources);
    for file in sources.iter().filter(|file| file.path.ends_with(".rs")) {
        names(file, &gpus, &mut problems);
        unsafety(file, &mut problems);
        input_and_output(file, &mut problems);
        platform_math(file, &mut problems);
        length(file, &mut problems);
    }
    places(&sources, &mut problems);
    dependencies(&sources, &gpus, &mut problems);
    data(&files, &root, &mut problems);
    crate::citations::check(&files, &root, &mut problems);
    test_command(&root, &mut problems);
    problems
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            if !(name == "target" || name == ".git") {
                walk(&path, files);
            }
        } else {
            files.push(path);
        }
    }
}

fn is_in(path: &str, folders: &[&str]) -> bool {
    folders.iter().any(|folder| path.starts_with(folder))
}

/// The code of a file without comments, line by line; texts in quotes stay.
fn code(file: &Tracked) -> impl Iterator<Item = (usize, &str)> {
    let lines = file.text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    // Test modules stand at the end of a file.
    let code =
        lines.take_while(|(_, line)| *line != "#[cfg(test)]").filter(|(_, line)| !line.starts_with("//"));
    code.map(|(number, line)| (number, line.split(" // ").next().unwrap_or(line)))
}

fn is_library_source(file: &Tracked) -> bool {
    file.path.contains("/src/") && (file.path.starts_with("crates/") || file.path.starts_with("gpus/"))
}

/// Every machine: the folders below `gpus` that hold a crate.
fn gpus(sources: &[Tracked]) -> Vec<&str> {
    let crates =
        sources.iter().filter_map(|file| file.path.strip_prefix("gpus/")?.strip_suffix("/Cargo.toml"));
    crates.filter(|folder| !folder.contains('/')).collect()
}

/// No crate under `crates/` but the facade names a GPU, and no GPU names another.
fn names(file: &Tracked, gpus: &[&str], problems: &mut Vec<String>) {
    if !is_library_source(file) || is_in(&file.path, &MAY_NAME_GPUS) {
        return;
    }
    let own = file.path.strip_prefix("gpus/").and_then(|rest| rest.split('/').next()).unwrap_or("");
    for (number, line) in code(file) {
        let lower = line.to_lowercase();
        let words: Vec<&str> = lower.split(|letter: char| !letter.is_ascii_alphanumeric()).collect();
        if let Some(gpu) = gpus.iter().find(|gpu| **gpu != own && words.contains(gpu)) {
            problems.push(format!("{}:{number}: names the GPU {gpu}", file.path));
        }
    }
}

fn unsafety(file: &Tracked, problems: &mut Vec<String>) {
    let is_root = file.path.ends_with("src/lib.rs") || file.path.ends_with("src/main.rs");
    if is_root && !is_in(&file.path, &MAY_BE_UNSAFE) && !file.text.contains("#![forbid(unsafe_code)]") {
        problems.push(format!("{}: lacks #![forbid(unsafe_code)]", file.path));
    }
}

fn input_and_output(file: &Tracked, problems: &mut Vec<String>) {
    if !is_library_source(file) || is_in(&file.path, &MAY_DO_IO) {
        return;
    }
    const IO: [&str; 7] = ["println!", "print!", "eprintln!", "eprint!", "std::fs", "std::net", "std::env::"];
    for (number, line) in code(file) {
        let used = IO.iter().find(|io| line.contains(*io));
        let allowed = |io: &&&str| **io == "std::env::" && is_in(&file.path, &MAY_READ_ENVIRONMENT);
        if let Some(io) = used.filter(|io| !allowed(io)) {
            problems
                .push(format!("{}:{number}: uses {io}; libraries return data and print nothing", file.path));
        }
    }
}

/// The platform's mathematics differs between platforms; bits must not.
fn platform_math(file: &Tracked, problems: &mut Vec<String>) {
    if !is_library_source(file) {
        return;
    }
    const MATH: [&str; 15] = [
        ".sin()",
        ".cos()",
        ".tan()",
        ".asin()",
        ".acos()",
        ".atan()",
        ".atan2(",
        ".exp()",
        ".exp2()",
        ".ln()",
        ".log2()",
        ".powf(",
        ".sin_cos()",
        ".mul_add(",
        ".cbrt()",
    ];
    for (number, line) in code(file) {
        if let Some(call) = MATH.iter().find(|call| line.contains(*call)) {
            problems.push(format!("{}:{number}: calls the platform's {call}", file.path));
        }
    }
}

fn length(file: &Tracked, problems: &mut Vec<String>) {
    let lines = file.text.lines().count();
    if lines > LONGEST_FILE {
        problems.push(format!("{}: has {lines} lines; does it hold two ideas?", file.path));
    }
}

/// Paths of somebody's machine.
fn places(sources: &[Tracked], problems: &mut Vec<String>) {
    let places = ["/home/", "/root/", "/work/", "/tmp/"];
    for file in sources.iter().filter(|file| file.path != "xtask/src/tidy.rs") {
        for (number, line) in file.text.lines().enumerate() {
            if let Some(place) = places.iter().find(|place| line.contains(*place)) {
                problems.push(format!("{}:{}: names a place on one machine: {place}", file.path, number + 1));
            }
        }
    }
}

/// Dependencies run one way, and the heavy ones stay where they belong.
fn dependencies(sources: &[Tracked], gpus: &[&str], problems: &mut Vec<String>) {
    /// The layers, lowest first; a crate may use those of lower layers only.
    const LAYERS: [(&str, u32); 14] = [
        ("gpuzoo-diag", 0),
        ("gpuzoo-raster", 0),
        ("gpuzoo-ir", 1),
        ("gpuzoo-isa", 2),
        ("gpuzoo-engine", 2),
        ("gpuzoo-translate", 2),
        ("gpuzoo-machine", 3),
        ("gpuzoo-compile", 4),
        ("gpuzoo-scene", 6),
        ("gpuzoo-golden", 7),
        ("gpuzoo", 8),
        ("gpuzoo-cli", 9),
        ("xtask", 9),
        ("gpus", 5),
    ];
    let layers: BTreeMap<&str, u32> = LAYERS.into_iter().collect();
    let layer = |name: &str| {
        let is_gpu = name.strip_prefix("gpuzoo-").is_some_and(|id| gpus.contains(&id));
        layers.get(if is_gpu { "gpus" } else { name }).copied()
    };
    let manifests = sources
        .iter()
        .filter(|file| file.path.ends_with("/Cargo.toml") && !file.path.contains("/templates/"));
    for file in manifests {
        let manifest: toml::Table = match file.text.parse() {
            Ok(manifest) => manifest,
            Err(error) => {
                problems.push(format!("{}: {error}", file.path));
                continue;
            }
        };
        let Some(name) =
            manifest.get("package").and_then(|package| package.get("name")).and_then(|name| name.as_str())
        else {
            continue;
        };
        // Fuzz targets are no part of the house: each is a workspace of its own, for a compiler of its own.
        if name.ends_with("-fuzz") && manifest.contains_key("workspace") {
            continue;
        }
        let Some(own) = layer(name) else {
            problems.push(format!("{}: {name} has no layer in xtask/src/tidy.rs", file.path));
            continue;
        };
        let folder = file.path.trim_end_matches("/Cargo.toml");
        let needs = manifest.get("dependencies").and_then(|table| table.as_table());
        for need in needs.into_iter().flat_map(|table| table.keys()) {
            if layer(need).is_some_and(|layer| layer >= own) {
                problems.push(format!("{}: {name} may not depend on {need}", file.path));
            }
            if ONLY_IN.iter().any(|(only, places)| only == need && !places.contains(&folder)) {
                problems.push(format!("{}: {need} does not belong here", file.path));
            }
        }
    }
}

/// Test data stays small enough to clone.
fn data(files: &[PathBuf], root: &Path, problems: &mut Vec<String>) {
    let size = |path: &PathBuf| std::fs::metadata(path).map_or(0, |metadata| metadata.len());
    let text = |path: &PathBuf| {
        let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        ["rs", "toml", "md", "lock"].contains(&extension.as_str())
    };
    let total: u64 = files.iter().filter(|path| !text(path)).map(size).sum();
    if total > MOST_DATA {
        problems.push(format!("{}: {total} bytes of data are more than {MOST_DATA}", root.display()));
    }
}

/// The README's test command is the one that CI runs.
fn test_command(root: &Path, problems: &mut Vec<String>) {
    let read = |name: &str| std::fs::read_to_string(root.join(name)).unwrap_or_default();
    for name in ["README.md", ".ci/run"] {
        if !read(name).contains("cargo xtask test") {
            problems.push(format!("{name}: does not name the test command `cargo xtask test`"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> Tracked {
        Tracked { path: path.to_owned(), text: text.to_owned() }
    }

    /// A machine is one because of its folder; nobody has to tell.
    #[test]
    fn a_new_machine_is_held_to_the_rules() {
        let manifest = |needs| format!("[package]\nname = \"gpuzoo-toy\"\n[dependencies]\n{needs}\n");
        let sources = [
            file("gpus/toy/Cargo.toml", &manifest("gpuzoo-isa.workspace = true")),
            file("gpus/toy/fuzz/Cargo.toml", "[workspace]\n[package]\nname = \"gpuzoo-toy-fuzz\"\n"),
        ];
        assert_eq!(gpus(&sources), ["toy"]);
        let mut problems = Vec::new();
        dependencies(&sources, &["toy"], &mut problems);
        names(&file("gpus/toy/src/lib.rs", "mod toy;"), &["toy"], &mut problems);
        assert_eq!(problems, [""; 0]);
        dependencies(
            &[file("gpus/toy/Cargo.toml", &manifest("gpuzoo.workspace = true"))],
            &["toy"],
            &mut problems,
        );
        names(&file("crates/ir/src/lib.rs", "static TOY: u8 = 1; // of toy"), &["toy"], &mut problems);
        assert_eq!(problems.len(), 2, "{problems:?}");
    }

    #[test]
    fn the_house_is_tidy() {
        let problems = super::problems();
        assert!(problems.is_empty(), "{}", problems.join("\n"));
    }
}
