//! Every trace and frame in `vectors/`, recorded from the RTL under Verilator, against the `rtl` profile.

use crate::{common, picture};
use gpuzoo_vera::vectors::{check_frame, check_trace, deviations_met};
use gpuzoo_vera::{DEVIATIONS, Deviation, Deviations, Profile, Vera};
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors").join(name)
}

fn traces() -> Vec<(String, String)> {
    let files = common::files(&folder("traces"), "trace");
    let read = |path: PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        (name, std::fs::read_to_string(path).expect("a trace"))
    };
    files.into_iter().map(read).collect()
}

#[test]
fn traces_agree_in_every_read_and_byte() {
    let (mut operations, mut reads, mut hidden) = (0, 0, 0);
    let traces = traces();
    for (name, text) in &traces {
        let trace = common::trace(text);
        let checked = check_trace(&trace, Deviations::default());
        assert!(checked.is_same(), "{name}: {:x?}", checked.differences);
        operations += checked.operations;
        reads += checked.reads;
        let mut vera = Vera::default();
        trace.replay(&mut vera, |_, _| {});
        hidden += common::check_end(text, &vera, name);
    }
    assert_eq!((traces.len(), operations, reads, hidden), (67, 13711, 3612, 670));
}

/// The sound of the RTL's top level as it goes to the DAC, sample for sample, and what reads returned meanwhile.
#[test]
fn sound_agrees_in_every_sample() {
    let files = common::files(&folder("sound"), "trace");
    let (mut samples, mut reads) = (0, 0);
    for file in &files {
        let trace = common::trace(&std::fs::read_to_string(file).expect("a trace"));
        let checked = check_trace(&trace, Deviations::default());
        assert!(checked.is_same(), "{}: {:?}", file.display(), checked.differences);
        assert!(checked.samples > 0, "{}", file.display());
        samples += checked.samples;
        reads += checked.reads;
    }
    assert_eq!((files.len(), samples, reads), (25, 12956, 388));
}

#[test]
fn frames_agree_in_every_pixel() {
    let folder = folder("frames");
    let pictures = common::files(&folder, "png");
    assert_eq!(pictures.len(), 7);
    for picture in pictures {
        let name = picture.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(picture.with_extension("trace")).expect("a set-up trace");
        let isr = common::isr(&folder, &name);
        assert!(isr.is_some(), "{name}");
        let checked =
            check_frame(&common::trace(&text), &picture::rgba(&picture), isr, Deviations::default());
        let checked = checked.expect("640 × 480 pixels");
        assert!(checked.is_same(), "{name}: {} differences, {:x?}", checked.count, checked.differences);
    }
}

/// x16-emulator differs on the bus in 19 ways (spec section 9). All but two are met by one of these traces at least
/// (`deviations.rs` has a script for each); and none is met by the trace of increments, which does not use FX.
#[test]
fn each_deviation_of_the_bus_is_met_by_a_trace() {
    let of: Deviations = Profile::X16Emu.deviations();
    let mut met: Vec<(Deviation, String)> = Vec::new();
    for (name, text) in traces() {
        met.extend(
            deviations_met(&common::trace(&text), of).into_iter().map(|deviation| (deviation, name.clone())),
        );
    }
    let bus = DEVIATIONS.iter().filter(|(_, name, _)| name.starts_with('E'));
    let without: Vec<&str> = bus
        .filter(|(deviation, ..)| !met.iter().any(|(other, _)| other == deviation))
        .map(|(_, name, _)| *name)
        .collect();
    assert_eq!(without, ["E8", "E14"]);
    let of_increments: Vec<_> = met.iter().filter(|(_, name)| name.starts_with("p00")).collect();
    assert!(of_increments.is_empty(), "{of_increments:?}");
}

/// Where the picture's deviations show: deviations and frames are those of spec section 9.
#[test]
fn pictures_deviate_where_the_spec_says() {
    let folder = folder("frames");
    let shows = |name: &str, deviation: Deviation| {
        let text =
            std::fs::read_to_string(folder.join(name).with_extension("trace")).expect("a set-up trace");
        let rgba = picture::rgba(&folder.join(name).with_extension("png"));
        let set = Deviations::default().with(deviation);
        !check_frame(&common::trace(&text), &rgba, None, set).expect("a picture").is_same()
    };
    assert!(shows("f04_bitmap2_border", Deviation::WindowStartsLate));
    assert!(shows("f02_tiles_4_2", Deviation::PartialByte));
    assert!(shows("f12_sprite_budget", Deviation::SpriteBudget801));
    assert!(!shows("f00_text16", Deviation::SpriteBudget801));
}

/// Pauses may have 2^28 cycles in all.
#[test]
fn a_trace_pauses_no_longer_than_is_accepted() {
    let codes = |text: &str| {
        let (_, problems) = gpuzoo_vera::trace::Trace::parse(&gpuzoo_diag::File::new("t", text));
        problems.iter().map(|problem| problem.message.clone()).collect::<Vec<_>>()
    };
    let refused = ["the trace pauses longer than is accepted"];
    assert_eq!(codes("P 10000000\n"), [""; 0]);
    assert_eq!(codes("P 10000001\n"), refused);
    assert_eq!(codes("P FFFFFFF\nW 25 00\nP 1\n"), [""; 0]);
    assert_eq!(codes("P FFFFFFF\nW 25 00\nP 2\n"), refused);
}
