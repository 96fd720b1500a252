//! Pictures, depth buffers, and the pair that a draw writes to.

use crate::notes::{Note, Notes};
use crate::size::{SizeError, checked_len, filled};

/// A picture: RGBA, 8 bits each, rows from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    width: u32,
    height: u32,
    pixels: Vec<[u8; 4]>,
}

impl Image {
    /// A picture of one colour.
    ///
    /// # Errors
    /// [`SizeError`] for an empty picture, one over the limits, and one for which there is no memory.
    pub fn new(width: u32, height: u32, color: [u8; 4]) -> Result<Image, SizeError> {
        let len = checked_len(width, height, 4)?;
        Ok(Image { width, height, pixels: filled(color, len)? })
    }

    /// A picture from its pixels, row by row from the top.
    ///
    /// # Errors
    /// [`SizeError`] as for [`Image::new`], and if there are not `width * height` pixels.
    pub fn from_pixels(width: u32, height: u32, pixels: Vec<[u8; 4]>) -> Result<Image, SizeError> {
        let expected = checked_len(width, height, 4)?;
        if pixels.len() != expected {
            return Err(SizeError::Data { expected, found: pixels.len() });
        }
        Ok(Image { width, height, pixels })
    }

    /// A picture whose size has been checked with its pixels.
    pub(crate) fn of_checked(width: u32, height: u32, pixels: Vec<[u8; 4]>) -> Image {
        Image { width, height, pixels }
    }

    /// Pixels in a row.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// All pixels, row by row from the top.
    pub fn pixels(&self) -> &[[u8; 4]] {
        &self.pixels
    }

    /// All pixels, to write.
    pub fn pixels_mut(&mut self) -> &mut [[u8; 4]] {
        &mut self.pixels
    }

    /// The bytes R, G, B, A of all pixels.
    pub fn bytes(&self) -> &[u8] {
        self.pixels.as_flattened()
    }

    /// The same bytes, without the picture.
    pub fn into_bytes(self) -> Vec<u8> {
        self.pixels.into_flattened()
    }

    /// All pixels, without the picture.
    pub fn into_pixels(self) -> Vec<[u8; 4]> {
        self.pixels
    }

    /// A second picture like it.
    ///
    /// # Errors
    /// [`SizeError::Memory`]
    pub fn copy(&self) -> Result<Image, SizeError> {
        let mut pixels = filled([0; 4], self.pixels.len())?;
        pixels.copy_from_slice(&self.pixels);
        Ok(Image { pixels, ..*self })
    }

    /// A picture whose pixels are the means of `side` × `side` pixels of this one: of each byte as it is, rounded to the
    /// nearest and up from the middle. Columns and rows beyond the last whole one are left out.
    ///
    /// ```
    /// use gpuzoo_raster::Image;
    /// let image = Image::from_pixels(2, 2, vec![[0; 4], [1; 4], [1; 4], [0, 1, 0, 255]])?;
    /// // (0 + 1 + 1 + 0) / 4 is half way and goes up; 257 / 4 is 64.25.
    /// assert_eq!(image.mean(2)?.pixels(), [[1, 1, 1, 64]]);
    /// # Ok::<(), gpuzoo_raster::SizeError>(())
    /// ```
    ///
    /// # Errors
    /// [`SizeError`] if nothing is left, or there is no memory for it.
    pub fn mean(&self, side: u32) -> Result<Image, SizeError> {
        let side = side.max(1);
        let mut small = Image::new(self.width / side, self.height / side, [0; 4])?;
        let (wide, count) = (small.width as usize, u64::from(side) * u64::from(side));
        let own = side as usize;
        for (number, pixel) in small.pixels.iter_mut().enumerate() {
            let first = number / wide * own * self.width as usize + number % wide * own;
            let rows = (0..own).map(|row| first + row * self.width as usize);
            let box_ = rows.flat_map(|start| &self.pixels[start..start + own]);
            let mut sums = [0u64; 4];
            for found in box_ {
                sums.iter_mut().zip(found).for_each(|(sum, byte)| *sum += u64::from(*byte));
            }
            *pixel = sums.map(|sum| ((sum + count / 2) / count) as u8);
        }
        Ok(small)
    }

    /// One pixel; `None` outside.
    pub fn get(&self, x: u32, y: u32) -> Option<[u8; 4]> {
        let inside = x < self.width && y < self.height;
        inside.then(|| self.pixels[y as usize * self.width as usize + x as usize])
    }

    /// Sets every pixel.
    pub fn fill(&mut self, color: [u8; 4]) {
        self.pixels.fill(color);
    }
}

/// A depth for every pixel, as 32-bit floats.
#[derive(Clone, Debug, PartialEq)]
pub struct DepthBuffer {
    width: u32,
    height: u32,
    values: Vec<f32>,
}

impl DepthBuffer {
    /// A buffer of one depth.
    ///
    /// # Errors
    /// [`SizeError`] for an empty buffer or one over the limits.
    pub fn new(width: u32, height: u32, depth: f32) -> Result<DepthBuffer, SizeError> {
        let len = checked_len(width, height, 4)?;
        Ok(DepthBuffer { width, height, values: filled(depth, len)? })
    }

    /// All depths, row by row from the top.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// All depths, to write.
    pub fn values_mut(&mut self) -> &mut [f32] {
        &mut self.values
    }

    /// One depth; `None` outside.
    pub fn get(&self, x: u32, y: u32) -> Option<f32> {
        let inside = x < self.width && y < self.height;
        inside.then(|| self.values[y as usize * self.width as usize + x as usize])
    }

    /// Sets every depth.
    pub fn fill(&mut self, depth: f32) {
        self.values.fill(depth);
    }
}

/// What a draw writes to: colour and depth of the same size.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    color: Image,
    depth: DepthBuffer,
    notes: Option<Notes>,
}

impl Target {
    /// A transparent black target with depth 1 everywhere.
    ///
    /// # Errors
    /// [`SizeError`] for an empty target or one over the limits.
    pub fn new(width: u32, height: u32) -> Result<Target, SizeError> {
        Target::cleared(width, height, [0; 4], 1.0)
    }

    /// A target with this colour and depth everywhere.
    ///
    /// # Errors
    /// As for [`Target::new`].
    pub fn cleared(width: u32, height: u32, color: [u8; 4], depth: f32) -> Result<Target, SizeError> {
        let (color, depth) = (Image::new(width, height, color)?, DepthBuffer::new(width, height, depth)?);
        Ok(Target { color, depth, notes: None })
    }

    /// Pixels in a row.
    pub fn width(&self) -> u32 {
        self.color.width
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.color.height
    }

    /// The picture.
    pub fn color(&self) -> &Image {
        &self.color
    }

    /// The picture, to write.
    pub fn color_mut(&mut self) -> &mut Image {
        &mut self.color
    }

    /// The depths.
    pub fn depth(&self) -> &DepthBuffer {
        &self.depth
    }

    /// The depths, to write.
    pub fn depth_mut(&mut self) -> &mut DepthBuffer {
        &mut self.depth
    }

    /// The picture, without the depths.
    pub fn into_image(self) -> Image {
        self.color
    }

    /// Sets every pixel and every depth.
    pub fn clear(&mut self, color: [u8; 4], depth: f32) {
        self.color.fill(color);
        self.depth.fill(depth);
    }

    /// From now on draws note what happens at each pixel, for a [`View`](crate::View). It costs time and memory.
    ///
    /// # Errors
    /// [`SizeError::Memory`]
    pub fn take_notes(&mut self) -> Result<(), SizeError> {
        self.notes = Some(Notes::new(self.color.pixels.len())?);
        Ok(())
    }

    /// What draws have noted, if notes are taken.
    pub fn notes(&self) -> Option<&Notes> {
        self.notes.as_ref()
    }

    /// The notes, to write.
    pub fn notes_mut(&mut self) -> Option<&mut Notes> {
        self.notes.as_mut()
    }

    /// Pixels, depths and notes at once, to write.
    pub(crate) fn planes_mut(&mut self) -> (&mut [[u8; 4]], &mut [f32], Option<&mut [Note]>) {
        let notes = self.notes.as_mut().map(|notes| notes.pixels.as_mut_slice());
        (&mut self.color.pixels, &mut self.depth.values, notes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_at_and_over_the_limits() {
        assert_eq!(checked_len(0, 0, 4), Err(SizeError::Empty));
        assert_eq!(checked_len(1, 0, 4), Err(SizeError::Empty));
        assert_eq!(checked_len(16384, 4096, 4), Ok(1 << 26));
        assert_eq!(checked_len(16385, 1, 4), Err(SizeError::Side { asked: 16385 }));
        assert_eq!(checked_len(16384, 4097, 4), Err(SizeError::Bytes { asked: (1 << 28) + (1 << 16) }));
        assert_eq!(checked_len(100_000, 100_000, 4), Err(SizeError::Side { asked: 100_000 }));
        assert_eq!(checked_len(u32::MAX, u32::MAX, 16), Err(SizeError::Side { asked: u32::MAX }));
        assert_eq!(filled([0u8; 4], usize::MAX / 8), Err(SizeError::Memory { asked: u64::MAX / 8 * 4 }));
        assert!(Target::new(16384, 1).is_ok());
        assert!(Target::new(1, 16384).is_ok());
        let wrong = Image::from_pixels(2, 2, vec![[0; 4]; 3]);
        assert_eq!(wrong, Err(SizeError::Data { expected: 4, found: 3 }));
    }

    #[test]
    fn pixels_are_rows_from_the_top() {
        let mut image = Image::new(3, 2, [1, 2, 3, 4]).unwrap();
        image.pixels_mut()[5] = [9; 4];
        assert_eq!(image.get(2, 1), Some([9; 4]));
        assert_eq!(image.get(3, 1), None);
        assert_eq!(image.get(0, 2), None);
        assert_eq!(image.bytes()[..5], [1, 2, 3, 4, 1]);
        assert_eq!(image.copy(), Ok(image));
    }

    /// Three columns and two rows, numbered row by row: nothing beyond a row's end is the next row's beginning.
    #[test]
    fn what_lies_outside_has_no_pixel_and_no_depth() {
        let image = Image::from_pixels(3, 2, (0..6).map(|number| [number; 4]).collect()).unwrap();
        let mut depths = DepthBuffer::new(3, 2, 9.0).unwrap();
        depths.values_mut().iter_mut().zip(0u8..).for_each(|(depth, number)| *depth = number.into());
        for y in 0..4 {
            for x in 0..5 {
                let number = (x < 3 && y < 2).then_some((3 * y + x) as u8);
                assert_eq!(image.get(x, y), number.map(|number| [number; 4]), "({x}, {y})");
                assert_eq!(depths.get(x, y), number.map(f32::from), "({x}, {y})");
            }
        }
        depths.fill(0.5);
        assert_eq!(depths.values(), [0.5; 6]);
    }
}
