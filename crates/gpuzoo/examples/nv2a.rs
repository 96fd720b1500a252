//! A vertex shader of the original Xbox, run on two vertices.
#![allow(clippy::disallowed_macros, reason = "it prints")]

use gpuzoo::{Diagnostics, Inputs};

/// Also run by a test.
pub fn main() -> Result<(), Diagnostics> {
    let text = "#scale vector 96\nmul oPos, v0, #scale\nmov oD0, v3\n";
    let kernel = gpuzoo::nv2a().assemble("scale.vsh", text)?.kernel("hw")?;
    let inputs = Inputs::new().set("v0", &[[1.0, 2.0, 3.0, 1.0], [-1.0, 0.5, 0.0, 1.0]])?;
    let inputs = inputs.set("v3", &[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])?;
    let outputs = kernel.run(&inputs.constant("scale", [2.0, 2.0, 2.0, 1.0]))?;
    assert_eq!(outputs["oPos"], [[2.0, 4.0, 6.0, 1.0], [-2.0, 1.0, 0.0, 1.0]]);
    println!("{:?}", &outputs["oD0"]);
    Ok(())
}
