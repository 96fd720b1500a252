//! Pictures and animations as files: PNG, animated PNG, GIF, raw bytes.
//!
//! A screen has no alpha: what a machine leaves in the alpha channel is not seen. So pictures are opaque unless alpha
//! is asked for. Raw bytes, alpha included, are [`Image::bytes`].
//!
//! A [`Movie`] gives a file piece by piece: what comes before the first frame, each frame, what comes after the last. The
//! bytes of a frame can be made on any thread.

mod gif;
mod palette;
mod png;

use gpuzoo_machine::limits::budget::{Budget, Refusal, Resource};
use gpuzoo_raster::Image;
use std::fmt;

/// A file format for one picture or several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// PNG; with more than one frame an animated PNG.
    Png {
        /// Keep the alpha channel.
        alpha: bool,
        /// How small the file becomes; else as is [usual](Compression::usual).
        compression: Option<Compression>,
    },
    /// GIF, at most 256 colours a frame.
    Gif,
    /// Bytes red, green, blue, alpha, row by row from the top, frame by frame.
    Raw,
}

/// How much time a PNG is worth. The pixels are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// Written as fast as possible.
    Fast,
    /// A smaller file in more time.
    Balanced,
    /// The smallest file, in much time.
    Best,
}

impl Compression {
    /// Pictures of more pixels than this are written fast.
    pub const BIG: u64 = 1 << 20;

    /// What a file of so many pictures of a size has if nothing else is asked for: fast for animations and for
    /// pictures of more than [`BIG`](Compression::BIG) pixels, else balanced.
    pub fn usual((width, height): (u32, u32), frames: u32) -> Compression {
        let is_big = u64::from(width) * u64::from(height) > Compression::BIG;
        if is_big || frames > 1 { Compression::Fast } else { Compression::Balanced }
    }
}

/// Why a picture cannot be written.
#[derive(Debug)]
pub enum OutputError {
    /// A frame of another size than the first.
    Size,
    /// More or fewer frames than were announced.
    Count,
    /// It takes more than may be used.
    Refused(Refusal),
    /// The encoder's words.
    Encoder(String),
}

impl fmt::Display for OutputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OutputError::Size => write!(f, "all frames must have the size of the first"),
            OutputError::Count => write!(f, "there must be as many frames as were announced"),
            OutputError::Refused(refusal) => refusal.fmt(f),
            OutputError::Encoder(message) => write!(f, "{message}"),
        }
    }
}

impl std::error::Error for OutputError {}

impl From<Refusal> for OutputError {
    fn from(refusal: Refusal) -> OutputError {
        OutputError::Refused(refusal)
    }
}

/// One picture as a PNG file, on a budget of its own.
///
/// # Errors
/// [`OutputError`] if there is no memory for it.
///
/// ```
/// use gpuzoo_raster::Image;
/// use gpuzoo_scene::output;
///
/// let png = output::png(&Image::new(2, 2, [255, 0, 0, 255])?, false)?;
/// assert_eq!(png[..8], *b"\x89PNG\r\n\x1a\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn png(image: &Image, alpha: bool) -> Result<Vec<u8>, OutputError> {
    let size = (image.width(), image.height());
    let copy = image.copy().map_err(Refusal::from)?;
    let mut movie = Movie::new(Format::Png { alpha, compression: None }, size, 1, 1, &Budget::default())?;
    movie.frame(copy)?.encode()
}

/// A file of pictures.
///
/// ```
/// use gpuzoo_machine::limits::budget::Budget;
/// use gpuzoo_raster::Image;
/// use gpuzoo_scene::output::{Format, Movie};
///
/// let mut movie = Movie::new(Format::Gif, (4, 2), 2, 25, &Budget::default())?;
/// let mut file = movie.start()?;
/// for color in [[255, 0, 0, 255], [0, 0, 255, 255]] {
///     file.extend(movie.frame(Image::new(4, 2, color)?)?.encode()?);
/// }
/// file.extend(movie.end()?);
/// assert!(file.starts_with(b"GIF89a\x04\x00\x02\x00"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Movie {
    encoder: Encoder,
    size: (u32, u32),
    frames: u32,
    /// How many frames there were.
    given: u32,
    budget: Budget,
}

enum Encoder {
    Png(png::Png),
    Gif(Box<gif::Gif>),
    Raw,
}

impl Movie {
    /// A file of so many frames, which are shown over and over, `fps` of them each second.
    ///
    /// # Errors
    /// [`OutputError::Encoder`] for what the format cannot hold, [`OutputError::Count`] for no frames.
    pub fn new(
        format: Format,
        size: (u32, u32),
        frames: u32,
        fps: u32,
        budget: &Budget,
    ) -> Result<Movie, OutputError> {
        if frames == 0 {
            return Err(OutputError::Count);
        }
        let encoder = match format {
            Format::Png { alpha, compression } => {
                let compression = compression.unwrap_or_else(|| Compression::usual(size, frames));
                let fps = fps.clamp(1, u16::MAX.into()) as u16;
                let animation = (frames > 1).then_some((frames, fps));
                Encoder::Png(png::Png { size, alpha, compression, animation, comment: None })
            }
            Format::Gif => Encoder::Gif(Box::new(gif::Gif::new(size, fps)?)),
            Format::Raw => Encoder::Raw,
        };
        Ok(Movie { encoder, size, frames, given: 0, budget: budget.clone() })
    }

    /// The file says this about itself, where its format has a place for texts: 255 bytes of ASCII at most.
    #[must_use]
    pub fn with_comment(mut self, comment: &'static str) -> Movie {
        match &mut self.encoder {
            Encoder::Png(png) => png.comment = Some(comment),
            Encoder::Gif(gif) => gif.comment = Some(comment),
            Encoder::Raw => {}
        }
        self
    }

    /// The bytes before the first frame.
    ///
    /// # Errors
    /// [`OutputError::Encoder`]
    pub fn start(&self) -> Result<Vec<u8>, OutputError> {
        match &self.encoder {
            Encoder::Png(png) => Ok(png.start()),
            Encoder::Gif(gif) => gif.start(self.frames),
            Encoder::Raw => Ok(Vec::new()),
        }
    }

    /// How many bytes a frame takes, beside its pixels, until it is [encoded](Frame::encode); at most, apart from tables of
    /// fixed sizes.
    pub fn frame_memory(&self) -> u64 {
        match &self.encoder {
            Encoder::Png(_) | Encoder::Gif(_) => u64::from(self.size.0) * u64::from(self.size.1) * 4,
            Encoder::Raw => 0,
        }
    }

    /// Takes the next frame.
    ///
    /// # Errors
    /// [`OutputError`] if it has another size, is one too many, or takes too much memory.
    pub fn frame(&mut self, image: Image) -> Result<Frame, OutputError> {
        if (image.width(), image.height()) != self.size {
            return Err(OutputError::Size);
        }
        let number = self.given;
        if number == self.frames {
            return Err(OutputError::Count);
        }
        self.given += 1;
        self.budget.ask(Resource::Memory, self.frame_memory())?;
        Ok(Frame(match &mut self.encoder {
            Encoder::Png(png) => Content::Png(png::Frame { png: *png, image, number }),
            Encoder::Gif(gif) => Content::Gif(gif.frame(&image)?),
            Encoder::Raw => Content::Raw(image),
        }))
    }

    /// The bytes after the last frame.
    ///
    /// # Errors
    /// [`OutputError::Count`] if frames are missing.
    pub fn end(&self) -> Result<Vec<u8>, OutputError> {
        if self.given != self.frames {
            return Err(OutputError::Count);
        }
        Ok(match &self.encoder {
            Encoder::Png(png) => png.end(),
            Encoder::Gif(_) => gif::END.to_vec(),
            Encoder::Raw => Vec::new(),
        })
    }
}

/// A frame whose bytes follow those of the frame before.
pub struct Frame(Content);

enum Content {
    Png(png::Frame),
    Gif(gif::Frame),
    Raw(Image),
}

impl Frame {
    /// The bytes.
    ///
    /// # Errors
    /// [`OutputError::Refused`] if the system has no memory for them, [`OutputError::Encoder`].
    pub fn encode(self) -> Result<Vec<u8>, OutputError> {
        match self.0 {
            Content::Png(frame) => frame.encode(),
            Content::Gif(frame) => frame.encode(),
            Content::Raw(image) => Ok(image.into_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PNG: Format = Format::Png { alpha: false, compression: None };

    fn image(color: [u8; 4]) -> Image {
        let mut image = Image::new(3, 2, [10, 20, 30, 40]).unwrap();
        image.pixels_mut()[4] = color;
        image
    }

    fn file(format: Format, frames: Vec<Image>) -> Vec<u8> {
        let size = (frames[0].width(), frames[0].height());
        let mut movie = Movie::new(format, size, frames.len() as u32, 30, &Budget::default()).unwrap();
        let mut file = movie.start().unwrap();
        frames.into_iter().for_each(|frame| file.extend(movie.frame(frame).unwrap().encode().unwrap()));
        file.extend(movie.end().unwrap());
        file
    }

    #[test]
    fn png_keeps_every_pixel() {
        let kinds = [Compression::Fast, Compression::Balanced, Compression::Best].map(Some);
        for (alpha, compression) in
            [false, true].into_iter().flat_map(|alpha| kinds.map(|kind| (alpha, kind)))
        {
            let bytes = file(Format::Png { alpha, compression }, vec![image([1, 2, 3, 4])]);
            let decoded = image::load_from_memory(&bytes).unwrap().to_rgba8();
            assert_eq!(decoded.dimensions(), (3, 2));
            let opaque = |value| if alpha { value } else { 255 };
            assert_eq!(decoded.get_pixel(1, 1).0, [1, 2, 3, opaque(4)]);
            assert_eq!(decoded.get_pixel(0, 0).0, [10, 20, 30, opaque(40)]);
        }
    }

    /// With what does not become smaller, too.
    #[test]
    fn animated_png_has_all_frames() {
        let frames = [noise(1), noise(2), Image::new(64, 64, [7; 4]).unwrap()];
        for alpha in [false, true] {
            let bytes = file(Format::Png { alpha, compression: None }, frames.to_vec());
            let decoder = ::png::Decoder::new(std::io::Cursor::new(&bytes));
            let mut reader = decoder.read_info().unwrap();
            let control = reader.info().animation_control().copied().unwrap();
            assert_eq!((control.num_frames, control.num_plays), (3, 0));
            for expected in &frames {
                let mut buffer = vec![0; 64 * 64 * if alpha { 4 } else { 3 }];
                reader.next_frame(&mut buffer).unwrap();
                let pixels = expected.pixels().iter();
                let expected: Vec<u8> =
                    pixels.flat_map(|pixel| &pixel[..if alpha { 4 } else { 3 }]).copied().collect();
                assert!(buffer == expected);
                let frame = reader.info().frame_control().unwrap();
                assert_eq!((frame.delay_num, frame.delay_den), (1, 30));
            }
            assert!(reader.finish().is_ok());
        }
    }

    /// Where readers look for it: in a PNG of one picture, of several, and in a GIF.
    #[test]
    fn a_file_can_say_something_about_itself() {
        for (format, frames) in [(PNG, 1), (PNG, 2), (Format::Gif, 1), (Format::Gif, 2)] {
            let movie = Movie::new(format, (3, 2), frames, 30, &Budget::default()).unwrap();
            let mut movie = movie.with_comment("four samples");
            let mut file = movie.start().unwrap();
            for _ in 0..frames {
                file.extend(movie.frame(image([9; 4])).unwrap().encode().unwrap());
            }
            file.extend(movie.end().unwrap());
            match format {
                Format::Gif => {
                    let at = file.windows(15).position(|part| part == b"\x21\xfe\x0cfour samples");
                    assert!(at.is_some() && decoded(&file).len() == frames as usize, "{frames}");
                }
                _ => {
                    let decoder = ::png::Decoder::new(std::io::Cursor::new(&file));
                    let reader = decoder.read_info().unwrap();
                    let texts = &reader.info().uncompressed_latin1_text;
                    let texts: Vec<_> =
                        texts.iter().map(|text| (text.keyword.as_str(), text.text.as_str())).collect();
                    assert_eq!(texts, [("Comment", "four samples")], "{frames}");
                }
            }
        }
    }

    /// The frames of a GIF as red, green, blue, alpha, and their delays.
    fn decoded(bytes: &[u8]) -> Vec<(Vec<u8>, u16)> {
        let mut options = ::gif::DecodeOptions::new();
        options.set_color_output(::gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(bytes).unwrap();
        let next = || decoder.read_next_frame().unwrap().map(|frame| (frame.buffer.to_vec(), frame.delay));
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn gif_has_all_frames_and_exact_colours_if_they_are_few() {
        // As many as there may be, in either order.
        let many = |at: fn(u8) -> u8| {
            let pixels = (0..=255).map(|n| [at(n), 0, 255 - at(n), 0]).collect();
            Image::from_pixels(16, 16, pixels).unwrap()
        };
        for frames in [
            vec![image([1, 2, 3, 0]), image([9, 8, 7, 255])],
            vec![many(|n| n), many(|n| 255 - n), many(|_| 3)],
        ] {
            let delays = [3, 3, 4];
            let found = decoded(&file(Format::Gif, frames.clone()));
            assert_eq!(found.len(), frames.len());
            for ((found, frame), delay) in found.iter().zip(frames).zip(delays) {
                let opaque: Vec<u8> =
                    frame.pixels().iter().flat_map(|[r, g, b, _]| [*r, *g, *b, 255]).collect();
                assert_eq!((&found.0, found.1), (&opaque, delay));
            }
        }
    }

    /// A picture that no encoder makes small.
    fn noise(mut state: u32) -> Image {
        let mut noise = Image::new(64, 64, [0; 4]).unwrap();
        for pixel in noise.pixels_mut() {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *pixel = state.to_be_bytes();
        }
        noise
    }

    #[test]
    fn frames_are_memory_of_the_budget() {
        for format in [PNG, Format::Gif] {
            let take = |memory| {
                let budget = Budget::default().with(Resource::Memory, memory);
                let mut movie = Movie::new(format, (64, 64), 3, 30, &budget).unwrap();
                (0..3).map(|n| movie.frame(noise(n)).and_then(Frame::encode)).find_map(Result::err)
            };
            // Four bytes for each pixel; what was encoded is gone.
            assert!(take(64 * 64 * 4).is_none(), "{format:?}");
            assert!(matches!(take(64 * 64 * 4 - 1), Some(OutputError::Refused(_))), "{format:?}");
        }
    }

    /// What a frame takes is not more than it says, however badly it can be made smaller.
    #[test]
    fn encoded_frames_are_as_small_as_they_say() {
        for format in [PNG, Format::Png { alpha: true, compression: Some(Compression::Best) }, Format::Gif] {
            let mut movie = Movie::new(format, (64, 64), 2, 30, &Budget::default()).unwrap();
            let bytes = movie.frame(noise(1)).unwrap().encode().unwrap();
            // And some hundred bytes for a header, palette and blocks.
            assert!(bytes.len() as u64 <= movie.frame_memory() + 1024, "{format:?}: {}", bytes.len());
        }
    }

    #[test]
    fn frames_that_do_not_fit() {
        let new = |format, size, frames| Movie::new(format, size, frames, 1, &Budget::default());
        assert!(matches!(new(PNG, (3, 2), 0), Err(OutputError::Count)));
        assert!(matches!(new(Format::Gif, (65536, 2), 1), Err(OutputError::Encoder(_))));
        let mut movie = new(PNG, (3, 2), 1).unwrap();
        assert!(matches!(movie.frame(Image::new(2, 3, [0; 4]).unwrap()), Err(OutputError::Size)));
        movie.frame(image([0; 4])).unwrap();
        assert!(matches!(movie.frame(image([0; 4])), Err(OutputError::Count)));
        assert!(matches!(new(PNG, (3, 2), 2).unwrap().end(), Err(OutputError::Count)));
    }

    #[test]
    fn animations_and_big_pictures_are_fast() {
        use Compression::{Balanced, Fast};
        let of = |size, frames| Compression::usual(size, frames);
        assert_eq!([of((1024, 1024), 1), of((1025, 1024), 1), of((4, 4), 2)], [Balanced, Fast, Fast]);
        assert_eq!(of((65536, 65536), 1), Fast);
    }
}
