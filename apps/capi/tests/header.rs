//! The header is that of the sources.

use std::path::{Path, PathBuf};

/// The sources in the order in which the header has them.
const SOURCES: [&str; 11] = [
    "status",
    "text",
    "options",
    "library",
    "problems",
    "program",
    "kernel",
    "translation",
    "session",
    "vera",
    "x16",
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn generated() -> String {
    let config = cbindgen::Config::from_file(folder().join("cbindgen.toml")).unwrap();
    let mut builder = cbindgen::Builder::new().with_config(config);
    for name in SOURCES.into_iter().chain(["conform"]) {
        builder = builder.with_src(folder().join(format!("src/{name}.rs")));
    }
    let mut text = Vec::new();
    builder.generate().unwrap().write(&mut text);
    String::from_utf8(text).unwrap()
}

#[test]
fn the_header_is_that_of_the_sources() {
    let path = folder().join("include/gpuzoo.h");
    let generated = generated();
    if std::env::var_os("GPUZOO_BLESS").is_some() {
        std::fs::write(&path, &generated).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == generated, "include/gpuzoo.h is not that of the sources: GPUZOO_BLESS=1 writes it");
}

/// No file with exported functions is left out of the header.
#[test]
fn every_exported_function_is_declared() {
    let header = generated();
    let mut count = 0;
    for entry in std::fs::read_dir(folder().join("src")).unwrap() {
        let source = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        for name in source.split("extern \"C\" fn ").skip(1).filter_map(|rest| rest.split('(').next()) {
            // Pointers to functions have no names.
            if !name.is_empty() {
                assert!(header.contains(&format!("{name}(")), "{name}");
                count += 1;
            }
        }
    }
    assert!(count > 60, "{count}");
}
