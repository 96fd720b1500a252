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
    RegFile { name: "temporary", prefix: "R", count: 12, names: &[], kind: FileKind::Temporary([0; 4]) },
    RegFile { name: "input", prefix: "v", count: 16, names: &[], kind: FileKind::Input },
    RegFile { name: "constant", prefix: "c", count: CONSTANTS, names: &[], kind: FileKind::Constant },
    RegFile {
        name: "output",
        prefix: "o",
        count: 13,
        names: OUTPUT_NAMES,
        kind: FileKind::Output(OUTPUT_START),
    },
    RegFile {
        name: "address register",
        prefix: "A",
        count: 1,
        names: &[],
        kind: FileKind::Temporary([0; 4]),
    },
    RegFile {
        name: "undefined operand",
        prefix: "?",
        count: 1,
        names: &["?"],
        kind: FileKind::Temporary([0; 4]),
    },
];
