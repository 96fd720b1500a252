//! Register files (spec sections 1 and 5).

use gpuzoo_isa::{FileKind, Reg, RegFile};

/// Index of the registers in [`FILES`].
pub const R: u8 = 0;
/// Index of what `lduni` reads.
pub const U: u8 = 1;

/// Registers of a thread.
pub const COUNT: u16 = 16;
/// The most inputs, outputs or uniforms of a program.
pub const MAX_PORTS: usize = 3;

/// The register files. Registers are bits without a type; instructions decide.
///
/// No text can name a uniform: `lduni` copies u0, u1 and u2 to the registers that the program declares. From u3 on
/// stand the vertices of a fragment's triangle, three inputs to a vertex: they are the same for all threads, too.
pub static FILES: &[RegFile] = &[
    RegFile { name: "register", prefix: "r", count: COUNT, names: &[], kind: FileKind::Temporary([0; 4]) },
    RegFile { name: "uniform", prefix: "u", count: 3 + 9, names: &[], kind: FileKind::Uniform },
];

/// The register of a number.
pub const fn r(index: u16) -> Reg {
    Reg { file: R, index }
}

/// The uniform of a number, in the program's order.
pub const fn uniform(index: usize) -> Reg {
    Reg { file: U, index: index as u16 }
}

/// The place of a triangle's value among the uniforms: `input` of `vertex`, each from 0 to 2.
pub const fn triangle(vertex: usize, input: usize) -> Reg {
    uniform(MAX_PORTS + vertex * MAX_PORTS + input)
}
