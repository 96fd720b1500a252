//! What a run gave, by name.

use super::{Kernel, Ran};
use gpuzoo_diag::Diagnostics;
use gpuzoo_ir::Vec4;
use std::ops::Index;

/// The outputs of all vertices, by name, and what else a run did.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Outputs {
    /// What is worth knowing about the run: notes and warnings.
    pub remarks: Diagnostics,
    names: Vec<String>,
    columns: Vec<Vec<[f32; 4]>>,
    killed: Vec<bool>,
    constants: Vec<(String, Vec4)>,
}

impl Outputs {
    pub(super) fn new(kernel: &Kernel, columns: Vec<Vec<Vec4>>, killed: Vec<bool>, ran: &Ran) -> Outputs {
        let floats = |column: Vec<Vec4>| column.into_iter().map(|value| value.map(f32::from_bits)).collect();
        let columns = columns.into_iter().map(floats).collect();
        let names = kernel.output_names().to_vec();
        let remarks = Diagnostics::new(ran.remarks(), kernel.program().sources().clone());
        Outputs { remarks, names, columns, killed, constants: ran.constants() }
    }

    /// The names of the outputs.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// An output of all vertices, as floats; none if the program has no output of this name.
    pub fn get(&self, name: &str) -> Option<&[[f32; 4]]> {
        let at = self.names.iter().position(|known| known == name)?;
        Some(&self.columns[at])
    }

    /// The same as bits: NaNs keep theirs.
    pub fn bits(&self, name: &str) -> Option<&[Vec4]> {
        self.get(name).map(gpuzoo_engine::bits::of)
    }

    /// For each vertex whether the program killed it; empty for programs that do not kill. What the outputs of a killed
    /// vertex hold means nothing.
    pub fn killed(&self) -> &[bool] {
        &self.killed
    }

    /// The constants that the program changed, with their last values.
    pub fn constants(&self) -> impl Iterator<Item = (&str, [f32; 4])> {
        self.constants.iter().map(|(name, value)| (name.as_str(), value.map(f32::from_bits)))
    }
}

/// An output of all vertices.
///
/// # Panics
/// If the program has no output of this name; [`Outputs::get`] asks.
impl Index<&str> for Outputs {
    type Output = [[f32; 4]];

    fn index(&self, name: &str) -> &[[f32; 4]] {
        match self.get(name) {
            Some(column) => column,
            None => panic!("there is no output `{name}`; outputs are {}", self.names.join(", ")),
        }
    }
}
