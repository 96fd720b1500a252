//! A whole shader in WGSL: the function of a program, what it is called by, and what these need.

use crate::body::{Body, argument, body};
use crate::codes::{NO_POSITION, NO_TEXTURE, TOO_LARGE, WRONG_STAGE};
use crate::program::{Input, Program};
use crate::values::{Kind, cast};
use crate::{Fidelity, Shape, exact, fast};
use gpuzoo_diag::Diagnostic;
use gpuzoo_isa::Stage;
use gpuzoo_machine::TextureRead;
use gpuzoo_machine::conventions::{Port, Positions};
use std::fmt::Write;

/// The text of a shader, and what a host must know of it.
#[derive(Debug)]
pub struct Shader {
    /// The text.
    pub wgsl: String,
    /// The function of the program.
    pub body: Body,
    /// The inputs of the pipeline: where, the register, the type.
    pub inputs: Vec<Place>,
    /// The outputs.
    pub outputs: Vec<Place>,
    /// What is bound.
    pub bindings: Vec<Binding>,
}

/// An input or output of a shader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The register.
    pub register: String,
    /// `position`, `depth`, `location 3`, or the place among the vectors of a run.
    pub place: String,
    /// Its type in WGSL.
    pub type_name: &'static str,
}

/// A resource of a shader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// Its name in the text.
    pub name: String,
    /// The binding in group 0.
    pub binding: u32,
    /// What it holds.
    pub holds: String,
}

/// How many runs a workgroup of a compute shader does.
pub const WORKGROUP: u32 = 64;

/// How many runs a row of workgroups does: hosts have 65,535 in a row, and further rows for more.
pub const ROW: u32 = 65_535 * WORKGROUP;

/// The most constants that a uniform buffer of every host holds: 16 KiB.
const MOST_CONSTANTS: usize = 1024;

/// The most inputs and outputs that every host has beside the position.
const MOST_LOCATIONS: usize = 16;

/// The shader of a program.
///
/// # Errors
/// What the shape does not have.
pub fn shader(program: &Program, shape: Shape, fidelity: Fidelity) -> Result<Shader, Diagnostic> {
    check(program, shape, fidelity)?;
    let body = body(program, fidelity);
    let functions = match fidelity {
        Fidelity::Fast => fast::LIBRARY.closure(body.helpers.iter().copied()),
        Fidelity::Exact => {
            exact::closure(body.operations.iter().map(|(operation, _)| *operation), &body.helpers)
        }
    };
    let mut text = format!("// A program of the {}, {}.\n", program.machine, fidelity.about());
    if !functions.is_empty() {
        let _ = writeln!(text, "\n{}", functions.trim());
    }
    let kind = Kind::stored(fidelity);
    let vector = kind.of(4);
    let mut bindings = Vec::new();
    if program.constants > 0 {
        let name = program.constant.clone();
        let _ = writeln!(
            text,
            "\n// The machine's constants.\n@group(0) @binding(0)\nvar<uniform> {name}: array<{vector}, {}>;",
            program.constants
        );
        bindings.push(Binding {
            name,
            binding: 0,
            holds: format!("uniform array<{vector}, {}>", program.constants),
        });
    }
    for unit in units(program) {
        let (image, sampler) = (8 + 2 * unit as u32, 9 + 2 * unit as u32);
        let _ = writeln!(
            text,
            "\n// Texture unit {unit}.\n@group(0) @binding({image})\nvar texture{unit}t: texture_2d<f32>;"
        );
        bindings.push(Binding {
            name: format!("texture{unit}t"),
            binding: image,
            holds: "texture_2d<f32>".to_owned(),
        });
        if program.samples.iter().any(|own| own.unit == unit && own.read != TextureRead::Texel) {
            let _ = writeln!(text, "@group(0) @binding({sampler})\nvar texture{unit}s: sampler;");
            bindings.push(Binding {
                name: format!("texture{unit}s"),
                binding: sampler,
                holds: "sampler".to_owned(),
            });
        }
    }
    function(program, &body, shape, vector, &mut text);
    let (inputs, outputs) = match shape {
        Shape::Function => parameters(program, &body, vector),
        Shape::Compute => compute(program, &body, kind, &mut text, &mut bindings),
        Shape::Vertex | Shape::Fragment => pipeline(program, &body, shape, kind, &mut text, &mut bindings),
    };
    Ok(Shader { wgsl: text, body, inputs, outputs, bindings })
}

fn check(program: &Program, shape: Shape, fidelity: Fidelity) -> Result<(), Diagnostic> {
    let stage = match shape {
        Shape::Vertex => Some(Stage::Vertex),
        Shape::Fragment => Some(Stage::Fragment),
        Shape::Compute | Shape::Function => None,
    };
    if let Some(stage) = stage {
        let name = |stage| if stage == Stage::Vertex { "vertices" } else { "fragments" };
        if stage != program.stage {
            let message = format!("the program is for {}, not for {}", name(program.stage), name(stage));
            let own = if program.stage == Stage::Vertex { "vertex" } else { "fragment" };
            return Err(Diagnostic::error(&WRONG_STAGE, message)
                .help(format!("ask for `{own}`, `compute` or `function`")));
        }
        program.refuse_state("a shader of a pipeline")?;
    }
    if shape == Shape::Vertex
        && !program.outputs.iter().any(|output| output.port == Some(Port::Position) && output.written)
    {
        let problem = Diagnostic::error(&NO_POSITION, "the program writes no position");
        return Err(problem.help("the forms `compute` and `function` need none"));
    }
    if let Some(sample) = program.samples.first() {
        let problem = |message: &str| Err(Diagnostic::error(&NO_TEXTURE, message.to_owned()));
        if fidelity == Fidelity::Exact {
            return problem("the program reads a texture, and no host filters as the machine does")
                .map_err(|problem: Diagnostic| problem.help("`fast` reads the host's texture"));
        }
        if !matches!(shape, Shape::Fragment | Shape::Function) && sample.read != TextureRead::Texel {
            return problem(
                "the program reads a texture at a level that follows from neighbouring fragments",
            )
            .map_err(|problem: Diagnostic| problem.help("ask for `fragment`"));
        }
    }
    if program.constants > MOST_CONSTANTS {
        let message =
            format!("the program has {} constants, {MOST_CONSTANTS} fit a uniform buffer", program.constants);
        return Err(Diagnostic::error(&TOO_LARGE, message).help("use constants with lower numbers"));
    }
    if stage.is_some() && program.inputs.len().max(pipeline_outputs(program).len()) > MOST_LOCATIONS {
        let message =
            format!("hosts have {MOST_LOCATIONS} inputs and outputs of a shader, the program uses more");
        return Err(Diagnostic::error(&TOO_LARGE, message).help("ask for `compute`"));
    }
    Ok(())
}

/// The texture units that are read.
fn units(program: &Program) -> Vec<usize> {
    let mut units: Vec<usize> = program.samples.iter().map(|sample| sample.unit).collect();
    units.sort_unstable();
    units.dedup();
    units
}

/// What outputs are called in the struct of results.
pub(crate) fn result(register: &str) -> String {
    let name: String = register.chars().filter(char::is_ascii_alphanumeric).collect();
    format!("{name}_out")
}

/// The outputs that a shape gives: those that the program writes. A compute shader gives all, as a run does.
fn given(program: &Program, shape: Shape) -> Vec<usize> {
    let all = program.outputs.iter().enumerate();
    all.filter(|(_, output)| output.written || shape == Shape::Compute).map(|(at, _)| at).collect()
}

fn function(program: &Program, body: &Body, shape: Shape, vector: &str, text: &mut String) {
    let given = given(program, shape);
    *text += "\nstruct Results {\n";
    for at in &given {
        let _ = writeln!(text, "    {}: {vector},", result(&program.outputs[*at].name));
    }
    if body.killed.is_some() || given.is_empty() {
        *text += "    killed: bool,\n";
    }
    let arguments: Vec<String> =
        program.inputs.iter().map(|input| format!("{}: {vector}", argument(&input.name))).collect();
    let _ = writeln!(text, "}}\n\nfn program({}) -> Results {{", arguments.join(", "));
    *text += &body.text;
    let killed = body.killed.clone().or_else(|| given.is_empty().then(|| "false".to_owned()));
    let results: Vec<String> = given.iter().map(|at| body.outputs[*at].clone()).chain(killed).collect();
    *text += "    return Results(\n";
    for result in results {
        let _ = writeln!(text, "        {result},");
    }
    *text += "    );\n}\n";
}

/// What the function takes and gives.
fn parameters(program: &Program, body: &Body, vector: &'static str) -> (Vec<Place>, Vec<Place>) {
    let input = |(at, input): (usize, &Input)| Place {
        register: input.name.clone(),
        place: format!("argument {at}, `{}`", argument(&input.name)),
        type_name: vector,
    };
    let output = |at: &usize| {
        let name = &program.outputs[*at].name;
        Place { register: name.clone(), place: format!("result `{}`", result(name)), type_name: vector }
    };
    let killed = body.killed.is_some().then(|| Place {
        register: "killed".to_owned(),
        place: "result `killed`".to_owned(),
        type_name: "bool",
    });
    let outputs = given(program, Shape::Function);
    (
        program.inputs.iter().enumerate().map(input).collect(),
        outputs.iter().map(output).chain(killed).collect(),
    )
}

/// A shader that runs the program for the rows of a buffer.
fn compute(
    program: &Program,
    body: &Body,
    kind: Kind,
    text: &mut String,
    bindings: &mut Vec<Binding>,
) -> (Vec<Place>, Vec<Place>) {
    let vector = Kind::Bits.of(4);
    let (inputs, results) =
        (program.inputs.len(), program.outputs.len() + usize::from(body.killed.is_some()));
    if inputs > 0 {
        *text += "\n// The bits of the inputs of each run, one run after the other.\n";
        *text += "@group(0) @binding(1)\nvar<storage, read> inputs: array<vec4u>;\n";
        bindings.push(Binding {
            name: "inputs".to_owned(),
            binding: 1,
            holds: format!("storage array<{vector}>, {inputs} a run"),
        });
    }
    *text += "\n// The bits of the outputs of each run; their number is the number of runs.\n";
    *text += "@group(0) @binding(2)\nvar<storage, read_write> outputs: array<vec4u>;\n";
    let each = results.max(1);
    bindings.push(Binding {
        name: "outputs".to_owned(),
        binding: 2,
        holds: format!("storage array<{vector}>, {each} a run"),
    });
    let _ = writeln!(
        text,
        "\n@compute @workgroup_size({WORKGROUP})\nfn main(@builtin(global_invocation_id) id: vec3u) {{"
    );
    let _ = writeln!(text, "    let run = id.x + id.y * {ROW}u;");
    let _ = writeln!(text, "    if run >= arrayLength(&outputs) / {each}u {{\n        return;\n    }}");
    let arguments: Vec<String> =
        (0..inputs).map(|at| cast(format!("inputs[run * {inputs}u + {at}u]"), Kind::Bits, kind, 4)).collect();
    let _ = writeln!(text, "    let results = program({});", arguments.join(", "));
    for (at, output) in program.outputs.iter().enumerate() {
        let value = cast(format!("results.{}", result(&output.name)), kind, Kind::Bits, 4);
        let _ = writeln!(text, "    outputs[run * {each}u + {at}u] = {value};");
    }
    if body.killed.is_some() {
        let _ = writeln!(
            text,
            "    outputs[run * {each}u + {}u] = vec4u(select(0u, 1u, results.killed));",
            each - 1
        );
    }
    *text += "}\n";
    let place = |(at, name): (usize, &String)| Place {
        register: name.clone(),
        place: format!("vector {at} of a run"),
        type_name: vector,
    };
    let inputs = program.inputs.iter().map(|input| &input.name).enumerate().map(place).collect();
    let killed = "killed".to_owned();
    let outputs =
        program.outputs.iter().map(|output| &output.name).chain(body.killed.is_some().then_some(&killed));
    (inputs, outputs.enumerate().map(place).collect())
}

/// The outputs that leave a shader of a pipeline: of each port the last one that is written, those without a port as further
/// locations.
fn pipeline_outputs(program: &Program) -> Vec<(usize, Port)> {
    let mut chosen: Vec<(usize, Port)> = Vec::new();
    let mut without = Vec::new();
    for (at, output) in program.outputs.iter().enumerate().filter(|(_, output)| output.written) {
        match output.port {
            Some(port @ (Port::Position | Port::Location(_) | Port::Depth)) => {
                chosen.retain(|(_, other)| *other != port);
                chosen.push((at, port));
            }
            // Not all hosts have sizes of points: it is a number like others.
            Some(Port::PointSize) | None => without.push(at),
        }
    }
    let mut next = program.locations;
    if program.stage == Stage::Vertex {
        for at in without {
            chosen.push((at, Port::Location(next)));
            next += 1;
        }
    }
    chosen
}

/// A vertex or fragment shader.
fn pipeline(
    program: &Program,
    body: &Body,
    shape: Shape,
    kind: Kind,
    text: &mut String,
    bindings: &mut Vec<Binding>,
) -> (Vec<Place>, Vec<Place>) {
    if shape == Shape::Vertex && program.positions != Positions::Clip {
        *text += "\n// Positions are in pixels: how many of them a unit of clip space has behind the division by w, and where its zero is.\n";
        *text += "@group(0) @binding(3)\nvar<uniform> viewport: array<vec4f, 2>;\n";
        let xyz = match program.positions {
            Positions::PixelsTimesW => "(at.xyz - viewport[1].xyz * at.w) / viewport[0].xyz",
            _ => "(at.xyz - viewport[1].xyz) / viewport[0].xyz * at.w",
        };
        let _ = writeln!(text, "\nfn clip(at: vec4f) -> vec4f {{\n    return vec4f({xyz}, at.w);\n}}");
        let holds = "uniform array<vec4f, 2>: scale and offset from clip space to pixels";
        bindings.push(Binding { name: "viewport".to_owned(), binding: 3, holds: holds.to_owned() });
    }
    let (attribute, stage) = match shape {
        Shape::Fragment => (Kind::Float, "fragment"),
        _ => (kind, "vertex"),
    };
    let mut inputs = Vec::new();
    let mut parameters = Vec::new();
    let mut arguments = Vec::new();
    for input in &program.inputs {
        let name = argument(&input.name);
        let (attributes, place, kind_of_input) = match input.port {
            Some(Port::Position) => ("@builtin(position)".to_owned(), "position".to_owned(), Kind::Float),
            Some(Port::Location(number)) => {
                (format!("@location({number})"), format!("location {number}"), attribute)
            }
            // Nothing in the pipeline leads there.
            _ => {
                arguments.push(format!("{}()", kind.of(4)));
                continue;
            }
        };
        parameters.push(format!("{attributes} {name}: {}", kind_of_input.of(4)));
        arguments.push(cast(name, kind_of_input, kind, 4));
        inputs.push(Place { register: input.name.clone(), place, type_name: kind_of_input.of(4) });
    }
    let mut members = Vec::new();
    let mut values = Vec::new();
    let mut outputs = Vec::new();
    for (at, port) in pipeline_outputs(program) {
        let output = &program.outputs[at];
        let own = format!("results.{}", result(&output.name));
        let (attributes, place, type_name, value) = match port {
            Port::Position => {
                let own = cast(own, kind, Kind::Float, 4);
                let own = if program.positions != Positions::Clip { format!("clip({own})") } else { own };
                ("@builtin(position)".to_owned(), "position".to_owned(), "vec4f", own)
            }
            Port::Depth => {
                let depth = cast(format!("{own}.x"), kind, Kind::Float, 1);
                ("@builtin(frag_depth)".to_owned(), "depth".to_owned(), "f32", depth)
            }
            Port::Location(number) => (
                format!("@location({number})"),
                format!("location {number}"),
                "vec4f",
                cast(own, kind, Kind::Float, 4),
            ),
            Port::PointSize => continue,
        };
        members.push(format!("    {attributes} {}: {type_name},", result(&output.name)));
        values.push(value);
        outputs.push(Place { register: output.name.clone(), place, type_name });
    }
    if members.is_empty() {
        let _ = writeln!(text, "\n@{stage}\nfn main({}) {{", parameters.join(", "));
        let _ = writeln!(text, "    let results = program({});", arguments.join(", "));
        discard(body, text);
        *text += "}\n";
        return (inputs, outputs);
    }
    let _ = writeln!(text, "\nstruct Outputs {{\n{}\n}}", members.join("\n"));
    let _ = writeln!(text, "\n@{stage}\nfn main({}) -> Outputs {{", parameters.join(", "));
    let _ = writeln!(text, "    let results = program({});", arguments.join(", "));
    discard(body, text);
    let _ = writeln!(text, "    return Outputs({});\n}}", values.join(", "));
    (inputs, outputs)
}

fn discard(body: &Body, text: &mut String) {
    if body.killed.is_some() {
        *text += "    if results.killed {\n        discard;\n    }\n";
    }
}
