//! Files of one picture or several: their formats, and how they are written frame by frame.

use crate::ahead::Ahead;
use crate::codes::{BAD_ARGUMENT, CANNOT_ENCODE};
use gpuzoo_diag::Diagnostic;
use gpuzoo_machine::limits::budget::{Budget, Resource};
use gpuzoo_machine::text::extension;
use gpuzoo_raster::Image;
pub use gpuzoo_scene::output::Compression;
use gpuzoo_scene::output::{self, Movie, OutputError};
use std::io::{self, Write};

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// PNG, opaque; with several frames an animated PNG.
    Png {
        /// How small the file becomes; else as is [usual](Compression::usual).
        compression: Option<Compression>,
    },
    /// GIF, at most 256 colours a frame.
    Gif,
    /// Bytes red, green, blue, alpha, row by row from the top, frame by frame.
    Raw,
}

impl Format {
    /// All of them: name, extensions, format, and what it is.
    pub const ALL: [(&'static str, &'static [&'static str], Format, &'static str); 3] = [
        (
            "png",
            &["png", "apng"],
            Format::Png { compression: None },
            "PNG, opaque; an animated PNG if the scene is animated",
        ),
        ("gif", &["gif"], Format::Gif, "GIF, at most 256 colours a frame"),
        (
            "raw",
            &["raw", "rgba"],
            Format::Raw,
            "bytes red, green, blue, alpha, row by row from the top, frame by frame",
        ),
    ];

    /// The format that a file's extension implies.
    ///
    /// # Errors
    /// `G0108`, with the extensions.
    pub fn of_file(name: &str) -> Result<Format, Diagnostic> {
        let own = extension(name).to_ascii_lowercase();
        let found = Format::ALL.iter().find(|(_, extensions, ..)| extensions.contains(&own.as_str()));
        found.map(|(_, _, format, _)| *format).ok_or_else(|| {
            let message = match own.as_str() {
                "" => format!("`{name}` has no extension, which says the picture's format"),
                _ => format!("no picture format has the extension `.{own}`"),
            };
            let all = Format::ALL.iter().flat_map(|(_, extensions, ..)| *extensions);
            let all: Vec<String> = all.map(|extension| format!(".{extension}")).collect();
            let problem = Diagnostic::error(&BAD_ARGUMENT, message);
            problem.help(format!("extensions are {}", all.join(", ")))
        })
    }

    /// The same with a compression.
    ///
    /// # Errors
    /// `G0108` for another format than PNG.
    pub fn compressed(self, compression: Compression) -> Result<Format, Diagnostic> {
        match self {
            Format::Png { .. } => Ok(Format::Png { compression: Some(compression) }),
            Format::Gif | Format::Raw => {
                let message = "`--compression` is for PNG, and this is another format";
                Err(Diagnostic::error(&BAD_ARGUMENT, message).help("write a PNG, or leave the option out"))
            }
        }
    }
}

/// Why there is no file, or not all of it.
#[derive(Debug)]
pub enum Failure {
    /// What is wrong with the pictures, or that no file of the format can hold them.
    Problems(Vec<Diagnostic>),
    /// What the bytes are written to does not take them.
    Unwritten(io::Error),
}

impl From<Diagnostic> for Failure {
    fn from(problem: Diagnostic) -> Failure {
        Failure::Problems(vec![problem])
    }
}

impl From<Vec<Diagnostic>> for Failure {
    fn from(problems: Vec<Diagnostic>) -> Failure {
        Failure::Problems(problems)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Unwritten(error)
    }
}

impl From<OutputError> for Failure {
    fn from(error: OutputError) -> Failure {
        match error {
            OutputError::Refused(refusal) => refusal.problem(),
            _ => cannot(error.to_string()),
        }
        .into()
    }
}

/// The problem of a picture that no file can hold.
pub(crate) fn cannot(reason: String) -> Diagnostic {
    Diagnostic::error(&CANNOT_ENCODE, format!("the picture cannot be written: {reason}"))
}

/// The most frames of an animation that are encoded while the next are drawn.
const AHEAD: u64 = 16;

/// They take one part in so many of the memory that is left.
const SHARE: u64 = 8;

/// A file to which pictures are added. The first is written at once; of the others several are encoded at a time, and written
/// when they and those before them are.
pub(crate) struct Film<'a> {
    movie: Movie,
    /// What comes before the first frame, until that is written.
    start: Option<Vec<u8>>,
    encoded: Ahead<Result<Vec<u8>, OutputError>>,
    to: &'a mut dyn Write,
}

impl<'a> Film<'a> {
    /// A file of so many pictures of a size, and how many of them a second. What waits to be written is memory of the budget: as
    /// much however many threads there are, so that a budget is enough, or not, on every machine.
    pub fn new(
        format: Format,
        size: (u32, u32),
        count: u32,
        rate: u32,
        budget: &Budget,
        to: &'a mut dyn Write,
    ) -> Result<Film<'a>, Failure> {
        Film::with_comment(None, format, size, count, rate, budget, to)
    }

    /// As [`new`](Film::new), of a file that says something about itself.
    pub fn with_comment(
        comment: Option<&'static str>,
        format: Format,
        size: (u32, u32),
        count: u32,
        rate: u32,
        budget: &Budget,
        to: &'a mut dyn Write,
    ) -> Result<Film<'a>, Failure> {
        let format = match format {
            Format::Png { compression } => output::Format::Png { alpha: false, compression },
            Format::Gif => output::Format::Gif,
            Format::Raw => output::Format::Raw,
        };
        let movie = Movie::new(format, size, count, rate, budget)?;
        let movie = match comment {
            Some(comment) => movie.with_comment(comment),
            None => movie,
        };
        // The picture and its bytes in the file; of raw frames there is nothing to be done.
        let room = budget.left(Resource::Memory) / SHARE;
        let each = movie.frame_memory() * 2;
        let most = room.checked_div(each).filter(|_| count > 1).unwrap_or(0).min(AHEAD).min(count.into());
        budget.spend(Resource::Memory, most * each).map_err(OutputError::from)?;
        Ok(Film { start: Some(movie.start()?), movie, encoded: Ahead::new(most as usize), to })
    }

    /// Adds a picture.
    pub fn frame(&mut self, image: Image) -> Result<(), Failure> {
        let frame = self.movie.frame(image)?;
        self.encoded.give(move || frame.encode());
        // However long the next one takes to be drawn.
        let is_first = self.start.is_some();
        while let Some(bytes) = if is_first { self.encoded.wait() } else { self.encoded.next() } {
            self.write(&bytes?)?;
        }
        Ok(())
    }

    /// Writes what is not written yet.
    pub fn finish(mut self) -> Result<(), Failure> {
        while let Some(bytes) = self.encoded.wait() {
            self.write(&bytes?)?;
        }
        self.to.write_all(&self.movie.end()?)?;
        Ok(self.to.flush()?)
    }

    /// Writes a frame. It is not held back until there are more.
    fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.to.write_all(&self.start.take().unwrap_or_default())?;
        self.to.write_all(bytes)?;
        Ok(self.to.flush()?)
    }
}

#[cfg(all(test, feature = "threads"))]
mod tests {
    use super::*;
    use crate::threads::on_pool;

    const FORMATS: [Format; 3] = [Format::Png { compression: None }, Format::Gif, Format::Raw];

    /// Frames that differ, of one colour or of many.
    fn image(number: u32) -> Image {
        let pixels =
            (0..64 * 32).map(|n| [number as u8, (n * (number % 3)) as u8, (n >> 3) as u8, 255]).collect();
        Image::from_pixels(64, 32, pixels).unwrap()
    }

    /// What was written, and how much of it when it was handed on.
    #[derive(Default)]
    struct Log {
        bytes: Vec<u8>,
        handed_on: Vec<usize>,
    }

    impl Write for Log {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.bytes.extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            self.handed_on.push(self.bytes.len());
            Ok(())
        }
    }

    /// A file of some frames.
    fn file(format: Format, count: u32, budget: &Budget) -> Log {
        let mut log = Log::default();
        let mut film = Film::new(format, (64, 32), count, 25, budget, &mut log).unwrap();
        (0..count).for_each(|number| film.frame(image(number)).unwrap());
        film.finish().unwrap();
        log
    }

    #[test]
    fn a_file_is_the_same_with_any_number_of_threads_and_any_memory() {
        for format in FORMATS {
            let of = |threads, memory| {
                let budget = Budget::default().with(Resource::Memory, memory);
                on_pool(Some(threads), || file(format, 40, &budget).bytes)
            };
            let expected = of(1, 1 << 30);
            assert!(of(4, 1 << 30) == expected && of(4, 64 * 32 * 4) == expected, "{format:?}");
            // Three frames are encoded at a time.
            assert!(of(4, 64 * 32 * 8 * 8 * 3) == expected, "{format:?}");
        }
    }

    /// Each frame is handed on by itself, the first before the second is there, and raw ones all.
    #[test]
    fn frames_do_not_wait_for_the_last() {
        let count = 2 * AHEAD as u32;
        for (format, given) in FORMATS.into_iter().flat_map(|format| [(format, 1), (format, count / 2)]) {
            on_pool(Some(4), || {
                let whole = file(format, count, &Budget::default());
                // And the end.
                assert_eq!(whole.handed_on.len(), count as usize + 1, "{format:?}");
                let mut log = Log::default();
                let mut film = Film::new(format, (64, 32), count, 25, &Budget::default(), &mut log).unwrap();
                (0..given).for_each(|number| film.frame(image(number)).unwrap());
                drop(film);
                let least = if format == Format::Raw { given } else { 1 };
                assert!(log.handed_on.len() >= least as usize, "{format:?}");
                assert!(whole.handed_on.starts_with(&log.handed_on), "{format:?}");
                assert!(whole.bytes.starts_with(&log.bytes), "{format:?}");
            });
        }
    }

    #[test]
    fn what_waits_is_memory_of_the_budget() {
        let spent = |format, count, memory, threads| {
            let budget = Budget::default().with(Resource::Memory, memory);
            on_pool(Some(threads), || file(format, count, &budget));
            memory - budget.left(Resource::Memory)
        };
        for threads in [1, 4] {
            // Eight bytes for each pixel of 16 frames, or of as many as there are, or as take an eighth of what there is.
            let frame = 64 * 32 * 8;
            for format in [Format::Png { compression: None }, Format::Gif] {
                assert_eq!(spent(format, 40, 1 << 30, threads), 16 * frame);
                assert_eq!(spent(format, 3, 1 << 30, threads), 3 * frame);
                assert_eq!(spent(format, 40, frame * 8 * 2 + 1, threads), 2 * frame);
                assert_eq!(spent(format, 40, frame, threads), 0);
                assert_eq!(spent(format, 1, 1 << 30, threads), 0);
            }
            assert_eq!(spent(Format::Raw, 40, 0, threads), 0);
        }
    }

    #[test]
    fn what_is_written_to_may_not_take_it() {
        let mut full: &mut [u8] = &mut [0; 100];
        let mut film = Film::new(Format::Raw, (64, 32), 2, 25, &Budget::default(), &mut full).unwrap();
        assert!(matches!(film.frame(image(1)), Err(Failure::Unwritten(_))));
    }
}
