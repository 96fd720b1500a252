//! What can be wrong with programs, jobs and draws, each with its code, and what a legal program may not declare (spec
//! sections 2.3, 2.4 and 3).

use crate::regs::MAX_PORTS;
use gpuzoo_diag::{Diagnostic, Span};
use gpuzoo_isa::{Interface, Parser, Port, Stage};

gpuzoo_diag::codes! {
    BAD_IO_MASK = "P0102", "components out of order",
        "An input, output or uniform has the components x, xy, xyz or xyzw, in this order and without gaps. (The reference \
         assembler takes `.yx` for `.xy`.)";
    DECLARED_TWICE = "P0103", "register declared twice",
        "A register can be one input, one output or one uniform. It can be an input and an output at the same time, which \
         passes a value through.";
    TOO_MANY_PORTS = "P0104", "too many directives of a kind",
        "A program has at most three inputs, three outputs and three uniforms; the store command has no room for more.";
    SECOND_STAGE = "P0105", "second shader type",
        "A program is either a vertex shader or a fragment shader. One `#vertexShader` or `#fragmentShader` says which.";
    SECOND_UNDEFINED = "P0106", "second `#undefinedRegs`",
        "The directive says all there is to say at its first place.";
    NO_STAGE = "P0107", "no shader type",
        "A program must have `#vertexShader` or `#fragmentShader`.";
    NO_PORT = "P0108", "input or output is missing",
        "A vertex shader has one to three inputs, which come from the vertex buffer, and one to three outputs. A fragment \
         shader has one to three inputs and one output.";
    NOT_FOUR = "P0109", "position or colour without four components",
        "A vertex shader's first output and a fragment shader's first input are the position, a fragment shader's output is \
         the colour; each has four components.";
    ONE_COLOUR = "P0110", "more than one output of a fragment shader",
        "A fragment shader has one output, its colour. Its depth is exported too, but that is added by the assembler.";
    INPUT_AND_UNIFORM = "P0111", "register is both input and uniform",
        "The uniform would overwrite the input before the program starts. (The reference assembler lets it pass.)";
    LATE_DIRECTIVE = "P0112", "directive behind an instruction",
        "All directives stand before all instructions.";
    NO_INSTRUCTIONS = "P0113", "no instructions",
        "A program needs at least one instruction. One that only passes values through can have a `trap`, which does \
         nothing, or move a register to itself.";
    BAD_NUMBER = "P0114", "not the number that is needed here",
        "Instructions whose names begin with f take floats, with a dot and a digit before it: `1.0`, `-0.5`, `2.`, `1.5f`. \
         Those that begin with i take decimal integers. There are no exponents, and nothing is converted.";
    NO_DEPTH_REGISTER = "P0116", "no register left for the depth",
        "The colour is written to the register of the position, so the depth must be kept in another one, which the program \
         does not use. It uses all sixteen. Use another register for the colour.";
    STORE_COMMAND = "P0118", "binary is not a store command",
        "A program's binary is the command that stores it in a shader unit: three dwords, of which the first has the \
         program's length, and the program itself.";
    REFERENCE_REFUSES = "P0119", "the reference assembler refuses this",
        "The document allows it, but the reference assembler, which profile `unit` follows, does not read it.";
    INPUT_OVERWRITTEN = "P0201", "input register is overwritten",
        "The document forbids it and leaves the result undefined. The unit simply stores the value; but a fragment shader \
         that writes z of its position changes the depth that is tested and stored.";
    UNDEFINED_READ = "P0202", "register is read before it is written",
        "Nothing has written these components when the instruction reads them. Registers start as zeros, so this is a note; with \
         `#undefinedRegs` they start as anything, and it is a warning (in the unit a fragment shader finds what the interpolation left there).";
    OUTPUT_NEVER_WRITTEN = "P0203", "output is never written",
        "The program ends without having written these components of an output. Unless the register is an input or a uniform \
         at the same time, what leaves the unit is a zero.";
    DIVISION_BY_ZERO = "P0204", "division by zero",
        "An integer divided by zero is undefined: the reference simulator dies of it. gpuzoo gives the dividend. A float \
         divided by zero is an infinity, or NaN.";
    UNUSED_INPUT = "P0205", "input or uniform is never read",
        "The values are sent for every request and never used.";
    SURPLUS_VALUES = "P0206", "more values than components",
        "Each masked component takes one value; the unit ignores those that are left. They cost program memory, but no cycles.";
    MASK_IGNORED = "P0207", "mask that the unit ignores",
        "The document gives every instruction a mask; the reference's unit writes all four components of `fcross` and `fnorm`. \
         gpuzoo keeps to the mask under profile `document` and does as the unit under profile `unit`.";
    SWIZZLE_IN_PLACE = "P0208", "swizzle of a register to itself",
        "The reference's unit writes x, y, z and w one after the other into the register that it reads, so that later components \
         get what has been written already: `swizzle r0 r0.wzyx` gives w, z, z, w. gpuzoo does so under profile `unit`; \
         under `document` all four components are read first.";
    UNKNOWN_OPCODE = "P0209", "unknown opcode",
        "The unit stops with an error at an opcode that no instruction has.";
    FMAD_AS_FCROSS2 = "P0210", "`fcross2` that was meant as `fmad`",
        "The reference assembler writes opcode 11, which is `fcross2`, for `fmad`. The unit then takes the number of the \
         third source for the mask and leaves the real mask, in bits 22 to 25, alone.";
    OUT_OF_RANGE_LITERAL = "P0211", "number does not fit 32 bits",
        "The low 32 bits of an integer are used, after it was limited to 64 bits; a float that is too large becomes an \
         infinity.";
    INTERFACE_MISMATCH = "P0212", "outputs of the vertex shader are not the inputs of the fragment shader",
        "A fragment shader's inputs must match the vertex shader's outputs in number, and in components behind the first, \
         which is the position. (The reference's own check compares the wrong lists.)";
    MISSING_VALUES = "P0213", "program ends amid an instruction",
        "The instruction's values would lie behind the end of the program. The unit takes whatever its memory holds there; \
         gpuzoo does nothing.";
    INTERNAL_INSTRUCTION = "P0214", "instruction of the assembler among the program's own",
        "`lduni` and `initregs` set registers before a program starts. Here one of them runs again.";
    BAD_WORD = "P0302", "not a word",
        "Words are texts of up to eight hexadecimal digits: `\"3f800000\"` is the float 1.0.";
    DOES_NOT_FIT = "P0303", "more than the machine's memory",
        "The memory of 21,000 dwords holds the picture, the depths, the programs and the vertices of a draw: a picture \
         of 100 × 100 with depths takes 20,000. The setting `no_limits` gives as much as is needed.";
    WRONG_COUNT = "P0304", "numbers that do not agree",
        "The vertex data must be `vertex_count` times the components of all inputs of the vertex shader, and the \
         uniforms must be those that the shader declares.";
    TOO_MANY_VERTICES = "P0305", "more vertices than a draw can have",
        "The pin that counts vertices has 8 bits: a draw has at most 255 vertices, which are 85 triangles. The setting \
         `no_limits` lifts this.";
    STOPPED = "P0306", "the machine stopped",
        "A vertex whose w is 0, or a program that the unit cannot run, ends the reference's process, so there is no \
         picture. What was drawn before it is in the memory of a `Device` all the same.";
    UNBOUNDED = "P0307", "triangle without area",
        "The rasterizer tests the edges of a triangle and nothing else. If its corners lie on a line it draws every \
         pixel of the infinite line; if they coincide, or if one is not a number, it draws the whole picture.";
    NO_FRAGMENT_PROGRAM = "P0308", "draw without a fragment program",
        "Both shader stages of the machine are programmable. A draw needs a vertex shader (`program`) and a fragment shader \
         (`fragment`).";
    NOT_TRIANGLES = "P0309", "primitives that the machine does not have",
        "The primitive assembler takes three vertices at a time and makes a triangle of them. There are no strips and no \
         lines.";
    NOTHING_DRAWN = "P0310", "job without draws",
        "The picture shows `clear_color` alone. Draws are objects in the list `draws`.";
    ZERO_DEPTH = "P0311", "attributes divided by a depth of 0",
        "What a vertex shader hands on is divided by z before it is mixed, and multiplied by the z of the fragment afterwards. \
         With a z of 0 at a corner the results are infinite or NaN, which is black.";
}

/// Everything about a program's declarations that can be wrong once all of them are read. `place` is where the
/// directives end.
pub fn interface(interface: &Interface, stage: Option<Span>, place: Span, problems: &mut Vec<Diagnostic>) {
    let Some(stage_span) = stage else {
        let problem = Diagnostic::error(&NO_STAGE, "the program does not say which shader it is");
        let help = "write `#vertexShader` or `#fragmentShader` among the directives";
        problems.push(problem.at(place).help(help));
        return;
    };
    // The first port of a list that must not be empty, and why it has four components, if it must.
    let (name, first_input, first_output) = match interface.stage {
        Stage::Vertex => ("vertex", "", "a vertex shader's first output is the position"),
        Stage::Fragment => (
            "fragment",
            "a fragment shader's first input is the position",
            "a fragment shader's output is the colour",
        ),
    };
    for (ports, what, example, why) in [
        (&interface.inputs, "input", "#input r0.xyzw", first_input),
        (&interface.outputs, "output", "#output r8.xyzw", first_output),
    ] {
        let Some(first) = ports.first() else {
            let problem = Diagnostic::error(&NO_PORT, format!("the {name} shader has no {what}"));
            problems.push(problem.at(stage_span).help(format!("for example `{example}`")));
            continue;
        };
        if !why.is_empty() && first.components != 4 {
            let problem = Diagnostic::error(&NOT_FOUR, format!("{why}, which has four components"));
            let problem = problem.label(first.span, format!("has {}", first.components));
            problems.push(problem.help(format!("write `r{}.xyzw`", first.reg.index)));
        }
    }
    if let (Stage::Fragment, [colour, second, ..]) = (interface.stage, &interface.outputs[..]) {
        let message = format!("a fragment shader has one output, not {}", interface.outputs.len());
        let problem = Diagnostic::error(&ONE_COLOUR, message).label(second.span, "one too many");
        problems.push(problem.label(colour.span, "the colour"));
    }
}

/// The kinds of declared registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PortKind {
    /// `#input`
    Input,
    /// `#output`
    Output,
    /// `#uniform`
    Uniform,
}

impl PortKind {
    /// Its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            PortKind::Input => "input",
            PortKind::Output => "output",
            PortKind::Uniform => "uniform",
        }
    }

    /// The list of an interface that holds it.
    pub fn ports(self, interface: &mut Interface) -> &mut Vec<Port> {
        match self {
            PortKind::Input => &mut interface.inputs,
            PortKind::Output => &mut interface.outputs,
            PortKind::Uniform => &mut interface.uniforms,
        }
    }
}

/// Adds a declared register, or says why it cannot be. The reference assembler does not look at inputs and uniforms
/// together.
pub fn declare(interface: &mut Interface, kind: PortKind, port: Port, reference: bool, parser: &mut Parser) {
    let reg = port.reg;
    let other = match kind {
        PortKind::Input => &interface.uniforms,
        PortKind::Uniform => &interface.inputs,
        PortKind::Output => &Vec::new(),
    };
    if let Some(other) = other.iter().find(|other| other.reg == reg && !reference) {
        let message = format!("r{} is both an input and a uniform", reg.index);
        let problem = Diagnostic::error(&INPUT_AND_UNIFORM, message).at(port.span);
        let problem = problem.label(other.span, "declared here, too");
        parser.report(problem.help("use another register for one of them"));
    }
    let ports = kind.ports(interface);
    let name = kind.name();
    if let Some(first) = ports.iter().find(|first| first.reg == reg) {
        let message = format!("r{} is declared as {name} twice", reg.index);
        let problem = Diagnostic::error(&DECLARED_TWICE, message).at(port.span);
        parser.report(problem.label(first.span, "first declared here"));
    } else if ports.len() == MAX_PORTS {
        let problem = Diagnostic::error(&TOO_MANY_PORTS, format!("this is the fourth {name}"));
        parser.report(problem.at(port.span).help(format!("there are at most three {name}s")));
    } else {
        ports.push(port);
    }
}
