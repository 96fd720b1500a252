//! What a legal text may not do, what a program may not do, and what a sensible one does not do: the codes.

gpuzoo_diag::codes! {
    BAD_LITERAL = "S0106", "not a number",
        "Numbers are decimal: `2`, `0.5`, `.5`, `1e-3`, and the words `inf`, `-inf` and `nan`. They have no suffix and no \
         components: all four are the same.";
    LITERAL_TOO_LARGE = "S0107", "number too large",
        "The largest number that an instruction can hold is 65280. What is 65408 or more would round to infinity, which has \
         to be written as `inf`.";
    INEXACT = "S0108", "number is stored inexactly",
        "An instruction holds a number in 13 bits: 5 of exponent, 8 of precision, so that it is off by 0.4 % at most. Integers \
         up to 256 are exact. A number that must be exact belongs into a uniform.";
    UNDERFLOW = "S0109", "number is stored as zero",
        "The smallest number that an instruction can hold is 2⁻²¹, about 0.00000048; half of it and less becomes zero.";
    DIRECTIVE_TWICE = "S0112", "stage said twice",
        "One `.vertex` or one `.fragment` says what a program is for.";
    EXCEPTION = "S0201", "program runs into `EXC`",
        "`EXC` ends the run and reports an error; nothing that the run wrote leaves the shader. There are no jumps, so every \
         run that is not killed before gets there. An all-zero word is an `EXC`.";
    ILLEGAL = "S0202", "program runs into an illegal instruction",
        "Illegal are opcode 31, a source or destination without a register, a uniform as destination, a texture unit other \
         than T0 to T3, a second `ZTS`, and `KIL` or `ZTS` in a vertex program. The machine does as for `EXC`.";
    IGNORED_BITS = "S0203", "bits that the machine ignores are set",
        "The reserved bits, fields of operands that the instruction does not have, and what stands where a destination is none \
         are ignored. The assembler writes zeros; a later machine may not ignore them.";
    EXTRA_CYCLES = "S0204", "instruction reads more than a cycle gives",
        "Uniforms and shared registers have one read port each, so an instruction that reads several different ones takes a \
         cycle for each. The result is the same. Where a value is used more than once, a copy in a temporary is cheaper.";
    READ_BEFORE_WRITE = "S0205", "register is read before it is written",
        "Registers start as 0.0, so the value is known; it is rarely what was meant.";
    OUTPUT_NEVER_WRITTEN = "S0206", "output is never written",
        "P9 is a vertex's position and a fragment's colour. A vertex without one is at (0, 0, 0, 0), which is nowhere; a \
         fragment without one is transparent black.";
    NO_TEXTURES = "S0207", "texture read in a vertex program",
        "The texture units belong to the groups of fragment shaders. In a vertex program every read gives zeros.";
    NEVER_RUNS = "S0208", "code that never runs",
        "The program fails before it gets there, and there are no jumps.";
    WRONG_STAGE = "S0209", "program is for the other stage",
        "A scene uses a program as what it says that it is not, or a vertex program where a fragment program belongs.";
    OVER_LIMIT = "S0301", "over the limits that the text asks for",
        "`.limits ps_1_4`, `.limits vs_1_1` and `.limits arb` check a program against the minimum that every machine of that \
         interface has. This machine itself has no such limits.";
}
