//! Register files (spec sections 1 and 5).

use gpuzoo_isa::{FileKind, Reg, RegFile, Stage};

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
/// No text can name a uniform or an input. `lduni` copies the uniforms of the program's stage to the registers that it
/// declares: `vs0` to `vs2` are the words of the pins `VS.uniformsData`, `fs0` to `fs2` those of `FS.uniformsData` (spec
/// section 9). Behind them stand the vertices of a fragment's triangle, three inputs to a vertex: they are the same for
/// all threads, too. Inputs are the vertex shader's, in the order of its declarations.
pub static FILES: &[RegFile] = &[
    RegFile::new("register", "r", COUNT, FileKind::Temporary([0; 4]))
        .about("the registers of a thread: four words each, whose type is up to the instructions"),
    RegFile::new("uniform", "u", UNIFORM_NAMES.len() as u16, FileKind::Constant)
        .named(UNIFORM_NAMES)
        .about("what is the same for all threads: `#uniform` names the register that it is copied to; `vs0` to `vs2` are those of vertex programs, `fs0` to `fs2` those of fragment programs, and behind them stand the three vertices of a fragment's triangle"),
    RegFile::new("input", "in", MAX_PORTS as u16, FileKind::Input)
        .about("what a vertex brings, in the order of the `#input` lines, which name the register that it is copied to"),
];

/// The first of the constants that the machine sets for each triangle: the planes of its depth, its perspective and so on.
pub const FIRST_PLANE: u16 = 6;

#[rustfmt::skip]
const UNIFORM_NAMES: &[&str] = &[
    "vs0", "vs1", "vs2", "fs0", "fs1", "fs2",
    "a0", "a1", "a2", "b0", "b1", "b2", "c0", "c1", "c2",
];

/// The register of a number.
pub const fn r(index: u16) -> Reg {
    Reg { file: R, index }
}

/// A stage's uniform of a number, in the program's order.
pub const fn uniform(stage: Stage, index: usize) -> Reg {
    let first = match stage {
        Stage::Vertex => 0,
        Stage::Fragment => MAX_PORTS,
    };
    Reg { file: U, index: (first + index) as u16 }
}

/// The place of a triangle's value among the uniforms: `input` of `vertex`, each from 0 to 2.
pub const fn triangle(vertex: usize, input: usize) -> Reg {
    Reg { file: U, index: (2 * MAX_PORTS + vertex * MAX_PORTS + input) as u16 }
}
