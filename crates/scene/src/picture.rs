//! Pictures from files, PNG or JPEG: a whole picture or an error, never a part of one.

use crate::size::check_size;
use gpuzoo_machine::limits::budget::{Budget, Refusal, Resource};
use gpuzoo_raster::{Image, MAX_SIDE};
use image::{ImageFormat, ImageReader, Limits, RgbImage, RgbaImage, imageops};
use std::io::Cursor;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// Why a file gives no picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// It is not a whole picture: a reason that can stand behind "it cannot be read:".
    Broken(String),
    /// It takes more than may be used.
    Refused(Refusal),
}

impl std::fmt::Display for Unreadable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unreadable::Broken(reason) => f.write_str(reason),
            Unreadable::Refused(refusal) => refusal.fmt(f),
        }
    }
}

impl std::error::Error for Unreadable {}

impl From<String> for Unreadable {
    fn from(reason: String) -> Unreadable {
        Unreadable::Broken(reason)
    }
}

impl From<Refusal> for Unreadable {
    fn from(refusal: Refusal) -> Unreadable {
        Unreadable::Refused(refusal)
    }
}

/// The pixels of a PNG or JPEG file. Decoding asks for memory on the budget.
///
/// # Errors
/// Why there are none.
pub fn picture(bytes: &[u8], budget: &Budget) -> Result<Image, Unreadable> {
    sized(bytes, None, budget)
}

/// The same, brought to a size.
pub(crate) fn sized(bytes: &[u8], size: Option<(u32, u32)>, budget: &Budget) -> Result<Image, Unreadable> {
    // What is decoded, in the file's form and as RGBA.
    let ask = |(width, height): (u32, u32)| {
        let pixels = u64::from(width) * u64::from(height);
        budget.ask(Resource::Memory, pixels * 8)
    };
    let broken = |reason: &str| Err(Unreadable::Broken(reason.to_owned()));
    let mut picture = match image::guess_format(bytes) {
        Ok(ImageFormat::Png) => png(bytes, &ask)?,
        Ok(ImageFormat::Jpeg) => jpeg(bytes, &ask)?,
        Ok(other) => {
            let name = other.extensions_str().first().unwrap_or(&"").to_uppercase();
            return broken(&format!("it is a {name} file, and pictures are read from PNG and JPEG files"));
        }
        Err(_) if bytes.is_empty() => return broken("the file is empty"),
        Err(_) => return broken("it is neither a PNG nor a JPEG file"),
    };
    if let Some((width, height)) = size.filter(|size| *size != picture.dimensions()) {
        // Before anything is allocated for it, four floats a pixel on the way.
        check_size((width, height)).map_err(|problem| problem.message)?;
        let between = u64::from(picture.width().max(width)) * u64::from(picture.height().max(height));
        budget.ask(Resource::Memory, between.saturating_mul(16))?;
        picture = imageops::resize(&picture, width, height, imageops::FilterType::Triangle);
    }
    let (width, height) = picture.dimensions();
    let (bytes, count) = (picture.into_raw(), width as usize * height as usize);
    let pixels = budget.collect(count, bytes.as_chunks::<4>().0.iter().copied())?;
    Ok(Image::from_pixels(width, height, pixels).map_err(|error| error.to_string())?)
}

/// The most bytes of a PNG's pixel: four channels of 16 bits, and the same as it is stored.
const MOST_OF_A_PIXEL: u64 = 16;

/// The bytes that a PNG may take beside its pixels and twice its file: profiles and texts that are larger than they are packed.
/// None of them is used.
const MOST_BESIDE: u64 = 1 << 16;

/// Whether there is memory for a picture of a size.
type Ask<'a> = dyn Fn((u32, u32)) -> Result<(), Refusal> + 'a;

fn png(bytes: &[u8], ask: &Ask) -> Result<RgbaImage, Unreadable> {
    let reader = |pixels: u64| {
        let mut reader = ImageReader::with_format(Cursor::new(bytes), ImageFormat::Png);
        let mut limits = Limits::default();
        limits.max_image_width = Some(MAX_SIDE);
        limits.max_image_height = Some(MAX_SIDE);
        limits.max_alloc = Some(pixels * MOST_OF_A_PIXEL + 2 * bytes.len() as u64 + MOST_BESIDE);
        reader.limits(limits);
        reader
    };
    let size = reader(0).into_dimensions().map_err(|error| error.to_string())?;
    check_size(size).map_err(|problem| problem.message)?;
    ask(size)?;
    let pixels = u64::from(size.0) * u64::from(size.1);
    Ok(reader(pixels).decode().map(|picture| picture.into_rgba8()).map_err(|error| error.to_string())?)
}

/// Decoders draw what is missing of a JPEG grey. This one is strict, and what it does not notice is checked here.
fn jpeg(bytes: &[u8], ask: &Ask) -> Result<RgbaImage, Unreadable> {
    if !has_end(bytes) {
        return Err("the JPEG is cut off, its end is missing".to_owned().into());
    }
    let options = DecoderOptions::default().set_strict_mode(true).jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    let damaged = |reason: &str| format!("the JPEG is damaged: {}", reason.trim());
    decoder.decode_headers().map_err(|error| damaged(&error.to_string()))?;
    let (width, height) = decoder.dimensions().unwrap_or_default();
    let [width, height] = [width, height].map(|side| u32::try_from(side).unwrap_or(u32::MAX));
    check_size((width, height)).map_err(|problem| damaged(&problem.message))?;
    ask((width, height))?;
    let pixels = decoder.decode().map_err(|error| damaged(&error.to_string()))?;
    let picture = RgbImage::from_raw(width, height, pixels).ok_or_else(|| damaged("pixels are missing"))?;
    Ok(image::DynamicImage::from(picture).into_rgba8())
}

/// Whether a JPEG reaches its end-of-image marker (ITU-T T.81, B.1.1). In segments, which have a length, two bytes that
/// look like one are none; in coded data there are no such.
fn has_end(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    while let Some(at) = rest.windows(2).position(|pair| pair[0] == 0xff && !matches!(pair[1], 0 | 0xff)) {
        let (marker, behind) = (rest[at + 1], &rest[at + 2..]);
        rest = match (marker, behind) {
            (0xd9, _) => return true,
            // These stand alone: TEM, the restarts and the start.
            (0x01 | 0xd0..=0xd8, _) => behind,
            (_, [high, low, ..]) => {
                behind.get(usize::from(u16::from_be_bytes([*high, *low]))..).unwrap_or_default()
            }
            _ => return false,
        };
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(bytes: &[u8]) -> Result<Image, String> {
        super::picture(bytes, &Budget::default()).map_err(|error| error.to_string())
    }

    const BASELINE: &[u8] = include_bytes!("../tests/pictures/baseline.jpg");
    const PROGRESSIVE: &[u8] = include_bytes!("../tests/pictures/progressive.jpg");

    /// A PNG of as many colours as it has pixels.
    fn small_png() -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        let picture = RgbaImage::from_fn(20, 18, |x, y| image::Rgba([x as u8, y as u8, (x * y) as u8, 200]));
        picture.write_to(&mut bytes, ImageFormat::Png).unwrap();
        bytes.into_inner()
    }

    #[test]
    fn a_picture_that_is_cut_is_an_error_or_the_same_picture() {
        for whole in [BASELINE.to_vec(), PROGRESSIVE.to_vec(), small_png()] {
            let full = picture(&whole).unwrap();
            assert_eq!((full.width(), full.height()), (20, 18));
            for length in 0..whole.len() {
                if let Ok(cut) = picture(&whole[..length]) {
                    assert_eq!(cut, full, "cut to {length} of {} bytes", whole.len());
                }
            }
            // What is behind the end does not matter.
            let longer = [&whole[..], b"\xff\xd8 more"].concat();
            assert_eq!(picture(&longer).unwrap(), full);
        }
        for whole in [BASELINE, PROGRESSIVE] {
            assert!((0..whole.len()).all(|length| picture(&whole[..length]).is_err()));
        }
    }

    /// A thumbnail in a segment has an end of its own, which is not the picture's.
    #[test]
    fn the_end_of_a_thumbnail_is_not_the_end() {
        let thumbnail =
            [&[0xff, 0xe2, 0, 8, 0xff, 0xd8, 0xff, 0xd9, 0xff, 0xd9][..], &BASELINE[2..]].concat();
        let with = |end: usize| picture(&[&BASELINE[..2], &thumbnail[..end]].concat());
        assert_eq!(with(thumbnail.len()).unwrap(), picture(BASELINE).unwrap());
        assert!(with(thumbnail.len() - 2).is_err());
    }

    #[test]
    fn damage_inside_is_an_error() {
        // The markers are all there, the rest of the coded data is ones, which are no Huffman code.
        let mut damaged = BASELINE.to_vec();
        let (from, to) = (damaged.len() - 200, damaged.len() - 2);
        damaged[from..to].as_chunks_mut::<2>().0.fill([0xff, 0]);
        assert!(picture(&damaged).unwrap_err().starts_with("the JPEG is damaged"));
        // Every byte of a PNG is in a checksum, or its change gives another format or length.
        let (whole, mut changed) = (small_png(), small_png());
        let full = picture(&whole).unwrap();
        for at in 0..whole.len() {
            changed[at] ^= 0x10;
            assert!(picture(&changed).map_or(true, |picture| picture == full), "byte {at}");
            changed[at] = whole[at];
        }
    }

    /// Decoding takes 8 bytes for each of the 20 x 18 pixels; another size, 16 for each pixel of a picture that is as wide
    /// as the wider and as high as the higher one.
    #[test]
    fn resizing_is_memory_of_the_budget() {
        let whole = small_png();
        let fits = |size, memory: u64| {
            let budget = Budget::default().with(Resource::Memory, memory);
            super::sized(&whole, size, &budget).map(|picture| (picture.width(), picture.height())).ok()
        };
        for size in [None, Some((20, 18))] {
            assert_eq!([fits(size, 8 * 360), fits(size, 8 * 360 - 1)], [Some((20, 18)), None]);
        }
        for (size, between) in
            [((5, 40), 20 * 40), ((40, 5), 40 * 18), ((10, 9), 20 * 18), ((40, 36), 40 * 36)]
        {
            assert_eq!(fits(Some(size), 16 * between), Some(size));
            assert_eq!(fits(Some(size), 16 * between - 1), None, "{size:?}");
        }
    }

    #[test]
    fn other_formats_are_named() {
        assert_eq!(
            picture(b"BM\x36\0\0\0\0\0\0\0").unwrap_err(),
            "it is a BMP file, and pictures are read from PNG and JPEG files"
        );
        assert_eq!(picture(b"RIFF\0\0\0\0WEBPVP8 ").unwrap_err().split(' ').nth(3), Some("WEBP"));
        assert_eq!(picture(b"\0\0\x02\0\0\0\0\0").unwrap_err(), "it is neither a PNG nor a JPEG file");
        assert_eq!(picture(b"").unwrap_err(), "the file is empty");
    }
}
