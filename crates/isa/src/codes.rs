//! The codes of problems in assembly text (`A`) and in binaries (`B`) that are the same for every machine.

gpuzoo_diag::codes! {
    UNKNOWN_MNEMONIC = "A0101", "unknown instruction",
        "A statement begins with a word that is no mnemonic of this machine. Mnemonics are listed by \
         `gpuzoo list ops --gpu GPU`. Capitals matter where the machine's own assembler minds them.";
    EXPECTED_REGISTER = "A0102", "expected a register",
        "The instruction needs a register here and found something else. Operands are separated by blanks alone \
         where the machine's language has no commas.";
    NO_SUCH_REGISTER = "A0103", "no such register",
        "The word looks like a register, but the file has no register of that number. Numbers have no leading zeros.";
    OUT_OF_RANGE = "A0104", "number out of range",
        "The number names something that does not exist: an input slot, a constant or a set of lanes beyond the last one.";
    EXPECTED_NUMBER = "A0105", "expected an integer",
        "The instruction needs an integer here. Integers are written in decimal, or with `0x`, `0o` or `0b`; \
         underscores are ignored. There are no negative numbers and no expressions.";
    EXPECTED_NAME = "A0106", "expected a register's name",
        "The instruction needs one of a few registers that have names of their own, such as an output.";
    BAD_SWIZZLE = "A0107", "not a swizzle",
        "A swizzle is four letters of x, y, z, w (or r, g, b, a), lower case: for each lane of the result the lane \
         that it is read from. `xxxx` copies x to all four lanes.";
    STRAY_CHARACTER = "A0108", "character that means nothing here",
        "The language has no use for this character. Commas and semicolons are not needed; comments begin with `//`.";
    OPEN_COMMENT = "A0109", "comment is never closed",
        "A `/*` needs its `*/`. Comments nest, so a `/*` inside needs one of its own.";
    TOO_LONG = "A0110", "program too long",
        "The machine's program memory is smaller than this program.";
    MISSING_OPERAND = "A0111", "missing operand",
        "The next instruction, or the end of the text, comes before this one has all its operands.";
    UNKNOWN_DIRECTIVE = "A0112", "unknown directive",
        "A word with a dot in front is a directive to the assembler. `.word` puts a raw word into the program.";
    TOO_MANY_OPERANDS = "A0113", "too many operands",
        "What follows an instruction's last operand must be the next instruction.";
    TOO_MANY_ERRORS = "A0114", "too many errors",
        "Reading stopped after 1,000 errors: this is hardly assembly text.";
    NOT_TEXT = "A0115", "not text",
        "The file holds bytes that are not UTF-8. A binary program is disassembled, not assembled; \
         a text from an old editor needs converting.";
    SOURCE_TOO_LARGE = "A0116", "source too large",
        "A source text may have up to 64 MiB.";
    WORDS_LENGTH = "B0101", "binary is no list of words",
        "A program is a list of little-endian 32-bit words, a fixed number for each slot, so the length of a binary is a \
         multiple of that many bytes.";
}
