//! What a program without a scene is drawn with: a program for the other stage, whose attributes are those of the given one.

use gpuzoo_isa::{Interface, Port, Program, Stage};
use gpuzoo_machine::unit::starter::Starter;
use std::fmt::Write;

/// The mesh's attribute and the format for a vertex input.
fn attribute(number: usize, components: u8) -> (&'static str, &'static str) {
    let name = match (number, components) {
        (0, _) => "position",
        (_, 2) => "texcoord",
        (1, 3) => "normal",
        _ => "color",
    };
    let formats = ["float1", "float2", "float3", "float4"];
    (name, formats[usize::from(components.clamp(1, 4)) - 1])
}

fn letters(port: &Port) -> &'static str {
    &"xyzw"[..usize::from(port.components.clamp(1, 4))]
}

/// A program of either stage.
pub fn starter(program: &Program, (width, height): (u32, u32)) -> Starter {
    let [x, y] = [f64::from(width) / 2.0, f64::from(height) / 2.0];
    // Pixels, with w in the third row: what comes out as z/w is w, the distance (spec section 6).
    let to_screen = [[x, 0.0, 0.0, 0.0], [0.0, -y, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0], [x, y, 1.0, 0.0]];
    let starter = Starter::new(0)
        .to_screen(to_screen, 3)
        .clear_depth(1000)
        .state("depth_test", "true")
        .state("no_limits", "true");
    let none = Interface::default();
    let interface = program.interface.as_ref().unwrap_or(&none);
    let (inputs, partner) = match interface.stage {
        Stage::Vertex => (interface.inputs.iter().map(|port| port.components).collect(), fragment(interface)),
        Stage::Fragment => {
            let attributes = interface.inputs.iter().skip(1).map(|port| port.components);
            ([3].into_iter().chain(attributes).collect::<Vec<u8>>(), vertex(interface))
        }
    };
    let starter = (0..).zip(inputs).fold(starter, |starter, (input, components)| {
        let (name, format) = attribute(input.into(), components);
        starter.input(input, name, format)
    });
    starter.partner(partner)
}

/// Shows what a vertex program gives besides the position: the first as a colour around grey, times the second.
fn fragment(vertex: &Interface) -> String {
    let mut text = "#fragmentShader\n#input r0.xyzw\n".to_owned();
    let attributes: Vec<(usize, &Port)> = vertex.outputs.iter().enumerate().skip(1).take(2).collect();
    for (number, port) in &attributes {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "#input r{number}.{}", letters(port));
    }
    text += "#output r3.xyzw\nfinit r15 0.5\nfinit r3 0.75 0.75 0.75 1.0\n";
    for (number, port) in attributes {
        let mask = &letters(port)[..letters(port).len().min(3)];
        let _ = match number {
            1 => writeln!(text, "fmad r3.{mask} r1 r15 r15    // from -1 to 1, as normals are"),
            _ => writeln!(text, "fmul r3.{mask} r3 r2"),
        };
    }
    text
}

/// Gives a fragment program what it takes: the place on the screen, and attributes as they are.
fn vertex(fragment: &Interface) -> String {
    let attributes: Vec<(usize, &Port)> = fragment.inputs.iter().enumerate().skip(1).collect();
    let mut text = "#vertexShader\n#input r0.xyz\n".to_owned();
    let each = |word: &str, text: &mut String| {
        for (number, port) in &attributes {
            let _ = writeln!(text, "#{word} r{number}.{}", letters(port));
        }
    };
    each("input", &mut text);
    text += "#output r8.xyzw\n";
    each("output", &mut text);
    text += "#uniform r4.xyzw    // rows of the way to the screen: x, y and w\n#uniform r5.xyzw\n#uniform r6.xyzw\n";
    text + "mov r3.xyz r0\nfinit r3.w 1.0\nfdot r8.x r3 r4\nfdot r8.y r3 r5\nfdot r9 r3 r6\nmov r8.w r9\nfmul r8.z r9 r9\n"
}
