//! Bus traces as vectors, and the pictures that they set up: a PNG of the same stem beside the trace.

use super::{CommanderX16, deviations, unfit};
use crate::rules::{BAD_PICTURE, EMPTY};
use gpuzoo_diag::Diagnostic;
use gpuzoo_machine::options::arguments::Arguments;
use gpuzoo_machine::vectors::stimulus::{Accesses, MadeFile};
use gpuzoo_machine::vectors::{Checked as All, Difference as Line, FileChecked, VectorFile, VectorFiles};
use gpuzoo_vera::trace::{MAX_OPERATIONS, Trace, known};
use gpuzoo_vera::vectors::{self, Checked, Difference};
use gpuzoo_vera::{BASE, DEVIATIONS, Deviations, HEIGHT, Register, WIDTH, stimulus};

/// The file that holds what ISR reads after each frame.
const ISR: &str = "ISR.txt";

impl VectorFiles for CommanderX16 {
    fn kinds(&self) -> &'static [(&'static str, &'static str)] {
        &[("trace", "a bus trace, with what reads returned"), ("frame", "a trace with a PNG beside it")]
    }

    fn known(&self, text: &str) -> bool {
        known(text)
    }

    fn is_beside(&self, name: &str) -> bool {
        name == ISR || name.to_ascii_lowercase().ends_with(".png")
    }

    fn beside(&self, stem: &str) -> Vec<String> {
        vec![format!("{stem}.png"), ISR.to_owned()]
    }

    fn make(&self, accesses: Accesses, arguments: &Arguments) -> Result<MadeFile, Diagnostic> {
        if let Accesses::Random { count, .. } = accesses
            && count >= MAX_OPERATIONS as u64
        {
            return Err(unfit(format!("a trace has fewer than {MAX_OPERATIONS} accesses, not {count}")));
        }
        Ok(stimulus::trace(accesses, deviations(arguments)?))
    }

    fn check(&self, vector: &VectorFile, arguments: &Arguments) -> FileChecked {
        match deviations(arguments) {
            Ok(deviations) => check(vector, deviations),
            Err(problem) => FileChecked { problems: vec![problem], ..FileChecked::default() },
        }
    }
}

/// What `ISR.txt` says of a frame: a line has its stem and what ISR reads after it, in two hexadecimal digits.
fn isr(text: &str, stem: &str) -> Result<Option<u8>, String> {
    let mut found = None;
    for line in text.lines() {
        let mut words = line.split_whitespace();
        if words.next() != Some(stem) {
            continue;
        }
        let (value, more) = (words.next().unwrap_or(""), words.next());
        let digits = value.len() == 2 && value.bytes().all(|byte| byte.is_ascii_hexdigit());
        let value = u8::from_str_radix(value, 16).ok().filter(|_| digits && more.is_none());
        let value =
            value.ok_or_else(|| format!("{ISR} says `{}`, and not two hexadecimal digits", line.trim()))?;
        if found.replace(value).is_some_and(|other| other != value) {
            return Err(format!("{ISR} says two things of {stem}"));
        }
    }
    Ok(found)
}

/// Replays a trace, compares its reads and rows, and the picture, if there is one.
fn check(vector: &VectorFile, deviations: Deviations) -> FileChecked {
    let bytes = |wanted: &str| vector.beside.get(wanted).map(Vec::as_slice);
    let picture = bytes(&format!("{}.png", vector.stem));
    let kind = if picture.is_some() { "frame" } else { "trace" };
    let (trace, mut problems) = Trace::parse(vector.file);
    if problems.is_empty() && trace.operations.is_empty() && trace.rows.is_empty() && trace.sound.is_empty() {
        let message = format!("{} holds no accesses", vector.file.name());
        problems.push(Diagnostic::error(&EMPTY, message).label(vector.file.span(0..0), ""));
    }
    if !problems.is_empty() {
        return FileChecked { kind, problems, ..FileChecked::default() };
    }
    let isr = match bytes(ISR).map(|text| isr(&String::from_utf8_lossy(text), vector.stem)).transpose() {
        Ok(isr) => isr.flatten(),
        Err(reason) => {
            let message = format!("what {} leaves cannot be used: {reason}", vector.file.name());
            let problems = vec![Diagnostic::error(&BAD_PICTURE, message)];
            return FileChecked { kind, problems, ..FileChecked::default() };
        }
    };
    let checked = match picture {
        None => Ok(vectors::check_trace(&trace, deviations)),
        Some(bytes) => frame(&trace, vector, bytes, isr, deviations),
    };
    let checked = match checked {
        Ok(checked) => checked,
        Err(reason) => {
            let message = format!("the picture of {} cannot be used: {reason}", vector.file.name());
            let problems = vec![Diagnostic::error(&BAD_PICTURE, message)];
            return FileChecked { kind, problems, ..FileChecked::default() };
        }
    };
    let with = if picture.is_some() { ", the trace's picture included" } else { "" };
    let met = vectors::deviations_met(&trace, deviations);
    FileChecked {
        kind,
        count: checked.count,
        line: checked.differences.iter().find_map(|difference| match difference {
            Difference::Read { line, .. } => Some(*line as usize),
            _ => None,
        }),
        meets: DEVIATIONS.iter().filter(|(own, ..)| met.contains(own)).map(|(_, name, _)| *name).collect(),
        checked: All {
            name: format!("{}: {} differences{with}", vector.stem, checked.count),
            compared: checked.reads + checked.bytes + checked.samples + checked.pixels,
            differences: checked.differences.iter().take(vector.most).map(shown).collect(),
            ..All::default()
        },
        problems: Vec::new(),
    }
}

fn frame(
    trace: &Trace,
    vector: &VectorFile,
    bytes: &[u8],
    isr: Option<u8>,
    deviations: Deviations,
) -> Result<Checked, String> {
    let image = (vector.picture)(bytes)?;
    let (width, height) = (image.width() as usize, image.height() as usize);
    if (width, height) != (WIDTH, HEIGHT) {
        return Err(format!("it has {width} × {height} pixels, not {WIDTH} × {HEIGHT}"));
    }
    vectors::check_frame(trace, image.bytes(), isr, deviations)
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
        Difference::Sample { index, expected, got } => {
            let sides = |[left, right]: [i32; 2]| format!("{left}, {right}");
            (format!("sample {index}, left and right"), sides(expected), sides(got))
        }
        Difference::Pixel { x, y, expected, got } => (format!("pixel {x},{y}"), color(expected), color(got)),
        Difference::Isr { expected, got } => ("ISR after the frame".to_owned(), byte(expected), byte(got)),
    };
    Line { place, expected, got, ulp: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpuzoo_diag::File;
    use gpuzoo_raster::Image;
    use gpuzoo_vera::Profile;
    use std::collections::HashMap;

    fn checked(text: &str, beside: &HashMap<String, Vec<u8>>, profile: Profile) -> FileChecked {
        let file = File::new("t.trace", text);
        let picture = |_: &[u8]| Err("no picture".to_owned());
        let vector = VectorFile { file: &file, stem: "t", beside, picture: &picture, most: 10 };
        check(&vector, profile.deviations())
    }

    #[test]
    fn traces_pass_or_say_where_they_differ() {
        let report = checked("W 23 05\nR 25 00\nV 00000 05", &HashMap::new(), Profile::Rtl);
        assert_eq!((report.count, report.checked.compared), (0, 1 + 0x2_0000));
        assert!(report.meets.is_empty());
        // Samples are compared with silence where a row does not name them.
        let report = checked("W 25 00\nS 00001 0000000000", &HashMap::new(), Profile::Rtl);
        assert_eq!((report.count, report.checked.compared), (0, 2), "{:?}", report.problems);
        let report = checked("W 23 05\nR 25 01\nV 00000 06", &HashMap::new(), Profile::Rtl);
        let shown: Vec<String> = report
            .checked
            .differences
            .iter()
            .map(|line| format!("{}: expected {}, got {}", line.place, line.expected, line.got))
            .collect();
        assert_eq!(
            shown,
            [
                "line 2: read of $9F25 CTRL: expected $01, got $00",
                "video memory $00000: expected $06, got $05"
            ]
        );
        assert_eq!(report.line, Some(2));
    }

    #[test]
    fn the_deviations_of_a_profile_are_named() {
        // DC_VIDEO after reset: 8, and 0 in the emulators (E1).
        let report = checked("R 29 08", &HashMap::new(), Profile::X16Emu);
        assert_eq!((report.count, report.meets.as_slice()), (1, ["E1"].as_slice()));
    }

    #[test]
    fn what_cannot_be_used_has_a_code() {
        let code = |report: FileChecked| report.problems[0].code.id;
        assert_eq!(code(checked("W 23", &HashMap::new(), Profile::Rtl)), "V0101");
        let beside = HashMap::from([("t.png".to_owned(), b"no picture".to_vec())]);
        assert_eq!(code(checked("W 23 05", &beside, Profile::Rtl)), "V0107");
        assert_eq!(code(checked("# nothing", &HashMap::new(), Profile::Rtl)), "V0106");
    }

    /// A picture is compared pixel by pixel if it has VERA's size, and is of no use if not.
    #[test]
    fn a_picture_has_the_screens_size() {
        let file = File::new("t.trace", "W 23 00");
        let beside = HashMap::from([("t.png".to_owned(), Vec::new())]);
        let checked = |width: u32, height: u32| {
            let picture = |_: &[u8]| {
                let pixels = vec![[0, 0, 0, 255]; (width * height) as usize];
                Image::from_pixels(width, height, pixels).map_err(|error| error.to_string())
            };
            let vector = VectorFile { file: &file, stem: "t", beside: &beside, picture: &picture, most: 10 };
            check(&vector, Deviations::default())
        };
        let whole = checked(640, 480);
        assert_eq!((whole.kind, whole.count, whole.problems.len()), ("frame", 0, 0));
        assert!(whole.checked.compared >= 640 * 480);
        for (width, height) in [(320, 240), (640, 479), (639, 480), (480, 640)] {
            let problem = &checked(width, height).problems[0];
            assert_eq!(problem.code.id, "V0107");
            assert!(
                problem.message.contains(&format!("{width} × {height} pixels, not 640 × 480")),
                "{}",
                problem.message
            );
        }
    }

    #[test]
    fn isr_is_found_by_the_stem() {
        assert_eq!(isr("# frame  ISR\nf03_sprites  BF\n", "f03_sprites"), Ok(Some(0xbf)));
        assert_eq!(isr("f03_sprites  BF\n", "f03"), Ok(None));
        for bad in ["f03  BFF", "f03  G0", "f03", "f03 +1", "f03 01 02", "f03 01\nf03 02"] {
            assert!(isr(bad, "f03").is_err(), "{bad}");
        }
    }
}
