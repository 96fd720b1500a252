//! Reading pictures.

use std::path::Path;

/// The pixels of a PNG, four bytes each.
pub fn rgba(path: &Path) -> Vec<u8> {
    let file = std::io::BufReader::new(std::fs::File::open(path).expect("the picture"));
    let mut decoder = png::Decoder::new(file);
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::ALPHA);
    let mut reader = decoder.read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut pixels).expect("a picture");
    pixels.truncate(info.buffer_size());
    match info.color_type {
        png::ColorType::Rgba => pixels,
        png::ColorType::GrayscaleAlpha => {
            pixels.chunks_exact(2).flat_map(|p| [p[0], p[0], p[0], p[1]]).collect()
        }
        other => panic!("{other:?} after expansion"),
    }
}
