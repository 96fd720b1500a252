//! A vertex program of Servaru-I, and what is wrong with another one.
#![allow(clippy::disallowed_macros, reason = "it prints")]

use gpuzoo::{Diagnostics, Inputs, State};

/// Also run by a test.
pub fn main() -> Result<(), Diagnostics> {
    let text = ".vertex\nMUL P9, P0, U0;\nMOV P10, P1;\n";
    let kernel = gpuzoo::servaru().assemble("scale.svs", text)?.kernel(State::new())?;
    let inputs = Inputs::new().set("P0", &[[1.0, 2.0, 3.0]])?.set("P1", &[[0.25, 0.75]])?;
    let outputs = kernel.run(&inputs.constant("U0", [2.0; 4]))?;
    assert_eq!(outputs["P9"], [[2.0, 4.0, 6.0, 2.0]]);
    let problems = gpuzoo::servaru().assemble("typo.svs", "MULL P9, P0, U0;").unwrap_err();
    println!("{problems}");
    Ok(())
}
