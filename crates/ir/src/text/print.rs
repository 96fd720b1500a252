//! Functions and values as text.

use crate::function::{Function, Value};
use std::fmt::{self, Display, Formatter};

/// The column of the origins.
const ORIGIN_COLUMN: usize = 36;

impl Display for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.0)
    }
}

/// The whole function; [`crate::text::parse`] reads it back.
impl Display for Function {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, inst) in self.insts.iter().enumerate() {
            let line = format!("v{index} = {inst}");
            match self.origins.get(index) {
                Some(Some(origin)) => writeln!(f, "{line:<ORIGIN_COLUMN$} @{origin}")?,
                _ => writeln!(f, "{line}")?,
            }
        }
        self.outputs.iter().try_for_each(|(index, value)| writeln!(f, "output {index} = {value}"))
    }
}
