//! Properties of a machine that a compiler, an optimizer or a translator needs beside its tables.

pub mod conventions;
pub mod host;
pub mod sequence;
pub mod slots;
