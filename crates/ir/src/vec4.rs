//! Vectors of four components.

/// Four components of 32 bits, x first.
pub type Vec4 = [u32; 4];

/// Bits of four floats.
///
/// ```
/// assert_eq!(gpuzoo_ir::vec4([1.0, 0.0, 0.0, -0.0]), [0x3f800000, 0, 0, 0x80000000]);
/// ```
pub fn vec4(components: [f32; 4]) -> Vec4 {
    components.map(f32::to_bits)
}
