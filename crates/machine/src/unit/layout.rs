//! Vertex buffers: formats, layouts, and reading vertices through them.

use gpuzoo_diag::{Diagnostic, Span, counted};
use gpuzoo_ir::Vec4;

gpuzoo_diag::codes! {
    BEYOND_STRIDE = "R0201", "attribute reaches beyond the stride",
        "An attribute's offset and size must lie inside one vertex: offset + bytes ≤ stride. Otherwise it would read \
         the next vertex, and beyond the buffer for the last one.";
    REMAINDER = "R0202", "vertex buffer is not a multiple of the stride",
        "The number of vertices is the buffer's length divided by the stride; the bytes that are left over are not \
         drawn. That usually means that the stride is wrong.";
    ZERO_STRIDE = "R0203", "stride is zero",
        "A vertex has at least one byte, so that the buffer holds a finite number.";
    NO_SUCH_INPUT = "R0204", "no such vertex input",
        "The machine has fewer vertex inputs than this number.";
}

/// How an attribute is stored. [`vertex_format!`](crate::vertex_format) makes one.
#[derive(Clone, Copy)]
pub struct VertexFormat {
    /// The machine's own name for it.
    pub name: &'static str,
    /// Its size.
    pub bytes: u32,
    /// From exactly `bytes` bytes to what the program reads.
    pub decode: fn(&[u8]) -> Vec4,
    /// The same for many vertices, to columns: [`Column::decode`] with the two above.
    pub decode_column: fn(Column, [&mut [u32]; 4]),
    /// From four floats to bytes, the first `bytes` of the sixteen; for building buffers from meshes.
    pub encode: fn([f32; 4]) -> [u8; 16],
    /// What it is, for the reference.
    pub doc: &'static str,
}

/// A [`VertexFormat`] of a name, a number of bytes, the functions `decode` and `encode`, and a text.
///
/// ```
/// use gpuzoo_machine::unit::layout::VertexFormat;
/// fn decode(bytes: &[u8]) -> [u32; 4] {
///     [bytes.first().map_or(0, |byte| u32::from(*byte)), 0, 0, 0]
/// }
/// static BYTE: VertexFormat = gpuzoo_machine::vertex_format!("BYTE", 1, decode, |_| [0; 16], "one integer");
/// assert_eq!((BYTE.decode)(&[7]), [7, 0, 0, 0]);
/// ```
#[macro_export]
macro_rules! vertex_format {
    ($name:expr, $bytes:literal, $decode:expr, $encode:expr, $doc:expr $(,)?) => {
        $crate::unit::layout::VertexFormat {
            name: $name,
            bytes: $bytes,
            decode: $decode,
            decode_column: |column, to| column.decode::<$bytes>(to, $decode),
            encode: $encode,
            doc: $doc,
        }
    };
}

/// 32-bit words from component x on, lowest byte first; components for which there are no bytes are those of `missing`.
///
/// ```
/// use gpuzoo_machine::unit::layout::words;
/// assert_eq!(words(&[1, 0, 0, 0, 0, 1, 0, 0], [7; 4]), [1, 256, 7, 7]);
/// ```
#[inline]
pub fn words(bytes: &[u8], missing: Vec4) -> Vec4 {
    let mut components = missing;
    for (component, bytes) in components.iter_mut().zip(bytes.as_chunks::<4>().0) {
        *component = u32::from_le_bytes(*bytes);
    }
    components
}

/// The bytes of four words, as [`words`] reads them.
#[inline]
pub fn to_words(components: Vec4) -> [u8; 16] {
    let mut bytes = [0; 16];
    for (out, component) in bytes.as_chunks_mut().0.iter_mut().zip(components) {
        *out = component.to_le_bytes();
    }
    bytes
}

/// An attribute of successive vertices in a buffer.
#[derive(Clone, Copy, Debug)]
pub struct Column<'a> {
    /// The buffer.
    pub buffer: &'a [u8],
    /// Where the first vertex has its attribute.
    pub start: usize,
    /// From one vertex to the next.
    pub stride: usize,
}

impl Column<'_> {
    /// Decodes `N` bytes for each entry of the columns, of which those that are not needed are empty. What does not lie
    /// in the buffer reads as zeros.
    ///
    /// Format and size are known where this is compiled, so that the loop has no calls in it.
    #[inline]
    pub fn decode<const N: usize>(self, [x, y, z, w]: [&mut [u32]; 4], decode: impl Fn(&[u8]) -> Vec4) {
        let count = x.len().max(y.len()).max(z.len()).max(w.len());
        let mut start = Some(self.start);
        for lane in 0..count {
            let bytes = start.and_then(|start| self.buffer.get(start..)?.first_chunk::<N>());
            let value = bytes.map_or([0; 4], |bytes| decode(bytes));
            if let Some(x) = x.get_mut(lane) {
                *x = value[0];
            }
            if let Some(y) = y.get_mut(lane) {
                *y = value[1];
            }
            if let Some(z) = z.get_mut(lane) {
                *z = value[2];
            }
            if let Some(w) = w.get_mut(lane) {
                *w = value[3];
            }
            start = start.and_then(|start| start.checked_add(self.stride));
        }
    }
}

impl std::fmt::Debug for VertexFormat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.name)
    }
}

/// One attribute of a vertex.
#[derive(Clone, Copy, Debug)]
pub struct Attribute {
    /// The input that it fills.
    pub input: u16,
    /// Bytes from the beginning of the vertex.
    pub offset: u32,
    /// How it is stored.
    pub format: &'static VertexFormat,
}

/// Where the attributes of interleaved vertices lie.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// Bytes from one vertex to the next.
    pub stride: u32,
    /// The attributes; an input that is named twice takes the last one.
    pub attributes: Vec<Attribute>,
}

impl Layout {
    /// How many whole vertices a buffer of `bytes` bytes holds.
    pub fn vertex_count(&self, bytes: usize) -> usize {
        bytes.checked_div(self.stride as usize).unwrap_or(0)
    }

    /// What is wrong with it for a machine with `inputs` inputs and a buffer of `bytes` bytes; `span` is where
    /// the layout is written.
    pub fn check(&self, inputs: u16, bytes: usize, span: Span) -> Vec<Diagnostic> {
        let mut problems = Vec::new();
        if self.stride == 0 {
            problems.push(Diagnostic::error(&ZERO_STRIDE, "the stride is 0").label(span, ""));
        }
        for attribute in &self.attributes {
            if attribute.input >= inputs {
                let message = format!("there is no input {}", attribute.input);
                let problem = Diagnostic::error(&NO_SUCH_INPUT, message).label(span, "");
                problems.push(problem.help(format!("inputs are 0 to {}", inputs.saturating_sub(1))));
            }
            let end = u64::from(attribute.offset) + u64::from(attribute.format.bytes);
            if self.stride != 0 && end > u64::from(self.stride) {
                let message = format!(
                    "input {} ({}) ends at byte {end} of a vertex, the stride is {}",
                    attribute.input, attribute.format.name, self.stride
                );
                let problem = Diagnostic::error(&BEYOND_STRIDE, message).label(span, "");
                problems.push(problem.help(format!("make the stride at least {end}, or the offset smaller")));
            }
        }
        if self.stride != 0 && !bytes.is_multiple_of(self.stride as usize) {
            let message = format!(
                "the buffer of {} holds {} of {} and {} more",
                counted(bytes, "byte"),
                counted(self.vertex_count(bytes), "vertex"),
                counted(self.stride, "byte"),
                counted(bytes % self.stride as usize, "byte")
            );
            problems.push(Diagnostic::warning(&REMAINDER, message).label(span, ""));
        }
        problems
    }

    /// Reads vertex `index` into `inputs`, which is indexed by input number. Inputs without an attribute keep what they
    /// hold; attributes that do not lie in the buffer read as zeros.
    pub fn fetch(&self, buffer: &[u8], index: usize, inputs: &mut [Vec4]) {
        for attribute in &self.attributes {
            let Some(input) = inputs.get_mut(attribute.input as usize) else { continue };
            let start = index
                .checked_mul(self.stride as usize)
                .and_then(|at| at.checked_add(attribute.offset as usize));
            let end = start.and_then(|start| start.checked_add(attribute.format.bytes as usize));
            let bytes = start.zip(end).and_then(|(start, end)| buffer.get(start..end));
            *input = bytes.map_or([0; 4], attribute.format.decode);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(bytes: &[u8]) -> Vec4 {
        words(bytes, [7; 4])
    }

    static TWO: VertexFormat = crate::vertex_format!("TWO", 8, decode, |_| [0; 16], "two words");

    fn layout(stride: u32, attributes: &[(u16, u32)]) -> Layout {
        let attribute = |&(input, offset): &(u16, u32)| Attribute { input, offset, format: &TWO };
        Layout { stride, attributes: attributes.iter().map(attribute).collect() }
    }

    fn problems(layout: &Layout, bytes: usize) -> Vec<(&'static str, String)> {
        let problems = layout.check(4, bytes, Span::default());
        problems.into_iter().map(|problem| (problem.code.id, problem.message)).collect()
    }

    /// An attribute may end where its vertex does, and an input be the last one.
    #[test]
    fn layouts_are_held_to_their_stride() {
        assert_eq!(problems(&layout(16, &[(0, 0), (3, 8)]), 48), []);
        let beyond = "input 3 (TWO) ends at byte 17 of a vertex, the stride is 16";
        assert_eq!(problems(&layout(16, &[(3, 9)]), 48), [("R0201", beyond.to_owned())]);
        assert_eq!(problems(&layout(16, &[(4, 0)]), 48), [("R0204", "there is no input 4".to_owned())]);
        let more = "the buffer of 50 bytes holds 3 vertices of 16 bytes and 2 bytes more";
        assert_eq!(problems(&layout(16, &[(0, 0)]), 50), [("R0202", more.to_owned())]);
        // Of no stride nothing else can be said, and nothing lies in it.
        let none = layout(0, &[(0, 0)]);
        assert_eq!(problems(&none, 48), [("R0203", "the stride is 0".to_owned())]);
        assert_eq!((none.vertex_count(48), layout(16, &[]).vertex_count(47)), (0, 2));
        let far = layout(16, &[(0, u32::MAX)]);
        assert_eq!(problems(&far, 16)[0].0, "R0201");
    }

    /// Vertex by vertex, and in columns: words that are there, those that are missing, and zeros beyond the buffer.
    #[test]
    fn vertices_are_read_where_they_lie() {
        let buffer: Vec<u8> = (1..=6_u32).flat_map(u32::to_le_bytes).collect();
        let layout = layout(12, &[(0, 4), (2, 0)]);
        let mut inputs = [[9; 4]; 3];
        layout.fetch(&buffer, 0, &mut inputs);
        assert_eq!(inputs, [[2, 3, 7, 7], [9; 4], [1, 2, 7, 7]]);
        layout.fetch(&buffer, 1, &mut inputs);
        assert_eq!(inputs, [[5, 6, 7, 7], [9; 4], [4, 5, 7, 7]]);
        layout.fetch(&buffer, 2, &mut inputs);
        assert_eq!(inputs, [[0; 4], [9; 4], [0; 4]]);
        layout.fetch(&buffer, usize::MAX, &mut inputs);
        assert_eq!(inputs, [[0; 4], [9; 4], [0; 4]]);
        let column = Column { buffer: &buffer, start: 4, stride: 12 };
        let (mut x, mut z) = ([9; 3], [9; 2]);
        (TWO.decode_column)(column, [&mut x, &mut [], &mut z, &mut []]);
        assert_eq!((x, z), ([2, 5, 0], [7, 7]));
        let last = Column { buffer: &buffer, start: usize::MAX - 5, stride: 12 };
        (TWO.decode_column)(last, [&mut x, &mut [], &mut [], &mut []]);
        assert_eq!(x, [0; 3]);
        assert_eq!(to_words([1, 0x0203, 0, 0xff00_0000])[..6], [1, 0, 0, 0, 3, 2]);
    }
}
