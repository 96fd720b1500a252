//! `diff`: two dumps of video memory, or two frames, and a picture of where they differ.

use crate::codes::NO_COMPARISON;
use crate::vera::program::known;
use gpuzoo_diag::{Diagnostic, File};
use gpuzoo_raster::Image;
use gpuzoo_vera::VRAM_BYTES;
use gpuzoo_vera::trace::Trace;
use std::fmt::Write;

/// At most this many places are shown; all are counted.
pub const MAX_PLACES: usize = 20;

/// Columns of the picture of video memory: an address's low nine bits.
const VRAM_COLUMNS: usize = 512;
/// The colour of what differs.
const MARK: [u8; 4] = [255, 0, 64, 255];

/// What was compared.
#[non_exhaustive]
pub enum Subject {
    /// 128 KB of video memory.
    Vram(Box<[u8; VRAM_BYTES]>),
    /// A picture.
    Frame(Image),
}

/// The outcome.
#[non_exhaustive]
pub struct Diff {
    /// How many bytes or pixels differ.
    pub count: usize,
    /// Of how many.
    pub of: usize,
    /// The first places.
    pub places: Vec<String>,
    /// What is the same, dark and grey; what differs, red.
    pub picture: Image,
}

/// Reads a subject: 131,072 bytes, a bus trace with rows of video memory, or a picture.
///
/// # Errors
/// `G0231` for anything else, and what is wrong with a trace.
pub fn read(name: &str, bytes: &[u8]) -> Result<Subject, Vec<Diagnostic>> {
    if let Ok(vram) = <[u8; VRAM_BYTES]>::try_from(bytes) {
        return Ok(Subject::Vram(Box::new(vram)));
    }
    let nothing = |reason: String| {
        let problem = Diagnostic::error(&NO_COMPARISON, format!("`{name}` cannot be compared: {reason}"));
        vec![problem.help("a dump of video memory has 131,072 bytes; `gpuzoo run --vram FILE` writes one")]
    };
    if let Some(text) = std::str::from_utf8(bytes).ok().filter(|text| known(text)) {
        let (trace, problems) = Trace::parse(&File::new(name, text));
        if !problems.is_empty() {
            return Err(problems);
        }
        let none = || nothing("the trace has no rows of video memory".to_owned());
        return trace.vram().map(Subject::Vram).ok_or_else(none);
    }
    gpuzoo_scene::picture(bytes).map(Subject::Frame).map_err(nothing)
}

/// Compares two subjects of one kind.
///
/// # Errors
/// `G0231` if they are not of one kind and size.
pub fn diff(one: &Subject, other: &Subject) -> Result<Diff, Diagnostic> {
    let unlike = |message: String| Diagnostic::error(&NO_COMPARISON, message);
    match (one, other) {
        (Subject::Vram(one), Subject::Vram(other)) => {
            let pixels = one.iter().zip(other.iter()).map(|(one, other)| {
                let half = one / 2;
                if one == other { [half, half, half, 255] } else { MARK }
            });
            let differing = one.iter().zip(other.iter()).enumerate().filter(|(_, (one, other))| one != other);
            let places =
                differing.map(|(address, (one, other))| format!("${address:05X}: ${one:02X}, ${other:02X}"));
            outcome(VRAM_COLUMNS, pixels.collect(), places).map_err(unlike)
        }
        (Subject::Frame(one), Subject::Frame(other)) => {
            let [size, others] = [one, other].map(|image| (image.width(), image.height()));
            if size != others {
                let message = "the pictures have different sizes";
                return Err(unlike(format!(
                    "{message}: {} × {} and {} × {}",
                    size.0, size.1, others.0, others.1
                )));
            }
            let (one, other) = (one.bytes().as_chunks::<4>().0, other.bytes().as_chunks::<4>().0);
            let same = |one: &[u8; 4], other: &[u8; 4]| one[..3] == other[..3];
            let pixels = one.iter().zip(other).map(|(one, other)| {
                let grey = (one[..3].iter().map(|channel| u16::from(*channel)).sum::<u16>() / 9) as u8;
                if same(one, other) { [grey, grey, grey, 255] } else { MARK }
            });
            let width = size.0 as usize;
            let color = |[red, green, blue, _]: [u8; 4]| format!("#{red:02x}{green:02x}{blue:02x}");
            let differing = one.iter().zip(other).enumerate().filter(|(_, (one, other))| !same(one, other));
            let places = differing.map(|(at, (one, other))| {
                format!("{},{}: {}, {}", at % width, at / width, color(*one), color(*other))
            });
            outcome(width, pixels.collect(), places).map_err(unlike)
        }
        _ => Err(unlike("one is a dump of video memory, the other a picture".to_owned())),
    }
}

fn outcome(
    width: usize,
    pixels: Vec<[u8; 4]>,
    mut places: impl Iterator<Item = String>,
) -> Result<Diff, String> {
    let of = pixels.len();
    let picture = Image::from_pixels(width as u32, (of / width) as u32, pixels);
    let picture = picture.map_err(|error| error.to_string())?;
    let first: Vec<String> = places.by_ref().take(MAX_PLACES).collect();
    let count = first.len() + places.count();
    Ok(Diff { count, of, places: first, picture })
}

impl Diff {
    /// How many differ, and the first places.
    pub fn text(&self) -> String {
        let mut text = format!("{} of {} differ\n", self.count, self.of);
        for place in &self.places {
            let _ = writeln!(text, "  {place}");
        }
        if self.count > self.places.len() {
            let _ = writeln!(text, "  and {} more", self.count - self.places.len());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(result: Result<Subject, Vec<Diagnostic>>) -> Option<&'static str> {
        result.err().map(|problems| problems[0].code.id)
    }

    #[test]
    fn dumps_and_rows_are_compared() {
        let dump = read("a", &[0; VRAM_BYTES]).unwrap();
        let rows = read("b", b"V 00201 0700ff\n").unwrap();
        let diff = diff(&dump, &rows).unwrap();
        assert_eq!((diff.count, diff.of), (2, VRAM_BYTES));
        assert_eq!(diff.places, ["$00201: $00, $07", "$00203: $00, $FF"]);
        // Address $201 is in the second row, second column.
        assert_eq!((diff.picture.width(), diff.picture.height()), (512, 256));
        let pixels = diff.picture.bytes().as_chunks::<4>().0;
        assert_eq!((pixels[0x200], pixels[0x201], pixels[0x202]), ([0, 0, 0, 255], MARK, [0, 0, 0, 255]));
    }

    #[test]
    fn frames_are_compared() {
        let image = |pixels: Vec<[u8; 4]>| Subject::Frame(Image::from_pixels(2, 1, pixels).unwrap());
        let one = image(vec![[90, 90, 90, 255], [1, 2, 3, 255]]);
        let other = image(vec![[90, 90, 90, 255], [1, 2, 4, 255]]);
        let diff = diff(&one, &other).unwrap();
        assert_eq!(
            (diff.count, diff.places.as_slice()),
            (1, ["1,0: #010203, #010204".to_owned()].as_slice())
        );
        assert_eq!(diff.picture.bytes(), [30, 30, 30, 255, 255, 0, 64, 255]);
        assert!(diff.text().starts_with("1 of 2 differ\n"));
    }

    #[test]
    fn what_cannot_be_compared_is_told() {
        assert_eq!(code(read("a", &[0; 7])), Some("G0231"));
        assert_eq!(code(read("a", b"W 23 00\n")), Some("G0231"));
        assert_eq!(code(read("a", b"W 23 00\nV 5\n")), Some("V0101"));
        let picture = Subject::Frame(Image::from_pixels(1, 1, vec![[0; 4]]).unwrap());
        let wide = Subject::Frame(Image::from_pixels(2, 1, vec![[0; 4]; 2]).unwrap());
        let dump = read("a", &[0; VRAM_BYTES]).unwrap();
        for (one, other) in [(&picture, &wide), (&picture, &dump)] {
            assert_eq!(diff(one, other).err().map(|problem| problem.code.id), Some("G0231"));
        }
    }
}
