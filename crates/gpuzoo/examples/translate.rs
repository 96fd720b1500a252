//! A program of the Xbox as a shader of the host.

use gpuzoo::Diagnostics;
use gpuzoo::translate::{Fidelity, Shape, Target, TranslateOptions};

fn main() -> Result<(), Diagnostics> {
    let program = gpuzoo::nv2a().assemble("glow.vsh", "mov oPos, v0\nmul oD0, v3, c[100]")?;
    let options = TranslateOptions {
        to: Some(Target::SpirV),
        shape: Some(Shape::Vertex),
        fidelity: Fidelity::Exact,
        ..TranslateOptions::default()
    };
    let shader = program.translate("hw", &options)?;
    assert_eq!(shader.words().map(|words| words[0]), Some(0x0723_0203));
    assert_eq!(shader.reflection().bindings[0].type_name, "array<vec4u, 101>");
    Ok(())
}
