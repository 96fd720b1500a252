//! Runs a program of an NV2A on the host's GPU, twice, and prints where its vertices land.
#![forbid(unsafe_code)]
#![allow(clippy::disallowed_macros, reason = "an example prints")]

use gpuzoo::translate::Fidelity;
use gpuzoo_host::Host;
use gpuzoo_host_shader::{Guest, Shaders};
use std::error::Error;
use std::process::ExitCode;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    // An emulator has these words from its guest.
    let program = gpuzoo::nv2a().assemble("guest.vsh", "mul oPos, v0, c[1]\nmov oD0, v3")?.words();
    let float = f32::to_bits;
    let mut vertices = vec![[[0; 4]; 16]; 3];
    for (number, vertex) in (0..).zip(&mut vertices) {
        vertex[0] = [number as f32, 1.0, 0.1, 1.0].map(float);
    }
    let mut constants = vec![[0; 4]; 192];
    constants[1] = [320.0, 240.0, 1.0, 1.0].map(float);
    let host = Host::open()?;
    println!("{}", host.name());
    let mut shaders = Shaders::new(&host, Fidelity::Exact);
    let guest = Guest { program: &program, constants: &constants, vertices: &vertices };
    for _ in 0..2 {
        for place in shaders.run(&guest, "oPos")? {
            println!("{:?}", place.map(f32::from_bits));
        }
    }
    println!("{} program translated, run twice", shaders.translated);
    Ok(())
}
