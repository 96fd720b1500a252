//! The Dreambox's Vertex Unit: a program that adds two inputs, its cost, and its words.
#![allow(clippy::disallowed_macros, reason = "it prints")]

use gpuzoo::{Diagnostics, Inputs};

/// Also run by a test.
pub fn main() -> Result<(), Diagnostics> {
    let program = gpuzoo::dreambox().assemble("sum.vu", "ld r0 0  ld r1 1  add r0 r1  st pos r0")?;
    let kernel = program.kernel("document")?;
    let inputs = Inputs::new().set("in0", &[[1.0, 2.0, 3.0, 4.0]])?.set("in1", &[[0.5; 4]])?;
    assert_eq!(kernel.run(&inputs)?["pos"], [[1.5, 2.5, 3.5, 4.5]]);
    println!("{:08x?}\n{:?}", program.words(), program.costs());
    Ok(())
}
