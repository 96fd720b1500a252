//! The diagnostic codes of the back ends: K0301 to K0399.

gpuzoo_diag::codes! {
    NO_MACHINE = "K0301", "not a stage of this machine",
        "The machine has no programs for the stage that the source is of, or its programs cannot be compiled for.";
    NO_PORT = "K0302", "no such input or output",
        "Attributes and varyings are registers, and the machine has fewer than locations can be named, or none for what is asked. The \
         message says which there are. An output can be given another register with `--map`.";
    ABSENT = "K0303", "operation that the machine lacks",
        "The operation is neither an instruction of this machine nor can it be expressed in its instructions: textures cannot be read, \
         fragments cannot be discarded and bits cannot be computed with by a vertex shader that only has floats.";
    TOO_LONG = "K0304", "too many slots",
        "The shortest program that was found does not fit. The lines that cost most are named; what depends on uniforms alone can be computed \
         once a draw by whoever sets them, and sums of matrices times vectors are shorter with one matrix.";
    TEMPORARIES = "K0305", "too many numbers at once",
        "Everything that is computed and still needed is in a temporary. Where more is alive than there is room for, no order of the \
         instructions helps: values have to be computed later, or used earlier. The message says what is alive where most is.";
    CONSTANTS = "K0306", "too many constants",
        "Uniforms and the numbers of the source share the constants of the machine, from the first that may be used on. `--constants-at` says \
         which one that is.";
    UNPROVEN = "K0307", "compiled program not proven",
        "The program does not compute what was chosen for it, or that is not proven. This is a fault of gpuzoo; please report it with the \
         source.";
}
