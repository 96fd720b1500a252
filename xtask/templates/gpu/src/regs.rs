//! Register files.

use gpuzoo_isa::{FileKind, RegFile};

/// Index of the registers in [`FILES`].
pub const R: u8 = 0;
/// Index of the inputs.
pub const IN: u8 = 1;
/// Index of the outputs.
pub const OUT: u8 = 2;

/// The register files.
#[rustfmt::skip]
pub static FILES: &[RegFile] = &[
    RegFile::new("register", "r", 16, FileKind::Temporary([0; 4])),
    RegFile::new("input", "in", 4, FileKind::Input),
    RegFile::new("output", "out", 2, FileKind::Output([0; 4])).named(&["pos", "col"]),
];
