//! Any text as a job, and a job with any programs and vertices: a picture or an error.
#![no_main]

use gpuzoo_diag::File;
use gpuzoo_picogpu::Job;
use libfuzzer_sys::fuzz_target;
use std::fmt::Write;

fuzz_target!(|bytes: &[u8]| {
    let Some((kind, bytes)) = bytes.split_first() else { return };
    let text = if kind % 2 == 0 { String::from_utf8_lossy(bytes).into_owned() } else { words(*kind, bytes) };
    let (job, problems) = Job::parse(&File::new("job", &text));
    assert!(job.is_some() || !problems.is_empty());
    if let Some(job) = job.filter(|job| job.width.max(job.height) <= 64 && job.draws.len() < 4) {
        let _ = job.run(None);
    }
});

/// Two triangles with any position, colour and fill rule.
fn words(kind: u8, bytes: &[u8]) -> String {
    let mut data = String::new();
    for index in 0..6 * 7 {
        let word = bytes
            .get(index * 4..index * 4 + 4)
            .map_or(0, |word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
        let _ = write!(data, "{}\"{word:08x}\"", if index == 0 { "" } else { "," });
    }
    let fill = if kind & 2 == 0 { "inclusive" } else { "top-left" };
    format!(
        "{{\"width\":{},\"height\":{},\"depth\":{},\"fill\":\"{fill}\",\"draws\":[{{\
         \"vs\":\"#vertexShader #input r0.xyzw #input r1.xyz #output r0.xyzw #output r1.xyz trap\",\
         \"fs\":\"#fragmentShader #input r0.xyzw #input r1.xyz #output r2.xyzw fadd r2 r1 0.25\",\
         \"vertex_count\":6,\"vertex_data\":[{data}]}}]}}",
        1 + kind / 8,
        1 + kind % 37,
        kind & 4 == 0,
    )
}
