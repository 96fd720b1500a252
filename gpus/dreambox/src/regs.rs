//! Register files (spec sections 1 and 2).

use gpuzoo_isa::{FileKind, RegFile};

/// Index of the temporary registers in [`FILES`].
pub const R: u8 = 0;
/// Index of the vertex inputs.
pub const INPUT: u8 = 1;
/// Index of the constants.
pub const CONSTANT: u8 = 2;
/// Index of the outputs.
pub const OUTPUT: u8 = 3;

/// The outputs, by number.
pub const OUTPUT_NAMES: &[&str] = &["pos", "tex", "col", "ocol"];

/// The register files.
///
/// Registers and outputs that nothing has written are undefined in the runtime's GLSL; the software Vulkan that the
/// vectors come from gives 0.0, and so do we (spec section 2). The linter reports such reads. Numbers beyond a file
/// wrap: `ld` of input 9 reads input 1.
pub static FILES: &[RegFile] = &[
    RegFile { name: "register", prefix: "r", count: 16, names: &[], kind: FileKind::Temporary([0; 4]) },
    RegFile { name: "input", prefix: "in", count: 8, names: &[], kind: FileKind::Input },
    RegFile { name: "constant", prefix: "c", count: 16, names: &[], kind: FileKind::Constant },
    RegFile { name: "output", prefix: "out", count: 4, names: OUTPUT_NAMES, kind: FileKind::Output([0; 4]) },
];
