//! How a scene may store vertices. The machine itself reads words and has no formats: before a draw the attributes are
//! packed as the vertex shader declares them.

use gpuzoo_ir::Vec4;
use gpuzoo_machine::layout::{Attribute, Layout, VertexFormat};
use gpuzoo_machine::vertex_format;

/// The formats.
pub static FORMATS: &[VertexFormat] = &[
    vertex_format!("float1", 4, words, floats, "one float; the other components are zeros"),
    vertex_format!("float2", 8, words, floats, "two floats; the other components are zeros"),
    vertex_format!("float3", 12, words, floats, "three floats; w is zero"),
    vertex_format!("float4", 16, words, floats, "four floats"),
    vertex_format!("int1", 4, words, ints, "one 32-bit integer; a mesh's number without its fraction"),
    vertex_format!("int2", 8, words, ints, "two 32-bit integers"),
    vertex_format!("int3", 12, words, ints, "three 32-bit integers"),
    vertex_format!("int4", 16, words, ints, "four 32-bit integers"),
];

/// Registers have no type: all formats are words.
fn words(bytes: &[u8]) -> Vec4 {
    let mut lanes = [0; 4];
    for (lane, bytes) in lanes.iter_mut().zip(bytes.as_chunks::<4>().0) {
        *lane = u32::from_le_bytes(*bytes);
    }
    lanes
}

fn store(words: [u32; 4]) -> [u8; 16] {
    let mut all = [0; 16];
    all.iter_mut().zip(words.into_iter().flat_map(u32::to_le_bytes)).for_each(|(to, byte)| *to = byte);
    all
}

fn floats(lanes: [f32; 4]) -> [u8; 16] {
    store(lanes.map(f32::to_bits))
}

fn ints(lanes: [f32; 4]) -> [u8; 16] {
    // Conversion brings what does not fit to the nearest that does, NaN to 0.
    store(lanes.map(|lane| lane as i32 as u32))
}

/// Position, normal and colour as most shaders want them.
pub fn default_layout() -> Layout {
    let attribute = |slot: u16| Attribute { slot, offset: u32::from(slot) * 12, format: &FORMATS[2] };
    Layout { stride: 36, attributes: (0..3).map(attribute).collect() }
}
