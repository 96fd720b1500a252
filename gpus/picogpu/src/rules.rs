//! What a legal program may not do, each with its code (spec sections 2.3, 2.4 and 3).

use crate::regs::MAX_PORTS;
use gpuzoo_diag::{Diagnostic, Span};
use gpuzoo_isa::{Interface, Port, Stage};

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
    let missing = |what: &str, example: &str| {
        let name = stage_name(interface.stage);
        let problem = Diagnostic::error(&NO_PORT, format!("the {name} shader has no {what}"));
        problem.at(stage_span).help(format!("for example `{example}`"))
    };
    let (inputs, outputs) = (&interface.inputs, &interface.outputs);
    match interface.stage {
        Stage::Vertex => {
            if inputs.is_empty() {
                problems.push(missing("input", "#input r0.xyzw"));
            }
            match outputs.first() {
                None => problems.push(missing("output", "#output r8.xyzw")),
                Some(first) => four(first, "a vertex shader's first output is the position", problems),
            }
        }
        Stage::Fragment => {
            match inputs.first() {
                None => problems.push(missing("input", "#input r0.xyzw")),
                Some(first) => four(first, "a fragment shader's first input is the position", problems),
            }
            match outputs.as_slice() {
                [] => problems.push(missing("output", "#output r8.xyzw")),
                [colour, rest @ ..] => {
                    four(colour, "a fragment shader's output is the colour", problems);
                    if let Some(second) = rest.first() {
                        let message = format!("a fragment shader has one output, not {}", outputs.len());
                        let problem =
                            Diagnostic::error(&ONE_COLOUR, message).label(second.span, "one too many");
                        problems.push(problem.label(colour.span, "the colour"));
                    }
                }
            }
        }
    }
}

fn stage_name(stage: Stage) -> &'static str {
    match stage {
        Stage::Vertex => "vertex",
        Stage::Fragment => "fragment",
    }
}

fn four(port: &Port, why: &str, problems: &mut Vec<Diagnostic>) {
    if port.components != 4 {
        let problem = Diagnostic::error(&NOT_FOUR, format!("{why}, which has four components"));
        let problem = problem.label(port.span, format!("has {}", port.components));
        problems.push(problem.help(format!("write `r{}.xyzw`", port.reg.index)));
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
    /// The kind that a directive declares.
    pub fn of(directive: &str) -> Option<PortKind> {
        match directive {
            "#input" => Some(PortKind::Input),
            "#output" => Some(PortKind::Output),
            "#uniform" => Some(PortKind::Uniform),
            _ => None,
        }
    }

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
pub fn declare(
    interface: &mut Interface,
    kind: PortKind,
    port: Port,
    reference: bool,
    problems: &mut Vec<Diagnostic>,
) {
    let reg = port.reg;
    let other = match kind {
        PortKind::Input => &interface.uniforms,
        PortKind::Uniform => &interface.inputs,
        PortKind::Output => &Vec::new(),
    };
    if let Some(other) = other.iter().find(|other| other.reg == reg && !reference) {
        let message = format!("r{} is both an input and a uniform", reg.index);
        let problem = Diagnostic::error(&INPUT_AND_UNIFORM, message).at(port.span);
        problems.push(
            problem.label(other.span, "declared here, too").help("use another register for one of them"),
        );
    }
    let ports = kind.ports(interface);
    let name = kind.name();
    if let Some(first) = ports.iter().find(|first| first.reg == reg) {
        let message = format!("r{} is declared as {name} twice", reg.index);
        let problem = Diagnostic::error(&DECLARED_TWICE, message).at(port.span);
        problems.push(problem.label(first.span, "first declared here"));
    } else if ports.len() == MAX_PORTS {
        let problem = Diagnostic::error(&TOO_MANY_PORTS, format!("this is the fourth {name}"));
        problems.push(problem.at(port.span).help(format!("there are at most three {name}s")));
    } else {
        ports.push(port);
    }
}
