//! The diagnostic codes of the walk: K0101 to K0199.

use gpuzoo_diag::Code;

/// Every code of the walk.
pub static CODES: &[&Code] = &[
    &ENTRY,
    &STATEMENT,
    &EXPRESSION,
    &TYPE,
    &BITS,
    &INEXACT,
    &INDEX,
    &LOOP,
    &TOO_LARGE,
    &PORT,
    &RESOURCE,
    &UNUSED,
    &UNWRITTEN,
    &INTERPOLATED,
];

/// There is no entry point of that name, or it is not clear which one is meant.
pub static ENTRY: Code = Code::new(
    "K0101",
    "no such entry point",
    "A source has functions that can be compiled: those marked `@vertex` and `@fragment` in WGSL, `main` in GLSL and Cg. If there are several, \
     `--entry` says which one is meant.",
);

/// A statement that no shader unit can do.
pub static STATEMENT: Code = Code::new(
    "K0102",
    "statement without a counterpart",
    "Shader units read inputs, uniforms and textures and write outputs. They have no buffers that can be written, no images, no atomic \
     operations and no groups.",
);

/// An expression that no shader unit can compute.
pub static EXPRESSION: Code = Code::new(
    "K0103",
    "expression without a counterpart",
    "Shader units compute with 32-bit floats. Derivatives, textures with layers, levels or comparisons, and tests for NaN have nothing that \
     they could be compiled to.",
);

/// A type of which no machine has values.
pub static TYPE: Code = Code::new(
    "K0104",
    "type without a counterpart",
    "Variables are made of 32-bit floats, integers and conditions: as numbers, vectors, matrices, structs and arrays of known sizes, of at most \
     16,384 numbers.",
);

/// An operation on the bits of an unknown number.
pub static BITS: Code = Code::new(
    "K0105",
    "operation on bits",
    "Integers that are not known when the program is compiled are floats in registers, exact up to 16777216. Shifts by known numbers and masks of \
     the lowest bits are products and floors; other operations on bits have no counterpart.",
);

/// An integer that no float holds.
pub static INEXACT: Code = Code::new(
    "K0106",
    "integer too large for a float",
    "Integers are floats in registers, and floats hold all integers only up to 16777216. A larger one that has to be in a register would become \
     another number.",
);

/// An element that there is not, or one among too many.
pub static INDEX: Code = Code::new(
    "K0107",
    "element cannot be reached",
    "Elements are counted from 0. Uniforms can be indexed by numbers that are not known before a run, if the machine has an address register; of other \
     arrays the element is chosen by comparisons, among 64 at most.",
);

/// A loop whose end is not known.
pub static LOOP: Code = Code::new(
    "K0108",
    "loop without a known end",
    "The machines have no jumps, so loops are unrolled: how often one runs must follow from constants, and be at most 1,024 times. A `break` may \
     depend on anything, if the loop ends without it, too.",
);

/// A program beyond the limits of the compiler.
pub static TOO_LARGE: Code = Code::new(
    "K0109",
    "program too large",
    "All calls are entered and all loops unrolled. There may be 1,048,576 steps, 65,536 operations, and 64 calls or 128 blocks inside each \
     other. The longest programs of the machines have a few hundred instructions.",
);

/// An input or output that no machine has.
pub static PORT: Code = Code::new(
    "K0110",
    "input or output without a counterpart",
    "Programs take attributes or varyings at locations, and fragments their position. They give a position, a point size, a depth, and values at \
     locations. Machines do not count vertices or instances.",
);

/// A resource that no machine has.
pub static RESOURCE: Code = Code::new(
    "K0111",
    "resource without a counterpart",
    "Uniform buffers become constants of the machine, two-dimensional textures its texture units. There are no storage buffers, no arrays of textures \
     and no other kinds of them.",
);

/// Something is declared and never read.
pub static UNUSED: Code = Code::new(
    "K0112",
    "unused input or uniform",
    "The program declares it and computes nothing from it. An input takes up bandwidth, a uniform registers.",
);

/// An output is declared and never written.
pub static UNWRITTEN: Code = Code::new(
    "K0113",
    "unwritten output",
    "The program declares it and gives it no value on any way. The machine has there whatever was there before, or zeros.",
);

/// A varying is interpolated in another way than its source says.
pub static INTERPOLATED: Code = Code::new(
    "K0114",
    "varying that is interpolated in any case",
    "Machines interpolate everything that goes from vertices to fragments, with perspective. What is flat is what the vertices gave if all of a \
     triangle give the same, but for the last bits; integers are rounded to the nearest.",
);
