//! Register files, and the 512 addresses under which instructions name them (spec section B, items 6 to 12).

use gpuzoo_isa::{FileKind, Reg, RegFile};

/// Index of the local temporaries in [`FILES`].
pub const R: u8 = 0;
/// Index of the shared registers.
pub const P: u8 = 1;
/// Index of the uniforms.
pub const U: u8 = 2;
/// Index of the addresses without a register.
pub const X: u8 = 3;
/// Index of what leaves a program in P9 to P15, and the depth that `ZTS` notes.
pub const LEFT: u8 = 5;

/// Index of the texture units, which stand in instructions as numbers.
pub const T: u8 = 6;

/// How many registers are inputs by convention: P0 to P8.
pub const INPUTS: u16 = 9;
/// The first register that is an output by convention.
pub const FIRST_OUTPUT: u16 = 9;
/// One more than the last register that is an output by convention.
pub const END_OUTPUT: u16 = 16;
/// A vertex's position, a fragment's colour: P9.
pub const COLOR: Reg = p(9);
/// The depth that a fragment program writes: P10.x.
pub const DEPTH: Reg = p(10);
/// What `ZTS` notes. It has no address.
pub const TESTED: Reg = Reg { file: LEFT, index: END_OUTPUT };

/// A shared register.
pub const fn p(index: u16) -> Reg {
    Reg { file: P, index }
}

const INPUT_NAMES: &[&str] = &["P0", "P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8"];

#[rustfmt::skip]
const OUTPUT_NAMES: &[&str] = &[
    "-", "-", "-", "-", "-", "-", "-", "-", "-", "P9", "P10", "P11", "P12", "P13", "P14", "P15", "ZTS",
];

/// The register files. P is one file that programs read and write; `input` and `output` say which of its registers are filled
/// before a program runs and which are looked at afterwards.
pub static FILES: &[RegFile] = &[
    RegFile { name: "temporary", prefix: "R", count: 32, names: &[], kind: FileKind::Temporary([0; 4]) },
    RegFile {
        name: "shared register",
        prefix: "P",
        count: 32,
        names: &[],
        kind: FileKind::Temporary([0; 4]),
    },
    RegFile { name: "uniform", prefix: "U", count: 128, names: &[], kind: FileKind::Constant },
    RegFile { name: "unmapped address", prefix: "X", count: 512, names: &[], kind: FileKind::Constant },
    RegFile { name: "input", prefix: "P", count: INPUTS, names: INPUT_NAMES, kind: FileKind::Input },
    RegFile {
        name: "output",
        prefix: "P",
        count: END_OUTPUT + 1,
        names: OUTPUT_NAMES,
        kind: FileKind::Output([0; 4]),
    },
    RegFile { name: "texture unit", prefix: "T", count: 4, names: &[], kind: FileKind::Constant },
];
