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

/// What the shared registers hold by convention (spec section B, item 9).
const SHARED: &[(u16, &str)] = &[
    (0, "attribute 0 of a vertex; varying 0 of a fragment, which the vertex program left in P10"),
    (1, "attribute 1 of a vertex; varying 1 of a fragment, from P11"),
    (2, "attribute 2 of a vertex; varying 2 of a fragment, from P12"),
    (3, "attribute 3 of a vertex; varying 3 of a fragment, from P13"),
    (4, "attribute 4 of a vertex; varying 4 of a fragment, from P14"),
    (5, "attribute 5 of a vertex; varying 5 of a fragment, from P15"),
    (6, "attribute 6 of a vertex; 0 for a fragment"),
    (7, "attribute 7 of a vertex; 0 for a fragment"),
    (8, "attribute 8 of a vertex; x and y in pixels, depth and 1/w of a fragment"),
    (9, "a vertex's position in clip space; a fragment's colour"),
    (10, "varying 0 of a vertex; in x the depth of a fragment, if the program writes it"),
    (11, "varying 1 of a vertex"),
    (12, "varying 2 of a vertex"),
    (13, "varying 3 of a vertex"),
    (14, "varying 4 of a vertex"),
    (15, "varying 5 of a vertex"),
];

/// The register files. P is one file that programs read and write; `input` and `output` say which of its registers are filled
/// before a program runs and which are looked at afterwards.
pub static FILES: &[RegFile] = &[
    RegFile::new("temporary", "R", 32, FileKind::Temporary([0; 4])).about("working registers of a program"),
    RegFile::new("shared register", "P", 32, FileKind::Temporary([0; 4]))
        .about("what programs take and give: filled before a program runs, and looked at afterwards")
        .notes(SHARED),
    RegFile::new("uniform", "U", 128, FileKind::Constant).about("numbers for a whole draw"),
    RegFile::new("unmapped address", "X", 512, FileKind::Constant).internal(),
    RegFile::new("input", "P", INPUTS, FileKind::Input)
        .named(INPUT_NAMES)
        .about("what is there before a program runs"),
    RegFile::new("output", "P", END_OUTPUT + 1, FileKind::Output([0; 4]))
        .named(OUTPUT_NAMES)
        .about("what is looked at when a program has run; `ZTS` is the depth that the instruction notes"),
    RegFile::new("texture unit", "T", 4, FileKind::Constant)
        .about("textures; only reads of textures name them"),
];
