//! Functions, compiled for machines with one instruction a slot.

mod bounds;
mod costs;
mod debug;
mod host;
mod lengths;
mod random;
mod refused;
mod sources;

use gpuzoo_compile::options::{Built, Options};
use gpuzoo_compile::select::single::build;
use gpuzoo_compile::shader::{Shader, Uniform, Variable};
use gpuzoo_diag::{Diagnostic, File, Span};
use gpuzoo_ir::text::parse;
use gpuzoo_isa::{Mask, Stage};
use gpuzoo_machine::target::conventions::Port;
use gpuzoo_machine::{ShaderUnit, TextOptions};

/// A shader of a function in the IR's text. Inputs and outputs are locations in order, but that a vertex's first output is its
/// position; of each the number of components is given.
fn shader(stage: Stage, text: &str, inputs: &[u8], outputs: &[u8], uniforms: &[u8]) -> Shader {
    let (function, problems) = parse(&File::new("t.ir", text));
    assert!(problems.is_empty(), "{problems:#?}");
    let mask = |count: u8| Mask((1u8 << count) - 1);
    let variable = |port: Port, count: u8, name: String| Variable {
        port,
        name,
        mask: mask(count),
        span: Span::default(),
    };
    let output = |number: usize| match (stage, number) {
        (Stage::Vertex, 0) => Port::Position,
        (Stage::Vertex, _) => Port::Location(number as u16 - 1),
        (Stage::Fragment, _) => Port::Location(number as u16),
    };
    Shader {
        stage,
        function,
        inputs: (0..)
            .zip(inputs)
            .map(|(number, count)| variable(Port::Location(number), *count, format!("a{number}")))
            .collect(),
        outputs: outputs
            .iter()
            .enumerate()
            .map(|(number, count)| variable(output(number), *count, format!("o{number}")))
            .collect(),
        uniforms: (0..)
            .zip(uniforms)
            .map(|(first, count)| Uniform {
                name: format!("u{first}"),
                first,
                count: 1,
                ty: "vec4f".to_owned(),
                mask: mask(*count),
                matrix: None,
                values: Vec::new(),
                span: Span::default(),
            })
            .collect(),
        ..Shader::default()
    }
}

/// The program of a shader, which its text gives back.
fn built(unit: &dyn ShaderUnit, shader: &Shader) -> Built {
    let built = build(unit, shader, &Options::default()).unwrap_or_else(|problems| panic!("{problems:#?}"));
    reassembles(unit, &built);
    built
}

fn text(unit: &dyn ShaderUnit, built: &Built) -> String {
    unit.disassemble(&built.program, &TextOptions::default()).0
}

/// What a program's text gives is the same program.
fn reassembles(unit: &dyn ShaderUnit, built: &Built) {
    let text = text(unit, built);
    let again = unit.assemble(&File::new("again", text.as_str()), &TextOptions::default());
    assert!(again.ok(), "{text}\n{:#?}", again.diagnostics);
    assert_eq!(unit.save(&again.program), unit.save(&built.program), "{text}");
}

fn refused(unit: &dyn ShaderUnit, shader: &Shader) -> Vec<Diagnostic> {
    build(unit, shader, &Options::default()).unwrap_err()
}
