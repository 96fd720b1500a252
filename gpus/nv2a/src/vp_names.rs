//! The words of the `NV_vertex_program` dialect, for its reader and its printer (spec section 10).

use crate::listing::Limit;

/// How an instruction's sources are written.
#[derive(Clone, Copy, PartialEq)]
pub enum Form {
    /// As they are.
    Plain,
    /// One, of which one lane is read.
    Scalar,
    /// Two, the second of which is negated: SUB is ADD.
    Minus,
    /// One, which is read as it is and negated: ABS is MAX.
    Both,
}

/// Mnemonic, row of the machine, number of sources, form, and whether it needs `!!VP1.1`.
pub type Row = (&'static str, &'static str, usize, Form, bool);

/// Every instruction.
#[rustfmt::skip]
pub const ROWS: [Row; 21] = [
    ("ABS", "max", 1, Form::Both, true), ("ADD", "add", 2, Form::Plain, false), ("ARL", "arl", 1, Form::Scalar, false),
    ("DP3", "dp3", 2, Form::Plain, false), ("DP4", "dp4", 2, Form::Plain, false), ("DPH", "dph", 2, Form::Plain, true),
    ("DST", "dst", 2, Form::Plain, false), ("EXP", "expp", 1, Form::Scalar, false), ("LIT", "lit", 1, Form::Plain, false),
    ("LOG", "logp", 1, Form::Scalar, false), ("MAD", "mad", 3, Form::Plain, false), ("MAX", "max", 2, Form::Plain, false),
    ("MIN", "min", 2, Form::Plain, false), ("MOV", "mov", 1, Form::Plain, false), ("MUL", "mul", 2, Form::Plain, false),
    ("RCC", "rcc", 1, Form::Scalar, true), ("RCP", "rcp", 1, Form::Scalar, false), ("RSQ", "rsq", 1, Form::Scalar, false),
    ("SGE", "sge", 2, Form::Plain, false), ("SLT", "slt", 2, Form::Plain, false), ("SUB", "add", 2, Form::Minus, true),
];

/// Input names with the machine's number (spec section 1: TEX0 is 9 here, 8 in OpenGL).
pub const INPUTS: [(&str, u16); 10] = [
    ("OPOS", 0),
    ("WGHT", 1),
    ("NRML", 2),
    ("COL0", 3),
    ("COL1", 4),
    ("FOGC", 5),
    ("TEX0", 9),
    ("TEX1", 10),
    ("TEX2", 11),
    ("TEX3", 12),
];

/// Output names with the machine's number.
pub const OUTPUTS: [(&str, u16); 11] = [
    ("HPOS", 0),
    ("COL0", 3),
    ("COL1", 4),
    ("FOGC", 5),
    ("PSIZ", 6),
    ("BFC0", 7),
    ("BFC1", 8),
    ("TEX0", 9),
    ("TEX1", 10),
    ("TEX2", 11),
    ("TEX3", 12),
];

/// Offsets that may be added to A0.x where constants are counted as in OpenGL.
pub const OFFSETS: (i64, i64) = (-64, 63);

/// Instructions that the extension allows; with the option four less, for the four that the option stands for.
pub const LIMIT: Limit = Limit { slots: 128, who: "NV_vertex_program allows 128 instructions" };
