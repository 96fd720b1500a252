//! What programmers of `ARB_vertex_program` and `ARB_fragment_program` will miss, and what to use instead.

/// Name, and what to write in its place.
#[rustfmt::skip]
const MISSING: &[(&str, &str)] = &[
    ("!", "a text has no header: `.vertex` or `.fragment` says what a program is for"),
    ("TXP", "divide first: `RCP R0.w, P0.w; MUL R0, P0, R0.w; TEX R1, R0, T0;`"),
    ("SIN", "approximate it: `FRC` brings the angle into a period, then a polynomial of `MUL` and `MAD`"),
    ("COS", "approximate it: `FRC` brings the angle into a period, then a polynomial of `MUL` and `MAD`"),
    ("SCS", "approximate sine and cosine: a polynomial of `MUL` and `MAD`"),
    ("SWZ", "`MOV` with a mask for each part; 0 and 1 are numbers: `MOV R0.w, 1;`"),
    ("ARL", "there is no address register: uniforms are named by number"),
    ("EXP", "`EX2` gives the whole power; `FLR` and `FRC` its parts"),
    ("LOG", "`LG2` gives the whole logarithm; `FLR` of it is the exponent"),
    ("END", "a program ends with its last instruction; leave it out"),
    ("TEMP", "registers are not declared: temporaries are R0 to R31"),
    ("ADDRESS", "there is no address register"),
    ("ATTRIB", "inputs are not declared: they are P0 to P8"),
    ("OUTPUT", "outputs are not declared: P9 is the position or the colour, P10 to P15 are varyings"),
    ("PARAM", "parameters are not declared: they are U0 to U127, and numbers are written in the instruction"),
    ("ALIAS", "registers have no other names"),
    ("OPTION", "there are no options"),
];

/// What to write in place of a name that this machine does not know, if it is ARB's.
pub fn replacement(name: &str) -> Option<String> {
    if let Some(plain) = name.strip_suffix("_SAT") {
        return Some(format!("nothing saturates; after `{plain}` write `MAX R0, R0, 0; MIN R0, R0, 1;`"));
    }
    MISSING.iter().find(|(missing, _)| *missing == name).map(|(_, help)| (*help).to_owned())
}
