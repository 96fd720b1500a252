//! What may be wrong with a 65C02 program: the codes.

gpuzoo_diag::codes! {
    UNEXPECTED = "V0201", "not expected here",
        "The line goes on, or ends, where the assembler's grammar has something else. One line holds one statement: a label, then an \
         instruction, a directive or a macro. Numbers are `10`, `$0a`, `%1010` or `'A'`.";
    UNKNOWN_INSTRUCTION = "V0202", "unknown instruction",
        "The statement begins with a word that is neither an instruction of the 65C02 nor a macro. A macro must be defined above its \
         first use. A label needs a colon (`loop:`), a constant an equals sign (`WIDTH = 320`).";
    ADDRESSING_MODE = "V0203", "the instruction has no such addressing mode",
        "Each instruction takes only some kinds of operands: `stx $1234,y` does not exist, for one. A value above 255, or a name that is \
         not known yet, needs a mode with a 16-bit address; `(address),y` and `(address,x)` take zero-page addresses only, \
         except for `jmp`.";
    UNDEFINED = "V0204", "undefined name",
        "Nothing in the program defines this name. Names are case-sensitive. A cheap local (`@loop`) is visible only up to the next \
         ordinary label, a name in a `.proc` or `.scope` only inside of it, or from outside as `scope::name`. What a source \
         `.import`s another one of the program must `.export`.";
    DUPLICATE = "V0205", "name defined twice",
        "A name has one meaning in its scope. Use `.set` for a value that changes while assembling, a cheap local (`@loop`) or an \
         unnamed label (`:`) for a label that is needed only nearby, and `.local` for labels inside of a macro.";
    RANGE = "V0206", "value does not fit",
        "A byte holds 0 to 255, a word 0 to 65535, a zero-page address 0 to 255. As in ca65, negative values are not cut silently: \
         `<-1` is the byte $FF. `#<name` and `#>name` are the two bytes of an address.";
    BRANCH = "V0207", "branch is too far",
        "A branch reaches from 126 bytes before its own first byte to 129 behind it (`bbr` and `bbs`: 125 and 130). Branch on the opposite \
         condition over a `jmp`, or move the code.";
    NOT_CONSTANT = "V0208", "value is not known here",
        "What decides how many bytes follow (`.if`, `.res`, `.repeat`, `.org`, `.align`, `.set`) must be known when the line is read: \
         from numbers and names defined above. Addresses in segments are known only at the end; their differences within one \
         segment are known at once. A value that takes more than 10,000 steps through names and operators counts as not known.";
    BAD_NUMBER = "V0209", "not a number",
        "Numbers are decimal digits, `$` with hexadecimal digits, `%` with binary digits, or hexadecimal digits that begin with 0 to 9 \
         and end with `h`; up to 32 bits. A character constant is one ASCII character between apostrophes.";
    STRAY = "V0210", "text that means nothing here",
        "A character that the language does not use, a string without its closing quote in the same line, or a comment that is never \
         closed. Comments begin with `;`. `.feature c_comments` allows `//` and `/* */`.";
    UNKNOWN_DIRECTIVE = "V0211", "unknown directive",
        "Data: .byte .byt .word .addr .dbyt .dword .faraddr .res .asciiz .literal .align .incbin .lobytes .hibytes .charmap. \
         Places: .org .reloc .segment .code .data .rodata .bss .zeropage .pushseg .popseg. \
         Names: .set .define .undefine .proc .endproc .scope .endscope .enum .endenum .struct .union .endstruct .endunion .tag .export .import \
         .global .exportzp .importzp .globalzp .autoimport .local. \
         Text: .include .macro .mac .endmacro .endmac .exitmacro .delmacro .repeat .rep .endrepeat .endrep .end. \
         Conditions: .if .ifdef .ifndef .ifblank .ifnblank .ifconst .ifnconst .ifref .ifnref .ifp02 .ifpsc02 .ifpc02 .ifp816 .elseif .else .endif. \
         Checks: .assert .error .fatal .warning .out .feature .setcpu .pc02 .psc02 .p02 .pushcpu .popcpu.";
    UNBALANCED = "V0212", "a block is not closed, or closed without being opened",
        "`.if`, `.macro`, `.repeat`, `.proc`, `.scope`, `.enum`, `.struct` and `.union` each need their end, those of conditions in the same file. \
         `.endmacro` and `.endrepeat` are alone in their lines.";
    MACRO = "V0213", "macro or `.define` is used or defined wrongly",
        "`.macro name a, b` up to `.endmacro` defines a macro, which is used as `name 1, 2`. A parameter that is left out is empty \
         (`.ifblank`). Commas inside of an argument need braces: `name {1,2}, 3`. Macros are not defined inside of macros. \
         `.define name words` and `.define name(a, b) words` stand for words: a name is defined once, until `.undefine name`, and a use has an argument for each \
         parameter.";
    TOO_DEEP = "V0214", "nested too deeply",
        "Up to 32 files may include one another, 128 macros and repetitions may be under way, 256 conditions, 256 scopes, and 128 \
         parentheses may be open. A macro or a file that calls itself without an end is the usual cause.";
    TOO_LONG = "V0215", "program is too long",
        "The bytes of a program are at most 65,536 altogether, and so are those that it only reserves; they end at $FFFF.";
    TOO_MANY_LINES = "V0216", "too much text after expansion",
        "A program may have up to 4,000,000 lines with what is included, expanded and repeated, a repetition up to 65,536 rounds, and a \
         line up to 65,536 words after expansion; 67,108,864 words altogether, 1,048,576 local names of macros, 64 MiB of names with \
         their scopes, and 1 GiB of files, each time they are read. A name that is made of names whose value is not known yet is looked \
         through at each use: of long chains (more than 64 steps) at most 4,194,304 steps altogether.";
    INCLUDE = "V0217", "file cannot be read",
        "A file that the program includes is not there, or is not text. Names are relative to the folders of the including files, the innermost first, and of the program.";
    FAILED = "V0218", "the program says that it is wrong",
        "An `.assert` does not hold, or an `.error` was reached. The message is the program's own.";
    WARNED = "V0219", "the program warns",
        "A `.warning` was reached, or an `.assert` with the action `warning` does not hold. The message is the program's own.";
    SEGMENT = "V0220", "segment cannot take this",
        "`ZEROPAGE` is $22 to $7F, and BSS ends at $9EFF, before the I/O. Segments of banked memory (`BANKRAM01` and so on) would be files of their own and are not made.";
    OVERLAP = "V0221", "two parts lie at the same address",
        "Each `.org` puts what follows at its address. Two parts of this program claim the same bytes. Code that lies in one place and \
         runs in another is between `.org` and `.reloc`.";
    CPU = "V0222", "CPU is not supported",
        "The Commander X16 assembled for here has a W65C02S; its instructions are those of `.setcpu \"65C02\"`, and `6502` and `65SC02` are \
         subsets. The 65816 and others are not.";
    FEATURE = "V0223", "feature is not known",
        "Understood are addrsize, c_comments, string_escapes, underline_in_numbers, labels_without_colons, pc_assignment and force_range; \
         the others of ca65 are left out with this warning.";
    DIVISION = "V0224", "division by zero",
        "`/` and `.mod` need a divisor other than 0.";
    CIRCULAR = "V0225", "definition needs itself",
        "The value of this name is made from itself.";
    GUESSED = "V0226", "zero page was not used",
        "The name was not known yet when its instruction was read, so a 16-bit address was assumed; it turned out to lie in the zero page. \
         The program works, but is a byte longer and a cycle slower. Define the name above its use.";
    TOO_MANY_ERRORS = "V0227", "too many errors",
        "Assembling stopped after 1,000 errors: this is hardly a 65C02 program. Of warnings and notes, 1,000 are shown.";
    EMPTY = "V0228", "the program has no bytes",
        "A PRG is a load address and bytes; this program only reserves or defines.";
    SCOPE = "V0229", "no such scope",
        "`name::member` needs a `.proc`, `.scope`, `.enum` or `.struct` of that name above.";
    COUNT = "V0230", "count is not possible",
        "A length or a count is negative or too large for this directive.";
    LOST = "V0234", "bytes of a segment that reserves memory",
        "`ZEROPAGE` and `BSS` reserve memory and are not in the program's file: these bytes take their room there, and nothing puts them \
         there when the program is loaded. Reserve the room with `.res`, and let the program write what it needs.";
    NOT_SYMBOLS = "V0231", "not a symbol file",
        "Names for a program of another assembler come from a file that its linker writes: labels, each on a line `al 00080D .start` \
         (`ld65 -Ln FILE`, `gpuzoo assemble --symbols FILE`), or ld65's debug information, version 2 (`ld65 --dbgfile FILE`, with objects \
         of `ca65 -g`). Its lines can take up to 16,777,216 bytes together, and its names with their scopes 64 MiB.";
    OTHER_PROGRAM = "V0232", "symbols of another program",
        "What the file says of the program's segments does not fit the program: it was written for another one, or before the program was \
         linked again. Segments in other files than the program's (banks of RAM) are left out.";
    NO_SOURCE = "V0233", "source of debug information cannot be used",
        "A source file that the debug information names is not there, is no text, or has another length than when it was assembled. It \
         is looked for in the program's folder and in those of `--include`. Without it, addresses have names but no lines.";
    CONFIG = "V0235", "linker configuration is wrong",
        "`--config` takes a configuration of ld65: blocks `MEMORY { NAME: start = …, size = …; }`, `SEGMENTS { NAME: load = AREA, type = ro; }`, \
         `SYMBOLS`, `FILES`, `FEATURES`. Only plain binary files are written. A configuration has up to 1,024 areas, segments and symbols each, and its files have up to 16 MiB altogether.";
    OBJECT = "V0236", "object file cannot be linked",
        "Beside texts a program may have object files, as ca65 of cc65 2.19 writes them (`ca65 -t cx16 -o lib.o lib.s`), and libraries of them, as its ar65 does: \
         segments, values, names that are imported and exported, tables of constructors, assertions. Far branches, other versions of the format, and objects in \
         the format o65 are left to ld65.";
}
