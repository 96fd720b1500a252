//! The verb `run`: a program over many vertices.

mod buffers;
pub mod constants;
pub mod csv;
pub mod expected;
mod inputs;
mod kernel;
mod names;
pub mod npy;
pub mod output;
mod outputs;
mod pieces;
mod ran;
pub mod raw;
mod records;
pub(crate) mod registers;
mod stream;
mod template;
mod undefined;
mod vertices;

pub use buffers::Buffer;
pub use inputs::Inputs;
pub use kernel::Kernel;
pub use names::Names;
pub use outputs::Outputs;
pub use pieces::{Piece, Pieces};
pub use ran::Ran;
pub use records::{has_all as has_all_inputs, vertices as json_vertices};
pub use registers::{file, output_name, register};
pub use stream::{Block, Stream};
pub use undefined::undefined_components;
pub use vertices::{Column, Value, Vertices};

#[cfg(test)]
use gpuzoo_ir::Vec4;

/// The inputs of columns, and the values of all vertices.
#[cfg(test)]
fn rows(vertices: &Vertices) -> (Vec<u16>, Vec<Vec4>) {
    let Vertices::Columns { columns, count } = vertices else { return Default::default() };
    let inputs: Vec<u16> = columns.iter().map(|column| column.input).collect();
    let mut all = vec![[0; 4]; 256];
    let row = |vertex| {
        vertices.fetch(vertex, &mut all);
        inputs.iter().map(|input| all[usize::from(*input)]).collect::<Vec<_>>()
    };
    let values = (0..*count).flat_map(row).collect();
    (inputs, values)
}
