//! Files of one picture or several: their formats, and how they are written frame by frame.

use crate::codes::{BAD_ARGUMENT, CANNOT_ENCODE};
use gpuzoo_diag::Diagnostic;
use gpuzoo_machine::budget::{Budget, Refusal, Resource};
use gpuzoo_machine::text::extension;
use gpuzoo_raster::Image;
use gpuzoo_scene::output::{self, Movie, OutputError};

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// PNG, opaque; with several frames an animated PNG.
    Png,
    /// GIF, at most 256 colours a frame.
    Gif,
    /// Bytes red, green, blue, alpha, row by row from the top, frame by frame.
    Raw,
}

impl Format {
    /// All of them: name, extensions, format, and what it is.
    pub const ALL: [(&'static str, &'static [&'static str], Format, &'static str); 3] = [
        ("png", &["png", "apng"], Format::Png, "PNG, opaque; an animated PNG if the scene is animated"),
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
}

/// A file that pictures are added to.
pub(crate) enum Film {
    Movie(Movie),
    Raw(Vec<u8>, Budget),
}

impl Film {
    /// A file of so many pictures of a size, and how many of them a second. Its bytes are memory of the budget.
    pub fn new(
        format: Format,
        (width, height): (u32, u32),
        count: u32,
        rate: u32,
        budget: &Budget,
    ) -> Result<Film, Diagnostic> {
        let format = match format {
            Format::Png => output::Format::Png { alpha: false },
            Format::Gif => output::Format::Gif,
            Format::Raw => return Ok(Film::Raw(Vec::new(), budget.clone())),
        };
        Movie::new(format, width, height, count, rate, budget).map(Film::Movie).map_err(encoding)
    }

    /// Adds a picture.
    pub fn frame(&mut self, image: Image) -> Result<(), Diagnostic> {
        match self {
            Film::Movie(movie) => return movie.frame(&image).map_err(encoding),
            // Of a single picture no byte is copied.
            Film::Raw(bytes, _) if bytes.is_empty() => *bytes = image.into_bytes(),
            Film::Raw(bytes, budget) => {
                let more = image.bytes().len();
                budget.spend(Resource::Memory, more as u64).map_err(|refusal| refusal.problem())?;
                let room = bytes.try_reserve(more).map_err(|_| Refusal::System { bytes: more as u64 });
                room.map_err(|refusal| refusal.problem())?;
                bytes.extend_from_slice(image.bytes());
            }
        }
        Ok(())
    }

    /// The file.
    pub fn finish(self) -> Result<Vec<u8>, Diagnostic> {
        match self {
            Film::Movie(movie) => movie.finish().map_err(encoding),
            Film::Raw(bytes, _) => Ok(bytes),
        }
    }
}

fn encoding(error: OutputError) -> Diagnostic {
    match error {
        OutputError::Refused(refusal) => refusal.problem(),
        _ => cannot(error.to_string()),
    }
}

/// The problem of a picture that no file can hold.
pub(crate) fn cannot(reason: String) -> Diagnostic {
    Diagnostic::error(&CANNOT_ENCODE, format!("the picture cannot be written: {reason}"))
}
