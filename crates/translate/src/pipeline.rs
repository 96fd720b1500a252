//! The entry point of a vertex or fragment shader.

use crate::body::Body;
use crate::place::{At, Place};
use crate::program::Program;
use crate::resources::{Resource, Resources, Wanted};
use crate::target::{Shape, Target, TranslateOptions};
use crate::values::{Kind, cast};
use crate::words::{argument, result};
use gpuzoo_isa::Stage;
use gpuzoo_machine::target::conventions::{Port, Positions};
use std::fmt::Write;

/// A location that no machine has, in place of the size of points.
const FREE: u16 = 999;

/// The outputs that leave a shader of a pipeline: of each port the last one that is written, those without a port as further
/// locations.
pub fn pipeline_outputs(program: &Program, options: &TranslateOptions) -> Vec<(usize, Port)> {
    let mut chosen: Vec<(usize, Port)> = Vec::new();
    let mut without = Vec::new();
    let given =
        program.outputs.iter().enumerate().filter(|(_, output)| output.written || options.all_outputs);
    for (at, output) in given {
        match output.port {
            // Not all hosts have sizes of points: it is a number like others.
            Some(Port::PointSize) if !options.point_size => without.push(at),
            None => without.push(at),
            Some(port) => {
                chosen.retain(|(_, other)| *other != port);
                chosen.push((at, port));
            }
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
///
/// The position is invariant: games draw the same triangles again, and expect the same depth.
pub fn pipeline(
    program: &Program,
    body: &Body,
    options: &TranslateOptions,
    kind: Kind,
    text: &mut String,
    resources: &mut Resources,
) -> (Vec<Place>, Vec<Place>) {
    let shape = options.shape();
    if shape == Shape::Vertex && program.positions != Positions::Clip {
        let viewport = Wanted {
            name: "viewport",
            usual: 3,
            resource: Resource::Uniform,
            type_name: "array<vec4f, 2>".to_owned(),
            bytes: 32,
            about: "scale and offset from clip space to pixels",
        };
        let comment = "Positions are in pixels: how many of them a unit of clip space has behind the division by w, and where its zero is.";
        resources.declare(comment, viewport, text);
        let xyz = match program.positions {
            Positions::PixelsTimesW => "(at.xyz - viewport[1].xyz * at.w) / viewport[0].xyz",
            _ => "(at.xyz - viewport[1].xyz) / viewport[0].xyz * at.w",
        };
        let _ = writeln!(text, "\nfn clip(at: vec4f) -> vec4f {{\n    return vec4f({xyz}, at.w);\n}}");
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
        let (attributes, at, kind_of_input) = match input.port {
            Some(Port::Position) => ("@builtin(position)".to_owned(), At::Position, Kind::Float),
            Some(Port::Location(number)) => (format!("@location({number})"), At::Location(number), attribute),
            // Nothing in the pipeline leads there.
            _ => {
                arguments.push(format!("{}()", kind.of(4)));
                continue;
            }
        };
        parameters.push(format!("{attributes} {name}: {}", kind_of_input.of(4)));
        // Machines have the pixel's column and row, hosts its centre. Direct3D has w there, all others its reciprocal.
        let given = match (&at, options.target()) {
            (At::Position, _) if !program.place_has_depth => format!("vec4f(floor({name}.xy), 0.0, 0.0)"),
            (At::Position, Target::Hlsl) => format!("vec4f(floor({name}.xy), {name}.z, 1.0 / {name}.w)"),
            (At::Position, _) => format!("vec4f(floor({name}.xy), {name}.zw)"),
            _ => name,
        };
        arguments.push(cast(given, kind_of_input, kind, 4));
        inputs.push(Place { register: input.name.clone(), at, type_name: kind_of_input.of(4) });
    }
    let mut members = Vec::new();
    let mut values = Vec::new();
    let mut outputs = Vec::new();
    for (at, port) in pipeline_outputs(program, options) {
        let output = &program.outputs[at];
        let own = format!("results.{}", result(&output.name));
        let first = |own: &str| cast(format!("{own}.x"), kind, Kind::Float, 1);
        let (attributes, at, type_name, value) = match port {
            Port::Position => {
                let own = cast(own, kind, Kind::Float, 4);
                let own = if program.positions != Positions::Clip { format!("clip({own})") } else { own };
                ("@builtin(position) @invariant".to_owned(), At::Position, "vec4f", own)
            }
            Port::Depth => ("@builtin(frag_depth)".to_owned(), At::Depth, "f32", first(&own)),
            // WGSL has no such thing: what naga writes gets it in place of the location.
            Port::PointSize => (format!("@location({FREE})"), At::PointSize, "f32", first(&own)),
            Port::Location(number) => (
                format!("@location({number})"),
                At::Location(number),
                "vec4f",
                cast(own, kind, Kind::Float, 4),
            ),
        };
        members.push(format!("    {attributes} {}: {type_name},", result(&output.name)));
        values.push(value);
        outputs.push(Place { register: output.name.clone(), at, type_name });
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
