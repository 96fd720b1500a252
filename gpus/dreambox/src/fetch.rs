//! Vertex input (spec section 5): six formats, from one interleaved little-endian buffer.

use gpuzoo_ir::{Vec4, vec4};
use gpuzoo_machine::unit::layout::{Attribute, Layout, VertexFormat, to_words, words};
use gpuzoo_machine::vertex_format;

/// The formats, by the number that the runtime's API gives them.
pub static FORMATS: &[VertexFormat] = &[
    vertex_format!("Float1", 4, floats, to_floats, "(x, 0, 0, 1)"),
    vertex_format!("Float2", 8, floats, to_floats, "(x, y, 0, 1)"),
    vertex_format!("Float3", 12, floats, to_floats, "(x, y, z, 1)"),
    vertex_format!("Float4", 16, floats, to_floats, "(x, y, z, w)"),
    vertex_format!("UNorm4", 4, unorm, to_unorm, "bytes / 255"),
    vertex_format!("SNorm4", 4, snorm, to_snorm, "signed bytes / 127, not below -1"),
];

fn floats(bytes: &[u8]) -> Vec4 {
    words(bytes, vec4([0.0, 0.0, 0.0, 1.0]))
}

fn to_floats(components: [f32; 4]) -> [u8; 16] {
    to_words(components.map(f32::to_bits))
}

fn byte_components(bytes: &[u8], convert: impl Fn(u8) -> f32) -> Vec4 {
    let mut components = [0; 4];
    for (component, byte) in components.iter_mut().zip(bytes) {
        *component = convert(*byte).to_bits();
    }
    components
}

fn unorm(bytes: &[u8]) -> Vec4 {
    byte_components(bytes, |byte| f32::from(byte) / 255.0)
}

fn snorm(bytes: &[u8]) -> Vec4 {
    byte_components(bytes, |byte| (f32::from(byte as i8) / 127.0).max(-1.0))
}

/// Rounds to the nearest byte; `as` takes NaN to 0 and clamps.
fn to_unorm(components: [f32; 4]) -> [u8; 16] {
    first_four(components.map(|component| (component * 255.0 + 0.5) as u8))
}

fn to_snorm(components: [f32; 4]) -> [u8; 16] {
    let round = |component: f32| (component.clamp(-1.0, 1.0) * 127.0 + 0.5_f32.copysign(component)) as i8;
    first_four(components.map(|component| round(component) as u8))
}

fn first_four(four: [u8; 4]) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes[..4].copy_from_slice(&four);
    bytes
}

/// The format of a name.
pub fn format(name: &str) -> Option<&'static VertexFormat> {
    FORMATS.iter().find(|format| format.name == name)
}

/// The layout after power-on: packed 32-byte vertices. Inputs that nothing sets read one float at offset 0.
pub fn default_layout() -> Layout {
    let attribute = |input, offset, format: usize| Attribute { input, offset, format: &FORMATS[format] };
    let set = [attribute(0, 0, 3), attribute(1, 16, 1), attribute(2, 24, 4), attribute(3, 28, 4)];
    with_unset_inputs(&Layout { stride: 32, attributes: set.into() })
}

/// A layout in which the inputs that it does not name read one float at offset 0, as they do on the console.
pub fn with_unset_inputs(layout: &Layout) -> Layout {
    let named = |input| layout.attributes.iter().any(|attribute| attribute.input == input);
    let unset = (0..8).filter(|&input| !named(input)).map(|input| Attribute {
        input,
        offset: 0,
        format: &FORMATS[0],
    });
    Layout { stride: layout.stride, attributes: layout.attributes.iter().copied().chain(unset).collect() }
}
