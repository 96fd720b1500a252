//! What holds for any bytes: a [`Target`] for each reader of gpuzoo, and for each fast path that has a plain one beside it.
//!
//! A target panics where something is wrong, and else does nothing. The fuzzer (`fuzz/` in the repository, `cargo xtask fuzz`)
//! and a bounded test of this crate, which runs with all others, share them. To add one, write the function, and a line in
//! [`TARGETS`] and in `fuzz/Cargo.toml`.
#![forbid(unsafe_code)]

mod bytes;
mod compilers;
mod data;
mod editor;
mod function;
mod jobs;
mod model;
mod mutate;
mod nested;
mod programs;
mod raster;
mod scenes;
mod software;
mod sound;
mod vera;

pub use mutate::{Mutator, dictionary};

/// A function that takes any bytes, and what the fuzzer needs to know of it.
#[derive(Clone, Copy)]
pub struct Target {
    /// Its name, which is that of its folders below `fuzz/`.
    pub name: &'static str,
    /// Panics if something is wrong with what the bytes lead to.
    pub run: fn(&[u8]),
    /// Files and folders of the repository with inputs to start from.
    pub seeds: &'static [&'static str],
    /// The dictionary below `fuzz/dictionaries`, if it has one.
    pub dictionary: Option<&'static str>,
    /// The longest input, in bytes: long enough that a reader in quadratic time runs into the fuzzer's time limit.
    pub longest: usize,
    /// How many mutated inputs the test runs, by what one costs. All targets together have 100,000.
    pub mutations: usize,
}

/// A text that is read and not drawn.
const TEXT: Target =
    Target { name: "", run: |_| (), seeds: &[], dictionary: None, longest: 1 << 15, mutations: 0 };

/// Bytes that say what to do, a few for each step.
const STEPS: Target = Target { longest: 1 << 12, ..TEXT };

/// All targets.
#[rustfmt::skip]
pub const TARGETS: &[Target] = &[
    Target {
        name: "dreambox_text", run: programs::dreambox_text, dictionary: Some("dreambox"), mutations: 3000,
        seeds: &["gpus/dreambox/tests/ops", "gpus/dreambox/tests/err", "gpus/dreambox/tests/programs"], ..TEXT
    },
    Target {
        name: "nv2a_text", run: programs::nv2a_text, dictionary: Some("nv2a"), mutations: 3500,
        seeds: &["gpus/nv2a/tests/ops", "gpus/nv2a/tests/err", "gpus/nv2a/tests/programs", "gpus/nv2a/tests/texts"], ..TEXT
    },
    Target {
        name: "picogpu_text", run: programs::picogpu_text, dictionary: Some("picogpu"), mutations: 3500,
        seeds: &["gpus/picogpu/tests/ops", "gpus/picogpu/tests/err", "gpus/picogpu/tests/programs"], ..TEXT
    },
    Target {
        name: "servaru_text", run: programs::servaru_text, dictionary: Some("servaru"), mutations: 3500,
        seeds: &["gpus/servaru/tests/ops", "gpus/servaru/tests/err", "gpus/servaru/tests/programs"], ..TEXT
    },
    Target { name: "nv2a_log", run: programs::nv2a_log, dictionary: Some("log"), mutations: 1500, seeds: &["fuzz/seeds/nv2a_log"], ..TEXT },
    Target { name: "dreambox_words", run: programs::dreambox_words, mutations: 2000, seeds: &["fuzz/seeds/dreambox_words"], ..STEPS },
    Target { name: "nv2a_words", run: programs::nv2a_words, mutations: 2500, seeds: &["fuzz/seeds/nv2a_words"], ..STEPS },
    Target { name: "picogpu_words", run: programs::picogpu_words, mutations: 2500, seeds: &["fuzz/seeds/picogpu_words"], ..STEPS },
    Target { name: "servaru_words", run: programs::servaru_words, mutations: 2000, seeds: &["fuzz/seeds/servaru_words"], ..STEPS },
    Target {
        name: "wgsl_source", run: compilers::wgsl, dictionary: Some("wgsl"), mutations: 400,
        seeds: &["examples/compile/lit.wgsl", "fuzz/seeds/wgsl_source"], ..TEXT
    },
    Target { name: "glsl_source", run: compilers::glsl, dictionary: Some("glsl"), mutations: 400, seeds: &["examples/compile/lit.vert", "examples/compile/lit.frag"], ..TEXT },
    Target { name: "cg_source", run: compilers::cg, dictionary: Some("cg"), mutations: 400, seeds: &["examples/compile/lit.vs.cg"], ..TEXT },
    Target { name: "spirv_source", run: compilers::spirv, mutations: 400, seeds: &["fuzz/seeds/spirv_source"], ..STEPS },
    Target { name: "nested", run: nested::nested, mutations: 400, seeds: &["fuzz/seeds/nested"], ..STEPS },
    Target { name: "random_source", run: compilers::random, mutations: 400, seeds: &["fuzz/seeds/random_source"], ..STEPS },
    Target { name: "packed", run: compilers::packed, mutations: 400, seeds: &["fuzz/seeds/packed"], ..STEPS },
    Target { name: "translated", run: compilers::translated, mutations: 600, seeds: &["fuzz/seeds/translated"], ..STEPS },
    Target { name: "word_lists", run: programs::word_lists, dictionary: Some("json"), mutations: 2500, seeds: &["fuzz/seeds/word_lists"], ..TEXT },
    Target {
        name: "vera_text", run: software::text, dictionary: Some("asm65"), mutations: 3000,
        seeds: &["crates/asm65/tests/asm", "crates/x16/tests/x16", "examples/vera"], ..TEXT
    },
    Target { name: "vera_prg", run: software::prg, mutations: 1500, seeds: &["fuzz/seeds/vera_prg", "crates/x16/tests/x16"], ..STEPS },
    Target { name: "vera_bytes", run: software::bytes, mutations: 2500, seeds: &["fuzz/seeds/vera_bytes"], ..STEPS },
    Target { name: "vera_trace", run: software::trace, dictionary: Some("trace"), mutations: 2500, seeds: &["gpus/vera/tests/vectors/traces"], ..TEXT },
    Target {
        name: "vera_symbols", run: software::symbols, dictionary: Some("symbols"), mutations: 2000,
        seeds: &["crates/x16/tests/cc65/demo.dbg", "crates/x16/tests/cc65/demo.lbl"], ..TEXT
    },
    Target {
        name: "vera_object", run: software::object, mutations: 1000,
        seeds: &["crates/asm65/tests/asm/objects/plain/lib.o", "crates/asm65/tests/asm/objects/whole/lib.o"], ..STEPS
    },
    Target { name: "vera_config", run: software::config, dictionary: Some("config"), mutations: 1000, seeds: &["fuzz/seeds/vera_config"], ..TEXT },
    Target { name: "vera_input", run: software::input, dictionary: Some("input"), mutations: 1500, seeds: &["fuzz/seeds/vera_input"], ..TEXT },
    Target { name: "vera_disk", run: software::disk, mutations: 1500, seeds: &["fuzz/seeds/vera_disk"], ..STEPS },
    Target { name: "vera_model", run: vera::model, mutations: 2600, seeds: &["fuzz/seeds/vera_model"], ..STEPS },
    Target {
        name: "layout", run: editor::layout, dictionary: Some("asm65"), mutations: 1500,
        seeds: &[
            "examples", "gpus/dreambox/tests/programs", "gpus/nv2a/tests/texts", "gpus/picogpu/tests/programs", "gpus/servaru/tests/programs",
        ], ..TEXT
    },
    Target {
        name: "language_server", run: editor::server, dictionary: Some("scene"), mutations: 500,
        seeds: &["examples", "gpus/nv2a/tests/texts"], ..TEXT
    },
    Target {
        name: "scene", run: scenes::scene, dictionary: Some("scene"), mutations: 2500,
        seeds: &["examples/dreambox", "examples/nv2a", "examples/picogpu", "examples/servaru"], ..TEXT
    },
    Target { name: "expression", run: scenes::expression, dictionary: Some("expression"), mutations: 2500, seeds: &["fuzz/seeds/expression"], ..TEXT },
    Target { name: "obj", run: scenes::obj, dictionary: Some("obj"), mutations: 2500, seeds: &["fuzz/seeds/obj"], ..TEXT },
    Target { name: "gltf", run: scenes::gltf, dictionary: Some("gltf"), mutations: 2500, seeds: &["fuzz/seeds/gltf"], ..TEXT },
    Target { name: "glb", run: scenes::glb, dictionary: Some("gltf"), mutations: 3000, seeds: &["fuzz/seeds/glb"], ..TEXT },
    Target { name: "picture", run: scenes::picture, mutations: 2000, seeds: &["fuzz/seeds/picture", "crates/scene/tests/pictures"], ..TEXT },
    Target { name: "csv", run: data::csv, dictionary: Some("csv"), mutations: 2500, seeds: &["fuzz/seeds/csv", "examples/nv2a/launch.csv"], ..TEXT },
    Target { name: "json", run: data::json, dictionary: Some("json"), mutations: 2500, seeds: &["fuzz/seeds/json", "examples/dreambox/matrix.json"], ..TEXT },
    Target { name: "raw", run: data::raw, dictionary: Some("raw"), mutations: 2500, seeds: &["fuzz/seeds/raw"], ..STEPS },
    Target { name: "npy", run: data::npy, dictionary: Some("npy"), mutations: 2000, seeds: &["fuzz/seeds/npy"], ..STEPS },
    Target { name: "arguments", run: data::arguments, dictionary: Some("arguments"), mutations: 2500, seeds: &["fuzz/seeds/arguments"], ..TEXT },
    Target { name: "explain", run: data::explain, dictionary: Some("arguments"), mutations: 500, seeds: &["fuzz/seeds/explain"], ..TEXT },
    Target { name: "vectors", run: data::vectors, dictionary: Some("vectors"), mutations: 2500, seeds: &["fuzz/seeds/vectors"], ..TEXT },
    Target { name: "project", run: data::project, dictionary: Some("project"), mutations: 1000, seeds: &["fuzz/seeds/project"], ..TEXT },
    Target { name: "session", run: data::session, dictionary: Some("session"), mutations: 1500, seeds: &["fuzz/seeds/session"], ..TEXT },
    Target { name: "messages", run: sound::messages, mutations: 2000, seeds: &["fuzz/seeds/messages"], ..STEPS },
    Target { name: "picogpu_job", run: jobs::text, dictionary: Some("job"), mutations: 1500, seeds: &["gpus/picogpu/tests/vectors/scene_public_1.json"], ..TEXT },
    Target { name: "picogpu_draw", run: jobs::draw, mutations: 1500, seeds: &["fuzz/seeds/picogpu_draw"], ..STEPS },
    Target { name: "picogpu_unit", run: jobs::unit, mutations: 3000, seeds: &["fuzz/seeds/picogpu_unit"], ..STEPS },
    Target { name: "ir_text", run: function::text, dictionary: Some("ir"), mutations: 2500, seeds: &["fuzz/seeds/ir_text"], ..TEXT },
    Target { name: "optimizer", run: function::optimizer, mutations: 2500, seeds: &["fuzz/seeds/optimizer"], ..STEPS },
    Target { name: "engine", run: function::engine, mutations: 2000, seeds: &["fuzz/seeds/engine"], ..STEPS },
    Target { name: "raster", run: raster::fast_paths, mutations: 1500, seeds: &["fuzz/seeds/raster"], ..STEPS },
];

/// The target of a name. A program of the fuzzer looks its own up when it is compiled, so that the others are not part of it.
pub const fn target(name: &str) -> Option<&'static Target> {
    let mut at = 0;
    while at < TARGETS.len() {
        if same(TARGETS[at].name.as_bytes(), name.as_bytes()) {
            return Some(&TARGETS[at]);
        }
        at += 1;
    }
    None
}

const fn same(mut one: &[u8], mut other: &[u8]) -> bool {
    while let ([a, after_one @ ..], [b, after_other @ ..]) = (one, other) {
        if *a != *b {
            return false;
        }
        (one, other) = (after_one, after_other);
    }
    one.is_empty() && other.is_empty()
}
