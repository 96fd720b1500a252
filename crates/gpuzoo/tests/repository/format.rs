//! Every text of the repository that assembles can be laid out, and means the same then.

use super::texts::texts;
use gpuzoo::Gpu;
use gpuzoo::format::{checked, format};
use gpuzoo::machine::TextOptions;
use std::path::Path;

#[test]
fn texts_of_the_repository_keep_their_words() {
    let mut counts = std::collections::BTreeMap::new();
    for (gpu, path, text) in
        texts(&["gpus", "crates/x16", "examples", "crates/asm65/tests", "crates/gpuzoo/src/bench"])
    {
        if format_of(gpu, &path, &text) {
            *counts.entry(gpu.about().id).or_insert(0) += 1;
        }
    }
    // Those that assemble, of every machine.
    let least = [("dreambox", 20), ("nv2a", 40), ("picogpu", 10), ("servaru", 10), ("vera", 15)];
    for (id, least) in least {
        assert!(counts.get(id).is_some_and(|count| *count >= least), "{id}: {counts:?}");
    }
}

/// False for a text that does not assemble.
fn format_of(gpu: &'static dyn Gpu, path: &Path, text: &str) -> bool {
    let folder = path.parent().unwrap();
    let include = |name: &str| std::fs::read(folder.join(name)).map_err(|error| error.to_string());
    let options = TextOptions { include: Some(&include), ..TextOptions::default() };
    let name = path.display().to_string();
    match checked(gpu, &name, text, &options) {
        Ok(done) => {
            assert_eq!(format(gpu, &done, &options), done, "{name}");
            true
        }
        Err(problems) => {
            assert!(!problems.has(&gpuzoo::codes::FORMAT_CHANGES), "{name}: {problems}");
            false
        }
    }
}
