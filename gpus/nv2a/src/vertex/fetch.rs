//! Vertex attribute formats, by their Direct3D 8 names on the Xbox.
//!
//! Missing components are 0, and w is 1. `NORMPACKED3` is the machine's 11-11-10 format for normals.

use gpuzoo_ir::{Vec4, vec4};
use gpuzoo_machine::unit::layout::{Attribute, Layout, VertexFormat, to_words, words};
use gpuzoo_machine::vertex_format;

/// The formats.
pub static FORMATS: &[VertexFormat] = &[
    vertex_format!("FLOAT1", 4, floats, to_floats, "(x, 0, 0, 1)"),
    vertex_format!("FLOAT2", 8, floats, to_floats, "(x, y, 0, 1)"),
    vertex_format!("FLOAT3", 12, floats, to_floats, "(x, y, z, 1)"),
    vertex_format!("FLOAT4", 16, floats, to_floats, "(x, y, z, w)"),
    vertex_format!("D3DCOLOR", 4, color, to_color, "bytes blue, green, red, alpha / 255, as (r, g, b, a)"),
    vertex_format!("SHORT2", 4, shorts, to_shorts, "two signed 16-bit integers as floats"),
    vertex_format!("SHORT4", 8, shorts, to_shorts, "four signed 16-bit integers as floats"),
    vertex_format!(
        "NORMSHORT2",
        4,
        norm_shorts,
        to_norm_shorts,
        "two signed 16-bit integers / 32767, not below -1"
    ),
    vertex_format!(
        "NORMSHORT4",
        8,
        norm_shorts,
        to_norm_shorts,
        "four signed 16-bit integers / 32767, not below -1"
    ),
    vertex_format!(
        "NORMPACKED3",
        4,
        packed,
        to_packed,
        "11, 11 and 10 signed bits from the lowest up, / 1023, 1023 and 511",
    ),
];

/// Types of attributes, as the machine numbers them (`NV097_SET_VERTEX_DATA_ARRAY_FORMAT`, bits 3:0).
pub const D3D_BYTES: u32 = 0;
/// Signed 16-bit integers, normalized.
pub const NORM_SHORTS: u32 = 1;
/// Bytes, red first.
pub const BYTES: u32 = 4;
/// Signed 16-bit integers.
pub const SHORTS: u32 = 5;
/// 11, 11 and 10 bits.
pub const PACKED: u32 = 6;

/// An attribute of one of the machine's types, in as many bytes as it has; other types are floats.
pub fn decode(kind: u32, bytes: &[u8]) -> Vec4 {
    match kind {
        D3D_BYTES => color(bytes),
        NORM_SHORTS => norm_shorts(bytes),
        BYTES => {
            let mut components = start();
            for (component, byte) in components.iter_mut().zip(bytes) {
                *component = (f32::from(*byte) / 255.0).to_bits();
            }
            components
        }
        SHORTS => shorts(bytes),
        PACKED => packed(bytes),
        _ => floats(bytes),
    }
}

fn start() -> Vec4 {
    vec4([0.0, 0.0, 0.0, 1.0])
}

fn floats(bytes: &[u8]) -> Vec4 {
    words(bytes, start())
}

fn to_floats(components: [f32; 4]) -> [u8; 16] {
    to_words(components.map(f32::to_bits))
}

fn collect(bytes: impl Iterator<Item = u8>) -> [u8; 16] {
    let mut all = [0; 16];
    all.iter_mut().zip(bytes).for_each(|(out, byte)| *out = byte);
    all
}

/// `as` takes NaN to 0 and clamps.
fn to_color([r, g, b, a]: [f32; 4]) -> [u8; 16] {
    collect([b, g, r, a].into_iter().map(|component| (component * 255.0 + 0.5) as u8))
}

fn color(bytes: &[u8]) -> Vec4 {
    let component = |index: usize| f32::from(bytes.get(index).copied().unwrap_or(0)) / 255.0;
    vec4([component(2), component(1), component(0), component(3)])
}

fn short_components(bytes: &[u8], convert: impl Fn(i16) -> f32) -> Vec4 {
    let mut components = start();
    for (component, bytes) in components.iter_mut().zip(bytes.as_chunks::<2>().0) {
        *component = convert(i16::from_le_bytes(*bytes)).to_bits();
    }
    components
}

fn shorts(bytes: &[u8]) -> Vec4 {
    short_components(bytes, f32::from)
}

fn norm_shorts(bytes: &[u8]) -> Vec4 {
    short_components(bytes, |short| (f32::from(short) / 32767.0).max(-1.0))
}

fn round(component: f32) -> f32 {
    component + 0.5_f32.copysign(component)
}

fn to_shorts(components: [f32; 4]) -> [u8; 16] {
    collect(components.into_iter().flat_map(|component| (round(component) as i16).to_le_bytes()))
}

fn to_norm_shorts(components: [f32; 4]) -> [u8; 16] {
    to_shorts(components.map(|component| component.clamp(-1.0, 1.0) * 32767.0))
}

fn packed(bytes: &[u8]) -> Vec4 {
    let mut word = [0; 4];
    word.iter_mut().zip(bytes).for_each(|(out, byte)| *out = *byte);
    let word = i32::from_le_bytes(word);
    let component = |left: u32, right: u32, most: f32| ((word << left) >> right) as f32 / most;
    vec4([component(21, 21, 1023.0), component(10, 21, 1023.0), component(0, 22, 511.0), 1.0])
}

fn to_packed([x, y, z, _]: [f32; 4]) -> [u8; 16] {
    let field = |component: f32, most: f32, bits: u32| {
        (round(component.clamp(-1.0, 1.0) * most) as i32 as u32) & ((1 << bits) - 1)
    };
    let word = field(x, 1023.0, 11) | field(y, 1023.0, 11) << 11 | field(z, 511.0, 10) << 22;
    collect(word.to_le_bytes().into_iter())
}

/// Position, normal and texture coordinates as floats, 32 bytes a vertex: a common layout, since the machine itself
/// starts with none.
pub fn default_layout() -> Layout {
    let attribute = |input, offset, format: usize| Attribute { input, offset, format: &FORMATS[format] };
    Layout { stride: 32, attributes: vec![attribute(0, 0, 2), attribute(2, 12, 2), attribute(9, 24, 1)] }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(name: &str, bytes: &[u8]) -> [f32; 4] {
        let format = FORMATS.iter().find(|format| format.name == name).unwrap();
        assert_eq!(format.bytes as usize, bytes.len());
        (format.decode)(bytes).map(f32::from_bits)
    }

    #[test]
    fn formats_decode_as_documented() {
        assert_eq!(decoded("FLOAT1", &2f32.to_le_bytes()), [2.0, 0.0, 0.0, 1.0]);
        assert_eq!(decoded("D3DCOLOR", &[0, 51, 255, 102]), [1.0, 0.2, 0.0, 0.4]);
        assert_eq!(decoded("SHORT2", &[0xff, 0xff, 5, 1]), [-1.0, 261.0, 0.0, 1.0]);
        assert_eq!(decoded("NORMSHORT2", &[0xff, 0x7f, 0, 0x80]), [1.0, -1.0, 0.0, 1.0]);
        // x = 1023 (0x3ff), y = -1023 (0x401), z = 511 (0x1ff)
        let word: u32 = 0x3ff | 0x401 << 11 | 0x1ff << 22;
        assert_eq!(decoded("NORMPACKED3", &word.to_le_bytes()), [1.0, -1.0, 1.0, 1.0]);
    }

    /// To the nearest, and from a half away from zero; beyond the range to its end.
    #[test]
    fn encodings_by_hand() {
        let shorts = |name: &str, components| -> Vec<i16> {
            let format = FORMATS.iter().find(|format| format.name == name).unwrap();
            (format.encode)(components)
                .as_chunks::<2>()
                .0
                .iter()
                .map(|bytes| i16::from_le_bytes(*bytes))
                .collect()
        };
        assert_eq!(shorts("SHORT4", [2.5, -2.5, 2.4, -2.4])[..4], [3, -3, 2, -2]);
        // 0.25 × 32767 is 8191.75, and 0.4 × 32767 is 13106.8.
        assert_eq!(shorts("NORMSHORT4", [0.25, -0.4, 7.0, -7.0])[..4], [8192, -13107, 32767, -32767]);
        // 127.5 and 63.75
        assert_eq!(to_color([0.5, 0.25, 2.0, -1.0])[..4], [255, 64, 128, 0]);
        // 0.25 × 1023 is 255.75, -0.4 × 1023 is -409.2, and 0.25 × 511 is 127.75.
        let word = 256 | (0x800 - 409) << 11 | 128 << 22;
        assert_eq!(to_packed([0.25, -0.4, 0.25, 9.0])[..4], u32::to_le_bytes(word));
        assert_eq!(
            to_packed([9.0, -9.0, -0.25, 0.0])[..4],
            u32::to_le_bytes(0x3ff | 0x401 << 11 | (0x400 - 128) << 22)
        );
    }

    #[test]
    fn what_is_encoded_decodes() {
        for format in FORMATS {
            let components = [1.0, -1.0, 0.0, 1.0]
                .map(|component: f32| if format.name == "D3DCOLOR" { component.abs() } else { component });
            let bytes = (format.encode)(components);
            let back = (format.decode)(&bytes[..format.bytes as usize]).map(f32::from_bits);
            let given = match format.name {
                "FLOAT1" => 1,
                "FLOAT2" | "SHORT2" | "NORMSHORT2" => 2,
                "FLOAT3" | "NORMPACKED3" => 3,
                _ => 4,
            };
            assert_eq!(back[..given], components[..given], "{}", format.name);
        }
    }
}
