//! A whole shader in WGSL: the function of a program, what it is called by, and what these need.

use crate::body::{Body, body};
use crate::codes::{NO_POSITION, NO_TEXTURE, TOO_LARGE, WRONG_STAGE};
use crate::pipeline::{pipeline, pipeline_outputs};
use crate::place::{At, Place};
use crate::program::{Input, Program};
use crate::resources::{Binding, Resource, Resources, Wanted};
use crate::values::{Kind, cast};
use crate::words::{argument, result, reworded};
use crate::{Fidelity, Shape, TranslateOptions, exact, fast};
use gpuzoo_diag::Diagnostic;
use gpuzoo_ir::Inst;
use gpuzoo_isa::Stage;
use gpuzoo_machine::TextureRead;
use gpuzoo_machine::target::conventions::Port;
use std::collections::HashMap;
use std::fmt::Write;

/// The text of a shader, and what a host must know of it.
#[derive(Debug)]
pub struct Shader {
    /// The text.
    pub wgsl: String,
    /// The function of the program.
    pub body: Body,
    /// The inputs of the pipeline.
    pub inputs: Vec<Place>,
    /// The outputs.
    pub outputs: Vec<Place>,
    /// What is bound.
    pub bindings: Vec<Binding>,
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
pub fn shader(program: &Program, options: &TranslateOptions) -> Result<Shader, Diagnostic> {
    let (shape, fidelity) = (options.shape(), options.fidelity);
    check(program, options)?;
    let body = body(program, fidelity);
    let functions = match fidelity {
        Fidelity::Fast => {
            let kept = body.kept.iter().map(|(operation, _)| *operation);
            exact::functions(kept) + &fast::LIBRARY.closure(body.helpers.iter().copied())
        }
        Fidelity::Exact => {
            exact::closure(body.operations.iter().map(|(operation, _)| *operation), &body.helpers)
        }
    };
    let profile = match &program.profile[..] {
        "" => String::new(),
        name => format!(", profile {name}"),
    };
    let mut text = format!("// A program of the {}{profile}, {}.\n", program.machine, fidelity.about());
    if !functions.is_empty() {
        let _ = writeln!(text, "\n{}", functions.trim());
    }
    let kind = Kind::stored(fidelity);
    let vector = kind.of(4);
    let mut resources = Resources::new(options);
    if program.constants > 0 {
        let constants = Wanted {
            name: &program.constant,
            usual: 0,
            resource: Resource::Uniform,
            type_name: format!("array<{vector}, {}>", program.constants),
            bytes: 16 * program.constants,
            about: "",
        };
        resources.declare("The machine's constants.", constants, &mut text);
    }
    for unit in units(program) {
        let wanted = |name, usual, resource, type_name: &str| Wanted {
            name,
            usual,
            resource,
            type_name: type_name.to_owned(),
            bytes: 0,
            about: "",
        };
        let (image, sampler) = (8 + 2 * unit as u32, 9 + 2 * unit as u32);
        let [texture_name, sampler_name] = ["t", "s"].map(|end| format!("texture{unit}{end}"));
        let texture = wanted(&texture_name, image, Resource::Texture, "texture_2d<f32>");
        resources.declare(&format!("Texture unit {unit}."), texture, &mut text);
        if program.samples.iter().any(|own| own.unit == unit && own.read != TextureRead::Texel) {
            resources.declare("", wanted(&sampler_name, sampler, Resource::Sampler, "sampler"), &mut text);
        }
    }
    function(program, &body, options, vector, &mut text);
    let (inputs, outputs) = match shape {
        Shape::Function => parameters(program, &body, options, vector),
        Shape::Compute => compute(program, &body, kind, &mut text, &mut resources),
        Shape::Vertex | Shape::Fragment => pipeline(program, &body, options, kind, &mut text, &mut resources),
    };
    resources.check()?;
    let mut bindings = resources.all;
    if !options.prefix.is_empty() {
        text = prefixed(&text, &options.prefix);
        bindings.iter_mut().for_each(|binding| binding.name.insert_str(0, &options.prefix));
    }
    Ok(Shader { wgsl: text, body, inputs, outputs, bindings })
}

/// A text whose functions, types and variables have names that begin with something, but for the entry point.
fn prefixed(text: &str, prefix: &str) -> String {
    let declared = |line: &'_ str| {
        let ends = [("fn ", '('), ("struct ", '{'), ("var", ':')];
        let (_, end) = ends.into_iter().find(|(start, _)| line.starts_with(start))?;
        line.split(end)
            .next()?
            .trim_end()
            .rsplit(' ')
            .next()
            .filter(|name| *name != "main")
            .map(str::to_owned)
    };
    let names = text.lines().filter_map(declared);
    let names: HashMap<String, String> =
        names.map(|name| (name.clone(), format!("{prefix}{name}"))).collect();
    let line = |line: &str| {
        let (code, comment) = line.find("//").map_or((line, ""), |at| line.split_at(at));
        reworded(code, |word| names.get(word).map(String::as_str)) + comment
    };
    text.split_inclusive('\n').map(line).collect()
}

fn check(program: &Program, options: &TranslateOptions) -> Result<(), Diagnostic> {
    let (shape, fidelity) = (options.shape(), options.fidelity);
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
                .at(program.span)
                .help(format!("ask for `{own}`, `compute` or `function`")));
        }
        program.refuse_state("a shader of a pipeline")?;
    }
    if shape == Shape::Vertex
        && !program.outputs.iter().any(|output| output.port == Some(Port::Position) && output.written)
    {
        let problem = Diagnostic::error(&NO_POSITION, "the program writes no position").at(program.span);
        return Err(problem.help("the forms `compute` and `function` need none"));
    }
    if let Some(sample) = program.samples.first() {
        let span = program.place(|inst| matches!(inst, Inst::Sample(number, _) if *number == sample.number));
        let problem = |message: &str| Err(Diagnostic::error(&NO_TEXTURE, message.to_owned()).at(span));
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
        let last = u16::try_from(program.constants - 1).unwrap_or(u16::MAX);
        let span = program.place(|inst| match inst {
            Inst::Uniform(number) => *number == last,
            Inst::UniformAt { count, .. } => count.checked_sub(1) == Some(last),
            _ => false,
        });
        return Err(Diagnostic::error(&TOO_LARGE, message).at(span).help("use constants with lower numbers"));
    }
    if stage.is_some() && program.inputs.len().max(pipeline_outputs(program, options).len()) > MOST_LOCATIONS
    {
        let message =
            format!("hosts have {MOST_LOCATIONS} inputs and outputs of a shader, the program uses more");
        return Err(Diagnostic::error(&TOO_LARGE, message).at(program.span).help("ask for `compute`"));
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

/// The outputs that a shader gives: those that the program writes, or all. A compute shader gives all, as a run does.
fn given(program: &Program, options: &TranslateOptions) -> Vec<usize> {
    let all = options.all_outputs || options.shape() == Shape::Compute;
    let given = program.outputs.iter().enumerate().filter(|(_, output)| output.written || all);
    given.map(|(at, _)| at).collect()
}

fn function(program: &Program, body: &Body, options: &TranslateOptions, vector: &str, text: &mut String) {
    let given = given(program, options);
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
fn parameters(
    program: &Program,
    body: &Body,
    options: &TranslateOptions,
    vector: &'static str,
) -> (Vec<Place>, Vec<Place>) {
    let input = |(at, input): (usize, &Input)| Place {
        register: input.name.clone(),
        at: At::Argument(at, argument(&input.name)),
        type_name: vector,
    };
    let output = |at: &usize| {
        let name = &program.outputs[*at].name;
        Place { register: name.clone(), at: At::Result(result(name)), type_name: vector }
    };
    let killed = body.killed.is_some().then(|| Place {
        register: "killed".to_owned(),
        at: At::Result("killed".to_owned()),
        type_name: "bool",
    });
    let outputs = given(program, options);
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
    resources: &mut Resources,
) -> (Vec<Place>, Vec<Place>) {
    let vector = Kind::Bits.of(4);
    let (inputs, results) =
        (program.inputs.len(), program.outputs.len() + usize::from(body.killed.is_some()));
    let rows = |name, usual, resource, count: usize, about| Wanted {
        name,
        usual,
        resource,
        type_name: format!("array<{vector}>"),
        bytes: 16 * count,
        about,
    };
    if inputs > 0 {
        let rows =
            rows("inputs", 1, Resource::Read, inputs, "the inputs of each run, one run after the other");
        resources.declare("The bits of the inputs of each run, one run after the other.", rows, text);
    }
    let each = results.max(1);
    let rows = rows(
        "outputs",
        2,
        Resource::Write,
        each,
        "the outputs of each run; their number is the number of runs",
    );
    resources.declare("The bits of the outputs of each run; their number is the number of runs.", rows, text);
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
    let place =
        |(at, name): (usize, &String)| Place { register: name.clone(), at: At::Run(at), type_name: vector };
    let inputs = program.inputs.iter().map(|input| &input.name).enumerate().map(place).collect();
    let killed = "killed".to_owned();
    let outputs =
        program.outputs.iter().map(|output| &output.name).chain(body.killed.is_some().then_some(&killed));
    (inputs, outputs.enumerate().map(place).collect())
}
