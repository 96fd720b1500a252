//! What can be wrong with a Cg source.

gpuzoo_diag::codes! {
    PREPROCESSOR = "K0201", "preprocessor line that cannot be read",
        "Lines that begin with `#` are C's: `#define`, `#undef`, `#if`, `#ifdef`, `#ifndef`, `#elif`, `#else`, `#endif`, \
`#include`, `#error`; `#pragma` and `#line` change nothing here. Conditions are of integers, `defined` and C's operators.\n\n\
```c\n#if LIGHTS > 2 && defined(FOG)\n#endif\n```";
    INCLUDE = "K0202", "file that cannot be included",
        "A name in quotes is looked up in the folder of the file that includes it, then where names in `<>` are: where the \
command looks for files.";
    STOPPED = "K0203", "the source stops itself",
        "An `#error` line was reached: the source says with it what has to be defined, or what it cannot do.";
    LIMIT = "K0204", "too large, or nested too deep",
        "Sources of a few lines can stand for programs without end: macros that double what they contain, files that include \
themselves, parentheses in parentheses. There are limits, far beyond what any shader needs.";
    SYNTAX = "K0205", "not Cg",
        "The text is not a declaration, statement or expression of Cg as the reader knows it.";
    NUMBER = "K0206", "number that has no value",
        "Integers have 32 bits; what floating-point numbers are rounded to must be finite.";
    UNKNOWN_NAME = "K0207", "unknown name",
        "Variables, functions and types are declared before they are used; functions of Cg's library are those of its vertex \
profiles.";
    UNKNOWN_MEMBER = "K0208", "no such member",
        "Components are written with `xyzw` or with `rgba`, not with both at once, as many as four: `v.xyz`, `v.rg`. Elements of \
matrices are `_m00` to `_m33`, or `_11` to `_44`, row first. Other members are those of the struct.";
    TYPE = "K0209", "types that do not fit",
        "Cg turns numbers into one another, makes every component of a scalar, and drops the last components of what is longer \
than needed. Shorter vectors do not become longer ones: `float4(v, 1)` says with what.";
    CALL = "K0210", "arguments that fit no function",
        "The function has other parameters: their number, or what types can be turned into theirs. `out` and `inout` parameters \
need variables.";
    SEMANTIC = "K0211", "unknown semantic",
        "Inputs of vertex programs are `POSITION`, `BLENDWEIGHT`, `NORMAL`, `COLOR0` or `DIFFUSE`, `COLOR1` or `SPECULAR`, \
`FOGCOORD`, `PSIZE`, `BCOL0`, `BCOL1`, `TEXCOORD0` to `TEXCOORD6`, `TANGENT`, `BINORMAL`, or `ATTR0` to `ATTR15`. Outputs are \
`POSITION`, `COLOR0`, `COLOR1`, `BCOL0`, `BCOL1`, `FOG`, `PSIZE` and `TEXCOORD0` to `TEXCOORD7`.";
    SEMANTIC_TWICE = "K0212", "register that is given twice",
        "Two inputs, or two outputs, have the same semantic, or semantics of the same register: `COLOR0` is `DIFFUSE`, and \
`ATTR3` too.";
    ENTRY = "K0213", "no such vertex program",
        "The entry point is a function of the source, `main` if no other is named, that is defined once and gives a `POSITION`.";
    UNSUPPORTED = "K0214", "not for vertex programs",
        "The construct exists in Cg, but not in the vertex programs of machines of this age, or not in this reader: textures, \
`discard`, interfaces, functions that look at bits.";
    ASSIGN = "K0215", "cannot be assigned to",
        "Uniforms, constants and values of expressions keep what they are. Copy the value into a variable first.";
    TWICE = "K0216", "declared twice",
        "In one scope, a name has one declaration.";
    CONSTANT = "K0217", "not a constant",
        "Sizes of arrays are positive integers that are known without running the program: numbers, and `const` variables that \
are made of such.";
    INDEX = "K0218", "index out of range",
        "Elements are counted from 0.";
    NO_VALUE = "K0219", "function may end without a value",
        "A function that is not `void` ends with a `return`, on every way through it.";
    RECURSION = "K0220", "function calls itself",
        "The machines have no stack: a function cannot call itself, nor be called by what it calls.";
    TRUNCATED = "K0221", "components are dropped",
        "A vector or matrix is used where a shorter one is wanted. Cg drops the last components; a swizzle (`v.xyz`) or a cast \
(`(float3x3)m`) says so in the source.";
    DEFAULT = "K0222", "first value of a uniform",
        "Uniforms are set by the program that draws. A value that the source gives is what they have before that, if it is made of numbers; \
others, and those of structs, are not kept.";
    PLACED = "K0223", "input or output without a semantic",
        "An input that has no semantic gets the first register that is free, an output the first texture coordinates: others when \
inputs or outputs are added.";
    ZERO = "K0224", "division by zero",
        "An integer is divided by 0, or shifted by more bits than it has: no number is the result.";
}
