//! PicoGpu's raw commands, and the streams of its units.

use crate::bytes::{Bytes, EDGES, choice};
use crate::sound::sound;
use gpuzoo_diag::Sources;
use gpuzoo_picogpu::{DOCUMENT, Job, UNIT, Unit};
use std::fmt::Write;

/// Pixels of a side, and draws, that are carried out.
const MOST_PIXELS: u32 = 64;
const MOST_DRAWS: usize = 4;

/// Any text as a job.
pub(crate) fn text(bytes: &[u8]) {
    run(&String::from_utf8_lossy(choice(bytes).0));
}

fn run(text: &str) {
    let mut sources = Sources::default();
    let file = sources.add("job.json", text);
    let (job, problems) = Job::parse(sources.get(file));
    sound(&sources, &problems);
    assert!(job.is_some() || !problems.is_empty());
    if let Some(job) =
        job.filter(|job| job.width.max(job.height) <= MOST_PIXELS && job.draws.len() < MOST_DRAWS)
    {
        // What the device refuses is an error, and no panic.
        drop(job.run(None));
    }
}

/// Two triangles with any positions, colours and fill rule.
pub(crate) fn draw(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let (kind, sides) = (bytes.byte(), [bytes.below(32) + 1, bytes.below(32) + 1]);
    let mut data = String::new();
    for index in 0..6 * 7 {
        // Small coordinates are what draws something.
        let word = if bytes.bool() { bytes.word_near(&EDGES) } else { (bytes.unit() * 2.0).to_bits() };
        let _ = write!(data, "{}\"{word:08x}\"", if index == 0 { "" } else { "," });
    }
    let fill = if kind & 2 == 0 { "inclusive" } else { "top-left" };
    run(&format!(
        "{{\"width\":{},\"height\":{},\"depth\":{},\"fill\":\"{fill}\",\"draws\":[{{\
         \"vs\":\"#vertexShader #input r0.xyzw #input r1.xyz #output r0.xyzw #output r1.xyz trap\",\
         \"fs\":\"#fragmentShader #input r0.xyzw #input r1.xyz #output r2.xyzw fadd r2 r1 0.25\",\
         \"vertex_count\":6,\"vertex_data\":[{data}]}}]}}",
        sides[0],
        sides[1],
        kind & 4 == 0,
    ));
}

/// A stream of any bytes into a shader unit: answers or an error.
pub(crate) fn unit(bytes: &[u8]) {
    for profile in [DOCUMENT, UNIT] {
        let mut unit = Unit::new(profile);
        let answer = unit.stream(bytes);
        let out: u64 = unit.executions().iter().map(|execution| execution.dwords_out).sum();
        match answer {
            Ok(answer) => assert_eq!(answer.len() as u64, out * 4),
            Err(_) => assert!(unit.push(0).is_err()),
        }
    }
}
