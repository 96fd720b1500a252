//! Checks folders of traces and frames: `cargo run -p gpuzoo-vera --example conform -- FOLDER…`. A frame is a trace with a PNG of
//! the same stem beside it.

#[path = "../tests/common/mod.rs"]
mod common;

use gpuzoo_vera::vectors::{check_frame, check_trace};
use gpuzoo_vera::{Profile, Vera};
use std::path::Path;

fn main() {
    let profile = std::env::var("PROFILE").ok().and_then(|name| Profile::find(&name)).unwrap_or_default();
    let set = profile.deviations();
    let mut totals = [0; 7];
    for folder in std::env::args().skip(1) {
        let folder = Path::new(&folder);
        for path in common::files(folder, "trace") {
            let text = std::fs::read_to_string(&path).expect("a trace");
            let trace = common::trace(&text);
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let picture = path.with_extension("png");
            let checked = if picture.exists() {
                let isr = common::isr(folder, &name);
                check_frame(&trace, &common::rgba(&picture), isr, set).expect("640 × 480 pixels")
            } else {
                check_trace(&trace, set)
            };
            let mut vera = Vera::new(profile);
            trace.replay(&mut vera, |_, _| {});
            let hidden = if profile == Profile::Rtl { common::check_end(&text, &vera, &name) } else { 0 };
            let good = usize::from(checked.is_same());
            for (total, part) in totals.iter_mut().zip([
                1,
                good,
                checked.operations,
                checked.reads,
                checked.bytes,
                checked.pixels,
                hidden,
            ]) {
                *total += part;
            }
            if good == 0 {
                println!("{name}: {} differences, first {:x?}", checked.count, checked.differences.first());
            }
        }
    }
    let [files, good, operations, reads, bytes, pixels, hidden] = totals;
    println!(
        "{good} of {files} files the same: {operations} operations, {reads} reads, {bytes} bytes, {pixels} pixels, {hidden} hidden values"
    );
}
