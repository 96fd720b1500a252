//! A vertex shader of PicoGpu, which declares its inputs and outputs.
#![allow(clippy::disallowed_macros, reason = "it prints")]

use gpuzoo::{Diagnostics, Inputs};

/// Also run by a test.
pub fn main() -> Result<(), Diagnostics> {
    let text = "#vertexShader\n#input r0.xyzw\n#output r1.xyzw\nfadd r1 r0 r0\n";
    let program = gpuzoo::picogpu().assemble("double.pico", text)?;
    let inputs = Inputs::new().set("in0", &[[1.0, 2.0, 3.0, 1.0]])?;
    let outputs = program.kernel("unit")?.run(&inputs)?;
    assert_eq!(outputs["out0"], [[2.0, 4.0, 6.0, 2.0]]);
    println!("{}", program.disassemble(&Default::default())?.0);
    Ok(())
}
