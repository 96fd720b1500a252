//! What a legal program may not do, and what a sensible one does not do.

gpuzoo_diag::codes! {
    TWO_INPUTS = "N0101", "two input registers in a slot",
        "A slot has one input number: whatever its halves read from v must be the same register. (nv2a_vsh_asm assembles \
         `add r0, v0, v1` silently as `v1 + v1`.) Copy one to a temporary first.";
    TWO_CONSTANTS = "N0102", "two constants in a slot",
        "A slot has one constant number and one bit that adds A0 to it. Two constants, or one with A0 and one without, do \
         not fit. Copy one to a temporary first.";
    PORT_TAKEN = "N0103", "two writes of the output port",
        "A slot writes one output or one constant. nv2a_vsh_asm drops the second write silently.";
    HALF_TAKEN = "N0104", "two operations for one half",
        "A slot has one MAC operation (mul, add, mad, dp3, …) and one ILU operation (rcp, rsq, …); a `mov` fits either.";
    TWO_TEMPORARIES = "N0105", "two temporaries in a slot",
        "The MAC half writes any temporary. The ILU half beside it writes r1, whatever the slot says.";
    SHARED_C = "N0106", "halves need different C",
        "`add`, `mad` and every ILU operation read the slot's source C, of which there is one: register, sign and swizzle.";
    ILU_WRITES_R1 = "N0107", "paired ILU operation writes r1",
        "Beside a MAC operation the ILU writes r1, whatever temporary the slot names; an Xbox shows it. The text was \
         assembled as nv2a_vsh_asm does: to r1.";
    BOTH_WRITE_R1 = "N0108", "both halves write r1",
        "When the MAC half writes r1 and an ILU half beside it writes its r1, emulators disagree on the result and no \
         console has been asked.";
    REFERENCE_REFUSES = "N0109", "nv2a_vsh_asm refuses this",
        "The machine can do it, and gpuzoo assembles it, but the reference assembler does not. A text that must also pass \
         there has to be written differently.";
    UNIFORM = "N0204", "wrong use of a uniform",
        "A uniform is defined once, before it is used: `#name vector 5` or `#name matrix4 96`. A vector is `#name`, a row of a \
         matrix `#name[2]`. Its constants lie within c0 to c255, which is what a slot can say; the machine has those up to c191 \
         (see N0301).";
    MACRO = "N0206", "wrong use of a macro",
        "`%matmul4x4 dst src #matrix` and `%norm3 dst src temporary` are written without commas. Direct3D's `m4x4`, `m4x3`, \
         `m3x4`, `m3x3`, `m3x2`, `frc`, `exp` and `log` stand for several instructions each, so their operands must leave each \
         other alone.";
    RELATIVE_WRITE = "N0207", "relative constant as destination",
        "A0 is added to the numbers of constants that are read. Writes have no address register.";
    IGNORED_MASK = "N0208", "mask or sign that the macro ignores",
        "The macro writes components of its own choice; nv2a_vsh_asm ignores the mask written here without a word.";
    NO_CONSTANT = "N0209", "constant that the machine does not have",
        "A slot's number of a constant has eight bits, and the machine has c0 to c191. nv2a_vsh_asm writes greater numbers of \
         uniforms into the slot, so gpuzoo does, too: test programs want such slots. Here they read zeros and write nothing.";
    WHOLE_MATRIX = "N0210", "matrix where one row is read",
        "An operand is one constant. The name of a matrix4 alone is its row 0, as nv2a_vsh_asm reads it; `#mvp[0]` says so, and \
         `%matmul4x4` multiplies by all four rows.";
    NOT_DEFINED = "N0301", "slot with undefined parts",
        "The bits name an operation, a register or a mux that does not exist. gpuzoo reads zeros, writes nowhere, and prints \
         the slot as `.word`.";
    NO_FINAL = "N0302", "no last slot",
        "No slot has its FINAL bit set, so the machine would run off the end of the program.";
    NOT_EXPRESSIBLE = "N0303", "slot that the dialect cannot express",
        "A dialect has no words for everything that a slot can do: NV_vertex_program knows neither pairs nor constants \
         below c96, vs.1.1 neither pairs nor negative constants. Pairs are split where the order does not matter; what is left is printed as \
         `.word`, which gpuzoo's reader of every dialect takes and no other assembler does.";
    READ_BEFORE_WRITE = "N0304", "temporary is read before it is written",
        "Nothing has written these components when the instruction reads them. Temporaries start as zeros here; on the \
         console they hold what the vertex before left.";
    NO_POSITION = "N0305", "position is never written",
        "A vertex program that writes no oPos draws nothing: the vertex keeps the position that an earlier program left. State \
         programs write constants alone, and what words mean that come without a text is not known, so neither is reported.";
    WRITES_NOTHING = "N0306", "program writes nothing",
        "What leaves a program are outputs and constants. This one writes temporaries at most, so nothing that it does can be \
         seen.";
    HEADER = "N0401", "header that is not known",
        "The first line says what the text is: `!!VP1.0`, `!!VP1.1` or `!!VSP1.0` for NV_vertex_program, `vs.1.0`, `vs.1.1`, \
         `xvs.1.0`, `xvs.1.1`, `xvss.1.1` or `xvsw.1.1` for Direct3D. Later versions need hardware that the Xbox does not have.";
    NEEDS_VP11 = "N0403", "needs !!VP1.1",
        "DPH, RCC, SUB, ABS, `OPTION NV_position_invariant` and a `+` sign before a source came with NV_vertex_program1_1.";
    POSITION = "N0404", "rule about o[HPOS]",
        "A vertex program writes o[HPOS]; `.word` may do it. One with `OPTION NV_position_invariant` leaves that to the option, and reads no \
         constants relative to A0.x.";
    STATE_PROGRAM = "N0405", "rule about state programs",
        "A state program (`!!VSP1.0`, `xvss`) reads v[0] alone, writes no outputs, and is there to write constants. Other \
         programs write none, but for Direct3D's `xvsw`.";
    INVARIANT = "N0406", "who transforms the position",
        "The chip runs a program in place of the fixed transformation, so nothing else transforms the position. gpuzoo puts \
         four DP4 before the program, with four constants that the application fills with the rows of the modelview-projection \
         matrix: c[0] to c[3] unless told otherwise. GL's limit of 124 instructions leaves room for just these.";
    INPUT_NUMBERS = "N0407", "numbers of inputs",
        "NV_vertex_program counts TEX0 to TEX7 as inputs 8 to 15; the Xbox has TEX0 to TEX3, which are its inputs 9 to 12, behind \
         the point size and the two back colours. v[8] is v[TEX0] in a text, so it becomes input 9, as vp20compiler does it; \
         v[12] and on do not exist. Inputs 6 and 7 have no names in OpenGL and are taken as the machine's. With \
         `--numbering d3d` or `hw` all numbers of inputs are the machine's own.";
    DIALECT_LIMIT = "N0408", "longer than the dialect allows",
        "The machine holds 136 slots; NV_vertex_program and vs.1.1 allow 128 instructions. The program runs here, and is refused \
         by assemblers that keep to the dialect.";
    LISTING = "N0409", "listing of an emulator",
        "Older emulators list programs with masks behind a comma, `DP4(oPos,x, v0, c[0])` or `dp4 oPos,x, v0, c[0]`. No assembler \
         reads that. Such listings have the words of each slot in comments; a file of these words alone is read as a binary, with \
         `--from hex`.";
    XBOX_ONLY = "N0501", "only in the Xbox's dialect",
        "`+` pairs, r12, `dph`, `rcc`, oB0, oB1 and constants below 0 exist on this machine, but vs.1.1 has no words for them. The \
         version line `xvs.1.1` says that the text is for the Xbox.";
    A0_NOT_SET = "N0502", "a0 is read before it is set",
        "vs.1.1 demands that a0.x is set before it is used. On this machine it starts as 0.";
    DEFINITION = "N0503", "constant defined twice",
        "Each `def` sets a constant before the program runs; of two for the same constant the last one holds.";
    MADE_CONSTANTS = "N0504", "constants made by a macro",
        "`exp` and `log` need coefficients. gpuzoo puts them into constants that the text does not mention, from the highest \
         one down, and hands them over with the program, as those of `def`. They must be loaded like these, and relative reads \
         must stay away from them.";
    DECLARATION = "N0505", "declared inputs keep their numbers",
        "`dcl_usage vN` is Direct3D 9's way to bind vertex data to inputs; in Direct3D 8, and on the Xbox, the application does. \
         The line is accepted and changes nothing: vN is input N.";
    VIEWPORT_SLOTS = "N0506", "slots that take oPos to the screen",
        "The machine draws with pixels. A text that begins with `vs` or `xvs` ends in clip space, unless it says `#pragma \
         screenspace`: then it writes pixels itself. Without the pragma two slots are added behind it, which nearly all programs \
         of finished games end with: `mul oPos.xyz, r12, c-38` beside `rcc r1.x, r12.w`, and `mad oPos.xyz, r12, r1.x, c-37`. \
         They overwrite r1.x, which nothing reads any more, and read c58 and c59 of the machine, which the application sets to the \
         viewport's scale and offset. With `--position clip`, and in draws of a scene whose state says `positions = \"clip\"`, \
         nothing is added. `xvsw` and `xvss` texts, and those of the other dialects, stay as they are.";
    PREPROCESSOR = "N0701", "preprocessor line that cannot be read",
        "Texts of the Direct3D dialect have C's preprocessor lines: `#include`, `#define`, `#undef`, `#if`, `#ifdef`, `#ifndef`, \
         `#elif`, `#else`, `#endif`, `#line`, `#pragma` and `#error`. With an error in one of them the program is not read, since \
         what is wrong there would be found again wherever it is used.";
    INCLUDE = "N0702", "file that cannot be included",
        "`#include \"file\"` looks in the folders of the files that include, the innermost first, then in the program's own \
         folder and in those of `--include`; `#include <file>` in the last two.";
    CONDITION = "N0703", "condition that is not well formed",
        "Each `#if`, `#ifdef` and `#ifndef` has an `#endif` in the same file, and between them any number of `#elif`, then at most \
         one `#else`.";
    MACRO_USE = "N0704", "wrong use of a preprocessor macro",
        "A macro with parameters is used with as many arguments, in parentheses with commas between. Its name alone is not \
         replaced.";
    REDEFINED = "N0705", "macro defined again",
        "The macro has another text from here on. That is allowed, and seldom meant: `#undef` before it says so.";
    ERROR_LINE = "N0706", "the text refuses to be assembled",
        "An `#error` line was reached. Its text says why; often a macro is missing, which `--define NAME=VALUE` gives.";
    LIMIT = "N0707", "more than the preprocessor takes",
        "Files include one another at most 32 deep, at most 1,000 times, with 16 MiB at most. Macros expand to at most 1 MiB, \
         counted at every level, and at most 128 deep. No real program comes near; a file that includes itself and a macro that \
         doubles itself do.";
    PRAGMA = "N0708", "pragma that is not known",
        "`#pragma` lines are for one assembler and are skipped by all others. `#pragma screenspace` is known (see N0506).";
    UNUSED_DEFINE = "N0709", "definition that nothing can use",
        "Only texts of the Direct3D dialect have macros. To this one `--define` means nothing.";
    NO_DRAW = "N0801", "draw or launch of a log",
        "A log has a draw for each SET_BEGIN_END with a kind of primitive and the one with 0 behind it, and a launch for each \
         LAUNCH_TRANSFORM_PROGRAM; `--draw N` and `--launch N` count them from 0. Without either the first draw is taken that goes \
         through a program, or else the first launch. Draws and launches before it are run where they write constants.";
    LOG_PROGRAM = "N0802", "program that the log does not have",
        "A log begins anywhere, and what was sent before is not in it. The program of a draw can be taken if the log loads its slots, from \
         SET_TRANSFORM_PROGRAM_START to the one with the final bit, before the draw's end; that of a launch if it loads those from the \
         slot that LAUNCH_TRANSFORM_PROGRAM names. Draws through the fixed pipeline have none.";
    LOG_VERTICES = "N0803", "vertices that a log does not have",
        "DRAW_ARRAYS and ARRAY_ELEMENT name vertices that lie in the console's memory. Attributes that are set one by one, and INLINE_ARRAY, \
         are in the log. Inputs that do not come from memory have the values that were set last.";
    LOG_LINE = "N0804", "lines of a log that cannot be read",
        "Lines with `nv2a_pgraph_method` have a subchannel, a class, a method and its parameter, in one of the three forms that \
         xemu and its scripts print. One that is cut off may be a value that is missing.";
    LOG_CONSTANTS = "N0805", "constants that a log leaves open",
        "Launches and draws before the one that is taken are run, since the constants that they write are its constants. Where these programs \
         read what the log does not set, zeros are taken; where a draw's vertices lie in the console's memory, the constants that its \
         program writes count as not set.";
    LOG_METHOD = "N0806", "command of a log that is not modelled",
        "The command may change what programs see, and gpuzoo does not follow it: its form is not modelled, the log leaves out its parameters, \
         or no source names its method. Commands for surfaces, textures, combiners and the fixed pipeline's lights are known \
         to leave vertex programs alone and are passed over.";
    BLOCKED_WRITE = "N0601", "write that the mode forbids",
        "Vertex programs write constants only while NV097_SET_TRANSFORM_PROGRAM_CXT_WRITE_EN is set, here the mode \
         `constants=writable`. State programs have no outputs. What is written all the same is dropped.";
    HIDDEN_READ = "N0602", "read that the mode forbids",
        "In the mode `range=user` programs reach c96 to c191 and, without A0, the viewport's c58 and c59. State programs have \
         one input, v0. gpuzoo reads zeros from all others.";
    NOT_SCALED = "N0603", "position that nothing brings to the screen",
        "The unit's oPos holds pixels. Nearly every program ends with `mul oPos.xyz, r12, c58`, `rcc r1.x, r12.w` and \
         `mad oPos.xyz, r12, r1.x, c59`. In Direct3D's dialect the assembler adds these (see N0506), but not to a text that says \
         `#pragma screenspace`; in the other dialects the text has them. This program does without.";
    SCALED_TWICE = "N0604", "position that is brought to the screen twice",
        "The draw says `positions = \"clip\"`, so what the program writes to oPos is scaled to the picture, and the program seems to \
         do that itself: it reads c58 or c59, the viewport's scale and offset.";
    STATE_DRAWN = "N0605", "draw with a state program",
        "A state program is launched by the application between draws. It writes constants and has no outputs, so no draw can \
         run it. `gpuzoo run` does, and shows the constants that it leaves.";
}
