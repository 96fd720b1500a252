//! The two shaders of a draw in WGSL: translated programs, and around them what is fixed on the machine.

use super::lines;
use gpuzoo_ir::{Inst, Vec4};
use gpuzoo_isa::Output;
use gpuzoo_machine::target::host::{DepthBits, Fragments, HostDraw};
use gpuzoo_raster::{ColorRounding, Interpolation, MipFilter, NearPlane, Placement, Rounding, Sample};
use gpuzoo_translate::{Fidelity, Program};
use std::fmt::Write;

/// A program, translated to a function.
pub struct Translated {
    /// The program.
    pub program: Program,
    /// Its text.
    pub text: String,
    /// Whose numbers it computes with.
    pub fidelity: Fidelity,
}

impl Translated {
    /// The call with these arguments, each a `vec4f`, or a `vec4u` if they are `bits`.
    fn call(&self, argument: impl Fn(u16) -> String, bits: bool) -> String {
        let inputs = self.program.inputs.iter().map(|input| argument(input.number));
        let cast = |text: String| match (bits, self.fidelity) {
            (true, Fidelity::Fast) => format!("bitcast<vec4f>({text})"),
            (false, Fidelity::Exact) => format!("bitcast<vec4u>({text})"),
            _ => text,
        };
        let arguments: Vec<String> = inputs.map(cast).collect();
        format!("program({})", arguments.join(", "))
    }

    /// An output of a call's results as a `vec4f`: what the program starts with if it does not write it.
    fn output(&self, results: &str, number: u16) -> String {
        let all = &self.program.function.outputs;
        let own = all.iter().position(|(own, _)| *own == Output::Register(number).number());
        match own.map(|at| (all[at].1, &self.program.outputs[at])) {
            Some((_, output)) if output.written => {
                let field = format!("{results}.{}", output.field());
                if self.fidelity == Fidelity::Fast { field } else { format!("bitcast<vec4f>({field})") }
            }
            Some((value, _)) => match self.program.function.insts[value.index()] {
                Inst::Const(bits) => constant(bits),
                _ => "vec4f()".to_owned(),
            },
            None => "vec4f()".to_owned(),
        }
    }

    fn kills(&self) -> bool {
        self.text.contains("    killed: bool,")
    }
}

fn constant(bits: Vec4) -> String {
    let [x, y, z, w] = bits;
    format!("bitcast<vec4f>(vec4u({x}u, {y}u, {z}u, {w}u))")
}

/// What goes from the vertices to the fragments; of lines their ends, too.
fn passed(draw: &HostDraw, corners: u16, lines: bool) -> String {
    let mut text = "\nstruct HostPassed {\n    @builtin(position) position: vec4f,\n".to_owned();
    let how = match draw.rules.interpolation {
        Interpolation::Perspective => "",
        Interpolation::Linear => " @interpolate(linear)",
    };
    let count = draw.varyings.len();
    for number in 0..count {
        let _ = writeln!(text, "    @location({number}){how} v{number}: vec4f,");
    }
    for number in 0..3 * corners {
        let place = count + usize::from(number);
        let _ = writeln!(text, "    @location({place}) @interpolate(flat) corner{number}: vec4f,");
    }
    if lines {
        let place = count + 3 * usize::from(corners);
        let _ = writeln!(text, "    @location({place}) @interpolate(flat) line: vec4i,");
    }
    text + "}\n"
}

/// How many vectors of each corner fragments get.
pub fn corners(draw: &HostDraw) -> Option<(u16, u16)> {
    match draw.fragments {
        Fragments::Program { corners, .. } => corners,
        Fragments::Fixed { .. } => None,
    }
}

/// The vertex shader. Group 0 has the constants at binding 0 and the inputs of each vertex at 1. For lines `viewport` has x, y, width
/// and height.
pub fn vertex(program: &Translated, draw: &HostDraw, size: [u32; 2], lines: Option<[f32; 4]>) -> String {
    let count = program.program.inputs.len();
    let mut text = program.text.clone();
    if count > 0 {
        text += "\n@group(0) @binding(1)\nvar<storage, read> host_inputs: array<vec4u>;\n";
    }
    let each_corner = corners(draw).map_or(0, |(_, count)| count);
    text += &passed(draw, each_corner, lines.is_some());
    let _ = writeln!(
        text,
        "\nfn host_position(value: vec4f) -> vec4f {{\n    return {};\n}}",
        draw.position.text
    );
    for (number, varying) in draw.varyings.iter().enumerate() {
        let _ =
            writeln!(text, "\nfn host_v{number}(value: vec4f) -> vec4f {{\n    return {};\n}}", varying.text);
    }
    text += &clip(draw, size);
    text += "\n@vertex\nfn vertex_main(@builtin(vertex_index) number: u32) -> HostPassed {\n    var passed: HostPassed;\n";
    let inputs = program.program.inputs.iter().enumerate();
    let places: Vec<(u16, usize)> = inputs.map(|(place, input)| (input.number, place)).collect();
    let call = |vertex: &str| {
        let place =
            |number: u16| places.iter().find(|(own, _)| *own == number).map_or(0, |(_, place)| *place);
        program.call(|number| format!("host_inputs[({vertex}) * {count}u + {}u]", place(number)), true)
    };
    if let Some(viewport) = lines {
        let _ = writeln!(text, "    let first = number / {}u * 2u;", lines::VERTICES);
        let _ = writeln!(text, "    let r0 = {};\n    let r1 = {};", call("first"), call("first + 1u"));
        let ends = |output: u16| ["r0", "r1"].map(|results| program.output(results, output));
        let positions = ends(draw.position.output);
        let varyings: Vec<[String; 2]> = draw.varyings.iter().map(|varying| ends(varying.output)).collect();
        text += &lines::vertex(draw, viewport, positions.each_ref().map(String::as_str), &varyings);
        return lines::functions(draw) + &text + "    return passed;\n}\n";
    }
    let _ = writeln!(text, "    let r = {};", call("number"));
    let position = program.output("r", draw.position.output);
    let _ = writeln!(text, "    passed.position = host_clip(host_position({position}));");
    for (number, varying) in draw.varyings.iter().enumerate() {
        let value = program.output("r", varying.output);
        let _ = writeln!(text, "    passed.v{number} = host_v{number}({value});");
    }
    if each_corner > 0 {
        text += "    let first = number - number % 3u;\n";
    }
    for corner in 0..if each_corner > 0 { 3 } else { 0 } {
        let results = format!("r{corner}");
        let _ = writeln!(text, "    let {results} = {};", call(&format!("first + {corner}u")));
        for output in 0..each_corner {
            let value = program.output(&results, output);
            let place = corner * each_corner + output;
            let value = match output {
                0 => format!("vec4f({value}.xyz / {value}.w, 0.0)"),
                _ => value,
            };
            let _ = writeln!(text, "    passed.corner{place} = {value};");
        }
    }
    text + "    return passed;\n}\n"
}

/// The function from the machine's positions to those of a host: clip space, y up, depth from 0 to 1.
fn clip(draw: &HostDraw, [width, height]: [u32; 2]) -> String {
    let snap = draw.rules.snap;
    let steps = (1u32 << snap.bits.min(16)) as f32;
    let pixels = format!("vec2f(at.x / {width}.0 * 2.0 - 1.0, 1.0 - at.y / {height}.0 * 2.0)");
    let mut text = "\nfn host_clip(value: vec4f) -> vec4f {\n    var at = value;\n".to_owned();
    match draw.rules.placement {
        Placement::Clip { near, y_up } => {
            if near == NearPlane::MinusOne {
                text += "    at.z = (at.z + at.w) * 0.5;\n";
            }
            if !y_up {
                text += "    at.y = -at.y;\n";
            }
        }
        Placement::Screen => {
            // The host's grid is finer: what is cut off for the machine's stays so.
            if snap.rounding == Rounding::Truncate {
                let _ = writeln!(text, "    at = vec4f(trunc(at.xy * {steps:?}) / {steps:?}, at.zw);");
            }
            let _ = writeln!(text, "    at = vec4f({pixels} * at.w, at.z * at.w, at.w);");
        }
        Placement::Divided => {
            let _ = writeln!(text, "    at = at / at.w;\n    at = vec4f({pixels}, 0.5, 1.0);");
        }
    }
    if draw.rules.sample == Sample::Corner {
        // Hosts look at the centres of pixels, so that what is there moves.
        let rect = match draw.rules.placement {
            Placement::Clip { .. } => [draw.state.viewport.rect.width, draw.state.viewport.rect.height],
            _ => [width, height],
        };
        let [x, y] = rect.map(|side| side.max(1));
        let _ = writeln!(text, "    at.x += at.w / {x}.0;\n    at.y -= at.w / {y}.0;");
    }
    text + "    return at;\n}\n"
}

/// The fragment shader. Group 1 has the constants at binding 0, the texture of unit u at 8 + 2u and its sampler at 9 + 2u.
pub fn fragment(program: Option<&Translated>, draw: &HostDraw, lines: bool) -> String {
    let store = match draw.rules.color {
        ColorRounding::Nearest => "color",
        ColorRounding::Truncate => "floor(clamp(color, vec4f(), vec4f(1.0)) * 255.0) / 255.0",
    };
    let store = format!("\nfn host_store(color: vec4f) -> vec4f {{\n    return {store};\n}}\n");
    let each_corner = corners(draw).map_or(0, |(_, count)| count);
    let functions = if lines { lines::functions(draw) } else { String::new() };
    let passed = passed(draw, each_corner, lines) + &store + &functions;
    match (&draw.fragments, program) {
        (Fragments::Fixed { declarations, body }, _) => {
            fixed(draw, declarations, body) + &passed + &shade(draw, lines)
        }
        (Fragments::Program { inputs, color, depth, corners }, Some(program)) => {
            let text = declared(program, draw, *corners) + &passed;
            text + &programmed(program, draw, inputs, (*color, *depth), *corners, lines)
        }
        (Fragments::Program { .. }, None) => passed,
    }
}

fn fixed(draw: &HostDraw, declarations: &str, body: &str) -> String {
    let mut text = String::new();
    for unit in 0..draw.units.len() {
        let (image, sampler) = (8 + 2 * unit, 9 + 2 * unit);
        let _ = writeln!(
            text,
            "@group(1) @binding({image})\nvar texture{unit}t: texture_2d<f32>;\n@group(1) @binding({sampler})\nvar texture{unit}s: sampler;\n\
             fn texel{unit}(at: vec2f) -> vec4f {{\n    return textureSampleLevel(texture{unit}t, texture{unit}s, at, 0.0);\n}}\n"
        );
    }
    let arguments: Vec<String> = (0..draw.varyings.len()).map(|number| format!("v{number}: vec4f")).collect();
    let _ = writeln!(text, "{declarations}\nfn host_shade({}) -> vec4f {{\n{body}}}", arguments.join(", "));
    text
}

fn shade(draw: &HostDraw, lines: bool) -> String {
    let arguments: Vec<String> = (0..draw.varyings.len()).map(|number| format!("passed.v{number}")).collect();
    let test = if lines { lines::TEST } else { "" };
    format!(
        "\n@fragment\nfn fragment_main(passed: HostPassed) -> @location(0) vec4f {{\n{test}    return host_store(host_shade({}));\n}}\n",
        arguments.join(", ")
    )
}

/// The text of a fragment program for group 1, where levels are chosen as the machine does, and constants may be written.
fn declared(program: &Translated, draw: &HostDraw, corners: Option<(u16, u16)>) -> String {
    let mut text = program.text.replace("@group(0)", "@group(1)");
    if corners.is_some() {
        let name = &program.program.constant;
        let (uniform, own) = (format!("var<uniform> {name}:"), "var<uniform> host_constants:".to_owned());
        if let Some(start) = text.find(&uniform) {
            let type_name = text[start + uniform.len()..].split(';').next().unwrap_or_default().to_owned();
            text = text.replace(&uniform, &own);
            let _ = writeln!(text, "\nvar<private> {name}:{type_name};");
        }
    }
    let mut units: Vec<usize> = program.program.samples.iter().map(|sample| sample.unit).collect();
    units.sort_unstable();
    units.dedup();
    for unit in units {
        if draw.units.get(unit).is_none_or(|own| own.mips != MipFilter::Ceiling) {
            continue;
        }
        let pair = format!("(texture{unit}t, texture{unit}s, ");
        text = text
            .replace(&format!("textureSample{pair}"), &format!("host_level{unit}("))
            .replace(&format!("textureSampleBias{pair}"), &format!("host_biased{unit}("));
        let _ = writeln!(
            text,
            "\n// The next smaller level.\nfn host_biased{unit}(at: vec2f, bias: f32) -> vec4f {{\n    \
             let size = vec2f(textureDimensions(texture{unit}t));\n    \
             let detail = log2(max(length(dpdx(at) * size), length(dpdy(at) * size))) + bias;\n    \
             let last = f32(textureNumLevels(texture{unit}t) - 1u);\n    \
             return textureSampleLevel(texture{unit}t, texture{unit}s, at, ceil(clamp(detail, 0.0, last)));\n}}\n\n\
             fn host_level{unit}(at: vec2f) -> vec4f {{\n    return host_biased{unit}(at, 0.0);\n}}"
        );
    }
    text
}

fn programmed(
    program: &Translated,
    draw: &HostDraw,
    inputs: &[(u16, String)],
    (color, depth): (u16, Option<u16>),
    corners: Option<(u16, u16)>,
    lines: bool,
) -> String {
    let mut text = "\nstruct HostShaded {\n    @location(0) color: vec4f,\n".to_owned();
    if depth.is_some() {
        text += "    @builtin(frag_depth) depth: f32,\n";
    }
    text += "}\n\n@fragment\nfn fragment_main(passed: HostPassed) -> HostShaded {\n";
    if lines {
        text += lines::TEST;
    }
    text += "    let place = vec4f(floor(passed.position.xy), passed.position.zw);\n";
    for number in 0..draw.varyings.len() {
        let _ = writeln!(text, "    let v{number} = passed.v{number};");
    }
    let name = &program.program.constant;
    if let Some((first, count)) = corners {
        let constants = program.program.constants;
        if constants > 0 {
            let _ = writeln!(text, "    {name} = host_constants;");
        }
        let first = usize::from(first);
        for place in (0..usize::from(3 * count)).filter(|place| first + place < constants) {
            let value = format!("passed.corner{place}");
            let value =
                if program.fidelity == Fidelity::Fast { value } else { format!("bitcast<vec4u>({value})") };
            let _ = writeln!(text, "    {name}[{}] = {value};", first + place);
        }
    }
    let argument = |number: u16| {
        let own = inputs.iter().find(|(own, _)| *own == number).map(|(_, text)| text.clone());
        own.unwrap_or_else(|| "vec4f()".to_owned())
    };
    let _ = writeln!(text, "    let r = {};", program.call(argument, false));
    if program.kills() {
        text += "    if r.killed {\n        discard;\n    }\n";
    }
    let color = format!("host_store({})", program.output("r", color));
    let depth = depth.map(|depth| format!("{}.x", program.output("r", depth)));
    let depth = depth.map(|depth| match draw.depth {
        DepthBits::Whole => depth,
        DepthBits::Shifted => format!("bitcast<f32>(bitcast<u32>(max({depth}, 0.0)) >> 1u)"),
    });
    let results: Vec<String> = std::iter::once(color).chain(depth).collect();
    let _ = writeln!(text, "    return HostShaded({});\n}}", results.join(", "));
    text
}
