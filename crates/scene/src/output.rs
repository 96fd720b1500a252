//! Pictures and animations as files: PNG, animated PNG, GIF.
//!
//! A screen has no alpha: what a machine leaves in the alpha channel is not seen. So pictures are opaque unless alpha
//! is asked for. Raw bytes, alpha included, are [`Image::bytes`].

use gpuzoo_machine::budget::{Budget, Refusal, Resource};
use gpuzoo_raster::Image;
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

/// A file format for one picture or several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// PNG; with more than one frame an animated PNG.
    Png {
        /// Keep the alpha channel.
        alpha: bool,
    },
    /// GIF, at most 256 colours a frame.
    Gif,
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

impl From<png::EncodingError> for OutputError {
    fn from(error: png::EncodingError) -> OutputError {
        match &error {
            png::EncodingError::IoError(io) => Refusal::of(io).map(OutputError::Refused),
            _ => None,
        }
        .unwrap_or_else(|| OutputError::Encoder(error.to_string()))
    }
}

impl From<gif::EncodingError> for OutputError {
    fn from(error: gif::EncodingError) -> OutputError {
        match &error {
            gif::EncodingError::Io(io) => Refusal::of(io).map(OutputError::Refused),
            _ => None,
        }
        .unwrap_or_else(|| OutputError::Encoder(error.to_string()))
    }
}

impl From<Refusal> for OutputError {
    fn from(refusal: Refusal) -> OutputError {
        OutputError::Refused(refusal)
    }
}

/// One picture as a PNG file, on a budget of its own.
///
/// # Errors
/// [`OutputError::Encoder`]
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
    let mut movie =
        Movie::new(Format::Png { alpha }, image.width(), image.height(), 1, 1, &Budget::default())?;
    movie.frame(image)?;
    movie.finish()
}

/// A file that is written frame by frame.
pub struct Movie {
    encoder: Encoder,
    size: (u32, u32),
    left: u32,
    budget: Budget,
}

enum Encoder {
    Png { writer: Box<png::Writer<Shared>>, bytes: Shared, alpha: bool },
    Gif { encoder: Box<gif::Encoder<Shared>>, bytes: Shared, delays: Delays },
}

impl Movie {
    /// A file of so many frames, which are shown over and over, `fps` of them each second. Its bytes are memory of the
    /// budget.
    ///
    /// # Errors
    /// [`OutputError::Encoder`] for what the format cannot hold, [`OutputError::Count`] for no frames.
    pub fn new(
        format: Format,
        width: u32,
        height: u32,
        frames: u32,
        fps: u32,
        budget: &Budget,
    ) -> Result<Movie, OutputError> {
        if frames == 0 {
            return Err(OutputError::Count);
        }
        let encoder = match format {
            Format::Png { alpha } => {
                let bytes = Shared::new(budget);
                let mut encoder = png::Encoder::new(bytes.clone(), width, height);
                encoder.set_color(if alpha { png::ColorType::Rgba } else { png::ColorType::Rgb });
                encoder.set_depth(png::BitDepth::Eight);
                if frames > 1 {
                    encoder.set_animated(frames, 0)?;
                    encoder.set_frame_delay(1, fps.clamp(1, u16::MAX.into()) as u16)?;
                }
                Encoder::Png { writer: Box::new(encoder.write_header()?), bytes, alpha }
            }
            Format::Gif => {
                let side =
                    |side| u16::try_from(side).map_err(|_| OutputError::Encoder("too large for GIF".into()));
                let bytes = Shared::new(budget);
                let mut encoder = gif::Encoder::new(bytes.clone(), side(width)?, side(height)?, &[])?;
                if frames > 1 {
                    encoder.set_repeat(gif::Repeat::Infinite)?;
                }
                let delays = Delays { fps: fps.max(1), shown: 0 };
                Encoder::Gif { encoder: Box::new(encoder), bytes, delays }
            }
        };
        Ok(Movie { encoder, size: (width, height), left: frames, budget: budget.clone() })
    }

    /// Adds a frame.
    ///
    /// # Errors
    /// [`OutputError`] if it has another size, is one too many, or takes too much memory.
    pub fn frame(&mut self, image: &Image) -> Result<(), OutputError> {
        if (image.width(), image.height()) != self.size {
            return Err(OutputError::Size);
        }
        self.left = self.left.checked_sub(1).ok_or(OutputError::Count)?;
        match &mut self.encoder {
            Encoder::Png { writer, alpha: true, .. } => writer.write_image_data(image.bytes())?,
            Encoder::Png { writer, .. } => {
                let pixels = image.pixels().iter();
                let rgb =
                    self.budget.collect(pixels.len() * 3, pixels.flat_map(|[r, g, b, _]| [*r, *g, *b]))?;
                writer.write_image_data(&rgb)?;
            }
            Encoder::Gif { encoder, delays, .. } => {
                let (width, height) = (self.size.0 as u16, self.size.1 as u16);
                let pixels = image.pixels().iter();
                let opaque = pixels.clone().flat_map(|[r, g, b, _]| [*r, *g, *b, 255]);
                let mut opaque = self.budget.collect(pixels.len() * 4, opaque)?;
                // 10 of 30: good colours in reasonable time.
                let mut frame = gif::Frame::from_rgba_speed(width, height, &mut opaque, 10);
                frame.delay = delays.next();
                encoder.write_frame(&frame)?;
            }
        }
        Ok(())
    }

    /// The file's bytes.
    ///
    /// # Errors
    /// [`OutputError::Count`] if frames are missing.
    pub fn finish(self) -> Result<Vec<u8>, OutputError> {
        if self.left != 0 {
            return Err(OutputError::Count);
        }
        match self.encoder {
            Encoder::Png { writer, bytes, .. } => {
                writer.finish()?;
                Ok(bytes.take())
            }
            Encoder::Gif { encoder, bytes, .. } => {
                // Dropping it would write the end, too, and not say whether that worked.
                encoder.into_inner()?;
                Ok(bytes.take())
            }
        }
    }
}

/// Bytes that outlive the PNG writer, which does not give its sink back. They are memory of a budget.
#[derive(Clone)]
struct Shared {
    bytes: Rc<RefCell<Vec<u8>>>,
    budget: Budget,
}

impl Shared {
    fn new(budget: &Budget) -> Shared {
        Shared { bytes: Rc::default(), budget: budget.clone() }
    }

    fn take(&self) -> Vec<u8> {
        self.bytes.take()
    }
}

impl std::io::Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let more = bytes.len();
        self.budget.spend(Resource::Memory, more as u64)?;
        let mut all = self.bytes.borrow_mut();
        all.try_reserve(more).map_err(|_| Refusal::System { bytes: more as u64 })?;
        all.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Delays of frames in hundredths of a second, such that frames are shown at their time however odd the rate.
struct Delays {
    fps: u32,
    shown: u32,
}

impl Delays {
    fn next(&mut self) -> u16 {
        let at = |frame: u32| u64::from(frame) * 100 / u64::from(self.fps);
        self.shown += 1;
        (at(self.shown) - at(self.shown - 1)).min(u16::MAX.into()) as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(color: [u8; 4]) -> Image {
        let mut image = Image::new(3, 2, [10, 20, 30, 40]).unwrap();
        image.pixels_mut()[4] = color;
        image
    }

    fn movie(format: Format, frames: &[Image]) -> Vec<u8> {
        let mut movie = Movie::new(format, 3, 2, frames.len() as u32, 30, &Budget::default()).unwrap();
        frames.iter().for_each(|frame| movie.frame(frame).unwrap());
        movie.finish().unwrap()
    }

    #[test]
    fn png_keeps_every_pixel() {
        for alpha in [false, true] {
            let bytes = png(&image([1, 2, 3, 4]), alpha).unwrap();
            let decoded = image::load_from_memory(&bytes).unwrap().to_rgba8();
            assert_eq!(decoded.dimensions(), (3, 2));
            let opaque = |value| if alpha { value } else { 255 };
            assert_eq!(decoded.get_pixel(1, 1).0, [1, 2, 3, opaque(4)]);
            assert_eq!(decoded.get_pixel(0, 0).0, [10, 20, 30, opaque(40)]);
        }
    }

    #[test]
    fn animated_png_has_all_frames() {
        let bytes = movie(Format::Png { alpha: true }, &[image([1; 4]), image([2; 4]), image([3; 4])]);
        let decoder = png::Decoder::new(std::io::Cursor::new(&bytes));
        let mut reader = decoder.read_info().unwrap();
        let control = reader.info().animation_control().copied().unwrap();
        assert_eq!((control.num_frames, control.num_plays), (3, 0));
        for expected in 1..=3 {
            let mut buffer = vec![0; 24];
            reader.next_frame(&mut buffer).unwrap();
            assert_eq!(buffer[16..20], [expected; 4]);
            let frame = reader.info().frame_control().unwrap();
            assert_eq!((frame.delay_num, frame.delay_den), (1, 30));
        }
    }

    #[test]
    fn gif_has_all_frames_and_exact_colours_if_they_are_few() {
        let bytes = movie(Format::Gif, &[image([1, 2, 3, 0]), image([9, 8, 7, 255])]);
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(&bytes[..]).unwrap();
        let mut delays = Vec::new();
        for expected in [[1, 2, 3, 255], [9, 8, 7, 255]] {
            let frame = decoder.read_next_frame().unwrap().unwrap();
            assert_eq!(frame.buffer[16..20], expected);
            delays.push(frame.delay);
        }
        assert!(decoder.read_next_frame().unwrap().is_none());
        assert_eq!(delays, [3, 3]);
        let mut delays = Delays { fps: 30, shown: 0 };
        assert_eq!((0..30).map(|_| delays.next()).sum::<u16>(), 100);
    }

    #[test]
    fn files_are_memory_of_the_budget() {
        // Frames that no encoder makes small.
        let mut noise = Image::new(64, 64, [0; 4]).unwrap();
        let mut state = 1u32;
        for pixel in noise.pixels_mut() {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *pixel = state.to_be_bytes();
        }
        for format in [Format::Png { alpha: false }, Format::Gif] {
            let budget = Budget::default().with(Resource::Memory, 50_000);
            let mut movie = Movie::new(format, 64, 64, 1000, 30, &budget).unwrap();
            let refused = (0..1000).map(|_| movie.frame(&noise)).find_map(Result::err);
            assert!(matches!(refused, Some(OutputError::Refused(_))), "{format:?}: {refused:?}");
        }
    }

    #[test]
    fn frames_that_do_not_fit() {
        let format = Format::Png { alpha: false };
        assert!(matches!(Movie::new(format, 3, 2, 0, 1, &Budget::default()), Err(OutputError::Count)));
        assert!(Movie::new(format, 0, 2, 1, 1, &Budget::default()).is_err());
        assert!(Movie::new(Format::Gif, 65536, 2, 1, 1, &Budget::default()).is_err());
        let mut movie = Movie::new(format, 3, 2, 1, 1, &Budget::default()).unwrap();
        assert!(matches!(movie.frame(&Image::new(2, 3, [0; 4]).unwrap()), Err(OutputError::Size)));
        movie.frame(&image([0; 4])).unwrap();
        assert!(matches!(movie.frame(&image([0; 4])), Err(OutputError::Count)));
        let movie = Movie::new(format, 3, 2, 2, 1, &Budget::default()).unwrap();
        assert!(matches!(movie.finish(), Err(OutputError::Count)));
    }
}
