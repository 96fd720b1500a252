//! How long sources take to compile, read and built: `cargo bench -p gpuzoo-bench --bench compile`.
#![allow(clippy::disallowed_macros, reason = "the table is what it is for")]

use gpuzoo_compile::build;
use gpuzoo_compile::front::{Language, Reading, read};
use gpuzoo_compile::options::{CompileOptions, Level, Options};
use gpuzoo_diag::Sources;
use gpuzoo_machine::ShaderUnit;
use std::time::{Duration, Instant};

/// Compilations, of which the median counts.
const TIMES: usize = 21;

/// Sources by name. The last one is for all machines, the others are for the Xbox.
const SOURCES: &[(&str, &str)] = &[
    ("lamps.wgsl", include_str!("sources/lamps.wgsl")),
    ("skin4.wgsl", include_str!("../../compile/tests/paired/twins/skin4.wgsl")),
    ("skin4.cg", include_str!("../../compile/tests/paired/twins/skin4.cg")),
    ("mesh.vert", include_str!("../../compile/tests/paired/twins/mesh.vert")),
    ("lit.wgsl", include_str!("../../../examples/compile/lit.wgsl")),
];

const UNITS: [&dyn ShaderUnit; 3] = [&gpuzoo_nv2a::GPU, &gpuzoo_servaru::GPU, &gpuzoo_dreambox::GPU];

/// What became of a source, and how long that took.
fn compiled(unit: &dyn ShaderUnit, (name, text): (&str, &str), level: Level) -> (Duration, String) {
    let start = Instant::now();
    let mut sources = Sources::default();
    let file = sources.add(name, text);
    let (language, stage) = Language::of(name).unwrap();
    let reading = Reading { stage, ..Reading::of(language) };
    let (shader, _) = read(&mut sources, file, text.as_bytes(), &reading).unwrap();
    let built = build(
        unit,
        &shader,
        &Options { compile: CompileOptions { level, ..CompileOptions::default() }, ..Options::default() },
    );
    let said = match built {
        Ok(built) => format!("{} slots", built.program.slots.len()),
        Err(problems) => problems.first().map_or(String::new(), |problem| problem.code.id.to_owned()),
    };
    (start.elapsed(), said)
}

fn main() {
    println!("median of {TIMES}, ms");
    for unit in UNITS {
        let sources = if unit.about().id == "nv2a" { SOURCES } else { &SOURCES[SOURCES.len() - 1..] };
        for source in sources {
            for (name, level) in [("-O2", Level::Usual), ("-O3", Level::Longest)] {
                // The highest level takes its time once.
                let times = if level == Level::Usual { TIMES } else { 1 };
                let mut all: Vec<(Duration, String)> =
                    (0..times).map(|_| compiled(unit, *source, level)).collect();
                all.sort_unstable();
                let (median, said) = &all[all.len() / 2];
                let median = median.as_secs_f64() * 1e3;
                println!("{:9} {:11} {name} {said:10} {median:9.2}", unit.about().id, source.0);
            }
        }
    }
}
