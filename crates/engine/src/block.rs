//! What the steps of a program work on: one block of lanes as a structure of arrays, a column for each component.

use gpuzoo_ir::Vec4;
use gpuzoo_ir::scalar::Node;

use crate::sampler::{Read, Sampler};
use crate::step::{Column, INPUTS, NONE};

/// Lanes of a block. Columns of 1 KiB keep the working set of most programs in the first-level cache.
pub const BLOCK: usize = 256;

/// One value of each lane of a block.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(crate) struct Lanes(pub(crate) [u32; BLOCK]);

impl Default for Lanes {
    fn default() -> Lanes {
        Lanes([0; BLOCK])
    }
}

/// A column of one value.
#[derive(Debug, Default)]
pub(crate) struct Copies {
    lanes: Box<Lanes>,
    value: u32,
    /// Lanes that hold it.
    count: usize,
}

impl Copies {
    /// So many lanes, filled only if they hold another value: many outputs are the same constant.
    pub(crate) fn of(&mut self, value: u32, count: usize) -> &[u32] {
        if self.value != value || self.count < count {
            self.lanes.0[..count].fill(value);
            (self.value, self.count) = (value, count);
        }
        &self.lanes.0[..count]
    }
}

/// What a missing column reads as.
pub(crate) static ZEROS: [u32; BLOCK] = [0; BLOCK];

/// Memory that runs use again and again.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// Registers that do not lie in the caller's outputs.
    pub(crate) registers: Vec<Lanes>,
    /// Inputs that had to be loaded.
    pub(crate) loaded: Vec<Lanes>,
    /// Copies of scalar outputs.
    pub(crate) copies: [Copies; 4],
    /// For each lane all ones if it is killed, else 0.
    pub(crate) killed: Box<Lanes>,
    /// Values that are the same in all lanes.
    pub(crate) scalars: Vec<u32>,
    /// Spilled vectors of machine code.
    pub(crate) spills: Vec<Lanes>,
}

/// A block while it is computed.
pub(crate) struct Block<'a, 'r> {
    /// A step takes its destination out while it writes it.
    pub(crate) registers: &'a mut [Option<&'r mut [u32; BLOCK]>],
    pub(crate) context: Context<'a>,
}

/// The rest of a block's state.
pub(crate) struct Context<'a> {
    pub(crate) loaded: &'a [Lanes],
    /// Inputs that are read where they are, instead of the loaded ones.
    pub(crate) borrowed: &'a [Option<&'a [u32; BLOCK]>],
    /// As [`Memory::killed`]; a kill takes it out while it writes it.
    pub(crate) killed: &'a mut [u32],
    pub(crate) scalars: &'a [u32],
    /// Nodes that have no loops of their own.
    pub(crate) each: &'a [Node],
    /// Room for what loops of machine code spill.
    #[cfg_attr(not(feature = "jit"), expect(dead_code))]
    pub(crate) spills: &'a mut [Lanes],
    pub(crate) uniforms: &'a [Vec4],
    pub(crate) sampler: &'a dyn Sampler,
    /// The number of the first lane.
    pub(crate) first: usize,
    /// Lanes that count.
    pub(crate) lanes: usize,
}

impl Context<'_> {
    /// The lanes of a column that is an input.
    #[inline(always)]
    pub(crate) fn input(&self, column: Column) -> &[u32; BLOCK] {
        let input = usize::from(column & !INPUTS);
        match (self.borrowed.get(input), self.loaded.get(input)) {
            (Some(Some(lanes)), _) => lanes,
            (_, Some(lanes)) => &lanes.0,
            _ => &ZEROS,
        }
    }
}

impl Block<'_, '_> {
    /// The lanes of a column; zeros for an input that is not there.
    #[inline(always)]
    pub(crate) fn column(&self, column: Column) -> &[u32; BLOCK] {
        if column & INPUTS != 0 {
            return self.context.input(column);
        }
        match self.registers[usize::from(column)].as_deref() {
            Some(lanes) => lanes,
            None => unreachable!("no step reads what it writes"),
        }
    }

    #[inline(always)]
    pub(crate) fn columns<const N: usize>(&self, columns: [Column; N]) -> [&[u32; BLOCK]; N] {
        columns.map(
            #[inline(always)]
            |column| self.column(column),
        )
    }

    /// A value that is the same in all lanes.
    #[inline(always)]
    pub(crate) fn scalar(&self, scalar: u16) -> f32 {
        f32::from_bits(self.context.scalars[usize::from(scalar)])
    }

    /// Writes a register; meanwhile it is taken out, and cannot be read.
    #[inline(always)]
    pub(crate) fn write(&mut self, to: Column, f: impl FnOnce(&Self, &mut [u32; BLOCK])) {
        let Some(lanes) = self.registers[usize::from(to)].take() else {
            unreachable!("no register is away between steps")
        };
        f(self, lanes);
        self.registers[usize::from(to)] = Some(lanes);
    }

    /// Reads a texture for every lane.
    pub(crate) fn sample(&mut self, unit: u8, to: [Column; 4], at: [Column; 4]) {
        let mut texels =
            to.map(|column| if column == NONE { None } else { self.registers[usize::from(column)].take() });
        let coordinates = self.columns(at).map(|lanes| &lanes[..self.context.lanes]);
        let wanted = texels
            .each_mut()
            .map(|texel| texel.as_deref_mut().map_or(&mut [][..], |lanes| &mut lanes[..self.context.lanes]));
        let read = Read {
            unit,
            first: self.context.first,
            killed: self.context.killed.get(..self.context.lanes).unwrap_or_default(),
        };
        self.context.sampler.sample(read, coordinates, wanted);
        for (column, texel) in to.into_iter().zip(texels) {
            if column != NONE {
                self.registers[usize::from(column)] = texel;
            }
        }
    }
}
