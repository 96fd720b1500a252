//! The diagnostic codes of the back ends: K0301 to K0399.

gpuzoo_diag::codes! {
    NO_MACHINE = "K0301", "not a stage of this machine",
        "The machine has no programs for the stage that the source is of. Some machines have vertex programs alone; what happens to \
         fragments there is fixed. Choose another entry point, or another machine.";
    NO_PORT = "K0302", "no such input or output",
        "Attributes, varyings and outputs are registers, and the machine has fewer than locations can be named, or none for what is asked; two \
         outputs cannot be in one register. The message says what there is. An output can be given another register with `--bind-output`.";
    ABSENT = "K0303", "operation that the machine lacks",
        "The operation is neither an instruction of this machine nor can it be made of its instructions. The help has the nearest thing that works.";
    TOO_LONG = "K0304", "program too long",
        "The shortest program that was found does not fit. Programs have no loops and no calls when they run: a loop's body counts as often as it \
         runs. The lines that cost most are named; what depends on uniforms alone can be computed once a draw, before they are set.";
    TEMPORARIES = "K0305", "too many numbers at once",
        "Everything that is computed and still needed is in a register, and the machine has no memory to put it aside. The message says what is \
         needed where most is: compute values later, use them earlier, compute them again, or leave some to another stage.";
    CONSTANTS = "K0306", "too many constants",
        "Uniforms and the numbers of the source share the constants of the machine, from the first that may be used on, up to four numbers in each. \
         Leave out uniforms that nothing reads, and pack numbers into vectors. `--constants-at` says which constant is the first.";
    UNPROVEN = "K0307", "compiled program not proven",
        "The program does not compute what was chosen for it, or that is not proven. Nothing is written. This is a fault of gpuzoo; please report \
         it with the source.";
    COMPUTED_INDEX = "K0308", "uniform chosen at run time",
        "Instructions of this machine name their constants. Choose between values with `select`, or let a loop whose count is known go over the \
         array. Machines with an address register can do it.";
    INFINITE = "K0309", "choice of a value that can be infinite",
        "The machine has no instruction that chooses: both sides are computed, and each is multiplied with 1 or 0. An infinite value times 0 is \
         NaN. Where the operand of a division, a root or a power can be chosen instead, the compiler does that; here it cannot. Limit \
         the operands with `min`, `max` or `clamp`.";
}
