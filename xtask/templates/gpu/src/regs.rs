//! Register files.

use gpuzoo_isa::{FileKind, RegFile};

/// Index of the registers in [`FILES`].
pub const R: u8 = 0;

/// The register files.
pub static FILES: &[RegFile] =
    &[RegFile { name: "register", prefix: "r", count: 16, names: &[], kind: FileKind::Temporary([0; 4]) }];
