//! The assembly texts of the repository.

use gpuzoo::kind::Kind;
use gpuzoo::{Gpu, Registry};
use std::path::{Path, PathBuf};

fn files(folder: &Path, all: &mut Vec<PathBuf>) {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() { files(&path, all) } else { all.push(path) }
    }
}

/// The texts below some folders of the repository, in the order of their paths, each with its machine.
pub(super) fn texts(folders: &[&str]) -> Vec<(&'static dyn Gpu, PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut all = Vec::new();
    for folder in folders {
        files(&root.join(folder), &mut all);
    }
    let registry = Registry::default();
    let text = |path: PathBuf| {
        let name = path.display().to_string();
        let [gpu] = registry.by_extension(&name)[..] else { return None };
        let text = std::fs::read_to_string(&path).ok()?;
        (Kind::of_name(&registry, &name) == Some(Kind::Program)).then_some((gpu, path, text))
    };
    all.into_iter().filter_map(text).collect()
}
