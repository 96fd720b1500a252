//! Register files (spec section 1).

use gpuzoo_ir::Vec4;
use gpuzoo_isa::{FileKind, Reg, RegFile};

/// Temporaries r0 to r11.
pub const R: u8 = 0;
/// Inputs v0 to v15.
pub const V: u8 = 1;
/// Constants c0 to c191.
pub const C: u8 = 2;
/// Outputs, by hardware index.
pub const O: u8 = 3;
/// The address register.
pub const A: u8 = 4;
/// What an undefined operand reads and writes: see [`NOWHERE`].
pub const X: u8 = 5;

/// oPos, which r12 reads.
pub const OPOS: Reg = Reg { file: O, index: 0 };
/// The fog output, whose components have a rule of their own.
pub const OFOG: Reg = Reg { file: O, index: 5 };
/// The address register.
pub const A0: Reg = Reg { file: A, index: 0 };
/// The register that a paired ILU half writes, whatever the slot says.
pub const R1: Reg = Reg { file: R, index: 1 };
/// What stands for registers that do not exist: r13, o1, c200, a source with mux 0. It reads as zeros.
pub const NOWHERE: Reg = Reg { file: X, index: 0 };

/// The viewport's scale and offset, which lead from clip space to pixels: Direct3D's c-38 and c-37.
pub const VIEWPORT: std::ops::RangeInclusive<u16> = 58..=59;

/// Constants of the machine.
pub const CONSTANTS: u16 = 192;

/// Outputs that nothing has written (the caller may hand in others: the machine keeps what an earlier vertex left).
pub const OUTPUT_START: Vec4 = [0, 0, 0, 0x3f80_0000];

/// Output names by hardware index; `-` where there is no output.
pub const OUTPUT_NAMES: &[&str] =
    &["oPos", "-", "-", "oD0", "oD1", "oFog", "oPts", "oB0", "oB1", "oT0", "oT1", "oT2", "oT3"];

/// The register files.
pub static FILES: &[RegFile] = &[
    RegFile::new("temporary", "R", 12, FileKind::Temporary([0; 4]))
        .about("working registers, 0 at the start of every vertex"),
    RegFile::new("input", "v", 16, FileKind::Input)
        .about("what the vertex brings; the application, here the scene's `input`, says which attribute goes where"),
    RegFile::new("constant", "c", CONSTANTS, FileKind::Constant)
        .about("numbers for a whole draw; the address register can be added to the number, and state programs write them")
        .notes(&[
            (58, "the viewport's scale from clip space to pixels: half the width, minus half the height, 16777215 for a depth of 24 bits; scenes set it unless `viewport_constants = false`"),
            (59, "the viewport's offset in pixels: half the width, half the height, 0; scenes set it unless `viewport_constants = false`"),
        ]),
    RegFile::new("output", "o", 13, FileKind::Output(OUTPUT_START))
        .named(OUTPUT_NAMES)
        .about("what a program gives on; one that it does not write keeps what an earlier vertex left")
        .notes(&[
            (0, "the position: x and y in pixels, z from 0 to 16777215, w for perspective; `R12` reads it back"),
            (3, "the diffuse colour of front faces, clamped to 0 to 1"),
            (4, "the specular colour of front faces, clamped to 0 to 1, which is added to the texel times the diffuse one"),
            (5, "the fog; the first component that its last write enables counts"),
            (6, "the size of a point"),
            (7, "the diffuse colour of back faces"),
            (8, "the specular colour of back faces"),
            (9, "the coordinates of texture 0, the one that scenes draw"),
            (10, "the coordinates of texture 1"),
            (11, "the coordinates of texture 2"),
            (12, "the coordinates of texture 3"),
        ]),
    RegFile::new("address register", "A", 1, FileKind::Temporary([0; 4]))
        .integer()
        .about("the index for `c[A0+5]`: an integer, rounded down from what is written to it"),
    RegFile::new("undefined operand", "?", 1, FileKind::Temporary([0; 4])).named(&["?"]).internal(),
];
