//! The verb `diff`: two dumps of a machine's memory, or two pictures, and a picture of where they differ.

use crate::Registry;
use crate::codes::NO_COMPARISON;
use gpuzoo_diag::Diagnostic;
use gpuzoo_machine::Dump;
use gpuzoo_machine::limits::budget::Budget;
use gpuzoo_raster::Image;
use gpuzoo_scene::Unreadable;
use std::fmt::Write;

/// At most this many places are shown; all are counted.
pub const MAX_PLACES: usize = 20;

/// The colour of what differs.
const MARK: [u8; 4] = [255, 0, 64, 255];

/// What was compared.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Subject {
    /// A machine's memory.
    Memory(Dump),
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
    /// How far two pictures are apart, if they differ.
    pub distance: Option<Distance>,
    /// What is the same, dark and grey; what differs, red.
    pub picture: Image,
}

/// How far two pictures are apart, over red, green and blue of all pixels.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Distance {
    /// The greatest difference of a channel, of 255.
    pub greatest: u8,
    /// The root of the mean of the squared differences, in the same unit.
    pub rms: f64,
}

impl Distance {
    /// None for pictures that are the same.
    fn of(one: &[[u8; 4]], other: &[[u8; 4]]) -> Option<Distance> {
        let channels =
            one.iter().zip(other).flat_map(|(one, other)| (0..3).map(|at| one[at].abs_diff(other[at])));
        let (greatest, sum) = channels.fold((0, 0u64), |(greatest, sum), channel| {
            (greatest.max(channel), sum + u64::from(channel) * u64::from(channel))
        });
        let count = 3 * one.len().min(other.len());
        let rms = (sum as f64 / count.max(1) as f64).sqrt();
        (sum > 0).then_some(Distance { greatest, rms })
    }
}

/// Reads a subject: a dump that one of the machines knows, or a picture.
///
/// # Errors
/// `G0231` for anything else, and what is wrong with a dump.
pub fn read(
    registry: &Registry,
    name: &str,
    bytes: &[u8],
    budget: &Budget,
) -> Result<Subject, Vec<Diagnostic>> {
    if let Some(dump) = registry.gpus().iter().find_map(|gpu| gpu.dump(name, bytes)) {
        return dump.map(Subject::Memory);
    }
    gpuzoo_scene::picture(bytes, budget).map(Subject::Frame).map_err(|reason| {
        if let Unreadable::Refused(refusal) = reason {
            return vec![refusal.problem()];
        }
        let message = format!("`{name}` is neither a dump of a machine's memory nor a picture: {reason}");
        let problem = Diagnostic::error(&NO_COMPARISON, message);
        vec![problem.help("a dump holds all bytes of a machine's memory; `gpuzoo list options` shows the option with which `run` writes one")]
    })
}

/// Compares two subjects of one kind.
///
/// # Errors
/// `G0231` if they are not of one kind and size.
pub fn diff(one: &Subject, other: &Subject) -> Result<Diff, Diagnostic> {
    let unlike = |message: String| Diagnostic::error(&NO_COMPARISON, message);
    match (one, other) {
        (Subject::Memory(one), Subject::Memory(other)) => {
            if (one.bytes.len(), one.columns) != (other.bytes.len(), other.columns) {
                return Err(unlike("the dumps are of different memories".to_owned()));
            }
            let (columns, one, other) = (one.columns, &one.bytes, &other.bytes);
            let pixels = one.iter().zip(other.iter()).map(|(one, other)| {
                let half = one / 2;
                if one == other { [half, half, half, 255] } else { MARK }
            });
            let differing = one.iter().zip(other.iter()).enumerate().filter(|(_, (one, other))| one != other);
            let places =
                differing.map(|(address, (one, other))| format!("${address:05X}: ${one:02X}, ${other:02X}"));
            outcome(columns, pixels.collect(), places).map_err(unlike)
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
            let diff = outcome(width, pixels.collect(), places).map_err(unlike)?;
            Ok(Diff { distance: Distance::of(one, other), ..diff })
        }
        _ => Err(unlike("one is a dump of a memory, the other a picture".to_owned())),
    }
}

fn outcome(
    width: usize,
    pixels: Vec<[u8; 4]>,
    mut places: impl Iterator<Item = String>,
) -> Result<Diff, String> {
    let of = pixels.len();
    if width == 0 || !of.is_multiple_of(width) {
        return Err(format!("rows of {width} do not make a picture of {of}"));
    }
    let picture = Image::from_pixels(width as u32, (of / width) as u32, pixels);
    let picture = picture.map_err(|error| error.to_string())?;
    let first: Vec<String> = places.by_ref().take(MAX_PLACES).collect();
    let count = first.len() + places.count();
    Ok(Diff { count, of, places: first, distance: None, picture })
}

impl Diff {
    /// How many differ, how far pictures are apart, and the first places.
    pub fn text(&self) -> String {
        let mut text = format!("{} of {} differ", self.count, self.of);
        if let Some(Distance { greatest, rms }) = self.distance {
            let _ = write!(text, ": by {greatest} of 255 at most, {rms:.3} in the root mean square");
        }
        text.push('\n');
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

    fn code<T>(result: Result<T, Vec<Diagnostic>>) -> Option<&'static str> {
        result.err().map(|problems| problems[0].code.id)
    }

    fn dump(bytes: Vec<u8>) -> Subject {
        Subject::Memory(Dump { bytes, columns: 4 })
    }

    #[test]
    fn memories_are_compared() {
        let diff = diff(&dump(vec![0; 8]), &dump(vec![0, 0, 0, 0, 0, 7, 0, 0xff])).unwrap();
        assert_eq!((diff.count, diff.of), (2, 8));
        assert_eq!(diff.places, ["$00005: $00, $07", "$00007: $00, $FF"]);
        assert_eq!((diff.picture.width(), diff.picture.height()), (4, 2));
        let pixels = diff.picture.bytes().as_chunks::<4>().0;
        assert_eq!((pixels[4], pixels[5], pixels[6]), ([0, 0, 0, 255], MARK, [0, 0, 0, 255]));
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
        // One of six channels is off by one: √(1/6) = 0.408.
        let text = "1 of 2 differ: by 1 of 255 at most, 0.408 in the root mean square\n";
        assert!(diff.text().starts_with(text), "{}", diff.text());
        assert_eq!(super::diff(&one, &one).unwrap().text(), "0 of 2 differ\n");
    }

    #[test]
    fn what_cannot_be_compared_has_a_code() {
        let registry = Registry::default();
        assert_eq!(code(read(&registry, "a", &[0; 7], &Budget::default())), Some("G0231"));
        // A trace without rows of memory, and one with a broken row.
        assert_eq!(code(read(&registry, "a", b"W 23 00\n", &Budget::default())), Some("V0108"));
        assert_eq!(code(read(&registry, "a", b"W 23 00\nV 5\n", &Budget::default())), Some("V0101"));
        let picture = Subject::Frame(Image::from_pixels(1, 1, vec![[0; 4]]).unwrap());
        let wide = Subject::Frame(Image::from_pixels(2, 1, vec![[0; 4]; 2]).unwrap());
        let long = dump(vec![0; 12]);
        let crooked = Subject::Memory(Dump { bytes: vec![0; 8], columns: 0 });
        for (one, other) in
            [(&picture, &wide), (&picture, &long), (&dump(vec![0; 8]), &long), (&crooked, &crooked)]
        {
            assert_eq!(diff(one, other).err().map(|problem| problem.code.id), Some("G0231"));
        }
    }
}
