//! Where lanes come from and where results go: columns (structure of arrays), rows of vec4s (array of structures), or
//! any other implementation of the two traits.

use gpuzoo_ir::Vec4;

use crate::BLOCK;

/// Where the inputs of lanes come from.
pub trait Inputs: Sync {
    /// Puts an input of lanes from number `first` on into columns, one for each component. Components that
    /// are never read are empty slices; all others have one entry per lane, which hold old values.
    fn load(&self, input: u16, first: usize, columns: [&mut [u32]; 4]);

    /// A component of [`BLOCK`] lanes from number `first` on, if it lies in memory like that; then it is not copied.
    fn borrow(&self, input: u16, component: u8, first: usize) -> Option<&[u32; BLOCK]> {
        let _ = (input, component, first);
        None
    }
}

/// Where the outputs of lanes go.
pub trait Outputs: Send + Sized {
    /// Takes an output of lanes from number `first` on: its place in [`Kernel::outputs`](crate::Kernel::outputs) and
    /// a column for each component.
    fn store(&mut self, output: usize, first: usize, columns: [&[u32]; 4]);

    /// True if all columns that it wants to have lie in memory for [`BLOCK`] lanes from number `first` on. Then results
    /// are written where [`lend`](Outputs::lend) says, and not stored.
    fn lends(&self, first: usize) -> bool {
        let _ = first;
        false
    }

    /// Calls `to` with an output, a component and its room for [`BLOCK`] lanes from number `first` on, for all that it
    /// wants.
    fn lend<'a>(&'a mut self, first: usize, to: impl FnMut(usize, usize, &'a mut [u32; BLOCK])) {
        let _ = (first, to);
    }

    /// Takes the lanes that were killed (all ones, else 0), if the kernel can kill.
    fn killed(&mut self, first: usize, lanes: &[u32]) {
        let _ = (first, lanes);
    }

    /// Two parts: the first `lanes` lanes, and the others, numbered from 0.
    fn split(self, lanes: usize) -> (Self, Self);
}

/// Inputs in columns: for each input four, one for each component. What is missing reads as zeros.
#[derive(Clone, Copy, Debug, Default)]
pub struct Columns<'a>(pub &'a [[&'a [u32]; 4]]);

impl Inputs for Columns<'_> {
    fn load(&self, input: u16, first: usize, columns: [&mut [u32]; 4]) {
        let from = self.0.get(usize::from(input)).copied().unwrap_or_default();
        for (to, from) in columns.into_iter().zip(from) {
            let from = from.get(first..).unwrap_or_default();
            let count = from.len().min(to.len());
            to[..count].copy_from_slice(&from[..count]);
            to[count..].fill(0);
        }
    }

    fn borrow(&self, input: u16, component: u8, first: usize) -> Option<&[u32; BLOCK]> {
        let column = self.0.get(usize::from(input))?.get(usize::from(component))?;
        column.get(first..)?.first_chunk()
    }
}

/// Outputs to columns: for each output four, one for each component. A column that is too short takes what fits, so
/// that an empty one drops its output.
#[derive(Debug, Default)]
pub struct ColumnsMut<'a> {
    /// The columns, in the order of [`Kernel::outputs`](crate::Kernel::outputs).
    pub outputs: Vec<[&'a mut [u32]; 4]>,
    /// For each lane all ones if it was killed, else 0. Not written by kernels that cannot kill.
    pub killed: &'a mut [u32],
}

/// Copies what fits from `first` on.
fn copy(to: &mut [u32], first: usize, from: &[u32]) {
    if let Some(to) = to.get_mut(first..) {
        let count = from.len().min(to.len());
        to[..count].copy_from_slice(&from[..count]);
    }
}

/// The first entries and the others.
fn split(column: &mut [u32], lanes: usize) -> (&mut [u32], &mut [u32]) {
    let lanes = lanes.min(column.len());
    column.split_at_mut(lanes)
}

impl Outputs for ColumnsMut<'_> {
    fn store(&mut self, output: usize, first: usize, columns: [&[u32]; 4]) {
        if let Some(output) = self.outputs.get_mut(output) {
            output.iter_mut().zip(columns).for_each(|(to, from)| copy(to, first, from));
        }
    }

    fn lends(&self, first: usize) -> bool {
        let is_cut = |column: &&mut [u32]| column.len() > first && column.len() - first < BLOCK;
        !self.outputs.iter().flatten().any(is_cut)
    }

    fn lend<'a>(&'a mut self, first: usize, mut to: impl FnMut(usize, usize, &'a mut [u32; BLOCK])) {
        for (output, columns) in self.outputs.iter_mut().enumerate() {
            for (component, column) in columns.iter_mut().enumerate() {
                if let Some(lanes) = column.get_mut(first..).and_then(|rest| rest.first_chunk_mut()) {
                    to(output, component, lanes);
                }
            }
        }
    }

    fn killed(&mut self, first: usize, lanes: &[u32]) {
        copy(self.killed, first, lanes);
    }

    fn split(self, lanes: usize) -> (Self, Self) {
        let (left_killed, right_killed) = split(self.killed, lanes);
        let mut left = Vec::with_capacity(self.outputs.len());
        let mut right = Vec::with_capacity(self.outputs.len());
        for output in self.outputs {
            let mut columns = output.map(|column| split(column, lanes));
            left.push(columns.each_mut().map(|column| std::mem::take(&mut column.0)));
            right.push(columns.map(|column| column.1));
        }
        (
            ColumnsMut { outputs: left, killed: left_killed },
            ColumnsMut { outputs: right, killed: right_killed },
        )
    }
}

/// Inputs in rows: the vec4s of a lane lie one behind the other, input 0 first. What is missing reads as zeros.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rows<'a> {
    /// All lanes.
    pub values: &'a [Vec4],
    /// Vec4s per lane.
    pub width: usize,
}

impl Inputs for Rows<'_> {
    fn load(&self, input: u16, first: usize, columns: [&mut [u32]; 4]) {
        let count = columns.iter().map(|column| column.len()).max().unwrap_or(0);
        let from = first.checked_mul(self.width).and_then(|at| self.values.get(at..)).unwrap_or_default();
        let mut rows = from.chunks(self.width.max(1));
        let [x, y, z, w] = columns;
        // One pass over the rows, which may lie far from each other, for all components.
        for lane in 0..count {
            let value = rows.next().and_then(|row| row.get(usize::from(input))).copied().unwrap_or_default();
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
        }
    }
}

/// Outputs to rows: the vec4s of a lane lie one behind the other, in the order of
/// [`Kernel::outputs`](crate::Kernel::outputs).
#[derive(Debug, Default)]
pub struct RowsMut<'a> {
    /// All lanes.
    pub values: &'a mut [Vec4],
    /// Vec4s per lane; outputs beyond are dropped.
    pub width: usize,
    /// For each lane all ones if it was killed, else 0. Not written by kernels that cannot kill.
    pub killed: &'a mut [u32],
}

impl Outputs for RowsMut<'_> {
    fn store(&mut self, output: usize, first: usize, [x, y, z, w]: [&[u32]; 4]) {
        if output >= self.width {
            return;
        }
        let start = first.saturating_mul(self.width);
        let rows = self.values.get_mut(start..).unwrap_or_default().chunks_exact_mut(self.width);
        for ((((row, x), y), z), w) in rows.zip(x).zip(y).zip(z).zip(w) {
            row[output] = [*x, *y, *z, *w];
        }
    }

    fn killed(&mut self, first: usize, lanes: &[u32]) {
        copy(self.killed, first, lanes);
    }

    fn split(self, lanes: usize) -> (Self, Self) {
        let at = lanes.saturating_mul(self.width).min(self.values.len());
        let (left, right) = self.values.split_at_mut(at);
        let (left_killed, right_killed) = split(self.killed, lanes);
        (
            RowsMut { values: left, width: self.width, killed: left_killed },
            RowsMut { values: right, width: self.width, killed: right_killed },
        )
    }
}
