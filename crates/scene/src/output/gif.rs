//! GIF: frames of at most 256 colours each.

use super::OutputError;
use super::palette::{Indexed, Palettes};
use ::gif::{Encoder, EncodingError, Extension, Repeat};
use gpuzoo_machine::limits::budget::Refusal;
use gpuzoo_machine::limits::memory;
use gpuzoo_raster::Image;

impl From<EncodingError> for OutputError {
    fn from(error: EncodingError) -> OutputError {
        OutputError::Encoder(error.to_string())
    }
}

/// A GIF file of which frames are made.
pub(super) struct Gif {
    size: (u16, u16),
    delays: Delays,
    palettes: Palettes,
    /// What the file says about itself.
    pub comment: Option<&'static str>,
}

impl Gif {
    pub fn new((width, height): (u32, u32), fps: u32) -> Result<Gif, OutputError> {
        let side = |side| u16::try_from(side).map_err(|_| OutputError::Encoder("too large for GIF".into()));
        let delays = Delays { fps: fps.max(1), shown: 0 };
        Ok(Gif { size: (side(width)?, side(height)?), delays, palettes: Palettes::default(), comment: None })
    }

    /// What comes before the frames; several are shown over and over.
    pub fn start(&self, frames: u32) -> Result<Vec<u8>, OutputError> {
        let mut encoder = Encoder::new(Vec::new(), self.size.0, self.size.1, &[])?;
        if frames > 1 {
            encoder.set_repeat(Repeat::Infinite)?;
        }
        if let Some(comment) = self.comment {
            encoder.write_raw_extension(Extension::Comment.into(), &[comment.as_bytes()])?;
        }
        without_end(encoder)
    }

    pub fn frame(&mut self, image: &Image) -> Result<Frame, OutputError> {
        let (Indexed { palette, indices }, delay) = (self.palettes.next(image.pixels())?, self.delays.next());
        Ok(Frame { size: self.size, palette, indices, delay })
    }
}

/// What comes after the frames.
pub(super) const END: [u8; 1] = [0x3b];

/// A frame as places in a palette.
pub(super) struct Frame {
    size: (u16, u16),
    palette: Vec<u8>,
    indices: Vec<u8>,
    delay: u16,
}

impl Frame {
    pub fn encode(self) -> Result<Vec<u8>, OutputError> {
        let Frame { size: (width, height), palette, indices, delay } = self;
        // Codes have at most twelve bits, in blocks of 255 bytes, of which each has one more for its length.
        let mut encoder = Encoder::new(memory::room((1 << 12) + indices.len() * 2)?, width, height, &[])?;
        encoder.get_mut().clear();
        let asked = Refusal::System { bytes: indices.len() as u64 };
        let frame = ::gif::Frame {
            width,
            height,
            delay,
            palette: Some(palette),
            buffer: indices.into(),
            ..::gif::Frame::default()
        };
        encoder.write_frame(&frame).map_err(|error| match error {
            EncodingError::OutOfMemory => OutputError::Refused(asked),
            other => other.into(),
        })?;
        without_end(encoder)
    }
}

/// The bytes of a file so far. To drop the encoder would not say whether it could write its end.
fn without_end(encoder: Encoder<Vec<u8>>) -> Result<Vec<u8>, OutputError> {
    let mut bytes = encoder.into_inner()?;
    bytes.truncate(bytes.len().saturating_sub(END.len()));
    Ok(bytes)
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

    #[test]
    fn delays_add_up() {
        let mut delays = Delays { fps: 30, shown: 0 };
        assert_eq!((0..30).map(|_| delays.next()).sum::<u16>(), 100);
    }

    /// No rate is that of one frame a second.
    #[test]
    fn delays_are_hundredths_of_a_second() {
        for (fps, expected) in
            [(0, [100; 3]), (1, [100; 3]), (3, [33, 33, 34]), (50, [2; 3]), (100, [1; 3]), (200, [0, 1, 0])]
        {
            let mut gif = Gif::new((1, 1), fps).unwrap();
            let mut delay = || gif.frame(&Image::new(1, 1, [0; 4]).unwrap()).unwrap().delay;
            assert_eq!([delay(), delay(), delay()], expected, "{fps}");
        }
    }

    /// The extension that browsers look for, with 0 for "without end", is in a file of several frames alone.
    #[test]
    fn several_frames_are_shown_over_and_over() {
        let repeats = |frames: u32| {
            let start = Gif::new((3, 2), 10).unwrap().start(frames).unwrap();
            assert!(start.starts_with(b"GIF89a\x03\0\x02\0"));
            let extension = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0";
            start.windows(extension.len()).any(|part| part == extension)
        };
        assert_eq!([1, 2, 3, 100].map(repeats), [false, true, true, true]);
    }
}
