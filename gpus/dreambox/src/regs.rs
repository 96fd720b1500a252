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
    RegFile::new("register", "r", 16, FileKind::Temporary([0; 4]))
        .about("working registers; what nothing has written is undefined on the console, and 0 here"),
    RegFile::new("input", "in", 8, FileKind::Input)
        .about("what the vertex brings; the scene's `input`, or the layout, says which attribute goes where"),
    RegFile::new("constant", "c", 16, FileKind::Constant).about("numbers for a whole draw"),
    RegFile::new("output", "out", 4, FileKind::Output([0; 4]))
        .named(OUTPUT_NAMES)
        .about("what `st` writes; each is read by the fixed functions behind the Vertex Unit")
        .notes(&[
            (0, "the position in clip space: x and y from -w to w are on the screen"),
            (1, "texture coordinates: x and y for texture unit 0, z and w for unit 1"),
            (2, "the colour, clamped to 0 to 1, that `combine_vertex` combines with the texels"),
            (3, "the offset colour, clamped to 0 to 1, which is added last"),
        ]),
];
