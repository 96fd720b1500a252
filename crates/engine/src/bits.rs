//! Floats as the bits that they are, where they lie.

use gpuzoo_ir::Vec4;

const _: () = assert!(size_of::<f32>() == size_of::<u32>() && align_of::<f32>() == align_of::<u32>());

/// The bits of vectors of floats.
///
/// ```
/// assert_eq!(gpuzoo_engine::bits::of(&[[1.0, -0.0, 0.5, 2.0]])[0][..2], [0x3f80_0000, 0x8000_0000]);
/// ```
pub fn of(floats: &[[f32; 4]]) -> &[Vec4] {
    // SAFETY: f32 and u32 have the same size and alignment, and all bits are values of both; so have arrays of them. The
    // slice has the same length and lifetime.
    unsafe { std::slice::from_raw_parts(floats.as_ptr().cast(), floats.len()) }
}

/// Floats from their bits.
///
/// ```
/// assert_eq!(gpuzoo_engine::bits::floats(&[0x3f80_0000, 0]), [1.0, 0.0]);
/// ```
pub fn floats(bits: &[u32]) -> &[f32] {
    // SAFETY: as above.
    unsafe { std::slice::from_raw_parts(bits.as_ptr().cast(), bits.len()) }
}

/// Floats whose bits are read later, to be written.
///
/// ```
/// let mut bits = [0; 2];
/// gpuzoo_engine::bits::floats_mut(&mut bits)[1] = 1.0;
/// assert_eq!(bits, [0, 0x3f80_0000]);
/// ```
pub fn floats_mut(bits: &mut [u32]) -> &mut [f32] {
    // SAFETY: as above; nothing else has the bits while the floats are borrowed.
    unsafe { std::slice::from_raw_parts_mut(bits.as_mut_ptr().cast(), bits.len()) }
}

/// The bits of floats, to be written.
///
/// ```
/// let mut floats = [0.0; 2];
/// gpuzoo_engine::bits::of_mut(&mut floats)[1] = 0x3f80_0000;
/// assert_eq!(floats, [0.0, 1.0]);
/// ```
pub fn of_mut(floats: &mut [f32]) -> &mut [u32] {
    // SAFETY: as above; nothing else has the floats while the bits are borrowed.
    unsafe { std::slice::from_raw_parts_mut(floats.as_mut_ptr().cast(), floats.len()) }
}
