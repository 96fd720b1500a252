//! PNG, and animated PNG, whose frames are chunks of their own.

use super::{Compression, OutputError};
use ::png::{BitDepth, ColorType, Encoder, EncodingError};
use gpuzoo_machine::limits::memory;
use gpuzoo_raster::Image;

impl From<EncodingError> for OutputError {
    fn from(error: EncodingError) -> OutputError {
        OutputError::Encoder(error.to_string())
    }
}

/// The first bytes of a file.
const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// The keyword of a text for people.
const COMMENT: &str = "Comment";

/// What a picture's file, or an animation's, is like.
#[derive(Clone, Copy)]
pub(super) struct Png {
    pub size: (u32, u32),
    pub alpha: bool,
    pub compression: Compression,
    /// Of an animation, how many frames it has and how many of them are shown a second.
    pub animation: Option<(u32, u16)>,
    /// What the file says about itself.
    pub comment: Option<&'static str>,
}

impl Png {
    /// What comes before the frames. A single picture is a file by itself.
    pub fn start(&self) -> Vec<u8> {
        let Some((frames, _)) = self.animation else { return Vec::new() };
        let mut bytes = SIGNATURE.to_vec();
        let color = if self.alpha { ColorType::Rgba } else { ColorType::Rgb };
        let about = [BitDepth::Eight as u8, color as u8, 0, 0, 0];
        let (width, height) = (self.size.0.to_be_bytes(), self.size.1.to_be_bytes());
        chunk(&mut bytes, b"IHDR", &[&width, &height, &about]);
        // Over and over.
        chunk(&mut bytes, b"acTL", &[&frames.to_be_bytes(), &0u32.to_be_bytes()]);
        if let Some(comment) = self.comment {
            chunk(&mut bytes, b"tEXt", &[COMMENT.as_bytes(), &[0], comment.as_bytes()]);
        }
        bytes
    }

    /// What comes after the frames.
    pub fn end(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        if self.animation.is_some() {
            chunk(&mut bytes, b"IEND", &[]);
        }
        bytes
    }
}

/// A picture, which is the frame of this number.
pub(super) struct Frame {
    pub png: Png,
    pub image: Image,
    pub number: u32,
}

impl Frame {
    pub fn encode(self) -> Result<Vec<u8>, OutputError> {
        let Frame { png, image, number } = self;
        let pixels = if png.alpha { image.into_bytes() } else { without_alpha(image.into_bytes()) };
        let still = still(&png, &pixels)?;
        drop(pixels);
        let Some((_, fps)) = png.animation else { return Ok(still) };
        let mut bytes = memory::room(still.len() + 128)?;
        // Control and data of all frames are numbered together, but for the data of the first, which are the picture where
        // animations are not known.
        let last = number.saturating_mul(2).to_be_bytes();
        let control = number.saturating_mul(2).saturating_sub(1).to_be_bytes();
        let (width, height) = (png.size.0.to_be_bytes(), png.size.1.to_be_bytes());
        let (left, top, delay) = ([0; 4], [0; 4], [1u16.to_be_bytes(), fps.to_be_bytes()]);
        // It is left as it is afterwards, and replaces what was there.
        let (disposal, blending) = ([0], [0]);
        let of_frame: [&[u8]; 8] =
            [&control, &width, &height, &left, &top, delay.as_flattened(), &disposal, &blending];
        chunk(&mut bytes, b"fcTL", &of_frame);
        let mut data = image_data(&still);
        if number > 0 {
            data.insert(0, &last);
        }
        chunk(&mut bytes, if number > 0 { b"fdAT" } else { b"IDAT" }, &data);
        Ok(bytes)
    }
}

/// The first three of every four bytes.
fn without_alpha(mut bytes: Vec<u8>) -> Vec<u8> {
    let pixels = bytes.len() / 4;
    for pixel in 0..pixels {
        // The fourth byte comes to lie where it or the next pixel was, and is written over.
        bytes.copy_within(4 * pixel..4 * pixel + 4, 3 * pixel);
    }
    bytes.truncate(3 * pixels);
    bytes
}

/// Adds a chunk, whose data come in parts.
fn chunk(bytes: &mut Vec<u8>, name: &[u8; 4], data: &[&[u8]]) {
    let length: usize = data.iter().map(|part| part.len()).sum();
    bytes.extend((length as u32).to_be_bytes());
    let start = bytes.len();
    bytes.extend(name);
    data.iter().for_each(|part| bytes.extend(*part));
    let sum = crc32fast::hash(&bytes[start..]);
    bytes.extend(sum.to_be_bytes());
}

/// The compressed pixels of a file.
fn image_data(file: &[u8]) -> Vec<&[u8]> {
    let (mut rest, mut all) = (file.get(SIGNATURE.len()..).unwrap_or_default(), Vec::new());
    while let Some((head, behind)) = rest.split_first_chunk::<8>() {
        let [a, b, c, d, name @ ..] = *head;
        let Some((data, behind)) = behind.split_at_checked(u32::from_be_bytes([a, b, c, d]) as usize) else {
            break;
        };
        if name == *b"IDAT" {
            all.push(data);
        }
        rest = behind.get(4..).unwrap_or_default();
    }
    all
}

/// A picture as a file.
fn still(png: &Png, pixels: &[u8]) -> Result<Vec<u8>, OutputError> {
    let Png { size: (width, height), alpha, compression, .. } = *png;
    // The encoder stores what it cannot make smaller.
    let mut file = memory::room(pixels.len() + pixels.len() / 8 + (1 << 12))?;
    let mut encoder = Encoder::new(&mut file, width, height);
    encoder.set_color(if alpha { ColorType::Rgba } else { ColorType::Rgb });
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(match compression {
        Compression::Fast => ::png::Compression::Fast,
        Compression::Balanced => ::png::Compression::Balanced,
        Compression::Best => ::png::Compression::High,
    });
    if let Some(comment) = png.comment {
        encoder.add_text_chunk(COMMENT.to_owned(), comment.to_owned())?;
    }
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(file)
}
