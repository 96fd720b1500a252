//! The codes of problems in assembly text (`A`) and in binaries (`B`) that are the same for every machine.

gpuzoo_diag::codes! {
    UNKNOWN_MNEMONIC = "A0101", "unknown instruction",
        "A statement begins with a word that is not a mnemonic of this machine. Mnemonics are listed by \
         `gpuzoo list ops --gpu GPU`. Capitals matter where they matter to the machine's own assembler.";
    EXPECTED_REGISTER = "A0102", "expected a register",
        "The instruction needs a register here and found something else. Operands are separated as the help says: by \
         commas, or by blanks alone.";
    NO_SUCH_REGISTER = "A0103", "no such register",
        "The word looks like a register, but the file has no register of that number. Numbers have no leading zeros.";
    OUT_OF_RANGE = "A0104", "number out of range",
        "The number names something that does not exist: an input, a constant or a set of components beyond the last \
         one.";
    EXPECTED_NUMBER = "A0105", "expected an integer",
        "The instruction needs an integer here. Integers are written in decimal, or with `0x`, `0o` or `0b`; \
         underscores are ignored. There are no negative numbers and no expressions.";
    EXPECTED_NAME = "A0106", "expected a register's name",
        "The instruction needs one of a few registers that have names of their own, such as an output.";
    BAD_SWIZZLE = "A0107", "not a swizzle",
        "A swizzle names, for each component of the result, the component that it is read from. How many letters it has \
         depends on the language, and the help of the message says it: four (`wzyx`), one for all four (`.x`), or one to four \
         of which the last repeats.";
    STRAY_CHARACTER = "A0108", "character that means nothing here",
        "The language has no use for this character. The help of the message says how comments begin and whether operands \
         are separated by commas.";
    OPEN_COMMENT = "A0109", "comment is never closed",
        "A `/*` needs its `*/`. Comments nest, so a `/*` inside needs one of its own.";
    TOO_LONG = "A0110", "program too long",
        "The machine's program memory is smaller than this program.";
    MISSING_OPERAND = "A0111", "missing operand",
        "The next instruction, or the end of the text, comes before this one has all its operands.";
    UNKNOWN_DIRECTIVE = "A0112", "unknown directive",
        "A word with a dot in front is a directive to the assembler. `.word` puts a raw word into the program.";
    TOO_MANY_OPERANDS = "A0113", "too many operands",
        "What follows an instruction's last operand must be the end of the statement or the next instruction.";
    TOO_MANY_ERRORS = "A0114", "too many errors",
        "Reading stopped after 1,000 errors: this is hardly assembly text.";
    NOT_TEXT = "A0115", "not text",
        "The file holds bytes that are not UTF-8. A binary program is disassembled, not assembled; \
         a text from an old editor needs converting.";
    SOURCE_TOO_LARGE = "A0116", "source too large",
        "A source text may have up to 64 MiB.";
    BAD_MASK = "A0117", "not a write mask",
        "A write mask is one to four of x, y, z, w (or r, g, b, a), none twice. Most languages want them in this order, and \
         some have a text for no component at all; the help of the message says so.";
    READ_ONLY = "A0118", "destination cannot be written",
        "Inputs and constants are read only. Write a temporary or an output.";
    WRITE_ONLY = "A0119", "source cannot be read",
        "Outputs leave the program and cannot be read back. Keep the value in a temporary, too.";
    UNEXPECTED = "A0120", "something else was expected",
        "The grammar of the language wants something else here; the message says what.";
    NEEDS_ONE_COMPONENT = "A0121", "one component is needed",
        "The instruction works on one number, so its source names one component: `R1.x`, `-U4.w`. A number as it stands \
         will do where the language has numbers.";
    UNSUPPORTED_SWIZZLE = "A0122", "order of components that the machine cannot say",
        "The instruction's bits say a few orders of components, and this is not one of them. Copy the components in parts, \
         each with a mask.";
    NO_COMPONENTS = "A0123", "components where none can be named",
        "This operand is read or written whole.";
    TOO_MANY_VALUES = "A0124", "too many values",
        "An instruction holds at most four values, one for each component that it writes.";
    NOT_HERE = "A0125", "instruction of a related language",
        "Another machine or language has this instruction, declaration or header, and this one does not. The help says what \
         to write in its place.";
    SHARED_BITS = "A0126", "operands that cannot be together",
        "The same bits of the instruction say two of its operands, so that both are the same register. Where they must \
         differ, copy one of them to a register of another file first.";
    WORDS_LENGTH = "B0101", "binary length is not a multiple of the slot size",
        "A program is a list of little-endian 32-bit words, a fixed number for each slot, so the length of a binary is a \
         multiple of that many bytes.";
    EMPTY = "B0102", "program without instructions",
        "The text or the binary holds nothing that the machine could run.";
    OTHER_WORDS = "B0103", "text of other words",
        "A disassembly is for reading: it says what the words do, and leaves out what has no effect, as bits that the machine \
         does not use. Assembled, it does the same with other words. `gpuzoo disassemble --exact` prints what no text \
         assembles to as `.word`, so that every bit comes back.";
}
