//! `conform` for VERA: bus traces, and the pictures that they set up.

use crate::codes::{BAD_RECORD, NO_VECTORS};
use crate::conform::{Failure, Report};
use gpuzoo_diag::{Diagnostic, File};
use gpuzoo_machine::vectors::Difference as Line;
use gpuzoo_vera::trace::Trace;
use gpuzoo_vera::vectors::{self, Checked, Difference};
use gpuzoo_vera::{BASE, DEVIATIONS, Deviations, HEIGHT, Register, WIDTH};

/// Of a file's malformed lines this many are reported one by one.
const MAX_PROBLEMS: usize = 20;

/// The files that belong to a trace.
#[derive(Clone, Copy, Debug, Default)]
pub struct TraceFiles<'a> {
    /// A PNG of the same stem: the trace sets up this picture.
    pub picture: Option<&'a [u8]>,
    /// `ISR.txt`, if there is one: a line for each frame, its stem and what ISR reads after it.
    pub isr: Option<&'a str>,
}

/// What `ISR.txt` says of a frame.
///
/// ```
/// assert_eq!(gpuzoo::vera::conform::isr("# frame  ISR\nf03_sprites  BF\n", "f03_sprites"), Some(0xbf));
/// ```
pub fn isr(text: &str, stem: &str) -> Option<u8> {
    text.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        let value = words.next().filter(|name| *name == stem).and_then(|_| words.next())?;
        u8::from_str_radix(value, 16).ok()
    })
}

/// Replays a trace, compares its reads and rows, and the picture, if there is one. `stem` is the name by which
/// `ISR.txt` knows it. The report holds one record: the file.
pub fn check(file: &File, stem: &str, files: &TraceFiles, deviations: Deviations, failures: usize) -> Report {
    let kind = if files.picture.is_some() { "frame" } else { "trace" };
    let mut report = Report { name: file.name().to_owned(), kinds: vec![kind], ..Report::default() };
    let (trace, mut problems) = Trace::parse(file);
    if problems.is_empty() && trace.operations.is_empty() && trace.rows.is_empty() {
        let problem = Diagnostic::error(&NO_VECTORS, format!("{} holds no accesses", file.name()));
        problems.push(problem.label(file.span(0..0), ""));
    }
    let checked = match files.picture {
        _ if !problems.is_empty() => None,
        None => Some(vectors::check_trace(&trace, deviations)),
        Some(bytes) => match frame(&trace, bytes, files.isr.and_then(|text| isr(text, stem)), deviations) {
            Ok(checked) => Some(checked),
            Err(reason) => {
                let message = format!("the picture of {} cannot be used: {reason}", file.name());
                problems.push(Diagnostic::error(&BAD_RECORD, message));
                None
            }
        },
    };
    problems.truncate(MAX_PROBLEMS);
    report.diagnostics = problems;
    let Some(checked) = checked else {
        report.malformed = 1;
        return report;
    };
    let met = vectors::deviations_met(&trace, deviations);
    report.meets =
        DEVIATIONS.iter().filter(|(own, ..)| met.contains(own)).map(|(_, name, _)| *name).collect();
    report.compared = checked.reads + checked.bytes + checked.pixels;
    if checked.is_same() {
        report.passed = 1;
    } else {
        report.failed = 1;
        if failures > 0 {
            report.failures.push(failure(kind, stem, &checked, failures));
        }
    }
    report
}

fn frame(trace: &Trace, bytes: &[u8], isr: Option<u8>, deviations: Deviations) -> Result<Checked, String> {
    let image = gpuzoo_scene::picture(bytes)?;
    let (width, height) = (image.width() as usize, image.height() as usize);
    if (width, height) != (WIDTH, HEIGHT) {
        return Err(format!("it has {width} × {height} pixels, not {WIDTH} × {HEIGHT}"));
    }
    vectors::check_frame(trace, image.bytes(), isr, deviations)
}

fn failure(kind: &'static str, stem: &str, checked: &Checked, most: usize) -> Failure {
    let line = checked.differences.iter().find_map(|difference| match difference {
        Difference::Read { line, .. } => Some(*line as usize),
        _ => None,
    });
    let with = if kind == "frame" { ", the trace's picture included" } else { "" };
    let name = format!("{stem}: {} differences{with}", checked.count);
    let differences = checked.differences.iter().take(most).map(shown).collect();
    Failure { line: line.unwrap_or(1), kind, name, differences }
}

/// A difference as reports show it.
fn shown(difference: &Difference) -> Line {
    let color = |[red, green, blue]: [u8; 3]| format!("#{red:02x}{green:02x}{blue:02x}");
    let byte = |value: u8| format!("${value:02X}");
    let (place, expected, got) = match *difference {
        Difference::Read { line, register, expected, got } => {
            // The bank is not known here, so only registers that every bank has are named.
            let name = Register::at(register, 0xff).map_or(String::new(), |own| format!(" {}", own.name));
            let address = BASE + u16::from(register);
            (format!("line {line}: read of ${address:04X}{name}"), byte(expected), byte(got))
        }
        Difference::Vram { address, expected, got } => {
            (format!("video memory ${address:05X}"), byte(expected), byte(got))
        }
        Difference::Pixel { x, y, expected, got } => (format!("pixel {x},{y}"), color(expected), color(got)),
        Difference::Isr { expected, got } => ("ISR after the frame".to_owned(), byte(expected), byte(got)),
    };
    Line { place, expected, got, ulp: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpuzoo_vera::Profile;

    fn checked(text: &str, files: &TraceFiles, profile: Profile) -> Report {
        check(&File::new("t.trace", text), "t", files, profile.deviations(), 10)
    }

    #[test]
    fn traces_pass_or_say_where_they_differ() {
        let text = "W 23 05\nR 25 00\nV 00000 05";
        let report = checked(text, &TraceFiles::default(), Profile::Rtl);
        assert_eq!((report.passed, report.failed, report.compared), (1, 0, 1 + 0x2_0000));
        assert!(report.meets.is_empty());
        let report = checked("W 23 05\nR 25 01\nV 00000 06", &TraceFiles::default(), Profile::Rtl);
        let text = report.text();
        assert!(text.contains("line 2: read of $9F25 CTRL: expected $01, got $00"), "{text}");
        assert!(text.contains("video memory $00000: expected $06, got $05"), "{text}");
    }

    #[test]
    fn the_deviations_of_a_profile_are_told() {
        // DC_VIDEO after reset: 8, and 0 in the emulators (E1).
        let report = checked("R 29 08", &TraceFiles::default(), Profile::X16Emu);
        assert_eq!((report.failed, report.meets.as_slice()), (1, ["E1"].as_slice()));
        assert!(report.text().contains("meets E1"), "{}", report.text());
    }

    #[test]
    fn what_cannot_be_used_is_told() {
        let report = checked("W 23", &TraceFiles::default(), Profile::Rtl);
        assert_eq!((report.malformed, report.diagnostics[0].code.id), (1, "V0101"));
        let files = TraceFiles { picture: Some(b"no picture"), isr: None };
        let report = checked("W 23 05", &files, Profile::Rtl);
        assert_eq!((report.malformed, report.diagnostics[0].code.id), (1, "C0102"));
        assert_eq!(
            checked("# nothing", &TraceFiles::default(), Profile::Rtl).diagnostics[0].code.id,
            "C0104"
        );
    }
}
