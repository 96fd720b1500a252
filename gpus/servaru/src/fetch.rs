//! Vertex input: floats, interleaved (spec section G1). Missing components are 0, 0, 0, 1 (spec section B, item 9).

use crate::regs::INPUTS;
use gpuzoo_ir::{Vec4, vec4};
use gpuzoo_machine::unit::layout::{Attribute, Layout, VertexFormat, to_words, words};
use gpuzoo_machine::vertex_format;

/// The formats.
pub static FORMATS: &[VertexFormat] = &[
    vertex_format!("FLOAT1", 4, floats, to_floats, "(x, 0, 0, 1)"),
    vertex_format!("FLOAT2", 8, floats, to_floats, "(x, y, 0, 1)"),
    vertex_format!("FLOAT3", 12, floats, to_floats, "(x, y, z, 1)"),
    vertex_format!("FLOAT4", 16, floats, to_floats, "(x, y, z, w)"),
];

/// What an input without attribute reads.
static ABSENT: VertexFormat = vertex_format!("ABSENT", 0, floats, to_floats, "(0, 0, 0, 1)");

fn floats(bytes: &[u8]) -> Vec4 {
    words(bytes, vec4([0.0, 0.0, 0.0, 1.0]))
}

fn to_floats(components: [f32; 4]) -> [u8; 16] {
    to_words(components.map(f32::to_bits))
}

/// Position, normal and texture coordinates as floats, 32 bytes a vertex: a common layout, since the machine starts
/// with none.
pub fn default_layout() -> Layout {
    let attribute = |input, offset, format: usize| Attribute { input, offset, format: &FORMATS[format] };
    Layout { stride: 32, attributes: vec![attribute(0, 0, 2), attribute(1, 12, 2), attribute(2, 24, 1)] }
}

/// A layout in which the inputs that it does not name read (0, 0, 0, 1).
pub fn complete(mut layout: Layout) -> Layout {
    for input in 0..INPUTS {
        if !layout.attributes.iter().any(|attribute| attribute.input == input) {
            layout.attributes.push(Attribute { input, offset: 0, format: &ABSENT });
        }
    }
    layout
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_components_and_attributes() {
        let layout =
            Layout { stride: 8, attributes: vec![Attribute { input: 2, offset: 0, format: &FORMATS[1] }] };
        let bytes: Vec<u8> = [5.0f32, 6.0].iter().flat_map(|component| component.to_le_bytes()).collect();
        let mut inputs = [[9; 4]; 9];
        complete(layout).fetch(&bytes, 0, &mut inputs);
        assert_eq!(inputs[2], vec4([5.0, 6.0, 0.0, 1.0]));
        assert!([0, 1, 3, 8].iter().all(|&input| inputs[input] == vec4([0.0, 0.0, 0.0, 1.0])));
    }
}
