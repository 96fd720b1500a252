//! What the dialects have beside instructions, as data: the readers look words up here, and `explain` shows it.

use gpuzoo_isa::Statement;

const fn statement(name: &'static str, usage: &'static str, about: &'static str) -> Statement {
    Statement::new(name, usage, about)
}

/// nv2a_vsh_asm's definitions (spec section 9).
pub const VSH: &[Statement] = &[
    statement("#NAME vector", "#NAME vector N", "the name of constant N, which is then written `#NAME`")
        .example("#light vector 5"),
    statement(
        "#NAME matrix4",
        "#NAME matrix4 N",
        "the name of four constants from N on; rows are written `#NAME[0]` to `#NAME[3]`",
    )
    .example("#mvp matrix4 96"),
];

/// nv2a_vsh_asm's macros, whose operands have no commas between them.
pub const VSH_MACROS: &[Statement] = &[
    statement(
        "%matmul4x4",
        "%matmul4x4 dst src #matrix",
        "four dp4: src times the rows of a matrix4 that was defined before; it writes all components",
    )
    .example("#mvp matrix4 96\n%matmul4x4 oPos v0 #mvp"),
    statement(
        "%norm3",
        "%norm3 dst src temporary",
        "src made one long: dp3, rsq, mul; it writes x, y and z, and x and w of the temporary are lost",
    )
    .example("%norm3 r0 v2 r1"),
];

/// What NV_vertex_program has (spec section 10).
pub const VP: &[Statement] = &[
    statement(
        "OPTION",
        "OPTION NV_position_invariant;",
        "the position is made as fixed functions make it, so the program does not write it",
    )
    .example("!!VP1.1\nOPTION NV_position_invariant;\nMOV o[COL0], v[COL0];\nEND"),
    statement("END", "END", "the program ends here; every text has it")
        .example("!!VP1.0\nMOV o[HPOS], v[OPOS];\nEND"),
];

/// What Direct3D's dialect has (spec section 11): those that begin with `#` are preprocessor lines.
pub const D3D: &[Statement] = &[
    statement(
        "#include",
        "#include \"FILE\"",
        "the text of a file, looked for beside this one and in the folders of `--include`",
    )
    .example("#include \"constants.h\""),
    statement(
        "#define",
        "#define NAME TEXT",
        "NAME stands for TEXT from here on; `#define NAME(A, B) TEXT` has arguments",
    )
    .example("#define LIGHT c5"),
    statement("#undef", "#undef NAME", "NAME is not a macro any more").example("#undef LIGHT"),
    statement(
        "#if",
        "#if EXPRESSION",
        "what follows is read if an integer expression is not 0; `defined(NAME)` is 1 for a macro",
    )
    .example("#if defined(FOG)\n#endif"),
    statement("#ifdef", "#ifdef NAME", "what follows is read if NAME is a macro")
        .example("#ifdef FOG\n#endif"),
    statement("#ifndef", "#ifndef NAME", "what follows is read if NAME is not a macro")
        .example("#ifndef FOG\n#endif"),
    statement(
        "#elif",
        "#elif EXPRESSION",
        "what follows is read if nothing since `#if` was, and the expression is not 0",
    )
    .example("#if 0\n#elif 1\n#endif"),
    statement("#else", "#else", "what follows is read if nothing since `#if` was")
        .example("#if 0\n#else\n#endif"),
    statement("#endif", "#endif", "ends what an `#if`, `#ifdef` or `#ifndef` began").example("#if 1\n#endif"),
    statement("#line", "#line N \"FILE\"", "the next line is called line N of FILE, as `cpp` leaves it")
        .example("#line 7 \"light.vsh\""),
    statement(
        "#pragma",
        "#pragma screenspace",
        "a word to the compiler: the program leaves pixels, so nothing is to be added to it; other words are reported",
    ),
    statement("#error", "#error TEXT", "the text is refused with this message"),
    statement(
        "def",
        "def cN, x, y, z, w",
        "constant N is this, until the application gives it another value",
    )
    .example("def c5, 1, 0.5, -2, 0"),
    statement(
        "dcl_",
        "dcl_USAGE vN",
        "a declaration of Direct3D 9, which changes nothing: inputs keep their numbers",
    )
    .example("dcl_position v0"),
    statement("nop", "nop", "an empty slot; behind `+` nothing at all"),
];

/// Direct3D's macros (spec section 11).
pub const D3D_MACROS: &[Statement] = &[
    statement("m4x4", "m4x4 dst, src, cN", "src times a matrix of four rows from cN on: four dp4").example("m4x4 oPos, v0, c0"),
    statement("m4x3", "m4x3 dst.xyz, src, cN", "src times three rows of four from cN on: three dp4")
        .example("m4x3 r0.xyz, v0, c0"),
    statement("m3x4", "m3x4 dst, src, cN", "src times four rows of three from cN on: four dp3").example("m3x4 r0, v0, c0"),
    statement("m3x3", "m3x3 dst.xyz, src, cN", "src times three rows of three from cN on: three dp3")
        .example("m3x3 r0.xyz, v2, c0"),
    statement("m3x2", "m3x2 dst.xy, src, cN", "src times two rows of three from cN on: two dp3").example("m3x2 r0.xy, v0, c0"),
    statement("frc", "frc dst.xy, src", "what is behind the point of x and y: three slots").example("frc r0.xy, v0"),
    statement(
        "exp",
        "exp dst, src.x",
        "2 to the power of src, to 2^-23: ten slots, and two constants that the text does not mention; `expp` is one slot, and coarse",
    )
    .example("exp r0, v0.x"),
    statement(
        "log",
        "log dst, src.x",
        "the logarithm to base 2 of |src|: ten slots, and two constants that the text does not mention; `logp` is one slot, and coarse",
    )
    .example("log r0, v0.x"),
];
