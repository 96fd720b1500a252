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
    RegFile { name: "register", prefix: "r", count: 16, names: &[], kind: FileKind::Temporary([0; 4]) },
    RegFile { name: "input", prefix: "in", count: 4, names: &[], kind: FileKind::Input },
    RegFile { name: "output", prefix: "out", count: 2, names: &["pos", "col"], kind: FileKind::Output([0; 4]) },
];
