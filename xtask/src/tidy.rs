//! `cargo xtask tidy`: invariants (docs/architecture.md) that no tool knows, checked on the sources. `clippy.toml` and
//! `deny.toml` have the others.

use crate::sources::{Tracked, code, is_library_source};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Crates that may name GPUs: the facade, and the computer around VERA.
const MAY_NAME_GPUS: [&str; 2] = ["crates/gpuzoo", "crates/x16"];

/// Crates that may hold `unsafe`, each block with its reason.
const MAY_BE_UNSAFE: [&str; 6] =
    ["apps/capi", "apps/python", "apps/web/wasm", "crates/engine", "crates/host", "crates/simd"];

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
        length(file, &mut problems);
    }
    places(&sources, &mut problems);
    dependencies(&sources, &gpus, &mut problems);
    crate::packages::check(&sources, &root, &mut problems);
    crate::circles::check(&sources, &mut problems);
    test_files(&sources, &mut problems);
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
        // What a link leads to is there already.
        if path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            // What git ignores: builds, what the fuzzer found, what npm installs, and what Python's tools keep.
            let is_ignored = ["target", ".git", "corpus", "artifacts", "node_modules", "dist"]
                .contains(&&*name)
                || name.ends_with("cache")
                || name == "__pycache__";
            if !is_ignored {
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

/// Every machine: the folders below `gpus` that hold a crate.
fn gpus(sources: &[Tracked]) -> Vec<&str> {
    let crates =
        sources.iter().filter_map(|file| file.path.strip_prefix("gpus/")?.strip_suffix("/Cargo.toml"));
    crates.filter(|folder| !folder.contains('/')).collect()
}

/// No crate under `crates/` but the facade and `x16` names a GPU, and no GPU names another.
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

fn length(file: &Tracked, problems: &mut Vec<String>) {
    let lines = file.text.lines().count();
    if lines > LONGEST_FILE {
        problems.push(format!("{}: has {lines} lines; does it hold two ideas?", file.path));
    }
}

/// Paths on a developer's machine.
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

/// Dependencies among our crates run one way. (`deny.toml` has those on others.)
fn dependencies(sources: &[Tracked], gpus: &[&str], problems: &mut Vec<String>) {
    /// The layers, lowest first; a crate may use those of lower layers only.
    const LAYERS: [(&str, u32); 34] = [
        ("gpuzoo-diag", 0),
        ("gpuzoo-host", 0),
        ("gpuzoo-simd", 0),
        ("gpuzoo-skipped", 0),
        ("gpuzoo-stored", 0),
        ("gpuzoo-65c02", 1),
        ("gpuzoo-asm65", 2),
        ("gpuzoo-ir", 1),
        ("gpuzoo-raster", 1),
        ("gpuzoo-isa", 2),
        ("gpuzoo-engine", 3),
        ("gpuzoo-machine", 4),
        ("gpuzoo-report", 1),
        ("gpuzoo-debug", 5),
        ("gpuzoo-compile", 5),
        ("gpuzoo-translate", 5),
        ("gpuzoo-scene", 6),
        ("gpuzoo-x16", 6),
        ("gpuzoo-golden", 7),
        ("gpuzoo", 8),
        ("gpuzoo-bench", 9),
        ("gpuzoo-capi", 9),
        ("gpuzoo-editor", 9),
        ("gpuzoo-python", 9),
        ("gpuzoo-tui", 9),
        ("gpuzoo-cli", 10),
        ("gpuzoo-dev", 11),
        ("gpuzoo-fuzz-targets", 10),
        ("gpuzoo-wasm", 10),
        ("gpuzoo-host-shader", 11),
        ("gpuzoo-own-machine", 11),
        ("gpuzoo-template", 5),
        ("xtask", 9),
        ("gpus", 5),
    ];
    let layers: BTreeMap<&str, u32> = LAYERS.into_iter().collect();
    let layer = |name: &str| {
        let is_gpu = name.strip_prefix("gpuzoo-").is_some_and(|id| gpus.contains(&id));
        layers.get(if is_gpu { "gpus" } else { name }).copied()
    };
    let manifests = sources.iter().filter(|file| file.path.ends_with("/Cargo.toml"));
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
        // Fuzz targets are workspaces of their own, for a compiler of their own.
        if name.ends_with("-fuzz") && manifest.contains_key("workspace") {
            continue;
        }
        let Some(own) = layer(name) else {
            problems.push(format!("{}: {name} has no layer in xtask/src/tidy.rs", file.path));
            continue;
        };
        let needs = manifest.get("dependencies").and_then(|table| table.as_table());
        for need in needs.into_iter().flat_map(|table| table.keys()) {
            if layer(need).is_some_and(|layer| layer >= own) {
                problems.push(format!("{}: {name} may not depend on {need}", file.path));
            }
        }
    }
}

/// Where the tests of a crate are the modules of one program, a file that is not a module would never run.
fn test_files(sources: &[Tracked], problems: &mut Vec<String>) {
    for main in sources.iter().filter(|file| file.path.ends_with("/main.rs") && file.path.contains("/tests/"))
    {
        let folder = main.path.trim_end_matches("main.rs");
        let manifest = format!("{}Cargo.toml", &folder[..folder.find("tests/").unwrap_or(0)]);
        let manifest = sources.iter().find(|file| file.path == manifest).map_or("", |file| &file.text);
        for file in sources {
            let name = file.path.strip_prefix(folder).and_then(|rest| rest.strip_suffix(".rs"));
            let Some(name) = name.filter(|name| *name != "main" && !name.contains('/')) else { continue };
            let is_module = main.text.lines().any(|line| line == format!("mod {name};"));
            if !is_module && !manifest.contains(&format!("name = \"{name}\"")) {
                problems.push(format!("{}: is neither a module of main.rs nor a test of its own", file.path));
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

    /// A folder makes a machine; no list has to name it.
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
    fn tests_that_never_run_are_found() {
        let mut problems = Vec::new();
        let main = file("gpus/toy/tests/main.rs", "mod asm;\n");
        let manifest = file("gpus/toy/Cargo.toml", "[[test]]\nname = \"golden\"\n");
        let test = |name| file(&format!("gpus/toy/tests/{name}.rs"), "");
        test_files(&[manifest, main, test("asm"), test("golden"), test("lost")], &mut problems);
        assert_eq!(problems.len(), 1, "{problems:?}");
    }

    #[test]
    fn the_sources_are_tidy() {
        let problems = super::problems();
        assert!(problems.is_empty(), "{}", problems.join("\n"));
    }
}
