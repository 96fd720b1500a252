//! The codes of what a machine with one instruction a slot cannot take.

gpuzoo_diag::codes! {
    NO_STAGE = "K0401", "the machine has no programs of this kind",
        "Dreambox has vertex programs only; what happens to pixels there is fixed. PicoGpu and Servaru have vertex and fragment \
         programs. Choose another entry point, or another machine.";
    NO_PORT = "K0402", "the machine has no such input or output",
        "Each machine has its own number of inputs and outputs: attributes and varyings are numbered from location 0 on, and few \
         machines have more than the position and some locations. The help says what there is.";
    TOO_MANY_CONSTANTS = "K0403", "more constants than the machine has",
        "Uniforms lie in the machine's constants from the first one on, and numbers that instructions cannot hold lie behind them, \
         up to four in each. Leave out uniforms that nothing reads, pack numbers into vectors, or compute some of them from others.";
    NO_REGISTERS = "K0404", "more values are needed at once than there are registers",
        "The machine has no memory to put values aside. The labels show what is needed at the place where the most is. Use values \
         sooner after they are computed, compute them again, or leave some to another stage.";
    TOO_LONG = "K0405", "the program does not fit into the machine",
        "Programs have no loops and no calls at run time: a loop's body counts as often as it runs. The labels show the lines that \
         cost the most.";
    NO_INSTRUCTION = "K0406", "the machine cannot do this",
        "No instruction of the machine does this operation, and none of its instructions make it up. The help has the nearest thing \
         that works.";
    COMPUTED_INDEX = "K0407", "the machine cannot choose a uniform at run time",
        "Instructions of this machine name their constants. Choose between values with `select`, or let a loop whose count is known \
         go over the array.";
    UNPROVEN = "K0408", "the program was not proven to be right",
        "What was compiled gives other results than the source on some inputs, so it was thrown away. This is a fault of gpuzoo, not of \
         the source.";
}
