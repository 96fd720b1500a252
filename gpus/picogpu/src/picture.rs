//! The pictures of vector files, which are PNGs: read with the feature `png`, refused without it.

#[cfg(feature = "png")]
pub(crate) use with_png::pixels;

/// The pixels of a PNG as words, red in the lowest byte.
#[cfg(not(feature = "png"))]
pub(crate) fn pixels(_: &[u8], _: u32, _: u32) -> Result<Vec<u32>, String> {
    Err("this build reads no pictures: it lacks gpuzoo-picogpu's feature `png`".to_owned())
}

#[cfg(feature = "png")]
mod with_png {
    /// The pixels of a PNG as words, red in the lowest byte.
    pub(crate) fn pixels(file: &[u8], width: u32, height: u32) -> Result<Vec<u32>, String> {
        let wrong = |error: png::DecodingError| format!("the picture cannot be read: {error}");
        let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().map_err(wrong)?;
        let info = reader.info();
        if (info.width, info.height) != (width, height) {
            return Err(format!("the picture is {} × {}, not {width} × {height}", info.width, info.height));
        }
        let mut pixels = vec![0; reader.output_buffer_size().ok_or("the picture is too large")?];
        let frame = reader.next_frame(&mut pixels).map_err(wrong)?;
        let pixels = &pixels[..frame.buffer_size()];
        match (frame.color_type, frame.bit_depth) {
            (png::ColorType::Rgba, png::BitDepth::Eight) => {
                Ok(pixels.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect())
            }
            // What has no alpha is opaque.
            (png::ColorType::Rgb, png::BitDepth::Eight) => {
                let words = pixels.as_chunks::<3>().0.iter();
                Ok(words.map(|[red, green, blue]| u32::from_le_bytes([*red, *green, *blue, 0xff])).collect())
            }
            _ => {
                Err("the picture must have red, green and blue of 8 bits each, and alpha or none".to_owned())
            }
        }
    }
}
