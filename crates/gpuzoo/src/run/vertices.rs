//! What a program is run on: columns of values, or a vertex buffer.

use gpuzoo_engine::Inputs;
use gpuzoo_ir::Vec4;
use gpuzoo_machine::unit::draw::VertexBuffer;
use gpuzoo_machine::unit::layout::Layout;
use std::borrow::Cow;

/// What a component is that no value was given for: formats with fewer components read as (x, 0, 0, 1).
pub(crate) const UNSET: Vec4 = [0, 0, 0, 0x3f80_0000];

/// The values of one input, vertex after vertex.
#[derive(Clone, Debug)]
pub struct Column<'a> {
    /// The input's number.
    pub input: u16,
    /// All values, as bits.
    pub values: Cow<'a, [u32]>,
    /// Words from one vertex to the next; at least 1.
    pub stride: usize,
    /// How many components each vertex has, from x on; the others are those of (0, 0, 0, 1).
    pub components: usize,
}

impl Column<'_> {
    /// The value of a vertex; components beyond the last word are 0.
    fn value(&self, vertex: usize) -> Vec4 {
        let start = vertex.saturating_mul(self.stride);
        let mut words = self.values.get(start..).unwrap_or_default().iter().take(self.components);
        let mut value = UNSET;
        value[..self.components.min(4)].iter_mut().for_each(|to| *to = words.next().copied().unwrap_or(0));
        value
    }
}

/// What a program is run on.
#[derive(Clone, Debug)]
pub enum Vertices<'a> {
    /// Values by input.
    Columns {
        /// How many vertices.
        count: usize,
        /// Each input at most once.
        columns: Vec<Column<'a>>,
    },
    /// A vertex buffer.
    Buffer {
        /// How it is read.
        layout: Layout,
        /// Its bytes.
        bytes: Cow<'a, [u8]>,
    },
}

impl Vertices<'_> {
    /// One vertex for which no input has a value.
    pub fn nothing() -> Vertices<'static> {
        Vertices::Columns { count: 1, columns: Vec::new() }
    }

    /// Columns of whole vec4s: for each vertex one for each of `inputs`, which are all different.
    pub(crate) fn of_rows(count: usize, inputs: &[u16], rows: &[Vec4]) -> Vertices<'static> {
        let width = inputs.len();
        let column = |(at, input): (usize, &u16)| {
            let values: Vec<u32> = rows.iter().skip(at).step_by(width).flatten().copied().collect();
            Column { input: *input, values: values.into(), stride: 4, components: 4 }
        };
        let columns = inputs.iter().enumerate().map(column).collect();
        Vertices::Columns { count, columns }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        match self {
            Vertices::Columns { count, .. } => *count,
            Vertices::Buffer { layout, bytes } => layout.vertex_count(bytes.len()),
        }
    }

    /// True if the input has a value.
    pub fn gives(&self, input: u16) -> bool {
        match self {
            Vertices::Columns { columns, .. } => columns.iter().any(|column| column.input == input),
            Vertices::Buffer { layout, .. } => {
                layout.attributes.iter().any(|attribute| attribute.input == input)
            }
        }
    }

    /// Puts the values of a vertex into `inputs`, which is indexed by input.
    pub fn fetch(&self, vertex: usize, inputs: &mut [Vec4]) {
        match self {
            Vertices::Columns { columns, .. } => {
                for column in columns {
                    if let Some(to) = inputs.get_mut(usize::from(column.input)) {
                        *to = column.value(vertex);
                    }
                }
            }
            Vertices::Buffer { layout, bytes } => layout.fetch(bytes, vertex, inputs),
        }
    }
}

impl Inputs for Vertices<'_> {
    fn load(&self, input: u16, first: usize, to: [&mut [u32]; 4]) {
        match self {
            Vertices::Buffer { layout, bytes } => {
                VertexBuffer { layout, buffer: bytes }.load(input, first, to);
            }
            Vertices::Columns { columns, .. } => {
                let column = columns.iter().find(|column| column.input == input);
                for (component, to) in to.into_iter().enumerate() {
                    let Some(column) = column else {
                        to.fill(0);
                        continue;
                    };
                    if component >= column.components {
                        to.fill(UNSET[component]);
                        continue;
                    }
                    let start = first.saturating_mul(column.stride).saturating_add(component);
                    let from = column.values.get(start..).unwrap_or_default();
                    let mut from = from.iter().step_by(column.stride.max(1));
                    to.iter_mut().for_each(|to| *to = from.next().copied().unwrap_or(0));
                }
            }
        }
    }
}

/// A register's value as a user has it: one to four floats, or the bits of one to four. What is missing of four is that
/// of (0, 0, 0, 1).
pub trait Value: Copy {
    /// The bits of its four components.
    fn bits(self) -> Vec4;
}

impl<const N: usize> Value for [f32; N] {
    fn bits(self) -> Vec4 {
        self.map(f32::to_bits).bits()
    }
}

impl<const N: usize> Value for [u32; N] {
    fn bits(self) -> Vec4 {
        const { assert!(N >= 1 && N <= 4, "a register has one to four components") };
        let mut value = UNSET;
        value[..N].copy_from_slice(&self);
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_read_the_same_way_by_lane_and_by_column() {
        let values: Vec<u32> = (1..=20).collect();
        let column = |input, stride, components| Column {
            input,
            values: Cow::Borrowed(&values[..]),
            stride,
            components,
        };
        let columns = vec![column(0, 4, 4), column(2, 5, 2), column(3, 4, 1)];
        let vertices = Vertices::Columns { count: 4, columns };
        assert!(vertices.gives(2) && !vertices.gives(1));
        for vertex in 0..4 {
            let mut fetched = [[0; 4]; 4];
            vertices.fetch(vertex, &mut fetched);
            assert_eq!(fetched[2], [1 + 5 * vertex as u32, 2 + 5 * vertex as u32, 0, 0x3f80_0000]);
            for (input, expected) in (0..).zip(fetched) {
                let mut lanes = [[7; 1]; 4];
                let [x, y, z, w] = &mut lanes;
                vertices.load(input, vertex, [x, y, z, w]);
                assert_eq!(lanes.map(|lane| lane[0]), expected, "{input} of {vertex}");
            }
        }
        assert_eq!(Vertices::of_rows(2, &[], &[]).count(), 2);
        assert_eq!(Vertices::nothing().count(), 1);
    }
}
