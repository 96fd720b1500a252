//! The codes of this crate's problems: T0001 to T0199.

gpuzoo_diag::codes! {
    REJECTED = "T0001", "translation that is not accepted",
        "The checker of the shading language found a fault in what gpuzoo wrote. This is a fault of gpuzoo; please report it with \
         the program.";
    TOO_LARGE = "T0101", "too large for a shader",
        "The program needs more of something than shaders of hosts are sure to have: constants, inputs or outputs.";
    STATE = "T0102", "run that depends on the run before",
        "The program writes constants, which the runs that follow read. Shaders of a host run side by side and hand nothing on. \
         The forms `compute` and `function` give the constant back as an output of each run; what is done with it is up to the \
         caller.";
    NO_TEXTURE = "T0103", "texture where none can be read",
        "A filtered texture read follows the differences between neighbouring fragments, which only a fragment shader has; and \
         hosts filter with numbers of their own, so that no exact form exists.";
    NO_FORM = "T0104", "form that the language does not have",
        "The language has no such form: compute shaders need GLSL 430 or ES 310, and SPIR-V has no functions without an entry \
         point.";
    WRONG_STAGE = "T0105", "form for the other stage",
        "A program for vertices becomes a vertex shader, one for fragments a fragment shader. Both become compute shaders and \
         functions.";
    NO_POSITION = "T0106", "vertex shader without a position",
        "A vertex shader of a host must give a position, and the program does not write one.";
    BINDING = "T0107", "resource that cannot be bound so",
        "The shader has no resource of this name, or two of its resources have the same binding, or a number is too large: groups \
         go to 31, bindings to 254. The reflection lists the resources.";
    PREFIX = "T0108", "prefix that names cannot have",
        "Names of all languages begin with a letter and go on with letters, digits and single underscores. A prefix has at most 40 \
         of them.";
}
