//! Limits of sizes, and memory that may not be there.

use std::fmt;

/// The longest side of an image, a depth buffer or a texture, in pixels.
pub const MAX_SIDE: u32 = 16384;

/// The most bytes that one image, depth buffer or texture level may take: 256 MiB, which is 8192 × 8192 RGBA8.
pub const MAX_BYTES: usize = 256 << 20;

/// Why something with a width and a height cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeError {
    /// A side is 0.
    Empty,
    /// A side is longer than [`MAX_SIDE`].
    Side {
        /// The length that was asked for, in pixels.
        asked: u32,
    },
    /// It takes more than [`MAX_BYTES`].
    Bytes {
        /// The bytes that it would take.
        asked: u64,
    },
    /// The system does not give so much memory.
    Memory {
        /// The bytes that were asked for.
        asked: u64,
    },
    /// The data that came with the size does not fit it.
    Data {
        /// The number of elements that the size calls for.
        expected: usize,
        /// The number that came.
        found: usize,
    },
}

impl fmt::Display for SizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SizeError::Empty => write!(f, "width and height must be at least 1"),
            SizeError::Side { asked } => write!(f, "a side of {asked} is longer than {MAX_SIDE}"),
            SizeError::Bytes { asked } => write!(f, "{asked} bytes are more than {MAX_BYTES}"),
            SizeError::Memory { asked } => write!(f, "the system does not provide {asked} bytes of memory"),
            SizeError::Data { expected, found } => {
                write!(f, "the size needs {expected} elements, not {found}")
            }
        }
    }
}

impl std::error::Error for SizeError {}

/// The number of elements of `element_bytes` bytes that `width` × `height` takes, if that is within the limits.
pub(crate) fn checked_len(width: u32, height: u32, element_bytes: usize) -> Result<usize, SizeError> {
    if width == 0 || height == 0 {
        return Err(SizeError::Empty);
    }
    let asked = width.max(height);
    if asked > MAX_SIDE {
        return Err(SizeError::Side { asked });
    }
    let len = width as usize * height as usize;
    let bytes = len as u64 * element_bytes as u64;
    if bytes > MAX_BYTES as u64 { Err(SizeError::Bytes { asked: bytes }) } else { Ok(len) }
}

/// The first `count` of some values, if there is memory for them.
pub(crate) fn collected<T>(count: usize, values: impl IntoIterator<Item = T>) -> Result<Vec<T>, SizeError> {
    let mut all = Vec::new();
    let asked = (count as u64).saturating_mul(size_of::<T>() as u64);
    all.try_reserve_exact(count).map_err(|_| SizeError::Memory { asked })?;
    all.extend(values.into_iter().take(count));
    Ok(all)
}

/// So many times a value, if there is memory for that.
pub(crate) fn filled<T: Clone>(value: T, count: usize) -> Result<Vec<T>, SizeError> {
    collected(count, std::iter::repeat_n(value, count))
}
