//! What the measured programs run on.

use gpuzoo_engine::{Columns, ColumnsMut};
use gpuzoo_ir::{Function, Vec4};

/// Constants of every program.
pub const UNIFORMS: usize = 256;

/// Values from 0.25 to 2.25, so that there are no infinities and no subnormal numbers; no two vectors nearby alike.
pub fn vector(index: usize) -> Vec4 {
    [0, 1, 2, 3].map(|component| (0.25 + ((index * 4 + component) * 7919 % 4093) as f32 / 2048.0).to_bits())
}

/// Columns of inputs and outputs, and constants.
pub struct Data {
    inputs: Vec<Vec<u32>>,
    outputs: Vec<Vec<u32>>,
    /// The constants.
    pub uniforms: Vec<Vec4>,
}

impl Data {
    /// For a function over some lanes.
    pub fn new(function: &Function, lanes: usize) -> Data {
        let column = |column: usize| {
            (0..lanes).map(|lane| vector(lane)[column % 4].wrapping_add(column as u32)).collect()
        };
        Data {
            inputs: (0..function.input_count() * 4).map(column).collect(),
            outputs: vec![vec![0; lanes]; function.outputs.len() * 4],
            uniforms: (0..UNIFORMS).map(vector).collect(),
        }
    }

    /// Inputs and outputs in columns, as the engine takes them.
    pub fn with_columns<T>(&mut self, run: impl FnOnce(&Columns, ColumnsMut, &[Vec4]) -> T) -> T {
        let (inputs, _) = self.inputs.as_chunks::<4>();
        let inputs: Vec<[&[u32]; 4]> =
            inputs.iter().map(|four| four.each_ref().map(|column| &column[..])).collect();
        let (outputs, _) = self.outputs.as_chunks_mut::<4>();
        let outputs = outputs.iter_mut().map(|four| four.each_mut().map(|column| &mut column[..])).collect();
        run(&Columns(&inputs), ColumnsMut { outputs, killed: &mut [] }, &self.uniforms)
    }

    /// The inputs of a lane.
    pub fn row(&self, lane: usize, row: &mut Vec<Vec4>) {
        let (inputs, _) = self.inputs.as_chunks::<4>();
        row.clear();
        row.extend(
            inputs.iter().map(|four| four.each_ref().map(|column| column.get(lane).copied().unwrap_or(0))),
        );
    }

    /// A number that shows whether all outputs are the same: FNV-1a, 32 bits at a time.
    pub fn hash(&self) -> u64 {
        let bits = self.outputs.iter().flatten();
        bits.fold(0xcbf2_9ce4_8422_2325, |hash: u64, bits| {
            (hash ^ u64::from(*bits)).wrapping_mul(0x0100_0000_01b3)
        })
    }
}
