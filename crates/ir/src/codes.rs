//! The diagnostic codes of the text form: the letter `I`.

use gpuzoo_diag::Code;

/// Every code of this crate.
pub static CODES: &[&Code] = &[
    &SYNTAX,
    &UNKNOWN_INSTRUCTION,
    &NUMBER,
    &UNDEFINED,
    &DEFINED_TWICE,
    &COMPONENTS,
    &OUTPUT_TWICE,
    &CONSTANT,
    &TOO_MANY,
    &TOO_LONG,
];

/// A line that does not follow the grammar.
pub static SYNTAX: Code = Code::new(
    "I0101",
    "unexpected text in an IR function",
    "A line is an instruction, `v3 = fadd v1, v2 @4`, or an output, `output 0 = v3`. The `@4` is optional and names \
     the machine instruction that the line comes from. `;` starts a comment.",
);

/// A name that is not an instruction.
pub static UNKNOWN_INSTRUCTION: Code = Code::new(
    "I0102",
    "unknown IR instruction",
    "After `=` comes `const`, `input`, `uniform`, `dot3`, `dot4`, `sample`, `kill`, the name of a component-wise \
     operation such as `fadd`, or a value with the components picked from it, `v1.xyz1`.",
);

/// A word that is not a number, or a number that is too large.
pub static NUMBER: Code = Code::new(
    "I0103",
    "number out of range",
    "Inputs, outputs, uniforms and counts are decimal numbers from 0 to 65535, texture units from 0 to 255, values and \
     origins from 0 to 4294967295. What is added to a uniform's index lies between -2147483648 and 2147483647.",
);

/// A value that no earlier line defines.
pub static UNDEFINED: Code = Code::new(
    "I0104",
    "value used before its definition",
    "A function is a straight line: an instruction reads only values above it. An output, too, comes below the \
     value that it names.",
);

/// Two lines that define the same value.
pub static DEFINED_TWICE: Code = Code::new(
    "I0105",
    "value defined twice",
    "Each value is defined once (the form is SSA). Give the second one a number of its own; the numbers need not be \
     consecutive.",
);

/// Letters that do not pick four components.
pub static COMPONENTS: Code = Code::new(
    "I0106",
    "wrong components",
    "Four letters say where the four components come from: `x`, `y`, `z` or `w` of the value, the constants `0` and \
     `1`, or `_` for a component that the other value gives. With two values, `v1.xy__ | v2.__zw`, each component is \
     given by exactly one of them; one value alone gives all four.",
);

/// An output that is set twice.
pub static OUTPUT_TWICE: Code = Code::new(
    "I0107",
    "output set twice",
    "An output has one final value. Delete one of the lines, or merge the two values: `v1.xy__ | v2.__zw`.",
);

/// A component of a constant that is not written as one.
pub static CONSTANT: Code = Code::new(
    "I0108",
    "wrong constant component",
    "A component is a decimal number (`1.5`, `-0.0`, `1e-3`), rounded to the nearest 32-bit float; `inf`, `-inf` or \
     `nan` (the bits 0x7fc00000); or its bits, `0x3f800000`, up to `0xffffffff`.",
);

/// More errors than are reported.
pub static TOO_MANY: Code = Code::new(
    "I0109",
    "too many errors",
    "After 1000 errors the rest of the text is not read: it is probably not IR.",
);

/// A text that spans cannot describe.
pub static TOO_LONG: Code = Code::new("I0110", "text too long", "A text of more than 64 MiB is not read.");
