//! Sources compiled for a machine whose slots have two halves: how many slots, and what they compute.
#![cfg(feature = "sources")]

mod idioms;
mod random;
mod rows;
mod told;
mod twins;
mod whole;

use gpuzoo_compile::front::{Language, Reading, read};
use gpuzoo_compile::options::{Built, CompileOptions, Level, Options};
use gpuzoo_compile::select::paired::build;
use gpuzoo_compile::shader::Shader;
use gpuzoo_diag::Sources;
use gpuzoo_ir::{Vec4, eval};
use gpuzoo_isa::{Profile, numbers};
use gpuzoo_machine::unit::PositionSpace;
use gpuzoo_machine::{ShaderUnit, TextOptions};
use gpuzoo_nv2a::GPU;

/// Reads a WGSL text.
fn shader(text: &str) -> Shader {
    let mut sources = Sources::default();
    let file = sources.add("t.wgsl", text);
    let (language, stage) = Language::of("t.wgsl").unwrap();
    let reading = Reading { stage, ..Reading::of(language) };
    read(&mut sources, file, text.as_bytes(), &reading).unwrap_or_else(|problems| panic!("{problems:#?}")).0
}

/// The program of a shader, whose position stays as it is.
fn raw(shader: &Shader, level: Level) -> Built {
    let options = Options {
        compile: CompileOptions { level, ..CompileOptions::default() },
        position: PositionSpace::Clip,
        ..Options::default()
    };
    build(&GPU, shader, &options).unwrap_or_else(|problems| panic!("{problems:#?}"))
}

/// A program as text.
fn printed(built: &Built) -> String {
    GPU.disassemble(&built.program, &TextOptions::default()).0
}

/// What a text compiles to: so many slots, that compute what the text says.
fn check(name: &str, text: &str, slots: usize) {
    let shader = shader(text);
    let built = raw(&shader, Level::Usual);
    compare(name, &shader, &built);
    assert_eq!(built.program.slots.len(), slots, "{name}\n{}", printed(&built));
}

/// Runs a shader and its program on numbers of usual sizes, in both profiles; the machine's tables have 12 bits.
fn compare(name: &str, shader: &Shader, built: &Built) {
    let conventions = GPU.conventions().unwrap();
    for (profile, most) in [(Profile(1), 1e-4), (Profile(0), 4e-3)] {
        let lowered = GPU.lower(&built.program, &profile.into()).0.function;
        for seed in 0..200 {
            let mut number = numbers(seed);
            let mut vector = |most: f32| [0; 4].map(|_| (number(2_000) as f32 / 1_000.0 - 1.0) * most);
            let mut inputs = vec![[0; 4]; 16];
            let mut given: Vec<Vec4> = Vec::new();
            for variable in &shader.inputs {
                let reg = conventions.input(shader.stage, variable.port).unwrap();
                // Bones are whole numbers.
                let value = vector(2.0)
                    .map(|x| if variable.name == "bone" { (x.abs() * 10.0) as u32 as f32 } else { x });
                inputs[usize::from(reg.index)] = value.map(f32::to_bits);
                given.push(value.map(f32::to_bits));
            }
            let mut constants = vec![[0; 4]; 192];
            let mut uniforms = vec![[0; 4]; usize::from(shader.uniform_registers())];
            for uniform in &shader.uniforms {
                for index in uniform.first..uniform.first + uniform.count {
                    let value = vector(1.5)
                        .map(|x| if uniform.name.ends_with("which") { (seed % 13) as f32 } else { x });
                    uniforms[usize::from(index)] = value.map(f32::to_bits);
                    constants[96 + usize::from(index)] = value.map(f32::to_bits);
                }
            }
            for (index, bits) in built.program.defined() {
                constants[usize::from(index)] = bits;
            }
            let right = eval::outputs(&shader.function, &given, &uniforms);
            let own = eval::outputs(&lowered, &inputs, &constants);
            for ((output, right), variable) in shader.function.outputs.iter().zip(right).zip(&shader.outputs)
            {
                let reg = conventions.output(shader.stage, variable.port).unwrap();
                let place = lowered.outputs.iter().position(|(number, _)| *number == reg.index).unwrap();
                for component in (0..4u8).filter(|component| variable.mask.has(*component)) {
                    let [right, own] =
                        [right, own[place]].map(|all| f32::from_bits(all[usize::from(component)]));
                    let scale = right.abs().max(1.0);
                    let near = right == own || (right - own).abs() <= most * scale;
                    assert!(
                        near || right.is_nan(),
                        "{name}: output {output:?}.{component} is {own}, not {right}, in profile {profile:?}\n{}\n{}",
                        shader.function,
                        printed(built)
                    );
                }
            }
        }
    }
}
