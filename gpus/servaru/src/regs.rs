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
    RegFile { name: "uniform", prefix: "U", count: 128, names: &[], kind: FileKind::Uniform },
    RegFile { name: "unmapped address", prefix: "X", count: 512, names: &[], kind: FileKind::Uniform },
    RegFile { name: "input", prefix: "P", count: INPUTS, names: INPUT_NAMES, kind: FileKind::Input },
    RegFile {
        name: "output",
        prefix: "P",
        count: END_OUTPUT + 1,
        names: OUTPUT_NAMES,
        kind: FileKind::Output([0; 4]),
    },
    RegFile { name: "texture unit", prefix: "T", count: 4, names: &[], kind: FileKind::Uniform },
];

/// The files with addresses: file, first address, number of registers.
const MAP: [(u8, u16, u16); 3] = [(R, 0, 32), (P, 128, 32), (U, 256, 128)];

/// The register at an address; where there is none, the address itself.
pub fn at(address: u16) -> Reg {
    let found = MAP.iter().find(|(_, first, count)| (*first..first + count).contains(&address));
    match found {
        Some(&(file, first, _)) => Reg { file, index: address - first },
        None => Reg { file: X, index: address },
    }
}

/// The address of a register.
pub fn address(reg: Reg) -> u16 {
    let first = MAP.iter().find(|(file, ..)| *file == reg.file).map_or(0, |(_, first, _)| *first);
    first + reg.index
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        let table =
            [(0, R, 0), (31, R, 31), (32, X, 32), (127, X, 127), (128, P, 0), (159, P, 31), (160, X, 160)];
        for (number, file, index) in table {
            assert_eq!(at(number), Reg { file, index });
        }
        assert_eq!(at(383), Reg { file: U, index: 127 });
        assert_eq!(at(384), Reg { file: X, index: 384 });
        assert!((0..512).all(|number| address(at(number)) == number));
    }
}
