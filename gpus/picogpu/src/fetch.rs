//! How a scene may store vertices. The machine itself reads words and has no formats: before a draw the attributes are
//! packed as the vertex shader declares them.

use gpuzoo_ir::Vec4;
use gpuzoo_machine::unit::layout::{Attribute, Layout, VertexFormat, to_words, words};
use gpuzoo_machine::vertex_format;

/// The formats.
pub static FORMATS: &[VertexFormat] = &[
    vertex_format!("float1", 4, decode, floats, "one float; the other components are zeros"),
    vertex_format!("float2", 8, decode, floats, "two floats; the other components are zeros"),
    vertex_format!("float3", 12, decode, floats, "three floats; w is zero"),
    vertex_format!("float4", 16, decode, floats, "four floats"),
    vertex_format!("int1", 4, decode, ints, "one 32-bit integer; a mesh's number without its fraction"),
    vertex_format!("int2", 8, decode, ints, "two 32-bit integers"),
    vertex_format!("int3", 12, decode, ints, "three 32-bit integers"),
    vertex_format!("int4", 16, decode, ints, "four 32-bit integers"),
];

/// Registers have no type: all formats are words.
fn decode(bytes: &[u8]) -> Vec4 {
    words(bytes, [0; 4])
}

fn floats(components: [f32; 4]) -> [u8; 16] {
    to_words(components.map(f32::to_bits))
}

fn ints(components: [f32; 4]) -> [u8; 16] {
    // Conversion brings what does not fit to the nearest that does, NaN to 0.
    to_words(components.map(|component| component as i32 as u32))
}

/// Position, normal and colour as most shaders want them.
pub fn default_layout() -> Layout {
    let attribute = |input: u16| Attribute { input, offset: u32::from(input) * 12, format: &FORMATS[2] };
    Layout { stride: 36, attributes: (0..3).map(attribute).collect() }
}
