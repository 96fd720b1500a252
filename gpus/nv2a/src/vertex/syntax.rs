//! How the three dialects are written (spec sections 9 to 11), and how nv2avshd prints.

use crate::vertex::dialects::statements;
use crate::vertex::encoding::FIRST_SOURCE;
use crate::vertex::regs::{C, O, OPOS, V};
use gpuzoo_isa::{Case, End, Form, Indexed, Letters, MAX_OPERANDS, Name, Operand, Reg, Scalars, Syntax};

const fn o(index: u16) -> Reg {
    Reg { file: O, index }
}

const fn v(index: u16) -> Reg {
    Reg { file: V, index }
}

const R12: [Name; 2] = [Name::source("R12", OPOS).printed(), Name::source("r12", OPOS)];

const CONSTANTS: Indexed = Indexed {
    file: C,
    prefix: "c",
    plain: true,
    numbers: true,
    names: &[],
    address: "A0",
    plus: "+",
    offset: true,
    signed: false,
    brackets: true,
    sums: false,
};

/// nv2a_vsh_asm's dialect: `;` and `//` begin comments, `#` a uniform.
#[rustfmt::skip]
pub static VSH: Syntax = Syntax {
    name: "vsh",
    case: Case::Either,
    line_comments: &[";", "//"],
    block_comments: true,
    commas: true,
    joins: true,
    directives: statements::VSH,
    macros: statements::VSH_MACROS,
    letters: Letters::Repeating,
    scalars: Scalars::Any,
    full_masks: true,
    indexed: &[CONSTANTS],
    names: &[
        R12[0], R12[1],
        Name::source("iPos", v(0)), Name::source("iWeight", v(1)), Name::source("iNormal", v(2)),
        Name::source("iDiffuse", v(3)), Name::source("iSpecular", v(4)), Name::source("iFog", v(5)),
        Name::source("iPts", v(6)), Name::source("iBackDiffuse", v(7)), Name::source("iBackSpecular", v(8)),
        Name::source("iTex0", v(9)), Name::source("iTex1", v(10)), Name::source("iTex2", v(11)),
        Name::source("iTex3", v(12)),
        Name::destination("oDiffuse", o(3)), Name::destination("oSpecular", o(4)),
        Name::destination("oBackDiffuse", o(7)), Name::destination("oBackSpecular", o(8)),
        Name::destination("oTex0", o(9)), Name::destination("oTex1", o(10)), Name::destination("oTex2", o(11)),
        Name::destination("oTex3", o(12)),
    ],
    elsewhere: |word| {
        instead(&[
            ("sub", "`sub d, a, b` is `add d, a, -b`"),
            ("abs", "`abs d, a` is `max d, a, -a`"),
            ("nop", "leave it out; no statement says an empty slot"),
            ("def", "constants are set by the program that draws; `#name vector N` gives one a name"),
        ], word)
    },
    ..Syntax::PLAIN
};

/// What nv2avshd prints: swizzles in which a letter that repeats its neighbour is dropped, `LOG` and `EXP`.
pub static NV2AVSHD: Syntax = Syntax { name: "nv2avshd", letters: Letters::Lossy, ..DISASSEMBLED };

const DISASSEMBLED: Syntax = Syntax {
    case: Case::Either,
    commas: true,
    joins: true,
    scalars: Scalars::Any,
    full_masks: true,
    indexed: &[CONSTANTS],
    names: &R12,
    ..Syntax::PLAIN
};

/// Input names of NV_vertex_program with the machine's number (spec section 1: TEX0 is 9 here, 8 in OpenGL).
#[rustfmt::skip]
pub const VP_INPUTS: &[(&str, u16)] = &[
    ("OPOS", 0), ("WGHT", 1), ("NRML", 2), ("COL0", 3), ("COL1", 4), ("FOGC", 5), ("TEX0", 9), ("TEX1", 10), ("TEX2", 11),
    ("TEX3", 12),
];

/// Its output names with the machine's number.
#[rustfmt::skip]
const VP_OUTPUTS: &[(&str, u16)] = &[
    ("HPOS", 0), ("COL0", 3), ("COL1", 4), ("FOGC", 5), ("PSIZ", 6), ("BFC0", 7), ("BFC1", 8), ("TEX0", 9), ("TEX1", 10),
    ("TEX2", 11), ("TEX3", 12),
];

/// NV_vertex_program's dialect: `#` begins comments.
pub static VP: Syntax = Syntax {
    name: "vp",
    case: Case::Upper,
    directives: statements::VP,
    line_comments: &["#"],
    commas: true,
    end: End::Semicolon,
    letters: Letters::OneOrFour,
    components: "xyzw",
    loose_dots: true,
    plus_signs: true,
    // Not GL's: vp20compiler has it, too.
    names: &[R12[0]],
    indexed: &[
        Indexed { plain: false, address: "A0.x", offset: false, ..CONSTANTS },
        Indexed { file: V, prefix: "v", plain: false, names: VP_INPUTS, address: "", ..CONSTANTS },
        Indexed {
            file: O,
            prefix: "o",
            plain: false,
            numbers: false,
            names: VP_OUTPUTS,
            address: "",
            ..CONSTANTS
        },
    ],
    forms: &[
        Form { name: "SUB", row: "add", since: "!!VP1.1", implied: 0, complete: subtract },
        Form { name: "ABS", row: "max", since: "!!VP1.1", implied: 1, complete: magnitude },
    ],
    elsewhere: |word| {
        let later = "COS SIN FLR FRC SSG STR SFL SEQ SGT SLE SNE BRA CAL RET EX2 LG2 ARR ARA RCH POW XPD SWZ";
        let help = match word {
            "PRINT" => "a leftover of Mesa's parser; leave it out",
            _ if later.split(' ').any(|later| later == word) => "it came with later chips and later headers",
            _ => return None,
        };
        Some(help.to_owned())
    },
    ..Syntax::PLAIN
};

/// Direct3D 8's dialect, and the Xbox's form of it.
pub static D3D: Syntax = Syntax {
    name: "d3d",
    directives: statements::D3D,
    macros: statements::D3D_MACROS,
    case: Case::Any,
    line_comments: &[";", "//"],
    block_comments: true,
    commas: true,
    joins: true,
    end: End::Line,
    letters: Letters::Repeating,
    scalars: Scalars::Printed,
    indexed: &[Indexed {
        address: "a0.x",
        plus: " + ",
        offset: false,
        signed: true,
        brackets: false,
        sums: true,
        ..CONSTANTS
    }],
    names: &R12,
    forms: &[
        Form { name: "sub", row: "add", since: "", implied: 0, complete: subtract },
        Form { name: "mov", row: "arl", since: "", implied: 0, complete: |_| {} },
    ],
    elsewhere: |word| {
        instead(&[("arl", BY_MOV), ("mova", BY_MOV), ("abs", "`abs d, a` is `max d, a, -a`")], word)
    },
    ..Syntax::PLAIN
};

const BY_MOV: &str = "the address register is written by `mov`";

/// What to write in place of a word that users of related languages try.
fn instead(words: &[(&str, &str)], word: &str) -> Option<String> {
    let (_, help) = words.iter().find(|(other, _)| other.eq_ignore_ascii_case(word))?;
    Some((*help).to_owned())
}

/// a - c is a + -c.
fn subtract(operands: &mut [Operand; MAX_OPERANDS]) {
    operands[FIRST_SOURCE + 1].negate ^= true;
}

/// |a| is the greater of a and -a.
fn magnitude(operands: &mut [Operand; MAX_OPERANDS]) {
    let a = operands[FIRST_SOURCE];
    operands[FIRST_SOURCE + 1] = Operand { negate: !a.negate, ..a };
}
